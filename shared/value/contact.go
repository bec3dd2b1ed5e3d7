package value

import (
	"slices"
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
		k := urlMark(s, i, to)
		if k < 0 {
			break
		}
		i = k + 1
		start := urlStart(s, k, from, to)
		if start < 0 {
			continue
		}
		i = urlEnd(s, k, to) // also where it is none: it is read once
		if norm := urlNorm(s[start:i]); norm != "" {
			out = append(out, Value{Type: "url", Range: text.Range{Start: start, End: i},
				Text: s[start:i], Norm: norm})
		}
	}
	urls := len(out)
	for i := from; i < to; {
		k := strings.IndexByte(s[i:to], '@')
		if k < 0 {
			break
		}
		k += i
		i = k + 1
		at, ok := EmailAt(s[from:to], k-from)
		start, end := from+at.Start, from+at.End
		if ok && !overlaps(out[:urls], start, end) {
			out = append(out, Value{Type: "email", Range: text.Range{Start: start, End: end},
				Text: s[start:end], Norm: strings.ToLower(s[start:end])})
			i = end
		}
	}
	slices.SortFunc(out, func(a, b Value) int { return a.Start - b.Start })
	return out
}

// urlMark returns where the first "://" or "www." of s[i:to] stands, -1 for none.
func urlMark(s string, i, to int) int {
	mark := strings.Index(s[i:to], "://")
	if mark >= 0 {
		to = i + mark
	}
	if www := strings.Index(s[i:to], "www."); www >= 0 {
		mark = www
	}
	if mark < 0 {
		return -1
	}
	return i + mark
}

// urlStart returns where the URL begins whose "://" or "www." stands at byte k, -1 where
// there is none.
func urlStart(s string, k, from, to int) int {
	switch {
	case strings.HasPrefix(s[k:to], "://"):
		start := k
		for start > from && k-start < 6 && s[start-1]|0x20 >= 'a' && s[start-1]|0x20 <= 'z' {
			start--
		}
		switch strings.ToLower(s[start:k]) {
		case "http", "https", "ftp":
			return start
		}
	case strings.HasPrefix(s[k:to], "www."):
		if k == from || !text.IsASCIIWord(s[k-1]) && strings.IndexByte(".@-", s[k-1]) < 0 {
			return k
		}
	}
	return -1
}

// urlNorm returns the canonical form of a URL, "" where it is none.
func urlNorm(raw string) string {
	full, ftp := raw, strings.HasPrefix(strings.ToLower(raw), "ftp://")
	if raw[0] == 'w' {
		if strings.Count(raw, ".") < 2 {
			return ""
		}
		full = "http://" + raw
	}
	norm, err := text.Canonical(full)
	if err != nil && ftp && len(raw) >= 8 {
		return raw
	}
	return norm
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
		if endsURL(r) || r == ')' && open == 0 || r == ']' && !brackets {
			break
		}
		switch r {
		case '(':
			open++
		case ')':
			open--
		case '[':
			brackets = true
		}
		end += size
	}
	return i + len(strings.TrimRight(s[i:end], ".,;:!?'*_~"))
}

// endsURL reports whether a character stands in no URL.
func endsURL(r rune) bool {
	return r <= ' ' || r == utf8.RuneError || unicode.IsSpace(r) ||
		strings.ContainsRune("<>\"`{}|\\^“”„«»‘’", r) ||
		text.Unspaced(r) || text.IsWideMark(r)
}
