package pdf

import "math"

// ink is what shapes are filled or lines are drawn with.
type ink struct {
	colour  rgb
	space   int   // components of its colour space; 0 unknown, or one of the spaces below
	table   []rgb // of indexed colours
	pattern bool
	alpha   float64
}

// Spaces whose components are not those of a device.
const (
	tints   = -1 // of named inks
	noInk   = -2 // Separation /None: what is drawn in it paints nothing
	labs    = -3
	indexed = -4
)

var plainInk = ink{colour: black, space: 1, alpha: 1}

// shows reports whether the ink is seen on a ground.
func (i ink) shows(group float64, under rgb) bool { return i.differs(nearColour, group, under) }

// differs reports whether the ink on a ground differs from the ground by n of 255 or more.
func (i ink) differs(n uint8, group float64, under rgb) bool {
	alpha := i.alpha * group
	switch {
	case alpha < 0.04, i.space == noInk:
		return false
	case i.pattern || !i.colour.known || !under.known:
		return true
	}
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(b) + alpha*(float64(a)-float64(b))))
	}
	c := rgb{mix(i.colour.r, under.r), mix(i.colour.g, under.g), mix(i.colour.b, under.b), true}
	return !c.within(n, under)
}

// set reads the components of a colour in the ink's space.
func (i *ink) set(args operands) {
	i.pattern = false
	if len(args) > 0 {
		if _, isName := args[len(args)-1].(name); isName {
			i.colour, i.pattern = rgb{}, true
			return
		}
	}
	parts, sum := make([]float64, 0, 4), 0.0
	for k := range args {
		parts = append(parts, args.num(k))
		sum += args.num(k)
	}
	switch {
	case i.space == tints && sum < 0.04: // without ink the paper shows
		i.colour = white
	case i.space == labs && len(parts) == 3:
		i.colour = greyOf(parts)
	case i.space == indexed && len(parts) == 1 && parts[0] >= 0 && int(parts[0]) < len(i.table):
		i.colour = i.table[int(parts[0])]
	case i.space == len(parts):
		i.colour = colourOf(parts)
	default:
		i.colour = rgb{}
	}
}

// device sets a colour of one of the three plain spaces.
func (i *ink) device(args operands, n int) {
	i.space = n
	parts := make(operands, n)
	copy(parts, args)
	i.set(parts)
}

// choose begins a colour space, in its first colour.
func (i *ink) choose(space int, table []rgb) {
	i.space, i.table, i.pattern, i.colour = space, table, false, rgb{}
	switch {
	case space == 1, space == 3, space == 4:
		i.colour = black
	case space == indexed && len(table) > 0:
		i.colour = table[0]
	}
}

// greyOf is a colour of a Lab space that is grey; others are not known.
func greyOf(lab []float64) rgb {
	if math.Abs(lab[1]) > 1 || math.Abs(lab[2]) > 1 {
		return rgb{}
	}
	y := (lab[0] + 16) / 116
	if y = y * y * y; y > 0.0031308 {
		y = 1.055*math.Pow(y, 1/2.4) - 0.055
	}
	return colourOf([]float64{y})
}

// space reads the colour space that an operator names, see ink.
func (f *File) space(args operands, res dict) (int, []rgb) {
	if len(args) == 0 {
		return 0, nil
	}
	if n := plainSpaces[args.name(0)]; n != 0 {
		return n, nil
	}
	own, ok := f.dict(res["ColorSpace"])[args.name(0)]
	if !ok {
		return 0, nil
	}
	return f.components(own), f.indexed(own)
}

// components reads how many components a colour space has, see ink.
func (f *File) components(v any) int {
	v = f.value(v)
	if n, ok := v.(name); ok {
		return plainSpaces[string(n)]
	}
	a := f.list(v)
	if len(a) == 0 {
		return 0
	}
	kind, _ := f.value(a[0]).(name)
	switch {
	case kind == "ICCBased" && len(a) > 1:
		if st, ok := f.value(a[1]).(*stream); ok {
			return f.int(st.dict["N"], 0)
		}
	case kind == "Separation" && len(a) > 1 && f.value(a[1]) == name("None"):
		return noInk
	}
	return plainSpaces[string(kind)]
}

// indexed reads the colours of a space that numbers them; nil for others.
func (f *File) indexed(v any) []rgb {
	a := f.list(f.value(v))
	if len(a) < 4 || f.value(a[0]) != name("Indexed") && f.value(a[0]) != name("I") {
		return nil
	}
	n := f.components(a[1])
	var raw []byte
	switch t := f.value(a[3]).(type) {
	case str:
		raw = []byte(t)
	case *stream:
		raw = f.decode(t)
	}
	var out []rgb
	for n > 0 && len(raw) >= n && len(out) < 256 {
		parts := make([]float64, n)
		for k := range parts {
			parts[k] = float64(raw[k]) / 255
		}
		out, raw = append(out, colourOf(parts)), raw[n:]
	}
	return out
}

var plainSpaces = map[string]int{"DeviceGray": 1, "CalGray": 1, "G": 1, "DeviceRGB": 3, "CalRGB": 3,
	"RGB": 3, "DeviceCMYK": 4, "CMYK": 4,
	"Separation": tints, "DeviceN": tints, "Lab": labs, "Indexed": indexed, "I": indexed}

// state reads a dictionary of the graphics state.
func (p *painter) state(d dict) {
	g := &p.g
	if a := p.list(d["Font"]); len(a) == 2 {
		g.font, g.size = p.font(a[0]), p.number(a[1], g.size)
	}
	g.fill.alpha, g.stroke.alpha = p.number(d["ca"], g.fill.alpha),
		p.number(d["CA"], g.stroke.alpha)
	g.width = p.number(d["LW"], g.width)
	mode := p.value(d["BM"])
	if a, ok := mode.(array); ok && len(a) > 0 {
		mode = p.value(a[0])
	}
	if mode != nil {
		g.blend = mode != name("Normal") && mode != name("Compatible")
	}
	if mask := p.value(d["SMask"]); mask != nil && mask != name("None") ||
		p.value(d["op"]) == true || p.value(d["OP"]) == true {
		g.ragged = true
	}
}

// path is a shape that is to be painted: the box around it, and those of its parts that
// are boxes themselves.
type path struct {
	around  box
	any     bool
	boxes   []box
	turns   int      // 1 for boxes drawn one way round, 2 for the other
	crooked bool     // some part of it is not a box
	lines   []stroke // from left to right, or upwards
	part    [5][2]float64
	points  int // of the part that is being drawn
	x, y    float64
}

// stroke is a straight line along the page.
type stroke struct{ x0, y0, x1, y1 float64 }

// maxParts bounds the parts that are kept of one path.
const maxParts = 4096

func (a *path) point(x, y float64) {
	if !a.any {
		a.around, a.any = box{x, y, x, y}, true
	}
	b := &a.around
	b.x0, b.y0, b.x1, b.y1 = min(b.x0, x), min(b.y0, y), max(b.x1, x), max(b.y1, y)
	if a.points < len(a.part) {
		a.part[a.points] = [2]float64{x, y}
	}
	a.points++
	a.x, a.y = x, y
}

// line draws a straight line.
func (a *path) line(x, y float64) {
	if a.points > 0 && (math.Abs(x-a.x) < 0.3 || math.Abs(y-a.y) < 0.3) && len(a.lines) < maxParts {
		a.lines = append(a.lines, stroke{min(a.x, x), min(a.y, y), max(a.x, x), max(a.y, y)})
	}
	a.point(x, y)
}

// end ends a part: four corners in a row along the page are a box.
func (a *path) end() {
	n, q := a.points, &a.part
	a.points = 0
	if n == 5 && q[0] == q[4] {
		n = 4
	}
	if n < 3 {
		return
	}
	if n != 4 || len(a.boxes) >= maxParts || !along(q, 0) && !along(q, 1) {
		a.crooked = true
		return
	}
	a.boxes = append(a.boxes, box{min(q[0][0], q[2][0]), min(q[0][1], q[2][1]),
		max(q[0][0], q[2][0]), max(q[0][1], q[2][1])})
	if (q[1][0]-q[0][0])*(q[2][1]-q[1][1])-(q[1][1]-q[0][1])*(q[2][0]-q[1][0]) > 0 {
		a.turns |= 1
	} else {
		a.turns |= 2
	}
}

// along reports whether the sides between four corners run along the page, in turn: the
// first one across if axis is 0, upwards if it is 1.
func along(q *[5][2]float64, axis int) bool {
	for i := range 4 {
		still := (i + axis + 1) % 2 // the coordinate that stays
		if math.Abs(q[i][still]-q[(i+1)%4][still]) >= 0.01 {
			return false
		}
	}
	return true
}

// around returns the box around b on the page, and whether b is a box there.
func (m matrix) around(b box) (box, bool) {
	x0, y0 := m.apply(b.x0, b.y0)
	out := box{x0, y0, x0, y0}
	for _, c := range [][2]float64{{b.x1, b.y0}, {b.x0, b.y1}, {b.x1, b.y1}} {
		x, y := m.apply(c[0], c[1])
		out = box{min(out.x0, x), min(out.y0, y), max(out.x1, x), max(out.y1, y)}
	}
	scale := 0.001 * (math.Abs(m[0]) + math.Abs(m[1]) + math.Abs(m[2]) + math.Abs(m[3]))
	return out, math.Abs(m[1])+math.Abs(m[2]) <= scale || math.Abs(m[0])+math.Abs(m[3]) <= scale
}

func (p *painter) lineTo(a operands) { p.path.line(p.g.ctm.apply(a.num(0), a.num(1))) }

func (p *painter) moveTo(a operands) {
	p.path.end()
	p.path.point(p.g.ctm.apply(a.num(0), a.num(1)))
}

// curveTo draws a curve. Its points stand for it: it lies within them.
func (p *painter) curveTo(a operands, points int) {
	p.path.crooked = true
	for i := range points {
		p.path.point(p.g.ctm.apply(a.num(2*i), a.num(2*i+1)))
	}
}

func (p *painter) dash(args operands) {
	p.g.dashed = false
	if len(args) > 0 {
		list, _ := args[0].(array)
		p.g.dashed = len(list) > 0
	}
}

// shade paints the clip with colours that change.
func (p *painter) shade() {
	p.fill(p.g.clip, ink{pattern: true, alpha: p.g.fill.alpha}, false, false)
}

func (a *path) close() {
	if a.points > 1 && a.points <= len(a.part) {
		a.line(a.part[0][0], a.part[0][1])
	}
	x, y := a.part[0][0], a.part[0][1]
	a.end()
	a.x, a.y = x, y
}

func (p *painter) rectangle(args operands) {
	x, y, w, h := args.num(0), args.num(1), args.num(2), args.num(3)
	a := &p.path
	a.end()
	a.point(p.g.ctm.apply(x, y))
	a.line(p.g.ctm.apply(x+w, y))
	a.line(p.g.ctm.apply(x+w, y+h))
	a.line(p.g.ctm.apply(x, y+h))
	a.close()
}

// painting is how an operator paints a path.
type painting struct{ closes, fills, evenOdd, strokes bool }

// paintPath paints the path and ends it.
func (p *painter) paintPath(how painting) {
	a := &p.path
	if how.closes {
		a.close()
	}
	a.end()
	if how.fills {
		p.fillPath(how.evenOdd)
	}
	if how.strokes {
		p.strokePath()
	}
	if p.clips && a.any {
		p.g.clip = p.g.clip.intersect(a.around)
		p.g.ragged = p.g.ragged || a.crooked || len(a.boxes) != 1
	}
	p.clips = false
	*a = path{boxes: a.boxes[:0], lines: a.lines[:0]}
}

func (p *painter) fillPath(evenOdd bool) {
	a := &p.path
	if a.crooked || len(a.boxes) > 1 && (evenOdd || a.turns == 3) && !apart(a.boxes) {
		if a.any {
			p.fill(a.around, p.g.fill, false, false)
		}
		return
	}
	p.ops += len(a.boxes)
	for _, b := range a.boxes {
		p.fill(b, p.g.fill, true, false)
		p.strike(stroke{b.x0, (b.y0 + b.y1) / 2, b.x1, (b.y0 + b.y1) / 2}, b.y1-b.y0, p.g.fill)
	}
}

// apart reports whether no boxes overlap. For more than 16 it does not look, and reports false.
func apart(boxes []box) bool {
	if len(boxes) > 16 {
		return false
	}
	for i, b := range boxes {
		for _, c := range boxes[:i] {
			if !b.intersect(c).empty() {
				return false
			}
		}
	}
	return true
}

// maxStrike is the greatest width, in points, of a line that is drawn through words.
const maxStrike = 4

func (p *painter) strokePath() {
	g := &p.g
	m := g.ctm
	width := g.width * math.Sqrt(math.Abs(m[0]*m[3]-m[1]*m[2]))
	p.ops += len(p.path.lines)
	for _, l := range p.path.lines {
		switch {
		case width <= maxStrike:
		case l.x1-l.x0 < 0.3:
			p.fill(box{l.x0 - width/2, l.y0, l.x1 + width/2, l.y1}, g.stroke, !g.dashed, false)
		default:
			p.fill(box{l.x0, l.y0 - width/2, l.x1, l.y1 + width/2}, g.stroke, !g.dashed, false)
		}
		if !g.dashed && l.y1-l.y0 < 0.3 {
			p.strike(l, width, g.stroke)
		}
	}
}

// A veil, or a shape that is not a box, makes another ground only if it differs from the
// page by paleGround of 255 and has an opacity of faintVeil.
const (
	paleGround = 40
	faintVeil  = 0.15
)

// fill notes what is painted on a box.
func (p *painter) fill(b box, i ink, whole, picture bool) {
	g := &p.g
	b = b.intersect(g.clip)
	if p.hidden > 0 || b.empty() || i.space == noInk {
		return
	}
	sure := whole && !g.ragged && !g.blend && !i.pattern && i.alpha*g.group > 0.96
	x, y := (b.x0+b.x1)/2, (b.y0+b.y1)/2
	p.uncover(i)
	if !sure && (i.alpha*g.group < faintVeil ||
		!picture && !i.differs(paleGround, g.group, p.ground.under(x, y))) {
		return
	}
	p.ground.add(b, i.colour, sure, picture)
}

// uncover shows the letters that are part of the clip: the paint shows through them.
func (p *painter) uncover(i ink) {
	n := &p.g.letters
	for k := n[0]; k < min(n[1], len(p.glyphs)); k++ {
		gl := &p.glyphs[k]
		if gl.why == reasonMode && i.shows(p.g.group, p.ground.under(gl.cx, gl.cy)) {
			gl.why, gl.at = "", p.ground.now()+1
		}
	}
	p.ops += n[1] - n[0]
	*n = [2]int{}
}

// strike notes a thin line that may go through words.
func (p *painter) strike(l stroke, width float64, i ink) {
	b := box{l.x0, l.y0 - 1, l.x1, l.y1 + 1}.intersect(p.g.clip)
	if width > maxStrike || p.hidden > 0 || b.empty() || b.x1-b.x0 < 2*width {
		return
	}
	if i.alpha*p.g.group > 0.1 && !i.colour.like(white) {
		p.ground.strike(b.x0, b.x1, (l.y0+l.y1)/2)
	}
}

// image notes a picture on the unit square.
func (p *painter) image(seeThrough bool) {
	p.images++
	around, straight := p.g.ctm.around(box{0, 0, 1, 1})
	p.fill(around, ink{alpha: p.g.fill.alpha}, straight && !seeThrough, true)
}

// covered marks the glyphs that were painted over later, and those that a line goes
// through.
func (p *painter) covered() {
	for i := range p.glyphs {
		gl := &p.glyphs[i]
		if i%4096 == 0 {
			p.look()
		}
		if gl.why != "" {
			continue
		}
		gl.struck = p.ground.struck(gl)
		if n := p.ground.top(p.ground.covers, gl.cx, gl.cy); n > gl.at &&
			gl.within(p.ground.paint(n)) {
			gl.why, gl.under = reasonCovered, p.ground.paint(n).picture
		}
	}
}

// within reports whether a paint covers the part of a glyph that it is read by: its middle,
// half its width and nearly half its height.
func (g *glyph) within(a *paint) bool {
	dx, dy := (g.x2-g.x)/4, (g.y2-g.y)/4
	long := max(math.Hypot(dx, dy), 1e-6)
	ux, uy := -dy/long*0.2*g.size, dx/long*0.2*g.size
	return a.holds(g.cx-dx-ux, g.cy-dy-uy) && a.holds(g.cx+dx+ux, g.cy+dy+uy)
}

// marks reads the annotations that a viewer draws over the page: lines through words,
// and filled boxes.
func (p *painter) marks(pg pageDict) {
	for _, v := range p.list(pg.dict["Annots"]) {
		a := p.dict(v)
		kind := p.value(a["Subtype"])
		const unseen = 2 | 32 // hidden, not viewed
		if kind == name("Link") || p.int(a["F"], 0)&unseen != 0 {
			continue
		}
		switch r := p.box(a["Rect"]); {
		case r == nil:
		case kind == name("StrikeOut"):
			p.strikeOut(p.list(a["QuadPoints"]), *r)
		case kind == name("Square") || kind == name("Redact"):
			parts := p.list(a["IC"])
			i := plainInk
			i.alpha = p.number(a["CA"], 1)
			i.space = len(parts)
			i.set(operands(parts))
			if around, straight := p.base.around(*r); len(parts) > 0 {
				p.g.clip, p.g.ragged, p.g.blend = p.page, false, false
				p.fill(around, i, straight, false)
			}
		}
	}
}

func (p *painter) strikeOut(quads array, whole box) {
	if len(quads) < 8 {
		quads = array{whole.x0, whole.y0, whole.x1, whole.y0, whole.x0, whole.y1,
			whole.x1, whole.y1}
	}
	for i := 0; i+7 < min(len(quads), 8*maxParts); i += 8 {
		n := func(k int) float64 { return p.number(quads[i+k], 0) }
		b := box{min(n(0), n(2), n(4), n(6)), min(n(1), n(3), n(5), n(7)),
			max(n(0), n(2), n(4), n(6)), max(n(1), n(3), n(5), n(7))}
		around, _ := p.base.around(b)
		p.ground.strike(around.x0, around.x1, around.y0+0.45*(around.y1-around.y0))
	}
}
