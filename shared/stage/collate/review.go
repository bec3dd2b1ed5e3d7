package collate

import (
	"context"
	"slices"

	"wstk/shared/stage/collate/page"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/wstk"
)

// Rules names the rules by which Collate and Review judge. It changes with each change of
// them that can change a grade, a conflict or a role.
const Rules = "11"

// Reviewed is what the rules of this version give for the statements and the evidence of
// an Extraction. Slices are never nil, except for Missing.
type Reviewed struct {
	Grade   wstk.Grade
	Counted string // what the grade counts, see Extraction.Counted

	// Statements are those of the Extraction, in their order, each with the support, the
	// value and the quotes that it bears: never more than the Extraction says, and as much
	// where these rules made it. A quote that says the opposite is left out,
	// and one that says nothing of it.
	Statements []wstk.Statement

	Conflicts []wstk.TopicConflict
	Sources   []wstk.Source

	// Missing names what was needed and not given, a clause each: the Document of a page,
	// a quote that a statement cites. What is computed without it is no finding.
	Missing []string
}

// Review judges an Extraction by the rules of this version, from its statements, its evidence
// and the Documents of that evidence; docs may hold others, and their order does not matter.
// It does not read what x says about its grounding, sources, conflicts and content. verify
// decides whether the evidence is in those Documents.
//
// Review gives for an answer of Collate what Collate gave: the same code computes both. The only
// error is Cancelled, when ctx ends before the work does.
func Review(
	ctx context.Context, query string, x wstk.Extraction, docs []*wstk.Document,
) (r Reviewed, err error) {
	p := page.New(ctx, docs).Asked(query)
	defer p.Caught("judging an answer", &err)
	return review(p, query, x), nil
}

// earlierRules called parts of sentences direct if no word beside them that wstk knows takes
// them back. An Extraction that names no rules was made by the first.
var earlierRules = []string{"", "1", "2"}

// looseRules let a model word its quotes anew, if they bore its words.
var looseRules = []string{"", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}

func review(p *page.Set, query string, x wstk.Extraction) Reviewed {
	r := Reviewed{Missing: missing(x, p)}
	x.Statements = borne(x, p)
	facts := factsOf(query, x, p)
	x.Conflicts = conflicts(p, facts)
	w := weigh(x, p)
	r.Statements, r.Conflicts, r.Sources = x.Statements, x.Conflicts, w.sources(x, p)
	r.Grade, r.Counted = grade(x, w, p)
	return r
}

// missing names what judging x needs and does not have.
func missing(x wstk.Extraction, p *page.Set) []string {
	var out []string
	for _, e := range x.Evidence {
		if p.Of(e) == nil {
			out = wording.AppendNew(out, "the Document of "+e.URL)
		}
	}
	for _, s := range x.Statements {
		if slices.ContainsFunc(s.Evidence, func(n int) bool {
			return n < 0 || n >= len(x.Evidence)
		}) {
			out = wording.AppendNew(out, "a quote that a statement cites")
		}
	}
	return out
}

// borne returns the statements of x with the support and the value that their quotes give.
func borne(x wstk.Extraction, p *page.Set) []wstk.Statement {
	out := make([]wstk.Statement, 0, len(x.Statements))
	for _, s := range x.Statements {
		p.Tick()
		var given []int
		var quotes []wstk.Evidence
		for _, n := range s.Evidence {
			if n >= 0 && n < len(x.Evidence) && !slices.Contains(given, n) {
				given, quotes = append(given, n), append(quotes, x.Evidence[n])
			}
		}
		quotes, _ = p.Cited(s.Statement, quotes)
		cited := []int{}
		for _, n := range given {
			if slices.ContainsFunc(quotes, func(e wstk.Evidence) bool {
				return e.ID == x.Evidence[n].ID
			}) {
				cited = append(cited, n)
			}
		}
		s.Support = p.Support(s, x.Title, quotes)
		s.Open, s.Language = nil, ""
		if s.Support != wstk.SupportAssumed {
			g := p.Ground(s, x.Title, quotes)
			s.Open, s.Language = g.Open, g.Language
			if !g.Stands() {
				s.Support = wstk.SupportAssumed
			}
		}
		s.Value = heldValue(s, s.Value, quotes, p)
		if s.Support == wstk.SupportAssumed {
			cited = []int{}
		}
		s.Evidence = cited
		out = append(out, s)
	}
	return out
}
