package pdf

import "math"

// rgb is a colour. One that the file does not state plainly (a tint, a pattern, an index)
// is not known, and what is drawn in it counts as seen.
type rgb struct {
	r, g, b uint8
	known   bool
}

var (
	white = rgb{255, 255, 255, true}
	black = rgb{0, 0, 0, true}
)

// nearColour is a difference of colours, of 255. Text whose colour differs less from its
// ground is unreadable.
const nearColour = 13

func (c rgb) like(d rgb) bool { return c.within(nearColour, d) }

// within reports whether two colours are known and differ by less than n of 255.
func (c rgb) within(n uint8, d rgb) bool {
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) < n }
	return c.known && d.known && near(c.r, d.r) && near(c.g, d.g) && near(c.b, d.b)
}

// colourOf reads the components of a colour: gray, RGB or CMYK by their number.
func colourOf(parts []float64) rgb {
	at := func(v float64) uint8 { return uint8(math.Round(255 * min(1, max(0, v)))) }
	switch len(parts) {
	case 1:
		return rgb{at(parts[0]), at(parts[0]), at(parts[0]), true}
	case 3:
		return rgb{at(parts[0]), at(parts[1]), at(parts[2]), true}
	case 4:
		k := 1 - min(1, max(0, parts[3]))
		return rgb{at((1 - parts[0]) * k), at((1 - parts[1]) * k), at((1 - parts[2]) * k), true}
	}
	return rgb{}
}

// paint is what was painted on a box of the page.
type paint struct {
	x0, y0, x1, y1 float32
	colour         rgb
	sure           bool // all of the box, and nothing shows through
	picture        bool
}

func (a *paint) holds(x, y float64) bool {
	return x >= float64(a.x0) && x <= float64(a.x1) && y >= float64(a.y0) && y <= float64(a.y1)
}

// The page is a grid of gridSide cells each way. At most maxPaints of one page are kept.
const (
	gridSide  = 512
	gridBits  = 9
	maxPaints = 1 << 20
)

// latest holds for each cell of the grid the last number that was put on it. It is a tree
// of trees, by column and by row, so that a box costs the logarithm of its sides and not
// all its cells. Numbers grow, so the largest on the way to a cell is the last one, and
// those of earlier pages are too small to count.
type latest []int32

func (l latest) put(x0, x1, y0, y1 int, n int32) {
	for a, b := x0+gridSide, x1+1+gridSide; a < b; a, b = a>>1, b>>1 {
		if a&1 == 1 {
			l.column(a, y0, y1, n)
			a++
		}
		if b&1 == 1 {
			b--
			l.column(b, y0, y1, n)
		}
	}
}

func (l latest) column(x, y0, y1 int, n int32) {
	row := l[x*2*gridSide : (x+1)*2*gridSide]
	for a, b := y0+gridSide, y1+1+gridSide; a < b; a, b = a>>1, b>>1 {
		if a&1 == 1 {
			row[a] = n
			a++
		}
		if b&1 == 1 {
			b--
			row[b] = n
		}
	}
}

func (l latest) at(x, y int) int32 {
	last := int32(0)
	for a := x + gridSide; a > 0; a >>= 1 {
		for b := y + gridSide; b > 0; b >>= 1 {
			last = max(last, l[a*2*gridSide+b])
		}
	}
	return last
}

// ground holds what was painted on a page, in order.
type ground struct {
	page    box
	first   int32 // the number before the page's first paint
	paints  []paint
	covers  latest // paints that hide what was under them
	veils   latest // all others
	strokes map[int]*cells
	fine    float64 // height of a row of strokes
}

// begin makes the ground of a new, white page.
func (g *ground) begin(page box) {
	g.first += int32(len(g.paints))
	g.page, g.paints, g.strokes = page, g.paints[:0], nil
	g.fine = max(0.5, (page.y1-page.y0)/4096)
}

// now is the number of the last paint so far.
func (g *ground) now() int32 { return g.first + int32(len(g.paints)) }

// cell is the place of a point in the grid, which may be outside.
func (g *ground) cell(x, y float64) (int, int) {
	in := func(v, lo, hi float64) int {
		return int(math.Floor(max(-1, min(2, (v-lo)/(hi-lo))) * gridSide))
	}
	return in(x, g.page.x0, g.page.x1), in(y, g.page.y0, g.page.y1)
}

// add notes a paint on the cells whose middle it holds.
func (g *ground) add(b box, colour rgb, sure, picture bool) {
	if sure && b.y1-b.y0 > maxStrike {
		g.unstrike(b)
	}
	if len(g.paints) >= maxPaints {
		return
	}
	w, h := (g.page.x1-g.page.x0)/gridSide/2, (g.page.y1-g.page.y0)/gridSide/2
	x0, y0 := g.cell(b.x0+w, b.y0+h)
	x1, y1 := g.cell(b.x1-w, b.y1-h)
	x0, y0, x1, y1 = max(0, x0), max(0, y0), min(gridSide-1, x1), min(gridSide-1, y1)
	if x0 > x1 || y0 > y1 {
		return
	}
	kind := &g.veils
	if sure {
		kind = &g.covers
	}
	if *kind == nil {
		*kind = make(latest, 4*gridSide*gridSide)
	}
	g.paints = append(g.paints,
		paint{float32(b.x0), float32(b.y0), float32(b.x1), float32(b.y1), colour, sure, picture})
	kind.put(x0, x1, y0, y1, g.now())
}

// top is the number of the last paint of a kind at a point of this page, 0 if there is
// none.
func (g *ground) top(l latest, x, y float64) int32 {
	i, k := g.cell(x, y)
	if l == nil || i < 0 || k < 0 || i >= gridSide || k >= gridSide {
		return 0
	}
	if n := l.at(i, k); n > g.first {
		return n
	}
	return 0
}

func (g *ground) paint(n int32) *paint { return &g.paints[n-g.first-1] }

// under is the colour that the page has at a point; it is not known on a picture, on
// what shows through, and at the edge of a box.
func (g *ground) under(x, y float64) rgb {
	n := g.top(g.covers, x, y)
	switch {
	case g.top(g.veils, x, y) > n:
		return rgb{}
	case n == 0:
		return white
	case !g.paint(n).holds(x, y):
		return rgb{}
	}
	return g.paint(n).colour
}

// strike notes a thin line from left to right.
func (g *ground) strike(x0, x1, y float64) {
	i, _ := g.cell(x0, y)
	k, _ := g.cell(x1, y)
	i, k = max(0, i), min(gridSide-1, k)
	if i > k || y < g.page.y0 || y > g.page.y1 {
		return
	}
	if g.strokes == nil {
		g.strokes = map[int]*cells{}
	}
	r := int(y / g.fine)
	if g.strokes[r] == nil {
		g.strokes[r] = &cells{}
	}
	g.strokes[r].set(i, k)
}

// cells are marks along a row of the grid.
type cells [gridSide / 64]uint64

// part returns the bits of a word that are cells from i to k.
func part(word, i, k int) uint64 {
	bits := ^uint64(0)
	if word == i/64 {
		bits &= ^uint64(0) << (i % 64)
	}
	if word == k/64 {
		bits &= ^uint64(0) >> (63 - k%64)
	}
	return bits
}

func (c *cells) set(i, k int) {
	for word := i / 64; word <= k/64; word++ {
		c[word] |= part(word, i, k)
	}
}

func (c *cells) clear(i, k int) {
	for word := i / 64; word <= k/64 && i <= k; word++ {
		c[word] &^= part(word, i, k)
	}
}

func (c *cells) has(i int) bool { return c[i/64]>>(i%64)&1 == 1 }

// unstrike forgets the lines that a box was painted over. A box that is higher than many
// lines of text leaves them, unless it covers the page.
func (g *ground) unstrike(b box) {
	from, to := int(max(0, b.y0)/g.fine), int(min(b.y1, g.page.y1)/g.fine)
	if len(g.strokes) == 0 || to-from > 128 {
		if b.intersect(g.page) == g.page {
			g.strokes = nil
		}
		return
	}
	i, _ := g.cell(b.x0, b.y0)
	k, _ := g.cell(b.x1, b.y0)
	for r := from + 1; r < to; r++ {
		if row := g.strokes[r]; row != nil {
			row.clear(max(0, i), min(gridSide-1, k))
		}
	}
}

// struck reports whether a thin line crosses a glyph at the height of a strike.
func (g *ground) struck(gl *glyph) bool {
	if g.strokes == nil || gl.turn != 0 || gl.size < tinySize {
		return false
	}
	i, _ := g.cell((gl.x+gl.x2)/2, gl.y)
	if i < 0 || i >= gridSide {
		return false
	}
	from, to := int((gl.y+0.12*gl.size)/g.fine), int((gl.y+0.42*gl.size)/g.fine)
	for r := from; r <= min(to, from+256); r++ {
		if row := g.strokes[r]; row != nil && row.has(i) {
			return true
		}
	}
	return false
}
