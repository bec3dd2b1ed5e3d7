// Package local is the composition root of one machine: SQLite for records and index,
// plain files for bytes, queues in memory, and one guarded client for everything that
// goes out.
package local

import (
	"context"
	"errors"
	"log/slog"
	"mime"
	"os"
	"path/filepath"
	"time"

	"wstk/shared/adapter/bundle"
	"wstk/shared/adapter/files"
	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/sqlite"
	"wstk/shared/app"
	"wstk/shared/app/stages"
	"wstk/shared/wstk"
)

// Open opens the stores under c.DataDir and wires the stages over them. Whoever has
// the App closes it.
func Open(ctx context.Context, c app.Config, log *slog.Logger) (*app.App, error) {
	store, err := files.Open(c.DataDir)
	if err != nil {
		return nil, err
	}
	client, err := stages.Client(c)
	if err != nil {
		return nil, err
	}
	db, err := sqlite.Open(ctx, c.DataDir)
	if err != nil {
		return nil, err
	}
	if c.AllowPrivate {
		log.Info("private and loopback addresses are open", "setting", "allow_private", "from", c.Origin["fetch.allow_private"])
	}
	queue := memory.NewQueue()
	scratch := memory.NewBlobs()
	scratch.Most = maxScratch
	a := &app.App{
		Config: c, Log: log, Now: time.Now,
		Blobs: store.Blobs, Locks: store.Locks,
		Snapshots: db.Snapshots(), Pages: db.Pages(), SiteStore: db.Sites(), Runs: db.Runs(),
		Frontier: db.Frontier(), Hosts: db.Hosts(), Index: db.Index(), Summaries: db.Summaries(),
		Queue: queue, Inbox: queue, Scratch: scratch,
		CheckStore: db.Check, ForgetURLs: db.ForgetURLs,
	}
	stages.Wire(a, client, db.Evidence())
	w, err := newWorkflows(a)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	work := newBackground()
	a.Workflows, a.RunNow, a.Detach = w, w.Run, work.detach
	a.Recover = w.endDead
	a.CloseAll = func() error {
		work.close()
		return db.Close()
	}
	a.SaveBody = saveBody(c.CacheDir)
	a.SaveBundle = bundle.Write
	return a, nil
}

// OpenBundle opens a proof bundle. It needs no store.
func OpenBundle(path string) (app.Bundle, error) {
	b, err := bundle.Open(path)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// maxScratch bounds what the state machines of this process hand on, in bytes: some
// hundred extractions.
const maxScratch = 256 << 20

// saveBody writes bodies as plain files under the cache, named by hash and type.
func saveBody(dir string) func(wstk.Hash, string, []byte) (string, error) {
	return func(h wstk.Hash, contentType string, body []byte) (string, error) {
		folder := filepath.Join(dir, "bodies")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return "", wstk.Errorf(wstk.Unavailable, "writing to the cache", "%w", err).WithNext("choose another cache with WSTK_CACHE_DIR")
		}
		path := filepath.Join(folder, string(h)+extension(contentType))
		if st, err := os.Stat(path); err == nil && st.Size() == int64(len(body)) {
			return path, nil
		}
		tmp, err := os.CreateTemp(folder, ".body-*")
		if err != nil {
			return "", wstk.Wrap(wstk.Unavailable, "writing to the cache", err)
		}
		_, err = tmp.Write(body)
		if err = errors.Join(err, tmp.Close()); err == nil {
			err = os.Rename(tmp.Name(), path)
		}
		if err != nil {
			os.Remove(tmp.Name())
			return "", wstk.Wrap(wstk.Unavailable, "writing to the cache", err)
		}
		return path, nil
	}
}

// extension is a file ending for a media type, so that other programs know what
// they are given.
func extension(contentType string) string {
	switch contentType {
	case "text/html", "application/xhtml+xml":
		return ".html"
	case "text/plain":
		return ".txt"
	case "text/markdown":
		return ".md"
	case "application/json":
		return ".json"
	}
	if list, err := mime.ExtensionsByType(contentType); err == nil && len(list) > 0 {
		return list[0]
	}
	return ".bin"
}
