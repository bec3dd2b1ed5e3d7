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
	var used []text.Range
	for k, at := range m.claim.segments() {
		of := m.used(k)
		denied := m.turned[k]
		for _, r := range of {
			denied = denied != isDenied(m.in.words[r.Start:r.End], true)
		}
		if len(of) > 0 && denied != isDenied(m.claim.words[at.Start:at.End], m.notOnly()) {
			m.lacks(m.denialOf(all))
			return
		}
		used = append(used, of...)
	}
	for _, t := range m.in.tokens {
		within := conditions[t.plain] || slices.ContainsFunc(used, func(r text.Range) bool {
			return r.Start <= t.Start && t.Start < r.End
		})
		if drops[t.plain] && within && !m.evenIf(t) && !m.claims(t) && !m.bounds(t) {
			m.lacks(all)
			return
		}
	}
	if m.source.Taken == nil || m.source.Taken(m.claim.words) {
		return
	}
	for _, at := range used {
		if m.source.Taken(m.in.words[at.Start:at.End]) {
			m.lacks(all)
			return
		}
	}
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
	open := map[int][]int{} // what is to be borne → the segments that may
	for i, t := range m.claim.tokens {
		if m.claim.segment(t.Start) != segment {
			continue
		}
		for _, s := range m.found[i] {
			open[i] = append(open[i], m.in.segment(s.Start))
		}
	}
	for v, of := range m.of {
		if m.claim.segment(m.claim.values[v].Start) != segment {
			continue
		}
		for _, w := range of {
			open[-1-v] = append(open[-1-v], m.in.segment(m.in.values[w].Start))
		}
	}
	for len(open) > 0 {
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
		for i, of := range open {
			if slices.Contains(of, best) {
				delete(open, i)
			}
		}
		out = append(out, segments[best])
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
