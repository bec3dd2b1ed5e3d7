package modelserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// A request is read strictly where a vendor is strict: without a model or without a message
// it is refused.

func readOpenAI(r *http.Request, body []byte) (Request, error) {
	var in struct {
		Model    string
		Messages []struct{ Role, Content string }
		Max      int `json:"max_tokens"`
		MaxNew   int `json:"max_completion_tokens"`
		Format   struct {
			Type   string
			Schema struct {
				Name   string
				Schema json.RawMessage
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	out := Request{Model: in.Model, Name: in.Format.Schema.Name, Schema: in.Format.Schema.Schema,
		MaxTokens: max(in.Max, in.MaxNew),
		Key:       strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")}
	for _, m := range in.Messages {
		if m.Role == "system" || m.Role == "developer" {
			out.System = m.Content
		} else {
			out.User = m.Content
		}
	}
	return out, out.whole()
}

func readAnthropic(r *http.Request, body []byte) (Request, error) {
	var in struct {
		Model    string
		System   string
		Messages []struct{ Role, Content string }
		Max      int `json:"max_tokens"`
		Tools    []struct {
			Name   string
			Schema json.RawMessage `json:"input_schema"`
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	if r.Header.Get("anthropic-version") == "" {
		return Request{}, errors.New("anthropic-version: header is required")
	}
	if in.Max < 1 {
		return Request{}, errors.New("max_tokens: Field required")
	}
	out := Request{Model: in.Model, System: in.System, MaxTokens: in.Max,
		Key: r.Header.Get("x-api-key")}
	if len(in.Tools) > 0 {
		out.Name, out.Schema = in.Tools[0].Name, in.Tools[0].Schema
	}
	for _, m := range in.Messages {
		out.User = m.Content
	}
	return out, out.whole()
}

func readGemini(r *http.Request, body []byte) (Request, error) {
	type content struct{ Parts []struct{ Text string } }
	var in struct {
		System   content `json:"systemInstruction"`
		Contents []content
		Config   struct {
			Max        int             `json:"maxOutputTokens"`
			Schema     json.RawMessage `json:"responseSchema"`
			JSONSchema json.RawMessage `json:"responseJsonSchema"`
		} `json:"generationConfig"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	model, ok := strings.CutSuffix(r.PathValue("call"), ":generateContent")
	if !ok {
		return Request{}, fmt.Errorf("%s is not a method", r.URL.Path)
	}
	text := func(c content) (s string) {
		for _, p := range c.Parts {
			s += p.Text
		}
		return s
	}
	out := Request{Model: model, System: text(in.System), Schema: in.Config.Schema,
		MaxTokens: in.Config.Max, Key: r.Header.Get("x-goog-api-key")}
	if out.Schema == nil {
		out.Schema = in.Config.JSONSchema
	}
	for _, c := range in.Contents {
		out.User = text(c)
	}
	return out, out.whole()
}

func (r Request) whole() error {
	if r.Model == "" || r.User == "" {
		return errors.New("you must provide a model and a message")
	}
	return nil
}

// shaped is a reply as the vendor of the request writes it.
func (a Reply) shaped(in Request) []byte {
	switch in.API {
	case Anthropic:
		return encoded(a.anthropic(in))
	case Gemini:
		return encoded(a.gemini(in))
	case Bedrock:
		return encoded(a.bedrock(in))
	}
	return encoded(a.openAI(in))
}

func (a Reply) openAI(in Request) object {
	text := a.said()
	message := object{"role": "assistant", "content": text, "refusal": nil}
	var finish any = "stop"
	switch a.Fault {
	case Cut:
		finish = "length"
	case Unfinished:
		finish = nil
	case Refusal:
		message = object{"role": "assistant", "content": nil,
			"refusal": "I'm sorry, I cannot help with that."}
	case NoText:
		message = object{"role": "assistant"}
	}
	input, output := tokens(in.System+in.User), tokens(text)
	return object{"id": "chatcmpl-1", "object": "chat.completion", "created": 1767225600,
		"model": in.Model,
		"choices": []any{object{"index": 0, "message": message, "logprobs": nil,
			"finish_reason": finish}},
		"usage": object{"prompt_tokens": input, "completion_tokens": output,
			"total_tokens": input + output}}
}

func (a Reply) anthropic(in Request) object {
	text := a.said()
	content := []any{object{"type": "text", "text": text}}
	var stop any = "end_turn"
	var input object
	// what is no JSON object cannot be the input of a tool, and comes as a text
	if in.Schema != nil && json.Unmarshal([]byte(text), &input) == nil {
		stop = "tool_use"
		content = []any{object{"type": "tool_use", "id": "toolu_1", "name": in.Name,
			"input": input}}
	}
	switch a.Fault {
	case Cut:
		stop = "max_tokens"
	case Unfinished:
		stop = nil
	case Refusal:
		stop, content = "refusal", []any{}
	case NoText:
		content = []any{}
	}
	return object{"id": "msg_1", "type": "message", "role": "assistant", "model": in.Model,
		"content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": object{"input_tokens": tokens(in.System + in.User), "output_tokens": tokens(text)}}
}

func (a Reply) gemini(in Request) object {
	text := a.said()
	candidate := object{"index": 0, "finishReason": "STOP",
		"content": object{"role": "model", "parts": []any{object{"text": text}}}}
	out := object{"candidates": []any{candidate}, "modelVersion": in.Model,
		"usageMetadata": object{"promptTokenCount": tokens(in.System + in.User),
			"candidatesTokenCount": tokens(text)}}
	switch a.Fault {
	case Cut:
		candidate["finishReason"] = "MAX_TOKENS"
	case Unfinished:
		delete(candidate, "finishReason")
	case Refusal:
		delete(out, "candidates")
		out["promptFeedback"] = object{"blockReason": "SAFETY"}
	case NoText:
		delete(candidate, "content")
	}
	return out
}

// stream sends a reply as events, although no one asked for them, and ends without a reason.
func stream(w http.ResponseWriter, in Request, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, part := range []string{text[:len(text)/2], text[len(text)/2:]} {
		fmt.Fprintf(w, "data: %s\n\n", encoded(object{"object": "chat.completion.chunk",
			"model": in.Model, "choices": []any{object{"index": 0,
				"delta": object{"content": part}, "finish_reason": nil}}}))
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}
