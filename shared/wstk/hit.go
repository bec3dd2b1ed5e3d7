package wstk

import "time"

// Hit is a ranked passage or summary, with the reasons for its rank.
type Hit struct {
	Rank           int       `json:"rank"` // from 1
	Score          float64   `json:"score"`
	Kind           EntryKind `json:"kind"`
	ID             string    `json:"id"`
	URL            string    `json:"url"`
	CanonicalURL   string    `json:"canonical_url"`
	Title          string    `json:"title"`
	SectionPath    []string  `json:"section_path"`
	Text           string    `json:"text"` // the passage, verbatim, or the summary
	TextSHA256     Hash      `json:"text_sha256"`
	SnapshotSHA256 Hash      `json:"snapshot_sha256,omitempty"`
	Span           *Span     `json:"span,omitempty"` // of the passage; absent for summaries
	// of what the passage touches, see Document.FlagsIn
	Flags []Flag `json:"flags,omitempty"`
	// it is of a teaser: the page breaks off for those who do not pay
	Partial bool   `json:"partial,omitempty"`
	Link    string `json:"link"` // with a text fragment or section anchor
	Legs    []Leg  `json:"legs"`
	// one clause: which leg brought it, and what matched
	Why string `json:"why"`
	// pages that repeat this passage, collapsed into it
	AlsoOn      []string   `json:"also_on,omitempty"`
	FetchedAt   time.Time  `json:"fetched_at"`
	PublishedAt *time.Time `json:"published_at,omitempty"`
	Chunk       *Chunk     `json:"-"`
}

// Leg is what one way of searching said about a hit.
type Leg struct {
	Name   string  `json:"name"`           // bm25, summary, link, vector
	Rank   int     `json:"rank"`           // within the leg, from 1
	Score  float64 `json:"score"`          // as the leg gave it
	Weight float64 `json:"weight"`         // in the fusion
	From   string  `json:"from,omitempty"` // link: the page that leads here
}
