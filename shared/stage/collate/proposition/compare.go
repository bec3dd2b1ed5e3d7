package proposition

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Relation is how two propositions stand to each other.
type Relation int

const (
	// Apart: they speak of different things, or nothing shows that they speak of one. A height
	// and a length are apart.
	Apart Relation = iota
	// Agree: same subject, attribute and value, and no opposite sense. 300 m and 0.3 km agree.
	Agree
	// Disagree: same subject and attribute, another value or the opposite sense. "is open" and
	// "is closed" disagree.
	Disagree
)

// Side is what one of two propositions that disagree says: in a form by which sides are
// compared, and in the words of its page. Of "0.3 km" Norm is "300 m". Words is "" where a sense
// is denied; then Norm is "yes" or "no".
type Side struct{ Norm, Words string }

// Compare returns how two propositions stand to each other, and what each of them says if they
// disagree; else x and y are zero. q is the question that both may answer; nil if it is not known.
//
// The question comes first. Where its words show that both sides answer it, what they answer is
// compared: the value nearest to its words, a person, a place, yes or no. Where they show that
// only one side does, the two are Apart. Else, and without a question, all words count: each
// word that only one side has may be what that side is about, unless it stands over the other.
//
// The order of a and b does not matter, except for that of x and y.
func Compare(a, b *Proposition, q *Question) (r Relation, x, y Side) {
	if a.Open || b.Open || Differ(a, b, q) {
		return Apart, none, none
	}
	if k := q.of(a.unit.Lang); k != nil {
		if r, x, y, final := k.answers(a, b); final {
			return r, x, y
		}
	}
	if r, x, y = alike(a, b); r == Agree && !accounted(a, b, q) {
		return Apart, none, none
	}
	return r, x, y
}

// alike compares two propositions by all their words.
func alike(a, b *Proposition) (r Relation, x, y Side) {
	if !maps.Equal(a.marks, b.marks) || a.heading.apart(b.heading) {
		return Apart, none, none
	}
	d := difference{missing(a, b), missing(b, a)}
	switch {
	case len(a.Hours)+len(b.Hours) > 0 && !(d.none() && a.known(b)):
		return Apart, none, none
	case len(a.Hours)+len(b.Hours) > 0:
		return compareHours(a, b)
	case !sameAttribute(a, b):
		return Apart, none, none
	case a.kind == "version" && b.kind == "version":
		return compareVersions(a, b, d)
	case !numbersFit(a, b) || !numbersFit(b, a):
		return Apart, none, none
	}
	return compareSubjects(a, b, d)
}

// difference is what each of two propositions has in its subject alone.
type difference struct{ a, b []Part }

func (d difference) none() bool { return len(d.a)+len(d.b) == 0 }

// compareSubjects compares two propositions of one attribute.
func compareSubjects(a, b *Proposition, d difference) (r Relation, x, y Side) {
	switch {
	case wordKinds[a.kind] && wordKinds[b.kind]:
		return compareWords(a, b, d)
	case len(d.a) == 1 && len(d.b) == 1 && a.Denied == b.Denied:
		return compareClasses(a, b, d.a[0], d.b[0])
	case !d.none() || !a.known(b) || crossed(a, b):
		return Apart, none, none
	}
	return compareValues(a, b)
}

// wordKinds are the kinds of attributes whose values are words.
var wordKinds = map[string]bool{"person": true, "maker": true, "place": true, "word": true,
	"address": true}

// missing are the words of a's subject that neither b's words nor what stands over them hold.
func missing(a, b *Proposition) (out []Part) {
	for _, s := range a.Subject {
		if !b.rest[s.Form] && !b.over[s.Form] {
			out = append(out, s)
		}
	}
	return out
}

// known reports whether both sides show that they have one subject: a word of it stands in
// or over both.
func (p *Proposition) known(o *Proposition) bool {
	for w := range p.rest {
		if o.rest[w] || o.over[w] {
			return true
		}
	}
	for w := range p.over {
		if (o.rest[w] || o.over[w]) && !general(w) {
			return true
		}
	}
	return false
}

// general reports whether a stem may stand over anything.
func general(stem string) bool {
	return wording.GeneralHeadings[stem] || generalStems[stem]
}

// sameAttribute reports whether both sides name the same attributes. A value that shows by its
// form what it is needs no name.
func sameAttribute(a, b *Proposition) bool {
	return maps.Equal(a.named, b.named)
}

// numbersFit reports whether the numbers that name something in a stand in or over b, too.
func numbersFit(a, b *Proposition) bool {
	for n := range a.numbers {
		if !b.numbers[n] && !b.over[n] {
			return false
		}
	}
	return true
}

// crossed reports whether both sides name the same names in another order.
func crossed(a, b *Proposition) bool {
	var x, y []string
	for _, s := range a.Subject {
		if b.rest[s.Form] && a.inName(s) {
			x = append(x, s.Form)
		}
	}
	for _, s := range b.Subject {
		if a.rest[s.Form] && b.inName(s) {
			y = append(y, s.Form)
		}
	}
	return !slices.Equal(x, y)
}

// inName reports whether a part is in a name.
func (p *Proposition) inName(s Part) bool {
	i := sort.Search(len(p.names), func(i int) bool { return p.names[i].End >= s.End })
	return i < len(p.names) && p.names[i].Start <= s.Start
}

// compareValues compares the values of two sides with one subject and attribute.
func compareValues(a, b *Proposition) (r Relation, x, y Side) {
	v, others := a.ofKind()
	w, besides := b.ofKind()
	if !sameValues(others, besides) {
		return Apart, none, none // the year, not the amount, makes the difference
	}
	same := sameValues(v, w)
	switch {
	case a.Denied != b.Denied && same:
		return Disagree, yesNo(a), yesNo(b)
	case a.Denied != b.Denied || len(v)+len(w) == 0: // much the same words are no proof
		return Apart, none, none
	case same && a.sure(b):
		return Agree, none, none
	case same:
		return Apart, none, none
	}
	if m, n, ok := Opposite(v, w); ok && a.topics(b) >= minTopics {
		return Disagree, Side{m.Norm, m.Text}, Side{n.Norm, n.Text}
	}
	return Apart, none, none
}

// sameValues reports whether two sides have the same values, bounded alike; true for none.
func sameValues(v, w []Reading) bool { return covers(v, w) && covers(w, v) }

// minTopics is how many words both sides must share to contradict each other.
const minTopics = 2

// topics counts the words of the subject and the attributes that both sides share, except for
// the name of the person who did it.
func (p *Proposition) topics(o *Proposition) (n int) {
	n, _, _ = wording.Split(p.named, o.named)
	by := func(p *Proposition, s Part) bool {
		return strings.HasSuffix(strings.ToLower(p.unit.Words[:s.Start]), "by ")
	}
	for _, s := range p.Subject {
		if (o.rest[s.Form] || o.over[s.Form]) && !by(p, s) {
			n++
		}
	}
	for _, s := range o.Subject {
		if !p.rest[s.Form] && p.over[s.Form] && !by(o, s) {
			n++
		}
	}
	return n
}

// none is the Side of propositions that do not disagree.
var none Side

func yesNo(p *Proposition) Side {
	return Side{Norm: yesOr(p.Denied)}
}

// ofKind are the values of the attribute's kind, and the others. Without an attribute all
// values are of the kind.
func (p *Proposition) ofKind() (of, others []Reading) {
	types, ok := typesOf[p.kind]
	if !ok {
		return p.Values, nil
	}
	for _, v := range p.Values {
		if slices.Contains(types, wstk.ValueType(v.Type)) {
			of = append(of, v)
		} else {
			others = append(others, v)
		}
	}
	return of, others
}

// covers reports whether each of some values is among others, bounded alike.
func covers(vs, ws []Reading) bool {
	return !slices.ContainsFunc(vs, func(v Reading) bool {
		return !slices.ContainsFunc(ws, func(w Reading) bool {
			return v.Bound == w.Bound && v.sense == w.sense &&
				(Equal(v.Value, w.Value) || converted(v.Value, w.Value))
		})
	})
}

// converted reports whether two quantities are the same in different units.
func converted(a, b value.Value) bool {
	same, ok := value.Same(a, b)
	return ok && same && (wstk.ValueType(a.Type) == wstk.ValueQuantity &&
		!strings.EqualFold(unitOf(a), unitOf(b)) || wstk.ValueType(a.Type) == wstk.ValueTime ||
		wstk.ValueType(a.Type) == wstk.ValuePhone || wstk.ValueType(a.Type) == wstk.ValueURL)
}

// compareVersions compares the versions that two sides name as the newest or the required one.
func compareVersions(a, b *Proposition, d difference) (r Relation, x, y Side) {
	m, n := slices.Sorted(maps.Keys(a.numbers)), slices.Sorted(maps.Keys(b.numbers))
	switch {
	case !d.none() || len(m) != 1 || len(n) != 1 || a.Denied != b.Denied || !a.known(b):
		return Apart, none, none
	case m[0] == n[0] && !a.sure(b):
		return Apart, none, none
	case m[0] == n[0]:
		return Agree, none, none
	}
	return Disagree, Side{m[0], m[0]}, Side{n[0], n[0]}
}

// compareClasses compares two sides that differ in one word each: of one class, such as the
// colours, or an opposite.
func compareClasses(a, b *Proposition, m, n Part) (r Relation, x, y Side) {
	v, w := a.plain(m), b.plain(n)
	class := classes[v]
	if class == "" || class != classes[w] || len(a.Values)+len(b.Values) > 0 || !a.known(b) ||
		a.inClass(class) != 1 || b.inClass(class) != 1 {
		return Apart, none, none
	}
	return Disagree, Side{v, v}, Side{w, w}
}

// plain is a part as it stands in the unit, in small letters.
func (p *Proposition) plain(s Part) string {
	return strings.ToLower(p.unit.Words[s.Start:s.End])
}

// inClass counts the words of a class.
func (p *Proposition) inClass(class string) (n int) {
	for _, w := range p.words {
		if classes[w.plain] == class {
			n++
		}
	}
	return n
}

// compareWords compares sides whose attribute has words for its value: a person, a place.
// What only one side says is its value.
func compareWords(a, b *Proposition, d difference) (r Relation, x, y Side) {
	if !a.known(b) {
		return Apart, none, none
	}
	if d.none() {
		switch {
		case a.Denied != b.Denied:
			return Disagree, yesNo(a), yesNo(b)
		case !a.shares(b) || !a.sure(b):
			return Apart, none, none
		}
		return Agree, none, none
	}
	if a.Denied || b.Denied || len(d.a) == 0 || len(d.b) == 0 {
		return Apart, none, none
	}
	v, okV := a.phrase(d.a, b)
	w, okW := b.phrase(d.b, a)
	if !okV || !okW {
		return Apart, none, none
	}
	return Disagree, v, w
}

// shares reports whether both units hold a word of the value themselves: a name that stands in
// the words of both and over neither.
func (p *Proposition) shares(o *Proposition) bool {
	return slices.ContainsFunc(p.Subject, func(s Part) bool {
		return o.rest[s.Form] && !p.over[s.Form] && !o.over[s.Form]
	})
}

// phrase is the value that parts of p make, if they are one phrase that is no part of a name
// which both sides hold.
func (p *Proposition) phrase(parts []Part, o *Proposition) (Side, bool) {
	const most = 5 // words
	at := text.Range{Start: parts[0].Start, End: parts[len(parts)-1].End}
	words := p.unit.Words[at.Start:at.End]
	if len(parts) > most || p.inKnownName(at, o) { // Harbour Museum, City Museum
		return none, false
	}
	for _, s := range p.Subject {
		if at.Start < s.Start && s.End < at.End && !slices.Contains(parts, s) {
			return none, false
		}
	}
	return Side{text.FoldCompare(words), words}, wordLike[p.kind] || p.inName(parts[0]) ||
		strings.ContainsFunc(words, unicode.IsDigit)
}

// inKnownName reports whether a name that a range touches has a word of the subject which the
// other side has too.
func (p *Proposition) inKnownName(r text.Range, o *Proposition) bool {
	for _, s := range p.Subject {
		i := sort.Search(len(p.names), func(i int) bool { return p.names[i].End >= s.End })
		if i < len(p.names) && p.names[i].Start <= s.Start && (o.rest[s.Form] || o.over[s.Form]) &&
			p.names[i].Start < r.End && r.Start < p.names[i].End {
			return true
		}
	}
	return false
}

// wordLike are the kinds whose values need no capital.
var wordLike = map[string]bool{"word": true, "place": true}

// compareHours compares hours of opening, or a schedule with one end of it. One side has hours.
func compareHours(a, b *Proposition) (r Relation, x, y Side) {
	v, w := a.unit.Words, b.unit.Words
	switch {
	case len(a.Hours) == 0:
		r, y, x = compareHours(b, a)
		return r, x, y
	case len(b.Hours) == 0 && a.excludesEnd(b), len(b.Hours) > 0 && wording.Clash(a.Hours, b.Hours):
		return Disagree, Side{text.FoldCompare(v), v}, Side{text.FoldCompare(w), w}
	case len(b.Hours) > 0 && wording.SameSlots(a.Hours, b.Hours) && a.stands() && b.stands():
		return Agree, none, none
	}
	return Apart, none, none
}

// stands reports whether a unit means the same on any page: it has no "today", no "we".
func (p *Proposition) stands() bool { return !p.points && !p.speaks }

// excludesEnd reports whether the hours of a unit have no such end as a time of the other is:
// "open from 9:00 to 17:00", "closes at 18:00".
func (p *Proposition) excludesEnd(o *Proposition) bool {
	return slices.ContainsFunc(o.Values, func(t Reading) bool {
		if wstk.ValueType(t.Type) != wstk.ValueTime || t.Bound != wording.Exactly {
			return false
		}
		for i, end := range ends {
			if o.hasAttribute(end) && wording.NoEnd(p.Hours, i, t.Norm) {
				return true
			}
		}
		return false
	})
}

// ends are the attributes of the two ends of a schedule.
var ends = []string{"opening time", "closing time"}
