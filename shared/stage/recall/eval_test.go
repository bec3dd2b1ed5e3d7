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
	"unicode/utf8"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/chunk"
	"wstk/shared/stage/index"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/summarize"
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
			t.Logf("  %-18s nDCG@10 %.4f  recall@50 %.4f  MRR %.4f  passage@5 %.4f  passage MRR %.4f  %.1f ms/query",
				v.name, m.ndcg, m.page50, m.mrr, m.pass5, m.passMRR, m.ms)
		}
	}
}

// variant is a configuration under test.
type variant struct {
	name   string
	config recall.Config
}

// variants are BM25 alone, each part added to it alone, and all together.
func variants() []variant {
	full := recall.DefaultConfig()
	bm25 := full
	bm25.SummaryWeight, bm25.PageWeight, bm25.Expand, bm25.PerPage = 0, 0, 0, 0
	bm25.Cover, bm25.Links = recall.Cover{}, recall.Links{}
	with := func(name string, from recall.Config, change func(*recall.Config)) variant {
		change(&from)
		return variant{name, from}
	}
	return []variant{
		{"bm25", bm25},
		with("bm25 + summary", bm25, func(c *recall.Config) { c.SummaryWeight = full.SummaryWeight }),
		with("bm25 + page", bm25, func(c *recall.Config) { c.PageWeight = full.PageWeight }),
		with("bm25 + expansion", bm25, func(c *recall.Config) { c.Expand = full.Expand }),
		with("bm25 + cover", bm25, func(c *recall.Config) { c.Cover = full.Cover }),
		with("bm25 + links", bm25, func(c *recall.Config) { c.Links = full.Links }),
		with("bm25 + per page", bm25, func(c *recall.Config) { c.PerPage = full.PerPage }),
		{"all", full},
		with("all but cover", full, func(c *recall.Config) { c.Cover = recall.Cover{} }),
		with("all but links", full, func(c *recall.Config) { c.Links = recall.Links{} }),
		with("all, rrf", full, func(c *recall.Config) { c.Fusion = recall.RRF }),
	}
}

// labelled is a set of pages and queries with the pages that answer them.
type labelled struct {
	name    string
	docs    []*wstk.Document
	queries []question
	limit   int // hits asked for
}

type question struct {
	id, text string
	grades   map[string]int // page → relevance
	passages []string       // what a hit must hold, white space collapsed; may be empty
	any      bool           // one page and one passage is enough
}

// world is an indexed set of pages.
type world struct {
	index wstk.Index
	texts wstk.BlobStore
	legs  []recall.Leg
}

func newWorld(t testing.TB, docs []*wstk.Document, idx wstk.Index) *world {
	t.Helper()
	w := &world{index: idx, texts: memory.NewBlobs()}
	if idx == nil {
		w.index = memory.NewIndex()
	}
	addTo(t, w, docs)
	return w
}

// addTo indexes pages.
func addTo(t testing.TB, w *world, docs []*wstk.Document) {
	t.Helper()
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
		if _, err := in.Do(ctx, index.Input{Page: wstk.Page{URL: d.URL, Site: "site_x"},
			Document: d, Summary: &s[0]}); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) stats(t testing.TB) string {
	s, err := w.index.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d chunks, %d summaries, %d links", s.Chunks, s.Summaries, s.Links)
}

// measures are means over the questions of a set. Pages rank by their best hit.
type measures struct {
	ndcg, mrr            float64 // of pages, at 10 and overall
	page10, page50       float64 // share of the wanted pages found in the first
	pass5, pass10        float64 // share of the wanted passages found in the first hits
	pass50, passMRR      float64
	allPages             float64 // questions of which all pages are among the first 8
	questions, passagesN float64
	ms                   float64
}

// measure ranks and scores: nDCG and recall as trec_eval's ndcg_cut and recall
// do, MRR without a cut.
func (w *world) measure(t testing.TB, set labelled, v variant) measures {
	t.Helper()
	s := recall.New(w.index, w.texts)
	s.Config, s.Legs = v.config, w.legs
	var m measures
	start := time.Now()
	for _, q := range set.queries {
		if len(q.grades) == 0 {
			continue
		}
		r, err := s.Do(context.Background(), recall.Query{Text: q.text, Limit: set.limit})
		if err != nil {
			t.Fatal(err)
		}
		m.questions++
		m.pages(q, r.Hits)
		if len(q.passages) > 0 {
			m.passagesN++
			m.passages(q, r.Hits)
		}
	}
	m.ms = float64(time.Since(start).Microseconds()) / 1000 / m.questions
	for _, x := range []*float64{&m.ndcg, &m.mrr, &m.page10, &m.page50, &m.allPages} {
		*x /= m.questions
	}
	for _, x := range []*float64{&m.pass5, &m.pass10, &m.pass50, &m.passMRR} {
		*x /= max(1, m.passagesN)
	}
	return m
}

func (m *measures) pages(q question, hits []wstk.Hit) {
	rank := map[string]int{}
	add := func(u string) {
		if rank[u] == 0 {
			rank[u] = len(rank) + 1
		}
	}
	for _, h := range hits {
		add(h.URL)
		for _, u := range h.AlsoOn {
			add(u)
		}
	}
	dcg, ideal := 0.0, 0.0
	var ranks []int
	for p, g := range q.grades {
		ranks = append(ranks, rank[p])
		if r := rank[p]; r > 0 && r <= 10 {
			dcg += float64(g) / math.Log2(float64(r+1))
		}
	}
	for i, g := range slices.SortedFunc(maps.Values(q.grades),
		func(a, b int) int { return b - a }) {
		if i < 10 {
			ideal += float64(g) / math.Log2(float64(i+2))
		}
	}
	m.ndcg += dcg / ideal
	m.mrr += reciprocal(ranks)
	m.page10 += within(ranks, 10, q.any)
	m.page50 += within(ranks, 50, q.any)
	if within(ranks, 8, q.any) == 1 {
		m.allPages++
	}
}

func (m *measures) passages(q question, hits []wstk.Hit) {
	ranks := make([]int, len(q.passages))
	for i, h := range hits {
		s := strings.Join(strings.Fields(h.Text), " ")
		for k, p := range q.passages {
			if ranks[k] == 0 && strings.Contains(s, p) {
				ranks[k] = i + 1
			}
		}
	}
	m.pass5 += within(ranks, 5, q.any)
	m.pass10 += within(ranks, 10, q.any)
	m.pass50 += within(ranks, 50, q.any)
	m.passMRR += reciprocal(ranks)
}

// within is the share of ranks that are found and at most k; with one of them
// enough it is 0 or 1.
func within(ranks []int, k int, one bool) float64 {
	n := 0
	for _, r := range ranks {
		if r > 0 && r <= k {
			n++
		}
	}
	if one {
		n = min(n, 1)
		return float64(n)
	}
	return float64(n) / float64(len(ranks))
}

func reciprocal(ranks []int) float64 {
	best := 0
	for _, r := range ranks {
		if r > 0 && (best == 0 || r < best) {
			best = r
		}
	}
	if best == 0 {
		return 0
	}
	return 1 / float64(best)
}

// plain makes a page of one paragraph.
func plain(url, title, body, lang string) *wstk.Document {
	d := &wstk.Document{URL: url, CanonicalURL: url,
		Meta: wstk.Metadata{Title: title, Language: lang}}
	addParagraph(d, body)
	return d
}

// addParagraph appends a section of one paragraph without a heading.
func addParagraph(d *wstk.Document, body string) {
	if d.Text != "" {
		d.Text += "\n"
	}
	b := wstk.Block{Kind: wstk.BlockParagraph, Section: len(d.Sections), Main: true}
	b.ByteStart, b.CharStart = len(d.Text), utf8.RuneCountInString(d.Text)
	d.Text += body
	b.ByteEnd, b.CharEnd = len(d.Text), utf8.RuneCountInString(d.Text)
	d.Sections = append(d.Sections, wstk.Section{Level: 1, Parent: -1})
	d.Blocks = append(d.Blocks, b)
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
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
	set := labelled{name: name, limit: 100}
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
			set.queries = append(set.queries,
				question{id: x.ID, text: x.Text, grades: grades[x.ID]})
		}
	})
	return set
}

// readXQuAD makes a page of each article, with a section for each paragraph. A
// question's page is its article, its passage the words around the answer.
func readXQuAD(t testing.TB, path, lang string) labelled {
	set := labelled{name: "xquad-" + lang, limit: 100}
	pages := map[string]*wstk.Document{}
	lines(t, path, func(data []byte) {
		var x struct {
			Context, Doc string
			QAs          []struct {
				ID, Question string
				Answers      []string
				Starts       []int
			}
		}
		if err := json.Unmarshal(data, &x); err != nil {
			t.Fatal(err)
		}
		article, _, _ := strings.Cut(x.Doc, "#")
		u := "https://xquad.example/" + article
		d := pages[u]
		if d == nil {
			d = &wstk.Document{URL: u, CanonicalURL: u, Meta: wstk.Metadata{Language: lang}}
			pages[u] = d
			set.docs = append(set.docs, d)
		}
		addParagraph(d, x.Context)
		runes := []rune(x.Context)
		for _, q := range x.QAs {
			from, to := max(0, q.Starts[0]-15),
				min(len(runes), q.Starts[0]+len([]rune(q.Answers[0]))+5)
			around := strings.Join(strings.Fields(string(runes[from:to])), " ")
			set.queries = append(set.queries, question{id: q.ID, text: q.Question,
				grades: map[string]int{u: 1}, passages: []string{around}, any: true})
		}
	})
	slices.SortFunc(set.queries, func(a, b question) int { return cmp.Compare(a.id, b.id) })
	return set
}
