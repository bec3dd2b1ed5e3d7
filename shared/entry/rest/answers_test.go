package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"
	"wstk/shared/wstk"
)

const pressure = "What working pressure does the Mark 3 reach?"

// about asks a question about the site, and returns the run's id.
func (h *home) about(question string) string {
	h.Helper()
	v := h.json(202, "POST", "/answers", map[string]any{"url": h.site + "/", "question": question})
	return get(v, "run.id").(string)
}

// D1, D8: a question about a page that was never read is answered from a page that it leads to; each
// reference has its quotes, and each quote is found again in what the interface hands out.
func TestAnAnswerAboutAPage(t *testing.T) {
	h := newHome(t, Options{})
	w := h.call("POST", "/answers", map[string]any{"url": h.site, "question": pressure})
	if w.Code != 202 || !strings.HasPrefix(w.Header().Get("Location"), "/answers/run_") {
		t.Fatalf("%d %v %s; want 202 and the place of the answer", w.Code, w.Header(), w.Body)
	}
	at := w.Header().Get("Location")
	x := h.wait(at)
	content, _ := x["content"].(string)
	if get(x, "run.state") != "complete" || get(x, "run.kind") != "answer" || x["answered"] != true ||
		x["url"] != h.site+"/" || !strings.Contains(content, "9 bar") || !strings.Contains(content, "[1]") ||
		x["pages_read"] != 4.0 || get(x, "stopped.rule") == "" || len(x["turns"].([]any)) < 2 {
		t.Errorf("%v; want the answer of the second page, and how it was found", x)
	}
	quotes := map[any]map[string]any{}
	for _, e := range get(x, "extractions.0.evidence").([]any) {
		quotes[get(e, "id")] = e.(map[string]any)
	}
	for _, id := range get(x, "references.0.evidence_ids").([]any) {
		e := quotes[id]
		kept := h.json(200, "GET", "/evidence/"+id.(string), nil)
		text := h.call("GET", fmt.Sprint("/texts/", e["text_sha256"]), nil).Body.String()
		if !reflect.DeepEqual(kept, e) ||
			text[int(e["byte_start"].(float64)):int(e["byte_end"].(float64))] != e["quote"] {
			t.Errorf("%v is kept as %v, in %q", e, kept, text)
		}
	}

	blocks := h.json(200, "GET", at+"?as=search_results", nil)
	if get(blocks, "search_results.0.source") != h.site+"/mk3.html" ||
		get(blocks, "search_results.0.title") != "Mark 3" || get(blocks, "run.id") != get(x, "run.id") ||
		quotes[get(x, "references.0.evidence_ids.0")]["quote"] !=
			get(blocks, "search_results.0.content.0.text") {
		t.Errorf("as search results: %v", blocks)
	}
	h.json(400, "GET", at+"?as=chat", nil)
	h.json(400, "GET", at+"?limit=1", nil)

	id := get(x, "run.id").(string)
	if v := h.json(200, "DELETE", at, nil); get(v, "removed.run_id") != id {
		t.Errorf("removal: %v", v)
	}
	h.json(404, "GET", at, nil)
	h.json(404, "GET", "/evidence/"+fmt.Sprint(get(x, "references.0.evidence_ids.0")), nil)
	h.json(200, "POST", "/read", map[string]any{"url": h.site + "/mk3.html"})
}

// A question that no page answers: no prose, no references, no blocks, and the gaps.
func TestAnHonestNoAboutAPage(t *testing.T) {
	h := newHome(t, Options{})
	at := "/answers/" + h.about("Who painted the ceiling of the chapel?")
	x := h.wait(at)
	if x["answered"] != false || x["content"] != "" || len(x["references"].([]any)) != 0 ||
		get(x, "gaps.0.query") == nil {
		t.Errorf("%v", x)
	}
	if v := h.json(200, "GET", at+"?as=search_results", nil); len(v["search_results"].([]any)) != 0 {
		t.Errorf("%v", v)
	}
}

// What an answer is asked arrives whole; what is not said is the operator's, and strict.
func TestWhatAnAnswerIsAsked(t *testing.T) {
	h := open(t, Options{})
	apptest.Change(h.app, func(h *app.Home) { h.Machines = answering.Elsewhere{Workflows: idle{}} })
	set := h.app.Config.Answer
	depth := func(n int) *int { return &n }
	limits := wstk.AnswerLimits{MaxExpansionDepth: depth(set.MaxExpansionDepth),
		RetrievalContextBudget: set.ContextBudget, PagesPerTurn: set.PagesPerTurn, MaxPages: set.MaxPages}
	for body, want := range map[string]answering.Request{
		`{"url": "http://A.example", "question": "a pump"}`: {
			AskQuery: wstk.AskQuery{Query: "a pump", Strict: true},
			Answer:   &answering.Bounds{URL: "http://a.example/", AnswerLimits: limits}},
		`{"url": "http://a.example/", "question": "a pump", "fresh": true, "strict": false,
			"output_language": "pt-BR", "max_tokens": 20000, "max_expansion_depth": 0,
			"retrieval_context_budget": 100, "pages_per_turn": 2, "max_pages": 7}`: {
			AskQuery: wstk.AskQuery{Query: "a pump", OutputLanguage: "pt-BR", MaxTokens: 20000},
			Answer: &answering.Bounds{URL: "http://a.example/", Fresh: true, AnswerLimits: wstk.AnswerLimits{
				MaxExpansionDepth: depth(0), RetrievalContextBudget: 100, PagesPerTurn: 2, MaxPages: 7}}},
	} {
		v := h.json(202, "POST", "/answers", body)
		data, err := h.app.Blobs.Get(t.Context(), wstk.Hash(get(v, "run.request").(string)))
		var got answering.Request
		if err == nil {
			err = json.Unmarshal(data, &got)
		}
		got.LimitMS, got.Answer.Mode = 0, ""
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s asks %+v, %+v, want %+v, %+v, %v", body, got, got.Answer, want, want.Answer, err)
		}
	}
	for _, body := range []string{`{"url": "http://a.example/"}`, `{"question": "a pump"}`, `{}`,
		`{"url": "http://a.example/", "query": "a pump"}`, `{"url": "nothing", "question": "a pump"}`,
		`{"url": "http://a.example/", "question": "a pump", "max_pages": 0}`} {
		h.json(400, "POST", "/answers", body)
	}
	h.json(422, "POST", "/answers", `{"url": "http://a.example/", "question": "?!"}`)
}

// The same key begins one answer.
func TestAKeyBeginsOneAnswer(t *testing.T) {
	h := newHome(t, Options{})
	body := map[string]any{"url": h.site, "question": pressure}
	first := h.json(202, "POST", "/answers", body, "Idempotency-Key", "k")
	again := h.json(202, "POST", "/answers", body, "Idempotency-Key", "k")
	if get(first, "run.id") != get(again, "run.id") {
		t.Errorf("%v and %v", first, again)
	}
	h.wait("/answers/" + get(first, "run.id").(string))
}

// An extraction is no answer and an answer no extraction, under any method; neither belongs to
// another name.
func TestEachKindOfAnswerHasItsPath(t *testing.T) {
	h := newHome(t, Options{})
	answer := h.about(pressure)
	h.wait("/answers/" + answer)
	extraction := get(h.json(202, "POST", "/extractions", map[string]any{"query": pressure}), "run.id").(string)
	h.wait("/extractions/" + extraction)
	for _, target := range []string{"/answers/" + extraction, "/extractions/" + answer, "/answers/x",
		"/answers/run_00000000000000000000000000"} {
		h.json(404, "GET", target, nil)
		h.json(404, "GET", target+"/events", nil)
		h.json(404, "DELETE", target, nil)
	}
	h.h = New(h.app, []string{otherToken}, Options{})
	for _, method := range []string{"GET", "DELETE"} {
		h.json(404, method, "/answers/"+answer, nil, bearer(otherToken)...)
	}
	h.json(404, "GET", "/answers/"+answer+"/events", nil, bearer(otherToken)...)
}

// The events of an answer tell its turns; they are the same when it is asked again, also piece by
// piece where replies are buffered, and go on behind Last-Event-ID.
func TestEventsOfAnAnswer(t *testing.T) {
	h := newHome(t, Options{})
	id := h.about(pressure)
	at := "/answers/" + id + "/events"
	w := h.call("GET", at, nil)
	events, _ := readEvents(t, w.Body)
	told := names(events)
	if w.Code != 200 || len(told) < 6 || told[0] != "1 progress" ||
		events[len(events)-1].kind != "done" || get(events[0].data, "stage") != "fetch" {
		t.Fatalf("%d %v", w.Code, told)
	}
	x := h.json(200, "GET", "/answers/"+id, nil)
	var turns, buckets []any
	for _, e := range events {
		switch e.kind {
		case "turn":
			turns = append(turns, get(e.data, "rule"))
		case "bucket":
			buckets = append(buckets, get(e.data, "extraction.content"))
		}
	}
	var rules []any
	for _, turn := range x["turns"].([]any) {
		rules = append(rules, get(turn, "rule"))
	}
	if !slices.Equal(turns, rules) || len(turns) < 2 ||
		!slices.Contains(buckets, get(x, "extractions.0.content")) {
		t.Errorf("turns %v, buckets %v; the answer has %v and %v", turns, buckets, rules, x["extractions"])
	}
	again, _ := readEvents(t, h.call("GET", at, nil, "Last-Event-ID", "2").Body)
	if !slices.Equal(names(again), told[2:]) {
		t.Errorf("behind 2: %v, want %v", names(again), told[2:])
	}
	if w := h.call("GET", at, nil, "Last-Event-ID", events[len(events)-1].id); w.Code != 204 {
		t.Errorf("behind the end: %d", w.Code)
	}

	// Where replies are buffered a client comes again until it has heard the end.
	h.h = New(h.app, []string{firstToken}, Options{Buffered: true})
	id = h.about("Which motor does the Mark 3 have, in volts?")
	var pieces []string
	for last := "0"; ; {
		w := h.call("GET", "/answers/"+id+"/events", nil, "Last-Event-ID", last)
		if w.Code == 204 {
			break
		}
		events, retry := readEvents(t, w.Body)
		if w.Code != 200 || retry != "1000" || len(events) == 0 {
			t.Fatalf("%d %q %v", w.Code, retry, names(events))
		}
		pieces, last = append(pieces, names(events)...), events[len(events)-1].id
	}
	whole, _ := readEvents(t, h.call("GET", "/answers/"+id+"/events", nil).Body)
	if !slices.Equal(pieces, names(whole)) {
		t.Errorf("in pieces %v, at once %v", pieces, names(whole))
	}
}

// slowSite serves the pages, of which those behind the first wait.
func (h *home) slowSite() (release func()) {
	h.Helper()
	hold := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".html") {
			<-hold
		}
		servePages(w, r)
	}))
	h.Cleanup(web.Close)
	h.site = web.URL
	done := false
	release = func() {
		if !done {
			done = true
			close(hold)
		}
	}
	h.Cleanup(release)
	return release
}

// An answer that runs shows its turns so far, and is cancelled by DELETE.
func TestAnAnswerSoFarAndCancelled(t *testing.T) {
	h := open(t, Options{})
	release := h.slowSite()
	at := "/answers/" + h.about(pressure)
	var v map[string]any
	for range 500 {
		if v = h.json(200, "GET", at, nil); len(v["turns"].([]any)) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if get(v, "run.state") != "running" || get(v, "turns.0.move") != "expand_breadth" ||
		v["pages_read"] != 1.0 || v["answered"] != nil {
		t.Errorf("so far: %v", v)
	}
	if v := h.json(202, "DELETE", at, nil); get(v, "run.cancel_requested") != true {
		t.Errorf("cancel: %v", v)
	}
	if v := h.wait(at); get(v, "run.state") != "cancelled" {
		t.Errorf("after the cancel: %v", v)
	}
	release()
	h.json(200, "DELETE", at, nil)
	h.json(404, "GET", at, nil)
}
