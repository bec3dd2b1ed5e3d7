package page

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Answer is what an answer shows beside one of its statements.
type Answer struct {
	Title, Query string
	Before       string   // the statement before it
	Words        []string // of its field, its title and all statements

	// Page returns the Document of a proven quote; nil for any other.
	Page func(wstk.Evidence) *wstk.Document
}

// LeftOut says what a reader of its page knows about a statement and a reader of the answer
// does not, a clause each.
func (p *Set) LeftOut(s wstk.Statement, quotes []wstk.Evidence, a Answer) []string {
	out := p.unshown(s, quotes, a)
	for _, e := range OwnQuotes(s.Statement, quotes) {
		if other := p.deniedElsewhere(e, s.Statement); other != "" {
			out = append(out, "its page takes these words back at another place: “"+
				text.Shorten(other, 80)+"”")
			break
		}
	}
	return out
}

// unshown says what is around a statement on its page but not in the answer, and may say what
// it is about, a clause each: the sentence before one that begins with
// "it" or "they", the row, the column or the term it belongs to, the line that leads to its
// list ("The firm hopes for:"), the sentence around an address. Of several quotes that say
// it, one that needs none of that is enough.
func (p *Set) unshown(s wstk.Statement, quotes []wstk.Evidence, a Answer) []string {
	shown := a.Words
	own := OwnQuotes(s.Statement, quotes)
	for _, e := range quotes {
		if !slices.ContainsFunc(own, func(o wstk.Evidence) bool { return o.ID == e.ID }) {
			shown = append(shown, e.Quote)
		}
	}
	var out []string
	for _, e := range own {
		if e.Element != nil {
			told := strings.Join(append(shown, a.Query), "\n")
			of := slices.DeleteFunc(append(p.qualifiersOf(e), p.NameOf(e, s.Field)),
				func(s string) bool { return s == "" || tells(told, s) })
			if len(of) == 0 {
				return nil
			}
			for _, words := range of {
				out = append(out, notShown(words))
			}
			continue
		}
		places := text.Occurrences(e.Quote, s.Statement)
		d := a.Page(e)
		if d == nil || len(places) == 0 || !StandsIn(d, e) {
			return nil
		}
		span, _ := e.Span()
		at := text.Range{Start: span.ByteStart + places[0].Start,
			End: span.ByteStart + places[0].End}
		missing := p.missing(d, e, s, at, a, strings.Join(shown, "\n"))
		if len(missing) == 0 {
			return nil
		}
		out = append(out, missing...)
	}
	return slices.Compact(out)
}

// missing says what is around a statement in one quote of it, but not in the answer.
func (p *Set) missing(
	d *wstk.Document, e wstk.Evidence, s wstk.Statement, at text.Range, a Answer, shown string,
) (out []string) {
	block := d.BlockAt(at.Start)
	if block < 0 {
		return nil
	}
	if w := pointsBack(s.Statement, d.Meta.Language); w != "" {
		if _, before, _ := beside(d, at); !tells(a.Before, before) {
			out = append(out, "“"+w+
				"” may be about what is before it on its page and not in this answer: "+
				text.Shorten(before, 80))
		}
	}
	out = append(out, missingOfKind(d.Blocks[block].Kind, s)...)
	for _, label := range append(labelsAt(d, block, at), likeLabels(d, block)...) {
		if !harmless[labelWords(label.words)] && !label.toldBy(shown, a.Query) {
			out = append(out, notShown(label.words))
		}
	}
	if r, ok := around(d, e); ok && isContact(s.Statement) && !p.whole(e, s, a.Title) &&
		!afterLabel(d.Text[r.Start:r.End], s.Statement) {
		out = append(out, "it is cut from a sentence that may say more about it: "+
			text.Shorten(d.Text[r.Start:r.End], 80))
	}
	if strings.Contains(d.BlockText(block), "\t") && !touches(shown+"\n"+a.Query, d.Meta.Title) {
		out = append(out, "its page is about “"+text.Shorten(d.Meta.Title, 80)+
			"”, and this answer does not show it")
	}
	return out
}

// missingOfKind says what a quotation and a heading leave open.
func missingOfKind(kind wstk.BlockKind, s wstk.Statement) (out []string) {
	if quotation(s.Statement) {
		out = append(out, "it is a quotation: this answer does not show whose words they are, "+
			"and what its page says about them")
	}
	const claim = 3 // words that claim something, and do not only name it
	if kind == wstk.BlockHeading && s.Field == "" && len(wording.Bare(s.Statement)) >= claim {
		out = append(out, "it is a heading: no program can decide whether the text under it says "+
			"the same")
	}
	return out
}

// touches reports whether an answer shows a word of a title that says something.
func touches(shown, title string) bool {
	have, want := wording.Content(shown, ""), wording.Content(title, "")
	both, _, _ := wording.Split(want, have)
	return both > 0 || len(want) == 0
}

// pointsBack is the word of a statement that points back to what its page spoke of: it begins
// with it, or with a preposition and it ("in such cases"), or a person comes before any name;
// "" without one.
func pointsBack(statement, lang string) string {
	const early = 5 // words
	w := wording.Bare(text.FoldCompare(statement))
	if len(w) > 0 && (pronouns[w[0]] && !addressing[w[0]] || contrasts[w[0]]) {
		return w[0]
	}
	const opening = 3 // words
	for i := 1; i < min(opening, len(w)); i++ {
		if leadsBack[w[0]] && backwards[w[i]] {
			return w[i]
		}
	}
	for i := 1; i < min(early, len(w)); i++ {
		if persons[w[i]] {
			before, _, _ := strings.Cut(text.FoldCompare(statement), " "+w[i])
			for _, name := range text.Names(statement, lang) {
				if name.Start > 0 && name.Start < len(before) {
					return ""
				}
			}
			return w[i]
		}
	}
	return ""
}

// addressing speak to the reader. contrasts tie a sentence to the one before. Behind leadsBack,
// backwards point to what was said. persons are words for a person whom an earlier name
// identifies.
var (
	addressing = wording.Set("you your yours here either neither both")
	contrasts  = wording.Set("however but instead nevertheless nonetheless otherwise conversely " +
		"so thus hence therefore then alternatively fortunately " +
		"daher deshalb dann andernfalls ainsi donc sinon entonces " +
		"jedoch aber dagegen stattdessen cependant mais pourtant pero")
	leadsBack = wording.Set(
		"in to for with under by at on from of according because after before until")
	backwards = wording.Set("this that these those such them so")
	persons   = wording.Set("he she him her his hers latter former")
)

// quotation reports whether a statement is all in quotation marks.
func quotation(statement string) bool {
	s := strings.TrimRight(text.FoldCompare(statement), " .,;")
	return len(s) > 2 && strings.IndexAny(s, `"«»„「『`) == 0 &&
		strings.HasSuffix(strings.TrimRight(s, "»”」』"), `"`) ||
		strings.HasPrefix(s, "「") && strings.HasSuffix(s, "」") ||
		strings.HasPrefix(s, "«") && strings.HasSuffix(s, "»")
}
