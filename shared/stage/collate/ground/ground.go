// Package ground decides what of a statement its quotes bear, from words alone. In go a
// statement and its Sources, each a sentence, an item or a row of a quote with what stands over
// it; out comes what no Source bears. A program that does not have the model which proposed the
// statement gets the same result.
//
// The heads of a statement are its values, numbers and names, its denials, the words that make it
// hold for more ("all", "only"), and every word that is not a mere addition. A statement of which
// one head is not borne is not borne at all. A word is a mere addition if it stands between a
// small word and a borne one, as an adjective does before its noun ("the famous bridge"), and the
// source has no other word in its place. Such words are Open.
//
// All heads of a clause must be borne by one Source: a number of one sentence and a noun of
// another one prove nothing together. Where a Source has several values, each word belongs to the
// value that it is nearest to, see bind.go. A word counts if it is the same but for its ending, or
// if it is closely related; a number, a name or a denial never counts for another one.
//
// Begin with Borne and Translated. unit.go reads a Source, match.go compares words, bind.go says
// what belongs together, denial.go what is denied, limited or left open.
package ground

import (
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
)

// Source is a sentence, an item or a row of a quote, with what its page says about it.
type Source struct {
	Words string
	Lang  string // a BCP 47 tag; "" if it is not known

	// Above names what the words are about: title, headings, labels, term, the sentence before
	// one whose subject is a pronoun. It bears words and names, and no values but years and
	// numbers of names.
	Above []string
	// Before is the sentence right before the source in its block, "" for none. Headings are the
	// one over it, its line that leads to it, or the title of a page without headings; each may
	// stand before it with a colon. Opens is set if the source is the first under its heading.
	Before   string
	Headings []string
	Opens    bool
	// Turned is set if a heading makes something else of the source: it stands with that alone.
	Turned bool
	// Columns name the cells of a row, in their order; nil for other words.
	Columns []string

	// Full reports whether the page has a name in full, and no other one that shares the given
	// part of it. nil reports false.
	Full func(name, part string) bool
	// Taken reports whether words deny or doubt in a way that package ground does not know. nil
	// reports false.
	Taken func(words string) bool
}

// Result is what no Source bears of a statement, in the statement's own words and order.
type Result struct {
	Missing []string // heads; one is enough for the statement not to be borne
	Open    []string // mere additions
}

// Borne returns what the sources do not bear of a statement in their language. It takes time
// proportional to the words of the statement times those of the sources.
func Borne(statement string, sources []Source) Result {
	best := Result{Missing: []string{statement}}
	if len(sources) == 0 {
		return best
	}
	for i := range sources {
		if r := against(statement, &sources[i]); i == 0 || r.less(best) {
			best = r
		}
	}
	parts := partsOf(statement, sources[0].Lang)
	if len(best.Missing) == 0 || len(sources) < 2 || len(parts) < 2 {
		return best
	}
	var all Result
	for _, part := range parts {
		own := Result{Missing: []string{part}}
		for i := range sources {
			if r := against(part, &sources[i]); r.less(own) {
				own = r
			}
		}
		for _, w := range own.Missing {
			all.Missing = wording.AppendNew(all.Missing, w)
		}
		for _, w := range own.Open {
			all.Open = wording.AppendNew(all.Open, w)
		}
	}
	if all.less(best) {
		return all
	}
	return best
}

// less reports whether less is missing than in another result.
func (r Result) less(o Result) bool {
	if len(r.Missing) != len(o.Missing) {
		return len(r.Missing) < len(o.Missing)
	}
	return len(r.Open) < len(o.Open)
}

// partsOf are the sentences and clauses of a statement. Each that follows another one begins with
// the subject of the first, since it may have none of its own.
func partsOf(statement, lang string) (out []string) {
	u := read(statement, lang)
	subject := u.subject()
	for i, at := range u.segments() {
		words := strings.TrimSpace(strings.Trim(statement[at.Start:at.End], " ,;:.—–()"))
		if len(wording.Content(words, lang)) == 0 {
			continue
		}
		if i > 0 && subject != "" && !strings.Contains(text.FoldCompare(words),
			text.FoldCompare(subject)) {
			words = subject + " " + words
		}
		out = append(out, words)
	}
	return out
}

// against is Borne for one source.
func against(statement string, s *Source) Result {
	m := matchOf(read(statement, s.Lang), s)
	m.values()
	m.names()
	m.words()
	if len(m.missing) == 0 && !m.rests() {
		m.lacks(text.Range{Start: 0, End: len(statement)})
	}
	if len(m.missing) == 0 {
		m.bind()
		m.columns()
		m.order()
		m.subject()
	}
	if len(m.missing) == 0 {
		m.sense()
	}
	return m.result()
}
