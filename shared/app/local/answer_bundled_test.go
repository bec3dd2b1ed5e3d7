package local_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// D1, D11: what becomes of each question about the bundled site that is asked at its front page,
// over a store that holds nothing: whether it is answered and rightly, which pages are cited, which
// rule ended the loop, and how many pages were read. Scores are those of TestQuality, which has all
// pages.
//
//	WSTK_GOLDEN=update go test ./shared/app/local -run TestAnswersFromTheFrontPage
func TestAnswersFromTheFrontPage(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir("../../../testdata/sites/sqlite")))
	defer server.Close()
	var b strings.Builder
	right, answers, all, read := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, q := range questions(t, "sqlite.jsonl") {
		a := open(t, testConfig(t))
		x, err := a.Answering.FollowAnswer(t.Context(),
			wstk.AnswerQuery{URL: server.URL + "/", Question: q.Query, Strict: true}, answering.Following{})
		if err != nil {
			t.Fatalf("%s: %v", q.ID, err)
		}
		checkCitations(t, a, q.ID, x.AnswerResult)
		a.Close()
		isRight, said := rightly(q, x.AskResult), "no answer"
		switch {
		case q.Kind == "none" && isRight:
			said = "honest no"
		case isRight:
			said = "right"
		case x.HasAnswer():
			said = "WRONG"
		}
		var cites []string
		for _, r := range x.References {
			if p := strings.TrimPrefix(r.URL, server.URL); !slices.Contains(cites, p) {
				cites = append(cites, p)
			}
		}
		fmt.Fprintf(&b, "%s  %-9s  %2d pages read, %d turns, %s  %s\n", q.ID, said, x.PagesRead,
			len(x.Turns), x.Stopped.Rule, strings.Join(cites, " "))
		all[q.Kind]++
		read[q.Kind] += x.PagesRead
		if isRight {
			right[q.Kind]++
		}
		if x.HasAnswer() {
			answers[q.Kind]++
		}
	}
	b.WriteString("\n")
	for _, kind := range []string{"single", "two_pages", "none"} {
		what := "answer in a quote"
		if kind == "none" {
			what = "honest no"
		}
		fmt.Fprintf(&b, "%s: %s %d of %d, answered %d, %.1f pages read for a question\n", kind, what,
			right[kind], all[kind], answers[kind], float64(read[kind])/float64(all[kind]))
	}
	golden(t, "sqlite_answer.txt", b.String())
}

// D8: each quote stands at its place in bytes that have the hash it names, and a reference lists it
// with its page. This checks it with nothing of the product but its store of bytes.
func checkCitations(t *testing.T, a *app.App, id string, x wstk.AnswerResult) {
	t.Helper()
	for _, extraction := range x.Extractions {
		for _, e := range extraction.Evidence {
			data, err := a.Blobs.Get(t.Context(), e.TextSHA256)
			if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			sum := sha256.Sum256(data)
			if hex.EncodeToString(sum[:]) != string(e.TextSHA256) || e.ByteStart == nil ||
				string(data[*e.ByteStart:*e.ByteEnd]) != e.Quote {
				t.Errorf("%s: the quote of %s is not where it says: %q", id, e.ID, e.Quote)
			}
			if !slices.ContainsFunc(x.References, func(r wstk.Reference) bool {
				return r.URL == e.URL && slices.Contains(r.EvidenceIDs, e.ID)
			}) {
				t.Errorf("%s: no reference lists %s of %s", id, e.ID, e.URL)
			}
		}
	}
}
