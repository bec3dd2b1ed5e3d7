package wstk

// SearchRun is what a run of kind search asked and whom; what it found are its rows.
type SearchRun struct {
	Template QueryTemplate `json:"template"`
	// the template as text, placeholders and all
	Rewritten string            `json:"rewritten_template"`
	Final     map[string]string `json:"final_queries"` // as they were sent, by provider
	// that answered, in the order of the cascade
	Providers []string          `json:"providers_used"`
	Outcomes  []ProviderOutcome `json:"provider_outcomes"`
	Counts    map[string]int    `json:"counts"`       // raw rows, by provider that answered
	Unique    int               `json:"total_unique"` // merged rows
	Config    SearchConfig      `json:"config"`
	Warnings  []Warning         `json:"warnings,omitempty"`
}

// SearchConfig is what a search run was told.
type SearchConfig struct {
	Cascade []string         `json:"cascade"` // the providers asked for, in order
	Options SearchRunOptions `json:"options"` // maxResults: what each provider was asked for
	Rewrite Rewriting        `json:"rewrite"`
	// the template was made for an earlier run, or for another at the same time
	Reused bool  `json:"rewrite_reused"`
	Usage  Usage `json:"usage,omitzero"` // of the model, in this run
}

// SearchRunOptions are what a client may say of a search run; zero fields have the
// operator's defaults.
type SearchRunOptions struct {
	Lang       string `json:"lang,omitempty"`
	MaxResults int    `json:"maxResults,omitempty"`
}
