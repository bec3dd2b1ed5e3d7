package read

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
)

// The tests in this file run over labelled pages and are skipped unless
// WSTK_CORPORA names a folder that holds them unpacked (wcxb-dev, readability).
// They print tables; docs/benchmarks keeps them. tools/fit scores main content on the same
// pages.

func corpora(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("WSTK_CORPORA")
	if dir == "" {
		t.Skip("WSTK_CORPORA is not set")
	}
	return filepath.Join(dir, name)
}

// labelled is a page of the WCXB corpus.
type labelled struct {
	ID      string   `json:"-"`
	URL     string   `json:"url"`
	Type    string   `json:"type"`
	Text    string   `json:"text"`
	Title   string   `json:"title"`
	Author  string   `json:"author"`
	Date    string   `json:"publish_date"`
	With    []string `json:"with"`
	Without []string `json:"without"`
}

func loadLabelled(t *testing.T) (string, []labelled) {
	dir := corpora(t, "wcxb-dev")
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth map[string]labelled
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	var pages []labelled
	for id, p := range truth {
		p.ID = id
		pages = append(pages, p)
	}
	sort.Slice(pages, func(a, b int) bool { return pages[a].ID < pages[b].ID })
	return dir, pages
}

// each calls f for every page, two at a time.
func each(t *testing.T, pages []labelled, dir string, f func(i int, body []byte)) {
	t.Helper()
	next := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range next {
				body, err := os.ReadFile(filepath.Join(dir, "html", pages[i].ID+".html"))
				if err != nil {
					t.Error(err)
				}
				f(i, body)
			}
		})
	}
	for i := range pages {
		next <- i
	}
	close(next)
	wg.Wait()
}

// bag counts the words of a text: runs of letters, digits and underscores, in lower case.
func bag(s string) map[string]int {
	m := map[string]int{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_'
	}) {
		m[w]++
	}
	return m
}

// TestCorpusMarkdown reads the pages of each folder under docs (one per site,
// html/ID.html) and writes their Markdown to markdown.json beside them, for a
// scorer of structure.
func TestCorpusMarkdown(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(corpora(t, "docs"), "*", "html", "*.html"))
	if len(files) == 0 {
		t.Skip("no docs folder")
	}
	byDir := map[string]map[string]string{}
	for _, path := range files {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := &Stage{}
		d, err := s.Do(t.Context(), Input{URL: "https://docs.example/manual/page.html", Body: body, ContentType: "text/html"})
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(filepath.Dir(path))
		if byDir[dir] == nil {
			byDir[dir] = map[string]string{}
		}
		byDir[dir][strings.TrimSuffix(filepath.Base(path), ".html")] = d.Markdown
	}
	for dir, md := range byDir {
		data, _ := json.Marshal(md)
		if err := os.WriteFile(filepath.Join(dir, "markdown.json"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d pages", len(files))
}

// TestCorpusMetadata prints how often title, author and date are what the labels
// say. A title counts when it is equal after folding, or when one holds the other;
// an author when a name of it is in the label; a date when it is the same day, give
// or take one for time zones. Wrong is a value where another one, or none, is
// labelled.
func TestCorpusMetadata(t *testing.T) {
	dir, pages := loadLabelled(t)
	type tally struct{ labelled, right, near, wrong, missing, unlabelled int }
	var mu sync.Mutex
	counts := map[string]*tally{"title": {}, "author": {}, "date": {}}
	var samples []string
	each(t, pages, dir, func(i int, body []byte) {
		l := pages[i]
		tr := dom.ParseAll(decode(body, "", mediaHTML), xmlPage(body))
		p := readPage(tr, l.URL)
		m := gather(tr).metadata(p, nil)
		date := ""
		if m.PublishedAt != nil {
			date = m.PublishedAt.Format("2006-01-02")
		}
		mu.Lock()
		defer mu.Unlock()
		judge := func(name, want, got string, same, near bool) {
			c := counts[name]
			switch {
			case want == "" && got != "":
				c.unlabelled++
			case want == "":
			default:
				c.labelled++
				switch {
				case got == "":
					c.missing++
				case same:
					c.right++
				case near:
					c.near++
				default:
					c.wrong++
				}
				if !same && os.Getenv("WSTK_SHOW") == name {
					samples = append(samples, fmt.Sprintf("%s %s\n\twant %q\n\tgot  %q", l.ID, l.URL, want, got))
				}
			}
		}
		a, b := text.FoldCompare(l.Title), text.FoldCompare(m.Title)
		judge("title", l.Title, m.Title, a == b,
			a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a)))
		a, b = text.FoldCompare(l.Author), text.FoldCompare(m.Author)
		judge("author", l.Author, m.Author, a == b,
			a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a)))
		judge("date", l.Date, date, date == l.Date, nearDay(date, l.Date))
	})
	for _, name := range []string{"title", "author", "date"} {
		c := counts[name]
		t.Logf("%-6s labelled %4d: right %.3f, nearly %.3f, wrong %.3f, missing %.3f; found where none is labelled: %d", name, c.labelled,
			float64(c.right)/float64(c.labelled), float64(c.near)/float64(c.labelled),
			float64(c.wrong)/float64(c.labelled), float64(c.missing)/float64(c.labelled),
			c.unlabelled)
	}
	sort.Strings(samples)
	for _, s := range samples {
		t.Log(s)
	}
}

func nearDay(a, b string) bool {
	x, err := time.Parse("2006-01-02", a)
	y, err2 := time.Parse("2006-01-02", b)
	return err == nil && err2 == nil && x.Sub(y).Abs() <= 24*time.Hour
}

// TestCorpusShown counts the snippets that a page's main text must have, by where the reader
// has them: in the visible text, or only in what it takes for hidden. With WSTK_SHOW=shown it
// names each that is hidden.
func TestCorpusShown(t *testing.T) {
	dir, pages := loadLabelled(t)
	var mu sync.Mutex
	var hidden []string
	snippets, visible, kept, chars := 0, 0, 0, 0
	words := func(s string) string { return strings.Join(strings.Fields(text.FoldCompare(s)), " ") }
	each(t, pages, dir, func(i int, body []byte) {
		l := pages[i]
		p := readPage(dom.ParseAll(decode(body, "", mediaHTML), xmlPage(body)), l.URL)
		all, truth := words(string(p.text)), bag(l.Text)
		got := bag(string(p.text))
		mu.Lock()
		defer mu.Unlock()
		for w, n := range truth {
			kept += min(n, got[w])
			chars += n
		}
		for _, s := range l.With {
			snippets++
			s = words(s)
			if strings.Contains(all, s) {
				visible++
				continue
			}
			for _, h := range p.hidden {
				if strings.Contains(words(h.Text), s) {
					hidden = append(hidden, fmt.Sprintf("%s %s %q", l.ID, h.Reason, s))
					break
				}
			}
		}
	})
	t.Logf("%d snippets: %d in the visible text, %d only in hidden text; %d of %d labelled words visible", snippets, visible, len(hidden), kept, chars)
	if os.Getenv("WSTK_SHOW") == "shown" {
		sort.Strings(hidden)
		t.Log("\n" + strings.Join(hidden, "\n"))
	}
}
