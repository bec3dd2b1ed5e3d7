// Package reading is what crawls, questions and one-page commands share: it fetches, reads and
// screens a page, stores what it learned (take.go), makes a single page askable (ensure.go),
// finds the site a page belongs to (sites.go), and reads what is stored (stored.go). The other
// rooms of shared/app import it, and it imports none of them. Begin with take.go.
package reading

import (
	"log/slog"
	"time"

	"wstk/shared/config"
	"wstk/shared/metrics"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/index"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
)

// Readiness knows what the models of a home lack. Its methods ask no model; their error is
// Unprocessable.
type Readiness interface {
	ModelsReady(ops ...wstk.Operation) error // of language models, by operation
	MeaningReady() error                     // of the embedder and the reranker
}

// Room is the work on pages behind every door. It may be used concurrently.
type Room struct {
	Ports

	documents documents
}

// Base is what every room needs: settings, a log, a clock, and counters.
type Base struct {
	Config  config.Config
	Log     *slog.Logger
	Now     func() time.Time
	Metrics *metrics.Registry
}

// Addresses says which addresses of a private network can be opened.
type Addresses interface {
	// Openable reports whether only the setting allow_private opens a host, as far as its name
	// says.
	Openable(host string) bool

	// StepsToOpen returns what the user may do to open a host whose address was refused.
	StepsToOpen(host string) []wstk.Step
}

// Ports are what the room needs of its home.
type Ports struct {
	Base
	Blobs     wstk.BlobStore
	Snapshots wstk.SnapshotStore
	Pages     wstk.PageStore
	SiteStore wstk.SiteStore
	Runs      wstk.RunStore
	Summaries wstk.SummaryStore
	Index     wstk.Index
	Fetch     *fetch.Stage
	Read      *read.Stage
	Screen    *screen.Stage
	Summarize *summarize.Stage
	Indexing  *index.Stage
	IndexLag  time.Duration // how long after a write the index shows it
	Addresses Addresses
}
