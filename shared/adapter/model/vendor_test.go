package model

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
	"wstk/shared/wstk/wstktest/modelserver"
)

// replyText is the text of the recorded replies.
const replyText = `{"keywords":["AI regulation","AI Act"],"boolean":"OR","filters":{"sites":[".eu"],` +
	`"date_after":"{LAST_WEEK_START}","date_before":"{LAST_WEEK_END}"}}`

// vendors are the interfaces, by id.
var vendors = map[string]struct {
	open func(Options) wstk.Model
	api  modelserver.API
}{
	openaiID:    {OpenAI, modelserver.OpenAI},
	anthropicID: {Anthropic, modelserver.Anthropic},
	geminiID:    {Gemini, modelserver.Gemini},
}

func options(transport http.RoundTripper, base string) Options {
	return Options{Model: "made-up-1", Client: webapi.Client{Transport: transport, BaseURL: base,
		Key: func() string { return madeUpKey }}}
}

// suite runs the suite of the port over every vendor, as the wrapper makes it.
func suite(t *testing.T, wrap func(wstk.Model) wstk.Model) {
	for id, v := range vendors {
		t.Run(id, func(t *testing.T) {
			wstktest.Model(t, wstktest.ModelVendor{
				Open: func(_ *testing.T, transport http.RoundTripper) wstk.Model {
					return wrap(v.open(options(transport, "https://vendor.example")))
				},
				Replies: filepath.Join("..", "..", "..", "testdata", "models", id),
				Key:     madeUpKey, Text: replyText,
			})
		})
	}
}

func TestModels(t *testing.T) { suite(t, func(m wstk.Model) wstk.Model { return m }) }

// played opens each vendor against a server that answers as it is told.
func played(
	t *testing.T, answer func(modelserver.Request) modelserver.Reply,
	test func(t *testing.T, m wstk.Model, s *modelserver.Server),
) {
	for id, v := range vendors {
		t.Run(id, func(t *testing.T) {
			s := modelserver.Start(answer)
			defer s.Close()
			test(t, v.open(options(http.DefaultTransport, s.BaseURL(v.api))), s)
		})
	}
}

var wish = wstk.ModelRequest{System: "Do as you are told.", User: "tide tables", Name: "wish",
	Schema: json.RawMessage(`{"type":"object","properties":{"said":{"type":"string"}},` +
		`"required":["said"],"additionalProperties":false}`), MaxTokens: 77}

const said = `{"said":"one two"}`

// Faults of real servers have codes, and none is taken for a reply.
func TestFaultsOfServers(t *testing.T) {
	for fault, code := range map[modelserver.Fault]wstk.Code{
		modelserver.Cut: wstk.ModelFailed, modelserver.Unfinished: wstk.ModelFailed,
		modelserver.Refusal: wstk.ModelFailed, modelserver.Stream: wstk.HTTPError,
		modelserver.NoText: wstk.HTTPError, modelserver.HTML: wstk.HTTPError,
		modelserver.HangUp: wstk.Network, modelserver.Endless: wstk.TooLarge,
		"": "", modelserver.Fenced: "", modelserver.RawNewlines: "", // the text is as it is
	} {
		played(t, func(modelserver.Request) modelserver.Reply {
			return modelserver.Reply{Text: said, Fault: fault}
		}, func(t *testing.T, m wstk.Model, s *modelserver.Server) {
			reply, err := m.Complete(t.Context(), wish)
			if wstk.CodeOf(err) != code || code != "" && reply.Text != "" {
				t.Errorf("%q: %q, %v", fault, reply.Text, err)
			}
			if n := len(s.Requests()); n != 1 {
				t.Errorf("%q: asked %d times", fault, n)
			}
		})
	}
}

// What a server refuses is left out, one after the other, and not sent to it again.
func TestRefusedParametersAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		name   string
		refuse []string
		status int
		asked  int // at the first call
	}{
		{"reasoning", []string{"max_tokens", "temperature"}, 400, 3},
		{"temperature", []string{"temperature"}, 422, 2},
		{"schema", []string{"json_schema", "input_schema", "responseSchema"}, 400, 2},
		{"schema as a failure", []string{"json_schema", "input_schema", "responseSchema"}, 500, 2},
		{"choice", []string{"tool_choice"}, 400, 2},
	} {
		played(t, func(r modelserver.Request) modelserver.Reply {
			refuse := c.refuse
			if r.API == modelserver.Anthropic && c.name == "reasoning" {
				refuse = refuse[1:] // it has no other name for the limit
			}
			return modelserver.Reply{Text: said, Refuse: refuse, Status: c.status}
		}, func(t *testing.T, m wstk.Model, s *modelserver.Server) {
			for call := range 2 {
				before := len(s.Requests())
				reply, err := m.Complete(t.Context(), wish)
				asked := s.Requests()[before:]
				if err != nil || reply.Text != said || reply.Usage.Calls != 1 {
					t.Errorf("%s: %+v, %v", c.name, reply, err)
				}
				if call == 0 && len(asked) > c.asked || call == 1 && len(asked) != 1 {
					t.Errorf("%s: call %d asked %d times", c.name, call, len(asked))
				}
				saysAll(t, c.name, asked[len(asked)-1])
			}
		})
	}
}

// saysAll checks that a request in a humbler form says what the first one said.
func saysAll(t *testing.T, refused string, r modelserver.Request) {
	t.Helper()
	if r.MaxTokens != wish.MaxTokens {
		t.Errorf("%s: the limit is %d", refused, r.MaxTokens)
	}
	said := r.Schema != nil || strings.Contains(r.System, string(wish.Schema))
	if !said || strings.HasPrefix(refused, "schema") && r.Schema != nil {
		t.Errorf("%s: the schema is lost, or sent again: %s", refused, r.Body)
	}
}

// A failure stays one: it is asked without the schema once, and nothing is concluded.
func TestFailuresTeachNothing(t *testing.T) {
	failing := true
	played(t, func(modelserver.Request) modelserver.Reply {
		if failing {
			return modelserver.Reply{Status: 500}
		}
		return modelserver.Reply{Text: said}
	}, func(t *testing.T, m wstk.Model, s *modelserver.Server) {
		failing = true
		_, err := m.Complete(t.Context(), wish)
		if wstk.CodeOf(err) != wstk.Unavailable || len(s.Requests()) != 2 {
			t.Errorf("asked %d times: %v", len(s.Requests()), err)
		}
		failing = false
		m.Complete(t.Context(), wish)
		if last := s.Requests()[2]; last.Schema == nil {
			t.Errorf("the schema is not sent any more: %s", last.Body)
		}
	})
}

// A model that used up its tokens for thoughts gets room for them, and keeps it.
func TestThoughtsGetRoom(t *testing.T) {
	var limits []int
	m := OpenAI(options(transport(func(r *http.Request) *http.Response {
		var in struct {
			Limit int `json:"max_completion_tokens"`
		}
		json.NewDecoder(r.Body).Decode(&in)
		limits = append(limits, in.Limit)
		body := `{"choices":[{"message":{"content":""},"finish_reason":"length"}],"usage":` +
			`{"prompt_tokens":9,"completion_tokens":77,"completion_tokens_details":{"reasoning_tokens":77}}}`
		if in.Limit > 77 {
			body = `{"choices":[{"message":{"content":"{}"},"finish_reason":"stop"}],"usage":` +
				`{"prompt_tokens":9,"completion_tokens":100}}`
		}
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(body))}
	}), ""))
	for range 2 {
		reply, err := m.Complete(t.Context(), wish)
		if err != nil || reply.Text != "{}" {
			t.Errorf("%+v, %v", reply, err)
		}
		if len(limits) == 2 && (reply.Usage.Calls != 2 || reply.Usage.OutputTokens != 177) {
			t.Errorf("both calls count: %+v", reply.Usage)
		}
	}
	if len(limits) != 3 || limits[0] != 77 || limits[1] != limits[2] || limits[1] <= 77 {
		t.Errorf("the limits were %v", limits)
	}
}

// The limits of the request and of its context hold.
func TestSlowServers(t *testing.T) {
	played(t, func(modelserver.Request) modelserver.Reply {
		return modelserver.Reply{Delay: time.Hour}
	}, func(t *testing.T, m wstk.Model, _ *modelserver.Server) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := m.Complete(ctx, wish); wstk.CodeOf(err) != wstk.Timeout {
			t.Errorf("%v", err)
		}
	})
}

// A failure that is really a refusal is not worth another try.
func TestRefusalsWithTheStatusOfAFailure(t *testing.T) {
	for message, code := range map[string]wstk.Code{
		"the request exceeds the available context size": wstk.Invalid,
		"Unsupported content part":                       wstk.Invalid,
		"we are down":                                    wstk.Unavailable,
	} {
		m := OpenAI(options(transport(func(*http.Request) *http.Response {
			return &http.Response{StatusCode: 500, Body: io.NopCloser(strings.NewReader(
				`{"error":{"message":"` + message + `"}}`))}
		}), ""))
		if _, err := m.Complete(t.Context(), wish); wstk.CodeOf(err) != code {
			t.Errorf("%s: %v", message, err)
		}
	}
}

// Each vendor is asked at its address, with its key in its header, or not at all.
func TestAddressesAndKeys(t *testing.T) {
	for _, c := range []struct{ id, base, key, url, header string }{
		{openaiID, "", "k", "https://api.openai.com/v1/chat/completions", "Bearer k"},
		{openaiID, "http://127.0.0.1:11434/v1", "", "http://127.0.0.1:11434/v1/chat/completions", ""},
		{openaiID, "", "", "", ""},
		{anthropicID, "", "k", "https://api.anthropic.com/v1/messages", "k"},
		{anthropicID, "https://proxy.example/v1", "k", "https://proxy.example/v1/messages", "k"},
		{anthropicID, "", "", "", ""},
		{geminiID, "", "k", "https://generativelanguage.googleapis.com/v1beta/models/m%2F1:generateContent", "k"},
		{geminiID, "http://127.0.0.1:9/v1beta", "", "http://127.0.0.1:9/v1beta/models/m%2F1:generateContent", ""},
		{geminiID, "", "", "", ""},
	} {
		var url, header string
		m := vendors[c.id].open(Options{Model: "m/1", Client: webapi.Client{BaseURL: c.base,
			Key: func() string { return c.key },
			Transport: transport(func(r *http.Request) *http.Response {
				url = r.URL.String()
				header = r.Header.Get("Authorization") + r.Header.Get("x-api-key") +
					r.Header.Get("x-goog-api-key")
				return &http.Response{StatusCode: 500, Body: io.NopCloser(strings.NewReader("{}"))}
			})}})
		_, err := m.Complete(t.Context(), wstk.ModelRequest{User: "x", MaxTokens: 1})
		if url != c.url || header != c.header {
			t.Errorf("%s asked %s with %q", c.id, url, header)
		}
		if c.url == "" && (wstk.CodeOf(err) != wstk.Unprocessable || len(wstk.StepsOf(err)) != 1) {
			t.Errorf("%s without a key: %v", c.id, err)
		}
	}
}

// Gemini takes a part of JSON Schema, and gets nothing else.
func TestGeminiSchema(t *testing.T) {
	var in map[string]any
	json.Unmarshal([]byte(`{"$schema":"x","type":"object","additionalProperties":false,
		"required":["a"],"properties":{"pattern":{"type":"string","pattern":"^a$"},
		"a":{"type":["string","null"]},"b":{"enum":["x","y"]},
		"c":{"type":"array","maxItems":3,"items":{"anyOf":[{"type":"integer","const":1}]}}}}`), &in)
	got, _ := json.Marshal(geminiSchema(in))
	want := `{"properties":{"a":{"nullable":true,"type":"string"},` +
		`"b":{"enum":["x","y"],"type":"string"},` +
		`"c":{"items":{"anyOf":[{"type":"integer"}]},"maxItems":3,"type":"array"},` +
		`"pattern":{"type":"string"}},"required":["a"],"type":"object"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

type roundTrip func(*http.Request)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	return nil, http.ErrServerClosed
}

type transport func(*http.Request) *http.Response

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }
