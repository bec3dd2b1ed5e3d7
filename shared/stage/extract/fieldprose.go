package extract

import (
	"slices"
	"strings"

	"wstk/shared/value"
	"wstk/shared/wstk"
)

// inProse offers values of sentences that name the field: a clause with its words and a value of
// its kind, or a name beside it. A plain e-mail address or telephone number needs no name.
func (f *field) inProse(p *page, offer func(fieldFind)) {
	f.about = namingsOf(f.subject+" "+p.doc.Meta.Title, p.lang)
	for i := range p.units {
		u := &p.units[i]
		if u.kind == wstk.BlockCode || u.kind == wstk.BlockHeading || u.kind == wstk.BlockTableRow {
			continue
		}
		s := p.text(u)
		r := proseReader{field: f, page: p, unit: u, s: s, offer: offer,
			order: 0.002*float64(min(p.order, 10)) + 0.0001*float64(min(i, 100))}
		switch {
		case len(f.kinds) == 0 && len(f.words) > 0 && modifies(f.words[len(f.words)-1]):
			continue
		case len(f.kinds) == 0 || slices.Contains(f.kinds, personKind):
			r.beside()
		case slices.Contains(f.kinds, placeKind):
			r.places()
		default:
			r.clauses()
		}
	}
}

// exampleIn reports whether a sentence gives an example.
func exampleIn(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "for example") || strings.Contains(s, "e.g.") ||
		strings.Contains(s, "z. b.") || strings.Contains(s, "z.b.") ||
		strings.Contains(s, "par exemple")
}

// proseReader looks for a field in one sentence.
type proseReader struct {
	*field
	page  *page
	unit  *unit
	s     string
	order float64
	offer func(fieldFind)
}

// clauses takes the first value whose clause binds it.
func (r *proseReader) clauses() {
	var vs []value.Value
	var k kind
	for _, k = range r.kinds {
		for _, v := range k.find(r.s, r.page.lang) {
			if r.measures(k, v) {
				vs = append(vs, v)
			}
		}
		if len(vs) > 0 {
			break
		}
	}
	for tier := range 3 { // the shortest clause that binds a value is surest
		for i, v := range vs {
			around := clausesAround(r.s, extent{v.Start, v.End}, roomOf(r.s, vs, i))
			if tier >= len(around) {
				continue
			}
			if score := r.bound(around[tier], v, k); score > 0 {
				r.give(score, spanOf(r.s, vs, i))
				return
			}
		}
	}
}

// roomOf is what of a sentence may belong to one of its values: from the value before it to the
// last clause before the next one.
func roomOf(s string, vs []value.Value, i int) extent {
	out := extent{0, len(s)}
	if i > 0 {
		out.start = vs[i-1].End
	}
	if i+1 < len(vs) {
		out.end = vs[i+1].Start
		last := -1
		for _, b := range breaks {
			last = max(last, strings.LastIndex(s[vs[i].End:out.end], b))
		}
		if last >= 0 {
			out.end = vs[i].End + last
		}
	}
	return out
}

// breaks separate clauses.
var breaks = []string{", ", "; ", " and ", " but ", " while ", ". ", "\n", "(", " · ", " | ",
	"\t", " und ", " aber ",
	" et ", " y ", " – "}

// clausesAround are the clauses around a value, within bounds: the shortest first.
func clausesAround(s string, v, within extent) (out []extent) {
	cut := func(c extent, left, right bool) extent {
		if left {
			at := within.start
			for _, b := range breaks {
				if i := strings.LastIndex(s[within.start:c.start], b); i >= 0 {
					at = max(at, within.start+i+len(b))
				}
			}
			c.start = at
		}
		if right {
			at := within.end
			for _, b := range breaks {
				if i := strings.Index(s[c.end:within.end], b); i >= 0 {
					at = min(at, c.end+i)
				}
			}
			c.end = at
		}
		return c
	}
	out = append(out, cut(v, true, true))
	c := out[0]
	c.start = max(within.start, c.start-2)
	if left := cut(c, true, false); left != c {
		out = append(out, left)
	}
	c = out[0]
	c.end = min(within.end, c.end+2)
	if right := cut(c, false, true); right != c {
		out = append(out, right)
	}
	return out
}

// bound is how surely a clause binds a value to the field; 0 if it does not.
func (r *proseReader) bound(c extent, v value.Value, k kind) float64 {
	before, after := r.s[c.start:max(c.start, v.Start)], r.s[min(v.End, c.end):c.end]
	if r.excludes(before+" "+after) || r.page.denies(before) || r.page.denies(after) {
		return 0
	}
	around := r.before()
	for _, h := range r.page.above(r.unit) {
		around = append(around, namingsOf(h, r.page.lang)...)
	}
	ahead := namingsOf(before, r.page.lang)
	b := r.bind(append(ahead, namingsOf(after, r.page.lang)...), around, k, v.Unit)
	if first := r.bind(ahead, around, k, v.Unit); first.direct > 0 {
		b.extra, b.asked = first.extra, first.asked // what follows the value limits it at most
	}
	foreign := 0
	for _, n := range b.extra {
		if !n.among(around) {
			foreign++
		}
	}
	return r.clauseScore(b, foreign, k)
}

// clauseScore is how surely the words of a clause bind its value, with as many words of other
// things.
func (r *proseReader) clauseScore(b binding, foreign int, k kind) float64 {
	few := foreign <= r.foreign(k)
	switch {
	case b.missing > 0:
		return 0
	case b.direct > 0 && len(r.words) > 1 && (b.supplied == 0 || few && b.asked == 0):
		return 0.6 - 0.02*float64(foreign)
	case b.direct > 0 && len(r.words) == 1 && few:
		return 0.5 - 0.02*float64(foreign)
	case k.written() && b.shown == len(r.words) && foreign == 0 && r.exclusive["telephone"] == "":
		return 0.4
	}
	return 0
}

// before are the words of the sentence before, if this one points back to it: "Write to him at".
func (r *proseReader) before() []naming {
	b := r.page.doc.Blocks[r.unit.block]
	if r.unit.start == b.ByteStart || !slices.ContainsFunc(wordsOf(r.s),
		func(w word) bool { return fieldWords().back[w.text] }) {
		return nil
	}
	return namingsOf(lastSentence(r.page.doc.Text[b.ByteStart:r.unit.start]), r.page.lang)
}

// written reports whether a value of a kind is written as no other: an address or a number to
// write to, to call or to open.
func (k kind) written() bool { return k == emailKind || k == phoneKind || k == urlKind }

// foreign is how many words of other things a clause may have that names a field in one word: a
// price and a weight are of the thing that is named before them.
func (r *proseReader) foreign(k kind) int {
	switch k {
	case moneyKind, amountKind, durationKind:
		return 0
	case emailKind, phoneKind:
		return 1
	}
	return 2
}

// spanOf is a value, with the one after it if both are the ends of a span: "10:00 to 18:00".
func spanOf(s string, vs []value.Value, i int) value.Value {
	v := vs[i]
	if i+1 < len(vs) {
		switch strings.TrimSpace(s[v.End:vs[i+1].Start]) {
		case "to", "–", "-", "until", "till", "bis", "à", "a", "and":
			v.End, v.Text = vs[i+1].End, s[v.Start:vs[i+1].End]
		}
	}
	return v
}

// give offers a value of the sentence.
func (r *proseReader) give(score float64, v value.Value) {
	p, u := r.page, r.unit
	if past(r.s) || isQuestion(r.s) || exampleIn(r.s) ||
		p.roleOf(u).has(roleExample|roleHistory|roleNavigation) {
		return
	}
	headings := p.above(u)
	if past(strings.Join(headings, " ")) {
		return
	}
	about, ok := r.concerns(p, u, []string{p.doc.BlockText(u.block)}, nil)
	if !ok {
		return
	}
	if !p.doc.Blocks[u.block].Main {
		score -= 0.05
	}
	c := candidate{page: p, unit: u, value: &v}
	quote := c.proposal()
	if !strings.Contains(quote.Words, v.Text) {
		return
	}
	claim := wstk.Claim{Field: r.name, Statement: v.Text, Support: wstk.SupportDirect,
		Proposed: []wstk.Proposal{quote}}
	if v.Type != "" {
		claim.Value = valueOf(v)
	}
	r.offer(fieldFind{score: score - r.order, about: about, claim: claim, page: p, unit: u})
}
