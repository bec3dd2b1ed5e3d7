package crawl

import (
	"context"
	"fmt"
	"time"

	"wstk/shared/wstk"
)

const (
	releaseLease = 2 * time.Minute // how long a release that died keeps others out
	releaseWork  = 1_000           // URLs looked at by one call
)

// Released is what Release gives.
type Released struct {
	Next
	Tasks []wstk.FetchTask // to be sent, each not before its NotBefore

	// Again is when to call Release next if nothing else happens before: a
	// postponed URL is due, a host can be asked again, or there was more to do than
	// one call does. Zero means that there is nothing to wait for.
	Again time.Time

	Open     int  // URLs of the run that are not closed yet; at 0 call Finish
	Cancel   bool // the run shall be cancelled: nothing was released, call Abort
	Finished bool // the run has ended
}

// Release gives waiting URLs a slot of their host and returns a fetch task for each,
// as many as the bounds allow: at most Limits.Queued under way for one host and none
// more than 900 s ahead; and never more under way than the page budget has room
// for. What turns out not to be wanted is closed instead: out of scope now that
// the root is known, refused by robots.txt, a trap; of a host that does not answer
// any more, or asks for a pause of over 900 s; and once MaxPages are stored, all that
// waits (over_budget).
//
// The time between two requests of a host is the larger of the rate limit and the
// Crawl-delay (cut to 30 s, with a warning), and doubles with each 429 or 503, up to
// 60 s. A URL is queued before its task is returned: if the task is lost, a sweep
// finds the URL.
//
// Until the root, or what it redirects to, is fetched, nothing else is released:
// only then is it known what belongs to the site. URLs that a service named are released
// before it, if they are in the folder of the root. Of two calls for one run at once,
// one does the work of both; the other returns without tasks.
func (s *Stage) Release(ctx context.Context, run wstk.Run, site wstk.Site) (Released, error) {
	var out Released
	states, err := s.Frontier.States(ctx, run.ID)
	if err != nil {
		return out, err
	}
	// While much is under way there is no hurry: releasing in batches is cheaper.
	if out.Open = openOf(states); states[wstk.URLQueued] > s.limits().Queued/2 {
		return out, nil
	}
	for {
		mine, busyUntil, err := s.takeRelease(ctx, run.ID)
		if err != nil {
			return out, err
		}
		if mine == "" {
			out.Again = earlier(out.Again, busyUntil)
			return out, s.countOpen(ctx, run.ID, &out)
		}
		err = s.release(ctx, run, site, &out)
		again, unlockErr := s.leaveRelease(context.WithoutCancel(ctx), run.ID, mine)
		if err == nil {
			err = unlockErr
		}
		if err != nil || !again {
			return out, err
		}
	}
}

func (s *Stage) countOpen(ctx context.Context, run wstk.RunID, out *Released) error {
	states, err := s.Frontier.States(ctx, run)
	out.Open = openOf(states)
	return err
}

func openOf(states map[wstk.URLState]int) int {
	return states[wstk.URLWaiting] + states[wstk.URLQueued] + states[wstk.URLStored]
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// hostPlan holds what one release knows about a host.
type hostPlan struct {
	queued int // under way
	most   int // under way at most
	gap    time.Duration
	pace   pace
	full   bool
}

func (s *Stage) release(ctx context.Context, run wstk.Run, site wstk.Site, out *Released) error {
	now, on, err := s.running(ctx, run.ID)
	if err != nil {
		return err
	}
	if !on {
		out.Finished = true
		return s.closeAll(ctx, run.ID, leftover(now))
	}
	if out.Cancel = now.Cancel; out.Cancel {
		return s.countOpen(ctx, run.ID, out)
	}
	v, err := s.view(ctx, run, site)
	if err != nil {
		return err
	}
	states, err := s.Frontier.States(ctx, run.ID)
	if err != nil {
		return err
	}
	if states[wstk.URLWaiting] == 0 && states[wstk.URLStored] == 0 {
		out.Open = openOf(states)
		return nil
	}
	acc, err := s.Frontier.Accounting(ctx, run.ID)
	if err != nil {
		return err
	}
	r := releasing{Stage: s, view: v, run: run, site: site.ID, out: out,
		hosts: map[string]*hostPlan{}, notes: map[string]string{}, variants: map[string]int{},
		stored: acc.Stored()}
	r.room = v.options.MaxPages - r.stored - states[wstk.URLQueued] - states[wstk.URLStored]
	if err := r.waiting(ctx, states); err != nil {
		return err
	}
	if err := s.countOpen(ctx, run.ID, out); err != nil {
		return err
	}
	return r.decideHeld(ctx, site, states)
}

// decideHeld decides about stored pages that wait for their canonical URL, when nothing is
// on its way. They are given up if nothing is left to fetch, or no budget to fetch it with.
func (r *releasing) decideHeld(
	ctx context.Context, site wstk.Site, states map[wstk.URLState]int,
) error {
	stored := states[wstk.URLStored]
	if stored == 0 || states[wstk.URLQueued] > 0 || len(r.out.Tasks) > 0 {
		return nil
	}
	giveUp := r.out.Open == stored || r.room <= 0
	if err := r.settleHeld(ctx, r.run, site, giveUp, &r.out.Next); err != nil {
		return err
	}
	return r.countOpen(ctx, r.run.ID, r.out)
}

// releasing is one pass of Release.
type releasing struct {
	*Stage
	view     view
	run      wstk.Run
	site     wstk.SiteID
	out      *Released
	hosts    map[string]*hostPlan
	notes    map[string]string // of the trap guards, read once
	variants map[string]int    // query variants under way, by path
	stored   int
	room     int
	looked   int
}

// waiting releases what waits, or the root alone while it is not fetched.
func (r *releasing) waiting(ctx context.Context, states map[wstk.URLState]int) error {
	if states[wstk.URLQueued] > 0 {
		if err := r.countQueued(ctx); err != nil {
			return err
		}
	}
	switch {
	case states[wstk.URLWaiting] == 0:
		return nil
	case r.view.pending != "" && r.stored < r.view.options.MaxPages:
		return r.beginnings(ctx, states[wstk.URLQueued] > 0)
	}
	return r.all(ctx)
}

// beginnings releases what a service named, and after all of that the root. underWay says
// that something is being fetched.
func (r *releasing) beginnings(ctx context.Context, underWay bool) error {
	for r.looked < releaseWork {
		urls, err := r.Frontier.Waiting(ctx, r.run.ID, 4*r.limits().Queued, r.limits().Queued)
		if err != nil {
			return err
		}
		moved, left := 0, 0
		for _, u := range urls {
			in, _ := r.view.scope.Decide(u.URL)
			if !in || !u.Via.ByService() || !u.NotBefore.IsZero() {
				continue
			}
			r.looked++
			did, err := r.one(ctx, u)
			if err != nil {
				return err
			}
			if did {
				moved++
			} else {
				left++
			}
		}
		switch {
		case left > 0 && (underWay || len(r.out.Tasks) > 0):
			return nil // there is a release after each that ends
		case moved == 0:
			return r.root(ctx)
		}
	}
	r.out.Again = earlier(r.out.Again, r.now())
	return nil
}

// countQueued counts what is under way for each host.
func (r *releasing) countQueued(ctx context.Context) error {
	for cursor := ""; ; {
		urls, next, err := r.Frontier.List(ctx, r.run.ID, wstk.URLQueued, cursor, 500)
		if err != nil {
			return err
		}
		for _, u := range urls {
			h, err := r.host(ctx, u.Host)
			if err != nil {
				return err
			}
			h.queued++
			if a, ok := splitURL(u.URL); ok && a.query != "" {
				r.variants[pathOf(u.Host, a)]++
			}
		}
		if next == "" {
			return nil
		}
		cursor = next
	}
}

func (r *releasing) host(ctx context.Context, host string) (*hostPlan, error) {
	if h := r.hosts[host]; h != nil {
		return h, nil
	}
	p, err := r.paceOf(ctx, r.run.ID, host)
	if err != nil {
		return nil, err
	}
	delay, err := r.delay(ctx, r.view, host)
	if err != nil {
		return nil, err
	}
	h := &hostPlan{pace: p, gap: p.gap(delay)}
	h.most = r.limits().Queued
	if h.gap > 0 {
		h.most = min(h.most, max(1, int(maxAhead/h.gap)))
	}
	if p.Level > 0 { // few at a time, since the gap may soon change
		h.most = min(h.most, slowQueue)
	}
	r.hosts[host] = h
	return h, nil
}

// root releases the root, or what it redirects to.
func (r *releasing) root(ctx context.Context) error {
	u, err := r.Frontier.Get(ctx, r.run.ID, r.view.pending)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil // not seeded yet
	}
	if err != nil || u.State != wstk.URLWaiting {
		return err
	}
	_, err = r.one(ctx, u)
	return err
}

// all releases what there is room for, and closes what is not wanted.
func (r *releasing) all(ctx context.Context) error {
	for {
		if r.looked >= releaseWork {
			r.out.Again = earlier(r.out.Again, r.now())
			return nil
		}
		step := r.one
		if r.stored >= r.view.options.MaxPages {
			step = r.closeOver
		} else if r.room <= 0 {
			return nil
		}
		urls, err := r.Frontier.Waiting(ctx, r.run.ID, 4*r.limits().Queued, r.limits().Queued)
		if err != nil || len(urls) == 0 {
			return err
		}
		moved, err := r.each(ctx, urls, step)
		if err != nil || !moved {
			return err
		}
	}
}

// each takes a step with each URL until there is no room, and reports whether any of them
// changed its state.
func (r *releasing) each(
	ctx context.Context, urls []wstk.FrontierURL,
	step func(context.Context, wstk.FrontierURL) (bool, error),
) (moved bool, err error) {
	over := r.stored >= r.view.options.MaxPages
	for _, u := range urls {
		r.looked++
		did, err := step(ctx, u)
		if err != nil {
			return moved, err
		}
		moved = moved || did
		if !over && r.room <= 0 {
			break
		}
	}
	return moved, nil
}

// closeOver closes a URL that there is no budget for.
func (r *releasing) closeOver(ctx context.Context, u wstk.FrontierURL) (bool, error) {
	end, err := r.overBudget(ctx, u.URL)
	if err != nil {
		return false, err
	}
	return r.Frontier.Close(ctx, r.run.ID, u.URL, end)
}

// overBudget returns how a URL ends that there is no budget for. An address that a refresh
// would have asked for again, and that was not there the last time, is not a page that
// waits.
func (r *releasing) overBudget(ctx context.Context, url string) (wstk.Closing, error) {
	out := wstk.Closing{Outcome: wstk.OutcomeOverBudget,
		Reason: fmt.Sprintf("%d pages are stored, the limit", r.stored)}
	if r.run.Kind != wstk.RunRefresh {
		return out, nil
	}
	p, err := r.Pages.Get(ctx, url)
	switch {
	case wstk.CodeOf(err) == wstk.NotFound:
		return out, nil
	case err == nil && (p.Verdict == wstk.VerdictNotFound || p.Verdict == wstk.VerdictGone):
		return wstk.Closing{Outcome: p.Verdict.Outcome(),
			Reason: fmt.Sprintf("it was not there on %s, and was not asked for again: %s",
				p.CheckedAt.UTC().Format(time.DateOnly), out.Reason)}, nil
	}
	return out, err
}

// one closes a waiting URL, queues it, or leaves it for later, and reports whether
// its state changed.
func (r *releasing) one(ctx context.Context, u wstk.FrontierURL) (bool, error) {
	h, refused, err := r.admit(ctx, u)
	if err != nil {
		return false, err
	}
	if refused.Outcome != wstk.OutcomeOpen {
		return r.Frontier.Close(ctx, r.run.ID, u.URL, refused)
	}
	if r.early(u, h) {
		return false, nil
	}
	// Of one path few query variants are under way at a time, so that the guard
	// against variants that all say the same can fall before they are all fetched.
	path := ""
	if a, ok := splitURL(u.URL); ok && a.query != "" {
		if path = pathOf(u.Host, a); r.variants[path] >= r.limits().Copies {
			return false, nil
		}
	}
	reason, err := r.trapped(ctx, u, r.notes)
	if err != nil {
		return false, err
	}
	if reason != "" {
		return r.Frontier.Close(ctx, r.run.ID, u.URL,
			wstk.Closing{Outcome: wstk.OutcomeTrap, Reason: reason})
	}
	return r.queue(ctx, u, h, path)
}

// admit decides whether a URL is wanted now: by its address, and then by its host. It
// returns how the URL ends if it is not.
func (r *releasing) admit(
	ctx context.Context, u wstk.FrontierURL,
) (h *hostPlan, refused wstk.Closing, err error) {
	placed, err := r.place(ctx, r.view, u)
	if err != nil || placed.Outcome != wstk.OutcomeOpen {
		return nil, wstk.Closing{Outcome: placed.Outcome, Reason: placed.Reason}, err
	}
	if h, err = r.host(ctx, u.Host); err != nil {
		return nil, refused, err
	}
	refused.Outcome, refused.Reason = h.refusal(r.limits(), r.now())
	return h, refused, nil
}

// early reports whether a URL has to wait: for its time, for its host, or for others.
func (r *releasing) early(u wstk.FrontierURL, h *hostPlan) bool {
	now := r.now()
	switch {
	case u.NotBefore.After(now):
		r.out.Again = earlier(r.out.Again, u.NotBefore)
		return true
	case h.pace.Full.After(now):
		r.out.Again = earlier(r.out.Again, h.pace.Full)
		return true
	}
	return h.full || h.queued >= h.most || r.room <= 0
}

// queue gives a URL a slot of its host and makes its task, unless the slot is too far ahead.
// path is where the URL is a query variant of, "" if it is none.
func (r *releasing) queue(
	ctx context.Context, u wstk.FrontierURL, h *hostPlan, path string,
) (bool, error) {
	now := r.now()
	slot, err := r.slot(ctx, u.Host, h, now)
	if err != nil {
		return false, err
	}
	if slot.At.Sub(now) > maxAhead {
		return r.tooFar(ctx, u, h, slot, now)
	}
	queued, err := r.Frontier.Queue(ctx, r.run.ID, u.URL, slot)
	if err != nil || !queued {
		return false, err
	}
	h.queued++
	r.room--
	if path != "" {
		r.variants[path]++
	}
	r.out.Tasks = append(r.out.Tasks, r.view.task(r.site, u.URL, slot, h.gap))
	return true, nil
}

// tooFar keeps a slot that is too far ahead for a message. It closes the URL if its host
// asked for so long a pause, since the run should not have to wait for a sweep.
func (r *releasing) tooFar(
	ctx context.Context, u wstk.FrontierURL, h *hostPlan, slot wstk.Slot, now time.Time,
) (bool, error) {
	h.full = true
	if err := r.keepSlot(ctx, u.Host, h, slot, now); err != nil {
		return false, err
	}
	outcome, reason := h.refusal(r.limits(), now)
	if outcome == wstk.OutcomeOpen {
		return false, nil
	}
	return r.Frontier.Close(ctx, r.run.ID, u.URL, wstk.Closing{Outcome: outcome, Reason: reason})
}

// task asks for a queued URL.
func (v view) task(site wstk.SiteID, url string, slot wstk.Slot, gap time.Duration) wstk.FetchTask {
	return wstk.FetchTask{Run: v.run, Site: site, URL: url, Slot: slot.Token, NotBefore: slot.At,
		Robots: v.options.Robots, Usage: v.options.Usage, Gap: gap, Fresh: v.options.Fresh,
		UserAgent: v.options.UserAgent}
}
