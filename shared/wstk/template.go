package wstk

import (
	"context"
	"time"
)

// QueryTemplate is a search in words that fit every provider. Its days
// may be placeholders, so that it means "last week" whenever it is used.
type QueryTemplate struct {
	// 1–MaxKeywords; one of several words is a phrase
	Keywords []string        `json:"keywords"`
	Boolean  Boolean         `json:"boolean,omitempty"` // how the keywords are joined; "" means AND
	Filters  TemplateFilters `json:"filters,omitzero"`
}

// TemplateFilters narrow a QueryTemplate; zero fields do not.
type TemplateFilters struct {
	// domains, or suffixes such as .eu; at most MaxTemplateSites
	Sites []string `json:"sites,omitempty"`
	// published on or after: YYYY-MM-DD or a placeholder
	DateAfter  string `json:"date_after,omitempty"`
	DateBefore string `json:"date_before,omitempty"` // published on or before
	Lang       string `json:"lang,omitempty"`        // ISO 639-1
	// ISO 3166-1 alpha-2 in capitals, or EU: a bias, no limit
	Geo        string `json:"geo,omitempty"`
	MaxResults int    `json:"max_results,omitempty"` // of each provider, 1–MostResults
}

// Limits of a QueryTemplate.
const (
	MaxKeywords      = 12
	MaxTemplateSites = 20
	MaxRewriteTokens = 512 // of the model's reply that holds it
)

// Boolean joins the keywords of a QueryTemplate.
type Boolean string

const (
	And Boolean = "AND"
	Or  Boolean = "OR"
)

// Rewriting is what made a QueryTemplate of a user's words.
type Rewriting struct {
	Engine     string `json:"engine"`          // rules, or the model's provider
	Model      string `json:"model,omitempty"` // its name; "" for rules
	PromptHash string `json:"prompt_hash"`     // SHA-256 of the prompt, or the version of the rules
}

// TemplateKey says of which words a template was made, and by whom: with another model or
// prompt the words are rewritten again.
type TemplateKey struct {
	Query string `json:"query"` // the user's words, white space collapsed
	Lang  string `json:"lang"`  // the language asked for; "" when none was
	Rewriting
}

// ID names the key in stores: "tp_" and 24 hex digits.
func (k TemplateKey) ID() string {
	return "tp_" + shortHash(k.Query, k.Lang, k.Engine, k.Model, k.PromptHash)
}

// RewrittenQuery is a template under its key.
type RewrittenQuery struct {
	TemplateKey
	Template QueryTemplate `json:"template"`
	// what of the words the template does not say
	Warnings  []Warning `json:"warnings,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// TemplateStore keeps templates, so that the same words are rewritten once. All methods
// may be called concurrently.
type TemplateStore interface {
	// Put stores q under its key, instead of what was there: runs hold templates of their
	// own, so that none of them changes.
	Put(ctx context.Context, q RewrittenQuery) error

	// Get returns the template with this key or NotFound.
	Get(ctx context.Context, k TemplateKey) (RewrittenQuery, error)
}
