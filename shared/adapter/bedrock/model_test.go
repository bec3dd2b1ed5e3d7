package bedrock

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
	"wstk/shared/wstk/wstktest/modelserver"
)

const model = "amazon.nova-lite-v1:0"

// secret signs requests; it is never sent.
const secret = "made+up" + "/5c1f0a7e"

var made = credentials.NewStaticCredentialsProvider("AKIAMADEUP", secret, "")

// over is a client whose requests go through transport.
func over(transport http.RoundTripper) *Client {
	return New(aws.Config{Region: "eu-central-1", HTTPClient: doer{transport},
		Credentials: made})
}

type doer struct{ http.RoundTripper }

func (d doer) Do(r *http.Request) (*http.Response, error) { return d.RoundTrip(r) }

func TestModel(t *testing.T) {
	wstktest.Model(t, wstktest.ModelVendor{
		Open: func(_ *testing.T, transport http.RoundTripper) wstk.Model {
			return NewModel(over(transport), model)
		},
		Replies: filepath.Join("..", "..", "..", "testdata", "models", "bedrock"), Key: secret,
		Text: `{"boolean":"OR","keywords":["tide tables"],"year":2026}`,
	})
}

// reply is a service that answers every request alike, and keeps the last one.
type reply struct {
	status int
	header http.Header
	body   string
	sent   *http.Request
	said   string
}

func (s *reply) RoundTrip(r *http.Request) (*http.Response, error) {
	s.sent = r
	if r.Body != nil {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		s.said = string(data)
	}
	if s.header == nil {
		s.header = http.Header{}
	}
	return &http.Response{StatusCode: s.status, Header: s.header,
		Body: io.NopCloser(strings.NewReader(s.body))}, nil
}

func TestExceptionsHaveCodes(t *testing.T) {
	for name, want := range map[string]struct {
		status int
		code   wstk.Code
	}{
		"ThrottlingException":           {429, wstk.RateLimited},
		"ServiceQuotaExceededException": {400, wstk.RateLimited},
		"ValidationException":           {400, wstk.Invalid},
		"ResourceNotFoundException":     {404, wstk.Invalid},
		"AccessDeniedException":         {403, wstk.Unauthorized},
		"ExpiredTokenException":         {403, wstk.Unauthorized},
		"ModelTimeoutException":         {408, wstk.Timeout},
		"ModelNotReadyException":        {429, wstk.Unavailable},
		"ServiceUnavailableException":   {503, wstk.Unavailable},
		"ModelErrorException":           {424, wstk.Unavailable},
		"InternalServerException":       {500, wstk.Unavailable},
		"SomethingNewException":         {418, wstk.HTTPError},
	} {
		s := &reply{status: want.status, body: `{"message":"of the test"}`,
			header: http.Header{"X-Amzn-Errortype": {name + ":http://internal/"}}}
		asked := 0
		m := NewModel(over(doing(func(r *http.Request) (*http.Response, error) {
			asked++
			return s.RoundTrip(r)
		})), model)
		_, err := m.Complete(t.Context(), wstk.ModelRequest{User: "x", MaxTokens: 1})
		if wstk.CodeOf(err) != want.code || !strings.Contains(err.Error(), "of the test") {
			t.Errorf("%s: %v (%s), want %s", name, err, wstk.CodeOf(err), want.code)
		}
		if asked != 1 {
			t.Errorf("%s: asked %d times", name, asked)
		}
	}
}

type doing func(*http.Request) (*http.Response, error)

func (f doing) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A schema is a tool that must be called; without one nothing is said of tools.
func TestASchemaIsATool(t *testing.T) {
	s := &reply{status: 200, body: `{"output":{"message":{"role":"assistant","content":
		[{"reasoningContent":{"reasoningText":{"text":"hm"}}},{"text":"Yes."}]}},
		"stopReason":"end_turn","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}`}
	m := NewModel(over(s), model)
	got, err := m.Complete(t.Context(), wstk.ModelRequest{User: "x", MaxTokens: 7})
	if err != nil || got.Text != "Yes." || strings.Contains(s.said, "toolConfig") {
		t.Errorf("%q, %v; sent %s", got.Text, err, s.said)
	}
	_, err = m.Complete(t.Context(), wstk.ModelRequest{User: "x", MaxTokens: 7, Name: "claims",
		Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":3}}}`)})
	if err != nil {
		t.Error(err)
	}
	var sent struct {
		ToolConfig struct {
			Tools []struct {
				ToolSpec struct {
					Name        string
					InputSchema struct{ JSON json.RawMessage }
				}
			}
			ToolChoice struct{ Tool struct{ Name string } }
		}
		InferenceConfig struct {
			MaxTokens   int
			Temperature *float64
		}
	}
	if err := json.Unmarshal([]byte(s.said), &sent); err != nil {
		t.Fatal(err)
	}
	tools := sent.ToolConfig.Tools
	if len(tools) != 1 || tools[0].ToolSpec.Name != "claims" ||
		sent.ToolConfig.ToolChoice.Tool.Name != "claims" || string(tools[0].ToolSpec.InputSchema.
		JSON) != `{"properties":{"n":{"maximum":3,"type":"integer"}},"type":"object"}` {
		t.Errorf("sent %s", s.said)
	}
	if c := sent.InferenceConfig; c.MaxTokens != 7 || c.Temperature == nil || *c.Temperature != 0 {
		t.Errorf("sent %s", s.said)
	}
	if want := "/model/amazon.nova-lite-v1%3A0/converse"; s.sent.URL.EscapedPath() != want {
		t.Errorf("asked %s, want %s", s.sent.URL.EscapedPath(), want)
	}
}

// A reply that does not say why it ended, or ended for another reason than being complete,
// is no reply.
func TestARepliesEndIsChecked(t *testing.T) {
	for reason, want := range map[string]string{"end_turn": "", "tool_use": "",
		"stop_sequence": "", "max_tokens": "cut off", "": "without a reason",
		"model_context_window_exceeded": "context", "content_filtered": "refused",
		"guardrail_intervened": "refused", "refusal": "refused",
		"malformed_tool_use": "malformed_tool_use", "of_tomorrow": "of_tomorrow"} {
		s := &reply{status: 200, body: `{"output":{"message":{"role":"assistant","content":
			[{"text":"Yes."}]}},"usage":{"inputTokens":5,"outputTokens":1,"totalTokens":6},
			"stopReason":"` + reason + `"}`}
		if reason == "" {
			s.body = strings.Replace(s.body, `"stopReason":""`, `"trace":{}`, 1)
		}
		got, err := NewModel(over(s), model).Complete(t.Context(),
			wstk.ModelRequest{User: "x", MaxTokens: 1})
		failed := want != ""
		if failed != (wstk.CodeOf(err) == wstk.ModelFailed) || failed != (err != nil) ||
			failed && !strings.Contains(err.Error(), want) || got.Usage.InputTokens != 5 {
			t.Errorf("%q: %v (%s), want %q; usage %+v", reason, err, wstk.CodeOf(err), want,
				got.Usage)
		}
	}
}

// What a model does not take is left out, one after the other, and not sent to it again.
func TestWhatIsRefusedIsLeftOut(t *testing.T) {
	for _, c := range []struct {
		refuse []string
		first  int // requests of the first call
		schema bool
	}{
		{nil, 1, true}, {[]string{"temperature"}, 2, true}, {[]string{"toolChoice"}, 2, true},
		{[]string{"temperature", "toolChoice"}, 3, true}, {[]string{"toolConfig"}, 2, false},
	} {
		server := modelserver.Start(func(modelserver.Request) modelserver.Reply {
			return modelserver.Reply{Text: `{"said":"yes"}`, Refuse: c.refuse}
		})
		cfg := aws.Config{Region: "eu-central-1", Credentials: made,
			BaseEndpoint: aws.String(server.BaseURL(modelserver.Bedrock))}
		m := NewModel(New(cfg), model)
		for _, want := range []int{c.first, c.first + 1} {
			got, err := m.Complete(t.Context(), wstk.ModelRequest{User: "x", Name: "n",
				Schema: json.RawMessage(`{"type":"object"}`), MaxTokens: 9})
			asked := server.Requests()
			last := asked[len(asked)-1]
			if err != nil || got.Text != `{"said":"yes"}` || len(asked) != want ||
				(last.Schema != nil) != c.schema ||
				!c.schema && !strings.Contains(last.System, `{"type":"object"}`) {
				t.Errorf("%v: %q, %v, %d requests, the last %+v", c.refuse, got.Text, err,
					len(asked), last)
			}
		}
		server.Close()
	}
}

// What goes wrong with a server has the code that the port promises.
func TestFaultsHaveCodes(t *testing.T) {
	for fault, want := range map[modelserver.Fault]wstk.Code{
		modelserver.Cut: wstk.ModelFailed, modelserver.Unfinished: wstk.ModelFailed,
		modelserver.Refusal: wstk.ModelFailed, modelserver.NoText: wstk.HTTPError,
		modelserver.HTML: wstk.HTTPError, modelserver.Stream: wstk.HTTPError,
		modelserver.HangUp: wstk.Network,                    // the suite sends what is too large
		modelserver.Fenced: "", modelserver.RawNewlines: "", // words that are no JSON
	} {
		server := modelserver.Start(func(modelserver.Request) modelserver.Reply {
			return modelserver.Reply{Text: `{"said": "one two"}`, Fault: fault}
		})
		cfg := aws.Config{Region: "eu-central-1", Credentials: made,
			BaseEndpoint: aws.String(server.BaseURL(modelserver.Bedrock))}
		_, err := NewModel(New(cfg), model).Complete(t.Context(), wstk.ModelRequest{User: "x",
			Name: "n", Schema: json.RawMessage(`{"type":"object"}`), MaxTokens: 9})
		if wstk.CodeOf(err) != want {
			t.Errorf("%s: %v (%s), want %q", fault, err, wstk.CodeOf(err), want)
		}
		server.Close()
	}
}
