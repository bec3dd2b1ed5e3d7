package extract

import (
	_ "embed"
	"strings"

	"wstk/shared/lexicon"
	"wstk/shared/text"
	"wstk/shared/value"
)

//go:embed fields.txt
var fieldsFile string

// exclusiveWords are the group and the field that a word names, see fields.txt.
var exclusiveWords = exclusiveOf(lexicon.Parse(fieldsFile))

func exclusiveOf(l *lexicon.Lexicon) map[string][2]string {
	out := map[string][2]string{}
	for e := range l.Entries("exclusive") {
		if len(e) == 4 {
			out[e[3]] = [2]string{e[1], e[2]}
		}
	}
	return out
}

// fieldsIn are the fields that words name, by their group.
func fieldsIn(words string) map[string]string {
	out := map[string]string{}
	for _, w := range wordsOf(words) {
		if x, ok := exclusiveWords[w.text]; ok && out[x[0]] == "" {
			out[x[0]] = x[1]
		}
	}
	return out
}

// excludes reports whether words name another field of a group than the hint does, or a field
// of a group where only the hint, or only the words, name one. A plain "phone" may be a mobile.
func (f *field) excludes(words string) bool {
	have := fieldsIn(words)
	for group, name := range f.exclusive {
		if have[group] != name {
			return true
		}
	}
	for group, name := range have {
		if f.exclusive[group] == "" && !plainly[name] {
			return true
		}
	}
	return false
}

// plainly are fields whose value is also one of the plain name: a mobile is a phone.
var plainly = map[string]bool{"mobile": true, "landline": true, "opening": true, "closing": true,
	"stable": true, "support": true, "sales": true, "postal": true,
	"visitor": true, "arrival": true,
	"departure": true, "press": true, "jobs": true, "billing": true}

// binds reports whether a sentence says that a value in it is one of the field: it holds a
// whole name of the field, or all words of a hint that no page is known to word otherwise.
func (f *field) binds(sentence, lang string) bool {
	if f.excludes(sentence) {
		return false
	}
	folded := " " + strings.Join(plainWords(sentence), " ") + " "
	for _, label := range f.labels {
		if strings.Contains(folded, " "+strings.Join(plainWords(label), " ")+" ") {
			return true
		}
	}
	have := map[string]bool{}
	for _, t := range text.Tokenize(sentence, lang) {
		have[t.Text] = true
	}
	said := 0
	for _, t := range text.Tokenize(f.labels[0], lang) {
		switch {
		case t.Stop || kindStems[t.Text]:
		case have[t.Text]:
			said++
		default:
			return false
		}
	}
	return said > 0
}

// bound is the first of several values of a sentence whose clause binds it to the field, with
// that clause; else the first value with the whole sentence.
func (f *field) bound(s string, vs []value.Value, lang string) (value.Value, string) {
	from := 0
	for i, v := range vs {
		end := len(s)
		if i+1 < len(vs) {
			end = vs[i+1].Start
		}
		if cut := strings.IndexAny(s[v.End:end], ",;·|"); cut >= 0 {
			end = v.End + cut
		} else if i+1 < len(vs) {
			end = v.End
		}
		if clause := s[min(from, v.Start):end]; f.binds(clause, lang) {
			return v, clause
		}
		from = end
	}
	return vs[0], s
}

// withoutKind is a folded label without the words that only name the kind of its value.
func withoutKind(label string) string {
	var out []string
	for _, w := range strings.Fields(label) {
		if ts := text.Tokenize(w, "en"); len(ts) == 0 || !kindStems[ts[0].Text] {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// kindStems are stems of words that only name the kind of a value.
var kindStems = func() map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Tokenize("phone telephone number email e-mail mail address url link "+
		"page price cost fee date time", "en") {
		out[t.Text] = true
	}
	return out
}()

func plainWords(s string) (out []string) {
	for _, w := range wordsOf(strings.ReplaceAll(s, "_", " ")) {
		out = append(out, w.text)
	}
	return out
}
