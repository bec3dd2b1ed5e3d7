package wstk

import (
	"context"
	"encoding/json"
	"time"
)

// SearchRow is one result as one provider returned it.
type SearchRow struct {
	Provider string `json:"provider"`
	URL      string `json:"url"`
	Rank     int    `json:"rank"` // from 1
	// null where the vendor gave none; rows of version 0.1.0 may have ""
	Title       *string         `json:"title"`
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
	// in the results of any of them, in which nothing stands twice
	BestRank int `json:"best_rank"`
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
