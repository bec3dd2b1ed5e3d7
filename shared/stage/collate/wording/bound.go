package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
)

// boundSenses groups the phrases of boundPhrases by what they say before a value: "at most
// 5" may be 5, "less than 5" may not.
var boundSenses = func() map[string]string {
	m := map[string]string{}
	for sense, phrases := range map[string]string{
		"at most":   "at most|up to|no more than|not more than|maximum of|limited to|not exceed|≤",
		"less":      "less than|fewer than|below|under|smaller than|<",
		"at least":  "at least|no less than|not less than|minimum of|≥",
		"more":      "more than|greater than|larger than|over|above|exceeds|>",
		"from":      "starting at|from",
		"about":     "about|around|approximately|roughly|circa|ca|approx|~|≈|etwa|rund",
		"not quite": "nearly|almost",
	} {
		for _, p := range strings.Split(phrases, "|") {
			m[p] = sense
		}
	}
	return m
}()

// BoundBefore returns what the words right before a value say about its bound, "" for
// nothing, and where they begin.
func BoundBefore(before string) (sense string, from int) {
	end := strings.TrimRight(before, " \u00a0$€£¥")
	for _, b := range boundPhrases {
		n := len(end) - len(b.phrase)
		if n < 0 || boundSenses[b.phrase] == "" || !strings.EqualFold(end[n:], b.phrase) {
			continue
		}
		r, _ := utf8.DecodeLastRuneInString(end[:n])
		if first, _ := utf8.DecodeRuneInString(b.phrase); n > 0 && unicode.IsLetter(r) &&
			unicode.IsLetter(first) {
			continue
		}
		return boundSenses[b.phrase], n
	}
	return "", len(before)
}

// Bound is how a value is meant: exactly, about, at most, at least.
type Bound int

const (
	Exactly Bound = iota
	About
	AtMost
	AtLeast
)

// boundPhrases say how the value beside them is meant.
var boundPhrases = []struct {
	phrase string
	bound  Bound
}{
	{"at most", AtMost}, {"up to", AtMost}, {"no more than", AtMost}, {"not more than", AtMost},
	{"less than", AtMost}, {"fewer than", AtMost},
	{"below", AtMost}, {"under", AtMost}, {"within", AtMost}, {"maximum of", AtMost},
	{"limited to", AtMost}, {"smaller than", AtMost}, {"not exceed", AtMost},
	{"≤", AtMost}, {"<", AtMost},
	{"at least", AtLeast}, {"no less than", AtLeast}, {"not less than", AtLeast},
	{"more than", AtLeast}, {"greater than", AtLeast}, {"larger than", AtLeast}, {"over", AtLeast},
	{"above", AtLeast}, {"minimum of", AtLeast}, {"starting at", AtLeast}, {"from", AtLeast},
	{"exceeds", AtLeast}, {"≥", AtLeast}, {">", AtLeast},
	{"about", About}, {"around", About}, {"approximately", About}, {"roughly", About},
	{"nearly", About}, {"almost", About}, {"some", About}, {"circa", About}, {"ca", About},
	{"approx", About}, {"~", About}, {"≈", About}, {"etwa", About}, {"rund", About},
}

// BoundWords are the words of boundPhrases, which say nothing about the topic.
var BoundWords = func() map[string]bool {
	m := map[string]bool{}
	for _, b := range boundPhrases {
		for _, w := range strings.Fields(b.phrase) {
			m[w] = true
		}
	}
	for _, w := range []string{"more", "less", "plus", "upward", "upwards", "exactly", "precisely",
		"approx", "just"} {
		m[w] = true
	}
	return m
}()

// BoundOf reads the bound of a value from the words right before and after it.
func BoundOf(before, after string) Bound {
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
		if rest == "" || !unicode.IsLetter(rune(rest[len(rest)-1])) ||
			!unicode.IsLetter(rune(b.phrase[0])) {
			return b.bound
		}
	}
	after = strings.ToLower(text.Prefix(strings.TrimLeft(after, " \u00a0"), near))
	switch {
	case strings.HasPrefix(after, "or more"), strings.HasPrefix(after, "or later"),
		strings.HasPrefix(after, "or higher"), strings.HasPrefix(after, "or newer"), strings.HasPrefix(after, "+"),
		strings.HasPrefix(after, "and up"):
		return AtLeast
	case strings.HasPrefix(after, "or less"), strings.HasPrefix(after, "or fewer"):
		return AtMost
	}
	return Exactly
}
