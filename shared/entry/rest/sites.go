package rest

import (
	"net/http"
	"strings"

	"wstk/shared/app/crawling"
	"wstk/shared/entry/check"
	"wstk/shared/entry/step"
	"wstk/shared/wstk"
)

// began is a crawl that began.
type began struct {
	Site wstk.Site `json:"site"`
	Run  wstk.Run  `json:"run"`
}

func (h *handler) begin(
	r *http.Request, req crawling.IngestRequest, b check.Bounds,
) (reply, error) {
	c, err := b.Config(h.app.Config)
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
		check.Bounds
	}
	if err := decode(r, &in, false); err != nil {
		return reply{}, err
	}
	if err := check.Words("url", in.URL, check.MaxURL); err != nil {
		return reply{}, err
	}
	req := crawling.IngestRequest{URL: in.URL}
	if in.Crawler != nil {
		if req.Crawler = *in.Crawler; req.Crawler == "" {
			return reply{}, invalid("crawler is empty")
		}
	}
	if in.Query != nil {
		if err := check.Asked("query", *in.Query); err != nil {
			return reply{}, err
		}
		req.Query = *in.Query
	}
	return h.begin(r, req, in.Bounds)
}

func (h *handler) refreshSite(r *http.Request) (reply, error) {
	var in check.Bounds
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
	limit, err := within(q, "limit", 1, check.MaxLimit, defaultAll)
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
		if err := check.Words("why", q.Get("why"), check.MaxURL); err != nil {
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
