package prompted_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"wstk/shared/stage/extract/prompted"
	"wstk/shared/wstk"
)

// said is a model that says one thing, whatever it is asked.
type said struct {
	words string
	asked []wstk.ModelRequest
}

func (*said) Info() wstk.ModelInfo { return wstk.ModelInfo{Provider: "test", Model: "m1"} }

func (m *said) Complete(_ context.Context, r wstk.ModelRequest) (wstk.ModelReply, error) {
	m.asked = append(m.asked, r)
	return wstk.ModelReply{Text: m.words}, nil
}

// page makes a Document of paragraphs.
func page(name, title string, paragraphs ...string) *wstk.Document {
	d := &wstk.Document{URL: "https://a.example/" + name,
		Meta: wstk.Metadata{Title: title, Language: "en"}}
	for _, p := range paragraphs {
		if d.Text != "" {
			d.Text += "\n"
		}
		d.Blocks = append(d.Blocks, wstk.Block{Kind: wstk.BlockParagraph, Section: -1, Main: true,
			Span: wstk.Span{ByteStart: len(d.Text), ByteEnd: len(d.Text) + len(p),
				CharStart: utf8.RuneCountInString(d.Text)}})
		d.Text += p
	}
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
	return d
}

func engine(m wstk.Model, docs ...*wstk.Document) *prompted.Engine {
	return &prompted.Engine{Models: func(wstk.Operation) wstk.Model { return m },
		Document: func(_ context.Context, url string) (*wstk.Document, error) {
			for _, d := range docs {
				if d.URL == url {
					return d, nil
				}
			}
			return nil, wstk.Errorf(wstk.NotFound, "", "no page %s", url)
		}}
}

func hit(d *wstk.Document, block int) wstk.Hit {
	b := d.Blocks[block]
	return wstk.Hit{URL: d.URL, Title: d.Meta.Title, Text: d.BlockText(block),
		TextSHA256: d.TextSHA256, Span: &b.Span}
}

func has(warnings []wstk.Warning, code string) bool {
	for _, w := range warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

// A long page is shown by whole paragraphs around what recall found, and a warning says what is
// left out.
func TestALongPageIsShownAroundItsPassages(t *testing.T) {
	var lines []string
	for i := range 500 {
		lines = append(lines, fmt.Sprintf("Paragraph %d tells of a harbour with many boats.", i))
	}
	long, short := page("long", "Long", lines...), page("short", "Short", "A short page.")
	m := &said{words: `{"claims":[],"gaps":[]}`}
	e := engine(m, long, short)
	e.Limits.Input = 300
	out, err := e.Extract(t.Context(), prompted.Query{Text: "Which boats?"},
		wstk.Bucket{Pages: []string{long.URL, short.URL}, Hits: []wstk.Hit{hit(long, 400)}})
	if err != nil {
		t.Fatal(err)
	}
	user := m.asked[0].User
	for _, want := range []string{"Paragraph 400 ", "Paragraph 399 ", "Paragraph 401 ",
		"A short page."} {
		if !strings.Contains(user, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, user)
		}
	}
	if strings.Contains(user, "Paragraph 200 ") || strings.Count(user, "harbour with") !=
		strings.Count(user, "harbour with many boats.") {
		t.Errorf("the prompt holds what is far, or a part of a paragraph:\n%s", user)
	}
	if len(out.Warnings) != 1 || out.Warnings[0].Code != prompted.WarnPassages ||
		out.Warnings[0].URL != long.URL {
		t.Errorf("the warnings are %+v, want one of the long page", out.Warnings)
	}
	if cost, _, err := e.Cost(t.Context(), prompted.Query{Text: "Which boats?"},
		wstk.Bucket{Pages: []string{short.URL}}); err != nil || cost < 100 {
		t.Errorf("a call costs %d, %v; want the prompt counted", cost, err)
	}
}

// What goes beyond the bounds of a reply is left out, and a warning says so.
func TestRepliesAreBounded(t *testing.T) {
	d := page("a", "A", "The fee is 100 dollars.")
	type quote struct {
		Page  int    `json:"page"`
		Words string `json:"words"`
	}
	claim := map[string]any{"field": strings.Repeat("f", 10_000),
		"statement": strings.Repeat("s", 100_000), "support": "certain",
		"quotes": make([]quote, 5000)}
	var claims []any
	for range 500 {
		claims = append(claims, claim)
	}
	reply, err := json.Marshal(map[string]any{"claims": claims, "gaps": []any{}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := engine(&said{words: string(reply)}, d).Extract(t.Context(),
		prompted.Query{Text: "What is the fee?"}, wstk.Bucket{Pages: []string{d.URL}})
	if err != nil || len(out.Claims) > 100 || !has(out.Warnings, "reply_cut") {
		t.Fatalf("%d claims, %+v, %v; want few, and a warning", len(out.Claims), out.Warnings, err)
	}
	if c := out.Claims[0]; len(c.Statement) > 5000 || len(c.Field) > 500 ||
		len(c.Proposed) > 20 || c.Support != wstk.SupportInferred {
		t.Errorf("a claim has %d bytes, a field of %d, %d quotes and support %s", len(c.Statement),
			len(c.Field), len(c.Proposed), c.Support)
	}
}

// A value is read from the quote, and only where the statement repeats it.
func TestValuesAreReadFromQuotes(t *testing.T) {
	d := page("a", "A", "The fee is 100 dollars. The hall seats 40 people.")
	for _, c := range []struct{ statement, words, language, want string }{
		{"The fee is 100 dollars.", "The fee is 100 dollars.", "", "100 dollars"},
		{"There is a fee.", "The fee is 100 dollars.", "", ""},
		{"Die Gebühr beträgt 100 US-Dollar.", "The fee is 100 dollars.", "de", "100 dollars"},
		{"The fee is 900 dollars.", "The fee is 100 dollars.", "", ""},
	} {
		reply, _ := json.Marshal(map[string]any{"gaps": []any{}, "claims": []any{map[string]any{
			"field": "", "statement": c.statement, "support": "direct",
			"quotes": []any{map[string]any{"page": 1, "words": c.words}}}}})
		out, err := engine(&said{words: string(reply)}, d).Extract(t.Context(),
			prompted.Query{Text: "What is the fee?", Language: c.language},
			wstk.Bucket{Pages: []string{d.URL}})
		if err != nil || len(out.Claims) != 1 {
			t.Fatalf("%+v, %v", out, err)
		}
		got := ""
		if v := out.Claims[0].Value; v != nil {
			got = v.Text
		}
		if got != c.want {
			t.Errorf("%s: the value is %q, want %q", c.statement, got, c.want)
		}
	}
}

// Buckets are made of pages that were shown, at most so many, with a title that is on them.
func TestBucketsAreOfPagesThatWereShown(t *testing.T) {
	a, b := page("a", "Course A", "Course A is for beginners."),
		page("b", "Course B", "Course B is for all.")
	m := &said{words: `{"items":[{"title":"Course A","pages":[1,1,9],"rationale":"r"},
		{"title":"Free money","pages":[2],"rationale":"r"},
		{"title":"Course A","pages":[1],"rationale":"again"},
		{"title":"Nothing","pages":[7,-1],"rationale":"r"},
		{"title":"Course B","pages":[2,1],"rationale":"r"}]}`}
	e := engine(m, a, b)
	e.Limits.Buckets = 2
	out, err := e.Partition(t.Context(), "list all courses", []wstk.Hit{hit(a, 0), hit(b, 0)})
	if err != nil || len(out.Buckets) != 2 || out.Left != 1 {
		t.Fatalf("%+v, %v; want two buckets and one left", out, err)
	}
	if o := out.Buckets[0]; o.Title != "Course A" || fmt.Sprint(o.Pages) != "["+a.URL+"]" ||
		len(o.Hits) != 1 {
		t.Errorf("the first bucket is %+v", o)
	}
	if o := out.Buckets[1]; o.Title != "Course B" {
		t.Errorf("an invented title became %q, want that of the page", o.Title)
	}
	e.Limits.Summaries = 1
	out, err = e.Partition(t.Context(), "list all courses", []wstk.Hit{hit(a, 0), hit(b, 0)})
	if err != nil || !has(out.Warnings, "pages_left_out") ||
		strings.Contains(m.asked[1].User, "Course B") {
		t.Errorf("%+v, %v; want one page shown, and a warning", out.Warnings, err)
	}
}

// One call sees the fifty best pages of what was found, unless a caller says otherwise, each with
// its title and passages; the reply says how many were left out.
func TestPartitionSeesTheBestFiftyPages(t *testing.T) {
	var docs []*wstk.Document
	var hits []wstk.Hit
	for i := range 60 {
		d := page(fmt.Sprintf("p%d", i), fmt.Sprintf("Course %d", i),
			fmt.Sprintf("The course number %d. teaches sailing.", i))
		docs, hits = append(docs, d), append(hits, hit(d, 0))
	}
	for most, want := range map[int]int{0: 50, 7: 7, 70: 60} {
		m := &said{words: `{"items":[]}`}
		e := engine(m, docs...)
		e.Limits.Summaries = most
		out, err := e.Partition(t.Context(), "list all courses", hits)
		if err != nil || len(m.asked) != 1 {
			t.Fatalf("%d calls, %v; want one", len(m.asked), err)
		}
		for i, d := range docs {
			if shown := strings.Contains(m.asked[0].User, d.Text); shown != (i < want) {
				t.Errorf("bound %d: page %d is shown: %v", most, i, shown)
			}
		}
		if has(out.Warnings, "pages_left_out") != (want < 60) {
			t.Errorf("bound %d: the warnings are %+v", most, out.Warnings)
		}
	}
}

// Junk is a typed failure in every step.
func TestJunkIsModelFailed(t *testing.T) {
	d := page("a", "A", "The fee is 100 dollars.")
	for _, junk := range []string{"", "I cannot do that.", "[]", `{"claims":"none"}`,
		`{"items":7,"claims":7,"strategy":7}`} {
		e := engine(&said{words: junk}, d)
		_, err := e.Extract(t.Context(), prompted.Query{Text: "What is the fee?"},
			wstk.Bucket{Pages: []string{d.URL}})
		if wstk.CodeOf(err) != wstk.ModelFailed {
			t.Errorf("extract of %q: %v, want %s", junk, err, wstk.ModelFailed)
		}
		if _, _, err := e.Classify(t.Context(), "the harbour"); wstk.CodeOf(err) !=
			wstk.ModelFailed {
			t.Errorf("classify of %q: %v, want %s", junk, err, wstk.ModelFailed)
		}
	}
}
