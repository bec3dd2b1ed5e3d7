package ground

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"wstk/shared/stage/collate/proposition"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// values looks for each value of the claim among those of the source.
func (m *match) values() {
	for i, v := range m.claim.values {
		m.of[i] = m.equals(v)
		if len(m.of[i]) == 0 && !m.aboveHolds(v) {
			m.lacks(m.counted(v))
		}
	}
}

// equals are the values of the source that bear a value.
func (m *match) equals(v value.Value) (out []int) {
	for j, w := range m.in.values {
		if bears(v, w) && m.claim.isYear(v) == m.in.isYear(w) && bound(m.claim, v).
			bears(bound(m.in, w)) {
			out = append(out, j)
		}
	}
	return out
}

// counted is a value with the word behind it, which it counts: 12 lanes.
func (m *match) counted(v value.Value) text.Range {
	for _, t := range m.claim.tokens {
		if t.Start >= v.End && t.counts() && m.claim.words[v.End:t.Start] == " " {
			return text.Range{Start: v.Start, End: t.End}
		}
	}
	return v.Range
}

// aboveHolds reports whether a year, or a number with the word that it names (version 2), stands
// above the source.
func (m *match) aboveHolds(v value.Value) bool {
	names := wording.Identifies(m.claim.words, v)
	if !names && !m.claim.isYear(v) {
		return false
	}
	above := slices.Clone(m.above)
	for _, c := range m.source.Columns {
		above = append(above, read(c, m.source.Lang))
	}
	return slices.ContainsFunc(above, func(u *unit) bool {
		if names {
			return len(text.Occurrences(u.words, m.named(v))) > 0
		}
		return slices.ContainsFunc(u.values, func(w value.Value) bool { return bears(v, w) })
	})
}

// named is a number with the word before it.
func (m *match) named(v value.Value) string {
	from := v.Start
	for _, t := range m.claim.tokens {
		if t.End <= v.Start {
			from = t.Start
		}
	}
	return m.claim.words[from:v.End]
}

// bears reports whether a value of a source is the one of a claim: the same, or the same in another
// unit, as exactly as the claim writes it. A date bears its month and its year.
func bears(claim, source value.Value) bool {
	if proposition.Equal(claim, source) {
		return true
	}
	if claim.Type == source.Type {
		switch wstk.ValueType(claim.Type) {
		case wstk.ValueDate:
			return !strings.Contains(claim.Norm+source.Norm, "|") &&
				strings.HasPrefix(source.Norm, claim.Norm) && len(claim.Norm) >= len("2024") &&
				!strings.HasPrefix(source.Norm[len(claim.Norm):], "/")
		case wstk.ValueQuantity, wstk.ValueDuration, wstk.ValueMoney, wstk.ValueNumber:
			return sameAmount(claim, source)
		case wstk.ValueTime, wstk.ValuePhone, wstk.ValueURL, wstk.ValueEmail:
			same, ok := value.Same(claim, source)
			return same && ok
		}
	}
	switch {
	case looksLikeYear(claim) && wstk.ValueType(source.Type) == wstk.ValueDate:
		return strings.HasPrefix(source.Norm, claim.Text)
	case looksLikeYear(source) && wstk.ValueType(claim.Type) == wstk.ValueDate:
		return claim.Norm == source.Text
	}
	return false
}

var year = regexp.MustCompile(`^[12][0-9]{3}$`)

// looksLikeYear reports whether a number is written as a year is.
func looksLikeYear(v value.Value) bool {
	return wstk.ValueType(v.Type) == wstk.ValueNumber && year.MatchString(v.Text)
}

// isYear reports whether a value is a date, or a number that is written as a year is and counts
// nothing: "from 1622", but not "1622 bells".
func (u *unit) isYear(v value.Value) bool {
	return wstk.ValueType(v.Type) == wstk.ValueDate || looksLikeYear(v) && !u.counting(v)
}

// counting reports whether a word that says something stands right behind a value.
func (u *unit) counting(v value.Value) bool {
	return slices.ContainsFunc(u.tokens, func(t token) bool {
		return t.counts() && t.Start > v.End && strings.TrimSpace(u.words[v.End:t.Start]) == ""
	})
}

// sameAmount reports whether two amounts are the same, except for what the claim's last digit
// leaves open where their units differ.
func sameAmount(claim, source value.Value) bool {
	if claim.Number == nil || source.Number == nil || claim.Unit != source.Unit {
		return false
	}
	x, y := *claim.Number, *source.Number
	if equalNumbers(x, y) {
		return exactAmount(claim, source)
	}
	same, ok := value.Same(claim, source)
	return ok && same && unitOf(claim) != unitOf(source) &&
		math.Abs(x-y) <= math.Abs(x)*lastDigit(claim.Text)/2
}

func equalNumbers(x, y float64) bool {
	return math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
}

// exactAmount reports whether two amounts are the same, in whichever units. Of bare numbers 3.10 is
// not 3.1: it may be a version.
func exactAmount(a, b value.Value) bool {
	if a.Number == nil || b.Number == nil || a.Unit != b.Unit || !equalNumbers(*a.Number, *b.Number) {
		return false
	}
	return wstk.ValueType(a.Type) != wstk.ValueNumber || !strings.Contains(a.Text+b.Text, ".")
}

// unitOf are the words and signs of a value beside its digits.
func unitOf(v value.Value) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || strings.ContainsRune(" .,-+", r) {
			return -1
		}
		return r
	}, text.FoldCompare(v.Text))
}

var digits = regexp.MustCompile(`[0-9][0-9.,]*`)

// lastDigit is how much one unit in the last digit of an amount is of the amount.
func lastDigit(amount string) float64 {
	n := 0.0
	for _, r := range digits.FindString(amount) {
		if r >= '0' && r <= '9' {
			n = n*10 + float64(r-'0')
		}
	}
	if n == 0 {
		return 0
	}
	return 1 / n
}

// bounds is how a value is bounded: finer than wording.Bound where words say more.
type bounds struct {
	bound wording.Bound
	sense string
}

func bound(u *unit, v value.Value) bounds {
	if !wording.Scalar(v.Type) || u.isYear(v) {
		return bounds{}
	}
	sense, _ := wording.BoundBefore(u.words[:v.Start])
	b := wording.BoundOf(u.words[:v.Start], u.words[v.End:])
	return bounds{b, sense}
}

// bears reports whether a source's bound bears that of a claim: the same, or any for a claim that
// says less exactly what the source says exactly.
func (claim bounds) bears(source bounds) bool {
	if claim.bound == wording.About && source.bound == wording.Exactly {
		return true
	}
	strict := func(sense string) bool { return sense == "less" || sense == "more" }
	return claim.bound == source.bound && strict(claim.sense) == strict(source.sense)
}
