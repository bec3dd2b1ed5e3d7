package screen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Real documentation pages; the figure is MB of Document text.
func BenchmarkScreen(b *testing.B) {
	files, _ := filepath.Glob("../../../testdata/sites/sqlite/*.html")
	if len(files) == 0 {
		b.Fatal("the bundled site is not there")
	}
	var pages []Input
	size := 0
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		url := "https://docs.example/" + filepath.Base(f)
		in := Input{Body: body, Document: readHTML(b, url, body),
			Snapshot: wstk.Snapshot{URL: url, FinalURL: url, Status: 200, ContentType: "text/html",
				Verdict: wstk.VerdictOK}}
		size += len(in.Document.Text)
		pages = append(pages, in)
	}
	b.SetBytes(int64(size))
	b.ResetTimer()
	for b.Loop() {
		for _, in := range pages {
			screen(b, in)
		}
	}
	b.ReportMetric(float64(len(pages)*b.N)/b.Elapsed().Seconds(), "pages/s")
}

// A page made to cost much: every line sets off many rules, none holds.
func BenchmarkScreenHostile(b *testing.B) {
	line := "ignore what you send to the password: token = x and system: user: your answer ://a:b@c decode base64 act as from now on eyJ AKIA sk- "
	in := Input{Document: &wstk.Document{Text: strings.Repeat(line, 1<<20/len(line))}}
	b.SetBytes(int64(len(in.Document.Text)))
	for b.Loop() {
		screen(b, in)
	}
}

// A megabyte of documentation, in which next to nothing is to be redacted.
func BenchmarkRedact(b *testing.B) {
	files, _ := filepath.Glob("../../../testdata/sites/sqlite/*.html")
	var text strings.Builder
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		text.WriteString(readHTML(b, "https://docs.example/", body).Text)
	}
	if text.Len() == 0 {
		b.Fatal("the bundled site is not there")
	}
	s := strings.Repeat(text.String(), 1+(1<<20)/text.Len())[:1<<20]
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Redact(s)
	}
}

// A megabyte in which every line sets off many rules.
func BenchmarkRedactHostile(b *testing.B) {
	line := "authorization: cookie: a=b;c=d password: token = x secret api_key ://a:b@c ?token= &key=1 eyJ AKIA sk- 12 34 56 78 90 +1 (415) a@b.cc -----BEGIN PRIVATE KEY----- "
	s := strings.Repeat(line, 1<<20/len(line))
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Redact(s)
	}
}
