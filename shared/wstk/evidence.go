package wstk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"
)

// Evidence is something a machine has found again in stored bytes.
//
// Of kind text: Quote is a substring of the Document text TextSHA256 at the
// stated offsets. Of kind data: Literal stands in the stored body
// SnapshotSHA256, in the element, at the pointer (see DataLeaf); offsets are
// absent. Only stage verify builds an Evidence, after it has checked it.
type Evidence struct {
	ID             string       `json:"id"`
	Kind           EvidenceKind `json:"kind"`
	Quote          string       `json:"quote"` // for data: the literal
	CharStart      *int         `json:"char_start"`
	CharEnd        *int         `json:"char_end"`
	ByteStart      *int         `json:"byte_start"`
	ByteEnd        *int         `json:"byte_end"`
	TextSHA256     Hash         `json:"text_sha256"`
	SnapshotSHA256 Hash         `json:"snapshot_sha256"`
	Element        *int         `json:"element,omitempty"`
	Pointer        string       `json:"pointer,omitempty"`
	Literal        string       `json:"literal,omitempty"`
	URL            string       `json:"url"`
	CanonicalURL   string       `json:"canonical_url"`
	SectionPath    []string     `json:"section_path"`
	Page           *int         `json:"page,omitempty"` // of a paged document, from 1
	// of what its span touches, sorted, each once; see Document.FlagsIn
	Flags []Flag `json:"flags,omitempty"`

	// Partial: the page broke off for those who do not pay when it was read, so that the
	// quote is of its teaser.
	Partial bool `json:"partial,omitempty"`

	// Sentence is the whole sentence of the stored text where Quote is only a part of
	// one; absent where Quote is whole.
	Sentence string `json:"sentence,omitempty"`

	FetchedAt   time.Time      `json:"fetched_at"`
	PublishedAt *time.Time     `json:"published_at,omitempty"`
	Status      EvidenceStatus `json:"status"`
	Link        string         `json:"link"` // URL with a text fragment
}

// EvidenceKind distinguishes quotes of visible text from values of structured data.
type EvidenceKind string

const (
	EvidenceText EvidenceKind = "text"
	EvidenceData EvidenceKind = "data"
)

// EvidenceStatus is how a quote was found.
type EvidenceStatus string

const (
	StatusDirect     EvidenceStatus = "direct"     // verbatim
	StatusNormalized EvidenceStatus = "normalized" // by the fold table; Quote is the stored span
)

// Span returns the offsets of a text evidence, and false for data.
func (e Evidence) Span() (Span, bool) {
	if e.CharStart == nil || e.CharEnd == nil || e.ByteStart == nil || e.ByteEnd == nil {
		return Span{}, false
	}
	return Span{*e.CharStart, *e.CharEnd, *e.ByteStart, *e.ByteEnd}, true
}

// TakenBack reports whether a flag of the evidence says that its words are not what
// the page states; see Flag.TakesBack.
func (e Evidence) TakenBack() bool { return slices.ContainsFunc(e.Flags, Flag.TakesBack) }

// TextEvidenceID names a quote: hash of the text, the span and the URL. "ev_"
// and 24 hex digits.
func TextEvidenceID(text Hash, s Span, url string) string {
	return "ev_" + shortHash("text", string(text), itoa(s.ByteStart), itoa(s.ByteEnd), url)
}

// DataEvidenceID names a data literal by snapshot, element, pointer and URL.
func DataEvidenceID(snapshot Hash, element int, pointer, url string) string {
	return "ev_" + shortHash("data", string(snapshot), itoa(element), pointer, url)
}

// EvidenceStore keeps evidence. Stored evidence never changes, but it can be removed.
type EvidenceStore interface {
	// Put stores all items or none, as far as one transaction of the store reaches (at
	// least 100 items); after a failure put them all again. Putting an item twice is the
	// same as once.
	Put(ctx context.Context, items ...Evidence) error

	// Get returns the evidence with this id or NotFound.
	Get(ctx context.Context, id string) (Evidence, error)

	// Remove forgets evidence by id; what is not there is no error. It may be put again.
	Remove(ctx context.Context, ids ...string) error

	// Naming returns evidence whose text or whose snapshot has the hash h, in order of id,
	// at most limit; none is an empty list.
	Naming(ctx context.Context, h Hash, limit int) ([]Evidence, error)
}

// Claim is a proposed statement, with the words it rests on. It proves
// nothing until verify has found the words.
type Claim struct {
	Field     string     `json:"field,omitempty"` // hint or property it answers: "price"
	Statement string     `json:"statement"`
	Support   Support    `json:"support"`
	Proposed  []Proposal `json:"proposed"`
	Value     *Value     `json:"value,omitempty"` // what the statement says, where it has a type
}

// Support is how a claim relates to its quotes, in three grades.
type Support string

const (
	SupportDirect   Support = "direct"   // whole sentences, cells or items of a quote
	SupportInferred Support = "inferred" // follows from the quotes, or is a part of a sentence
	SupportAssumed  Support = "assumed"  // no quote: dropped in strict mode
)

// Proposal is a quote that is said to stand on a page. ByteStart is a hint where
// to look first; -1 means none. A data proposal has Element and Pointer.
type Proposal struct {
	Kind      EvidenceKind `json:"kind"`
	URL       string       `json:"url"`
	Words     string       `json:"words"` // for data: the literal
	ByteStart int          `json:"byte_start"`
	Element   int          `json:"element"`
	Pointer   string       `json:"pointer,omitempty"`
}

// Value is a typed reading of a quote, so that code can compare what two pages
// say. Number is in Unit's base unit where there is one.
type Value struct {
	Type   ValueType  `json:"type"`
	Text   string     `json:"text"` // as it stands on the page
	Number *float64   `json:"number,omitempty"`
	Unit   string     `json:"unit,omitempty"` // USD, kg, %, "" for a bare number
	Time   *time.Time `json:"time,omitempty"`
	Norm   string     `json:"norm"` // canonical form; equal values have equal forms
}

// ValueType is what kind of answer a question wants or a text holds.
type ValueType string

const (
	ValueNumber   ValueType = "number"
	ValueQuantity ValueType = "quantity" // number with a unit
	ValueMoney    ValueType = "money"
	ValueDate     ValueType = "date"
	ValueTime     ValueType = "time" // of day
	ValueDuration ValueType = "duration"
	ValuePhone    ValueType = "phone"
	ValueEmail    ValueType = "email"
	ValueURL      ValueType = "url"
	ValuePlace    ValueType = "place"
	ValuePerson   ValueType = "person"
	ValueBool     ValueType = "bool"
	ValueText     ValueType = "text"
)

func itoa(n int) string { return strconv.Itoa(n) }

// shortHash hashes length-prefixed parts, so that no two lists of parts collide
// by concatenation, to 24 hex digits.
func shortHash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(strconv.Itoa(len(p))))
		h.Write([]byte{':'})
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))[:24]
}
