package text

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
)

// TokenizerVersion changes whenever Tokenize gives other tokens for some text. An
// index keeps it and is built again when it differs.
const TokenizerVersion = "1"

// Token is a search term and where it stands: the bytes [Start, End) of the
// tokenised string.
type Token struct {
	Text       string
	Start, End int
	Stop       bool // says nothing about the topic
}

// Tokenize returns the search terms of s, in order of Start. Documents and
// queries go through the same function; they meet when their tokens are equal.
//
// A word is a run of letters, digits and marks. Its token is in lower case,
// without typography (see Fold), stemmed, then without diacritics (see
// foldLower). lang, a BCP 47 tag, decides the stemmer and the stop words for
// words of its own script. Words of another script, and all words where lang is
// empty or unknown, are treated by their script: Latin as English, Cyrillic as
// Russian, Arabic as Arabic. Languages without a stemmer keep words whole. A query
// in an unknown language thus meets documents of unknown language; to meet those
// of a known one it is tokenised with theirs.
//
// What people write as one name gives a token for the whole and tokens for its
// parts, so that either spelling finds the other:
//
//	journal_mode, os.path, Q&A   the whole as it stands, then the parts
//	e-mail, O'Brien, GPT-4       the whole without the hyphen or apostrophe (email), then the parts
//	getElementById               the whole and its humps; PascalCase is one word
//	10GB, 3D, 2nd                the whole, the number, the unit if it has two letters
//	1,234.5 · 1.5 · 3.45.1       one token without commas · one token · the version and its prefix
//	                             3.45; v3.45.1 also without v
//	a.b@example.com              the whole, then a.b and example.com like other names
//	U.S.A., C++, C#              usa, c++, c#
//	it's, don't, l'eau           it; don't, a stop word; l and eau where the language elides
//
// Chinese and Japanese text gives overlapping pairs of characters, a lone
// character itself; so do Hangul (particles stick to words) and Thai, Lao, Khmer
// and Burmese (letters with their marks), where words are not separated by spaces.
//
// A word in capitals within other text is no stop word (NOT NULL, WHO, IT). A
// token's text has at most 64 code points; what is longer is cut.
func Tokenize(s, lang string) []Token {
	t := scanners.Get().(*scanner)
	defer t.release()
	t.s, t.lang = s, languageOf(lang)
	t.forms = t.cache[t.lang]
	if t.forms == nil {
		t.forms = map[string]form{}
		t.cache[t.lang] = t.forms
	}
	t.out = make([]Token, 0, len(s)/5+1)
	t.run()
	return t.out
}

// scanner holds the work of one Tokenize call and, over many, the cache of words
// seen. Scanners are pooled, so the cache needs no lock.
type scanner struct {
	s     string
	lang  *language
	out   []Token
	mixed int8 // whether s has lower-case letters: 0 not looked, 1 yes, 2 no
	env   *snowballstem.Env
	forms map[string]form
	cache map[*language]map[string]form
}

var scanners = sync.Pool{New: func() any {
	return &scanner{env: snowballstem.NewEnv(""), cache: map[*language]map[string]form{}}
}}

// maxCached bounds the words kept for one language.
const maxCached = 30000

func (t *scanner) release() {
	if len(t.forms) > maxCached {
		delete(t.cache, t.lang)
	}
	t.s, t.out, t.mixed, t.forms = "", nil, 0, nil
	scanners.Put(t)
}

func (t *scanner) run() {
	s := t.s
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if !IsASCIIWord(c) {
				i++
				continue
			}
			// The common case: letters and then nothing that could go on.
			j := i
			for j < len(s) && (s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z') {
				j++
			}
			if j > i && (j == len(s) || s[j] < utf8.RuneSelf && !goesOn[s[j]]) {
				t.word(i, j)
				i = j
				continue
			}
			i = t.name(i)
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch sc := scriptOf(r); {
		case sc.unspaced() && (unicode.IsLetter(r) || unicode.Is(unicode.Nl, r)):
			i = t.pairs(i, sc)
		case isWordRune(r):
			i = t.name(i)
		default:
			i += size
		}
	}
}

// goesOn are the ASCII bytes that may continue a name after letters.
var goesOn = func() (set [128]bool) {
	for c := range set {
		set[c] = IsASCIIWord(byte(c)) || strings.IndexByte(".-'@&+#", byte(c)) >= 0
	}
	return set
}()

// IsASCIIWord reports whether c is an ASCII letter, a digit or an underscore.
func IsASCIIWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}

// isWordRune is true of what words are made of. Numbers beyond digits (⁵, ½, Ⅳ)
// belong to the word they stand in.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r != '_' && IsASCIIWord(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// inWord is true of what continues a word: marks, and characters that show
// nothing.
func inWord(r rune) bool {
	return isWordRune(r) && !scriptOf(r).unspaced() ||
		r >= utf8.RuneSelf && (unicode.Is(unicode.M, r) || r == 0xAD || r == 0x2060 ||
			r == 0xFEFF || r == 0x200D)
}

// part is a run of word characters inside a name, and what joined it to the one
// before: 0 for the first.
type part struct {
	start, end int
	join       byte
}

const maxParts = 12 // of a name that still counts as one

// name reads what stands at i, a word or several joined ones, emits its tokens
// and returns where it ends.
func (t *scanner) name(i int) int {
	s := t.s
	start := i
	for i < len(s) && s[i] == '_' {
		i++
	}
	var buf [maxParts]part
	parts := buf[:0]
	join := byte(0)
	at := -1 // index of the part after "@"
	end := start
	for {
		p := part{i, t.wordEnd(i), join}
		if p.end == p.start {
			break
		}
		if join == '@' {
			at = len(parts)
		}
		parts = append(parts, p)
		end, i = p.end, p.end
		if len(parts) == maxParts {
			break // more is not a name; what follows is read for itself
		}
		var size int
		join, size = t.joint(i, parts, at >= 0)
		if join == 0 {
			break
		}
		i += size
	}
	if len(parts) == 0 { // underscores alone
		return max(i, start+1)
	}
	for end < len(s) && s[end] == '_' {
		end++
	}
	if at > 0 {
		parts[at].join = 0
	}
	switch {
	case at > 0 && t.isMail(parts, at):
		t.emit(cut(t.lang.lower(s[parts[0].start:end])), parts[0].start, end, false)
		t.joined(parts[0].start, parts[at-1].end, parts[:at])
		t.joined(parts[at].start, end, parts[at:])
	case at > 0:
		t.joined(start, parts[at-1].end, parts[:at])
		t.joined(parts[at].start, end, parts[at:])
	case len(parts) == 1 && start == parts[0].start && end == parts[0].end:
		if n := t.sharp(start, end); n > end {
			t.emit(cut(t.lang.lower(s[start:end])+s[end:n]), start, n, false)
			return n
		}
		t.single(start, end)
	default:
		t.joined(start, end, parts)
	}
	return end
}

// wordEnd returns the end of the run of word characters at i.
func (t *scanner) wordEnd(i int) int {
	s := t.s
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			if c == '_' || !IsASCIIWord(c) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !inWord(r) && !(r == 0x200C && t.joinsIndic(i)) {
			return i
		}
		i += size
	}
	return i
}

// joinsIndic reports whether the zero width non-joiner at i stands in Indic text,
// where it shapes a letter. In Arabic script it parts words.
func (t *scanner) joinsIndic(i int) bool {
	r, _ := utf8.DecodeLastRuneInString(t.s[:i])
	return r >= 0x900 && r < 0xE00
}

// joint reports whether a name goes on behind the part that ends at i: with which
// joint, and how long that is in bytes. 0 means that it does not.
func (t *scanner) joint(i int, parts []part, inMail bool) (byte, int) {
	s := t.s
	if i >= len(s) {
		return 0, 0
	}
	c, size := s[i], 1
	switch {
	case c == '_':
		size = len(s[i:]) - len(strings.TrimLeft(s[i:], "_"))
	case c == ',' && !t.groupFollows(i, parts[len(parts)-1]), c == '@' && inMail,
		c == '&' && !betweenCapitals(s, i):
		return 0, 0
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(s[i:])
		c, size = wideJoints[r], n
	case strings.IndexByte(".-'@,&", c) < 0:
		return 0, 0
	}
	if c == 0 || i+size >= len(s) {
		return 0, 0
	}
	next, _ := utf8.DecodeRuneInString(s[i+size:])
	if !isWordRune(next) || scriptOf(next).unspaced() {
		return 0, 0
	}
	return c, size
}

// wideJoints are the joints beyond ASCII, as the ASCII ones that they stand for.
var wideJoints = map[rune]byte{'\u2019': '\'', '\u02BC': '\'', '\uFF07': '\'',
	'\u2010': '-', '\u2011': '-'}

// betweenCapitals reports whether capitals stand around byte i: AT&T, R&D.
func betweenCapitals(s string, i int) bool {
	capital := func(k int) bool { return k < len(s) && s[k] >= 'A' && s[k] <= 'Z' }
	return capital(i-1) && capital(i+1)
}

// groupFollows reports whether the comma at i joins one to three digits with a group of
// three.
func (t *scanner) groupFollows(i int, last part) bool {
	if !t.digits(last.start, last.end) || last.end-last.start > 3 || last.join == '.' ||
		last.join == ',' && last.end-last.start != 3 {
		return false
	}
	return t.digits(i+1, i+4) && (i+4 >= len(t.s) || !IsASCIIWord(t.s[i+4]))
}

func (t *scanner) digits(i, j int) bool {
	if j > len(t.s) {
		return false
	}
	for ; i < j; i++ {
		if t.s[i] < '0' || t.s[i] > '9' {
			return false
		}
	}
	return true
}

// sharp returns the end of ++ or # behind a word, or end: C++, C#.
func (t *scanner) sharp(start, end int) int {
	s := t.s
	if end >= len(s) || !IsASCII(s[start:end]) || s[end-1]|0x20 < 'a' || s[end-1]|0x20 > 'z' {
		return end
	}
	if strings.HasPrefix(s[end:], "++") && (end+2 == len(s) || s[end+2] != '+') {
		return end + 2
	}
	if s[end] == '#' && end-start == 1 &&
		(end+1 == len(s) || !IsASCIIWord(s[end+1]) && s[end+1] < utf8.RuneSelf) {
		return end + 1
	}
	return end
}

// isMail reports whether parts around the one after "@" make an e-mail address.
func (t *scanner) isMail(parts []part, at int) bool {
	return len(parts) > at+1 && parts[at+1].join == '.' && at > 0
}

// word emits the token of one word without anything to split.
func (t *scanner) word(start, end int) {
	f := t.form(start, end)
	if f.camel {
		t.humps(start, end, f)
		return
	}
	t.emit(f.text, start, end, f.stop && !(f.upper && t.isMixed()))
}

// form looks a word up in the cache.
func (t *scanner) form(start, end int) form {
	raw := t.s[start:end]
	if end-start > maxStemmed {
		return t.lang.wordForm(raw, t.env)
	}
	f, ok := t.forms[raw]
	if !ok {
		if len(t.forms) > 2*maxCached { // within one hostile text
			clear(t.forms)
		}
		f = t.lang.wordForm(raw, t.env)
		t.forms[strings.Clone(raw)] = f
	}
	return f
}

// humps emits a camel case word and its parts.
func (t *scanner) humps(start, end int, whole form) {
	t.emit(cut(strings.ToLower(t.s[start:end])), start, end, false)
	if end-start > maxStemmed {
		return
	}
	from := start
	for i := start + 1; i <= end; i++ {
		if i == end || t.s[i] >= 'A' && t.s[i] <= 'Z' &&
			(t.s[i-1] >= 'a' || i+1 < end && t.s[i+1] >= 'a') {
			f := t.form(from, i)
			t.emit(f.text, from, i, f.stop)
			from = i
		}
	}
}

// isMixed reports whether the text has lower-case letters, so that capitals mean
// something.
func (t *scanner) isMixed() bool {
	if t.mixed == 0 {
		t.mixed = 2
		for i := 0; i < len(t.s); i++ {
			if c := t.s[i]; c >= 'a' && c <= 'z' || c >= utf8.RuneSelf {
				t.mixed = 1
				break
			}
		}
	}
	return t.mixed == 1
}

// single emits one part that stands alone: a word, a number, or digits with
// letters behind.
func (t *scanner) single(start, end int) {
	s := t.s
	n := start
	for n < end && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == start || n == end {
		t.word(start, end)
		return
	}
	for i := n; i < end; i++ {
		if s[i]|0x20 < 'a' || s[i]|0x20 > 'z' {
			t.word(start, end)
			return
		}
	}
	t.emit(cut(strings.ToLower(s[start:end])), start, end, false)
	letters := strings.ToLower(s[n:min(end, n+8)])
	if letters[0] == 'x' && s[start:n] == "0" { // 0xFF
		return
	}
	t.emit(cut(s[start:n]), start, n, false)
	if end-n > 1 && letters != "st" && letters != "nd" && letters != "rd" && letters != "th" {
		t.word(n, end)
	}
}

// joined emits a name of parts: the whole, then the parts.
func (t *scanner) joined(start, end int, parts []part) {
	if n := len(parts) - 1; t.endsInGenitive(end, parts) {
		parts = parts[:n]
		if n == 1 && start == parts[0].start {
			f := t.form(start, parts[0].end)
			t.emit(f.text, start, end, f.stop)
			return
		}
		end = parts[n-1].end
	}
	if len(parts) == 1 && start == parts[0].start && end == parts[0].end {
		t.single(start, end)
		return
	}
	if t.number(start, end, parts) || t.acronym(start, end, parts) ||
		t.elision(start, end, parts) ||
		len(parts) < maxParts && t.whole(start, end, parts) {
		return
	}
	// The O of O'Brien is no word.
	quoted := parts[0].join == '\'' || len(parts) > 1 && parts[1].join == '\''
	for _, p := range parts {
		if (quoted || p.join == '\'') && p.end-p.start == 1 {
			continue
		}
		t.single(p.start, p.end)
	}
}

// endsInGenitive reports whether the last part is a final 's, which belongs to the grammar.
func (t *scanner) endsInGenitive(end int, parts []part) bool {
	n := len(parts) - 1
	return n > 0 && parts[n].join == '\'' && parts[n].end-parts[n].start == 1 &&
		t.s[parts[n].start]|0x20 == 's' && end == parts[n].end
}

// whole emits a name as one token, and reports whether its parts are no tokens: those of a
// contraction, and those of a version, v1.2.
func (t *scanner) whole(start, end int, parts []part) (done bool) {
	if t.isContraction(parts) {
		t.emit(cut(foldLower(t.lang.lower(t.s[start:end]))), start, end, true)
		return true
	}
	form := t.wholeForm(start, end, parts)
	t.emit(form.text, start, end, form.stop)
	if c := t.s[start]; c != 'v' && c != 'V' || parts[0].end-parts[0].start < 2 ||
		!t.digits(start+1, parts[0].end) {
		return false
	}
	return t.number(start+1, end, append([]part{{start + 1, parts[0].end, 0}}, parts[1:]...))
}

// isContraction is true of don't and I'll, whose parts are no words.
func (t *scanner) isContraction(parts []part) bool {
	if len(parts) != 2 || parts[1].join != '\'' || parts[1].end-parts[1].start > 2 {
		return false
	}
	tail := strings.ToLower(t.s[parts[1].start:parts[1].end])
	if tail == "t" {
		return t.s[parts[0].end-1]|0x20 == 'n'
	}
	return contractions[tail]
}

var contractions = WordSet("ll re ve d m")

// whole returns the token of a whole name.
func (t *scanner) wholeForm(start, end int, parts []part) form {
	s := t.s
	var b strings.Builder
	b.WriteString(s[start:parts[0].start]) // leading underscores
	letters := true
	for k, p := range parts {
		switch p.join {
		case 0, '\'':
		case '-':
			if isDigitByte(s[parts[k-1].end-1]) && isDigitByte(s[p.start]) {
				b.WriteByte('-') // 2024-03-05
				letters = false
			}
		default:
			b.WriteString(s[parts[k-1].end:p.start])
			letters = false
		}
		b.WriteString(s[p.start:p.end])
	}
	b.WriteString(s[parts[len(parts)-1].end:end])
	raw := b.String()
	if !letters || start < parts[0].start || len(raw) > maxStemmed {
		return form{text: cut(foldLower(t.lang.lower(raw)))}
	}
	f := t.lang.wordForm(raw, t.env)
	f.stop = f.stop && !(f.upper && t.isMixed())
	return f
}

func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }

// number emits digits joined by points and commas: 1,234.5, 1.5 or a version.
func (t *scanner) number(start, end int, parts []part) bool {
	if start != parts[0].start || end != parts[len(parts)-1].end {
		return false
	}
	points, commas := 0, 0
	for _, p := range parts {
		if !t.digits(p.start, p.end) {
			return false
		}
		switch p.join {
		case '.':
			points++
		case ',':
			if points > 0 {
				return false
			}
			commas++
		case 0:
		default:
			return false
		}
	}
	t.emit(cut(strings.ReplaceAll(t.s[start:end], ",", "")), start, end, false)
	if commas == 0 {
		for k := 2; k <= points; k++ {
			t.emit(cut(t.s[start:parts[k-1].end]), start, parts[k-1].end, false)
		}
	}
	return true
}

// acronym emits single letters joined by points as one word: U.S.A.
func (t *scanner) acronym(start, end int, parts []part) bool {
	if start != parts[0].start || end != parts[len(parts)-1].end {
		return false
	}
	var b strings.Builder
	for _, p := range parts {
		r, size := utf8.DecodeRuneInString(t.s[p.start:])
		if p.join != 0 && p.join != '.' || size != p.end-p.start || !unicode.IsLetter(r) {
			return false
		}
		b.WriteRune(r)
	}
	t.emit(foldLower(t.lang.lower(b.String())), start, end, false)
	return true
}

// elided are the words that lose their vowel before an apostrophe.
var elided = WordSet("l d j m t s n c qu jusqu lorsqu puisqu quoiqu quelqu presqu dell nell all " +
	"sull dall coll un gl quell quest")

// elision splits l'eau where the language elides.
func (t *scanner) elision(start, end int, parts []part) bool {
	if !t.lang.elides || len(parts) < 2 || parts[1].join != '\'' || start != parts[0].start ||
		!elided[t.lang.lower(t.s[start:parts[0].end])] {
		return false
	}
	t.emit(foldLower(t.lang.lower(t.s[start:parts[0].end])), start, parts[0].end, true)
	rest := parts[1:]
	rest[0].join = 0
	t.joined(rest[0].start, end, rest)
	return true
}

// pairs emits the overlapping pairs of a run of unspaced script and returns its
// end.
func (t *scanner) pairs(i int, sc script) int {
	s := t.s
	prev, prevEnd, n := -1, -1, 0
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if scriptOf(r) != sc || !unicode.IsLetter(r) && !unicode.Is(unicode.Nl, r) {
			break
		}
		unit := i
		i += size
		i = attachedEnd(s, i)
		if prev >= 0 {
			t.pair(prev, i)
		}
		prev, prevEnd = unit, i
		n++
	}
	if n == 1 {
		t.pair(prev, prevEnd)
	}
	return i
}

// attachedEnd returns where the characters at i end that belong to the letter before them.
func attachedEnd(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !attached(r) {
			break
		}
		i += size
	}
	return i
}

// attached reports whether a character belongs to the letter before it: a mark, a half-width
// voice mark, a jamo of the same syllable, or one that shows nothing.
func attached(r rune) bool {
	switch r {
	case 0xFF9E, 0xFF9F, 0xAD, 0x2060, 0xFEFF, 0x200C, 0x200D:
		return true
	}
	return r >= 0x1160 && r < 0x1200 || unicode.Is(unicode.M, r)
}

func (t *scanner) pair(start, end int) {
	raw := t.s[start:end]
	if end-start > maxStemmed { // a pile of marks
		raw = cut(raw)
	}
	f, ok := t.forms[raw]
	if !ok {
		if len(t.forms) > 2*maxCached {
			clear(t.forms)
		}
		f.text = cut(unspacedForm(raw))
		f.stop = stopCJK()[f.text]
		t.forms[strings.Clone(raw)] = f
	}
	t.emit(f.text, start, end, f.stop)
}

func (t *scanner) emit(text string, start, end int, stop bool) {
	if text == "" { // a lone tatweel folds to nothing
		return
	}
	t.out = append(t.out, Token{text, start, end, stop})
}
