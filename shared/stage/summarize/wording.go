package summarize

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
	"wstk/shared/lexicon"
)

// wording holds the words by which a page offers, asks and calls, in one
// language. They are in phrases.txt.
type wording struct {
	offer    phrases // in a sentence
	offering phrases // in a heading: what is listed below is on offer
	ask      phrases
	call     phrases // at the beginning of a link or a line
}

// phrases are lower case; a trailing * stands for any ending. They are kept by
// their first letter, so that a sentence is gone through once however many
// there are.
type phrases map[rune][]string

func (ps phrases) add(list []string) {
	for _, p := range list {
		r, _ := utf8.DecodeRuneInString(p)
		ps[r] = append(ps[r], p)
	}
}

// find returns the byte offset of the first phrase that stands in s as whole
// words; s is lower case, see lower.
func (ps phrases) find(s string) (int, bool) {
	before := rune(' ')
	for i, r := range s {
		if unspaced(r) || !wordy(before) {
			for _, p := range ps[r] {
				stem, open := strings.CutSuffix(p, "*")
				if strings.HasPrefix(s[i:], stem) && (open || ends(s, i+len(stem))) {
					return i, true
				}
			}
		}
		before = r
	}
	return 0, false
}

// lower is the lower-case form of s with every code point where it was: one
// whose lower case has another length is left alone.
func lower(s string) string {
	if !utf8.ValidString(s) {
		return s // Map would make three bytes of one
	}
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}

func ends(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	if unspaced(r) {
		return true
	}
	r, _ = utf8.DecodeRuneInString(s[i:])
	return !wordy(r)
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// unspaced reports whether r belongs to a script that puts no spaces between words.
func unspaced(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

//go:embed phrases.txt
var phraseFile string

var phraseLexicon = sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Parse(phraseFile) })

var wordingCache sync.Map // language → wording

// wordingOf returns the words of lang (BCP 47) with the English ones, which turn
// up on pages of any language.
func wordingOf(lang string) wording {
	lang, _, _ = strings.Cut(lang, "-")
	l := phraseLexicon()
	if len(l.In(lang, "offer")) == 0 {
		lang = "en"
	}
	if w, ok := wordingCache.Load(lang); ok {
		return w.(wording)
	}
	of := func(family string) phrases {
		ps := phrases{}
		ps.add(l.In(lang, family))
		if lang != "en" {
			ps.add(l.In("en", family))
		}
		return ps
	}
	w := wording{of("offer"), of("offering"), of("ask"), of("call")}
	wordingCache.Store(lang, w)
	return w
}
