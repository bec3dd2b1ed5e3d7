// Package looking looks at single pages: it fetches, renders or extracts one (page.go), with a
// cache and a folder of evidence (visit.go, evidence.go), and reads what is stored of one.
// Begin with page.go.
package looking

import (
	"context"

	"wstk/shared/app/reading"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Room is the work on single pages behind every door. It may be used concurrently.
type Room struct {
	Ports
}

// Ports are what the room needs of its home.
type Ports struct {
	reading.Base
	Blobs    wstk.BlobStore
	Pages    wstk.PageStore
	Captures wstk.CaptureStore
	Fetch    *fetch.Stage
	Read     *read.Stage
	Screen   *screen.Stage
	Verify   *verify.Stage
	Reading  *reading.Room

	// Cache keeps copies of pages, and Captures what one-page commands saw. Both may be nil.
	Cache wstk.Cache

	// Access says how pages may be asked for that the user of this machine named. nil means as
	// every reader may: in homes that store what they read, and in those that answer others.
	Access wstk.Access

	WriteArchive WriteArchive
}

// WriteArchive writes captures, loaded one by one, as a WARC file, and returns how many
// records it has.
type WriteArchive func(ctx context.Context, path, tool string, captures []wstk.Capture,
	load func(context.Context, wstk.Capture) (wstk.Capture, error)) (int, error)
