package content

import (
	"unicode"

	"wstk/shared/text"
)

// said is the text of an article as the page's structured data has it: hashes of all runs
// of saidWindow letters and digits, so that a block is looked up in time linear in its
// length whatever marks and tags stand between them.
type said map[uint64]bool

const (
	saidWindow = 24      // bytes
	saidBlock  = 50      // bytes: shorter blocks are too short to look up
	maxSaid    = 1 << 18 // bytes of the text that are read
	leastSaid  = 400     // bytes: a shorter text is a summary
)

func saidBody(body string) said {
	letters := lettersOf(text.Prefix(body, maxSaid))
	if len(letters) < leastSaid {
		return nil
	}
	out := make(said, len(letters))
	for i := 0; i+saidWindow <= len(letters); i++ {
		out[hashOf(letters[i:i+saidWindow])] = true
	}
	return out
}

// part returns which part of a block's text stands in it, 0 if either is too short.
func (s said) part(t string) float64 {
	if len(s) == 0 || len(t) < saidWindow {
		return 0
	}
	letters := lettersOf(text.Prefix(t, 1<<14))
	n, in := 0, 0
	for i := 0; i+saidWindow <= len(letters); i += saidWindow {
		n++
		if s[hashOf(letters[i:i+saidWindow])] {
			in++
		}
	}
	return float64(in) / float64(max(n, 1))
}

// lettersOf returns the letters and digits of a text in lower case.
func lettersOf(t string) string {
	out := make([]byte, 0, len(t))
	for _, c := range t {
		if unicode.IsLetter(c) || unicode.IsNumber(c) {
			out = append(out, string(unicode.ToLower(c))...)
		}
	}
	return string(out)
}
