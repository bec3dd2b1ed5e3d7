package modelserver

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// bodies are requests as clients of each shape send them.
var bodies = map[API]struct{ path, body string }{
	OpenAI: {"/chat/completions", `{"model":"m","max_tokens":7,"temperature":0,
		"messages":[{"role":"system","content":"do"},{"role":"user","content":"it"}],
		"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"a":1}}}}`},
	Anthropic: {"/v1/messages", `{"model":"m","max_tokens":7,"temperature":0,"system":"do",
		"messages":[{"role":"user","content":"it"}],
		"tools":[{"name":"n","input_schema":{"a":1}}]}`},
	Gemini: {"/v1beta/models/m:generateContent", `{"contents":[{"parts":[{"text":"it"}]}],
		"systemInstruction":{"parts":[{"text":"do"}]},
		"generationConfig":{"maxOutputTokens":7,"temperature":0,"responseSchema":{"a":1}}}`},
	Bedrock: {"/model/m/converse", `{"inferenceConfig":{"maxTokens":7,"temperature":0},
		"system":[{"text":"do"}],"messages":[{"role":"user","content":[{"text":"it"}]}],
		"toolConfig":{"toolChoice":{"tool":{"name":"n"}},
		"tools":[{"toolSpec":{"name":"n","inputSchema":{"json":{"a":1}}}}]}}`},
}

func ask(t *testing.T, s *Server, api API) (int, string, error) {
	t.Helper()
	b := bodies[api]
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.BaseURL(api)+b.path,
		strings.NewReader(b.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("anthropic-version", "2023-06-01")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=x")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.StatusCode, string(data), err
}

// A request reads the same in each shape, and the reply holds the text where the shape has it.
func TestShapes(t *testing.T) {
	for api := range bodies {
		s := Start(Texts(func(r Request) string { return `{"said":"` + r.User + `"}` }))
		status, body, err := ask(t, s, api)
		s.Close()
		if err != nil || status != 200 || !json.Valid([]byte(body)) ||
			!strings.Contains(strings.ReplaceAll(body, `\"`, `"`), `{"said":"it"}`) {
			t.Errorf("%s: %d %s %v", api, status, body, err)
		}
		got := s.Requests()[0]
		if got.Model != "m" || got.System != "do" || got.User != "it" || got.MaxTokens != 7 ||
			string(got.Schema) != `{"a":1}` || got.Name != map[API]string{Gemini: ""}[api] &&
			got.Name != "n" {
			t.Errorf("%s was read as %+v", api, got)
		}
	}
}

// Each fault can be seen from outside, in each shape.
func TestFaults(t *testing.T) {
	seen := map[Fault]func(status int, body string, err error) bool{
		RawNewlines: func(_ int, b string, _ error) bool { return strings.Contains(b, `one\ntwo`) },
		Fenced:      func(_ int, b string, _ error) bool { return strings.Contains(b, "```json") },
		Cut:         func(_ int, b string, _ error) bool { return !strings.Contains(b, "two") },
		Unfinished: func(_ int, b string, _ error) bool {
			return strings.Contains(b, `"finish_reason":null`) ||
				strings.Contains(b, `"stop_reason":null`) ||
				strings.Contains(b, "candidates") && !strings.Contains(b, "finishReason") ||
				strings.Contains(b, "latencyMs") && !strings.Contains(b, "stopReason")
		},
		Stream: func(_ int, b string, _ error) bool {
			return strings.HasSuffix(b, "data: [DONE]\n\n") &&
				!strings.Contains(b, `"finish_reason":"`)
		},
		Refusal: func(_ int, b string, _ error) bool {
			return strings.Contains(b, "cannot help") || strings.Contains(b, `"refusal"`) ||
				strings.Contains(b, "blockReason")
		},
		NoText: func(s int, b string, _ error) bool { return s == 200 && !strings.Contains(b, "two") },
		HangUp: func(_ int, _ string, err error) bool { return err != nil },
		HTML:   func(s int, b string, _ error) bool { return s == 200 && strings.Contains(b, "<p>") },
		Endless: func(_ int, b string, _ error) bool {
			return len(b) == 1<<20
		},
	}
	for _, fault := range Faults() {
		for api := range bodies {
			s := Start(func(Request) Reply { return Reply{Text: `{"said":"one two"}`, Fault: fault} })
			if status, body, err := ask(t, s, api); seen[fault] == nil ||
				!seen[fault](status, body, err) {
				t.Errorf("%s, %s: %d %.300s %v", api, fault, status, body, err)
			}
			s.Close()
		}
	}
}

// A parameter is refused by its name, and only where it was sent.
func TestRefuse(t *testing.T) {
	for api := range bodies {
		for name, want := range map[string]int{"temperature": 500, "top_k": 200} {
			s := Start(func(Request) Reply {
				return Reply{Text: "{}", Refuse: []string{name}, Status: 500}
			})
			status, body, err := ask(t, s, api)
			s.Close()
			if err != nil || status != want || want != 200 && !strings.Contains(body, name) {
				t.Errorf("%s, %s: %d %s %v", api, name, status, body, err)
			}
		}
	}
}

// The first rule that fits and is not used up answers.
func TestRules(t *testing.T) {
	answer, err := Rules([]byte(`[{"user": "x", "reply": "one", "times": 1},
		{"user": "x", "reply": {"two": 2}}, {"model": "b", "status": 503, "retry_after": "7"}]`))
	if err != nil {
		t.Fatal(err)
	}
	x := Request{Model: "a", User: "x y"}
	for i, want := range []string{"one", `{"two":2}`, `{"two":2}`} {
		if got := answer(x); got.Text != want {
			t.Errorf("%d: %+v", i, got)
		}
	}
	if got := answer(Request{Model: "b"}); got.Status != 503 || got.RetryAfter != "7" {
		t.Errorf("%+v", got)
	}
	if got := answer(Request{Model: "c"}); got.Status != 400 {
		t.Errorf("%+v", got)
	}
	for _, bad := range []string{`{}`, `[{"usr": "x"}]`, `[{"fault": "sleepy"}]`} {
		if _, err := Rules([]byte(bad)); err == nil {
			t.Errorf("%s is a script", bad)
		}
	}
}
