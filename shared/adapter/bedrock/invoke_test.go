package bedrock

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
	"wstk/shared/wstk/wstktest/modelserver"
)

// invoked plays InvokeModel.
type invoked struct {
	server modelserver.Server
}

func (s *invoked) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	s.server.Handler().ServeHTTP(w, r)
	return w.Result(), nil
}

// asked are the bodies of all requests.
func (s *invoked) asked(t *testing.T) (out []map[string]any) {
	t.Helper()
	for _, r := range s.server.Requests() {
		var body map[string]any
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		out = append(out, body)
	}
	return out
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
	if err != nil || made.Usage.Calls != 3 || len(s.asked(t)) != 3 {
		t.Fatalf("asked %d times, %+v, %v", len(s.asked(t)), made.Usage, err)
	}
	if s.asked(t)[0]["input_type"] != "search_query" {
		t.Errorf("asked for %v", s.asked(t)[0]["input_type"])
	}
	s = &invoked{}
	made, err = embedder(t, s, "amazon.titan-embed-text-v2:0", 0).Embed(t.Context(),
		wstk.EmbedQuery, texts[:5]...)
	if err != nil || made.Usage.Calls != 5 || made.Usage.InputTokens != 10 || len(s.asked(t)) != 5 {
		t.Errorf("asked %d times, %+v, %v", len(s.asked(t)), made.Usage, err)
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
