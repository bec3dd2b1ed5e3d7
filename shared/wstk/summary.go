package wstk

import (
	"context"
	"time"
)

// Summary is a recall-optimised account of a page: not for reading pleasure but so
// that a search for what the page offers, asks or names finds it.
type Summary struct {
	URL        string    `json:"url"`
	TextSHA256 Hash      `json:"text_sha256"`
	Text       string    `json:"text"`
	Signals    Signals   `json:"signals"`
	Language   string    `json:"language,omitempty"`
	Engine     string    `json:"engine"` // heuristic, or the model's provider
	Model      string    `json:"model,omitempty"`
	PromptHash string    `json:"prompt_hash"` // of the prompt, or the version of the rules
	CreatedAt  time.Time `json:"created_at"`
}

// Signals are what a page wants and has. Each entry is a phrase of the page.
type Signals struct {
	Offers        []string `json:"offers"`
	Asks          []string `json:"asks"`
	CallsToAction []string `json:"calls_to_action"`
	Entities      []string `json:"entities"`
}

// SummaryKey says which text a summary is of and who made it: a changed text,
// model or prompt is another key.
type SummaryKey struct {
	URL        string `json:"url"`
	TextSHA256 Hash   `json:"text_sha256"`
	Engine     string `json:"engine"`
	Model      string `json:"model,omitempty"`
	PromptHash string `json:"prompt_hash"`
}

// Key returns the key s is stored under.
func (s Summary) Key() SummaryKey {
	return SummaryKey{s.URL, s.TextSHA256, s.Engine, s.Model, s.PromptHash}
}

// ID names the summary in the index: "su_" and 24 hex digits.
func (k SummaryKey) ID() string {
	return "su_" + shortHash(k.URL, string(k.TextSHA256), k.Engine, k.Model, k.PromptHash)
}

// SummaryStore keeps summaries. A stored summary never changes, but it can be removed.
type SummaryStore interface {
	// Put stores s under its key; putting it again is the same as once.
	Put(ctx context.Context, s Summary) error

	// Get returns the summary with this key or NotFound.
	Get(ctx context.Context, k SummaryKey) (Summary, error)

	// Remove forgets every summary of a URL, of whichever text and engine; it is no error
	// when there are none.
	Remove(ctx context.Context, url string) error
}
