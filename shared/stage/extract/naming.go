package extract

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"wstk/shared/lexicon"
	"wstk/shared/text"
	"wstk/shared/text/related"
)

//go:embed fields.txt
var fieldsFile string

// A hint, a label and a sentence are read as namings: the fields that their words name, and the
// words that name none.
type naming struct {
	fields []string // that a phrase may name; nil for other words
	stem   string
	word   string
	aside  bool // in parentheses
	soft   bool // it changes nothing about what a label names
}

// fieldLists are the words of fields.txt, and the attributes of shared/lexicon.
type fieldLists struct {
	phrases map[string][]string // fields by a phrase, or by the stem of a word
	kinds   map[string]kind     // of the values of fields
	named   map[string]bool     // fields that are no mere modifiers
	units   map[string][]string // of measures
	data    map[string][]string // names in structured data
	neutral map[string]bool
	soft    map[string]bool
	// words of a hint of three and more that a page need not have
	optional map[string]bool
	back     map[string]bool // they point to who was named before
	past     map[string]bool
	nothing  map[string]bool
}

// kindsOfFields are the kinds of value as fields.txt names them.
var kindsOfFields = map[string]kind{"measure": amountKind, "count": countKind, "money": moneyKind,
	"percent": percentKind, "time": timeKind, "date": dateKind, "duration": durationKind,
	"phone": phoneKind, "email": emailKind, "url": urlKind, "version": versionKind,
	"person": personKind, "maker": personKind, "place": placeKind, "address": placeKind}

var fieldWords = sync.OnceValue(func() *fieldLists {
	return fieldListsOf(lexicon.Parse(fieldsFile).And(lexicon.Attributes()))
})

func fieldListsOf(l *lexicon.Lexicon) *fieldLists {
	out := &fieldLists{phrases: map[string][]string{}, kinds: map[string]kind{},
		named: map[string]bool{}, units: map[string][]string{}, data: map[string][]string{},
		neutral: l.Set("neutral"), soft: l.Set("soft"),
		optional: l.Set("optional"), back: l.Set("back"),
		past: l.Set("past"), nothing: l.Set("nothing")}
	put := func(phrase, field string) {
		if !slices.Contains(out.phrases[phrase], field) {
			out.phrases[phrase] = append(out.phrases[phrase], field)
		}
	}
	for _, family := range []string{"fields", "attributes"} {
		for e := range l.Entries(family) {
			if len(e) != 4 {
				continue
			}
			put(e[3], e[1])
			if !strings.Contains(e[3], " ") {
				put(stemOf(e[3], e.Lang()), e[1])
			}
			out.named[e[1]] = out.named[e[1]] || e[2] != "-"
			if k, ok := kindsOfFields[e[2]]; ok {
				out.kinds[e[1]] = k
			}
		}
	}
	for e := range l.Entries("units") {
		out.units[e[2]] = append(out.units[e[2]], e[1])
	}
	for e := range l.Entries("data") {
		out.data[e[1]] = append(out.data[e[1]], e[2])
	}
	return out
}

func stemOf(word, lang string) string {
	if ts := text.Tokenize(word, lang); len(ts) == 1 {
		return ts[0].Text
	}
	return word
}

// namingsOf reads words. Those that change nothing about what is named are left out.
func namingsOf(s, lang string) (out []naming) {
	lists := fieldWords()
	s = strings.ReplaceAll(s, "_", " ")
	w := wordsOf(s)
	for i := 0; i < len(w); {
		n := min(longestPhrase, len(w)-i)
		for ; n > 0; n-- {
			if fields := lists.phrases[phraseAt(w, i, n)]; fields != nil {
				phrase := phraseAt(w, i, n)
				out = append(out, naming{fields: fields, word: phrase, stem: stemOf(phrase, lang),
					aside: inParentheses(s, w[i].start), soft: lists.soft[phrase]})
				break
			}
		}
		if n == 0 {
			out = append(out, plainNaming(w[i].text, lang, inParentheses(s, w[i].start))...)
		}
		i += max(n, 1)
	}
	return out
}

// plainNaming reads a word that stands in no list as it is.
func plainNaming(w, lang string, aside bool) []naming {
	lists := fieldWords()
	if lists.neutral[w] || auxiliaries[w] || determiners[w] {
		return nil
	}
	stem := stemOf(w, lang)
	if ts := text.Tokenize(w, lang); len(ts) == 1 && ts[0].Stop {
		return nil
	}
	return []naming{{fields: lists.phrases[stem], stem: stem, word: w, aside: aside,
		soft: lists.soft[w]}}
}

// inParentheses reports whether a byte of s is in parentheses.
func inParentheses(s string, at int) bool {
	return strings.Count(s[:at], "(") > strings.Count(s[:at], ")")
}

// closeWords is how closely words are related that name the same.
const closeWords = 0.8

// is reports whether two namings name the same.
func (n naming) is(o naming) bool {
	for _, f := range n.fields {
		if slices.Contains(o.fields, f) {
			return true
		}
	}
	if n.stem == o.stem || sameStem(n.stem, o.stem) {
		return true
	}
	if n.fields != nil || o.fields != nil {
		return false
	}
	for _, r := range related.Of(n.word) {
		if r.Weight >= closeWords && stemOf(r.Text, "en") == o.stem {
			return true
		}
	}
	return false
}

// among reports whether one of some namings names the same.
func (n naming) among(os []naming) bool { return slices.ContainsFunc(os, n.is) }

// shown are fields whose name a value of their kind shows by itself: an address with an @ is an
// e-mail address.
var shown = map[string]bool{"phone": true, "e-mail": true, "website": true, "price": true,
	"date": true, "time": true, "latest version": true, "duration": true,
	"opening hours": true, "interest": true, "content": true}

// shownBy reports whether a value of a kind shows by itself what is named: an amount by its unit,
// if that is the unit of one measure only.
func (n naming) shownBy(k kind, unit string) bool {
	lists := fieldWords()
	return slices.ContainsFunc(n.fields, func(f string) bool {
		return shown[f] && lists.kinds[f] == k ||
			unit != "" && unit != "m" && slices.Contains(lists.units[f], unit)
	})
}

// hintNamings reads a hint, of which every word counts that does.
func hintNamings(label string) []naming {
	out := namingsOf(label, "en")
	for i := range out {
		out[i].soft = false
	}
	return out
}

// sameStem reports whether two words differ by an ending of one or two letters only.
func sameStem(a, b string) bool {
	if a == b {
		return true
	}
	n := min(len(a), len(b))
	if n < 4 || max(len(a), len(b))-n > 2 {
		return false
	}
	return a[:n] == b[:n]
}
