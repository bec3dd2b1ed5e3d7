package rest

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// chatting is a request for a chat completion with what clients send besides.
func chatting(message any, more map[string]any) map[string]any {
	body := map[string]any{"model": "wstk", "temperature": 0.2, "n": 1, "stop": nil, "tools": []any{},
		"messages": []any{map[string]any{"role": "system", "content": "Be brief."},
			map[string]any{"role": "user", "content": "an earlier question"},
			map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{}},
			map[string]any{"role": "user", "content": message}}}
	for name, v := range more {
		body[name] = v
	}
	return body
}

// spoken is the message of a completion.
func spoken(v map[string]any) string { s, _ := get(v, "choices.0.message.content").(string); return s }

// D8: a client of OpenAI asks about a page, in the message, as a field, or in parts, and about stored
// pages. Each annotation covers its mark.
func TestAChatAboutAPage(t *testing.T) {
	h := newHome(t, Options{})
	const chat = "/v1/chat/completions"
	for name, body := range map[string]map[string]any{
		"in the message": chatting(h.site+" "+pressure, nil),
		"as a field":     chatting(pressure, map[string]any{"url": h.site, "stream": nil, "stream_options": nil}),
		"in parts": chatting([]any{map[string]any{"type": "text", "text": pressure},
			map[string]any{"type": "text", "text": "See " + h.site + "/."}}, nil),
	} {
		v := h.json(200, "POST", chat, body)
		content := []rune(spoken(v))
		note, _ := get(v, "choices.0.message.annotations.0.url_citation").(map[string]any)
		if !strings.Contains(string(content), "9 bar") || get(v, "wstk.kind") != "answer" ||
			get(v, "wstk.answered") != true || note["url"] != h.site+"/mk3.html" || note["title"] != "Mark 3" ||
			string(content[int(note["start_index"].(float64)):int(note["end_index"].(float64))]) != "[1]" {
			t.Errorf("%s: %v", name, v)
		}
		x := h.json(200, "GET", "/answers/"+get(v, "wstk.run_id").(string), nil)
		if x["content"] != string(content) || x["query"] == "" || x["url"] != h.site+"/" {
			t.Errorf("%s: the answer is %v", name, x)
		}
	}

	v := h.json(200, "POST", chat, chatting(pressure, map[string]any{"url": nil}))
	if !strings.Contains(spoken(v), "9 bar") || get(v, "wstk.kind") != "extraction" ||
		get(v, "choices.0.message.annotations.0.url_citation.url") != h.site+"/mk3.html" {
		t.Errorf("from stored pages: %v", v)
	}
	h.json(200, "GET", "/extractions/"+get(v, "wstk.run_id").(string), nil)

	const unknown = "Who painted the ceiling of the chapel?"
	for _, more := range []map[string]any{{"url": h.site}, nil} {
		v := h.json(200, "POST", chat, chatting(unknown, more))
		if !strings.HasSuffix(spoken(v), "pages that were read do not answer this question.") &&
			spoken(v) != "The stored pages do not answer this question." ||
			get(v, "wstk.answered") != false || get(v, "choices.0.finish_reason") != "stop" ||
			len(get(v, "choices.0.message.annotations").([]any)) != 0 {
			t.Errorf("an honest no: %v", v)
		}
	}
	if v := h.json(200, "GET", "/v1/models", nil); get(v, "data.0.id") != "wstk" {
		t.Errorf("models: %v", v)
	}
	h.json(400, "GET", "/v1/models?limit=1", nil)
}

// A stream has the same content in pieces, and ends as clients expect; also where replies are
// buffered, and when it is sent again for its key.
func TestAChatAsAStream(t *testing.T) {
	for _, buffered := range []bool{false, true} {
		h := newHome(t, Options{Buffered: buffered})
		whole := h.json(200, "POST", "/v1/chat/completions", chatting(pressure, map[string]any{"url": h.site}))
		body := chatting(pressure, map[string]any{"url": h.site, "stream": true,
			"stream_options": map[string]any{"include_usage": true}})
		var ids []string
		for range 2 {
			w := h.call("POST", "/v1/chat/completions", body, "Idempotency-Key", "k")
			if w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" {
				t.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
			}
			content, id, tokens, last := "", "", false, ""
			for lines := bufio.NewScanner(w.Body); lines.Scan(); {
				data, ok := strings.CutPrefix(lines.Text(), "data: ")
				if !ok && lines.Text() != "" {
					t.Errorf("not a line of a stream: %q", lines.Text())
				}
				if !ok || data == "[DONE]" {
					last += data
					continue
				}
				var c any
				if err := json.Unmarshal([]byte(data), &c); err != nil {
					t.Fatalf("%v: %s", err, data)
				}
				piece, _ := get(c, "choices.0.delta.content").(string)
				content, id, tokens = content+piece, get(c, "wstk.run_id").(string),
					get(c, "usage.total_tokens") == 0.0
			}
			if content != spoken(whole) || content == "" || !tokens || last != "[DONE]" {
				t.Errorf("%q, want %q; tokens in the last piece: %v, behind it %q", content,
					spoken(whole), tokens, last)
			}
			ids = append(ids, id)
		}
		if ids[0] != ids[1] {
			t.Errorf("one key began %v", ids)
		}
	}
}

// What cannot be read as a question is told so, in the shape of all errors, and no client is asked to try
// again.
func TestAChatThatAsksNothing(t *testing.T) {
	h := open(t, Options{})
	for _, c := range []struct {
		body   any
		status int
		code   wstk.Code
	}{
		{`{"model": "other", "messages": [{"role": "user", "content": "a pump"}]}`, 400, wstk.Invalid},
		{`{"model": "wstk"}`, 400, wstk.Invalid},
		{`{"model": "wstk", "messages": []}`, 400, wstk.Invalid},
		{`{"model": "wstk", "messages": "a pump"}`, 400, wstk.Invalid},
		{`{"model": "wstk", "model": "wstk", "messages": []}`, 400, wstk.Invalid},
		{chatting("a pump", map[string]any{"url": "nothing"}), 400, wstk.Invalid},
		{`{"model": "wstk", "messages": [{"role": "system", "content": "a pump"}]}`, 422, wstk.Unprocessable},
		{chatting(nil, nil), 422, wstk.Unprocessable},
		{chatting(7, nil), 422, wstk.Unprocessable},
		{chatting("", nil), 422, wstk.Unprocessable},
		{chatting("https://a.example/", nil), 422, wstk.Unprocessable},
		{chatting(strings.Repeat("pump ", 500), nil), 422, wstk.Unprocessable},
		{chatting([]any{map[string]any{"type": "image_url"}}, nil), 422, wstk.Unprocessable},
	} {
		w := h.call("POST", "/v1/chat/completions", c.body)
		wantProblem(t, w, c.status, c.code)
		if w.Header().Get("X-Should-Retry") != "false" {
			t.Errorf("%v: a client of OpenAI would ask again", c.body)
		}
	}
	if w := h.call("POST", "/answers", `{}`); w.Header().Get("X-Should-Retry") != "" {
		t.Error("a header for clients of OpenAI goes to others")
	}
}

// A page that cannot be had is the error of the request.
func TestAChatAboutAPageThatIsNotThere(t *testing.T) {
	h := newHome(t, Options{})
	w := h.call("POST", "/v1/chat/completions", chatting(h.site+"/lost.html "+pressure, nil))
	wantProblem(t, w, 404, wstk.NotFound)
	if !strings.Contains(w.Body.String(), "to see what was done: GET /answers/run_") {
		t.Errorf("%s", w.Body)
	}
}

// An answer that is not done in the time of a request goes on, and the error says where to find
// it; one whose client goes away is cancelled.
func TestAChatThatTakesLong(t *testing.T) {
	h := open(t, Options{Timeout: time.Second})
	release := h.slowSite()
	w := h.call("POST", "/v1/chat/completions", chatting(h.site+" "+pressure, nil))
	wantProblem(t, w, 504, wstk.Timeout)
	var p problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || len(p.Next) != 1 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	at, ok := strings.CutPrefix(p.Next[0], "to see it: GET ")
	if !ok || p.Error != "the answer is not done yet" || w.Header().Get("X-Should-Retry") != "false" {
		t.Errorf("%s", w.Body)
	}
	release()
	if v := h.wait(at); get(v, "run.state") != "complete" || v["answered"] != true {
		t.Errorf("%s: %v", at, v)
	}

	h = open(t, Options{})
	h.slowSite()
	ctx, leave := context.WithCancel(t.Context())
	data, err := json.Marshal(chatting(h.site+" "+pressure, nil))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/chat/completions", strings.NewReader(string(data)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+firstToken)
	time.AfterFunc(300*time.Millisecond, leave)
	h.h.ServeHTTP(httptest.NewRecorder(), r)
	runs, _, err := h.app.Runs.List(t.Context(), wstk.RunFilter{Kind: wstk.RunAnswer}, "", 2)
	if err != nil || len(runs) != 1 {
		t.Fatalf("%v, %v", runs, err)
	}
	if v := h.wait("/answers/" + string(runs[0].ID)); get(v, "run.state") != "cancelled" {
		t.Errorf("the client has gone, and its run is %v", v["run"])
	}
}
