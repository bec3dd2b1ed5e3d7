package text

import (
	"slices"
	"unicode"
)

// shingle is how many words make one shingle.
const shingle = 5

// nearCopy and contained are the thresholds of NearCopies; containment counts
// from minContained shingles on, since two short texts share phrases by chance.
const (
	nearCopy     = 0.8
	contained    = 0.9
	minContained = 30
)

// NearCopies reports whether a and b are one text as far as independent sources
// are concerned: their sets of word 5-shingles have a Jaccard similarity of at least
// 0.8, or at least 0.9 of the shingles of the shorter one, if it has 30 or more, stand
// in the longer one (a text quoted whole, with something around it).
//
// Words are compared by FoldCompare; a character of a script without spaces is a
// word. A text of less than five words is one shingle; without any word it is
// not a copy. The time is linear in the texts, except for sorting the shingles' hashes.
func NearCopies(a, b string) bool { return ShinglesOf(a).NearCopies(ShinglesOf(b)) }

// Shingles is the set of word 5-shingles of a text, for a caller that compares it with several
// others. It takes 8 bytes for each word. It does not change after ShinglesOf.
type Shingles struct{ hashes []uint64 }

// ShinglesOf returns the shingles of a text.
func ShinglesOf(s string) Shingles { return Shingles{shingles(s)} }

// NearCopies is the function of that name for the two texts.
func (a Shingles) NearCopies(b Shingles) bool {
	x, y := a.hashes, b.hashes
	both := common(x, y)
	all, less := len(x)+len(y)-both, min(len(x), len(y))
	return both > 0 && (float64(both) >= nearCopy*float64(all) ||
		less >= minContained && float64(both) >= contained*float64(less))
}

// shingles returns the sorted set of shingle hashes of s.
func shingles(s string) []uint64 {
	const prime = 0x9E3779B97F4A7C15
	var words []uint64
	h := uint64(0)
	end := func() {
		if h != 0 {
			words = append(words, h)
		}
		h = 0
	}
	for _, r := range FoldCompare(s) {
		switch {
		case scriptOf(r).unspaced() && unicode.IsLetter(r):
			end()
			h = mix(uint64(r)+1, prime)
			end()
		case isWordRune(r) || r >= 0x300 && unicode.Is(unicode.M, r):
			h = mix(h^(uint64(r)+1), prime)
		default:
			end()
		}
	}
	end()
	out := make([]uint64, 0, len(words))
	for i := 0; i == 0 && len(words) > 0 || i+shingle <= len(words); i++ {
		h := uint64(shingle)
		for _, w := range words[i:min(i+shingle, len(words))] {
			h = mix(h^w, prime)
		}
		out = append(out, h)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mix is a step of a 64-bit hash; never 0, which means "no word".
func mix(x, prime uint64) uint64 {
	x *= prime
	x ^= x >> 29
	x *= 0xBF58476D1CE4E5B9
	x ^= x >> 32
	return x | 1<<63
}

// common counts the elements that two sorted sets share.
func common(x, y []uint64) int {
	n := 0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			n++
			i++
			j++
		}
	}
	return n
}
