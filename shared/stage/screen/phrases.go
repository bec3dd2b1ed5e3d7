package screen

import (
	_ "embed"
	"sync"

	"wstk/shared/lexicon"
)

//go:embed phrases.txt
var phraseFile string

//go:embed secrets.txt
var secretFile string

//go:embed walls.txt
var wallFile string

// vocabulary is what the rules know of words: the families of phrases.txt and secrets.txt,
// and what is made from them once.
type vocabulary struct {
	lists map[string][]string
	sets  map[string]map[string]bool

	matchers map[string]func() *matcher // of families that are searched for in one pass
	walls    func() marks
	redact   func() *ruleset
}

// vocab is set in init, because the rules that it makes look things up in it.
var vocab func() *vocabulary

func init() {
	vocab = sync.OnceValue(func() *vocabulary {
		return newVocabulary(lexicon.Parse(phraseFile).And(lexicon.Parse(secretFile)),
			lexicon.Parse(wallFile))
	})
}

func newVocabulary(l, walls *lexicon.Lexicon) *vocabulary {
	v := &vocabulary{lists: map[string][]string{}, sets: map[string]map[string]bool{},
		matchers: map[string]func() *matcher{}}
	for _, f := range l.Families() {
		list := l.Phrases(f.Name)
		v.lists[f.Name], v.sets[f.Name] = list, l.Set(f.Name)
		v.matchers[f.Name] = sync.OnceValue(func() *matcher { return newMatcher([][]string{list}) })
	}
	v.walls = sync.OnceValue(func() marks { return newMarks(walls) })
	v.redact = sync.OnceValue(newRedactRules)
	return v
}

// phrases returns a family of phrases.
func phrases(family string) []string { return vocab().lists[family] }

// among reports whether s is a phrase of a family, whole.
func among(family, s string) bool { return vocab().sets[family][s] }
