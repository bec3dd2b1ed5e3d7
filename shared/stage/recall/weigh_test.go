package recall_test

import (
	"fmt"
	"testing"

	"wstk/shared/stage/recall"
	"wstk/shared/wstk"
)

// In RRF, meaning counts .6 and words .4, and the other way round for a query with a name, an
// identifier or a rare term.
func TestWhatIsSpecificCountsByItsWords(t *testing.T) {
	pages := []page{{url: "x", title: "x", paragraphs: []string{"The zymurgy of SQLite and " +
		"sqlite3_open, and plain words."}}}
	for i := range 12 {
		pages = append(pages, page{url: fmt.Sprint("p", i), title: "t", paragraphs: []string{
			fmt.Sprintf("Plain words about boats, and a boat, number %d.", i)}})
	}
	w := build(t, pages...)
	id := ask(t, w, recall.Query{Text: "zymurgy", Kind: wstk.KindChunk}).Hits[0].ID
	for query, specific := range map[string]bool{
		"plain words":            false,
		"Plain words":            false, // a capital at the beginning
		"words on Boats":         true,  // a name
		"words of sqlite3_open":  true,
		"plain zymurgy":          true,  // rare
		"plain words nonsensely": false, // in no passage
	} {
		r := ask(t, w, recall.Query{Text: query, Kind: wstk.KindChunk}, func(s *recall.Stage) {
			s.Legs = []recall.Leg{fixed{ids: []string{id}}}
			s.Config.Fusion, s.Config.Expand = recall.RRF, 0
			s.Config.PageWeight, s.Config.SummaryWeight, s.Config.MeaningOfSummaries = 0, 0, 0
		})
		want := map[string]float64{"bm25": .4, "vector": .6}
		if specific {
			want = map[string]float64{"bm25": .6, "vector": .4}
		}
		seen := map[string]bool{}
		for _, h := range r.Hits {
			for _, l := range h.Legs {
				if seen[l.Name] = true; want[l.Name] != 0 && l.Weight != want[l.Name] {
					t.Errorf("%q: %s has the weight %g, want %g", query, l.Name, l.Weight,
						want[l.Name])
				}
			}
		}
		if !seen["bm25"] || !seen["vector"] {
			t.Errorf("%q: legs are %v", query, seen)
		}
	}
	// words alone have no shares, and zscore knows none
	for _, how := range []recall.Fusion{recall.RRF, recall.ZScore} {
		r := ask(t, w, recall.Query{Text: "plain words"}, func(s *recall.Stage) {
			s.Config.Fusion = how
			if how == recall.ZScore {
				s.Legs = []recall.Leg{fixed{ids: []string{id}}}
			}
		})
		for _, l := range r.Hits[0].Legs {
			if l.Name == "bm25" && l.Weight != 1 {
				t.Errorf("%s: bm25 has the weight %g", how, l.Weight)
			}
		}
	}
}

// A summary that is found by its meaning brings up the best passage of its page, and a query for
// summaries gets the summary.
func TestSummariesAreFoundByTheirMeaning(t *testing.T) {
	w := build(t, boats...)
	summary := ask(t, w, recall.Query{Text: "harbour", Kind: wstk.KindSummary}).Hits[0]
	if summary.URL == "" || summary.Kind != wstk.KindSummary {
		t.Fatalf("found %+v", summary)
	}
	by := func(weight float64) func(*recall.Stage) {
		return func(s *recall.Stage) {
			s.Legs = []recall.Leg{fixed{ids: []string{summary.ID}}}
			s.Config.MeaningOfSummaries = weight
		}
	}
	of := func(r recall.Result) (found *wstk.Hit) {
		for _, h := range r.Hits {
			for _, l := range h.Legs {
				if l.Name == "vector of summary" && l.Weight == .25 {
					return &h
				}
			}
		}
		return nil
	}
	h := of(ask(t, w, recall.Query{Text: "boat"}, by(.5)))
	if h == nil || h.URL != summary.URL || h.Kind != wstk.KindChunk {
		t.Errorf("found %+v, want the passage of the page", h)
	}
	if h := of(ask(t, w, recall.Query{Text: "boat"}, by(0))); h != nil {
		t.Errorf("without a weight: found %+v", h)
	}
	if h := of(ask(t, w, recall.Query{Text: "house"}, by(.5))); h == nil ||
		h.Kind != wstk.KindSummary {
		t.Errorf("no passage of the page was found: %+v, want its summary", h)
	}
	r := ask(t, w, recall.Query{Text: "house", Kind: wstk.KindSummary}, by(.5))
	if last := r.Hits[len(r.Hits)-1]; len(r.Hits) != 2 || last.ID != summary.ID &&
		r.Hits[0].ID != summary.ID {
		t.Errorf("a query for summaries found %+v", r.Hits)
	}
}
