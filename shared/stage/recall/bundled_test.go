package recall_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wstk/shared/stage/read"
	"wstk/shared/wstk"
)

const (
	bundledSite      = "../../../testdata/sites/sqlite"
	bundledQuestions = "../../../testdata/eval/sqlite.jsonl"
	bundledGolden    = "../../../testdata/golden/recall.txt"
	bundledRoot      = "https://sqlite.example/"
)

// TestBundled scores recall on the bundled site and its questions, part by part.
// The figures are a golden file, so that a change of quality shows in a diff.
//
//	WSTK_GOLDEN=update go test ./shared/stage/recall -run TestBundled
func TestBundled(t *testing.T) {
	set := bundled(t)
	w := newWorld(t, set.docs, nil)
	var b strings.Builder
	fmt.Fprintf(&b, "%d questions on %d pages (%s). Pages rank by their best hit; a passage is found by the hit that holds it.\n\n",
		len(set.queries), len(set.docs), w.stats(t))
	fmt.Fprintf(&b, "%-18s  page: nDCG@10  @10    @50    MRR    all in 8   passage: @5     @10    @50    MRR\n", "")
	for _, v := range variants() {
		m := w.measure(t, set, v)
		fmt.Fprintf(&b, "%-18s        %.3f    %.3f  %.3f  %.3f  %.3f               %.3f  %.3f  %.3f  %.3f\n",
			v.name, m.ndcg, m.page10, m.page50, m.mrr, m.allPages, m.pass5, m.pass10,
			m.pass50, m.passMRR)
	}
	got := b.String()
	t.Log("\n" + got)
	if os.Getenv("WSTK_GOLDEN") == "update" {
		if err := os.WriteFile(bundledGolden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(bundledGolden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("figures differ from %s:\n%s", bundledGolden, want)
	}
}

// bundled reads the site with the product's own reader, and its questions.
func bundled(t testing.TB) labelled {
	t.Helper()
	set := labelled{name: "bundled", limit: 50}
	reader := read.Stage{}
	err := filepath.WalkDir(bundledSite, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(bundledSite, path)
		if err != nil {
			return err
		}
		d, err := reader.Do(context.Background(),
			read.Input{URL: bundledRoot + filepath.ToSlash(rel), Body: body,
				ContentType: "text/html", SnapshotSHA256: wstk.HashOf(body), FetchedAt: time.Unix(0, 0)})
		if err != nil {
			return err
		}
		set.docs = append(set.docs, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(bundledQuestions)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var x struct {
			ID, Query, Kind, Strategy string
			Pages, Passages           []string
		}
		if err := json.Unmarshal(sc.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		q := question{id: x.ID, text: x.Query, grades: map[string]int{}, passages: x.Passages,
			any: x.Kind == "single" && x.Strategy == "singular"}
		for _, p := range x.Pages {
			q.grades[bundledRoot+p] = 1
		}
		set.queries = append(set.queries, q)
	}
	return set
}
