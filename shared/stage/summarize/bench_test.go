package summarize_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"wstk/shared/stage/read"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
)

// BenchmarkHeuristic summarises the bundled pages; one operation is one page.
func BenchmarkHeuristic(b *testing.B) {
	ctx := context.Background()
	paths, err := filepath.Glob("../../../testdata/sites/sqlite/*.html")
	if err != nil || len(paths) == 0 {
		b.Fatal(err, len(paths), "want err == nil && len(paths) != 0")
	}
	var docs []*wstk.Document
	size := 0
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		d, err := (&read.Stage{}).
			Do(ctx, read.Input{URL: "https://sqlite.example/" + filepath.Base(path), Body: body, ContentType: "text/html"})
		if err != nil {
			b.Fatal(err)
		}
		docs = append(docs, d)
		size += len(d.Text)
	}
	b.SetBytes(int64(size / len(docs)))
	for i := 0; b.Loop(); i++ {
		if _, _, err := (summarize.Heuristic{}).
			Summarize(ctx, docs[i%len(docs):i%len(docs)+1]); err != nil {
			b.Fatal(err)
		}
	}
}
