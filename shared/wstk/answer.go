package wstk

import "time"

// AnswerQuery asks a question about a page and the pages it leads to. Zero fields take the
// settings of the operator.
type AnswerQuery struct {
	URL      string `json:"url"`      // where to begin; its site is the corpus
	Question string `json:"question"` // in the user's words
	Fresh    bool   `json:"fresh,omitempty"`
	Strict   bool   `json:"strict"` // drop assumed claims; the doors default to true
	// language of the answer, BCP 47; "" means that of the quotes. Only a model translates
	OutputLanguage string `json:"output_language,omitempty"`
	// tokens that models may read and write for this question, at most; 0 means no bound
	MaxTokens int `json:"max_tokens,omitempty"`
	AnswerLimits
}

// AnswerLimits bound the loop that answers. Depth and pages are weak limits: most answers end
// for a better reason.
type AnswerLimits struct {
	// turns in which the corpus may grow or the question be read anew; default 3
	MaxExpansionDepth *int `json:"max_expansion_depth,omitempty"`
	// estimated tokens of passages that the answer may rest on; default 6000
	RetrievalContextBudget int `json:"retrieval_context_budget,omitempty"`
	PagesPerTurn           int `json:"pages_per_turn,omitempty"` // links followed in one turn; default 5
	MaxPages               int `json:"max_pages,omitempty"`      // pages read for this question; default 30
}

// AnswerResult is the whole reply to an AnswerQuery: an AskResult whose Query is the question,
// with how it was found. An answer without statements is an honest no.
type AnswerResult struct {
	AskResult
	URL string `json:"url"` // canonical
	// the statements of all extractions in their order, with [n] marks into References
	Content    string      `json:"content"`
	References []Reference `json:"references"`
	// what the question was taken apart into; the question itself where it was not
	SubQuestions []string `json:"sub_questions"`
	Turns        []Turn   `json:"turns"`
	Stopped      Stop     `json:"stopped"`
	PagesRead    int      `json:"pages_read"` // fetched for this question
}

// Reference is a cited page section: the first layer of a citation. The second are the quotes,
// which EvidenceIDs names.
type Reference struct {
	N           int        `json:"n"` // from 1
	URL         string     `json:"url"`
	Title       string     `json:"title,omitempty"`
	SectionPath []string   `json:"section_path"`
	FetchedAt   time.Time  `json:"fetched_at"`
	PublishedAt *time.Time `json:"published_at,omitempty"`
	EvidenceIDs []string   `json:"evidence_ids"`
}

// Move is what the loop does after it has looked at what it found.
type Move string

const (
	MoveStop          Move = "stop"
	MoveExpandBreadth Move = "expand_breadth" // read the most promising links
	MoveExpandRecall  Move = "expand_recall"  // retrieve again with twice the budget
	MoveExpandIntent  Move = "expand_intent"  // take the question apart again, with what failed
)

// Turn is one round of the loop: what was retrieved, what it was worth, and what was done next.
type Turn struct {
	N       int         `json:"n"` // from 1
	Signals TurnSignals `json:"signals"`
	Rule    string      `json:"rule"` // name of the rule that decided
	Move    Move        `json:"move"`
	Also    []string    `json:"also"` // rules that would have decided, had no other come before
	// links that were weighed in this turn, best first; only of expand_breadth
	Links []ScoredLink `json:"links,omitempty"`
}

// TurnSignals say how good the retrieved passages of a turn are. Shares are from 0 to 1; nil means
// that it cannot be known in this turn.
type TurnSignals struct {
	Passages     int      `json:"passages"`
	Coverage     float64  `json:"coverage"`   // share of sub-questions with a passage that may answer
	Mean         float64  `json:"mean"`       // of the scores
	Variance     float64  `json:"variance"`   // of the scores
	TopGap       float64  `json:"top_gap"`    // from the best score to the second
	Redundancy   float64  `json:"redundancy"` // mean Jaccard overlap of the passages
	Recall       float64  `json:"recall"`     // proxy: share of the question's terms, by idf, that the passages hold
	RecallChange *float64 `json:"recall_change,omitempty"`
	BudgetFill   float64  `json:"budget_fill"` // share of the budget of passages that is filled
	UnreadLinks  int      `json:"unread_links"`
	BestLink     float64  `json:"best_link"` // score of the most promising unread link
	Gaps         int      `json:"gaps"`      // sub-questions and gaps named by a model that are still open
	PagesRead    int      `json:"pages_read"`
	Depth        int      `json:"depth"` // expansions so far
}

// ScoredLink is a link that the loop weighed, with the five signals that make its score; each is
// from 0 to 1.
type ScoredLink struct {
	URL    string  `json:"url"`
	Anchor string  `json:"anchor,omitempty"`
	From   string  `json:"from"` // the page, sitemap or hub that names it
	Score  float64 `json:"score"`
	Path   float64 `json:"path"`
	Text   float64 `json:"text"`    // of the anchor
	Title  float64 `json:"title"`   // of the page, where it is known
	Recent float64 `json:"recent"`  // by a date that a sitemap names
	Near   float64 `json:"context"` // allowed by the operator, and said beside it on its page
	Chosen bool    `json:"chosen"`
	// what became of it, where it was chosen: a Verdict, or a code
	Outcome string `json:"outcome,omitempty"`
}

// Stop says why the loop ended.
type Stop struct {
	Rule   string `json:"rule"`   // of the last turn, or the limit: max_pages, max_tokens, time
	Reason string `json:"reason"` // in one sentence, for people
}
