package value

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
)

// contacts returns the URLs and e-mail addresses of s[from:to] in order. They
// are found by bytes, before the text is read for numbers.
func contacts(out []Value, s string, from, to int) []Value {
	out = out[:0]
	for i := from; i < to; {
		k := strings.IndexAny(s[i:to], ":w")
		if k < 0 {
			break
		}
		k += i
		i = k + 1
		start := -1
		if s[k] == ':' && strings.HasPrefix(s[k:to], "://") {
			start = k
			for start > from && k-start < 6 && s[start-1]|0x20 >= 'a' && s[start-1]|0x20 <= 'z' {
				start--
			}
			if scheme := strings.ToLower(s[start:k]); scheme != "http" && scheme != "https" && scheme != "ftp" {
				continue
			}
		} else if strings.HasPrefix(s[k:to], "www.") && (k == from || !text.IsASCIIWord(s[k-1]) && s[k-1] != '.' && s[k-1] != '@' && s[k-1] != '-') {
			start = k
		} else {
			continue
		}
		end := urlEnd(s, k, to)
		raw := s[start:end]
		full := raw
		if s[k] == 'w' {
			full = "http://" + raw
			if strings.Count(raw, ".") < 2 {
				continue
			}
		}
		i = end // also where it is none: it is read once
		norm, err := text.Canonical(full)
		if err != nil {
			if !strings.HasPrefix(strings.ToLower(raw), "ftp://") || len(raw) < 8 {
				continue
			}
			norm = raw
		}
		out = append(out, Value{Type: "url", Range: text.Range{Start: start, End: end}, Text: raw, Norm: norm})
	}
	urls := len(out)
	for i := from; i < to; {
		k := strings.IndexByte(s[i:to], '@')
		if k < 0 {
			break
		}
		k += i
		i = k + 1
		if start, end := mailAround(s, k, from, to); end > 0 && !overlaps(out[:urls], start, end) {
			out = append(out, Value{Type: "email", Range: text.Range{Start: start, End: end}, Text: s[start:end], Norm: strings.ToLower(s[start:end])})
			i = end
		}
	}
	sort.Slice(out, func(a, b int) bool { return out[a].Start < out[b].Start })
	return out
}

// overlaps reports whether [start, end) shares a byte with one of the sorted ranges.
func overlaps(vals []Value, start, end int) bool {
	k := sort.Search(len(vals), func(k int) bool { return vals[k].End > start })
	return k < len(vals) && vals[k].Start < end
}

// urlEnd returns the end of the URL that runs through byte i, without the
// punctuation of the sentence around it.
func urlEnd(s string, i, to int) int {
	open, brackets := 0, false
	end := i
	for end < to {
		r, size := utf8.DecodeRuneInString(s[end:])
		if unicode.IsSpace(r) || r < ' ' || r == utf8.RuneError || strings.ContainsRune("<>\"`{}|\\^“”„«»‘’", r) || text.Unspaced(r) || text.IsWideMark(r) {
			break
		}
		if r == '(' {
			open++
		} else if r == ')' {
			if open == 0 {
				break
			}
			open--
		} else if r == '[' {
			brackets = true
		} else if r == ']' && !brackets {
			break
		}
		end += size
	}
	for end > i {
		switch s[end-1] {
		case '.', ',', ';', ':', '!', '?', '\'', '*', '_', '~':
			end--
			continue
		}
		break
	}
	return end
}

// mailAround returns the range of the e-mail address around the @ at byte k.
// Obfuscated ones (a at b dot c) are not decoded.
func mailAround(s string, k, from, to int) (int, int) {
	start := k
	for start > from && k-start <= 64 && (text.IsASCIIWord(s[start-1]) || strings.IndexByte(".+-%'!#$&*/=?^{|}~", s[start-1]) >= 0) {
		start--
	}
	for start < k && !text.IsASCIIWord(s[start]) {
		start++
	}
	if i := strings.LastIndexAny(s[start:k], "'!#$&*/=?^{|}~"); i >= 0 {
		start += i + 1 // rather a sign of the text than of the address
	}
	if start == k || k-start > 64 || s[k-1] == '.' || start > from && s[start-1] >= utf8.RuneSelf && unicode.IsLetter(lastRune(s[:start])) && !text.Unspaced(lastRune(s[:start])) {
		return 0, 0
	}
	end := k + 1
	dot := -1
	for end < to && end-k <= 255 && (text.IsASCIIWord(s[end]) && s[end] != '_' || s[end] == '-' || s[end] == '.') {
		if s[end] == '.' {
			if s[end-1] == '.' || s[end-1] == '@' {
				break
			}
			if end+1 >= to || !text.IsASCIIWord(s[end+1]) {
				break
			}
			dot = end
		}
		end++
	}
	for end > k && s[end-1] == '-' {
		end--
	}
	if dot < 0 || end-dot < 3 {
		return 0, 0
	}
	for i := dot + 1; i < end; i++ {
		if isDigit(s[i]) && !strings.HasPrefix(s[dot+1:], "xn--") {
			return 0, 0
		}
	}
	return start, end
}
