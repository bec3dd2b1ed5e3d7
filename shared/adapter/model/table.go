package model

import "wstk/shared/wstk"

// Row is a vendor of language models: what the rest of the product knows of it, and how its
// models are made.
type Row struct {
	wstk.ModelSetup
	New func(Options) wstk.Model
}

// Table holds the vendors that both homes know. Settings and the tables of the documents come
// from it. The first one is asked if none is named.
var Table = []Row{
	{wstk.ModelSetup{
		ID:      openaiID,
		Key:     []string{openaiKey, "OPENAI_KEY"},
		BaseURL: []string{"OPENAI_BASE_URL", "OPENAI_API_BASE"},
		Own:     openaiURL,
		Privacy: "OpenAI, or the server at the address that you set",
		Note:    "OpenAI, and each server with its chat completions: Ollama, llama.cpp, vLLM",
	}, OpenAI},
	{wstk.ModelSetup{
		ID:      anthropicID,
		Key:     []string{anthropicKey, "ANTHROPIC_KEY", "CLAUDE_API_KEY"},
		BaseURL: []string{"ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"},
		Own:     anthropicURL,
		Privacy: "Anthropic, or the server at the address that you set",
		Note:    "the messages API",
	}, Anthropic},
	{wstk.ModelSetup{
		ID: geminiID,
		// GOOGLE_API_KEY is taken for the key of the search provider, and not sent here
		Key:     []string{geminiKey, "GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_KEY"},
		BaseURL: []string{"GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"},
		Own:     geminiURL,
		Privacy: "Google, or the server at the address that you set",
		Note:    "generateContent of the Gemini API",
	}, Gemini},
}
