package crawl

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"wstk/shared/wstk"
)

// Swept is what a sweep found.
type Swept struct {
	Next
	Waiting int // URLs that were under way and wait again
	Failed  int // URLs given up
	Held    int // stored pages that wait for their canonical URL
}

// Sweep recovers what no worker finished. URLs whose state last changed before the given
// time, and whose slot began before it, go back to waiting; those that workers began 3
// times are closed as failed. A URL that no worker began has not failed, however often it
// is swept. Stored pages of that age are given out to be indexed again, up to 10 times. In
// a run that has ended, all that is open is closed. Call Release afterwards.
//
// It is for a run that other workers may be working on; before should be further back than
// any fetch can take. If all workers are known to be gone, use Resume.
func (s *Stage) Sweep(
	ctx context.Context, run wstk.Run, site wstk.Site, before time.Time,
) (Swept, error) {
	return s.SweepAges(ctx, run, site, before, before)
}

// SweepAges is Sweep with a time for what waits to be fetched, and one for stored pages.
func (s *Stage) SweepAges(
	ctx context.Context, run wstk.Run, site wstk.Site, queued, stored time.Time,
) (Swept, error) {
	return s.sweep(ctx, run, site, queued, stored, false)
}

// Resume takes up a run that no worker works on any more: the caller holds the site's lock.
// What was under way goes back to waiting at once. Slots in the future are kept for the
// run, since new ones would come after them. A URL that a worker had begun may have killed
// it and comes last; after 3 times it is closed as failed. Calling Resume again is safe.
func (s *Stage) Resume(ctx context.Context, run wstk.Run, site wstk.Site) (Swept, error) {
	if err := s.changeNote(ctx, run.ID, releaseKey,
		func(string) (string, error) { return "", nil }); err != nil {
		return Swept{}, err
	}
	all := s.now().AddDate(1, 0, 0)
	return s.sweep(ctx, run, site, all, all, true)
}

func (s *Stage) sweep(
	ctx context.Context, run wstk.Run, site wstk.Site, before, stale time.Time, alone bool,
) (Swept, error) {
	w := &sweeping{Stage: s, run: run, site: site, before: before, stale: stale, alone: alone}
	now, on, err := s.running(ctx, run.ID)
	if err != nil {
		return w.out, err
	}
	if !on {
		return w.out, s.closeAll(ctx, run.ID, leftover(now))
	}
	if err := w.queued(ctx); err != nil {
		return w.out, err
	}
	return w.out, w.stored(ctx)
}

// sweeping is one sweep in progress.
type sweeping struct {
	*Stage
	run    wstk.Run
	site   wstk.Site
	before time.Time // what is to be fetched counts if it last changed before
	stale  time.Time // the same for stored pages
	alone  bool      // no worker works on the run
	out    Swept
}

// queued takes back what was to be fetched.
func (w *sweeping) queued(ctx context.Context) error {
	queued, err := w.listAll(ctx, w.run.ID, wstk.URLQueued)
	if err != nil {
		return err
	}
	for _, urls := range byHost(queued) {
		for _, u := range urls {
			if !u.ChangedAt.Before(w.before) || !u.NotBefore.Before(w.before) {
				continue
			}
			if err := w.takeBack(ctx, u); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeBack makes a URL wait again, or gives it up.
func (w *sweeping) takeBack(ctx context.Context, u wstk.FrontierURL) error {
	if w.alone { // the worker that held the host for it is dead
		if err := w.Hosts.End(ctx, u.Host, u.Slot); err != nil {
			return err
		}
	}
	if u.Attempts >= w.limits().Attempts {
		return w.giveUp(ctx, u.URL,
			fmt.Sprintf("no worker finished it in %d attempts", u.Attempts))
	}
	ahead := w.alone && u.NotBefore.After(w.now())
	back, err := w.putBack(ctx, u, w.before, u.Attempts > 0 && !ahead)
	if err != nil || !back {
		return err
	}
	w.out.Waiting++
	if ahead {
		return w.keep(ctx, u)
	}
	return nil
}

// giveUp closes a URL as failed.
func (w *sweeping) giveUp(ctx context.Context, url, reason string) error {
	closed, err := w.close(ctx, w.run, w.site, url,
		wstk.Closing{Outcome: wstk.OutcomeFailed, Reason: reason}, &w.out.Next)
	if err == nil {
		w.out.Failed += btoi(closed)
	}
	return err
}

// stored gives stored pages out to be indexed once more.
func (w *sweeping) stored(ctx context.Context) error {
	stored, err := w.listAll(ctx, w.run.ID, wstk.URLStored)
	if err != nil {
		return err
	}
	for _, u := range stored {
		if !u.ChangedAt.Before(w.stale) {
			continue
		}
		if err := w.resend(ctx, u); err != nil {
			return err
		}
	}
	return nil
}

// resend gives a stored page out once more, or gives it up after so many times.
func (w *sweeping) resend(ctx context.Context, u wstk.FrontierURL) error {
	sent := len(w.out.Index)
	if err := w.again(ctx, w.run, w.site, u.URL, false, &w.out.Next); err != nil {
		return err
	}
	if len(w.out.Index) == sent {
		w.out.Held++
		return nil
	}
	n, err := w.countResend(ctx, u)
	if err != nil || n <= w.limits().Resends {
		return err
	}
	w.out.Index = w.out.Index[:sent]
	return w.giveUp(ctx, u.URL, fmt.Sprintf("read, but not indexed in %d attempts", n))
}

// putBack makes a URL wait again. One that may have killed its worker comes after all
// others, so that they are done before it may do so again, and so that it is not blamed for
// deaths that it did not cause.
func (s *Stage) putBack(
	ctx context.Context, u wstk.FrontierURL, before time.Time, begun bool,
) (bool, error) {
	if begun {
		return s.Frontier.Postpone(ctx, u.Run, u.URL, u.Slot, s.now())
	}
	return s.Frontier.Unqueue(ctx, u.Run, u.URL, before, false)
}

// keep keeps the slot a URL had for whatever the host is asked for next.
func (s *Stage) keep(ctx context.Context, u wstk.FrontierURL) error {
	return s.changeNote(ctx, u.Run, paceKey(u.Host), func(old string) (string, error) {
		p := readPace(old)
		p.keep(wstk.Slot{Token: u.Slot, At: u.NotBefore})
		return p.String(), nil
	})
}

// countResend counts how often a stored page was given out again.
func (s *Stage) countResend(ctx context.Context, u wstk.FrontierURL) (int, error) {
	n := 0
	err := s.changeNote(ctx, u.Run, "resent/"+short(u.URL), func(old string) (string, error) {
		n, _ = strconv.Atoi(old)
		n++
		return strconv.Itoa(n), nil
	})
	return n, err
}

// listAll lists the URLs in a state; Release bounds how many are queued or stored.
func (s *Stage) listAll(
	ctx context.Context, run wstk.RunID, state wstk.URLState,
) ([]wstk.FrontierURL, error) {
	var all []wstk.FrontierURL
	for cursor := ""; ; {
		urls, next, err := s.Frontier.List(ctx, run, state, cursor, 500)
		all = append(all, urls...)
		if err != nil || next == "" {
			return all, err
		}
		cursor = next
	}
}

// byHost groups URLs by host, each group in the order of its slots.
func byHost(urls []wstk.FrontierURL) map[string][]wstk.FrontierURL {
	m := map[string][]wstk.FrontierURL{}
	for _, u := range urls {
		m[u.Host] = append(m[u.Host], u)
	}
	for _, list := range m {
		slices.SortStableFunc(list, func(a, b wstk.FrontierURL) int {
			return a.NotBefore.Compare(b.NotBefore)
		})
	}
	return m
}
