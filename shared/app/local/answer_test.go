package local_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/stage/answer"
	"wstk/shared/wstk"
)

// madeSite is a site of pages by path, which counts what it is asked for.
type madeSite struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func newMadeSite(t *testing.T, pages map[string]string) *madeSite {
	s := &madeSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path)
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		if strings.HasSuffix(r.URL.Path, ".txt") {
			w.Header().Set("Content-Type", "text/plain")
		}
		fmt.Fprint(w, strings.ReplaceAll(body, "SITE", s.URL))
	}))
	t.Cleanup(s.Close)
	return s
}

// aPage is a page with a title, paragraphs and links, each of them "path words".
func aPage(title, text string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<html lang="en"><title>%s</title><main><h1>%s</h1>`, title, title)
	for _, p := range strings.Split(text, "\n") {
		fmt.Fprintf(&b, "<p>%s</p>", p)
	}
	b.WriteString("<ul>")
	for _, l := range links {
		path, words, _ := strings.Cut(l, " ")
		fmt.Fprintf(&b, `<li><a href="%s">%s</a></li>`, path, words)
	}
	b.WriteString("</ul></main></html>")
	return b.String()
}

// deepSite holds its answer three links deep.
var deepSite = map[string]string{
	"/": aPage("Harbour Museum", "The museum shows ships and harbours of five centuries.",
		"/about About the museum", "/visit Opening hours and tickets", "/shop Shop", "/news News"),
	"/about": aPage("About", "The museum was founded by sailors who had left the sea."),
	"/visit": aPage("Opening hours and tickets", "The museum is near the old port and easy to reach.",
		"/visit/times Opening hours by season", "/visit/way How to reach us"),
	"/visit/times": aPage("Opening hours by season", "Tickets are sold at the entrance of the museum.",
		"/visit/times/winter The tower in winter"),
	"/visit/times/winter": aPage("The tower in winter",
		"In winter the tower of the museum is open from 11:00 to 15:30 on Saturdays."),
	"/visit/way": aPage("How to reach us", "Tram 4 stops in front of the building."),
	"/shop":      aPage("Shop", "Books, maps and models are sold in the shop."),
	"/news":      aPage("News", "A new boat has arrived."),
}

func answered(
	t *testing.T, a *app.App, q wstk.AnswerQuery,
) (answering.AnswerRun, []answering.Event) {
	t.Helper()
	q.Strict = true
	var events []answering.Event
	x, err := a.Answering.FollowAnswer(t.Context(), q, answering.Following{
		Tell: func(e answering.Event) { events = append(events, e) }})
	if err != nil {
		t.Fatal(err)
	}
	if x.Answered == nil || *x.Answered != x.HasAnswer() {
		t.Errorf("answered is %v of %d extractions", x.Answered, len(x.Extractions))
	}
	if faults := append(answer.CheckCited(x.AnswerResult), answer.CheckTurns(x.AnswerResult)...); len(faults) > 0 {
		t.Errorf("%q", faults)
	}
	return x, events
}

// D1, D2: a question about a page reads on until it has found the answer, and no further.
func TestAnAnswerIsFoundThreeLinksDeep(t *testing.T) {
	site := newMadeSite(t, deepSite)
	a := open(t, testConfig(t))
	x, events := answered(t, a, wstk.AnswerQuery{URL: site.URL,
		Question: "What are the opening hours of the tower in winter?"})
	if !x.HasAnswer() || !strings.Contains(x.Content, "11:00 to 15:30") {
		t.Fatalf("%q, %+v, stopped by %v", x.Content, x.Passages, x.Stopped)
	}
	if len(x.References) == 0 || x.References[0].URL != site.URL+"/visit/times/winter" {
		t.Errorf("%+v", x.References)
	}
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	if !slices.Contains(kinds, "turn") || kinds[len(kinds)-1] != "done" {
		t.Errorf("%v", kinds)
	}
}

// D11: what no page says is an honest no, with what is missing, and no prose.
func TestAnAbsentAnswerIsAnHonestNo(t *testing.T) {
	site := newMadeSite(t, deepSite)
	a := open(t, testConfig(t))
	x, _ := answered(t, a, wstk.AnswerQuery{URL: site.URL,
		Question: "What does the annual membership of the rowing club cost?"})
	if x.HasAnswer() || x.Content != "" || len(x.References) > 0 || len(x.Gaps) == 0 {
		t.Errorf("%q, %+v, %+v", x.Content, x.References, x.Gaps)
	}
}

// D8: what a saved answer cites is computed again: a forged mark, reference or turn fails.
func TestForgedAnswersAboutAPageFail(t *testing.T) {
	site := newMadeSite(t, deepSite)
	a := open(t, testConfig(t))
	x, _ := answered(t, a, wstk.AnswerQuery{URL: site.URL,
		Question: "What are the opening hours of the tower in winter?"})
	for name, forge := range map[string]func(*wstk.AnswerResult){
		"as it was":            nil,
		"a mark":               func(r *wstk.AnswerResult) { r.Content += " [2]" },
		"another page":         func(r *wstk.AnswerResult) { r.References[0].URL = site.URL + "/shop" },
		"a reference too many": func(r *wstk.AnswerResult) { r.References = append(r.References, r.References[0]) },
		"a rule":               func(r *wstk.AnswerResult) { r.Turns[0].Rule = "covered" },
		"why it stopped":       func(r *wstk.AnswerResult) { r.Stopped.Rule = "covered" },
	} {
		data, err := json.Marshal(x.AnswerResult)
		if err != nil {
			t.Fatal(err)
		}
		if forge != nil {
			var r wstk.AnswerResult
			if err := json.Unmarshal(data, &r); err != nil {
				t.Fatal(err)
			}
			forge(&r)
			if data, err = json.Marshal(r); err != nil {
				t.Fatal(err)
			}
		}
		rep, err := a.Answering.VerifySaved(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := rep.Problems(); (len(wrong) > 0) != (forge != nil) {
			t.Errorf("%s: %q", name, wrong)
		}
	}
}
