package read

import (
	"strings"

	"golang.org/x/net/html"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// drawing is what of an svg element bears on whether the text in it is seen.
type drawing struct {
	outer *drawing
	// what it shows, in its own units; right and bottom are 0 where that is not said
	left, top, right, bottom float64
	boxed                    bool       // a view box says so
	open                     bool       // it shows what lies beyond as well
	painted                  bool       // shapes may lie under what follows
	sheet                    *css.Color // the last of them is one sheet of this colour
}

func newDrawing(n *html.Node, st *css.Style, outer *drawing) *drawing {
	d := &drawing{outer: outer, right: css.Number(dom.Attr(n, "width"), 0),
		bottom: css.Number(dom.Attr(n, "height"), 0)}
	if box := strings.Fields(strings.ReplaceAll(dom.Attr(n, "viewbox")+dom.Attr(n, "viewBox"), ",",
		" ")); len(box) == 4 {
		d.left, d.top, d.boxed = css.Number(box[0], 0), css.Number(box[1], 0), true
		d.right, d.bottom = d.left+css.Number(box[2], 0), d.top+css.Number(box[3], 0)
	}
	d.open = st != nil && st.Values["overflow-x"] == "visible"
	d.painted = outer != nil && outer.painted
	return d
}

// drawn visits element i of a drawing.
func (w *walker) drawn(i int32, s state) {
	n := w.Els[i].Node
	if n.Data == "text" || n.Data == "foreignObject" {
		s.overShapes(w)
	}
	st, inline := w.sheet.Style(w.Tree, int(i))
	w.visibility(i, st, inline, dom.DisplayInline, &s)
	switch d := s.draw; n.Data {
	case "svg":
		if css.IsZero(orOne(dom.Attr(n, "width"))) || css.IsZero(orOne(dom.Attr(n, "height"))) {
			w.hide(i, reasonTiny, 'h', &s)
		}
		s.draw = newDrawing(n, st, d)
	case "text":
		if d != nil && d.beyond(n, s.look) {
			w.hide(i, reasonOffScreen, 'h', &s)
		}
		w.onSheet(i, &s)
	case "rect", "circle", "ellipse", "path", "polygon", "polyline", "line", "image", "use":
		if d != nil && (s.hide < 0 || s.why != 'h') {
			d.paint(n, s.look)
		}
	}
	w.seen(i, &s)
	if n.Data != "svg" || s.draw.outer != nil {
		w.svg(i, s)
		return
	}
	w.omit(w.ofDrawing(i, st), &s)
	runs := len(w.runs)
	w.svg(i, s)
	if len(w.runs) > runs { // its text is a block of its own
		w.omit(showsWords, &s)
	}
}

// paint notes a shape. One that paints nothing, or what lies there anyway, is none.
func (d *drawing) paint(n *html.Node, l *looks) {
	if sizeless(n) {
		return
	}
	picture := n.Data == "image" || n.Data == "use"
	if !picture && !l.stroke && l.filled &&
		(l.fg.A <= css.Faint || !d.painted && len(l.grounds) == 1 &&
			css.Alike(l.fg, l.grounds[0])) {
		return
	}
	for at := d; at != nil; at = at.outer {
		at.painted, at.sheet = true, nil
	}
	if !picture && l.filled && l.fg.A > 0.95 && l.alpha > 0.95 && d.covers(n, l) {
		sheet := l.fg
		d.sheet = &sheet
	}
}

// covers reports whether a shape lies under all of the drawing.
func (d *drawing) covers(n *html.Node, l *looks) bool {
	side := func(size string, whole float64) bool {
		v := dom.Attr(n, size)
		return v == "100%" || whole > 0 && css.Number(v, 0) >= whole
	}
	return n.Data == "rect" && l.isUpright() && l.dx == 0 && l.dy == 0 &&
		css.Number(dom.Attr(n, "x"), 0) <= d.left && css.Number(dom.Attr(n, "y"), 0) <= d.top &&
		side("width", d.right-d.left) && side("height", d.bottom-d.top)
}

// beyond reports whether a text stands outside of what its drawing shows. How many of its
// units a box larger than the view box shows is not known.
func (d *drawing) beyond(n *html.Node, l *looks) bool {
	x, y := css.Number(dom.Attr(n, "x"), 0), css.Number(dom.Attr(n, "y"), 0)
	if d.boxed && x >= d.left && x <= d.right && y >= d.top && y <= d.bottom {
		return false
	}
	if x <= -farAway || y <= -farAway {
		return true
	}
	if dom.Attr(n, "transform") != "" || dom.HasAttr(n, "text-anchor") {
		return false
	}
	if d.right > 0 && x > d.right {
		return true
	}
	if !d.boxed || d.open || !l.isUpright() || l.dx != 0 || l.dy != 0 ||
		firstElement(n) != nil {
		return false
	}
	room := 10 * max(d.right-d.left, d.bottom-d.top)
	return y < d.top-room || y > d.bottom+room
}

// overShapes takes the ground of the page away from what stands on the shapes of a drawing.
func (s *state) overShapes(w *walker) {
	if s.draw == nil || !s.draw.painted {
		return
	}
	l := *s.look
	l.grounds = nil
	s.look = &l
	if s.hide >= 0 && s.why != 'h' && w.hiding[s.hide].reason == reasonSameColor {
		s.hide = -1
	}
}

// onSheet asks whether a text has the colour of the sheet that its drawing begins with.
func (w *walker) onSheet(i int32, s *state) {
	if s.draw == nil || s.draw.sheet == nil || !s.look.filled || s.hide >= 0 {
		return
	}
	l := *s.look
	l.grounds, l.age = []css.Color{*s.draw.sheet}, 0
	if s.look = &l; w.sameColour(&l, i) {
		w.hide(i, reasonSameColor, 's', s)
	}
}

// svg walks a drawing. Text is drawn only in <text> and in foreign HTML; titles
// and descriptions are tooltips.
func (w *walker) svg(i int32, s state) {
	switch w.Els[i].Node.Data {
	case "title", "desc", "metadata", "defs", "symbol", "style", "script",
		"clipPath", "mask", "pattern":
		return
	case "text":
		w.boundary(&s)
		s.svg, s.owner, s.kind, s.pre = false, i, wstk.BlockOther, false
		w.children(i, s)
		w.boundary(&s)
		return
	case "tspan", "textPath", "a":
		w.children(i, s)
		return
	case "foreignObject":
		s.svg = false
		w.children(i, s)
		return
	case "switch":
		w.switched(i, s)
		return
	}
	s.svg = true
	w.children(i, s)
}

// switched walks a switch, which shows the first of its children whose conditions hold.
// What the conditions of a child come to is not known.
func (w *walker) switched(i int32, s state) {
	s.svg = true
	next, chosen := i+1, false
	for c := w.Els[i].Node.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		in := s
		if chosen {
			w.hide(i, reasonAttribute, 'h', &in)
		}
		w.element(next, in)
		next = w.Els[next].End
		chosen = chosen || !dom.HasAttr(c, "systemLanguage") &&
			!dom.HasAttr(c, "requiredExtensions") && !dom.HasAttr(c, "requiredFeatures")
	}
}

// referred returns the element that url(#id) stands for, nil where there is none.
func (w *walker) referred(v string) *html.Node {
	id, ok := strings.CutPrefix(v, "url(")
	if id = strings.Trim(strings.TrimSuffix(id, ")"), `"' `); !ok || !strings.HasPrefix(id, "#") {
		return nil
	}
	if w.ids == nil {
		w.ids = map[string]*html.Node{}
		for k := range w.Els {
			if id := strings.ToLower(dom.Attr(w.Els[k].Node, "id")); id != "" && w.ids[id] == nil {
				w.ids[id] = w.Els[k].Node
			}
		}
	}
	return w.ids[strings.ToLower(id[1:])]
}

// emptyClip reports whether a clipPath lets nothing through: its shapes have no size.
func emptyClip(n *html.Node) bool {
	if n == nil || n.Data != "clipPath" {
		return false
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && !sizeless(c) {
			return false
		}
	}
	return true
}

// emptyFilter reports whether a filter leaves nothing of what goes through it: it has no part,
// or one alone that takes all opacity away.
func emptyFilter(n *html.Node) bool {
	if n == nil || n.Data != "filter" {
		return false
	}
	only := firstElement(n)
	if only == nil {
		return true
	}
	for c := only.NextSibling; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return false
		}
	}
	m := strings.Fields(strings.ReplaceAll(dom.Attr(only, "values"), ",", " "))
	if only.Data != "feColorMatrix" || len(m) != 20 ||
		dom.Attr(only, "type") != "" && dom.Attr(only, "type") != "matrix" {
		return false
	}
	for _, v := range m[15:] {
		if css.Number(v, 1) > 0 {
			return false
		}
	}
	return true
}

// orOne returns a size, "1" where none is said.
func orOne(s string) string {
	if s == "" {
		return "1"
	}
	return s
}

// sizeless reports whether a shape says that it has no size.
func sizeless(n *html.Node) bool {
	for _, size := range []string{"width", "height", "r", "rx", "ry"} {
		if (size[0] != 'r' || n.Data != "rect") && css.IsZero(orOne(dom.Attr(n, size))) {
			return true
		}
	}
	return false
}
