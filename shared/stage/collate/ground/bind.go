package ground

import (
	"slices"
	"strings"

	"wstk/shared/text"
)

// names looks for each name of the claim: whole, or in parts that are whole names of the source.
func (m *match) names() {
	claim := m.claim
	for _, r := range text.Names(claim.words, claim.lang) {
		name := claim.words[r.Start:r.End]
		if !strings.ContainsAny(name, " -") || m.holdsName(name) {
			continue // words looks for single ones
		}
		parts := strings.Fields(name)
		if !m.inParts(parts) && !m.fullName(name, parts) {
			m.lacks(r)
		}
	}
}

// holdsName reports whether the source, or what stands above it, has a name as one phrase.
func (m *match) holdsName(name string) bool {
	folded := text.FoldCompare(name)
	hold := func(s string) bool {
		return len(text.Occurrences(s, folded)) > 0
	}
	return hold(m.source.Words) || slices.ContainsFunc(m.source.Above, hold) ||
		slices.ContainsFunc(m.source.Columns, hold)
}

// inParts reports whether words of a name are names of the source by themselves, one behind the
// other.
func (m *match) inParts(parts []string) bool {
	whole := map[string]bool{}
	for _, s := range append([]string{m.source.Words}, m.source.Above...) {
		for _, r := range text.Names(s, m.source.Lang) {
			whole[text.FoldCompare(s[r.Start:r.End])] = true
		}
	}
	for at := 0; at < len(parts); {
		n := len(parts)
		for n > at && !whole[text.FoldCompare(strings.Join(parts[at:n], " "))] {
			n--
		}
		if n == at {
			if !text.IsStopWord(strings.ToLower(parts[at])) {
				return false
			}
			n++
		}
		at = n
	}
	return true
}

// fullName reports whether the source has a part of a name that the page says in full, and takes
// the rest of it as borne.
func (m *match) fullName(name string, parts []string) bool {
	if m.source.Full == nil {
		return false
	}
	for _, part := range parts {
		if m.standsAlone(part) && m.source.Full(name, part) {
			m.above = append(m.above, read(name, m.source.Lang))
			return true
		}
	}
	return false
}

// standsAlone reports whether the source has a word of a name, and no capital beside it: it is all
// that the source says of the name.
func (m *match) standsAlone(part string) bool {
	for i, t := range m.in.tokens {
		if t.plain == text.FoldCompare(part) {
			beside := func(k int) bool {
				return k >= 0 && k < len(m.in.tokens) && m.in.nameAt(m.in.tokens[k])
			}
			return !beside(i-1) && !beside(i+1)
		}
	}
	return false
}

// bind looks at which words belong to each value, in the claim and in the source.
func (m *match) bind() {
	for i, v := range m.claim.values {
		if len(m.of[i]) > 0 && !slices.ContainsFunc(m.of[i], func(w int) bool {
			return m.bound(i, w)
		}) {
			m.lacks(m.counted(v))
		}
	}
}

// bound reports whether the words that belong to value v of the claim may belong to value w of the
// source: none of them is of another value of its type there.
func (m *match) bound(v, w int) bool {
	for i, t := range m.claim.tokens {
		if !t.counts() || len(m.found[i]) == 0 {
			continue
		}
		if of := m.claim.owner(t.Start, v); of >= 0 && of != v {
			continue
		}
		if !slices.ContainsFunc(m.found[i], func(s token) bool { return m.free(s, w) }) {
			return false
		}
	}
	return true
}

// free reports whether a word of the source may belong to a value of it.
func (m *match) free(s token, w int) bool {
	of := m.in.owner(s.Start, w)
	if of < 0 || of == w || s.value == w {
		return true
	}
	v, o := m.in.values[w], m.in.values[of]
	if m.in.isYear(v) != m.in.isYear(o) || !m.in.isYear(v) && o.Type != v.Type {
		return true
	}
	// what stands before the first value of all is also of one that has no other words of its own
	return s.cell < 0 && m.in.first(s.Start) && m.inherits(w)
}

// first reports whether a byte is before all values.
func (u *unit) first(at int) bool { return len(u.values) > 0 && at < u.values[0].Start }

// inherits reports whether a value may be of the subject that stands before the first one: no word
// before it, in its segment, is another subject, and the claim has one of the words there.
func (m *match) inherits(w int) bool {
	v := m.in.values[w]
	words, shared := 0, 0
	for _, t := range m.in.tokens {
		if !t.counts() || m.in.segment(t.Start) != m.in.segment(v.Start) ||
			m.in.owner(t.Start, w) != w {
			continue
		}
		words++
		if m.claims(t) {
			shared++
		} else if t.Start < v.Start {
			return false
		}
	}
	return words == 0 || shared > 0
}

// owner is the value that the word at a byte belongs to; -1 for none. In a segment with values it
// is the nearest one before it, and the first one for what stands before all. Of two segments
// before the values of the claim's, see first.
func (u *unit) owner(at, of int) int {
	segment, own := u.segment(at), -1
	for i, v := range u.values {
		if u.segment(v.Start) != segment {
			continue
		}
		if v.Start <= at || own < 0 {
			own = i
		}
	}
	if own >= 0 && segment == 0 && u.first(at) && u.segment(u.values[of].Start) == 0 {
		return -1 // the subject of all values of one clause
	}
	return own
}

// order refuses a claim in which two things have changed their places around a word: "Rome beat
// Carthage". What "by" turns round has not.
func (m *match) order() {
	if m.has(m.claim, by) != m.has(m.in, by) {
		return
	}
	at := m.places()
	for x := range at {
		for z := x + 1; z < len(at); z++ {
			if at[z].in >= at[x].in {
				continue
			}
			for y := z + 1; y < len(at); y++ {
				if at[y].in < at[z].in {
					m.lacks(m.claim.tokens[at[y].claim].Range)
					return
				}
			}
			if m.has(m.claim, places) && m.claim.nameAt(m.claim.tokens[at[x].claim]) &&
				m.claim.nameAt(m.claim.tokens[at[z].claim]) {
				m.lacks(m.claim.tokens[at[z].claim].Range)
				return
			}
		}
	}
}

// place is where a word is, in the claim and in the source.
type place struct{ claim, in int }

// places are those of the words that the source has once.
func (m *match) places() (out []place) {
	for i, t := range m.claim.tokens {
		if t.counts() && len(m.found[i]) == 1 && m.found[i][0].cell < 0 {
			out = append(out, place{i, m.found[i][0].Start})
		}
	}
	return out
}

func (m *match) has(u *unit, words map[string]bool) bool {
	return slices.ContainsFunc(u.tokens, func(t token) bool { return words[t.plain] })
}

// nameAt reports whether a word that says something has a capital.
func (u *unit) nameAt(t token) bool {
	return !t.stop && hasCapital("x "+u.words[t.Start:], 2, u.lang)
}

// subject refuses a claim whose subject only stands above the source, where the source has another
// subject: "The mast is 168 m high", on the page of the tower.
func (m *match) subject() {
	if Points(m.source.Words) {
		return
	}
	for i, t := range m.claim.tokens {
		if !m.over[i] || !t.counts() {
			continue
		}
		for _, s := range m.in.tokens {
			if s.stop || s.value >= 0 || isDenial(s.plain) {
				if s.value >= 0 {
					return
				}
				continue
			}
			if !m.claims(s) && !m.aboveBears(s) && !strings.Contains(m.source.Words, "\t") {
				m.lacks(t.Range)
			}
			return
		}
		return
	}
}
