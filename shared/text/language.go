package text

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// language is what Tokenize knows of a language: how words of each script are
// stemmed, and which are stop words (keys folded).
type language struct {
	code                    string
	latin, cyrillic, arabic func(*snowballstem.Env) bool // nil: not stemmed
	stop                    map[string]bool
	stopCyrillic            map[string]bool
	elides                  bool // l'eau is two words
	dotlessI                bool // I lowers to ı
}

// languages returns the languages by primary subtag, and the one that stands for "" and for
// languages of another script, so that an English word on a Russian or Chinese page has the tokens
// of the English word anywhere.
var languages = sync.OnceValues(buildLanguages)

func buildLanguages() (map[string]*language, *language) {
	stop := map[string]map[string]bool{}
	for e := range stopLexicon().Entries("stop words") {
		code, w := e.Lang(), e.Phrase()
		if stop[code] == nil {
			stop[code] = map[string]bool{}
		}
		// Tokenize joins hyphenated words and marks I'll and don't itself;
		// written without apostrophe, don't is a stop word and I'll is ill.
		if base, ok := strings.CutSuffix(w, "n't"); ok {
			stop[code][base+"nt"] = true
		} else if !strings.Contains(w, "'") {
			stop[code][foldWord(strings.ReplaceAll(w, "-", ""))] = true
		}
	}
	def := &language{latin: english.Stem, cyrillic: russian.Stem, arabic: arabic.Stem,
		stop: stop["en"], stopCyrillic: stop["ru"]}
	langs := map[string]*language{}
	add := func(code string, change func(l *language)) {
		l := *def
		l.code = code
		change(&l)
		langs[code] = &l
	}
	add("en", func(l *language) {})
	for code, stem := range map[string]func(*snowballstem.Env) bool{
		"es": spanish.Stem, "fr": french.Stem, "de": german.Stem, "it": italian.Stem,
		"pt": portuguese.Stem, "nl": dutch.Stem,
		"sv": swedish.Stem, "no": norwegian.Stem, "nb": norwegian.Stem, "nn": norwegian.Stem,
		"da": danish.Stem, "fi": finnish.Stem,
		"hu": hungarian.Stem, "tr": turkish.Stem, "ro": romanian.Stem,
		// Latin script, no stemmer here: words stay whole.
		"pl": nil, "cs": nil, "sk": nil, "sl": nil, "hr": nil, "bs": nil, "lt": nil, "lv": nil,
		"et": nil, "sq": nil, "vi": nil, "id": nil,
		"ms": nil, "ca": nil, "gl": nil, "eu": nil, "is": nil, "ga": nil, "cy": nil, "mt": nil,
		"sw": nil, "tl": nil, "af": nil, "az": nil,
		"eo": nil, "la": nil, "lb": nil, "fo": nil, "uz": nil,
	} {
		add(code, func(l *language) {
			l.latin = stem
			l.stop = stop[code]
			if code == "nb" || code == "nn" {
				l.stop = stop["no"]
			}
			l.elides = code == "fr" || code == "it" || code == "ca"
			l.dotlessI = code == "tr" || code == "az"
		})
	}
	// Cyrillic and Arabic script, other languages than Russian and Arabic.
	for _, code := range strings.Fields("uk bg sr mk be kk ky mn tg") {
		add(code, func(l *language) { l.cyrillic, l.stopCyrillic = nil, nil })
	}
	for _, code := range strings.Fields("fa ur ps ckb sd ug") {
		add(code, func(l *language) { l.arabic = nil })
	}
	return langs, def
}

// languageOf returns the language of a BCP 47 tag, never nil.
func languageOf(tag string) *language {
	known, other := languages()
	if l, ok := known[tag]; ok {
		return l
	}
	if l, ok := known[Language(tag)]; ok {
		return l
	}
	return other
}

// Language returns the first subtag of a language tag in lower case.
func Language(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(strings.TrimSpace(tag))
}

// Region returns the region of a language tag in upper case: "US" of en-US and
// of en-Latn-US, "" of en.
func Region(tag string) string {
	parts := strings.FieldsFunc(tag, func(r rune) bool { return r == '-' || r == '_' })
	for _, p := range parts[min(1, len(parts)):] {
		if len(p) == 2 {
			return strings.ToUpper(p)
		}
		if len(p) == 1 { // an extension begins
			break
		}
	}
	return ""
}
