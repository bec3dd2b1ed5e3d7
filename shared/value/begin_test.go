package value

import (
	"math"
	"testing"
)

// eachLexeme calls f at each lexeme of the texts of TestFind.
func eachLexeme(f func(v *valuer, i int)) {
	for _, c := range findCases {
		v := newValuer(c.in, c.lang)
		v.lex = lex(v.lex, c.in, 0, len(c.in))
		v.free, v.carryAt = -1, -1
		for i := range v.lex {
			f(v, i)
		}
	}
}

// A reader is not asked where a lexeme cannot begin what it reads: it would find nothing.
func TestReadersThatAreNotAskedFindNothing(t *testing.T) {
	eachLexeme(func(v *valuer, i int) {
		begins := v.beginningAt(i)
		for _, r := range readers {
			if val, to := r.read(v, i); to > 0 && begins&r.at == 0 {
				t.Errorf("in %q a reader that is not asked at %q finds the %s %q",
					v.s, v.lex[i].text, val.Type, val.Text)
			}
		}
		if n := v.number(i); n.to > 0 && begins&beginsNumber == 0 {
			t.Errorf("in %q the number at %q is not asked for", v.s, v.lex[i].text)
		}
	})
}

// A form is not tried where the quick look of its table says that it cannot fit.
func TestFormsThatAreNotTriedDoNotFit(t *testing.T) {
	for _, table := range []*formTable{numberDates(), wordDates(), numberClocks(), wordClocks()} {
		eachLexeme(func(v *valuer, i int) {
			mask := table.mayFit(v, i)
			for k, p := range table.forms {
				f := nothing
				f.from = i
				to, ok := v.parts(p.parts, i, true, &f)
				f.to = to
				if ok && (p.fits == nil || p.fits(v, &f)) && mask>>k&1 == 0 {
					t.Errorf("in %q the form %s fits at %q and is not tried",
						v.s, p.pattern, v.lex[i].text)
				}
			}
		})
	}
}

// Large whole numbers are written as before, and those that are not whole as they are.
func TestFormatNumber(t *testing.T) {
	for f, want := range map[float64]string{0: "0", -5: "-5", 1234.5: "1234.5", 1e14: "100000000000000",
		1e15: "1000000000000000", 1e20: "100000000000000000000", 1e21: "1e+21", 1e-10: "1e-10",
		math.Copysign(0, -1): "0", 0.1 + 0.2: "0.3"} {
		if got := formatNumber(f); got != want {
			t.Errorf("formatNumber(%v) = %q, want %q", f, got, want)
		}
	}
}
