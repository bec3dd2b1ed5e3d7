package page

import (
	"slices"
	"strings"

	"wstk/shared/lexicon"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// BindsField reports whether a statement may be the field of a name: no place of its words names
// another field of a group of which only one can be meant (fax, mobile), and one names the field if
// it is of such a group.
func (p *Set) BindsField(s wstk.Statement, quotes []wstk.Evidence) bool {
	if s.Field == "" || s.Field == TitleField {
		return true
	}
	own := fieldsIn(s.Field)
	for _, e := range OwnQuotes(s.Statement, quotes) {
		places := PlacesOf(p.Of(e), e, s.Statement)
		if len(places) == 0 {
			places = PlacesOf(p.Of(e), e, e.Quote)
		}
		if slices.ContainsFunc(places, func(x Place) bool { return x.binds(own) }) {
			return true
		}
	}
	return len(quotes) == 0
}

// binds reports whether the names of a place allow the given fields.
func (x Place) binds(own map[string]string) bool {
	around := wording.Bare(text.FoldCompare(x.Beside + "\n" + strings.Join(x.Section, "\n")))
	beside := func(group, name string) bool {
		return slices.ContainsFunc(around, func(w string) bool {
			return lexicon.ExclusiveFields([]string{w})[group] == name
		})
	}
	named := fieldsIn(strings.Join(append(slices.Clone(x.Labels), x.Row), "\n"))
	for group, name := range named {
		o := own[group]
		if o == "" && !lexicon.Plainly(name) || o != "" && o != name && !beside(group, o) {
			return false
		}
	}
	for group, name := range own {
		if named[group] == "" && !beside(group, name) && !lexicon.Plainly(name) {
			return false
		}
	}
	return true
}

func fieldsIn(words string) map[string]string {
	return lexicon.ExclusiveFields(wording.Bare(text.FoldCompare(words)))
}
