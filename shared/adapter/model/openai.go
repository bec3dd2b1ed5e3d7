// Package model calls language models: one file for each kind of interface, each a
// wstk.Model.
package model

import (
	"context"
	"encoding/json"
	"net/http"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// OpenAI asks whatever speaks OpenAI's chat completions: OpenAI itself, and with another
// BaseURL Ollama, llama.cpp, vLLM and many more. Without a key none is sent.
type OpenAI struct {
	webapi.Client
	Model string // the vendor's name for it
}

var _ wstk.Model = OpenAI{}

const openaiID = "openai"

// Info names the model.
func (m OpenAI) Info() wstk.ModelInfo { return wstk.ModelInfo{Provider: openaiID, Model: m.Model} }

type (
	message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	format struct {
		Type   string `json:"type"`
		Schema struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	}
)

// Complete sends the instructions as the system's message and the words as the user's.
func (m OpenAI) Complete(ctx context.Context, r wstk.ModelRequest) (wstk.ModelReply, error) {
	body := struct {
		Model       string    `json:"model"`
		Messages    []message `json:"messages"`
		Temperature float64   `json:"temperature"`
		MaxTokens   int       `json:"max_tokens"`
		Format      *format   `json:"response_format,omitempty"`
	}{Model: m.Model, Messages: []message{{"system", r.System}, {"user", r.User}},
		MaxTokens: r.MaxTokens}
	if r.Schema != nil {
		body.Format = &format{Type: "json_schema"}
		body.Format.Schema.Name, body.Format.Schema.Schema = r.Name, r.Schema
	}
	header := map[string]string{}
	if key := m.Secret(); key != "" {
		header["Authorization"] = "Bearer " + key
	}
	var answer struct {
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
		}
	}
	started := m.Clock()
	err := m.AskJSON(ctx, webapi.Call{Vendor: openaiID, Method: http.MethodPost,
		URL:    m.Base("https://api.openai.com/v1") + "/chat/completions",
		Header: header, JSON: body}, &answer)
	if err != nil {
		return wstk.ModelReply{}, err
	}
	out := wstk.ModelReply{Usage: wstk.Usage{Calls: 1, InputTokens: answer.Usage.Prompt,
		OutputTokens: answer.Usage.Completion,
		DurationMS:   m.Clock().Sub(started).Milliseconds()}}
	if len(answer.Choices) == 0 ||
		answer.Choices[0].Message.Content == nil && answer.Choices[0].Message.Refusal == "" {
		return out, m.Garbled(openaiID)
	}
	first := answer.Choices[0]
	switch {
	case first.Message.Refusal != "" || first.Finish == "content_filter":
		return out, m.Fail(openaiID, wstk.ModelFailed, "it refused to answer")
	case first.Finish == "length":
		return out, m.Fail(openaiID, wstk.ModelFailed,
			"its reply was cut off at the limit of tokens")
	}
	out.Text = *first.Message.Content
	return out, nil
}
