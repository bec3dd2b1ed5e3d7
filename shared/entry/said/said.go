// Package said arranges what an answer says for people: its statements as they stand on their
// pages, with what they lead to, and no sentence twice.
package said

import (
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// Paragraph is a part of what an answer says. Its words are those of pages.
type Paragraph struct {
	Title   bool         // it is the name of the item that the answer is about
	Field   string       // the field whose value it is; "" for none
	Lines   []string     // as they stand on their page, indented below what leads to them
	Quotes  []int        // indexes into the Evidence of the Extraction, each once
	Support wstk.Support // that of its statements; "" of a title that no quote has
}

// Paragraphs returns what an answer says, each sentence once: its title, its fields, and the
// rest. Sentences that follow each other on their page are one paragraph.
func Paragraphs(x wstk.Extraction) (out []Paragraph) {
	statements := slices.Clone(x.Statements)
	slices.SortStableFunc(statements, func(a, b wstk.Statement) int { return rank(a) - rank(b) })
	if len(statements) > 0 && x.Title != "" {
		out = append(out, Paragraph{Lines: []string{Folded(x.Title)}, Title: true})
	}
	for i := range statements {
		statements[i].Evidence = known(statements[i], x.Evidence)
		s, last := statements[i], len(out)-1
		if s.Field != "" && s.Field != "title" {
			out = append(out, Paragraph{Field: s.Field, Lines: []string{Folded(s.Statement)},
				Support: s.Support})
			out[last+1].add(nil, s)
			continue
		}
		lines := fresh(Parts(s, x.Evidence), out)
		switch {
		case len(lines) == 0:
			if at := slices.IndexFunc(out, func(p Paragraph) bool {
				return p.says(s.Statement)
			}); at >= 0 {
				out[at].add(nil, s)
			}
		case last >= 0 && out[last].begins(lines): // they say the same and more
			out[last].Lines, out[last].Title, out[last].Support = lines, false, s.Support
			out[last].add(nil, s)
		case i > 0 && last >= 0 && follows(statements[i-1], s, x.Evidence):
			out[last].add(lines, s)
		default:
			out = append(out, Paragraph{Lines: lines, Support: s.Support})
			out[last+1].add(nil, s)
		}
	}
	return out
}

// known returns the quotes of a statement that are there.
func known(s wstk.Statement, quotes []wstk.Evidence) []int {
	return slices.DeleteFunc(slices.Clone(s.Evidence), func(n int) bool {
		return n < 0 || n >= len(quotes)
	})
}

// fresh returns the lines of those parts that no paragraph has yet.
func fresh(parts [][]string, out []Paragraph) (lines []string) {
	for _, part := range parts {
		words := strings.Join(part, " ")
		if !slices.ContainsFunc(out, func(p Paragraph) bool { return p.says(words) }) {
			lines = append(lines, part...)
		}
	}
	return lines
}

// rank orders what an answer says: its title, its fields, and the rest.
func rank(s wstk.Statement) int {
	switch s.Field {
	case "title":
		return 0
	case "":
		return 2
	}
	return 1
}

// Parts returns the lines of a statement: of a row of a table with its head, and of a sentence
// with what its quotes have before and after it on its page, such as the list that it leads to.
func Parts(s wstk.Statement, quotes []wstk.Evidence) (parts [][]string) {
	s.Evidence = known(s, quotes)
	cells := strings.Count(s.Statement, "\t")
	if cells > 0 && !strings.Contains(s.Statement, "\n") {
		if len(s.Evidence) > 1 {
			if head := quotes[s.Evidence[1]].Quote; strings.Count(head, "\t") == cells {
				parts = append(parts, []string{Row(head)})
			}
		}
		return append(parts, []string{Row(s.Statement)})
	}
	before, after := beside(s, quotes)
	indent := "" // of an item of the list that a line before leads to
	for _, q := range before {
		parts = append(parts, split(q, ""))
		if strings.HasSuffix(q, ":") {
			indent = "    "
		}
	}
	parts = append(parts, split(s.Statement, indent))
	for _, q := range after {
		parts = append(parts, split(q, indent+"    "))
	}
	return parts
}

// beside returns the further quotes of a statement that belong to it on its page: those before
// that lead to it or are its heading or its term, and those after that it leads to or that come
// right after it.
func beside(s wstk.Statement, quotes []wstk.Evidence) (before, after []string) {
	if len(s.Evidence) < 2 {
		return nil, nil
	}
	at, ok := quotes[s.Evidence[0]].Span()
	url, end := quotes[s.Evidence[0]].URL, at.ByteEnd
	further := slices.DeleteFunc(slices.Clone(s.Evidence[1:]), func(n int) bool {
		_, also := quotes[n].Span()
		return !ok || !also || quotes[n].URL != url ||
			strings.Contains(Folded(s.Statement), Folded(quotes[n].Quote))
	})
	slices.SortStableFunc(further, func(a, b int) int {
		return *quotes[a].ByteStart - *quotes[b].ByteStart
	})
	leads := strings.HasSuffix(s.Statement, ":")
	for _, n := range further {
		switch span, _ := quotes[n].Span(); {
		case span.ByteStart < at.ByteStart && !stops(quotes[n].Quote):
			before = append(before, quotes[n].Quote)
		case span.ByteStart >= at.ByteEnd && (leads || span.ByteStart <= end+adjoining):
			after = append(after, quotes[n].Quote)
			end = span.ByteEnd
		}
	}
	return before, after
}

// adjoining is how many bytes are between two parts of a page that follow each other.
const adjoining = 4

// stops reports whether words end as a sentence does.
func stops(words string) bool {
	return strings.ContainsAny(words[max(0, len(words)-1):], ".!?") ||
		strings.HasSuffix(words, "。")
}

// split returns the lines of words of a page, behind an indent.
func split(words, indent string) (lines []string) {
	for line := range strings.Lines(strings.TrimSpace(words)) {
		lines = append(lines, indent+Row(strings.TrimRight(line, " \t\n")))
	}
	return lines
}

// Row shows the cells of a row of a table.
func Row(row string) string { return strings.ReplaceAll(row, "\t", " | ") }

// follows reports whether a sentence comes right after another one on their page.
func follows(a, b wstk.Statement, quotes []wstk.Evidence) bool {
	if a.Field+b.Field != "" || a.Support != b.Support ||
		len(a.Evidence) == 0 || len(b.Evidence) == 0 ||
		strings.Contains(a.Statement+b.Statement, "\n") {
		return false
	}
	x, y := quotes[a.Evidence[0]], quotes[b.Evidence[0]]
	first, ok := x.Span()
	next, also := y.Span()
	return ok && also && x.URL == y.URL && first.ByteEnd <= next.ByteStart &&
		next.ByteStart <= first.ByteEnd+adjoining
}

// words are those of a paragraph on one line.
func (p Paragraph) words() string { return Folded(strings.Join(p.Lines, " ")) }

// begins reports whether lines begin with all the words of a paragraph that is no field.
func (p Paragraph) begins(lines []string) bool {
	return p.Field == "" &&
		strings.HasPrefix(Folded(strings.Join(lines, " ")), strings.TrimRight(p.words(), "."))
}

// says reports whether a paragraph has these words already.
func (p Paragraph) says(words string) bool {
	return p.Field == "" && strings.Contains(p.words(), Folded(Row(words)))
}

// add puts further lines of a statement behind a paragraph, and its quotes.
func (p *Paragraph) add(lines []string, s wstk.Statement) {
	p.Lines = append(p.Lines, lines...)
	for _, n := range s.Evidence {
		if !slices.Contains(p.Quotes, n) {
			p.Quotes = append(p.Quotes, n)
		}
	}
	if p.Support == "" {
		p.Support = s.Support
	}
}

// Page is the title of the page of a quote, and the sections that the quote is in below the
// one that has this title, too.
func Page(x wstk.Extraction, e wstk.Evidence) string {
	title := ""
	for _, s := range x.Sources {
		if s.URL == e.URL {
			title = strings.TrimSpace(s.Title)
		}
	}
	if title == "" {
		return ""
	}
	core, below := strings.TrimLeft(title, "0123456789. "), 0
	for i, section := range e.SectionPath {
		if strings.Contains(title, section) || core != "" && strings.Contains(section, core) {
			below = i + 1
		}
	}
	return strings.Join(append([]string{title}, e.SectionPath[below:]...), " › ")
}

// Folded puts words on one line, as they are compared.
func Folded(s string) string { return strings.Join(strings.Fields(s), " ") }
