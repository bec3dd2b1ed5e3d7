package ground

import (
	"slices"
	"strings"
	"unicode"

	"wstk/shared/text"
)

// leavable are the parts of a source that a statement may leave out, by the piece at which each
// begins: the pieces at which they may end.
func (l *leaving) leavable(in []piece) map[int][]int {
	out := map[int][]int{}
	add := func(from, to int) {
		if from < to && !(from == 0 && to == len(in)) {
			out[from] = append(out[from], to)
		}
	}
	for i := range in {
		if n := l.markerAt(in, i); n > 0 {
			add(i, i+n)
		}
		switch {
		case in[i].plain == "(":
			if end := closing(in, i); end > 0 && l.aside(in, i, end) {
				add(i, end+1)
			}
		case in[i].plain == ",":
			l.commas(in, i, add)
		case in[i].plain == ";" && l.harmless(in[i:]):
			add(i, len(in))
		}
		if l.tail(in, i) {
			add(i, len(in))
		}
	}
	return out
}

// harmless reports whether no word of a part denies, limits, doubts, compares, dates or ascribes:
// to leave it out changes nothing of the rest.
func (l *leaving) harmless(of []piece) bool {
	return !slices.ContainsFunc(of, func(p piece) bool {
		return l.guards[p.plain] || isDenial(p.plain) || p.plain == "?" || strings.HasSuffix(p.plain,
			"n't") || p.plain == "(" || p.plain == ")"
	})
}

// markerAt is how many pieces a word takes that only joins a sentence to the one before, at its
// begin or between commas; 0 for none.
func (l *leaving) markerAt(in []piece, i int) int {
	if i > 0 && !in[i-1].pause() {
		return 0
	}
	for _, words := range l.markers {
		n := len(words)
		if i+n >= len(in) || !slices.EqualFunc(words, in[i:i+n], func(w string, p piece) bool {
			return w == p.plain
		}) {
			continue
		}
		if in[i+n].plain == "," {
			return n + 1
		}
		if i == 0 && n > 1 {
			continue
		}
	}
	return 0
}

// closing is the bracket that closes the one at i; -1 without one.
func closing(in []piece, i int) int {
	for k := i + 1; k < len(in); k++ {
		switch in[k].plain {
		case "(":
			return -1
		case ")":
			return k
		}
	}
	return -1
}

// aside reports whether brackets hold what only repeats or illustrates: the abbreviation of the
// words before, the amount before in another unit, an example.
func (l *leaving) aside(in []piece, open, end int) bool {
	of := in[open+1 : end]
	if len(of) == 0 || !l.harmless(of) {
		return false
	}
	if open > 0 && of[0].value != nil && of[0].next == end {
		for k := open - 1; k >= 0 && in[k].inside; k-- {
			if v := in[k].value; v != nil {
				return v.Type == of[0].value.Type && v.Unit == of[0].value.Unit && v.Unit != ""
			}
		}
		return false
	}
	if len(of) == 1 && abbreviates(in[:open], of[0].raw) {
		return true
	}
	for _, words := range l.examples {
		if len(of) > len(words) && slices.EqualFunc(words, of[:len(words)],
			func(w string, p piece) bool { return w == p.plain }) {
			return true
		}
	}
	return false
}

// abbreviates reports whether a word in capitals is made of the first letters of the words before.
func abbreviates(before []piece, short string) bool {
	letters := []rune(text.FoldCompare(strings.TrimSuffix(short, "s")))
	if len(letters) < 2 || strings.ToUpper(short) != short && strings.ToUpper(
		strings.TrimSuffix(short, "s")) != strings.TrimSuffix(short, "s") {
		return false
	}
	k := len(before)
	for n := len(letters) - 1; n >= 0; n-- {
		if !unicode.IsLetter(letters[n]) {
			return false
		}
		k--
		for k >= 0 && before[k].word && light[before[k].plain] {
			k--
		}
		if k < 0 || !before[k].word || []rune(before[k].plain)[0] != letters[n] {
			return false
		}
	}
	return true
}

// commas finds what stands between the comma at i and a later one, or the end: a relative clause,
// or an apposition with its article.
func (l *leaving) commas(in []piece, i int, add func(from, to int)) {
	if i+2 >= len(in) {
		return
	}
	head := in[i+1].plain
	if !l.relatives[head] && !l.articles[head] {
		return
	}
	for k := i + 2; k <= len(in); k++ {
		if k < len(in) && in[k].plain != "," {
			continue
		}
		if !l.harmless(in[i+1 : k]) {
			return
		}
		switch {
		case k == len(in) && !l.relatives[head]:
		case k == len(in):
			add(i, k)
		case joins[in[min(k+1, len(in)-1)].plain]: // a list
			return
		default:
			add(i, k)
			add(i, k+1)
		}
		return
	}
}

// tail reports whether a second clause of a sentence begins at i, with "and" and a verb of its own,
// that the first does not need.
func (l *leaving) tail(in []piece, i int) bool {
	if i < 3 || i+3 > len(in) || !l.ands[in[i].plain] || !l.harmless(in[i+1:]) ||
		!l.verbs[in[i+1].plain] {
		return false
	}
	return !slices.ContainsFunc(in[:i], func(p piece) bool {
		return l.pairing[p.plain] || isDenial(p.plain) || l.relatives[p.plain]
	})
}
