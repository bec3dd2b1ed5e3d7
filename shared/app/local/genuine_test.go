package local_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/wstk"
)

// inStore verifies a saved result against the store.
func inStore(t *testing.T, a *app.App, result []byte) (answering.VerifyReport, error) {
	t.Helper()
	return a.Answering.VerifySaved(context.Background(), result)
}

// inBundle verifies the bundle in a file.
func inBundle(t *testing.T, path string) (answering.VerifyReport, error) {
	t.Helper()
	b, err := local.OpenBundle(t.Context(), path)
	if err != nil {
		return answering.VerifyReport{}, err
	}
	defer b.Close()
	return answering.VerifyBundle(context.Background(), b, local.Reader())
}

func bundled(t *testing.T, a *app.App, result []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "proof.zip")
	if err := a.Answering.WriteBundle(context.Background(), path, result); err != nil {
		t.Fatal(err)
	}
	return path
}

// fails reports whether a report, or the error instead of one, is exit code 1 or 2.
func fails(rep answering.VerifyReport, err error) bool {
	return err != nil || len(rep.Problems()) > 0
}

func uncheckedNames(rep answering.VerifyReport) map[string]string {
	m := map[string]string{}
	for _, u := range rep.Unchecked {
		m[u.What] = u.Reason
	}
	return m
}

// Everything the program answers from its bundled sites verifies, in the store and in a
// bundle, and grades are checked there, not only printed.
func TestGenuineResultsVerify(t *testing.T) {
	ctx := context.Background()
	a := open(t, testConfig(t))
	server := httptest.NewServer(http.FileServer(http.Dir("../../../testdata/sites/sqlite")))
	defer server.Close()
	if _, err := a.Crawling.Ingest(ctx, crawling.IngestRequest{URL: server.URL + "/"}); err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, q := range questions(t, "sqlite.jsonl") {
		if i%4 != 0 && os.Getenv("WSTK_ALL_QUESTIONS") == "" {
			continue
		}
		res, err := a.Answering.Ask(ctx,
			wstk.AskQuery{Query: q.Query, Strict: true, Hints: []string{"version"}[:i%2]})
		if err != nil || len(res.Extractions) == 0 {
			continue
		}
		n++
		data, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		for against, check := range map[string]func() (answering.VerifyReport, error){
			"store":  func() (answering.VerifyReport, error) { return inStore(t, a, data) },
			"bundle": func() (answering.VerifyReport, error) { return inBundle(t, bundled(t, a, data)) },
			"printed": func() (answering.VerifyReport, error) {
				return inStore(t, a, marshal(t, printed(unmarshal(t, data), nil)))
			},
			"half done, over HTTP": func() (answering.VerifyReport, error) {
				return inStore(t, a, marshal(t,
					answering.ExtractionRun{Run: wstk.Run{ID: "run_1", Query: res.Query},
						AskResult: wstk.AskResult{Query: res.Query, Extractions: res.Extractions,
							Gaps: []wstk.Gap{}}}))
			},
			"over HTTP": func() (answering.VerifyReport, error) {
				return inStore(t, a, marshal(t,
					answering.ExtractionRun{Run: wstk.Run{ID: "run_1", Query: res.Query},
						AskResult: res, Warnings: res.Warnings}))
			},
		} {
			rep, err := check()
			if err != nil || rep.Failed > 0 || len(rep.Problems()) > 0 {
				t.Errorf("%s: %s: %v %v\n%s", q.Query, against, err, rep.Problems(), data)
			}
			for name, why := range uncheckedNames(rep) {
				if strings.HasPrefix(against, "half") {
					break // it does not say by which rules, and is not said to
				}
				switch name {
				case "grade", "sources", "reading", "final_url", "url", "text_sha256":
					t.Errorf("%s: %s: %s is unchecked: %s", q.Query, against, name, why)
				case "title", "field", "context", "value", "citation":
					t.Logf("%s: %s: %s is unchecked: %s", q.Query, against, name, why)
				}
			}
		}
	}
	t.Logf("%d results", n)
	if n == 0 {
		t.Error("no results")
	}
}
