package model

import (
	"encoding/json"
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

const (
	anthropicID  = "anthropic"
	anthropicURL = "https://api.anthropic.com"
	anthropicKey = "ANTHROPIC_API_KEY"
)

// Anthropic returns a model of whatever speaks Anthropic's messages. A reply with a schema is
// the input of a tool that the model has to use.
func Anthropic(o Options) wstk.Model {
	return &vendor{Options: o, api: api{id: anthropicID, variable: anthropicKey,
		call: anthropicCall, read: anthropicAnswer,
		refusals: []refusal{
			{"temperature", noTemperature}, {"tool_choice", noChoice},
			{"schema", noSchema}, {"tool", noSchema},
		},
		ends: map[string]ended{"end_turn": whole, "tool_use": whole, "stop_sequence": whole,
			"max_tokens": cut, "model_context_window_exceeded": cut, "refusal": withheld},
	}}
}

func anthropicCall(o Options, r wstk.ModelRequest, f form) webapi.Call {
	body := map[string]any{"model": o.Model, "max_tokens": r.MaxTokens,
		"messages": []map[string]string{{"role": "user", "content": r.User}}}
	if r.System != "" {
		body["system"] = r.System
	}
	if f&noTemperature == 0 {
		body["temperature"] = 0
	}
	if r.Schema != nil {
		name := nameOf(r)
		body["tools"] = []map[string]any{{"name": name, "input_schema": r.Schema,
			"description": "Takes the reply. Use it once, with the whole reply."}}
		if f&noChoice == 0 {
			body["tool_choice"] = map[string]any{"type": "tool", "name": name,
				"disable_parallel_tool_use": true}
		}
	}
	header := map[string]string{"anthropic-version": "2023-06-01"}
	if key := o.Secret(); key != "" {
		header["x-api-key"] = key
	}
	return webapi.Call{URL: under(o.Base(anthropicURL), "/v1", "/messages"),
		Header: header, JSON: body}
}

// anthropicAnswer takes the input of the first tool used, or else all text.
func anthropicAnswer(body []byte) (answer, error) {
	var in struct {
		Type    string
		Content []struct {
			Type, Text string
			Input      json.RawMessage
		}
		Stop  string `json:"stop_reason"`
		Usage struct {
			Input  int `json:"input_tokens"`
			Cached int `json:"cache_read_input_tokens"`
			Stored int `json:"cache_creation_input_tokens"`
			Output int `json:"output_tokens"`
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return answer{}, err
	}
	if in.Type != "message" {
		return answer{}, errNoAnswer
	}
	out := answer{reason: in.Stop, output: in.Usage.Output,
		input: in.Usage.Input + in.Usage.Cached + in.Usage.Stored}
	var said strings.Builder
	for _, c := range in.Content {
		switch c.Type {
		case "tool_use":
			text := string(c.Input)
			out.text = &text
			return out, nil
		case "text":
			said.WriteString(c.Text)
			text := said.String()
			out.text = &text
		case "thinking", "redacted_thinking":
			out.thought = true
		}
	}
	return out, nil
}
