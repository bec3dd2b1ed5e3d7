package related

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/text"
)

// What users say and what manuals say.
func TestOf(t *testing.T) {
	for word, want := range map[string]string{
		"remove": "delete", "removing": "delete", "mute": "silence", "hush": "silence",
		"folder": "directory", "heard": "hear", "picture": "image",
		"cost": "price", "choose": "select", "warn": "alert", "zone": "district",
	} {
		if !slices.ContainsFunc(Of(word), func(w Word) bool { return w.Text == want }) {
			t.Errorf("%s is related to %v, want %s among them", word, Of(word), want)
		}
	}
	for word, not := range map[string]string{
		"enable": "disable", "allow": "forbid", "maximum": "minimum", "fast": "slow",
		"three": "four", "monday": "friday", "remember": "forget", "forgot": "remember",
		"old": "new", "client": "server", "the": "a", "": "", "qwertyuiop": "qwerty",
	} {
		if slices.ContainsFunc(Of(word), func(w Word) bool { return w.Text == not }) {
			t.Errorf("%s is related to %s", word, not)
		}
	}
	if len(Of("the")) > 0 || len(Of("")) > 0 || len(Of("zzzz")) > 0 || len(Of("AAAA")) > 0 {
		t.Error("stop words, no word and words that are none have relations")
	}
}

// Each word has a line of its own, is found, and every relation goes both ways. Only English
// stop words are left out: "door" is one in Dutch.
func TestTable(t *testing.T) {
	type pair struct{ a, b string }
	weights, last := map[pair]float64{}, ""
	for line := range strings.Lines(words) {
		word := firstOf(line)
		token := tokenOf(word)
		if word != strings.ToLower(word) || token <= last ||
			text.Tokenize(word, "en")[0].Stop {
			t.Errorf("%q is not in lower case, an English stop word, or not behind %q", word, last)
		}
		last = token
		found := Of(word)
		if len(found) != strings.Count(line, "\t") || len(found) == 0 {
			t.Errorf("%q has the relations %v, not those of its line %q", word, found, line)
		}
		for i, w := range found {
			if p := (pair{token, tokenOf(w.Text)}); weights[p] > 0 || p.a == p.b {
				t.Errorf("%q is related to %q twice, or to itself", word, w.Text)
			} else {
				weights[p] = w.Weight
			}
			if w.Weight <= 0 || w.Weight >= 1 || i > 0 && w.Weight > found[i-1].Weight {
				t.Errorf("%q is related to %q by %v", word, w.Text, w.Weight)
			}
		}
	}
	for p, w := range weights {
		if back := weights[pair{p.b, p.a}]; back != w {
			t.Errorf("%q is related to %q by %v, and back by %v", p.a, p.b, w, back)
		}
	}
	if len(weights) < 50_000 {
		t.Errorf("there are %d relations", len(weights))
	}
}

func TestPhrases(t *testing.T) {
	for s, want := range map[string]string{
		"How do I get rid of old logs?":  "remove",
		"getting rid of the alarm":       "remove",
		"it gets set up by itself":       "configure install automatically",
		"get a rid of":                   "",
		"of what is left out, and to by": "omitted",
		"":                               "",
	} {
		var got []string
		for _, p := range Phrases(text.Tokenize(s, "en")) {
			got = append(got, p.Words...)
		}
		for _, w := range strings.Fields(want) {
			if !slices.Contains(got, w) {
				t.Errorf("the phrases of %q give %q, want %s among them", s, got, w)
			}
		}
		if want == "" && len(got) > 0 {
			t.Errorf("the phrases of %q give %q, want nothing", s, got)
		}
	}
}

// The words for a phrase are words, and no stop words: these are never searched for.
func TestPhrasesHaveWords(t *testing.T) {
	for _, ps := range phrases() {
		for _, p := range ps {
			for _, w := range p.words {
				if w != strings.ToLower(w) || text.IsStopWord(w) ||
					slices.Contains(p.tokens, tokenOf(w)) {
					t.Errorf("%q is given for %q", w, p.tokens)
				}
			}
			if len(p.tokens) < 2 || len(p.words) == 0 {
				t.Errorf("%q is a phrase for %q", p.tokens, p.words)
			}
		}
	}
}

func BenchmarkOf(b *testing.B) {
	for b.Loop() {
		Of("removing")
	}
}
