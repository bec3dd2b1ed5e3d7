package answering

import (
	"context"

	"wstk/shared/wstk"
)

// Event is something that an extraction has to say while it runs.
type Event struct {
	ID   int    // its place, from 1: the same whenever and wherever the run is asked
	Kind string // one of EventKinds
	Data any    // as JSON
}

// eventKind is the place of a kind in EventKinds.
type eventKind int

const (
	bucketKind eventKind = iota
	gapKind
	conflictKind
	progressKind
	passagesKind
	doneKind
	numKinds
)

// EventKinds are the names of all kinds of events.
var EventKinds = [numKinds]string{bucketKind: "bucket", gapKind: "gap", conflictKind: "conflict",
	progressKind: "progress", passagesKind: "passages", doneKind: "done"}

// What the events say; n is the place of the bucket, from 0.
type (
	bucketEvent struct {
		N          int              `json:"n"`
		Extraction *wstk.Extraction `json:"extraction"`
	}
	gapEvent struct {
		N   int      `json:"n"`
		Gap wstk.Gap `json:"gap"`
	}
	conflictEvent struct {
		N        int                `json:"n"`
		Conflict wstk.TopicConflict `json:"conflict"`
	}
	progressEvent struct {
		Done int  `json:"done"` // buckets that were told
		Of   *int `json:"of"`   // buckets there are; null when it was not noted
	}
	passagesEvent struct {
		Passages []wstk.Passage `json:"passages"` // the nearest ones, which are not an answer
	}
	doneEvent struct {
		Run wstk.Run `json:"run"`
	}
)

// ExtractionEvents follows one extraction. Its events are made of the parts of the run in
// the order of their numbers alone, so that any process goes on where another stopped:
// while the run lasts, of those before the first that is missing; when it has ended, of
// all. It is not safe for concurrent use.
type ExtractionEvents struct {
	app   *Room
	run   wstk.RunID
	after int // events up to this place are known
	place int // of the last event that was made
	told  int // parts that events were made of
	ended bool
}

// Events follows the extraction with this id, from behind the event at the place after;
// 0 begins at the beginning. A run that is no extraction is NotFound.
func (a *Room) Events(ctx context.Context, id wstk.RunID, after int) (*ExtractionEvents, error) {
	run, err := a.Reading.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	if run.Kind != wstk.RunExtraction {
		return nil, notExtraction(run)
	}
	return &ExtractionEvents{app: a, run: id, after: after}, nil
}

func notExtraction(run wstk.Run) error {
	return wstk.Errorf(wstk.NotFound, "", "run %s is of kind %s, not an extraction",
		run.ID, run.Kind)
}

// Next asks the stores once and returns what is new; nothing, when there is nothing yet.
// The last event is done; after it there is never more.
func (e *ExtractionEvents) Next(ctx context.Context) ([]Event, error) {
	if e.ended {
		return nil, nil
	}
	run, err := e.app.Runs.Get(ctx, e.run) // before the parts: an ended run has all of them
	if err != nil {
		return nil, err
	}
	parts, err := e.app.bucketParts(ctx, e.run)
	if err != nil {
		return nil, err
	}
	var out []Event
	for i := e.told; i < len(parts); i++ {
		if parts[i].N != i && !run.State.Terminal() {
			break
		}
		p, err := wstk.GetJSON[part](ctx, e.app.Blobs, parts[i].Data)
		// what was made is told first; the next call meets the error again
		if err != nil && len(out) > 0 {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		e.told++
		out = e.part(out, parts[i].N, p)
	}
	if !run.State.Terminal() {
		return out, nil
	}
	passages, err := e.passages(ctx, run)
	if err != nil && len(out) > 0 {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	if len(passages) > 0 {
		out = e.add(out, passagesKind, passagesEvent{passages})
	}
	e.ended = true
	return e.add(out, doneKind, doneEvent{run}), nil
}

// passages returns what stands in for an answer that a run which has ended does not have.
func (e *ExtractionEvents) passages(ctx context.Context, run wstk.Run) ([]wstk.Passage, error) {
	if run.Result == "" {
		return nil, nil
	}
	r, err := wstk.GetJSON[reply](ctx, e.app.Blobs, run.Result)
	return r.Passages, err
}

// Ended reports whether the event done was made: there is no more to come.
func (e *ExtractionEvents) Ended() bool { return e.ended }

func (e *ExtractionEvents) part(out []Event, n int, p part) []Event {
	gaps := p.Gaps
	if x := p.Extraction; x != nil {
		out = e.add(out, bucketKind, bucketEvent{n, x})
		for _, c := range x.Conflicts {
			out = e.add(out, conflictKind, conflictEvent{n, c})
		}
		gaps = x.Gaps
	}
	for _, g := range gaps {
		out = e.add(out, gapKind, gapEvent{n, g})
	}
	progress := progressEvent{Done: e.told}
	if p.Of > 0 {
		progress.Of = &p.Of
	}
	return e.add(out, progressKind, progress)
}

// add takes up an event that is not known yet.
func (e *ExtractionEvents) add(out []Event, kind eventKind, data any) []Event {
	e.place++
	if e.place <= e.after {
		return out
	}
	return append(out, Event{e.place, EventKinds[kind], data})
}
