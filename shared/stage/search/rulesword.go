package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/value"
	"wstk/shared/wstk"
)

// courtesies marks what is said to whoever searches, not about what is searched: find me,
// please.
func (r *reader) courtesies() {
	i := 0
	for i < len(r.words) {
		n := max(r.has(r.tongue.please, i), r.has(r.tongue.find, i))
		if m := r.has(r.tongue.ask, i); m > n {
			// "search engine optimization" and "list of kings" are no requests.
			if m > 1 || r.requests(i) {
				n = m
			}
		}
		if n == 0 {
			break
		}
		r.mark(i, i+n, polite)
		i += n
	}
	for ; i < len(r.words); i++ {
		if n := r.has(r.tongue.please, i); n > 0 {
			r.mark(i, i+n, polite)
			i += n - 1
		}
	}
}

// requests tells whether the single word i, before which nothing but courtesies stand,
// asks for what follows: an article, a number, something new, something that is found.
func (r *reader) requests(i int) bool {
	t, j := r.tongue, i+1
	if r.has(t.pronouns, j) > 0 { // all i want, let it be
		return false
	}
	if j >= len(r.words) || isStop(r.words[i].text, t.code) {
		return true
	}
	_, digits := r.number(j)
	next := &r.words[j]
	return digits > 0 || next.quoted || next.op != "" || isStop(next.text, t.code) && r.has(t.about, j) == 0 && next.key != "of" ||
		r.has(t.fresh, j)+r.has(t.first, j)+r.has(t.results, j)+r.has(t.pages, j)+r.has(t.please, j) > 0
}

// fillers marks the words that say nothing about the topic.
func (r *reader) fillers() {
	t := r.tongue
	capitals := false // some word is in capitals while others are not
	for _, w := range r.words {
		capitals = capitals || !w.quoted && w.text != strings.ToUpper(w.text)
	}
	for i := 0; i < len(r.words); i++ {
		w := &r.words[i]
		if !r.free(i, i+1) || w.use != content {
			continue
		}
		if n := r.has(t.fresh, i); n > 0 {
			if r.timed { // which says it better
				r.mark(i, i+n, weak)
			}
			i += n - 1
			continue
		}
		if n := max(r.has(t.pages, i), r.has(t.results, i)); n > 0 && (r.leadsOn(i+n) || r.asks(i)) {
			r.mark(i, i+n, weak)
			continue
		}
		if w.name || w.joins != "" || r.has(t.keeps, i) > 0 || r.lettered(i) || capitals && isAcronym(w.text, i) || r.nameWord(i) || r.monthName(i) {
			continue
		}
		if isStop(w.text, t.code) {
			w.use = stop
		}
	}
	r.titles()
}

// titles keeps stop words where three or more stand in a row, or a pronoun is among them,
// as in titles ("This Is Us", "stand by me") and sayings, unless the words are a question or
// a request, which begin so.
func (r *reader) titles() {
	if len(r.words) == 0 || r.words[0].use == polite || r.has(r.tongue.question, 0) > 0 {
		return
	}
	const row = 3
	for i := 0; i < len(r.words); {
		j, pronoun := i, false
		for j < len(r.words) && r.stops(j) && !(j > i && r.words[j].parted) {
			pronoun = pronoun || r.has(r.tongue.pronouns, j) > 0
			j++
		}
		if i > 0 && j-i > 1 && j < len(r.words) && r.has(r.tongue.question, i) > 0 { // python how do i …
			return
		}
		if pronoun || j-i >= row {
			r.mark(i, j, content)
		}
		i = max(j, i+1)
	}
}

// stops tells whether word i is a stop word, also one that is kept: to be OR not to be.
func (r *reader) stops(i int) bool {
	w := &r.words[i]
	return w.text != "" && (w.use == stop || w.use == content && (w.joins != "" || r.has(r.tongue.keeps, i) == 1))
}

// monthName tells whether word i is a month before a year or a day: may 2024.
func (r *reader) monthName(i int) bool {
	next := r.at(i + 1)
	return next != "" && isDigit(next[0]) && value.Month(r.words[i].text, r.tongue.code) != 0
}

// leadsOn tells whether "about" stands at word i, or behind the filters that begin there:
// articles from last week about rice.
func (r *reader) leadsOn(i int) bool {
	for i < len(r.words) && r.words[i].use == taken {
		i++
	}
	return r.has(r.tongue.about, i) > 0
}

// asks tells whether only a request stands before word i.
func (r *reader) asks(i int) bool {
	asked := false
	for k := range i {
		switch w := &r.words[k]; {
		case w.use == polite:
			asked = true
		case w.use == content:
			return false
		}
	}
	return asked
}

// isAcronym tells whether a word is written in capitals: US, IT, WHO, C. I and A are at
// home in capitals, and so is one letter that begins the query.
func isAcronym(w string, i int) bool {
	return w == strings.ToUpper(w) && w != strings.ToLower(w) && (utf8.RuneCountInString(w) > 1 || i > 0 && w != "I" && w != "A")
}

// nameWord tells whether a stop word is a part of a name by its capital: amid other words
// (The Who), or as Will before Smith.
func (r *reader) nameWord(i int) bool {
	first, _ := utf8.DecodeRuneInString(r.words[i].text)
	if !unicode.IsUpper(first) || !r.cased {
		return false
	}
	if r.has(r.tongue.noNames, i) > 0 { // I is written so, and behind a word it counts: phase I
		return r.words[i].text == "I" && i > 0 && r.words[i-1].use == content && !r.words[i].parted
	}
	if i > 0 {
		return !r.words[i].parted
	}
	if key := r.words[i].key; key != "will" && key != "may" || len(r.words) < 2 {
		return false
	}
	next, _ := utf8.DecodeRuneInString(r.words[1].text)
	return unicode.IsUpper(next)
}

// keywords makes the keywords of what is left, and says how they are joined.
func (r *reader) keywords() {
	var list []int // words that are keywords
	for _, u := range []use{content, weak, stop, polite, taken} {
		for i, w := range r.words {
			if w.use == u && w.text != "" {
				list = append(list, i)
			}
		}
		if len(list) > 0 {
			break
		}
	}
	groups := r.join(list)
	groups = r.shorten(groups)
	for _, g := range groups {
		r.t.Keywords = append(r.t.Keywords, g.text)
	}
	if len(groups) < 2 {
		r.t.Boolean = ""
	}
}

// keyword is one keyword to be.
type keyword struct {
	text   string
	quoted bool
}

// maxJoined is how many words on one side of OR are taken as a phrase.
const maxJoined = 3

// join makes keywords of words and decides how they are joined. Words of which each is an
// alternative to the next are joined by OR. Where an alternative has several words, and
// they stand side by side, they become a phrase, so that OR can be told all the same.
func (r *reader) join(list []int) []keyword {
	var plain []keyword
	var sides [][]int
	ors, quoted := 0, 0
	for n, i := range list {
		w := &r.words[i]
		plain = append(plain, keyword{w.text, w.quoted})
		if w.quoted {
			quoted++
		}
		if n > 0 && r.alternative(list[n-1], i) {
			ors++
		} else if n > 0 {
			sides[len(sides)-1] = append(sides[len(sides)-1], i)
			continue
		}
		sides = append(sides, []int{i})
	}
	if ors == 0 {
		if quoted > 1 && quoted == len(list) && r.listed(list) {
			r.t.Boolean = wstk.Or
		}
		return plain
	}
	if ors == len(list)-1 {
		r.t.Boolean = wstk.Or
		return plain
	}
	var joined []keyword
	for _, side := range sides {
		if len(side) > maxJoined || side[len(side)-1]-side[0] != len(side)-1 {
			break
		}
		var words []string
		for k, i := range side {
			if w := r.words[i]; len(side) > 1 && (w.quoted || k > 0 && w.parted) {
				break
			}
			words = append(words, r.words[i].text)
		}
		if len(words) < len(side) {
			break
		}
		joined = append(joined, keyword{strings.Join(words, " "), true})
	}
	if len(joined) < len(sides) {
		r.note("boolean_simplified", nil, "AND and OR cannot be told together; all words are searched, and OR was left out.")
		return plain
	}
	r.note("boolean_simplified", nil, "AND and OR cannot be told together; the words on each side of OR are searched as a phrase.")
	r.t.Boolean = wstk.Or
	return joined
}

// alternative tells whether an OR stands between two words that follow one another among
// the keywords.
func (r *reader) alternative(i, j int) bool {
	for k := i + 1; k <= j; k++ {
		if r.words[k].or {
			return true
		}
	}
	return false
}

// listed tells whether quoted phrases are a list that a small "or" ends: "a", "b" or "c".
func (r *reader) listed(list []int) bool {
	or := false
	for n := 1; n < len(list); n++ {
		i, j := list[n-1], list[n]
		switch {
		case j == i+2 && r.has(r.tongue.or, i+1) == 1:
			or = true
		case j != i+1 || !r.words[j].parted:
			return false
		}
	}
	return or
}

// shorten keeps the most telling keywords, in their order: quoted ones, then names and
// numbers, then the longest, as many as may be and as fit into the longest query.
func (r *reader) shorten(all []keyword) []keyword {
	most, room := positive(r.limits.Keywords, wstk.MaxKeywords), positive(r.limits.Query, MaxQuery)
	between := 1
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
	var kept []keyword
	var dropped []string
	for i, k := range all {
		if keep[i] {
			kept = append(kept, k)
		} else {
			dropped = append(dropped, k.text)
		}
	}
	if len(dropped) > 0 {
		r.note("keywords_dropped", map[string]any{"words": dropped}, "Only %d keywords of %d characters in all can be told; left out: %s.",
			most, positive(r.limits.Query, MaxQuery), strings.Join(dropped, ", "))
	}
	return kept
}

// telling says how much a keyword tells about the topic.
func telling(k keyword) int {
	n := min(utf8.RuneCountInString(k.text), 30)
	first, _ := utf8.DecodeRuneInString(k.text)
	switch {
	case k.quoted:
		n += 200
	case unicode.IsUpper(first) || strings.ContainsFunc(k.text, unicode.IsNumber):
		n += 100
	}
	return n
}
