package local_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// TestPicked asks the questions of the bundled site with a model that always proposes the
// passages which answer, where it is shown them: the most that the rest of the path makes of a
// model.
func TestPicked(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir("../../../testdata/sites/sqlite")))
	defer server.Close()
	a := open(t, testConfig(t))
	if _, err := a.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: server.URL + "/"}); err != nil {
		t.Fatal(err)
	}
	all := questions(t, "sqlite.jsonl")
	asked := map[string]question{}
	for _, q := range all {
		asked[q.Query] = q
	}
	m := &apptest.Model{Answer: func(_ context.Context, p apptest.Prompt) (string, error) {
		if p.Operation == wstk.OpExtract {
			return apptest.Reply(passagesIn(p, asked[p.Question].Passages)...), nil
		}
		return apptest.Pick(p), nil
	}}
	apptest.Change(a, func(h *app.Home) {
		h.Models = func(op wstk.Operation) wstk.Model {
			if op == wstk.OpExtract {
				return m
			}
			return nil
		}
	})
	golden(t, "sqlite_picked.txt", answerScores(t, a, all))
}

// passagesIn are claims of the passages that a model is shown.
func passagesIn(p apptest.Prompt, passages []string) (out []apptest.Claimed) {
	for _, s := range passages {
		for _, page := range p.Pages {
			if strings.Contains(collapse(page.Text), collapse(s)) {
				out = append(out, apptest.Claimed{Statement: s, Support: "direct",
					Quotes: []apptest.Quoted{{Page: page.Number, Words: s}}})
				break
			}
		}
	}
	return out
}
