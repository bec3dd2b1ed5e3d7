package crawling

import (
	"context"

	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

// SiteStatus is a site with its newest run.
type SiteStatus struct {
	Site       wstk.Site       `json:"site"`
	Run        *wstk.Run       `json:"run"` // null before the first
	Accounting wstk.Accounting `json:"accounting"`
	Pages      int             `json:"pages"` // held now
	// where pages still wait, or the run was interrupted
	Steps []wstk.Step `json:"-"`
	// Steps, in the words of the door that shows them
	NextSteps []string `json:"next_steps,omitempty"`
}

// Why explains the outcome of one URL in the newest run of its site.
type Why struct {
	URL      string            `json:"url"`
	Outcome  wstk.Outcome      `json:"outcome"`
	Why      string            `json:"why"` // a sentence
	Frontier *wstk.FrontierURL `json:"frontier"`
}

// Sites lists every site with its newest run.
func (c *Room) Sites(ctx context.Context) ([]SiteStatus, error) {
	out := []SiteStatus{}
	err := c.Reading.EachSite(ctx, func(s wstk.Site) (bool, error) {
		st, err := c.status(ctx, s)
		out = append(out, st)
		return true, err
	})
	return out, err
}

// Status returns one site, named by its id or any URL of it.
func (c *Room) Status(ctx context.Context, site string) (SiteStatus, error) {
	s, err := c.Reading.FindSite(ctx, site)
	if err != nil {
		return SiteStatus{}, err
	}
	return c.status(ctx, s)
}

func (c *Room) status(ctx context.Context, s wstk.Site) (SiteStatus, error) {
	st := SiteStatus{Site: s}
	var err error
	if st.Pages, err = c.Pages.Count(ctx, s.ID); err != nil {
		return st, err
	}
	if s.LastRun == "" {
		return st, nil
	}
	run, err := c.Runs.Get(ctx, s.LastRun)
	if err != nil {
		return st, err
	}
	interrupted, err := c.interrupted(ctx, run)
	if err != nil {
		return st, err
	}
	if interrupted {
		run.State, run.Reasons = wstk.RunInterrupted,
			[]string{"the process that worked on it has stopped"}
	}
	c.timed(ctx, &run)
	st.Run = &run
	if run.Kind == wstk.RunRemoval && run.State == wstk.RunRunning {
		_, r, err := c.Removal(ctx, run.ID)
		st.Steps = []wstk.Step{RemoveStep(s, r.WithRuns, "it is being removed; to go on with that")}
		return st, err
	}
	if st.Accounting, err = c.Frontier.Accounting(ctx, run.ID); err == nil {
		st.Steps = c.stepsOn(ctx, s, run, st.Accounting)
	}
	return st, err
}

// Why explains what became of a URL in the newest run of its site.
func (c *Room) Why(ctx context.Context, site, url string) (Why, error) {
	s, err := c.Reading.FindSite(ctx, site)
	if err != nil {
		return Why{}, err
	}
	canonical, err := reading.Address(url)
	if err != nil {
		return Why{}, err
	}
	if s.LastRun == "" {
		return Why{}, wstk.Errorf(wstk.NotFound, "", "%s was never crawled", s.Root)
	}
	run, err := c.Runs.Get(ctx, s.LastRun)
	if err != nil {
		return Why{}, err
	}
	interrupted, err := c.interrupted(ctx, run)
	if err != nil {
		return Why{}, err
	}
	u, sentence, err := c.Crawl.Why(ctx, s.LastRun, canonical, !interrupted)
	if wstk.CodeOf(err) == wstk.NotFound {
		return Why{}, wstk.Errorf(wstk.NotFound, "",
			"the newest crawl of %s did not find %s: no page or sitemap that it read leads there",
			s.Root, canonical).Try(c.Reading.ToStore(ctx, canonical)...)
	}
	return Why{URL: canonical, Outcome: u.Outcome, Why: sentence, Frontier: &u}, err
}
