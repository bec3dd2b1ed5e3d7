package wstk

// Screening is what the screen stage found in a Document: the verdict on the
// page, and places of which a reader is warned. It never changes the Document.
type Screening struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
	// blocked, and the words are the page's own: a teaser, which breaks off
	Partial  bool      `json:"partial,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	Engine   string    `json:"engine"` // version of the rules
	// id of the service that fetched the page and handed it over, and its host; see Snapshot
	FetchedBy  string `json:"fetched_by,omitempty"`
	FetchedVia string `json:"fetched_via,omitempty"`
}

// FindingKind says what a finding is about.
type FindingKind string

const (
	FindingInjection FindingKind = "injection" // words that address a model rather than a reader
	FindingSecret    FindingKind = "secret"    // a string that looks like a credential
	FindingHidden    FindingKind = "hidden"    // text a visitor cannot see
	FindingUnread    FindingKind = "unread"    // something that may hide text was not read
)

// Finding is one place. Where the text is visible, the Span is in the Document
// text; where it is hidden, the Span is zero and Element names the place. A secret
// is never repeated in a finding.
type Finding struct {
	Kind    FindingKind `json:"kind"`
	Rule    string      `json:"rule"` // stable name of the rule
	Span    *Span       `json:"span,omitempty"`
	Element int         `json:"element"` // -1 where there is no DOM
	Hidden  bool        `json:"hidden,omitempty"`
	Reason  string      `json:"reason,omitempty"`
	Excerpt string      `json:"excerpt,omitempty"` // at most 120 code points; "" for secrets
}
