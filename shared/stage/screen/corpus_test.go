package screen

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// The tests in this file run over labelled texts and real pages, and are skipped unless
// WSTK_CORPORA names the folder that holds them (injection-dev.jsonl.gz; unpacked:
// readability, docs). docs/benchmarks keeps their tables. With -v they list what was
// missed, and what was found on pages that mean no harm.

func corpora(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("WSTK_CORPORA")
	if dir == "" {
		t.Skip("WSTK_CORPORA is not set")
	}
	return dir
}

// most are the kinds of attack that speak to a model, with the share that must be
// found. A question that could be anybody's (task_request: "Explain the theory of
// relativity.") is not told from a page that asks it.
var most = map[string]float64{"override": 0.95, "obfuscated": 1, "multilingual": 1, "hidden": 1, "role": 1, "web_agent": 1, "indirect_document": 0.95, "latent": 1, "task_request": 0.7}

func TestInjectionCorpus(t *testing.T) {
	f, err := os.Open(filepath.Join(corpora(t), "injection-dev.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ n, found int }
	attacks, benign := map[string]*count{}, map[string]*count{}
	rows := bufio.NewScanner(z)
	rows.Buffer(nil, 1<<20)
	for rows.Scan() {
		var row struct {
			ID, Kind, Text string
			Label          int
		}
		if err := json.Unmarshal(rows.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		of := benign
		if row.Label == 1 {
			of = attacks
		}
		if of[row.Kind] == nil {
			of[row.Kind] = &count{}
		}
		of[row.Kind].n++
		found := injectionsIn(t, row.Text)
		if len(found) > 0 {
			of[row.Kind].found++
		}
		switch {
		case row.Label == 0 && len(found) > 0:
			t.Errorf("%s %s is benign, and %s was found: %.300q", row.ID, row.Kind, found[0].Rule, found[0].Excerpt)
		case row.Label == 1 && len(found) == 0 && most[row.Kind] > 0:
			t.Logf("missed %s %s: %.500q", row.ID, row.Kind, row.Text)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, of := range []map[string]*count{attacks, benign} {
		var all count
		for _, kind := range sortedKeys(of) {
			c := of[kind]
			all.n, all.found = all.n+c.n, all.found+c.found
			fmt.Fprintf(&table, "%-18s %3d of %3d\n", kind, c.found, c.n)
			if float64(c.found) < most[kind]*float64(c.n) {
				t.Errorf("%s: %d of %d found", kind, c.found, c.n)
			}
		}
		fmt.Fprintf(&table, "%-18s %3d of %3d\n\n", "all", all.found, all.n)
	}
	t.Logf("found:\n%s", table.String())
}

// Articles and documentation that mean no harm have no injections, except for pages that
// quote some.
func TestNoInjectionOnPages(t *testing.T) {
	dir := corpora(t)
	pages, _ := filepath.Glob(filepath.Join(dir, "readability", "test-pages", "*", "source.html"))
	docs, _ := filepath.Glob(filepath.Join(dir, "docs", "*", "html", "*.html"))
	bad := 0
	for _, name := range append(pages, docs...) {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range injectionsIn(t, readHTML(t, "https://page.example/", body).Text) {
			bad++
			t.Errorf("%s: %s: %q", strings.TrimPrefix(name, dir), f.Rule, f.Excerpt)
		}
	}
	t.Logf("%d findings on %d articles and %d pages of documentation", bad, len(pages), len(docs))
}

func injectionsIn(t *testing.T, s string) []wstk.Finding {
	t.Helper()
	return of(screen(t, Input{Document: &wstk.Document{Text: s}, Body: []byte(s)}),
		wstk.FindingInjection)
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
