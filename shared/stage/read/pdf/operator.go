package pdf

// operators are what a content stream can do, as far as text, and what hides it, needs it.
// An operator that is missing here does nothing. BI and Do are in run.
var operators = map[op]func(p *painter, args operands, res dict){
	// The graphics state.
	"q":  func(p *painter, _ operands, _ dict) { p.save() },
	"Q":  func(p *painter, _ operands, _ dict) { p.restore() },
	"cm": func(p *painter, a operands, _ dict) { p.g.ctm = a.matrix().times(p.g.ctm) },
	"w":  func(p *painter, a operands, _ dict) { p.g.width = a.num(0) },
	"d":  func(p *painter, a operands, _ dict) { p.dash(a) },
	"gs": func(p *painter, a operands, res dict) {
		p.state(p.dict(p.dict(res["ExtGState"])[a.name(0)]))
	},

	// Marked content, which may be that of a layer.
	"BMC": func(p *painter, a operands, res dict) { p.beginMarked(a, res) },
	"BDC": func(p *painter, a operands, res dict) { p.beginMarked(a, res) },
	"EMC": func(p *painter, _ operands, _ dict) { p.endMarked() },

	// The state of text.
	"Tc": func(p *painter, a operands, _ dict) { p.g.charSpace = a.num(0) },
	"Tw": func(p *painter, a operands, _ dict) { p.g.wordSpace = a.num(0) },
	"Tz": func(p *painter, a operands, _ dict) { p.g.stretch = a.num(0) / 100 },
	"TL": func(p *painter, a operands, _ dict) { p.g.leading = a.num(0) },
	"Ts": func(p *painter, a operands, _ dict) { p.g.rise = a.num(0) },
	"Tr": func(p *painter, a operands, _ dict) { p.g.mode = int(a.num(0)) },
	"Tf": func(p *painter, a operands, res dict) { p.setFont(a, res) },

	// The place of text.
	"BT": func(p *painter, _ operands, _ dict) { p.tm, p.lm = identity, identity },
	"Td": func(p *painter, a operands, _ dict) { p.newLine(a.num(0), a.num(1)) },
	"TD": func(p *painter, a operands, _ dict) {
		p.g.leading = -a.num(1)
		p.newLine(a.num(0), a.num(1))
	},
	"Tm": func(p *painter, a operands, _ dict) { p.tm, p.lm = a.matrix(), a.matrix() },
	"T*": func(p *painter, _ operands, _ dict) { p.newLine(0, -p.g.leading) },

	// Text.
	"Tj": func(p *painter, a operands, _ dict) { p.showArg(a, 0) },
	"TJ": func(p *painter, a operands, _ dict) { p.showList(a) },
	"'": func(p *painter, a operands, _ dict) {
		p.newLine(0, -p.g.leading)
		p.showArg(a, 0)
	},
	"\"": func(p *painter, a operands, _ dict) {
		p.g.wordSpace, p.g.charSpace = a.num(0), a.num(1)
		p.newLine(0, -p.g.leading)
		p.showArg(a, 2)
	},

	// Colours: those that fill are in small letters, those of lines in capitals.
	"g":   func(p *painter, a operands, _ dict) { p.g.fill.device(a, 1) },
	"rg":  func(p *painter, a operands, _ dict) { p.g.fill.device(a, 3) },
	"k":   func(p *painter, a operands, _ dict) { p.g.fill.device(a, 4) },
	"cs":  func(p *painter, a operands, res dict) { p.g.fill.choose(p.space(a, res)) },
	"sc":  func(p *painter, a operands, _ dict) { p.g.fill.set(a) },
	"scn": func(p *painter, a operands, _ dict) { p.g.fill.set(a) },
	"G":   func(p *painter, a operands, _ dict) { p.g.stroke.device(a, 1) },
	"RG":  func(p *painter, a operands, _ dict) { p.g.stroke.device(a, 3) },
	"K":   func(p *painter, a operands, _ dict) { p.g.stroke.device(a, 4) },
	"CS":  func(p *painter, a operands, res dict) { p.g.stroke.choose(p.space(a, res)) },
	"SC":  func(p *painter, a operands, _ dict) { p.g.stroke.set(a) },
	"SCN": func(p *painter, a operands, _ dict) { p.g.stroke.set(a) },

	// Paths.
	"m":  func(p *painter, a operands, _ dict) { p.moveTo(a) },
	"l":  func(p *painter, a operands, _ dict) { p.lineTo(a) },
	"c":  func(p *painter, a operands, _ dict) { p.curveTo(a, 3) },
	"v":  func(p *painter, a operands, _ dict) { p.curveTo(a, 2) },
	"y":  func(p *painter, a operands, _ dict) { p.curveTo(a, 2) },
	"h":  func(p *painter, _ operands, _ dict) { p.path.close() },
	"re": func(p *painter, a operands, _ dict) { p.rectangle(a) },

	// What a path is for.
	"n":  paints(painting{}),
	"f":  paints(painting{fills: true}),
	"F":  paints(painting{fills: true}),
	"f*": paints(painting{fills: true, evenOdd: true}),
	"B":  paints(painting{fills: true, strokes: true}),
	"B*": paints(painting{fills: true, evenOdd: true, strokes: true}),
	"b":  paints(painting{closes: true, fills: true, strokes: true}),
	"b*": paints(painting{closes: true, fills: true, evenOdd: true, strokes: true}),
	"S":  paints(painting{strokes: true}),
	"s":  paints(painting{closes: true, strokes: true}),
	"W":  func(p *painter, _ operands, _ dict) { p.clips = true },
	"W*": func(p *painter, _ operands, _ dict) { p.clips = true },
	"sh": func(p *painter, _ operands, _ dict) { p.shade() },
}

func paints(how painting) func(*painter, operands, dict) {
	return func(p *painter, _ operands, _ dict) { p.paintPath(how) }
}

func (p *painter) save() {
	if len(p.saved) < maxSaved {
		p.saved = append(p.saved, p.g)
	}
}

func (p *painter) restore() {
	if n := len(p.saved); n > 0 {
		p.g = p.saved[n-1]
		p.saved = p.saved[:n-1]
	}
}

func (p *painter) beginMarked(args operands, res dict) {
	hides := len(args) > 1 && args[0] == name("OC") &&
		p.layerOff(p.dict(res["Properties"])[args.name(1)])
	if len(p.layers) < maxSaved {
		p.layers = append(p.layers, hides)
		if hides {
			p.hidden++
		}
	}
}

func (p *painter) endMarked() {
	if n := len(p.layers); n > 0 {
		if p.layers[n-1] {
			p.hidden--
		}
		p.layers = p.layers[:n-1]
	}
}

func (p *painter) setFont(args operands, res dict) {
	if len(args) < 2 {
		return
	}
	if v, ok := p.dict(res["Font"])[args.name(0)]; ok {
		p.g.font = p.font(v)
	}
	p.g.size = args.num(1)
}
