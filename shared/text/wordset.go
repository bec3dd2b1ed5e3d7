package text

import "strings"

// WordSet returns the words of lists, which white space separates, as a set.
func WordSet(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, l := range lists {
		for _, w := range strings.Fields(l) {
			set[w] = true
		}
	}
	return set
}
