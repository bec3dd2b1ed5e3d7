package collate

import (
	"math"
	"strings"
	"unicode"

	"wstk/shared/value"
	"wstk/shared/wstk"
)

// bound is how a value is meant: exactly, about, at most, at least.
type bound int

const (
	exactly bound = iota
	about
	atMost
	atLeast
)

var boundPhrases = []struct {
	phrase string
	bound  bound
}{
	{"at most", atMost}, {"up to", atMost}, {"no more than", atMost}, {"not more than", atMost}, {"less than", atMost}, {"fewer than", atMost},
	{"below", atMost}, {"under", atMost}, {"within", atMost}, {"maximum of", atMost}, {"limited to", atMost}, {"smaller than", atMost}, {"not exceed", atMost}, {"≤", atMost}, {"<", atMost},
	{"at least", atLeast}, {"no less than", atLeast}, {"not less than", atLeast}, {"more than", atLeast}, {"greater than", atLeast}, {"larger than", atLeast}, {"over", atLeast},
	{"above", atLeast}, {"minimum of", atLeast}, {"starting at", atLeast}, {"from", atLeast}, {"exceeds", atLeast}, {"≥", atLeast}, {">", atLeast},
	{"about", about}, {"around", about}, {"approximately", about}, {"roughly", about}, {"nearly", about}, {"almost", about}, {"some", about}, {"circa", about}, {"ca", about}, {"approx", about}, {"~", about}, {"≈", about}, {"etwa", about}, {"rund", about},
}

// boundWords are the words of the phrases above, which say nothing of the topic.
var boundWords = func() map[string]bool {
	m := map[string]bool{}
	for _, b := range boundPhrases {
		for _, w := range strings.Fields(b.phrase) {
			m[w] = true
		}
	}
	for _, w := range []string{"more", "less", "plus", "upward", "upwards", "exactly", "precisely", "approx", "just"} {
		m[w] = true
	}
	return m
}()

// boundOf reads what stands right before and after a value.
func boundOf(before, after string) bound {
	const near = 24
	if len(before) > near {
		before = before[len(before)-near:]
	}
	before = strings.ToLower(strings.TrimRight(before, " \u00a0$€£¥"))
	before = strings.TrimSuffix(strings.TrimSuffix(before, " a"), " the")
	before = strings.TrimRight(before, ". ")
	for _, b := range boundPhrases {
		if !strings.HasSuffix(before, b.phrase) {
			continue
		}
		rest := before[:len(before)-len(b.phrase)]
		if rest == "" || !unicode.IsLetter(rune(rest[len(rest)-1])) || !unicode.IsLetter(rune(b.phrase[0])) {
			return b.bound
		}
	}
	after = strings.ToLower(strings.TrimLeft(after, " \u00a0"))
	switch {
	case strings.HasPrefix(after, "or more"), strings.HasPrefix(after, "or later"), strings.HasPrefix(after, "or higher"), strings.HasPrefix(after, "+"), strings.HasPrefix(after, "and up"):
		return atLeast
	case strings.HasPrefix(after, "or less"), strings.HasPrefix(after, "or fewer"):
		return atMost
	}
	return exactly
}

// tolerance is how far an approximate value may be from another, as a share.
const tolerance = 0.15

// contradict tells whether two readings of one thing cannot both be true. Two
// upper bounds that differ contradict each other as limits do.
func contradict(a, b reading) bool {
	same, comparable := value.Same(a.Value, b.Value)
	if !comparable || same {
		return false
	}
	if a.bound == exactly && b.bound == exactly || a.Number == nil || b.Number == nil || !scalar(a.Type) {
		return a.bound == exactly && b.bound == exactly
	}
	x, y := *a.Number, *b.Number
	switch {
	case a.bound == b.bound && a.bound != about:
		return true
	case a.bound == about || b.bound == about:
		if a.bound == atMost || a.bound == atLeast || b.bound == atMost || b.bound == atLeast {
			return false
		}
		return math.Abs(x-y) > tolerance*max(math.Abs(x), math.Abs(y))
	case a.bound == atMost && b.bound == exactly, a.bound == atMost && b.bound == atLeast:
		return y > x
	case a.bound == atLeast && b.bound == exactly, a.bound == atLeast && b.bound == atMost:
		return y < x
	case b.bound == atMost:
		return x > y
	default:
		return x < y
	}
}

func scalar(typ string) bool {
	switch wstk.ValueType(typ) {
	case wstk.ValueNumber, wstk.ValueQuantity, wstk.ValueMoney, wstk.ValueDuration:
		return true
	}
	return false
}
