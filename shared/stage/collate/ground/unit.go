package ground

import (
	"slices"
	"strings"
	"unicode"

	"wstk/shared/stage/collate/proposition"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
)

// unit is a statement or a Source, read.
type unit struct {
	words, lang string
	tokens      []token
	values      []value.Value
	cuts        []int // bytes at which a segment begins, but for the first
}

// token is a word of a unit.
type token struct {
	text.Range
	plain string // folded
	stem  string
	stop  bool // it says nothing by itself
	value int  // of which it is a part; -1 for none
	cell  int  // of whose label it is a part; -1 for words of the unit itself
}

func read(words, lang string) *unit {
	u := &unit{words: words, lang: lang, values: value.Find(words, lang)}
	at := -1
	for _, t := range text.Tokenize(words, lang) {
		if t.Start < at { // a version has tokens for its parts, too
			continue
		}
		if !unspaced(words[t.Start:t.End]) {
			at = t.End
		}
		raw := words[t.Start:t.End]
		plain := strings.TrimSuffix(strings.TrimSuffix(text.FoldCompare(raw), "'s"), "'")
		k := token{Range: text.Range{Start: t.Start, End: t.End}, plain: plain, stem: t.Text,
			value: u.valueAt(t.Start), cell: -1}
		k.stop = (t.Stop || proposition.Silent(plain) || light[plain] ||
			joins[plain]) && !adds[plain] &&
			!hasCapital(words, t.Start, lang)
		u.tokens = append(u.tokens, k)
	}
	u.cut()
	return u
}

func unspaced(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return text.Unspaced(r) })
}

// hasCapital reports whether the word at a byte begins with a capital within a sentence: an
// ordinary word that is written so is a name.
func hasCapital(s string, at int, lang string) bool {
	for _, r := range s[at:] {
		before := strings.TrimRight(s[:at], " \"'“”‘’(")
		return unicode.IsUpper(r) && before != "" && !strings.ContainsAny(before[len(before)-1:],
			".!?:\n\t") && text.Language(lang) != "de"
	}
	return false
}

// valueAt is the value that holds a byte; -1 for none.
func (u *unit) valueAt(at int) int {
	return slices.IndexFunc(u.values, func(v value.Value) bool {
		return v.Start <= at && at < v.End
	})
}

// cut finds where segments begin: behind signs and words that join clauses.
func (u *unit) cut() {
	for i, r := range u.words {
		if strings.ContainsRune(",;:—–()\t\n，；：、", r) && u.valueAt(i) < 0 {
			u.cuts = append(u.cuts, i)
		}
	}
	for i, r := range text.Sentences(u.words, u.lang) {
		if i > 0 {
			u.cuts = append(u.cuts, r.Start)
		}
	}
	for _, t := range u.tokens {
		if joins[t.plain] && t.value < 0 {
			u.cuts = append(u.cuts, t.Start)
		}
	}
	slices.Sort(u.cuts)
	u.cuts = slices.DeleteFunc(slices.Compact(u.cuts), func(at int) bool { return at == 0 })
}

// segments are the parts between the cuts.
func (u *unit) segments() (out []text.Range) {
	from := 0
	for _, at := range append(slices.Clone(u.cuts), len(u.words)) {
		if at > from {
			out = append(out, text.Range{Start: from, End: at})
			from = at
		}
	}
	return out
}

// segment is the number of the segment that holds a byte.
func (u *unit) segment(at int) (n int) {
	for _, c := range u.cuts {
		if c > at {
			break
		}
		n++
	}
	return n
}

// subject are the first words that say something, up to the next that does not.
func (u *unit) subject() string {
	from, to := -1, -1
	for _, t := range u.tokens {
		switch {
		case t.stop || t.value >= 0 || u.segment(t.Start) > 0:
			if from >= 0 {
				return u.words[from:to]
			}
		case from < 0:
			from, to = t.Start, t.End
		default:
			to = t.End
		}
	}
	if from < 0 {
		return ""
	}
	return u.words[from:to]
}

// counts reports whether a token says something that must be borne.
func (t token) counts() bool { return !t.stop && t.value < 0 && !isDenial(t.plain) }

// isDenial reports whether a folded word denies.
func isDenial(w string) bool {
	return wording.Negators[w] || denies[w] || strings.HasSuffix(w, "n't")
}

// isNumeral reports whether a word has a digit: a version, a name of a model.
func isNumeral(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) }
