package read

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkRead reads every tenth page of the labelled corpus, one after the other.
func BenchmarkRead(b *testing.B) {
	dir := os.Getenv("WSTK_CORPORA")
	if dir == "" {
		return // as the tests over the corpus are skipped
	}
	files, err := filepath.Glob(filepath.Join(dir, "wcxb-dev", "html", "*0.html"))
	if err != nil {
		b.Fatal(err)
	}
	s := Stage{}
	var pages [][]byte
	bytes := 0
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		pages, bytes = append(pages, body), bytes+len(body)
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range pages {
			if _, err := s.Do(b.Context(), Input{URL: "https://site.example/page", Body: body,
				ContentType: "text/html", FetchedAt: time.Unix(0, 0)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(pages)*b.N)/b.Elapsed().Seconds(), "pages/s")
}
