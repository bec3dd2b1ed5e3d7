package opensearch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Pages that the index does not show yet are found, and counted, as if it showed them. Whether it
// does makes no difference.
func TestLatePagesRankAsTheyWill(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	var pages []wstk.PageIndex
	for i := range 12 {
		p := page(i, "")
		p.URL = fmt.Sprintf("https://%c.example/%d", 'a'+i%3, i)
		p.TextSHA256 = wstk.HashOf([]byte(p.URL))
		p.FetchedAt = day.Add(time.Duration(i) * time.Hour)
		p.Entries = nil
		for j := range 5 {
			id := fmt.Sprintf("ch_%d_%d", i, j)
			e := wstk.Entry{ID: id, Kind: wstk.KindChunk, Chunk: &wstk.Chunk{ID: id, Seq: j},
				Title: []string{"w1"}}
			if j == 4 {
				e = wstk.Entry{ID: id, Kind: wstk.KindSummary, Summary: &wstk.Summary{URL: p.URL}}
			}
			for range 1 + r.IntN(30) {
				e.Body = append(e.Body, fmt.Sprintf("w%d", r.IntN(20)))
			}
			p.Entries = append(p.Entries, e)
		}
		pages = append(pages, p)
	}
	late := pages[8:]
	all, some, none := open(t), open(t), open(t)
	for i, p := range pages {
		if err := all.Replace(bg, p); err != nil {
			t.Fatal(err)
		}
		if i >= 8 {
			continue
		}
		if err := some.Replace(bg, p); err != nil {
			t.Fatal(err)
		}
	}
	queries := []wstk.IndexQuery{{}, {Kind: wstk.KindChunk}, {Kind: wstk.KindSummary}, {Limit: 3},
		{Pages: []string{pages[2].URL, pages[10].URL}},
		{Filter: wstk.Filter{IncludeSites: []string{"b.example"}}},
		{Filter: wstk.Filter{ExcludeSites: []string{"b.example"}}},
		{Filter: wstk.Filter{MinDate: pages[10].FetchedAt}}}
	for n, q := range queries {
		q.Terms = []wstk.QueryTerm{{Token: "w3", Weight: 1}, {Token: "w7", Weight: 0.4}}
		want := search12(t, all, q, nil)
		if len(want) == 0 {
			t.Fatalf("query %d finds nothing", n)
		}
		if got := search12(t, some, q, late); !slices.Equal(got, want) {
			t.Errorf("query %d, not shown:\n%v\nwant\n%v", n, got, want)
		}
		if got := search12(t, all, q, late); !slices.Equal(got, want) {
			t.Errorf("query %d, shown:\n%v\nwant\n%v", n, got, want)
		}
		if got := search12(t, none, q, pages); !slices.Equal(got, want) {
			t.Errorf("query %d, without an index:\n%v\nwant\n%v", n, got, want)
		}
	}
}

// search12 are the hits of a query with their scores, to twelve digits: sums have no order.
func search12(t *testing.T, x *Index, q wstk.IndexQuery, late []wstk.PageIndex) (out []string) {
	t.Helper()
	q.Late = late
	hits, err := x.Search(bg, q)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s %s %.12g", h.ID, h.URL, h.Score))
	}
	return out
}

// Of a page that was written again, the late text counts and not the one that is shown.
func TestALateTextReplacesTheOneShown(t *testing.T) {
	x := open(t)
	was := page(1, "red apple")
	if err := x.Replace(bg, was); err != nil {
		t.Fatal(err)
	}
	now := page(1, "red plum")
	now.TextSHA256, now.FetchedAt = "another", was.FetchedAt.Add(time.Hour)
	x.Current = func(context.Context, []string) (map[string]wstk.Hash, error) {
		return map[string]wstk.Hash{now.URL: now.TextSHA256}, nil
	}
	got := search12(t, x, wstk.IndexQuery{Terms: []wstk.QueryTerm{{Token: "red", Weight: 1},
		{Token: "plum", Weight: 1}}}, []wstk.PageIndex{now})
	if len(got) != 1 {
		t.Errorf("%v", got)
	}
	hits, err := x.Search(bg, wstk.IndexQuery{Late: []wstk.PageIndex{now},
		Terms: []wstk.QueryTerm{{Token: "apple", Weight: 1}}})
	if err != nil || len(hits) > 0 {
		t.Errorf("%v, %v", hits, err)
	}
}
