// Package collate joins verified claims into an Extraction: an answer with its evidence.
// In goes an Input, the claims of one bucket with what verify found of them; out comes the
// Extraction with its grade, conflicts, sources and gaps. All of these are computed here
// from evidence: nothing that a model or a rule proposed can set them. The same input gives
// byte-equal output.
//
// Begin with Collate, then grade.go and conflict.go. Check compares an answer that was
// handed in with all of that. Package page reads what a page says about a statement, package
// proposition takes apart what a sentence or a row says, package wording reads what words mean.
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

// Item is a claim and what verify found of its proposals.
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

	// Pages are the Documents of the evidence: titles, dates, and the text by which
	// near-copies are recognised. Their order does not matter. A page that is missing is
	// known by its evidence alone and is not a copy.
	Pages []*wstk.Document

	Setting  page.Setting  // nil reads what a page takes back once for each call
	Shingles page.Shingles // nil computes them once for each call; see ShinglesOf

	Gaps []wstk.Gap // what extract did not find

	// Language is the one that the answer was asked for, a BCP 47 tag; "" means that of its quotes.
	// Statements in it may be translations.
	Language string

	// Strict drops assumed claims: they are listed as unsupported with reason
	// no_quote. Without it they become statements without evidence, and the grade
	// says so.
	Strict bool

	// Named is set for claims of a model, which may give words any name: the place of a statement
	// must name its field, and show a heading that turns it. A quote that says the opposite of
	// such a claim is stated in its place.
	Named bool
}

// ShinglesOf returns the shingles by which copies of a page are known, for a caller that keeps
// them for several answers: those of its main content, or of the whole text if it has none.
func ShinglesOf(d *wstk.Document) text.Shingles { return page.ShinglesOf(d) }

// Collate joins claims and evidence.
//
// A claim becomes a Statement when its leading quote was found, or when another
// found quote holds its words, and when its quotes bear it (see package ground). One of which they
// bear a part comes after the others. Evidence is listed once, in the order of the
// statements; Statement.Evidence counts from 0, the marks in Content from 1.
// Slices are never nil, so that JSON has [] and never null. The only error is Cancelled, when
// ctx ends before the work does.
func Collate(ctx context.Context, in Input) (out wstk.Extraction, err error) {
	pages := page.New(ctx, in.Pages).Keep(in.Setting, in.Shingles).Asked(in.Query).
		Into(in.Language)
	pages.Proposed = in.Named
	defer pages.Caught("collating", &err)
	c := collation{
		Input: in, pages: pages,
		out: wstk.Extraction{
			Title:       in.Title,
			Statements:  []wstk.Statement{},
			Evidence:    []wstk.Evidence{},
			Sources:     []wstk.Source{},
			Gaps:        append([]wstk.Gap{}, in.Gaps...),
			Conflicts:   []wstk.TopicConflict{},
			Unsupported: []wstk.Unsupported{},
		},
		number: map[string]int{}, listed: map[wstk.Unsupported]bool{}, same: map[[2]string]int{},
	}
	c.items(in.Items)
	for _, it := range c.later {
		c.state(it)
	}
	x := c.out
	x.Gaps = append(x.Gaps, unsupportedGaps(in, x)...)
	r := review(pages, in.Query, x)
	x.Statements, x.Conflicts, x.Sources, x.Grounding, x.Counted = r.Statements, r.Conflicts,
		r.Sources, r.Grade, r.Counted
	x.Content = Content(in.Strategy, x)
	return x, nil
}

// collation is an Extraction in the making.
type collation struct {
	Input
	pages  *page.Set
	out    wstk.Extraction
	number map[string]int // of evidence in out, by id
	listed map[wstk.Unsupported]bool
	same   map[[2]string]int // statements of out, by field and words
	later  []Item            // whose statements are borne in part, and do not lead
}

// items makes statements of claims, in their order, and of the quotes that disagree with them.
func (c *collation) items(items []Item) {
	for queue := slices.Clone(items); len(queue) > 0; queue = queue[1:] {
		c.pages.Tick()
		queue = append(queue, c.item(queue[0])...)
	}
}

// item makes a statement of a claim, or lists why there is none. It returns the quotes that
// disagree with the claim as items of their own: each says something of its own.
func (c *collation) item(it Item) (more []Item) {
	for _, u := range it.Unsupported {
		c.unsupported(u)
	}
	it.Claim.Statement = strings.TrimSpace(it.Claim.Statement)
	it.Claim.Field = strings.Join(strings.Fields(it.Claim.Field), " ")
	assumed := it.Claim.Support == wstk.SupportAssumed
	if !assumed {
		kept, against := c.pages.Cited(it.Claim.Statement, it.Evidence)
		more = c.disagreeing(it.Claim, against, len(kept) == 0)
		if len(kept) == 0 && len(against) > 0 {
			if c.Named {
				it.Evidence = against
				more = append(more, c.inPageWords(it)...)
			}
			return more
		}
		it.Evidence = kept
	}
	if !stands(it) {
		if len(it.Unsupported) == 0 || assumed {
			c.unsupported(wstk.Unsupported{Statement: it.Claim.Statement, Reason: "no_quote"})
		}
		if !assumed || c.Strict {
			return more
		}
	}
	if !assumed {
		switch reason, open := c.borne(it); {
		case reason != "":
			for _, e := range it.Evidence {
				c.unsupported(wstk.Unsupported{Statement: it.Claim.Statement, Quote: e.Quote,
					URL: e.URL, Reason: reason})
			}
			return append(more, c.inPageWords(it)...)
		case open:
			c.later = append(c.later, it)
			return more
		}
	}
	c.state(it)
	return more
}

// borne says why the quotes of an item do not bear its claim as it is worded, "" if they do; and
// whether they leave words of it open, so that it is stated after the others.
func (c *collation) borne(it Item) (reason string, open bool) {
	s := wstk.Statement{Field: it.Claim.Field, Statement: it.Claim.Statement}
	g := c.pages.Ground(s, c.Title, it.Evidence)
	switch {
	case len(g.Missing) > 0 || s.Statement == "" || unseen(s.Statement, it.Evidence) ||
		unseen(s.Field, it.Evidence), !c.pages.BindsField(s, it.Evidence),
		c.Named && s.Field != "" && !named(c.pages.Of, s.Field, s.Statement, it.Evidence):
		return "not_borne", false
	case g.Reworded:
		return "reworded", false
	}
	return "", len(g.Open) > 0
}

// inPageWords are items of the quotes of a claim that is not stated as it is worded: each says what
// its page says, if that may answer the question.
func (c *collation) inPageWords(it Item) (out []Item) {
	for _, e := range it.Evidence {
		if it.Claim.Statement == "" || !page.WholeQuote(c.pages.Of(e), e) ||
			!c.pages.MayAnswer(e, it.Claim.Statement) {
			continue
		}
		s := wstk.Statement{Field: it.Claim.Field, Statement: strings.TrimSpace(e.Quote),
			Support: wstk.SupportDirect}
		if s.Field != "" && (!c.pages.BindsField(s, []wstk.Evidence{e}) ||
			c.Named && !named(c.pages.Of, s.Field, s.Statement, []wstk.Evidence{e})) {
			s.Field = ""
		}
		if over := c.pages.TurnedOver(e); over != "" && s.Field == "" {
			s.Statement, s.Support = over+": "+s.Statement, wstk.SupportInferred
		}
		if s.Statement == it.Claim.Statement {
			continue
		}
		out = append(out, Item{Claim: wstk.Claim{Field: s.Field, Statement: s.Statement,
			Support: s.Support, Value: it.Claim.Value}, Evidence: []wstk.Evidence{e}})
	}
	return out
}

// disagreeing are items of the quotes that say something else than the claim for which they
// were proposed. Where it has no others, alone, it is unsupported, and they are no statements: what
// a claim that is no part of the answer cites is none either.
func (c *collation) disagreeing(claim wstk.Claim, quotes []wstk.Evidence, alone bool) (out []Item) {
	for _, e := range quotes {
		if alone {
			c.unsupported(wstk.Unsupported{Statement: claim.Statement, Quote: e.Quote,
				URL: e.URL, Reason: "disagrees"})
			continue
		}
		out = append(out, Item{Claim: wstk.Claim{Field: claim.Field, Statement: e.Quote,
			Support: wstk.SupportDirect}, Evidence: []wstk.Evidence{e}})
	}
	return out
}

// unsupported lists what was not found, once.
func (c *collation) unsupported(u wstk.Unsupported) {
	if !c.listed[u] {
		c.listed[u] = true
		c.out.Unsupported = append(c.out.Unsupported, u)
	}
}

// state adds the statement of an item with its evidence. Two that say the same under one
// field become one.
func (c *collation) state(it Item) {
	st := wstk.Statement{Field: it.Claim.Field, Statement: it.Claim.Statement,
		Support: it.Claim.Support, Evidence: []int{}}
	g := c.pages.Ground(st, c.Title, it.Evidence)
	st.Open, st.Language = g.Open, g.Language
	st.Support = c.pages.Support(st, c.Title, it.Evidence)
	st.Value = heldValue(st, it.Claim.Value, it.Evidence, c.pages)
	if st.Support != wstk.SupportAssumed { // what is assumed does not rest on its quotes
		for _, e := range it.Evidence {
			st.Evidence = appendOnce(st.Evidence, c.evidence(e))
		}
	}
	key := [2]string{text.FoldCompare(st.Field), st.Statement}
	if i, ok := c.same[key]; ok && c.out.Statements[i].Support == st.Support {
		for _, n := range st.Evidence {
			c.out.Statements[i].Evidence = appendOnce(c.out.Statements[i].Evidence, n)
		}
		return
	}
	c.same[key] = len(c.out.Statements)
	c.out.Statements = append(c.out.Statements, st)
}

// evidence lists an Evidence once and returns its number.
func (c *collation) evidence(e wstk.Evidence) int {
	n, ok := c.number[e.ID]
	if !ok {
		n = len(c.out.Evidence)
		c.number[e.ID] = n
		c.out.Evidence = append(c.out.Evidence, tidy(e))
	}
	return n
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

// heldValue is v if a quote holds it and it is read there as v says; else nil. The value of a
// direct statement must be in its own words, in a quote that says them.
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

// unsupportedGaps turns a field whose claims all failed into a gap: nothing proves it.
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
