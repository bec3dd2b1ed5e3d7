package local_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// question is one line of testdata/eval: made and checked by hand, see its README.
type question struct {
	ID       string   `json:"id"`
	Query    string   `json:"query"`
	Kind     string   `json:"kind"` // single, two_pages, none
	Pages    []string `json:"pages"`
	Passages []string `json:"passages"`
	Answer   []string `json:"answer"`
	Strategy string   `json:"strategy"`
}

func questions(t *testing.T, name string) []question {
	t.Helper()
	f, err := os.Open(filepath.Join("../../../testdata/eval", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []question
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// testConfig is a configuration whose folders go with the test.
func testConfig(t testing.TB) config.Config {
	t.Helper()
	dir := t.TempDir()
	c, err := local.Settings().Load(func(string) string { return "" }, dir)
	if err != nil {
		t.Fatal(err)
	}
	c.DataDir, c.CacheDir, c.AllowPrivate = filepath.Join(dir, "data"), filepath.Join(dir, "cache"), true
	return c
}

func open(t testing.TB, c config.Config) *app.App {
	t.Helper()
	a, err := local.Open(context.Background(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// TestQuality ingests the bundled site over loopback, asks its questions and
// compares the scores with the golden file, so that a change of quality shows in
// the diff of a change.
func TestQuality(t *testing.T) {
	ctx := context.Background()
	server := httptest.NewServer(http.FileServer(http.Dir("../../../testdata/sites/sqlite")))
	defer server.Close()
	a := open(t, testConfig(t))
	res, err := a.Crawling.Ingest(ctx, crawling.IngestRequest{URL: server.URL + "/"})
	if err != nil {
		t.Fatal(err)
	}
	if !res.Accounting.Balanced() || res.Accounting.Of(wstk.OutcomeOpen) != 0 {
		t.Fatalf("accounting %+v", res.Accounting)
	}

	var b strings.Builder
	fmt.Fprintf(&b, "pages %d\n", res.Pages)
	all := questions(t, "sqlite.jsonl")
	b.WriteString(recallScores(t, a, server.URL+"/", all))
	b.WriteString(answerScores(t, a, all))
	golden(t, "sqlite_quality.txt", b.String())
}

// recallScores: a question's page counts as found at the best rank of one of its
// chunks; a question that needs two pages is found in the first k when both are.
func recallScores(t *testing.T, a *app.App, root string, all []question) string {
	ks := []int{1, 3, 5, 10, 50}
	found := map[int]int{}
	mrr, passages, passagesFound, n := 0.0, 0, 0, 0
	for _, q := range all {
		if q.Kind == "none" {
			continue
		}
		n++
		res, err := a.Answering.Recall(context.Background(),
			answering.RecallRequest{Query: q.Query})
		if err != nil {
			t.Fatal(err)
		}
		var order []string // pages, best first
		for _, h := range res.Hits {
			if page := strings.TrimPrefix(h.URL, root); !slices.Contains(order, page) {
				order = append(order, page)
			}
		}
		worst, best := 0, 1<<30
		for _, p := range q.Pages {
			i := slices.Index(order, p)
			if i < 0 {
				i = 1 << 20
			}
			worst, best = max(worst, i), min(best, i)
		}
		for _, k := range ks {
			if worst < k {
				found[k]++
			}
		}
		if best < 1<<20 {
			mrr += 1 / float64(best+1)
		}
		for _, p := range q.Passages {
			passages++
			for _, h := range res.Hits[:min(10, len(res.Hits))] {
				if strings.Contains(collapse(h.Text), collapse(p)) {
					passagesFound++
					break
				}
			}
		}
	}
	var b strings.Builder
	for _, k := range ks {
		fmt.Fprintf(&b, "recall: all pages in first %d: %d of %d\n", k, found[k], n)
	}
	fmt.Fprintf(&b, "recall: MRR %.3f\n", mrr/float64(n))
	fmt.Fprintf(&b, "recall: passage in first 10 hits: %d of %d\n", passagesFound, passages)
	return b.String()
}

// answerScores: an answer is in the quotes when its words stand in a quote.
func answerScores(t *testing.T, a *app.App, all []question) string {
	type tally struct{ answered, right, n int }
	scores := map[string]*tally{"single": {}, "two_pages": {}, "none": {}}
	var wrong []string
	for _, q := range all {
		s := scores[q.Kind]
		if s == nil {
			t.Fatalf("%s has kind %q", q.ID, q.Kind)
		}
		s.n++
		res, err := a.Answering.Ask(context.Background(),
			wstk.AskQuery{Query: q.Query, Strict: true})
		if err != nil {
			t.Fatalf("%s: %v", q.ID, err)
		}
		for _, x := range res.Extractions {
			for _, e := range x.Evidence {
				if why, err := a.Verify.Recheck(context.Background(), e); err != nil || why != "" {
					t.Errorf("%s: evidence %s does not verify: %s %v", q.ID, e.ID, why, err)
				}
			}
			if len(x.Evidence) == 0 {
				t.Errorf("%s: an extraction without evidence", q.ID)
			}
		}
		if len(res.Extractions) > 0 {
			s.answered++
		}
		if rightly(q, res) {
			s.right++
		} else {
			wrong = append(wrong, q.ID)
		}
	}
	var b strings.Builder
	for _, kind := range []string{"single", "two_pages"} {
		s := scores[kind]
		fmt.Fprintf(&b, "ask: %s: answer in a quote %d of %d, answered %d\n", kind, s.right, s.n, s.answered)
	}
	fmt.Fprintf(&b, "ask: none: honest no %d of %d\n", scores["none"].right, scores["none"].n)
	fmt.Fprintf(&b, "ask: missed: %s\n", strings.Join(wrong, " "))
	return b.String()
}

// rightly reports whether the quotes hold the answer; where none is, whether nothing was said.
func rightly(q question, res wstk.AskResult) bool {
	if q.Kind == "none" {
		return len(res.Extractions) == 0
	}
	quotes := ""
	for _, x := range res.Extractions {
		for _, e := range x.Evidence {
			quotes += collapse(e.Quote) + "\n"
		}
	}
	hits := 0
	for _, ans := range q.Answer {
		if strings.Contains(strings.ToLower(quotes), strings.ToLower(collapse(ans))) {
			hits++
		}
	}
	// A single fact has accepted forms; lists, accounts and questions over two
	// pages have parts, and want each of them.
	if q.Kind == "single" && q.Strategy == "singular" {
		return hits >= 1
	}
	return hits >= len(q.Answer)
}

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// golden compares got with a golden file, or writes it where WSTK_GOLDEN=update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("../../../testdata/golden", name)
	if os.Getenv("WSTK_GOLDEN") == "update" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs. If the change is meant, run: make golden\n--- golden\n%s--- now\n%s", name, want, got)
	}
}
