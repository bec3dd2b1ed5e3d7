package collate

import (
	"math"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/value"
)

// tolerance is how far an approximate value may be from another, as a share.
const tolerance = 0.15

// contradict reports whether two readings of one thing cannot both be true. Two upper bounds
// that differ contradict each other, as limits do, and so do two lower ones.
func contradict(a, b reading) bool {
	same, comparable := value.Same(a.Value, b.Value)
	if !comparable || same {
		return false
	}
	exact := a.bound == wording.Exactly && b.bound == wording.Exactly
	if a.Number == nil || b.Number == nil || !wording.Scalar(a.Type) {
		return exact
	}
	x, y := *a.Number, *b.Number
	if a.bound == wording.About || b.bound == wording.About {
		return !a.limits() && !b.limits() && math.Abs(x-y) > tolerance*max(math.Abs(x), math.Abs(y))
	}
	if a.bound == b.bound {
		return true
	}
	lowA, highA := a.span()
	lowB, highB := b.span()
	return highA < lowB || highB < lowA
}

// limits reports whether a reading says "at most" or "at least".
func (r reading) limits() bool { return r.bound == wording.AtMost || r.bound == wording.AtLeast }

// span is the range of numbers that a reading allows. Its number is not nil.
func (r reading) span() (low, high float64) {
	low, high = *r.Number, *r.Number
	switch r.bound {
	case wording.AtMost:
		low = math.Inf(-1)
	case wording.AtLeast:
		high = math.Inf(1)
	}
	return low, high
}
