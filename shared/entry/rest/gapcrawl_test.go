package rest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// A crawl for a gap begins with 202 and its run, and asks for the best unread links alone. It
// stores pages: a token that may only read may not begin it.
func TestACrawlForAGap(t *testing.T) {
	h := newHome(t, Options{})
	apptest.Change(h.app, func(h *app.Home) { h.Dispatch = crawling.ByMessages{} })
	root := "https://gaps.example/"
	site := wstk.Site{ID: wstk.SiteIDOf(root), Root: root, Options: wstk.DefaultCrawlOptions()}
	if err := h.app.SiteStore.Put(t.Context(), site); err != nil {
		t.Fatal(err)
	}
	doc := &wstk.Document{URL: root, CanonicalURL: root, Text: "Parts",
		TextSHA256: wstk.HashOf([]byte("Parts"))}
	for _, l := range []string{"motor-torque", "inlet", "torque"} {
		doc.Links = append(doc.Links, wstk.Link{URL: root + l, Text: l})
	}
	doc.Links = append(doc.Links, wstk.Link{URL: "https://elsewhere.example/torque", Text: "torque"})
	stored, err := wstk.SaveDocument(t.Context(), h.app.Blobs, doc)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.app.Pages.Put(t.Context(), wstk.Page{URL: root, Site: site.ID, Document: stored,
		TextSHA256: doc.TextSHA256, Verdict: wstk.VerdictOK, CheckedAt: h.app.Now()}); err != nil {
		t.Fatal(err)
	}
	ask := map[string]any{"query": "torque of the motor", "crawl": true, "max_pages": 2,
		"filter": map[string]any{"include_sites": []string{string(site.ID)}}}
	v := h.json(http.StatusAccepted, "POST", "/gaps", ask)
	only := get(v, "crawls.0.run.options.only").([]any)
	if want := []any{root + "motor-torque", root + "torque"}; !slices.Equal(only, want) ||
		get(v, "crawls.0.site.id") != string(site.ID) {
		t.Errorf("got %v", v)
	}
	if w := h.call("POST", "/gaps", ask); w.Code != http.StatusConflict {
		t.Errorf("a second one: %d %s", w.Code, w.Body)
	}
	ask["query"] = "xylophone"
	v = h.json(http.StatusOK, "POST", "/gaps", ask)
	if !strings.Contains(strings.Join(codesOf(v), " "), "nothing_to_crawl") {
		t.Errorf("nothing fits, and the reply is %v", v)
	}
	// generated clients send every default
	v = h.json(http.StatusOK, "POST", "/gaps", map[string]any{"query": "torque", "limit": 10,
		"crawl": false, "max_pages": 10})
	if len(codesOf(v)) > 0 || get(v, "query") != "torque" {
		t.Errorf("a request with all defaults gave %v", v)
	}
}

func codesOf(v map[string]any) (codes []string) {
	for _, w := range v["warnings"].([]any) {
		codes = append(codes, w.(map[string]any)["code"].(string))
	}
	return codes
}

// A search for a gap is a read; a crawl for it is not.
func TestAReaderCrawlsNothingForAGap(t *testing.T) {
	h := newHome(t, Options{})
	h.h = New(h.app, []string{readToken, writeToken}, Options{})
	for entry, want := range map[string]int{readToken: http.StatusForbidden, writeToken: http.StatusOK} {
		if w := h.call("POST", "/gaps", `{"query": "torque", "crawl": true}`, bearer(entry)...); w.Code != want {
			t.Errorf("%s: %d %s", entry, w.Code, w.Body)
		}
	}
}
