package pdf

import "math"

// matrix is a transformation as PDF writes it: a b c d e f.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times returns the transformation that does m first and then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// glyph is a character on the page, in points, y upwards, the page turned upright.
type glyph struct {
	text   string
	x, y   float64 // where it begins on its base line
	x2, y2 float64 // where the next glyph begins
	size   float64 // height of the font
	font   *font
	why    string  // why no reader sees it, "" if it is visible
	turn   int     // quarter turns of its base line
	cx, cy float64 // its middle; 0.3 of the font's height above the base line
	at     int32   // number of the last paint (see ground) when it was drawn
	struck bool    // a line goes through it
	under  bool    // a picture covers it
}

// box is a part of the page that something was painted on.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) holds(x, y float64) bool { return x >= b.x0 && x <= b.x1 && y >= b.y0 && y <= b.y1 }

// intersect returns the part that two boxes share; it may be empty.
func (b box) intersect(c box) box {
	return box{max(b.x0, c.x0), max(b.y0, c.y0), min(b.x1, c.x1), min(b.y1, c.y1)}
}

func (b box) empty() bool { return b.x0 >= b.x1 || b.y0 >= b.y1 }

// graphics is the part of the graphics state that matters for text.
type graphics struct {
	ctm                  matrix
	font                 *font
	size                 float64
	charSpace, wordSpace float64
	stretch, leading     float64
	rise                 float64
	mode                 int
	fill, stroke         ink
	group                float64 // opacity of the groups around
	blend                bool    // what is painted mixes with what is there
	width                float64 // of lines
	dashed               bool
	clip                 box
	ragged               bool   // the clip is not a box: less than clip is painted
	letters              [2]int // the glyphs from [0] up to [1] are part of the clip
}

// painter runs the content of one page.
type painter struct {
	*File
	g      graphics
	saved  []graphics
	tm, lm matrix
	base   matrix // turns the page upright
	page   box
	glyphs []glyph
	path   path
	clips  bool // the path is to be the clip
	images int
	layers []bool // marked content that is open; true hides what it holds
	hidden int    // how many open layers hide what they hold
	forms  int    // form XObjects that are open
	spent  bool   // a limit was reached or time is over: the rest is not read
}

const (
	maxForms      = 16
	maxSaved      = 512
	maxPageGlyphs = 1 << 18
	reasonMode    = "invisible"
	reasonColour  = "same_color"
	reasonTiny    = "tiny"
	reasonOutside = "off_screen"
	reasonLayer   = "layer"
	reasonClip    = "clip"
	reasonCovered = "covered"
	tinySize      = 1.0  // points; smaller text is unreadable
	narrowest     = 0.05 // width of a letter over its height; narrower ones are unreadable
	undecodable   = "\ufffd"
)

// paint runs the content of a page.
func (f *File) paint(pg pageDict) *painter {
	p := &painter{File: f}
	media := f.box(pg.dict["MediaBox"])
	if media == nil {
		media = &box{0, 0, 612, 792}
	}
	if crop := f.box(pg.dict["CropBox"]); crop != nil && !crop.intersect(*media).empty() {
		*media = crop.intersect(*media)
	}
	w, h := media.x1-media.x0, media.y1-media.y0
	switch ((f.int(pg.dict["Rotate"], 0)/90)%4 + 4) % 4 {
	case 0:
		p.base = matrix{1, 0, 0, 1, -media.x0, -media.y0}
	case 1:
		p.base, w, h = matrix{0, -1, 1, 0, -media.y0, media.x1}, h, w
	case 2:
		p.base = matrix{-1, 0, 0, -1, media.x1, media.y1}
	default:
		p.base, w, h = matrix{0, 1, -1, 0, media.y1, -media.x0}, h, w
	}
	p.page = box{0, 0, w, h}
	p.g = graphics{ctm: p.base, stretch: 1, group: 1, width: 1, clip: p.page,
		fill: plainInk, stroke: plainInk}
	f.ground.begin(p.page)
	var src []byte
	for _, v := range f.list(pg.dict["Contents"]) {
		if st, ok := f.value(v).(*stream); ok {
			src = append(append(src, f.decode(st)...), '\n')
			if len(src) > maxStream {
				break
			}
		}
	}
	p.run(src, f.dict(pg.dict["Resources"]))
	return p
}

func (f *File) box(v any) *box {
	a := f.list(v)
	if len(a) < 4 {
		return nil
	}
	n := func(i int) float64 { return f.number(a[i], 0) }
	b := box{min(n(0), n(2)), min(n(1), n(3)), max(n(0), n(2)), max(n(1), n(3))}
	if b.x1-b.x0 < 1 || b.y1-b.y0 < 1 {
		return nil
	}
	return &b
}

// run interprets a content stream. BI and Do, which bring in content of their own, are
// done here; see operators for all others.
func (p *painter) run(src []byte, res dict) {
	s := &scanner{src: src}
	var args []any
	depth := len(p.saved)
	for {
		p.ops++
		if p.over() {
			p.spent = true
			return
		}
		v, ok := s.next(false)
		if !ok {
			break
		}
		o, isOp := v.(op)
		if !isOp {
			if _, bad := v.(closing); !bad && len(args) < 64 {
				args = append(args, v)
			}
			if a, ok := v.(array); ok {
				p.ops += len(a)
			}
			continue
		}
		switch o {
		case "BI":
			p.inlineImage(s)
		case "Do":
			p.xobject(p.dict(res["XObject"])[operands(args).name(0)], res)
		default:
			if do := operators[o]; do != nil {
				do(p, args, res)
			}
		}
		args = args[:0]
	}
	for len(p.saved) > depth { // what was not closed ends with its stream
		p.restore()
	}
}

// over reports whether the file has reached a bound or there is no time left.
func (p *painter) over() bool {
	return p.ops > p.maxOps || p.File.glyphs > maxGlyphs || len(p.glyphs) > maxPageGlyphs ||
		p.ops%4096 == 0 && p.stop.Err() != nil
}

// inlineImage passes over an image, whose bytes are not operators.
func (p *painter) inlineImage(s *scanner) {
	mask, last := false, any(nil)
	for {
		v, ok := s.next(false)
		if !ok || v == op("ID") {
			break
		}
		mask = mask || v == true && (last == name("IM") || last == name("ImageMask"))
		last = v
	}
	p.image(mask)
	s.pos++
	for i := s.pos; i+2 <= len(s.src); i++ {
		if s.src[i] == 'E' && s.src[i+1] == 'I' && i > 0 && isSpace(s.src[i-1]) &&
			(i+2 == len(s.src) || isSpace(s.src[i+2])) {
			s.pos = i + 2
			return
		}
	}
	s.pos = len(s.src)
}

// operands are the values before an operator.
type operands []any

func (a operands) num(i int) float64 {
	if i < len(a) {
		if v, ok := a[i].(float64); ok {
			return v
		}
	}
	return 0
}

func (a operands) name(i int) string {
	if i < len(a) {
		n, _ := a[i].(name)
		return string(n)
	}
	return ""
}

func (a operands) matrix() matrix {
	return matrix{a.num(0), a.num(1), a.num(2), a.num(3), a.num(4), a.num(5)}
}

// showList shows strings with shifts between them.
func (p *painter) showList(args operands) {
	if len(args) == 0 {
		return
	}
	g := &p.g
	list, _ := args[0].(array)
	for _, v := range list {
		switch v := v.(type) {
		case str:
			p.show(v)
		case float64:
			shift := -v / 1000 * g.size
			if g.font != nil && g.font.vertical {
				p.tm = matrix{1, 0, 0, 1, 0, shift}.times(p.tm)
			} else {
				p.tm = matrix{1, 0, 0, 1, shift * g.stretch, 0}.times(p.tm)
			}
		}
	}
}

// layerOff reports whether optional content is not shown: a layer that is off, or a
// group whose rule hides it.
func (p *painter) layerOff(v any) bool {
	if r, ok := v.(ref); ok && p.off[r] {
		return true
	}
	d := p.dict(v)
	if d["Type"] != name("OCMD") {
		return false
	}
	if rule := p.list(d["VE"]); len(rule) > 0 {
		return !p.visible(rule, 0)
	}
	all := p.list(d["OCGs"])
	if r, ok := d["OCGs"].(ref); ok && p.dict(r) != nil {
		all = []any{r}
	}
	off := 0
	for _, v := range all {
		if r, ok := v.(ref); ok && p.off[r] {
			off++
		}
	}
	switch p.value(d["P"]) {
	case name("AllOn"):
		return off > 0
	case name("AnyOff"):
		return len(all) > 0 && off == 0
	case name("AllOff"):
		return off < len(all)
	}
	return len(all) > 0 && off == len(all)
}

// visible evaluates the rule of a group of layers: [/And …], [/Or …] or [/Not x], of layers
// and of rules.
func (p *painter) visible(rule array, depth int) bool {
	op := p.value(rule[0])
	for _, v := range rule[1:min(len(rule), maxParts)] {
		r, layer := v.(ref)
		on := !(layer && p.off[r])
		if inner, ok := p.value(v).(array); ok && len(inner) > 0 {
			if p.ops++; depth > 8 || p.ops > p.maxOps {
				return true
			}
			on = p.visible(inner, depth+1)
		}
		switch {
		case op == name("Not"):
			return !on
		case op == name("Or") && on:
			return true
		case op == name("And") && !on:
			return false
		}
	}
	return op != name("Or")
}

func (p *painter) xobject(v any, res dict) {
	st, ok := p.value(v).(*stream)
	if !ok {
		return
	}
	if p.value(st.dict["Subtype"]) != name("Form") {
		if !p.layerOff(st.dict["OC"]) {
			p.image(p.value(st.dict["ImageMask"]) == true || st.dict["SMask"] != nil ||
				st.dict["Mask"] != nil)
		}
		return
	}
	if p.forms >= maxForms || p.budget == 0 {
		return
	}
	if p.layerOff(st.dict["OC"]) {
		p.hidden++
		defer func() { p.hidden-- }()
	}
	p.forms++
	g, tm, lm, layers := p.g, p.tm, p.lm, len(p.layers)
	if m := p.list(st.dict["Matrix"]); len(m) == 6 {
		n := func(i int) float64 { return p.number(m[i], 0) }
		p.g.ctm = matrix{n(0), n(1), n(2), n(3), n(4), n(5)}.times(p.g.ctm)
	}
	if b := p.box(st.dict["BBox"]); b != nil {
		around, straight := p.g.ctm.around(*b)
		p.g.clip, p.g.ragged = p.g.clip.intersect(around), p.g.ragged || !straight
	}
	if st.dict["Group"] != nil { // it is painted as one thing
		p.g.group *= p.g.fill.alpha
		p.g.fill.alpha, p.g.stroke.alpha = 1, 1
	}
	around := p.path
	p.path = path{}
	if own := p.dict(st.dict["Resources"]); own != nil {
		res = own
	}
	p.run(p.decode(st), res)
	for len(p.layers) > layers {
		p.endMarked()
	}
	p.g, p.tm, p.lm, p.path = g, tm, lm, around
	p.forms--
}

func (p *painter) newLine(x, y float64) {
	p.lm = matrix{1, 0, 0, 1, x, y}.times(p.lm)
	p.tm = p.lm
}

func (p *painter) showArg(args operands, i int) {
	if i < len(args) {
		if s, ok := args[i].(str); ok {
			p.show(s)
		}
	}
}

// show puts the glyphs of a string on the page.
func (p *painter) show(s str) {
	if p.g.font != nil && math.Abs(p.g.size) <= 1e5 {
		p.g.font.each(s, p.showGlyph)
	}
}

// showGlyph puts a glyph on the page and moves to the place of the next.
func (p *painter) showGlyph(c shown) {
	p.ops++
	g := &p.g
	trm := matrix{g.size * g.stretch, 0, 0, g.size, 0, g.rise}.times(p.tm).times(g.ctm)
	p.advance(c)
	if c.text == "" {
		if c.width == 0 {
			return
		}
		c.text = undecodable
	}
	if x, y := trm[4], trm[5]; math.IsNaN(x) || math.IsNaN(y) || math.Abs(x) > 1e6 ||
		math.Abs(y) > 1e6 {
		return
	}
	gl := p.place(c, trm)
	gl.why = p.hides(&gl)
	if gl.why == "" && math.Hypot(trm[0], trm[1]) < narrowest*math.Hypot(trm[2], trm[3]) {
		gl.why = reasonTiny
	}
	gl.at = p.ground.now()
	p.glyphs = append(p.glyphs, gl)
	if g.mode >= 4 {
		p.clipLetter()
	}
	p.File.glyphs++
}

// advance moves past a glyph.
func (p *painter) advance(c shown) {
	g := &p.g
	if g.font.vertical {
		p.tm = matrix{1, 0, 0, 1, 0, -g.size + g.charSpace}.times(p.tm)
		return
	}
	step := c.width*g.size + g.charSpace
	if c.space {
		step += g.wordSpace
	}
	p.tm = matrix{1, 0, 0, 1, step * g.stretch, 0}.times(p.tm)
}

// place returns a glyph where the matrix puts it.
func (p *painter) place(c shown, trm matrix) glyph {
	g := &p.g
	x, y := trm[4], trm[5]
	wide := c.width
	// letters with space between them are one word
	if g.size != 0 && math.Abs(g.charSpace) < math.Abs(g.size)/2 {
		wide += g.charSpace / g.size
	}
	x2, y2 := trm.apply(wide, 0)
	if g.font.vertical {
		x2, y2 = trm.apply(0, -1)
	}
	rise := 0.3 * g.font.em
	return glyph{text: c.text, x: x, y: y, x2: x2, y2: y2, font: g.font,
		size: math.Hypot(trm[2], trm[3]) * g.font.em, turn: quarterTurns(trm[0], trm[1]),
		cx: (x+x2)/2 + trm[2]*rise, cy: (y+y2)/2 + trm[3]*rise}
}

// quarterTurns is how often a line in this direction is turned to the left, from 0 to 3.
func quarterTurns(dx, dy float64) int {
	switch {
	case math.Abs(dy) <= math.Abs(dx) && dx >= 0:
		return 0
	case math.Abs(dy) > math.Abs(dx) && dy > 0:
		return 1
	case math.Abs(dy) > math.Abs(dx):
		return 3
	}
	return 2
}

// clipLetter makes the last glyph part of the clip.
func (p *painter) clipLetter() {
	g := &p.g
	if g.letters[1] != len(p.glyphs)-1 {
		g.letters[0] = len(p.glyphs) - 1
	}
	g.letters[1] = len(p.glyphs)
	g.ragged = true
}

// hides returns why no reader sees a glyph.
func (p *painter) hides(gl *glyph) string {
	mx, my := (gl.x+gl.x2)/2, (gl.y+gl.y2)/2
	switch {
	case p.hidden > 0:
		return reasonLayer
	case p.g.mode == 3 || p.g.mode == 7:
		return reasonMode
	case gl.size < tinySize:
		return reasonTiny
	case !p.page.holds(mx, my):
		return reasonOutside
	case !p.g.clip.holds(gl.cx, gl.cy):
		return reasonClip
	case !p.seen(gl):
		return reasonColour
	}
	return ""
}

// seen reports whether a glyph is drawn in another colour than what is under it.
func (p *painter) seen(gl *glyph) bool {
	under := p.ground.under(gl.cx, gl.cy)
	fills, strokes := p.g.mode%4 != 1, p.g.mode%4 == 1 || p.g.mode%4 == 2
	return fills && p.g.fill.shows(p.g.group, under) ||
		strokes && p.g.stroke.shows(p.g.group, under)
}
