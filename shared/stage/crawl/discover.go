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

	d := &discovery{Stage: s, view: v, from: from, seen: map[string]bool{from.URL: true}}
	if c := canonicalOf(doc); c != "" {
		// What a page names as its canonical URL is no link: it is as deep as the page.
		if in, _ := v.scope.Decide(c); in {
			if err := d.url(ctx, c, wstk.ViaCanonical, from.Depth); err != nil {
				return d.out, err
			}
		}
	}
	if nofollow && v.options.Robots != wstk.RobotsIgnore {
		d.out.NoFollow = true
		err = d.notFollowed(ctx, len(doc.Links))
	} else {
		err = d.links(ctx, doc.Links)
	}
	if err != nil {
		return d.out, err
	}
	d.out.New, err = s.add(ctx, run.ID, d.found)
	return d.out, err
}

// discovery takes the links of one page.
type discovery struct {
	*Stage
	view  view
	from  wstk.FrontierURL
	seen  map[string]bool
	found []wstk.FrontierURL
	out   Discovered
}

// url takes an address, each once.
func (d *discovery) url(ctx context.Context, url string, via wstk.FoundVia, depth int) error {
	url = text.WithoutUser(url)
	if d.seen[url] {
		return nil
	}
	d.seen[url] = true
	d.out.Links++
	if d.known.has(d.view.run, url) {
		return nil
	}
	u, err := d.place(ctx, d.view,
		wstk.FrontierURL{URL: url, Depth: depth, Via: via, FoundOn: d.from.URL})
	if err == nil {
		d.found = append(d.found, u)
	}
	return err
}

// notFollowed warns that the links of the page are left alone.
func (d *discovery) notFollowed(ctx context.Context, links int) error {
	if links == 0 {
		return nil
	}
	return d.Warn(ctx, d.view.run, wstk.Warning{Code: "nofollow", URL: d.from.URL,
		Message: fmt.Sprintf("the page asks that its %d links are not followed.", links)})
}

// links takes the links of the page, up to maxLinks.
func (d *discovery) links(ctx context.Context, links []wstk.Link) error {
	if n := len(links); n > maxLinks {
		links = links[:maxLinks]
		err := d.Warn(ctx, d.view.run, wstk.Warning{Code: "links_truncated", URL: d.from.URL,
			Message: fmt.Sprintf("of the page's %d links the first %d were followed.", n,
				maxLinks)})
		if err != nil {
			return err
		}
	}
	for _, l := range links {
		url := l.URL
		if !d.known.has(d.view.run, url) { // a known URL is canonical already
			c, err := text.Canonical(url)
			if err != nil {
				continue
			}
			url = c
		}
		if err := d.url(ctx, url, wstk.ViaLink, d.from.Depth+1); err != nil {
			return err
		}
	}
	return nil
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
