package value

import (
	_ "embed"
	"math"
	"strconv"
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
	first          map[string]bool // lexemes that a unit begins with
	longest        int             // lexemes
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
var unitRows string

var (
	unitsUS = sync.OnceValue(func() *unitTable { return buildUnits(false) })
	unitsGB = sync.OnceValue(func() *unitTable { return buildUnits(true) })
)

// caseMatters are symbols that are something else in other letters: ms and MS, pa and Pa.
var caseMatters = text.WordSet("nm ms mw pa ma mo go to ko in ch ga au ac mn pc mp ct us as cal")

// buildUnits reads units.txt. It panics where a line is malformed.
func buildUnits(british bool) *unitTable {
	t := &unitTable{symbols: map[string]unit{}, names: map[string]unit{}, first: map[string]bool{}}
	var symbols []string
	for line := range strings.Lines(unitRows) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		base, ofBritain := strings.CutPrefix(line, "GB ")
		if ofBritain && !british {
			continue
		}
		columns := strings.Split(base+" ", " | ")
		u := unit{base: columns[0], factor: math.NaN(), months: columns[0] == "mo"}
		factor, inverse := strings.CutPrefix(columns[1], "/ ")
		factor, plus, _ := strings.Cut(factor, " + ")
		u.factor, u.inverse = mustFloat(factor), inverse
		if plus != "" {
			u.offset = mustFloat(plus)
		}
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
	for _, m := range []map[string]unit{t.symbols, t.names} {
		for key := range m {
			word, _, _ := strings.Cut(key, " ")
			t.first[word] = true
		}
	}
	return t
}

func mustFloat(s string) float64 {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		panic("units.txt: " + err.Error())
	}
	return f
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
	column = strings.TrimSpace(column)
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
	if ls[i].kind != lexSign || i+1 >= len(ls) || ls[i-1].kind != lexWord || ls[i+1].kind != lexWord || ls[i].gap {
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
	if first := v.at(i); !v.units.first[first.text] && !v.units.first[first.lower] {
		return unit{}, 0
	}
	var key, low strings.Builder
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
			key.WriteByte(' ')
			low.WriteByte(' ')
		}
		key.WriteString(v.lex[k].text)
		low.WriteString(v.lex[k].lower)
		u, ok := v.units.symbols[key.String()]
		if !ok {
			u, ok = v.units.names[low.String()]
		}
		if ok && !v.hangsOn(k+1) {
			found, to = u, k+1
		}
	}
	if to == 0 {
		return unit{}, 0
	}
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
	if v.at(i).text == "-" && v.glued(i) && v.glued(i+1) && v.at(i+1).kind == lexWord {
		i++ // six-mile
	}
	if l := v.at(i).lower; n.scale > 0 && (l == "de" || l == "d" || l == "di") { // millones de kilómetros
		if i++; v.at(i).text == "'" {
			i++
		}
	}
	if i >= len(v.lex) {
		return unit{}, 0
	}
	u, to := v.unit(i)
	if to == 0 || !v.unitStands(n, i, to) {
		return unit{}, 0
	}
	if u2, to2 := v.perUnit(to); to2 > 0 && !u.inverse && !u2.inverse && u.offset == 0 && u2.offset == 0 {
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

// unitStands decides about spellings that are also words or letters: "in", "A",
// "C", "m".
func (v *valuer) unitStands(n number, i, to int) bool {
	l, next := v.at(i), v.at(to)
	if v.partOfName(to) && v.at(to+1).kind == lexNumber {
		return false // 24703 L-202
	}
	if to > i+1 {
		return true
	}
	wordFollows := next.gap && next.kind == lexWord
	if n.spelled && l.kind == lexWord && len(l.text) < 3 && text.IsASCII(l.text) && l.text != "kg" && l.text != "km" && l.text != "ft" && l.text != "lb" {
		return false // one m, six in
	}
	switch l.text {
	case `"`, "'":
		return v.s[l.start:l.end] == "″" || v.s[l.start:l.end] == "′"
	case "in":
		if next.kind == lexNumber && next.gap {
			return false // 5 in 10
		}
		return !l.gap || !wordFollows || dimensionWords[next.lower] || v.unitFollows(to) && v.at(i-1).lower == "ft"
	case "A", "C", "F", "K", "B":
		return l.gap && !wordFollows || !l.gap && l.text == "A" && !wordFollows
	case "am", "as", "au", "us", "pm", "pc", "mo", "Mo", "Go", "To", "ha", "an", "ch", "ac", "CV", "cv", "MP", "KM", "ct", "pp", "Ma", "Ga", "ly", "d", "y", "kt", "NM":
		return l.gap && !wordFollows || !l.gap && l.text != "am" && l.text != "pm" || l.text == "cv" || l.text == "CV" || l.text == "ha" && l.gap || v.lang == "fr" && (l.text == "ch" || l.text == "an")
	case "t", "h", "g", "l", "V", "W", "N", "J", "m", "s", "L":
		if l.text == "s" && !l.gap && n.integer { // 1990s, 5s
			return n.value < 60 && int(n.value)%10 != 0 && v.at(n.from-1).kind != lexWord
		}
		return true
	}
	switch l.lower {
	case "second", "seconds", "sec", "secs":
		return true
	case "stone", "turn", "turns", "grain", "grains", "cup", "foot", "mole", "moles", "gray", "nit", "nits", "time", "mark", "yard", "grade", "centuries", "bars":
		return !n.one || l.lower == "foot" || l.lower == "cup" || l.lower == "yard"
	}
	return true
}

var dimensionWords = text.WordSet("long wide tall high deep thick diameter x by in length width height depth screen display")
