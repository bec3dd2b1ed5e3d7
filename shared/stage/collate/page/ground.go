package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/ground"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Ground is what the quotes of a statement bear of it.
type Ground struct {
	Missing  []string // one is enough: the quotes do not bear the statement
	Open     []string // what they do not bear of a statement that they bear
	Language string   // of a statement that is a translation; only its heads were compared

	// Reworded is set if the quotes bear all words of the statement, which are not those of one
	// sentence in their order: nothing here can show that it says the same.
	Reworded bool
}

// Stands reports whether a statement with this Ground may be shown as it is worded.
func (g Ground) Stands() bool { return len(g.Missing) == 0 && !g.Reworded }

// Ground compares a statement of an answer of this title with its quotes and what stands over them
// on their pages. A quote that holds the statement as a whole sentence bears all of it. See package
// ground.
func (p *Set) Ground(s wstk.Statement, title string, quotes []wstk.Evidence) Ground {
	if len(quotes) == 0 {
		return Ground{}
	}
	key := [4]string{s.Statement, s.Field, title, ""}
	for _, e := range quotes {
		key[3] += e.ID + " "
	}
	g, known := p.grounds[key]
	if !known {
		if p.Loose || !p.worded(s, title, quotes) {
			g = p.borneWords(s.Statement, quotes)
			g.Reworded = !p.Loose && len(g.Missing) == 0 && g.Language == ""
		}
		p.grounds[key] = g
	}
	return g
}

// borneWords compares the words of a statement, in whichever order, with its quotes.
func (p *Set) borneWords(statement string, quotes []wstk.Evidence) Ground {
	if slices.ContainsFunc(quotes, func(e wstk.Evidence) bool {
		return p.simplySays(e, statement)
	}) {
		return Ground{}
	}
	var sources []ground.Source
	for _, e := range quotes {
		p.Tick()
		if Says(e.Quote, statement) {
			if p.turned(e, statement) {
				return Ground{Missing: []string{statement}}
			}
			return Ground{}
		}
		sources = append(sources, p.sourcesOf(e)...)
	}
	if lang := ground.Language(statement, p.into, sources); lang != "" {
		r := ground.Translated(statement, lang, sources, p.Loose)
		return Ground{Missing: r.Missing, Open: r.Open, Language: lang}
	}
	r := ground.Borne(statement, sources)
	return Ground{Missing: r.Missing, Open: r.Open}
}

// worded reports whether a quote holds a statement whole, or the value of its field, or is worded
// as it is, see ground.Aligned. Under a heading that turns it, a statement without a field must
// begin with the heading.
func (p *Set) worded(s wstk.Statement, title string, quotes []wstk.Evidence) bool {
	return slices.ContainsFunc(quotes, func(e wstk.Evidence) bool {
		p.Tick()
		turned := s.Field == "" && p.TurnedOver(e) != ""
		switch {
		case turned, !Says(e.Quote, s.Statement):
		case s.Field != "" && !p.turned(e, s.Statement), p.Entire(e, s, title),
			s.Statement == strings.TrimSpace(e.Quote) && WholeQuote(p.Of(e), e),
			p.lone(e, s.Statement):
			return true
		}
		return slices.ContainsFunc(p.sourcesOf(e), func(of ground.Source) bool {
			of.Turned = turned
			return ground.Aligned(s.Statement, of)
		})
	})
}

// lone reports whether a statement is the one value of its sentence that the page does not cross
// out, see ground.Lone.
func (p *Set) lone(e wstk.Evidence, statement string) bool {
	d := p.Of(e)
	if d == nil {
		return false
	}
	r, ok := around(d, e)
	return ok && slices.ContainsFunc(text.Occurrences(d.Text[r.Start:r.End], statement),
		func(at text.Range) bool {
			return ground.Lone(d.Text[r.Start:r.End], at, p.Language(e), func(v text.Range) bool {
				return slices.Contains(d.FlagsIn(r.Start+v.Start, r.Start+v.End), wstk.FlagStruck)
			})
		})
}

// WholeQuote reports whether a quote is whole sentences of its page, which may be nil.
func WholeQuote(d *wstk.Document, e wstk.Evidence) bool {
	if d != nil {
		if r, ok := around(d, e); ok {
			span, _ := e.Span()
			return span.ByteStart <= r.Start &&
				strings.Trim(d.Text[min(span.ByteEnd, r.End):r.End], SentenceStops+" ") == ""
		}
	}
	return e.Sentence == ""
}

// turned reports whether the sentence of which a statement is a part denies it: before it, or right
// behind it in the same clause.
func (p *Set) turned(e wstk.Evidence, statement string) bool {
	for _, words := range p.wholeUnits(p.Of(e), e) {
		for _, at := range text.Occurrences(words, statement) {
			behind, _, _ := strings.Cut(words[at.End:], ",")
			if strings.Contains(words, "\t") {
				continue // "no" in another cell is of that cell
			}
			if ground.Turned(words[:at.Start]+" "+behind, "") {
				return true
			}
		}
	}
	return false
}

// borneBy reports whether a quote by itself bears a statement.
func (p *Set) borneBy(e wstk.Evidence, statement string) bool {
	return len(p.borneWords(statement, []wstk.Evidence{e}).Missing) == 0
}

// Into notes the language that the answer was asked for; "" means that of its quotes.
func (p *Set) Into(language string) *Set {
	p.into = language
	return p
}

// sourcesOf are the sentences, items and rows that a quote is of, each whole, with what stands
// over it. Words that their page takes back are none.
func (p *Set) sourcesOf(e wstk.Evidence) (out []ground.Source) {
	d := p.Of(e)
	if p.disowned(e) {
		return nil
	}
	for _, words := range p.wholeUnits(d, e) {
		if strings.TrimSpace(words) == "" {
			continue
		}
		s := ground.Source{Words: words, Lang: p.Spoken(e), Taken: holdsTakerIn}
		if d != nil {
			s.Above = append(s.Above, d.Meta.Title, d.Meta.SiteName)
			s.Full = func(name, part string) bool { return namesInFull(d.Text, name, part) }
		}
		s.Above = append(s.Above, e.SectionPath...)
		if places := PlacesOf(d, e, e.Quote); len(places) > 0 {
			x := places[0]
			s.Above = append(s.Above, x.Labels...)
			if !strings.Contains(words, "\t") {
				s.Above = append(s.Above, x.Row)
			}
		}
		s.Columns = columnsOf(d, e, words)
		s.Before, s.Headings = before(d, e, words), p.headingsOver(d, e)
		s.Opens = s.Before == "" && opensSection(d, BlockOf(d, e))
		if ground.Points(words) {
			s.Above = append(s.Above, s.Before)
		}
		out = append(out, s)
	}
	return out
}

// holdsTakerIn is holdsTaker for words as they stand.
func holdsTakerIn(words string) bool { return holdsTaker(text.FoldCompare(words)) }

// wholeUnits are the rows and the whole sentences that a quote touches.
func (p *Set) wholeUnits(d *wstk.Document, e wstk.Evidence) (out []string) {
	if strings.Contains(e.Quote, "\t") {
		return strings.Split(e.Quote, "\n")
	}
	if i := BlockOf(d, e); i >= 0 && strings.Contains(d.BlockText(i), "\t") {
		return []string{d.BlockText(i)}
	}
	if out = p.sentencesOf(e); len(out) > 0 {
		return out
	}
	words := e.Quote
	if e.Sentence != "" {
		words = e.Sentence
	}
	for _, r := range SentencesIn(words, p.Language(e)) {
		out = append(out, words[r.Start:r.End])
	}
	return out
}

// columnsOf are the names of the columns of a row; nil for other words.
func columnsOf(d *wstk.Document, e wstk.Evidence, words string) (out []string) {
	h := HeaderOf(d, BlockOf(d, e))
	if h < 0 || !strings.Contains(words, "\t") {
		return nil
	}
	for k := range strings.Count(words, "\t") + 1 {
		out = append(out, d.CellText(h, k))
	}
	return out
}

// before is the sentence right before words of the block of a quote; "" without one.
func before(d *wstk.Document, e wstk.Evidence, words string) string {
	i := BlockOf(d, e)
	if i < 0 {
		return ""
	}
	block := d.BlockText(i)
	at := strings.Index(block, words)
	if at <= 0 {
		return ""
	}
	sentences := text.Sentences(block[:at], d.Meta.Language)
	if len(sentences) == 0 {
		return ""
	}
	last := sentences[len(sentences)-1]
	return block[last.Start:last.End]
}

// headingsOver are what may stand before a quote with a colon: the heading of its section, else the
// title of its page, and the line that leads to it.
func (p *Set) headingsOver(d *wstk.Document, e wstk.Evidence) (out []string) {
	if n := len(e.SectionPath); n > 0 {
		out = append(out, e.SectionPath[n-1])
	} else if d != nil {
		out = append(out, d.Meta.Title)
	}
	out = append(out, linesTo(d, e)...)
	for i := range out {
		out[i] = strings.TrimRight(out[i], colons+" ")
	}
	return out
}

// linesTo are the lines that lead to a quote, or the term it defines.
func linesTo(d *wstk.Document, e wstk.Evidence) (out []string) {
	i := BlockOf(d, e)
	out = namesAbove(d, i)
	if i >= 0 {
		if line := leadOf(d, i); line != "" && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// TurnedOver is the heading over an item, a row, a definition or a command, or the line that leads to
// it, if that says that what stands there is not so, or not yet, or no longer: "Not included",
// "Planned for 2027". It is "" without one, if the question speaks of it or the words do, and if
// rules proposed the claims.
func (p *Set) TurnedOver(e wstk.Evidence) string {
	d := p.Of(e)
	i := BlockOf(d, e)
	if i < 0 || p.Loose || !p.Proposed || !slices.Contains(ledKinds, d.KindAt(i)) || turning(e.Quote) {
		return ""
	}
	for _, label := range p.headingsOver(d, e) {
		if turning(label) && !tells(p.query, label) {
			return label
		}
	}
	return ""
}

// ledKinds are the kinds of blocks that are read with what stands over them.
var ledKinds = []wstk.BlockKind{wstk.BlockListItem, wstk.BlockTableRow, wstk.BlockCode,
	wstk.BlockTerm, wstk.BlockDefinition}

// turning reports whether a short line denies, or says that something is planned or past. A question
// does not.
func turning(line string) bool {
	const short = 80 // bytes
	return len(line) < short && !strings.ContainsAny(line, "?？؟") && (forbids(line, short) ||
		turners.In(wording.Bare(text.FoldCompare(line))))
}

// opensSection reports whether a block is the first below a heading.
func opensSection(d *wstk.Document, block int) bool {
	return d != nil && block > 0 && d.Blocks[block-1].Kind == wstk.BlockHeading
}

// namesInFull reports whether a page has a name, and the given part of it in no other name: Dan is
// Dan Kennedy where there is no other Dan.
func namesInFull(page, name, part string) bool {
	if !text.HoldsWhole(page, name) {
		return false
	}
	within := strings.Index(name, part)
	if within < 0 {
		return false
	}
	for at := range text.Places(page, part) {
		if !text.Whole(page, at, at+len(part)) {
			continue
		}
		from := at - within
		if from >= 0 && strings.HasPrefix(page[from:], name) {
			continue
		}
		next := strings.TrimPrefix(page[at+len(part):], " ")
		r, _ := utf8.DecodeRuneInString(next)
		if len(next) < len(page[at+len(part):]) && unicode.IsUpper(r) {
			return false
		}
	}
	return true
}
