package extract

import (
	"slices"
	"strings"

	"wstk/shared/lexicon"
)

// fieldsIn are the fields that words name, by their group.
func fieldsIn(words string) map[string]string {
	var all []string
	for _, w := range wordsOf(words) {
		all = append(all, w.text)
	}
	return lexicon.ExclusiveFields(all)
}

// excludes reports whether words name another field of a group than the hint does, or a field
// of a group where the hint names none. A plain "phone" may be a mobile.
func (f *field) excludes(words string) bool {
	for group, name := range fieldsIn(words) {
		switch own := f.exclusive[group]; {
		case own == "" && !lexicon.Plainly(name), own != "" && own != name:
			return true
		}
	}
	return false
}

// binding says how well words bind a value to a field.
type binding struct {
	direct   int // words of the hint that the label or the clause has
	supplied int // that only what surrounds it has
	shown    int // that the form of the value shows
	missing  int
	asked    int      // words of the label that change nothing, or that what is asked about has
	extra    []naming // of the label or clause, that the hint and what is asked about have not
}

// bind compares a hint with a label or a clause, and with what surrounds it, for a value of a
// kind, and in a unit if it is a quantity.
func (f *field) bind(label, around []naming, k kind, unit string) (b binding) {
	for _, n := range f.words {
		switch {
		case n.among(label):
			b.direct++
		case n.shownBy(k, unit) && !f.only(n):
			b.shown++
		case n.among(around):
			b.supplied++
		case n.shownBy(k, unit):
			b.shown++
		case len(f.words) > 2 && fieldWords().optional[n.word]:
			b.shown++
		default:
			b.missing++
		}
	}
	for _, n := range label {
		switch {
		case n.among(f.words), n.aside, n.shownBy(k, unit):
		case n.soft, n.among(f.about):
			b.asked++
		default:
			b.extra = append(b.extra, n)
		}
	}
	return b
}

// only reports whether a naming is all that a hint has.
func (f *field) only(n naming) bool { return len(f.words) == 1 }

// score is how surely a label binds its value to a field, 0 to 1; 0 if it does not.
func (b binding) score(f *field) float64 {
	own := b.direct + b.supplied
	switch {
	case b.missing > 0 || b.direct == 0, own == 0:
		return 0
	case len(b.extra) > 1, len(b.extra) == 1 && (len(f.words) < 2 || b.supplied > 0),
		b.supplied > 0 && b.asked > 0,
		slices.ContainsFunc(b.extra, func(n naming) bool { return n.fields != nil }):
		return 0
	}
	return 1 - 0.1*float64(b.supplied) - 0.3*float64(len(b.extra)) - 0.02*float64(b.shown)
}

// past reports whether words say that something was so, and is no more.
func past(s string) bool {
	w := wordsOf(s)
	for i := range w {
		for n := min(longestPhrase, len(w)-i); n > 0; n-- {
			if fieldWords().past[phraseAt(w, i, n)] {
				return true
			}
		}
	}
	return len(w) > 1 && (w[0].text == "until" || w[0].text == "bis") && !strings.Contains(s, ":0")
}

// nothing reports whether a value says that there is none.
func (p *page) nothing(s string) bool {
	s = strings.TrimSpace(s)
	w := wordsOf(s)
	if len(w) == 0 {
		return strings.IndexFunc(s, isCurrency) < 0
	}
	var all []string
	for _, x := range w {
		all = append(all, x.text)
	}
	return fieldWords().nothing[strings.Join(all, " ")] || p.words["denies"][w[0].text] ||
		strings.HasPrefix(strings.ToLower(s), "n/a")
}

func isCurrency(r rune) bool { return r >= '0' && r <= '9' || strings.ContainsRune("€$£¥", r) }

// bounded are no denials, though they begin with one.
var bounded = strings.NewReplacer("no more than", "", "no less than", "", "no later than", "",
	"not only", "", "not more than", "", "without", "")

// denies reports whether words deny something.
func (p *page) denies(s string) bool {
	s = bounded.Replace(strings.ToLower(s))
	return slices.ContainsFunc(wordsOf(s),
		func(w word) bool { return p.words["denies"][w.text] })
}
