// Package crawling crawls sites, keeps them fresh and removes them: Ingest (ingest.go) drives one
// crawl to its end, routes.go says which queue leads to which step, and steps.go has the steps.
// Begin with routes.go.
package crawling

import (
	"context"
	"log/slog"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/metrics"
	"wstk/shared/stage/crawl"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/summarize"
	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Room is the work on sites behind every door. It may be used concurrently.
type Room struct {
	Ports

	heard heard
}

// Ports are what the room needs of its home.
type Ports struct {
	Config    config.Config
	Log       *slog.Logger
	Now       func() time.Time
	Metrics   *metrics.Registry
	Blobs     wstk.BlobStore
	Snapshots wstk.SnapshotStore
	Pages     wstk.PageStore
	SiteStore wstk.SiteStore
	Runs      wstk.RunStore
	Locks     wstk.Locker
	Frontier  wstk.Frontier
	Summaries wstk.SummaryStore
	Index     wstk.Index
	Queue     wstk.Queue
	Crawl     *crawl.Stage
	Fetch     *fetch.Stage
	Summarize *summarize.Stage
	Verify    *verify.Stage
	Reading   *reading.Room

	// Answers are those that the removal of a site takes along, or leaves.
	Answers Answers

	// StepsToOpen says what the user may do to open a host whose address was refused. nil
	// means that nothing is said.
	StepsToOpen func(host string) []wstk.Step

	// QueueDepths counts the messages that wait, by queue; nil where that is not known.
	QueueDepths func(ctx context.Context) (map[string]int, error)

	Worker Worker // works on crawls in this process; nil where functions do

	// Dispatch is how crawls and removals are worked on.
	Dispatch Dispatcher

	// ForgetURLs drops what the ended runs of a site keep about each URL, but for the
	// newest runs; their accounting stays. nil keeps all.
	ForgetURLs func(ctx context.Context, site wstk.SiteID, keep int) error
}
