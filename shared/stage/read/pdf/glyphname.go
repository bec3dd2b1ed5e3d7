package pdf

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// glyphText returns the characters that a glyph of this name shows, or "" if its name does
// not say. Fonts made of dots, as Type 3 fonts often are, name their glyphs by their
// codes: a65.
func glyphText(n string, code int, dots bool) string {
	if s, ok := glyphNames()[n]; ok {
		return s
	}
	if i := strings.IndexByte(n, '.'); i > 0 {
		return glyphText(n[:i], code, dots)
	}
	if s := codeName(n); s != "" {
		return s
	}
	if strings.Contains(n, "_") && !dots {
		return partsText(n)
	}
	if letter, ok := arabicForm(n); ok {
		return arabicNames()[letter]
	}
	if dots && len(n) > 1 {
		return dotGlyph(n, code)
	}
	return ""
}

// codeName reads the names that are code points: uni00410042, u1F600.
func codeName(n string) string {
	if s, ok := strings.CutPrefix(n, "uni"); ok && len(s) >= 4 && len(s)%4 == 0 {
		out := ""
		for unit := range slices.Chunk([]byte(s[:min(len(s), 32)]), 4) {
			out += hexCharacter(string(unit))
		}
		if out != "" {
			return out
		}
	}
	if s, ok := strings.CutPrefix(n, "u"); ok && len(s) >= 4 && len(s) <= 6 {
		return hexCharacter(s)
	}
	return ""
}

// hexCharacter returns the character of a hexadecimal code point, or "" if it is none.
func hexCharacter(s string) string {
	v, err := strconv.ParseUint(s, 16, 32)
	if err != nil || v < 32 || v > utf8.MaxRune || v >= 0xd800 && v < 0xe000 {
		return ""
	}
	return letters(string(rune(v)))
}

// partsText reads the name of a ligature, which joins those of its letters: f_f_i.
func partsText(n string) string {
	out := ""
	for part := range strings.SplitSeq(n, "_") {
		s := glyphText(part, 0, false)
		if s == "" {
			return ""
		}
		out += s
	}
	return out
}

// arabicForm returns the letter in the name of one of its forms: beh in behinitial.
func arabicForm(n string) (letter string, ok bool) {
	n = strings.TrimSuffix(n, "arabic")
	for _, form := range []string{"isolated", "initial", "medial", "final"} {
		if letter, ok = strings.CutSuffix(n, form); ok {
			return letter, true
		}
	}
	return "", false
}

// dotGlyph reads the name of a glyph of dots, which is its code.
func dotGlyph(n string, code int) string {
	v, err := strconv.Atoi(strings.TrimLeft(n, "aAcCgG"))
	switch {
	case err != nil || v != code:
		return ""
	case v >= 33 && v < 127:
		return string(rune(v))
	case v >= 11 && v <= 15: // where TeX's fonts have them
		return [...]string{"ff", "fi", "fl", "ffi", "ffl"}[v-11]
	}
	return ""
}

// letters returns s with ligatures and contextual forms as the letters they show: which
// glyph a program chose for them says nothing about the words.
func letters(s string) string {
	for _, r := range s {
		if r >= 0xfb00 && r <= 0xfb06 || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc {
			return norm.NFKC.String(s)
		}
	}
	return s
}
