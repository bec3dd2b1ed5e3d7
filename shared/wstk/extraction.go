package wstk

import (
	"slices"
	"strings"
	"time"
)

// Strategy is how a query is answered.
type Strategy string

const (
	Collection Strategy = "collection" // one extraction per item
	Singular   Strategy = "singular"   // one answer
	Narrative  Strategy = "narrative"  // an account over several pages
)

// Extraction is an answer with its proof. Grounding, conflicts and source roles
// are computed by stage collate from verified evidence; nothing else sets them.
type Extraction struct {
	Title string `json:"title,omitempty"` // of the item, in a collection
	// Markdown, with [n] marks into Evidence, from 1
	Content    string          `json:"content"`
	Statements []Statement     `json:"statements"`
	Evidence   []Evidence      `json:"evidence"`
	Sources    []Source        `json:"sources"`
	Gaps       []Gap           `json:"gaps"`
	Conflicts  []TopicConflict `json:"conflicts"`
	Grounding  Grade           `json:"grounding"`
	// what the grade counts, in words: "2 sites", "1 site, 3 pages"
	Counted     string        `json:"counted,omitempty"`
	Unsupported []Unsupported `json:"unsupported"`
}

// OnFirst ends what is counted for a verified Extraction of several statements where not
// all of them are said by two sites.
const OnFirst = " on its first statement"

// Grounded says in words what the grade means, for people: "2 sites agree", "1 site
// says so, on 3 pages". A result of a version that did not count says so.
func (x Extraction) Grounded() string {
	counted := x.Counted
	if counted == "" {
		return strings.ReplaceAll(string(x.Grounding), "_", " ") + ", sites not counted"
	}
	switch x.Grounding {
	case Verified:
		sites, first := strings.CutSuffix(counted, OnFirst)
		if first {
			return sites + " agree" + OnFirst
		}
		return counted + " agree"
	case Conflicted:
		return counted + " disagree"
	case Inferred:
		return "inferred from " + counted
	}
	sites, pages, several := strings.Cut(counted, ", ")
	if several {
		return sites + " says so, on " + pages
	}
	return counted + " says so"
}

// Statement is a claim whose words were found. Evidence holds indexes into the
// Extraction's Evidence.
type Statement struct {
	Field     string  `json:"field,omitempty"`
	Statement string  `json:"statement"`
	Support   Support `json:"support"`
	Value     *Value  `json:"value,omitempty"`
	Evidence  []int   `json:"evidence"`
	// words of the statement that no quote bears; then it is inferred, and does not lead
	Open []string `json:"open,omitempty"`
	// BCP 47, of a translation of its quotes; then only values, names and denial were compared
	Language string `json:"language,omitempty"`
}

// Grade is how well an extraction is grounded: conflicts before inference
// before two or more sites that agree before one. People are shown Extraction.Grounded
// with it, never the bare word.
type Grade string

const (
	Verified     Grade = "verified"      // two or more sites say the leading statement
	SingleSource Grade = "single_source" // one source
	Conflicted   Grade = "conflicted"    // sources disagree, see Conflicts
	Inferred     Grade = "inferred"      // something follows from quotes and is not stated
)

// Source is a page that contributed. Near-copies of one text are one source:
// CopyOf names the page counted in its place.
type Source struct {
	URL         string            `json:"url"`
	Title       string            `json:"title,omitempty"`
	FetchedAt   time.Time         `json:"fetched_at"`
	PublishedAt *time.Time        `json:"published_at,omitempty"`
	Role        Role              `json:"role"`
	CopyOf      string            `json:"copy_of,omitempty"`
	Metadata    map[string]string `json:"metadata,omitempty"`
}

// Role is what a source did for an extraction.
type Role string

const (
	Primary       Role = "primary"       // gave the leading statement
	Supporting    Role = "supporting"    // gave other statements
	Corroborating Role = "corroborating" // says again what another source said
)

// Gap is something asked for and not found: a field for people, a query for
// machines, ready for `wstk gap`, and why it is missing.
type Gap struct {
	Field    string   `json:"field"`
	Query    string   `json:"query"`
	Reason   string   `json:"reason"` // not_found, unsupported, conflicting, not_fetched …
	Searched []string `json:"searched,omitempty"`
}

// TopicConflict is a topic on which sources disagree. It is shown, never resolved.
type TopicConflict struct {
	Topic  string             `json:"topic"`
	Claims []ConflictingClaim `json:"claims"`
}

// ConflictingClaim is one side of a conflict. Evidence holds indexes into the
// Extraction's Evidence.
type ConflictingClaim struct {
	Statement string `json:"statement"`
	SourceURL string `json:"source_url"`
	Norm      string `json:"norm"`
	Evidence  []int  `json:"evidence"`
}

// Unsupported is a claim whose words were not found where it said. It is kept
// beside the evidence, never dropped in silence.
type Unsupported struct {
	Statement string `json:"statement"`
	Quote     string `json:"quote"` // as it was claimed
	URL       string `json:"url"`
	// not_in_text, hidden_text, no_such_page, pointer_differs, no_quote, disagrees (what was quoted
	// says the opposite), not_borne (what was quoted does not say it), reworded (it is worded unlike
	// what was quoted, so that nothing shows that it says the same), addresses_a_model (the page says
	// it to a model, not to a reader)
	Reason string `json:"reason"`
}

// AskQuery asks for an extraction over the index.
type AskQuery struct {
	Query string `json:"query"`
	// only these pages; empty means those that recall finds
	From   []string `json:"urls,omitempty"`
	Filter Filter   `json:"filter"`
	Hints  []string `json:"hints,omitempty"` // fields to look for
	Limit  int      `json:"limit,omitempty"` // passages to recall, default 50
	Strict bool     `json:"strict"`          // drop assumed claims; the doors default to true
	// language of the answer, BCP 47; "" means that of the quotes. Only a model translates
	OutputLanguage string `json:"output_language,omitempty"`
	// tokens that models may read and write for this question, at most; 0 means no bound
	MaxTokens int `json:"max_tokens,omitempty"`
}

// AskResult is the whole reply: no extraction is an honest answer.
type AskResult struct {
	Query    string   `json:"query"`
	Strategy Strategy `json:"strategy"`
	// the pages that were asked, where these were named
	From  []string `json:"urls,omitempty"`
	Hints []string `json:"hints,omitempty"` // as asked
	// as asked; absent in results of older versions
	Strict *bool `json:"strict,omitempty"`
	// by which grades, conflicts and roles were given; absent in results of older versions
	Rules          string    `json:"rules,omitempty"`
	OutputLanguage string    `json:"output_language,omitempty"` // as asked
	Proposer       *Proposer `json:"proposer,omitempty"`        // nil means rules
	// whether an extraction has a statement; absent while the run goes on, and in results of older
	// versions
	Answered    *bool        `json:"answered,omitempty"`
	Extractions []Extraction `json:"extractions"`
	// the nearest passages, which are not an answer; only where Answered is false
	Passages []Passage `json:"passages,omitempty"`
	Gaps     []Gap     `json:"gaps"` // of the query as a whole
	Usage    Usage     `json:"usage"`
	Warnings []Warning `json:"-"`
}

// Proposer says which models proposed an answer, by operation. It decides nothing: verify and
// collate treat what a model proposed like what rules propose.
type Proposer struct {
	Models map[Operation]ProposedBy `json:"models"`
}

// ProposedBy is a model and the prompt that it was given.
type ProposedBy struct {
	ModelInfo
	PromptHash Hash `json:"prompt_hash"` // SHA-256 of the prompt
}

// MaxPassages is how many passages stand in for an answer.
const MaxPassages = 3

// Passage is what stands nearest to a question that no stored page is believed to answer. It
// states nothing.
type Passage struct {
	Evidence Evidence `json:"evidence"`
	Why      string   `json:"why"` // why it was found, in one clause; see Hit.Why
}

// Asked returns the reply itself, also from within one that says more.
func (r AskResult) Asked() AskResult { return r }

// HasAnswer reports whether an extraction has a statement.
func (r AskResult) HasAnswer() bool {
	return slices.ContainsFunc(r.Extractions,
		func(x Extraction) bool { return len(x.Statements) > 0 })
}

// Bucket is the pages and passages that make one item.
type Bucket struct {
	Title     string   `json:"title"`
	Pages     []string `json:"pages"`
	Rationale string   `json:"rationale"`
	// where on its pages the item stands; a page without a place is part of it as a whole
	Places []Place `json:"places,omitempty"`
	Hits   []Hit   `json:"-"`
}

// Place is the part of a page that is about one item: a span of its text, or an
// item of its structured data, named by element and the pointer its leaves begin
// with.
type Place struct {
	URL     string `json:"url"`
	Span    *Span  `json:"span,omitempty"`
	Element int    `json:"element,omitempty"`
	Pointer string `json:"pointer,omitempty"`
}

// SameTime reports whether two times are one moment, written in one zone: in another one
// its day may be another. Two that are missing are the same.
func SameTime(a, b *time.Time) bool {
	if a == nil || b == nil {
		return a == b
	}
	_, x := a.Zone()
	_, y := b.Zone()
	return a.Equal(*b) && x == y
}
