package rest

import (
	"net/url"
	"strings"
	"testing"
)

// D: answers touched by a change of a page are listed, with what became of each quote, to the name
// that asked them.
func TestAnswersThatAChangeTouches(t *testing.T) {
	h := newHome(t, Options{})
	old := "<title>Mark 3</title><h1>Größe</h1><p>The Mark 3 pump reaches a working pressure of 9 bar. It weighs 14 kg.</p><p>The seal of the Mark 3 lasts five years in clean water.</p>"
	address, say := changing(t, old)
	begun := h.json(202, "POST", "/sites", map[string]any{"url": address})
	site := "/sites/" + get(begun, "site.id").(string)
	h.wait(site)
	var quotes []string
	for _, q := range []string{"What working pressure does the Mark 3 reach?", "How long does the seal of the Mark 3 last?"} {
		x := h.wait("/extractions/" + get(h.json(202, "POST", "/extractions", map[string]any{"query": q}), "run.id").(string))
		quotes = append(quotes, get(x, "extractions.0.evidence.0.id").(string))
	}
	if v := h.json(200, "GET", "/runs/affected", nil); len(get(v, "answers").([]any)) != 0 || v["looked_at"] != 2.0 ||
		get(v, "quotes.intact").(float64) < 2 {
		t.Errorf("before the change: %v", v)
	}
	say(strings.Replace(old, "9 bar", "12,5 bar", 1))
	h.json(202, "POST", site+"/refresh", nil)
	h.wait(site)

	v := h.json(200, "GET", "/runs/affected?site="+url.QueryEscape(address+"/"), nil)
	if len(get(v, "answers").([]any)) != 1 || get(v, "answers.0.changed.0.state") != "altered" ||
		get(v, "answers.0.changed.0.evidence_id") != quotes[0] || v["looked_at"] != 2.0 || v["next_cursor"] != "" {
		t.Fatalf("%v", v)
	}
	now := get(v, "answers.0.changed.0.now").(map[string]any)
	page := h.json(200, "POST", "/read", map[string]any{"url": address})
	text := page["text"].(string)
	if got := text[int(now["byte_start"].(float64)):int(now["byte_end"].(float64))]; got != now["words"] ||
		!strings.Contains(got, "12,5 bar") || now["text_sha256"] != page["text_sha256"] {
		t.Errorf("at its new place stands %q, not %v", got, now)
	}
	if v := h.json(200, "GET", "/runs/affected?all=true&limit=1", nil); len(get(v, "answers").([]any)) != 1 ||
		get(v, "answers.0.quotes.altered") == 1.0 || v["next_cursor"] == "" {
		t.Errorf("the first of all: %v", v)
	} else if v = h.json(200, "GET", "/runs/affected?limit=1&cursor="+v["next_cursor"].(string), nil); get(v, "answers.0.changed.0.state") != "altered" || v["next_cursor"] != "" {
		t.Errorf("after the cursor: %v", v)
	}
	for _, q := range []string{"?limit=0", "?limit=101", "?all=maybe", "?site=", "?of=x", "?site=+"} {
		h.json(400, "GET", "/runs/affected"+q, nil)
	}
	h.json(404, "GET", "/runs/affected?site=site_0000000000000000", nil)
}
