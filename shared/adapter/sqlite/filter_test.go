package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// TestFilterInSQLIsFilterMatch compares what the index finds under random filters
// with wstk.Filter.Match, which says what a filter means.
func TestFilterInSQLIsFilterMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	pageURL := func() string {
		return one("http", "https") + "://" + one("", "www.", "a.") + one("example.com", "example.org", "xample.com", "127.0.0.1", "[::1]") +
			one("", "", ":80", ":443", ":8080") + one("/", "/a", "/a/", "/a/b", "/A/b", "/a%2Fb", "/a_b", "/ab?x=1", "/a?x", "/a?x=1", "/%25", "//a")
	}
	x := open(t, t.TempDir()).EagerIndex()
	start := time.Unix(1_700_000_000, 0).UTC()
	pages := map[string]wstk.PageIndex{}
	for i := range 150 {
		p := faultPage(pageURL())
		p.Site, p.FetchedAt = wstk.SiteID(fmt.Sprint("site_", r.IntN(3))),
			start.Add(time.Duration(i)*time.Hour)
		if err := x.Replace(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		pages[p.URL] = p
	}
	rule := func() string {
		u := pageURL()
		switch r.IntN(5) {
		case 0:
			return fmt.Sprint("site_", r.IntN(4))
		case 1:
			return one("example.com", "example.org", "EXAMPLE.com", "com", "www.example.org", "xample.com", "127.0.0.1", "0.1", "[::1]", "%", "") +
				one("", ":8080", ":443", "/a", "/a/", "/a_b")
		case 2:
			return u[:r.IntN(len(u)+1)]
		}
		return u
	}
	matched := 0
	for range 400 {
		var f wstk.Filter
		for range r.IntN(3) {
			f.IncludeSites = append(f.IncludeSites, rule())
		}
		for range r.IntN(3) {
			f.ExcludeSites = append(f.ExcludeSites, rule())
		}
		if r.IntN(3) == 0 {
			f.MinDate = start.Add(time.Duration(r.IntN(150)) * time.Hour)
		}
		var want []string
		for url, p := range pages {
			if f.Match(p.Site, url, p.FetchedAt) {
				want = append(want, url)
			}
		}
		hits, err := x.Search(t.Context(),
			wstk.IndexQuery{Terms: []wstk.QueryTerm{{Token: "title", Weight: 1}}, Filter: f, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range hits {
			if !slices.Contains(got, h.URL) {
				got = append(got, h.URL)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v\n got %q\nwant %q", f, got, want)
		}
		if len(want) > 0 && len(want) < len(pages) {
			matched++
		}
	}
	if matched < 100 {
		t.Errorf("only %d filters told pages apart", matched)
	}
}
