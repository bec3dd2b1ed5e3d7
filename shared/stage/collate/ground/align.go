package ground

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/proposition"
	"wstk/shared/text"
	"wstk/shared/value"
)

// Aligned reports whether a statement is the words of a source in their order, but for what may
// be left out or put in without another meaning:
//
//   - articles, and words that only join a sentence to the one before (However, …),
//   - brackets that hold an abbreviation, an example or the same amount in another unit,
//   - a relative clause or an apposition between commas, and a clause at the end behind "and" or
//     a semicolon, if no word in it denies, limits, doubts, compares, dates or ascribes,
//   - the same value written otherwise: 5 for five, 2 GB for 2 gigabytes,
//   - what a pronoun at the beginning stands for, where that is sure; the heading before a colon.
//
// Everything else is a new wording, which words alone cannot prove. It takes time proportional to
// the words of the statement times those of the source.
func Aligned(statement string, s Source) bool {
	claim, in := piecesOf(statement, s.Lang), piecesOf(s.Words, s.Lang)
	if len(claim) == 0 || len(in) == 0 || len(claim) > mostPieces || len(in) > mostPieces {
		return false
	}
	l := leavingOf(s.Lang)
	a := alignment{leaving: l, claim: claim, in: in, spans: l.leavable(in), seen: map[[2]int]bool{}}
	if !s.Turned && a.from(0, 0) {
		return true
	}
	for _, subject := range l.subjectsOf(&s) {
		if s.Turned {
			break
		}
		words := piecesOf(subject, s.Lang)
		if n := l.prefix(claim, words); n > 0 && l.isPronoun(in[0].plain) && a.from(n, 1) {
			return true
		}
	}
	for _, heading := range s.Headings {
		words := piecesOf(heading, s.Lang)
		n := l.prefix(claim, words)
		if n > 0 && n < len(claim) && claim[n].plain == ":" && a.from(n+1, 0) {
			return true
		}
	}
	return false
}

// mostPieces bounds a statement and a source.
const mostPieces = 500

// piece is a word or a sign of a sentence.
type piece struct {
	raw, plain string
	word       bool
	first      bool // it begins the sentence, so that its capital says nothing
	value      *value.Value
	next       int // the piece behind its value; 0 without one
	inside     bool
}

var pieceForm = regexp.MustCompile(
	`[\pL\pM\pN_]+(?:['’.][\pL\pM\pN_]+|[,:]\pN[\pL\pM\pN_]*)*|[^\s\pL\pM\pN_]`)

// silentSigns say nothing that the words beside them do not say.
const silentSigns = `."'“”‘’«»„*!`

func piecesOf(s, lang string) (out []piece) {
	s = strings.TrimSpace(s)
	values := value.Find(s, lang)
	starts := []int{}
	for _, at := range pieceForm.FindAllStringIndex(s, -1) {
		raw := s[at[0]:at[1]]
		v := slices.IndexFunc(values, func(v value.Value) bool {
			return v.Start <= at[0] && at[0] < v.End
		})
		r, _ := utf8.DecodeRuneInString(raw)
		p := piece{raw: raw, plain: strings.ReplaceAll(text.FoldCompare(raw), "’", "'"),
			word:  unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '_',
			first: len(out) == 0, inside: v >= 0}
		if v >= 0 && !slices.Contains(starts, values[v].Start) {
			starts = append(starts, values[v].Start)
			p.value = &values[v]
		}
		if !p.inside && !p.word && (strings.ContainsRune(silentSigns, r) ||
			r == '-' && !digitBehind(s, at[1])) {
			continue
		}
		out = append(out, plainly(p)...)
	}
	for i := range out {
		if out[i].value == nil {
			continue
		}
		for out[i].next = i + 1; out[i].next < len(out) && out[out[i].next].inside &&
			out[out[i].next].value == nil; {
			out[i].next++
		}
	}
	return out
}

func digitBehind(s string, at int) bool { return at < len(s) && s[at] >= '0' && s[at] <= '9' }

// plainly writes a contracted denial as two words.
func plainly(p piece) []piece {
	if p.inside || !strings.HasSuffix(p.plain, "n't") && p.plain != "cannot" {
		return []piece{p}
	}
	verb := strings.TrimSuffix(p.plain, "n't")
	switch p.plain {
	case "can't", "cannot":
		verb = "can"
	case "won't":
		verb = "will"
	case "shan't":
		verb = "shall"
	}
	not := piece{raw: "not", plain: "not", word: true}
	p.raw, p.plain = verb, verb
	return []piece{p, not}
}

// pause reports whether a piece is a sign that only separates.
func (p piece) pause() bool { return !p.word && strings.Contains(",;:–—，；：、", p.plain) }

// alignment looks for one order of a statement's pieces in those of a source.
type alignment struct {
	*leaving
	claim, in []piece
	spans     map[int][]int // of the source: where what may be left out ends, by its begin
	seen      map[[2]int]bool
}

// from reports whether the claim from i on is the source from j on.
func (a *alignment) from(i, j int) bool {
	if i == len(a.claim) && j == len(a.in) {
		return true
	}
	at := [2]int{i, j}
	if a.seen[at] {
		return false
	}
	a.seen[at] = true
	if i < len(a.claim) && j < len(a.in) && a.step(i, j) {
		return true
	}
	if i < len(a.claim) && a.free(a.claim, i) && a.from(i+1, j) ||
		j < len(a.in) && a.free(a.in, j) && a.from(i, j+1) {
		return true
	}
	return slices.ContainsFunc(a.spans[j], func(end int) bool { return a.from(i, end) })
}

// step goes on behind two pieces that say the same.
func (a *alignment) step(i, j int) bool {
	x, y := a.claim[i], a.in[j]
	if x.value != nil && y.value != nil && sameForm(*x.value, *y.value) &&
		a.from(x.next, y.next) {
		return true
	}
	if x.inside || y.inside {
		return false
	}
	if x.pause() && y.pause() {
		return a.from(i+1, j+1)
	}
	return x.plain == y.plain && (x.raw == y.raw || !x.word || x.first || y.first) &&
		a.from(i+1, j+1)
}

// sameForm reports whether two values are one, exactly.
func sameForm(x, y value.Value) bool {
	if x.Text == y.Text {
		return true
	}
	if x.Type != y.Type || x.Norm == "" {
		return false
	}
	return proposition.Equal(x, y) || exactAmount(x, y)
}

// free reports whether a piece may be left out, or put in, by itself: an article, or a sign that
// only separates. "No, it is" is not "no it is", and "a few" is not "few".
func (l *leaving) free(of []piece, i int) bool {
	if of[i].pause() {
		return i == 0 || !l.answers[of[i-1].plain] && !isDenial(of[i-1].plain)
	}
	return l.articles[of[i].plain] && !of[i].inside &&
		(of[i].first || of[i].raw == of[i].plain) &&
		(i+1 >= len(of) || !l.behindArticles[of[i+1].plain])
}

// prefix is how many pieces of a claim its first words, which are given, take; 0 if it begins
// otherwise.
func (l *leaving) prefix(claim, words []piece) int {
	i := 0
	for j := 0; j < len(words); j++ {
		if l.free(words, j) {
			continue
		}
		for i < len(claim) && l.free(claim, i) && claim[i].plain != words[j].plain {
			i++
		}
		if i >= len(claim) || claim[i].plain != words[j].plain {
			return 0
		}
		i++
	}
	return i
}

func (l *leaving) isPronoun(w string) bool { return standsFor[w] && !l.owners[w] }

// subjectsOf are what a pronoun at the beginning of a source surely stands for: the heading right
// above it; the subject of the sentence before, which says what it is ("The S-4 is a pump. It …"),
// or which has no other name than that of a person.
func (l *leaving) subjectsOf(s *Source) (out []string) {
	if s.Opens {
		out = append(out, s.Headings...)
	}
	before := piecesOf(s.Before, s.Lang)
	first := ""
	if words := strings.Fields(s.Words); len(words) > 0 {
		first = text.FoldCompare(words[0])
	}
	if l.persons[first] {
		if names := text.Names(s.Before, s.Lang); len(names) == 1 && names[0].Start == 0 {
			out = append(out, s.Before[names[0].Start:names[0].End])
		}
		return out
	}
	for i, p := range before {
		if !p.word || l.guards[p.plain] || joins[p.plain] {
			return out
		}
		if l.copulas[p.plain] && i > 0 && i+1 < len(before) && l.articles[before[i+1].plain] {
			end := strings.Index(s.Before, " "+p.raw+" ")
			if end > 0 {
				out = append(out, s.Before[:end])
			}
			return out
		}
	}
	return out
}

// Lone reports whether a part of a sentence is its one value, so that it says by itself what the
// sentence says of it: no other value of its type is there but those that skip names, it has no
// bound, and no word denies the sentence, doubts it or limits it.
func Lone(words string, at text.Range, lang string, skip func(text.Range) bool) bool {
	u := read(words, lang)
	part := strings.TrimRight(words[at.Start:at.End], ". ")
	i := slices.IndexFunc(u.values, func(v value.Value) bool {
		return v.Start == at.Start && v.Text == part
	})
	if i < 0 || bound(u, u.values[i]) != (bounds{}) {
		return false
	}
	return !slices.ContainsFunc(u.values, func(v value.Value) bool {
		return v.Type == u.values[i].Type && v.Range != u.values[i].Range && !skip(v.Range)
	}) && !slices.ContainsFunc(u.tokens, func(t token) bool {
		return isDenial(t.plain) || drops[t.plain]
	})
}
