package crawl

import (
	"context"
	"slices"

	"wstk/shared/wstk"
)

// takenKey is the note of how far goOn came in the frontier of the earlier run.
const takenKey = "taken"

// goOn copies the frontier of the run that this one continues. What that run could not have
// (over_budget, and the other outcomes that left it partial) waits again and is counted
// again. All else stays closed: it is known and not counted, so that a page that was read
// counts once over all runs of a chain. Texts keep their owners, and the trap guards what
// they met. The root comes last, as in every Seed.
//
// It reports false, and does nothing, if the earlier run never had the root.
func (s *Stage) goOn(ctx context.Context, run wstk.Run, site wstk.Site, out *Seeded) (bool, error) {
	root, err := s.Frontier.Get(ctx, run.Continues, site.Root)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, prefix := range trapNotes {
		if err := s.copyNotes(ctx, run, prefix); err != nil {
			return false, err
		}
	}
	cursor, err := s.Frontier.Note(ctx, run.ID, takenKey)
	for more := true; more && err == nil; {
		more, err = s.takeSome(ctx, run, site, &cursor, out)
	}
	if err != nil {
		return false, err
	}
	return true, s.takeOver(ctx, run, []wstk.FrontierURL{root}, out)
}

// takeSome takes a part of the earlier run's URLs, from the cursor on, and reports
// whether there are more.
func (s *Stage) takeSome(
	ctx context.Context, run wstk.Run, site wstk.Site, cursor *string, out *Seeded,
) (bool, error) {
	urls, next, err := s.Frontier.List(ctx, run.Continues, wstk.URLClosed, *cursor, addBatch)
	if err != nil {
		return false, err
	}
	urls = slices.DeleteFunc(urls, func(u wstk.FrontierURL) bool { return u.URL == site.Root })
	if err := s.takeOver(ctx, run, urls, out); err != nil || next == "" {
		return false, err
	}
	if _, err := s.Frontier.SetNote(ctx, run.ID, takenKey, *cursor, next); err != nil {
		return false, err
	}
	*cursor = next
	return true, nil
}

func (s *Stage) takeOver(
	ctx context.Context, run wstk.Run, urls []wstk.FrontierURL, out *Seeded,
) error {
	for i := range urls {
		u := &urls[i]
		u.Run = run.ID
		if leavesPartial(u.Outcome) {
			u.Outcome, u.Reason, u.Target = wstk.OutcomeOpen, "", ""
		} else {
			u.Via = wstk.ViaEarlier
		}
	}
	n, err := s.add(ctx, run.ID, urls)
	out.New += n
	if err != nil {
		return err
	}
	for _, u := range urls {
		if u.Outcome == wstk.OutcomeFetched || u.Outcome == wstk.OutcomeNotModified {
			if err := s.keepOwner(ctx, run, u.URL); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepOwner lets a page of the earlier run own its text in this run, too.
func (s *Stage) keepOwner(ctx context.Context, run wstk.Run, url string) error {
	p, err := s.Pages.Get(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound ||
		err == nil && (p.TextSHA256 == "" || p.DuplicateOf != "") {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = s.Frontier.ClaimText(ctx, run.ID, p.TextSHA256, url)
	return err
}

func (s *Stage) copyNotes(ctx context.Context, run wstk.Run, prefix string) error {
	notes, err := s.Frontier.Notes(ctx, run.Continues, prefix)
	if err != nil {
		return err
	}
	for key, value := range notes {
		if _, err := s.Frontier.SetNote(ctx, run.ID, key, "", value); err != nil {
			return err
		}
	}
	return nil
}
