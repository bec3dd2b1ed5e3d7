package reading_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"wstk/shared/app/reading"
)

func TestCorrelated(t *testing.T) {
	var out bytes.Buffer
	log := reading.Correlated(
		slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelInfo})))
	ctx := context.Background()
	// one by one, so that there is room behind the last
	for _, name := range []string{"b", "c", "request_id"} {
		ctx = reading.WithAttrs(ctx, slog.String(name, "a"))
	}
	one, two := reading.WithAttrs(ctx, slog.String("run", "1")), reading.WithAttrs(ctx, slog.String("run", "2"))
	log.InfoContext(one, "first")
	log.With("task", "recall").InfoContext(two, "second", "n", 7)
	log.Info("third")
	log.DebugContext(one, "fourth")
	for i, want := range []string{"msg=first b=a c=a request_id=a run=1\n", "msg=second task=recall n=7 b=a c=a request_id=a run=2\n", "msg=third\n"} {
		if lines := strings.SplitAfter(out.String(), "\n"); len(lines) != 4 ||
			!strings.HasSuffix(lines[i], want) {
			t.Errorf("line %d is not %q:\n%s", i, want, out.String())
		}
	}
}
