package answering

import (
	"context"

	"wstk/shared/wstk"
)

// Event is something that an extraction or an answer has to say while it runs.
type Event struct {
	ID   int    // its place, from 1: the same whenever and wherever the run is asked
	Kind string // one of EventKinds, or TurnKind
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

// TurnKind is the name of an event that only an answer about a page has.
const TurnKind = "turn"

// EventKinds are the names of all kinds of events of an extraction.
var EventKinds = [numKinds]string{bucketKind: "bucket", gapKind: "gap", conflictKind: "conflict",
	progressKind: "progress", passagesKind: "passages", doneKind: "done"}

// What the events say; N is the place of the bucket, from 0. That of kind progress is a
// Progress, that of TurnKind a wstk.Turn.
type (
	// BucketEvent is an extraction that is done.
	BucketEvent struct {
		N          int              `json:"n"`
		Extraction *wstk.Extraction `json:"extraction"`
	}
	// GapEvent is something that a bucket lacks.
	GapEvent struct {
		N   int      `json:"n"`
		Gap wstk.Gap `json:"gap"`
	}
	// ConflictEvent is a topic on which the sources of a bucket disagree.
	ConflictEvent struct {
		N        int                `json:"n"`
		Conflict wstk.TopicConflict `json:"conflict"`
	}
	// PassagesEvent is the nearest passages, which are not an answer.
	PassagesEvent struct {
		Passages []wstk.Passage `json:"passages"`
	}
	// DoneEvent is the last: the run as it ended.
	DoneEvent struct {
		Run wstk.Run `json:"run"`
	}
)

// ExtractionEvents follows one extraction or answer. Its events are made of the parts of the run in
// the order of their numbers alone, so that any process goes on where another stopped:
// while the run lasts, of those before the first that is missing; when it has ended, of
// all. It is not safe for concurrent use.
type ExtractionEvents struct {
	app   *Room
	run   wstk.RunID
	after int // events up to this place are known
	place int // of the last event that was made
	told  int // buckets that events were made of
	ended bool

	began    bool     // the first event was made
	marked   int      // marks that events were made of
	progress Progress // as it was told last
}

// Events follows the extraction with this id, from behind the event at the place after;
// 0 begins at the beginning. A run that is no extraction is NotFound.
func (a *Room) Events(ctx context.Context, id wstk.RunID, after int) (*ExtractionEvents, error) {
	return a.eventsOf(ctx, id, wstk.RunExtraction, after)
}

// AnswerEvents is Events for an answer about a page, which has events of TurnKind, too. A run that
// is no answer is NotFound.
func (a *Room) AnswerEvents(
	ctx context.Context, id wstk.RunID, after int,
) (*ExtractionEvents, error) {
	return a.eventsOf(ctx, id, wstk.RunAnswer, after)
}

func (a *Room) eventsOf(
	ctx context.Context, id wstk.RunID, kind wstk.RunKind, after int,
) (*ExtractionEvents, error) {
	run, err := a.Reading.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := isOf(run, kind); err != nil {
		return nil, err
	}
	return &ExtractionEvents{app: a, run: id, after: after}, nil
}

// isOf returns an error for a run of another kind.
func isOf(run wstk.Run, kind wstk.RunKind) error {
	if run.Kind == kind {
		return nil
	}
	return wstk.Errorf(wstk.NotFound, "", "run %s is of kind %s, not an %s", run.ID, run.Kind, kind)
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
	buckets, marks, err := e.app.told(ctx, e.run)
	if err != nil {
		return nil, err
	}
	out, err := e.begin(ctx, nil, run)
	if err != nil {
		return nil, err
	}
	open := func(i, n int) bool { return i != n && !run.State.Terminal() } // one before is missing
	for i := e.marked; i < len(marks) && !open(i, marks[i].N-firstMark); i++ {
		m, err := e.get(ctx, marks[i])
		// what was made is told first; the next call meets the error again
		if err != nil {
			return behind(out, err)
		}
		e.marked++
		if m.Turn != nil {
			out = e.named(out, TurnKind, m.Turn.Turn)
		}
		e.progress = *m.Progress
		out = e.add(out, progressKind, e.progress)
	}
	for i := e.told; i < len(buckets) && !open(i, buckets[i].N); i++ {
		p, err := e.get(ctx, buckets[i])
		if err != nil {
			return behind(out, err)
		}
		e.told++
		out = e.part(out, buckets[i].N, p)
	}
	if !run.State.Terminal() {
		return out, nil
	}
	passages, err := e.passages(ctx, run)
	if err != nil {
		return behind(out, err)
	}
	if len(passages) > 0 {
		out = e.add(out, passagesKind, PassagesEvent{passages})
	}
	e.ended = true
	return e.add(out, doneKind, DoneEvent{run}), nil
}

// begin tells that the run has begun, which needs no task of it. A run without a request is of a
// test.
func (e *ExtractionEvents) begin(
	ctx context.Context, out []Event, run wstk.Run,
) ([]Event, error) {
	if e.began || run.Request == "" {
		return out, nil
	}
	q, err := wstk.GetJSON[Request](ctx, e.app.Blobs, run.Request)
	if err != nil {
		return nil, err
	}
	e.began, e.progress = true, begun(q)
	return e.add(out, progressKind, e.progress), nil
}

// get returns what stands behind a part of the run.
func (e *ExtractionEvents) get(ctx context.Context, p wstk.Part) (part, error) {
	got, err := wstk.GetJSON[part](ctx, e.app.Blobs, p.Data)
	if err == nil && p.N >= firstMark && got.Progress == nil {
		err = wstk.Errorf(wstk.Internal, "reading run", "part %d has no progress", p.N)
	}
	return got, err
}

// behind returns the events that came before an error, or the error if there are none.
func behind(out []Event, err error) ([]Event, error) {
	if len(out) > 0 {
		return out, nil
	}
	return nil, err
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
		out = e.add(out, bucketKind, BucketEvent{n, x})
		for _, c := range x.Conflicts {
			out = e.add(out, conflictKind, ConflictEvent{n, c})
		}
		gaps = x.Gaps
	}
	for _, g := range gaps {
		out = e.add(out, gapKind, GapEvent{n, g})
	}
	e.progress.Stage = StageExtract
	if e.progress.Done = e.told; p.Of > 0 {
		e.progress.Of = &p.Of
	}
	return e.add(out, progressKind, e.progress)
}

// add takes up an event that is not known yet.
func (e *ExtractionEvents) add(out []Event, kind eventKind, data any) []Event {
	return e.named(out, EventKinds[kind], data)
}

// named is add for a kind by its name.
func (e *ExtractionEvents) named(out []Event, kind string, data any) []Event {
	e.place++
	if e.place <= e.after {
		return out
	}
	return append(out, Event{e.place, kind, data})
}
