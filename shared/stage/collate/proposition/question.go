package proposition

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	words "wstk/shared/text/related"
)

// Question is what was asked. It says which words of two units name the subject and the
// attribute, so that the units need not be alike otherwise: for "Who designed the Orm mill?"
// those are "designed" and "Orm mill", and the name that stands beside them is the value.
// It is not safe for concurrent use: it is read anew for each language of a page, once.
type Question struct {
	text string
	in   map[string]*asked // by language
}

// Ask returns the Question of some words. They are read when a page's language is known.
func Ask(query string) *Question { return &Question{text: query, in: map[string]*asked{}} }

// asked is a question in the language of a page.
type asked struct {
	terms   []term
	plain   map[string]bool // all words, in small letters
	names   int             // terms that are names
	wants   string          // person, place, sense (yes or no), or "" for anything else
	value   wantedValue     // of the values that are read by their form
	present bool            // it asks for what is so now
	past    bool            // it asks for what was
	either  []string        // the two answers that it offers: easy or difficult
}

// term is a word of a question that says something.
type term struct {
	stem  string
	plain string
	name  bool     // a name, or a number: the thing itself
	thing bool     // behind a name, without a word between: a part of what it names
	alike []string // attributes that its phrase may name
	mark  string   // of the words that are used for it; "" if it has none
	near  []string // stems of the words that are closely related to it, none of a name
}

// of is the question as a page of a language reads it.
func (q *Question) of(lang string) *asked {
	if q == nil {
		return nil
	}
	a := q.in[lang]
	if a == nil {
		a = readQuestion(q.text, lang)
		q.in[lang] = a
	}
	return a
}

func readQuestion(query, lang string) *asked {
	words := wordsOf(query, lang)
	a := &asked{wants: kindAsked(words), plain: map[string]bool{}}
	for _, w := range words {
		a.plain[w.plain] = true
		a.past = a.past || pasts[w.plain]
		a.present = a.present || being[w.plain] && !tenses[w.plain] ||
			asks[w.plain] == "sense" && !tenses[w.plain]
	}
	for i := 0; i < len(words); {
		n, names := phraseAt(words[i:])
		for k := i; k < i+max(n, 1); k++ {
			if w := words[k]; !empty(w, n) {
				t := term{stem: w.stem, plain: w.plain, alike: names,
					name: n == 0 && namesThing(query, w, k)}
				if !t.name {
					t.mark, t.near = related[t.stem], nearTo(w.plain, lang)
				}
				a.add(t)
			}
		}
		i += max(n, 1)
	}
	for i := 1; i+1 < len(words); i++ {
		if between[words[i].plain] && !words[i-1].stop && !words[i+1].stop {
			a.either = []string{words[i-1].plain, words[i+1].plain}
		}
	}
	a.value = valueWanted(words, a.terms)
	a.readThings(query, words)
	return a
}

// closely is how closely a word is related that a page may use for one of the question.
const closely = .6

// nearTo are the stems of the words that are closely related to an English one.
func nearTo(plain, lang string) (out []string) {
	if !strings.HasPrefix(lang, "en") && lang != "" {
		return nil
	}
	for _, w := range words.Of(plain) {
		if w.Weight >= closely {
			out = append(out, wording.Stem(w.Text, lang))
		}
	}
	return out
}

// readThings notes the terms right behind a name: the Highmoor mountain rescue base. Of a question
// with a verb at its end, "when did the Orm dam open", the last word is none.
func (k *asked) readThings(query string, words []word) {
	isTerm := map[string]int{}
	for i, t := range k.terms {
		isTerm[t.plain] = i + 1
	}
	behind := false
	for i, w := range words {
		n := isTerm[w.plain]
		if n == 0 {
			behind = false
			continue
		}
		t := &k.terms[n-1]
		if i > 0 && !adjoin(query, words[i-1], w) {
			behind = false
		}
		if t.name {
			behind = true
		} else if behind && len(t.alike) == 0 {
			t.thing = i < len(words)-1
		}
	}
}

// kindAsked is for what a question asks, by its first words.
func kindAsked(words []word) string {
	const first = 3
	for i, w := range words[:min(len(words), first)] {
		if of := asks[w.plain]; of != "" && (of != "sense" || i == 0) {
			return of
		}
	}
	return ""
}

// empty reports whether a word of a question says nothing; it is in a phrase of n words that
// names an attribute, 0 for none.
func empty(w word, n int) bool {
	return w.stop && n != 1 || n == 0 && (asking[w.plain] || asks[w.plain] != "")
}

// namesThing reports whether word k of a question is a name, or a number.
func namesThing(query string, w word, k int) bool {
	first, _ := utf8.DecodeRuneInString(query[w.Start:w.End])
	return k > 0 && unicode.IsUpper(first) && w.End-w.Start > 2 || holdsDigit(w.plain)
}

func (k *asked) add(t term) {
	if t.name {
		k.names++
	}
	k.terms = append(k.terms, t)
}

func holdsDigit(s string) bool { return strings.ContainsAny(s, wording.Digits) }

// phraseAt is the longest phrase of attributes that words begin with, and what it may name.
func phraseAt(words []word) (n int, names []string) {
	for n := min(longestAt(words), len(words)); n > 0; n-- {
		plain := make([]string, n)
		for i := range n {
			plain[i] = words[i].plain
		}
		if as := attributes[strings.Join(plain, " ")]; len(as) > 0 {
			for _, a := range as {
				names = append(names, a.name)
			}
			return n, names
		}
	}
	return 0, nil
}

// covers reports whether a unit, or what stands over it, holds a term.
func (p *Proposition) covers(t term) bool {
	const long = 4 // letters of a name that is surely not part of another word
	return p.holdsTerm(t) || p.over[t.stem] || t.mark != "" && p.over[t.mark] ||
		t.name && p.over["v"+t.plain] ||
		len(t.plain) >= long && strings.Contains(p.address, t.plain)
}

// holdsTerm reports whether a unit itself holds a term, or an attribute that the term names.
func (p *Proposition) holdsTerm(t term) bool {
	if p.own[t.stem] || t.mark != "" && p.own[t.mark] {
		return true
	}
	if slices.ContainsFunc(t.near, func(stem string) bool { return p.own[stem] }) {
		return true
	}
	return slices.ContainsFunc(t.alike, func(name string) bool {
		return p.named[name] || len(p.Hours) > 0 && slices.Contains(ends, name)
	}) || !t.name && slices.ContainsFunc(p.words, func(w word) bool {
		return kin(t.plain, w.plain)
	})
}

// kin reports whether two words begin alike, but for an ending: nació, nacimiento.
func kin(a, b string) bool {
	const fewest = 4 // bytes
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n >= fewest && n+2 >= len(a)
}

// Differ reports whether two units surely speak of different things: one lacks a name of the
// question that the other has, or one noun has other names or numbers beside it, as "Harbour
// Museum" and "City Museum". q is nil if the question is not known.
func Differ(a, b *Proposition, q *Question) bool {
	k := q.of(a.unit.Lang)
	return k != nil && (k.lacksName(a, b) || k.lacksName(b, a) || k.misplaced(a) ||
		k.misplaced(b)) || tellsApart(a, b, q)
}

// misplaced reports whether a unit stands under another heading than the one of its page that
// names the thing of the question: under "Salt cave" where the ice cave is asked for.
func (k *asked) misplaced(p *Proposition) bool {
	return slices.ContainsFunc(k.terms, func(t term) bool {
		return len(t.alike) == 0 && p.unit.Headings[t.stem] && !p.covers(t)
	})
}

// lacksName reports whether a unit lacks a name of the question that the other has: it has
// none of the names, or has others, or lacks one with digits.
func (k *asked) lacksName(p, o *Proposition) bool {
	lacks := false
	for _, t := range k.terms {
		if t.name && o.covers(t) && !p.covers(t) {
			if holdsDigit(t.plain) {
				return true
			}
			lacks = true
		}
	}
	return lacks && (!k.coveredName(p) || k.otherName(p) || k.replaced(p))
}

// replaced reports whether a line over a unit has another name in the place of one that the
// question has: "Rail Nord Pass" for the Fjord Pass, "Hardware in Millbank" for Kingsgate.
func (k *asked) replaced(p *Proposition) bool {
	return slices.ContainsFunc(p.namesOver, func(name []string) bool {
		return slices.ContainsFunc(name, func(stem string) bool { return !k.holds(stem) })
	}) && !strings.HasPrefix(p.unit.Lang, "de")
}

// otherName reports whether a unit holds a name that the question does not.
func (k *asked) otherName(p *Proposition) bool {
	if strings.HasPrefix(p.unit.Lang, "de") { // all nouns have capitals
		return false
	}
	end := p.added
	for _, a := range p.Attribute {
		if a.End > 0 {
			end = min(end, a.Start) // behind it stands its value
		}
	}
	return slices.ContainsFunc(p.names, func(n Part) bool {
		return n.Start > 0 && n.Start < end && k.free(p, p, n)
	})
}

// another reports whether a unit names another attribute of the kind of its value, beside that and
// not the one that is asked for; neither the question nor the other unit names it: shipping beside
// a price.
func (k *asked) another(p, o *Proposition, values []Reading) bool {
	if wordKinds[p.kind] || k.wantsName() {
		return false
	}
	from, to := p.clauseOf(values)
	return slices.ContainsFunc(p.Attribute, func(a Part) bool {
		return kindOf[a.Form] == p.kind && !o.named[a.Form] && !k.asksForPart(p, a) &&
			(a.End == 0 || from <= a.Start && a.End <= to)
	})
}

// clauseOf is the part of a unit between commas that holds the first of some values; all of it
// without one.
func (p *Proposition) clauseOf(values []Reading) (from, to int) {
	to = len(p.unit.Words)
	if len(values) == 0 {
		return 0, to
	}
	label := p.labelBefore(values[0].Start)
	for i := 0; i+1 < to; i++ {
		if !strings.ContainsRune(",;\t", rune(p.unit.Words[i])) ||
			label.Start <= i && i < label.End ||
			p.unit.Words[i] == ',' && p.unit.Words[i+1] != ' ' {
			continue
		}
		if i < values[0].Start {
			from = i
		} else if i >= values[0].End {
			return from, i
		}
	}
	return from, to
}

// labelBefore is the label that a colon ends right before byte i, from the value before it on; it
// is empty without one: "Dr Orm, mobile, nights only: ".
func (p *Proposition) labelBefore(i int) (at text.Range) {
	if !strings.HasSuffix(strings.TrimSpace(p.unit.Words[:i]), ":") {
		return at
	}
	at.End = i
	for _, v := range p.Values {
		if v.End <= i {
			at.Start = max(at.Start, v.End+1)
		}
	}
	return at
}

// asksForPart reports whether a term of the question names an attribute of a unit, or is used for
// the words that name it.
func (k *asked) asksForPart(p *Proposition, a Part) bool {
	if k.asksFor(a.Form) {
		return true
	}
	return slices.ContainsFunc(k.terms, func(t term) bool {
		if t.name {
			return false
		}
		if a.End == 0 {
			return p.label[t.stem] || t.mark != "" && p.label[t.mark]
		}
		return slices.ContainsFunc(p.touching(a.Range), func(w word) bool {
			return w.stem == t.stem || t.mark != "" && related[w.stem] == t.mark
		})
	})
}

// states reports whether a unit, or its label, holds a term.
func (p *Proposition) states(t term) bool {
	return p.holdsTerm(t) || p.label[t.stem] || t.mark != "" && p.label[t.mark]
}

// coveredName reports whether a unit has a name of the question in or over it.
func (k *asked) coveredName(p *Proposition) bool {
	return slices.ContainsFunc(k.terms, func(t term) bool { return t.name && p.covers(t) })
}

// bare reports whether a unit is a label and a value, without a subject of its own. A label
// with words that neither the question nor the title holds is of something else.
func (k *asked) bare(p *Proposition) bool {
	label, _, ok := strings.Cut(p.unit.Words, "\t")
	if !ok {
		label, _, ok = strings.Cut(p.unit.Words, ": ")
	}
	switch {
	case ok && len(label) <= longestLabel:
	case len(p.unit.Labels) > 0 && len(p.unit.Words) <= longestLabel:
		label = p.unit.Labels[0]
	default:
		return len(p.Subject) == 0
	}
	for _, w := range wordsOf(label, p.unit.Lang) {
		if !w.stop && !k.holds(w.stem) && !asking[w.plain] && len(attributes[w.plain]) == 0 {
			return false
		}
	}
	return true
}

// longestLabel is how long a label, or a value, may be, in bytes.
const longestLabel = 60

// limited reports whether both sides are limited alike, and as the question is.
func (k *asked) limited(a, b *Proposition) bool {
	return k.limitedAs(a, b) && k.limitedAs(b, a)
}

// limitedAs reports whether each limit of a unit is one of the other, or of what stands over
// that, or of the question.
func (k *asked) limitedAs(p, o *Proposition) bool {
	for m := range p.limits {
		if !o.limits[m] && !k.holds(wording.Stem(m, p.unit.Lang)) &&
			!o.over[wording.Stem(m, o.unit.Lang)] && !k.repeats(p, m) {
			return false
		}
	}
	return true
}

// repeats reports whether a limit of a unit stands before a word of the question: "after dark",
// where it asks for the night.
func (k *asked) repeats(p *Proposition, limit string) bool {
	for i, w := range p.words[:max(0, len(p.words)-1)] {
		if next := p.words[i+1]; w.plain == limit {
			return slices.ContainsFunc(k.terms, func(t term) bool {
				return t.stem == next.stem || t.mark != "" && related[next.stem] == t.mark
			})
		}
	}
	return false
}

// limitsOf are the words that limit a unit, without those of a clause that is added to it and
// those that only stress.
func (p *Proposition) limitsOf() map[string]bool {
	out := map[string]bool{}
	end := min(p.added, p.tail())
	for _, w := range p.words {
		if p.from <= w.Start && w.Start < end && p.marks[w.plain] &&
			!stress[w.plain] && !timely[w.plain] {
			out[w.plain] = true
		}
	}
	return out
}

// tail is where the "and" stands behind which a unit goes on to something else, in bytes, or its
// end: a value stands before it, and neither a value nor a limit right behind it.
func (p *Proposition) tail() int {
	for i := 1; i+1 < len(p.words); i++ {
		if next := p.words[i+1]; joins[p.words[i].plain] && p.valuedBefore(p.words[i].Start) &&
			next.use != ofValue && !p.marks[next.plain] {
			return p.words[i].Start
		}
	}
	return len(p.unit.Words)
}

// headed reports whether a unit is about another thing that it places beside the thing of the
// question: "the hill with the mast", "the door of the cabin".
func (p *Proposition) headed(k *asked) bool {
	for i := 0; i+2 < len(p.words) && i < 4; i++ {
		w, next := p.words[i], p.words[i+1]
		if w.use != free || !beside[next.plain] {
			continue
		}
		return !k.holds(w.stem) && !p.over[w.stem] || !k.holds(w.stem) && next.plain == "with"
	}
	return false
}

func (k *asked) holds(stem string) bool {
	return slices.ContainsFunc(k.terms, func(t term) bool { return t.stem == stem })
}

// compare compares what two units answer; v and w are their values.
func (k *asked) compare(a, b *Proposition, v, w []Reading) (r Relation, x, y Side) {
	if k.wantsName() {
		if r, x, y = k.named(a, b); r == Apart && k.wants == "place" {
			return k.reached(a, b)
		}
		return r, x, y
	}
	if wording.Mixed(a.Hours, b.Hours) {
		return k.compareEnds(a, b)
	}
	if r, x, y = k.compareForms(a, b); r != Apart {
		return r, x, y
	}
	switch {
	case k.wants == "sense" || k.sense(a) != "" && k.sense(b) != "":
		return k.senses(a, b)
	case a.kind == "version" && b.kind == "version",
		k.asksVersion() && len(a.Values)+len(b.Values) == 0:
		return k.versions(a, b)
	case len(v) > 0 && len(w) > 0:
		return k.measured(a, b, v, w)
	}
	if r, x, y = k.classes(a, b); r != Apart {
		return r, x, y
	}
	if r, x, y = k.named(a, b); r != Apart {
		return r, x, y
	}
	return k.worded(a, b)
}

// worded compares the words of two units that the question asks for by no form: "Roof: copper" and
// "The roof is covered with copper." agree if they share one that stands over neither.
func (k *asked) worded(a, b *Proposition) (r Relation, x, y Side) {
	if len(k.value.types) > 0 || a.deniesAny() != b.deniesAny() ||
		len(k.values(a))+len(k.values(b)) > 0 {
		return Apart, none, none
	}
	if slices.ContainsFunc(a.words, func(w word) bool { return k.tells(a, b, w) }) {
		return Agree, none, none
	}
	return Apart, none, none
}

// compareForms compares prices, if the question is for one, or else hours.
func (k *asked) compareForms(a, b *Proposition) (r Relation, x, y Side) {
	if k.priced() {
		r, x, y = k.prices(a, b)
	}
	if r == Apart {
		r, x, y = compareSchedules(a, b)
	}
	return r, x, y
}

// compareSchedules is compareHours for any two units.
func compareSchedules(a, b *Proposition) (r Relation, x, y Side) {
	if len(a.Hours)+len(b.Hours) == 0 {
		return Apart, none, none
	}
	return compareHours(a, b)
}

// compareEnds compares hours with the time at which they begin or end, as the question asks:
// "9:00–13:00" and "shut at 1 pm".
func (k *asked) compareEnds(a, b *Proposition) (r Relation, x, y Side) {
	for end, name := range ends {
		if !k.asksForEnd(name) {
			continue
		}
		same, comparable := wording.SameEnd(a.Hours, b.Hours, end)
		if !comparable {
			same, comparable = wording.SameEnd(b.Hours, a.Hours, end)
		}
		switch {
		case same:
			return Agree, none, none
		case comparable:
			v, w := a.unit.Words, b.unit.Words
			return Disagree, Side{text.FoldCompare(v), v}, Side{text.FoldCompare(w), w}
		}
	}
	return Apart, none, none
}

// asksForEnd reports whether the question is for one end of hours.
func (k *asked) asksForEnd(name string) bool {
	return k.asksFor(name) || slices.ContainsFunc(k.terms, func(t term) bool {
		return t.mark != "" && t.mark == endMarks[name]
	})
}

// endMarks are those of the words that ask for an end of hours.
var endMarks = map[string]string{"opening time": "≈open", "closing time": "≈close"}

// wantsName reports whether the question is for a person or a place.
func (k *asked) wantsName() bool { return k.wants == "person" || k.wants == "place" }

// asksVersion reports whether the question is for a version.
func (k *asked) asksVersion() bool {
	return slices.ContainsFunc(k.terms, func(t term) bool { return versions[t.plain] })
}

// sense is yes or no where a label is answered so; else "".
func (k *asked) sense(p *Proposition) string {
	_, said, ok := strings.Cut(p.unit.Words, "\t")
	if !ok {
		_, said, ok = strings.Cut(p.unit.Words, ":")
	}
	if !ok {
		said = p.unit.Words
	}
	said = strings.Trim(strings.ToLower(said), " .!\t")
	return affirms[said]
}

// senses compares two units that answer whether something is so.
func (k *asked) senses(a, b *Proposition) (r Relation, x, y Side) {
	if k.either != nil {
		return k.chooses(a, b)
	}
	m, n := k.sense(a), k.sense(b)
	if m == "" {
		m = k.said(a)
	}
	if n == "" {
		n = k.said(b)
	}
	switch {
	case m == "" || n == "":
		return Apart, none, none
	case m != n:
		return Disagree, Side{Norm: m}, Side{Norm: n}
	case k.sense(a) == "" && k.sense(b) == "" && a.deniesAny() != b.deniesAny():
		return Apart, none, none
	}
	return Agree, none, none
}

// chooses compares which of the two answers that the question offers two units give.
func (k *asked) chooses(a, b *Proposition) (r Relation, x, y Side) {
	m, n := k.choice(a), k.choice(b)
	switch {
	case m == "" || n == "":
		return Apart, none, none
	case m != n:
		return Disagree, Side{m, m}, Side{n, n}
	}
	return Agree, none, none
}

// choice is the one answer of those that the question offers that a unit gives; "" if it gives
// none or both, or denies something.
func (k *asked) choice(p *Proposition) (one string) {
	for _, w := range p.words {
		offered := slices.Contains(k.either, w.plain)
		switch {
		case negates(w.plain), offered && one != "" && one != w.plain:
			return ""
		case offered:
			one = w.plain
		}
	}
	return one
}

// deniesAny reports whether a word of a unit denies.
func (p *Proposition) deniesAny() bool { return slices.ContainsFunc(p.words, word.denies) }

// said is yes or no, as the clause says that holds most words of the question; "" if none does.
func (k *asked) said(p *Proposition) string {
	said, _ := k.told(p)
	return said
}

// told is what said is, and the clause that says it.
func (k *asked) told(p *Proposition) (best string, at text.Range) {
	most, from := 0, 0
	for i, r := range p.unit.Words + "," {
		if !strings.ContainsRune(",;:", r) {
			continue
		}
		held, denied := 0, false
		for _, w := range p.touching(text.Range{Start: from, End: i}) {
			if w.Start < from || w.End > i {
				continue
			}
			if k.meet(w) {
				held++
			}
			denied = denied != w.denies()
		}
		if held > most {
			best, most, at = yesOr(denied), held, text.Range{Start: from, End: i}
		}
		from = i
	}
	return best, at
}

// denies reports whether a word turns what its clause says into the opposite.
func (w word) denies() bool {
	_, not := wording.Antonym(w.plain)
	return not || negates(w.plain) || lacking[w.plain]
}

// negates reports whether a word in small letters is one such as "not", "cannot", "isn't".
func negates(plain string) bool {
	return wording.Negators[plain] || strings.HasSuffix(plain, "n't")
}

// yesOr is "no" if something is denied, else "yes".
func yesOr(denied bool) string {
	if denied {
		return "no"
	}
	return "yes"
}

// values are those of a unit that may answer: not stated by the question, and of the kind of
// its attribute. Of several of one type it is the one nearest to a word of the question.
func (k *asked) values(p *Proposition) (out []Reading) {
	named := k.heldBy(p)
	var near []int // by value of out
	of := p.Values
	if len(k.value.types) == 0 { // the question does not say which values are wanted
		of, _ = p.ofKind()
	}
	for _, v := range of {
		if v.Start >= p.added || k.holds(strings.ToLower(v.Text)) || !k.value.fits(v) {
			continue
		}
		i := slices.IndexFunc(out, func(o Reading) bool { return o.Type == v.Type })
		n := distance(named, v.Range, len(p.unit.Words))
		switch {
		case i < 0:
			out, near = append(out, v), append(near, n)
		case n < near[i]:
			out[i], near[i] = v, n
		}
	}
	return out
}

// heldBy are the words of a unit that the question holds, or that name an attribute.
func (k *asked) heldBy(p *Proposition) (out []word) {
	for _, w := range p.words {
		if w.use == ofAttribute || w.use != ofValue && k.holds(w.stem) {
			out = append(out, w)
		}
	}
	return out
}

// distance is how many bytes lie between a range and the nearest of some words; most without
// one.
func distance(words []word, r text.Range, most int) int {
	after := sort.Search(len(words), func(i int) bool { return words[i].Start >= r.End })
	if after < len(words) {
		most = min(most, words[after].Start-r.End)
	}
	for i := after - 1; i >= 0; i-- {
		if words[i].End <= r.Start {
			return min(most, r.Start-words[i].End+1) // a word behind is nearer than one before
		}
	}
	return most
}

// measured compares values that show by their form what they are.
func (k *asked) measured(a, b *Proposition, v, w []Reading) (r Relation, x, y Side) {
	types := map[string]bool{}
	for _, m := range v {
		types[m.Type] = true
	}
	shared := 0
	for _, n := range w {
		if types[n.Type] {
			shared++
		}
	}
	if shared == 0 || a.deniesValue(v) != b.deniesValue(w) {
		return Apart, none, none
	}
	keep := func(vs, of []Reading) (out []Reading) {
		for _, m := range vs {
			if slices.ContainsFunc(of, func(n Reading) bool { return n.Type == m.Type }) {
				out = append(out, m)
			}
		}
		return out
	}
	m, n := keep(v, w), keep(w, v)
	if covers(m, n) && covers(n, m) {
		return Agree, none, none
	}
	if m, n, ok := Opposite(m, n); ok {
		return Disagree, Side{m.Norm, m.Text}, Side{n.Norm, n.Text}
	}
	return Apart, none, none
}

// versions compares the versions beside the words of the question.
func (k *asked) versions(a, b *Proposition) (r Relation, x, y Side) {
	m, n := k.versionOf(a), k.versionOf(b)
	switch {
	case m == "" || n == "":
		return Apart, none, none
	case m == n:
		return Agree, none, none
	}
	return Disagree, Side{m, m}, Side{n, n}
}

// versionOf is the only number of a unit that the question does not state; "" without one.
func (k *asked) versionOf(p *Proposition) (version string) {
	for _, n := range slices.Sorted(func(yield func(string) bool) {
		for n := range p.numbers {
			if !k.holds(n) && !yield(n) {
				return
			}
		}
	}) {
		if version != "" && !strings.HasPrefix(version, n) && !strings.HasPrefix(n, version) {
			return ""
		}
		if len(n) > len(version) {
			version = n
		}
	}
	return version
}

// classes compares the only words of one class, such as the colours, that one side has alone.
func (k *asked) classes(a, b *Proposition) (r Relation, x, y Side) {
	for class := range classNames {
		m, n := k.inClass(a, class), k.inClass(b, class)
		if len(m) == 0 || len(n) == 0 {
			continue
		}
		onlyA, onlyB := without(m, n), without(n, m)
		switch {
		case len(onlyA) == 1 && len(onlyB) == 1:
			return Disagree, Side{onlyA[0], onlyA[0]}, Side{onlyB[0], onlyB[0]}
		case len(onlyA)+len(onlyB) == 0:
			return Agree, none, none
		}
	}
	return Apart, none, none
}

func (k *asked) inClass(p *Proposition, class string) (out []string) {
	for _, w := range p.words {
		if of, base := classOf(w.plain); of == class && !k.holds(w.stem) && w.Start < p.added {
			out = append(out, base)
		}
	}
	return out
}

// classOf is the class of a word, or of the word without an ending: blaue.
func classOf(plain string) (class, base string) {
	for _, end := range []string{"", "e", "er", "es", "en", "em", "s"} {
		if base, ok := strings.CutSuffix(plain, end); ok && classes[base] != "" {
			return classes[base], base
		}
	}
	return "", ""
}

func without(a, b []string) (out []string) {
	for _, w := range a {
		if !slices.Contains(b, w) {
			out = append(out, w)
		}
	}
	return out
}

// named compares the names that answer: of persons and places that the question does not
// hold. There must be an attribute of such a kind, or a question for one.
func (k *asked) named(a, b *Proposition) (r Relation, x, y Side) {
	kind := a.kind
	if !wordKinds[kind] {
		kind = b.kind
	}
	if !wordKinds[kind] && !k.wantsName() || a.Denied || b.Denied {
		return Apart, none, none
	}
	m, n := k.name(a, b), k.name(b, a)
	switch {
	case m == "" || n == "":
		return Apart, none, none
	case samePerson(m, n):
		return Agree, none, none
	}
	return Disagree, Side{fold(m), m}, Side{fold(n), n}
}

// name is the name in a unit that may answer: the one nearest to its attribute. What stands
// over the unit, or over the other one, is a name of the thing.
func (k *asked) name(p, o *Proposition) string {
	best, at := "", -1
	attribute := 0
	for _, a := range p.Attribute {
		attribute = max(attribute, a.End)
	}
	for _, n := range p.names {
		if n.Start >= p.added || !k.free(p, o, n) || !k.joinedTo(p, n, o) {
			continue
		}
		d := n.Start - attribute
		if d < 0 {
			d = attribute - n.End + 1
		}
		if at < 0 || d < at {
			best, at = n.Form, d
		}
	}
	return best
}

// joinedTo reports whether only words that say nothing, or that the question or o holds, stand
// between a name and the attribute of its unit: "met" in "Anna Berg met the head of Orm".
func (k *asked) joinedTo(p *Proposition, n Part, o *Proposition) bool {
	for _, a := range p.Attribute {
		if a.End == 0 || !wordKinds[kindOf[a.Form]] {
			continue
		}
		from, to := min(a.End, n.End), max(a.Start, n.Start)
		for _, w := range p.touching(text.Range{Start: from, End: to}) {
			if w.Start >= from && w.End <= to && w.use == free && !w.stop && !k.holds(w.stem) &&
				!p.over[w.stem] && !o.own[w.stem] {
				return false
			}
		}
	}
	return true
}

// free reports whether a name has a word that neither the question holds nor stands over a
// unit.
func (k *asked) free(p, o *Proposition, n Part) bool {
	fresh := false
	for _, w := range p.touching(n.Range) {
		if k.holds(w.stem) || w.use == ofAttribute {
			return false
		}
		fresh = fresh || w.use == free && !p.over[w.stem] && !o.over[w.stem]
	}
	return fresh
}

// samePerson reports whether two names may be of one person or place: one has all the words
// of the other, except for initials.
func samePerson(a, b string) bool {
	x, y := nameWords(a), nameWords(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	return len(x) > 0 && !slices.ContainsFunc(x, func(w string) bool {
		return !slices.Contains(y, w)
	})
}

func nameWords(name string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}) {
		if utf8.RuneCountInString(w) > 1 && !neutral[w] {
			out = append(out, w)
		}
	}
	return out
}

func fold(s string) string { return strings.Join(nameWords(s), " ") }
