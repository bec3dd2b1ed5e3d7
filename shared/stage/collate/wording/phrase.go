package wording

import "strings"

// Phrases are the phrases of a table, split into words, by their first word.
type Phrases map[string][][]string

// NewPhrases returns the phrases of a list.
func NewPhrases(list []string) Phrases {
	out := Phrases{}
	for _, p := range list {
		if w := strings.Fields(p); len(w) > 0 {
			out[w[0]] = append(out[w[0]], w)
		}
	}
	return out
}

// At returns the length in words of the phrase that words begin with; 0 for none.
func (ps Phrases) At(words []string) int {
next:
	for _, p := range ps[words[0]] {
		if len(p) > len(words) {
			continue
		}
		for i := range p {
			if p[i] != words[i] {
				continue next
			}
		}
		return len(p)
	}
	return 0
}

// In reports whether words hold a phrase.
func (ps Phrases) In(words []string) bool {
	for i := range words {
		if ps.At(words[i:]) > 0 {
			return true
		}
	}
	return false
}
