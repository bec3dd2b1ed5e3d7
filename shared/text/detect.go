package text

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxDetected is how much of a text DetectLanguage reads, in bytes.
const maxDetected = 16 << 10

// DetectLanguage guesses the language of s, an ISO 639-1 code, by script, by
// letters that few languages use and by stop words. It returns "" when the signs
// are few or point to several languages; a page's own lang attribute knows
// better. It reads the first 16 KiB.
func DetectLanguage(s string) string {
	if len(s) > maxDetected {
		s = s[:maxDetected]
	}
	letters, count, special := countLetters(s)
	most := func(w string) bool { return 2*count[w] > letters }
	switch {
	case letters < 2:
		return ""
	case count["ja"] > 0 && 2*(count["ja"]*3+count["zh"]) > letters && !most("ko"):
		return "ja"
	case most(inArabic):
		return firstTold(arabicTells, special, "ar")
	case most(inCyrillic):
		if lang := firstTold(cyrillicTells, special, ""); lang != "" {
			return lang
		}
		return byStopWords(s, special, map[string]bool{"ru": true, "bg": true})
	case most(inLatin):
		return byStopWords(s, special, nil)
	}
	for w := range count {
		if w != "" && most(w) {
			return w
		}
	}
	return ""
}

// countLetters counts the letters of s: all, by what writing says by itself, and those
// outside ASCII of writings that several languages use.
func countLetters(s string) (letters int, count map[string]int, special map[rune]int) {
	count, special = map[string]int{}, map[rune]int{}
	for _, r := range s {
		if r < utf8.RuneSelf {
			if r|0x20 >= 'a' && r|0x20 <= 'z' {
				count[inLatin]++
				letters++
			}
		} else if unicode.IsLetter(r) {
			letters++
			w := writingOf(r)
			if count[w]++; w == inLatin || w == inCyrillic || w == inArabic {
				special[unicode.ToLower(r)]++
			}
		}
	}
	return letters, count, special
}

// Writings of several languages. Others are called by their one language.
const (
	inLatin    = "Latin"
	inCyrillic = "Cyrillic"
	inArabic   = "Arabic"
)

// writingOf returns the writing of a letter beyond ASCII, "" for one that says nothing.
func writingOf(r rune) string {
	switch scriptOf(r) {
	case scriptLatin:
		return inLatin
	case scriptCyrillic:
		return inCyrillic
	case scriptArabic:
		return inArabic
	case scriptGreek:
		return "el"
	}
	for _, b := range blocks {
		if r >= b.from && r < b.to {
			return b.lang
		}
	}
	switch {
	case scriptOf(r) == scriptHangul:
		return "ko"
	case unicode.Is(unicode.Han, r):
		return "zh"
	}
	return ""
}

// blocks are the letters of one language, as Unicode orders them.
var blocks = []struct {
	from, to rune
	lang     string
}{
	{0x530, 0x590, "hy"}, {0x590, 0x600, "he"}, {0x900, 0x980, "hi"},
	{0x980, 0xA00, "bn"}, {0xA00, 0xA80, "pa"}, {0xA80, 0xB00, "gu"}, {0xB00, 0xB80, "or"},
	{0xB80, 0xC00, "ta"},
	{0xC00, 0xC80, "te"}, {0xC80, 0xD00, "kn"}, {0xD00, 0xD80, "ml"}, {0xD80, 0xE00, "si"},
	{0xE00, 0xE80, "th"},
	{0xE80, 0xF00, "lo"}, {0xF00, 0x1000, "bo"}, {0x1000, 0x10A0, "my"}, {0x10A0, 0x1100, "ka"},
	{0x1200, 0x13A0, "am"},
	{0x1780, 0x1800, "km"}, {0x3041, 0x3100, "ja"},
}

// told is a language that letters of a shared writing point to, where none of those stand
// that it lacks. Rows are asked in order.
type told struct{ lang, letters, lacks string }

var (
	arabicTells   = []told{{"ur", "ٹڈڑےں", ""}, {"fa", "پچگژیک", ""}}
	cyrillicTells = []told{{"uk", "іїєґ", "ўы"}, {"be", "ў", ""},
		{"sr", "ђћџљњ", ""}, {"ru", "ыэё", ""}}
)

// firstTold returns the first language of which letters stand in a text, else other.
func firstTold(rows []told, special map[rune]int, other string) string {
	stands := func(letters string) bool {
		return strings.ContainsFunc(letters, func(r rune) bool { return special[r] > 0 })
	}
	for _, t := range rows {
		if stands(t.letters) && !stands(t.lacks) {
			return t.lang
		}
	}
	return other
}

// tells are letters that point to a language when stop words leave a doubt.
var tells = map[string]string{
	"es": "ñ¿¡", "fr": "çêèàùœëîô", "de": "ßäöü", "pt": "ãõçêâ", "it": "èàòùì", "sv": "åäö",
	"no": "åøæ", "da": "åøæ", "fi": "äö",
	"hu": "őűáéö", "tr": "ğışçöü", "ro": "ăâîșțşţ", "pl": "łżźśćńęą", "cs": "řěůčšžýá", "nl": "ë",
}

// stopOf maps a stop word to the languages that have it.
var stopOf = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for e := range stopLexicon().Entries("stop words") {
		m[e.Phrase()] = append(m[e.Phrase()], e.Lang())
	}
	return m
})

// byStopWords chooses the language whose stop words are most frequent in s; only bounds
// the choice where it is not nil.
func byStopWords(s string, special map[rune]int, only map[string]bool) string {
	score, hits, words := stopWordScores(s, only)
	for lang, letters := range tells {
		for _, r := range letters {
			if only == nil {
				score[lang] += 0.3 * float64(min(special[r], 5))
			}
		}
	}
	best, second := "", ""
	for lang := range hits {
		switch {
		case best == "" || score[lang] > score[best] || score[lang] == score[best] && lang < best:
			best, second = lang, best
		case second == "" || score[lang] > score[second]:
			second = lang
		}
	}
	few := best == "" || hits[best] < 2 && words > 3 || float64(hits[best]) < 0.12*float64(words)
	if few || second != "" && score[best] < 1.15*score[second] {
		return ""
	}
	return best
}

// stopWordScores counts the stop words of each language in s. A word of many languages
// says little about any, so it scores a part for each.
func stopWordScores(
	s string, only map[string]bool,
) (score map[string]float64, hits map[string]int, words int) {
	known := stopOf()
	score, hits = map[string]float64{}, map[string]int{}
	parts := func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\'' && !unicode.Is(unicode.M, r)
	}
	at := 0
	for _, w := range strings.FieldsFunc(s, parts) {
		at += strings.Index(s[at:], w)
		before := strings.TrimRight(s[:at], " \u00a0")
		at += len(w)
		unit := len(w) == 1 && before != "" && before[len(before)-1] >= '0' &&
			before[len(before)-1] <= '9' // 1,500 m is no French "m'"
		if len(w) > 24 || unit {
			continue
		}
		words++
		langs := known[strings.ToLower(w)]
		for _, lang := range langs {
			if only == nil || only[lang] {
				score[lang] += 1 / float64(len(langs))
				hits[lang]++
			}
		}
	}
	return score, hits, words
}
