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
var quotes = map[rune]string{'"': `"`, '“': `”"`, '”': `”`, '„': `“”"`, '‟': `”`, '«': `»`, '»': `«`, '＂': `＂`, '「': `」`, '『': `』`, '《': `》`}

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
		case c == '-' && i+1 < len(s) && !strings.ContainsRune(" -0123456789", rune(s[i+1])) && (i == 0 || s[i-1] == ' ' || next.parted):
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
	if ends == "" || r.unclosed[open] || open == '"' && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
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
		case c == ',' && j > i && j+1 < len(s) && isDigit(s[j-1]) && isDigit(s[j+1]): // 1,000 is one word
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
	w.joins = r.joiner(raw)
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
	next.parted = strings.ContainsAny(raw[len(raw)-1:], ".:!?") && !strings.HasSuffix(w.text, ".") && !(len(raw) > 1 && isDigit(raw[len(raw)-2]))
	if k := r.elided(w.text); k > 0 && strings.HasPrefix(raw, w.text[:k]) {
		head := w
		head.end, head.text, head.key, head.use = i+k, "", keyOf(w.text[:k]), stop
		r.words = append(r.words, head)
		w = word{start: i + k, end: j, text: tidy(w.text[k:])}
	}
	r.add(w)
	return j
}

// elided returns how long the article or preposition is that has lost its vowel in front
// of a word: 2 of l'eau. One with a capital belongs to a name.
func (r *reader) elided(w string) int {
	k := strings.IndexAny(w, "'’")
	if k <= 0 || r.language.families["elided"].all[w[:k]] == "" {
		return 0
	}
	_, size := utf8.DecodeRuneInString(w[k:])
	if k += size; k == len(w) {
		return 0
	}
	return k
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
	s = strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == ' ' || isQuote(c) }), " ")
	if !strings.ContainsFunc(s, func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsNumber(c) || c >= utf8.RuneSelf && unicode.IsSymbol(c)
	}) {
		return ""
	}
	word := strings.TrimLeft(s, " -+!?.:;,'’‘*~¿¡/=")
	// What .NET and .eu begin with belongs to them.
	if head := s[:len(s)-len(word)]; strings.HasSuffix(head, ".") && !strings.HasSuffix(head, "..") {
		word = "." + word
	}
	end := strings.TrimRight(word, " -!?.:;,'’‘*~/=")
	if k := len(end); k > 2 && end[k-2] == '.' && strings.HasPrefix(word[k:], ".") { // U.S.
		end += "."
	}
	return end
}

// joiners decides of each AND, OR and NOT whether it is an operator, which then stands in
// the words it joins, or a word.
func (r *reader) joiners() {
	all := r.words
	r.words = nil
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].joins != "" {
			j++
		}
		if j > i && r.operates(all, i, j) {
			for _, w := range all[i:j] {
				all[j].or = all[j].or || w.joins == "OR" || w.or
				all[j].minus = all[j].minus || w.joins == "NOT"
				all[j].parted = all[j].parted || w.parted
			}
			i = j
		}
		j = max(j, i+1)
		r.words = append(r.words, all[i:j]...)
		i = j
	}
}

// joiner returns which of AND, OR and NOT a word in capitals is; "" if it is none. Unless
// all is in capitals, the words of the language count as well.
func (r *reader) joiner(w string) string {
	switch {
	case w == "AND" || w == "OR" || w == "NOT":
		return w
	case !isCapitals(w) || r.shouted():
		return ""
	case r.language.families["or"].all[keyOf(w)] != "":
		return "OR"
	case r.language.families["and"].all[keyOf(w)] != "":
		return "AND"
	}
	return ""
}

// operates reports whether the joiners [i, j) are an operator: one, or one before NOT,
// between two terms that can be searched. NOT before capitals is a word: NOT NULL.
func (r *reader) operates(words []word, i, j int) bool {
	not := j > i && words[j-1].joins == "NOT"
	if i == 0 || j == len(words) || words[i].minus || j-i > 2 || j-i == 2 && (words[i].joins == "NOT" || !not) {
		return false
	}
	if not && isCapitals(words[j].text) {
		return false
	}
	k := j
	for k+1 < len(words) && r.language.families["article"].all[words[k].key] != "" && !isCapitals(words[k].text) { // cats OR the dogs
		k++
	}
	return r.searchable(words[i-1]) && r.searchable(words[k])
}

// searchable reports whether w is a term that an operator may join to another: no stop
// word, unless it is in capitals among others that are not.
func (r *reader) searchable(w word) bool {
	if w.quoted || w.op != "" || w.minus {
		return true
	}
	capitals := w.text != "I" && (isCapitals(w.text) || isLetter(w.text)) && w.text == strings.ToUpper(w.text) && !r.shouted()
	return capitals || !isStop(w.text, r.language.code)
}

// shouted reports whether all is in capitals, and too long to be a few acronyms.
func (r *reader) shouted() bool {
	return r.s == strings.ToUpper(r.s) && len(strings.Fields(r.s)) > 3
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

// joinLetters makes one phrase of two letters that are joined: R AND D, q and a.
func (r *reader) joinLetters() {
	for i := 0; i+2 < len(r.words); i++ {
		a, and, b := &r.words[i], &r.words[i+1], &r.words[i+2]
		if !isLetter(a.text) || !isLetter(b.text) || and.joins != "AND" && r.has(i+1, "and") != 1 || !r.free(i, i+3) {
			continue
		}
		if i > 0 && r.has(i-1, "between", "lettered") > 0 { // vitamin a and d
			continue
		}
		a.text, a.end, a.key, a.quoted = tidy(r.raw(i, i+3)), b.end, "", true
		r.words = append(r.words[:i+1], r.words[i+3:]...)
	}
}
