package rest

import (
	"net/http"
	"strconv"
	"strings"

	"wstk/shared/app/crawling"
	"wstk/shared/config"
	"wstk/shared/entry/step"
	"wstk/shared/wstk"
)

// bounds are what a crawl may be told; what is not given is the operator's default, or
// on a refresh the site's own.
type bounds struct {
	MaxPages    *int      `json:"max_pages"`
	MaxDepth    *int      `json:"max_depth"`
	RateLimitMS *int      `json:"rate_limit_ms"`
	Include     *[]string `json:"include"`
	Exclude     *[]string `json:"exclude"`
	Robots      *string   `json:"robots"`
}

// config is c with the bounds given.
func (b bounds) config(c config.Config) (config.Config, error) {
	values := map[string]string{}
	for _, n := range []struct {
		name, key   string
		value       *int
		least, most int
	}{
		{"max_pages", "crawl.max_pages", b.MaxPages, 1, maxPages},
		{"max_depth", "crawl.max_depth", b.MaxDepth, 0, maxDepth},
		{"rate_limit_ms", "crawl.rate_limit_ms", b.RateLimitMS, 0, maxRest},
	} {
		if n.value == nil {
			continue
		}
		if err := inRange(n.name, *n.value, n.least, n.most); err != nil {
			return c, err
		}
		values[n.key] = strconv.Itoa(*n.value)
	}
	for _, l := range []struct {
		name, key string
		value     *[]string
	}{
		{"include", "crawl.include", b.Include},
		{"exclude", "crawl.exclude", b.Exclude},
	} {
		if l.value == nil {
			continue
		}
		if err := list(l.name, *l.value, maxItems, maxGlob); err != nil {
			return c, err
		}
		joined := strings.Join(*l.value, ",")
		if len(*l.value) > 0 && strings.Count(joined, ",") != len(*l.value)-1 {
			return c, wstk.Errorf(wstk.Invalid, "", "a path in %s holds a comma", l.name).
				Try(wstk.Advice("write ? in its place"))
		}
		values[l.key] = joined
	}
	if b.Robots != nil {
		values["fetch.robots"] = *b.Robots
	}
	c, err := c.With(values, "request")
	if err != nil {
		return c, invalid("robots must be respect, warn or ignore") // all else was checked
	}
	return c, nil
}

// began is a crawl that began.
type began struct {
	Site wstk.Site `json:"site"`
	Run  wstk.Run  `json:"run"`
}

func (h *handler) begin(
	r *http.Request, req crawling.IngestRequest, b bounds,
) (reply, error) {
	c, err := b.config(h.app.Config)
	if err != nil {
		return reply{}, err
	}
	req.Config = &c
	run, site, err := h.app.Crawling.Begin(r.Context(), req)
	if err != nil {
		return reply{}, unknownSite(r, err)
	}
	return reply{status: http.StatusAccepted, location: "/sites/" + string(site.ID),
		body: began{Site: site, Run: run}}, nil
}

func (h *handler) beginSite(r *http.Request) (reply, error) {
	var in struct {
		URL     string        `json:"url"`
		Query   *string       `json:"query"`
		Crawler *wstk.Crawler `json:"crawler"`
		bounds
	}
	if err := decode(r, &in, false); err != nil {
		return reply{}, err
	}
	if err := words("url", in.URL, maxURL); err != nil {
		return reply{}, err
	}
	req := crawling.IngestRequest{URL: in.URL}
	if in.Crawler != nil {
		if req.Crawler = *in.Crawler; req.Crawler == "" {
			return reply{}, invalid("crawler is empty")
		}
	}
	if in.Query != nil {
		if err := asked("query", *in.Query); err != nil {
			return reply{}, err
		}
		req.Query = *in.Query
	}
	return h.begin(r, req, in.bounds)
}

func (h *handler) refreshSite(r *http.Request) (reply, error) {
	var in bounds
	if err := decode(r, &in, true); err != nil {
		return reply{}, err
	}
	return h.begin(r, crawling.IngestRequest{URL: r.PathValue("id"), Refresh: true}, in)
}

// cancelCrawl asks the crawl of a site to stop: 202 while it still has to, 200 when none
// runs.
func (h *handler) cancelCrawl(r *http.Request) (reply, error) {
	if err := noQuery(r); err != nil {
		return reply{}, err
	}
	run, site, err := h.app.Crawling.CancelCrawl(r.Context(), r.PathValue("id"))
	if err != nil {
		return reply{}, unknownSite(r, err)
	}
	out := reply{status: http.StatusAccepted, location: "/sites/" + string(site.ID),
		body: running{run}}
	if run.State.Terminal() {
		out.status, out.location = http.StatusOK, ""
	}
	return out, nil
}

// removeSite begins to remove a site, or goes on with it: 202 and the run, which GET
// /removals/{id} follows.
func (h *handler) removeSite(r *http.Request) (reply, error) {
	q, err := parameters(r, "with_runs")
	if err != nil {
		return reply{}, err
	}
	withRuns := false
	switch q.Get("with_runs") {
	case "", "false":
	case "true":
		withRuns = true
	default:
		return reply{}, invalid("with_runs must be true or false")
	}
	run, _, err := h.app.Crawling.RemoveSite(r.Context(), r.PathValue("id"), withRuns, true)
	if err != nil {
		return reply{}, unknownSite(r, err)
	}
	return reply{status: http.StatusAccepted, location: "/removals/" + string(run.ID),
		body: running{run}}, nil
}

// siteRemoval is the removal of a site, and how far it is.
type siteRemoval struct {
	Run     wstk.Run             `json:"run"`
	Removal crawling.SiteRemoval `json:"removal"`
}

func (h *handler) removal(r *http.Request) (reply, error) {
	if err := noQuery(r); err != nil {
		return reply{}, err
	}
	var out siteRemoval
	var err error
	out.Run, out.Removal, err = h.app.Crawling.Removal(r.Context(), wstk.RunID(r.PathValue("id")))
	return reply{body: out}, err
}

// siteList is a page of the list of sites.
type siteList struct {
	Sites []crawling.SiteStatus `json:"sites"`
	Next  string                `json:"next_cursor"` // "" at the end
}

func (h *handler) listSites(r *http.Request) (reply, error) {
	q, err := parameters(r, "cursor", "limit")
	if err != nil {
		return reply{}, err
	}
	if c := q.Get("cursor"); c != "" && !wstk.SiteID(c).Valid() {
		return reply{}, invalid("%q is not a cursor", shortly(c))
	}
	limit, err := within(q, "limit", 1, maxLimit, defaultAll)
	if err != nil {
		return reply{}, err
	}
	sites, next, err := h.app.SiteStore.List(r.Context(), q.Get("cursor"), limit)
	if err != nil {
		return reply{}, err
	}
	out := siteList{Sites: []crawling.SiteStatus{}, Next: next}
	for _, s := range sites {
		st, err := h.app.Crawling.Status(r.Context(), string(s.ID))
		if err != nil {
			return reply{}, err
		}
		st.NextSteps = step.All(st.Steps, step.HTTP)
		out.Sites = append(out.Sites, st)
	}
	return reply{body: out}, nil
}

func (h *handler) site(r *http.Request) (reply, error) {
	q, err := parameters(r, "why")
	if err != nil {
		return reply{}, err
	}
	if q.Has("why") {
		if err := words("why", q.Get("why"), maxURL); err != nil {
			return reply{}, err
		}
		why, err := h.app.Crawling.Why(r.Context(), r.PathValue("id"), q.Get("why"))
		return reply{body: why}, unknownSite(r, err)
	}
	st, err := h.app.Crawling.Status(r.Context(), r.PathValue("id"))
	st.NextSteps = step.All(st.Steps, step.HTTP)
	return reply{body: st}, unknownSite(r, err)
}

// unknownSite says of a path that names no address that there is no such site.
func unknownSite(r *http.Request, err error) error {
	if id := r.PathValue("id"); id != "" && wstk.CodeOf(err) == wstk.Invalid &&
		!strings.Contains(id, "/") {
		return wstk.Errorf(wstk.NotFound, "", "there is no site %q", id).
			Try(wstk.Advice("GET /sites lists all sites"))
	}
	return err
}
