// Package memory holds every port in the memory of this process. Tests use it
// as the stores, since it passes the same suites as the durable adapters; the
// embedded system uses its Queue, since what must survive a crash is in the
// Frontier and messages can be made again from there.
//
// Everything is copied on the way in and out: a caller that changes what it put
// or got changes nothing here.
package memory

import (
	"context"
	"encoding/json"
	"time"

	"wstk/shared/wstk"
)

// Memory is one of each store.
type Memory struct {
	Blobs      *Blobs
	Snapshots  *Snapshots
	Pages      *Pages
	Sites      *Sites
	Runs       *Runs
	Locks      *Locks
	Hosts      *Hosts
	Frontier   *Frontier
	Queue      *Queue
	Summaries  *Summaries
	Evidence   *Evidence
	Index      *Index
	SearchRows *SearchRows
	Templates  *Templates
}

// New returns empty stores on the system's clock.
func New() *Memory {
	return &Memory{
		Blobs:      NewBlobs(),
		Snapshots:  NewSnapshots(),
		Pages:      NewPages(),
		Sites:      NewSites(),
		Runs:       NewRuns(),
		Locks:      NewLocks(),
		Hosts:      NewHosts(nil),
		Frontier:   NewFrontier(),
		Queue:      NewQueue(),
		Summaries:  NewSummaries(),
		Evidence:   NewEvidence(),
		Index:      NewIndex(),
		SearchRows: NewSearchRows(),
		Templates:  NewTemplates(),
	}
}

// alive returns the context's end as an error of ours.
func alive(ctx context.Context, op string) error {
	return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
}

// encode and decode copy a noun the way a database does: what JSON leaves out is
// lost here too, so that no test leans on it.
func encode(op string, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	return data, wstk.Wrap(wstk.Internal, op, err)
}

func decode[T any](op string, data []byte) (T, error) {
	var v T
	err := json.Unmarshal(data, &v)
	return v, wstk.Wrap(wstk.Internal, op, err)
}

func clockOr(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}
