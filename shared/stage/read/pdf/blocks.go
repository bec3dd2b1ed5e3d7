package pdf

import (
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
	drop := before.y - l.y
	size := max(before.size, l.size)
	switch {
	case drop <= 0, drop > 2.6*size, leader(before.text()),
		lead > 0 && drop > 1.35*lead && drop > 1.25*size:
		return true
	case math.Abs(before.size-l.size) > 0.08*size && (l.letters() > 3 && before.letters() > 3),
		before.mono != l.mono, before.bold != l.bold && (l.letters() > 3 && before.letters() > 3):
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
		// line of a paragraph is set in, or the line is in the middle.
		return !(b.Kind == Item && len(b.lines) == 1) &&
			!(centred(before, left, right) && centred(l, left, right))
	case indent < -0.8*size:
		return len(b.lines) > 1 && !centred(l, left, right) || b.Kind == Item
	}
	end, _ := utf8.DecodeLastRuneInString(before.text())
	return before.x1 < right-0.25*(right-left) && strings.ContainsRune(".!?:。！？", end)
}

// leader tells a line of a table of contents, which ends in dots and a number.
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

// join writes the text of a block.
//
// A word parted at the end of a line is put together: with its hyphen where the
// document has it so elsewhere, or where no letter follows; without it otherwise.
// A PDF has no words, only glyphs at places: this is where words are made, and what is
// made here is the text that quotes are quotes of.
func (v vocabulary) join(b *Block) string {
	switch b.Kind {
	case Row:
		return strings.Join(b.lines[0].cells, "\t")
	case Code:
		left, wide := math.Inf(1), 0.6
		for _, l := range b.lines {
			left = min(left, l.x0)
		}
		var out []string
		for i, l := range b.lines {
			if i > 0 && b.lines[i-1].y-l.y > 1.7*l.size {
				out = append(out, "")
			}
			if n := l.letters(); n > 0 && len(l.cells) == 1 {
				wide = (l.x1 - l.x0) / float64(n) / l.size
			}
			in := 0
			if wide > 0.2 && l.size > 0 {
				in = min(200, int(math.Round((l.x0-left)/(wide*l.size))))
			}
			out = append(out, strings.Repeat(" ", max(0, in))+strings.Join(l.cells, "  "))
		}
		return strings.Join(out, "\n")
	}
	var s strings.Builder
	for i, l := range b.lines {
		t := l.text()
		if i == 0 {
			s.WriteString(t)
			continue
		}
		have := s.String()
		last, n := utf8.DecodeLastRuneInString(have)
		before, _ := utf8.DecodeLastRuneInString(have[:len(have)-n])
		first, _ := utf8.DecodeRuneInString(t)
		switch {
		case last == '\u00ad' || (last == '-' || last == '\u2010') && unicode.IsLetter(before) &&
			unicode.IsLower(first):
			head := have[strings.LastIndexAny(have, " \t\n")+1 : len(have)-n]
			tail, _, _ := strings.Cut(t, " ")
			whole := strings.ToLower(strings.TrimFunc(head+tail, notWord))
			parted := strings.ToLower(strings.TrimFunc(head+"-"+tail, notWord))
			if last != '\u00ad' && v[parted] && !v[whole] {
				s.WriteString(t)
				break
			}
			s.Reset()
			s.WriteString(have[:len(have)-n])
			s.WriteString(t)
		case (last == '-' || last == '\u2010') && before != ' ' && unicode.IsLetter(first) ||
			last == '/' && unicode.IsLower(first):
			s.WriteString(t)
		case unspaced(last) && unspaced(first):
			s.WriteString(t)
		default:
			s.WriteByte(' ')
			s.WriteString(t)
		}
	}
	return s.String()
}

// unspaced is true of characters between which a line ends without a space.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

// margins marks what stands at the edge of many pages: running heads, page numbers.
func margins(pages []Page) {
	count := map[string]int{}
	type edge struct {
		page, block int
		key         string
	}
	var edges []edge
	for i := range pages {
		top, bottom := -1, -1
		for k := range pages[i].Blocks {
			b := &pages[i].Blocks[k]
			if utf8.RuneCountInString(b.Text) > 150 || b.Lines > 2 {
				continue
			}
			if top < 0 || b.Y > pages[i].Blocks[top].Y {
				top = k
			}
			if bottom < 0 || b.Y < pages[i].Blocks[bottom].Y {
				bottom = k
			}
		}
		for _, k := range []int{top, bottom} {
			if k < 0 || k == bottom && top == bottom {
				continue
			}
			b := &pages[i].Blocks[k]
			if h := pages[i].height; b.Y > 0.15*h && b.Y < 0.85*h {
				continue
			}
			key := strings.Map(func(r rune) rune {
				if unicode.IsDigit(r) {
					return '#'
				}
				return r
			}, b.Text)
			for strings.Contains(key, "##") {
				key = strings.ReplaceAll(key, "##", "#")
			}
			edges = append(edges, edge{i, k, key})
			count[key]++
		}
	}
	for _, e := range edges {
		number := strings.Trim(e.key, "#-–— ivxlcIVXLC[]()|/") == "" &&
			strings.ContainsAny(e.key, "#ivx")
		if len(pages) > 1 && number || count[e.key] >= 3 && count[e.key]*20 >= len(pages) {
			pages[e.page].Blocks[e.block].Margin = true
		}
	}
}
