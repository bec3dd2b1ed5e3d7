package reading

import (
	"context"
	"log/slog"
	"slices"
)

// attrsKey is where a context keeps what its lines in the log carry.
type attrsKey struct{}

// WithAttrs is ctx for work whose lines in the log carry attrs, beside those that ctx brings
// already: the request, the run.
func WithAttrs(ctx context.Context, attrs ...slog.Attr) context.Context {
	old, _ := ctx.Value(attrsKey{}).([]slog.Attr)
	return context.WithValue(ctx, attrsKey{}, append(slices.Clip(old), attrs...))
}

// Correlated is log with lines that carry the attributes of the context they are written
// with, so that those of one run are found among those of all others.
func Correlated(log *slog.Logger) *slog.Logger { return slog.New(correlated{log.Handler()}) }

type correlated struct{ slog.Handler }

func (h correlated) Handle(ctx context.Context, r slog.Record) error {
	if attrs, ok := ctx.Value(attrsKey{}).([]slog.Attr); ok {
		r = r.Clone()
		r.AddAttrs(attrs...)
	}
	return h.Handler.Handle(ctx, r)
}

func (h correlated) WithAttrs(attrs []slog.Attr) slog.Handler {
	return correlated{h.Handler.WithAttrs(attrs)}
}

func (h correlated) WithGroup(name string) slog.Handler {
	return correlated{h.Handler.WithGroup(name)}
}
