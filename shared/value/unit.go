package value

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"wstk/shared/text"
)

// unit is a unit of measure. A value x of it is factor*x + offset in the base
// unit, or factor/x where inverse (miles per gallon against litres per 100 km).
type unit struct {
	base    string
	factor  float64
	offset  float64
	inverse bool
	months  bool // counts in calendar months, not in seconds
}

func (u unit) toBase(x float64) (float64, bool) {
	if u.inverse {
		if x == 0 {
			return 0, false
		}
		return u.factor / x, true
	}
	return u.factor*x + u.offset, true
}

// unitTable holds the units by their spelling, lexed (see unitKey): symbols as
// they are written, names in lower case.
type unitTable struct {
	symbols, names map[string]unit
	first          *wordTable[bool] // lexemes that a unit begins with
	longest        int              // lexemes
}

const (
	pound  = 0.45359237 // kg
	inch   = 0.0254     // m
	foot   = 0.3048     // m
	minute = 60.0       // s
	hour   = 3600.0
	day    = 86400.0
	month  = 30.436875 * day // mean Gregorian
)

//go:embed units.txt
var unitsFile string

var (
	unitsUS = sync.OnceValue(func() *unitTable { return buildUnits(false) })
	unitsGB = sync.OnceValue(func() *unitTable { return buildUnits(true) })
)

// caseMatters are symbols that are something else in other letters: ms and MS, pa and Pa.
var caseMatters = text.WordSet("nm ms mw pa ma mo go to ko in ch ga au ac mn pc mp ct us as cal")

// buildUnits reads units.txt. It panics where a line is malformed.
func buildUnits(british bool) *unitTable {
	t := &unitTable{symbols: map[string]unit{}, names: map[string]unit{}}
	var symbols []string
	for _, columns := range columnsOf(unitsFile) {
		base, ofBritain := strings.CutPrefix(columns[0], "GB ")
		if ofBritain && !british {
			continue
		}
		u := unit{base: base, months: base == "mo"}
		factor, inverse := strings.CutPrefix(columns[1], "/ ")
		factor, plus, _ := strings.Cut(factor, " + ")
		u.factor, u.inverse = mustFloat("units.txt", factor), inverse
		u.offset = mustFloat("units.txt", plus)
		symbols = append(symbols, t.add(columns[2], columns[3], u)...)
	}
	// People write symbols in any case: KG, Mph, gb. Those that mean one thing only are
	// names too.
	for _, s := range symbols {
		low := strings.ToLower(s)
		if _, taken := t.names[low]; len(low) > 1 && !taken && !caseMatters[low] {
			t.names[low] = t.symbols[s]
		}
	}
	t.first = tableOf(firstWords(t.symbols, t.names))
	return t
}

// firstWords returns the words that the keys of maps begin with.
func firstWords[T any](maps ...map[string]T) map[string]bool {
	first := map[string]bool{}
	for _, m := range maps {
		for key := range m {
			word, _, _ := strings.Cut(key, " ")
			first[word] = true
		}
	}
	return first
}

// add puts the spellings of u into the table, and returns the keys of its symbols.
func (t *unitTable) add(symbols, names string, u unit) (keys []string) {
	put := func(m map[string]unit, spelling string) string {
		key, n := unitKey(spelling)
		m[key] = u
		t.longest = max(t.longest, n)
		return key
	}
	for _, s := range listed(symbols) {
		keys = append(keys, put(t.symbols, s))
	}
	for _, s := range listed(names) {
		put(t.names, s)
		if last := lastRune(s); unicode.Is(unicode.Latin, last) && last != 's' {
			put(t.names, s+"s")
		}
		if before, after, ok := strings.Cut(s, " per "); ok && !strings.HasSuffix(before, "s") {
			put(t.names, before+"s per "+after)
		}
	}
	return keys
}

// listed returns what commas separate in a column.
func listed(column string) []string {
	if column == "" {
		return nil
	}
	return strings.Split(column, ", ")
}

// unitKey writes a spelling the way matchUnit reads it: lexemes separated by one
// space, without the hyphens, points and dots that join words.
func unitKey(s string) (key string, lexemes int) {
	ls := lex(nil, s, 0, len(s))
	var b strings.Builder
	for i := range ls {
		if i > 0 && isUnitJoint(ls, i) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ls[i].text)
		lexemes = i + 1
	}
	return b.String(), lexemes
}

// isUnitJoint is true of the sign in N·m, lb-ft and sq. ft.
func isUnitJoint(ls []lexeme, i int) bool {
	if ls[i].kind != lexSign || i+1 >= len(ls) || ls[i-1].kind != lexWord ||
		ls[i+1].kind != lexWord || ls[i].gap {
		return false
	}
	switch ls[i].text {
	case "-", "·", "⋅", "•", "*":
		return !ls[i+1].gap
	case ".":
		return true
	}
	return false
}

// unit returns the unit at lexeme i, the longest spelling known, and where it
// ends; 0 for none.
func (v *valuer) unit(i int) (unit, int) {
	if first := v.at(i); !v.units.first.get(first.text) && !v.units.first.get(first.lower) {
		return unit{}, 0
	}
	key, low := v.key[:0], v.lowKey[:0]
	var found unit
	to := 0
	for k := i; k < len(v.lex) && k < i+v.units.longest; k++ {
		if k > i && isUnitJoint(v.lex, k) {
			continue
		}
		if k > i {
			if v.lex[k].kind == lexNumber && v.lex[k].gap && v.lex[k-1].kind == lexWord {
				break // m2 is an area, ft 2 is not
			}
			key, low = append(key, ' '), append(low, ' ')
		}
		key, low = append(key, v.lex[k].text...), append(low, v.lex[k].lower...)
		u, ok := v.units.symbols[string(key)]
		if !ok {
			u, ok = v.units.names[string(low)]
		}
		if ok && !v.hangsOn(k+1) {
			found, to = u, k+1
		}
	}
	v.key, v.lowKey = key, low
	return found, to
}

// unitFollows reports whether a unit stands at lexeme i.
func (v *valuer) unitFollows(i int) bool {
	_, to := v.unit(i)
	return to > 0
}

// quantityUnit returns the unit of the number that ends at lexeme i: with or
// without a white space or hyphen between, if it can be meant as one there.
func (v *valuer) quantityUnit(n number) (unit, int) {
	i := n.to
	if v.hyphenated(i) && v.at(i+1).kind == lexWord {
		i++ // six-mile
	}
	if n.scale > 0 {
		i = v.behindOf(i) // millones de kilómetros
	}
	u, to := v.unit(i)
	if to == 0 || !v.unitStands(n, i, to) {
		return unit{}, 0
	}
	if u2, to2 := v.perUnit(to); to2 > 0 && !u.inverse && !u2.inverse &&
		u.offset == 0 && u2.offset == 0 {
		// mg/L, litres per minute
		return unit{base: u.base + "/" + u2.base, factor: u.factor / u2.factor}, to2
	}
	return u, to
}

// perUnit reads "/h" or "per day" at lexeme i.
func (v *valuer) perUnit(i int) (unit, int) {
	l := v.at(i)
	switch {
	case l.text == "/" && v.glued(i) && v.glued(i+1):
	case l.gap && (l.lower == "per" || l.lower == "pro" || l.lower == "por" || l.lower == "par"):
	default:
		return unit{}, 0
	}
	u, to := v.unit(i + 1)
	if to == 0 || u.base == "%" {
		return unit{}, 0
	}
	return u, to
}

// unitNouns are names of units that count nothing behind a mere article: a turn is no 360
// degrees.
var unitNouns = text.WordSet(
	`stone turn turns grain grains mole moles gray nit nits time mark grade centuries bars`)

// unitsOfWords are units of two letters that stand behind numbers in words: six km, but not
// six in.
var unitsOfWords = text.WordSet("kg km ft lb")

// unitRules decide about spellings of units, of one lexeme, that are also words, names or
// letters: whether one stands as a unit at lexeme i behind n.
var unitRules = func() map[string]func(v *valuer, n number, i int) bool {
	m := map[string]func(v *valuer, n number, i int) bool{}
	for _, rule := range []struct {
		spellings string
		stands    func(v *valuer, n number, i int) bool
	}{
		{`" '`, (*valuer).primeStands},
		{"in", (*valuer).inchStands},
		{"s", (*valuer).secondsStand},
		{"A C F K B", (*valuer).letterStands},
		{"am as au us pm pc mo Mo Go To ha an ch ac CV cv MP KM ct pp Ma Ga ly d y kt NM",
			(*valuer).abbreviationStands},
	} {
		for _, spelling := range strings.Fields(rule.spellings) {
			m[spelling] = rule.stands
		}
	}
	return m
}()

// unitStands decides whether the spelling of a unit in lexemes [i, to) is one behind n.
func (v *valuer) unitStands(n number, i, to int) bool {
	if v.partOfName(to) && v.at(to+1).kind == lexNumber {
		return false // 24703 L-202
	}
	if to > i+1 {
		return true
	}
	l := v.at(i)
	if n.spelled && l.kind == lexWord && len(l.text) < 3 && text.IsASCII(l.text) &&
		!unitsOfWords[l.text] {
		return false // one m, six in
	}
	if rule := unitRules[l.text]; rule != nil {
		return rule(v, n, i)
	}
	return !n.one || !unitNouns[l.lower]
}

// wordFollows reports whether a word of its own stands at lexeme i.
func (v *valuer) wordFollows(i int) bool { return v.at(i).gap && v.at(i).kind == lexWord }

// primeStands: quotation marks are no inches and feet, primes are.
func (v *valuer) primeStands(_ number, i int) bool {
	mark := v.s[v.lex[i].start:v.lex[i].end]
	return mark == "″" || mark == "′"
}

// secondsStand: 5 s and 15s, but not 5s and 1990s.
func (v *valuer) secondsStand(n number, i int) bool {
	return v.at(i).gap || !n.integer ||
		n.value < 60 && int(n.value)%10 != 0 && v.at(n.from-1).kind != lexWord
}

// letterStands: 5 A, but not 5 A students; all but A behind white space.
func (v *valuer) letterStands(_ number, i int) bool {
	return !v.wordFollows(i+1) && (v.at(i).gap || v.at(i).text == "A")
}

// inchStands reports whether "in" at lexeme i means inches: 3 in. long, but not 5 in 10.
func (v *valuer) inchStands(_ number, i int) bool {
	l, next := v.at(i), v.at(i+1)
	switch {
	case next.kind == lexNumber && next.gap:
		return false
	case !l.gap || !next.gap || next.kind != lexWord:
		return true
	}
	return dimensionWords[next.lower] || v.unitFollows(i+1) && v.at(i-1).lower == "ft"
}

// abbreviationStands: 5 mo, where no word is behind it, and 5mo. Some stand before a word, too,
// some never joined to the number.
func (v *valuer) abbreviationStands(_ number, i int) bool {
	l := v.at(i)
	if l.gap && !v.wordFollows(i+1) {
		return true
	}
	switch l.text {
	case "cv", "CV", "ha":
		return true
	case "am", "pm":
		return false
	case "ch", "an":
		return !l.gap || v.lang == "fr"
	}
	return !l.gap
}

var dimensionWords = text.WordSet(
	"long wide tall high deep thick diameter x by in length width height depth screen display")
