package archtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"wstk/shared/lexicon"
	"wstk/shared/text"
)

// lexicons are the files of phrases, and how each is looked up.
var lexicons = []struct {
	file       string
	byLanguage bool // one language at a time, so that two may share a phrase
	noAccents  bool // words are compared without accents
	codes      bool // the tags are codes of languages and countries
	bytes      bool // phrases are compared byte by byte: "don't" and "don’t" differ
}{
	{file: "shared/lexicon/common.txt", byLanguage: true},
	{file: "shared/lexicon/attributes.txt", byLanguage: true},
	{file: "shared/lexicon/exclusive.txt", byLanguage: true},
	{file: "shared/stage/answer/paths.txt"},
	{file: "shared/stage/answer/phrases.txt", byLanguage: true},
	{file: "shared/stage/read/labels.txt"},
	{file: "shared/stage/extract/units.txt", byLanguage: true},
	{file: "shared/stage/screen/phrases.txt"},
	{file: "shared/stage/screen/secrets.txt"},
	{file: "shared/stage/screen/patterns.txt"},
	{file: "shared/stage/screen/injection.txt", bytes: true},
	{file: "shared/stage/screen/secretrules.txt"},
	{file: "shared/stage/collate/proposition/attributes.txt", byLanguage: true},
	{file: "shared/stage/collate/ground/words.txt", byLanguage: true},
	{file: "shared/stage/collate/ground/translated.txt", byLanguage: true},
	{file: "shared/stage/extract/fields.txt", byLanguage: true},
	{file: "shared/stage/extract/forms.txt", byLanguage: true},
	{file: "shared/text/abbreviations.txt", byLanguage: true},
	{file: "shared/text/denial.txt"},
	{file: "shared/text/denialwords.txt"},
	{file: "shared/text/related/phrases.txt"},
	{file: "shared/text/stopwords.txt", byLanguage: true},
	{file: "shared/stage/search/phrases.txt", byLanguage: true, noAccents: true},
	{file: "shared/stage/search/names.txt", noAccents: true, codes: true},
	{file: "shared/stage/summarize/phrases.txt", byLanguage: true},
}

// Every lexicon has families with names, entries with known language tags, no phrase twice,
// and, where a text is searched for the phrases, none within another.
func TestLexicons(t *testing.T) {
	for _, l := range lexicons {
		data, err := os.ReadFile(filepath.Join(root(t), l.file))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, fault := range faults(lexicon.Parse(string(data)), l.byLanguage,
			l.noAccents, l.codes, l.bytes) {
			t.Errorf("%s: %s", l.file, fault)
		}
	}
}

// A room that reads a lexicon names its files in the table above.
func TestLexiconsAreKnown(t *testing.T) {
	for _, p := range list(t, "./shared/...") {
		if !slices.Contains(p.Imports, module+"/shared/lexicon") {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(p.Dir, "*.txt"))
		for _, file := range files {
			rel, _ := filepath.Rel(root(t), file)
			if slices.Contains(otherLists, rel) || slices.ContainsFunc(lexicons, func(l struct {
				file                                string
				byLanguage, noAccents, codes, bytes bool
			}) bool {
				return l.file == rel
			}) {
				continue
			}
			t.Errorf("%s is in no table of this test: name it in lexicons, or in otherLists if it holds no phrases", rel)
		}
	}
}

// otherLists are read with the same reader and hold no phrases of a language.
var otherLists = []string{
	"shared/stage/collate/page/schema.txt",
	"shared/stage/collate/page/words.txt", // several words a line, without tags of languages
	"shared/stage/extract/synonyms.txt",   // several words a line
	"shared/stage/fetch/walls.txt",
	"shared/stage/screen/overrides.txt",
	"shared/stage/screen/tokens.txt",
	"shared/stage/screen/walls.txt",
	"shared/text/related/words.txt", // its own test reads it
}

// faults lists what is wrong with a lexicon.
func faults(l *lexicon.Lexicon, byLanguage, noAccents, codes, bytes bool) (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	names := map[string]bool{}
	for _, f := range l.Families() {
		if f.Name == "" || names[f.Name] || len(f.Entries) == 0 {
			add("a family is named %q: it needs a name of its own, and entries", f.Name)
		}
		names[f.Name] = true
		seen := map[string]string{}
		var keys []string
		for _, e := range f.Entries {
			if !codes && !knownTag(e.Lang()) {
				add("[%s] %q: the language tag %q is unknown", f.Name, e.Phrase(), e.Lang())
			}
			key := strings.Join(e[min(1, len(e)-1):], " ")
			if !bytes {
				key = keyOf(key, noAccents)
			}
			if key == "" {
				add("[%s] an entry of %q is empty", f.Name, e.Lang())
			}
			scope := key
			if byLanguage {
				scope = e.Lang() + " " + key
			}
			if other, twice := seen[scope]; twice {
				add("[%s] %q and %q are the same when they are compared", f.Name, other, e.Phrase())
			}
			seen[scope] = e.Phrase()
			// " bot" is not in robot
			if blank := strings.TrimLeft(e.Phrase(), " "); blank != e.Phrase() {
				key = " " + key
			}
			keys = append(keys, key)
		}
		if !f.Substring {
			continue
		}
		for i, a := range keys {
			for k, b := range keys {
				if i != k && a != b && strings.Contains(a, b) {
					add("[%s] %q is never needed: %q is found wherever it is", f.Name, f.Entries[i].Phrase(), f.Entries[k].Phrase())
				}
			}
		}
	}
	return out
}

func keyOf(s string, noAccents bool) string {
	s = text.FoldCompare(s)
	if noAccents {
		s = strings.Map(func(c rune) rune {
			if unicode.Is(unicode.Mn, c) {
				return -1
			}
			return c
		}, norm.NFD.String(s))
	}
	return s
}

// knownTag reports whether a tag is a language, one without a region as they stand in
// lexicons, or one of the two that stand for none.
func knownTag(tag string) bool {
	if tag == "mul" || tag == "zxx" {
		return true
	}
	_, err := language.ParseBase(tag)
	return err == nil && tag == strings.ToLower(tag)
}

// The guard guards: each of these has one fault.
func TestFaultsOfLexicons(t *testing.T) {
	for file, want := range map[string]string{
		"en\ta phrase":               "needs a name",
		"[a]\nen\tone\n[a]\nen\ttwo": "needs a name",
		"[a]\n":                      "needs a name",
		"[a]\nxq\tone":               "tag \"xq\" is unknown",
		"[a]\none":                   "tag \"\" is unknown",
		"[a]\nen\tit's\nen\tIt’s":    "the same",
		"[a]\nen\tone\nde\tone":      "the same",
		"[a] substring\nen\twe use cookies\nen\tuse cookie": "never needed",
	} {
		got := faults(lexicon.Parse(file), false, false, false, false)
		if len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("%q: the faults are %q, want one that says %q", file, got, want)
		}
	}
	if got := faults(lexicon.Parse("[a]\nen\twe use cookies\nen\tuse cookie\nde\tKeks"), false, false, false, false); len(got) > 0 {
		t.Errorf("a lexicon without a fault has %q", got)
	}
}
