package web

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

const (
	fewRuns = 8  // on the first page
	perPage = 50 // of a list
)

// overview is the first page.
type overview struct {
	Kept        kept
	Searches    []wstk.Run
	Extractions []wstk.Run
	Sites       []siteRow
	MoreSites   bool
}

func (h *handler) home(r *http.Request) (view, error) { return h.homeWith(r, kept{}) }

// homeWith is the first page with words in its forms.
func (h *handler) homeWith(r *http.Request, k kept) (view, error) {
	o := overview{Kept: k}
	var err error
	if o.Searches, _, err = h.app.Reading.ListRuns(r.Context(), wstk.RunSearch, "",
		fewRuns); err != nil {
		return view{}, err
	}
	if o.Extractions, _, err =
		h.app.Reading.ListRuns(r.Context(), wstk.RunExtraction, "", fewRuns); err != nil {
		return view{}, err
	}
	sites, next, err := h.sites(r, "", fewRuns)
	o.Sites, o.MoreSites = sites, next != ""
	return view{page: "home", section: "overview", title: "Overview", data: o}, err
}

// runList is a page of a list of runs.
type runList struct {
	Kind wstk.RunKind
	Runs []wstk.Run
	Next string // the address of the next page, "" at the end
}

func (h *handler) listRuns(r *http.Request) (view, error) {
	return h.runs(r, wstk.RunSearch, "searches", "Search runs")
}

func (h *handler) listExtractions(r *http.Request) (view, error) {
	return h.runs(r, wstk.RunExtraction, "answers", "Answers")
}

func (h *handler) runs(r *http.Request, kind wstk.RunKind, section, title string) (view, error) {
	cursor := r.URL.Query().Get("after")
	if cursor != "" && !wstk.RunID(cursor).Valid() {
		return view{}, wstk.Errorf(wstk.Invalid, "", "the cursor is not a position in this list")
	}
	runs, next, err := h.app.Reading.ListRuns(r.Context(), kind, cursor, perPage)
	return view{page: "runs", section: section, title: title,
		data: runList{Kind: kind, Runs: runs, Next: further(r, next)}}, err
}

// further is the address of the next page of the list that r asks for.
func further(r *http.Request, next string) string {
	if next == "" {
		return ""
	}
	return r.URL.Path + "?" + url.Values{"after": {next}}.Encode()
}

// siteRow is a site and where the URLs of its newest run ended.
type siteRow struct {
	crawling.SiteStatus
	Account account
}

func newSiteRow(s crawling.SiteStatus) siteRow { return siteRow{s, newAccount(s.Accounting)} }

func (h *handler) sites(
	r *http.Request, cursor string, limit int,
) (rows []siteRow, next string, err error) {
	list, next, err := h.app.SiteStore.List(r.Context(), cursor, limit)
	if err != nil {
		return nil, "", err
	}
	for _, s := range list {
		status, err := h.app.Crawling.Status(r.Context(), string(s.ID))
		if err != nil {
			return nil, "", err
		}
		rows = append(rows, newSiteRow(status))
	}
	return rows, next, nil
}

// maxWords is the longest query of a form, in characters.
const maxWords = 2000

// asked is the query of a form.
func asked(r *http.Request) (string, error) {
	if err := form(r); err != nil {
		return "", err
	}
	return bounded(r.PostForm.Get("query"))
}

// bounded is a query that a visitor typed.
func bounded(q string) (string, error) {
	if q = strings.TrimSpace(q); q == "" {
		return "", wstk.Errorf(wstk.Invalid, "", "there are no words to search for")
	}
	if utf8.RuneCountInString(q) > maxWords {
		return "", wstk.Errorf(wstk.Invalid, "", "the query has more than %d characters", maxWords)
	}
	return q, nil
}
