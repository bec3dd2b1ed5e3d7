package wstktest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// TemplateStore checks the promises of wstk.TemplateStore.
func TemplateStore(
	t *testing.T, open func(t *testing.T) wstk.TemplateStore,
	features ...Features[wstk.TemplateStore],
) {
	s := newSuite(t, open, features)

	s.run("EveryFieldComesBack", func(t *testing.T, st wstk.TemplateStore) {
		bare := templateOf("pumps")
		bare.Template, bare.Warnings = wstk.QueryTemplate{Keywords: []string{"pumps"}}, nil
		for _, want := range []wstk.RewrittenQuery{templateOf("neueste Größen"),
			templateOf(strings.Repeat("長い ", 3000)), bare} {
			must(t, st.Put(bg, want))
			got, err := st.Get(bg, want.TemplateKey)
			must(t, err)
			wantSame(t, "Get", got, want)
		}
	})

	s.run("GetMissingIsNotFound", func(t *testing.T, st wstk.TemplateStore) {
		_, err := st.Get(bg, templateOf("pumps").TemplateKey)
		wantCode(t, "Get", err, wstk.NotFound)
	})

	s.run("EveryPartOfTheKeyCounts", func(t *testing.T, st wstk.TemplateStore) {
		q := templateOf("pumps")
		must(t, st.Put(bg, q))
		for name, change := range map[string]func(*wstk.TemplateKey){
			"query":    func(k *wstk.TemplateKey) { k.Query = "Pumps" },
			"language": func(k *wstk.TemplateKey) { k.Lang = "" },
			"engine":   func(k *wstk.TemplateKey) { k.Engine = "other" },
			"model":    func(k *wstk.TemplateKey) { k.Model = "" },
			"prompt":   func(k *wstk.TemplateKey) { k.PromptHash = "other" },
			"moved bytes": func(k *wstk.TemplateKey) {
				k.Query, k.Lang = k.Query+k.Lang[:1], k.Lang[1:]
			},
		} {
			k := q.TemplateKey
			change(&k)
			_, err := st.Get(bg, k)
			wantCode(t, "another "+name, err, wstk.NotFound)
		}
	})

	s.run("TheLastUnderAKeyStays", func(t *testing.T, st wstk.TemplateStore) {
		q := templateOf("pumps")
		must(t, st.Put(bg, q))
		other := q
		other.Template.Keywords, other.CreatedAt = []string{"something else"}, day.Add(time.Hour)
		must(t, st.Put(bg, other))
		got, err := st.Get(bg, q.TemplateKey)
		must(t, err)
		wantSame(t, "Get", got, other)
	})

	s.run("CallersKeepTheirTemplates", func(t *testing.T, st wstk.TemplateStore) {
		q := templateOf("pumps")
		must(t, st.Put(bg, q))
		q.Template.Keywords[0], q.Template.Filters.Sites[0] = "changed", "changed.example"
		got, err := st.Get(bg, q.TemplateKey)
		must(t, err)
		wantSame(t, "Get", got, templateOf("pumps"))
	})

	s.run("CancelledStoresNothing", func(t *testing.T, st wstk.TemplateStore) {
		q := templateOf("pumps")
		wantCode(t, "Put", st.Put(cancelled(), q), wstk.Cancelled)
		_, err := st.Get(bg, q.TemplateKey)
		wantCode(t, "Get", err, wstk.NotFound)
		_, err = st.Get(cancelled(), q.TemplateKey)
		wantCode(t, "Get", err, wstk.Cancelled)
	})

	s.pair("OfManyAtOnceOneStays", func(t *testing.T, a, b wstk.TemplateStore) {
		put := make([]wstk.RewrittenQuery, 16)
		together(t, len(put), func(i int) error {
			put[i] = templateOf("pumps")
			put[i].Template.Keywords = []string{fmt.Sprint("try ", i)}
			return []wstk.TemplateStore{a, b}[i%2].Put(bg, put[i])
		})
		got, err := a.Get(bg, put[0].TemplateKey)
		must(t, err)
		var n int
		if _, err := fmt.Sscanf(got.Template.Keywords[0], "try %d", &n); err != nil {
			t.Fatal(err)
		}
		wantSame(t, "Get", got, put[n])
		same, err := b.Get(bg, put[0].TemplateKey)
		must(t, err)
		wantSame(t, "Get of the other", same, got)
	})
}

func templateOf(query string) wstk.RewrittenQuery {
	return wstk.RewrittenQuery{
		TemplateKey: wstk.TemplateKey{Query: query, Lang: "de",
			Rewriting: wstk.Rewriting{Engine: "openai", Model: "m1", PromptHash: "p1"}},
		Template: wstk.QueryTemplate{Keywords: []string{"größte Pumpe", "水泵", `"<b>"`},
			Boolean: wstk.Or, Filters: wstk.TemplateFilters{
				Sites: []string{"a.example", ".eu"}, DateAfter: "{LAST_WEEK_START}",
				DateBefore: "2026-03-01", Lang: "de", Geo: "EU", MaxResults: 20}},
		Warnings:  []wstk.Warning{{Code: "words_dropped", Message: "„bitte“ says nothing"}},
		CreatedAt: day}
}

// SearchRowStore checks the promises of wstk.SearchRowStore.
func SearchRowStore(
	t *testing.T, open func(t *testing.T) wstk.SearchRowStore,
	features ...Features[wstk.SearchRowStore],
) {
	s := searchRowStoreSuite{newSuite(t, open, features)}
	s.run("EveryFieldComesBack", s.everyFieldComesBack)
	s.run("MetaIsKeptByteForByte", s.metaIsKeptByteForByte)
	s.run("AnUnknownRunHasNone", s.anUnknownRunHasNone)
	s.run("RunsAreKeptApart", s.runsAreKeptApart)
	s.run("ABigRunIsKeptInOrder", s.aBigRunIsKeptInOrder)
	s.run("LongURLsAreKept", s.longURLsAreKept)
	s.run("RowsThatDoNotCompressAreKept", s.rowsThatDoNotCompressAreKept)
	s.run("PutTwiceIsOnce", s.putTwiceIsOnce)
	s.run("RowsThatAreThereStay", s.rowsThatAreThereStay)
	s.run("APutThatWasCutOffIsMadeWhole", s.aPutThatWasCutOffIsMadeWhole)
	s.run("CallersKeepTheirRows", s.callersKeepTheirRows)
	s.run("RemoveRowsForgetsThoseOfOneRun", s.removeRowsForgetsThoseOfOneRun)
	s.run("WithoutARunIsInvalid", s.withoutARunIsInvalid)
	s.run("CancelledStoresNothing", s.cancelledStoresNothing)
	s.pair("ManyAtOnceAreAllKept", s.manyAtOnceAreAllKept)
}

type searchRowStoreSuite struct{ suite[wstk.SearchRowStore] }

// stored checks that a run has exactly these rows, and their meta byte for byte.
func (s searchRowStoreSuite) stored(
	t *testing.T, st wstk.SearchRowStore, run wstk.RunID, raw []wstk.SearchRow,
	found []wstk.FoundURL,
) {
	t.Helper()
	gotRaw, err := st.Raw(bg, run)
	must(t, err)
	gotFound, err := st.Found(bg, run)
	must(t, err)
	if len(gotRaw) != len(raw) || len(gotFound) != len(found) {
		t.Fatalf("%d raw rows and %d merged ones, want %d and %d", len(gotRaw), len(gotFound),
			len(raw), len(found))
	}
	for i := range raw {
		if err := same(fmt.Sprint("raw row ", i), gotRaw[i], raw[i]); err != nil {
			t.Fatal(err)
		}
		if string(gotRaw[i].Meta) != string(raw[i].Meta) {
			t.Fatalf("the meta of row %d:\n got %q\nwant %q", i, gotRaw[i].Meta, raw[i].Meta)
		}
	}
	for i := range found {
		if err := same(fmt.Sprint("merged row ", i), gotFound[i], found[i]); err != nil {
			t.Fatal(err)
		}
	}
}

func (s searchRowStoreSuite) everyFieldComesBack(t *testing.T, st wstk.SearchRowStore) {
	at := day.Add(123456789)
	raw := []wstk.SearchRow{
		{Provider: "brave_api", URL: "https://a.example/größe?q=1&r=<2>", Rank: 1,
			Title: new("Größe <b>"), Snippet: new("Zeile\n\u2028\"x\""), PublishedAt: &at,
			Meta: json.RawMessage(`{"a":1}`)},
		{Provider: "serper", URL: "https://a.example/", Rank: 7},
	}
	found := []wstk.FoundURL{
		{URL: raw[0].URL, Aliases: []string{"https://a.example/größe", "https://b.example/"}, Providers: []string{"serper", "brave_api"},
			Confidence: 2, DedupeHash: string(hashOf("a")), Title: new("Größe <b>"), BestRank: 1},
		{URL: raw[1].URL, Providers: []string{"serper"}, Confidence: 1,
			DedupeHash: string(hashOf("b")), BestRank: 7},
	}
	must(t, st.PutRows(bg, runID(1), raw, found))
	s.stored(t, st, runID(1), raw, found)
}

func (s searchRowStoreSuite) metaIsKeptByteForByte(t *testing.T, st wstk.SearchRowStore) {
	var raw []wstk.SearchRow
	for i, meta := range []string{"{ \"b\" : 1.0e+3,\n\t\"a\":\"<&> \\u00e9 é \\/\" , \"a\":2}",
		"null", "", `"text"`, "[]", " 12345678901234567890 ",
		`{"` + strings.Repeat("長", 3000) + `":0}`} {
		raw = append(raw, wstk.SearchRow{Provider: "tavily", URL: "https://a.example/", Rank: i + 1,
			Meta: json.RawMessage(meta)})
	}
	raw[2].Meta = nil
	must(t, st.PutRows(bg, runID(1), raw, nil))
	s.stored(t, st, runID(1), raw, nil)
}

func (s searchRowStoreSuite) anUnknownRunHasNone(t *testing.T, st wstk.SearchRowStore) {
	must(t, st.PutRows(bg, runID(1), searchRows(1, 3), foundURLs(3)))
	must(t, st.PutRows(bg, runID(2), nil, nil))
	s.stored(t, st, runID(2), nil, nil)
	s.stored(t, st, runID(3), nil, nil)
}

func (s searchRowStoreSuite) runsAreKeptApart(t *testing.T, st wstk.SearchRowStore) {
	for i, run := range []wstk.RunID{"run_1", "run_10", "run_1 raw"} {
		must(t, st.PutRows(bg, run, searchRows(1, i+1), foundURLs(i+2)))
	}
	for i, run := range []wstk.RunID{"run_1", "run_10", "run_1 raw"} {
		s.stored(t, st, run, searchRows(1, i+1), foundURLs(i+2))
	}
	must(t, st.PutRows(bg, "run_2", searchRows(1, 2), nil)) // raw rows that came to nothing
	s.stored(t, st, "run_2", searchRows(1, 2), nil)
}

func (s searchRowStoreSuite) aBigRunIsKeptInOrder(t *testing.T, st wstk.SearchRowStore) {
	raw, found := searchRows(10, 100), foundURLs(1000)
	slices.Reverse(found) // an order that is not that of the URLs
	must(t, st.PutRows(bg, runID(1), raw, found))
	s.stored(t, st, runID(1), raw, found)
}

func (s searchRowStoreSuite) longURLsAreKept(t *testing.T, st wstk.SearchRowStore) {
	var raw []wstk.SearchRow
	var found []wstk.FoundURL
	for i, letter := range []string{"x", "é", "語", "😀"} {
		url := fmt.Sprintf("https://a.example/%d/", i) + strings.Repeat(letter, 8000)
		for range 20 {
			raw = append(raw, wstk.SearchRow{Provider: "serper", URL: url, Rank: len(raw) + 1,
				Title: new("Title")})
		}
		found = append(found, wstk.FoundURL{URL: url, Aliases: []string{url + "/", url + "?"},
			Providers: []string{"serper"}, Confidence: 1,
			DedupeHash: string(hashOf("%s", url)), BestRank: 1})
	}
	must(t, st.PutRows(bg, runID(1), raw, found))
	s.stored(t, st, runID(1), raw, found)
}

func (s searchRowStoreSuite) rowsThatDoNotCompressAreKept(t *testing.T, st wstk.SearchRowStore) {
	raw := searchRows(1, 40)
	for i := range raw { // about 1.3 MB
		raw[i].Meta = json.RawMessage(fmt.Sprintf(`{"token":"%x"}`, randomBytes(uint64(i), 16_000)))
	}
	must(t, st.PutRows(bg, runID(1), raw, foundURLs(40)))
	s.stored(t, st, runID(1), raw, foundURLs(40))
}

func (s searchRowStoreSuite) putTwiceIsOnce(t *testing.T, st wstk.SearchRowStore) {
	raw, found := searchRows(3, 50), foundURLs(120)
	for range 3 {
		must(t, st.PutRows(bg, runID(1), raw, found))
		s.stored(t, st, runID(1), raw, found)
	}
}

func (s searchRowStoreSuite) rowsThatAreThereStay(t *testing.T, st wstk.SearchRowStore) {
	raw, found := searchRows(3, 50), foundURLs(120)
	must(t, st.PutRows(bg, runID(1), raw, found))
	others := searchRows(3, 50)
	for i := range others {
		others[i].Title, others[i].Meta = new("changed"),
			json.RawMessage(fmt.Sprintf(`"%x"`, randomBytes(uint64(i), 9000)))
	}
	merged := foundURLs(7)
	for i := range merged {
		merged[i].Title = new("changed")
	}
	must(t, st.PutRows(bg, runID(1), others, merged))
	s.stored(t, st, runID(1), raw, found)
}

func (s searchRowStoreSuite) aPutThatWasCutOffIsMadeWhole(t *testing.T, st wstk.SearchRowStore) {
	raw, found := searchRows(10, 100), foundURLs(400)
	for i, there := range []int{0, 1, 99, 1000} { // a put that got so far
		must(t, st.PutRows(bg, runID(i), raw[:there], nil))
		must(t, st.PutRows(bg, runID(i), raw, found))
		s.stored(t, st, runID(i), raw, found)
	}
	whole := 0
	for i := range 12 { // one whose caller went away while it worked
		ctx, cancel := context.WithTimeout(bg, time.Duration(1+i*i)*200*time.Microsecond)
		if st.PutRows(ctx, runID(10+i), raw, found) == nil {
			whole++
		}
		cancel()
		must(t, st.PutRows(bg, runID(10+i), raw, found))
		s.stored(t, st, runID(10+i), raw, found)
	}
	t.Logf("%d of 12 were not cut off", whole)
}

func (s searchRowStoreSuite) callersKeepTheirRows(t *testing.T, st wstk.SearchRowStore) {
	raw, found := searchRows(1, 3), foundURLs(3)
	must(t, st.PutRows(bg, runID(1), raw, found))
	raw[0].Meta[0], *raw[0].PublishedAt, found[0].Providers[0] = 'x', day.Add(time.Hour), "changed"
	got, err := st.Found(bg, runID(1))
	must(t, err)
	got[1].Providers[0] = "changed"
	s.stored(t, st, runID(1), searchRows(1, 3), foundURLs(3))
}

func (s searchRowStoreSuite) removeRowsForgetsThoseOfOneRun(t *testing.T, st wstk.SearchRowStore) {
	raw, found := searchRows(2, 3), []wstk.FoundURL{{URL: "https://a.example/"}}
	for _, i := range []int{1, 2} {
		must(t, st.PutRows(bg, runID(i), raw, found))
	}
	wantCode(t, "RemoveRows when cancelled", st.RemoveRows(cancelled(), runID(1)), wstk.Cancelled)
	for range 2 {
		must(t, st.RemoveRows(bg, runID(1)))
	}
	for i, want := range map[int]int{1: 0, 2: len(raw)} {
		rows, err := st.Raw(bg, runID(i))
		must(t, err)
		merged, err := st.Found(bg, runID(i))
		must(t, err)
		if len(rows) != want || len(merged) != min(want, 1) {
			t.Errorf("run %d has %d and %d rows", i, len(rows), len(merged))
		}
	}
}

func (s searchRowStoreSuite) withoutARunIsInvalid(t *testing.T, st wstk.SearchRowStore) {
	wantCode(t, "PutRows", st.PutRows(bg, "", searchRows(1, 1), nil), wstk.Invalid)
}

func (s searchRowStoreSuite) cancelledStoresNothing(t *testing.T, st wstk.SearchRowStore) {
	wantCode(t, "PutRows", st.PutRows(cancelled(), runID(1), searchRows(1, 3), foundURLs(3)),
		wstk.Cancelled)
	s.stored(t, st, runID(1), nil, nil)
	_, err := st.Raw(cancelled(), runID(1))
	wantCode(t, "Raw", err, wstk.Cancelled)
	_, err = st.Found(cancelled(), runID(1))
	wantCode(t, "Found", err, wstk.Cancelled)
}

func (s searchRowStoreSuite) manyAtOnceAreAllKept(t *testing.T, a, b wstk.SearchRowStore) {
	raw, found := searchRows(4, 30), foundURLs(80)
	together(t, 16, func(i int) error { // each run twice
		return []wstk.SearchRowStore{a, b}[i%2].PutRows(bg, runID(i/2),
			raw[:10*(i/2)+1], found[:8*(i/2)])
	})
	for i := range 8 {
		s.stored(t, []wstk.SearchRowStore{a, b}[i%2], runID(i), raw[:10*i+1], found[:8*i])
	}
}

// searchRows are the rows of so many providers, so many of each.
func searchRows(providers, each int) (rows []wstk.SearchRow) {
	for p := range providers {
		for i := range each {
			at := day.Add(-time.Duration(i) * time.Hour)
			rows = append(rows, wstk.SearchRow{Provider: fmt.Sprint("provider_", p),
				Rank: i + 1, PublishedAt: &at,
				URL:     fmt.Sprintf("https://www.example-%d.example/artikel/%d/%x.html", i%7, i, randomBytes(uint64(i), 6)),
				Title:   new(fmt.Sprintf("Größe und Preis der Pumpe %d", i)),
				Snippet: new(strings.Repeat(fmt.Sprintf("Die Pumpe %d hat %d bar. ", i, i*p), 8)),
				Meta: json.RawMessage(fmt.Sprintf(
					`{"score": %d.%d, "engine":"e%d","favicon":"https://icons.example/%d.png","language":"de"}`, p, i, p, i%7))})
		}
	}
	return rows
}

func foundURLs(n int) (found []wstk.FoundURL) {
	for i := range n {
		url := fmt.Sprintf("https://www.example-%d.example/artikel/%d", i%7, i)
		found = append(found, wstk.FoundURL{URL: url, Providers: []string{"serper", "brave_api"},
			Confidence: 2, DedupeHash: string(hashOf("%s", url)),
			Title: new(fmt.Sprint("Artikel ", i)), BestRank: i + 1})
	}
	return found
}
