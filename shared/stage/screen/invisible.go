package screen

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
)

// Characters that no reader sees can carry a text of their own: the tag characters
// U+E0020–U+E007E mirror ASCII, long runs of variation selectors carry a byte
// each, long runs of zero-width characters a bit each. The reader strips most of
// them from a Document, so they are looked for in the stored bytes.

// secretWriting is one run of such characters.
type secretWriting struct {
	rule    string
	text    string // what it says, where that can be told
	counted int    // characters in the run
}

const (
	minTags      = 6  // a run of tag characters that is not a flag
	minSelectors = 8  // more than any emoji sequence has in a row
	minZeroWidth = 32 // four bytes' worth
)

var tagReference = text.Pattern(
	`(?:&#(?:[xX]0*[eE]00[2-7][0-9a-fA-F]|0*9175\d\d|0*9176\d\d);?){6,}`)

// invisibleText finds runs of invisible characters in a body in UTF-8, at most
// maxPerRule.
func invisibleText(body []byte) []secretWriting {
	var found []secretWriting
	if bytes.Contains(body, []byte("\xf3\xa0")) || bytes.Contains(body, []byte("\xef\xb8")) ||
		bytes.Contains(body, []byte("\xe2\x80")) {
		found = runs(body)
	}
	if re := referenced(body); re != nil {
		for _, at := range re.FindAllIndex(body, maxPerRule) {
			found = append(found, runs([]byte(html.UnescapeString(string(body[at[0]:at[1]]))))...)
		}
	}
	if len(found) > maxPerRule {
		found = found[:maxPerRule]
	}
	return found
}

// referenced returns the pattern of character references if body has any to a
// tag character, so that other bodies do not pay for it.
func referenced(body []byte) *regexp.Regexp {
	for _, start := range []string{"&#xe00", "&#xE00", "&#Xe00", "&#XE00", "&#9175", "&#9176"} {
		if bytes.Contains(body, []byte(start)) {
			return tagReference()
		}
	}
	return nil
}

// classes of characters that make a run
const (
	plainChar = iota
	tagChar
	selector
	zeroWidth
)

func classOf(c rune) int {
	switch {
	case 0xe0000 <= c && c <= 0xe007f:
		return tagChar
	case 0xfe00 <= c && c <= 0xfe0f, 0xe0100 <= c && c <= 0xe01ef:
		return selector
	case c == 0x200b || c == 0x200c || c == 0x200d || c == 0x2060 || c == 0xfeff:
		return zeroWidth
	}
	return plainChar
}

func runs(body []byte) []secretWriting {
	var found []secretWriting
	var run []rune
	class, flag := plainChar, false
	end := func() {
		if w, ok := readRun(class, run, flag); ok && len(found) < maxPerRule {
			found = append(found, w)
		}
		run = run[:0]
	}
	var before rune
	for i := 0; i < len(body); {
		// Text without such characters is skipped by the byte they begin with.
		if class == plainChar {
			if c := body[i]; c != 0xf3 && c != 0xef && c != 0xe2 {
				before, i = 0, i+1
				if c == 0xf0 && i+3 <= len(body) { // a flag begins with U+1F3F4
					before, _ = utf8.DecodeRune(body[i-1:])
					i += 3
				}
				continue
			}
		}
		c, size := utf8.DecodeRune(body[i:])
		i += size
		k := classOf(c)
		if k != class {
			end()
			class, flag = k, before == 0x1f3f4
		}
		if k != plainChar {
			run = append(run, c)
		}
		before = c
	}
	end()
	return found
}

func readRun(class int, run []rune, flag bool) (secretWriting, bool) {
	switch {
	case class == tagChar && len(run) >= minTags && !(flag && len(run) <= 8):
		return secretWriting{"invisible_tag_characters", tagText(run), len(run)}, true
	case class == selector && len(run) >= minSelectors:
		return secretWriting{"invisible_variation_selectors", selectorText(run), len(run)}, true
	case class == zeroWidth && len(run) >= minZeroWidth && mixed(run):
		return secretWriting{rule: "invisible_zero_width", counted: len(run)}, true
	}
	return secretWriting{}, false
}

// tagText is what tag characters say in ASCII.
func tagText(run []rune) string {
	var b strings.Builder
	for _, c := range run {
		if c >= 0xe0020 && c <= 0xe007e {
			b.WriteByte(byte(c - 0xe0000))
		}
	}
	return b.String()
}

// selectorText is what variation selectors say, a byte each; "" if that is no text.
func selectorText(run []rune) string {
	var b []byte
	for _, c := range run {
		if c >= 0xe0100 {
			b = append(b, byte(c-0xe0100+16))
		} else {
			b = append(b, byte(c-0xfe00))
		}
	}
	if !readable(b) {
		return ""
	}
	return string(b)
}

// mixed reports whether a run has two different characters, as a message in bits
// has; a run of one kind is padding.
func mixed(run []rune) bool {
	for _, c := range run[1:] {
		if c != run[0] {
			return true
		}
	}
	return false
}
