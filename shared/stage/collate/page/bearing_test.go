package page

import (
	"testing"

	"wstk/shared/wstk"
)

func TestLetters(t *testing.T) {
	for _, c := range []struct {
		statement, quote string
		same             bool
	}{
		{"mW", "Laser\tMW", false}, {"mg per litre", "Mg per litre", false}, {"mW of power", "MW of power", false}, {"mbar", "Mbar", false},
		{"the pump is new.", "The pump is new.", true}, {"The pump is new.", "However, the pump is new.", true},
		{"It is new.", "it is new.", true}, {"it is new.", "Here. It is new.", true}, {"polish shoes here", "the Polish shoes here", false},
		{"The 9 BAR", "The 9 bar", false},
	} {
		if got := SameLetters(c.statement, []wstk.Evidence{{Quote: c.quote}}); got != c.same {
			t.Errorf("%q in %q: SameLetters is %v, want %v", c.statement, c.quote, got, c.same)
		}
	}
}
