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

// Sweep recovers what no worker finished: URLs whose state last changed before the
// given time, and whose slot began before it, go back to waiting; those that workers
// began 3 times are closed as failed. A URL that no worker began has not failed,
// however often it is swept. Stored pages of that age are given out to be indexed again, up
// to 10 times. In a run that has ended whatever is open is closed. Call Release afterwards.
//
// It is for a run other workers may be working on; before should lie further back
// than any fetch can take. When all workers are known to be gone, use Resume.
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

// Resume takes up a run that no worker works on any more: the caller holds the
// site's lock. What was under way goes back to waiting at once; slots that lie ahead
// are kept for the run, since others would come after them. What a worker had begun may
// have killed it and comes last; begun 3 times, it is closed as failed. Calling it again
// is safe.
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
	var out Swept
	now, on, err := s.running(ctx, run.ID)
	if err != nil {
		return out, err
	}
	if !on {
		return out, s.closeAll(ctx, run.ID, leftover(now))
	}
	queued, err := s.listAll(ctx, run.ID, wstk.URLQueued)
	if err != nil {
		return out, err
	}
	for _, urls := range byHost(queued) {
		for _, u := range urls {
			if !u.ChangedAt.Before(before) || !u.NotBefore.Before(before) {
				continue
			}
			if alone { // the worker that held the host for it is dead
				if err := s.Hosts.End(ctx, u.Host, u.Slot); err != nil {
					return out, err
				}
			}
			ahead := alone && u.NotBefore.After(s.now())
			if u.Attempts >= s.limits().Attempts {
				closed, err := s.close(ctx, run, site, u.URL,
					wstk.Closing{Outcome: wstk.OutcomeFailed,
						Reason: fmt.Sprintf("no worker finished it in %d attempts", u.Attempts)},
					&out.Next)
				if err != nil {
					return out, err
				}
				out.Failed += btoi(closed)
				continue
			}
			back, err := s.putBack(ctx, u, before, u.Attempts > 0 && !ahead)
			if err != nil {
				return out, err
			}
			out.Waiting += btoi(back)
			if back && ahead {
				if err := s.keep(ctx, u); err != nil {
					return out, err
				}
			}
		}
	}

	stored, err := s.listAll(ctx, run.ID, wstk.URLStored)
	if err != nil {
		return out, err
	}
	for _, u := range stored {
		if !u.ChangedAt.Before(stale) {
			continue
		}
		sent := len(out.Index)
		if err := s.again(ctx, run, site, u.URL, false, &out.Next); err != nil {
			return out, err
		}
		if len(out.Index) == sent {
			out.Held++
			continue
		}
		n, err := s.countResend(ctx, u)
		if err != nil {
			return out, err
		}
		if n <= s.limits().Resends {
			continue
		}
		out.Index = out.Index[:sent]
		closed, err := s.close(ctx, run, site, u.URL, wstk.Closing{Outcome: wstk.OutcomeFailed,
			Reason: fmt.Sprintf("read, but not indexed in %d attempts", n)}, &out.Next)
		if err != nil {
			return out, err
		}
		out.Failed += btoi(closed)
	}
	return out, nil
}

// putBack makes a URL wait again. One that may have killed its worker comes after
// all others: they are done before it does so again, and of many deaths that were not
// its fault it is not blamed for all.
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

// listAll lists the URLs in a state of things under way; their number is bounded by
// what Release lets out.
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
