package search

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// RulesVersion names the rules below; it changes with them, so that cached templates of
// old rules are not used.
const RulesVersion = "rules-2"

// Rules makes a template of a user's words. lang is the language asked for, ISO 639-1; ""
// when none was. It stands above a language that the words name. What goes beyond l is
// dropped, and noted.
//
// It knows filler, times, languages and countries in English, German, French, Spanish,
// Italian, Portuguese and Dutch. Of words in other languages it reads what is written with
// operators (site:, lang:, geo:, max:, after:, before:), quotes and days such as
// 2024-03-01, and drops none. A run of characters without spaces, as in Chinese, is one
// keyword: search engines part it better than we could.
//
// It asks no clock, because the template is used again on other days:
//
//   - A time is told where a placeholder or a literal day can tell it. One that cannot be
//     told exactly becomes the smallest placeholder range that holds it, also "this week"
//     and "the past 3 days"; one that fits none ("last year", "since March") is left out.
//     Both are noted. So is one that would have a day begin what a placeholder ends, or
//     the reverse: which of them comes first, only a clock can tell.
//   - "Yesterday", "today" and the like are times where they end what was said, behind a
//     preposition or before one, and beside words such as news and weather. Otherwise they
//     are words, as in titles: "yesterday by the beatles", "today show host".
//   - Engines differ on whether before: lets the day itself in. One day, therefore, ends on
//     the next: "yesterday" is {YESTERDAY} to {TODAY}, and 5 March ends on 6 March; "today"
//     has no end, because nothing is published later. Ranges name the days that were said:
//     to lose or gain one at their edge harms less.
//   - "After March 2024" begins on 1 April and "before 2020" ends on 31 December 2019; after:
//     and before: take the first day of what they name, as a template's own days.
//   - A year is a time only behind a preposition or in a range, and only where nothing is
//     named after it (not "in 2022 FIFA World Cup") and no question asks who, when or where
//     (not "who won in 1998", of which pages of any year tell). Years before 1990 or after 2029 are
//     topics: no page was published then.
//   - Where a day may be read in two ways (05/03/2024), the range holds both.
//
// Of the rest: a country behind "in" is the region, and stays a keyword because the region
// is a bias only; two countries are none. A language counts at the end, before a comma or
// before "about". A word for newness (latest, recent) is dropped when a time is told, which
// says it better, and stays otherwise. Adjacent words are a keyword each, and what is
// quoted is one. AND, OR and NOT in capitals are operators between two terms that can be
// searched, and words elsewhere ("AND gates", "Portland OR"). Words joined by OR all along
// make a template of OR, also where up to three words stand on a side, which then are a
// phrase; another mixture with AND cannot be told, and all words are kept with AND. A count
// is told where it begins what is said ("10 results for …", "…, 10 results") or is asked
// for ("give me 10 articles", "max 20 results", "top 5" at the end); a number behind other
// words belongs to them ("Euro 2024 results"), and none over 100 is a count, except behind
// max:.
//
// A keyword is spelled as the user spells it, without braces, quotation marks, control and
// direction characters and without a sign in front that engines take for an operator. Stop
// words are dropped, but not those that turn the meaning (not, without, down), nor, outside
// a question, pronouns and three and more in a row, which are rather a title. A letter at
// the end or behind a noun such as vitamin is a name. If there is nothing but filler, the
// filler is searched, and if there are only filters, their words are.
//
// notes say, one sentence each, what of the words the template does not say. Their codes:
// time_approximated, time_unsupported, exclude_unsupported, operator_unsupported,
// boolean_simplified, site_simplified, sites_dropped, language_overridden, count_limited,
// keywords_dropped.
//
// The error is Unprocessable when there is no word to search for (words to leave out are
// none), and Invalid when the text is longer than 2,000 code points, and when each word is
// longer than a query may be.
func Rules(words, lang string, l Limits) (t wstk.QueryTemplate, notes []wstk.Warning, err error) {
	const op = "rewriting the query"
	if n := utf8.RuneCountInString(words); n > MaxWords {
		return t, nil, wstk.Errorf(wstk.Invalid, op, "%d characters are too many; %d are the most", n, MaxWords)
	}
	r := newReader(words, lang, l)
	r.operators()
	r.courtesies()
	r.sites()
	r.times()
	r.counts()
	r.language() // before the region: in French "en italien" is a language, in German a country
	r.region()
	r.fillers()
	r.keywords()
	if len(r.t.Keywords) == 0 && len(r.notes) > 0 && r.notes[len(r.notes)-1].Code == "keywords_dropped" {
		return t, nil, wstk.Errorf(wstk.Invalid, op, "query_too_long: no word has %d characters or fewer", positive(l.Query, MaxQuery))
	}
	if len(r.t.Keywords) == 0 {
		return t, nil, wstk.Errorf(wstk.Unprocessable, op, "there is no word to search for")
	}
	return r.t, r.notes, nil
}

// use is what becomes of a word.
type use byte

const (
	content use = iota // a keyword
	weak               // filler that still tells more than stop words: articles, latest
	stop               // a stop word
	polite             // a request or a courtesy: find me, please
	taken              // told by a filter
	left               // left out, and noted
)

// word is a word of the query, or a quoted phrase.
type word struct {
	start, end int    // in reader.s
	text       string // as it would be a keyword; may be ""
	key        string // as the tables spell it; "" for what is quoted
	op         string // site of site:example.com
	quoted     bool
	minus      bool   // - or NOT stands before it
	or         bool   // OR or | stands before it
	joins      string // AND, OR or NOT, if it is one of these
	parted     bool   // a comma, a bracket or a full stop stands before it
	name       bool   // part of a name or a title, and so no stop word
	use        use
}

// reader holds the work of one call of Rules.
type reader struct {
	s      string // the words, cleaned
	tongue *tongue
	asked  string // the language asked for
	limits Limits
	words  []word
	t      wstk.QueryTemplate
	notes  []wstk.Warning
	cased  bool // some word begins with a small letter, so that capitals tell names
	timed  bool // a time was told or noted

	unclosed map[rune]bool // quotation marks that nothing closes from here on
}

func newReader(words, lang string, l Limits) *reader {
	r := &reader{s: clean(words), asked: lang, limits: l, unclosed: map[rune]bool{}}
	r.t.Filters.Lang = lang
	r.tongue = tongueOf(r.s, lang)
	r.read()
	r.letters()
	r.joiners()
	for _, w := range r.words {
		first, _ := utf8.DecodeRuneInString(w.text)
		r.cased = r.cased || !w.quoted && w.op == "" && unicode.IsLower(first)
	}
	return r
}

// note adds a note; one of the same code and message stands there once.
func (r *reader) note(code string, details map[string]any, format string, args ...any) {
	w := wstk.Warning{Code: code, Message: fmt.Sprintf(format, args...)}
	if details != nil {
		w.Details = details
	}
	if !slices.ContainsFunc(r.notes, func(o wstk.Warning) bool { return o.Code == w.Code && o.Message == w.Message }) {
		r.notes = append(r.notes, w)
	}
}

// clean drops what is not to be seen, and what no keyword may hold.
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

// isQuote tells whether c is a double quotation mark, which no keyword holds.
func isQuote(c rune) bool {
	return strings.ContainsRune(`"“”„‟«»＂「」『』《》〝〞〟″`, c)
}

// parts are the signs that part words and what is said with them.
const parts = `,;()[]<>、，。；？！：（）【】؛،।…`

// read splits the cleaned words.
func (r *reader) read() {
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
		case c == '-' && i+1 < len(s) && s[i+1] != ' ' && s[i+1] != '-' && !isDigit(s[i+1]) && (i == 0 || s[i-1] == ' ' || next.parted):
			next.minus = true
			i += size
		default:
			i = r.plainWord(i, &next)
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// closing finds the end of the phrase that the mark at byte i opens: where its words end,
// and what comes after the mark. after is 0 when the mark opens nothing, as in 27".
func (r *reader) closing(i int) (end, after int) {
	open, size := utf8.DecodeRuneInString(r.s[i:])
	ends := quotes[open]
	if ends == "" || r.unclosed[open] || open == '"' && i > 0 && (unicode.IsLetter(lastRune(r.s[:i])) || isDigit(r.s[i-1])) {
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

func lastRune(s string) rune {
	c, _ := utf8.DecodeLastRuneInString(s)
	return c
}

// plainWord reads the word at i and returns where it ends.
func (r *reader) plainWord(i int, next *word) int {
	s := r.s
	j := i
	for j < len(s) {
		c, size := utf8.DecodeRuneInString(s[j:])
		if c == ' ' || c == '|' || isQuote(c) && !(j > i && s[j-1] == ':') {
			break
		}
		if isQuote(c) { // intitle:"climate change"
			if _, after := r.closing(j); after > 0 {
				j = after
			}
			break
		}
		// 1,000 is one word, and site:a.example,b.example one list.
		if strings.ContainsRune(parts, c) && !(c == ',' && j > i && j+1 < len(s) && isDigit(s[j-1]) && isDigit(s[j+1])) {
			break
		}
		j += size
	}
	if j == i { // a mark that closes nothing
		return i + 1
	}
	w := *next
	*next = word{}
	w.start, w.end = i, j
	raw := s[i:j]
	w.joins = r.joiner(raw)
	if name, value, ok := strings.Cut(raw, ":"); ok {
		if op := operatorNames[strings.ToLower(strings.TrimLeft(name, "+"))]; op != "" {
			// Only of site: the value may stand behind a space: "results: 2024" is prose.
			if value != "" || op == opSite {
				w.op, w.text = op, tidy(value)
				r.add(w)
				return j
			}
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
	if k <= 0 || !r.tongue.elides[w[:k]] {
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
		if r.tongue.code == "en" {
			w.key = strings.TrimSuffix(w.key, "'s")
		}
	}
	r.words = append(r.words, w)
}

// tidy makes a keyword of a part of the query; "" when it holds neither letter nor digit
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

// free tells whether the words [i, j) are there, unquoted, not parted, and not used yet.
func (r *reader) free(i, j int) bool {
	if i < 0 || j > len(r.words) {
		return false
	}
	for k := i; k < j; k++ {
		w := &r.words[k]
		if w.quoted || w.op != "" || w.minus || w.use == taken || w.use == left || k > i && (w.parted || w.or) {
			return false
		}
	}
	return true
}

// mark gives the words [i, j) a use.
func (r *reader) mark(i, j int, u use) {
	for k := i; k < j; k++ {
		r.words[k].use = u
	}
}

// raw is what the user wrote for the words [i, j).
func (r *reader) raw(i, j int) string { return r.s[r.words[i].start:r.words[j-1].end] }

// at returns the key of word i; "" when it cannot be a part of a phrase.
func (r *reader) at(i int) string {
	if !r.free(i, i+1) {
		return ""
	}
	return r.words[i].key
}

// named returns what the longest phrase of p at word i stands for, and how many words it
// has; 0 when there is none.
func (r *reader) named(p phrases, i int) (meaning string, n int) {
	if p.most == 0 || !p.first[r.at(i)] {
		return "", 0
	}
	key := ""
	for k := i; k < min(i+p.most, len(r.words)) && r.free(i, k+1); k++ {
		if key += r.words[k].key; p.all[key] != "" {
			meaning, n = p.all[key], k+1-i
		}
		key += " "
	}
	return meaning, n
}

// has returns how many words from word i on are a phrase of p; 0 when none are.
func (r *reader) has(p phrases, i int) int {
	_, n := r.named(p, i)
	return n
}
