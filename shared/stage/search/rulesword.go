package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Which words become keywords, and how they are joined.

// courtesies marks what is said to the one who searches, not about what is searched: find
// me, please.
func (r *reader) courtesies() {
	i := 0
	for i < len(r.words) {
		n := r.has(i, "courtesy")
		// "search engine optimization" and "list of kings" are no requests.
		if m := r.has(i, "request"); m > n && (m > 1 || r.requests(i)) {
			n = m
		}
		if n == 0 {
			break
		}
		r.mark(i, i+n, polite)
		i += n
	}
	for ; i < len(r.words); i++ {
		if n := r.has(i, "courtesy"); n > 0 {
			r.mark(i, i+n, polite)
			i += n - 1
		}
	}
}

// requests reports whether the single word i, before which nothing but courtesies stand,
// asks for what follows: an article, a number, something new, something that is found.
func (r *reader) requests(i int) bool {
	j := i + 1
	if j >= len(r.words) || r.has(j, "pronoun") > 0 { // all i want, let it be
		return j >= len(r.words)
	}
	next := &r.words[j]
	return isStop(r.words[i].text, r.language.code) || next.quoted || next.op != "" ||
		r.has(j, "number", "fresh", "first", "result", "page", "courtesy") > 0 ||
		next.text != "" && isDigit(next.text[0]) ||
		isStop(next.text, r.language.code) && r.has(j, "about") == 0 && next.key != "of"
}

// fillers marks the words that say nothing about the topic.
func (r *reader) fillers() {
	capitals := slices.ContainsFunc(r.words, func(w word) bool {
		return !w.quoted && w.text != strings.ToUpper(w.text)
	})
	for i := 0; i < len(r.words); i++ {
		if !r.free(i, i+1) || r.words[i].use != content {
			continue
		}
		fresh, found := r.has(i, "fresh"), r.has(i, "page", "result")
		switch {
		case fresh > 0:
			if r.timed { // which says it better
				r.mark(i, i+fresh, weak)
			}
			i += fresh - 1
		case found > 0 && r.leadsOn(i+found):
			r.mark(i, i+found, weak)
		case (isStop(r.words[i].text, r.language.code) || r.has(i, "elided") > 0) && !r.tells(i) &&
			!(capitals && isAcronym(r.words[i].text, i)):
			r.words[i].use = stop
		}
	}
	r.titles()
}

// tells reports whether the stop word i says something about the topic.
func (r *reader) tells(i int) bool {
	w := &r.words[i]
	return w.name || w.joins != "" || r.has(i, "kept") > 0 || r.lettered(i) || r.monthName(i)
}

// titles keeps stop words if three or more stand in a row, or a pronoun is among them, as
// in titles ("This Is Us", "stand by me") and sayings, unless the words are a question or a
// request, which begin so.
func (r *reader) titles() {
	const row = 3
	if len(r.words) == 0 || r.words[0].use == polite || r.has(0, "question") > 0 {
		return
	}
	for i := 0; i < len(r.words); i++ {
		j, pronoun := i, false
		for j < len(r.words) && r.stops(j) && !(j > i && r.words[j].parted) {
			pronoun = pronoun || r.has(j, "pronoun") > 0
			j++
		}
		if pronoun || j-i >= row {
			r.mark(i, j, content)
		}
		i = max(j-1, i)
	}
}

// stops reports whether word i is a stop word, also one that is kept: to be OR not to be.
func (r *reader) stops(i int) bool {
	w := &r.words[i]
	return w.text != "" && (w.use == stop ||
		w.use == content && (w.joins != "" || r.has(i, "kept") == 1))
}

// monthName reports whether word i is a month before a year or a day: may 2024.
func (r *reader) monthName(i int) bool {
	next := r.at(i + 1)
	return next != "" && isDigit(next[0]) && value.Month(r.words[i].text, r.language.code) != 0
}

// leadsOn reports whether "about" stands at word i, or behind the filters that begin there:
// articles from last week about rice.
func (r *reader) leadsOn(i int) bool {
	for i < len(r.words) && r.words[i].use == taken {
		i++
	}
	return r.has(i, "about") > 0
}

// isAcronym reports whether a word is written in capitals: US, IT, WHO, C. I and A are at
// home in capitals, and so is one letter that begins the query.
func isAcronym(w string, i int) bool {
	return isCapitals(w) || isLetter(w) && capital(w) && i > 0 && w != "I" && w != "A"
}

// lettered reports whether word i, a single letter that would be an article or the like, is
// a name: it ends what is said, a noun before it takes letters, or OR stands behind it.
func (r *reader) lettered(i int) bool {
	if !isLetter(r.words[i].text) {
		return false
	}
	last := i+1 == len(r.words)
	if !last && r.words[i+1].or { // A OR B
		return true
	}
	if i == 0 || r.words[i].parted {
		return false
	}
	end := last || r.words[i+1].parted || r.words[i+1].use != content
	return r.has(i-1, "lettered") > 0 || end && r.words[i-1].use == content
}

// keyword is one keyword to be.
type keyword struct {
	text   string
	quoted bool
}

// keywords makes the keywords of what is left, and says how they are joined.
func (r *reader) keywords() {
	var list []int // words that are keywords
	for u := content; u <= taken && len(list) == 0; u++ {
		for i, w := range r.words {
			if w.use == u && w.text != "" {
				list = append(list, i)
			}
		}
	}
	kept := r.shorten(r.join(list))
	for _, k := range kept {
		r.t.Keywords = append(r.t.Keywords, k.text)
	}
	if len(kept) < 2 {
		r.t.Boolean = ""
	}
}

// join makes keywords of words and decides how they are joined. Words of which each is an
// alternative to the next are joined by OR. If an alternative has several words that
// stand side by side, they become a phrase, so that OR can be told all the same.
func (r *reader) join(list []int) []keyword {
	var plain, joined []keyword
	var sides [][]int // of OR
	for n, i := range list {
		plain = append(plain, keyword{r.words[i].text, r.words[i].quoted})
		if n == 0 || r.alternative(list[n-1], i) {
			sides = append(sides, nil)
		}
		sides[len(sides)-1] = append(sides[len(sides)-1], i)
	}
	if len(sides) == len(list) && len(list) > 1 {
		r.t.Boolean = wstk.Or
		return plain
	}
	if len(sides) < 2 {
		return plain
	}
	for _, side := range sides {
		if phrase, ok := r.phrase(side); ok {
			joined = append(joined, keyword{phrase, true})
		}
	}
	if len(joined) < len(sides) {
		r.note("boolean_simplified", nil,
			"A search has AND or OR, not both; all words are searched, and OR was left out.")
		return plain
	}
	r.note("boolean_simplified", nil,
		"A search has AND or OR, not both; the words on each side of OR are searched as a phrase.")
	r.t.Boolean = wstk.Or
	return joined
}

// phrase makes a phrase of one to three words that stand side by side.
func (r *reader) phrase(side []int) (string, bool) {
	const most = 3
	first, last := side[0], side[len(side)-1]
	if len(side) > most || last-first != len(side)-1 {
		return "", false
	}
	var said []string
	for _, i := range side {
		w := &r.words[i]
		if len(side) > 1 && (w.quoted || i > first && w.parted) {
			return "", false
		}
		said = append(said, w.text)
	}
	return strings.Join(said, " "), true
}

// alternative reports whether an OR stands between two words that follow one another among
// the keywords.
func (r *reader) alternative(i, j int) bool {
	return slices.ContainsFunc(r.words[i+1:j+1], func(w word) bool { return w.or })
}

// shorten keeps the most telling keywords, in their order: quoted ones, then names and
// numbers, then the longest, as many as may be and as fit into the longest query.
func (r *reader) shorten(all []keyword) (kept []keyword) {
	most, longest := r.limits.keywords(), positive(r.limits.Query, MaxQuery)
	between, room := 1, longest
	if r.t.Boolean == wstk.Or {
		between, room = len(" OR "), room-len("()")
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return telling(all[b]) - telling(all[a]) })
	keep := map[int]bool{}
	room += between // before the first
	for _, i := range order {
		length := between + utf8.RuneCountInString(all[i].text)
		if !plain(all[i].text) {
			length += len(`""`)
		}
		if len(keep) < most && length <= room {
			keep[i], room = true, room-length
		}
	}
	var dropped []string
	for i, k := range all {
		if keep[i] {
			kept = append(kept, k)
		} else {
			dropped = append(dropped, k.text)
		}
	}
	if len(dropped) > 0 {
		r.note("keywords_dropped", map[string]any{"words": dropped},
			"A query has %d keywords and %d characters at most; left out: %s.",
			most, longest, strings.Join(dropped, ", "))
	}
	return kept
}

// telling says how much a keyword tells about the topic.
func telling(k keyword) int {
	n := min(utf8.RuneCountInString(k.text), 30)
	switch {
	case k.quoted:
		n += 200
	case capital(k.text) || strings.ContainsFunc(k.text, unicode.IsNumber):
		n += 100
	}
	return n
}
