package wstk

import "time"

// Relocation says what became of a quote in the newest version of its page that is stored. It is
// computed when it is asked for and never stored; the Evidence stays as it is.
type Relocation struct {
	EvidenceID string           `json:"evidence_id"`
	URL        string           `json:"url"` // the page that the Evidence names
	Was        string           `json:"was"` // the quoted words
	State      RelocationState  `json:"state"`
	Reason     RelocationReason `json:"reason,omitempty"`

	// Now is where the quoted words stand, or those in their place; nil if there are none.
	Now *Relocated `json:"now"`

	// Verdict is that of the newest fetch of the page; "" if nothing is stored of it.
	Verdict   Verdict   `json:"verdict,omitempty"`
	FetchedAt time.Time `json:"fetched_at,omitzero"` // when the text held now was fetched
	CheckedAt time.Time `json:"checked_at,omitzero"` // when the site was last asked
}

// RelocationState is what became of a quote.
type RelocationState string

const (
	// the same bytes at the same offsets, in the same section, with the same flags
	RelocationIntact RelocationState = "intact"
	// the same words in the same sentence or row, at another place or in another section
	RelocationMoved RelocationState = "moved"
	// other words stand in their place, or the page says of them what it did not say before
	RelocationAltered RelocationState = "altered"
	RelocationGone    RelocationState = "gone" // neither the words nor others in their place
	// it cannot be said; Reason names why
	RelocationUnchecked RelocationState = "unchecked"
)

// RelocationReason says how a quote was altered, why it is gone, or why it was not checked.
type RelocationReason string

const (
	ReasonWords    RelocationReason = "words"    // altered: the quote has other words
	ReasonSentence RelocationReason = "sentence" // altered: only the sentence or row around it has
	ReasonMarks    RelocationReason = "marks"    // altered: only quote marks, dashes or white space
	ReasonFlags    RelocationReason = "flags"    // altered: only its flags, as when it is struck out
	ReasonValue    RelocationReason = "value"    // altered: another value of structured data

	ReasonNotInText RelocationReason = "not_in_text" // gone: no sentence takes its place
	ReasonHidden    RelocationReason = "hidden"      // gone: a reader does not see it any more
	ReasonNotInData RelocationReason = "not_in_data" // gone: no value takes its place
	ReasonPageGone  RelocationReason = "page_gone"   // gone: the site has no page at the address

	ReasonNoCopy     RelocationReason = "no_copy"      // unchecked: nothing is stored of the page
	ReasonNotFetched RelocationReason = "not_fetched"  // unchecked: the newest fetch brought no text
	ReasonTeaser     RelocationReason = "teaser"       // unchecked: the words may stand in the rest
	ReasonNoText     RelocationReason = "text_missing" // unchecked: a stored text cannot be read
	ReasonReader     RelocationReason = "other_reader" // unchecked: the reader changed as well
	ReasonSeveral    RelocationReason = "several"      // unchecked: several values may be in its place
)

// Relocated is a place in the newest version of a page. For words, Text[ByteStart:ByteEnd] of
// TextSHA256 is Words; for a value of structured data, Words stands at Pointer of Element.
type Relocated struct {
	URL            string   `json:"url"` // another page if the address leads there now
	Words          string   `json:"words"`
	CharStart      *int     `json:"char_start"`
	CharEnd        *int     `json:"char_end"`
	ByteStart      *int     `json:"byte_start"`
	ByteEnd        *int     `json:"byte_end"`
	TextSHA256     Hash     `json:"text_sha256"`
	SnapshotSHA256 Hash     `json:"snapshot_sha256"`
	SectionPath    []string `json:"section_path"`
	Flags          []Flag   `json:"flags,omitempty"`
	Element        *int     `json:"element,omitempty"`
	Pointer        string   `json:"pointer,omitempty"`
	Link           string   `json:"link"`
}

// Touched reports whether the page no longer says what was quoted: an answer that rests on it
// is to be asked again.
func (r Relocation) Touched() bool {
	return r.State == RelocationAltered || r.State == RelocationGone
}

// RelocationCounts count quotes by what became of them.
type RelocationCounts struct {
	Intact    int `json:"intact"`
	Moved     int `json:"moved"`
	Altered   int `json:"altered"`
	Gone      int `json:"gone"`
	Unchecked int `json:"unchecked"`
}

// Count counts a quote.
func (c *RelocationCounts) Count(s RelocationState) {
	switch s {
	case RelocationIntact:
		c.Intact++
	case RelocationMoved:
		c.Moved++
	case RelocationAltered:
		c.Altered++
	case RelocationGone:
		c.Gone++
	default:
		c.Unchecked++
	}
}

// Add adds the counts of o.
func (c *RelocationCounts) Add(o RelocationCounts) {
	c.Intact, c.Moved, c.Altered = c.Intact+o.Intact, c.Moved+o.Moved, c.Altered+o.Altered
	c.Gone, c.Unchecked = c.Gone+o.Gone, c.Unchecked+o.Unchecked
}
