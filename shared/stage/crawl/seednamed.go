package crawl

import (
	"context"
	"fmt"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

const (
	// namedKey is the note of how far seedNamed came: the cursor of the next batch behind
	// namedFrom, or namedDone.
	namedKey  = "named"
	namedFrom = "from "
	namedDone = "done"

	namedLeast   = 20 // addresses that a service is asked for, however small the budget
	namedBatches = 20 // that are taken of one service
)

// seedNamed adds what the service of the run's crawler names, at depth 0: a deep page may be
// what the question is about, and links are counted from it. Each batch is asked for once,
// as far as a process that dies allows, since it may cost money. A service that fails is a
// warning of the run, and the crawl goes on with links and sitemaps.
func (s *Stage) seedNamed(ctx context.Context, v view, out *Seeded) error {
	via := v.options.Crawler.Via()
	if via == "" {
		return nil
	}
	service := s.Discoverers[v.options.Crawler]
	if service == nil {
		return s.notNamed(ctx, v, wstk.Errorf(wstk.Unavailable, "", "it is not set up here"))
	}
	note, err := s.Frontier.Note(ctx, v.run, namedKey)
	if err != nil {
		return err
	}
	q := wstk.DiscoverQuery{Root: v.root, Question: v.options.Query,
		Max: max(v.options.MaxPages, namedLeast), Depth: v.options.MaxDepth}
	for range namedBatches {
		if note == namedDone {
			return nil
		}
		got, err := service.Discover(ctx, q, strings.TrimPrefix(note, namedFrom))
		if ctx.Err() != nil {
			return wstk.Wrap(wstk.Cancelled, "asking "+string(v.options.Crawler), ctx.Err())
		}
		if err != nil {
			if err := s.notNamed(ctx, v, err); err != nil {
				return err
			}
		}
		if err := s.addNamed(ctx, v, via, got, out); err != nil {
			return err
		}
		next := namedDone
		if got.Next != "" && err == nil {
			next = namedFrom + got.Next
		}
		// another process may have come further: then its note stands
		if _, err := s.Frontier.SetNote(ctx, v.run, namedKey, note, next); err != nil {
			return err
		}
		if note, err = s.Frontier.Note(ctx, v.run, namedKey); err != nil {
			return err
		}
	}
	return nil
}

// notNamed warns that a service could not be asked.
func (s *Stage) notNamed(ctx context.Context, v view, why error) error {
	return s.Warn(ctx, v.run, wstk.Warning{Code: "crawler_failed",
		Details: map[string]any{"crawler": v.options.Crawler, "code": wstk.CodeOf(why)},
		Message: fmt.Sprintf("The service of the crawler %s failed: %s. What it would have named "+
			"is missing; the crawl goes on with links and sitemaps.", v.options.Crawler,
			text.Shorten(strings.TrimSuffix(why.Error(), "."), 180))})
}

// addNamed adds a batch. The root is added by Seed itself, at the end.
func (s *Stage) addNamed(
	ctx context.Context, v view, via wstk.FoundVia, got wstk.Discovery, out *Seeded,
) error {
	for _, w := range got.Warnings {
		if err := s.Warn(ctx, v.run, w); err != nil {
			return err
		}
	}
	var urls []wstk.FrontierURL
	for _, url := range got.URLs {
		if url == v.root {
			continue
		}
		u, err := s.place(ctx, v, wstk.FrontierURL{URL: url, Via: via})
		if err != nil {
			return err
		}
		urls = append(urls, u)
	}
	n, err := s.add(ctx, v.run, urls)
	out.Named, out.New = out.Named+len(got.URLs), out.New+n
	return err
}

// seedOnly adds the URLs that a run is for. The root, and where it redirects, are known from
// the run before: they are not asked again. Without such a run the root is asked for, since
// only then is it known what belongs to the site.
func (s *Stage) seedOnly(ctx context.Context, run wstk.Run, v view, out *Seeded) error {
	chain, err := s.rootChain(ctx, run, v.root)
	if err != nil {
		return err
	}
	// The scope that follows from the chain decides about the URLs; so it comes before them,
	// except for the root: without it nothing is released.
	if len(chain) > 0 {
		if _, err := s.add(ctx, run.ID, chain[1:]); err != nil {
			return err
		}
		for _, u := range chain {
			if u.Target != "" {
				v.scope = v.scope.withRedirect(u.Target)
			}
		}
	} else {
		v.pending = v.root
	}
	var urls []wstk.FrontierURL
	for _, url := range v.options.Only {
		if url == v.root {
			continue
		}
		u, err := s.place(ctx, v, wstk.FrontierURL{URL: url, Via: wstk.ViaGap})
		if err != nil {
			return err
		}
		urls = append(urls, u)
	}
	out.Named = len(urls)
	if out.New, err = s.add(ctx, run.ID, urls); err != nil {
		return err
	}
	if len(chain) > 0 {
		_, err = s.add(ctx, run.ID, chain[:1])
		return err
	}
	root, err := s.place(ctx, v, wstk.FrontierURL{URL: v.root, Via: wstk.ViaSeed})
	if err != nil {
		return err
	}
	n, err := s.add(ctx, run.ID, []wstk.FrontierURL{root})
	out.New += n
	return err
}

// rootChain returns the root and what it redirects to as an earlier run found them, for a
// later run that does not count them; none if they did not end in that run.
func (s *Stage) rootChain(
	ctx context.Context, run wstk.Run, root string,
) (chain []wstk.FrontierURL, err error) {
	if run.Continues == "" {
		return nil, nil
	}
	seen := map[string]bool{}
	for url := root; url != "" && !seen[url]; {
		u, err := s.Frontier.Get(ctx, run.Continues, url)
		if wstk.CodeOf(err) == wstk.NotFound ||
			err == nil && (u.State != wstk.URLClosed || leavesPartial(u.Outcome)) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		seen[url] = true
		u.Run, u.Via = run.ID, wstk.ViaEarlier
		chain = append(chain, u)
		if url = ""; u.Outcome == wstk.OutcomeRedirected {
			url = u.Target
		}
	}
	return chain, nil
}
