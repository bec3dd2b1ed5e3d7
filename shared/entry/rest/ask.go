package rest

import (
	"net/http"

	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/reading"
	"wstk/shared/entry/check"
	"wstk/shared/stage/recall"
	"wstk/shared/wstk"
)

// told is a list of warnings that is never null.
func told(w []wstk.Warning) []wstk.Warning {
	if w == nil {
		return []wstk.Warning{}
	}
	return w
}

// hits is a ranked list, what was searched for, and what a reader should know of it.
type hits struct {
	Query    string         `json:"query"`
	Hits     []wstk.Hit     `json:"hits"`
	Terms    []term         `json:"terms"`
	Warnings []wstk.Warning `json:"warnings"`
	Usage    *wstk.Usage    `json:"usage,omitempty"` // of services that embed and rerank
}

type term struct {
	wstk.QueryTerm
	Word   string        `json:"word"`
	Origin recall.Origin `json:"origin"`
}

func newHits(res answering.RecallResult) hits {
	out := hits{Query: res.Query, Hits: res.Hits, Terms: []term{}, Warnings: told(res.Warnings)}
	if res.Usage.Calls > 0 {
		out.Usage = &res.Usage
	}
	for _, t := range res.Terms {
		out.Terms = append(out.Terms, term{t.QueryTerm, t.Word, t.Origin})
	}
	return out
}

func (h *handler) recall(r *http.Request) (reply, error) {
	q, err := parameters(r, "q", "limit", "include_site", "exclude_site", "min_date")
	if err != nil {
		return reply{}, err
	}
	if err := check.Asked("q", q.Get("q")); err != nil {
		return reply{}, err
	}
	limit, err := within(q, "limit", 1, check.MaxLimit, 0)
	if err != nil {
		return reply{}, err
	}
	f := check.Filter{IncludeSites: q["include_site"], ExcludeSites: q["exclude_site"]}
	for _, name := range []string{"include_site", "exclude_site"} {
		if len(q[name]) > maxRepeats {
			return reply{}, invalid("%s is given more than %d times", name, maxRepeats)
		}
	}
	if at := q.Get("min_date"); q.Has("min_date") {
		f.MinDate = &at
	}
	wanted, err := f.Wanted()
	if err != nil {
		return reply{}, err
	}
	res, err := h.app.Answering.Recall(r.Context(),
		answering.RecallRequest{Query: q.Get("q"), Filter: wanted, Limit: limit})
	return reply{body: newHits(res)}, err
}

func (h *handler) gaps(r *http.Request) (reply, error) {
	var in struct {
		Query    string       `json:"query"`
		Filter   check.Filter `json:"filter"`
		Limit    *int         `json:"limit"`
		Crawl    bool         `json:"crawl"`
		MaxPages *int         `json:"max_pages"`
	}
	if err := decode(r, &in, false); err != nil {
		return reply{}, err
	}
	req, err := check.Question(in.Query, in.Filter, in.Limit)
	if err != nil {
		return reply{}, err
	}
	gap := crawling.GapRequest{Query: req.Query, Filter: req.Filter}
	if in.MaxPages != nil {
		gap.MaxPages = *in.MaxPages
		if err := check.InRange("max_pages", gap.MaxPages, 1, crawling.MostGapPages); err != nil {
			return reply{}, err
		}
	}
	var warnings []wstk.Warning
	if in.Crawl {
		out, err := h.crawlGap(r, gap)
		if err != nil || len(out.Crawls) > 0 {
			return reply{status: http.StatusAccepted, body: out}, err
		}
		warnings = append(out.Warnings, crawling.NothingToCrawl())
	}
	res, err := h.app.Answering.Gap(r.Context(), req)
	res.Warnings = append(res.Warnings, warnings...)
	return reply{body: newHits(res)}, err
}

// gapCrawls are the crawls that were begun for a gap.
type gapCrawls struct {
	Query    string              `json:"query"`
	Crawls   []crawling.GapCrawl `json:"crawls"`
	Warnings []wstk.Warning      `json:"warnings"`
}

// crawlGap begins to crawl what fits a gap. It stores pages, which not every token may that
// may search.
func (h *handler) crawlGap(
	r *http.Request, gap crawling.GapRequest,
) (out gapCrawls, err error) {
	if err := refusedFor(r, wstk.ScopeWrite); err != nil {
		return out, err
	}
	crawls, err := h.app.Crawling.BeginGap(r.Context(), gap)
	return gapCrawls{Query: gap.Query, Crawls: crawls.Crawls, Warnings: told(crawls.Warnings)}, err
}

// document is a stored page with warnings for its reader.
type document struct {
	reading.StoredPage
	// in place of the Document's own, which are among them
	Warnings []wstk.Warning `json:"warnings"`
}

func (h *handler) read(r *http.Request) (reply, error) {
	var in struct {
		URL string `json:"url"`
	}
	if err := decode(r, &in, false); err != nil {
		return reply{}, err
	}
	if err := check.Words("url", in.URL, check.MaxURL); err != nil {
		return reply{}, err
	}
	doc, warnings, err := h.app.Looking.ReadPage(r.Context(), in.URL)
	return reply{body: document{doc, told(warnings)}}, err
}

// running is a run that was begun, or is to be cancelled.
type running struct {
	Run wstk.Run `json:"run"`
}

func (h *handler) beginExtraction(r *http.Request) (reply, error) {
	var in struct {
		Query  string       `json:"query"`
		URLs   []string     `json:"urls"`
		Hints  []string     `json:"hints"`
		Filter check.Filter `json:"filter"`
		Limit  *int         `json:"limit"`
		Strict *bool        `json:"strict"`

		forModels
	}
	if err := decode(r, &in, false); err != nil {
		return reply{}, err
	}
	req, err := check.Question(in.Query, in.Filter, in.Limit)
	q := wstk.AskQuery{Query: in.Query, From: in.URLs, Filter: req.Filter,
		Hints: in.Hints, Limit: req.Limit, Strict: in.Strict == nil || *in.Strict}
	if err == nil {
		q.OutputLanguage, q.MaxTokens, err = in.forModels.wanted()
	}
	if err == nil {
		err = check.List("urls", in.URLs, check.MaxURLs, check.MaxURL)
	}
	if err == nil {
		err = check.List("hints", in.Hints, check.MaxItems, check.MaxQuery)
	}
	if err != nil {
		return reply{}, err
	}
	run, err := h.app.Answering.StartExtraction(r.Context(), q)
	return extractions.begun(run), err
}

// extracted is a run with its result, or with the pieces there are so far.
type extracted struct {
	answering.ExtractionRun
	Warnings []wstk.Warning `json:"warnings"`
}

func (h *handler) extraction(r *http.Request) (reply, error) {
	id, _, err := extractions.id(r)
	if err != nil {
		return reply{}, err
	}
	x, err := h.app.Answering.Extraction(r.Context(), id)
	return reply{body: extracted{x, told(x.Warnings)}}, err
}
