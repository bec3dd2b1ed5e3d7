package text

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Folded is a string folded for comparing, with the way back to the original.
type Folded struct {
	// Text is the folded string. It is valid UTF-8, in NFC.
	Text string

	original string
	mapped   []edit // original → after the table
	composed []edit // after the table → Text
}

// edit is a place where folding changed something: bytes [from, fromEnd) became
// [to, toEnd). Between edits both strings run in step. Texts are shorter than
// 4 GiB.
type edit struct{ from, fromEnd, to, toEnd uint32 }

// Fold makes spellings equal that differ for the eye at most in typography, and
// nothing else. It applies, in this order,
//
//	white space   a run of it (Unicode White_Space, also newlines) → one space
//	dropped       U+00AD soft hyphen, U+061C, U+200E and U+200F direction marks,
//	              and what Strip drops
//	single quotes ‘ ’ ‚ ‛ ‹ › ′ ´ ʻ ʼ → '
//	double quotes “ ” „ ‟ « » ″ 〝 〞 〟 → "
//	dashes        ‐ ‑ ‒ – — ― − ﹘ ﹣ → -
//	ligatures     ﬀ ﬁ ﬂ ﬃ ﬄ ﬅ ﬆ Ĳ ĳ and the Armenian ones → their letters
//	full width    U+FF01–U+FF5E → ASCII, ￠ ￡ ￢ ￤ ￥ ￦ → ¢ £ ¬ ¦ ¥ ₩
//	NFC           canonical composition
//	invalid UTF-8 each byte → U+FFFD
//
// Superscripts, subscripts, fractions, enclosed and other compatibility forms
// stay what they are: 10⁵ is not 105 and ½ is not 1/2. Letter case stays.
// Fold(Fold(s).Text).Text == Fold(s).Text.
func Fold(s string) Folded {
	f := Folded{Text: s, original: s}
	if isPlain(s) {
		return f
	}
	m := applyTable(s)
	f.Text, f.mapped = m.b.String(), m.edits
	if n := norm.NFC.QuickSpanString(f.Text); n < len(f.Text) {
		c := compose(f.Text)
		f.Text, f.composed = c.b.String(), c.edits
	}
	return f
}

// isPlain is true of ASCII without white space to fold.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || c >= '\t' && c <= '\r' ||
			c == ' ' && i+1 < len(s) && s[i+1] == ' ' {
			return false
		}
	}
	return true
}

// rewriter builds a string from another one and remembers the edits.
type rewriter struct {
	b     strings.Builder
	edits []edit
}

// put writes to in the place of bytes [from, fromEnd) of the source.
func (w *rewriter) put(from, fromEnd int, to string) {
	at := w.b.Len()
	w.b.WriteString(to)
	w.edits = append(w.edits, edit{uint32(from), uint32(fromEnd), uint32(at), uint32(w.b.Len())})
}

func applyTable(s string) *rewriter {
	w := &rewriter{}
	w.b.Grow(len(s))
	done := 0 // s[:done] is written
	flush := func(i int) {
		w.b.WriteString(s[done:i])
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf && c != ' ' && (c < '\t' || c > '\r') {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		to, changes := "", true
		end := i + size
		switch {
		case unicode.IsSpace(r):
			// Dropped characters do not split a run of white space, else
			// dropping them would leave two spaces.
			for j := end; j < len(s); {
				r, size := utf8.DecodeRuneInString(s[j:])
				j += size
				if unicode.IsSpace(r) {
					end = j
				} else if !Dropped(r) {
					break
				}
			}
			to, changes = " ", s[i:end] != " "
		case r == utf8.RuneError && size == 1:
			to = "\uFFFD"
		case Dropped(r):
		default:
			to, changes = FoldRune(r)
		}
		if changes {
			flush(i)
			w.put(i, end, to)
			done = end
		}
		i = end
	}
	flush(len(s))
	return w
}

// compose applies NFC segment by segment: a segment is a base and what combines
// with it.
func compose(s string) *rewriter {
	w := &rewriter{}
	w.b.Grow(len(s))
	var it norm.Iter
	it.InitString(norm.NFC, s)
	for !it.Done() {
		from := it.Pos()
		seg := string(it.Next())
		// One character that decomposes for good comes in several segments, and
		// the position moves with the last.
		for it.Pos() == from && !it.Done() {
			seg += string(it.Next())
		}
		if to := it.Pos(); seg == s[from:to] {
			w.b.WriteString(seg)
		} else {
			w.put(from, to, seg)
		}
	}
	return w
}

// FoldRune returns what r folds to, and false for most runes.
func FoldRune(r rune) (string, bool) {
	switch {
	case r < 0xA0:
		return "", false
	case r >= 0xFF01 && r <= 0xFF5E:
		return foldASCII[r-0xFF01 : r-0xFF01+1], true
	}
	to, ok := foldRunes[r]
	return to, ok
}

// foldASCII is the characters from ! to ~.
var foldASCII = func() string {
	var b []byte
	for c := byte('!'); c <= '~'; c++ {
		b = append(b, c)
	}
	return string(b)
}()

var foldRunes = func() map[rune]string {
	m := map[rune]string{
		'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl", 'ﬅ': "st", 'ﬆ': "st",
		'Ĳ': "IJ", 'ĳ': "ij",
		'ﬓ': "մն", 'ﬔ': "մե", 'ﬕ': "մի", 'ﬖ': "վն", 'ﬗ': "մխ",
		'￠': "¢", '￡': "£", '￢': "¬", '￤': "¦", '￥': "¥", '￦': "₩",
		'\u1FFD': "'", // composes to the acute accent
	}
	for _, r := range "‘’‚‛‹›′´ʻʼ" {
		m[r] = "'"
	}
	for _, r := range "“”„‟«»″〝〞〟" {
		m[r] = `"`
	}
	for _, r := range "‐‑‒–—―−﹘﹣" {
		m[r] = "-"
	}
	return m
}()

// Dropped reports whether Fold leaves a character out: what Strip takes away, soft hyphens
// and marks of direction.
func Dropped(r rune) bool {
	return r == 0xAD || r == 0x061C || r == 0x200E || r == 0x200F || Stripped(r)
}

// Original returns the smallest range of the original that folds to
// Text[start:end] and does not cut a character: whole code points, and whole
// combining sequences. Where a bound falls into the middle of a ligature or of a
// sequence, the range reaches over all of it, so it may fold to more than was
// asked for; who needs the very words folds the result again. Of a range that is
// empty or outside Text it returns the zero Range.
func (f Folded) Original(start, end int) Range {
	if start < 0 || end > len(f.Text) || start >= end {
		return Range{}
	}
	start, end = back(f.composed, start, end)
	start, end = back(f.mapped, start, end)
	start, end = runeStart(f.original, start), runeEnd(f.original, end)
	return Range{f.clusterStart(start), f.clusterEnd(end)}
}

// back translates a range of the edited string to one of its source. Edits that
// left nothing behind are outside where they stand at the range's edge.
func back(edits []edit, start, end int) (int, int) {
	if len(edits) == 0 {
		return start, end
	}
	k := sort.Search(len(edits), func(i int) bool { return int(edits[i].to) > start }) - 1
	from := start
	if k >= 0 {
		if e := edits[k]; start < int(e.toEnd) {
			from = int(e.from)
		} else {
			from = int(e.fromEnd) + start - int(e.toEnd)
		}
	}
	k = sort.Search(len(edits), func(i int) bool { return int(edits[i].to) >= end }) - 1
	to := end
	if k >= 0 {
		if e := edits[k]; end <= int(e.toEnd) {
			to = int(e.fromEnd)
		} else {
			to = int(e.fromEnd) + end - int(e.toEnd)
		}
	}
	return from, to
}

// clusterStart moves i back over combining marks, and over dropped characters
// among them, to the base they belong to.
func (f Folded) clusterStart(i int) int {
	s := f.original
	for i > 0 && i < len(s) && s[i] >= utf8.RuneSelf {
		r, _ := utf8.DecodeRuneInString(s[i:])
		if !unicode.Is(unicode.M, r) && !Dropped(r) {
			break
		}
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return i
}

// clusterEnd moves i forward over the combining marks that follow.
func (f Folded) clusterEnd(i int) int {
	s := f.original
	for j := i; j < len(s) && s[j] >= utf8.RuneSelf; {
		r, size := utf8.DecodeRuneInString(s[j:])
		j += size
		if unicode.Is(unicode.M, r) {
			i = j
		} else if !Dropped(r) {
			break
		}
	}
	return i
}

// runeStart moves i back to the start of the code point it lies in.
func runeStart(s string, i int) int {
	for k := i; k >= 0 && k > i-utf8.UTFMax && k < len(s); k-- {
		if utf8.RuneStart(s[k]) {
			if _, size := utf8.DecodeRuneInString(s[k:]); k+size > i {
				return k
			}
			break
		}
	}
	return i
}

// runeEnd moves i forward to the end of the code point it lies in.
func runeEnd(s string, i int) int {
	if k := runeStart(s, i); k < i {
		_, size := utf8.DecodeRuneInString(s[k:])
		return k + size
	}
	return i
}

// FoldCompare returns the form of s that only serves to compare: folded, in lower
// case, ß as ss and ς as σ, white space collapsed and trimmed.
func FoldCompare(s string) string {
	s = strings.TrimSpace(Fold(s).Text)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf {
			return lowerCompare(s)
		}
	}
	return s
}

func lowerCompare(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r >= 'A' && r <= 'Z':
			b.WriteByte(byte(r) + 0x20)
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		case r == 'ß' || r == 'ẞ':
			b.WriteString("ss")
		case r == 'ς':
			b.WriteRune('σ')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	// Lower case may combine with a mark that upper case did not.
	return norm.NFC.String(b.String())
}

// Strip drops the characters that show nothing and that pages use by accident or
// to deceive:
//
//	U+200B          zero width space
//	U+2060          word joiner
//	U+FEFF          byte order mark, zero width no-break space
//	U+202A–U+202E   bidi embeddings and overrides, and their end
//	U+2066–U+2069   bidi isolates, and their end
//	U+E0000–U+E007F tag characters
//
// Zero width joiner and non-joiner (U+200D, U+200C) and the direction marks
// (U+200E, U+200F, U+061C) stay: Persian, Indic and emoji need them. Of a string
// that has none of them it returns the string itself.
func Strip(s string) string {
	for i := 0; i < len(s); i++ {
		// All of them begin with one of three bytes.
		if c := s[i]; c == 0xE2 || c == 0xEF || c == 0xF3 {
			if r, _ := utf8.DecodeRuneInString(s[i:]); Stripped(r) {
				return s[:i] + stripRest(s[i:])
			}
		}
	}
	return s
}

func stripRest(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !Stripped(r) {
			b.WriteString(s[i : i+size]) // invalid bytes stay as they are
		}
		i += size
	}
	return b.String()
}

// Stripped reports whether Strip takes r away.
func Stripped(r rune) bool {
	return r >= 0x200B && (r == 0x200B || r == 0x2060 || r == 0xFEFF ||
		r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r >= 0xE0000 && r <= 0xE007F)
}

// TurnsAround reports whether r makes what follows it stand in another order than it is
// written in: a bidi embedding, override or isolate, or its end.
func TurnsAround(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}
