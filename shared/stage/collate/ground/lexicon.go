package ground

import (
	_ "embed"
	"strings"

	"wstk/shared/lexicon"
)

//go:embed words.txt
var wordsFile string

var words = lexicon.Parse(wordsFile)

var (
	adds       = words.Set("adds")
	drops      = words.Set("drops")
	conditions = words.Set("conditions")
	joins      = words.Set("joins")
	by         = words.Set("by")
	places     = words.Set("places")
	standsFor  = words.Set("stands for")
	sides      = words.Phrases("sides")
	light      = words.Set("light")
	groups     = groupsOf(words.Phrases("alike"))
	denies     = lexicon.Common().Set("denies")
	noDenial   = func() *strings.Replacer {
		var pairs []string
		for _, p := range words.Phrases("bounds") {
			pairs = append(pairs, p, "")
		}
		return strings.NewReplacer(pairs...)
	}()
)

// Points reports whether words begin with one that stands for the subject of the sentence before.
func Points(sentence string) bool {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(sentence)), " ")
	return standsFor[strings.Trim(first, ",'’")]
}

// groupsOf numbers the lines of a table by their words.
func groupsOf(lines []string) map[string]int {
	out := map[string]int{}
	for i, line := range lines {
		for _, w := range strings.Fields(line) {
			out[w] = i + 1
		}
	}
	return out
}
