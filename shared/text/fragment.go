package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fragments makes links into one text. It is for one goroutine.
type Fragments struct {
	s string
	// s as a browser compares it: small letters, one space for white space, line breaks and tabs as
	// one line break
	plain string
	marks []fragmentMark
}

// fragmentMark is a place in s and in plain.
type fragmentMark struct{ from, to int }

// everyMark is how far marks lie apart in s, in bytes.
const everyMark = 4096

// NewFragments reads s once.
func NewFragments(s string) *Fragments {
	f := &Fragments{s: s}
	b := make([]byte, 0, len(s)+len(s)/16)
	gap := byte('\n') // white space not written yet; 0 for none
	next := 0
	for i := 0; i < len(s); {
		if c := s[i]; c > ' ' && c < utf8.RuneSelf && gap == 0 && i < next { // most of a text
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			b = append(b, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			gap = '\n'
		case unicode.IsSpace(r):
			if gap == 0 {
				gap = ' '
			}
		default:
			if gap != 0 && len(b) > 0 {
				b = append(b, gap)
			}
			gap = 0
			if i >= next {
				f.marks = append(f.marks, fragmentMark{i, len(b)})
				next = i + everyMark
			}
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
		i += size
	}
	f.plain = string(b)
	return f
}

// place returns where byte i of s, the first one of a word, stands in plain.
func (f *Fragments) place(i int) int {
	k := len(f.marks) - 1
	for lo, hi := 0, len(f.marks); lo < hi; {
		if m := (lo + hi) / 2; f.marks[m].from <= i {
			k, lo = m, m+1
		} else {
			hi = m
		}
	}
	if k < 0 || f.marks[k].from > i {
		return 0
	}
	return f.marks[k].to + len(plainOf(f.s[f.marks[k].from:i]))
}

// plainOf is the form of s in plain, where s begins with a word; white space at its end
// counts as what parts it from the next word.
func plainOf(s string) string {
	var b strings.Builder
	gap := byte(0)
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			gap = '\n'
		case unicode.IsSpace(r):
			if gap == 0 {
				gap = ' '
			}
		default:
			if gap != 0 {
				b.WriteByte(gap)
			}
			gap = 0
			b.WriteRune(unicode.ToLower(r))
		}
	}
	if gap != 0 {
		b.WriteByte(gap)
	}
	return b.String()
}

// Link is FragmentLink of s[start:end], with the words before and behind it where its own
// stand in the text more than once, so that a browser is led to this place of them: as
// few as tell it from the others, and never more than some ten on each side. Where even
// these stand more than once it leads to the first such place.
func (f *Fragments) Link(url string, start, end int) string {
	if start < 0 || start >= end || end > len(f.s) {
		return FragmentLink(url, "")
	}
	quote := f.s[start:end]
	plain := FragmentLink(url, quote)
	from, to := fragmentEnds(quote)
	if from == "" {
		return plain
	}
	start = end - len(strings.TrimLeftFunc(quote, unicode.IsSpace))
	end = start + len(strings.TrimSpace(quote))
	here := Range{f.place(start), f.place(end)}
	first, last := plainOf(from), plainOf(to)
	if !f.repeats(first) && (last == "" || f.lead("", first, last, "") == here) {
		return plain
	}
	head, tail := blockBefore(f.s, start), blockBehind(f.s, end)
	prefix, suffix := "", ""
	const most = 10
	for n := 1; n <= most; n++ {
		p, q := lastOf(head, n), firstOf(tail, n)
		if n > 1 && p == prefix && q == suffix {
			break // nothing more stands there
		}
		prefix, suffix = p, q
		if f.lead(plainOf(prefix), first, last, plainOf(suffix)) == here {
			break
		}
	}
	return contextLink(plain, prefix, suffix)
}

// repeats reports whether words stand in the text more than once, as words.
func (f *Fragments) repeats(words string) bool {
	i := f.find(words, 0)
	return i >= 0 && f.find(words, i+1) >= 0
}

// find returns where words stand whole in plain from byte from on; -1 for nowhere.
func (f *Fragments) find(words string, from int) int {
	for from <= len(f.plain)-len(words) {
		i := strings.Index(f.plain[from:], words)
		if i < 0 {
			return -1
		}
		i += from
		if !joins(f.plain, i) && !joins(f.plain, i+len(words)) {
			return i
		}
		_, size := utf8.DecodeRuneInString(f.plain[i:])
		from = i + size
	}
	return -1
}

// joins reports whether byte i stands within a word.
func joins(s string, i int) bool {
	if i <= 0 || i >= len(s) {
		return false
	}
	a, _ := utf8.DecodeLastRuneInString(s[:i])
	b, _ := utf8.DecodeRuneInString(s[i:])
	return isWordRune(a) && isWordRune(b) && !scriptOf(a).unspaced() && !scriptOf(b).unspaced()
}

// maxPlaces bounds how many places are tried for one link.
const maxPlaces = 50_000

// lead returns the place in plain to which a browser is led.
func (f *Fragments) lead(prefix, first, last, suffix string) Range {
	tried := 0
	for from := 0; tried < maxPlaces; {
		tried++
		i := from
		if prefix != "" {
			if i = f.find(prefix, from); i < 0 {
				return Range{-1, -1}
			}
			from = i + 1
			i = skipGap(f.plain, i+len(prefix))
			if !strings.HasPrefix(f.plain[i:], first) || joins(f.plain, i+len(first)) {
				continue
			}
		} else {
			if i = f.find(first, from); i < 0 {
				return Range{-1, -1}
			}
			from = i + 1
		}
		end := i + len(first)
		if last == "" {
			if suffix == "" || strings.HasPrefix(f.plain[skipGap(f.plain, end):], suffix) {
				return Range{i, end}
			}
			continue
		}
		for ; tried < maxPlaces; tried++ {
			j := f.find(last, end)
			if j < 0 {
				return Range{-1, -1}
			}
			end = j + len(last)
			if suffix == "" || strings.HasPrefix(f.plain[skipGap(f.plain, end):], suffix) {
				return Range{i, end}
			}
		}
	}
	return Range{-1, -1}
}

func skipGap(s string, i int) int {
	if i < len(s) && (s[i] == ' ' || s[i] == '\n') {
		return i + 1
	}
	return i
}

// contextBytes bounds the words before and behind that a link may hold.
const contextBytes = 120

// blockBefore is the end of what stands before byte i in its block, or of the block before
// where i begins one; white space is collapsed.
func blockBefore(s string, i int) string {
	s = strings.TrimRightFunc(s[max(0, i-4*contextBytes):i], unicode.IsSpace)
	s = strings.ToValidUTF8(s, "")
	return strings.Join(strings.Fields(s[strings.LastIndexAny(s, "\n\t\r")+1:]), " ")
}

func blockBehind(s string, i int) string {
	s = strings.TrimLeftFunc(s[i:min(len(s), i+4*contextBytes)], unicode.IsSpace)
	s = strings.ToValidUTF8(s, "")
	if k := strings.IndexAny(s, "\n\t\r"); k >= 0 {
		s = s[:k]
	}
	return strings.Join(strings.Fields(s), " ")
}

// wordStarts are the places of s where a word surely begins.
func wordStarts(s string) []int {
	var out []int
	last := ' '
	for i, r := range s {
		if !unicode.IsSpace(r) && (i == 0 || wordEnds(last, r)) {
			out = append(out, i)
		}
		last = r
	}
	return out
}

// lastOf returns the last n words of s and firstOf the first n, as many as fit. Marks
// alone are no word.
func lastOf(s string, n int) string {
	at := len(s)
	for starts := wordStarts(s); len(starts) > 0 && n > 0; {
		i := starts[len(starts)-1]
		if starts = starts[:len(starts)-1]; len(s)-i > contextBytes {
			break
		}
		if strings.ContainsFunc(s[i:at], isWordRune) {
			n--
		}
		at = i
	}
	return worded(s[at:])
}

func firstOf(s string, n int) string {
	ends := append(wordStarts(s), len(s))
	at := 0
	for _, i := range ends[min(1, len(ends)-1):] {
		if n == 0 || i > contextBytes {
			break
		}
		if strings.ContainsFunc(s[at:i], isWordRune) {
			n--
		}
		at = i
	}
	return worded(strings.TrimSpace(s[:at]))
}

// worded is s if it holds a word, else nothing.
func worded(s string) string {
	if !strings.ContainsFunc(s, isWordRune) {
		return ""
	}
	return s
}

// contextLink puts words before and behind into a link of FragmentLink.
func contextLink(link, prefix, suffix string) string {
	head, tail, ok := strings.Cut(link, ":~:text=")
	if !ok {
		return link
	}
	var b strings.Builder
	b.WriteString(head)
	b.WriteString(":~:text=")
	if prefix != "" {
		escapeDirective(&b, prefix)
		b.WriteString("-,")
	}
	b.WriteString(tail)
	if suffix != "" {
		b.WriteString(",-")
		escapeDirective(&b, suffix)
	}
	return b.String()
}
