package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// embedVendor is how a vendor's embedder is asked.
type embedVendor struct {
	name     string // in messages
	variable string // that holds its key
	texts    int    // in one request, at most
	tokens   int    // in one request, at most, over all texts

	// ask sends one request. It returns the vectors in the order of the texts, unchecked, and
	// the number of tokens, 0 if the vendor does not say.
	ask func(context.Context, webapi.Client, embedCall) ([][]float32, int, error)
}

// embedCall is one request.
type embedCall struct {
	model     string
	purpose   wstk.EmbedPurpose
	texts     []string
	dimension int // to ask for; 0 leaves it to the model
}

// of returns the vendor's word for what the texts are for.
func (c embedCall) of(query, passage string) string {
	if c.purpose == wstk.EmbedQuery {
		return query
	}
	return passage
}

var embedVendors = map[string]embedVendor{
	openaiID: {"openai", "OPENAI_API_KEY", 2048, 300_000, embedOpenAI},
	"cohere": {"cohere", "COHERE_API_KEY", 96, 128_000, embedCohere},
	"gemini": {"gemini", "GEMINI_API_KEY", 100, 100_000, embedGemini},
	"voyage": {"voyage", "VOYAGE_API_KEY", 1000, 120_000, embedVoyage},
}

// bearer is the header of most vendors; without a key there is none.
func bearer(c webapi.Client) map[string]string {
	if key := c.Secret(); key != "" {
		return map[string]string{"Authorization": "Bearer " + key}
	}
	return nil
}

// numbers are those of a vector. Some servers write null for a number that is not finite, which
// would be read as 0.
type numbers []float32

func (n *numbers) UnmarshalJSON(data []byte) error {
	if bytes.Contains(data, []byte("null")) {
		return errors.New("a number is null")
	}
	return json.Unmarshal(data, (*[]float32)(n))
}

// indexed are vectors that name their places.
type indexed struct {
	Data []struct {
		Index     *int
		Embedding numbers
	}
	Usage struct {
		Total  int `json:"total_tokens"`
		Prompt int `json:"prompt_tokens"`
	}
}

// ordered returns the vectors by their places. A place that is missing, named twice or out of
// range is an error, since the vectors of texts would be mixed up.
func (r indexed) ordered(c webapi.Client, vendor string) ([][]float32, int, error) {
	out := make([][]float32, len(r.Data))
	for i, d := range r.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= len(out) || out[at] != nil || len(d.Embedding) == 0 {
			return nil, 0, c.Garbled(vendor)
		}
		out[at] = d.Embedding
	}
	return out, max(r.Usage.Total, r.Usage.Prompt), nil
}

// embedOpenAI asks OpenAI, and what speaks as it does.
func embedOpenAI(
	ctx context.Context, c webapi.Client, call embedCall,
) ([][]float32, int, error) {
	body := struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{call.model, call.texts, call.dimension}
	var reply indexed
	err := c.AskJSON(ctx, webapi.Call{Vendor: openaiID, Method: http.MethodPost,
		URL: c.Base("https://api.openai.com/v1") + "/embeddings", Header: bearer(c), JSON: body},
		&reply)
	if err != nil {
		return nil, 0, err
	}
	return reply.ordered(c, openaiID)
}

// embedVoyage asks Voyage AI, which says what the texts are for.
func embedVoyage(
	ctx context.Context, c webapi.Client, call embedCall,
) ([][]float32, int, error) {
	const vendor = "voyage"
	body := struct {
		Model     string   `json:"model"`
		Input     []string `json:"input"`
		Type      string   `json:"input_type"`
		Dimension int      `json:"output_dimension,omitempty"`
	}{call.model, call.texts, call.of("query", "document"), call.dimension}
	var reply indexed
	err := c.AskJSON(ctx, webapi.Call{Vendor: vendor, Method: http.MethodPost,
		URL: c.Base("https://api.voyageai.com/v1") + "/embeddings", Header: bearer(c), JSON: body},
		&reply)
	if err != nil {
		return nil, 0, err
	}
	return reply.ordered(c, vendor)
}

// embedCohere asks Cohere's second interface.
func embedCohere(
	ctx context.Context, c webapi.Client, call embedCall,
) ([][]float32, int, error) {
	const vendor = "cohere"
	body := struct {
		Model     string   `json:"model"`
		Texts     []string `json:"texts"`
		Type      string   `json:"input_type"`
		Kinds     []string `json:"embedding_types"`
		Dimension int      `json:"output_dimension,omitempty"`
		Truncate  string   `json:"truncate"`
	}{call.model, call.texts, call.of("search_query", "search_document"), []string{"float"},
		call.dimension, "END"}
	var reply struct {
		Embeddings struct {
			Float []numbers
		}
		Meta struct {
			Billed struct {
				Input float64 `json:"input_tokens"`
			} `json:"billed_units"`
		}
	}
	err := c.AskJSON(ctx, webapi.Call{Vendor: vendor, Method: http.MethodPost,
		URL: c.Base("https://api.cohere.com/v2") + "/embed", Header: bearer(c), JSON: body}, &reply)
	if err != nil {
		return nil, 0, err
	}
	out := make([][]float32, len(reply.Embeddings.Float))
	for i, v := range reply.Embeddings.Float {
		out[i] = v
	}
	return out, int(reply.Meta.Billed.Input), nil
}

// embedGemini asks Google's Gemini.
func embedGemini(
	ctx context.Context, c webapi.Client, call embedCall,
) ([][]float32, int, error) {
	const vendor = "gemini"
	type part struct {
		Text string `json:"text"`
	}
	type content struct {
		Parts []part `json:"parts"`
	}
	type request struct {
		Model     string  `json:"model"`
		Content   content `json:"content"`
		Task      string  `json:"taskType"`
		Dimension int     `json:"outputDimensionality,omitempty"`
	}
	name := strings.TrimPrefix(call.model, "models/")
	var body struct {
		Requests []request `json:"requests"`
	}
	for _, s := range call.texts {
		body.Requests = append(body.Requests, request{"models/" + name, content{[]part{{s}}},
			call.of("RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT"), call.dimension})
	}
	header := map[string]string{}
	if key := c.Secret(); key != "" {
		header["x-goog-api-key"] = key
	}
	var reply struct {
		Embeddings []struct{ Values numbers }
		Usage      struct {
			Prompt int `json:"promptTokenCount"`
		} `json:"usageMetadata"`
	}
	err := c.AskJSON(ctx, webapi.Call{Vendor: vendor, Method: http.MethodPost,
		URL: c.Base("https://generativelanguage.googleapis.com/v1beta") + "/models/" +
			url.PathEscape(name) + ":batchEmbedContents", Header: header, JSON: body}, &reply)
	if err != nil {
		return nil, 0, err
	}
	out := make([][]float32, len(reply.Embeddings))
	for i, e := range reply.Embeddings {
		out[i] = e.Values
	}
	return out, reply.Usage.Prompt, nil
}
