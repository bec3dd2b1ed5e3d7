package search

import (
	"encoding/json"
	"testing"

	"wstk/shared/lexicon"
	"wstk/shared/lexicon/lexicontest"
)

// Every family of phrases and names changes what becomes of some query.
func TestEveryFamilyIsNeeded(t *testing.T) {
	old := words
	t.Cleanup(func() { words = old })
	var queries []string
	for _, p := range phrasings(t) {
		if p.Lang == "" {
			queries = append(queries, p.Words)
		}
	}
	template := func(v *vocabulary) func(string) string {
		return func(query string) string {
			words = func() *vocabulary { return v }
			got, notes, err := Rules(query, "", Limits{}, now)
			out, _ := json.Marshal([]any{got, notes, err})
			return string(out)
		}
	}
	phrases, names := lexicon.Parse(phraseFile), lexicon.Parse(nameFile)
	t.Run("phrases", func(t *testing.T) {
		lexicontest.Needed(t, phrases, "testdata/phrases.needed", queries, func(l *lexicon.Lexicon) func(string) string {
			return template(newVocabulary(l, names))
		})
	})
	t.Run("names", func(t *testing.T) {
		lexicontest.Needed(t, names, "testdata/names.needed", queries, func(l *lexicon.Lexicon) func(string) string {
			return template(newVocabulary(phrases, l))
		})
	})
}
