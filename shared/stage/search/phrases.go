package search

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"wstk/shared/lexicon"
	"wstk/shared/text"
	"wstk/shared/value"
)

//go:embed phrases.txt
var phraseFile string

//go:embed names.txt
var nameFile string

// keyOf returns a word as it is compared: in small letters, without accents.
func keyOf(s string) string {
	s = text.FoldCompare(s)
	if strings.IndexFunc(s, func(c rune) bool { return c >= 0x80 }) < 0 {
		return s
	}
	return strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			return -1
		}
		return c
	}, norm.NFD.String(s))
}

// phrases are the phrases of a family by their keys, and what each stands for.
type phrases struct {
	all   map[string]string
	first map[string]bool // words that begin one
	most  int             // words of the longest
}

func (p *phrases) add(phrase, meaning string) {
	if p.all == nil {
		p.all, p.first = map[string]string{}, map[string]bool{}
	}
	words := strings.Fields(keyOf(phrase))
	p.all[strings.Join(words, " ")], p.first[words[0]] = meaning, true
	p.most = max(p.most, len(words))
}

// language is what the rules know of a language that people ask in. The zero value is that
// of all languages that they do not know.
type language struct {
	code     string
	families map[string]phrases
	patterns map[string][][]string // how times are put together: names of families
	// articles and prepositions without their vowel, which are words; nil for none
	elided *regexp.Regexp
	marks  map[string]int // words that show this language, and how well
}

// vocabulary is phrases.txt and names.txt made ready.
type vocabulary struct {
	languages     []*language // in a fixed order; the first is English
	operators     map[string]string
	languageNames phrases
	countryNames  phrases
}

var words = sync.OnceValue(func() *vocabulary {
	return newVocabulary(lexicon.Parse(phraseFile), lexicon.Parse(nameFile))
})

// unmarked are families whose words show no language: war, hat and files are English, too.
var unmarked = map[string]bool{"question": true, "of language": true, "pronoun": true,
	"no name": true, "news": true, "belonging": true,
	"lettered": true, "operator": true, "per page": true}

func newVocabulary(l, names *lexicon.Lexicon) *vocabulary {
	v := &vocabulary{operators: map[string]string{}}
	for _, op := range l.Phrases("operator") {
		name, meaning, _ := strings.Cut(op, "=")
		v.operators[name] = meaning
	}
	v.languageNames, v.countryNames = named(names, "languages"), named(names, "countries")
	for _, code := range []string{"en", "de", "fr", "es", "it", "pt", "nl"} {
		v.languages = append(v.languages, newLanguage(l, code))
	}
	for _, a := range v.languages {
		for name := range a.marks {
			if !slices.ContainsFunc(v.languages, func(b *language) bool {
				return b != a && (b.marks[name] > 0 || isStop(name, b.code))
			}) {
				a.marks[name] = 3 // no other language has it
			}
		}
		for name := range a.families["news"].all { // files are also Dutch for jams
			a.marks[name] = max(a.marks[name], 1)
		}
	}
	return v
}

// named makes phrases of a family of codes and names; each code is a name as well.
func named(l *lexicon.Lexicon, family string) (p phrases) {
	for e := range l.Entries(family) {
		p.add(e.Phrase(), e.Lang())
	}
	return p
}

func newLanguage(l *lexicon.Lexicon, code string) *language {
	a := &language{code: code, families: map[string]phrases{}, patterns: map[string][][]string{},
		marks: map[string]int{}}
	if short := l.In(code, "elided"); len(short) > 0 {
		a.elided = regexp.MustCompile(`((?:^|[^\pL])(?:` + strings.Join(short, "|") + `))['’]`)
	}
	for _, f := range l.Families() {
		if strings.HasPrefix(f.Name, "counted") {
			for _, e := range f.Entries {
				a.patterns[f.Name] = append(a.patterns[f.Name], e[1:])
			}
			continue
		}
		var p phrases
		for _, phrase := range l.In(code, f.Name) {
			phrase, meaning, ok := strings.Cut(phrase, "=")
			if !ok {
				meaning = phrase
			}
			p.add(phrase, meaning)
			for mark := range strings.FieldsFuncSeq(keyOf(phrase), func(c rune) bool {
				return c == ' ' || c == '\''
			}) {
				if !unmarked[f.Name] {
					a.marks[mark] = 1
				}
			}
		}
		a.families[f.Name] = p
	}
	return a
}

// languageOf guesses the language in which s asks; asked, the language of the results, is
// believed where s says little, and English otherwise. It is the zero language if the
// rules do not know it.
func languageOf(s, asked string) *language {
	tokens := strings.FieldsFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.Is(unicode.M, c)
	})
	said := tokens
	if s != strings.ToUpper(s) { // AI is no French
		said = slices.DeleteFunc(slices.Clone(tokens), func(w string) bool {
			return w == strings.ToUpper(w)
		})
	}
	latin := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return !isLatin(w) })
	if 2*len(latin) < len(tokens) && !isLatin(s) {
		return &language{}
	}
	known := ""
	if len(tokens) > 3 { // of fewer, a single stop word decides
		known = text.DetectLanguage(s)
	}
	all := words().languages
	if known != "" && !slices.ContainsFunc(all, func(a *language) bool { return a.code == known }) {
		return &language{}
	}
	best, most := all[0], 0
	for _, a := range all {
		score := a.score(said)
		if a.code == asked {
			score += 3
		} else if a.code == "en" && isASCII(s) {
			// one word is soon one of another language, too: car, die
			score += 2
		}
		if a.code == known {
			score += 2
		}
		if score > most {
			best, most = a, score
		}
	}
	return best
}

// score counts what the words of a query show of the language.
func (a *language) score(said []string) (n int) {
	for _, w := range said {
		n += a.marks[keyOf(w)]
		if isStop(w, a.code) {
			n += 2
		}
		if value.Month(w, a.code) != 0 {
			n++
		}
	}
	return n
}

// isASCII reports whether all letters of s are ASCII.
func isASCII(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c >= 0x80 && unicode.IsLetter(c) }) < 0
}

// isLatin reports whether all letters of s are Latin.
func isLatin(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		return unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c)
	})
}

// isStop reports whether a word, or each part of one with hyphens, is a stop word of a
// language.
func isStop(w, lang string) bool {
	if lang == "" || !isLatin(w) {
		return false
	}
	for part := range strings.SplitSeq(w, "-") {
		tokens := text.Tokenize(part, lang)
		if len(tokens) == 0 || slices.ContainsFunc(tokens,
			func(t text.Token) bool { return !t.Stop }) {
			return false
		}
	}
	return true
}

// Phrases are looked up in the words of a query from here on.

// named returns what the longest phrase of p at word i stands for, and how many words it
// has; 0 if there is none.
func (r *reader) named(p phrases, i int) (meaning string, n int) {
	if p.most == 0 || !p.first[r.at(i)] {
		return "", 0
	}
	key := ""
	for k := i; k < min(i+p.most, len(r.words)) && r.free(i, k+1); k++ {
		if key += r.words[k].key; p.all[key] != "" {
			meaning, n = p.all[key], k+1-i
		}
		key += " "
	}
	return meaning, n
}

// has returns how many words from word i on are a phrase of one of the families, the
// longest of them; 0 if none are.
func (r *reader) has(i int, families ...string) (most int) {
	for _, f := range families {
		_, n := r.named(r.language.families[f], i)
		most = max(most, n)
	}
	return most
}

// skip passes over phrases of a family, at most three.
func (r *reader) skip(i int, family string) int {
	for range 3 {
		i += r.has(i, family)
	}
	return i
}

// pattern matches the families of a pattern one after the other from word i on, and
// returns where they end and what the phrases stand for; ok is false if they do not fit.
// A number may also be written in digits, and what has a question mark may be missing.
func (r *reader) pattern(i int, families []string) (end int, means map[string]string, ok bool) {
	means = map[string]string{}
	for _, f := range families {
		f, optional := strings.CutSuffix(f, "?")
		meaning, n := r.named(r.language.families[f], i)
		if key := r.at(i); n == 0 && f == "number" && key != "" && len(key) <= 3 &&
			strings.Trim(key, "0123456789") == "" {
			meaning, n = key, 1
		}
		if n == 0 && !optional {
			return 0, nil, false
		}
		if n > 0 {
			means[f] = meaning
		}
		i += n
	}
	return i, means, true
}
