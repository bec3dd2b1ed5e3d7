package read

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// checkDocument holds what every Document promises, whatever the page.
func checkDocument(t testing.TB, d *wstk.Document) {
	t.Helper()
	if !utf8.ValidString(d.Text) {
		t.Fatal("the text is no UTF-8")
	}
	if d.TextSHA256 != wstk.HashOf([]byte(d.Text)) {
		t.Error("the text's hash is not that of the text")
	}
	if s := text.Strip(d.Text); s != d.Text {
		t.Error("the text has invisible characters")
	}
	offsets := text.NewOffsets(d.Text)
	end := 0
	for i, b := range d.Blocks {
		if b.ByteStart < end || b.ByteEnd <= b.ByteStart || b.ByteEnd > len(d.Text) {
			t.Fatalf("block %d at %d–%d overlaps, is empty or leaves the text", i, b.ByteStart, b.ByteEnd)
		}
		if i == 0 && b.ByteStart != 0 || i > 0 && d.Text[end:b.ByteStart] != "\n" {
			t.Errorf("block %d is not one newline after the one before", i)
		}
		end = b.ByteEnd
		if !utf8.ValidString(d.BlockText(i)) {
			t.Errorf("block %d cuts a character", i)
		}
		if offsets.Char(b.ByteStart) != b.CharStart || offsets.Char(b.ByteEnd) != b.CharEnd {
			t.Errorf("block %d: characters %d–%d are not bytes %d–%d", i, b.CharStart, b.CharEnd, b.ByteStart, b.ByteEnd)
		}
		if strings.TrimSpace(d.BlockText(i)) == "" {
			t.Errorf("block %d has nothing to see", i)
		}
		if b.Section < -1 || b.Section >= len(d.Sections) {
			t.Errorf("block %d is in section %d of %d", i, b.Section, len(d.Sections))
		}
		switch b.Kind {
		case wstk.BlockTableRow, wstk.BlockHeading:
			if strings.Contains(d.BlockText(i), "\n") {
				t.Errorf("block %d, a %s, has a line break", i, b.Kind)
			}
		}
	}
	if end != len(d.Text) {
		t.Errorf("the text goes on for %d bytes after the last block", len(d.Text)-end)
	}
	for i, s := range d.Sections {
		if s.Parent >= i || s.Parent < -1 {
			t.Errorf("section %d is under section %d", i, s.Parent)
		}
		if s.Parent >= 0 && d.Sections[s.Parent].Level >= s.Level {
			t.Errorf("section %d of level %d is under one of level %d", i, s.Level, d.Sections[s.Parent].Level)
		}
	}
	for _, h := range d.Hidden {
		if n := utf8.RuneCountInString(h.Text); n > maxHidden || n > h.Chars || h.Chars == 0 {
			t.Errorf("hidden text of %d characters says it has %d", n, h.Chars)
		}
	}
	for _, item := range d.Data {
		if !json.Valid(item.Value) {
			t.Errorf("the value of a %s item is no JSON: %s", item.Format, item.Value)
		}
	}
}

// TestSameBytesSameDocument: reading twice gives the same bytes.
func TestSameBytesSameDocument(t *testing.T) {
	files, _ := filepath.Glob("testdata/pages/*.*")
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		a, err := json.Marshal(readFile(t, path))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(readFile(t, path))
		if !bytes.Equal(a, b) {
			t.Errorf("%s reads differently the second time", path)
		}
	}
}

// TestDataIsFoundAgain: what a leaf says stands at its pointer stands there.
func TestDataIsFoundAgain(t *testing.T) {
	files, _ := filepath.Glob("testdata/pages/*.html")
	leaves := 0
	for _, path := range files {
		body, _ := os.ReadFile(path)
		for _, item := range readFile(t, path).Data {
			for _, l := range item.Leaves {
				leaves++
				got, err := FindData(body, l.Element, l.Pointer)
				if err != nil || got != l.Literal {
					t.Errorf("%s: %s of element %d: %q, %v; the leaf says %q", path, l.Pointer, l.Element, got, err, l.Literal)
				}
			}
		}
	}
	if leaves < 20 {
		t.Errorf("only %d leaves were checked", leaves)
	}
}

// FuzzDocument reads any bytes as any type. Whatever comes, the Document keeps
// its promises, reading does not panic, and data is found again.
func FuzzDocument(f *testing.F) {
	files, _ := filepath.Glob("testdata/pages/*.*")
	for _, path := range files {
		if body, err := os.ReadFile(path); err == nil && !strings.HasSuffix(path, ".golden") {
			f.Add(body, mediaTypes[filepath.Ext(path)], "")
		}
	}
	for _, s := range []string{
		"", "<", "<p>\xff\xfe", "<table><td>a<td rowspan=3>b<tr><td>c", "<pre>\n\n a\n\tb</pre>", "<svg><text>x</svg>",
		"<select><option>a<option>b</select>", "<p>10<sup>5</sup>", "<script type=application/ld+json>{\"a\":[1,{\"b/c\":null}]}</script>",
		"<div itemscope itemref=x><p itemprop=a>1</div><p id=x itemprop=b>2", "<style>p{display:none</style><p>x", "<base href=//x>",
		"<h1>a</h1><h3>b</h3><h2>c</h2>", "\u202ea\u200bb", "<textarea>\n a </textarea>", "<dl><dt>a<dd>b</dl>", "<a href=x>a</a><a href=y>b</a>",
		strings.Repeat("<div>", 600) + "x", "<math><mn>1</mn><mn>2</mn></math>", "<p hidden>x<p style=visibility:hidden>a<b style=visibility:visible>b",
		"# a\n\n* b `c` [d](e)\n\n| f | g |\n|-|-|\n| h | i |\n", "<?xml version=\"1.0\"?><a>b<c/>d</a>", "{\"a\": 1}",
	} {
		for _, m := range []string{"text/html", "text/plain", "text/markdown", "application/xml", "application/json", ""} {
			f.Add([]byte(s), m, "")
		}
		f.Add([]byte(s), "text/html", "shift_jis")
	}
	f.Add([]byte(rss), "application/rss+xml", "")
	pdfs, _ := filepath.Glob("pdf/testdata/*.pdf")
	for _, path := range pdfs {
		if body, err := os.ReadFile(path); err == nil {
			f.Add(body, "application/pdf", "")
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType, charset string) {
		s := &Stage{}
		in := Input{URL: "https://site.example/dir/page", Body: body, ContentType: contentType,
			Charset: charset, FetchedAt: time.Unix(0, 0).UTC()}
		d, err := s.Do(context.Background(), in)
		if err != nil {
			if wstk.CodeOf(err) != wstk.UnsupportedMediaType {
				t.Fatal(err)
			}
			return
		}
		checkDocument(t, d)
		for _, item := range d.Data {
			for _, l := range item.Leaves {
				got, err := FindData(body, l.Element, l.Pointer)
				if err != nil || got != l.Literal {
					t.Fatalf("%s of element %d: %q, %v; the leaf says %q", l.Pointer, l.Element, got, err, l.Literal)
				}
			}
		}
	})
}
