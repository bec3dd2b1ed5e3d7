package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
)

// The words of a query: how a text is split, and which of AND, OR and NOT are operators.

// clean drops what cannot be seen, and what no keyword may hold.
func clean(s string) string {
	s = text.Strip(strings.ToValidUTF8(s, " "))
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c), c == '{', c == '}', c == unicode.ReplacementChar:
			return ' '
		case unicode.IsControl(c), unicode.Is(unicode.Bidi_Control, c):
			return -1
		}
		return c
	}, s)
}

// quotes are the marks that open a quoted phrase, and those that end it.
var quotes = map[rune]string{'"': `"`, '“': `”"`, '”': `”`, '„': `“”"`, '‟': `”`, '«': `»`,
	'»': `«`, '＂': `＂`, '「': `」`, '『': `』`, '《': `》`}

// isQuote reports whether c is a double quotation mark, which no keyword holds.
func isQuote(c rune) bool {
	return strings.ContainsRune(`"“”„‟«»＂「」『』《》〝〞〟″`, c)
}

// parts are the signs that part words and what is said with them.
const parts = `,;()[]<>、，。；？！：（）【】؛،।…`

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// capital reports whether w begins with a capital.
func capital(w string) bool {
	c, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(c)
}

// split reads the cleaned words.
func (r *reader) split() {
	s := r.s
	var next word // what is known of the word to come
	for i := 0; i < len(s); {
		c, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == ' ':
			i += size
		case c == '|':
			next.or = true
			i += size
		case strings.ContainsRune(parts, c):
			next.parted = true
			i += size
		case isQuote(c):
			if end, after := r.closing(i); after > 0 {
				w := next
				w.start, w.end, w.quoted = i, after, true
				w.text = tidy(s[i+size : end])
				r.add(w)
				next, i = word{}, after
				continue
			}
			i += size
		case c == '-' && i+1 < len(s) && !strings.ContainsRune(" -0123456789", rune(s[i+1])) &&
			(i == 0 || s[i-1] == ' ' || next.parted):
			next.minus = true
			i += size
		default:
			i = r.plainWord(i, &next)
		}
	}
}

// closing finds the end of the phrase that the mark at byte i opens: where its words end,
// and what comes after the mark. after is 0 if the mark opens nothing, as in 27".
func (r *reader) closing(i int) (end, after int) {
	open, size := utf8.DecodeRuneInString(r.s[i:])
	before, _ := utf8.DecodeLastRuneInString(r.s[:i])
	ends := quotes[open]
	if ends == "" || r.unclosed[open] ||
		open == '"' && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return 0, 0
	}
	k := strings.IndexAny(r.s[i+size:], ends)
	if k < 0 {
		r.unclosed[open] = true // also for the marks to come: each is looked for once
		return 0, 0
	}
	end = i + size + k
	_, size = utf8.DecodeRuneInString(r.s[end:])
	return end, end + size
}

// wordEnd returns where the word at i ends.
func (r *reader) wordEnd(i int) int {
	s, j := r.s, i
	for j < len(s) {
		c, size := utf8.DecodeRuneInString(s[j:])
		switch {
		case c == ' ' || c == '|':
			return j
		case isQuote(c):
			if j > i && s[j-1] == ':' { // intitle:"climate change"
				if _, after := r.closing(j); after > 0 {
					return after
				}
			}
			return j
		// 1,000 is one word
		case c == ',' && j > i && j+1 < len(s) && isDigit(s[j-1]) && isDigit(s[j+1]):
		case strings.ContainsRune(parts, c):
			return j
		}
		j += size
	}
	return j
}

// plainWord reads the word at i and returns where it ends.
func (r *reader) plainWord(i int, next *word) int {
	j := r.wordEnd(i)
	if j == i { // a mark that closes nothing
		return i + 1
	}
	w := *next
	*next = word{}
	w.start, w.end = i, j
	raw := r.s[i:j]
	if raw == "AND" || raw == "OR" || raw == "NOT" {
		w.joins = raw
	}
	if name, value, ok := strings.Cut(raw, ":"); ok {
		op := words().operators[strings.ToLower(strings.TrimLeft(name, "+"))]
		// Only of site: the value may stand behind a space: "results: 2024" is prose.
		if op != "" && (value != "" || op == "site") {
			w.op, w.text = op, tidy(value)
			r.add(w)
			return j
		}
	}
	w.text = tidy(raw)
	// The point of "3. Mai" ends no sentence.
	next.parted = strings.ContainsAny(raw[len(raw)-1:], ".:!?") &&
		!strings.HasSuffix(w.text, ".") && !(len(raw) > 1 && isDigit(raw[len(raw)-2]))
	r.add(w)
	return j
}

// add adds a word unless it is signs only.
func (r *reader) add(w word) {
	if w.text == "" && w.op == "" {
		return
	}
	if !w.quoted {
		w.key = keyOf(strings.TrimSuffix(w.text, "."))
		if r.language.code == "en" {
			w.key = strings.TrimSuffix(w.key, "'s")
		}
	}
	r.words = append(r.words, w)
}

// tidy makes a keyword of a part of the query; "" if it holds neither letter nor digit
// nor picture.
func tidy(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(c rune) bool {
		return c == ' ' || isQuote(c)
	}), " ")
	if !strings.ContainsFunc(s, func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsNumber(c) ||
			c >= utf8.RuneSelf && unicode.IsSymbol(c)
	}) {
		return ""
	}
	word := strings.TrimLeft(s, " -+!?.:;,'’‘*~¿¡/=")
	// What .NET and .eu begin with belongs to them.
	if head := s[:len(s)-len(word)]; strings.HasSuffix(head, ".") &&
		!strings.HasSuffix(head, "..") {
		word = "." + word
	}
	end := strings.TrimRight(word, " -!?.:;,'’‘*~/=")
	if k := len(end); k > 2 && end[k-2] == '.' && strings.HasPrefix(word[k:], ".") { // U.S.
		end += "."
	}
	return end
}

// isCapitals reports whether w is written in capitals only, and more than one.
func isCapitals(w string) bool {
	return utf8.RuneCountInString(w) > 1 && w == strings.ToUpper(w) && w != strings.ToLower(w)
}

// isLetter reports whether w is one letter.
func isLetter(w string) bool {
	c, size := utf8.DecodeRuneInString(w)
	return size == len(w) && unicode.IsLetter(c)
}

// joiners decides of each AND, OR and NOT whether it is an operator, which then stands in
// the word behind it, or a word. It is an operator between two words that are no stop
// words; NOT also behind another, and not before capitals: NOT NULL.
func (r *reader) joiners() {
	all := r.words
	r.words = nil
	for i, w := range all {
		first, last := i == 0, i+1 == len(all)
		if w.joins == "" || first || last || !r.joinable(&all[i-1]) || !r.joinable(&all[i+1]) ||
			w.joins == "NOT" && isCapitals(all[i+1].text) && all[i+1].joins == "" {
			r.words = append(r.words, all[i])
			continue
		}
		next := &all[i+1]
		next.or = next.or || w.joins == "OR" || w.or
		next.minus = next.minus || w.joins == "NOT"
		next.parted = next.parted || w.parted
	}
}

// joinable reports whether an operator may stand beside w.
func (r *reader) joinable(w *word) bool {
	shouted := r.s == strings.ToUpper(r.s)
	return w.quoted || w.op != "" || !shouted && isCapitals(w.text) ||
		isLetter(w.text) && capital(w.text) || !isStop(w.text, r.language.code)
}
