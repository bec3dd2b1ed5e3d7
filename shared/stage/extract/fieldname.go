package extract

import (
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/value"
)

// beside takes a name that stands beside the words of the hint: "our treasurer is Dev Rao", "Dev
// Rao, treasurer", "the architect Hugo Lenz"; and, of a field of no known form, what "is" says.
func (r *proseReader) beside() {
	at, ok := r.hint()
	if !ok {
		return
	}
	if r.page.denies(r.s) {
		return
	}
	for _, n := range text.Names(r.s, r.page.lang) {
		for n.Start < n.End && r.ownWord(n.Start, n.End) > n.Start {
			n.Start = r.ownWord(n.Start, n.End)
		}
		if n.Start >= n.End {
			continue
		}
		between := ""
		switch {
		case n.Start >= at.end:
			between = r.s[at.end:n.Start]
		case n.End <= at.start:
			between = r.s[n.End:at.start]
			if strings.HasPrefix(between, ".") {
				continue
			}
		default:
			continue
		}
		if r.links(between) {
			r.give(0.6, value.Value{Range: n, Text: r.s[n.Start:n.End]})
			return
		}
	}
	if len(r.kinds) == 0 {
		r.says(at)
	}
}

// ownWord skips a first word of a name that belongs to the hint: "Architect Hugo Lenz".
func (r *proseReader) ownWord(start, end int) int {
	w := wordsOf(r.s[start:end])
	if len(w) == 0 {
		return end
	}
	for _, n := range namingsOf(w[0].text, r.page.lang) {
		if n.among(r.words) {
			if len(w) == 1 {
				return end
			}
			return start + w[1].start
		}
	}
	return start
}

// hint is where the words of the hint stand in the sentence, close together.
func (r *proseReader) hint() (at extent, ok bool) {
	const window = 6
	if !anyAmong(namingsOf(r.s, r.page.lang), r.words) {
		return extent{}, false
	}
	w := wordsOf(r.s)
	for i := range w {
		for n := 1; n <= window && i+n <= len(w); n++ {
			s := r.s[w[i].start:w[i+n-1].end]
			if b := r.bind(namingsOf(s, r.page.lang), nil, anyKind, ""); b.missing == 0 &&
				b.direct > 0 {
				return extent{w[i].start, w[i+n-1].end}, true
			}
		}
	}
	return extent{}, false
}

// links reports whether the words between a name and what it is say no more than that.
func (r *proseReader) links(between string) bool {
	if strings.ContainsAny(between, ";.!?") {
		return false
	}
	if strings.Count(between, ",") > 1 || len(between) > 60 {
		return false
	}
	for _, n := range namingsOf(between, r.page.lang) {
		if !n.among(r.about) && !digit(n.word) {
			return false
		}
	}
	return true
}

// says takes what stands behind "is": "The licence is MIT".
func (r *proseReader) says(at extent) {
	rest := r.s[at.end:]
	w := wordsOf(rest)
	i := 0
	for i < len(w) && slices.ContainsFunc(namingsOf(w[i].text, r.page.lang),
		func(n naming) bool { return n.among(r.about) }) {
		i++
	}
	if i >= len(w) || w[i].text != "is" && w[i].text != "are" && w[i].text != "ist" ||
		strings.ContainsAny(rest[:w[i].start], ",;.") {
		return
	}
	from := at.end + w[i].end + 1
	if from >= len(r.s) {
		return
	}
	end := len(r.s)
	if k := strings.IndexAny(r.s[from:], ",;."); k >= 0 {
		end = from + k
	}
	s := strings.TrimSpace(r.s[from:end])
	const most = 5
	if s == "" || len(strings.Fields(s)) > most || r.page.nothing(s) {
		return
	}
	start := from + strings.Index(r.s[from:], s)
	r.give(0.45, value.Value{Range: text.Range{Start: start, End: start + len(s)}, Text: s})
}

// places takes the place behind a verb that names the field: "is based in Selby", "takes place at
// Harbour Hall, Wick".
func (r *proseReader) places() {
	at, ok := r.hint()
	if !ok || r.page.denies(r.s) {
		return
	}
	names := text.Names(r.s, r.page.lang)
	for i, n := range names {
		if n.Start < at.end {
			continue
		}
		between := wordsOf(r.s[at.end:n.Start])
		if said := wordsOf(r.s[at.start:at.end]); len(between) == 0 {
			between = said[len(said)-1:]
		}
		if last := between[max(0, len(between)-1):]; len(last) > 0 && !slices.Contains(
			[]string{"in", "at", "on", "is", "the", "near"}, last[0].text) {
			return
		}
		end := n.End
		for _, m := range names[i+1:] {
			if strings.TrimSpace(r.s[end:m.Start]) == "," {
				end = m.End
			}
		}
		r.give(0.5, value.Value{Range: text.Range{Start: n.Start, End: end},
			Text: r.s[n.Start:end]})
		return
	}
}

func anyAmong(ns, os []naming) bool {
	return slices.ContainsFunc(ns, func(n naming) bool { return n.among(os) })
}
