package crawl

import (
	"context"
	"fmt"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// slot takes a slot that was kept for this run and has not passed, or the host's
// next one.
func (r *releasing) slot(
	ctx context.Context, host string, h *hostPlan, now time.Time,
) (slot wstk.Slot, err error) {
	for len(h.pace.Kept) > 0 {
		mine := false
		err := r.changeNote(ctx, r.run.ID, paceKey(host), func(old string) (string, error) {
			h.pace = readPace(old)
			if mine = len(h.pace.Kept) > 0; mine {
				slot, h.pace.Kept, h.pace.Full = h.pace.Kept[0], h.pace.Kept[1:], time.Time{}
			}
			return h.pace.String(), nil
		})
		// Many may have passed: used all at once they would be a burst of requests.
		if err != nil || mine && !slot.At.Before(now) {
			return slot, err
		}
	}
	// A millisecond between slots at least, so that the record shows the order in
	// which a host was asked (see Resume).
	return r.Hosts.Reserve(ctx, host, now, max(h.gap, time.Millisecond))
}

// keepSlot keeps a slot that is further ahead than a queue can delay until its time is near:
// a new one would be still further. One beyond any queue of ours is after a pause that the
// host asked for, perhaps in another run.
func (r *releasing) keepSlot(
	ctx context.Context, host string, h *hostPlan, slot wstk.Slot, now time.Time,
) error {
	full, until := slot.At.Add(-maxAhead/2).UTC().Round(0), time.Time{}
	if slot.At.Sub(now) > maxQueue+2*h.gap {
		until = slot.At.UTC().Round(0)
	}
	r.out.Again = earlier(r.out.Again, full)
	return r.changeNote(ctx, r.run.ID, paceKey(host), func(old string) (string, error) {
		h.pace = readPace(old)
		h.pace.keep(slot)
		h.pace.Full, h.pace.Until = full, until
		return h.pace.String(), nil
	})
}

// noteWait notes that a host cannot be asked before until.
func (s *Stage) noteWait(ctx context.Context, run wstk.RunID, host string, until time.Time) error {
	return s.changeNote(ctx, run, paceKey(host), func(old string) (string, error) {
		p := readPace(old)
		if until.After(p.Until) {
			p.Until = until.UTC().Round(0)
		}
		return p.String(), nil
	})
}

// refusal returns an outcome and a reason if a host must not be asked any more in this run,
// and OutcomeOpen otherwise.
func (h *hostPlan) refusal(l Limits, now time.Time) (wstk.Outcome, string) {
	switch {
	case h.pace.Failures >= l.Failures && h.pace.Blocked:
		return wstk.OutcomeBlocked,
			fmt.Sprintf("the host answered %d requests in a row with 429 or 503", h.pace.Failures)
	case h.pace.Failures >= l.Failures:
		return wstk.OutcomeFailed,
			fmt.Sprintf("the host did not answer %d requests in a row", h.pace.Failures)
	case h.pace.Until.After(now.Add(maxAhead)):
		return wstk.OutcomeBlocked, "the host asks for no requests until " + h.pace.Until.UTC().
			Format(time.RFC3339)
	}
	return wstk.OutcomeOpen, ""
}

// Paused returns the host of a run with the longest pause that it asked for, and when the
// pause ends, or "" if no host asked for one. It looks at the root's host and at those of
// URLs that wait.
func (s *Stage) Paused(
	ctx context.Context, run wstk.RunID, root string,
) (host string, until time.Time, err error) {
	waiting, err := s.Frontier.Waiting(ctx, run, pausesLooked, 1)
	if err != nil {
		return "", until, err
	}
	names := []string{root}
	for _, u := range waiting {
		names = append(names, u.URL)
	}
	now := s.now()
	for _, name := range names {
		p, err := s.paceOf(ctx, run, text.HostKey(name))
		if err != nil {
			return "", until, err
		}
		if p.Until.After(now) && p.Until.After(until) {
			host, until = text.HostOf(name), p.Until
		}
	}
	return host, until, nil
}

// pausesLooked is how many hosts Paused looks at.
const pausesLooked = 20

// Start counts the attempt of a task: a worker has the host's turn and begins to ask. An
// outdated task counts nothing.
func (s *Stage) Start(ctx context.Context, task wstk.FetchTask) error {
	_, err := s.Frontier.Start(ctx, task.Run, task.URL, task.Slot)
	return err
}

// Requeue gives a task whose host was busy a new slot, not before the given time,
// and returns the task to send instead; no attempt is counted. It reports false if there is
// nothing to send: the task is outdated, or the time is further ahead than any URL is kept
// waiting. In the second case the URL waits again, and Release decides about it.
func (s *Stage) Requeue(
	ctx context.Context, task wstk.FetchTask, notBefore time.Time,
) (wstk.FetchTask, bool, error) {
	at := s.now()
	if notBefore.After(at.Add(maxAhead)) {
		_, err := s.Frontier.Postpone(ctx, task.Run, task.URL, task.Slot, at)
		return task, false, err
	}
	if notBefore.After(at) {
		at = notBefore
	}
	slot, err := s.Hosts.Reserve(ctx, text.HostKey(task.URL), at, max(task.Gap, time.Millisecond))
	if err != nil {
		return task, false, err
	}
	ok, err := s.Frontier.Requeue(ctx, task.Run, task.URL, task.Slot, slot, false)
	task.Slot, task.NotBefore = slot.Token, slot.At
	return task, ok, err
}
