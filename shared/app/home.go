package app

import (
	"context"
	"time"

	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/looking"
	"wstk/shared/app/reading"
	"wstk/shared/metrics"
	"wstk/shared/prompt"
	"wstk/shared/stage/crawl"
	"wstk/shared/stage/extract/prompted"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/index"
	"wstk/shared/stage/read"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/search"
	"wstk/shared/stage/summarize"
	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Home is what one home brings: its settings, its stores, the stages over them, and how work
// gets done there. What both homes do with it stands in the rooms.
type Home struct {
	reading.Base
	Stores
	Stages

	// Dispatch is how crawls and removals are worked on, and Machines how questions are.
	Dispatch crawling.Dispatcher
	Machines answering.Machines

	Backlog crawling.Backlog // how many messages wait
	Outbox  answering.Outbox // where results of uploads go; nil means that nothing is uploaded
	Models  wstk.Models      // language models by operation, as they are configured
	// ModelSetups are how the operator set up those that Models returns; one that is not listed
	// is complete as it is.
	ModelSetups map[wstk.Operation]ModelSetup
	Prompts     prompt.Custom     // the operator's prompts for them; nil means ours
	Browser     reading.Browser   // renders pages; nil means that there is none
	Addresses   reading.Addresses // which addresses can be opened
	// Access says how pages may be asked for that the user of this machine named; nil, where a
	// home stores what it reads or answers others, means as every reader may.
	Access      wstk.Access
	Files       Files
	ModelLimits prompted.Limits // what models read and write for one question
	// ModelFiles are the models on this machine; nil means that the home keeps none.
	ModelFiles ModelFiles
	Upkeep     // nil means that there is nothing to look after
}

// Stores are the ports of a home. Those that its commands never ask may be nil.
type Stores struct {
	Blobs      wstk.BlobStore
	Snapshots  wstk.SnapshotStore
	Pages      wstk.PageStore
	SiteStore  wstk.SiteStore
	Runs       wstk.RunStore
	Locks      wstk.Locker
	Frontier   wstk.Frontier
	Hosts      wstk.HostStore
	Summaries  wstk.SummaryStore
	SearchRows wstk.SearchRowStore
	Templates  wstk.TemplateStore
	Index      wstk.Index
	IndexLag   time.Duration // how long after a write Index shows it; 0 means at once
	Queue      wstk.Queue

	// Scratch holds what the tasks of a state machine hand on. It may be lost when its run
	// has ended.
	Scratch wstk.BlobStore

	// Embedder compares texts by their meaning, and Embeddings keeps the vectors of sentences;
	// nil where there is no model.
	Embedder   wstk.Embedder
	Embeddings wstk.EmbeddingStore

	// Cache keeps copies of pages and search replies, and Captures what one-page commands
	// saw, for people to look at. Both may be nil.
	Cache    wstk.Cache
	Captures wstk.CaptureStore
}

// Stages are the stages over the stores of a home.
type Stages struct {
	Crawl     *crawl.Stage
	Fetch     *fetch.Stage
	Read      *read.Stage
	Screen    *screen.Stage
	Summarize *summarize.Stage
	Indexing  *index.Stage
	Recalling *recall.Stage
	WebSearch *search.Stage
	Rewriting *search.Rewriter
	Verify    *verify.Stage
}

// Files are the files that commands write for the user. Only one machine writes any.
type Files struct {
	WriteArchive looking.WriteArchive
	SaveBundle   answering.SaveBundle
}

// Upkeep is how a home looks after its stores.
type Upkeep interface {
	// Recover takes up runs whose process died: it continues crawls and ends all others. A
	// server calls it when it starts.
	Recover(ctx context.Context) error

	// CheckStore looks over the records and returns what is wrong with them, a sentence each.
	CheckStore(ctx context.Context) ([]string, error)

	// CanWrite returns an error if the stores take nothing new.
	CanWrite(ctx context.Context) error

	// Close releases what the home opened.
	Close() error
}

// NoUpkeep is the upkeep of a home whose services look after themselves: the sweep takes up
// what died.
type NoUpkeep struct{}

// Recover does nothing.
func (NoUpkeep) Recover(context.Context) error { return nil }

// CheckStore finds nothing.
func (NoUpkeep) CheckStore(context.Context) ([]string, error) { return nil, nil }

// CanWrite returns nil.
func (NoUpkeep) CanWrite(context.Context) error { return nil }

// Close does nothing.
func (NoUpkeep) Close() error { return nil }

// complete fills in the parts that a home may leave out.
func (h *Home) complete() {
	if h.Metrics == nil {
		h.Metrics = &metrics.Registry{}
	}
	if h.Outbox == nil {
		h.Outbox = answering.NoOutbox{}
	}
	if h.Browser == nil {
		h.Browser = reading.NoBrowser{}
	}
	if h.ModelFiles == nil {
		h.ModelFiles = NoModelFiles{}
	}
	if h.Models == nil {
		h.Models = func(wstk.Operation) wstk.Model { return nil }
	}
	if h.Upkeep == nil {
		h.Upkeep = NoUpkeep{}
	}
}
