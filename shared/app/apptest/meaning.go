package apptest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// MeaningServer is a stand-in for services that embed, as OpenAI does, and rerank, as Jina does. It
// embeds texts by the first letters of their words, and words of the same meaning alike; it prefers
// passages that speak of a harbour.
type MeaningServer struct {
	Passages, Reranked atomic.Int64 // texts that were read; a passage is one with its title
	Calls              atomic.Int64 // requests
	Down               atomic.Bool  // it refuses
}

// alike are words that the server takes for one another, by how it writes them.
var alike = map[string]string{"departs": "leaves", "vessel": "ferry", "dwelling": "house",
	"feline": "cats", "costs": "price"}

func (s *MeaningServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Calls.Add(1)
	if s.Down.Load() {
		http.Error(w, "out of order", http.StatusBadRequest)
		return
	}
	var q struct{ Input, Documents []string }
	json.NewDecoder(r.Body).Decode(&q)
	var data, results []map[string]any
	for i, t := range q.Input {
		if strings.Contains(t, "\n") { // with its title
			s.Passages.Add(1)
		}
		v := make([]float32, 256)
		for _, word := range strings.Fields(strings.ToLower(t)) {
			word = strings.Trim(word, ".,?")
			word = cmp.Or(alike[word], word)
			if len(word) > 3 {
				v[(int(word[0])*31+int(word[1])*7+int(word[2])*3+int(word[3]))%256]++
			}
		}
		v[0] += .1
		data = append(data, map[string]any{"index": i, "embedding": v})
	}
	for i, t := range q.Documents {
		s.Reranked.Add(1)
		results = append(results, map[string]any{"index": i,
			"relevance_score": strings.Count(t, "harbour")})
	}
	json.NewEncoder(w).Encode(map[string]any{"data": data, "results": results,
		"usage": map[string]int{"total_tokens": 3}})
}

// harbour are pages that say in other words what is asked.
var harbour = map[string]string{
	"/ferry": document("Timetable", "The ferry leaves the harbour at nine in the morning and at "+
		"four in the afternoon.", "In winter the afternoon crossing is cancelled when the wind "+
		"is strong."),
	"/house": document("Houses by the water", "A house at the quay is let for a week at least.",
		"The price of a house for a week is 700 euros in July."),
	"/cats": document("Animals", "Cats are welcome on board if they travel in a box.",
		"Dogs travel on deck and need a muzzle."),
	"/bread": document("Bakery", "The bakery opens at six and bakes bread with barley.",
		"Rolls are sold out at noon on most days."),
	"/museum": document("Museum", "The museum of shipping shows forty models and two engines.",
		"It is open from April to October."),
}

// questions about harbour. The first words of each stand on no page.
var questions = []string{"When departs the vessel?", "What costs a dwelling?",
	"May a feline travel on board?", "When is the museum open?", "bread with barley"}

// Meaning compares two homes that have the same embedder: pages that both read give the same
// passages, found by the same legs with the same scores, and the same answers, and each home
// embeds as many texts. The homes are opened with these settings, by key; each may reach
// addresses of this machine.
func Meaning(t *testing.T, here, there func(t *testing.T, settings map[string]string) *app.App) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		(&asked{pages: harbour}).serve(w, r)
	}))
	defer site.Close()
	var names []string
	for path := range harbour {
		names = append(names, site.URL+path)
	}
	slices.Sort(names)
	var said [2][]string
	var read [2]int64
	for i, open := range []func(*testing.T, map[string]string) *app.App{here, there} {
		service := &MeaningServer{}
		server := httptest.NewServer(service)
		defer server.Close()
		a := open(t, map[string]string{"embedder.provider": "openai", "embedder.model": "my-own",
			"embedder.dimension": "256", "embedder.base_url": server.URL})
		if _, _, err := a.Reading.EnsureAll(t.Context(), names,
			func(int) error { return nil }); err != nil {
			t.Fatal(err)
		}
		for _, q := range questions {
			said[i] = append(said[i], passages(t, a, q), answers(t, a, q))
		}
		read[i] = service.Passages.Load()
	}
	if read[0] == 0 || read[0] != read[1] {
		t.Errorf("the homes embedded %v passages", read)
	}
	for i, want := range said[0] {
		if said[1][i] != want {
			t.Errorf("%s: one home says\n%s\nand the other\n%s", questions[i/2], want, said[1][i])
		}
	}
	if first := said[0][0]; !strings.HasPrefix(first, "/ferry") ||
		!strings.Contains(first, "vector of openai") {
		t.Errorf("%s: %s", questions[0], first)
	}
}

// passages is what recall finds, a line each.
func passages(t *testing.T, a *app.App, query string) string {
	t.Helper()
	found, err := a.Answering.Recall(t.Context(), answering.RecallRequest{Query: query})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, h := range found.Hits {
		_, path, _ := strings.Cut(strings.TrimPrefix(h.URL, "http://"), "/")
		fmt.Fprintf(&out, "/%s %s %.9f", path, h.ID, h.Score)
		for _, l := range h.Legs {
			fmt.Fprintf(&out, ", %s %d %.9f", l.Name, l.Rank, l.Score)
		}
		fmt.Fprintf(&out, ": %s\n", h.Text)
	}
	return out.String()
}

// answers is what is answered, a line for each statement.
func answers(t *testing.T, a *app.App, query string) string {
	t.Helper()
	res, err := a.Answering.Ask(t.Context(), wstk.AskQuery{Query: query, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, e := range res.Extractions {
		fmt.Fprintf(&out, "%s, %s:\n%s\n", e.Title, e.Grounding, e.Content)
	}
	return out.String()
}
