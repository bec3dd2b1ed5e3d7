package text

import (
	_ "embed"
	"regexp"
	"strings"
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

// familyName is a name in an expression that stands for any line of a family.
var familyName = regexp.MustCompile(`<([a-z ]+)>`)

func newDenialRules(patterns, words *lexicon.Lexicon) *denialRules {
	d := &denialRules{expressions: map[string]*expression{}, words: map[string]map[string]bool{},
		parts: words.Phrases("needed parts")}
	for _, f := range words.Families() {
		d.words[f.Name] = words.Set(f.Name)
	}
	named := map[string]bool{} // families that are parts of others
	for _, m := range familyName.FindAllStringSubmatch(denialFile, -1) {
		named[m[1]] = true
	}
	var all []*expression
	for _, f := range patterns.Families() {
		if named[f.Name] {
			continue
		}
		e := newExpression(expanded(patterns, f.Name))
		d.expressions[f.Name] = e
		all = append(all, e)
	}
	d.index = newNeedIndex(all)
	return d
}

// expanded returns the lines of a family with the families that they name filled in. A line
// that names a family without lines matches nothing and is left out.
func expanded(l *lexicon.Lexicon, family string) (out []string) {
	for _, line := range l.Phrases(family) {
		empty := false
		line = familyName.ReplaceAllStringFunc(line, func(name string) string {
			lines := expanded(l, name[1:len(name)-1])
			empty = empty || len(lines) == 0
			return "(?:" + strings.Join(lines, "|") + ")"
		})
		if !empty {
			out = append(out, line)
		}
	}
	return out
}

// is reports whether an expression of a family of denial.txt matches the passage.
func (x passage) is(family string) bool { return denials().expressions[family].matches(x) }

// opening returns where the match of a family at the beginning of the passage ends; -1 if
// there is none.
func (x passage) opening(family string) int { return denials().expressions[family].opening(x) }

// amongWords reports whether a word is in a family of denialwords.txt.
func amongWords(family, word string) bool { return denials().words[family][word] }
