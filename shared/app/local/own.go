package local

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"wstk/shared/adapter/bundle"
	"wstk/shared/adapter/memory"
	"wstk/shared/app"
	"wstk/shared/app/crawling"
	"wstk/shared/app/reading"
	"wstk/shared/app/stages"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// Own are the stores of a program that brings its own. Queue, Scratch, Embedder, Embeddings, Cache
// and Captures of Stores are not used; all else must be set.
type Own struct {
	app.Stores
	Evidence wstk.EvidenceStore

	// Vectors keeps the vectors of passages. It may be nil if the settings name no embedder.
	Vectors wstk.VectorIndex
}

// InMemory are stores in the memory of this process.
func InMemory() Own {
	m := memory.New()
	return Own{Evidence: m.Evidence, Vectors: memory.NewVectors(),
		Stores: app.Stores{Blobs: m.Blobs, Locks: m.Locks,
			Snapshots: m.Snapshots, Pages: m.Pages, SiteStore: m.Sites, Runs: m.Runs,
			Frontier: m.Frontier, Hosts: m.Hosts, Index: m.Index, Summaries: m.Summaries,
			SearchRows: m.SearchRows, Templates: m.Templates}}
}

// lacking names the first port that is not set.
func (o Own) lacking() string {
	for _, p := range []struct {
		name string
		set  bool
	}{
		{"Blobs", o.Blobs != nil}, {"Snapshots", o.Snapshots != nil}, {"Pages", o.Pages != nil},
		{"SiteStore", o.SiteStore != nil}, {"Runs", o.Runs != nil}, {"Locks", o.Locks != nil},
		{"Frontier", o.Frontier != nil}, {"Hosts", o.Hosts != nil},
		{"Summaries", o.Summaries != nil}, {"Index", o.Index != nil},
		{"SearchRows", o.SearchRows != nil}, {"Templates", o.Templates != nil},
		{"Evidence", o.Evidence != nil},
	} {
		if !p.set {
			return p.name
		}
	}
	return ""
}

// OpenOn wires the stages over stores of the caller, who closes the App and then what the
// stores need. It opens no file under c.DataDir. What ended crawls keep about each URL is
// forgotten only with their sites. Models, embedder and reranker are those of c; an embedder is
// sent a passage again if its page is read again. Codes: Invalid for a port that is nil, and for
// an embedder or reranker that needs a file of this machine.
func OpenOn(
	_ context.Context, c config.Config, log *slog.Logger, own Own,
) (*app.App, error) {
	if name := own.lacking(); name != "" {
		return nil, wstk.Errorf(wstk.Invalid, "opening stores", "the store %s is missing", name)
	}
	client, err := stages.Client(c)
	if err != nil {
		return nil, err
	}
	queue, scratch := memory.NewQueue(), memory.NewBlobs()
	scratch.Most = maxScratch
	own.Queue, own.Scratch = queue, scratch
	own.Embedder, own.Embeddings, own.Cache, own.Captures = nil, nil, nil, nil
	a := app.New(app.Home{
		Base:   reading.Base{Config: c, Log: reading.Correlated(log), Now: time.Now},
		Stores: own.Stores, Backlog: queue,
	})
	if own.Vectors == nil && c.Embedder.Remote() {
		return nil, wstk.Errorf(wstk.Invalid, "opening stores",
			"the store Vectors is missing, and embedder.provider names a service")
	}
	stages.Wire(a, client, own.Evidence)
	if _, err = stages.Compare(a, noFiles(c), own.Vectors, nil); err != nil {
		return nil, err
	}
	work := newBackground()
	w, err := newWorkflows(a, work)
	if err != nil {
		return nil, err
	}
	renderer, err := render(a, client)
	if err != nil {
		return nil, err
	}
	a.Machines = w
	a.Dispatch = crawling.InProcess{Detach: work.detach,
		ForgetURLs: func(context.Context, wstk.SiteID, int) error { return nil },
		Worker:     &Worker{Inbox: queue, app: a}}
	a.Files.SaveBundle = bundle.Write
	a.Upkeep = ownUpkeep{workflows: w, background: work, close: renderer.Close}
	if err := stages.Models(a); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := stages.Search(a, nil, stages.Passages(a)); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.Compose()
	return a, nil
}

// noFiles are the models of a home without a data directory, in which models are kept: none.
func noFiles(c config.Config) stages.OwnModels {
	refuse := func(setting string) error {
		if c.Origin[setting] == "" { // its default: what was added, if anything was
			return nil
		}
		return wstk.Errorf(wstk.Invalid, "opening stores",
			"%s is local, and models in files need a data directory", setting).
			Try(wstk.Advice("give a data directory, or name a service"))
	}
	return stages.OwnModels{
		Embedders: map[string]func(config.EmbedderOptions) (wstk.Embedder, error){
			config.Local: func(config.EmbedderOptions) (wstk.Embedder, error) {
				return nil, refuse("embedder.provider")
			}},
		Rerankers: map[string]func(config.RerankerOptions) (wstk.Reranker, error){
			config.Local: func(config.RerankerOptions) (wstk.Reranker, error) {
				return nil, refuse("reranker.provider")
			}},
	}
}

// ownUpkeep looks after what works over stores of another program, which looks after those.
type ownUpkeep struct {
	app.NoUpkeep
	workflows  *workflows
	background *background
	close      func() error // the browser
}

func (u ownUpkeep) Recover(ctx context.Context) error { return u.workflows.recover(ctx) }

func (u ownUpkeep) Close() error {
	err := u.close()
	u.background.close()
	return err
}
