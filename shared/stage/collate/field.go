package collate

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/page"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// named reports whether the place of a statement in a quote gives it the name of its field:
// its sentence, its section, its label, its own column, the name of the data. Another quote
// or another cell gives it no name, and neither does a label of which the field leaves out
// what denies or measures it ("not allowed", "in thousands").
func (k *check) named(s wstk.Statement, quotes []wstk.Evidence) bool {
	return named(k.page, s.Field, s.Statement, quotes)
}

// named is check.named. A statement in other words than its quote is where the quote is.
func named(
	pageOf func(wstk.Evidence) *wstk.Document, field, statement string, quotes []wstk.Evidence,
) bool {
	for _, e := range page.OwnQuotes(statement, quotes) {
		places := page.PlacesOf(pageOf(e), e, statement)
		if len(places) == 0 {
			places = page.PlacesOf(pageOf(e), e, e.Quote)
		}
		if len(places) > 0 && !slices.ContainsFunc(places,
			func(x page.Place) bool { return !x.Names(field) }) {
			return true
		}
	}
	return false
}

// rival is another value of the same type in the sentence of a statement with a field or a
// value, which may be meant as well; "" without one.
func (k *check) rival(s wstk.Statement, quotes []wstk.Evidence) string {
	if s.Field == page.TitleField || s.Field == "" && s.Value == nil {
		return ""
	}
	for _, e := range page.OwnQuotes(s.Statement, quotes) {
		lang := k.languages(e)[0]
		mine := valueOf(s, lang)
		if mine == nil || !strings.ContainsAny(mine.Text, wording.Digits) {
			continue
		}
		for _, x := range page.PlacesOf(k.page(e), e, s.Statement) {
			if x.Column >= 0 {
				continue // a cell is named by its column
			}
			for _, v := range value.Find(x.Beside, lang) {
				if wstk.ValueType(v.Type) == mine.Type && v.Norm != mine.Norm &&
					wording.Measurable(v) && strings.ContainsAny(v.Text, wording.Digits) {
					return v.Text
				}
			}
		}
	}
	return ""
}

// valueOf is the value of a statement, or the one that all its words are; nil without one.
func valueOf(s wstk.Statement, lang string) *wstk.Value {
	if s.Value != nil {
		return s.Value
	}
	for _, v := range value.Find(s.Statement, lang) {
		if v.Text == s.Statement {
			return &wstk.Value{Type: wstk.ValueType(v.Type), Text: v.Text, Norm: v.Norm}
		}
	}
	return nil
}

// together reports whether a title and a fact of its item are in one item of data, one row,
// one definition or one section, or on a page that has the title for its own.
func (k *check) together(title, fact wstk.Evidence, field string) bool {
	d := k.page(title)
	if d == nil || d != k.page(fact) {
		return false
	}
	t, isText := title.Span()
	f, alsoText := fact.Span()
	switch {
	case !isText && !alsoText:
		return k.pages.OneThing(title, fact, field)
	case isText != alsoText:
		return false
	}
	i, j, last := d.BlockAt(t.ByteStart), d.BlockAt(f.ByteStart), d.BlockAt(f.ByteEnd-1)
	switch {
	case min(i, j, last) < 0 || d.Blocks[j].Section != d.Blocks[last].Section:
		return false
	case i == j:
		return !page.Repeats(d, i, t, f)
	}
	switch d.Blocks[i].Kind {
	case wstk.BlockTableRow, wstk.BlockListItem:
		return false
	case wstk.BlockTerm:
		for j > i && d.Blocks[j].Kind == wstk.BlockDefinition {
			j--
		}
		return i == j
	}
	n := len(title.SectionPath)
	return n <= len(fact.SectionPath) && slices.Equal(title.SectionPath, fact.SectionPath[:n]) &&
		page.General(fact.SectionPath[n:], field)
}

// ofTitle returns the words of a fact that is nowhere together with the title t; "" if all
// facts are.
func (k *check) ofTitle(t wstk.Statement) string {
	titles, _ := k.cited(t.Evidence)
	for _, s := range k.Statements {
		facts, _ := k.cited(s.Evidence)
		if len(facts) == 0 || s.Statement == t.Statement {
			continue
		}
		facts = page.OwnQuotes(s.Statement, facts)
		if !slices.ContainsFunc(facts, func(f wstk.Evidence) bool {
			d := k.page(f)
			words := text.FoldCompare(t.Statement)
			deeper := slices.DeleteFunc(slices.Clone(f.SectionPath), func(h string) bool {
				return text.FoldCompare(h) == words
			})
			return d != nil && text.FoldCompare(d.Meta.Title) == words &&
				page.General(deeper, s.Field) && k.pages.OfPage(f, s.Field, words) ||
				slices.ContainsFunc(titles, func(e wstk.Evidence) bool {
					return k.together(e, f, s.Field)
				})
		}) {
			return s.Statement
		}
	}
	return ""
}
