package crawling

import (
	"context"
	"encoding/json"
	"time"

	"golang.org/x/sync/errgroup"

	"wstk/shared/wstk"
)

// removing is the progress of a removal, as it is stored between two steps.
type removing struct {
	SiteRemoval
	Cursor string `json:"cursor,omitempty"` // how far the phase is
	// pages up to this URL are counted, whether or not they are removed yet
	Counted  string     `json:"counted,omitempty"`
	Crawl    wstk.RunID `json:"crawl,omitempty"`    // the crawl that Cursor belongs to
	Clearing bool       `json:"clearing,omitempty"` // Crawl is counted, and is being removed
	Cited    wstk.Hash  `json:"cited,omitempty"`    // JSON blob: citations
	Result   wstk.Hash  `json:"result,omitempty"`   // JSON blob: SiteRemoval
	Settled  time.Time  `json:"settled,omitzero"`   // when everything was hidden
	// JSON blob: removalResult of an earlier removal, or of this one, that left something
	Before wstk.Hash     `json:"before,omitempty"`
	Worked time.Duration `json:"worked_ns,omitempty"`
	// Before belongs to this removal: its pages were counted as kept
	Again bool `json:"again,omitempty"`
}

// removal is the work on one removal in one step.
type removal struct {
	room *Room
	run  wstk.Run
	note string // as it was read
	removing
}

// removalStep does a batch of the phase that a removal is in, and notes how far it is.
// done is true when the run has ended; again is how long to wait before the next step.
// Doing a step twice is the same as once.
func (c *Room) removalStep(
	ctx context.Context, run wstk.Run,
) (done bool, again time.Duration, err error) {
	if run, err = c.Runs.Get(ctx, run.ID); err != nil || run.State.Terminal() {
		return err == nil, 0, err
	}
	w := &removal{room: c, run: run}
	if w.note, err = c.Frontier.Note(ctx, run.ID, removalNote); err != nil {
		return false, 0, err
	}
	if w.removing, err = c.readRemoving(ctx, run, w.note); err != nil {
		return false, 0, err
	}
	if err := w.widen(ctx); err != nil {
		return false, 0, err
	}
	c.Reading.Touch(ctx, run)
	began := time.Now()
	over, err := w.work(ctx)
	w.Worked += time.Since(began)
	switch {
	case err != nil:
		return false, 0, err
	case w.Phase == RemovalDone:
		return true, 0, nil
	case w.Phase == RemovalWait && !over:
		return false, removalRest, nil
	case over:
		w.Phase, w.Cursor, w.Counted = w.after(), "", ""
	}
	return false, 0, w.save(ctx)
}

// removalPhases are the phases of a removal in their order, each with a batch of its work,
// which reports whether the phase is over.
var removalPhases = []struct {
	phase RemovalPhase
	work  func(*removal, context.Context) (over bool, err error)
}{
	{RemovalHide, (*removal).hide},
	{RemovalWait, (*removal).quiet},
	{RemovalCite, (*removal).cite},
	{RemovalRuns, (*removal).removeAnswers},
	{RemovalLeft, (*removal).removeLeft},
	{RemovalPages, (*removal).removePages},
	{RemovalCrawls, (*removal).removeCrawls},
	{RemovalSite, func(w *removal, ctx context.Context) (bool, error) {
		return true, w.removeRobots(ctx)
	}},
	{RemovalDone, func(w *removal, ctx context.Context) (bool, error) {
		return true, w.end(ctx)
	}},
}

// place returns the index of the phase in removalPhases, or -1.
func (w *removal) place() int {
	for i, p := range removalPhases {
		if p.phase == w.Phase {
			return i
		}
	}
	return -1
}

// work does a batch of the phase, and reports whether the phase is over.
func (w *removal) work(ctx context.Context) (over bool, err error) {
	if i := w.place(); i >= 0 {
		return removalPhases[i].work(w, ctx)
	}
	return false, wstk.Errorf(wstk.Internal, "", "a removal has no phase %q", w.Phase)
}

// widen makes the removal include the answers if that was asked for after it had begun. Before
// it is decided what stays, this changes the decision; later, what stayed is removed at the end.
func (w *removal) widen(ctx context.Context) error {
	if w.WithRuns {
		return nil
	}
	asked, err := w.room.Frontier.Note(ctx, w.run.ID, widerNote)
	if err != nil || asked == "" {
		return err
	}
	switch w.Phase {
	case RemovalHide, RemovalWait, RemovalCite:
		w.WithRuns = true
	case RemovalDone:
		w.WithRuns, w.Phase, w.Before, w.Again = true, RemovalRuns, w.Result, true
	}
	return nil
}

// after returns the phase that follows.
func (w *removal) after() RemovalPhase {
	next := removalPhases[w.place()+1].phase
	if next == RemovalRuns && !w.WithRuns {
		return RemovalLeft
	}
	return next
}

func (w *removal) save(ctx context.Context) error {
	data, err := json.Marshal(w.removing)
	if err != nil {
		return wstk.Wrap(wstk.Internal, "noting how far a removal is", err)
	}
	mine, err := w.room.Frontier.SetNote(ctx, w.run.ID, removalNote, w.note, string(data))
	if err == nil && !mine {
		err = wstk.Errorf(wstk.Conflict, "", "another process works on the removal %s", w.run.ID)
	}
	w.note = string(data)
	return err
}

// each does something with each item, a few at once.
func each[T any](ctx context.Context, items []T, do func(context.Context, T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(removalAtOn)
	for _, v := range items {
		g.Go(func() error { return do(ctx, v) })
	}
	return g.Wait()
}

// count adds what a batch that ends with last removed, except for what was counted before, and
// stores the sum.
func (w *removal) count(ctx context.Context, b *taken, last string) error {
	counted := w.Counted
	if last <= counted {
		return nil
	}
	for url, t := range b.by {
		if url <= counted {
			continue
		}
		w.Snapshots += len(t.rows)
		w.Evidence += t.evidence
		if t.left {
			w.countLeft(t)
		}
		switch {
		case !t.page:
		case t.kept:
			w.PagesKept++
		default:
			w.PagesRemoved++
		}
	}
	for _, url := range b.blobs {
		if url > counted {
			w.Blobs++
		}
	}
	w.Counted = last
	return w.save(ctx)
}

// countLeft counts a page of which an earlier removal left something, as a page of this removal.
// If this removal left it, the page is counted as kept no more.
func (w *removal) countLeft(t *takenPage) {
	switch {
	case !w.Again && t.kept:
		w.Pages++
		w.PagesKept++
	case !w.Again:
		w.Pages++
		w.PagesRemoved++
	case !t.kept:
		w.PagesKept--
		w.PagesRemoved++
	}
}
