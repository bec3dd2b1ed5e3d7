package crawl

import (
	"context"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// unchanged closes a page that is as it was, after following the links of the text
// that is stored.
func (s *settling) unchanged(ctx context.Context) error {
	p, doc, err := s.storedText(ctx)
	if err != nil {
		return err
	}
	if doc == nil {
		return s.end(ctx, wstk.OutcomeNotModified, "not modified; no text of it is held", "")
	}
	s.in.Document = doc
	noindex, nofollow := s.pageRules(s.run, s.site, s.in)
	if s.out.Links, err = s.discover(ctx, s.run, s.site, s.url, doc, nofollow); err != nil {
		return err
	}
	since := orElse(s.in.ByDate, "not modified since "+day(p.FetchedAt))
	switch {
	case noindex:
		return s.noindex(ctx)
	case strings.TrimSpace(doc.Text) == "":
		return s.end(ctx, wstk.OutcomeNotModified, since, "")
	case p.DuplicateOf != "":
		return s.unchangedCopy(ctx, p, doc, since)
	case p.IndexedAt.IsZero(): // an earlier run ended before the index had it
		return s.store(ctx, doc, p.Document)
	}
	return s.claim(ctx, doc, since)
}

// storedText returns the page's record and its text, nil if there is none.
func (s *settling) storedText(ctx context.Context) (wstk.Page, *wstk.Document, error) {
	p, err := s.Pages.Get(ctx, s.url.URL)
	if wstk.CodeOf(err) == wstk.NotFound || err == nil && p.Document == "" {
		return p, nil, nil
	}
	if err != nil {
		return p, nil, err
	}
	doc, err := s.load(ctx, p.Document)
	return p, doc, err
}

// unchangedCopy closes a page that was a duplicate, or stores it if it is none any more.
func (s *settling) unchangedCopy(
	ctx context.Context, p wstk.Page, doc *wstk.Document, since string,
) error {
	same, err := s.stillCopy(ctx, p)
	if err != nil {
		return err
	}
	if same {
		return s.end(ctx, wstk.OutcomeDuplicateOf, since+", and still a copy", p.DuplicateOf)
	}
	return s.store(ctx, doc, p.Document)
}

// claim closes a page as its text's owner, or as a duplicate of the page that owns it.
func (s *settling) claim(ctx context.Context, doc *wstk.Document, since string) error {
	url := s.url.URL
	owner, err := s.Frontier.ClaimText(ctx, s.run.ID, doc.TextSHA256, url)
	if err != nil {
		return err
	}
	if owner == url {
		return s.end(ctx, wstk.OutcomeNotModified, since, "")
	}
	if err := s.markDuplicate(ctx, url, owner); err != nil {
		return err
	}
	s.out.Drop = append(s.out.Drop, url)
	return s.end(ctx, wstk.OutcomeDuplicateOf, "same text", owner)
}

// stillCopy reports whether the page that p was a copy of still stands: it holds a
// text and was not found to be gone or moved in this run.
func (s *settling) stillCopy(ctx context.Context, p wstk.Page) (bool, error) {
	owner, err := s.Pages.Get(ctx, p.DuplicateOf)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil
	}
	if err != nil || owner.Document == "" || owner.DuplicateOf != "" {
		return false, err
	}
	u, err := s.Frontier.Get(ctx, s.run.ID, p.DuplicateOf)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil // this run does not look at it, so nothing is known
	}
	if err != nil {
		return false, err
	}
	return u.State == wstk.URLClosed && (u.Outcome == wstk.OutcomeNotModified ||
		u.Outcome == wstk.OutcomeFetched && owner.TextSHA256 == p.TextSHA256), nil
}

// forgetText removes the text from the record of a page that must not be kept, and the
// validators, so that the next fetch asks for the whole page and sees its rules.
func (s *Stage) forgetText(ctx context.Context, url string) error {
	p, err := s.Pages.Get(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	p.Document, p.TextSHA256, p.ETag, p.LastModified, p.IndexedAt = "", "", "", "", time.Time{}
	p.Verdict, p.Reason = wstk.VerdictRefusedRobots, "noindex"
	return s.Pages.Put(ctx, p)
}

func day(t time.Time) string {
	if t.IsZero() {
		return "the last fetch"
	}
	return t.UTC().Format(time.DateOnly)
}
