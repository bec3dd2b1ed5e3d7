package answering

import "testing"

// TestUndecided: a file of which no statement stands by a check is not one that verified.
func TestUndecided(t *testing.T) {
	yes, no := true, false
	statement := func(ok *bool) CheckedWords { return CheckedWords{Part: "statement", OK: ok} }
	for _, c := range []struct {
		name string
		of   []CheckedWords
		want int
	}{
		{"nothing", nil, 0},
		{"one stands", []CheckedWords{statement(nil), statement(&yes)}, 0},
		{"none stands", []CheckedWords{statement(nil), statement(nil)}, 2},
		{"one fails", []CheckedWords{statement(nil), statement(&no)}, 2},
		{"the content stands", []CheckedWords{{Part: "content", OK: &yes}, statement(nil)}, 1},
	} {
		if got := (VerifyReport{Statements: c.of}).Undecided(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
