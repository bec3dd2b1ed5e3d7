package search

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"wstk/shared/wstk"
)

// RulesVersion names the rules below; it changes with them, so that cached templates of
// old rules are not used.
const RulesVersion = "rules-3"

// Rules makes a template of a user's words. lang is the language asked for, ISO 639-1; ""
// if none was. It goes before a language that the words name. What goes beyond l is
// dropped, and noted.
//
// The rules know operators (site:, lang:, geo:, max:, after:, before:), quotes, AND, OR
// and NOT in capitals, and days such as 2024-03-01 in any language; filler, common times,
// languages and countries in English, German, French, Spanish, Italian, Portuguese and
// Dutch. The words they know are in phrases.txt. Of other languages they drop no word.
//
//   - The template is used again on other days, so a time counted from today becomes the
//     smallest range of placeholders that holds it. One that no range holds ("last year")
//     is left out. A note says so in both cases.
//   - A day such as "yesterday" is a time at the end, beside a preposition, and beside
//     words such as news. Otherwise it is a word: "yesterday by the beatles".
//   - Engines differ on whether before: lets the day itself in, so one day ends on the
//     next. "After March 2024" begins on 1 April.
//   - A year is a time only behind a preposition or in a range, and not if a name follows
//     ("in 2022 FIFA World Cup") or the question is who, when or where. now tells which
//     years count: from yearsBack before it to yearsAhead after it.
//   - A country behind "in" is the region, and stays a keyword; two countries are none.
//   - A number of results counts where it begins what is said or is asked for.
//   - Stop words are dropped, but not those that turn the meaning (not, without), nor,
//     outside a question, pronouns and three in a row, which are rather a title.
//
// notes say, one sentence each, what of the words the template does not say. Their codes:
// time_approximated, time_unsupported, exclude_unsupported, operator_unsupported,
// boolean_simplified, site_simplified, sites_dropped, language_overridden, count_limited,
// keywords_dropped.
//
// The error is Unprocessable if there is no word to search for, and Invalid if the text is
// longer than MaxWords code points, or each word is longer than a query may be.
func Rules(
	words, lang string, l Limits, now time.Time,
) (t wstk.QueryTemplate, notes []wstk.Warning, err error) {
	const op = "rewriting the query"
	if n := utf8.RuneCountInString(words); n > MaxWords {
		return t, nil, wstk.Errorf(wstk.Invalid, op,
			"the query has %d characters; at most %d are allowed", n, MaxWords)
	}
	r := newReader(words, lang, l, now)
	r.operators()
	r.courtesies()
	r.sites()
	r.times()
	r.counts()
	r.languages() // before the region: in French "en italien" is a language, in German a country
	r.region()
	r.fillers()
	r.keywords()
	if len(r.t.Keywords) == 0 && len(r.notes) > 0 &&
		r.notes[len(r.notes)-1].Code == "keywords_dropped" {
		return t, nil, wstk.Errorf(wstk.Invalid, op,
			"query_too_long: every word is longer than %d characters", positive(l.Query, MaxQuery))
	}
	if len(r.t.Keywords) == 0 {
		return t, nil, wstk.Errorf(wstk.Unprocessable, op, "the query has no word to search for")
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
	key        string // as phrases are compared; "" for what is quoted
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
	s        string // the words, cleaned
	language *language
	asked    string // the language asked for
	limits   Limits
	now      time.Time
	words    []word
	t        wstk.QueryTemplate
	notes    []wstk.Warning
	cased    bool // some word begins with a small letter, so that capitals tell names
	timed    bool // a time was told or noted

	unclosed map[rune]bool // quotation marks that nothing closes from here on
}

func newReader(words, lang string, l Limits, now time.Time) *reader {
	r := &reader{s: clean(words), asked: lang, limits: l, now: now.UTC(), unclosed: map[rune]bool{}}
	r.t.Filters.Lang = lang
	r.language = languageOf(r.s, lang)
	if r.language.elided != nil {
		r.s = r.language.elided.ReplaceAllString(r.s, "$1 ")
	}
	r.split()
	r.joiners()
	for _, w := range r.words {
		r.cased = r.cased || !w.quoted && w.op == "" && w.text != "" &&
			!capital(w.text) && w.text[0] >= 'a'
	}
	return r
}

// note adds a note; one of the same code and message stands there once.
func (r *reader) note(code string, details map[string]any, format string, args ...any) {
	w := wstk.Warning{Code: code, Message: fmt.Sprintf(format, args...)}
	if details != nil {
		w.Details = details
	}
	if !slices.ContainsFunc(r.notes, func(o wstk.Warning) bool {
		return o.Code == w.Code && o.Message == w.Message
	}) {
		r.notes = append(r.notes, w)
	}
}

// free reports whether the words [i, j) are there, unquoted, not parted, and not used yet.
func (r *reader) free(i, j int) bool {
	if i < 0 || j > len(r.words) {
		return false
	}
	for k := i; k < j; k++ {
		w := &r.words[k]
		if w.quoted || w.op != "" || w.minus || w.use == taken || w.use == left ||
			k > i && (w.parted || w.or) {
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

// quote is the same for a note.
func (r *reader) quote(i, j int) string { return tidy(r.raw(i, j)) }

// at returns the key of word i; "" if it cannot be a part of a phrase.
func (r *reader) at(i int) string {
	if !r.free(i, i+1) {
		return ""
	}
	return r.words[i].key
}

// edge reports whether what was said ends before word i: nothing follows, or a comma, a
// filter, or what it is about.
func (r *reader) edge(i int) bool {
	return i >= len(r.words) || r.words[i].parted || r.words[i].use != content ||
		r.has(i, "about") > 0
}
