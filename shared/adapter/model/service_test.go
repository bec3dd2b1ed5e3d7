package model

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// service is a stand-in for all services here: it embeds and scores by the words that texts
// have in common. It refuses what vendors refuse: texts that are empty, and too many of them.
type service struct {
	mu      sync.Mutex
	calls   []string // bodies of requests
	most    int      // texts in a request; 0 means any number
	ignores bool     // the dimension that was asked for
	embed   func(text string, dimension int) []float32
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.calls = append(s.calls, string(body))
	s.mu.Unlock()
	status, reply := s.answer(r.URL.Path, body)
	data, err := json.Marshal(reply)
	return &http.Response{StatusCode: status, Header: http.Header{},
		Body: io.NopCloser(bytes.NewReader(data))}, err
}

// asked is a request of any vendor.
type askedOf struct {
	Input, Texts, Documents []string
	Query                   string
	Dimensions              int
	OutputDimension         int `json:"output_dimension"`
	Requests                []struct {
		Content struct{ Parts []struct{ Text string } }
		Dim     int `json:"outputDimensionality"`
	}
}

func (s *service) answer(path string, body []byte) (int, any) {
	var q askedOf
	if err := json.Unmarshal(body, &q); err != nil {
		return 400, nil
	}
	texts := append(append(q.Input, q.Texts...), q.Documents...)
	dimension := max(q.Dimensions, q.OutputDimension)
	for _, r := range q.Requests {
		texts, dimension = append(texts, r.Content.Parts[0].Text), r.Dim
	}
	if s.ignores || dimension == 0 {
		dimension = 64
	}
	for _, t := range texts {
		if strings.TrimSpace(t) == "" {
			return 400, map[string]string{"message": "a text is empty"}
		}
	}
	if len(texts) == 0 || s.most > 0 && len(texts) > s.most {
		return 400, map[string]string{"message": "too many texts"}
	}
	return 200, s.reply(path, q.Query, texts, dimension)
}

func (s *service) reply(path, query string, texts []string, dimension int) any {
	type m = map[string]any
	var plain [][]float32
	var data, values, results []m
	for i, t := range texts {
		v := s.vector(t, dimension)
		plain = append(plain, v)
		data, values = append(data, m{"index": i, "embedding": v}), append(values, m{"values": v})
		if query != "" {
			h := fnv.New32a()
			h.Write([]byte(t)) // each letter counts
			score := wstk.Cosine(v, s.vector(query, dimension)) + float64(h.Sum32())/(1<<42)
			results = append([]m{{"index": i, "relevance_score": score}}, results...)
		}
	}
	switch {
	case strings.HasSuffix(path, "rerank"):
		return m{"results": results}
	case strings.HasSuffix(path, ":batchEmbedContents"):
		return m{"embeddings": values}
	case strings.HasSuffix(path, "/embed"):
		return m{"embeddings": m{"float": plain}}
	}
	return m{"data": data}
}

func (s *service) vector(t string, dimension int) []float32 {
	if s.embed != nil {
		return s.embed(t, dimension)
	}
	v := make([]float32, dimension)
	for _, w := range strings.FieldsFunc(strings.ToLower(t), func(r rune) bool {
		return strings.ContainsRune(" \n\t.,?", r)
	}) {
		h := fnv.New32a()
		h.Write([]byte(w))
		v[h.Sum32()%uint32(dimension)] += float32(min(len(w), 6)) // long words say more
	}
	v[0] += .1
	return v
}

const madeUpKey = "sk-made" + "-up-77aa"

func client(transport http.RoundTripper) webapi.Client {
	return webapi.Client{Transport: transport, BaseURL: "https://vendor.example/v1",
		Key: func() string { return madeUpKey }}
}

// embedder returns one of a provider, with vectors of this dimension.
func embedder(t *testing.T, provider string, dimension int, by http.RoundTripper) wstk.Embedder {
	t.Helper()
	name := map[string]string{"openai": "text-embedding-3-small"}[provider]
	e, err := NewEmbedder(EmbedderSetup{Provider: provider, Model: name, Dimension: dimension},
		client(by))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEmbedders(t *testing.T) {
	for _, provider := range EmbedderProviders() {
		t.Run(provider, func(t *testing.T) {
			wstktest.Embedder(t, func(t *testing.T) wstk.Embedder {
				return embedder(t, provider, 64, &service{most: embedVendors[provider].texts})
			})
			tokens := map[string]int{"openai": 6, "cohere": 6, "voyage": 6}
			wstktest.EmbedderService(t, wstktest.Service[wstk.Embedder]{
				Open: func(t *testing.T, by http.RoundTripper) wstk.Embedder {
					return embedder(t, provider, 4, by)
				},
				Replies: filepath.Join("..", "..", "..", "testdata", "embedders", provider),
				Key:     madeUpKey, Tokens: tokens[provider]})
		})
	}
}

// An embedder that was checked keeps the promises of the port.
func TestSoundEmbedder(t *testing.T) {
	wstktest.Embedder(t, func(t *testing.T) wstk.Embedder {
		return Sound(embedder(t, "openai", 64, &service{}))
	})
}

// D4: cohere, jina and zeroentropy keep the promises of the port.
func TestRerankers(t *testing.T) {
	for _, row := range Rerankers {
		t.Run(row.Provider, func(t *testing.T) {
			open := func(t *testing.T, by http.RoundTripper) wstk.Reranker {
				r, err := NewReranker(row.Provider, "", client(by))
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			wstktest.Reranker(t, func(t *testing.T) wstk.Reranker {
				return open(t, &service{most: row.Texts})
			})
			tokens := map[string]int{"jina": 15, "zeroentropy": 15}
			wstktest.RerankerService(t, wstktest.Service[wstk.Reranker]{Open: open,
				Replies: filepath.Join("..", "..", "..", "testdata", "rerankers", row.Provider),
				Key:     madeUpKey, Tokens: tokens[row.Provider]})
		})
	}
}
