package wstktest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Index checks the promises of wstk.Index.
func Index(t *testing.T, open func(t *testing.T) wstk.Index, features ...Features[wstk.Index]) {
	s := indexSuite{newSuite(t, open, features)}
	s.run("EveryFieldComesBack", s.everyFieldComesBack)
	s.run("GetMissingEntryIsNotFound", s.getMissingEntryIsNotFound)
	s.run("OneTermIsEnough", s.oneTermIsEnough)
	s.run("NoMatchIsAnEmptyList", s.noMatchIsAnEmptyList)
	s.run("TokensMatchExactly", s.tokensMatchExactly)
	s.run("RarerTermsCountMore", s.rarerTermsCountMore)
	s.run("MoreOccurrencesCountMore", s.moreOccurrencesCountMore)
	s.run("ShortTextsCountMore", s.shortTextsCountMore)
	s.run("TitleOverHeadingOverBody", s.titleOverHeadingOverBody)
	s.run("WeightsCount", s.weightsCount)
	s.run("EqualScoresAreInOrderOfID", s.equalScoresAreInOrderOfID)
	s.run("LimitBoundsTheList", s.limitBoundsTheList)
	s.run("FiltersNarrow", s.filtersNarrow)
	s.run("FiltersDoNotChangeScores", s.filtersDoNotChangeScores)
	s.run("KindNarrows", s.kindNarrows)
	s.run("ReplaceForgetsWhatWas", s.replaceForgetsWhatWas)
	s.run("ReplaceTwiceIsReplaceOnce", s.replaceTwiceIsReplaceOnce)
	s.run("AnEntryTwiceOnAPageCountsOnce", s.anEntryTwiceOnAPageCountsOnce)
	s.run("AnOlderFetchIsIgnored", s.anOlderFetchIsIgnored)
	s.run("RemoveForgetsThePage", s.removeForgetsThePage)
	s.run("APageWithoutEntriesIsAPage", s.aPageWithoutEntriesIsAPage)
	s.run("WhatMakesNoSenseIsInvalid", s.whatMakesNoSenseIsInvalid)
	s.run("LinksLeadToPagesOfTheIndex", s.linksLeadToPagesOfTheIndex)
	s.run("ATargetMayComeLater", s.aTargetMayComeLater)
	s.run("StatsCount", s.statsCount)
	s.run("CallersKeepTheirEntries", s.callersKeepTheirEntries)
	s.run("CancelledChangesNothing", s.cancelledChangesNothing)
	s.pair("ManyReplaceAtOnce", s.manyReplaceAtOnce)

	if !s.TornReplace {
		s.pair("ReadersSeeTheOldOrTheNew", s.readersSeeTheOldOrTheNew)
	}
	s.pair("HandlesShareTheIndex", s.handlesShareTheIndex)

	if !s.OwnScores {
		s.run("ScoresAreBM25", func(t *testing.T, x wstk.Index) { scoresAreBM25(t, x, s.soon) })
	}
}

type indexSuite struct{ suite[wstk.Index] }

func (s indexSuite) replace(t *testing.T, x wstk.Index, pages ...wstk.PageIndex) {
	t.Helper()
	for _, p := range pages {
		must(t, x.Replace(bg, p))
	}
}

// finds checks which entries a query gives, in order.
func (s indexSuite) finds(t *testing.T, x wstk.Index, q wstk.IndexQuery, want ...string) {
	t.Helper()
	s.soon(t, func() error {
		hits, err := x.Search(bg, q)
		if err != nil {
			return err
		}
		return same(fmt.Sprintf("%+v", q), ids(hits, func(h wstk.IndexHit) string { return h.ID }),
			append([]string{}, want...))
	})
}

func (s indexSuite) everyFieldComesBack(t *testing.T, x wstk.Index) {
	p := fullPage()
	must(t, x.Replace(bg, p))
	hit := wstk.IndexHit{URL: p.URL, Site: p.Site, CanonicalURL: p.CanonicalURL, Title: p.Title,
		FetchedAt: p.FetchedAt, PublishedAt: p.PublishedAt}
	chunk, summary := hit, hit
	chunk.ID, chunk.Kind, chunk.Chunk = p.Entries[0].ID, wstk.KindChunk, p.Entries[0].Chunk
	summary.ID, summary.Kind, summary.Summary = p.Entries[1].ID, wstk.KindSummary,
		p.Entries[1].Summary
	for _, want := range []wstk.IndexHit{chunk, summary} {
		s.soon(t, func() error {
			got, err := x.Entry(bg, want.ID)
			if err != nil {
				return err
			}
			return same("Entry", got, want)
		})
	}
	for token, want := range map[string]wstk.IndexHit{"wort": chunk, "zusammenfassung": summary} {
		hits, err := x.Search(bg, query(token))
		must(t, err)
		if len(hits) != 1 || hits[0].Score <= 0 {
			t.Fatalf("search gave %+v", hits)
		}
		want.Score = hits[0].Score
		wantSame(t, "Search", hits[0], want)
	}
}

func (s indexSuite) getMissingEntryIsNotFound(t *testing.T, x wstk.Index) {
	_, err := x.Entry(bg, "ch_none")
	wantCode(t, "Entry", err, wstk.NotFound)
}

func (s indexSuite) oneTermIsEnough(t *testing.T, x wstk.Index) {
	s.replace(t, x, pageWith(1, "red apple"), pageWith(2, "green apple"), pageWith(3, "blue plum"),
		pageWith(4, "old hat"), pageWith(5, "new hat"))
	s.finds(t, x, query("plum", "nowhere"), entryID(3))
	s.finds(t, x, query("red", "blue"), byID(entryID(1), entryID(3))...)
}

func (s indexSuite) noMatchIsAnEmptyList(t *testing.T, x wstk.Index) {
	s.finds(t, x, query("apple"))
	s.replace(t, x, pageWith(1, "red apple"))
	s.finds(t, x, query("pear"))
	s.finds(t, x, query())
	s.finds(t, x, query(""))
	s.finds(t, x, wstk.IndexQuery{
		Terms: []wstk.QueryTerm{{Token: "apple"}, {Token: "red", Weight: -1}}})
}

func (s indexSuite) tokensMatchExactly(t *testing.T, x wstk.Index) {
	// none of these is cut, folded or taken for syntax
	tokens := []string{"apple", "Apple", "apples", "c", "c++", "c#", "3.14", "3", "14", "a-b", "a",
		"b", "a_b", "a b", "köln", "koln", "KÖLN",
		"größe", "中文", "中", "文", "🍎", "e\u0301", "é", "z", "zz", "z61", "za1", "a1", `"`, `""`, "'",
		"*", "a*", "^a", "a:b", "body", "title:a", "AND", "OR", "NOT",
		"NEAR", "(", ")", "(a)", "{a}", "+", "-", ".", ",", "\\", "%", "$1", "?", "\x00", "a\x00b",
		"\t", "\u00a0", "\u200d", "\xff", "\xc3", strings.Repeat("x", 300),
		strings.Repeat("x", 301)}
	var all []wstk.PageIndex
	for i, token := range tokens {
		p := pageWith(i, "")
		p.Entries[0].Body = []string{token}
		all = append(all, p)
	}
	s.replace(t, x, all...)
	for i, token := range tokens {
		s.finds(t, x, query(token), entryID(i))
	}
}

func (s indexSuite) rarerTermsCountMore(t *testing.T, x wstk.Index) {
	for i := range 20 {
		s.replace(t, x, pageWith(i, fmt.Sprintf("common word%d filler filler", i)))
	}
	s.replace(t, x, pageWith(20, "rare word20 filler filler"),
		pageWith(21, "common word21 rare filler"))
	s.finds(t, x, limited(query("common", "rare"), 2), entryID(21), entryID(20))
}

func (s indexSuite) moreOccurrencesCountMore(t *testing.T, x wstk.Index) {
	s.replace(t, x, filler(20)...)
	s.replace(t, x, pageWith(31, "apple b c d"), pageWith(32, "apple apple c d"),
		pageWith(33, "apple apple apple d"))
	s.finds(t, x, query("apple"), entryID(33), entryID(32), entryID(31))
}

func (s indexSuite) shortTextsCountMore(t *testing.T, x wstk.Index) {
	s.replace(t, x, filler(20)...)
	s.replace(t, x, pageWith(31, "apple"+strings.Repeat(" filler", 30)),
		pageWith(32, "apple"+strings.Repeat(" filler", 3)))
	s.finds(t, x, query("apple"), entryID(32), entryID(31))
}

func (s indexSuite) titleOverHeadingOverBody(t *testing.T, x wstk.Index) {
	s.replace(t, x, filler(20)...)
	for i := range 3 {
		p := pageWith(30+i, "")
		fields := [3][]string{{"a", "b"}, {"c", "d"}, {"e", "f"}}
		fields[i][0] = "apple"
		p.Entries[0].Body, p.Entries[0].Heading, p.Entries[0].Title = fields[0],
			fields[1], fields[2]
		s.replace(t, x, p)
	}
	s.finds(t, x, query("apple"), entryID(32), entryID(31), entryID(30))
}

func (s indexSuite) weightsCount(t *testing.T, x wstk.Index) {
	s.replace(t, x, filler(20)...)
	s.replace(t, x, pageWith(31, "red x"), pageWith(32, "blue x"), pageWith(33, "green x"),
		pageWith(34, "red blue"))
	q := func(red, blue, green float64) wstk.IndexQuery {
		return wstk.IndexQuery{Terms: []wstk.QueryTerm{{Token: "red", Weight: red},
			{Token: "blue", Weight: blue}, {Token: "green", Weight: green}}}
	}
	s.finds(t, x, q(1, 0.5, 0.2), entryID(34), entryID(31), entryID(32), entryID(33))
	s.finds(t, x, q(0.2, 0.5, 3), entryID(33), entryID(34), entryID(32), entryID(31))
	// a token that comes twice counts with both weights
	twice := q(0.6, 1, 0)
	twice.Terms = append(twice.Terms, wstk.QueryTerm{Token: "red", Weight: 0.6})
	s.finds(t, x, twice, entryID(34), entryID(31), entryID(32))
}

func (s indexSuite) equalScoresAreInOrderOfID(t *testing.T, x wstk.Index) {
	var want []string
	for i := range 40 {
		p := pageWith(i, "the same everywhere")
		s.replace(t, x, p)
		want = append(want, p.Entries[0].ID)
	}
	slices.Sort(want)
	s.finds(t, x, limited(query("same"), 100), want...)
	s.finds(t, x, limited(query("same", "everywhere"), 7), want[:7]...)
	weighted := limited(query("same", "everywhere"), 7)
	weighted.Terms[1].Weight = 0.3
	s.finds(t, x, weighted, want[:7]...)
}

func (s indexSuite) limitBoundsTheList(t *testing.T, x wstk.Index) {
	for i := range 60 {
		s.replace(t, x, pageWith(i, "apple"+strings.Repeat(" x", i)))
	}
	for limit, want := range map[int]int{1: 1, 10: 10, 60: 60, 100: 60, 0: 50} {
		s.soon(t, func() error {
			hits, err := x.Search(bg, limited(query("apple"), limit))
			if err != nil {
				return err
			}
			if !slices.IsSortedFunc(hits, func(a, b wstk.IndexHit) int {
				if a.Score > b.Score || a.Score == b.Score && a.ID < b.ID {
					return -1
				}
				return 1
			}) {
				return fmt.Errorf("limit %d: the hits are not in order", limit)
			}
			return same(fmt.Sprint("hits for limit ", limit), len(hits), want)
		})
	}
}

func (s indexSuite) filtersNarrow(t *testing.T, x wstk.Index) {
	site := func(i int, id wstk.SiteID, url string, hour int) wstk.PageIndex {
		p := pageWith(i, "apple")
		p.Site, p.URL, p.CanonicalURL, p.FetchedAt = id, url, url,
			day.Add(time.Duration(hour)*time.Hour)
		p.Entries[0].Chunk.URL = url
		return p
	}
	s.replace(t, x,
		site(1, "site_a", "https://a.example/docs/1", 1),
		site(2, "site_a", "https://a.example/docs2", 2),
		site(3, "site_b", "https://www.b.example/", 3),
		site(4, "site_b", "http://b.example:8080/docs?x=1", 4),
		site(5, "site_c", "https://notb.example/100%25_off", 5))
	for _, c := range []struct {
		f    wstk.Filter
		want []int
	}{
		{wstk.Filter{}, []int{1, 2, 3, 4, 5}},
		{wstk.Filter{IncludeSites: []string{"site_a"}}, []int{1, 2}},
		{wstk.Filter{IncludeSites: []string{"a.example"}}, []int{1, 2}},
		{wstk.Filter{IncludeSites: []string{"b.example"}}, []int{3, 4}},
		{wstk.Filter{IncludeSites: []string{"b.example:8080"}}, []int{4}},
		{wstk.Filter{IncludeSites: []string{"b.example:443"}}, []int{3}},
		{wstk.Filter{IncludeSites: []string{"https://b.example/"}}, []int{}},
		{wstk.Filter{IncludeSites: []string{"https://a.example/docs"}}, []int{1}},
		{wstk.Filter{IncludeSites: []string{"https://a.example/docs2"}}, []int{2}},
		{wstk.Filter{IncludeSites: []string{"https://a.example/DOCS"}}, []int{}},
		{wstk.Filter{IncludeSites: []string{"https://a.example/docs/"}}, []int{1}},
		{wstk.Filter{IncludeSites: []string{"https://a.example/docs/1"}}, []int{1}},
		{wstk.Filter{IncludeSites: []string{"A.Example/docs"}}, []int{1}},
		{wstk.Filter{IncludeSites: []string{"https://A.example:443/"}}, []int{1, 2}},
		{wstk.Filter{IncludeSites: []string{"http://b.example:8080/docs?x=1"}}, []int{4}},
		{wstk.Filter{IncludeSites: []string{"http://b.example:8080/docs?x"}}, []int{}},
		{wstk.Filter{IncludeSites: []string{"_.example", "%.example", ".example", "example"}},
			[]int{1, 2, 3, 4, 5}},
		{wstk.Filter{IncludeSites: []string{"_.example", "%.example", "xample"}}, []int{}},
		{wstk.Filter{IncludeSites: []string{"http://b.example:8080/docs"}}, []int{4}},
		{wstk.Filter{IncludeSites: []string{"https://notb.example/100%25_off"}}, []int{5}},
		{wstk.Filter{IncludeSites: []string{"https://notb.example/100%25%"}}, []int{}},
		{wstk.Filter{IncludeSites: []string{"%"}}, []int{}},
		{wstk.Filter{IncludeSites: []string{"site_a", "https://www.b.example:443"}}, []int{1, 2, 3}},
		{wstk.Filter{ExcludeSites: []string{"site_a", "notb.example"}}, []int{3, 4}},
		{wstk.Filter{IncludeSites: []string{"site_a"}, ExcludeSites: []string{"https://a.example/docs/"}}, []int{2}},
		{wstk.Filter{MinDate: day.Add(3 * time.Hour)}, []int{3, 4, 5}},
		{wstk.Filter{MinDate: day.AddDate(300, 0, 0)}, []int{}},
		{wstk.Filter{MinDate: day.AddDate(-400, 0, 0), IncludeSites: []string{"site_a"}},
			[]int{1, 2}},
		{wstk.Filter{MinDate: day.Add(3*time.Hour + 1)}, []int{4, 5}},
		{wstk.Filter{MinDate: day.Add(time.Hour * 2), IncludeSites: []string{"site_a"}}, []int{2}},
	} {
		s.finds(t, x, wstk.IndexQuery{Terms: query("apple").Terms, Filter: c.f},
			byID(ids(c.want, entryID)...)...)
	}
	only := query("apple")
	only.Pages = []string{"https://a.example/docs2", "https://notb.example/100%25_off", "https://nobody.example/"}
	s.finds(t, x, only, byID(entryID(2), entryID(5))...)
	only.Filter.ExcludeSites = []string{"site_c"}
	s.finds(t, x, only, entryID(2))
}

func (s indexSuite) filtersDoNotChangeScores(t *testing.T, x wstk.Index) {
	var all []wstk.PageIndex
	for i := range 20 {
		p := pageWith(i, fmt.Sprintf("apple w%d%s", i, strings.Repeat(" x", i)))
		p.Site = wstk.SiteID(fmt.Sprint("site_", i%2))
		all = append(all, p)
	}
	s.replace(t, x, all...)
	s.soon(t, func() error {
		free, err := x.Search(bg, query("apple", "x"))
		if err != nil {
			return err
		}
		var want []wstk.IndexHit
		for _, h := range free {
			if h.Site == "site_1" {
				want = append(want, h)
			}
		}
		q := query("apple", "x")
		q.Filter.IncludeSites = []string{"site_1"}
		got, err := x.Search(bg, q)
		if err != nil {
			return err
		}
		if len(got) != 10 {
			return fmt.Errorf("%d hits on one site, want 10", len(got))
		}
		return same("hits on one site", got, want)
	})
}

func (s indexSuite) kindNarrows(t *testing.T, x wstk.Index) {
	p := pageWith(1, "apple pie")
	p.Entries = append(p.Entries, summaryEntry(p.URL, "apple"))
	s.replace(t, x, p, pageWith(2, "plum"), pageWith(3, "pear"), pageWith(4, "fig"))
	q := query("apple")
	s.finds(t, x, q, p.Entries[1].ID, p.Entries[0].ID)
	q.Kind = wstk.KindChunk
	s.finds(t, x, q, p.Entries[0].ID)
	q.Kind = wstk.KindSummary
	s.finds(t, x, q, p.Entries[1].ID)
}

func (s indexSuite) replaceForgetsWhatWas(t *testing.T, x wstk.Index) {
	p := pageWith(1, "old words")
	p.Entries = append(p.Entries, chunkEntry(p.URL, 1, "more old words"))
	p.Links = links("https://a.example/002")
	s.replace(t, x, p, pageWith(2, "another page"))
	n := pageWith(1, "new words")
	n.FetchedAt = day.Add(time.Hour)
	n.TextSHA256, n.Entries[0].Chunk.TextSHA256 = hashOf("new"), hashOf("new")
	s.replace(t, x, n)
	s.finds(t, x, query("old"))
	s.finds(t, x, query("words"), entryID(1))
	_, err := x.Entry(bg, p.Entries[1].ID)
	wantCode(t, "an entry of before", err, wstk.NotFound)
	s.soon(t, func() error {
		to, err := x.Links(bg, p.URL, 10)
		if err != nil {
			return err
		}
		if len(to) != 0 {
			return fmt.Errorf("a link of before: %+v", to)
		}
		st, err := x.Stats(bg)
		if err != nil {
			return err
		}
		return same("stats", st, wstk.IndexStats{Pages: 2, Chunks: 2})
	})
}

func (s indexSuite) replaceTwiceIsReplaceOnce(t *testing.T, x wstk.Index) {
	p := pageWith(1, "apple apple pie")
	p.Entries = append(p.Entries, chunkEntry(p.URL, 1, "apple"), summaryEntry(p.URL, "pie"))
	p.Links = links("https://a.example/001", "https://a.example/002")
	s.replace(t, x, p, pageWith(2, "plum"), pageWith(3, "fig"), pageWith(4, "fig"),
		pageWith(5, "fig"))
	var first []wstk.IndexHit
	s.soon(t, func() (err error) {
		if first, err = x.Search(bg, query("apple", "pie")); err != nil {
			return err
		}
		return same("hits", len(first), 3)
	})
	s.replace(t, x, p, p)
	s.soon(t, func() error {
		again, err := x.Search(bg, query("apple", "pie"))
		if err != nil {
			return err
		}
		if err := same("hits", again, first); err != nil {
			return err
		}
		st, err := x.Stats(bg)
		if err != nil {
			return err
		}
		return same("stats", st, wstk.IndexStats{Pages: 5, Chunks: 6, Summaries: 1, Links: 2})
	})
}

func (s indexSuite) anEntryTwiceOnAPageCountsOnce(t *testing.T, x wstk.Index) {
	p := pageWith(1, "apple")
	p.Entries = append(p.Entries, p.Entries[0])
	s.replace(t, x, p, pageWith(2, "plum"), pageWith(3, "plum"))
	s.finds(t, x, query("apple"), entryID(1))
	s.soon(t, func() error {
		st, err := x.Stats(bg)
		if err != nil {
			return err
		}
		return same("chunks", st.Chunks, 3)
	})
}

func (s indexSuite) anOlderFetchIsIgnored(t *testing.T, x wstk.Index) {
	p := pageWith(1, "new")
	s.replace(t, x, p, pageWith(2, "other"), pageWith(3, "other"))
	s.soon(t, func() error {
		st, err := x.Stats(bg)
		if err != nil {
			return err
		}
		return same("pages", st.Pages, 3)
	})
	old := pageWith(1, "old")
	old.FetchedAt = p.FetchedAt.Add(-time.Nanosecond)
	s.replace(t, x, old)
	s.finds(t, x, query("old"))
	s.finds(t, x, query("new"), entryID(1))
	must(t, x.Remove(bg, p.URL))
	s.finds(t, x, query("new"))
	s.replace(t, x, old) // nothing newer is held any more
	s.finds(t, x, query("old"), entryID(1))
}

func (s indexSuite) removeForgetsThePage(t *testing.T, x wstk.Index) {
	p := pageWith(1, "apple")
	p.Entries = append(p.Entries, summaryEntry(p.URL, "apple"))
	p.Links = links("https://a.example/002")
	q := pageWith(2, "apple plum")
	q.Links = links("https://a.example/001")
	s.replace(t, x, p, q, pageWith(3, "fig"), pageWith(4, "fig"))
	must(t, x.Remove(bg, p.URL))
	s.finds(t, x, query("apple"), entryID(2))
	for _, e := range p.Entries {
		_, err := x.Entry(bg, e.ID)
		wantCode(t, "an entry", err, wstk.NotFound)
	}
	s.soon(t, func() error {
		for _, url := range []string{p.URL, q.URL} {
			if to, err := x.Links(bg, url, 10); err != nil || len(to) != 0 {
				return fmt.Errorf("links of %s: %+v, %v", url, to, err)
			}
		}
		st, err := x.Stats(bg)
		if err != nil {
			return err
		}
		return same("stats", st, wstk.IndexStats{Pages: 3, Chunks: 3, Links: 1})
	})
	must(t, x.Remove(bg, p.URL))
	must(t, x.Remove(bg, "https://nobody.example/"))
}

func (s indexSuite) aPageWithoutEntriesIsAPage(t *testing.T, x wstk.Index) {
	p, q := pageWith(1, "apple"), pageWith(2, "plum")
	p.Entries, p.Links = nil, links(q.URL)
	q.Links = links(p.URL)
	s.replace(t, x, p, q)
	s.soon(t, func() error {
		to, err := x.Links(bg, q.URL, 10)
		if err != nil {
			return err
		}
		return same("links", to,
			[]wstk.LinkTo{{URL: p.URL, Text: "to 001", Main: true, InShare: 0.5}})
	})
}

func (s indexSuite) whatMakesNoSenseIsInvalid(t *testing.T, x wstk.Index) {
	good := pageWith(1, "apple")
	for name, change := range map[string]func(*wstk.PageIndex){
		"no URL":       func(p *wstk.PageIndex) { p.URL = "" },
		"no id":        func(p *wstk.PageIndex) { p.Entries[0].ID = "" },
		"no chunk":     func(p *wstk.PageIndex) { p.Entries[0].Chunk = nil },
		"no such kind": func(p *wstk.PageIndex) { p.Entries[0].Kind = "picture" },
		"no summary":   func(p *wstk.PageIndex) { p.Entries[0].Kind = wstk.KindSummary },
		"only one of many": func(p *wstk.PageIndex) {
			p.Entries = append(p.Entries, wstk.Entry{ID: "x"})
		},
	} {
		p := pageWith(1, "apple")
		change(&p)
		wantCode(t, name, x.Replace(bg, p), wstk.Invalid)
	}
	s.finds(t, x, query("apple"))
	s.replace(t, x, good, pageWith(2, "plum"), pageWith(3, "plum"))
	s.finds(t, x, query("apple"), entryID(1))
}

func (s indexSuite) linksLeadToPagesOfTheIndex(t *testing.T, x wstk.Index) {
	// 1 and 2 link to 3 and 4; 4 has its first main chunk in third place
	p1, p2, p3, p4 := pageWith(1, "a"), pageWith(2, "b"), pageWith(3, "c"), pageWith(4, "d")
	p1.Links = links(p4.URL, "https://gone.example/", p3.URL, p1.URL)
	p1.Links[2].Main = false
	p2.Links = links(p3.URL, p3.URL)
	p4.Entries[0].Chunk.Main = false
	p4.Entries = append(p4.Entries, chunkEntry(p4.URL, 5, "late"), chunkEntry(p4.URL, 2, "first"),
		summaryEntry(p4.URL, "s"))
	p5 := pageWith(5, "e")
	p5.URL, p5.Site, p5.Links = "https://other.example/", "site_other", links(p3.URL)
	p5.Entries[0] = chunkEntry(p5.URL, 0, "e")
	s.replace(t, x, p1, p2, p3, p4, p5)
	check := func(url string, limit int, want ...wstk.LinkTo) {
		t.Helper()
		s.soon(t, func() error {
			to, err := x.Links(bg, url, limit)
			if err != nil {
				return err
			}
			return same("links of "+url, append([]wstk.LinkTo{}, to...),
				append([]wstk.LinkTo{}, want...))
		})
	}
	to4 := wstk.LinkTo{URL: p4.URL, Text: "to 004", Main: true, InShare: 0.25,
		TargetID: p4.Entries[2].ID}
	// p5 is of another site
	to3 := wstk.LinkTo{URL: p3.URL, Text: "to 003", InShare: 0.5, TargetID: entryID(3)}
	to1 := wstk.LinkTo{URL: p1.URL, Text: "to 001", Main: true, InShare: 0.25, TargetID: entryID(1)}
	check(p1.URL, 10, to4, to3, to1)
	check(p1.URL, 2, to4, to3)
	check(p3.URL, 10)
	check("https://nobody.example/", 10)
	to3.Main = true
	check(p2.URL, 10, to3, to3)
	check(p5.URL, 10, to3)

	must(t, x.Remove(bg, p2.URL)) // three pages of the site are left, one links to 3
	to3.InShare = 1.0 / 3
	check(p5.URL, 10, to3)
	p1.Links = nil
	s.replace(t, x, p1)
	to3.InShare = 0
	check(p5.URL, 10, to3)
	check(p1.URL, 10)
}

func (s indexSuite) aTargetMayComeLater(t *testing.T, x wstk.Index) {
	p := pageWith(1, "a")
	p.Links = links("https://a.example/002")
	s.replace(t, x, p)
	must(t, x.Remove(bg, "https://a.example/002"))
	s.replace(t, x, pageWith(2, "b"))
	s.soon(t, func() error {
		to, err := x.Links(bg, p.URL, 10)
		if err != nil {
			return err
		}
		return same("links", to,
			[]wstk.LinkTo{{URL: "https://a.example/002", Text: "to 002", Main: true, InShare: 0.5, TargetID: entryID(2)}})
	})
}

func (s indexSuite) statsCount(t *testing.T, x wstk.Index) {
	st, err := x.Stats(bg)
	must(t, err)
	wantSame(t, "stats of nothing", st, wstk.IndexStats{})
	p := pageWith(1, "a")
	p.Entries = append(p.Entries, chunkEntry(p.URL, 1, "b"), summaryEntry(p.URL, "s"))
	p.Links = links("https://a.example/009", "https://a.example/008", "https://a.example/008")
	s.replace(t, x, p, pageWith(2, "b"))
	s.soon(t, func() error {
		st, err := x.Stats(bg)
		if err != nil {
			return err
		}
		return same("stats", st, wstk.IndexStats{Pages: 2, Chunks: 3, Summaries: 1, Links: 3})
	})
}

func (s indexSuite) callersKeepTheirEntries(t *testing.T, x wstk.Index) {
	p := pageWith(1, "apple")
	want := *p.Entries[0].Chunk
	must(t, x.Replace(bg, p))
	p.Entries[0].Chunk.Anchor, p.Entries[0].Chunk.SectionPath = "changed", []string{"changed"}
	p.Entries[0].Body[0] = "changed"
	s.soon(t, func() error {
		got, err := x.Entry(bg, entryID(1))
		if err != nil {
			return err
		}
		return same("chunk", got.Chunk, want)
	})
	s.replace(t, x, pageWith(2, "plum"), pageWith(3, "plum"))
	s.finds(t, x, query("apple"), entryID(1))
}

func (s indexSuite) cancelledChangesNothing(t *testing.T, x wstk.Index) {
	p := pageWith(1, "apple")
	wantCode(t, "Replace", x.Replace(cancelled(), p), wstk.Cancelled)
	s.finds(t, x, query("apple"))
	must(t, x.Replace(bg, p))
	wantCode(t, "Remove", x.Remove(cancelled(), p.URL), wstk.Cancelled)
	s.finds(t, x, query("apple"), entryID(1))
	_, err := x.Search(cancelled(), query("apple"))
	wantCode(t, "Search", err, wstk.Cancelled)
	_, err = x.Entry(cancelled(), entryID(1))
	wantCode(t, "Entry", err, wstk.Cancelled)
	_, err = x.Links(cancelled(), p.URL, 1)
	wantCode(t, "Links", err, wstk.Cancelled)
	_, err = x.Stats(cancelled())
	wantCode(t, "Stats", err, wstk.Cancelled)
}

func (s indexSuite) manyReplaceAtOnce(t *testing.T, a, b wstk.Index) {
	together(t, 12, func(i int) error {
		x := []wstk.Index{a, b}[i%2]
		for j := range 4 {
			p := pageWith(j, fmt.Sprintf("apple v%d", i))
			p.FetchedAt = day.Add(time.Duration(i) * time.Second)
			p.Links = links("https://a.example/000", fmt.Sprintf("https://a.example/%03d", 1+i%3))
			if err := x.Replace(bg, p); err != nil {
				return err
			}
			if _, err := x.Search(bg, query("apple", "v3")); err != nil {
				return err
			}
		}
		return nil
	})
	s.finds(t, a, query("apple"), byID(entryID(0), entryID(1), entryID(2), entryID(3))...)
	s.finds(t, b, query("v11"), byID(entryID(0), entryID(1), entryID(2), entryID(3))...)
	s.soon(t, func() error {
		to, err := b.Links(bg, "https://a.example/001", 10)
		if err != nil {
			return err
		}
		// 000 and 003
		return same("shares", ids(to, func(l wstk.LinkTo) float64 { return l.InShare }),
			[]float64{1, 1})
	})
}

func (s indexSuite) handlesShareTheIndex(t *testing.T, a, b wstk.Index) {
	s.replace(t, a, pageWith(1, "apple"), pageWith(2, "plum"), pageWith(3, "fig"))
	s.finds(t, b, query("apple"), entryID(1))
	must(t, b.Remove(bg, pageWith(1, "").URL))
	s.finds(t, a, query("apple"))
}

// scoresAreBM25 indexes, replaces and removes random pages and compares the
// scores of random queries with the formula.
func scoresAreBM25(t *testing.T, x wstk.Index, soon func(*testing.T, func() error)) {
	r := rand.New(rand.NewPCG(7, 7))
	word := func() string { return fmt.Sprintf("w%d", int(math.Abs(r.NormFloat64())*8)) }
	words := func(n int) []string {
		out := make([]string, r.IntN(n+1))
		for i := range out {
			out[i] = word()
		}
		return out
	}
	held := map[int]wstk.PageIndex{}
	for step := range 120 {
		i := r.IntN(25)
		if step > 40 && r.IntN(4) == 0 {
			must(t, x.Remove(bg, pageWith(i, "").URL))
			delete(held, i)
		} else {
			p := pageWith(i, "")
			p.FetchedAt = day.Add(time.Duration(step) * time.Second)
			p.Entries = nil
			for j := range r.IntN(5) {
				e := chunkEntry(p.URL, j, "")
				e.Title, e.Heading, e.Body = words(4), words(5), words(40)
				p.Entries = append(p.Entries, e)
			}
			if r.IntN(2) == 0 {
				e := summaryEntry(p.URL, "")
				e.Body = words(12)
				p.Entries = append(p.Entries, e)
			}
			must(t, x.Replace(bg, p))
			held[i] = p
		}
		if step%4 != 0 {
			continue
		}
		var terms []wstk.QueryTerm
		for _, w := range slices.Compact(
			slices.Sorted(slices.Values([]string{word(), word(), word(), "absent"}))) {
			terms = append(terms, wstk.QueryTerm{Token: w,
				Weight: []float64{1, 1, 0.5, 0.3}[r.IntN(4)]})
		}
		var all []wstk.PageIndex
		for _, p := range held {
			all = append(all, p)
		}
		want := bm25(all, terms)
		limit := 1 + r.IntN(len(want)+3)
		soon(t, func() error { return compareScores(x, terms, limit, want) })
	}
}

// compareScores allows for sums in another order: entries whose scores are equal
// within rounding may stand in either order.
func compareScores(x wstk.Index, terms []wstk.QueryTerm, limit int, want map[string]float64) error {
	const rounding = 1e-9
	hits, err := x.Search(bg, wstk.IndexQuery{Terms: terms, Limit: limit})
	if err != nil {
		return err
	}
	if n := min(limit, len(want)); len(hits) != n {
		return fmt.Errorf("%v: %d hits, want %d", terms, len(hits), n)
	}
	var scores []float64
	for _, v := range want {
		scores = append(scores, v)
	}
	slices.Sort(scores)
	slices.Reverse(scores)
	for i, h := range hits {
		if math.Abs(h.Score-want[h.ID]) > rounding {
			return fmt.Errorf("%v: %s has score %.12f, the formula says %.12f", terms, h.ID,
				h.Score, want[h.ID])
		}
		if math.Abs(h.Score-scores[i]) > rounding {
			return fmt.Errorf("%v: hit %d has score %.12f, want %.12f", terms, i,
				h.Score, scores[i])
		}
	}
	return nil
}

func query(tokens ...string) wstk.IndexQuery {
	var q wstk.IndexQuery
	for _, t := range tokens {
		q.Terms = append(q.Terms, wstk.QueryTerm{Token: t, Weight: 1})
	}
	return q
}

func limited(q wstk.IndexQuery, limit int) wstk.IndexQuery {
	q.Limit = limit
	return q
}

// byID sorts entries of equal score.
func byID(ids ...string) []string {
	slices.Sort(ids)
	return ids
}

// pageWith is page i of a site with one chunk of these words.
func pageWith(i int, words string) wstk.PageIndex {
	url := fmt.Sprintf("https://a.example/%03d", i)
	e := chunkEntry(url, 0, words)
	return wstk.PageIndex{URL: url, Site: "site_1", CanonicalURL: url,
		Title: fmt.Sprint("Page ", i), TextSHA256: e.Chunk.TextSHA256,
		SnapshotSHA256: e.Chunk.SnapshotSHA256, FetchedAt: day, Tokenizer: "1",
		Entries: []wstk.Entry{e}}
}

// entryID is the id of pageWith(i)'s chunk.
func entryID(i int) string { return pageWith(i, "").Entries[0].ID }

// filler is n pages from 100 on that hold none of a test's words, so that a word
// of a few pages is rare.
func filler(n int) []wstk.PageIndex {
	var out []wstk.PageIndex
	for i := range n {
		out = append(out, pageWith(100+i, "filler filler filler filler"))
	}
	return out
}

func chunkEntry(url string, seq int, words string) wstk.Entry {
	span := wstk.Span{CharStart: 100 * seq, CharEnd: 100*seq + 50, ByteStart: 120 * seq,
		ByteEnd: 120*seq + 60}
	c := wstk.Chunk{ID: wstk.ChunkID(url, hashOf("text"), span), URL: url,
		TextSHA256: hashOf("text"), SnapshotSHA256: hashOf("body"),
		Seq: seq, Parent: -1, SectionPath: []string{"Top"}, Kind: "prose", Main: true, Span: span,
		Blocks: [2]int{seq, seq + 1}, Tokens: 9, Repeat: hashOf("%s", words)}
	return wstk.Entry{ID: c.ID, Kind: wstk.KindChunk, Chunk: &c, Body: strings.Fields(words)}
}

func summaryEntry(url string, words string) wstk.Entry {
	v := summaryOf(url)
	return wstk.Entry{ID: v.Key().ID(), Kind: wstk.KindSummary, Summary: &v,
		Body: strings.Fields(words)}
}

func links(urls ...string) []wstk.Link {
	var out []wstk.Link
	for _, u := range urls {
		out = append(out, wstk.Link{URL: u, Text: "to " + u[strings.LastIndexByte(u, '/')+1:],
			Main: true})
	}
	return out
}

func fullPage() wstk.PageIndex {
	published := day.Add(-time.Hour)
	p := pageWith(1, "wort")
	p.CanonicalURL, p.Title, p.Language, p.PublishedAt = "https://a.example/canonical", "Größe & <b>", "de", &published
	p.FetchedAt = day.Add(987654321)
	c := p.Entries[0].Chunk
	c.Parent, c.Prev, c.Next, c.SectionPath, c.Anchor, c.Kind, c.Main = 3, "ch_prev", "ch_next",
		[]string{"Eins", "Zwei"}, "sec-2", "table", false
	p.Entries = append(p.Entries, summaryEntry(p.URL, "zusammenfassung"))
	for i := range 5 { // so that a token of one entry is rare
		p.Entries = append(p.Entries, chunkEntry(p.URL, 10+i, "füllung"))
	}
	return p
}

func (s indexSuite) readersSeeTheOldOrTheNew(t *testing.T, a, b wstk.Index) {
	version := func(v int) wstk.PageIndex {
		p := pageWith(1, "apple")
		p.TextSHA256, p.FetchedAt = hashOf("%d", v), day.Add(time.Duration(v)*time.Second)
		p.Entries = nil
		for i := range 5 {
			e := chunkEntry(p.URL, i+5*v, "apple")
			e.Chunk.TextSHA256 = p.TextSHA256
			p.Entries = append(p.Entries, e)
		}
		return p
	}
	must(t, a.Replace(bg, version(0)))
	var readers atomic.Int32
	readers.Store(3)
	together(t, 4, func(i int) error {
		if i == 0 {
			for v := 1; readers.Load() > 0; v++ {
				if err := a.Replace(bg, version(v)); err != nil {
					return err
				}
			}
			return nil
		}
		defer readers.Add(-1)
		for range 150 {
			hits, err := b.Search(bg, query("apple"))
			if err != nil {
				return err
			}
			if len(hits) != 5 {
				return fmt.Errorf("%d hits, a page has 5 entries", len(hits))
			}
			for _, h := range hits {
				if h.Chunk.TextSHA256 != hits[0].Chunk.TextSHA256 {
					return fmt.Errorf("hits of two versions of a page")
				}
			}
		}
		return nil
	})
}
