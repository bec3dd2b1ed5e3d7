package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
)

// Names reports whether a field is what the page calls the words at x.
func (x Place) Names(field string) bool {
	if slices.ContainsFunc(x.things, func(prop string) bool { return !shows(field, prop) }) {
		return false
	}
	labels := append(slices.Clone(x.Labels), x.Section...)
	if slices.Contains(labels, field) {
		return true
	}
	if !holdsField(x.Beside+" "+strings.Join(labels, " "), field) {
		return false
	}
	folded := text.FoldCompare(field)
	return !withinRun(text.FoldCompare(x.Beside), folded) &&
		!deniedWithin(text.FoldCompare(x.Beside), folded) &&
		!slices.ContainsFunc(labels, func(label string) bool {
			return deniedWithin(text.FoldCompare(label), folded) || curtails(label, field)
		})
}

// withinRun reports whether words stand in s, and only as a part of a longer run of
// letters: in scripts that are written without spaces what is joined to them may deny them.
func withinRun(s, words string) bool {
	found := false
	for at := range text.Places(s, words) {
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(words):])
		if !unicode.In(before, unicode.L, unicode.M) && !unicode.In(after, unicode.L, unicode.M) {
			return false
		}
		found = true
	}
	return found
}

// holdsField reports whether words hold those of a field, and its signs.
func holdsField(around, field string) bool {
	have := map[string]bool{}
	for _, t := range text.Tokenize(around, "") {
		have[t.Text] = true
	}
	names := false
	for _, t := range text.Tokenize(strings.ReplaceAll(field, "_", " "), "") {
		if !have[t.Text] && !plainWords[t.Text] {
			return false // "not the price" is no price, though only price says what it is of
		}
		names = names || !t.Stop
	}
	return names && signsOf(field, around) == ""
}

// signsOf are the signs of s, except for punctuation, that other words lack.
func signsOf(s, others string) string {
	return strings.Map(func(r rune) rune {
		if r == '%' || r == '‰' || r == '*' || unicode.Is(unicode.Mn, r) ||
			unicode.IsSymbol(r) && r != '`' && r != '^' && r != '|' {
			if !strings.ContainsRune(others, r) {
				return r
			}
		}
		return -1
	}, s)
}

// curtails reports whether a field is of a label and leaves out of it what turns it round,
// limits it, or says in what it is measured.
func curtails(label, field string) bool {
	kept, of := map[string]bool{}, false
	for _, t := range text.Tokenize(strings.ReplaceAll(field, "_", " "), "") {
		kept[t.Text] = true
	}
	left := []string{}
	for _, t := range text.Tokenize(label, "") {
		if kept[t.Text] {
			of = of || !t.Stop
			continue
		}
		left = append(left, text.FoldCompare(label[t.Start:t.End]))
	}
	return of && (signsOf(label, field) != "" || slices.ContainsFunc(left, func(w string) bool {
		return turns(w) || parting[w] || wording.Numeric(w) || isMeasure(w)
	}))
}

// parting are words of a label that make it another thing than the label without them.
var parting = wording.Set("low high gross net total sub other former next")

// turns reports whether a folded word denies, doubts, limits or bounds what stands with it.
func turns(w string) bool {
	return wording.Negators[w] || deniers[w] || limiters[w] || wording.Limits[w] ||
		wording.BoundWords[w] || holdsTaker(w)
}

// isMeasure reports whether a word behind a number says what is counted, or by what: kg,
// EUR, millions.
func isMeasure(w string) bool {
	const number = "3 "
	return slices.ContainsFunc(value.Find(number+w, ""), func(v value.Value) bool {
		return v.End == len(number)+len(w)
	})
}
