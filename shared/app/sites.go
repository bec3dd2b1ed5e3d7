package app

import (
	"context"
	"errors"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// SiteStatus is a site with its newest run.
type SiteStatus struct {
	Site       wstk.Site       `json:"site"`
	Run        *wstk.Run       `json:"run"` // null before the first
	Accounting wstk.Accounting `json:"accounting"`
	Pages      int             `json:"pages"`                // held now
	NextSteps  []string        `json:"next_steps,omitempty"` // where pages still wait, or the run was interrupted
}

// Why tells where one URL of a site's newest run ended.
type Why struct {
	URL      string            `json:"url"`
	Outcome  wstk.Outcome      `json:"outcome"`
	Why      string            `json:"why"` // a sentence
	Frontier *wstk.FrontierURL `json:"frontier"`
}

// pageOfSites is how many sites are read at a time.
const pageOfSites = 100

// Sites lists every site with its newest run.
func (a *App) Sites(ctx context.Context) ([]SiteStatus, error) {
	out := []SiteStatus{}
	err := a.eachSite(ctx, func(s wstk.Site) (bool, error) {
		st, err := a.status(ctx, s)
		out = append(out, st)
		return true, err
	})
	return out, err
}

// Status returns one site, named by its id or any URL of it.
func (a *App) Status(ctx context.Context, site string) (SiteStatus, error) {
	s, err := a.FindSite(ctx, site)
	if err != nil {
		return SiteStatus{}, err
	}
	return a.status(ctx, s)
}

func (a *App) status(ctx context.Context, s wstk.Site) (SiteStatus, error) {
	st := SiteStatus{Site: s}
	var err error
	if st.Pages, err = a.Pages.Count(ctx, s.ID); err != nil {
		return st, err
	}
	if s.LastRun == "" {
		return st, nil
	}
	run, err := a.Runs.Get(ctx, s.LastRun)
	if err != nil {
		return st, err
	}
	left, err := a.interrupted(ctx, run)
	if err != nil {
		return st, err
	}
	if left {
		run.State, run.Reasons = wstk.RunInterrupted, []string{"the process that worked on it has stopped"}
	}
	a.timed(ctx, &run)
	st.Run = &run
	if run.Kind == wstk.RunRemoval && run.State == wstk.RunRunning {
		_, r, err := a.Removal(ctx, run.ID)
		st.NextSteps = []string{"it is being removed; the same command goes on: " + RemoveCommand(s, r.WithRuns)}
		return st, err
	}
	if st.Accounting, err = a.Frontier.Accounting(ctx, run.ID); err == nil {
		st.NextSteps = a.stepsOn(ctx, s, run, st.Accounting)
	}
	return st, err
}

// Why explains what became of a URL in the newest run of its site.
func (a *App) Why(ctx context.Context, site, url string) (Why, error) {
	s, err := a.FindSite(ctx, site)
	if err != nil {
		return Why{}, err
	}
	canonical, err := address(url)
	if err != nil {
		return Why{}, err
	}
	if s.LastRun == "" {
		return Why{}, wstk.Errorf(wstk.NotFound, "", "%s was never crawled", s.Root)
	}
	run, err := a.Runs.Get(ctx, s.LastRun)
	if err != nil {
		return Why{}, err
	}
	left, err := a.interrupted(ctx, run)
	if err != nil {
		return Why{}, err
	}
	u, sentence, err := a.Crawl.Why(ctx, s.LastRun, canonical, !left)
	if wstk.CodeOf(err) == wstk.NotFound {
		return Why{}, wstk.Errorf(wstk.NotFound, "", "the newest crawl of %s did not meet %s: no page or sitemap that it read leads there", s.Root, canonical).WithNext(a.toStore(ctx, canonical)...)
	}
	return Why{URL: canonical, Outcome: u.Outcome, Why: sentence, Frontier: &u}, err
}

// FindSite finds a site by its id or by any URL of it, the scheme of which may be left out: of several whose root leads to
// the URL, the one with the longest root; else the one its page belongs to; else the
// only one on its host.
func (a *App) FindSite(ctx context.Context, name string) (wstk.Site, error) {
	name = strings.TrimSpace(name)
	if s, err := a.SiteStore.Get(ctx, wstk.SiteID(name)); err == nil || wstk.CodeOf(err) != wstk.NotFound {
		return s, err
	}
	url, err := address(name)
	if err != nil && !strings.Contains(name, "://") {
		if s, e := a.siteWithoutScheme(ctx, name); e != nil || s.ID != "" {
			return s, e
		}
	}
	if bad := (*wstk.Error)(nil); errors.As(err, &bad) {
		return wstk.Site{}, bad.WithNext("or an id from: wstk site list")
	}
	if p, err := a.Pages.Get(ctx, url); err == nil && p.Site != "" {
		return a.SiteStore.Get(ctx, p.Site)
	}
	var best wstk.Site
	var onHost, all []wstk.Site
	err = a.eachSite(ctx, func(s wstk.Site) (bool, error) {
		all = append(all, s)
		if (s.Root == url || strings.HasPrefix(url, siteFolder(s.Root))) && len(s.Root) > len(best.Root) {
			best = s
		}
		if text.HostKey(s.Root) == text.HostKey(url) {
			onHost = append(onHost, s)
		}
		return true, nil
	})
	switch {
	case err != nil:
		return best, err
	case best.ID != "":
		return best, nil
	case len(onHost) == 1:
		return onHost[0], nil
	}
	e := wstk.Errorf(wstk.NotFound, "", "no ingested site holds %s", url)
	if len(onHost) > 1 {
		e = wstk.Errorf(wstk.NotFound, "", "%d sites share the host of %s and none holds it", len(onHost), url)
	}
	return best, e.WithNext(append(nearSite(url, all), "wstk site list", "wstk site ingest "+url+a.opening(url))...)
}

// siteWithoutScheme finds the site with the longest root that leads to an address whose
// scheme was left out; one without an id where there is none.
func (a *App) siteWithoutScheme(ctx context.Context, name string) (best wstk.Site, err error) {
	err = a.eachSite(ctx, func(s wstk.Site) (bool, error) {
		_, rest, _ := strings.Cut(s.Root, "://")
		if (rest == name || strings.HasPrefix(name+"/", siteFolder(rest))) && len(s.Root) > len(best.Root) {
			best = s
		}
		return true, nil
	})
	return best, err
}

// eachSite calls f for every site until it says false.
func (a *App) eachSite(ctx context.Context, f func(wstk.Site) (bool, error)) error {
	for cursor := ""; ; {
		sites, next, err := a.SiteStore.List(ctx, cursor, pageOfSites)
		if err != nil {
			return err
		}
		for _, s := range sites {
			if more, err := f(s); err != nil || !more {
				return err
			}
		}
		if next == "" {
			return nil
		}
		cursor = next
	}
}
