package crawl

import (
	"context"
	"fmt"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Finish ends the run if nothing of it is open, and reports whether the run has ended, now
// or before.
//
// complete: everything in bounds was read, or is not there (not_found), or is not
// meant to be (robots, scope, depth, traps). partial: something in bounds is missing:
// the page budget cut it (over_budget), or pages failed, were blocked, too large or
// need a browser; Reasons count them. failed: nothing at all is held; the reason is
// what became of the root.
func (s *Stage) Finish(ctx context.Context, run wstk.Run, site wstk.Site) (bool, error) {
	_, on, err := s.running(ctx, run.ID)
	if err != nil || !on {
		return err == nil, err
	}
	states, err := s.Frontier.States(ctx, run.ID)
	if err != nil || openOf(states) > 0 {
		return false, err
	}
	root, err := s.Frontier.Get(ctx, run.ID, site.Root)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil // not seeded yet
	}
	if err != nil {
		return false, err
	}
	acc, err := s.Frontier.Accounting(ctx, run.ID)
	if err != nil {
		return false, err
	}
	end := wstk.Run{State: wstk.RunComplete, EndedAt: s.now().UTC()}
	for _, m := range missing {
		n := acc.Of(m.outcome)
		if n == 0 {
			continue
		}
		end.State = wstk.RunPartial
		if m.outcome != wstk.OutcomeOverBudget {
			end.Reasons = append(end.Reasons, text.Count(n, "page")+" "+m.what)
			continue
		}
		held, err := s.heldOver(ctx, run, site)
		if err != nil {
			return false, err
		}
		end.Reasons = append(end.Reasons, cutShort(n, held, options(run, site).MaxPages)...)
	}
	if acc.Stored() > 0 {
		end.SearchableAt = end.EndedAt.Add(s.IndexLag)
	} else if root.Counted() {
		root, err = s.follow(ctx, run.ID, site.Root, nil)
		if err != nil {
			return false, err
		}
		end.State = wstk.RunFailed
		end.Reasons = append([]string{fmt.Sprintf("nothing was stored: %s is %s (%s)",
			text.Shorten(root.URL, 300), root.Outcome, root.Reason)}, end.Reasons...)
	}
	return true, s.end(ctx, run, end)
}

// cutShort says what became of n URLs that the budget cut; earlier crawls read held of them.
func cutShort(n, held, budget int) (reasons []string) {
	because := fmt.Sprintf(": the crawl stopped at its budget of %d (max_pages)", budget)
	if waiting := n - held; waiting > 0 {
		reasons = append(reasons,
			text.Count(waiting, "page")+" still waiting"+because)
	}
	if held > 0 {
		reasons = append(reasons,
			text.Count(held, "page")+" held as an earlier crawl read them, and not asked for again"+
				because)
	}
	return reasons
}

// heldOver counts the URLs that the budget of a run cut although the site holds their pages,
// as an earlier crawl read them.
func (s *Stage) heldOver(ctx context.Context, run wstk.Run, site wstk.Site) (n int, err error) {
	earlier, err := s.readBefore(ctx, site.ID, run.StartedAt)
	if err != nil || len(earlier) == 0 {
		return 0, err
	}
	for cursor := ""; ; {
		urls, next, err := s.Frontier.List(ctx, run.ID, wstk.URLClosed, cursor, 500)
		if err != nil {
			return 0, err
		}
		for _, u := range urls {
			if u.Outcome == wstk.OutcomeOverBudget && earlier[u.URL] {
				n++
			}
		}
		if cursor = next; next == "" {
			return n, nil
		}
	}
}

// readBefore are the pages of a site that hold a text and were not asked for since.
func (s *Stage) readBefore(
	ctx context.Context, site wstk.SiteID, since time.Time,
) (map[string]bool, error) {
	out := map[string]bool{}
	for cursor := ""; ; {
		pages, next, err := s.Pages.List(ctx, site, cursor, 500)
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			if p.Document != "" && p.CheckedAt.Before(since) {
				out[p.URL] = true
			}
		}
		if cursor = next; next == "" {
			return out, nil
		}
	}
}

// missing are the outcomes that leave a run partial.
var missing = []struct {
	outcome wstk.Outcome
	what    string
}{
	{wstk.OutcomeOverBudget, "still waiting"},
	{wstk.OutcomeFailed, "failed"},
	{wstk.OutcomeBlocked, "blocked"},
	{wstk.OutcomeNeedsRender, "readable in a browser only"},
	{wstk.OutcomeTooLarge, "too large"},
}

// leavesPartial reports whether a URL with this outcome is missing in its run.
func leavesPartial(o wstk.Outcome) bool {
	for _, m := range missing {
		if m.outcome == o {
			return true
		}
	}
	return false
}

// Abort ends a run early. state is partial or cancelled (anything else is Invalid), reason
// one clause ("it was cancelled"). What is open is closed: what was not read as
// over_budget, what was read and not indexed as failed. In a run that has ended it closes
// what a worker may have left since.
func (s *Stage) Abort(
	ctx context.Context, run wstk.RunID, state wstk.RunState, reason string,
) error {
	if state != wstk.RunPartial && state != wstk.RunCancelled {
		return wstk.Errorf(wstk.Invalid, "ending run", "a run cannot be ended early as %q", state)
	}
	now, on, err := s.running(ctx, run)
	if err != nil {
		return err
	}
	if !on {
		return s.closeAll(ctx, run, leftover(now))
	}
	closing := wstk.Closing{Outcome: wstk.OutcomeOverBudget,
		Reason: "the run was stopped: " + reason}
	if err := s.closeAll(ctx, run, closing); err != nil {
		return err
	}
	if err := s.end(ctx, now,
		wstk.Run{State: state, Reasons: []string{reason}, EndedAt: s.now().UTC()}); err != nil {
		return err
	}
	// A worker may have added links between the two.
	return s.closeAll(ctx, run, closing)
}

// closeAll closes all that is open in a run, also what is added meanwhile.
func (s *Stage) closeAll(ctx context.Context, run wstk.RunID, c wstk.Closing) error {
	for _, state := range []wstk.URLState{wstk.URLWaiting, wstk.URLQueued, wstk.URLStored} {
		closing := c
		if state == wstk.URLStored {
			closing = wstk.Closing{Outcome: wstk.OutcomeFailed,
				Reason: "read, but not indexed: " + c.Reason}
		}
		for found := true; found; {
			found = false
			for cursor := ""; ; { // each pass goes on where it was: what it closed is behind it
				urls, next, err := s.Frontier.List(ctx, run, state, cursor, 500)
				if err != nil {
					return err
				}
				for _, u := range urls {
					found = true
					if _, err := s.Frontier.Close(ctx, run, u.URL, closing); err != nil {
						return err
					}
				}
				if next == "" {
					break
				}
				cursor = next
			}
		}
	}
	return nil
}
