package ground

import (
	_ "embed"
	"strings"

	"wstk/shared/lexicon"
	"wstk/shared/text"
	"wstk/shared/value"
)

//go:embed translated.txt
var translatedFile string

// side is what a word says in any language: a day, "all", "more".
type side struct{ family, group, name string }

// sides of a language by word, and those of its phrases of several words.
type sided struct {
	words   map[string][]side
	phrases map[string]side
}

// sidesOf are the tables of translated.txt by language.
var sidesOf = func() map[string]*sided {
	out := map[string]*sided{}
	l := lexicon.Parse(translatedFile)
	for _, f := range l.Families() {
		for _, e := range f.Entries {
			of := out[e.Lang()]
			if of == nil {
				of = &sided{map[string][]side{}, map[string]side{}}
				out[e.Lang()] = of
			}
			s := side{f.Name, e[1], e[2]}
			if w := text.FoldCompare(e.Phrase()); strings.ContainsAny(w, " -") {
				of.phrases[strings.ReplaceAll(w, "-", " ")] = s
			} else {
				of.words[w] = append(of.words[w], s)
			}
		}
	}
	return out
}()

// said are the sides that words have, by group: for each the range that says it first. Words within
// values say nothing here.
func said(words, lang string) map[string]map[side]text.Range {
	out := map[string]map[side]text.Range{}
	of := sidesOf[text.Language(lang)]
	if of == nil {
		return out
	}
	add := func(s side, r text.Range) {
		if out[s.group] == nil {
			out[s.group] = map[side]text.Range{}
		}
		if _, is := out[s.group][s]; !is {
			out[s.group][s] = r
		}
	}
	values := value.Find(words, lang)
	var plain strings.Builder
	for _, r := range pieceForm.FindAllStringIndex(words, -1) {
		w := text.FoldCompare(words[r[0]:r[1]])
		plain.WriteString(" " + w)
		for _, v := range values {
			if v.Start <= r[0] && r[0] < v.End {
				w = ""
			}
		}
		for _, s := range of.words[w] {
			add(s, text.Range{Start: r[0], End: r[1]})
		}
	}
	folded := strings.ReplaceAll(plain.String(), " - ", " ") + " "
	for phrase, s := range of.phrases {
		if strings.Contains(folded, " "+phrase+" ") {
			add(s, text.Range{Start: 0, End: len(words)})
		}
	}
	return out
}

// turnedSense are the ranges of a translation that say what its quote does not, as far as the tables
// of translated.txt reach; all of it, where it leaves out what limits its quote.
func turnedSense(claim, lang, source, sourceLang string) (out []text.Range) {
	if sidesOf[text.Language(lang)] == nil || sidesOf[text.Language(sourceLang)] == nil {
		return nil
	}
	mine, theirs := said(claim, lang), said(source, sourceLang)
	for group, sides := range mine {
		for s, at := range sides {
			_, same := theirs[group][s]
			if !same && (s.family == "days" || s.family == "strong" || len(theirs[group]) > 0) {
				out = append(out, at)
			}
		}
	}
	for group, sides := range theirs {
		for s := range sides {
			if len(mine[group]) == 0 && (s.family == "weak" || s.family == "days") {
				out = append(out, text.Range{Start: 0, End: len(claim)})
			}
		}
	}
	return out
}

// otherOrder reports whether two names that a statement and a source have once each have changed
// places.
func otherOrder(claim, source string, names []text.Range) bool {
	last := -1
	for _, r := range names {
		name := claim[r.Start:r.End]
		places := text.Occurrences(source, name)
		if len(places) != 1 || len(text.Occurrences(claim, name)) != 1 {
			continue
		}
		if places[0].Start < last {
			return true
		}
		last = places[0].Start
	}
	return false
}
