package crawl

import (
	"context"

	"wstk/shared/wstk"
)

// Seeded says what Seed found.
type Seeded struct {
	Named    int // addresses that a service named
	Sitemaps int // files read
	Listed   int // addresses in them
	Known    int // pages of the site from earlier runs, on a refresh
	New      int // URLs the run did not know
}

// Seed puts the beginnings of a run into the frontier: what the service of its crawler names,
// which is depth 0 (see seedNamed), what the site's sitemaps
// list (those robots.txt names, and /sitemap.xml), on a refresh the pages known from
// earlier runs, and last the root, which is depth 0 as the others are depth 1.
// Until the root is there, nothing is released and the run cannot finish, so a Seed
// that was cut off is simply done again; once it is there, Seed does nothing.
//
// A run that continues another takes over the frontier of that one instead, see goOn. A run
// with CrawlOptions.Only begins with those URLs alone, see seedOnly.
//
// It asks for a tenth as many sitemaps as the budget has pages, at least 5 and at most
// 200. Of them it takes as many addresses as ten times the page budget, at least
// 1,000 and at most 100,000; what is left out, and a sitemap that cannot be read, is
// a warning of the run. Under the policy ignore robots.txt is not read.
func (s *Stage) Seed(ctx context.Context, run wstk.Run, site wstk.Site) (Seeded, error) {
	var out Seeded
	if _, on, err := s.running(ctx, run.ID); err != nil || !on {
		return out, err
	}
	if _, err := s.Frontier.Get(ctx, run.ID, site.Root); err == nil {
		return out, nil
	} else if wstk.CodeOf(err) != wstk.NotFound {
		return out, err
	}
	v, err := s.view(ctx, run, site)
	if err != nil {
		return out, err
	}
	if len(v.options.Only) > 0 {
		err := s.seedOnly(ctx, run, v, &out)
		return out, err
	}
	if run.Continues != "" {
		if done, err := s.goOn(ctx, run, site, &out); err != nil || done {
			return out, err
		}
	}
	err = s.seedSite(ctx, run, v, site, &out)
	return out, err
}

// seedSite adds what a service names, what sitemaps list, what is known, and last the root.
func (s *Stage) seedSite(
	ctx context.Context, run wstk.Run, v view, site wstk.Site, out *Seeded,
) error {
	root, err := s.place(ctx, v, wstk.FrontierURL{URL: site.Root, Via: wstk.ViaSeed})
	if err != nil {
		return err
	}
	if root.Outcome != wstk.OutcomeFailed {
		if err := s.seedNamed(ctx, v, out); err != nil {
			return err
		}
	}
	// A site that refuses its root by robots.txt may still list pages in a sitemap; a
	// host that does not answer has none. With depth 0 the root is all there is.
	if root.Outcome != wstk.OutcomeFailed && v.options.MaxDepth > 0 {
		if err := s.seedSitemaps(ctx, v, out); err != nil {
			return err
		}
	}
	if run.Kind == wstk.RunRefresh {
		if err := s.seedKnown(ctx, v, site, out); err != nil {
			return err
		}
	}
	n, err := s.add(ctx, run.ID, []wstk.FrontierURL{root})
	out.New += n
	return err
}

// seedKnown adds the site's pages that hold a Document of their own and were not
// gone when last asked for.
func (s *Stage) seedKnown(ctx context.Context, v view, site wstk.Site, out *Seeded) error {
	for cursor := ""; ; {
		pages, next, err := s.Pages.List(ctx, site.ID, cursor, 500)
		if err != nil {
			return err
		}
		var found []wstk.FrontierURL
		for _, p := range pages {
			if p.Document == "" || p.DuplicateOf != "" || p.URL == site.Root ||
				p.Verdict == wstk.VerdictNotFound || p.Verdict == wstk.VerdictGone {
				continue
			}
			u, err := s.place(ctx, v, wstk.FrontierURL{URL: p.URL,
				Depth: min(1, v.options.MaxDepth), Via: wstk.ViaRefresh})
			if err != nil {
				return err
			}
			found = append(found, u)
		}
		out.Known += len(found)
		n, err := s.add(ctx, v.run, found)
		out.New += n
		if err != nil || next == "" {
			return err
		}
		cursor = next
	}
}
