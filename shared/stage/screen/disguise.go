package screen

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
)

// Injections are also written so that simple rules miss them: with digits and
// letters of other scripts that look alike, with invisible hyphens within words,
// with blanks between letters, in base64, hex or binary digits. Here such places
// are undone and looked at with the same rules.

// disguised returns the matches in what s says in disguise. Ranges are in s.
func disguised(rs *ruleset, s string) []match {
	found := lookalikes(rs, s)
	return append(found, encoded(rs, s)...)
}

// alike maps letters of other scripts, and digits and signs within words, to the
// Latin letter they imitate. Full-width letters are handled by range.
var alike = map[rune]rune{
	'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', '$': 's',
	'!': 'i', '|': 'l',
	'а': 'a', 'в': 'b', 'е': 'e', 'і': 'i', 'ј': 'j', 'к': 'k', 'м': 'm', 'н': 'h', 'о': 'o',
	'р': 'p', 'с': 'c', 'ѕ': 's', 'т': 't', 'у': 'y', 'х': 'x', 'ԁ': 'd', 'ո': 'n', 'ɡ': 'g',
	'ӏ': 'l', 'ѵ': 'v', 'ԝ': 'w', 'ʏ': 'y',
	'А': 'a', 'В': 'b', 'Е': 'e', 'І': 'i', 'К': 'k', 'М': 'm', 'Н': 'h', 'О': 'o', 'Р': 'p',
	'С': 'c', 'Ѕ': 's', 'Т': 't', 'У': 'y', 'Х': 'x',
	'α': 'a', 'ε': 'e', 'ι': 'i', 'ο': 'o', 'ρ': 'p', 'υ': 'u', 'ν': 'v', 'τ': 't', 'κ': 'k',
	'η': 'n', 'Α': 'a', 'Β': 'b', 'Ε': 'e', 'Ι': 'i', 'Κ': 'k', 'Μ': 'm', 'Ν': 'n', 'Ο': 'o',
	'Ρ': 'p', 'Τ': 't',
}

// maxUndone is how many bytes of suspicious lines are undone on one page. Pages in
// scripts with look-alike letters, or with a soft hyphen in every word, are
// suspicious all over, so going beyond it is not reported.
const maxUndone = 256 << 10

// lookalikes undoes look-alike spellings, line by line, in lines that have at
// least two words so written.
func lookalikes(rs *ruleset, s string) []match {
	var found []match
	undone := 0
	for start := 0; start < len(s); {
		end := len(s)
		if n := strings.IndexByte(s[start:], '\n'); n >= 0 {
			end = start + n
		}
		if line := s[start:end]; suspicious(line) {
			if undone += len(line); undone > maxUndone {
				return found
			}
			plain, back := undo(line)
			for _, m := range rs.find(plain) {
				r := text.Range{Start: start + back[m.Start], End: start + back[m.End]}
				// A phrase that also stands there in plain letters has been found.
				if strings.EqualFold(s[r.Start:r.End], plain[m.Start:m.End]) {
					continue
				}
				m.Range = r
				found = append(found, m)
			}
		}
		start = end + 1
	}
	return found
}

// suspicious reports whether line has two words that mix scripts, hold digits among
// letters or are glued with soft hyphens, or a run of twelve single letters.
func suspicious(line string) bool {
	odd, single := 0, 0
	for word := range strings.FieldsSeq(line) {
		if len(word) == 1 && isLetter(word[0]) {
			if single++; single >= 12 {
				return true
			}
			continue
		}
		single = 0
		if odd += oddities(word); odd >= 2 {
			return true
		}
	}
	return false
}

// oddities counts what is odd about one word: 0 or 1, more where it is several
// words glued together.
func oddities(word string) int {
	latin, foreign, other, inner := 0, 0, 0, 0
	for i, c := range word {
		after := i > 0 && isLetter(word[i-1])
		switch {
		case c < utf8.RuneSelf && isLetter(byte(c)):
			latin++
		case c < utf8.RuneSelf: // a digit or a sign within a word
			if (i == 0 || after) && alike[c] != 0 && letterAt(word, i+1) {
				inner++
			}
		case c == 0xad || invisible(c):
			if after { // between letters of other scripts joiners are spelling
				return 2
			}
		case alike[c] != 0 || 0xff21 <= c && c <= 0xff5a:
			foreign++
		case unicode.IsLetter(c):
			other++
		}
	}
	if mixed := latin > 0 && foreign > 0 || foreign > 3 && other == 0; mixed || inner > 0 {
		return 1
	}
	return 0
}

// undo writes line in plain letters. back[i] is where byte i of the result comes
// from; it has one entry more, for the end.
func undo(line string) (plain string, back []int) {
	var b strings.Builder
	for i := 0; i < len(line); {
		c, size := utf8.DecodeRuneInString(line[i:])
		at := i
		i += size
		switch {
		case c == 0xad || invisible(c):
			// Within a word they are nothing. Where they part words, the rules
			// take soft hyphens for blanks without this.
			continue
		case 0xff01 <= c && c <= 0xff5e:
			c -= 0xfee0
		case c == ' ' && spacedLetter(line, at):
			continue
		case alike[c] != 0 && (c >= utf8.RuneSelf || touches(line, at, i)):
			c = alike[c]
		}
		n := b.Len()
		b.WriteRune(c)
		for ; n < b.Len(); n++ {
			back = append(back, at)
		}
	}
	return b.String(), append(back, len(line))
}

// touches reports whether line[start:end] stands beside a letter, so that a digit or sign
// there is part of a word.
func touches(line string, start, end int) bool {
	return start > 0 && isLetter(line[start-1]) || end < len(line) && isLetter(line[end])
}

// spacedLetter reports whether the blank at i stands between two single letters:
// i g n o r e. Two blanks in a row stay one.
func spacedLetter(line string, i int) bool {
	letter := func(at int) bool {
		return at >= 0 && at < len(line) && isLetter(line[at]) &&
			(at == 0 || !isLetter(line[at-1])) && (at+1 >= len(line) || !isLetter(line[at+1]))
	}
	return letter(i-1) && letter(i+1)
}

// letterAt reports whether an ASCII letter stands at s[i].
func letterAt(s string, i int) bool { return i < len(s) && isLetter(s[i]) }

func isLetter(c byte) bool { return 'a' <= lowerByte(c) && lowerByte(c) <= 'z' }

// invisible are characters of no width that may stand within a word.
func invisible(c rune) bool {
	switch c {
	case 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x180e, 0x034f:
		return true
	}
	return false
}

const (
	minBase64 = 24  // digits of a run worth decoding: 18 bytes
	minBits   = 64  // binary digits, in groups of eight
	maxCodes  = 200 // runs looked at on one page
)

// encoded decodes runs of base64, hex and binary digits; where readable text
// comes out that a rule holds for, the whole run is the match.
func encoded(rs *ruleset, s string) []match {
	var found []match
	for _, at := range codeRuns(s) {
		for _, plain := range decodings(s[at.Start:at.End]) {
			m := match{rule: &decodedRule}
			if ms := rs.find(plain); len(ms) > 0 {
				m = ms[0]
			} else if !pattern("words in a code").MatchString(plain) {
				continue
			}
			m.Range = at
			found = append(found, m)
			break
		}
	}
	return found
}

// codeRuns returns the runs of base64 or hex digits, and of groups of eight binary
// digits with one blank or comma between them, that are long enough.
func codeRuns(s string) []text.Range {
	var out []text.Range
	start := -1
	for i := 0; i <= len(s) && len(out) < maxCodes; i++ {
		if i < len(s) && base64Byte[s[i]] {
			if start < 0 {
				start = i
			}
			continue
		}
		if start < 0 {
			continue
		}
		end := codeEnd(s, start, i)
		if end-start >= minBase64 && (end == i || s[end-1] == '=' || end-start >= minBits) {
			out = append(out, text.Range{Start: start, End: end})
		}
		start, i = -1, end
	}
	return out
}

// codeEnd returns where a code ends whose run of digits is s[start:end]: behind more groups
// of binary digits, or behind the signs that fill up base64.
func codeEnd(s string, start, end int) int {
	if end-start == 8 {
		for binary(s[end-8:end]) && end+9 <= len(s) && (s[end] == ' ' || s[end] == ',') &&
			binary(s[end+1:end+9]) {
			end += 9
		}
		return end
	}
	for n := 0; n < 2 && end < len(s) && s[end] == '='; n++ {
		end++
	}
	return end
}

func binary(s string) bool { return strings.Trim(s, "01") == "" }

var base64Byte = func() (set [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		set[c] = true
	}
	return set
}()

var decodedRule = rule{name: "encoded_payload", reason: "hides words of an instruction in a code"}

var notBits = text.Pattern(`[^01]+`)

func decodings(run string) []string {
	var out []string
	add := func(b []byte, err error) {
		if len(b) >= 12 && (err == nil || len(b) > 16) && readable(b) {
			out = append(out, string(b))
		}
	}
	if strings.Trim(run, "01 ,") == "" {
		bits := notBits().ReplaceAllString(run, "")
		var b []byte
		for ; len(bits) >= 8; bits = bits[8:] {
			var c byte
			for i := range 8 {
				c = c<<1 | (bits[i] - '0')
			}
			b = append(b, c)
		}
		add(b, nil)
		return out
	}
	if len(run)%2 == 0 {
		add(hex.DecodeString(run))
	}
	bare := strings.TrimRight(run, "=")
	if len(bare)%4 != 1 {
		add(base64.RawStdEncoding.DecodeString(bare))
	}
	return out
}

// readable reports whether b is text: valid UTF-8, nearly all of it letters, marks
// and blanks.
func readable(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	odd, all := 0, 0
	for _, c := range string(b) {
		all++
		if !unicode.IsPrint(c) && c != '\n' && c != '\t' && c != '\r' {
			odd++
		}
	}
	return odd*20 <= all
}
