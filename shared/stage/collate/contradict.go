package collate

import (
	"math"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/value"
)

// tolerance is how far an approximate value may be from another, as a share.
const tolerance = 0.15

// contradict reports whether two readings of one thing cannot both be true. Two
// upper bounds that differ contradict each other as limits do.
func contradict(a, b reading) bool {
	same, comparable := value.Same(a.Value, b.Value)
	if !comparable || same {
		return false
	}
	if a.bound == wording.Exactly && b.bound == wording.Exactly || a.Number == nil ||
		b.Number == nil || !wording.Scalar(a.Type) {
		return a.bound == wording.Exactly && b.bound == wording.Exactly
	}
	x, y := *a.Number, *b.Number
	switch {
	case a.bound == b.bound && a.bound != wording.About:
		return true
	case a.bound == wording.About || b.bound == wording.About:
		if a.bound == wording.AtMost || a.bound == wording.AtLeast || b.bound == wording.AtMost ||
			b.bound == wording.AtLeast {
			return false
		}
		return math.Abs(x-y) > tolerance*max(math.Abs(x), math.Abs(y))
	case a.bound == wording.AtMost && b.bound == wording.Exactly,
		a.bound == wording.AtMost && b.bound == wording.AtLeast:
		return y > x
	case a.bound == wording.AtLeast && b.bound == wording.Exactly,
		a.bound == wording.AtLeast && b.bound == wording.AtMost:
		return y < x
	case b.bound == wording.AtMost:
		return x > y
	default:
		return x < y
	}
}
