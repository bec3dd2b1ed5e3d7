package value

import (
	"strings"
	"testing"
)

// TestWordsStandOnce: words.txt has known kinds of words, and each word of a language stands
// once with a kind, in small letters.
func TestWordsStandOnce(t *testing.T) {
	kinds := map[string]bool{"number": true, "factor": true, "ordinal": true, "and": true,
		"inside": true, "multiplier": true, "month": true}
	seen := map[string]bool{}
	for _, row := range wordRows() {
		if !kinds[row.kind] || len(row.words) == 0 {
			t.Errorf("words.txt: %+v has an unknown kind or no words", row)
		}
		if row.lang == "any" != (row.kind == "multiplier") {
			t.Errorf("words.txt: %+v: multipliers, and no others, are words of any language", row)
		}
		row.each(func(word string, value float64) {
			key := row.lang + " " + row.kind + " " + word
			if seen[key] || word == "" || word != strings.ToLower(word) {
				t.Errorf("words.txt: %q stands twice or has capital letters", key)
			}
			seen[key] = true
			if row.kind == "month" && (value < 1 || value > 12) {
				t.Errorf("words.txt: %q is month %v, want 1 to 12", key, value)
			}
		})
	}
}

// TestLanguagesOfNumberWords: the languages that Find names have words from one to ten.
func TestLanguagesOfNumberWords(t *testing.T) {
	for _, lang := range strings.Fields("en es fr de it pt nl sv ru tr") {
		has := map[float64]bool{}
		if w := spelled()[lang]; w != nil {
			for _, f := range w.units {
				has[f] = true
			}
		}
		for f := 1.0; f <= 10; f++ {
			if !has[f] {
				t.Errorf("words.txt has no word for %v in %q", f, lang)
			}
		}
	}
}
