package ground

import (
	_ "embed"
	"strings"

	"wstk/shared/lexicon"
	"wstk/shared/text"
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

// splitAll takes phrases apart into words.
func splitAll(phrases []string) (out [][]string) {
	for _, p := range phrases {
		out = append(out, strings.Fields(p))
	}
	return out
}

// leaving are the words of one language by which Aligned knows what may be left out.
type leaving struct {
	guards, articles, behindArticles, relatives, ands, verbs, pairing, copulas, owners, persons,
	answers map[string]bool
	markers, examples [][]string
}

// leavings are those of each language that words.txt has guards for. A statement in another one may
// leave out nothing.
var leavings = func() map[string]*leaving {
	out := map[string]*leaving{}
	for e := range words.Entries("guards") {
		lang := e.Lang()
		if out[lang] != nil {
			continue
		}
		set := func(family string) map[string]bool {
			m := map[string]bool{}
			for _, w := range words.In(lang, family) {
				m[w] = true
			}
			return m
		}
		out[lang] = &leaving{guards: set("guards"), articles: set("articles"),
			behindArticles: set("behind articles"), relatives: set("relatives"),
			ands: set("ands"), verbs: set("verbs"), pairing: set("pairing"),
			copulas: set("copulas"), owners: set("owners"), persons: set("persons"),
			answers: set("answers"), markers: splitAll(words.In(lang, "markers")),
			examples: splitAll(words.In(lang, "examples"))}
	}
	return out
}()

func leavingOf(lang string) *leaving {
	if l := leavings[text.Language(lang)]; l != nil {
		return l
	}
	return &leaving{}
}
