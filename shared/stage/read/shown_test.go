package read

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

func show(t *testing.T, src string) *Shown {
	t.Helper()
	s, err := (&Stage{}).Show(t.Context(), Input{URL: "https://example.org/", Body: []byte(src), ContentType: "text/html"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bare is s without white space and without what is stripped.
func bare(s string) string { return strings.Join(strings.Fields(text.Strip(s)), "") }

func joined(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Node.Data[p.Start:p.End])
	}
	return b.String()
}

// Each block, and each line between two words of it, is found on the real pages, and a
// page is shown with the text that Do reads.
func TestEveryBlockIsFoundOnItsPage(t *testing.T) {
	var names []string
	for _, glob := range []string{"testdata/pages/*.html", "../../../testdata/sites/sqlite/*.html"} {
		found, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 50 {
		t.Fatalf("only %d pages", len(names))
	}
	blocks := 0
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in := Input{URL: "https://example.org/", Body: src, ContentType: "text/html"}
		d, err := (&Stage{}).Do(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		s, err := (&Stage{}).Show(t.Context(), in)
		if err != nil || s.Text != d.Text {
			t.Fatalf("%s: shown with another text, or not: %v", name, err)
		}
		for _, b := range d.Blocks {
			pieces, ok := s.Find(b.Span)
			if !ok {
				if !noscript(s, b.Element) {
					t.Errorf("%s: block at %d is not found: %q", name, b.ByteStart, d.Text[b.ByteStart:b.ByteEnd])
				}
				continue
			}
			if got, want := bare(joined(pieces)), bare(d.Text[b.ByteStart:b.ByteEnd]); got != want {
				t.Errorf("%s: found %q, want %q", name, got, want)
			}
			blocks++
			// From the second word to the last but one.
			text := d.Text[b.ByteStart:b.ByteEnd]
			from, to := strings.IndexByte(text, ' ')+1, strings.LastIndexByte(text, ' ')
			if from < to {
				span := wstk.Span{ByteStart: b.ByteStart + from, ByteEnd: b.ByteStart + to}
				if pieces, ok = s.Find(span); !ok && bare(text[from:to]) != "" ||
					bare(joined(pieces)) != bare(text[from:to]) {
					t.Errorf("%s: found %q, want %q", name, joined(pieces), text[from:to])
				}
			}
		}
	}
	if blocks < 1000 {
		t.Errorf("only %d blocks were looked for", blocks)
	}
}

// noscript reports whether an element of the page is a noscript element.
func noscript(s *Shown, element int) bool {
	at := -1
	for n := range s.Root.Descendants() {
		if n.Type == html.ElementNode {
			if at++; at == element {
				return n.Data == "noscript"
			}
		}
	}
	return false
}

func TestFind(t *testing.T) {
	for name, c := range map[string]struct{ page, quote, want string }{
		"within one node":         {"<p>one two three</p>", "two", "two"},
		"over inline markup":      {"<p>one <b>two</b> <i>th</i>ree</p>", "two three", "two|th|ree"},
		"over a hidden part":      {"<p>one <span hidden>no </span>two</p>", "one two", "one|two"},
		"the second of two":       {"<p>same</p><p>same again</p>", "same again", "same again"},
		"after <br>":              {"<div>one<br>two<br><br>two three</div>", "two three", "two three"},
		"collapsed":               {"<p>one\n   two</p>", "one two", "one\n   two"},
		"two cells":               {"<table><tr><th>a<th>b<tr><td>one<td>two</table>", "one\ttwo", "one|two"},
		"digits that got a space": {"<p>10<sup>5</sup> bytes</p>", "10 5 bytes", "10|5| bytes"},
		"a small superscript":     {"<p>2<small><sup>31</sup></small>-1 rows</p>", "2 31-1 rows", "2|31|-1 rows"},
		"a superscript of small":  {"<p>2<sup><small>31</small></sup>-1 rows</p>", "2 31-1 rows", "2|31|-1 rows"},
		"stripped characters":     {"<p>o\u200bne two</p>", "one two", "o\u200bne two"},
		"kept lines":              {"<pre>\n  one\n    two\n</pre>", "one\n    two", "one\n    two"},
		"two blocks":              {"<p>one</p><p>two</p>", "one\ntwo", "one|two"},
		"drawn text":              {"<svg><title>one</title><text>one two</text></svg>", "one two", "one two"},
	} {
		s := show(t, c.page)
		at := strings.Index(s.Text, c.quote)
		if at < 0 {
			t.Errorf("%s: %q is not in %q", name, c.quote, s.Text)
			continue
		}
		pieces, ok := s.Find(wstk.Span{ByteStart: at, ByteEnd: at + len(c.quote)})
		var got []string
		for _, p := range pieces {
			got = append(got, p.Node.Data[p.Start:p.End])
		}
		want := strings.Split(c.want, "|")
		for i := range got {
			if i < len(want) && strings.TrimSpace(got[i]) != strings.TrimSpace(want[i]) {
				ok = false
			}
		}
		if !ok || len(got) != len(want) {
			t.Errorf("%s: found %q, want %q", name, got, want)
		}
	}
}

func TestFindWhatIsNotThere(t *testing.T) {
	s := show(t, "<p>one</p>")
	for _, span := range []wstk.Span{{ByteStart: -1, ByteEnd: 1}, {ByteStart: 2, ByteEnd: 2},
		{ByteStart: 0, ByteEnd: 99}} {
		if _, ok := s.Find(span); ok {
			t.Errorf("%v is found", span)
		}
	}
	s = show(t, "<body><div><noscript><p>only here</p></noscript></div>")
	if !strings.Contains(s.Text, "only here") {
		t.Fatalf("the text is %q", s.Text)
	}
	if _, ok := s.Find(wstk.Span{ByteEnd: len(s.Text)}); ok {
		t.Error("words of a noscript element are in a node of the tree")
	}
}

func TestShowRefusesWhatHasNoElements(t *testing.T) {
	for _, contentType := range []string{"text/plain", "application/json", "image/png"} {
		_, err := (&Stage{}).Show(t.Context(),
			Input{URL: "https://example.org/", Body: []byte("{}"), ContentType: contentType})
		if wstk.CodeOf(err) != wstk.UnsupportedMediaType {
			t.Errorf("%s: %v", contentType, err)
		}
	}
}

func TestShowHostilePages(t *testing.T) {
	for name, src := range hostilePages() {
		s := show(t, src)
		if _, ok := s.Find(wstk.Span{ByteEnd: len(s.Text)}); !ok && name != "noscripts" {
			t.Errorf("%s: its text is not found", name)
		}
	}
}
