package proposition

import (
	"slices"
	"strconv"
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// wantedValue is what a question wants of the values that are read by their form.
type wantedValue struct {
	types []wstk.ValueType // nil for any
	unit  string           // in which a measure is told; "" for any
}

// typesWanted are those that the phrases of a question want.
var typesWanted = map[string][]wstk.ValueType{
	"number": {wstk.ValueNumber, wstk.ValueQuantity},
	"amount": {wstk.ValueMoney, wstk.ValueQuantity},
	"share":  {wstk.ValueQuantity},
	"age":    {wstk.ValueNumber, wstk.ValueDuration},
	"extent": {wstk.ValueQuantity, wstk.ValueDuration},
	"moment": {wstk.ValueDate, wstk.ValueTime, wstk.ValueNumber},
	"time":   {wstk.ValueTime},
	"date":   {wstk.ValueDate, wstk.ValueNumber},
}

// valueWanted reads what a question wants, from a phrase such as "how many" and from the
// attribute that it names.
func valueWanted(words []word, terms []term) (w wantedValue) {
	for i := range words {
		for n := min(maxWanted, len(words)-i); n > 0 && w.types == nil; n-- {
			plain := make([]string, n)
			for k := range n {
				plain[k] = words[i+k].plain
			}
			w.types = typesWanted[wantedBy[strings.Join(plain, " ")]]
		}
	}
	for _, t := range terms {
		for _, name := range t.alike {
			if u := unitsOf[name]; u != "" && w.unit == "" {
				w.unit = u
			}
		}
	}
	return w
}

// maxWanted is how many words the phrases have that say what is wanted.
const maxWanted = 4

// fits reports whether a value may be what a question wants.
func (w wantedValue) fits(v Reading) bool {
	typ := wstk.ValueType(v.Type)
	switch {
	case typ == wstk.ValueQuantity && w.unit != "" && v.Unit != w.unit:
		return false
	case w.types == nil:
		return true
	case !slices.Contains(w.types, typ):
		return false
	case typ == wstk.ValueNumber && slices.Contains(w.types, wstk.ValueDate):
		return isYear(v)
	}
	return true
}

// isYear reports whether a number may be a year.
func isYear(v Reading) bool {
	return v.Number != nil && len(v.Text) == 4 && *v.Number >= 1000 && *v.Number < 2200
}

// fit is how far two units answer a question, by those of its terms that are no names.
type fit struct {
	shared  int // terms that both state
	shown   int // terms that the form of a value shows for a unit that does not state them
	lacking int // terms that one states and the other lacks, and is no label with its value
	unnamed int // those of them that name an attribute
	over    int // terms that stand over one, and the other lacks
	neither int // terms that both lack
}

// fit counts the terms of a question in two units.
func (k *asked) fit(a, b *Proposition) (f fit) {
	for _, t := range k.terms {
		switch {
		case t.name, light[t.plain]:
		case !slices.Contains(k.either, t.plain):
			f.count(k, t, a, b)
		case k.choice(a) != "" && k.choice(b) != "":
			f.shared++
		}
	}
	return f
}

// count counts a term in two units.
func (f *fit) count(k *asked, t term, a, b *Proposition) {
	m, n := a.states(t), b.states(t)
	switch {
	case m && n:
		f.shared++
	case m:
		f.lacks(k, t, b)
	case n:
		f.lacks(k, t, a)
	case k.shown(a, t) && k.shown(b, t):
		f.shown++
	case a.covers(t) != b.covers(t):
		f.over++
	case !a.covers(t) && !(timely[t.plain] && len(a.Hours)+len(b.Hours) > 0):
		f.neither++
	}
}

// lacks counts a term that one unit states and p does not.
func (f *fit) lacks(k *asked, t term, p *Proposition) {
	switch {
	case k.shown(p, t):
		f.shown++
	case timely[t.plain] && len(p.Hours) > 0, p.covers(t), k.bare(p),
		t.thing && k.wants == "sense" && k.coveredName(p):
	default:
		f.lacking++
		if len(t.alike) > 0 {
			f.unnamed++
		}
	}
}

// shown reports whether the form of a value of a unit shows the attribute that a term names: a
// sum of money shows a price, if the unit names no other attribute of that kind.
func (k *asked) shown(p *Proposition, t term) bool {
	if priceMarks[t.mark] && (p.charges() || p.gratis()) ||
		len(p.Hours) > 0 && t.mark != "" &&
			(t.mark == endMarks[ends[0]] || t.mark == endMarks[ends[1]]) {
		return true
	}
	return slices.ContainsFunc(t.alike, func(name string) bool {
		if class := classOfAttribute[name]; class != "" && len(k.inClass(p, class)) > 0 {
			return true
		}
		types := typesOf[kindOf[name]]
		if !telling[kindOf[name]] {
			return false
		}
		return slices.ContainsFunc(p.Values, func(v Reading) bool {
			return slices.Contains(types, wstk.ValueType(v.Type)) &&
				(unitsOf[name] == "" || unitsOf[name] == v.Unit)
		})
	})
}

// classOfAttribute are the classes whose words show an attribute.
var classOfAttribute = map[string]string{"colour": "colours", "material": "materials"}

// telling are the kinds of attributes whose values show by their form what they are. A date may be
// of any event.
var telling = map[string]bool{"money": true, "measure": true, "phone": true,
	"email": true, "url": true,
	"percent": true, "time": true}

// answers compares two units as answers to a question: the question fixes the subject and the
// attribute, so that only what answers it has to be the same. It is final if the question decides.
func (k *asked) answers(a, b *Proposition) (r Relation, x, y Side, final bool) {
	v, w := k.values(a), k.values(b)
	f := k.fit(a, b)
	switch {
	case k.speaksOther(a, b, v), k.speaksOther(b, a, w):
		return Apart, none, none, true
	case k.aside(a, v), k.aside(b, w):
		return Apart, none, none, false
	}
	other := k.eitherOther(a, b)
	if r, x, y = k.likeFrames(a, b, f, other); r != Apart {
		return r, x, y, true
	}
	r, x, y = k.compare(a, b, v, w)
	switch {
	case r == Agree && !k.settled(a, b):
		return Apart, none, none, true
	case r != Agree && !k.limited(a, b):
		return Apart, none, none, false
	}
	if r == Agree && f.agree(k) && k.surely(a, b) ||
		r == Disagree && !other && k.clash(a, b, f) {
		return r, x, y, true
	}
	return Apart, none, none, other || f.over+f.lacking >= fewOver
}

// clash reports whether two units with different answers are surely of one thing at one time.
func (k *asked) clash(a, b *Proposition, f fit) bool {
	return f.disagree(k) && (!k.present || k.sameTime(a, b))
}

// likeFrames is what two units say that are framed alike; other reports whether one of them is
// about another thing.
func (k *asked) likeFrames(a, b *Proposition, f fit, other bool) (r Relation, x, y Side) {
	r, x, y = k.framed(a, b)
	if r == Disagree && !other && (f.over+f.lacking < fewOver || k.bothName(a, b)) ||
		r == Agree && k.settled(a, b) {
		return r, x, y
	}
	return Apart, none, none
}

// bothName reports whether the words of two units hold one name of the question.
func (k *asked) bothName(a, b *Proposition) bool {
	return slices.ContainsFunc(k.terms,
		func(t term) bool { return t.name && a.own[t.stem] && b.own[t.stem] })
}

// speaksOther reports whether p speaks of another attribute than the question, or says that
// something is wrong.
func (k *asked) speaksOther(p, o *Proposition, values []Reading) bool {
	return k.another(p, o, values) || k.modified(p, o) || p.doubted(k) || k.labelsOther(p, o)
}

// aside reports whether p speaks of another thing than the question, or of another value of it.
func (k *asked) aside(p *Proposition, values []Reading) bool {
	return p.headed(k) || k.otherSubject(p) || k.changed(p, values)
}

// surely reports whether two units that answer alike are of one thing at one time, and take nothing
// back.
func (k *asked) surely(a, b *Proposition) bool {
	return k.sameTime(a, b) && !a.dated && !b.dated && !a.takesUp() && !b.takesUp() &&
		(k.names == 0 || k.coveredName(a) && k.coveredName(b))
}

// agree reports whether two units that answer alike answer what is asked.
func (f fit) agree(k *asked) bool {
	if k.wants == "sense" {
		return f.shared > 0 && f.lacking+f.over+f.neither == 0
	}
	return f.shared+f.shown > 0 && f.lacking <= 1+f.shared
}

// disagree reports whether two units with different answers surely answer what is asked.
func (f fit) disagree(k *asked) bool {
	if k.wants == "sense" {
		return f.shared > 0 && f.lacking == 0 && f.neither <= f.shared
	}
	return f.shared+f.shown > 0 && (f.lacking == 0 || f.lacking == 1 && k.sparing(f)) &&
		f.neither <= f.shared && f.over < fewOver
}

// sparing reports whether two units that disagree may differ in one term of the question: it names
// no attribute, both state another one, and the answer shows by its form what it is, as no date
// does.
func (k *asked) sparing(f fit) bool {
	return f.shared > 0 && f.unnamed == 0 && len(k.value.types) > 0 &&
		!slices.Contains(k.value.types, wstk.ValueDate)
}

// fewOver is how many terms may stand over one of two units that disagree, and not over the other.
const fewOver = 2

// labelsOther reports whether the label of a unit is of something that neither the question nor the
// other unit names: "Jobs: …", where the address for bills is asked for.
func (k *asked) labelsOther(p, o *Proposition) bool {
	label := 0
	if i := strings.IndexByte(p.unit.Words, '\t'); i > 0 {
		label = i
	} else if i := strings.Index(p.unit.Words, ": "); i > 0 && i <= longestLabel {
		label = i
	}
	foreign := false
	for _, w := range p.words {
		switch {
		case w.Start >= label || w.stop || w.use == ofValue || wording.ScheduleWords[w.plain]:
		case k.meet(w), k.holds(w.stem), len(attributes[w.plain]) > 0, o.own[w.stem],
			p.over[w.stem] && len(p.unit.Labels) == 0, asking[w.plain]:
			return false
		default:
			foreign = true
		}
	}
	return foreign
}

// takesUp reports whether a clause behind the values of a unit points back to what was said, and
// may take it back: ", and this is in jest".
func (p *Proposition) takesUp() bool {
	for i, w := range p.words {
		if joins[w.plain] && p.valuedBefore(w.Start) {
			return slices.ContainsFunc(p.words[i+1:],
				func(w word) bool { return pointsBack[w.plain] })
		}
	}
	return false
}

// sameTime reports whether two units speak of one time: both of the present, or both of the past.
func (k *asked) sameTime(a, b *Proposition) bool {
	return a.timeless() || b.timeless() || a.past() == b.past()
}

// past reports whether a unit sets something in the past.
func (p *Proposition) past() bool {
	return slices.ContainsFunc(p.words, func(w word) bool {
		return tenses[w.plain] && w.Start >= p.from && w.Start < p.added
	})
}

// doubted reports whether a unit says that something is wrong, or only said, or stands under a
// heading that denies.
func (p *Proposition) doubted(k *asked) bool {
	if slices.ContainsFunc(p.denying, func(plain string) bool { return !k.plain[plain] }) {
		return true
	}
	return slices.ContainsFunc(p.words, func(w word) bool {
		return doubts[w.plain] && !k.plain[w.plain]
	})
}

// modified reports whether the name of the attribute has a word before it in p that makes it
// another one: the deputy head, the gross weight. The question or o may hold that word.
func (k *asked) modified(p, o *Proposition) bool {
	for _, a := range p.Attribute {
		if a.End == 0 || verbal[kindOf[a.Form]] || !k.asksForPart(p, a) {
			continue
		}
		first, _ := p.around(a.Range)
		if first == 0 || !adjoin(p.unit.Words, p.words[first-1], p.words[first]) {
			continue
		}
		if w := p.words[first-1]; !w.stop && !p.doer(first-1) && w.use != ofValue &&
			!ordinary[w.plain] &&
			!k.holds(w.stem) && !o.own[w.stem] &&
			!o.over[w.stem] {
			return true
		}
	}
	return false
}

// doer reports whether word i ends a name of two words and more, and a word in small letters stands
// behind it: who did something.
func (p *Proposition) doer(i int) bool {
	return i > 0 && i+1 < len(p.words) && p.capital(i) && p.capital(i-1) && !p.capital(i+1)
}

// verbal are the kinds of attributes that verbs name, before which their subject stands, and those
// whose value may stand before their name: the Apache licence.
var verbal = map[string]bool{"time": true, "date": true, "duration": true, "count": true,
	"maker": true, "word": true}

// changed reports whether a word right beside the value of a unit makes it another one: "fired
// 500", "12 more", "a marketing 40 bar", "£8 for locals".
func (k *asked) changed(p *Proposition, values []Reading) bool {
	const near = 2 // words
	for _, v := range values {
		first, last := p.around(v.Range)
		beside := slices.Concat(p.words[max(0, first-near):first],
			p.words[last:min(len(p.words), last+near)])
		if slices.ContainsFunc(beside, func(w word) bool {
			return changes[w.plain] && !k.plain[w.plain]
		}) || k.belongs(p, first) || wstk.ValueType(v.Type) == wstk.ValueMoney &&
			last < len(p.words) && narrows[p.words[last].plain] && k.narrowed(p, last+1) {
			return true
		}
	}
	return false
}

// belongs reports whether an article and a word that the question does not hold stand before word
// i: an article belongs to a noun, which a number is not.
func (k *asked) belongs(p *Proposition, i int) bool {
	return i > 1 && articleBefore(p.words[i-2]) && p.words[i-1].use == free &&
		!k.holds(p.words[i-1].stem)
}

// narrowed reports whether the first word from word i on that says something is neither a word of
// the question nor one that stands over the unit: "for locals".
func (k *asked) narrowed(p *Proposition, i int) bool {
	for _, w := range p.words[i:] {
		if !w.stop {
			return !p.over[w.stem] && !k.meet(w)
		}
	}
	return false
}

// articleBefore reports whether a word is an indefinite article of English.
func articleBefore(w word) bool { return w.plain == "a" || w.plain == "an" }

// around are the words of a unit before a range, and behind it.
func (p *Proposition) around(r text.Range) (before, behind int) {
	for before < len(p.words) && p.words[before].End <= r.Start {
		before++
	}
	behind = before
	for behind < len(p.words) && p.words[behind].Start < r.End {
		behind++
	}
	return before, behind
}

// framed compares two units of the same words but for a few in one place: what stands there is
// what each of them answers. Units of the same words all through agree.
func (k *asked) framed(a, b *Proposition) (r Relation, x, y Side) {
	const longest = 5 // words that differ
	n := 0            // words that both begin with
	for n < min(len(a.words), len(b.words)) && a.words[n].plain == b.words[n].plain {
		n++
	}
	if n > 0 && k.meets(a.words[:n]) && a.onlyAdds(n) && b.onlyAdds(n) {
		return Agree, none, none
	}
	if n == len(a.words) || n == len(b.words) {
		return Apart, none, none
	}
	for sum := 2; sum <= 2*longest; sum++ {
		for i := max(1, sum-longest); i < sum && i <= longest; i++ {
			same := a.follows(n+i, b, n+sum-i)
			if same >= 0 && (k.meets(a.words[:n]) || k.meets(a.words[n+i:n+i+same])) {
				return k.fillers(a, b, a.words[n:min(n+i, len(a.words))],
					b.words[n:min(n+sum-i, len(b.words))])
			}
		}
	}
	return Apart, none, none
}

// meets reports whether some words say what is asked: one is a term that is no name.
func (k *asked) meets(words []word) bool { return slices.ContainsFunc(words, k.meet) }

// meet reports whether a word is a term of the question that is no name, or is used for one; an
// antonym is used for the word that it denies.
func (k *asked) meet(w word) bool {
	plain, _ := wording.Antonym(w.plain)
	return slices.ContainsFunc(k.terms, func(t term) bool {
		return !t.name && (t.stem == w.stem || t.mark != "" && t.mark == related[w.stem] ||
			kin(t.plain, w.plain) || plain != "" && kin(t.plain, plain))
	})
}

// follows is how many words of two units from i and from j on are the same, up to where a clause
// ends in both; -1 if it does not end after the same words.
func (p *Proposition) follows(i int, o *Proposition, j int) int {
	for n := 0; i+n <= len(p.words) && j+n <= len(o.words); n++ {
		if p.ends(i+n) && o.ends(j+n) {
			return n
		}
		if i+n == len(p.words) || j+n == len(o.words) || p.words[i+n].plain != o.words[j+n].plain {
			return -1
		}
	}
	return -1
}

// onlyAdds reports whether a clause ends before word i, and what follows has no value that may
// answer.
func (p *Proposition) onlyAdds(i int) bool {
	return p.ends(i) && (i == len(p.words) || !slices.ContainsFunc(p.words[i:], func(w word) bool {
		return w.use == ofValue || turnsBack(w)
	}) && !strings.Contains(p.unit.Words, "\t"))
}

// ends reports whether a clause ends before word i: the unit does, or a sign or a word that joins
// stands there.
func (p *Proposition) ends(i int) bool {
	if i == 0 || i > len(p.words) {
		return false
	}
	if i == len(p.words) || joins[p.words[i].plain] {
		return true
	}
	return strings.ContainsAny(p.unit.Words[p.words[i-1].End:p.words[i].Start], ",;.!)–\t")
}

// fillers compares what two units of one frame say in the place where they differ: values of one
// type, or words behind a verb of being or a label.
func (k *asked) fillers(a, b *Proposition, m, n []word) (r Relation, x, y Side) {
	v, w := k.valuesIn(a, m), k.valuesIn(b, n)
	if len(v) > 0 && len(w) > 0 {
		r, x, y = compareReadings(v, w)
		if r == Disagree && (k.opens(a, b, m) || k.opens(b, a, n)) {
			return Apart, none, none
		}
		return r, x, y
	}
	if len(v)+len(w) > 0 || !a.isBefore(m[0]) || !k.answerWords(m) || !k.answerWords(n) {
		return Apart, none, none
	}
	s := a.unit.Words[m[0].Start:m[len(m)-1].End]
	t := b.unit.Words[n[0].Start:n[len(n)-1].End]
	if samePerson(s, t) {
		return Apart, none, none
	}
	return Disagree, Side{fold(s), s}, Side{fold(t), t}
}

// opens reports whether some words begin a unit and hold one that says what it is about, and that
// the question does not have, and that neither stands over the unit nor in o.
func (k *asked) opens(p, o *Proposition, words []word) bool {
	return words[0].Start == p.words[0].Start && slices.ContainsFunc(words, func(w word) bool {
		return w.use == free && !w.stop && !k.meet(w) && !k.holds(w.stem) && !p.over[w.stem] &&
			!o.own[w.stem]
	})
}

// compareReadings compares values of one thing.
func compareReadings(v, w []Reading) (r Relation, x, y Side) {
	if covers(v, w) && covers(w, v) {
		return Agree, none, none
	}
	if m, n, ok := Opposite(v, w); ok {
		return Disagree, Side{m.Norm, m.Text}, Side{n.Norm, n.Text}
	}
	return Apart, none, none
}

// valuesIn are the values of a unit within some of its words that may be what is asked for.
func (k *asked) valuesIn(p *Proposition, words []word) (out []Reading) {
	for _, v := range p.Values {
		if k.value.fits(v) && words[0].Start < v.End && v.Start < words[len(words)-1].End {
			out = append(out, v)
		}
	}
	return out
}

// isBefore reports whether a form of "to be", or the end of a label, stands before a word.
func (p *Proposition) isBefore(w word) bool {
	before := p.unit.Words[:w.Start]
	if strings.HasSuffix(before, "\t") || strings.HasSuffix(strings.TrimSpace(before), ":") {
		return true
	}
	return slices.ContainsFunc(p.words, func(o word) bool {
		return o.End <= w.Start && being[o.plain]
	})
}

// answerWords reports whether some words may answer: none denies, and the question has none.
func (k *asked) answerWords(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool {
		return w.denies() || k.holds(w.stem)
	})
}

// Bears reports whether a unit holds what the question asks for: a value of the kind that it wants,
// if that is read by its form. It is true if the question wants no such value, and without one.
func (q *Question) Bears(p *Proposition) bool {
	k := q.of(p.unit.Lang)
	return k == nil || k.value.types == nil || len(k.values(p)) > 0 || len(p.Hours) > 0
}

// deniesValue reports whether a unit denies what it says of its values: "is not 40 m deep", but
// not "is 40 m deep without the mud".
func (p *Proposition) deniesValue(v []Reading) bool {
	denied := false
	for _, w := range p.words {
		if len(v) > 0 && w.Start < v[0].Start && w.Start >= p.from && negates(w.plain) {
			denied = !denied
		}
	}
	return denied
}

// otherSubject reports whether a unit speaks of another thing that it names, and of none that the
// question names: "Our first chair, Sir Hugh Pell, died in 1964." A name that answers stands behind
// the attribute.
func (k *asked) otherSubject(p *Proposition) bool {
	if k.wantsName() || wordKinds[p.kind] || slices.ContainsFunc(k.terms,
		func(t term) bool { return t.name && p.own[t.stem] }) {
		return false
	}
	end := len(p.unit.Words)
	if len(p.Values) > 0 {
		end = p.Values[0].Start
	}
	return slices.ContainsFunc(p.names, func(n Part) bool {
		return n.Start > 0 && n.End < end && strings.ContainsRune(n.Form, ' ') && k.free(p, p, n)
	}) && !strings.HasPrefix(p.unit.Lang, "de")
}

// Weight says how much of what a question asks a unit states: of several units of one page the one
// that states most answers.
func (q *Question) Weight(p *Proposition) (n int) {
	k := q.of(p.unit.Lang)
	if k == nil {
		return 0
	}
	for _, t := range k.terms {
		switch {
		case light[t.plain]:
		case p.states(t):
			n += 2
		case k.shown(p, t), p.covers(t):
			n++
		}
	}
	return n
}

// reached compares where units say that something can be reached: addresses of mail and of pages.
func (k *asked) reached(a, b *Proposition) (r Relation, x, y Side) {
	address := func(p *Proposition) (out []Reading) {
		for _, v := range p.Values {
			if t := wstk.ValueType(v.Type); t == wstk.ValueEmail || t == wstk.ValueURL {
				out = append(out, v)
			}
		}
		return out
	}
	v, w := address(a), address(b)
	if len(v) != 1 || len(w) != 1 {
		return Apart, none, none
	}
	return compareReadings(v, w)
}

// priceMarks are those of the words that ask for a price.
var priceMarks = map[string]bool{"≈cost": true, "≈free": true}

// priced reports whether a question is for a price, or for whether there is one.
func (k *asked) priced() bool {
	return slices.ContainsFunc(k.terms, func(t term) bool {
		return priceMarks[t.mark] || slices.Contains(t.alike, "price")
	})
}

// prices compares a price with none: "£6" and "free of charge".
func (k *asked) prices(a, b *Proposition) (r Relation, x, y Side) {
	m, n := a.gratis(), b.gratis()
	switch {
	case m && n:
		return Agree, none, none
	case m && b.charges():
		return Disagree, Side{Norm: "free"}, Side{b.Values[0].Norm, b.Values[0].Text}
	case n && a.charges():
		return Disagree, Side{a.Values[0].Norm, a.Values[0].Text}, Side{Norm: "free"}
	}
	return Apart, none, none
}

// gratis reports whether a unit says that something costs nothing, and names no price.
func (p *Proposition) gratis() bool {
	return !p.charges() && !p.Denied && slices.ContainsFunc(p.words,
		func(w word) bool { return gratis[w.plain] })
}

// charges reports whether the first value of a unit is a sum of money.
func (p *Proposition) charges() bool {
	return len(p.Values) > 0 && wstk.ValueType(p.Values[0].Type) == wstk.ValueMoney
}

// readFractions takes shares that are told as fractions: a quarter of, half of.
func (p *Proposition) readFractions() {
	for i, w := range p.words {
		share := fractions[w.plain]
		if share == 0 {
			continue
		}
		at := w.Range
		if i > 0 && strings.HasSuffix(w.plain, "s") {
			n := times[p.words[i-1].plain]
			if n == 0 {
				continue
			}
			share, at.Start = share*n, p.words[i-1].Start
		}
		covers := func(v Reading) bool { return v.Start < at.End && at.Start < v.End }
		if slices.ContainsFunc(p.Values, func(v Reading) bool {
			return covers(v) && wstk.ValueType(v.Type) != wstk.ValueNumber
		}) {
			continue // a quarter past nine
		}
		p.Values = slices.DeleteFunc(p.Values, covers) // the three of three quarters
		number := 100 * share
		norm := strconv.FormatFloat(number, 'f', -1, 64) + " %"
		p.Values = append(p.Values,
			Reading{Value: value.Value{Type: string(wstk.ValueQuantity), Range: at,
				Text: p.unit.Words[at.Start:at.End], Number: &number, Unit: "%", Norm: norm}})
		for k := range p.words {
			if p.words[k].Start >= at.Start && p.words[k].End <= at.End {
				p.words[k].use = ofValue
			}
		}
	}
}
