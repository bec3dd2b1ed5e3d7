// Package crawling crawls sites, keeps them fresh and removes them: Ingest (ingest.go) drives one
// crawl to its end, routes.go says which queue leads to which step, and steps.go has the steps.
// Begin with routes.go.
package crawling

import (
	"context"

	"wstk/shared/app/reading"
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
	reading.Base
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
	Addresses reading.Addresses
	Browser   reading.Browser
	Backlog   Backlog
	Dispatch  Dispatcher // how crawls and removals are worked on

	Ready reading.Readiness // of the models that the room asks

	// Answers are those that the removal of a site takes along, or leaves.
	Answers Answers
}

// Backlog knows how much work waits.
type Backlog interface {
	// Depths counts the messages that wait, by queue.
	Depths(ctx context.Context) (map[string]int, error)
}
