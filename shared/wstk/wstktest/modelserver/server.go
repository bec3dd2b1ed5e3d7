// Package modelserver plays servers of language models over real HTTP, in the shapes of
// OpenAI's chat completions, Anthropic's messages, Gemini's generateContent and Bedrock's
// Converse, with the faults that such servers have; and Bedrock's embedders and rerankers. It
// is for tests alone.
package modelserver

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Request is what a client asked, in whichever shape.
type Request struct {
	API       API
	Model     string
	System    string
	User      string
	Name      string          // of what is wanted; "" in Gemini's shape, which has none
	Schema    json.RawMessage // nil if the reply is free, or the client gave up on a schema
	MaxTokens int
	Key       string // as the header carried it
	Body      []byte // the whole
}

// API is one of the shapes.
type API string

// The shapes.
const (
	OpenAI    API = "openai"
	Anthropic API = "anthropic"
	Gemini    API = "gemini"
	Bedrock   API = "bedrock"
)

// Reply is what the server does with a request. The zero value says nothing, in good form.
type Reply struct {
	Text  string
	Fault Fault // "" for none

	// Refuse names parameters, as they stand in the body of the request. A request with one of
	// them is refused with Status, or 400; any other gets Text.
	Refuse []string

	// Status is that of a failure, in place of Text; 0 means 200.
	Status     int
	RetryAfter string        // header of a failure
	Delay      time.Duration // before anything is said, or until the client has gone
}

// Fault is a way in which a reply goes wrong.
type Fault string

// The faults.
const (
	RawNewlines Fault = "raw_newlines" // JSON whose strings hold raw line feeds
	Fenced      Fault = "fenced"       // the text is in a Markdown code fence
	Cut         Fault = "cut"          // half of the text: the limit of tokens was met
	Unfinished  Fault = "unfinished"   // the text, and null as the reason why it ends
	Stream      Fault = "stream"       // events, ended by [DONE] without such a reason
	Refusal     Fault = "refusal"      // the model refuses
	NoText      Fault = "no_text"      // the vendor's shape, without a text
	HangUp      Fault = "hang_up"      // the connection ends in the middle
	HTML        Fault = "html"         // a page in place of JSON, with status 200
	Endless     Fault = "endless"      // a body without end
)

// Faults returns all faults.
func Faults() []Fault {
	return []Fault{RawNewlines, Fenced, Cut, Unfinished, Stream, Refusal, NoText, HangUp, HTML,
		Endless}
}

// Server answers model requests on loopback. It is safe for concurrent use.
type Server struct {
	answer func(Request) Reply
	server *httptest.Server

	mu    sync.Mutex
	asked []Request
}

// maxAsked bounds what is noted.
const maxAsked = 10_000

// Start serves until Close. answer may be called by several requests at once.
func Start(answer func(Request) Reply) *Server {
	s := &Server{answer: answer}
	s.server = httptest.NewServer(s.Handler())
	return s
}

// Texts is an answer that is always in good form.
func Texts(text func(Request) string) func(Request) Reply {
	return func(r Request) Reply { return Reply{Text: text(r)} }
}

// Close stops serving, also requests that still wait.
func (s *Server) Close() {
	s.server.CloseClientConnections()
	s.server.Close()
}

// BaseURL is the base address for clients of a shape, as its vendor writes base addresses.
func (s *Server) BaseURL(api API) string {
	if api == OpenAI {
		return s.server.URL + "/v1"
	}
	return s.server.URL
}

// Requests returns what was asked so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.asked...)
}

// Handler serves all shapes, for a server that is already there.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serve(OpenAI, readOpenAI))
	mux.HandleFunc("POST /v1/messages", s.serve(Anthropic, readAnthropic))
	mux.HandleFunc("POST /v1beta/models/{call}", s.serve(Gemini, readGemini))
	mux.HandleFunc("POST /model/{model}/converse", s.serve(Bedrock, readBedrock))
	mux.HandleFunc("POST /model/{model}/invoke", s.invoke)
	return mux
}

func (s *Server) serve(
	api API, read func(*http.Request, []byte) (Request, error),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		in, err := read(r, body)
		if err != nil {
			refuse(w, api, Reply{Status: http.StatusBadRequest}, err.Error())
			return
		}
		in.API, in.Body = api, body
		s.note(in)
		reply := s.answer(in)
		if reply.Delay > 0 {
			select {
			case <-time.After(reply.Delay):
			case <-r.Context().Done():
				return
			}
		}
		reply.write(w, in)
	}
}

func (s *Server) note(in Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) < maxAsked {
		s.asked = append(s.asked, in)
	}
}

// write answers in the shape of the request.
func (a Reply) write(w http.ResponseWriter, in Request) {
	for _, name := range a.Refuse {
		if has(in.Body, name) {
			refuse(w, in.API, a, refusal(name))
			return
		}
	}
	if len(a.Refuse) == 0 && a.Status != 0 && a.Status != http.StatusOK {
		refuse(w, in.API, a, "the stand-in fails, as it was told")
		return
	}
	switch a.Fault {
	case HTML:
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Busy</title><p>One moment, please.")
	case Endless:
		w.Header().Set("Content-Type", "application/json")
		for chunk := []byte(strings.Repeat(" ", 1<<16)); ; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	case Stream:
		stream(w, in, a.Text)
	case HangUp:
		body := a.shaped(in)
		w.Header().Set("Content-Type", "application/json")
		w.Write(body[:len(body)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.Write(a.shaped(in))
	}
}

// has reports whether a body holds a parameter, at whatever depth.
func has(body []byte, name string) bool {
	return strings.Contains(string(body), `"`+name+`":`)
}

// refusal is how OpenAI says that a model does not take a parameter.
func refusal(name string) string {
	if name == "max_tokens" {
		return "Unsupported parameter: 'max_tokens' is not supported with this model. " +
			"Use 'max_completion_tokens' instead."
	}
	return "Unsupported parameter: '" + name + "' is not supported with this model."
}

// refuse writes an error in the vendor's shape.
func refuse(w http.ResponseWriter, api API, a Reply, message string) {
	status := a.Status
	if status == 0 {
		status = http.StatusBadRequest
	}
	if a.RetryAfter != "" {
		w.Header().Set("Retry-After", a.RetryAfter)
	}
	w.Header().Set("Content-Type", "application/json")
	if api == Bedrock {
		exception(w, status)
	}
	w.WriteHeader(status)
	kind := "invalid_request_error"
	if status >= http.StatusInternalServerError {
		kind = "server_error"
	}
	var body any
	switch api {
	case Bedrock:
		body = object{"message": message}
	case Anthropic:
		body = object{"type": "error", "error": object{"type": kind, "message": message}}
	case Gemini:
		body = object{"error": object{"code": status, "message": message,
			"status": http.StatusText(status)}}
	default:
		body = object{"error": object{"message": message, "type": kind, "code": nil}}
	}
	w.Write(encoded(body))
}

type object = map[string]any

func encoded(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // the stand-in's own mistake
	}
	return data
}

// said is the text of a reply with its fault.
func (a Reply) said() string {
	switch a.Fault {
	case RawNewlines:
		return rawNewlines(a.Text)
	case Fenced:
		return "Here you are:\n\n```json\n" + a.Text + "\n```\n"
	case Cut:
		return a.Text[:len(a.Text)/2]
	}
	return a.Text
}

// rawNewlines breaks the strings of a JSON text: escaped line feeds become raw ones, and
// where there is none, the first blank inside a string becomes one.
func rawNewlines(s string) string {
	if strings.Contains(s, `\n`) {
		return strings.ReplaceAll(s, `\n`, "\n")
	}
	inside := false
	for i := range len(s) {
		switch {
		case s[i] == '"' && (i == 0 || s[i-1] != '\\'):
			inside = !inside
		case inside && s[i] == ' ':
			return s[:i] + "\n" + s[i+1:]
		}
	}
	return s
}

// tokens is a length as models count: some four bytes each.
func tokens(s string) int { return len(s)/4 + 1 }
