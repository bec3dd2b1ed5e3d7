package model

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

const (
	geminiID  = "gemini"
	geminiURL = "https://generativelanguage.googleapis.com"
	geminiKey = "GEMINI_API_KEY"
)

// Gemini returns a model of Google's generateContent.
func Gemini(o Options) wstk.Model {
	return &vendor{Options: o, api: api{id: geminiID,
		variable: geminiKey,
		call:     geminiCall, read: geminiAnswer,
		refusals: []refusal{{"temperature", noTemperature}, {"schema", noSchema},
			{"responsemimetype", noSchema}, {"response_mime_type", noSchema},
			{"json mode", noSchema}},
		ends: map[string]ended{"STOP": whole, "MAX_TOKENS": cut, "SAFETY": withheld,
			"RECITATION": withheld, "BLOCKLIST": withheld, "PROHIBITED_CONTENT": withheld,
			"SPII": withheld, "LANGUAGE": withheld},
	}}
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought,omitempty"`
}

func geminiCall(o Options, r wstk.ModelRequest, f form) webapi.Call {
	config := map[string]any{"maxOutputTokens": r.MaxTokens}
	if f&noTemperature == 0 {
		config["temperature"] = 0
	}
	if r.Schema != nil {
		config["responseMimeType"] = "application/json"
		var schema map[string]any
		if json.Unmarshal(r.Schema, &schema) == nil {
			config["responseSchema"] = geminiSchema(schema)
		}
	}
	body := map[string]any{"generationConfig": config,
		"contents": []geminiContent{{"user", []geminiPart{{Text: r.User}}}}}
	if r.System != "" {
		body["systemInstruction"] = geminiContent{"", []geminiPart{{Text: r.System}}}
	}
	header := map[string]string{}
	if key := o.Secret(); key != "" {
		header["x-goog-api-key"] = key
	}
	name := strings.TrimPrefix(o.Model, "models/")
	return webapi.Call{URL: under(o.Base(geminiURL), "/v1beta",
		"/models/"+url.PathEscape(name)+":generateContent"), Header: header, JSON: body}
}

// geminiKeys are the words of JSON Schema that Gemini's schemas have, too.
var geminiKeys = []string{"type", "title", "description", "enum", "properties", "required", "items",
	"minItems", "maxItems", "minimum", "maximum", "anyOf", "nullable"}

// geminiSchema is a JSON Schema with what Gemini knows of it. What it loses is checked when
// the reply is there.
func geminiSchema(in map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range in {
		if !slices.Contains(geminiKeys, key) {
			continue
		}
		switch x := v.(type) {
		case map[string]any:
			if key == "properties" {
				v = geminiEach(x)
			} else {
				v = geminiSchema(x)
			}
		case []any:
			switch key {
			case "type": // one type, and null
				for _, t := range x {
					if t == "null" {
						out["nullable"] = true
					} else {
						v = t
					}
				}
			case "anyOf":
				list := []any{}
				for _, s := range x {
					if m, ok := s.(map[string]any); ok {
						list = append(list, geminiSchema(m))
					}
				}
				v = list
			}
		}
		out[key] = v
	}
	if out["enum"] != nil && out["type"] == nil {
		out["type"] = "string"
	}
	return out
}

func geminiEach(in map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range in {
		if schema, ok := v.(map[string]any); ok {
			out[name] = geminiSchema(schema)
		}
	}
	return out
}

func geminiAnswer(body []byte) (answer, error) {
	var in struct {
		Candidates []struct {
			Content geminiContent
			Finish  string `json:"finishReason"`
		}
		Feedback struct {
			Block string `json:"blockReason"`
		} `json:"promptFeedback"`
		Usage struct {
			Prompt   int `json:"promptTokenCount"`
			Reply    int `json:"candidatesTokenCount"`
			Thoughts int `json:"thoughtsTokenCount"`
		} `json:"usageMetadata"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return answer{}, err
	}
	out := answer{withheld: in.Feedback.Block != "", thought: in.Usage.Thoughts > 0,
		input: in.Usage.Prompt, output: in.Usage.Reply + in.Usage.Thoughts}
	if len(in.Candidates) == 0 {
		if out.withheld {
			return out, nil
		}
		return out, errNoAnswer
	}
	first := in.Candidates[0]
	out.reason = first.Finish
	var said strings.Builder
	for _, p := range first.Content.Parts {
		if !p.Thought {
			said.WriteString(p.Text)
			text := said.String()
			out.text = &text
		}
	}
	return out, nil
}
