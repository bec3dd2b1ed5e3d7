package value

import "math/bits"

// formTable is a list of forms with a quick test before each: which of them may fit at a
// lexeme (a word, a number or a sign) follows from how many digits the lexeme has and from
// the first byte of the next lexeme. Each mask has a bit for each form.
type formTable struct {
	forms  []form
	digits [5]uint64      // by number of digits, 0 for what is no number
	next   [2][256]uint64 // by white space before the next lexeme (0 no, 1 yes), and its first byte
	alone  uint64         // forms that a single lexeme may match
}

// newFormTable makes a table of lists of forms, at most 64 in all. The first form that fits
// counts.
func newFormTable(lists ...[]form) *formTable {
	t := &formTable{}
	for _, forms := range lists {
		t.forms = append(t.forms, forms...)
	}
	if len(t.forms) > 64 {
		panic("value: a table has at most 64 forms")
	}
	for k := range t.forms {
		t.index(t.forms[k].parts, 1<<k)
	}
	return t
}

// index sets bit in the masks of what a form of these parts may begin with.
func (t *formTable) index(parts []part, bit uint64) {
	first := &parts[0]
	for n := range t.digits {
		if first.maybe != nil || first.slot.least == 0 ||
			n >= first.slot.least && n <= first.slot.most {
			t.digits[n] |= bit
		}
	}
	next, ends := starts(parts[1:])
	if ends || first.maybe != nil || first.slot.long {
		next, ends = anyStart, true
	}
	for gap := range t.next {
		for c := range t.next[gap] {
			if next[gap][c] {
				t.next[gap][c] |= bit
			}
		}
	}
	if ends {
		t.alone |= bit
	}
}

// mayFit returns the mask of the forms that may fit at lexeme i.
func (t *formTable) mayFit(v *valuer, i int) uint64 {
	n := 0
	if l := &v.lex[i]; l.kind == lexNumber {
		n = min(len(l.lower), len(t.digits)-1)
	}
	if i+1 >= len(v.lex) {
		return t.digits[n] & t.alone
	}
	next, gap, first := &v.lex[i+1], 0, byte(0)
	if next.gap {
		gap = 1
	}
	if next.lower != "" {
		first = next.lower[0]
	}
	return t.digits[n] & t.next[gap][first]
}

// match reads the first form that fits at lexeme i into f.
func (v *valuer) match(t *formTable, i int, f *found) bool {
	for mask := t.mayFit(v, i); mask != 0; mask &= mask - 1 {
		p := &t.forms[bits.TrailingZeros64(mask)]
		*f = nothing
		f.from = i
		to, ok := v.parts(p.parts, i, true, f)
		if f.to = to; ok && (p.fits == nil || p.fits(v, f)) {
			return true
		}
	}
	return false
}

// startSet holds the first bytes, in lower case, that a lexeme may have: at 0 those of one
// without white space before it, at 1 those of one with white space.
type startSet [2][256]bool

// anyStart holds every byte, with and without white space.
var anyStart = func() (s startSet) {
	s.add(gapEither, nil)
	return s
}()

// add adds the first byte of each word, or every byte if words is nil. gap says whether
// white space must, may or must not stand before it.
func (s *startSet) add(gap byte, words []string) {
	for k := range s {
		if gap == gapNeeded && k == 0 || gap == gapNone && k == 1 {
			continue
		}
		for c := range s[k] {
			s[k][c] = s[k][c] || words == nil
		}
		for _, w := range words {
			s[k][w[0]] = true
		}
	}
}

// starts returns the bytes with which the first lexeme of parts may begin. empty reports
// whether parts may also match no lexeme at all.
func starts(parts []part) (s startSet, empty bool) {
	for k := range parts {
		p := &parts[k]
		if p.maybe == nil {
			if p.literal != "" {
				s.add(p.gap, []string{p.literal})
			} else {
				s.add(p.gap, p.slot.begins)
			}
			return s, false
		}
		inner, _ := starts(p.maybe)
		for gap := range s {
			for c := range s[gap] {
				s[gap][c] = s[gap][c] || inner[gap][c]
			}
		}
	}
	return s, true
}
