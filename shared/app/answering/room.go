// Package answering answers questions from stored pages, with proof: the tasks of the state
// machine "extract" (extraction.go), what a door may ask of its runs (query.go, events.go,
// removal.go), and the check of saved results (proof.go). Begin with extraction.go.
package answering

import (
	"context"
	"encoding/json"

	"wstk/shared/app/reading"
	"wstk/shared/prompt"
	"wstk/shared/stage/extract"
	"wstk/shared/stage/extract/prompted"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/read"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Room is the work on questions behind every door. It may be used concurrently.
type Room struct {
	Ports

	pages pages[wstk.Hash] // by the hash of the Document
	turns turns            // of tasks that compute
}

// Ports are what the room needs of its home.
type Ports struct {
	reading.Base
	Blobs      wstk.BlobStore
	Snapshots  wstk.SnapshotStore
	Pages      wstk.PageStore
	Runs       wstk.RunStore
	SearchRows wstk.SearchRowStore
	Fetch      *fetch.Stage
	Read       *read.Stage
	Recalling  *recall.Stage
	Verify     *verify.Stage
	Reading    *reading.Room
	Meaning    extract.Meaning // how candidates are compared; by words alone without a model

	// Models are the language models that propose answers, by operation; nil means that rules
	// do. Prompts are the operator's in place of ours; nil means ours.
	Models      wstk.Models
	Prompts     prompt.Custom
	ModelLimits prompted.Limits

	Machines Machines
	Outbox   Outbox

	Ready      reading.Readiness // of the models that the room asks
	SaveBundle SaveBundle

	// Scratch holds what the tasks of a state machine hand on; it may be lost when its run
	// has ended.
	Scratch wstk.BlobStore
}

// Machines run the state machines that answer questions. They are a wstk.Workflows; where
// functions run them, they are Elsewhere.
type Machines interface {
	wstk.Workflows

	// Run runs a machine and waits for its end.
	Run(ctx context.Context, machine string, run wstk.RunID, input json.RawMessage) error

	// EndsLate reports whether this process may end an extraction whose time is over at once.
	// Else the last task of its state machine does.
	EndsLate() bool
}

// Elsewhere is state machines that another service runs, which calls the tasks.
type Elsewhere struct{ wstk.Workflows }

// Run refuses: no process waits for a machine of another service.
func (Elsewhere) Run(context.Context, string, wstk.RunID, json.RawMessage) error {
	return wstk.Errorf(wstk.Internal, "",
		"questions are answered in the background here; start an extraction, then read its run")
}

// EndsLate returns false: not every function may end a run.
func (Elsewhere) EndsLate() bool { return false }

// Outbox is where the senders of uploads look for results.
type Outbox interface {
	// Deliver stores the result of an upload under its name.
	Deliver(ctx context.Context, name string, data []byte) error
}

// NoOutbox is the outbox of a home where nothing is uploaded.
type NoOutbox struct{}

// Deliver drops the result.
func (NoOutbox) Deliver(context.Context, string, []byte) error { return nil }

// SaveBundle writes a proof bundle: a result, the blobs it names, the structures of its
// pages, and the fetches they came by.
type SaveBundle func(ctx context.Context, path string, result []byte, blobs wstk.BlobStore,
	hashes, documents []wstk.Hash, fetches []wstk.Snapshot) error
