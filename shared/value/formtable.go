package value

import "math/bits"

// formTable is a list of forms with a quick look before it: which of them may fit is known
// from the number of digits at a lexeme and from the first byte of the lexeme behind it.
// Each mask has a bit for each form.
type formTable struct {
	forms  []form
	digits [5]uint64      // by number of digits, 0 for what is no number
	behind [2][256]uint64 // by white space before the second lexeme, and its first byte
	alone  uint64         // forms that one lexeme may be all of
}

// newFormTable makes a table of lists of forms, 64 in all at the most. The first that fits
// is taken.
func newFormTable(lists ...[]form) *formTable {
	t := &formTable{}
	for _, forms := range lists {
		t.forms = append(t.forms, forms...)
	}
	if len(t.forms) > 64 {
		panic("value: a table has 64 forms at the most")
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
	behind, ends := starts(parts[1:])
	if ends || first.maybe != nil || first.slot.long {
		behind, ends = anyStart, true
	}
	for gap := range t.behind {
		for c := range t.behind[gap] {
			if behind[gap][c] {
				t.behind[gap][c] |= bit
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
	return t.digits[n] & t.behind[gap][first]
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

// startSet says with which bytes, in lower case, a lexeme may begin that has no white space
// before it, or some.
type startSet [2][256]bool

// anyStart holds every beginning.
var anyStart = func() (s startSet) {
	s.add('_', nil)
	return s
}()

// add adds the first bytes of words, every byte for nil, with the white space before them
// that a form asks for.
func (s *startSet) add(gap byte, words []string) {
	for k := range s {
		if gap == ' ' && k == 0 || gap == 0 && k == 1 {
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

// starts returns what the lexeme that parts begin with may begin with; empty reports
// whether parts may be no lexeme at all.
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
