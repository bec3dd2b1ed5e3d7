package recall_test

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/chunk"
	"wstk/shared/stage/index"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/summarize"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// The shared labelled sets are not part of the repository: WSTK_CORPORA names
// the folder they are in. Without it this test is skipped.
//
//	WSTK_CORPORA=… go test ./shared/stage/recall -run TestCorpora -v
func TestCorpora(t *testing.T) {
	dir := os.Getenv("WSTK_CORPORA")
	if dir == "" {
		t.Skip("WSTK_CORPORA is not set")
	}
	var sets []labelled
	for _, name := range []string{"cisi", "npl"} {
		sets = append(sets, readTREC(t, filepath.Join(dir, "retrieval", name), name))
	}
	for _, lang := range []string{"es", "ru", "zh"} {
		sets = append(sets, readXQuAD(t, filepath.Join(dir, "qa", "xquad-"+lang+".jsonl.gz"), lang))
	}
	for _, set := range sets {
		world := newWorld(t, set.docs, nil)
		t.Logf("%s: %d pages, %d queries, %s", set.name, len(set.docs), len(set.queries), world.stats(t))
		for _, v := range variants() {
			m := world.measure(t, set, v)
			t.Logf("  %-28s nDCG@10 %.4f  recall@50 %.4f  MRR@10 %.4f  %.1f ms/query", v.name, m.ndcg, m.recall, m.mrr, m.ms)
		}
	}
}

// variant is a configuration under test.
type variant struct {
	name   string
	config recall.Config
}

// variants are the parts of recall, added one by one.
func variants() []variant {
	full := recall.DefaultConfig()
	bm25 := full
	bm25.SummaryWeight, bm25.Expand, bm25.Links, bm25.PerPage = 0, 0, recall.Links{}, 0
	with := func(name string, from recall.Config, change func(*recall.Config)) variant {
		change(&from)
		return variant{name, from}
	}
	return []variant{
		{"bm25", bm25},
		with("bm25+summary", bm25, func(c *recall.Config) { c.SummaryWeight = full.SummaryWeight }),
		with("bm25+links", bm25, func(c *recall.Config) { c.Links = full.Links }),
		with("bm25+expansion", bm25, func(c *recall.Config) { c.Expand = full.Expand }),
		with("bm25+per-page", bm25, func(c *recall.Config) { c.PerPage = full.PerPage }),
		{"all", full},
		with("all, rrf", full, func(c *recall.Config) { c.Fusion = recall.RRF }),
	}
}

// labelled is a set of pages and queries with the pages that answer them.
type labelled struct {
	name    string
	docs    []*wstk.Document
	queries []question
}

type question struct {
	id, text string
	grades   map[string]int // page → relevance
}

// world is an indexed set of pages.
type world struct {
	index wstk.Index
	texts wstk.BlobStore
}

func newWorld(t testing.TB, docs []*wstk.Document, idx wstk.Index) *world {
	t.Helper()
	w := &world{index: idx, texts: memory.NewBlobs()}
	if idx == nil {
		w.index = memory.NewIndex()
	}
	ctx := context.Background()
	in := index.Stage{Index: w.index, Split: chunk.Split}
	sum := summarize.Stage{Now: func() time.Time { return time.Unix(0, 0) }}
	for _, d := range docs {
		if _, err := w.texts.Put(ctx, []byte(d.Text)); err != nil {
			t.Fatal(err)
		}
		s, err := sum.Do(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Do(ctx, index.Input{Page: wstk.Page{URL: d.URL, Site: "site_x"}, Document: d, Summary: &s[0]}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) stats(t testing.TB) string {
	s, err := w.index.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d chunks, %d summaries, %d links", s.Chunks, s.Summaries, s.Links)
}

type measures struct{ ndcg, recall, mrr, ms float64 }

// measure ranks pages by their best hit and scores the ranking as
// trec_eval's ndcg_cut and recall do.
func (w *world) measure(t testing.TB, set labelled, v variant) measures {
	t.Helper()
	s := recall.New(w.index, w.texts)
	s.Config = v.config
	var m measures
	start := time.Now()
	for _, q := range set.queries {
		r, err := s.Do(context.Background(), recall.Query{Text: q.text, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		var pages []string
		seen := map[string]bool{}
		for _, h := range r.Hits {
			for _, u := range append([]string{h.URL}, h.AlsoOn...) {
				if !seen[u] {
					seen[u] = true
					pages = append(pages, u)
				}
			}
		}
		dcg, ideal, found, first := 0.0, 0.0, 0, 0
		for i, p := range pages {
			g := q.grades[p]
			if g > 0 && i < 50 {
				found++
			}
			if i < 10 {
				dcg += float64(g) / math.Log2(float64(i+2))
				if g > 0 && first == 0 {
					first = i + 1
				}
			}
		}
		grades := slices.SortedFunc(maps.Values(q.grades), func(a, b int) int { return b - a })
		for i, g := range grades[:min(10, len(grades))] {
			ideal += float64(g) / math.Log2(float64(i+2))
		}
		m.ndcg += dcg / ideal
		m.recall += float64(found) / float64(len(q.grades))
		if first > 0 {
			m.mrr += 1 / float64(first)
		}
	}
	n := float64(len(set.queries))
	return measures{m.ndcg / n, m.recall / n, m.mrr / n, float64(time.Since(start).Microseconds()) / 1000 / n}
}

// plain makes a page of one paragraph.
func plain(url, title, body, lang string) *wstk.Document {
	d := &wstk.Document{URL: url, CanonicalURL: url, Text: body, Meta: wstk.Metadata{Title: title, Language: lang}}
	d.TextSHA256 = wstk.HashOf([]byte(body))
	d.Blocks = []wstk.Block{{Kind: wstk.BlockParagraph, Section: -1, Main: true,
		Span: wstk.Span{ByteEnd: len(body), CharEnd: text.NewOffsets(body).Char(len(body))}}}
	return d
}

func lines(t testing.TB, path string, each func([]byte)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		each(sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}

func readTREC(t testing.TB, dir, name string) labelled {
	set := labelled{name: name}
	decode := func(data []byte) (x struct{ ID, Title, Text string }) {
		var raw struct {
			ID    string `json:"_id"`
			Title string `json:"title"`
			Text  string `json:"text"`
		}
		if err := json.Unmarshal(data, &raw); err != nil {
			t.Fatal(err)
		}
		x.ID, x.Title, x.Text = raw.ID, raw.Title, raw.Text
		return x
	}
	page := func(id string) string { return "https://" + name + ".example/" + id }
	lines(t, filepath.Join(dir, "corpus.jsonl.gz"), func(data []byte) {
		x := decode(data)
		set.docs = append(set.docs, plain(page(x.ID), x.Title, x.Text, "en"))
	})
	grades := map[string]map[string]int{}
	qrels, err := os.ReadFile(filepath.Join(dir, "qrels.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(qrels)) {
		f := strings.Fields(line)
		if len(f) != 4 {
			continue
		}
		g, err := strconv.Atoi(f[3])
		if err != nil || g <= 0 {
			continue
		}
		if grades[f[0]] == nil {
			grades[f[0]] = map[string]int{}
		}
		grades[f[0]][page(f[2])] = g
	}
	lines(t, filepath.Join(dir, "queries.jsonl.gz"), func(data []byte) {
		if x := decode(data); grades[x.ID] != nil {
			set.queries = append(set.queries, question{x.ID, x.Text, grades[x.ID]})
		}
	})
	return set
}

// readXQuAD makes a page of each paragraph; the page of a question is the one
// whose paragraph answers it.
func readXQuAD(t testing.TB, path, lang string) labelled {
	set := labelled{name: "xquad-" + lang}
	lines(t, path, func(data []byte) {
		var x struct {
			Context, Doc string
			QAs          []struct{ ID, Question string }
		}
		if err := json.Unmarshal(data, &x); err != nil {
			t.Fatal(err)
		}
		u := "https://xquad.example/" + x.Doc
		set.docs = append(set.docs, plain(u, "", x.Context, lang))
		for _, q := range x.QAs {
			set.queries = append(set.queries, question{q.ID, q.Question, map[string]int{u: 1}})
		}
	})
	slices.SortFunc(set.queries, func(a, b question) int { return cmp.Compare(a.id, b.id) })
	return set
}
