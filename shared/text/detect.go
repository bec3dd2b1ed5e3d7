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
	var n struct{ latin, cyrillic, arabic, greek, hebrew, deva, han, kana, hangul, thai, letters int }
	other := map[string]int{}
	special := map[rune]int{} // letters outside ASCII
	for _, r := range s {
		if r < utf8.RuneSelf {
			if r|0x20 >= 'a' && r|0x20 <= 'z' {
				n.latin++
				n.letters++
			}
			continue
		}
		if !unicode.IsLetter(r) {
			continue
		}
		n.letters++
		switch {
		case scriptOf(r) == scriptLatin:
			n.latin++
			special[unicode.ToLower(r)]++
		case scriptOf(r) == scriptCyrillic:
			n.cyrillic++
			special[unicode.ToLower(r)]++
		case scriptOf(r) == scriptArabic:
			n.arabic++
			special[r]++
		case scriptOf(r) == scriptGreek:
			n.greek++
		case r >= 0x590 && r < 0x600:
			n.hebrew++
		case r >= 0x900 && r < 0x980:
			n.deva++
		case r >= 0x3041 && r < 0x3100:
			n.kana++
		case scriptOf(r) == scriptHangul:
			n.hangul++
		case r >= 0xE00 && r < 0xE80:
			n.thai++
		case unicode.Is(unicode.Han, r):
			n.han++
		default:
			for _, b := range indicBlocks {
				if r >= b.from && r < b.to {
					other[b.lang]++
				}
			}
		}
	}
	if n.letters < 2 {
		return ""
	}
	most := func(k int) bool { return 2*k > n.letters }
	switch {
	case most(n.hangul):
		return "ko"
	case n.kana > 0 && most(n.kana*3+n.han):
		return "ja"
	case most(n.han):
		return "zh"
	case most(n.greek):
		return "el"
	case most(n.hebrew):
		return "he"
	case most(n.thai):
		return "th"
	case most(n.deva):
		return "hi"
	case most(n.arabic):
		switch {
		case special['ٹ']+special['ڈ']+special['ڑ']+special['ے']+special['ں'] > 0:
			return "ur"
		case special['پ']+special['چ']+special['گ']+special['ژ']+special['ی']+special['ک'] > 0:
			return "fa"
		}
		return "ar"
	case most(n.cyrillic):
		switch {
		case special['і']+special['ї']+special['є']+special['ґ'] > 0 && special['ў'] == 0 && special['ы'] == 0:
			return "uk"
		case special['ў'] > 0:
			return "be"
		case special['ђ']+special['ћ']+special['џ']+special['љ']+special['њ'] > 0:
			return "sr"
		case special['ы']+special['э']+special['ё'] > 0:
			return "ru"
		}
		return byStopWords(s, special, map[string]bool{"ru": true, "bg": true})
	case most(n.latin):
		return byStopWords(s, special, nil)
	}
	for lang, k := range other {
		if most(k) {
			return lang
		}
	}
	return ""
}

var indicBlocks = []struct {
	from, to rune
	lang     string
}{
	{0x530, 0x590, "hy"}, {0x980, 0xA00, "bn"}, {0xA00, 0xA80, "pa"}, {0xA80, 0xB00, "gu"}, {0xB00, 0xB80, "or"}, {0xB80, 0xC00, "ta"},
	{0xC00, 0xC80, "te"}, {0xC80, 0xD00, "kn"}, {0xD00, 0xD80, "ml"}, {0xD80, 0xE00, "si"}, {0xE80, 0xF00, "lo"}, {0xF00, 0x1000, "bo"},
	{0x1000, 0x10A0, "my"}, {0x10A0, 0x1100, "ka"}, {0x1200, 0x13A0, "am"}, {0x1780, 0x1800, "km"},
}

// tells are letters that point to a language when stop words leave a doubt.
var tells = map[string]string{
	"es": "ñ¿¡", "fr": "çêèàùœëîô", "de": "ßäöü", "pt": "ãõçêâ", "it": "èàòùì", "sv": "åäö", "no": "åøæ", "da": "åøæ", "fi": "äö",
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

// byStopWords chooses the language whose stop words are most frequent in s.
func byStopWords(s string, special map[rune]int, only map[string]bool) string {
	known := stopOf()
	score := map[string]float64{}
	hits := map[string]int{}
	words := 0
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && !unicode.Is(unicode.M, r) }) {
		if len(w) > 24 {
			continue
		}
		words++
		langs := known[strings.ToLower(w)]
		for _, lang := range langs {
			if only != nil && !only[lang] {
				continue
			}
			// A word of many languages says little about any.
			score[lang] += 1 / float64(len(langs))
			hits[lang]++
		}
	}
	for lang, letters := range tells {
		if only != nil {
			break
		}
		for _, r := range letters {
			score[lang] += 0.3 * float64(min(special[r], 5))
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
	if best == "" || hits[best] < 2 && words > 3 || float64(hits[best]) < 0.12*float64(words) {
		return ""
	}
	if second != "" && score[best] < 1.15*score[second] {
		return ""
	}
	return best
}
