package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/answering"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// D: answer(url, query) expands, retrieves, answers and cites. What it cites is what its run holds,
// and both verify; a change in any part of it does not.
func TestAnAnswerAboutAPageVerifies(t *testing.T) {
	h := newHost(t, newApp(t), waitHere)
	res := h.call("answer", `{"url": "$SITE/deep/", "query": "How long does the battery of the tide clock last?"}`)
	var whole map[string]any
	if err := json.Unmarshal([]byte(textOf(res)), &whole); err != nil || whole["answered"] != true {
		t.Fatalf("the answer: %s", textOf(res))
	}
	h.fits("answer", whole)
	link := res.Content[len(res.Content)-1].(*sdk.ResourceLink)
	var run map[string]any
	json.Unmarshal([]byte(h.resource(link.URI)), &run)
	for _, part := range []string{"content", "references", "extractions", "turns", "stopped", "pages_read", "sub_questions"} {
		if fmt.Sprint(run[part]) != fmt.Sprint(whole[part]) || run[part] == nil {
			t.Errorf("of the run %s is %v", part, run[part])
		}
	}
	verify := func(v any) map[string]any {
		data, _ := json.Marshal(map[string]any{"result": v})
		return h.ok("verify", string(data))
	}
	for name, v := range map[string]map[string]any{"id": h.ok("verify", fmt.Sprintf(`{"id": %q}`, at(whole, "run.id"))),
		"reply": verify(whole), "resource": verify(run)} {
		if v["verified"] != 1.0 || len(v["problems"].([]any)) != 0 {
			t.Errorf("verify by %s: %v", name, v["problems"])
		}
	}
	if v := h.ok("verify", fmt.Sprintf(`{"id": %q}`, at(whole, "run.id"))); !strings.Contains(fmt.Sprint(v["unchecked"]), "what:turns") {
		t.Errorf("by its id, only a part of the answer is checked: %v", v)
	}
	for name, forge := range map[string]func(x map[string]any){
		"content":   func(x map[string]any) { x["content"] = "It lasts for ever. [1]" },
		"reference": func(x map[string]any) { at(x, "references.0").(map[string]any)["title"] = "The law" },
		"turn":      func(x map[string]any) { at(x, "turns.0").(map[string]any)["move"] = "stop" },
		"quote": func(x map[string]any) {
			at(x, "extractions.0.evidence.0").(map[string]any)["quote"] = "The battery of the tide clock lasts ninety months."
		},
		"a key": func(x map[string]any) { x["next_thing"] = "x" },
	} {
		var forged map[string]any
		json.Unmarshal([]byte(textOf(res)), &forged)
		forge(forged)
		if v := verify(forged); len(v["problems"].([]any)) == 0 {
			t.Errorf("a forged %s verifies: %v", name, v)
		}
	}
}

// manyPumps serves a page about many things of a kind: each is a part of the answer.
func manyPumps(t *testing.T) string {
	var b strings.Builder
	b.WriteString("<title>Pumps</title><h1>Pumps</h1><p>Each pump that we sell.</p>")
	for i := range 60 {
		fmt.Fprintf(&b, "<h2>Pump P-%d</h2><p>The pump P-%d has a price of %d euros, and it moves %d litres of water in a minute.</p>",
			i, i, 100+i, 10+i)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, b.String())
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// An answer that is long comes in parts: the first has all but the extractions behind it, and the
// parts are the extractions of the run, each once. A part is not taken for the whole.
func TestALongAnswerAboutAPageComesInParts(t *testing.T) {
	h := newHost(t, newApp(t), waitHere)
	h.site = manyPumps(t)
	first := h.ok("answer", `{"url": "$SITE/", "query": "list all pumps"}`)
	if first["next_cursor"] == nil || first["content"] == "" {
		t.Fatalf("it is short: %v", first)
	}
	data, _ := json.Marshal(map[string]any{"result": first})
	if n := text.EstimateTokens(string(data)); n > pageTokens+100 {
		t.Errorf("the first part has %d tokens", n)
	}
	var parts, refs []any
	for x, n := first, 0; ; n++ {
		data, _ := json.Marshal(map[string]any{"result": x})
		p := h.fails(wstk.Invalid, "verify", string(data))
		if want := fmt.Sprintf(`verify {"id":%q}`, at(first, "run.id")); len(p.Next) != 1 || p.Next[0] != want {
			t.Errorf("of part %d it says %q, want %q", n, p.Next, want)
		}
		parts = append(parts, x["extractions"].([]any)...)
		refs = append(refs, x["references"].([]any)...)
		if n > 0 && x["content"] != nil {
			t.Error("a later part has the content, too")
		}
		if x["next_cursor"] == nil {
			break
		}
		_, arguments, _ := strings.Cut(fmt.Sprint(at(x, "next_steps.0")), "answer ")
		x = h.ok("answer", arguments)
	}
	var run map[string]any
	json.Unmarshal([]byte(h.resource("wstk://runs/"+at(first, "run.id").(string))), &run)
	if fmt.Sprint(parts) != fmt.Sprint(run["extractions"]) || len(parts) < 20 {
		t.Errorf("%d parts, and the run has %d", len(parts), len(run["extractions"].([]any)))
	}
	if run["content"] != first["content"] || fmt.Sprint(run["references"]) != fmt.Sprint(refs) {
		t.Error("the parts have another content or other references than the run")
	}
	if v := h.ok("verify", fmt.Sprintf(`{"id": %q}`, at(first, "run.id"))); v["failed"] != 0.0 || len(v["problems"].([]any)) != 0 {
		t.Errorf("it does not verify: %v", v["problems"])
	}
}

// Of an answer that is not done, nothing is shown that may still change.
func TestAnUnfinishedAnswerShowsItsTurns(t *testing.T) {
	x := answering.AnswerRun{Run: wstk.Run{ID: "run_038h02qcbvvbbzc546bzk324hy", State: wstk.RunRunning}}
	x.Content, x.References = "It lasts long. [1]", []wstk.Reference{{N: 1, EvidenceIDs: []string{"ev_1"}}}
	x.Extractions = []wstk.Extraction{{Content: "It lasts long. [1]", Evidence: []wstk.Evidence{{ID: "ev_1"}}}}
	x.Turns = []wstk.Turn{{N: 1}}
	c := &call{tool: &answerTool}
	out, err := c.firstPart(x, map[string]any{})
	if err != nil || out.Content != "" || len(out.References)+len(out.Extractions) != 0 || len(out.Turns) != 1 ||
		out.NextCursor == nil {
		t.Errorf("while it runs: %+v, %v", out, err)
	}
	x.Run.State = wstk.RunComplete
	out, err = c.firstPart(x, map[string]any{})
	if err != nil || out.Content == "" || len(out.References) != 1 || len(out.Extractions) != 1 || out.NextCursor != nil {
		t.Errorf("when it is done: %+v, %v", out, err)
	}
}

// Turns that are long lose links, first those that no one followed, and the reply says how many.
func TestLongTurnsAreShortened(t *testing.T) {
	turns := []wstk.Turn{{N: 1}, {N: 2}}
	for i := range 50 {
		turns[1].Links = append(turns[1].Links, wstk.ScoredLink{URL: "https://example.org/a-page-with-a-name", Chosen: i < 3})
	}
	short, warnings := shortened(turns[:1], nil)
	if len(short) != 1 || warnings != nil {
		t.Errorf("short turns: %v, %v", short, warnings)
	}
	short, warnings = shortened(turns, nil)
	if len(short) != 2 || len(short[1].Links) != 3 || !short[1].Links[2].Chosen || len(warnings) != 1 ||
		warnings[0].Code != "links_left_out" || !strings.Contains(warnings[0].Message, " 47 ") {
		t.Errorf("%d links, %v", len(short[1].Links), warnings)
	}
	for i := range turns[1].Links {
		turns[1].Links[i].Chosen = true
	}
	short, warnings = shortened(turns, nil)
	if len(short[1].Links) != 0 || len(warnings) != 1 || len(turns[1].Links) != 50 ||
		!strings.Contains(warnings[0].Message, " 50 ") {
		t.Errorf("%d links, %v", len(short[1].Links), warnings)
	}
}
