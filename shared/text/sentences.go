package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences returns the sentences of s in order, without white space at their
// ends; together they hold all of s but white space. A line break ends a sentence,
// unless the line is one of those that a sentence was wrapped into (see wraps). lang, a BCP 47 tag,
// chooses the abbreviations and whether "3." may be an ordinal; without one English and the
// international ones are known.
//
// A full stop ends a sentence when white space follows, but not after an
// abbreviation, an initial or an ordinal, before a lower-case word, or within a
// number, a name or a URL. Marks, quotes, brackets and reference numbers behind
// the stop belong to the sentence. The stops of Chinese, Japanese, Hindi, Arabic
// and others need no white space behind.
func Sentences(s, lang string) []Range {
	sp := splitter{s: s, lang: lang, abbr: abbreviationsOf(lang),
		ordinals: ordinalDots[Language(lang)], hasUpper: hasUpper(s)}
	return sp.run()
}

type splitter struct {
	s        string
	lang     string
	abbr     []map[string]abbrKind
	ordinals bool // 3. is third
	hasUpper bool // the writer uses capitals
	out      []Range
	start    int // of the current sentence, -1 between sentences
	end      int // behind its last character that is not white space
	lines    *shape
}

func (sp *splitter) run() []Range {
	s := sp.s
	sp.start = -1
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case isLineBreak(r):
			if sp.start >= 0 && !sp.wraps(i) {
				sp.cut()
			}
			if i += size; r == '\r' && i < len(s) && s[i] == '\n' {
				i++
			}
			continue
		case r == ' ' || r >= 0x85 && unicode.IsSpace(r) || r == '\t':
			i += size
			continue
		}
		if sp.start < 0 {
			sp.start = i
		}
		if !isStop(r) {
			i += size
			sp.end = i
			continue
		}
		stop := i
		i = sp.stops(i)
		sp.end = i
		if sp.ends(stop, i) {
			sp.cut()
		}
	}
	sp.cut()
	return sp.out
}

func (sp *splitter) cut() {
	if sp.start >= 0 {
		sp.out = append(sp.out, Range{sp.start, sp.end})
		sp.start = -1
	}
}

// stops returns the end of the stops that begin at i and of what belongs to
// them: further stops, then closing quotes and brackets, then [12].
func (sp *splitter) stops(i int) int {
	s := sp.s
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isStop(r) {
			break
		}
		i += size
	}
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isCloser(r) && !isStop(r) {
			break
		}
		i += size
	}
	for i < len(s) && s[i] == '[' {
		j := i + 1
		for j < len(s) && j < i+6 && (isDigitByte(s[j]) || s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z') {
			j++
		}
		if j == i+1 || j >= len(s) || s[j] != ']' {
			break
		}
		i = j + 1
	}
	return i
}

// ends decides whether the stop at [stop, after) ends the sentence.
func (sp *splitter) ends(stop, after int) bool {
	s := sp.s
	if after >= len(s) {
		return true
	}
	first, size := utf8.DecodeRuneInString(s[stop:])
	last, _ := utf8.DecodeLastRuneInString(s[:after])
	next, _ := utf8.DecodeRuneInString(s[after:])
	closed := isCloser(last) || last == ']'
	switch {
	case isWideStop(first):
		return wideEnds(next, closed)
	case !unicode.IsSpace(next):
		// Without a space only before text that never has one, or where a
		// new sentence surely begins: ¿ and ¡.
		return next == '¿' || next == '¡' || scriptOf(next) == scriptCJK && first != '.'
	}
	follow := sp.follow(after)
	if follow == "" {
		return true // the line ends, or no word follows
	}
	lower := startsLower(follow)
	switch {
	case first == '!' || first == '?':
		// "Stop!" he said. Yahoo! is a name.
		return !lower || !closed && first == '?' || !sp.hasUpper
	case first == '…' || stop+size < len(s) && s[stop+size] == '.': // an ellipsis, of points
		return !lower && !isDigitByte(follow[0])
	case strings.ContainsAny(s[stop+size:after], "!?"):
		return true
	}
	return sp.pointEnds(stop, follow, last, closed)
}

// wideEnds is ends of a stop that needs no space behind it, before next.
func wideEnds(next rune, closed bool) bool {
	if closed && scriptOf(next) == scriptCJK && strings.ContainsRune("とっのはがをにでもやな的之等这這是云", next) {
		return false // 「はい。」と言った
	}
	return !strings.ContainsRune("、，,：", next)
}

func startsLower(s string) bool { return unicode.IsLower(firstRune(s)) }

// pointEnds is ends of a single point with a space and the word follow behind it. last is
// what stands before the space, closed whether that closes a quotation or a bracket.
func (sp *splitter) pointEnds(stop int, follow string, last rune, closed bool) bool {
	word := sp.wordBefore(stop)
	quoted := strings.ContainsRune("\"'’”", last)
	switch {
	case sp.isListMarker(stop, word):
		return false
	case startsLower(follow) && (sp.hasUpper || closed):
		return false
	case word == "": // ). or ". and such
		return true
	case sp.ordinals && isNumber(word) && len(word) <= 2 && !closed:
		// In German and its neighbours "am 3. Oktober" and "2. Liga": a noun
		// has a capital, so only words that begin sentences tell.
		return isStarter(follow)
	case closed && !quoted:
		// An abbreviation in brackets, (e.g. this etc.), ends with them.
		return true
	}
	if r, size := utf8.DecodeRuneInString(word); size == len(word) && unicode.IsLower(r) {
		if strings.HasSuffix(follow, ".") {
			return false // a. C., z. B.: the next letter has its point too
		}
		if p := sp.pointedBefore(stop - len(word)); p != "" {
			word = p + "." + word // т. д. is т.д.
		}
	}
	return sp.abbreviationEnds(stop, word, follow)
}

// abbreviationEnds decides whether the point behind word ends the sentence as well, or
// only abbreviates the word.
func (sp *splitter) abbreviationEnds(stop int, word, follow string) bool {
	switch sp.kind(word) {
	case abbrNever:
		return false
	case abbrNumber:
		return !isDigitByte(follow[0]) && !isRoman(follow)
	case abbrUpper:
		return !isDigitByte(follow[0])
	case abbrMaybe:
		// "At 5 a.m. the" has hardly begun.
		return isStarter(follow) && stop-sp.start >= 10
	case abbrUnit:
		// г. Москва is a town and never ends; a year may: not where the
		// sentence has only begun, as in "В 1941 г. Германия".
		return sp.numberBefore(stop-len(word)) && !isDigitByte(follow[0]) &&
			(isStarter(follow) || stop-sp.start > 40)
	}
	if !isInitial(word) || strings.HasSuffix(sp.s[:stop-len(word)], "&") { // Q&A.
		return true
	}
	if head := firstRune(follow); scriptOf(head) == scriptOther && !unicode.IsLetter(head) {
		return true
	}
	// J. Smith, but also "vitamin C. The".
	return isStarter(follow) && !sp.nameBefore(stop-len(word))
}

// wordBefore returns the run of letters, digits and inner points that ends at i.
func (sp *splitter) wordBefore(i int) string {
	s := sp.s
	j := i
	for j > sp.start && i-j < 40 {
		r, size := utf8.DecodeLastRuneInString(s[:j])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) && r != '.' &&
			r != '-' && r != '\'' && r != '’' {
			break
		}
		j -= size
	}
	return strings.TrimLeft(s[j:i], ".-'’")
}

// follow returns the next word on the line, behind opening quotes and brackets;
// "" when there is none.
func (sp *splitter) follow(i int) string {
	s := sp.s
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case isLineBreak(r):
			return ""
		case unicode.IsSpace(r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			j := i
			for j < len(s) && j < i+40 {
				r, size := utf8.DecodeRuneInString(s[j:])
				if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
					break
				}
				j += size
			}
			if j < len(s) && s[j] == '.' && utf8.RuneCountInString(s[i:j]) == 1 {
				j++ // another initial is no starter: A. I. Smith
			}
			return s[i:j]
		case isOpener(r):
		default:
			// A dash, a sign: it begins something when it is not joined on.
			return s[i : i+size]
		}
		i += size
	}
	return ""
}

// isListMarker is true of "1." and "a." that begin a line.
func (sp *splitter) isListMarker(stop int, word string) bool {
	if word == "" || len(word) > 3 || stop-len(word) != sp.start {
		return false
	}
	if isNumber(word) {
		return true
	}
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsLetter(r) || isRoman(word)
}

// numberBefore reports whether a number stands before byte i.
func (sp *splitter) numberBefore(i int) bool {
	t := strings.TrimRightFunc(sp.s[sp.start:max(i, sp.start)], unicode.IsSpace)
	return t != "" && isDigitByte(t[len(t)-1])
}

// nameBefore reports whether the word before byte i has a capital and is not the
// sentence's first: another part of a name.
func (sp *splitter) nameBefore(i int) bool {
	t := strings.TrimRightFunc(sp.s[max(sp.start, i-40):max(i, sp.start)], unicode.IsSpace)
	k := strings.LastIndexFunc(t, unicode.IsSpace) + 1
	r, _ := utf8.DecodeRuneInString(t[k:])
	return unicode.IsUpper(r) && strings.HasSuffix(t, ".")
}

// pointedBefore returns the letter of "т. " that ends at byte i, or "".
func (sp *splitter) pointedBefore(i int) string {
	t := strings.TrimRightFunc(sp.s[max(sp.start, i-12):max(i, sp.start)], unicode.IsSpace)
	if !strings.HasSuffix(t, ".") {
		return ""
	}
	t = t[:len(t)-1]
	r, size := utf8.DecodeLastRuneInString(t)
	if !unicode.IsLower(r) {
		return ""
	}
	if b, _ := utf8.DecodeLastRuneInString(t[:len(t)-size]); unicode.IsLetter(b) {
		return ""
	}
	return string(r)
}

func (sp *splitter) kind(word string) abbrKind {
	w := strings.ToLower(strings.TrimSuffix(word, "."))
	initial := isInitial(word)
	for _, set := range sp.abbr {
		if k, ok := set[w]; ok {
			if initial && k != abbrNever {
				return abbrNone // S. Bradley is not page Bradley
			}
			if k == abbrNumber && word == "no" { // the word, not the number sign
				return abbrNone
			}
			return k
		}
	}
	if len(w) > 3 && strings.HasSuffix(w, "str") { // Goethestr. 7
		return abbrNumber
	}
	// p.ej, s.v.w, u.s: single letters with points.
	if isDotted(w) {
		if isUpperDotted(word) {
			return abbrMaybe
		}
		return abbrNever
	}
	return abbrNone
}

func isDotted(w string) bool {
	parts := strings.Split(w, ".")
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if n := utf8.RuneCountInString(p); n != 1 {
			return false
		}
		if r, _ := utf8.DecodeRuneInString(p); !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

func isUpperDotted(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return r != '.' && !unicode.IsUpper(r) }) < 0
}

// isInitial is true of one capital letter, also behind a hyphen: J, J.-P.
func isInitial(word string) bool {
	if k := strings.LastIndexAny(word, ".-"); k >= 0 {
		word = word[k+1:]
	}
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsUpper(r)
}

func isNumber(w string) bool {
	for i := 0; i < len(w); i++ {
		if !isDigitByte(w[i]) {
			return false
		}
	}
	return w != ""
}

func isRoman(w string) bool {
	return w != "" && strings.Trim(w, "IVXLCDM") == ""
}

func hasUpper(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 'A' && c <= 'Z' {
			return true
		} else if c >= utf8.RuneSelf {
			return strings.IndexFunc(s[i:], unicode.IsUpper) >= 0
		}
	}
	return false
}

func isLineBreak(r rune) bool {
	return r >= '\n' && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// isStop is true of the marks that may end a sentence.
func isStop(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '‼', '⁇', '⁈', '⁉':
		return true
	}
	return r >= 0x80 && isWideStop(r)
}

// isWideStop is true of stops that need no space behind them.
func isWideStop(r rune) bool {
	switch r {
	case '。', '！', '？', '｡', '．', '؟', '۔', '।', '॥', '။', '።', '፧', '։', '‼', '⁇', '⁈', '⁉':
		return true
	}
	return false
}

// IsWideMark reports whether r is a punctuation mark of a script that writes no space
// behind it: a full stop, comma or bracket of Chinese or Japanese, a danda.
func IsWideMark(r rune) bool { return isWidePunct(r) || isWideStop(r) }

func isCloser(r rune) bool {
	switch r {
	case '"', '\'', ')', ']', '}', '”', '’', '»', '›', '«', '“', '‘', '」', '』', '）', '】', '》', '〉',
		'〕', '］', '｝', '＂':
		return true
	}
	return false
}

func isOpener(r rune) bool {
	switch r {
	case '"', '\'', '(', '[', '{', '“', '‘', '«', '‹', '»', '„', '‚', '¿', '¡', '「', '『', '（', '【',
		'《', '〈', '*', '_':
		return true
	}
	return false
}
