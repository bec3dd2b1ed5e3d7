package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/ground"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Ground is what the quotes of a statement bear of it.
type Ground struct {
	Missing  []string // one is enough: the quotes do not bear the statement
	Open     []string // what they do not bear of a statement that they bear
	Language string   // of a statement that is a translation; only its heads were compared
}

// Ground compares a statement with its quotes and what stands over them on their pages. A quote
// that holds the words of the statement bears all of it, unless the statement is cut from a
// sentence that denies it. See package ground.
func (p *Set) Ground(statement string, quotes []wstk.Evidence) Ground {
	if len(quotes) == 0 || slices.ContainsFunc(quotes, func(e wstk.Evidence) bool {
		return p.simplySays(e, statement)
	}) {
		return Ground{}
	}
	key := [2]string{statement, ""}
	for _, e := range quotes {
		key[1] += e.ID + " "
	}
	g, known := p.grounds[key]
	if !known {
		g = p.ground(statement, quotes)
		p.grounds[key] = g
	}
	return g
}

func (p *Set) ground(statement string, quotes []wstk.Evidence) Ground {
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
		r := ground.Translated(statement, lang, sources)
		return Ground{Missing: r.Missing, Open: r.Open, Language: lang}
	}
	r := ground.Borne(statement, sources)
	return Ground{Missing: r.Missing, Open: r.Open}
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
	return len(p.Ground(statement, []wstk.Evidence{e}).Missing) == 0
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
		if ground.Points(words) {
			s.Above = append(s.Above, before(d, e, words))
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
