package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/proposition"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// related reports whether a quote may stand beside those that simply say a statement: it says
// it too, by the same words, or it is on the page of the first or a label of another.
func (p *Set) related(e wstk.Evidence, statement string, say []wstk.Evidence) bool {
	return Says(e.Quote, statement) || e.URL == say[0].URL || p.repeats(e, statement, say[0]) ||
		slices.ContainsFunc(say, func(of wstk.Evidence) bool { return p.labels(e, of) })
}

// repeats reports whether a sentence of a quote is like a statement that another quote says.
func (p *Set) repeats(e wstk.Evidence, statement string, say wstk.Evidence) bool {
	one := sayingOf(statement, p.Language(say))
	return one != nil && slices.ContainsFunc(p.sentencesOf(e), func(s string) bool {
		return p.agree(one, sayingOf(s, p.Language(e))) && !p.TakenBack(e, s)
	})
}

// Saying are those of quotes that simply say a statement.
func (p *Set) Saying(statement string, quotes []wstk.Evidence) []wstk.Evidence {
	var out []wstk.Evidence
	for _, e := range quotes {
		if p.simplySays(e, statement) {
			out = append(out, e)
		}
	}
	return out
}

// Lead is the quote that a statement rests on: the first that says it in whole sentences,
// else the first that simply says it, else its first; -1 without one.
func (p *Set) Lead(s wstk.Statement, evidence []wstk.Evidence) int {
	best := -1
	for _, n := range s.Evidence {
		if !p.simplySays(evidence[n], s.Statement) {
			continue
		}
		if p.Parts || p.Entire(evidence[n], s, "") {
			return n
		}
		if best < 0 {
			best = n
		}
	}
	if best >= 0 {
		return best
	}
	if len(s.Evidence) == 0 {
		return -1
	}
	return s.Evidence[0]
}

// Bears reports whether a quote says a statement, in the same words and whole sentences or
// in a sentence that is like it, or labels one of the quotes that do: as the header of its
// row, a heading above it, its term, or the line that leads to it. What such a line leads to
// bears the line: "To start the daemon, run:" says nothing without it.
func (p *Set) Bears(e wstk.Evidence, s wstk.Statement, title string, say []wstk.Evidence) bool {
	if p.simplySays(e, s.Statement) {
		return p.Parts || p.Entire(e, s, title)
	}
	from := e // a page that says it, whose language is that of the statement
	if len(say) > 0 {
		from = say[0]
	}
	if p.repeats(e, s.Statement, from) ||
		len(say) > 0 && p.relation(from, e, s.Statement) == proposition.Agree {
		return true
	}
	return slices.ContainsFunc(say, func(of wstk.Evidence) bool {
		return p.labels(e, of) || p.leadsTo(of, e)
	})
}

// leadsTo reports whether a quote is a line that leads to another one on its page.
func (p *Set) leadsTo(line, e wstk.Evidence) bool {
	d := p.Of(line)
	i, j := BlockOf(d, line), BlockOf(d, e)
	if d == nil || i < 0 || j < 0 {
		return false
	}
	switch d.Blocks[i].Kind {
	case wstk.BlockHeading, wstk.BlockTerm, wstk.BlockTableRow, wstk.BlockCode:
		return false
	}
	return p.labels(line, e)
}

// labels reports whether a quote is what its page shows above, or beside, another one.
func (p *Set) labels(e, of wstk.Evidence) bool {
	d := p.Of(e)
	if d == nil || d != p.Of(of) {
		return false
	}
	i, j := BlockOf(d, e), BlockOf(d, of)
	if i < 0 || j <= i {
		return false
	}
	switch d.Blocks[i].Kind {
	case wstk.BlockTableRow:
		return opensTable(d, i, j) || reachesInto(d, i, j)
	case wstk.BlockHeading:
		words := text.FoldCompare(e.Quote)
		return onlyKinds(d, i, j, wstk.BlockParagraph) || slices.ContainsFunc(of.SectionPath,
			func(s string) bool { return text.FoldCompare(s) == words })
	case wstk.BlockTerm:
		return onlyKinds(d, i, j, wstk.BlockDefinition, wstk.BlockTerm)
	case wstk.BlockCaption:
		return onlyKinds(d, i, j, wstk.BlockTableRow)
	}
	return introduces(d, i, j, e.Quote)
}

// onlyKinds reports whether all blocks behind i, up to j, are of some kinds.
func onlyKinds(d *wstk.Document, i, j int, kinds ...wstk.BlockKind) bool {
	return !slices.ContainsFunc(d.Blocks[i+1:j+1], func(b wstk.Block) bool {
		return !slices.Contains(kinds, b.Kind)
	})
}

// opensTable reports whether row i is the header of the table of row j, or its first row.
func opensTable(d *wstk.Document, i, j int) bool {
	a, b := d.Blocks[i], d.Blocks[j]
	return b.Kind == wstk.BlockTableRow && b.Table == a.Table &&
		(a.IsHeader || !slices.ContainsFunc(d.Blocks[:i], func(o wstk.Block) bool {
			return o.Kind == wstk.BlockTableRow && o.Table == a.Table
		}))
}

// reachesInto reports whether a cell of row i reaches down into row j.
func reachesInto(d *wstk.Document, i, j int) bool {
	return slices.ContainsFunc(d.Blocks[j].Spanned,
		func(s wstk.Spanned) bool { return s.Block == i })
}

// introduces reports whether words of block i lead to block j: they stand right above its code,
// list or table, or end as a line does that something follows.
func introduces(d *wstk.Document, i, j int, words string) bool {
	parts := []wstk.BlockKind{wstk.BlockListItem, wstk.BlockTableRow, wstk.BlockCode,
		wstk.BlockQuote, wstk.BlockTerm, wstk.BlockDefinition}
	kind := d.Blocks[j].Kind
	if d.Blocks[i].Kind == wstk.BlockParagraph && slices.Contains(parts, kind) &&
		onlyKinds(d, i, j, parts...) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(words))
	return strings.ContainsRune(":：?？؟", last) && onlyKinds(d, i, j, append(parts, kind)...)
}

// BlockOf is the block of d in which a quote begins; -1 for none, or without d.
func BlockOf(d *wstk.Document, e wstk.Evidence) int {
	span, ok := e.Span()
	if d == nil || !ok {
		return -1
	}
	return d.BlockAt(span.ByteStart)
}

// SameLetters reports whether a quote holds a statement in the same letters: 10 MW is not
// 10 mW. The first one of a sentence is free where its word is no unit.
func SameLetters(statement string, quotes []wstk.Evidence) bool {
	words := strings.TrimSpace(text.Fold(statement).Text)
	_, first := utf8.DecodeRuneInString(words)
	free := freeFirst(words)
	return slices.ContainsFunc(quotes, func(e wstk.Evidence) bool {
		quote := text.Fold(e.Quote).Text
		if strings.Contains(quote, words) {
			return true
		}
		for at := first; free && at <= len(quote); at++ {
			i := strings.Index(quote[at:], words[first:])
			if i < 0 {
				return false
			}
			at += i
			if strings.EqualFold(quote[at-first:at], words[:first]) &&
				(quote[at-first:at] == strings.ToLower(words[:first]) || begins(quote[:at-first])) {
				return true
			}
		}
		return false
	})
}

// freeFirst reports whether the first letter of words may be capital or small: of more
// than one word, the first of which goes on in small letters, and is long or says nothing.
func freeFirst(words string) bool {
	const long = 4
	tokens := text.Tokenize(words, "")
	if len(tokens) < 2 {
		return false
	}
	t := tokens[0]
	word := []rune(words[t.Start:t.End])
	rest := string(word[1:])
	return t.Start == 0 && rest == strings.ToLower(rest) && (t.Stop || len(word) >= long)
}

// begins reports whether a sentence may begin behind words.
func begins(before string) bool {
	before = strings.TrimRightFunc(before, func(r rune) bool {
		return unicode.IsSpace(r) && r != '\t' && r != '\n' ||
			unicode.In(r, unicode.Ps, unicode.Pi) || r == '"' || r == '*'
	})
	last, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || strings.ContainsRune("\t\n.!?:。！？।", last)
}

// Says reports whether a quote holds a statement's words, whole: "unsafe" does not say
// "safe". Without that no statement is direct; whether the quote's sentence takes them
// back, Review sees.
func Says(quote, statement string) bool { return text.Within(quote, statement, true) }

// Support is how a statement relates to its quotes. Its proposer may say, in
// s.Support, that it only follows from them; that they say it is seen from the words, and
// from the sentences that the words stand in, which they must be all of.
func (p *Set) Support(s wstk.Statement, title string, quotes []wstk.Evidence) wstk.Support {
	switch {
	case s.Support == wstk.SupportAssumed, len(quotes) == 0:
		return wstk.SupportAssumed
	case s.Support == wstk.SupportDirect && slices.ContainsFunc(quotes, func(e wstk.Evidence) bool {
		return p.simplySays(e, s.Statement) && (p.Parts ||
			SameLetters(s.Statement, []wstk.Evidence{e}) && p.Entire(e, s, title) &&
				p.saysAlone(e, s, title) && (s.Field != "" || p.TurnedOver(e) == ""))
	}):
		return wstk.SupportDirect
	}
	return wstk.SupportInferred
}

// simplySays reports whether a quote holds the words of a statement, and no word beside
// them that wstk knows takes them back.
func (p *Set) simplySays(e wstk.Evidence, statement string) bool {
	return Says(e.Quote, statement) && !p.TakenBack(e, statement)
}
