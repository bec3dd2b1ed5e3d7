package screen

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"wstk/shared/lexicon"
)

//go:embed phrases.txt
var phraseFile string

//go:embed secrets.txt
var secretFile string

//go:embed walls.txt
var wallFile string

//go:embed patterns.txt
var patternFile string

//go:embed injection.txt
var injectionFile string

//go:embed secretrules.txt
var secretRuleFile string

// vocabulary is what the rules know of words: the families of the text files of this
// folder, and what is made from them once.
type vocabulary struct {
	lists map[string][]string
	sets  map[string]map[string]bool

	matchers map[string]func() *matcher // of families that are searched for in one pass
	patterns map[string]func() *regexp.Regexp
	walls    func() marks

	injections, secrets, redact func() *ruleset
}

// vocab is set in init, because the rules that it makes look things up in it.
var vocab func() *vocabulary

func init() {
	vocab = sync.OnceValue(func() *vocabulary {
		return newVocabulary(lexicon.Parse(phraseFile).And(lexicon.Parse(secretFile)),
			lexicon.Parse(wallFile), lexicon.Parse(patternFile),
			lexicon.Parse(injectionFile).And(lexicon.Parse(secretRuleFile)))
	})
}

// newVocabulary makes a vocabulary of the phrases, the marks of walls, the patterns that
// are used by themselves, and the words and patterns of rules.
func newVocabulary(l, walls, patterns, rules *lexicon.Lexicon) *vocabulary {
	v := &vocabulary{lists: map[string][]string{}, sets: map[string]map[string]bool{},
		matchers: map[string]func() *matcher{}, patterns: map[string]func() *regexp.Regexp{}}
	for _, f := range l.Families() {
		list := l.Phrases(f.Name)
		v.lists[f.Name], v.sets[f.Name] = list, l.Set(f.Name)
		v.matchers[f.Name] = sync.OnceValue(func() *matcher { return newMatcher([][]string{list}) })
	}
	v.walls = sync.OnceValue(func() marks { return newMarks(walls) })
	for _, f := range patterns.Families() {
		v.patterns[f.Name] = sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(patternOf(patterns, f.Name))
		})
	}
	v.injections = sync.OnceValue(func() *ruleset { return newInjectionRules(rules) })
	v.secrets = sync.OnceValue(func() *ruleset {
		return newRuleset(append(tokenRules(), secretsIn(rules, contextRules)...)...)
	})
	v.redact = sync.OnceValue(func() *ruleset { return newRedactRules(rules) })
	return v
}

// patternOf joins the expressions of a family. One without any matches nothing.
func patternOf(l *lexicon.Lexicon, family string) string {
	expressions := l.Expressions(family)
	if len(expressions) == 0 {
		return `[^\x00-\x{10FFFF}]`
	}
	for _, f := range l.Families() {
		if f.Name == family && f.Caseless {
			return "(?i)" + strings.Join(expressions, "|")
		}
	}
	return strings.Join(expressions, "|")
}

// worded fills in the words and the patterns of rules, which are families of l.
func worded(l *lexicon.Lexicon, rules []rule) []rule {
	rules = slices.Clone(rules)
	for i := range rules {
		r := &rules[i]
		switch {
		case r.words != "":
			r.keywords = phrases(r.words)
		case r.keywords == nil:
			r.keywords = l.Phrases(r.family + ": words")
		}
		r.pattern = patternOf(l, r.family)
	}
	return rules
}

// pattern returns a pattern of patterns.txt.
func pattern(family string) *regexp.Regexp { return vocab().patterns[family]() }

// phrases returns a family of phrases.
func phrases(family string) []string { return vocab().lists[family] }

// among reports whether s is a phrase of a family, whole.
func among(family, s string) bool { return vocab().sets[family][s] }
