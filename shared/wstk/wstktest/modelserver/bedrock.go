package modelserver

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
)

func readBedrock(r *http.Request, body []byte) (Request, error) {
	type texts []struct{ Text string }
	var in struct {
		System   texts
		Messages []struct{ Content texts }
		Config   struct{ MaxTokens int } `json:"inferenceConfig"`
		Tools    struct {
			Tools []struct {
				Spec struct {
					Name   string
					Schema struct{ JSON json.RawMessage } `json:"inputSchema"`
				} `json:"toolSpec"`
			}
		} `json:"toolConfig"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	out := Request{Model: r.PathValue("model"), MaxTokens: in.Config.MaxTokens,
		Key: r.Header.Get("X-Amz-Security-Token")}
	for _, s := range in.System {
		out.System += s.Text
	}
	for _, m := range in.Messages {
		for _, c := range m.Content {
			out.User += c.Text
		}
	}
	if len(in.Tools.Tools) > 0 {
		spec := in.Tools.Tools[0].Spec
		out.Name, out.Schema = spec.Name, spec.Schema.JSON
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ") {
		return Request{}, errors.New("the request is not signed")
	}
	return out, out.whole()
}

func (a Reply) bedrock(in Request) object {
	text := a.said()
	content := []any{object{"text": text}}
	stop := "end_turn"
	var input object
	if in.Schema != nil && json.Unmarshal([]byte(text), &input) == nil {
		stop = "tool_use"
		content = []any{object{"toolUse": object{"toolUseId": "tooluse_1", "name": in.Name,
			"input": input}}}
	}
	inputs, outputs := tokens(in.System+in.User), tokens(text)
	out := object{"metrics": object{"latencyMs": 1},
		"usage": object{"inputTokens": inputs, "outputTokens": outputs,
			"totalTokens": inputs + outputs}}
	switch a.Fault {
	case Cut:
		stop = "max_tokens"
	case Refusal:
		stop, content = "guardrail_intervened", []any{object{"text": "I cannot help with that."}}
	case NoText:
		content = []any{}
	}
	out["output"] = object{"message": object{"role": "assistant", "content": content}}
	if a.Fault != Unfinished {
		out["stopReason"] = stop
	}
	return out
}

// exceptions are the names that Bedrock gives to failures, by their status.
var exceptions = map[int]string{400: "ValidationException", 403: "AccessDeniedException",
	404: "ResourceNotFoundException", 408: "ModelTimeoutException", 429: "ThrottlingException",
	503: "ServiceUnavailableException"}

// exception names a failure in the header in which Bedrock does.
func exception(w http.ResponseWriter, status int) {
	name, ok := exceptions[status]
	if !ok {
		name = "InternalServerException"
	}
	w.Header().Set("X-Amzn-ErrorType", name)
}

// invoke plays the embedders and rerankers of Bedrock, within the limits that AWS documents.
// Vectors and scores are made of the hash of a text: they mean nothing.
func (s *Server) invoke(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	model := r.PathValue("model")
	s.note(Request{API: Bedrock, Model: model, Body: data})
	var in invocation
	var out object
	if err := json.Unmarshal(data, &in); err == nil {
		switch {
		case strings.Contains(model, "titan-embed-text-v2"):
			out = in.titan()
		case strings.Contains(model, "cohere.embed"):
			out = in.cohere()
		case strings.Contains(model, ".rerank-"):
			out = in.rerank(strings.Contains(model, "cohere"))
		}
	}
	if out == nil {
		refuse(w, Bedrock, Reply{}, "Malformed input request")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(encoded(out))
}

// invocation is what one of these models is asked.
type invocation struct {
	InputText  string
	Dimensions int

	Texts     []string
	InputType string `json:"input_type"`
	Dimension *int   `json:"output_dimension"`

	Query     string
	Documents []string
	Version   int `json:"api_version"`
}

func (in invocation) titan() object {
	words := len(strings.Fields(in.InputText))
	if in.InputText == "" || len(in.InputText) > 50_000 || words > 8192 ||
		!slices.Contains([]int{256, 512, 1024}, in.Dimensions) {
		return nil
	}
	v := vectorOf(in.InputText, in.Dimensions)
	return object{"embedding": v, "inputTextTokenCount": words,
		"embeddingsByType": object{"float": v}}
}

func (in invocation) cohere() object {
	if len(in.Texts) == 0 || len(in.Texts) > 96 ||
		in.InputType != "search_query" && in.InputType != "search_document" {
		return nil
	}
	var vectors [][]float32
	for _, t := range in.Texts {
		dimension := 1024
		if in.Dimension != nil {
			dimension = *in.Dimension
		} else if len([]rune(t)) > 2048 {
			return nil
		}
		vectors = append(vectors, vectorOf(in.InputType+t, dimension))
	}
	return object{"embeddings": object{"float": vectors}, "response_type": "embeddings_by_type"}
}

func (in invocation) rerank(cohere bool) object {
	if cohere != (in.Version == 2) || in.Query == "" || len(in.Documents) > 1000 ||
		slices.Contains(in.Documents, "") {
		return nil
	}
	var results []object
	for i, d := range in.Documents {
		results = append(results, object{"index": i,
			"relevance_score": math.Abs(float64(vectorOf(in.Query+d, 1)[0]))})
	}
	slices.Reverse(results) // not in the order of the documents
	return object{"results": results}
}

// vectorOf is made of the hash of a text. Its length is not 1.
func vectorOf(text string, dimension int) []float32 {
	h := fnv.New64a()
	io.WriteString(h, text)
	v := make([]float32, dimension)
	for i := range v {
		h.Write([]byte{byte(i)})
		v[i] = float32(h.Sum64()%2000)/1000 - 1.0005
	}
	return v
}
