package collate

import "strings"

// phrases are those of a table, parted into words, by their first word.
type phrases map[string][][]string

func phrasesOf(list []string) phrases {
	out := phrases{}
	for _, p := range list {
		if w := strings.Fields(p); len(w) > 0 {
			out[w[0]] = append(out[w[0]], w)
		}
	}
	return out
}

// at returns how many of words the phrase has that they begin with; 0 for none.
func (ps phrases) at(words []string) int {
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

// in reports whether words hold a phrase.
func (ps phrases) in(words []string) bool {
	for i := range words {
		if ps.at(words[i:]) > 0 {
			return true
		}
	}
	return false
}
