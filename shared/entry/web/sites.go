package web

import (
	"context"
	"net/http"
	"strings"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// siteList is a page of the list of sites.
type siteList struct {
	Sites []siteRow
	Next  string
}

func (h *handler) listSites(r *http.Request) (view, error) {
	cursor := r.URL.Query().Get("after")
	if cursor != "" && !wstk.SiteID(cursor).Valid() {
		return view{}, wstk.Errorf(wstk.Invalid, "", "the cursor is not a position in this list")
	}
	rows, next, err := h.sites(r, cursor, perPage)
	return view{page: "sites", section: "sites", title: "Sites",
		data: siteList{Sites: rows, Next: further(r, next)}}, err
}

// sitePage is one site: its newest run, its pages, and why a URL ended where it did.
type sitePage struct {
	siteRow
	Stored []wstk.Page // held now
	Next   string

	Asked   string // the URL of the form
	Why     *crawling.Why
	Unknown string // why there is no Why
}

// maxParts is how many parts of a site's list are looked through for one page of ours.
const maxParts = 20

// held is a page of the list of a site's pages that hold a text, which are those that are
// counted as held: perPage of them or a few more. It is shorter, and not the end, where
// very many URLs hold none.
func (h *handler) held(
	ctx context.Context, site wstk.SiteID, cursor string,
) ([]wstk.Page, string, error) {
	var out []wstk.Page
	for range maxParts {
		pages, next, err := h.app.Pages.List(ctx, site, cursor, perPage)
		if err != nil {
			return nil, "", err
		}
		for _, p := range pages {
			if p.Document != "" {
				out = append(out, p)
			}
		}
		if cursor = next; cursor == "" || len(out) >= perPage {
			break
		}
	}
	return out, cursor, nil
}

func (h *handler) site(r *http.Request) (view, error) {
	status, err := h.app.Crawling.Status(r.Context(), r.PathValue("id"))
	if wstk.CodeOf(err) == wstk.Invalid { // what is neither an id nor an address
		err = wstk.Errorf(wstk.NotFound, "", "there is no such site")
	}
	if err != nil {
		return view{}, err
	}
	q := r.URL.Query()
	p := sitePage{siteRow: newSiteRow(status), Asked: strings.TrimSpace(q.Get("why"))}
	var next string
	if p.Stored, next, err = h.held(r.Context(), status.Site.ID, q.Get("after")); err != nil {
		return view{}, err
	}
	p.Next = further(r, next)
	if p.Asked != "" {
		why, err := h.app.Crawling.Why(r.Context(), string(status.Site.ID), p.Asked)
		switch wstk.CodeOf(err) {
		case "":
			p.Why = &why
		case wstk.NotFound, wstk.Invalid:
			p.Unknown = err.Error()
		default:
			return view{}, err
		}
	}
	v := view{page: "site", section: "sites", title: "A site", data: p}
	if status.Run != nil && status.Run.State == wstk.RunRunning {
		v.refresh = waitForRun
	}
	return v, nil
}
