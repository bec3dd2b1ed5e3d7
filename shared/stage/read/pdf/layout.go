package pdf

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// segment is a run of glyphs on one base line with no wide gap.
type segment struct {
	glyphs     []glyph
	x0, x1, y  float64
	size       float64
	letters    int
	bold, mono int // letters in such fonts
}

func (s *segment) add(g glyph) {
	if len(s.glyphs) == 0 || g.size > s.size*1.05 {
		s.y, s.size = g.y, max(s.size, g.size)
	}
	if len(s.glyphs) == 0 {
		s.x0, s.x1 = g.x, g.x2
	}
	s.x0, s.x1 = min(s.x0, g.x, g.x2), max(s.x1, g.x, g.x2)
	s.glyphs = append(s.glyphs, g)
	n := utf8.RuneCountInString(g.text)
	s.letters += n
	if g.font.bold {
		s.bold += n
	}
	if g.font.mono {
		s.mono += n
	}
}

// Gaps in parts of the font's height.
const (
	wordGap = 0.14 // from here on a gap is a space
	cellGap = 1.1  // from here on it separates segments
)

// row holds the segments on one base line.
type row struct {
	segs []*segment
	y    float64
	size float64
}

// line is a row, or its part in one column.
type line struct {
	cells      []string // one, except for the rows of a table
	x0, x1, y  float64
	size       float64
	bold, mono bool
	struck     []string
}

// region is a part of the page that is read from top to bottom.
type region struct {
	lines  []line
	x0, x1 float64
	table  bool
}

func (r *region) add(l line) {
	if len(l.cells) > 0 {
		r.lines = append(r.lines, l)
	}
}

// regions puts glyphs in reading order.
func regions(glyphs []glyph) []region {
	var out []region
	for turn := range 4 {
		var some []glyph
		for _, g := range glyphs {
			if g.turn == turn {
				some = append(some, upright(g))
			}
		}
		if len(some) > 0 {
			rows := rowsOf(segmentsOf(some))
			rtl := mostlyRTL(some)
			out = append(out, columns(rows, rtl, 0)...)
		}
	}
	return out
}

// upright turns a glyph so that its line runs to the right.
func upright(g glyph) glyph {
	turn := g.turn
	if turn == 0 && g.font.vertical {
		turn = 3 // lines from top to bottom, the rightmost first
	}
	switch turn {
	case 1:
		g.x, g.y, g.x2, g.y2 = g.y, -g.x, g.y2, -g.x2
	case 2:
		g.x, g.y, g.x2, g.y2 = -g.x, -g.y, -g.x2, -g.y2
	case 3:
		g.x, g.y, g.x2, g.y2 = -g.y, g.x, -g.y2, g.x2
	}
	return g
}

// segmentsOf joins glyphs that follow each other in the content and on the page. A
// glyph painted twice at one place, which makes it bold, counts once.
func segmentsOf(glyphs []glyph) []*segment {
	seen := make(places, len(glyphs))
	var out []*segment
	var cur *segment
	for _, g := range glyphs {
		if seen.again(g) {
			continue
		}
		if cur != nil && !cur.continues(g) {
			cur = nil
		}
		if cur == nil {
			if blank(g) {
				continue
			}
			cur = &segment{}
			out = append(out, cur)
		}
		cur.add(g)
	}
	for _, s := range out {
		s.trim()
	}
	return out
}

// blank reports whether a glyph is a space.
func blank(g glyph) bool { return strings.TrimSpace(g.text) == "" }

// place is a text and where it stands, in small parts of its size.
type place struct {
	text string
	x, y int
}

// places are those that something was painted on.
type places map[place]bool

// again notes a glyph and reports whether it stands where it was painted before.
func (p places) again(g glyph) bool {
	size := max(g.size, tinySize/10)
	at := place{g.text, int(math.Floor(g.x / size * 20)), int(math.Round(g.y / size * 3))}
	if !blank(g) &&
		(p[at] || p[place{at.text, at.x - 1, at.y}] || p[place{at.text, at.x + 1, at.y}]) {
		return true
	}
	p[at] = true
	return false
}

// continues reports whether a glyph goes on with the segment: it stands near either end, and
// on the base line. Raised and lowered letters are part of their word: small ones up to half
// a line away, those of the same size only if they touch it.
func (s *segment) continues(g glyph) bool {
	big := max(s.size, g.size)
	right, left := g.x-s.x1, s.x0-g.x2
	near := right > -0.4*big && right < cellGap*big || left > -0.4*big && left < cellGap*big ||
		blank(g) && right > -0.4*big && g.x < s.x1+2*big
	off := math.Abs(g.y - s.y)
	if !near || off > 0.55*big {
		return false
	}
	return off <= 0.2*big || g.size <= 0.9*s.size ||
		off <= 0.4*big && math.Abs(right) <= 0.25*big
}

// trim drops the spaces at the ends of a segment, which do not belong to its place.
func (s *segment) trim() {
	sort.SliceStable(s.glyphs, func(a, b int) bool { return s.glyphs[a].x < s.glyphs[b].x })
	for len(s.glyphs) > 0 && strings.TrimSpace(s.glyphs[len(s.glyphs)-1].text) == "" {
		s.glyphs = s.glyphs[:len(s.glyphs)-1]
	}
	for len(s.glyphs) > 0 && strings.TrimSpace(s.glyphs[0].text) == "" {
		s.glyphs = s.glyphs[1:]
	}
	s.x0, s.x1 = math.Inf(1), math.Inf(-1)
	for _, g := range s.glyphs {
		s.x0, s.x1 = min(s.x0, g.x, g.x2), max(s.x1, g.x, g.x2)
	}
}

// rowsOf puts segments on one base line together, from top to bottom.
func rowsOf(segs []*segment) []row {
	sort.SliceStable(segs, func(a, b int) bool { return segs[a].y > segs[b].y })
	var rows []row
	for _, s := range segs {
		if len(s.glyphs) == 0 {
			continue
		}
		joined := false
		for i := len(rows) - 1; i >= 0 && i >= len(rows)-3; i-- {
			r := &rows[i]
			if math.Abs(r.y-s.y) <= 0.3*max(r.size, s.size) {
				if s.size > r.size {
					r.y, r.size = s.y, s.size
				}
				r.segs = append(r.segs, s)
				joined = true
				break
			}
		}
		if !joined {
			rows = append(rows, row{[]*segment{s}, s.y, s.size})
		}
	}
	for i := range rows {
		rows[i].fuse()
	}
	return rows
}

// fuse joins neighbouring segments of a row with no wide gap between them.
func (r *row) fuse() {
	sort.SliceStable(r.segs, func(a, b int) bool { return r.segs[a].x0 < r.segs[b].x0 })
	out := r.segs[:1]
	for _, s := range r.segs[1:] {
		last := out[len(out)-1]
		if s.x0-last.x1 < cellGap*max(last.size, s.size) {
			for _, g := range s.glyphs {
				last.add(g)
			}
			continue
		}
		out = append(out, s)
	}
	r.segs = out
	for _, s := range out {
		sort.SliceStable(s.glyphs, func(a, b int) bool { return s.glyphs[a].x < s.glyphs[b].x })
	}
}

// No page of text has more than maxRows rows, nor columns of more than maxRun. A page that
// has more is read row by row, since the time to find columns grows with the square.
const (
	maxRows = 2000
	maxRun  = 300
)

type gap struct{ lo, hi float64 }

// gaps are the parts of x0…x1 that a row leaves empty.
func (r *row) gaps(x0, x1 float64) []gap {
	var out []gap
	at := x0
	for _, s := range r.segs {
		if s.x0 > at {
			out = append(out, gap{at, s.x0})
		}
		at = max(at, s.x1)
	}
	if at < x1 {
		out = append(out, gap{at, x1})
	}
	return out
}

func intersect(a, b []gap, width float64) []gap {
	var out []gap
	for i, j := 0, 0; i < len(a) && j < len(b); {
		lo, hi := max(a[i].lo, b[j].lo), min(a[i].hi, b[j].hi)
		if hi-lo >= width {
			out = append(out, gap{lo, hi})
		}
		if a[i].hi < b[j].hi {
			i++
		} else {
			j++
		}
	}
	return out
}

// columns finds runs of rows with an empty strip between them from top to bottom.
// Such a run is read column by column if both sides hold lines of text, and row by
// row if they hold the cells of a table.
func columns(rows []row, rtl bool, depth int) []region {
	if len(rows) == 0 {
		return nil
	}
	x0, x1, size := extent(rows)
	width := 0.9 * size
	var out []region
	plain := region{x0: x0, x1: x1}
	for i := 0; i < len(rows); {
		end, strip := i, gap{}
		if depth < 6 && len(rows) <= maxRows {
			end, strip = longestRun(rows, i, x0, x1, width)
		}
		// two lines with wide spaces are no table
		if end-i < 2 || end-i == 2 && strip.hi-strip.lo < 2*width {
			plain.add(rows[i].line(rtl))
			i++
			continue
		}
		if len(plain.lines) > 0 {
			out = append(out, plain)
			plain = region{x0: x0, x1: x1}
		}
		first, second := split(rows[i:end], strip)
		if prose(first, x1-x0) && prose(second, x1-x0) {
			if rtl {
				first, second = second, first
			}
			out = append(out, columns(first, rtl, depth+1)...)
			out = append(out, columns(second, rtl, depth+1)...)
		} else {
			t := region{x0: x0, x1: x1, table: true}
			for _, r := range rows[i:end] {
				t.add(r.line(rtl))
			}
			out = append(out, t)
		}
		i = end
	}
	if len(plain.lines) > 0 {
		out = append(out, plain)
	}
	return out
}

// extent is how far rows reach across, and the usual size of their letters.
func extent(rows []row) (x0, x1, size float64) {
	x0, x1 = math.Inf(1), math.Inf(-1)
	var sizes []float64
	for _, r := range rows {
		for _, s := range r.segs {
			x0, x1 = min(x0, s.x0), max(x1, s.x1)
		}
		sizes = append(sizes, r.size)
	}
	slices.Sort(sizes)
	return x0, x1, sizes[len(sizes)/2]
}

// longestRun is the longest run of rows from i on that share a strip between text: where it
// ends, and the strip.
func longestRun(rows []row, i int, x0, x1, width float64) (end int, strip gap) {
	end = i
	free := wider(rows[i].gaps(x0, x1), width)
	for j := i; j < min(len(rows), i+maxRun); j++ {
		if j > i {
			free = intersect(free, rows[j].gaps(x0, x1), width)
		}
		if len(free) == 0 {
			break
		}
		if best, ok := between(rows[i:j+1], free); ok {
			end, strip = j+1, best
		}
	}
	return end, strip
}

// wider returns the gaps of a width: where the search for strips begins. The margins are
// among them, since a column may begin below the other.
func wider(gaps []gap, width float64) []gap {
	var out []gap
	for _, g := range gaps {
		if g.hi-g.lo >= width {
			out = append(out, g)
		}
	}
	return out
}

// between returns the widest strip that has text of the rows on both sides.
func between(rows []row, free []gap) (gap, bool) {
	best, found := gap{}, false
	for _, g := range free {
		if g.hi-g.lo <= best.hi-best.lo {
			continue
		}
		left, right := 0, 0
		for _, r := range rows {
			if r.segs[0].x1 <= g.lo+0.01 {
				left++
			}
			if r.segs[len(r.segs)-1].x0 >= g.hi-0.01 {
				right++
			}
		}
		if left >= 2 && right >= 2 || len(rows) == 1 && left == 1 && right == 1 {
			best, found = g, true
		}
	}
	return best, found
}

func split(rows []row, at gap) (left, right []row) {
	mid := (at.lo + at.hi) / 2
	for _, r := range rows {
		l, rr := row{y: r.y, size: r.size}, row{y: r.y, size: r.size}
		for _, s := range r.segs {
			if s.x0 < mid {
				l.segs = append(l.segs, s)
			} else {
				rr.segs = append(rr.segs, s)
			}
		}
		if len(l.segs) > 0 {
			left = append(left, l)
		}
		if len(rr.segs) > 0 {
			right = append(right, rr)
		}
	}
	return left, right
}

// prose reports whether rows are lines of text rather than cells: at least four, most
// of them long.
func prose(rows []row, all float64) bool {
	long := 0
	for _, r := range rows {
		if n := len(r.segs); r.segs[n-1].x1-r.segs[0].x0 > 0.2*all && r.segs[0].letters >= 12 {
			long++
		}
	}
	return len(rows) >= 4 && long*2 >= len(rows)
}

func (r *row) line(rtl bool) line {
	l := line{x0: r.segs[0].x0, x1: r.segs[len(r.segs)-1].x1, y: r.y, size: r.size}
	n, bold, mono := 0, 0, 0
	for _, s := range r.segs {
		// cells of unknown characters say nothing
		if t := s.text(); strings.Trim(t, undecodable+" ") != "" {
			l.cells = append(l.cells, t)
			l.struck = append(l.struck, s.struck()...)
		}
		n, bold, mono = n+s.letters, bold+s.bold, mono+s.mono
	}
	if rtl {
		slices.Reverse(l.cells)
	}
	l.bold, l.mono = bold*10 >= n*9, mono*10 >= n*9
	return l
}

// text returns the text of a segment in the order it is read.
func (s *segment) text() string {
	words := make([]string, 0, len(s.glyphs)+8)
	rtl := false
	for i, g := range s.glyphs {
		if i > 0 {
			prev := s.glyphs[i-1]
			// The gap is compared with the smaller of two sizes: a raised figure is
			// small and close.
			if d := g.x - max(prev.x2, prev.x); d > wordGap*min(prev.size, g.size) &&
				prev.text != " " && g.text != " " {
				words = append(words, " ")
			}
		}
		t := g.text
		if t == "\u00a0" || t == "\t" {
			t = " "
		}
		rtl = rtl || isRTL(t)
		words = append(words, t)
	}
	if rtl {
		words = logical(words)
	}
	return strings.Join(strings.Fields(strings.Join(words, "")), " ")
}

// struck returns what a line goes through: runs of glyphs with two letters or figures.
func (s *segment) struck() []string {
	var out []string
	for i := 0; i < len(s.glyphs); i++ {
		from := i
		for i < len(s.glyphs) && s.glyphs[i].struck {
			i++
		}
		run := segment{glyphs: s.glyphs[from:i]}
		if i-from > 1 {
			if t := run.text(); len(strings.FieldsFunc(t, notWord)) > 0 &&
				utf8.RuneCountInString(t) > 1 {
				out = append(out, t)
			}
		}
	}
	return out
}

func isRTL(s string) bool {
	for _, r := range s {
		if unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana) &&
			unicode.IsLetter(r) {
			return true
		}
	}
	return false
}

func isLTR(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) && !isRTL(string(r)) || unicode.IsNumber(r) {
			return true
		}
	}
	return false
}

func mostlyRTL(glyphs []glyph) bool {
	r, l := 0, 0
	for _, g := range glyphs {
		if isRTL(g.text) {
			r++
		} else if isLTR(g.text) {
			l++
		}
	}
	return r > l
}

// direction is how a run of text is read.
type direction int

const (
	neutral direction = iota
	leftward
	rightward
)

// logical turns what is painted from left to right into the order it is read: the
// bidirectional algorithm backwards, as far as lines of one level need it. Numbers
// and words of other scripts within keep their order.
func logical(words []string) []string {
	class, base := directions(words)
	fillNeutral(class, base)
	var runs [][]string
	for i := 0; i < len(words); {
		j := i
		for j < len(words) && class[j] == class[i] {
			j++
		}
		run := slices.Clone(words[i:j])
		if class[i] == leftward {
			slices.Reverse(run)
		}
		runs = append(runs, run)
		i = j
	}
	if base == leftward {
		slices.Reverse(runs)
	}
	return slices.Concat(runs...)
}

// directions returns how each word is read, and the direction of most of them.
func directions(words []string) (class []direction, base direction) {
	class = make([]direction, len(words))
	lead := 0 // words to the right more than to the left
	for i, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		switch {
		case isRTL(w):
			class[i] = leftward
			lead--
		case isLTR(w):
			class[i] = rightward
			lead++
		case unicode.Is(unicode.M, first):
			class[i] = leftward
		}
	}
	if lead > 0 {
		return class, rightward
	}
	return class, leftward
}

// fillNeutral gives spaces and signs the direction of the words around them, or that of the
// line if they differ.
func fillNeutral(class []direction, base direction) {
	for i := 0; i < len(class); {
		if class[i] != neutral {
			i++
			continue
		}
		end := i
		for end < len(class) && class[end] == neutral {
			end++
		}
		to := base
		if i > 0 && end < len(class) && class[i-1] == class[end] {
			to = class[end]
		}
		for ; i < end; i++ {
			class[i] = to
		}
	}
}
