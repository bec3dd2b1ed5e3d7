package wstk

import "time"

// Chunk is a span of a Document that recall finds and a person can read: one or
// more whole blocks of one section, or a part of a block too long to stand whole.
type Chunk struct {
	ID             string `json:"chunk_id"` // see ChunkID
	URL            string `json:"url"`
	TextSHA256     Hash   `json:"text_sha256"`
	SnapshotSHA256 Hash   `json:"snapshot_sha256"`
	Seq            int    `json:"seq"` // position on the page, from 0
	// index of its section in the Document; -1 before the first heading
	Parent      int      `json:"parent"`
	Prev        string   `json:"prev,omitempty"`
	Next        string   `json:"next,omitempty"`
	SectionPath []string `json:"section_path"`
	Anchor      string   `json:"anchor,omitempty"` // fragment that leads to its section
	Kind        string   `json:"kind"`             // prose, code, table, list
	Main        bool     `json:"main"`
	Span
	Blocks [2]int `json:"blocks"`          // first block and one past the last
	Tokens int    `json:"tokens"`          // estimated model tokens, see text.EstimateTokens
	Flags  []Flag `json:"flags,omitempty"` // of what it touches, see Document.FlagsIn
	// of its folded text: equal on pages that repeat the same words
	Repeat Hash `json:"repeat"`
}

// ChunkID names the chunk of this URL and text at this span: "ch_" and 24 hex
// digits.
func ChunkID(url string, text Hash, s Span) string {
	return "ch_" + shortHash(url, string(text), itoa(s.ByteStart), itoa(s.ByteEnd))
}

// Entry is one searchable item of a page: a Chunk or the page's Summary, as
// tokens. Tokens come from text.Tokenize; adapters store and match them as
// they are, they never tokenise again, so that both homes rank alike.
type Entry struct {
	ID      string    `json:"id"` // chunk id or summary id
	Kind    EntryKind `json:"kind"`
	Chunk   *Chunk    `json:"chunk,omitempty"`
	Summary *Summary  `json:"summary,omitempty"`
	Title   []string  `json:"title"`   // tokens of the page title
	Heading []string  `json:"heading"` // tokens of the section path
	Body    []string  `json:"body"`    // tokens of the text itself
}

// EntryKind distinguishes chunks from summaries.
type EntryKind string

const (
	KindChunk   EntryKind = "chunk"
	KindSummary EntryKind = "summary"
)

// PageIndex is all that index stores for one page at a time.
type PageIndex struct {
	URL            string     `json:"url"`
	Site           SiteID     `json:"site_id"`
	CanonicalURL   string     `json:"canonical_url"`
	Title          string     `json:"title"`
	Language       string     `json:"language,omitempty"`
	TextSHA256     Hash       `json:"text_sha256"`
	SnapshotSHA256 Hash       `json:"snapshot_sha256"`
	FetchedAt      time.Time  `json:"fetched_at"`
	PublishedAt    *time.Time `json:"published_at,omitempty"`
	Tokenizer      string     `json:"tokenizer"` // text.TokenizerVersion
	Entries        []Entry    `json:"entries"`
	Links          []Link     `json:"links"` // for the link graph
}
