package opensearch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	infra "wstk/infra/opensearch"
	"wstk/shared/wstk"
)

// The list is the one that scoring every entry gives, on texts that are made to
// bring OpenSearch's order and ours apart: words in half of all entries, lengths from
// 1 to 400, titles and headings of the words asked for, and texts that repeat.
func TestCandidatesHoldTheBest(t *testing.T) {
	x := open(t)
	const pages, perPage = 10, 200
	r := rand.New(rand.NewPCG(3, 9))
	// w0 stands in most texts
	word := func() string { return fmt.Sprintf("w%d", int(math.Pow(r.Float64(), 4)*300)) }
	words := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = word()
		}
		return out
	}
	for i := range pages {
		p := page(0, "")
		p.URL = fmt.Sprintf("https://a.example/%d", i)
		title := words(r.IntN(6))
		for j := range perPage {
			id := fmt.Sprintf("ch_%d_%d", r.IntN(1000), i*perPage+j)
			e := wstk.Entry{ID: id, Kind: wstk.KindChunk, Chunk: &wstk.Chunk{ID: id}, Title: title,
				Heading: words(r.IntN(5)), Body: words(1 + int(400*math.Pow(r.Float64(), 3)))}
			if j%10 == 0 {
				e.Title, e.Heading, e.Body = nil, nil, strings.Fields("w1 w2 w40 the footer of every page")
			}
			p.Entries = append(p.Entries, e)
		}
		if err := x.Replace(bg, p); err != nil {
			t.Fatal(err)
		}
	}
	calls := count(x)
	queries, lists := 0, 0
	for n := range 24 {
		q := wstk.IndexQuery{}
		for range 1 + n%6 {
			q.Terms = append(q.Terms,
				wstk.QueryTerm{Token: word(), Weight: []float64{1, 1, 0.5, 0.2}[r.IntN(4)]})
		}
		// all that match, scored
		terms := queryTerms(q.Terms)
		all, c, err := x.candidates(bg, "", q, terms, make([]float64, len(terms)), most)
		if err != nil || len(all) == most {
			t.Fatal(len(all), err, "want err == nil && len(all) != most")
		}
		for i := range all {
			all[i].score = c.score(terms, all[i].document)
		}
		exact := rank(q, all)
		queries++
		for _, limit := range []int{1, 10, 50, 200} {
			q.Limit = limit
			before := calls.Load()
			hits, err := x.Search(bg, q)
			if err != nil {
				t.Fatal(err)
			}
			lists += int(calls.Load() - before)
			want := exact[:min(limit, len(exact))]
			if len(hits) != len(want) {
				t.Errorf("%v, limit %d: %d hits, want %d", q.Terms, limit, len(hits), len(want))
				continue
			}
			for i, h := range hits {
				if h.ID != want[i].ID && math.Abs(h.Score-want[i].score) > 1e-9 {
					t.Errorf("%v, limit %d: hit %d is %s with %.6f, want %s with %.6f", q.Terms, limit, i, h.ID, h.Score, want[i].ID, want[i].score)
					break
				}
			}
		}
	}
	t.Logf("%.2f requests for a list", float64(lists)/float64(4*queries))
}

// count counts the requests of x.
func count(x *Index) *atomic.Int64 {
	var n atomic.Int64
	next := x.client()
	x.Client = doer(func(r *http.Request) (*http.Response, error) {
		n.Add(1)
		return next.Do(r)
	})
	return &n
}

// On Serverless a page may show its old entries beside the new ones, and both twice.
func TestLateDeletesAreNotShown(t *testing.T) {
	now := map[string]wstk.Hash{}
	x := open(t, func(x *Index) {
		x.Current = func(_ context.Context, urls []string) (map[string]wstk.Hash, error) {
			out := map[string]wstk.Hash{}
			for _, u := range urls {
				if h, ok := now[u]; ok {
					out[u] = h
				}
			}
			return out, nil
		}
	})
	if err := x.create(bg, "", json.RawMessage(infra.Index)); err != nil {
		t.Fatal(err)
	}
	put := func(text wstk.Hash, version string, ids ...string) {
		p := page(0, "")
		p.TextSHA256 = text
		for _, id := range ids {
			p.Entries = append(p.Entries, wstk.Entry{ID: id, Kind: wstk.KindChunk,
				Chunk: &wstk.Chunk{ID: id, Anchor: version}, Body: []string{"apple"}})
		}
		docs, err := documents("", p)
		if err != nil {
			t.Fatal(err)
		}
		var all []action
		for _, d := range docs {
			d.Version = version
			a, err := create("", d)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, a)
		}
		if err := x.bulk(bg, "", all); err != nil {
			t.Fatal(err)
		}
	}
	put("old", "1", "a", "b", "c")
	put("new", "2", "c", "d")
	put("new", "3", "c", "d")
	put("new", "3", "d")
	now["https://a.example/"] = "new"
	check := func(limit int, want ...string) {
		t.Helper()
		q := query("apple")
		q.Limit = limit
		hits, err := x.Search(bg, q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range hits {
			got = append(got, h.ID+h.Chunk.Anchor)
		}
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: %v, want %v", limit, got, want)
		}
	}
	check(10, "c3", "d3")
	check(1, "c3")
	if h, err := x.Entry(bg, "d"); err != nil || h.Chunk.Anchor != "3" {
		t.Errorf("%+v, %v; want err == nil && h.Chunk.Anchor == \"3\"", h, err)
	}
	_, err := x.Entry(bg, "a")
	wantCode(t, err, wstk.NotFound)
	delete(now, "https://a.example/") // the page was forgotten
	check(10)

	// the next write cleans up
	p := page(1, "apple")
	p.TextSHA256, now["https://a.example/"] = "newer", "newer"
	if err := x.Replace(bg, p); err != nil {
		t.Fatal(err)
	}
	check(10, p.Entries[0].ID)
	if s, err := x.Stats(bg); err != nil || s != (wstk.IndexStats{Pages: 1, Chunks: 1}) {
		t.Errorf("%+v, %v; want err == nil && s == (wstk.IndexStats{Pages: 1, Chunks: 1})", s, err)
	}
}

// A bulk whose reply is lost is sent again; what it wrote twice is there once.
func TestALostReplyWritesNothingTwice(t *testing.T) {
	x := open(t)
	x.Pause = time.Millisecond
	lost := 0
	x.Client = doer(func(r *http.Request) (*http.Response, error) {
		res, err := http.DefaultClient.Do(r)
		if err == nil && strings.HasSuffix(r.URL.Path, "/_bulk") && lost < 2 {
			lost++
			res.Body.Close()
			return nil, fmt.Errorf("connection reset")
		}
		return res, err
	})
	if err := x.Replace(bg, page(5, "apple")); err != nil {
		t.Fatal(err)
	}
	if s, err := x.Stats(bg); err != nil || s != (wstk.IndexStats{Pages: 1, Chunks: 5}) {
		t.Errorf("%+v, %v; want err == nil && s == (wstk.IndexStats{Pages: 1, Chunks: 5})", s, err)
	}
}

// Of writers at once the newest fetch is left, whole and alone.
func TestWritersAtOnce(t *testing.T) {
	x := open(t)
	done := make(chan error)
	for i := range 8 {
		go func() {
			p := page(3, fmt.Sprintf("apple v%d", i))
			p.FetchedAt = day.Add(time.Duration(i/2) * time.Second) // two of each time
			for j := range p.Entries {
				p.Entries[j].ID = fmt.Sprintf("ch_%d_%d", i/2, j)
			}
			done <- x.Replace(bg, p)
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	hits, err := x.Search(bg, query("apple"))
	if err != nil || len(hits) != 3 {
		t.Fatalf("%d hits, %v", len(hits), err)
	}
	for j, h := range hits {
		if h.ID != fmt.Sprintf("ch_3_%d", j) {
			t.Errorf("hit %s is of an older fetch", h.ID)
		}
	}
	if s, err := x.Stats(bg); err != nil || s != (wstk.IndexStats{Pages: 1, Chunks: 3}) {
		t.Errorf("%+v, %v; want err == nil && s == (wstk.IndexStats{Pages: 1, Chunks: 3})", s, err)
	}
}

// Addresses and words that are long or strange are found, and nothing else is.
func TestLongAndStrange(t *testing.T) {
	x := open(t)
	long := "https://a.example/" + strings.Repeat("very-long/", 5000)
	urls := []string{long, long + "?q=1", "https://a.example/日本語/🍎?a=\"b\\c\"", "https://a.example/" + strings.Repeat("é", 9000), "no url at all \x00"}
	for i, url := range urls {
		p := page(1, "apple")
		p.URL, p.Entries[0].ID = url, fmt.Sprint("ch_", i)
		p.Entries[0].Body = []string{"apple", "日本", "🍎", `"quoted"`, `back\slash`, "a.b.c", "*", "~tilde", strings.Repeat("long", 100), fmt.Sprint("only", i)}
		p.Links = []wstk.Link{{URL: urls[0], Text: "to the first"}}
		if err := x.Replace(bg, p); err != nil {
			t.Fatalf("%.60s: %v; want err == nil", url, err)
		}
		if err := x.Replace(bg, p); err != nil {
			t.Fatalf("%.60s: %v; want err == nil", url, err)
		}
	}
	for _, token := range []string{"日本", "🍎", `"quoted"`, `back\slash`, "a.b.c", "*", "~tilde", strings.Repeat("long", 100)} {
		if hits, err := x.Search(bg, query(token)); err != nil || len(hits) != len(urls) {
			t.Errorf("%.20q: %d hits, %v", token, len(hits), err)
		}
	}
	for i, url := range urls {
		q := query("apple")
		q.Pages = []string{url}
		hits, err := x.Search(bg, q)
		if err != nil || len(hits) != 1 || hits[0].ID != fmt.Sprint("ch_", i) {
			t.Errorf("%.60s: %+v, %v; want err == nil && len(hits) == 1 && hits[0].ID == fmt.Sprint(\"ch_\", i)", url, hits, err)
		}
		if to, err := x.Links(bg, url, 10); err != nil || len(to) != 1 || to[0].URL != long ||
			to[0].InShare != 1 {
			t.Errorf("links of %.60s: %d, %v", url, len(to), err)
		}
	}
	for _, rule := range []string{long, strings.TrimSuffix(long, "/"), long + "?q=1",
		"a.example/very-long", long[:9000], long[:899], long[:920]} {
		q := query("apple")
		q.Filter.IncludeSites = []string{rule}
		var n int
		for _, url := range urls {
			if q.Filter.Match("site_1", url, day) {
				n++
			}
		}
		if hits, err := x.Search(bg, q); err != nil || len(hits) != n {
			t.Errorf("%.60s…: %d hits, Match finds %d (%v)", rule, len(hits), n, err)
		}
	}
}

func TestManyWords(t *testing.T) {
	x := open(t)
	if err := x.Replace(bg, page(2, "apple")); err != nil {
		t.Fatal(err)
	}
	q := query("apple")
	q.Filter.ExcludeSites = []string{"https://b.example:1/docs", "https://c.example:1/docs"}
	q.Filter.IncludeSites = []string{"site_1", "https://a.example:1/docs"}
	q.Filter.MinDate, q.Pages, q.Kind = day, []string{"https://a.example/"}, wstk.KindChunk
	for i := range maxClauses - 5*perSite - 1 {
		q.Terms = append(q.Terms, wstk.QueryTerm{Token: fmt.Sprint("w", i), Weight: 0.1})
	}
	if hits, err := x.Search(bg, q); err != nil || len(hits) != 2 {
		t.Errorf("%d hits, %v", len(hits), err)
	}
	q.Terms = append(q.Terms, wstk.QueryTerm{Token: "one more", Weight: 0.1})
	_, err := x.Search(bg, q)
	wantCode(t, err, wstk.TooLarge)
}

// Whatever goes wrong on the way, a call that is made again until it succeeds leaves
// the index as if nothing had gone wrong.
func TestFaultsLeaveNothingBehind(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		x := open(t)
		x.Pause = time.Millisecond
		x.Client = doer(func(req *http.Request) (*http.Response, error) {
			fault := r.IntN(12)
			if fault == 0 {
				return nil, fmt.Errorf("connection refused")
			}
			if fault == 1 {
				return &http.Response{StatusCode: 429, Body: http.NoBody}, nil
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				return nil, err
			}
			switch fault {
			case 2:
				res.Body.Close()
				return nil, fmt.Errorf("connection reset")
			case 3:
				res.Body.Close()
				res.Body = io.NopCloser(strings.NewReader(`{"items":[{"index":{"sta`))
			}
			return res, nil
		})
		calm := *x
		calm.Client = nil
		held := map[string]int{}
		for step := range 25 {
			p := page(1+r.IntN(3), "apple")
			p.URL = fmt.Sprint("https://a.example/", r.IntN(5))
			p.FetchedAt = day.Add(time.Duration(step) * time.Second)
			for i := range p.Entries {
				p.Entries[i].ID = fmt.Sprintf("%s#%d.%d", p.URL, r.IntN(2), i)
			}
			remove := r.IntN(5) == 0
			for tries := 0; ; tries++ {
				var err error
				if remove {
					err = x.Remove(bg, p.URL)
				} else {
					err = x.Replace(bg, p)
				}
				if err == nil {
					break
				}
				if tries > 20 || !wstk.IsTransient(err) {
					t.Fatalf("seed %d, step %d: %v", seed, step, err)
				}
			}
			if held[p.URL] = len(p.Entries); remove {
				delete(held, p.URL)
			}
			want := wstk.IndexStats{Pages: len(held)}
			for _, n := range held {
				want.Chunks += n
			}
			if got, err := calm.Stats(bg); err != nil || got != want {
				t.Fatalf("seed %d, step %d: %+v, %v; want %+v", seed, step, got, err, want)
			}
		}
	}
}
