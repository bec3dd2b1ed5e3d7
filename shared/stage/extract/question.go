package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/value"
)

// maxTerms bounds how many words of a query are looked for; a set of them is one
// machine word.
const maxTerms = 64

// termSet is a set of query terms, by index.
type termSet uint64

func (s termSet) has(i int) bool { return s>>uint(i)&1 == 1 }

// term is one content word of the query.
type term struct {
	extent
	surface  string  // as the query has it
	token    string  // the same as a token of the query's language
	naming   bool    // names the wanted kind of value
	light    bool    // says little, see lightWords
	name     bool    // a proper name or a number: what is asked is about it
	exact    bool    // a version or a model: what answers is about this one, see exactly
	borrowed bool    // from another part of a compound query: counts less
	parts    termSet // of a name written as one word (shared_buffers): the terms of its parts
	whole    int     // of such a part: the term of the name; -1
	weight   float64 // how rare it is in the pages at hand
}

// question is a query made ready to be looked for.
type question struct {
	*call // nil in tests

	text    string
	part    extent // of text: what is asked
	lang    string
	want    want
	terms   []term
	head    int     // the noun a collection is asked by; -1
	count   int     // the noun of "how many"; -1
	total   float64 // sum of the weights
	pairs   float64 // share of the terms that are pairs of characters, in scripts without spaces
	lexes   map[string]*lex
	own     map[string]bool // values the query itself states, by Norm
	account bool            // an account is asked for
	few     bool            // it is asked of few pages, see fewPages
	slack   float64         // how much less than usual an answer has to be believed

	token, byDefault *bool           // see asksToken, asksDefault; nil until asked
	bases            map[string]bool // see measuresAsked; nil until asked
}

// lex is the query in the tokens of one language.
type lex struct {
	exact   map[string]int
	synonym map[string]int
	kin     map[string][]kin // terms by their first letters, see kinOf
	names   []term           // terms with parts, see term.parts
	index   []int            // of names, in the question's terms

	compounds bool // the language writes compounds as one word
}

// newQuestion reads a query, or one part of a compound one: the words of part are
// what is asked, those of borrow are what the part leaves unsaid ("and does it …").
func newQuestion(query string, part part, lang string) *question {
	asked := query[part.start:part.end]
	q := &question{text: query, part: part.extent, lang: lang, want: wantOf(asked), head: -1,
		count: -1, lexes: map[string]*lex{}, own: map[string]bool{}}
	if part.framed {
		whole := wantOf(query)
		q.want.kind, q.want.hard = whole.kind, whole.hard
	}
	shift(q.want.asking, part.start)
	shift(q.want.naming, part.start)
	q.terms = distinct(q.termsOf(part))
	q.joinNames()
	q.mark()
	if q.want.counted > 0 {
		q.count = q.firstIn(extent{part.start + q.want.counted, part.end})
	}
	for _, v := range value.Find(asked, lang) {
		q.own[v.Norm] = true
	}
	return q
}

// shift moves ranges of a part to where they are in the query.
func shift(xs []extent, by int) {
	for i := range xs {
		xs[i].start += by
		xs[i].end += by
	}
}

// termsOf are the words of a part that say what to look for, and those it borrows. A query
// of nothing but stop words is looked for as it is.
func (q *question) termsOf(part part) (terms []term) {
	others := wantOf(q.text).asking
	tokens := text.Tokenize(q.text, q.lang)
	for _, t := range tokens {
		if t.Stop || len(terms) == maxTerms {
			continue
		}
		one := q.termOf(t)
		light := lightWords[strings.ToLower(one.surface)]
		switch {
		case part.start <= t.Start && t.End <= part.end:
			if covered(q.want.asking, t.Start, t.End) {
				continue
			}
			one.naming, one.light = covered(q.want.naming, t.Start, t.End), light
		case covered(part.borrow, t.Start, t.End) && !covered(others, t.Start, t.End):
			one.borrowed, one.light = !part.framed, part.framed && light
		default:
			continue
		}
		terms = append(terms, one)
	}
	if len(terms) == 0 {
		for _, t := range tokens[:min(len(tokens), maxTerms)] {
			terms = append(terms, q.termOf(t))
		}
	}
	return terms
}

func (q *question) termOf(t text.Token) term {
	return term{extent: extent{t.Start, t.End}, surface: q.text[t.Start:t.End], token: t.Text}
}

// mark notes which terms are names, versions and pairs of characters.
func (q *question) mark() {
	for i := range q.terms {
		t := &q.terms[i]
		own := t.whole < 0 && !t.borrowed
		t.name = own && q.namelike(i)
		t.exact = own && (q.modelled(i) || q.versioned(i))
		if unspaced(t.surface) {
			q.pairs += 1 / float64(len(q.terms))
		}
	}
}

// firstIn is the first term within a range of the query; -1 without one.
func (q *question) firstIn(within extent) int {
	first := -1
	for i, t := range q.terms {
		if t.start >= within.start && t.end <= within.end &&
			(first < 0 || t.start < q.terms[first].start) {
			first = i
		}
	}
	return first
}

// unspaced reports whether a term is written in a script without word spaces.
func unspaced(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// distinct keeps one of the terms that are one word, whatever its ending: the
// first, but one of the part itself before a borrowed one.
func distinct(terms []term) []term {
	at := map[string]int{}
	kept := terms[:0]
	for _, t := range terms {
		i, ok := at[t.token]
		switch {
		case !ok:
			at[t.token] = len(kept)
			kept = append(kept, t)
		case kept[i].borrowed && !t.borrowed:
			kept[i] = t
		}
	}
	return kept
}

// joinNames finds the names among the terms of which other terms are parts: the
// tokeniser gives shared_buffers, shared and buffers.
func (q *question) joinNames() {
	for i := range q.terms {
		q.terms[i].whole = -1
	}
	for i := range q.terms {
		w := &q.terms[i]
		for j := range q.terms {
			p := &q.terms[j]
			if i != j && w.start <= p.start && p.end <= w.end && p.end-p.start < w.end-w.start &&
				p.whole < 0 && w.whole < 0 {
				p.whole = i
				w.parts |= 1 << uint(j)
			}
		}
	}
}

// namelike reports whether a term is a number, or is written as a name: in capitals
// where the words around it are not. German writes every noun that way.
func (q *question) namelike(i int) bool {
	t := q.terms[i]
	r, _ := utf8.DecodeRuneInString(t.surface)
	if unicode.IsDigit(r) {
		return true
	}
	if !unicode.IsUpper(r) || strings.HasPrefix(q.lang, "de") || t.naming {
		return false
	}
	before := strings.TrimRightFunc(q.text[:t.start], func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '.' && r != '?'
	})
	if before == "" || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "?") {
		return false // the first word is in capitals anyway
	}
	return strings.IndexFunc(q.text, unicode.IsLower) >= 0
}

// in returns the query's terms as tokens of a page's language.
func (q *question) in(lang string) *lex {
	if l, ok := q.lexes[lang]; ok {
		return l
	}
	l := &lex{exact: map[string]int{}, synonym: map[string]int{},
		compounds: compounding[text.Language(lang)]}
	for _, t := range text.Tokenize(q.text, lang) {
		// The same place is the same term; where two languages cut differently,
		// the first that overlaps.
		at := -1
		for i := range q.terms {
			if q.terms[i].start == t.Start && q.terms[i].end == t.End {
				at = i
				break
			}
			if at < 0 && q.terms[i].start < t.End && t.Start < q.terms[i].end {
				at = i
			}
		}
		if _, ok := l.exact[t.Text]; !ok && at >= 0 {
			l.exact[t.Text] = at
		}
	}
	for i, t := range q.terms {
		if t.parts != 0 {
			l.names = append(l.names, t)
			l.index = append(l.index, i)
		}
	}
	for i := range q.terms {
		for _, s := range synonymsOf(q.terms[i].surface) {
			for _, t := range text.Tokenize(s, lang) {
				if _, ok := l.exact[t.Text]; !ok && !t.Stop {
					if _, ok := l.synonym[t.Text]; !ok {
						l.synonym[t.Text] = i
					}
				}
			}
		}
	}
	l.kin = kinsOf(l.exact)
	q.lexes[lang] = l
	return l
}

// kin is a term that words which begin alike may stand for.
type kin struct {
	token string
	term  int
}

// leastKin is how many bytes two words have to share at their beginning to be akin.
const leastKin = 5

// kinsOf lists terms by their first letters.
func kinsOf(exact map[string]int) map[string][]kin {
	out := map[string][]kin{}
	for token, i := range exact {
		if len(token) >= leastKin && ascii(token) {
			k := token[:leastKin]
			out[k] = append(out[k], kin{token, i})
		}
	}
	for _, ks := range out {
		slices.SortFunc(ks, func(a, b kin) int { return strings.Compare(a.token, b.token) })
	}
	return out
}

// akin returns the term of which a token is a form that stemming keeps apart: expiry and
// expiration, config and configuration. The shorter of the two is the beginning of the other;
// of six letters or more the last one may differ.
func (l *lex) akin(token string) (term int, ok bool) {
	if len(token) < leastKin {
		return 0, false
	}
	for _, k := range l.kin[token[:leastKin]] {
		shorter := min(len(token), len(k.token))
		n := leastKin
		for n < shorter && token[n] == k.token[n] {
			n++
		}
		if (n == shorter || n > leastKin && n == shorter-1) &&
			max(len(token), len(k.token)) <= 2*n {
			return k.term, true
		}
	}
	return 0, false
}

// words returns the surface forms of a set of terms, in the query's order.
func (q *question) words(s termSet) []string {
	var out []string
	for i, t := range q.terms {
		if s.has(i) {
			out = append(out, t.surface)
		}
	}
	return out
}
