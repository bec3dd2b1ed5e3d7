package text

import (
	_ "embed"
	"sync"

	"wstk/shared/lexicon"
)

//go:embed denial.txt
var denialFile string

//go:embed denialwords.txt
var denialWordFile string

// denialRules are denial.txt and denialwords.txt, ready for use.
type denialRules struct {
	expressions map[string]*expression // by family
	index       *needIndex             // of the expressions
	words       map[string]map[string]bool
	parts       []string // see the family "needed parts"
}

var denials = sync.OnceValue(func() *denialRules {
	return newDenialRules(lexicon.Parse(denialFile), lexicon.Parse(denialWordFile))
})

func newDenialRules(patterns, words *lexicon.Lexicon) *denialRules {
	d := &denialRules{expressions: map[string]*expression{}, words: map[string]map[string]bool{},
		parts: words.Phrases("needed parts")}
	for _, f := range words.Families() {
		d.words[f.Name] = words.Set(f.Name)
	}
	var all []*expression
	parts := patterns.Named()
	for _, f := range patterns.Families() {
		if parts[f.Name] {
			continue
		}
		e := newExpression(patterns.Expressions(f.Name))
		d.expressions[f.Name] = e
		all = append(all, e)
	}
	d.index = newNeedIndex(all)
	return d
}

// is reports whether an expression of a family of denial.txt matches the passage.
func (x passage) is(family string) bool { return denials().expressions[family].matches(x) }

// opening returns where the match of a family at the beginning of the passage ends; -1 if
// there is none.
func (x passage) opening(family string) int { return denials().expressions[family].opening(x) }

// amongWords reports whether a word is in a family of denialwords.txt.
func amongWords(family, word string) bool { return denials().words[family][word] }
