package wstktest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Vendors plays search services and a model over real HTTP, in the vendors' own shapes, for
// tests and measurements of a whole system. It is safe for concurrent use.
type Vendors struct {
	Serper, Google, Brave, SearXNG, Model VendorAnswer // until Set changes one

	mu     sync.Mutex
	set    map[string]VendorAnswer
	asked  map[string][]VendorAsked
	server *httptest.Server
}

// VendorAnswer is what a vendor says to every request.
type VendorAnswer struct {
	URLs   []string                    // of results, best first, titled by their place
	Title  string                      // of each result, in place of that
	Text   string                      // of the model
	Status int                         // in place of 200
	Header http.Header                 // of the reply
	Body   func(w http.ResponseWriter) // in place of the vendor's shape
	Delay  time.Duration               // before anything is said
}

// VendorAsked is a request that came.
type VendorAsked struct {
	Query  string // the words asked for
	Params map[string]string
	Body   string
}

// Start serves on loopback until Close.
func (v *Vendors) Start() *Vendors {
	v.set = map[string]VendorAnswer{"serper": v.Serper, "google": v.Google, "brave": v.Brave,
		"searxng": v.SearXNG, "model": v.Model}
	v.asked = map[string][]VendorAsked{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /serper/search", v.serper)
	mux.HandleFunc("GET /google/customsearch/v1", v.google)
	mux.HandleFunc("GET /brave/res/v1/web/search", v.brave)
	mux.HandleFunc("GET /searxng/search", v.searxng)
	mux.HandleFunc("GET /searxng/healthz",
		func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "OK") })
	mux.HandleFunc("POST /model/v1/chat/completions", v.model)
	v.server = httptest.NewServer(mux)
	return v
}

// Close stops serving.
func (v *Vendors) Close() { v.server.Close() }

// URL is the address served at.
func (v *Vendors) URL() string { return v.server.URL }

// Settings are the variables that lead a system to these vendors: serper, google and brave
// with made-up keys. With model the words are rewritten by the model.
func (v *Vendors) Settings(model bool) map[string]string {
	at := v.server.URL
	out := map[string]string{"SERPER_BASE_URL": at + "/serper",
		"SERPER_API_KEY": "serper-made" + "-up", "GOOGLE_CSE_BASE_URL": at + "/google",
		"GOOGLE_CSE_API_KEY": "google-made" + "-up", "GOOGLE_CSE_ID": "engine-1",
		"BRAVE_BASE_URL": at + "/brave", "BRAVE_API_KEY": "brave-made" + "-up",
		"WSTK_SEARCH_CASCADE_ORDER": "serper,google,brave"}
	if model {
		maps.Copy(out, map[string]string{"WSTK_MODEL_REWRITE": "openai:made-up-1",
			"OPENAI_BASE_URL": at + "/model/v1", "OPENAI_API_KEY": "model-made" + "-up"})
	}
	return out
}

// Set changes what one vendor (serper, google, brave, searxng, model) says.
func (v *Vendors) Set(name string, a VendorAnswer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.set[name] = a
}

// Asked returns what a vendor was asked so far.
func (v *Vendors) Asked(name string) []VendorAsked {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]VendorAsked(nil), v.asked[name]...)
}

// begin notes a request, and answers it where the answer is not the vendor's shape.
func (v *Vendors) begin(
	w http.ResponseWriter, r *http.Request, name, query string, body []byte,
) (a VendorAnswer, ok bool) {
	v.mu.Lock()
	a = v.set[name]
	params := map[string]string{}
	for k := range r.URL.Query() {
		params[k] = r.URL.Query().Get(k)
	}
	if n := len(v.asked[name]); n < maxAsked {
		v.asked[name] = append(v.asked[name],
			VendorAsked{Query: query, Params: params, Body: string(body)})
	}
	v.mu.Unlock()
	if a.Delay > 0 {
		select {
		case <-time.After(a.Delay):
		case <-r.Context().Done():
			return a, false
		}
	}
	maps.Copy(w.Header(), a.Header)
	switch {
	case a.Body != nil:
		a.Body(w)
		return a, false
	case a.Status != 0 && a.Status != http.StatusOK:
		w.WriteHeader(a.Status)
		fmt.Fprintf(w, `{"error": {"message": "%s says %d"}}`, name, a.Status)
		return a, false
	}
	w.Header().Set("Content-Type", "application/json")
	return a, true
}

// maxAsked bounds what is noted, for those who ask for hours.
const maxAsked = 1000

func (a VendorAnswer) title(i int) string {
	if a.Title != "" {
		return a.Title
	}
	return fmt.Sprintf("Result %d", i+1)
}

func (v *Vendors) serper(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var in struct{ Q string }
	json.Unmarshal(body, &in)
	a, ok := v.begin(w, r, "serper", in.Q, body)
	if !ok {
		return
	}
	items := []map[string]any{}
	for i, u := range a.URLs {
		items = append(items, map[string]any{"title": a.title(i), "link": u,
			"snippet": "A snippet.", "position": i + 1})
	}
	json.NewEncoder(w).Encode(map[string]any{"searchParameters": map[string]any{"q": in.Q},
		"organic": items, "credits": 1})
}

func (v *Vendors) google(w http.ResponseWriter, r *http.Request) {
	a, ok := v.begin(w, r, "google", r.URL.Query().Get("q"), nil)
	if !ok {
		return
	}
	var items []map[string]any
	if start := r.URL.Query().Get("start"); start == "" || start == "1" {
		for i, u := range a.URLs {
			items = append(items, map[string]any{"kind": "customsearch#result", "title": a.title(i),
				"link": u, "snippet": "A snippet."})
		}
	}
	json.NewEncoder(w).Encode(map[string]any{"kind": "customsearch#search", "items": items})
}

func (v *Vendors) brave(w http.ResponseWriter, r *http.Request) {
	a, ok := v.begin(w, r, "brave", r.URL.Query().Get("q"), nil)
	if !ok {
		return
	}
	items := []map[string]any{}
	for i, u := range a.URLs {
		items = append(items, map[string]any{"type": "search_result", "title": a.title(i), "url": u,
			"description": "A <strong>snippet</strong>."})
	}
	json.NewEncoder(w).Encode(map[string]any{"type": "search",
		"query": map[string]any{"original": r.URL.Query().Get("q")},
		"web":   map[string]any{"type": "search", "results": items}})
}

func (v *Vendors) searxng(w http.ResponseWriter, r *http.Request) {
	a, ok := v.begin(w, r, "searxng", r.URL.Query().Get("q"), nil)
	if !ok {
		return
	}
	items := []map[string]any{}
	for i, u := range a.URLs {
		items = append(items, map[string]any{"title": a.title(i), "url": u, "content": "A snippet.",
			"engine": "made up"})
	}
	json.NewEncoder(w).Encode(map[string]any{"query": r.URL.Query().Get("q"),
		"number_of_results": len(items), "results": items, "unresponsive_engines": []any{}})
}

func (v *Vendors) model(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var in struct{ Messages []struct{ Content string } }
	json.Unmarshal(body, &in)
	words := ""
	if len(in.Messages) > 0 {
		words = strings.TrimSpace(in.Messages[len(in.Messages)-1].Content)
	}
	a, ok := v.begin(w, r, "model", words, body)
	if !ok {
		return
	}
	json.NewEncoder(w).Encode(map[string]any{"object": "chat.completion", "model": "made-up-1",
		"choices": []any{map[string]any{"index": 0,
			"message":       map[string]any{"role": "assistant", "content": a.Text},
			"finish_reason": "stop"}},
		"usage": map[string]any{"prompt_tokens": 400, "completion_tokens": 40,
			"total_tokens": 440}})
}
