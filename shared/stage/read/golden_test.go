package read

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

var mediaTypes = map[string]string{".html": "text/html", ".md": "text/markdown", ".xml": "application/xml", ".json": "application/json", ".txt": "text/plain"}

func readFile(t testing.TB, path string) *wstk.Document {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return readBody(t, "https://site.example/dir/"+filepath.Base(path), mediaTypes[filepath.Ext(path)], body)
}

func readBody(t testing.TB, url, contentType string, body []byte) *wstk.Document {
	t.Helper()
	s := &Stage{}
	d, err := s.Do(context.Background(), Input{URL: url, Body: body, ContentType: contentType,
		SnapshotSHA256: wstk.HashOf(body), FetchedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func readString(t testing.TB, html string) *wstk.Document {
	t.Helper()
	return readBody(t, "https://site.example/dir/page.html", "text/html", []byte(html))
}

// TestGolden holds the whole reading of small pages still. Each guards a part
// of the reader: article (metadata, main content, hidden text), manual (code,
// tables, terms, heading marks), product (microdata, forms), hidden (every way
// to hide text, and what looks like one), layout (tables that lay out), chinese,
// noscript, and the types that are no HTML.
//
// D9: among what is compared are title, published and updated dates, and outgoing links.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/pages/*.*")
	if err != nil || len(files) == 0 {
		t.Fatal("no pages", err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			d := readFile(t, path)
			checkDocument(t, d)
			got := describe(d)
			golden := path + ".golden"
			if os.Getenv("WSTK_GOLDEN") == "update" {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs. If the change is meant, run: make golden\n--- golden\n%s\n--- now\n%s", golden, want, got)
			}
		})
	}
}

// describe writes a Document for people: a block a line.
func describe(d *wstk.Document) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "reader %s, main content by %s\ncanonical %s\n", d.Reader, d.Choice.Name, d.CanonicalURL)
	meta, _ := json.Marshal(d.Meta)
	fmt.Fprintf(&b, "meta %s\n", meta)
	for _, w := range d.Warnings {
		fmt.Fprintf(&b, "warning %s: %s\n", w.Code, w.Message)
	}
	b.WriteString("\n# blocks: main or not, kind, section, element, table, text\n")
	for i, bl := range d.Blocks {
		mark, level, table := " ", "", ""
		if bl.Main {
			mark = "*"
		}
		if bl.Level > 0 {
			level = fmt.Sprint(bl.Level)
		}
		if bl.Table > 0 {
			table = fmt.Sprintf(" table %d", bl.Table)
			if bl.IsHeader {
				table += " header"
			}
		}
		if bl.Lang != "" {
			table += " " + bl.Lang
		}
		fmt.Fprintf(&b, "%s %s%s s%d e%d%s %q\n", mark, bl.Kind, level, bl.Section, bl.Element, table, d.BlockText(i))
	}
	if len(d.Sections) > 0 {
		b.WriteString("\n# sections\n")
		for i, s := range d.Sections {
			fmt.Fprintf(&b, "%d under %d, level %d, #%s %q\n", i, s.Parent, s.Level, s.Anchor, s.Title)
		}
	}
	if len(d.Links) > 0 {
		b.WriteString("\n# links\n")
		for _, l := range d.Links {
			flags := ""
			if l.Main {
				flags += " main"
			}
			if l.NoFollow {
				flags += " nofollow"
			}
			fmt.Fprintf(&b, "e%d%s %s %q\n", l.Element, flags, l.URL, l.Text)
		}
	}
	if len(d.Hidden) > 0 {
		b.WriteString("\n# hidden\n")
		for _, h := range d.Hidden {
			fmt.Fprintf(&b, "e%d %s (%d) %q\n", h.Element, h.Reason, h.Chars, h.Text)
		}
	}
	if len(d.Data) > 0 {
		b.WriteString("\n# structured data\n")
		for _, item := range d.Data {
			fmt.Fprintf(&b, "%s %s e%d %s\n", item.Format, item.Type, item.Element, item.Value)
			for _, l := range item.Leaves {
				fmt.Fprintf(&b, "  %s e%d %s %q\n", l.Name, l.Element, l.Pointer, l.Literal)
			}
		}
	}
	fmt.Fprintf(&b, "\n# markdown\n%s\n", d.Markdown)
	return b.String()
}
