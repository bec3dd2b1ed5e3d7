package main

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/sync/errgroup"

	"wstk/shared/stage/read"
	"wstk/shared/stage/read/content"
)

// label is what the corpus says of a page.
type label struct {
	ID   string `json:"-"`
	URL  string `json:"url"`
	Type string `json:"type"`
	Text string `json:"text"`
	Path string `json:"-"` // of the page
	Site string `json:"-"` // all pages of a site are fitted on or tested together
}

// page is a labelled page as far as fitting needs it.
type page struct {
	Site, Type string
	Rows       [][]float64
	Kin        []content.Kin
	Bytes      []int // of each block
	Bags       []map[string]int
	Truth      map[string]int
	Main       []bool // by the labels
	Doubtful   bool   // the labelled text is empty or not on the page: nothing to learn from
	Article    bool
}

func labels(dir string) ([]label, error) {
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		return nil, err
	}
	var truth map[string]label
	if err := json.Unmarshal(data, &truth); err != nil {
		return nil, err
	}
	var out []label
	for id, l := range truth {
		l.ID, l.Path, l.Site = id, filepath.Join(dir, "html", id+".html"), host(l.URL)
		out = append(out, l)
	}
	sort.Slice(out, func(a, b int) bool { return out[a].ID < out[b].ID })
	return out, nil
}

// load reads labelled pages, or the cache of an earlier run.
func load(ctx context.Context, all []label, cache string) ([]*page, error) {
	var out []*page
	if f, err := os.Open(cache); err == nil {
		defer f.Close()
		return out, gob.NewDecoder(f).Decode(&out)
	}
	out = make([]*page, len(all))
	var g errgroup.Group
	g.SetLimit(2)
	for i, l := range all {
		g.Go(func() error {
			p, err := l.read(ctx)
			if err == nil {
				out[i] = newPage(p, l)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil || cache == "" {
		return out, err
	}
	f, err := os.Create(cache)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return out, gob.NewEncoder(f).Encode(out)
}

// read reads the page of a label.
func (l *label) read(ctx context.Context) (*content.Page, error) {
	body, err := os.ReadFile(l.Path)
	if err != nil {
		return nil, err
	}
	p, err := read.ContentPage(ctx, read.Input{URL: l.URL, Body: body, ContentType: "text/html"})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.ID, err)
	}
	return p, nil
}

func newPage(p *content.Page, l label) *page {
	out := &page{Site: l.Site, Type: l.Type, Truth: bag(l.Text), Article: p.Kind().Article}
	out.Rows, out.Kin = content.Features(p)
	for _, b := range p.Blocks {
		out.Bytes = append(out.Bytes, b.End-b.Start)
		out.Bags = append(out.Bags, bag(string(p.Text[b.Start:b.End])))
	}
	out.Main = out.best()
	out.Doubtful = covered(out.Truth, bag(string(p.Text))) < 0.5
	return out
}

// best is the choice of blocks that the labels themselves would make: nearly the best
// that any choice of whole blocks can reach.
func (p *page) best() []bool {
	left := make(map[string]int, len(p.Truth))
	for w, n := range p.Truth {
		left[w] = n
	}
	order := make([]int, len(p.Bytes))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return p.Bytes[order[a]] > p.Bytes[order[b]] })
	main := make([]bool, len(p.Bytes))
	for _, i := range order {
		n, in := 0, 0
		for k, v := range p.Bags[i] {
			n += v
			in += min(v, left[k])
		}
		if n > 0 && 10*in >= 6*n {
			main[i] = true
			for k, v := range p.Bags[i] {
				left[k] -= min(v, left[k])
			}
		}
	}
	return main
}

// f1 is the measure of the blocks that odds select.
func (p *page) f1(odds []float64) float64 {
	main, _ := content.Select(p.Bytes, odds, p.Article)
	return p.f1Of(main)
}

func (p *page) f1Of(main []bool) float64 {
	got := map[string]int{}
	for k, m := range main {
		if m {
			for w, n := range p.Bags[k] {
				got[w] += n
			}
		}
	}
	_, _, f1 := bagScores(p.Truth, got)
	return f1
}

// covered is the part of the words of truth that text has, 0 for an empty truth.
func covered(truth, text map[string]int) float64 {
	all, both := 0, 0
	for w, n := range truth {
		all += n
		both += min(n, text[w])
	}
	return float64(both) / float64(max(all, 1))
}

// bag counts the words of a text as the benchmark of the corpus does: runs of letters,
// digits and underscores, in lower case.
func bag(s string) map[string]int {
	m := map[string]int{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_'
	}) {
		m[w]++
	}
	return m
}

// bagScores are the benchmark's measures.
func bagScores(truth, got map[string]int) (precision, recall, f1 float64) {
	nt, ng, both := 0, 0, 0
	for _, n := range truth {
		nt += n
	}
	for w, n := range got {
		ng += n
		both += min(n, truth[w])
	}
	switch {
	case nt == 0 && ng == 0:
		return 1, 1, 1
	case both == 0:
		return 0, 0, 0
	}
	p, r := float64(both)/float64(ng), float64(both)/float64(nt)
	return p, r, 2 * p * r / (p + r)
}

// scoreInUse prints what the weights in use reach, with all that completes a choice.
func scoreInUse(ctx context.Context, dir string) error {
	s := scores{}
	pages, err := mozilla(dir)
	if err != nil {
		return err
	}
	for _, l := range pages {
		if err := s.choices(ctx, l); err != nil {
			return err
		}
	}
	fmt.Printf("F1 of the main text, %d pages of readability:\n", len(pages))
	s.print(os.Stdout)
	all, err := labels(filepath.Join(dir, "wcxb-dev"))
	if err != nil {
		return err
	}
	s = scores{}
	for _, l := range all {
		if err := s.choices(ctx, l); err != nil {
			return err
		}
	}
	fmt.Println("\nF1 of the main text, pages that the weights in use were fitted on:")
	s.print(os.Stdout)
	return nil
}

// completed scores what is chosen by odds with all that completes a choice.
func (s scores) completed(ctx context.Context, l label, odds []float64) error {
	p, err := l.read(ctx)
	if err != nil {
		return err
	}
	main, _ := content.ChooseBy(p, odds)
	precision, recall, f1 := bagScores(bag(l.Text), bag(textOf(p, main)))
	s.add("with what completes it", l.Type, f1)
	s.add("its precision", l.Type, precision)
	s.add("its recall", l.Type, recall)
	return nil
}

// textOf is the text of chosen blocks.
func textOf(p *content.Page, main []bool) string {
	var b strings.Builder
	for i, m := range main {
		if m {
			b.Write(p.Text[p.Blocks[i].Start:p.Blocks[i].End])
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// mozilla returns the labels of the pages of readability, none if dir does not hold them.
func mozilla(dir string) ([]label, error) {
	pages, _ := filepath.Glob(filepath.Join(dir, "readability", "test-pages", "*", "source.html"))
	var out []label
	for _, path := range pages {
		want, err := os.ReadFile(filepath.Join(filepath.Dir(path), "expected.html"))
		if err != nil {
			return nil, err
		}
		name := filepath.Base(filepath.Dir(path))
		out = append(out, label{ID: name, Path: path, Site: "mozilla " + name,
			URL: "http://fakehost/test/page.html", Type: "article", Text: htmlText(string(want))})
	}
	return out, nil
}

// choices scores all ways to choose the main content of a page.
func (s scores) choices(ctx context.Context, l label) error {
	p, err := l.read(ctx)
	if err != nil {
		return err
	}
	truth := bag(l.Text)
	add := func(name string, main []bool) {
		_, _, f1 := bagScores(truth, bag(textOf(p, main)))
		s.add(name, l.Type, f1)
	}
	for _, strategy := range content.Strategies {
		main, _ := content.Choose(p, strategy)
		add(strategy, main)
	}
	main, _ := p.Baseline()
	add("landmarks alone", main)
	add("nearly the best choice", newPage(p, l).Main)
	_, _, f1 := bagScores(truth, bag(string(p.Text)))
	s.add("the whole visible text", l.Type, f1)
	return nil
}

// htmlText is the text of a piece of HTML.
func htmlText(src string) string {
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return ""
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// scores are values by name and type of page.
type scores map[string]map[string][]float64

var scoresMu sync.Mutex

func (s scores) add(name, typ string, v float64) {
	scoresMu.Lock()
	defer scoresMu.Unlock()
	if s[name] == nil {
		s[name] = map[string][]float64{}
	}
	s[name][typ] = append(s[name][typ], v)
	s[name]["all"] = append(s[name]["all"], v)
}

var pageTypes = []string{"all", "article", "documentation", "service", "forum", "product",
	"collection", "listing"}

func (s scores) print(w io.Writer) {
	fmt.Fprintf(w, "%-24s", "")
	for _, k := range pageTypes {
		fmt.Fprintf(w, " %13s", k)
	}
	fmt.Fprintln(w)
	var names []string
	for n := range s {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		fmt.Fprintf(w, "%-24s", n)
		for _, k := range pageTypes {
			sum := 0.0
			for _, v := range s[n][k] {
				sum += v
			}
			fmt.Fprintf(w, " %13.4f", sum/float64(max(1, len(s[n][k]))))
		}
		fmt.Fprintln(w)
	}
}

func host(u string) string {
	if p, err := url.Parse(u); err == nil {
		return p.Host
	}
	return u
}
