package collate

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// place is where the words of a statement stand in a quote, and what names them there.
type place struct {
	labels  []string // each a name that the structure of the page gives them: column, term, label, lead, property
	section []string // the headings they stand under, the outermost first
	beside  string   // the words themselves and those that say what they are: their sentence, the name of their row
	row     string   // its first cell; "" outside of tables
	column  int      // of its row, from 0; -1 outside of tables
	things  []string // of structured data: the properties that lead to a thing which the words are of
}

// ownQuotes are the quotes that say a statement; where none does, the first.
func ownQuotes(statement string, quotes []wstk.Evidence) (own []wstk.Evidence) {
	for _, e := range quotes {
		if Says(e.Quote, statement) {
			own = append(own, e)
		}
	}
	if own == nil && len(quotes) > 0 {
		own = quotes[:1]
	}
	return own
}

// placesOf are the places of a statement in a quote of d, which may be nil.
func placesOf(d *wstk.Document, e wstk.Evidence, statement string) (out []place) {
	span, ok := e.Span()
	if !ok {
		return []place{leafPlace(d, e)}
	}
	for _, at := range text.Occurrences(e.Quote, statement) {
		b, from, words := -1, at.Start, e.Quote // the block it stands in, and where
		if d != nil {
			if b = d.BlockAt(span.ByteStart + at.Start); b >= 0 && d.Blocks[b].ByteEnd <= len(d.Text) {
				from = span.ByteStart + at.Start - d.Blocks[b].ByteStart
				words = d.BlockText(b)
			}
		}
		x := place{column: -1}
		if strings.Contains(words, "\t") && from <= len(words) {
			x = cellPlace(d, b, words, from, from+at.End-at.Start)
		} else {
			x.beside = sentenceAt(e.Quote, at)
			if label, _, ok := strings.Cut(x.beside, ":"); ok {
				x.labels = append(x.labels, label)
			}
			x.labels = append(x.labels, above(d, b)...)
		}
		if x.section = e.SectionPath; b >= 0 {
			x.section = d.SectionPath(d.Blocks[b].Section)
		}
		out = append(out, x)
	}
	return out
}

// sentenceAt are the sentences of s that a range touches.
func sentenceAt(s string, at text.Range) string {
	var out []string
	for _, r := range sentencesIn(s, "") {
		if r.Start < at.End && at.Start < r.End {
			out = append(out, s[r.Start:r.End])
		}
	}
	return strings.Join(out, " ")
}

// cellPlace is a place in a row: its column names it, and the first cell of its row.
func cellPlace(d *wstk.Document, block int, row string, from, to int) place {
	cells, first := strings.Split(row, "\t"), strings.Count(row[:from], "\t")
	last := min(first+strings.Count(row[from:min(to, len(row))], "\t"), len(cells)-1)
	x := place{column: first, row: cells[0], beside: cells[0] + " " + strings.Join(cells[first:last+1], " ")}
	if len(cells) == 2 && first == 1 {
		x.labels = append(x.labels, cells[0])
	}
	if h := headerOf(d, block); h >= 0 {
		if names := strings.Split(d.BlockText(h), "\t"); first < len(names) {
			x.labels = append(x.labels, strings.Join(names[first:min(last+1, len(names))], " "))
		}
	}
	return x
}

// headerOf is the nearest header above a row of a table, else the first row of the table
// where that holds no value and one below it does; -1 where there is none.
func headerOf(d *wstk.Document, row int) int {
	if d == nil || row < 0 || d.Blocks[row].Kind != wstk.BlockTableRow {
		return -1
	}
	first := -1
	for i := row - 1; i >= 0; i-- {
		b := &d.Blocks[i]
		if b.Kind != wstk.BlockTableRow || b.Table != d.Blocks[row].Table {
			continue
		}
		if b.IsHeader && (strings.Contains(d.BlockText(i), "\t") || !strings.Contains(d.BlockText(row), "\t")) {
			return i
		}
		first = i
	}
	if first < 0 || holdsValue(d, first) || !holdsValue(d, row) {
		return -1
	}
	return first
}

// holdsValue reports whether a block holds a number, a date, an amount or the like.
func holdsValue(d *wstk.Document, block int) bool {
	return slices.ContainsFunc(value.Find(d.BlockText(block), d.Meta.Language), wording.Measurable)
}

// above is the term of a definition, or the line that leads to a block or its list: "Deadly:".
func above(d *wstk.Document, block int) []string {
	if d == nil || block < 0 {
		return nil
	}
	i := block - 1
	if kind := d.Blocks[block].Kind; kind == wstk.BlockDefinition || kind == wstk.BlockListItem {
		for i >= 0 && d.Blocks[i].Kind == kind && !leads(d.BlockText(i)) {
			i--
		}
	}
	if i < 0 || d.Blocks[i].Section != d.Blocks[block].Section {
		return nil
	}
	words := d.BlockText(i)
	if d.Blocks[i].Kind == wstk.BlockTerm && d.Blocks[block].Kind == wstk.BlockDefinition || leads(words) {
		return []string{words}
	}
	return nil
}

// leads reports whether a line leads to what stands below it.
func leads(words string) bool { return endsWith(strings.TrimSpace(words), colons) }

// labelled reports whether the structure of its page gives a statement its field.
func labelled(places []place, field string) bool {
	return field != "" && slices.ContainsFunc(places, func(x place) bool {
		return slices.ContainsFunc(x.labels, func(label string) bool { return wording.FoldField(label) == field })
	})
}

// deniesValue reports whether a sentence denies a value in the words right before it: "not
// 12 EUR", "no longer costs 9 EUR".
func deniesValue(sentence, value string) bool {
	const near = 3 // words
	if !strings.ContainsAny(value, wording.Digits) {
		return false
	}
	for _, at := range text.Occurrences(sentence, value) {
		w := wording.Bare(text.FoldCompare(sentence[:at.Start]))
		if slices.ContainsFunc(w[max(0, len(w)-near):], plainlyDenies) {
			return true
		}
	}
	return false
}

// rival is another value of the same kind in the sentence of a statement with a field or a
// value, which may be meant as well; "" without one.
func (k *check) rival(s wstk.Statement, quotes []wstk.Evidence) string {
	if s.Field == titleField || s.Field == "" && s.Value == nil {
		return ""
	}
	for _, e := range ownQuotes(s.Statement, quotes) {
		for _, lang := range k.languages(e)[:1] {
			mine := s.Value
			for _, v := range value.Find(s.Statement, lang) {
				if mine == nil && v.Text == s.Statement {
					mine = &wstk.Value{Type: wstk.ValueType(v.Type), Text: v.Text, Norm: v.Norm}
				}
			}
			if mine == nil || !strings.ContainsAny(mine.Text, wording.Digits) {
				continue
			}
			for _, x := range placesOf(k.page(e), e, s.Statement) {
				if x.column >= 0 {
					continue // a cell is named by its column
				}
				for _, v := range value.Find(x.beside, lang) {
					if wstk.ValueType(v.Type) == mine.Type && v.Norm != mine.Norm && wording.Measurable(v) && strings.ContainsAny(v.Text, wording.Digits) {
						return v.Text
					}
				}
			}
		}
	}
	return ""
}

// together reports whether a title and a fact of its item stand in one item of data, one
// row, one definition or one section, or on a page that has the title for its own.
func (k *check) together(title, fact wstk.Evidence, field string) bool {
	d := k.page(title)
	if d == nil || d != k.page(fact) {
		return false
	}
	t, isText := title.Span()
	f, alsoText := fact.Span()
	if !isText && !alsoText {
		return k.pages.oneThing(title, fact, field)
	}
	if isText != alsoText {
		return false
	}
	i, j, last := d.BlockAt(t.ByteStart), d.BlockAt(f.ByteStart), d.BlockAt(f.ByteEnd-1)
	switch {
	case i < 0 || j < 0 || last < 0 || d.Blocks[j].Section != d.Blocks[last].Section:
		return false
	case i == j:
		return !repeats(d, i, t, f)
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
	return n <= len(fact.SectionPath) && slices.Equal(title.SectionPath, fact.SectionPath[:n]) && general(fact.SectionPath[n:], field)
}

// repeats reports whether a row holds several things side by side, and a fact stands with
// another one of them than the title: Plan, Price, Plan, Price.
func repeats(d *wstk.Document, row int, title, fact wstk.Span) bool {
	h := headerOf(d, row)
	if h < 0 {
		return false
	}
	names := strings.Split(d.BlockText(h), "\t")
	column := func(at int) int { return strings.Count(d.Text[d.Blocks[row].ByteStart:at], "\t") }
	from, at := column(title.ByteStart), column(fact.ByteStart)
	for i := range names {
		if i != from && from < len(names) && wording.FoldField(names[i]) == wording.FoldField(names[from]) && (from < i && i <= at || at < from) {
			return true
		}
	}
	return false
}

// general reports whether headings are those that any thing may have, or the field of what
// stands under them: none that may name another thing.
func general(headings []string, field string) bool {
	return !slices.ContainsFunc(headings, func(h string) bool {
		for w := range wording.Content(h, "en") {
			if !generalHeadings[w] {
				return !holdsField(field, h)
			}
		}
		return false
	})
}

// ofTitle returns the words of a fact that stand nowhere together with the title t; ""
// where all do.
func (k *check) ofTitle(t wstk.Statement) string {
	titles, _ := k.cited(t.Evidence)
	for _, s := range k.Statements {
		facts, _ := k.cited(s.Evidence)
		if len(facts) == 0 || s.Statement == t.Statement {
			continue
		}
		facts = ownQuotes(s.Statement, facts)
		if !slices.ContainsFunc(facts, func(f wstk.Evidence) bool {
			d := k.page(f)
			words := text.FoldCompare(t.Statement)
			deeper := slices.DeleteFunc(slices.Clone(f.SectionPath), func(h string) bool { return text.FoldCompare(h) == words })
			return d != nil && text.FoldCompare(d.Meta.Title) == words && general(deeper, s.Field) && k.pages.ofPage(f, s.Field, words) ||
				slices.ContainsFunc(titles, func(e wstk.Evidence) bool { return k.together(e, f, s.Field) })
		}) {
			return s.Statement
		}
	}
	return ""
}
