// Package proposition takes apart what a page says in one place, and compares two such places.
//
// A Proposition is what a unit says; a unit is a sentence, an item or a row. "The Grey Tower is
// not 300 m high." has the subject "Grey Tower", the attribute height, the value 300 m, and
// denies it. Each part keeps the bytes it was read from.
//
// Compare has three results. With "The Grey Tower is 300 m high." as the one side:
//
//   - Agree: "The height of the Grey Tower is 300 m." Same subject, attribute and value.
//   - Disagree: "The Grey Tower is 320 m high." Same subject and attribute, another value; or
//     the same value, denied.
//   - Apart: "The Grey Tower is 300 m long.", "The Brown Tower is 320 m high." They speak of
//     different things, or nothing shows that they speak of one. It is the answer in doubt.
//
// The question decides which words have to match. Without one, each word that only one side has
// may be its subject. With "How high is the Odenby mast?", "The mast is 168 m high, says the
// mayor." and a row "Height, 168 m" agree if both stand on pages about the Odenby mast: what they
// say beside the mast and its height does not matter.
//
// The grade, the conflicts and the citations of an answer rest on that. Begin with Of, which
// reads a Unit, and Compare; the Example shows them at work. The words are data
// (attributes.txt, here and in shared/lexicon). The package knows no page: package page finds the
// units.
package proposition

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Unit is words of a page and what stands over them: the row "Height, 168 m", on the page
// "Odenby mast", under the heading "Facts".
type Unit struct {
	Words  string   // a sentence, an item, a cell or a row
	Lang   string   // of the page, a BCP 47 tag; "" if it is not known
	Labels []string // names that the structure gives the words: their row, column, term, lead
	Above  []string // the headings above them, the outermost first
	Title  string   // of the page
	// the registrable domain without its public suffix, and the path: they may name the subject
	Address string

	// Headings are the stems of all headings of the page, whichever of them stand over the words.
	Headings map[string]bool

	// Points reports whether words point to what only their page can tell: today, here. Speaks
	// reports whether their subject does: we, it. nil is false.
	Points, Speaks func(words string) bool
}

// Part is a part of a proposition: its canonical form, and the bytes of the unit's words that
// it was read from. "high" is a Part with the Form "height". A part that stands over the unit has
// no bytes: Start and End are 0.
type Part struct {
	Form string
	text.Range
}

// Proposition is what a unit says: of what, which attribute, which value, and whether it denies
// it. "The director of Ostley Library is not Ines Calloway." has the attribute "director" and is
// Denied; the names are its Subject, for only a comparison shows which of them is the value.
// It is safe for concurrent use.
type Proposition struct {
	Subject []Part // words that say of what, in their order
	// canonical names of attributes, or none if the words name no known one
	Attribute []Part
	Values    []Reading      // in their order, except for addresses without a scheme
	Hours     []wording.Slot // of opening, or of an event
	Denied    bool           // it says that something is not so
	Open      bool           // a question, an example, a supposition, a lead-in: it asserts nothing

	unit    Unit
	kind    string          // of the attribute's value
	rest    map[string]bool // stems of the subject
	marks   map[string]bool // words that limit when or for whom it holds
	numbers map[string]bool // numbers that name something: versions, models, years
	own     map[string]bool // stems of all its words
	over    map[string]bool // stems of what stands over the unit
	label   map[string]bool // stems of its labels and of the heading right above it
	address string          // letters and digits of the address, in small letters
	from    int             // where the clause of the value begins, in bytes
	added   int             // where a clause begins that adds another thing, in bytes
	names   []Part          // runs of capitalised words, in their order
	// the same in the title and the headings above, as stems
	namesOver [][]string
	nextOver  []next // words that stand side by side there
	lines     []line // what stands over the unit
	words     []word // in their order; none overlaps another

	// what comparing asks for again and again
	named     map[string]bool      // attributes, see attributes
	limits    map[string]bool      // see limitsOf
	modifiers map[string]modifiers // what each noun is told apart by, by its stem
	heading   heading              // right above the unit
	denying   []string             // words of it that deny or doubt

	dated  bool // it points to the day of its page: today
	points bool // it points to the day or the place of its page: today, here
	speaks bool // its subject is a word that its page explains: we, it
}

// Reading is a value with how it is bounded: "at most 168 m" is 168 m with the bound AtMost.
type Reading struct {
	value.Value
	Bound wording.Bound
	sense string // what the words before it say of its bound, finer than Bound
}

// word is a word of a unit.
type word struct {
	text.Range
	plain string // in small letters
	stem  string
	stop  bool
	use   use
}

// use is what a word was taken for.
type use int

const (
	free use = iota // a word of the subject
	ofValue
	ofAttribute
	ofSense // it denies, limits, bounds, or says nothing
)

// Of takes a unit apart. It takes time linear in the unit and in what stands over it.
func Of(u Unit) *Proposition {
	p := &Proposition{unit: u, heading: headingOf(u.above()), rest: map[string]bool{},
		marks: map[string]bool{}, numbers: map[string]bool{}, over: map[string]bool{},
		own: map[string]bool{}, label: map[string]bool{}, modifiers: map[string]modifiers{}}
	p.Open = strings.ContainsAny(u.Words, "?？؟") ||
		strings.HasSuffix(strings.TrimSpace(u.Words), ":")
	p.readWords()
	p.readValues()
	p.readOver()
	for _, w := range wordsOf(u.above(), u.Lang) {
		if doubts[w.plain] || negates(w.plain) {
			p.denying = append(p.denying, w.plain)
		}
	}
	p.readAttributes()
	p.named = p.attributes()
	p.readSense()
	p.limits = p.limitsOf()
	p.readNames()
	p.readSubject()
	p.points = u.Points != nil && u.Points(p.besides(nil))
	p.dated = u.Points != nil && u.Points(p.besides(placing))
	p.speaks = u.Speaks != nil && u.Speaks(u.Words)
	return p
}

// besides are the words of the unit without those that name its attribute, and some others.
func (p *Proposition) besides(others map[string]bool) string {
	words := []byte(p.unit.Words)
	for _, w := range p.words {
		if w.use == ofAttribute || others[w.plain] {
			copy(words[w.Start:w.End], strings.Repeat(" ", w.End-w.Start))
		}
	}
	return string(words)
}

// readWords takes the words of the unit.
func (p *Proposition) readWords() {
	u := p.unit
	tokens := text.Tokenize(u.Words, u.Lang)
	p.words = wordsIn(u.Words, tokens)
	for _, t := range tokens {
		p.own[t.Text] = true
		if mark := related[t.Text]; mark != "" {
			p.own[mark] = true
		}
	}
}

// touching are the words of the unit that a range touches.
func (p *Proposition) touching(r text.Range) []word {
	from := sort.Search(len(p.words), func(i int) bool { return p.words[i].End > r.Start })
	to := from
	for to < len(p.words) && p.words[to].Start < r.End {
		to++
	}
	return p.words[from:to]
}

// wordsOf are the words of s; the parts of compound words are left out.
func wordsOf(s, lang string) []word { return wordsIn(s, text.Tokenize(s, lang)) }

// wordsIn are the words of s, whose tokens are given.
func wordsIn(s string, tokens []text.Token) (out []word) {
	end := 0
	for _, t := range tokens {
		if t.Start < end {
			continue
		}
		end = t.End
		plain := strings.ReplaceAll(strings.ToLower(s[t.Start:t.End]), "’", "'")
		stem := t.Text
		out = append(out, word{Range: text.Range{Start: t.Start, End: t.End},
			plain: strings.TrimSuffix(plain, "'s"), stem: stem, stop: t.Stop})
	}
	return out
}

// readOver takes the words that stand over the unit: its title, its headings, its labels and
// the name of its site.
func (p *Proposition) readOver() {
	u := p.unit
	p.modifiersIn(u.Words, p.words)
	nearest := len(u.Above) // the title and the headings before it name no value
	for i, line := range slices.Concat([]string{u.Title}, u.Above, u.Labels) {
		tokens := text.Tokenize(line, u.Lang)
		for _, t := range tokens {
			p.over[t.Text] = true
			mark := related[t.Text]
			if mark != "" {
				p.over[mark] = true
			}
			if i > 0 && i >= nearest {
				p.label[t.Text] = true
				p.label[mark] = mark != ""
			}
		}
		words := wordsIn(line, tokens)
		if i <= len(u.Above) {
			p.namesIn(line, words)
			p.pairsIn(line, words)
		}
		// a title that repeats the unit says nothing over it
		if !strings.Contains(line, u.Words) && !strings.Contains(u.Words, line) {
			p.modifiersIn(line, words)
			p.lines = append(p.lines, lineOver(line, words, i, len(u.Above)))
		}
	}
	maps.DeleteFunc(p.modifiers, func(_ string, m modifiers) bool {
		return len(m.names)+len(m.numbers) == 0
	})
	address := strings.Map(spaced, u.Address)
	for _, t := range text.Tokenize(address, u.Lang) {
		p.over[t.Text] = true
	}
	p.address = strings.ReplaceAll(strings.ToLower(address), " ", "")
}

// namesIn notes the runs of capitalised words of a line above the unit; a single first word of the
// line has a capital anyway.
func (p *Proposition) namesIn(line string, words []word) {
	const most = 20 // runs
	var run []string
	first := 0
	end := func() {
		if (len(run) > 1 || len(run) == 1 && first > 0) && len(p.namesOver) < most {
			p.namesOver = append(p.namesOver, run)
		}
		run = nil
	}
	for i, w := range words {
		if len(run) > 0 && !adjoin(line, words[i-1], w) || !mayName(line, w) {
			end()
		}
		if mayName(line, w) {
			if run == nil {
				first = i
			}
			run = append(run, w.stem)
		}
	}
	end()
}

// spaced separates the words of an address.
func spaced(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsNumber(r) {
		return r
	}
	return ' '
}

// addsIn is where clauses begin that add another thing to a sentence, in their order; its end is
// the last.
func addsIn(s string) (out []int) {
	for _, join := range adding {
		for at := range text.Places(s, join) {
			if at > 0 {
				out = append(out, at)
			}
		}
	}
	slices.Sort(out)
	return append(out, len(s))
}

// readValues takes the values; a number that names something is a mark of its own.
func (p *Proposition) readValues() {
	s := p.unit.Words
	p.Hours = wording.Slots(s)
	for _, v := range append(value.Find(s, p.unit.Lang), bareAddresses(s)...) {
		named := wording.Identifies(s, v) || wording.IsVersion(s, v) || v.Unit == "ordinal"
		if !named && (wording.Measurable(v) || v.Type == string(wstk.ValueURL)) {
			sense, _ := wording.BoundBefore(s[:v.Start])
			p.Values = append(p.Values,
				Reading{v, wording.BoundOf(s[:v.Start], s[v.End:]), sense})
		} else {
			p.numbers[v.Norm] = true
		}
		of := p.touching(v.Range)
		for i := range of {
			of[i].use = ofValue
		}
	}
	p.readFractions()
	p.clause()
	for i := range p.words {
		if w := &p.words[i]; w.use == free && wording.Numeric(w.plain) {
			p.numbers[w.plain] = true
			w.use = ofSense
		}
	}
}

// clause finds the clause that holds the values: the first, unless those before it hold none.
func (p *Proposition) clause() {
	adds := addsIn(p.unit.Words)
	p.added = adds[0]
	for len(p.Values) > 0 && p.Values[0].Start >= p.added {
		p.from = p.added
		for len(adds) > 1 && adds[0] <= p.from+1 {
			adds = adds[1:]
		}
		p.added = adds[0]
	}
}

var bareAddress = text.Pattern(`\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/[a-zA-Z0-9/_.%-]*`)

// bareAddresses are the addresses of pages that are written without a scheme.
func bareAddresses(s string) (out []value.Value) {
	for _, at := range bareAddress().FindAllStringIndex(s, -1) {
		if at[0] > 0 && strings.ContainsRune("/@.", rune(s[at[0]-1])) {
			continue
		}
		words := strings.TrimRight(s[at[0]:at[1]], ".")
		out = append(out, value.Value{Type: string(wstk.ValueURL), Text: words,
			Range: text.Range{Start: at[0], End: at[0] + len(words)}, Norm: words})
	}
	return out
}

// readAttributes takes the phrases that name an attribute whose value the unit may hold: in
// its words, else in its labels, else in the heading right above it.
func (p *Proposition) readAttributes() {
	for i := 0; i < len(p.words); {
		a, n := p.attributeAt(p.words[i:])
		if n == 0 {
			i++
			continue
		}
		p.attribute(a, text.Range{Start: p.words[i].Start, End: p.words[i+n-1].End})
		for k := range n {
			p.words[i+k].use = ofAttribute
		}
		i += n
	}
	if len(p.Attribute) > 0 {
		return
	}
	for _, label := range p.unit.Labels {
		p.attributesOver(label)
	}
	if n := len(p.unit.Above); len(p.Attribute) == 0 && n > 0 {
		p.attributesOver(p.unit.Above[n-1])
	}
}

func (p *Proposition) attributesOver(line string) {
	words := wordsOf(line, p.unit.Lang)
	for i := range words {
		if a, n := p.attributeAt(words[i:]); n > 0 {
			p.attribute(a, text.Range{})
		}
	}
}

// attributes are the names of the attributes; without one, the attribute that the form of a
// value shows.
func (p *Proposition) attributes() map[string]bool {
	out := map[string]bool{}
	for _, a := range p.Attribute {
		out[a.Form] = true
	}
	if len(out) > 0 {
		return out
	}
	for _, v := range p.Values {
		if name := shows[wstk.ValueType(v.Type)]; name != "" {
			out[name] = true
		}
	}
	return out
}

// shows are the attributes that values show by their form.
var shows = map[wstk.ValueType]string{wstk.ValuePhone: "phone", wstk.ValueEmail: "e-mail",
	wstk.ValueURL: "website"}

// attribute notes an attribute. One of a name and a form of its own decides over others.
func (p *Proposition) attribute(a attribute, at text.Range) {
	if slices.ContainsFunc(p.Attribute, func(o Part) bool { return o.Form == a.name }) {
		return
	}
	p.Attribute = append(p.Attribute, Part{a.name, at})
	if p.kind == "" || wordKinds[p.kind] {
		p.kind = a.kind
	}
}

// attributeAt is the attribute that words begin with, and how many words name it; 0 for none.
func (p *Proposition) attributeAt(words []word) (a attribute, n int) {
	for n := min(longestAt(words), len(words)); n > 0; n-- {
		if slices.ContainsFunc(words[:n], func(w word) bool { return w.use == ofValue }) {
			continue
		}
		plain := make([]string, n)
		for i := range n {
			plain[i] = words[i].plain
		}
		for _, a := range attributes[strings.Join(plain, " ")] {
			if p.holds(a.kind) {
				return a, n
			}
		}
	}
	return attribute{}, 0
}

// longestAt is how many words the longest phrase has that begins as words do; 0 for none.
func longestAt(words []word) int {
	if len(words) == 0 {
		return 0
	}
	return longest[words[0].plain]
}

// holds reports whether the unit may hold a value of a kind.
func (p *Proposition) holds(kind string) bool {
	types, measured := typesOf[kind]
	if kind == "version" {
		return len(p.numbers) > 0
	}
	if kind == "time" && len(p.Hours) > 0 {
		return true
	}
	if !measured {
		return true
	}
	return slices.ContainsFunc(p.Values, func(v Reading) bool {
		return slices.Contains(types, wstk.ValueType(v.Type)) &&
			(kind != "percent" || v.Unit == "%")
	})
}

// readSense takes what denies, limits and hedges.
func (p *Proposition) readSense() {
	said := strings.ToLower(p.unit.Words[:p.added])
	for _, w := range wording.Bare(strings.ReplaceAll(said, "’", "'")) {
		p.Denied = p.Denied != negates(w)
	}
	for _, w := range strings.Fields(said) {
		p.Open = p.Open || wording.Hedges[strings.Trim(w, ".,;:()“”\"'")]
	}
	for i := range p.words {
		if w := &p.words[i]; w.use != ofAttribute && w.use != ofValue {
			p.readMark(w)
		}
	}
	if p.timeless() {
		maps.DeleteFunc(p.marks, func(w string, _ bool) bool { return tenses[w] })
	}
}

// readMark takes the sense of one word. The opposite of another word is read as a denial of it.
func (p *Proposition) readMark(w *word) {
	if wording.Limits[w.plain] && !neutral[w.plain] {
		p.marks[w.plain] = true
		w.use = ofSense
	}
	if plain, not := wording.Antonym(w.plain); not && w.Start < p.added {
		p.Denied = !p.Denied
		if plain != "" {
			w.stem = wording.Stem(plain, p.unit.Lang)
			p.own[w.stem] = true
		}
		return
	}
	if w.use == free && p.silent(w) {
		w.use = ofSense
	}
}

// silent reports whether a word says nothing of which thing is meant.
func (p *Proposition) silent(w *word) bool {
	return w.stop || neutral[w.plain] || wording.BoundWords[w.plain] || silent[w.plain] ||
		p.Hours != nil && wording.ScheduleWords[w.plain]
}

// timeless reports whether the tense of the verb says nothing: "was built by", "built by".
func (p *Proposition) timeless() bool {
	return p.kind == "maker" || p.kind == "date" ||
		p.kind == "place" && p.hasAttribute("birthplace")
}

func (p *Proposition) hasAttribute(name string) bool {
	return slices.ContainsFunc(p.Attribute, func(a Part) bool { return a.Form == name })
}

// readNames takes the runs of capitalised words.
func (p *Proposition) readNames() {
	for i := 0; i < len(p.words); i++ {
		if !p.capital(i) {
			continue
		}
		j := i + 1
		for j < len(p.words) && p.capital(j) && p.joined(j) {
			j++
		}
		at := text.Range{Start: p.words[i].Start, End: p.words[j-1].End}
		p.names = append(p.names, Part{p.unit.Words[at.Start:at.End], at})
		i = j - 1
	}
}

func (p *Proposition) capital(i int) bool {
	w := p.words[i]
	if w.use == ofValue || w.stop || neutral[w.plain] && w.use != ofAttribute {
		return false
	}
	r, _ := utf8.DecodeRuneInString(p.unit.Words[w.Start:w.End])
	return unicode.IsUpper(r)
}

// joined reports whether only blanks, or the point of an initial, stand before word i.
func (p *Proposition) joined(i int) bool {
	between := p.unit.Words[p.words[i-1].End:p.words[i].Start]
	return strings.Trim(between, " .") == "" || between == "'s " || between == "’s "
}

// readSubject takes the words that are left.
func (p *Proposition) readSubject() {
	for _, w := range p.words {
		if w.use == free {
			p.Subject = append(p.Subject, Part{w.stem, w.Range})
			p.rest[w.stem] = true
		}
	}
}
