package page

import (
	_ "embed"
	"slices"
	"strings"

	"wstk/shared/lexicon"
	"wstk/shared/stage/collate/wording"
)

//go:embed words.txt
var wordsFile string

// tables are those of words.txt by name.
var tables = tablesOf(wordsFile)

// tablesOf reads a lexicon whose lines may hold several words, with | between them.
func tablesOf(file string) map[string][]string {
	m := map[string][]string{}
	for _, f := range lexicon.Parse(file).Families() {
		for _, e := range f.Entries {
			m[f.Name] = append(m[f.Name], strings.Split(e.Phrase(), "|")...)
		}
	}
	return m
}

var (
	takers     = wording.NewPhrases(tables["takers"])
	wideTakers = tables["wide"]
	deniers    = lexicon.Common().Set("denies")
	limiters   = setOf("limiters")
	openers    = setOf("openers")
	verdicts   = setOf("verdicts")
	pointers   = setOf("pointers")
	conditions = setOf("conditions")
	harmless   = setOf("labels")
	joiners    = setOf("joiners")
	governing  = setOf("governing")
	adding     = setOf("adding")
	attaching  = setOf("attaching")
	narrowing  = tables["narrowing"]
	fragments  = tables["fragments"]
	hanging    = func() map[string]map[string]bool { // by language
		m := map[string]map[string]bool{}
		for name := range tables {
			if lang, ok := strings.CutPrefix(name, "hanging "); ok {
				m[lang] = setOf(name)
			}
		}
		return m
	}()

	turners       = wording.NewPhrases(tables["turners"])
	rulings       = setOf("rulings")
	asides        = setOf("asides")
	retortPhrases = wording.NewPhrases(tables["retorts"])
	corrections   = wording.NewPhrases(tables["corrections"])
	whens         = setOf("whens")
	objects       = setOf("objects")
	myths         = setOf("myths")
	suppositions  = wording.NewPhrases(tables["suppositions"])

	// falsifiers are the takers that take back the sentence before, too.
	falsifiers = wording.NewPhrases(
		slices.DeleteFunc(slices.Clone(tables["takers"]), func(t string) bool {
			first, _, _ := strings.Cut(t, " ")
			return conditions[first] || t == "no longer" || strings.HasSuffix(t, " to") ||
				strings.HasSuffix(t, " that")
		}))

	pointing     = wording.NewPhrases(tables["pointing"])
	widePointing = tables["pointing wide"]
)

func setOf(table string) map[string]bool {
	m := map[string]bool{}
	for _, w := range tables[table] {
		m[w] = true
	}
	return m
}
