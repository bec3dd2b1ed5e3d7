package collate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/stage/collate"
	"wstk/shared/stage/read"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// decided is a case of testdata/eval/grounding/cases.jsonl, or of a file in the same form: a page, a
// question, a claim that a model proposes with a quote, and whether it is a lie.
type decided struct {
	ID        string
	Language  string // of the page
	PageTitle string `json:"page_title"`
	Heading   string
	Context   string // text: blocks between empty lines, lines within
	HTML      string // in place of it
	Quote     string
	Question  string
	Claim     string
	Kind      string
	Label     string // honest, lie
}

// page reads the page of a case.
func (c decided) page(t testing.TB) *wstk.Document {
	t.Helper()
	body := c.HTML
	if body == "" {
		body = "<h1>" + html.EscapeString(c.Heading) + "</h1>"
		for _, block := range strings.Split(c.Context, "\n\n") {
			for _, line := range strings.Split(block, "\n") {
				body += "<p>" + html.EscapeString(line) + "</p>"
			}
		}
	}
	body = fmt.Sprintf("<html lang=%q><head><title>%s</title></head><body><main>%s</main></body></html>",
		c.Language, html.EscapeString(c.PageTitle), body)
	reader := read.Stage{}
	url := "https://a.example/" + c.ID
	d, err := reader.Do(context.Background(), read.Input{URL: url, Body: []byte(body),
		ContentType: "text/html; charset=utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	d.URL, d.CanonicalURL = url, url
	d.TextSHA256, d.SnapshotSHA256 = wstk.HashOf([]byte(d.Text)), wstk.HashOf([]byte(body))
	d.FetchedAt = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return d
}

// answer is what becomes of the claim of a case.
func (c decided) answer(t testing.TB) (d *wstk.Document, x wstk.Extraction) {
	d = c.page(t)
	in := collate.Input{Query: c.Question, Named: true}
	if own := text.DetectLanguage(c.Claim); own != "" && own != c.Language {
		in.Language = own
	}
	return d, answer(t, in, []*wstk.Document{d}, []wstk.Claim{claimed(d, "", c.Claim, c.Quote)})
}

// Every decision on the made cases is in a golden file, so that each change of one is seen. With
// WSTK_GROUNDING, the cases are those of that file, and only the table is printed.
func TestGroundingDecisions(t *testing.T) {
	file, other := os.LookupEnv("WSTK_GROUNDING")
	if !other {
		file = testdata + "eval/grounding/cases.jsonl"
	}
	counts := map[string]map[string]int{}
	var lines strings.Builder
	eachLine(t, file, func(line []byte) {
		var c decided
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		d, x := c.answer(t)
		got := outcomeOf(x, c.Claim)
		support, shown := "", ""
		for _, s := range x.Statements {
			if s.Statement == c.Claim || shown == "" {
				support, shown = string(s.Support), s.Statement
			}
		}
		reason := ""
		for _, u := range x.Unsupported {
			reason = u.Reason
		}
		key := c.Label
		if strings.Contains(c.Kind, "translation") {
			key += ", translated"
		}
		for _, k := range []string{key, "  " + c.Label + ": " + c.Kind} {
			if counts[k] == nil {
				counts[k] = map[string]int{}
			}
			counts[k][got]++
		}
		fmt.Fprintf(&lines, "%s\t%s\t%s\t%s\t%s\t%s\n", c.ID, c.Label, c.Kind, got, support, reason)
		if other && (c.Label == "lie" && got == asWorded || c.Label != "lie" && got == notShown) {
			t.Logf("%s %s (%s), %s, %s\n  Q %s\n  A %s\n  C %s\n  %.200q", c.ID, c.Label, c.Kind, got,
				reason, c.Question, c.Quote, c.Claim, d.Text)
		}
	})
	table := tableOf(counts)
	t.Logf("\n%s", table)
	if !other {
		wantGolden(t, testdata+"golden/grounding.txt", table+"\n"+lines.String())
	}
}

func tableOf(counts map[string]map[string]int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-44s %9s %9s %9s\n", "", asWorded, "in page's", notShown)
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "%-44.44s %9d %9d %9d\n", k, counts[k][asWorded], counts[k][inPageWords],
			counts[k][notShown])
	}
	return b.String()
}

// wantGolden compares words with a golden file, or writes it with WSTK_GOLDEN=update.
func wantGolden(t testing.TB, file, got string) {
	t.Helper()
	if os.Getenv("WSTK_GOLDEN") == "update" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs. If the change is meant, run: make golden\n%s", file, got)
	}
}
