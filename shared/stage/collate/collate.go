// Package collate joins verified claims into an Extraction. It is code all the
// way: the grade, the conflicts, the roles of sources and the gaps that verify
// left are computed here from evidence, and nothing a model or a rule proposed
// can set them. The same input gives byte-equal output.
//
// Begin with Collate, grade.go and conflict.go; Check holds a given answer against all of
// that. What a page says of a statement is read in page, what words mean in wording.
package collate

import (
	"context"
	"slices"
	"strings"

	"wstk/shared/stage/collate/page"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Item is a claim and what verify made of its proposals.
type Item struct {
	Claim       wstk.Claim
	Evidence    []wstk.Evidence
	Unsupported []wstk.Unsupported
}

// Input is all that an Extraction is made of.
type Input struct {
	Query    string
	Strategy wstk.Strategy
	Title    string // of the item, in a collection
	Items    []Item // the leading claim first

	// Pages are the Documents the evidence stands in: titles, dates, and the text
	// by which near-copies are known. Their order means nothing. A page that is
	// missing is known by its evidence alone and is not a copy.
	Pages []*wstk.Document

	Setting page.Setting // nil reads what a page takes back once for each call

	Gaps []wstk.Gap // what extract did not find

	// Strict drops assumed claims: they are listed as unsupported with reason
	// no_quote. Without it they become statements without evidence, and the grade
	// says so.
	Strict bool
}

// Collate joins claims and evidence.
//
// A claim becomes a Statement when its leading quote was found, or when another
// found quote holds its words. Evidence is listed once, in the order of the
// statements; Statement.Evidence counts from 0, the marks in Content from 1.
// Slices are never nil, so that JSON has [] and never null. The only error is Cancelled, when
// ctx ends before the work does.
func Collate(ctx context.Context, in Input) (out wstk.Extraction, err error) {
	pages := page.New(ctx, in.Pages).Keep(in.Setting)
	defer pages.Caught("collating", &err)
	x := wstk.Extraction{
		Title:       in.Title,
		Statements:  []wstk.Statement{},
		Evidence:    []wstk.Evidence{},
		Sources:     []wstk.Source{},
		Gaps:        []wstk.Gap{},
		Conflicts:   []wstk.TopicConflict{},
		Unsupported: []wstk.Unsupported{},
	}
	x.Gaps = append(x.Gaps, in.Gaps...)
	number := map[string]int{}
	listed := map[wstk.Unsupported]bool{}
	unsupported := func(u wstk.Unsupported) {
		if !listed[u] {
			listed[u] = true
			x.Unsupported = append(x.Unsupported, u)
		}
	}
	same := map[[2]string]int{} // statements by field and words
	items := slices.Clone(in.Items)
	for i := 0; i < len(items); i++ {
		pages.Tick()
		it := items[i]
		for _, u := range it.Unsupported {
			unsupported(u)
		}
		if it.Claim.Support != wstk.SupportAssumed {
			kept, against := pages.Cited(it.Claim.Statement, it.Evidence)
			for _, e := range against { // each says something of its own
				items = append(items, Item{Claim: wstk.Claim{Field: it.Claim.Field,
					Statement: e.Quote, Support: wstk.SupportDirect}, Evidence: []wstk.Evidence{e}})
				if len(kept) == 0 {
					unsupported(wstk.Unsupported{Statement: it.Claim.Statement, Quote: e.Quote,
						URL: e.URL, Reason: "disagrees"})
				}
			}
			if len(kept) == 0 && len(against) > 0 {
				continue
			}
			it.Evidence = kept
		}
		if !stands(it) {
			if len(it.Unsupported) == 0 || it.Claim.Support == wstk.SupportAssumed {
				unsupported(wstk.Unsupported{Statement: it.Claim.Statement, Reason: "no_quote"})
			}
			if it.Claim.Support != wstk.SupportAssumed || in.Strict {
				continue
			}
		}
		st := wstk.Statement{Field: it.Claim.Field, Statement: it.Claim.Statement,
			Support: it.Claim.Support, Evidence: []int{}}
		st.Support = pages.Support(st, in.Title, it.Evidence)
		st.Value = heldValue(st, it.Claim.Value, it.Evidence, pages)
		for _, e := range it.Evidence {
			if st.Support == wstk.SupportAssumed {
				break // what it was given as proof is not what it rests on
			}
			n, ok := number[e.ID]
			if !ok {
				n = len(x.Evidence)
				number[e.ID] = n
				x.Evidence = append(x.Evidence, tidy(e))
			}
			st.Evidence = appendOnce(st.Evidence, n)
		}
		key := [2]string{text.FoldCompare(st.Field), st.Statement}
		if i, ok := same[key]; ok && x.Statements[i].Support == st.Support {
			for _, n := range st.Evidence {
				x.Statements[i].Evidence = appendOnce(x.Statements[i].Evidence, n)
			}
			continue
		}
		same[key] = len(x.Statements)
		x.Statements = append(x.Statements, st)
	}
	x.Gaps = append(x.Gaps, unsupportedGaps(in, x)...)
	r := review(pages, in.Query, x)
	x.Statements, x.Conflicts, x.Sources, x.Grounding, x.Counted = r.Statements, r.Conflicts,
		r.Sources, r.Grade, r.Counted
	x.Content = Content(in.Strategy, x)
	return x, nil
}

// stands reports whether a claim's words were found: its leading quote, or another
// that holds the statement.
func stands(it Item) bool {
	if len(it.Evidence) == 0 || it.Claim.Support == wstk.SupportAssumed {
		return false
	}
	if len(it.Claim.Proposed) == 0 {
		return true
	}
	lead := it.Claim.Proposed[0]
	failed := false
	for _, u := range it.Unsupported {
		failed = failed || u.Quote == lead.Words && u.URL == lead.URL
	}
	if !failed {
		return true
	}
	return slices.ContainsFunc(it.Evidence, func(e wstk.Evidence) bool {
		return page.Says(e.Quote, it.Claim.Statement)
	})
}

// heldValue is v if it stands in a quote and is read there as v says; else nil. That of a
// direct statement stands in its own words, in a quote that says them.
func heldValue(s wstk.Statement, v *wstk.Value, quotes []wstk.Evidence, p *page.Set) *wstk.Value {
	direct := s.Support == wstk.SupportDirect
	if v == nil || v.Text == "" || direct && !text.HoldsWhole(s.Statement, v.Text) {
		return nil
	}
	for _, e := range quotes {
		if !strings.Contains(e.Quote, v.Text) || direct && !page.Says(e.Quote, s.Statement) {
			continue
		}
		known := false
		for _, r := range value.Find(e.Quote, p.Language(e)) {
			if r.Text == v.Text {
				known = true
				if r.Norm == v.Norm {
					return v
				}
			}
		}
		if !known {
			return v // a name, a version: its form is its words
		}
	}
	return nil
}

// tidy makes an evidence's slices non-nil.
func tidy(e wstk.Evidence) wstk.Evidence {
	if e.SectionPath == nil {
		e.SectionPath = []string{}
	}
	return e
}

func appendOnce(xs []int, n int) []int {
	for _, x := range xs {
		if x == n {
			return xs
		}
	}
	return append(xs, n)
}

// unsupportedGaps turns a field whose every claim failed into a gap: it was
// claimed, and nothing proves it.
func unsupportedGaps(in Input, x wstk.Extraction) []wstk.Gap {
	stated := map[string]bool{}
	for _, s := range x.Statements {
		stated[text.FoldCompare(s.Field)] = true
	}
	for _, g := range in.Gaps {
		stated[text.FoldCompare(g.Field)] = true
	}
	var out []wstk.Gap
	for _, it := range in.Items {
		key := text.FoldCompare(it.Claim.Field)
		if key == "" || stated[key] {
			continue
		}
		stated[key] = true
		g := wstk.Gap{Field: it.Claim.Field, Query: it.Claim.Field, Reason: "unsupported"}
		subject := in.Title
		if subject == "" {
			subject = in.Query
		}
		if subject != "" {
			g.Query = it.Claim.Field + " " + subject
		}
		for _, u := range it.Unsupported {
			if u.URL != "" {
				g.Searched = wording.AppendNew(g.Searched, u.URL)
			}
		}
		out = append(out, g)
	}
	return out
}
