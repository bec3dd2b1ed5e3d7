package value

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
)

// Longest parts of an e-mail address in bytes (RFC 5321).
const (
	longestLocal  = 64
	longestDomain = 253
)

// EmailAt returns the range of the e-mail address in s around the @ at byte at; ok is false
// where there is none. Addresses in disguise (a at b dot c) are not found, and these are
// none: a password in a URL, a user of another service (@jo@example.org), a place of code
// (git@example.org:jo/code.git) and a file (logo@2x.png). EmailAt looks at the line around
// alone, so that it may be asked at each @ of a long text.
func EmailAt(s string, at int) (r text.Range, ok bool) {
	start, end := localStart(s, at), domainEnd(s, at)
	if start == at || at-start > longestLocal || s[at-1] == '.' ||
		!topDomain(strings.ToLower(s[at+1:end])) || partOfURL(s, start) ||
		repository(s, start, at, end) {
		return r, false
	}
	return text.Range{Start: start, End: end}, true
}

const (
	localSigns  = ".+-%'"         // stand within the name before an @
	signsAround = "!#$&*/=?^{|}~" // may stand there, but rather belong to the text before it
)

// localStart returns where the name before the @ at byte at begins, at itself for none.
func localStart(s string, at int) int {
	start := at
	for start > 0 && at-start <= longestLocal {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if !inLocal(r) {
			break
		}
		start -= size
	}
	if i := strings.LastIndexAny(s[start:at], signsAround); i >= 0 {
		start += i + 1
	}
	return at - len(strings.TrimLeft(s[start:at], localSigns))
}

// inLocal reports whether a character may stand in the name before an @ (RFC 6531: also a
// letter beyond ASCII, but scripts without spaces stand before an address without one).
func inLocal(r rune) bool {
	if r < utf8.RuneSelf {
		return text.IsASCIIWord(byte(r)) || strings.ContainsRune(localSigns+signsAround, r)
	}
	return unicode.IsLetter(r) && !text.Unspaced(r)
}

// domainEnd returns where the domain behind the @ at byte at ends. A point belongs to it
// between two characters of it.
func domainEnd(s string, at int) int {
	end := at + 1
	for end < len(s) && end-at <= longestDomain {
		n := domainChar(s[end:])
		if n == 0 && s[end] == '.' && end > at+1 && s[end-1] != '.' {
			if n = domainChar(s[end+1:]); n > 0 {
				n++
			}
		}
		if n == 0 {
			break
		}
		end += n
	}
	end = at + 1 + len(strings.TrimRight(s[at+1:end], "-"))
	// A top domain in ASCII ends before other letters, which were a quotation mark once.
	top := strings.LastIndexByte(s[at:end], '.') + at + 1
	if n := strings.IndexFunc(s[top:end], func(r rune) bool { return r >= utf8.RuneSelf }); n >= 2 {
		end = top + n
	}
	return end
}

// domainChar returns the length of the character that s begins with, where it may stand
// in a label of a domain; 0 where it may not.
func domainChar(s string) int {
	if s == "" {
		return 0
	}
	if c := s[0]; c < utf8.RuneSelf {
		if text.IsASCIIWord(c) && c != '_' || c == '-' {
			return 1
		}
		return 0
	}
	c, n := utf8.DecodeRuneInString(s)
	if unicode.In(c, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		return n
	}
	return 0
}

// topDomain reports whether a domain in lower case ends as one of an address does: behind a
// point with two letters or more, and not like the name of a file.
func topDomain(domain string) bool {
	dot := strings.LastIndexByte(domain, '.')
	if dot < 0 {
		return false
	}
	top := domain[dot+1:]
	return len(top) >= 2 && !fileEnds[top] &&
		(strings.HasPrefix(top, "xn--") || !strings.ContainsAny(top, "0123456789"))
}

// fileEnds are ends of what only looks like an address: logo@2x.png, getty@tty1.service.
var fileEnds = text.WordSet(
	"png jpg jpeg gif svg webp avif ico js mjs ts tsx jsx css scss json html htm xml " +
		"md txt py go rs java zip gz tgz woff woff2 ttf service socket timer target mount")

// partOfURL reports whether what begins at byte start is a password, or a user of another
// service, rather than the name of an address.
func partOfURL(s string, start int) bool {
	before := s[:start]
	if strings.HasSuffix(before, ":") {
		return !strings.HasSuffix(strings.ToLower(before[max(0, start-7):]), "mailto:") &&
			!introduced(s, start-1)
	}
	return strings.HasSuffix(before, "@") || strings.HasSuffix(before, "//")
}

// introduced reports whether the colon at s[i] ends a word that introduces an address,
// rather than a user name that a password follows.
func introduced(s string, i int) bool {
	for n := 0; i > 0 && n < 24; n++ {
		i--
		switch c := s[i]; {
		case c == '/' || c == '@':
			return false
		case c <= ' ' || c == '"' || c == '>' || c == '(':
			return true
		}
	}
	return i == 0
}

// repository reports whether s[start:end] names a place of code: git@host:owner/repo.git.
func repository(s string, start, at, end int) bool {
	if s[start:at] == "git" {
		return true
	}
	if end+1 >= len(s) || s[end] != ':' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[end+1:])
	return unicode.IsLetter(r)
}
