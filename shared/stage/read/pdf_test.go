package read

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

func readPDFFile(t *testing.T, name string) *wstk.Document {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("pdf", "testdata", name+".pdf"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := (&Stage{}).Do(t.Context(), Input{URL: "http://pdf.example/file.pdf", Body: body, ContentType: "text/html"})
	if err != nil {
		t.Fatal(err)
	}
	checkDocument(t, d)
	return d
}

func TestPDF(t *testing.T) {
	d := readPDFFile(t, "weasy")
	if d.Reader != "pdf/4" || d.Choice.Name != "pdf" || d.Meta.Title != "Manual of things" ||
		d.Meta.Author != "Ada Example" || d.Meta.Language != "en" {
		t.Errorf("%s, %s, %+v", d.Reader, d.Choice.Name, d.Meta)
	}
	at := strings.Index(d.Text, "first 5 thing")
	if at < 0 || d.PageAt(at) != 3 {
		t.Errorf("the fifth chapter stands at %d, page %d", at, d.PageAt(at))
	}
	last, code := 0, 0
	for _, b := range d.Blocks {
		if b.Page < last || b.Page > 4 {
			t.Fatalf("page %d after page %d", b.Page, last)
		}
		last = b.Page
		if b.Kind == wstk.BlockCode {
			code++
			if path := d.SectionPath(b.Section); len(path) != 2 || path[0] != "Manual of things" ||
				!strings.HasPrefix(path[1], "Chapter ") {
				t.Errorf("code under %q", path)
			}
		}
	}
	if last != 4 || code != 8 {
		t.Errorf("%d pages, %d pieces of code", last, code)
	}
	if s := d.Sections[1]; s.Title != "Chapter 0 of it" || s.Anchor != "page=1" || s.Level != 2 {
		t.Errorf("%+v", s)
	}
	for _, want := range []string{"<!-- page 1 -->\n\n# Manual of things\n", "\n## Chapter 0 of it\n", "\n- first 0 thing\n", "\n```\ndef f(x):\n    return x + 0\n```\n", "\n<!-- page 4 -->\n"} {
		if !strings.Contains(d.Markdown, want) {
			t.Errorf("no %q in the Markdown", want)
		}
	}
}

func TestPDFSaysWhatIsMissing(t *testing.T) {
	for name, want := range map[string]string{"scanned": "no_text_layer", "ocr": "recognised_text", "weasy": ""} {
		got := ""
		for _, w := range readPDFFile(t, name).Warnings {
			got += w.Code
		}
		if got != want {
			t.Errorf("%s: warnings %q, want %q", name, got, want)
		}
	}
	if d := readPDFFile(t, "scanned"); d.Markdown != "" || d.Text != "" {
		t.Errorf("a scan reads %q, %q", d.Text, d.Markdown)
	}
	d := readPDFFile(t, "white")
	if len(d.Hidden) != 2 || strings.Contains(d.Text, "Ignore") || strings.Contains(d.Markdown, "Ignore") {
		t.Errorf("hidden %+v, text %q", d.Hidden, d.Text)
	}
	body, _ := os.ReadFile(filepath.Join("pdf", "testdata", "enc_user.pdf"))
	_, err := (&Stage{}).Do(t.Context(), Input{URL: "http://pdf.example/", Body: body})
	if wstk.CodeOf(err) != wstk.UnsupportedMediaType || !strings.Contains(err.Error(), "password") {
		t.Errorf("a locked file: %v", err)
	}
}

// Words that a line goes through carry the flag, and a block of such words alone does.
func TestPDFStruckWords(t *testing.T) {
	content := "BT /F1 12 Tf 60 700 Td (The kettle costs 40 dollars today.) Tj 0 -40 Td (It is red.) Tj ET 148 704 m 198 704 l 50 664 m 200 664 l S"
	body := fmt.Sprintf("%%PDF-1.7\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]>> endobj\n"+
		"3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>> endobj\n"+
		"4 0 obj <</Length %d>>\nstream\n%s\nendstream endobj\n5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\ntrailer <</Root 1 0 R>>\n", len(content), content)
	d, err := (&Stage{}).Do(t.Context(), Input{URL: "http://pdf.example/file.pdf", Body: []byte(body), ContentType: "application/pdf"})
	if err != nil {
		t.Fatal(err)
	}
	checkDocument(t, d)
	for words, want := range map[string]string{"The kettle": "[]", "40 dollars": "[struck]", "today": "[]", "It is red": "[struck]"} {
		at := strings.Index(d.Text, words)
		if at < 0 {
			t.Fatalf("no %q in %q", words, d.Text)
		}
		if got := fmt.Sprint(d.FlagsIn(at, at+len(words))); got != want {
			t.Errorf("%q: flags %s, want %s", words, got, want)
		}
	}
}
