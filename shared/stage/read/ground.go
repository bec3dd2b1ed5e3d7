package read

import (
	"math"
	"strings"

	"wstk/shared/stage/read/css"
)

// Text in the colour of what it stands on is not seen. This file follows both through the
// page: the colour of the text, and the colours that may lie under it.

// unknownColour stands for a colour that is not understood: it is like no usual ground.
var unknownColour = css.RGBA(0.5, 0, 0, 1)

// colour is the colour that a property declares; now is what currentcolor means. It is false
// where the property declares none.
func (b *box) colour(property string, now css.Color) (css.Color, bool) {
	switch v := b.get(property); v {
	case "", "inherit", "unset", "revert", "revert-layer":
		return css.Color{}, false
	case "initial":
		return css.Black, true
	default:
		return css.ParseColor(v, now)
	}
}

// setColours takes over what the letters are painted with.
func (b *box) setColours() {
	l := b.l
	b.setColour()
	if b.st.Node.Namespace == "svg" {
		b.setFill()
	}
	if c, ok := b.colour("-webkit-text-fill-color", l.fg); ok {
		l.fill = &c
	} else if v := b.get("-webkit-text-fill-color"); v == "initial" || v == "currentcolor" {
		l.fill = nil
	}
	if v, ok := b.has("text-shadow"); ok {
		l.shadow = v
	}
	if v := b.get("-webkit-text-stroke-width"); v != "" {
		a, ok := css.ParseLength(v, l.sizes())
		c := l.fg
		if s, has := css.ParseColor(b.get("-webkit-text-stroke-color"), l.fg); has {
			c = s
		}
		l.stroke = (!ok || a.Pixels > 0) && c.A > css.Faint
	}
}

func (b *box) setColour() {
	l, v := b.l, b.get("color")
	if v == "inherit" || v == "unset" {
		l.fg, l.said = b.around.fg, b.around.said
	} else if c, ok := b.colour("color", b.around.fg); ok {
		l.fg, l.said = c, true
	} else if v != "" && !css.IsWide(v) {
		l.fg, l.said = unknownColour, true
	}
}

// setFill takes over the colours of text in a drawing.
func (b *box) setFill() {
	l := b.l
	if c, ok := b.colour("fill", l.fg); ok {
		l.fg, l.said, l.filled = c, true, true
	} else if v := b.get("fill"); v == "none" {
		l.fg, l.said, l.filled = css.Transparent, true, true
	} else if v != "" {
		l.fg, l.said, l.filled = unknownColour, true, false
	}
	if v := b.get("fill-opacity"); v != "" {
		l.fg.A *= css.Clamp01(css.Number(v, 1))
	}
	if v := b.get("stroke"); v != "" {
		c, ok := css.ParseColor(v, l.fg)
		l.stroke = v != "none" && (!ok || c.A > css.Faint)
	}
}

// setGround works out what lies under the element's text.
func (b *box) setGround() {
	l := b.l
	if v := b.get("mix-blend-mode"); v != "" && v != "normal" {
		l.grounds = nil // what comes of its colours is not known; see blends
	}
	under := l.grounds
	if b.isLoose() && !b.page {
		l.grounds, l.age = nil, farFromGround
	}
	if b.isPulled() {
		l.grounds = nil
	}
	paints, known := b.paints()
	switch {
	case strings.Contains(b.get("background-clip"), "text"):
		b.paintLetters(paints, known, under)
	case !known:
		l.grounds, l.age = nil, 0
	case len(paints) > 0:
		l.grounds, l.age = painted(paints, l.grounds), 0
		if b.page {
			l.age = farFromGround
		}
	}
	l.plain = b.around.plain
	if !b.page && (l.plain < 0 || len(paints) > 0) {
		l.plain = b.i
	}
}

// isLoose reports whether the element may lie over others than those around it.
func (b *box) isLoose() bool {
	return b.isOut() || b.position == "sticky" || b.position == "-webkit-sticky"
}

// isPulled reports whether margins pull the element over its neighbours.
func (b *box) isPulled() bool {
	if a, ok := b.length("margin-top"); ok && a.Pixels < -4 {
		return true
	}
	a, ok := b.length("margin-left")
	return ok && (a.Pixels < -4 || a.Percent < -1)
}

// paints returns the colours that the element paints under its text; known is false where one
// of them is not understood.
func (b *box) paints() (colours []css.Color, known bool) {
	ground, paints := b.colour("background-color", b.l.fg)
	image := strings.TrimSpace(b.get("background-image"))
	if image == "" || image == "none" || css.IsWide(image) {
		if paints && ground.A > 0 {
			return []css.Color{ground}, true
		}
		_, declared := b.has("background-color")
		return nil, paints || !declared
	}
	colours, known = css.GradientColors(image, b.l.fg)
	if !known {
		return nil, false
	}
	if paints && ground.A == 1 {
		for i, c := range colours {
			colours[i] = c.Over(ground)
		}
	}
	return colours, true
}

// painted returns what lies under a text when colours are painted over grounds; nil where
// that is not known.
func painted(colours, grounds []css.Color) (out []css.Color) {
	for _, c := range colours {
		if c.A == 1 {
			out = append(out, c)
			continue
		}
		if grounds == nil {
			return nil
		}
		for _, g := range grounds[:min(len(grounds), 4)] {
			out = append(out, c.Over(g))
		}
	}
	return out
}

// paintLetters gives letters that the ground paints (background-clip: text) the colour of it
// that stands out most from what is under them.
func (b *box) paintLetters(colours []css.Color, known bool, under []css.Color) {
	l := b.l
	if !known {
		l.grounds = nil
		return
	}
	paint := l.fg
	if l.fill != nil {
		paint = *l.fill
	}
	if len(colours) == 0 || paint.A == 1 {
		return
	}
	best := css.Color{}
	for _, c := range colours {
		if c.A > 0 && (best.A == 0 || under != nil &&
			css.Contrast(c.Over(under[0]), under[0]) > css.Contrast(best.Over(under[0]),
				under[0])) {
			best = c
		}
	}
	l.fg, l.fill, l.said = best, nil, true
}

// sameColour reports whether text under element i has the colour of what it stands on.
func (w *walker) sameColour(l *looks, i int32) bool {
	fg := l.fg
	if l.fill != nil {
		fg = *l.fill
	} else if !l.said && (w.sheet.Unread > 0 || l.age > 90 && l.grounds == nil) {
		return false
	}
	if l.stroke || l.shadowShows(fg) {
		return false
	}
	if fg.A <= 0.03 {
		return true
	}
	if l.grounds == nil || l.age > 1 && w.maybeCovered(l) {
		return false
	}
	for _, g := range l.grounds {
		if !css.Alike(fg, g) {
			return false
		}
	}
	return true
}

// shadowShows reports whether a shadow may make text of colour fg seen.
func (l *looks) shadowShows(fg css.Color) bool {
	if l.shadow == "" || l.shadow == "none" {
		return false
	}
	for _, word := range css.Words(strings.ReplaceAll(l.shadow, ",", " ")) {
		c, ok := css.ParseColor(word, fg)
		if strings.Contains(word, "(") && !ok ||
			ok && c.A > 0.1 && (l.grounds == nil || !css.Alike(c, l.grounds[0])) {
			return true
		}
	}
	return false
}

// maybeCovered reports whether between a text and its ground may lie what a sheet that was not
// read paints, or a picture.
func (w *walker) maybeCovered(l *looks) bool {
	return w.sheet.Unread > 0 || l.plain >= 0 && w.media(l.plain)
}

// media reports whether a picture, film or frame stands in element i.
func (w *walker) media(i int32) bool {
	if w.mediaAt == nil {
		w.mediaAt = make([]int32, len(w.Els)+1)
		for k := range w.Els {
			w.mediaAt[k+1] = w.mediaAt[k]
			switch n := w.Els[k].Node; n.Data {
			case "img", "video", "picture", "canvas", "iframe", "object", "embed", "image":
				w.mediaAt[k+1]++
			}
		}
	}
	return w.mediaAt[w.Els[i].End] > w.mediaAt[i]
}

// blendModes are what modes of mix-blend-mode make of a part of a colour and of the ground.
var blendModes = map[string]func(a, b float64) float64{
	"screen":       func(a, b float64) float64 { return a + b - a*b },
	"lighten":      func(a, b float64) float64 { return max(a, b) },
	"color-dodge":  func(a, b float64) float64 { return min(1, a+b) },
	"plus-lighter": func(a, b float64) float64 { return min(1, a+b) },
	"multiply":     func(a, b float64) float64 { return a * b },
	"darken":       func(a, b float64) float64 { return min(a, b) },
	"difference":   func(a, b float64) float64 { return math.Abs(a - b) },
	"exclusion":    func(a, b float64) float64 { return math.Abs(a - b) },
}

// blends reports whether a blend mode makes the text vanish in what lies under it.
func blends(mode string, fg css.Color, grounds []css.Color) bool {
	mix := blendModes[mode]
	if mix == nil || len(grounds) != 1 {
		return false
	}
	g := grounds[0]
	fg = fg.Over(g)
	return css.Alike(css.RGBA(mix(fg.R, g.R), mix(fg.G, g.G), mix(fg.B, g.B), 1), g)
}

// isFilteredOut reports whether filters turn the colour of a text without a ground of its own
// into that of what it stands on, or all colours of an element with one into the same.
func (b *box) isFilteredOut() bool {
	v, ok := b.has("filter")
	if !ok {
		return false
	}
	if emptyFilter(b.w.referred(v)) {
		return true
	}
	list := css.Functions(v)
	if b.get("background-color") != "" || b.get("background-image") != "" {
		return len(b.l.grounds) > 0 && levels(list)
	}
	grounds := b.around.grounds
	if len(grounds) != 1 || b.w.sheet.Unread > 0 {
		return false
	}
	turned := filtered(list, b.l.fg)
	return turned != b.l.fg && css.Alike(turned, grounds[0])
}

// unlike are colours that no ordinary filter makes one of.
var unlike = []css.Color{css.White, css.Black, css.RGBA(1, 0, 0, 1), css.RGBA(0, 1, 0, 1),
	css.RGBA(0, 0, 1, 1)}

// levels reports whether filters make one colour of all.
func levels(filters []css.Function) bool {
	first := filtered(filters, unlike[0])
	for _, c := range unlike[1:] {
		if !css.Alike(filtered(filters, c), first) {
			return false
		}
	}
	return true
}

// filters are what the functions of the property filter make of a part of a colour, by how
// much, and by the grey of the colour.
var filters = map[string]func(v, by, grey float64) float64{
	"invert":     func(v, by, _ float64) float64 { return v + (1-2*v)*css.Clamp01(by) },
	"brightness": func(v, by, _ float64) float64 { return v * by },
	"contrast":   func(v, by, _ float64) float64 { return (v-0.5)*by + 0.5 },
	"grayscale":  func(v, by, grey float64) float64 { return v + (grey-v)*css.Clamp01(by) },
	"saturate":   func(v, by, grey float64) float64 { return grey + (v-grey)*by },
}

// filtered is what filters make of a colour. Those that are not known leave it.
func filtered(list []css.Function, c css.Color) css.Color {
	for _, f := range list {
		filter := filters[f.Name]
		if filter == nil {
			continue
		}
		by := 1.0
		if len(f.Args) > 0 {
			by = max(0, css.Number(f.Args[0], 1))
		}
		grey := 0.2126*c.R + 0.7152*c.G + 0.0722*c.B
		c = css.RGBA(css.Clamp01(filter(c.R, by, grey)), css.Clamp01(filter(c.G, by, grey)),
			css.Clamp01(filter(c.B, by, grey)), c.A)
	}
	return c
}
