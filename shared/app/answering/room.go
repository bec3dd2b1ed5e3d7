// Package answering answers questions from stored pages, with proof: the tasks of the state
// machine "extract" (extraction.go), what a door may ask of its runs (query.go, events.go,
// removal.go), and the check of saved results (proof.go). Begin with extraction.go.
package answering

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/metrics"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/read"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Room is the work on questions behind every door. It may be used concurrently.
type Room struct {
	Ports

	settings pageSettings[wstk.Hash] // by the hash of the Document
}

// Ports are what the room needs of its home.
type Ports struct {
	Config     config.Config
	Log        *slog.Logger
	Now        func() time.Time
	Metrics    *metrics.Registry
	Blobs      wstk.BlobStore
	Snapshots  wstk.SnapshotStore
	Pages      wstk.PageStore
	Runs       wstk.RunStore
	SearchRows wstk.SearchRowStore
	Workflows  wstk.Workflows
	Fetch      *fetch.Stage
	Read       *read.Stage
	Recalling  *recall.Stage
	Verify     *verify.Stage
	Reading    *reading.Room

	// Scratch holds what the tasks of a state machine hand on; it may be lost when its run
	// has ended.
	Scratch wstk.BlobStore

	// EndsLate is set where this process may end an extraction whose time is over at once; else
	// the last task of its state machine does.
	EndsLate bool

	// RunNow runs a state machine and waits for its end; nil where it runs elsewhere.
	RunNow func(ctx context.Context, machine string, run wstk.RunID, input json.RawMessage) error

	// Deliver puts the result of an upload where its sender looks for it; nil where
	// nothing is uploaded.
	Deliver func(ctx context.Context, name string, data []byte) error

	// SaveBundle writes a proof bundle: a result, the blobs it names, the structures of
	// its pages, and the fetches they came by.
	SaveBundle func(ctx context.Context, path string, result []byte, blobs wstk.BlobStore, hashes,
		documents []wstk.Hash, fetches []wstk.Snapshot) error
}
