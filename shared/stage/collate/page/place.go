package page

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Place is where the words of a statement are in a quote, and what names them there.
type Place struct {
	// each a name that the structure of the page gives them: column, term, label, lead, property
	Labels  []string
	Section []string // the headings above them, the outermost first
	// the words themselves and those that say what they are: their sentence, the name of their row
	Beside string
	Row    string // its first cell; "" outside of tables
	Column int    // of its row, from 0; -1 outside of tables
	// of structured data: the properties that lead to a thing which the words are of
	things []string
}

// OwnQuotes are the quotes that say a statement; if none does, the first.
func OwnQuotes(statement string, quotes []wstk.Evidence) (own []wstk.Evidence) {
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

// PlacesOf are the places of a statement in a quote of d, which may be nil.
func PlacesOf(d *wstk.Document, e wstk.Evidence, statement string) (out []Place) {
	span, ok := e.Span()
	if !ok {
		return []Place{leafPlace(d, e)}
	}
	for _, at := range text.Occurrences(e.Quote, statement) {
		b, from, words := -1, at.Start, e.Quote // the block it stands in, and where
		if d != nil {
			if b = d.BlockAt(span.ByteStart + at.Start); b >= 0 &&
				d.Blocks[b].ByteEnd <= len(d.Text) {
				from = span.ByteStart + at.Start - d.Blocks[b].ByteStart
				words = d.BlockText(b)
			}
		}
		x := Place{Column: -1}
		if strings.Contains(words, "\t") && from <= len(words) {
			x = cellPlace(d, b, words, from, from+at.End-at.Start)
		} else {
			x.Beside = sentenceAt(e.Quote, at)
			if label, _, ok := strings.Cut(x.Beside, ":"); ok {
				x.Labels = append(x.Labels, label)
			}
			x.Labels = append(x.Labels, namesAbove(d, b)...)
		}
		if x.Section = e.SectionPath; b >= 0 {
			x.Section = d.SectionPath(d.Blocks[b].Section)
		}
		out = append(out, x)
	}
	return out
}

// sentenceAt are the sentences of s that a range touches.
func sentenceAt(s string, at text.Range) string {
	var out []string
	for _, r := range SentencesIn(s, "") {
		if r.Start < at.End && at.Start < r.End {
			out = append(out, s[r.Start:r.End])
		}
	}
	return strings.Join(out, " ")
}

// cellPlace is a place in a row: its column names it, and the first cell of its row.
func cellPlace(d *wstk.Document, block int, row string, from, to int) Place {
	cells, first := strings.Split(row, "\t"), strings.Count(row[:from], "\t")
	last := min(first+strings.Count(row[from:min(to, len(row))], "\t"), len(cells)-1)
	name := cells[0]
	if name == "" && d != nil && block >= 0 {
		name = d.CellText(block, 0)
	}
	x := Place{Column: first, Row: name,
		Beside: name + " " + strings.Join(cells[first:last+1], " ")}
	if len(cells) == 2 && first == 1 {
		x.Labels = append(x.Labels, name)
	}
	h := HeaderOf(d, block)
	if h < 0 {
		return x
	}
	var names []string
	for k := first; k <= last; k++ {
		if name := d.CellText(h, k); name != "" {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		x.Labels = append(x.Labels, strings.Join(names, " "))
	}
	return x
}

// HeaderOf is the nearest header above a row of a table, else the first row of the table
// where that holds no value and one below it does; -1 where there is none.
func HeaderOf(d *wstk.Document, row int) int {
	if d == nil || row < 0 || d.Blocks[row].Kind != wstk.BlockTableRow {
		return -1
	}
	first := -1
	for i := row - 1; i >= 0; i-- {
		b := &d.Blocks[i]
		if b.Kind != wstk.BlockTableRow || b.Table != d.Blocks[row].Table {
			continue
		}
		if b.IsHeader && (strings.Contains(d.BlockText(i), "\t") ||
			!strings.Contains(d.BlockText(row), "\t")) {
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

// namesAbove are the term of a definition, or the line that leads to a block or its list:
// "Deadly:".
func namesAbove(d *wstk.Document, block int) []string {
	if d == nil || block < 0 {
		return nil
	}
	kind := d.Blocks[block].Kind
	i := above(d, block, func(i int) bool {
		return (kind == wstk.BlockDefinition || kind == wstk.BlockListItem) &&
			!leads(d.BlockText(i))
	})
	if i < 0 {
		return nil
	}
	words := d.BlockText(i)
	if d.Blocks[i].Kind == wstk.BlockTerm && kind == wstk.BlockDefinition || leads(words) {
		return []string{words}
	}
	return nil
}

// leads reports whether a line leads to the text below it.
func leads(words string) bool { return EndsWith(strings.TrimSpace(words), colons) }

// Labelled reports whether the structure of its page gives a statement its field.
func Labelled(places []Place, field string) bool {
	return field != "" && slices.ContainsFunc(places, func(x Place) bool {
		return slices.ContainsFunc(x.Labels, func(label string) bool {
			return wording.FoldField(label) == field
		})
	})
}

// DeniesValue reports whether a sentence denies a value in the words right before it: "not
// 12 EUR", "no longer costs 9 EUR".
func DeniesValue(sentence, value string) bool {
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

// Repeats reports whether a row holds several things side by side, and a fact belongs to
// another of them than the title: Plan, Price, Plan, Price.
func Repeats(d *wstk.Document, row int, title, fact wstk.Span) bool {
	h := HeaderOf(d, row)
	if h < 0 {
		return false
	}
	names := strings.Split(d.BlockText(h), "\t")
	column := func(at int) int { return strings.Count(d.Text[d.Blocks[row].ByteStart:at], "\t") }
	from, at := column(title.ByteStart), column(fact.ByteStart)
	for i := range names {
		if i != from && from < len(names) && wording.FoldField(names[i]) == wording.FoldField(
			names[from]) && (from < i && i <= at || at < from) {
			return true
		}
	}
	return false
}

// General reports whether headings are those that any thing may have, or the field of the
// words under them, so that none may name another thing.
func General(headings []string, field string) bool {
	return !slices.ContainsFunc(headings, func(h string) bool {
		for w := range wording.Content(h, "en") {
			if !wording.GeneralHeadings[w] {
				return !holdsField(field, h)
			}
		}
		return false
	})
}
