// Package app composes the system that both homes share, and that every door asks: the rooms
// crawling, answering, looking and searching, and reading, which they share. It holds ports,
// never adapters; the composition roots local and cloud fill its Home. Begin with App, then
// open the room of the command you follow; task.go and crawling/routes.go say what runs on
// which message.
package app

import (
	"context"

	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/looking"
	"wstk/shared/app/reading"
	"wstk/shared/app/searching"
	"wstk/shared/metrics"
)

// App is the system behind every door. It may be used concurrently.
type App struct {
	Home
	Metrics metrics.Registry

	Reading   *reading.Room   // fetch, read and store a page
	Crawling  *crawling.Room  // sites
	Answering *answering.Room // questions
	Looking   *looking.Room   // single pages
	Searching *searching.Room // searches
}

// New returns the App over a home, which may go on to fill in what it brings until it calls
// Compose.
func New(h Home) *App {
	a := &App{Home: h, Reading: &reading.Room{}, Crawling: &crawling.Room{},
		Answering: &answering.Room{},
		Looking:   &looking.Room{}, Searching: &searching.Room{}}
	a.Compose()
	return a
}

// Compose hands the rooms what the home brings. A home calls it once it is complete; a port
// that is replaced later, as tests do, counts after the next call. It must not be called while
// a room works.
func (a *App) Compose() {
	a.Reading.Ports = reading.Ports{
		Config: a.Config, Log: a.Log, Now: a.Now, Metrics: &a.Metrics, Blobs: a.Blobs,
		Snapshots: a.Snapshots, Pages: a.Pages, SiteStore: a.SiteStore, Runs: a.Runs,
		Summaries: a.Summaries, Index: a.Index, Fetch: a.Fetch, Read: a.Read, Screen: a.Screen,
		Summarize: a.Summarize, Indexing: a.Indexing, Openable: a.Openable,
	}
	a.Crawling.Ports = crawling.Ports{
		Config: a.Config, Log: a.Log, Now: a.Now, Metrics: &a.Metrics, Blobs: a.Blobs,
		Snapshots: a.Snapshots, Pages: a.Pages, SiteStore: a.SiteStore, Runs: a.Runs,
		Locks: a.Locks, Frontier: a.Frontier, Summaries: a.Summaries, Index: a.Index,
		Queue: a.Queue, Crawl: a.Crawl, Fetch: a.Fetch, Summarize: a.Summarize, Verify: a.Verify,
		Reading: a.Reading, Answers: a.Answering, StepsToOpen: a.StepsToOpen,
		QueueDepths: a.QueueDepths, Dispatch: a.Dispatch, Worker: a.Worker,
		ForgetURLs: a.ForgetURLs,
	}
	a.Answering.Ports = answering.Ports{
		Config: a.Config, Log: a.Log, Now: a.Now, Metrics: &a.Metrics, Blobs: a.Blobs,
		Snapshots: a.Snapshots, Pages: a.Pages, Runs: a.Runs, SearchRows: a.SearchRows,
		Workflows: a.Workflows, Scratch: a.Scratch, Fetch: a.Fetch, Read: a.Read,
		Recalling: a.Recalling, Verify: a.Verify, Reading: a.Reading, RunNow: a.RunNow,
		EndsLate: a.EndsLate,
		Deliver:  a.Deliver, SaveBundle: a.SaveBundle,
	}
	a.Looking.Ports = looking.Ports{
		Config: a.Config, Log: a.Log, Now: a.Now, Blobs: a.Blobs, Pages: a.Pages, Cache: a.Cache,
		Captures: a.Captures, Fetch: a.Fetch, Read: a.Read, Screen: a.Screen, Verify: a.Verify,
		Reading: a.Reading, WriteArchive: a.WriteArchive,
	}
	a.Searching.Ports = searching.Ports{
		Config: a.Config, Log: a.Log, Now: a.Now, Metrics: &a.Metrics, Runs: a.Runs,
		SearchRows: a.SearchRows, Screen: a.Screen, WebSearch: a.WebSearch,
		Rewriting: a.Rewriting, Reading: a.Reading,
		Extract: func(
			ctx context.Context, req reading.ExtractRequest,
		) (reading.ExtractResult, error) {
			return a.Looking.ExtractPage(ctx, req)
		},
		FindBrowser: a.FindBrowser,
	}
}

// Close releases what the composition root opened.
func (a *App) Close() error {
	if a.CloseAll == nil {
		return nil
	}
	return a.CloseAll()
}
