package wstk

import (
	"context"
	"time"
)

// Index finds entries by their tokens (BM25 over title, heading and body) and
// holds the link graph between pages.
type Index interface {
	// Replace makes p all that the index holds for p.URL, entries and links. A p
	// whose FetchedAt is older than what is held is ignored. Readers see the old
	// or the new entries; where the technology cannot promise that, they drop hits
	// whose text hash is not the page's. An entry whose id comes twice counts once;
	// one without the content of its kind is Invalid, and so is the page.
	Replace(ctx context.Context, p PageIndex) error

	// Remove forgets a page; an unknown URL is no error.
	Remove(ctx context.Context, url string) error

	// Search returns the entries that hold at least one term, best first, at most
	// q.Limit, and no entry twice. Equal scores are ordered by ID. No terms or no
	// match is an empty list, not an error. Filter, Kind and Pages narrow what is
	// returned; they do not change scores. Entries of q.Late are found, too, whether or
	// not Search shows them already, with the scores that they have once it does.
	Search(ctx context.Context, q IndexQuery) ([]IndexHit, error)

	// Entry returns one stored entry by id, tokens left out, or NotFound.
	Entry(ctx context.Context, id string) (IndexHit, error)

	// Links returns the outgoing links of a page, in page order, whose targets
	// are in the index; an unknown page has none. limit bounds the list.
	Links(ctx context.Context, url string, limit int) ([]LinkTo, error)

	// Stats counts what the index holds.
	Stats(ctx context.Context) (IndexStats, error)
}

// IndexQuery asks the index.
type IndexQuery struct {
	Terms  []QueryTerm
	Kind   EntryKind // "" means both
	Filter Filter
	Pages  []string // only entries of these URLs; empty means all
	Limit  int      // default 50
	// Late are pages as they were given to Replace a moment ago. An index that shows each
	// write at once needs none of them.
	Late []PageIndex
}

// QueryTerm is a token with its weight; 1 is a word of the query, less an
// expansion. Tokens are matched exactly. A token that comes twice has the sum of
// its weights; one whose weight is not positive is left out.
type QueryTerm struct {
	Token  string  `json:"token"`
	Weight float64 `json:"weight"`
}

// Filter narrows a search over the flat index.
type Filter struct {
	// site ids, hosts or URL prefixes; empty means all
	IncludeSites []string  `json:"include_sites,omitempty"`
	ExcludeSites []string  `json:"exclude_sites,omitempty"`
	MinDate      time.Time `json:"min_date,omitzero"` // fetched at or after
}

// Field weights of BM25, the same in every adapter: a word in the title counts
// twice, in a heading one and a half times what it counts in the body.
const (
	TitleWeight   = 2.0
	HeadingWeight = 1.5
	BodyWeight    = 1.0
)

// IndexHit is an entry that matched.
type IndexHit struct {
	ID           string
	Kind         EntryKind
	Score        float64 // BM25, higher is better; comparable within one search only
	URL          string
	Site         SiteID
	CanonicalURL string
	Title        string
	FetchedAt    time.Time
	PublishedAt  *time.Time
	Chunk        *Chunk   // set for chunks
	Summary      *Summary // set for summaries
}

// LinkTo is an edge of the link graph.
type LinkTo struct {
	URL      string  // target, a page of the index
	Text     string  // anchor text
	Main     bool    // stands in main content
	InShare  float64 // share of the index's pages of the target's site that link to the target, 0–1
	TargetID string  // id of the target's first main chunk, "" when it has none
}

// IndexStats counts.
type IndexStats struct {
	Pages     int `json:"pages"`
	Chunks    int `json:"chunks"`
	Summaries int `json:"summaries"`
	Links     int `json:"links"`
}
