package extract

import (
	"strings"
	"testing"
)

// However many questions a query holds, a few of them are worked on.
func TestPartsAreFew(t *testing.T) {
	for _, q := range []string{strings.Repeat("what? ", 330), strings.Repeat("how long is it and how wide is it? ", 60), strings.Repeat("who and what; ", 140)} {
		if n := len(Parts(q)); n < 1 || n > maxParts {
			t.Errorf("%d parts of %.40q…", n, q)
		}
	}
}

// Of a page of very many lines so many are compared with a question.
func TestSentencesOfAPageAreBounded(t *testing.T) {
	d := doc("https://x.example/", "Words", strings.Repeat("Berth free.\n", maxUnits+10))
	q := newQuestion("Which berth is free?", whole("Which berth is free?"), "en")
	if n := len(newPage(d, q, nil, func(string, int,
		int) bool {
		return false
	}).units); n != maxUnits {
		t.Errorf("%d sentences, want %d", n, maxUnits)
	}
}
