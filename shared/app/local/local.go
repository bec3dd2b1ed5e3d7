// Package local is the composition root of one machine: SQLite for records and index,
// plain files for bytes, queues in memory, and one guarded client for everything that
// goes out.
package local

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"wstk/shared/adapter/bundle"
	"wstk/shared/adapter/files"
	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/sqlite"
	"wstk/shared/adapter/stored"
	"wstk/shared/adapter/warc"
	"wstk/shared/app"
	"wstk/shared/app/crawling"
	"wstk/shared/app/reading"
	"wstk/shared/app/stages"
	"wstk/shared/config"
	"wstk/shared/stage/read"
	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Open opens the stores under c.DataDir and wires the stages over them. The caller closes
// the App.
func Open(ctx context.Context, c config.Config, log *slog.Logger) (*app.App, error) {
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
		log.Info("private and loopback addresses are open", "setting", "allow_private", "from",
			c.Origin["fetch.allow_private"])
	}
	queue := memory.NewQueue()
	scratch := memory.NewBlobs()
	scratch.Most = maxScratch
	a := app.New(app.Home{
		Base: reading.Base{Config: c, Log: reading.Correlated(log), Now: time.Now},
		Stores: app.Stores{Blobs: store.Blobs, Locks: store.Locks, Snapshots: db.Snapshots(),
			Pages: db.Pages(), SiteStore: db.Sites(), Runs: db.Runs(), Frontier: db.Frontier(),
			Hosts: db.Hosts(), Index: db.Index(), Summaries: db.Summaries(),
			SearchRows: db.SearchRows(), Templates: db.Templates(), Queue: queue,
			Scratch: scratch},
		Backlog: queue,
	})
	shelf := models(a)
	a.ModelFiles = shelf
	by, err := shelf.meaning()
	if err != nil {
		return nil, errors.Join(err, by.close(), db.Close())
	}
	stages.Wire(a, client, db.Evidence())
	if shelf.pages, err = stages.Compare(a, by.own, db.Vectors(), db.Embeddings()); err != nil {
		return nil, errors.Join(err, by.close(), db.Close())
	}
	if by.sentences != nil {
		a.Embedder, a.Embeddings = by.sentences, db.Embeddings()
	}
	work := newBackground()
	w, err := newWorkflows(a, work)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	renderer, err := render(a, client)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	a.Machines = w
	a.Dispatch = crawling.InProcess{Detach: work.detach, ForgetURLs: db.ForgetURLs,
		Worker: &Worker{Inbox: queue, app: a}}
	a.Upkeep = upkeep{db: db, blobs: store.Blobs, workflows: w, background: work,
		renderer: renderer, meaning: by}
	a.Files.SaveBundle = bundle.Write
	keep(a)
	if err := stages.Models(a); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := stages.Search(a, a.Cache, stages.Passages(a)); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.Compose()
	return a, nil
}

// Settings are all settings there are, for who loads a configuration.
func Settings() *config.Settings { return stages.Settings() }

// OpenTransient wires the stages over stores in memory, for commands about single pages
// and searches: what they leave behind is cache and evidence. It opens no file.
func OpenTransient(ctx context.Context, c config.Config, log *slog.Logger) (*app.App, error) {
	client, err := stages.Client(c)
	if err != nil {
		return nil, err
	}
	m := memory.New()
	a := app.New(app.Home{
		Base: reading.Base{Config: c, Log: reading.Correlated(log), Now: time.Now},
		Stores: app.Stores{Blobs: m.Blobs, Locks: m.Locks, Snapshots: m.Snapshots, Pages: m.Pages,
			SiteStore: m.Sites, Runs: m.Runs, Frontier: m.Frontier, Hosts: m.Hosts,
			Index: m.Index, Summaries: m.Summaries, SearchRows: m.SearchRows,
			Templates: m.Templates, Queue: m.Queue, Scratch: m.Blobs},
	})
	if a.Access, err = routers(c); err != nil {
		return nil, err
	}
	stages.Wire(a, client, m.Evidence)
	data := &lazyApp{config: c, log: log}
	shelf := models(a)
	shelf.stored = data.open
	a.ModelFiles = shelf
	keep(a)
	if !c.Cache.Off {
		note := noted(log)
		a.Crawl.Robots.Blobs, a.Crawl.Robots.Snapshots = cachedBlobs{m.Blobs, a.Cache, note},
			cachedSnapshots{m.Snapshots, a.Cache, note}
	}
	if err := stages.Models(a); err != nil {
		return nil, err
	}
	if err := stages.Search(a, a.Cache, data.passages); err != nil {
		return nil, err
	}
	renderer, err := render(a, client)
	if err != nil {
		return nil, err
	}
	a.Upkeep = transientUpkeep{data: data, renderer: renderer}
	a.Compose()
	return a, nil
}

// lazyApp is the App over the data directory, opened when it is first asked for.
type lazyApp struct {
	config config.Config
	log    *slog.Logger

	mu  sync.Mutex
	app *app.App
}

// passages recalls what is stored; nothing when there is no data directory yet.
func (l *lazyApp) passages(ctx context.Context, q stored.Query) (stored.Found, error) {
	a, err := l.open(ctx)
	if err != nil || a == nil {
		return stored.Found{}, err
	}
	return stages.Passages(a)(ctx, q)
}

// open returns nil when there is no data directory yet: looking makes none.
func (l *lazyApp) open(ctx context.Context) (*app.App, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.app != nil {
		return l.app, nil
	}
	if _, err := os.Stat(filepath.Join(l.config.DataDir, "FORMAT")); errors.Is(err,
		fs.ErrNotExist) {
		return nil, nil
	}
	var err error
	l.app, err = Open(ctx, l.config, l.log)
	return l.app, err
}

func (l *lazyApp) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.app == nil {
		return nil
	}
	return l.app.Close()
}

// keep gives an App the cache and the evidence folders of this machine.
func keep(a *app.App) {
	c := a.Config
	captures := files.Captures{Dir: c.Evidence()}
	cache := files.Cache{Dir: filepath.Join(c.CacheDir, "cache"),
		MaxBytes: int64(c.Cache.MaxMB) << 20, Refused: warnedOnce(a.Log)}
	a.Captures = captures
	if c.EvidenceDir == "" { // else it is the user's own, and nothing removes it
		cache.Also = captures.Dir
		a.Captures = counted{captures, cache, noted(a.Log)}
	}
	a.Cache, a.Files.WriteArchive = cache, warc.Write
}

// warnedOnce logs the first reason for which an entry of the cache was not taken. The page is
// asked for instead, so that one word is enough.
func warnedOnce(log *slog.Logger) func(string) {
	var once sync.Once
	return func(reason string) {
		once.Do(func() { log.Warn("not taken from the cache, but fetched again: " + reason) })
	}
}

// noted logs what a cache that cannot be written says.
func noted(log *slog.Logger) func(error) {
	return func(err error) {
		if err != nil {
			log.Warn("not kept in the cache", "error", err)
		}
	}
}

// counted are captures that count towards the size of a cache.
type counted struct {
	files.Captures
	cache files.Cache
	note  func(error) // of a cache that cannot be written: nothing is lost
}

func (s counted) Put(ctx context.Context, c wstk.Capture) (wstk.Capture, error) {
	c, err := s.Captures.Put(ctx, c)
	if err != nil {
		return c, err
	}
	s.note(s.cache.Grew(ctx, files.Bytes(c)))
	return c, nil
}

// OpenBundle opens a proof bundle. It needs no store.
func OpenBundle(ctx context.Context, path string) (verify.Bundle, error) {
	b, err := bundle.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Reader reads the pages of a bundle again, as those of a store. It needs no store.
func Reader() *read.Stage { return &read.Stage{} }

// maxScratch bounds what the state machines of this process hand on, in bytes: some
// hundred extractions.
const maxScratch = 256 << 20
