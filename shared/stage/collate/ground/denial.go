package ground

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
)

// sense compares what the claim and the parts of the source that bear it deny, limit and leave
// open.
func (m *match) sense() {
	all := text.Range{Start: 0, End: len(m.claim.words)}
	used, same := m.sameSense()
	switch {
	case !same:
		m.lacks(m.denialOf(all))
	case m.dropped(used), m.taken(used):
		m.lacks(all)
	}
}

// sameSense reports whether each segment of the claim denies as what bears it does, and returns the
// segments of the source that bear the claim.
func (m *match) sameSense() (used []text.Range, same bool) {
	for k, at := range m.claim.segments() {
		of := m.used(k)
		denied := m.turned[k]
		for _, r := range of {
			denied = denied != isDenied(m.in.words[r.Start:r.End], true)
		}
		if len(of) > 0 && denied != isDenied(m.claim.words[at.Start:at.End], m.notOnly()) {
			return nil, false
		}
		used = append(used, of...)
	}
	return used, true
}

// dropped reports whether the claim leaves out a word that limits what bears it, or leaves it open.
func (m *match) dropped(used []text.Range) bool {
	return slices.ContainsFunc(m.in.tokens, func(t token) bool {
		within := conditions[t.plain] || slices.ContainsFunc(used, func(r text.Range) bool {
			return r.Start <= t.Start && t.Start < r.End
		})
		return drops[t.plain] && within && !m.evenIf(t) && !m.claims(t) && !m.bounds(t)
	})
}

// taken reports whether what bears the claim doubts in a way that the claim does not.
func (m *match) taken(used []text.Range) bool {
	return m.source.Taken != nil && !m.source.Taken(m.claim.words) &&
		slices.ContainsFunc(used, func(r text.Range) bool {
			return m.source.Taken(m.in.words[r.Start:r.End])
		})
}

// notOnly reports whether the source says "not only", too.
func (m *match) notOnly() bool {
	return strings.Contains(text.FoldCompare(m.in.words), "not only")
}

// bounds reports whether a word is a part of a value's bound, which values compares.
func (m *match) bounds(t token) bool {
	return slices.ContainsFunc(m.in.values, func(v value.Value) bool {
		_, from := wording.BoundBefore(m.in.words[:v.Start])
		return from <= t.Start && t.Start < v.Start
	})
}

// evenIf reports whether "even" stands before an "if", which then leaves nothing open.
func (m *match) evenIf(t token) bool {
	return strings.HasSuffix(strings.ToLower(strings.TrimSpace(m.in.words[:t.Start])), "even")
}

// denialOf is the word of the claim that denies; all of it if the source denies what the claim
// says.
func (m *match) denialOf(all text.Range) text.Range {
	for _, t := range m.claim.tokens {
		if isDenial(t.plain) {
			return t.Range
		}
	}
	return all
}

// used are the segments of the source that bear words and values of a segment of the claim: as few
// as do.
func (m *match) used(segment int) (out []text.Range) {
	segments := m.in.segments()
	for open := m.bearers(segment); len(open) > 0; {
		best, most := -1, 0
		for k := range segments {
			n := 0
			for _, of := range open {
				if slices.Contains(of, k) {
					n++
				}
			}
			if n > most {
				best, most = k, n
			}
		}
		if best < 0 {
			return out
		}
		open = slices.DeleteFunc(open, func(of []int) bool { return slices.Contains(of, best) })
		out = append(out, segments[best])
	}
	return out
}

// bearers are, for each word and value of a segment of the claim that the source bears, the
// segments of the source that do.
func (m *match) bearers(segment int) (out [][]int) {
	for i, t := range m.claim.tokens {
		if m.claim.segment(t.Start) != segment || len(m.found[i]) == 0 {
			continue
		}
		var of []int
		for _, s := range m.found[i] {
			of = append(of, m.in.segment(s.Start))
		}
		out = append(out, of)
	}
	for v, at := range m.claim.values {
		if m.claim.segment(at.Start) != segment || len(m.of[v]) == 0 {
			continue
		}
		var of []int
		for _, w := range m.of[v] {
			of = append(of, m.in.segment(m.in.values[w].Start))
		}
		out = append(out, of)
	}
	return out
}

// Turned reports whether words deny what a part of them says, or the other way round.
func Turned(words, part string) bool { return isDenied(words, true) != isDenied(part, true) }

// isDenied reports whether words deny, an odd number of times. Of "not only" only the caller knows
// whether it does.
func isDenied(s string, notOnly bool) bool {
	odd := false
	s = noDenial.Replace(text.FoldCompare(s))
	if notOnly {
		s = strings.ReplaceAll(s, "not only", "")
	}
	for _, w := range wording.Bare(s) {
		if isDenial(w) {
			odd = !odd
		}
	}
	return odd
}
