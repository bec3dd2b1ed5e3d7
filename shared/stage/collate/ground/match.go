package ground

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/proposition"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/text/related"
)

// match is a statement beside a source.
type match struct {
	claim  *unit
	in     *unit
	source *Source
	above  []*unit
	labels []token // of the cells of a row, at the bytes of their cells

	found   [][]token     // for each token of the claim, what bears it in the source
	over    []bool        // for each token of the claim, whether only what stands above bears it
	turned  map[int]bool  // segments of the claim in which an opposite was taken for a word
	of      map[int][]int // for each value of the claim those of the source that bear it
	missing []text.Range  // heads
	open    []text.Range
}

func matchOf(claim *unit, s *Source) *match {
	m := &match{claim: claim, in: read(s.Words, s.Lang), source: s, of: map[int][]int{},
		turned: map[int]bool{}, found: make([][]token, len(claim.tokens)),
		over: make([]bool, len(claim.tokens))}
	for _, words := range s.Above {
		m.above = append(m.above, read(words, s.Lang))
	}
	for i, at := range cellsOf(s.Words) {
		if i >= len(s.Columns) {
			break
		}
		for _, t := range read(s.Columns[i], s.Lang).tokens {
			t.Range, t.cell, t.value = text.Range{Start: at, End: at}, i, -1
			m.labels = append(m.labels, t)
		}
	}
	return m
}

// cellsOf are the bytes at which the cells of a row begin.
func cellsOf(row string) []int {
	out := []int{0}
	for i := range len(row) {
		if row[i] == '\t' {
			out = append(out, i+1)
		}
	}
	return out
}

// lacks notes a head that is not borne.
func (m *match) lacks(at text.Range) { m.missing = append(m.missing, at) }

// result is what is missing and open, in the words of the claim, in their order. Words beside each
// other are one.
func (m *match) result() Result {
	return Result{Missing: m.phrases(m.missing), Open: m.phrases(m.open)}
}

func (m *match) phrases(at []text.Range) (out []string) {
	slices.SortFunc(at, func(a, b text.Range) int { return cmp.Compare(a.Start, b.Start) })
	for i := 0; i < len(at); i++ {
		r := at[i]
		for i+1 < len(at) && (at[i+1].Start <= r.End ||
			strings.TrimSpace(m.claim.words[r.End:at[i+1].Start]) == "") {
			i++
			r.End = max(r.End, at[i].End)
		}
		out = wording.AppendNew(out, m.claim.words[r.Start:r.End])
	}
	return out
}

// words looks for each word that says something.
func (m *match) words() {
	for i, t := range m.claim.tokens {
		if t.value >= 0 || t.stop || isDenial(t.plain) {
			continue
		}
		m.found[i] = m.bearing(t)
		if len(m.found[i]) == 0 && m.aboveBears(t) {
			m.over[i] = true
		}
	}
	for i, t := range m.claim.tokens {
		switch {
		case t.value >= 0 || t.stop || isDenial(t.plain), len(m.found[i]) > 0, m.over[i]:
		case m.opposite(i):
		case m.addition(i):
			m.open = append(m.open, t.Range)
		default:
			m.lacks(t.Range)
		}
	}
}

// rests reports whether the source itself bears a word or a value of the claim, and not all of it
// stands above.
func (m *match) rests() bool {
	for _, of := range m.of {
		if len(of) > 0 {
			return true
		}
	}
	return slices.ContainsFunc(m.found, func(of []token) bool { return len(of) > 0 })
}

// bearing are the tokens of the source that bear a word.
func (m *match) bearing(t token) (out []token) {
	for _, s := range slices.Concat(m.in.tokens, m.labels) {
		if m.bears(t, s) {
			out = append(out, s)
		}
	}
	return out
}

func (m *match) aboveBears(t token) bool {
	return slices.ContainsFunc(m.above, func(u *unit) bool {
		return slices.ContainsFunc(u.tokens, func(s token) bool { return m.bears(t, s) })
	})
}

// bears reports whether a word of the source says what a word of the claim says.
func (m *match) bears(t, s token) bool {
	switch {
	case t.plain == s.plain, groups[t.plain] > 0 && groups[t.plain] == groups[s.plain]:
		return true
	case m.exact(t) || isDenial(s.plain):
		return false
	case t.stem == s.stem, derived(t.stem, s.stem),
		proposition.Alike(t.plain, s.plain, m.claim.lang):
		return true
	}
	return text.Language(m.claim.lang) == "en" && !m.sided(t.plain) && closely(t.plain, s.plain)
}

// exact reports whether only the very word bears a word: a name, a number, a word that makes the
// statement hold for more, letters of two scripts.
func (m *match) exact(t token) bool {
	raw := m.claim.words[t.Start:t.End]
	first, _ := utf8.DecodeRuneInString(raw)
	return adds[t.plain] || isNumeral(t.plain) || odd(raw) ||
		unicode.IsUpper(first) && hasCapital(m.claim.words, t.Start, m.claim.lang) ||
		strings.ContainsFunc(raw[utf8.RuneLen(max(first, 0)):], unicode.IsUpper)
}

// odd reports whether a word mixes scripts, or has marks that no letter carries by itself.
func odd(w string) bool {
	var latin, other bool
	for _, r := range text.Fold(w).Text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian):
			other = true
		case unicode.Is(unicode.Mn, r) && latin:
			return true
		}
	}
	return latin && other
}

// sided reports whether a word names a point of the compass.
func (m *match) sided(w string) bool {
	return slices.ContainsFunc(sides, func(s string) bool { return strings.HasPrefix(w, s) })
}

// derived reports whether one stem is the other with an ending: develop, developer.
func derived(a, b string) bool {
	const least, most = 5, 4 // letters
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= least && len(b)-len(a) <= most && strings.HasPrefix(b, a)
}

// closely reports whether two English words are said for one another.
func closely(a, b string) bool {
	const least = 0.88
	return slices.ContainsFunc(related.Of(a), func(w related.Word) bool {
		return w.Weight >= least && wording.Stem(w.Text, "en") == wording.Stem(b, "en")
	})
}

// opposite reports whether the source has the opposite of a word, and takes it for the word, with
// the sense turned round.
func (m *match) opposite(i int) bool {
	t := m.claim.tokens[i]
	if m.exact(t) {
		return false
	}
	plain, negative := wording.Antonym(t.plain)
	for _, s := range m.in.tokens {
		other, turned := wording.Antonym(s.plain)
		if wording.Opposites(t.stem, s.stem) ||
			negative && plain != "" && wording.Stem(plain, m.claim.lang) == s.stem ||
			turned && other != "" && wording.Stem(other, m.claim.lang) == t.stem {
			m.found[i] = append(m.found[i], s)
			k := m.claim.segment(t.Start)
			m.turned[k] = !m.turned[k]
			return true
		}
	}
	return false
}

// addition reports whether a word only adds to a borne one that it stands right before, as an
// adjective does, and the source has no other word in its place.
func (m *match) addition(i int) bool {
	t := m.claim.tokens[i]
	if m.exact(t) || drops[t.plain] || i+1 >= len(m.claim.tokens) || m.claim.segment(t.Start) !=
		m.claim.segment(m.claim.tokens[i+1].Start) {
		return false
	}
	next := m.claim.tokens[i+1]
	if !next.counts() || len(m.found[i+1]) == 0 || m.claim.words[t.End:next.Start] != " " {
		return false
	}
	if i > 0 && m.claim.tokens[i-1].counts() || i == 0 {
		return false
	}
	return !slices.ContainsFunc(m.found[i+1], func(s token) bool {
		at := slices.IndexFunc(m.in.tokens, func(o token) bool { return o.Range == s.Range })
		return at > 0 && m.in.tokens[at-1].counts() && !m.claims(m.in.tokens[at-1])
	})
}

// claims reports whether the claim has a word of the source.
func (m *match) claims(s token) bool {
	for i, t := range m.claim.tokens {
		if t.plain == s.plain || t.stem == s.stem || slices.ContainsFunc(m.found[i],
			func(o token) bool { return o.Range == s.Range && o.cell == s.cell }) {
			return true
		}
	}
	return false
}
