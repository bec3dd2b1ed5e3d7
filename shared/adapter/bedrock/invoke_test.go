package bedrock

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// invoked plays InvokeModel of embedders and rerankers, in the shapes and within the limits
// that AWS documents.
type invoked struct {
	mu    sync.Mutex
	asked []map[string]any // bodies
}

func (s *invoked) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.asked = append(s.asked, body)
	s.mu.Unlock()
	reply, ok := invokeReply(r.URL.Path, body)
	if !ok {
		w.Header().Set("X-Amzn-ErrorType", "ValidationException")
		w.WriteHeader(400)
	}
	err := json.NewEncoder(w).Encode(reply)
	return w.Result(), err
}

func invokeReply(path string, body map[string]any) (reply map[string]any, ok bool) {
	refused := map[string]any{"message": "Malformed input request"}
	switch {
	case strings.Contains(path, "titan-embed-text-v2"):
		text, _ := body["inputText"].(string)
		n, _ := body["dimensions"].(float64)
		if text == "" || len(text) > 50000 || len(strings.Fields(text)) > 8192 {
			return refused, false
		}
		v := vectorOf(text, int(n))
		return map[string]any{"embedding": v, "inputTextTokenCount": len(strings.Fields(text)),
			"embeddingsByType": map[string]any{"float": v}}, true
	case strings.Contains(path, "cohere.embed"):
		texts, _ := body["texts"].([]any)
		kind, _ := body["input_type"].(string)
		dimension, v4 := body["output_dimension"].(float64)
		if !v4 {
			dimension = 1024
		}
		if len(texts) > 96 || kind != "search_query" && kind != "search_document" {
			return refused, false
		}
		var vectors [][]float32
		for _, t := range texts {
			if !v4 && len([]rune(t.(string))) > 2048 {
				return refused, false
			}
			vectors = append(vectors, vectorOf(kind+t.(string), int(dimension)))
		}
		return map[string]any{"embeddings": map[string]any{"float": vectors},
			"response_type": "embeddings_by_type"}, true
	case strings.Contains(path, "rerank"):
		documents, _ := body["documents"].([]any)
		if strings.Contains(path, "cohere") != (body["api_version"] == 2.) {
			return refused, false
		}
		var results []map[string]any
		for i, d := range documents {
			if d == "" || len(documents) > 1000 {
				return refused, false
			}
			results = append(results, map[string]any{"index": i,
				"relevance_score": math.Abs(float64(vectorOf(body["query"].(string)+d.(string), 1)[0]))})
		}
		slices.Reverse(results) // the best first: not in the order of the documents
		return map[string]any{"results": results}, true
	}
	return refused, false
}

// vectorOf is made of the hash of a text.
func vectorOf(text string, dimension int) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	v := make([]float32, dimension)
	for i := range v {
		h.Write([]byte{byte(i)})
		v[i] = float32(h.Sum64()%2000)/1000 - 1.0005
	}
	return v
}

func embedder(t *testing.T, transport http.RoundTripper, model string, dimension int) *Embedder {
	t.Helper()
	e, err := NewEmbedder(over(transport), model, dimension)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEmbedders(t *testing.T) {
	for _, model := range []string{"amazon.titan-embed-text-v2:0", "cohere.embed-multilingual-v3",
		"eu.cohere.embed-v4:0"} {
		t.Run(model, func(t *testing.T) {
			wstktest.Embedder(t, func(t *testing.T) wstk.Embedder {
				return embedder(t, &invoked{}, model, 0)
			})
		})
	}
}

func TestRerankers(t *testing.T) {
	for _, model := range []string{"amazon.rerank-v1:0", "cohere.rerank-v3-5:0"} {
		t.Run(model, func(t *testing.T) {
			wstktest.Reranker(t, func(t *testing.T) wstk.Reranker {
				r, err := NewReranker(over(&invoked{}), model)
				if err != nil {
					t.Fatal(err)
				}
				return r
			})
		})
	}
}

func TestDimensions(t *testing.T) {
	for _, c := range []struct {
		model      string
		asked, got int // 0: Invalid
	}{
		{"amazon.titan-embed-text-v2:0", 0, 1024}, {"amazon.titan-embed-text-v2:0", 256, 256},
		{"amazon.titan-embed-text-v2:0", 512, 512}, {"amazon.titan-embed-text-v2:0", 384, 0},
		{"cohere.embed-english-v3", 0, 1024}, {"cohere.embed-english-v3", 512, 0},
		{"cohere.embed-v4:0", 0, 1024}, {"cohere.embed-v4:0", 1536, 1536},
		{"amazon.titan-embed-text-v1", 0, 0}, {"", 0, 0},
	} {
		e, err := NewEmbedder(over(&invoked{}), c.model, c.asked)
		if c.got == 0 {
			if wstk.CodeOf(err) != wstk.Invalid || len(wstk.StepsOf(err)) == 0 {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil || e.Info().Dimension != c.got {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		made, err := e.Embed(t.Context(), wstk.EmbedQuery, "a boat")
		if err != nil || len(made.Embeddings[0].Vector) != c.got {
			t.Errorf("%+v: %d numbers, %v", c, len(made.Embeddings[0].Vector), err)
		}
	}
}

// Cohere is told what a text is for, 96 texts at a time; Titan takes one text, and says how
// many tokens it has.
func TestWhatEmbeddersAreAsked(t *testing.T) {
	texts := slices.Repeat([]string{"a boat"}, 200)
	s := &invoked{}
	made, err := embedder(t, s, "cohere.embed-english-v3", 0).Embed(t.Context(),
		wstk.EmbedQuery, texts...)
	if err != nil || made.Usage.Calls != 3 || len(s.asked) != 3 {
		t.Fatalf("asked %d times, %+v, %v", len(s.asked), made.Usage, err)
	}
	if s.asked[0]["input_type"] != "search_query" {
		t.Errorf("asked for %v", s.asked[0]["input_type"])
	}
	s = &invoked{}
	made, err = embedder(t, s, "amazon.titan-embed-text-v2:0", 0).Embed(t.Context(),
		wstk.EmbedQuery, texts[:5]...)
	if err != nil || made.Usage.Calls != 5 || made.Usage.InputTokens != 10 || len(s.asked) != 5 {
		t.Errorf("asked %d times, %+v, %v", len(s.asked), made.Usage, err)
	}
}

// What is no vector of the right dimension, and no score for each text, is a failed model.
func TestOddVectorsAndScoresFail(t *testing.T) {
	for body, model := range map[string]string{
		`{"embedding":[0.5,0.5],"inputTextTokenCount":2}`:            "amazon.titan-embed-text-v2:0",
		`{"embedding":[` + strings.Repeat("0,", 255) + `0]}`:         "amazon.titan-embed-text-v2:0",
		`{"embedding":[` + strings.Repeat("3e38,", 255) + `3e38]}`:   "",
		`{"embeddings":{"float":[]}}`:                                "cohere.embed-v4:0",
		`{"embeddings":{"float":[[1,2,3]]}}`:                         "cohere.embed-v4:0",
		`{"results":[]}`:                                             "amazon.rerank-v1:0",
		`{"results":[{"relevance_score":1}]}`:                        "amazon.rerank-v1:0",
		`{"results":[{"index":7,"relevance_score":1},{"index":-1}]}`: "amazon.rerank-v1:0",
	} {
		s := &reply{status: 200, body: body}
		var err error
		switch {
		case model == "": // large, and finite
			if _, err = embedder(t, s, "amazon.titan-embed-text-v2:0", 256).Embed(t.Context(),
				wstk.EmbedQuery, "x"); err != nil {
				t.Errorf("%.40s: %v", body, err)
			}
			continue
		case strings.Contains(model, "embed"):
			_, err = embedder(t, s, model, 256).Embed(t.Context(), wstk.EmbedQuery, "x")
		default:
			r, bad := NewReranker(over(s), model)
			if bad != nil {
				t.Fatal(bad)
			}
			_, err = r.Rerank(t.Context(), "x", "y")
		}
		if wstk.CodeOf(err) != wstk.ModelFailed {
			t.Errorf("%.40s: %v", body, err)
		}
	}
	if _, err := NewReranker(over(&invoked{}), "cohere.embed-v4:0"); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("an embedder reranks: %v", err)
	}
}
