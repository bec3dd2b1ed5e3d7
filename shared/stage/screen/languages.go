package screen

import (
	_ "embed"
	"strings"

	"wstk/shared/lexicon"
)

//go:embed overrides.txt
var overrideFile string

// few is up to four words, which {few} stands for in overrides.txt.
const few = `(?:[\pL'’]+\s+){0,4}?`

// overrides are the rules of overrides.txt.
func overrides() (rules []rule) {
	l := lexicon.Parse(overrideFile)
	add := func(family, name, reason string, before int) {
		for e := range l.Entries(family) {
			rules = append(rules, rule{
				name: name, reason: reason + " (" + e.Lang() + ")",
				keywords: strings.Split(e[1], ","), before: before, after: 260,
				pattern: `(?i)` + strings.ReplaceAll(e.Phrase(), "{few}", few), keep: affirmed,
			})
		}
	}
	add("override", "instruction_override", "tells a model to drop its instructions", 140)
	add("content", "content_override",
		"tells a model to answer something other than what the page says", 20)
	return rules
}

// affirmed leaves out quotations and sentences that say the opposite.
func affirmed(s string, start, end int) bool {
	return !quoted(s, start, end) && !pattern("negated before").
		MatchString(s[max(0, start-24):start]) &&
		!pattern("negated behind").MatchString(s[end:min(len(s), end+24)])
}
