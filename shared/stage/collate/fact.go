package collate

import (
	"slices"
	"strings"
	"unicode"

	"wstk/shared/stage/collate/page"
	"wstk/shared/stage/collate/proposition"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// fact is what one source says in one statement, taken apart for comparison: the
// values, and the words that say what they are values of.
type fact struct {
	statement int // index into the Extraction's Statements
	evidence  int // index into its Evidence
	url       string
	doc       *wstk.Document // nil where it was not given
	lang      string
	field     string // folded
	labelled  bool   // the structure of its page gives it this field
	quote     string
	text      string // the words compared: the sentences of the quote in which the statement stands
	section   string // title of the section it stands in

	says    *proposition.Proposition
	values  []proposition.Reading
	topic   map[string]bool // stems of the words around the values
	surface []string        // the same words as they stand, for the topic's name
	names   map[string]bool // proper names among them
	scope   map[string]bool // words that limit when or for whom it holds
	numbers map[string]bool // other numbers: versions, years, counts
	hours   []wording.Slot
	denied  bool // says that something is not so
	hedged  bool // an example, a supposition
}

// factsOf takes every statement apart, once for each source that gave evidence.
// Words that all facts share because they were asked for say nothing about which
// fact it is, so names of the query are no marks of difference.
func factsOf(query string, x wstk.Extraction, p *page.Set) []fact {
	var out []fact
	asked := wording.Content(query, "")
	for i, s := range x.Statements {
		for _, n := range telling(p, s, x) {
			e := x.Evidence[n]
			said := fact{statement: i, evidence: n, url: e.URL, doc: p.Of(e), lang: p.Spoken(e),
				field: wording.FoldField(s.Field), quote: e.Quote}
			places := page.PlacesOf(said.doc, e, s.Statement)
			if len(places) > 0 && len(places[0].Section) > 0 {
				said.section = places[0].Section[len(places[0].Section)-1]
			}
			said.labelled = page.Labelled(places, said.field)
			for _, one := range piecesOf(p, e, s.Statement) {
				f := factOf(said, one, s.Value, asked)
				f.says = p.Proposition(e, one.words)
				if strings.Contains(one.words, "\t") {
					f.says = p.Proposition(e, one.words[one.from:one.to])
				}
				if len(f.topic) < minShared && f.hours == nil && len(places) > 0 {
					f.about(places[0])
				}
				out = append(out, f)
			}
		}
	}
	return out
}

// telling are the quotes of a statement that make facts, one from each page: the one that
// says it, else the first. A header row adds no second fact. Words that their page takes
// back, and a part of a sentence that the statement does not say, make no fact.
func telling(p *page.Set, s wstk.Statement, x wstk.Extraction) (out []int) {
	var urls []string
	for _, n := range s.Evidence {
		if url := x.Evidence[n].URL; !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	for _, url := range urls {
		best := -1
		for _, n := range s.Evidence {
			p.Tick()
			e := x.Evidence[n]
			says := page.Says(e.Quote, s.Statement)
			switch {
			case e.URL != url, says && p.TakenBack(e, s.Statement):
			case says:
				best = n
			case best < 0 && !p.TakenBack(e, e.Quote) &&
				p.Entire(e, wstk.Statement{Statement: e.Quote}, ""):
				best = n
				continue
			}
			if best == n {
				break
			}
		}
		if best >= 0 {
			out = append(out, best)
		}
	}
	return out
}

// piece is a sentence or a row of a quote, and the part of it that a statement is.
type piece struct {
	words    string
	from, to int // bytes of words
}

// piecesOf takes a quote apart into the sentences and rows of one block that a statement
// touches; a schedule stays one. If the quote does not hold the statement, it takes all.
func piecesOf(p *page.Set, e wstk.Evidence, statement string) (out []piece) {
	at := text.Range{Start: 0, End: len(e.Quote)}
	if places := text.Occurrences(e.Quote, statement); len(places) > 0 {
		at = places[0]
	}
	if wording.Slots(e.Quote[at.Start:at.End]) != nil {
		return []piece{{e.Quote, at.Start, at.End}}
	}
	lang := p.Language(e)
	for _, block := range blocksOf(p, e) {
		words := e.Quote[block.Start:block.End]
		sentences := []text.Range{{Start: 0, End: len(words)}}
		if !strings.Contains(words, "\t") {
			sentences = page.SentencesIn(words, lang)
		}
		for _, r := range sentences {
			start, end := block.Start+r.Start, block.Start+r.End
			if from, to := max(start, at.Start), min(end, at.End); from < to {
				out = append(out, piece{e.Quote[start:end], from - start, to - start})
			}
		}
	}
	return out
}

// blocksOf are the parts of a quote by block; all of it if its blocks are not known.
func blocksOf(p *page.Set, e wstk.Evidence) (out []text.Range) {
	span, _ := e.Span()
	if d := p.Of(e); d != nil && page.StandsIn(d, e) {
		for i := max(0, d.BlockAt(span.ByteStart)); i < len(d.Blocks) &&
			d.Blocks[i].ByteStart < span.ByteEnd; i++ {
			start, end := max(d.Blocks[i].ByteStart, span.ByteStart),
				min(d.Blocks[i].ByteEnd, span.ByteEnd)
			if start < end {
				out = append(out, text.Range{Start: start - span.ByteStart,
					End: end - span.ByteStart})
			}
		}
	}
	if out == nil {
		out = []text.Range{{Start: 0, End: len(e.Quote)}}
	}
	return out
}

// factOf reads a piece of a quote: f with its values, topics and names. Where the statement
// is a part of the piece, a cell of a row, the values are those of the part.
func factOf(f fact, one piece, claimed *wstk.Value, asked map[string]bool) fact {
	f.text = one.words
	f.topic, f.names, f.scope, f.numbers = map[string]bool{}, map[string]bool{},
		map[string]bool{}, map[string]bool{}
	part := one.words[one.from:one.to]
	if f.hours = wording.Slots(part); f.hours == nil {
		f.hours = wording.Slots(f.text)
	}
	taken := f.readValues(one.from, one.to)
	f.choose(claimed, one.from, one.to)
	f.readTokens(taken)
	f.readWords()
	f.readNames(taken, asked)
	f.hedged = f.hedged || strings.HasSuffix(strings.TrimSpace(f.text), "?")
	return f
}

// readValues takes the values between from and to; numbers that name something, and those of
// other parts, only distinguish facts. It returns where the numbers are.
func (f *fact) readValues(from, to int) (taken []text.Range) {
	for _, v := range value.Find(f.text, f.lang) {
		taken = append(taken, v.Range)
		if v.Start < from || v.End > to || wording.Identifies(f.text, v) ||
			!wording.Measurable(v) || wording.IsVersion(f.text, v) {
			f.numbers[v.Norm] = true
			continue
		}
		bound := wording.BoundOf(f.text[:v.Start], f.text[v.End:])
		f.values = append(f.values, proposition.Reading{Value: v, Bound: bound})
	}
	return taken
}

// readTokens takes the topic: the words that say something and belong to no value. An
// antonym counts as the word that it denies.
func (f *fact) readTokens(taken []text.Range) {
	for _, t := range text.Tokenize(f.text, f.lang) {
		raw := strings.ToLower(f.text[t.Start:t.End])
		if wording.Limits[raw] {
			f.scope[raw] = true
		}
		ofValue := inside(taken, t.Start, t.End)
		if wording.Numeric(raw) && !ofValue {
			f.numbers[raw] = true // a version, a model: part of a name
		}
		if t.Stop || ofValue || wording.Numeric(raw) ||
			f.hours != nil && wording.ScheduleWords[raw] || wording.BoundWords[raw] {
			continue
		}
		if plain, not := wording.Antonym(raw); not {
			f.denied = !f.denied
			if plain != "" {
				f.topic[wording.Stem(plain, f.lang)] = true
			}
			continue
		}
		if !f.topic[t.Text] {
			f.topic[t.Text] = true
			f.surface = append(f.surface, f.text[t.Start:t.End])
		}
	}
}

// readWords takes what denies, limits and hedges from words that are no tokens: can't, e.g.
func (f *fact) readWords() {
	for _, w := range strings.FieldsFunc(strings.ToLower(f.text), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;()", r)
	}) {
		w = strings.Trim(w, ".")
		w = strings.ReplaceAll(w, "’", "'")
		if wording.Negators[w] || strings.HasSuffix(w, "n't") {
			f.denied = !f.denied
		}
		f.marks(w)
	}
}

// marks notes a word that limits a fact or hedges it.
func (f *fact) marks(word string) {
	if wording.Limits[word] {
		f.scope[word] = true
	}
	f.hedged = f.hedged || wording.Hedges[word]
}

// readNames takes the names, except for those that were asked for. A first word is capital
// anyway.
func (f *fact) readNames(taken []text.Range, asked map[string]bool) {
	for _, r := range text.Names(f.text, f.lang) {
		if r.Start == 0 || inside(taken, r.Start, r.End) ||
			wording.OnlyDays(f.text[r.Start:r.End]) {
			continue
		}
		for w := range wording.Content(f.text[r.Start:r.End], f.lang) {
			if !asked[w] && !wording.ScheduleWords[w] {
				f.names[w] = true
			}
		}
	}
}

// about takes the topic of a cell or of a short answer ("120 m", "Yes.") from what its page
// says it is of: its row and column, its term, its question.
func (f *fact) about(x page.Place) {
	for w := range wording.Affirmers {
		delete(f.topic, w)
	}
	labels := append(slices.Clone(x.Labels), x.Row)
	if n := len(x.Section); n > 0 && strings.ContainsAny(x.Section[n-1], "?？؟") {
		labels = append(labels, x.Section[n-1])
		// two answers to one question are of one thing
		f.topic[text.FoldCompare(x.Section[n-1])] = true
	}
	for w := range wording.Content(strings.Join(labels, " "), f.lang) {
		f.topic[w] = true
	}
}

// choose narrows the values of a kind to the one the claim names, where it names one: a
// sentence may hold others of its kind beside it, which then limit it.
func (f *fact) choose(v *wstk.Value, from, to int) {
	if v == nil {
		return
	}
	for _, r := range f.values {
		if r.Start >= from && r.End <= to && (r.Norm == v.Norm || r.Text == v.Text) {
			f.values = slices.DeleteFunc(f.values, func(o proposition.Reading) bool {
				other := o.Type == r.Type && o.Norm != r.Norm
				if other {
					f.numbers[o.Norm] = true
				}
				return other
			})
			return
		}
	}
}

func inside(rs []text.Range, start, end int) bool {
	for _, r := range rs {
		if start < r.End && r.Start < end {
			return true
		}
	}
	return false
}
