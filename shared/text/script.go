package text

import (
	"sort"
	"unicode"
)

// script of a letter, as far as Tokenize treats them apart.
type script byte

const (
	scriptOther script = iota
	scriptLatin
	scriptCyrillic
	scriptArabic
	scriptGreek
	scriptCJK       // Han, Hiragana, Katakana, Bopomofo: no spaces
	scriptHangul    // spaces, but particles stick to words
	scriptSoutheast // Thai, Lao, Khmer, Myanmar: no spaces
)

// scripts are the ranges of letters of each script, in order (Unicode, Blocks.txt).
var scripts = []struct {
	first, last rune
	script      script
}{
	{'A', 'Z', scriptLatin}, {'a', 'z', scriptLatin}, {0x80, 0x2AF, scriptLatin},
	{0x370, 0x3FF, scriptGreek}, {0x400, 0x52F, scriptCyrillic},
	{0x600, 0x6FF, scriptArabic}, {0x750, 0x77F, scriptArabic}, {0x8A0, 0x8FF, scriptArabic},
	{0xE00, 0xEFF, scriptSoutheast}, {0x1000, 0x109F, scriptSoutheast},
	{0x1100, 0x11FF, scriptHangul}, {0x1780, 0x17FF, scriptSoutheast},
	{0x1E00, 0x1EFF, scriptLatin}, {0x1F00, 0x1FFF, scriptGreek},
	{0x3005, 0x3007, scriptCJK}, {0x3021, 0x3029, scriptCJK}, {0x3031, 0x3035, scriptCJK},
	{0x3041, 0x30FA, scriptCJK}, {0x30FC, 0x312F, scriptCJK}, {0x3130, 0x318F, scriptHangul},
	{0x31A0, 0x31FF, scriptCJK}, {0x3400, 0x4DBF, scriptCJK}, {0x4E00, 0x9FFF, scriptCJK},
	{0xA960, 0xA97F, scriptHangul}, {0xAC00, 0xD7FF, scriptHangul},
	{0xF900, 0xFAFF, scriptCJK}, {0xFB00, 0xFB06, scriptLatin}, {0xFB50, 0xFDFF, scriptArabic},
	{0xFE70, 0xFEFE, scriptArabic}, {0xFF21, 0xFF5A, scriptLatin}, {0xFF66, 0xFF9F, scriptCJK},
	{0x20000, 0x31FFF, scriptCJK},
}

func scriptOf(r rune) script {
	if r < 0x80 {
		if r|0x20 >= 'a' && r|0x20 <= 'z' {
			return scriptLatin
		}
		return scriptOther
	}
	k := sort.Search(len(scripts), func(k int) bool { return scripts[k].last >= r })
	switch {
	case k < len(scripts) && scripts[k].first <= r:
		return scripts[k].script
	case unicode.Is(unicode.Cyrillic, r):
		return scriptCyrillic
	}
	return scriptOther
}

func (s script) unspaced() bool {
	return s == scriptCJK || s == scriptHangul || s == scriptSoutheast
}

// Unspaced reports whether r belongs to a script that is read without spaces between
// words, or whose words take particles without one: Chinese, Japanese, Korean, Thai.
func Unspaced(r rune) bool { return scriptOf(r).unspaced() }
