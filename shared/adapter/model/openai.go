package model

import (
	"encoding/json"
	"errors"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

const (
	openaiID  = "openai"
	openaiURL = "https://api.openai.com/v1"
	openaiKey = "OPENAI_API_KEY"
)

// OpenAI returns a model of whatever speaks OpenAI's chat completions: OpenAI itself, and with
// another BaseURL Ollama, llama.cpp, vLLM and many more. Without a key none is sent.
func OpenAI(o Options) wstk.Model {
	return &vendor{Options: o,
		api: api{id: openaiID, variable: openaiKey, call: openaiCall, read: openaiAnswer,
			refusals: []refusal{
				{"max_completion_tokens", otherLimit}, {"max_tokens", otherLimit},
				{"temperature", noTemperature},
				{"response_format", noSchema}, {"schema", noSchema}, {"grammar", noSchema},
			},
			ends: map[string]ended{"stop": whole, "eos_token": whole, "stop_sequence": whole,
				"length": cut, "content_filter": withheld},
		}}
}

// openaiCall sends the instructions as the system's message and the words as the user's.
func openaiCall(o Options, r wstk.ModelRequest, f form) webapi.Call {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	body := map[string]any{"model": o.Model,
		"messages": []message{{"system", r.System}, {"user", r.User}}}
	if f&noTemperature == 0 {
		body["temperature"] = 0
	}
	// the vendor has renamed the limit; the servers of others mostly know the old name
	limit := "max_tokens"
	if (o.BaseURL == "") != (f&otherLimit != 0) {
		limit = "max_completion_tokens"
	}
	body[limit] = r.MaxTokens
	if r.Schema != nil {
		body["response_format"] = map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": nameOf(r), "schema": r.Schema}}
	}
	header := map[string]string{}
	if key := o.Secret(); key != "" {
		header["Authorization"] = "Bearer " + key
	}
	return webapi.Call{URL: o.Base(openaiURL) + "/chat/completions",
		Header: header, JSON: body}
}

// nameOf is what a vendor is told that the reply is.
func nameOf(r wstk.ModelRequest) string {
	if r.Name == "" {
		return "reply"
	}
	return r.Name
}

var errNoAnswer = errors.New("the reply holds no answer")

func openaiAnswer(body []byte) (answer, error) {
	var in struct {
		Choices []struct {
			Message struct {
				Content *string
				Refusal string
			}
			Finish string `json:"finish_reason"`
		}
		Usage struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
			Details    struct {
				Reasoning int `json:"reasoning_tokens"`
			} `json:"completion_tokens_details"`
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return answer{}, err
	}
	if len(in.Choices) == 0 {
		return answer{}, errNoAnswer
	}
	first := in.Choices[0]
	return answer{text: first.Message.Content, reason: first.Finish,
		withheld: first.Message.Refusal != "", thought: in.Usage.Details.Reasoning > 0,
		input: in.Usage.Prompt, output: in.Usage.Completion}, nil
}
