package screen

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"wstk/shared/lexicon"
	"wstk/shared/lexicon/lexicontest"
	"wstk/shared/wstk"
)

// Every family of phrases changes what becomes of some page or text of the tests.
func TestEveryFamilyIsNeeded(t *testing.T) {
	pages := map[string]samplePage{}
	var names []string
	for _, file := range []string{"walls.txtar", "pages.txtar", "nowalls.txtar", "makers.txtar", "needed.txtar"} {
		for _, s := range samples(t, file) {
			names = append(names, file+" "+s.name)
			pages[file+" "+s.name] = s
		}
	}
	texts := map[string]string{}
	add := func(kind string, i int, s string) {
		name := fmt.Sprintf("%s %d", kind, i+1)
		names, texts[name] = append(names, name), s
	}
	for i, c := range secretCases(90_000) {
		add("secret", i, c.before+c.secret+c.after)
	}
	for i, c := range labelledSecrets() {
		add("labelled secret", i, c.before+c.secret+c.after)
	}
	for i, s := range lookAlikes() {
		add("look-alike", i, s)
	}
	for i, l := range injectionLines(t) {
		add("injection", i, l.text)
	}
	lines, err := os.ReadFile("testdata/needed.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		names, texts[strings.TrimSpace(line)] = append(names, strings.TrimSpace(line)),
			strings.TrimSpace(line)
	}
	documents := map[string]Input{}
	result := func(sample string) string {
		var out []any
		if s, ok := texts[sample]; ok {
			out = append(out, Redact(s), SecretURL(s), Stage{}.Words(s))
		} else {
			in, read := documents[sample]
			if s, ok := pages[sample]; ok && !read {
				in = s.input(t)
				documents[sample] = in
			}
			out = append(out, screen(t, in))
			in.Snapshot.Status, in.Snapshot.Verdict = 200, wstk.VerdictOK
			out = append(out, screen(t, in))
		}
		data, _ := json.Marshal(out)
		return string(data)
	}
	old := vocab
	t.Cleanup(func() { vocab = old })
	phrases, secrets := lexicon.Parse(phraseFile), lexicon.Parse(secretFile)
	walls, patterns := lexicon.Parse(wallFile), lexicon.Parse(patternFile)
	injection, rules := lexicon.Parse(injectionFile), lexicon.Parse(secretRuleFile)
	needed := func(name string, l *lexicon.Lexicon, with func(*lexicon.Lexicon) *vocabulary) {
		t.Run(name, func(t *testing.T) {
			lexicontest.Needed(t, l, "testdata/"+name+".needed", names,
				func(l *lexicon.Lexicon) func(string) string {
					v := with(l)
					return func(sample string) string {
						vocab = func() *vocabulary { return v }
						return result(sample)
					}
				})
		})
	}
	needed("phrases", phrases, func(l *lexicon.Lexicon) *vocabulary {
		return newVocabulary(l.And(secrets), walls, patterns, injection.And(rules))
	})
	needed("secrets", secrets, func(l *lexicon.Lexicon) *vocabulary {
		return newVocabulary(l.And(phrases), walls, patterns, injection.And(rules))
	})
	needed("patterns", patterns, func(l *lexicon.Lexicon) *vocabulary {
		return newVocabulary(phrases.And(secrets), walls, l, injection.And(rules))
	})
	needed("injection", injection, func(l *lexicon.Lexicon) *vocabulary {
		return newVocabulary(phrases.And(secrets), walls, patterns, l.And(rules))
	})
	needed("secretrules", rules, func(l *lexicon.Lexicon) *vocabulary {
		return newVocabulary(phrases.And(secrets), walls, patterns, injection.And(l))
	})
}
