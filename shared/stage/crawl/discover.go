package crawl

import (
	"context"
	"fmt"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

const (
	maxLinks = 10_000 // of one page; what is beyond is not followed, with a warning
	addBatch = 500    // URLs handed to the frontier at once
)

// Discovered says what Discover found on a page.
type Discovered struct {
	Links    int  // different web addresses on the page
	New      int  // of them, those the run did not know
	NoFollow bool // the page asks that its links are not followed, and they were not
}

// Discover records the links of a fetched page, and the URL it names as
// canonical, each open or with the outcome that is clear already. It runs before
// the page itself is closed, so that nothing can be lost between the two; on a page
// that is closed, or in a run that has ended, it does nothing.
//
// A page whose meta robots say nofollow has its links left alone, with a warning.
// rel=nofollow on a single link means that the author does not vouch for it; it is
// followed. Addresses of other schemes (mailto:, javascript:) are no URLs of a
// crawl. User and password in a link are dropped: they are neither stored nor used.
func (s *Stage) Discover(
	ctx context.Context, run wstk.Run, site wstk.Site, from wstk.FrontierURL, doc *wstk.Document,
) (Discovered, error) {
	return s.discover(ctx, run, site, from, doc, doc.Meta.NoFollow)
}

func (s *Stage) discover(
	ctx context.Context, run wstk.Run, site wstk.Site, from wstk.FrontierURL,
	doc *wstk.Document, nofollow bool,
) (Discovered, error) {
	var out Discovered
	if _, on, err := s.running(ctx, run.ID); err != nil || !on {
		return out, err
	}
	from, err := s.Frontier.Get(ctx, run.ID, from.URL)
	if err != nil || from.State == wstk.URLClosed {
		return out, err
	}
	v, err := s.view(ctx, run, site)
	if err != nil {
		return out, err
	}
	if v.pending == from.URL {
		v.pending = "" // here is the page the root leads to
	}

	var found []wstk.FrontierURL
	seen := map[string]bool{from.URL: true}
	add := func(url string, via wstk.FoundVia, depth int) error {
		url = text.WithoutUser(url)
		if seen[url] {
			return nil
		}
		seen[url] = true
		out.Links++
		if s.known.has(run.ID, url) {
			return nil
		}
		u := wstk.FrontierURL{URL: url, Depth: depth, Via: via, FoundOn: from.URL}
		u, err := s.place(ctx, v, u)
		if err == nil {
			found = append(found, u)
		}
		return err
	}
	if c := canonicalOf(doc); c != "" {
		// What a page names as its canonical URL is no link: it is as deep as the page.
		if in, _ := v.scope.Decide(c); in {
			if err := add(c, wstk.ViaCanonical, from.Depth); err != nil {
				return out, err
			}
		}
	}
	switch {
	case nofollow && options(run, site).Robots != wstk.RobotsIgnore:
		out.NoFollow = true
		if len(doc.Links) > 0 {
			if err := s.Warn(ctx, run.ID, wstk.Warning{Code: "nofollow", URL: from.URL,
				Message: fmt.Sprintf("the page asks that its %d links are not followed.",
					len(doc.Links))}); err != nil {
				return out, err
			}
		}
	default:
		links := doc.Links
		if len(links) > maxLinks {
			links = links[:maxLinks]
			if err := s.Warn(ctx, run.ID, wstk.Warning{Code: "links_truncated", URL: from.URL,
				Message: fmt.Sprintf("of the page's %d links the first %d were followed.",
					len(doc.Links), maxLinks)}); err != nil {
				return out, err
			}
		}
		for _, l := range links {
			url := l.URL
			if !s.known.has(run.ID, url) { // else it is canonical: it was added so
				if url, err = text.Canonical(url); err != nil {
					continue
				}
			}
			if err := add(url, wstk.ViaLink, from.Depth+1); err != nil {
				return out, err
			}
		}
	}
	out.New, err = s.add(ctx, run.ID, found)
	return out, err
}

// add hands URLs to the frontier. If the run ended meanwhile, no worker would come
// for them, so those left open are closed.
func (s *Stage) add(ctx context.Context, run wstk.RunID, urls []wstk.FrontierURL) (int, error) {
	added := 0
	for len(urls) > 0 {
		batch := urls[:min(addBatch, len(urls))]
		urls = urls[len(batch):]
		n, err := s.Frontier.Add(ctx, batch...)
		added += n
		if err != nil {
			return added, err
		}
		s.known.add(run, batch)
		if n == 0 {
			continue
		}
		if r, on, err := s.running(ctx, run); err != nil {
			return added, err
		} else if !on {
			for _, u := range batch {
				if u.Outcome == wstk.OutcomeOpen {
					if _, err := s.Frontier.Close(ctx, run, u.URL, leftover(r)); err != nil {
						return added, err
					}
				}
			}
		}
	}
	return added, nil
}

// leftover is the outcome of what is found open in a run that has ended.
func leftover(run wstk.Run) wstk.Closing {
	return wstk.Closing{Outcome: wstk.OutcomeOverBudget,
		Reason: "the run had ended: " + string(run.State)}
}

// canonicalOf returns the URL a page names as its canonical one, "" when it names
// none or itself.
func canonicalOf(doc *wstk.Document) string {
	if doc.CanonicalURL == "" || doc.CanonicalURL == doc.URL {
		return ""
	}
	c, err := text.Canonical(doc.CanonicalURL)
	if c = text.WithoutUser(c); err != nil || c == doc.URL {
		return ""
	}
	return c
}
