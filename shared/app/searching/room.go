// Package searching asks search providers: one search (search.go), a run that asks all of them
// and keeps what each said (run.go), a search whose best pages are read (pipeline.go), and the
// comparison of providers by a suite (evaluate.go). Begin with search.go.
package searching

import (
	"context"

	"wstk/shared/app/reading"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/search"
	"wstk/shared/wstk"
)

// Room is the work on searches behind every door. It may be used concurrently.
type Room struct {
	Ports

	looks looks
}

// Ports are what the room needs of its home.
type Ports struct {
	reading.Base
	Runs       wstk.RunStore
	SearchRows wstk.SearchRowStore
	Screen     *screen.Stage
	WebSearch  *search.Stage
	Rewriting  *search.Rewriter
	Reading    *reading.Room
	Browser    reading.Browser

	Ready reading.Readiness // of the models that the room asks

	// Extract reads one page of the web.
	Extract func(ctx context.Context, req reading.ExtractRequest) (reading.ExtractResult, error)
}
