package pdf

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a block is on its page.
type Kind int

const (
	Paragraph Kind = iota
	Item           // of a list
	Row            // of a table, cells joined by tabs
	Code           // lines as they stand
)

// Block is a paragraph, a row or a piece of code.
type Block struct {
	Kind   Kind
	Text   string
	Lines  int
	Y      float64  // of its first base line, in points from the bottom of the page
	Size   float64  // of its letters, in points
	Bold   bool     // all of it
	Table  int      // ordinal of its table on the page, from 1
	Struck []string // words of it that a line goes through
	Margin bool     // stands at the edge of the page and on others too, or numbers it

	lines []line
}

// blocksOf makes blocks of the regions of a page.
func blocksOf(regs []region) []Block {
	var out []Block
	tables := 0
	for _, r := range regs {
		if r.table {
			tables++
			for _, l := range r.lines {
				k := Row
				if len(l.cells) < 2 {
					k = Paragraph
				}
				b := Block{Kind: k, Y: l.y, Size: l.size, Bold: l.bold, lines: []line{l}}
				if k == Row {
					b.Table = tables
				}
				out = append(out, b)
			}
			continue
		}
		out = append(out, paragraphs(r)...)
	}
	return out
}

// paragraphs groups the lines of a region.
func paragraphs(r region) []Block {
	lead := leading(r.lines)
	right := r.x0
	for _, l := range r.lines {
		right = max(right, l.x1)
	}
	var out []Block
	for i, l := range r.lines {
		if n := len(out); n > 0 && !breaks(&out[n-1], r.lines[i-1], l, lead, r.x0, right) {
			out[n-1].lines = append(out[n-1].lines, l)
			continue
		}
		b := Block{Y: l.y, Size: l.size, Bold: l.bold, lines: []line{l}}
		switch {
		case l.mono:
			b.Kind = Code
		case bullet(l.text()):
			b.Kind = Item
		}
		out = append(out, b)
	}
	return out
}

func (l *line) text() string { return strings.Join(l.cells, " ") }

// breaks reports whether line l begins a new block after the line before it.
func breaks(b *Block, before, l line, lead, left, right float64) bool {
	size := max(before.size, l.size)
	switch {
	case apartFrom(before, l, lead), !sameStyle(before, l):
		return true
	case l.mono:
		return false
	case bullet(l.text()):
		return true
	}
	indent := l.x0 - before.x0
	switch {
	case indent > 0.8*size:
		// The further lines of an item stand under its words; elsewhere the first
		// line of a paragraph is indented, or the line is in the middle.
		return !(b.Kind == Item && len(b.lines) == 1) &&
			!(centred(before, left, right) && centred(l, left, right))
	case indent < -0.8*size:
		return len(b.lines) > 1 && !centred(l, left, right) || b.Kind == Item
	}
	end, _ := utf8.DecodeLastRuneInString(before.text())
	return before.x1 < right-0.25*(right-left) && strings.ContainsRune(".!?:。！？", end)
}

// apartFrom reports whether a line stands above the one before it or far below, or follows
// a line of a table of contents.
func apartFrom(before, l line, lead float64) bool {
	drop, size := before.y-l.y, max(before.size, l.size)
	return drop <= 0 || drop > 2.6*size || leader(before.text()) ||
		lead > 0 && drop > 1.35*lead && drop > 1.25*size
}

// sameStyle reports whether two lines are set in letters of one kind. Of a line of a few
// letters neither size nor weight says much.
func sameStyle(before, l line) bool {
	if before.mono != l.mono {
		return false
	}
	if l.letters() <= 3 || before.letters() <= 3 {
		return true
	}
	return before.bold == l.bold &&
		math.Abs(before.size-l.size) <= 0.08*max(before.size, l.size)
}

// leader reports whether a line is one of a table of contents, which ends in dots and a number.
func leader(s string) bool {
	s = strings.TrimRight(s, "0123456789ivxlc ")
	return strings.HasSuffix(strings.ReplaceAll(s, " ", ""), "....")
}

func (l *line) letters() int {
	n := 0
	for _, c := range l.cells {
		n += utf8.RuneCountInString(c)
	}
	return n
}

func centred(l line, left, right float64) bool {
	a, b := l.x0-left, right-l.x1
	return a > l.size && b > l.size && math.Abs(a-b) < 2*l.size
}

// leading is the usual distance of base lines, 0 for fewer than three lines.
func leading(lines []line) float64 {
	var d []float64
	for i := 1; i < len(lines); i++ {
		if v := lines[i-1].y - lines[i].y; v > 0 && v < 3*lines[i].size {
			d = append(d, v)
		}
	}
	if len(d) < 2 {
		return 0
	}
	slices.Sort(d)
	return d[len(d)/2]
}

// bullet reports whether a line begins an item of a list.
func bullet(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	rest := s[n:]
	switch r {
	case '•', '◦', '▪', '‣', '●', '○', '■', '–', '—', '-', '*', '·', '∗', '⁃':
		return strings.HasPrefix(rest, " ")
	case '(':
		r, n = utf8.DecodeRuneInString(rest)
		rest = rest[n:]
	}
	digits := 0
	for unicode.IsDigit(r) && digits < 3 {
		digits++
		r, n = utf8.DecodeRuneInString(rest)
		rest = rest[n:]
	}
	if digits == 0 && r >= 'a' && r <= 'z' && strings.HasPrefix(s, "(") {
		r, n = utf8.DecodeRuneInString(rest)
		rest = rest[n:]
		digits = 1
	}
	return digits > 0 && (r == '.' || r == ')') && strings.HasPrefix(rest, " ")
}

// vocabulary counts the words of a document that stand whole within a line.
type vocabulary map[string]bool

func (v vocabulary) note(b *Block) {
	for _, l := range b.lines {
		for _, c := range l.cells {
			words := strings.Fields(c)
			for i, w := range words {
				if i == len(words)-1 && strings.HasSuffix(w, "-") || len(v) > 1<<20 {
					continue
				}
				v[strings.ToLower(strings.TrimFunc(w, notWord))] = true
			}
		}
	}
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// join returns the text of a block.
//
// A PDF has no words, only glyphs at places: this is where words are made, and the text
// that quotes are quotes of.
func (v vocabulary) join(b *Block) string {
	switch b.Kind {
	case Row:
		return strings.Join(b.lines[0].cells, "\t")
	case Code:
		return codeText(b.lines)
	}
	var out []byte
	for i, l := range b.lines {
		if i == 0 {
			out = append(out, l.text()...)
			continue
		}
		out = v.addLine(out, l.text())
	}
	return string(out)
}

// addLine adds the next line to a text. A word divided at the end of a line is put
// together: with its hyphen if the document has it so elsewhere, or if no small letter
// follows; without it otherwise.
func (v vocabulary) addLine(text []byte, next string) []byte {
	last, n := utf8.DecodeLastRune(text)
	before, _ := utf8.DecodeLastRune(text[:len(text)-n])
	first, _ := utf8.DecodeRuneInString(next)
	hyphen := last == '-' || last == '\u2010'
	switch {
	case last == softHyphen:
		text = text[:len(text)-n]
	case hyphen && unicode.IsLetter(before) && unicode.IsLower(first):
		if word := text[:len(text)-n]; !v.hyphenated(string(lastWord(word)), next) {
			text = word
		}
	case hyphen && before != ' ' && unicode.IsLetter(first),
		last == '/' && unicode.IsLower(first), unspaced(last) && unspaced(first):
	default:
		text = append(text, ' ')
	}
	return append(text, next...)
}

const softHyphen = '\u00ad'

// lastWord is what stands behind the last space of a text.
func lastWord(text []byte) []byte { return text[bytes.LastIndexAny(text, " \t\n")+1:] }

// hyphenated reports whether the document has a word with its hyphen elsewhere, and not
// without it.
func (v vocabulary) hyphenated(head, next string) bool {
	tail, _, _ := strings.Cut(next, " ")
	key := func(word string) string { return strings.ToLower(strings.TrimFunc(word, notWord)) }
	return v[key(head+"-"+tail)] && !v[key(head+tail)]
}

// codeText returns lines of code with their indents, and an empty line for a wide gap.
func codeText(lines []line) string {
	left, wide := math.Inf(1), 0.6 // the width of a letter, in parts of its size
	for _, l := range lines {
		left = min(left, l.x0)
	}
	var out []string
	for i, l := range lines {
		if i > 0 && lines[i-1].y-l.y > 1.7*l.size {
			out = append(out, "")
		}
		if n := l.letters(); n > 0 && len(l.cells) == 1 {
			wide = (l.x1 - l.x0) / float64(n) / l.size
		}
		indent := 0
		if wide > 0.2 && l.size > 0 {
			indent = min(200, int(math.Round((l.x0-left)/(wide*l.size))))
		}
		out = append(out, strings.Repeat(" ", max(0, indent))+strings.Join(l.cells, "  "))
	}
	return strings.Join(out, "\n")
}

// unspaced reports whether a line may end at a character and the next one begin without a
// space between them.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}
