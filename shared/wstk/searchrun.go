package wstk

import (
	"context"
	"encoding/json"
	"time"
)

// QueryTemplate is a search in words that fit every provider (seed E's query schema). Its
// days may be placeholders, so that it means "last week" whenever it is used.
type QueryTemplate struct {
	Keywords []string        `json:"keywords"`          // 1–MaxKeywords; one of several words is a phrase
	Boolean  Boolean         `json:"boolean,omitempty"` // how the keywords are joined; "" means AND
	Filters  TemplateFilters `json:"filters,omitzero"`
}

// TemplateFilters narrow a QueryTemplate; zero fields do not.
type TemplateFilters struct {
	Sites      []string `json:"sites,omitempty"`       // domains, or suffixes such as .eu; at most MaxTemplateSites
	DateAfter  string   `json:"date_after,omitempty"`  // published on or after: YYYY-MM-DD or a placeholder
	DateBefore string   `json:"date_before,omitempty"` // published on or before
	Lang       string   `json:"lang,omitempty"`        // ISO 639-1
	Geo        string   `json:"geo,omitempty"`         // ISO 3166-1 alpha-2 in capitals, or EU: a bias, no limit
	MaxResults int      `json:"max_results,omitempty"` // of each provider, 1–MostResults
}

// Limits of a QueryTemplate (seed E §11).
const (
	MaxKeywords      = 12
	MaxTemplateSites = 20
	MaxRewriteTokens = 512 // of the model's reply that holds it (seed E §6)
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
	Template  QueryTemplate `json:"template"`
	Warnings  []Warning     `json:"warnings,omitempty"` // what of the words the template does not say
	CreatedAt time.Time     `json:"created_at"`
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

// SearchRun is what a run of kind search asked and whom; what it found are its rows.
type SearchRun struct {
	Template  QueryTemplate     `json:"template"`
	Rewritten string            `json:"rewritten_template"` // the template as text, placeholders and all
	Final     map[string]string `json:"final_queries"`      // as they were sent, by provider
	Providers []string          `json:"providers_used"`     // that answered, in the order of the cascade
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
	Reused  bool             `json:"rewrite_reused"` // the template was made for an earlier run, or for another at the same time
	Usage   Usage            `json:"usage,omitzero"` // of the model, in this run
}

// SearchRunOptions are what a client may say of a search run; zero fields have the
// operator's defaults.
type SearchRunOptions struct {
	Lang       string `json:"lang,omitempty"`
	MaxResults int    `json:"maxResults,omitempty"`
}

// SearchRow is one result as one provider returned it.
type SearchRow struct {
	Provider    string          `json:"provider"`
	URL         string          `json:"url"`
	Rank        int             `json:"rank"`  // from 1
	Title       *string         `json:"title"` // null where the vendor gave none; rows of version 0.1.0 may have ""
	Snippet     *string         `json:"snippet"`
	PublishedAt *time.Time      `json:"published_at"`
	Meta        json.RawMessage `json:"meta,omitempty"` // what the vendor said of it
}

// FoundURL is an address that a search run found, by any provider.
type FoundURL struct {
	URL        string   `json:"url"`               // as the first provider of the cascade gave it
	Aliases    []string `json:"aliases,omitempty"` // other spellings of it that were given, sorted
	Providers  []string `json:"providers"`         // that found it, in the order of the cascade
	Confidence int      `json:"confidence"`        // how many they are
	DedupeHash string   `json:"dedupe_hash"`       // SHA-256 of the canonical URL, in hex
	Title      *string  `json:"title"`             // as the first that has one calls it
	BestRank   int      `json:"best_rank"`         // in the results of any of them, in which nothing stands twice
}

// SearchRowStore keeps what search runs found. All methods may be called concurrently.
type SearchRowStore interface {
	// PutRows stores the rows of a run: the raw ones, then the merged ones. Rows that are
	// there already stay, so that putting the same rows twice is the same as once, and
	// putting them again after an error makes the run whole. A run without rows needs none;
	// without an id it is Invalid. Its Run record is stored after them, so that a run that
	// can be read has all its rows.
	PutRows(ctx context.Context, run RunID, raw []SearchRow, found []FoundURL) error

	// Raw returns the raw rows in the order in which they were put; a run without any, or
	// an unknown one, has none.
	Raw(ctx context.Context, run RunID) ([]SearchRow, error)

	// Found returns the merged rows in the order in which they were put.
	Found(ctx context.Context, run RunID) ([]FoundURL, error)

	// RemoveRows forgets the rows of a run; it is no error when there are none.
	RemoveRows(ctx context.Context, run RunID) error
}
