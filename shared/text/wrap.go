package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a line must have before its end can be a mere wrap. Others are headings, labels,
// verses, parts of addresses, and lists of names or paths.
const (
	minLine  = 25  // code points
	minWords = 4   // separated by spaces
	minShare = 0.6 // of the longest line
	minFull  = 50  // code points of the longest line of a paragraph that is wrapped at a width
	minPair  = 60  // the same of a paragraph of two lines
)

// wraps reports whether the line break at byte i stands within a sentence, since the text was
// broken at some width (a plain text file, lines separated by <br>): the line before is no
// short one, no stop or colon ends it, the next is no item or label, and
//   - the line ends as no sentence does, with a comma, a dash or a word such as "the", or
//   - the next begins with a small letter, in a text with capitals, or
//   - every line of the paragraph is so full that the next word would not have fit.
//
// Lines of scripts without spaces are left alone.
func (sp *splitter) wraps(i int) bool {
	s := sp.s
	line := s[strings.LastIndexByte(s[:i], '\n')+1 : i]
	line = strings.TrimSpace(line)
	rest := strings.TrimPrefix(s[i:], "\r")
	size := utf8.RuneCountInString(line)
	if !strings.HasPrefix(rest, "\n") || size < minLine || strings.Count(line, " ") < minWords-1 ||
		float64(size) < minShare*float64(sp.shape().longest) {
		return false
	}
	next, _, _ := strings.Cut(rest[1:], "\n")
	next = strings.TrimSpace(next)
	if next == "" || begins(next) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(line)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(next, isOpener))
	switch {
	case last == ':' || last == '：' || isStop(last) || scriptOf(last).
		unspaced() || scriptOf(first).unspaced():
		return false
	case strings.ContainsRune(",–—(/&", last):
		return true
	case unicode.IsLower(first) && sp.hasUpper:
		return true
	case isCloser(last):
		return false
	}
	word := line[strings.LastIndexFunc(line, unicode.IsSpace)+1:]
	return word == strings.ToLower(word) && languageOf(sp.lang).
		stop[foldWord(word)] || sp.shape().full
}

// begins reports whether a line is an item of a list or has a label: "- ", "2) ", "Weight: ".
func begins(line string) bool {
	word, _, more := strings.Cut(line, " ")
	if !more {
		return strings.HasSuffix(word, ":")
	}
	switch word {
	case "-", "–", "—", "*", "•", "·", "o", "+", "#", ">", "|":
		return true
	}
	if n := strings.TrimRight(word, ".)"); n != word && (isNumber(n) || len(n) == 1) {
		return true
	}
	label, _, ok := strings.Cut(line, ": ")
	return (ok || strings.HasSuffix(line, ":")) && strings.Count(label, " ") < 3
}

// shape is how the lines of a text lie.
type shape struct {
	longest int  // code points of the longest line
	full    bool // all lines reach so far that the first word of the next would not have fit
}

// shape looks at the lines once, when it is first asked for.
func (sp *splitter) shape() *shape {
	if sp.lines != nil {
		return sp.lines
	}
	sp.lines = &shape{}
	lines := strings.Split(strings.TrimSpace(sp.s), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
		sp.lines.longest = max(sp.lines.longest, utf8.RuneCountInString(lines[i]))
	}
	enough := minFull
	if len(lines) == 2 {
		enough = minPair
	}
	sp.lines.full = sp.lines.longest >= enough
	for i := 0; sp.lines.full && i+1 < len(lines); i++ {
		word, _, _ := strings.Cut(lines[i+1], " ")
		sp.lines.full = utf8.RuneCountInString(lines[i])+1+
			utf8.RuneCountInString(word) > sp.lines.longest
	}
	return sp.lines
}
