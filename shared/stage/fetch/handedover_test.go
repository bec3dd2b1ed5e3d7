package fetch_test

import (
	"testing"

	"wstk/shared/wstk"
)

// A page that a service handed over says so, is another snapshot than the fetch before it, and
// keeps what the site said of its use.
func TestHandedOver(t *testing.T) {
	w := newWorld(t)
	before := wstk.Snapshot{FetchedAt: w.now(), Rights: &wstk.Rights{}}
	got, err := w.HandedOver(t.Context(), "https://tides.example/app",
		wstk.Scraped{Body: []byte("<p>High water"), ContentType: "text/html"}, "firecrawl_endpoint",
		before)
	if err != nil {
		t.Fatal(err)
	}
	s := got.Snapshot
	if s.FetchedBy != "firecrawl_endpoint" || s.Method != wstk.MethodProvided ||
		s.Rights != before.Rights || !s.FetchedAt.After(before.FetchedAt) ||
		s.Verdict != wstk.VerdictOK {
		t.Errorf("got %+v", s)
	}
	mine, err := w.Provided(t.Context(), "https://tides.example/app", []byte("<p>x"), "")
	if err != nil || mine.Snapshot.FetchedBy != "" {
		t.Errorf("a page that a person gave: %+v, %v", mine.Snapshot, err)
	}
}
