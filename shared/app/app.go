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
	"wstk/shared/stage/extract"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
)

// App is the system behind every door. It may be used concurrently.
type App struct {
	Home

	Reading   *reading.Room   // fetch, read and store a page
	Crawling  *crawling.Room  // sites
	Answering *answering.Room // questions
	Looking   *looking.Room   // single pages
	Searching *searching.Room // searches
}

// New returns the App over a home. The home may add to it what itself needs the App, and calls
// Compose at the end.
func New(h Home) *App {
	a := &App{Home: h, Reading: &reading.Room{}, Crawling: &crawling.Room{},
		Answering: &answering.Room{}, Looking: &looking.Room{}, Searching: &searching.Room{}}
	a.Compose()
	return a
}

// Compose hands the rooms what the home brings. A home calls it once, when it is complete;
// tests that replace a port call apptest.Change. It must not be called while a room works.
func (a *App) Compose() {
	a.complete()
	if a.Crawl != nil {
		a.Crawl.IndexLag = a.IndexLag
	}
	if a.Summarize != nil {
		a.Summarize.Engine = nil // a home may take its model away again
		if m := a.Models(wstk.OpSummarize); m != nil {
			a.Summarize.Engine = summarize.ByModel{Asks: m, Prompts: a.Prompts}
		}
	}
	a.Reading.Ports = reading.Ports{
		Base: a.Base, Blobs: a.Blobs, Snapshots: a.Snapshots, Pages: a.Pages,
		SiteStore: a.SiteStore, Runs: a.Runs, Summaries: a.Summaries, Index: a.Index,
		Fetch: a.Fetch, Read: a.Read, Screen: a.Screen, Summarize: a.Summarize,
		Indexing: a.Indexing, IndexLag: a.IndexLag, Addresses: a.Addresses,
	}
	a.Crawling.Ports = crawling.Ports{
		Base: a.Base, Blobs: a.Blobs, Snapshots: a.Snapshots, Pages: a.Pages,
		SiteStore: a.SiteStore, Runs: a.Runs, Locks: a.Locks, Frontier: a.Frontier,
		Summaries: a.Summaries, Index: a.Index, Queue: a.Queue, Crawl: a.Crawl, Fetch: a.Fetch,
		Summarize: a.Summarize, Verify: a.Verify, Reading: a.Reading, Answers: a.Answering,
		Addresses: a.Addresses, Browser: a.Browser, Backlog: a.Backlog, Dispatch: a.Dispatch,
		Ready: a,
	}
	a.Answering.Ports = answering.Ports{
		Base: a.Base, Blobs: a.Blobs, Snapshots: a.Snapshots, Pages: a.Pages, Runs: a.Runs,
		SearchRows: a.SearchRows, Scratch: a.Scratch, Fetch: a.Fetch, Read: a.Read,
		Recalling: a.Recalling, Verify: a.Verify, Reading: a.Reading, Machines: a.Machines,
		Meaning: extract.Meaning{Embedder: a.Embedder, Kept: a.Embeddings},
		Models:  a.Models, Prompts: a.Prompts, ModelLimits: a.ModelLimits,
		Outbox: a.Outbox, SaveBundle: a.Files.SaveBundle, Ready: a,
	}
	a.Looking.Ports = looking.Ports{
		Base: a.Base, Blobs: a.Blobs, Pages: a.Pages, Cache: a.Cache, Captures: a.Captures,
		Fetch: a.Fetch, Read: a.Read, Screen: a.Screen, Verify: a.Verify, Reading: a.Reading,
		Access: a.Access, WriteArchive: a.Files.WriteArchive,
	}
	a.Searching.Ports = searching.Ports{
		Base: a.Base, Runs: a.Runs, SearchRows: a.SearchRows, Screen: a.Screen,
		WebSearch: a.WebSearch, Rewriting: a.Rewriting, Reading: a.Reading, Browser: a.Browser, Ready: a,
		Extract: func(
			ctx context.Context, req reading.ExtractRequest,
		) (reading.ExtractResult, error) {
			return a.Looking.ExtractPage(ctx, req)
		},
	}
}
