package screen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Redaction replaces credentials and personal data by markers such as
// [redacted:github_token]. What is meant by personal data: e-mail addresses,
// telephone numbers, payment card numbers, IBANs, US social security numbers.
// Names, postal addresses, dates of birth and IP addresses stay: no rule tells them
// from the rest of a page. Published examples (AKIAIOSFODNN7EXAMPLE, the JWT of
// jwt.io), references to variables and words such as YOUR_TOKEN stay, too. So it is
// a precaution and never a promise.

// Redact returns s with a marker for each secret. It is pure and takes time linear in
// s; Redact(Redact(s)) == Redact(s). Bytes outside of what is replaced stay as they
// are, and no code point is cut. Offsets and hashes of s do not hold for the result.
func Redact(s string) string {
	out, _ := redact(s)
	return out
}

// redact replaces until nothing is left to replace: a marker may end the word that
// kept what stands beside it from being seen. Every round leaves fewer letters and
// digits outside of markers, so there is a last one; almost always it is the second.
func redact(s string) (string, int) {
	places := 0
	for {
		found := allPlaces(s)
		if len(found) == 0 {
			return s, places
		}
		var b strings.Builder
		b.Grow(len(s))
		at := 0
		for _, f := range found {
			b.WriteString(s[at:f.Start])
			b.WriteString(marker(f.kind))
			at = f.End
		}
		b.WriteString(s[at:])
		s, places = b.String(), places+len(found)
	}
}

// allPlaces are the secret places of s, and those that show only when escapes are undone: the
// backslashes before punctuation of Markdown, and those of addresses. ghp\_… is a token too, and
// so is what follows %20.
func allPlaces(s string) []secretPlace {
	found := secretPlaces(s)
	plain, back := unescape(s)
	if back == nil {
		return found
	}
	for _, p := range secretPlaces(plain) {
		p.Start, p.End = back[p.Start], back[p.End-1]+1
		if _, ok := percent(s[p.End-1:]); ok {
			p.End += 2
		}
		found = append(found, p)
	}
	slices.SortStableFunc(found, func(a, b secretPlace) int {
		return cmp.Compare(a.Start, b.Start)
	})
	joined := found[:0]
	for _, p := range found {
		if n := len(joined); n > 0 && p.Start < joined[n-1].End {
			last := &joined[n-1]
			last.End = max(last.End, p.End)
			if p.size > last.size {
				last.kind, last.size = p.kind, p.size
			}
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

// unescape leaves out backslashes before ASCII punctuation, and undoes escapes of ASCII in
// addresses; back holds where each byte of the result stands in s, and is nil when there are none.
func unescape(s string) (plain string, back []int) {
	if !strings.ContainsAny(s, `\%`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] < 0x80 && !wordByte(s[i+1]) && s[i+1] > ' ' ||
			s[i] == '\\' && i+1 < len(s) && s[i+1] == '_' {
			continue
		}
		c, escaped := percent(s[i:])
		if !escaped {
			c = s[i]
		}
		b.WriteByte(c)
		back = append(back, i)
		if escaped {
			i += 2
		}
	}
	if b.Len() == len(s) {
		return s, nil
	}
	return b.String(), back
}

// percent is the printable character of ASCII that s begins with as an address escapes it.
func percent(s string) (c byte, ok bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), err == nil && n >= ' ' && n < 0x7f
}

const markerStart = "[redacted:"

func marker(kind string) string { return markerStart + kind + "]" }

// redactedKinds lists what may stand in a marker, sorted.
func redactedKinds() []string {
	kinds := slices.Clone(personalKinds)
	for _, r := range vocab().redact().rules {
		kinds = append(kinds, r.name)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// secretPlace is what one marker stands for.
type secretPlace struct {
	text.Range
	kind string
	size int // of the longest finding in it, whose kind it has
}

// secretPlaces returns what is to be replaced in s: in order, without overlaps, with
// nothing of a marker in it.
func secretPlaces(s string) []secretPlace {
	var all []secretPlace
	add := func(kind string, start, end int) {
		all = append(all, secretPlace{text.Range{Start: start, End: end}, kind, end - start})
	}
	for _, m := range vocab().redact().find(s) {
		if m.rule.parts == nil {
			add(m.rule.name, m.Start, m.End)
			continue
		}
		for _, r := range m.rule.parts(s, m.Start, m.End) {
			add(m.rule.name, r.Start, r.End)
		}
	}
	personal(s, add)
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b secretPlace) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	joined := all[:0]
	for _, p := range all {
		if n := len(joined); n > 0 && p.Start < joined[n-1].End {
			last := &joined[n-1]
			if p.End > last.End {
				last.End = wordEnd(s, p.End)
			}
			if p.size > last.size {
				last.kind, last.size = p.kind, p.size
			}
			continue
		}
		p.End = wordEnd(s, p.End)
		joined = append(joined, p)
	}
	return withoutMarkers(s, joined)
}

// wordEnd moves end behind the word it stands in: a rule looks only so far, and the
// rest of a long secret is as secret as its beginning.
func wordEnd(s string, end int) int {
	if end == 0 || !asciiWord(s[end-1]) {
		return end
	}
	for end < len(s) && asciiWord(s[end]) {
		end++
	}
	return end
}

func asciiWord(c byte) bool { return wordByte(c) && c < 0x80 }

// markers are the markers there are. Others are words of the page.
var markers = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, kind := range redactedKinds() {
		known[marker(kind)] = true
	}
	return known
})

// withoutMarkers takes markers out of places; what is left of one counts only where
// it has a letter or a digit.
func withoutMarkers(s string, places []secretPlace) []secretPlace {
	at := strings.Index(s, markerStart)
	if at < 0 {
		return places
	}
	var out []secretPlace
	keep := func(p secretPlace, start, end int) {
		if start < end && strings.IndexFunc(s[start:end], letterOrDigit) >= 0 {
			p.Start, p.End = start, end
			out = append(out, p)
		}
	}
	for _, p := range places {
		start := p.Start
		for at >= 0 && at < p.End {
			end := strings.IndexByte(s[at:], ']') + at + 1
			if end > at && end-at < 64 && markers()[s[at:end]] {
				keep(p, start, min(max(at, start), p.End))
				start = max(start, end)
				if end > p.End {
					break // it reaches into the next place, perhaps
				}
			} else {
				end = at + 1
			}
			at = next(s, markerStart, end)
		}
		keep(p, start, p.End)
	}
	return out
}

// next is where mark is found again in s, from on.
func next(s, mark string, from int) int {
	if i := strings.Index(s[from:], mark); i >= 0 {
		return from + i
	}
	return -1
}

func letterOrDigit(c rune) bool {
	return c >= 0x80 || wordByte(byte(c)) && c != '_'
}

// RedactJSON redacts the string values of one JSON text, whatever its depth, and
// counts the places. Keys, numbers, the order of keys and white space stay. A value
// is also judged by the key it stands under: a password has no shape. Where places is
// not 0, offsets and text hashes in the reply refer to the text before redaction, and
// the printer should say so. What is no JSON is Invalid.
func RedactJSON(data []byte) (out []byte, places int, err error) {
	if !json.Valid(data) {
		return nil, 0, wstk.Errorf(wstk.Invalid, "redacting", "this is not JSON")
	}
	var b bytes.Buffer
	b.Grow(len(data))
	key := "" // that the next value stands under; in a list, every value
	var lists []string
	for i := 0; i < len(data); {
		switch c := data[i]; c {
		case '"':
			end := i + 1
			for data[end] != '"' {
				if data[end] == '\\' {
					end++
				}
				end++
			}
			end++
			raw := data[i:end]
			i = end
			var s string
			if err := json.Unmarshal(raw, &s); err != nil {
				return nil, 0, wstk.Errorf(wstk.Internal, "redacting", "%w", err)
			}
			if isKey(data, end) {
				key = s
				b.Write(raw)
				continue
			}
			red, n := redactUnder(key, s)
			if places += n; n == 0 {
				b.Write(raw)
				continue
			}
			b.Write(quote(red))
			continue
		case '[', '{':
			lists = append(lists, key)
		case ']', '}':
			key = lists[len(lists)-1]
			lists = lists[:len(lists)-1]
		}
		b.WriteByte(data[i])
		i++
	}
	return b.Bytes(), places, nil
}

// isKey reports whether a colon follows.
func isKey(data []byte, i int) bool {
	for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\n' || data[i] == '\r') {
		i++
	}
	return i < len(data) && data[i] == ':'
}

func quote(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s) // a string always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// redactUnder redacts a value that stands under a key.
func redactUnder(key, value string) (string, int) {
	if kind := secretUnder(key, value); kind != "" {
		return marker(kind), 1
	}
	if name := strings.ReplaceAll(strings.ToLower(key), "_", "-"); name == "cookie" ||
		name == "set-cookie" {
		const header = "Cookie: "
		if out, n := redact(header + value); strings.HasPrefix(out, header) {
			return out[len(header):], n
		}
	}
	return redact(value)
}
