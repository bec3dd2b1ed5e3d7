package research

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"path/filepath"

	"wstk/shared/app"
	"wstk/shared/app/local"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// Options say where a Research keeps what it reads, and who proposes its answers. The zero value
// keeps all in memory and answers by rules.
type Options struct {
	// Dir is the folder of stored pages, answers and proof; it is made if it is missing. Several
	// processes may use one. "" means memory, or Stores.
	Dir string

	// Stores are ports of the caller in place of Dir, all of them; see InMemory for what a set
	// is. They are not closed by Close.
	Stores *Stores

	// Model proposes what rules propose otherwise: strategy, summaries, buckets, claims. nil means
	// that of Settings, and else rules. It must be safe for concurrent use.
	Model wstk.Model

	// Models chooses a model for each operation, in place of Model. Where it returns nil, rules
	// propose.
	Models wstk.Models

	// Settings are settings of the program by key, such as "fetch.allow_private": "true";
	// docs/operations.md lists them. No file and no variable of the environment is read. Without
	// Dir, an embedder or reranker "local" is Invalid: these models are files in a folder.
	Settings map[string]string

	// Log gets what an operator should know; nil discards it.
	Log *slog.Logger
}

// Stores are the ports under a Research. Queue, Scratch, Embedder, Embeddings, Cache and Captures
// of app.Stores are not used; all else must be set. Vectors may be nil if Settings name no
// embedder.
type Stores = local.Own

// InMemory returns stores in the memory of this process, to use as they are or to replace some
// of them. They are lost with the process.
func InMemory() Stores { return local.InMemory() }

// Research is what one set of stores knows. It is safe for concurrent use.
type Research struct {
	app *app.App
}

// Open returns a Research over a folder, or over stores of the caller. The caller closes it.
// Codes: Invalid for options that are wrong, Unavailable for a folder that cannot be used. A
// service whose key is missing is Unprocessable when it is needed, before anything is sent.
func Open(ctx context.Context, o Options) (*Research, error) {
	if o.Dir != "" && o.Stores != nil {
		return nil, wstk.Errorf(wstk.Invalid, "opening", "Dir and Stores are both set")
	}
	settings, err := o.config()
	if err != nil {
		return nil, err
	}
	log := cmp.Or(o.Log, slog.New(slog.NewTextHandler(io.Discard, nil)))
	var a *app.App
	switch {
	case o.Dir != "":
		a, err = local.Open(ctx, settings, log)
	case o.Stores != nil:
		a, err = local.OpenOn(ctx, settings, log, *o.Stores)
	default:
		a, err = local.OpenOn(ctx, settings, log, InMemory())
	}
	if err != nil {
		return nil, err
	}
	if o.Models == nil && o.Model != nil {
		o.Models = func(wstk.Operation) wstk.Model { return o.Model }
	}
	if o.Models != nil {
		a.Models, a.ModelSetups = o.Models, nil // theirs need no key of ours
		a.Compose()
	}
	return &Research{a}, nil
}

func (o Options) config() (config.Config, error) {
	var flags []config.Flag
	if o.Dir != "" {
		flags = append(flags, config.Flag{Key: "data_dir", Value: filepath.Join(o.Dir, "data")},
			config.Flag{Key: "cache_dir", Value: filepath.Join(o.Dir, "cache")})
	} else {
		flags = append(flags, config.Flag{Key: "cache.off", Value: "true"})
	}
	for key, value := range o.Settings {
		flags = append(flags, config.Flag{Key: key, Value: value})
	}
	return local.Settings().Only(flags...)
}

// Close ends what works in the background, and closes what Open opened.
func (r *Research) Close() error { return r.app.Close() }

// App is the system behind a Research, for what this package does not offer.
func (r *Research) App() *app.App { return r.app }
