package proposition

import (
	"math"
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// tolerance is how far an approximate value may be from another, as a share.
const tolerance = 0.15

// contradict reports whether two readings of one thing cannot both be true. Two upper bounds
// that differ contradict each other, as limits do, and so do two lower ones.
func contradict(a, b Reading) bool {
	same, comparable := value.Same(a.Value, b.Value)
	if !comparable || same {
		return false
	}
	exact := a.Bound == wording.Exactly && b.Bound == wording.Exactly
	if a.Number == nil || b.Number == nil || !wording.Scalar(a.Type) {
		return exact
	}
	x, y := *a.Number, *b.Number
	if a.Bound == wording.About || b.Bound == wording.About {
		return !a.limits() && !b.limits() && math.Abs(x-y) > tolerance*max(math.Abs(x), math.Abs(y))
	}
	if a.Bound == b.Bound {
		return true
	}
	lowA, highA := a.span()
	lowB, highB := b.span()
	return highA < lowB || highB < lowA
}

// limits reports whether a reading says "at most" or "at least".
func (r Reading) limits() bool { return r.Bound == wording.AtMost || r.Bound == wording.AtLeast }

// span is the range of numbers that a reading allows. Its number is not nil.
func (r Reading) span() (low, high float64) {
	low, high = *r.Number, *r.Number
	switch r.Bound {
	case wording.AtMost:
		low = math.Inf(-1)
	case wording.AtLeast:
		high = math.Inf(1)
	}
	return low, high
}

// Opposite returns a value of each side that contradict each other. The sides must have
// values of the same types and differ in one type only: where the year differs too, the
// year is what makes the difference. Where any two values of that type agree, nothing is
// contradicted: "between 512 and 65536" and "at most 65536".
func Opposite(a, b []Reading) (v, w Reading, ok bool) {
	if !holdTypes(a, b) || !holdTypes(b, a) {
		return v, w, false
	}
	for _, x := range a {
		agreed, clash := compared(x, b)
		if clash != nil && !ok {
			v, w, ok = x, *clash, true
		}
		if ok && (agreed && x.Type == v.Type || !agreed && clash != nil && x.Type != v.Type) {
			return v, w, false
		}
	}
	return v, w, ok
}

// compared reports whether one of some values of the same type agrees with x, and returns
// the first that contradicts it; nil for none.
func compared(x Reading, others []Reading) (agreed bool, clash *Reading) {
	for i, y := range others {
		if y.Type != x.Type {
			continue
		}
		same, comparable := value.Same(x.Value, y.Value)
		switch {
		case !comparable:
		case same || !contradict(x, y):
			agreed = true
		case clash == nil:
			clash = &others[i]
		}
	}
	return agreed, clash
}

// holdTypes reports whether a has a value of each type that b has.
func holdTypes(a, b []Reading) bool {
	for _, v := range b {
		found := false
		for _, w := range a {
			found = found || w.Type == v.Type
		}
		if !found {
			return false
		}
	}
	return true
}

// Equal is stricter than value.Same, which grants rounding.
func Equal(a, b value.Value) bool {
	if a.Type != b.Type || a.Norm != b.Norm ||
		wstk.ValueType(a.Type) == wstk.ValueQuantity && otherLetters(unitOf(a), unitOf(b)) {
		return false
	}
	x, y := text.FoldCompare(a.Text), text.FoldCompare(b.Text)
	if strings.Contains(a.Norm, "|") {
		return false // it has two readings, and each page may mean another
	}
	if wstk.ValueType(a.Type) == wstk.ValueNumber && strings.Contains(x+y, ".") {
		return x == y // 3.10 may be a version
	}
	return true
}
