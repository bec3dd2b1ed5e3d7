package read

import (
	"math"
	"strings"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Reasons for which text is hidden, as Hidden.Reason tells them.
const (
	reasonAttribute = "attribute" // hidden, a closed dialog, a popover
	// display: none, visibility: hidden, opacity: 0 in a style attribute
	reasonInline    = "inline_style"
	reasonRule      = "style_rule" // the same by a rule of the page's own style sheet
	reasonTiny      = "tiny"       // too small to read, no size with clipped overflow
	reasonOffScreen = "off_screen" // moved out of the window
	reasonClip      = "clip"       // clipped or masked to nothing
	reasonSameColor = "same_color" // the colour of its background, or transparent
)

// Bounds of what a reader sees.
const (
	smallest = 2   // pixels of the font's height
	slimmest = 3   // pixels of a box that cuts off what is beyond it
	farAway  = 650 // pixels to the left or up
	farRight = 2 * css.ScreenWidth
	farDown  = 5000
	longPage = 50_000 // bytes of text: on such a page one may scroll down far
)

// looks is how the text of an element looks, as far as styles that are known tell: what it
// inherits, and what adds up from the elements around it. A look never changes.
type looks struct {
	vars   *css.Variables
	font   float64 // height in pixels
	root   float64 // that of the root element
	zoom   float64
	line   float64 // line height in pixels, -1 for normal
	indent css.Length
	nowrap bool

	dark   bool   // the colour scheme
	hidden string // visibility, "" for visible
	fg     css.Color
	said   bool       // a colour was declared
	filled bool       // that of a drawing, by fill
	fill   *css.Color // -webkit-text-fill-color
	shadow string
	stroke bool

	grounds []css.Color // what may lie under the text; nil where that is not known

	alpha  float64
	m      [4]float64 // the turns and scales around it
	dx, dy float64    // where it is moved, in pixels
	placed bool       // something around it is positioned
	cut    bool       // something around it cuts off what is beyond it
	shy    bool       // its font size may be another one: a rule sets it to nothing on a container
	eyeOf  int32      // the element that sets the eye, for its children
	eye    float64    // how far it is before them, in pixels; 0 for endlessly
	flexOf int32      // the flex container that is known last, by its element
	flow   byte       // … and its axis, see flexFlow
	age    int        // elements since a ground was declared
	// the element up to which no medium may lie under the text, for a page's own ground
	plain int32
}

// sizes are what lengths under this look are relative to.
func (l *looks) sizes() css.Sizes { return css.Sizes{Font: l.font, Root: l.root} }

func (w *walker) firstLook() *looks {
	l := &looks{font: 16, root: 16, zoom: 1, line: -1, fg: css.Black, grounds: []css.Color{css.White}, alpha: 1,
		m: [4]float64{1, 0, 0, 1}, plain: -1, age: 99}
	for i := range w.Els {
		n := w.Els[i].Node
		if n.DataAtom == atom.Meta && strings.EqualFold(dom.Attr(n, "name"), "color-scheme") {
			l.scheme(strings.ToLower(dom.Attr(n, "content")))
		}
		if n.DataAtom == atom.Body {
			if c, ok := css.ParseColor(css.AttributeColor(dom.Attr(n, "link")), css.Black); ok {
				w.links = &c
			}
			break
		}
	}
	return l
}

// scheme sets the colours of a page that wants to be dark.
func (l *looks) scheme(v string) {
	if l.dark = css.DarkScheme(v, l.dark); l.dark {
		l.grounds, l.fg = []css.Color{css.RGBA(0.07, 0.07, 0.07, 1)}, css.White
	}
}

// seenAs is the look of element i under the look around it, and why it hides all that it
// holds, "" if it does not.
func (w *walker) seenAs(
	i int32, st *css.Style, around *looks, declared string, d dom.Display,
) (l *looks, hides string) {
	n := w.Els[i].Node
	ua := w.ownColours(n, around)
	if st == nil && ua == nil {
		if around.shy && d == dom.DisplayBlock {
			next := *around
			next.font, next.shy = 16, false
			return &next, ""
		}
		if around.age < 2 {
			next := *around
			next.age++
			return &next, ""
		}
		return around, ""
	}
	next := *around
	l = &next
	l.age++
	if ua != nil {
		l = ua
	}
	if st == nil {
		return l, ""
	}
	l.vars = st.Variables(around.vars)
	root := n.DataAtom == atom.Html && n.Namespace == ""
	page := root || n.DataAtom == atom.Body && n.Namespace == ""
	get := func(p string) string { return st.Values[p] }

	// What is inherited.
	if v := get("font-size"); v != "" {
		if px, ok := css.FontSize(v, around.font); ok {
			l.font, l.shy = px, false
		} else if a, ok := css.ParseLength(v, around.sizes()); ok {
			l.font = max(0, a.Of(around.font))
			// A rule of font-size 0 on a container mends the gaps between the boxes in
			// it, whose text has a size of its own in a sheet that was not read.
			l.shy = l.font < smallest && w.sheet.Unread > 0 && declared == reasonRule
		}
		if root {
			l.root = max(l.font, 1)
		}
	} else if around.shy && d == dom.DisplayBlock {
		l.font, l.shy = 16, false
	}
	sz := l.sizes()
	length := func(p string) (css.Length, bool) {
		v := get(p)
		if v == "" || css.IsWide(v) {
			return css.Length{}, false
		}
		return css.ParseLength(v, sz)
	}
	if v := get("zoom"); v != "" {
		if z := css.Number(v, 1); v != "normal" && v != "reset" && !css.IsWide(v) {
			l.zoom *= z
		}
	}
	if v := get("line-height"); v != "" {
		switch a, ok := css.ParseLength(v, sz); {
		case !ok:
			l.line = -1
		case strings.Trim(v, "0123456789.") == "":
			l.line = a.Pixels * l.font
		default:
			l.line = a.Of(l.font)
		}
	}
	if a, ok := css.ParseLength(strings.TrimSuffix(strings.TrimSuffix(get("text-indent"), " each-line"),
		" hanging"), sz); ok && get("text-indent") != "" {
		l.indent = a
	}
	switch ws := get("white-space"); {
	case ws == "":
	case strings.HasPrefix(ws, "nowrap"), ws == "pre":
		l.nowrap = true
	default:
		l.nowrap = false
	}
	switch v := get("visibility"); v {
	case "hidden", "collapse":
		if !((w.sheet.Scripts || w.sheet.Unread > 0) && declared == reasonRule &&
			(st.Waits || revealedLater(n))) {
			l.hidden = declared
		}
	case "visible", "initial":
		l.hidden = ""
	}
	if v := get("color-scheme"); v != "" && root {
		l.scheme(v)
	} else {
		l.dark = css.DarkScheme(v, l.dark)
	}
	colourOf := func(p string, now css.Color) (css.Color, bool) {
		switch v := get(p); v {
		case "", "inherit", "unset", "revert", "revert-layer":
			return css.Color{}, false
		case "initial":
			return css.Black, true
		default:
			return css.ParseColor(v, now)
		}
	}
	if v := get("color"); v == "inherit" || v == "unset" {
		l.fg, l.said = around.fg, around.said
	} else if c, ok := colourOf("color", around.fg); ok {
		l.fg, l.said = c, true
	} else if v != "" && !css.IsWide(v) { // a colour that is not understood
		l.fg, l.said = css.RGBA(0.5, 0, 0, 1), true
	}
	if n.Namespace == "svg" {
		if c, ok := colourOf("fill", l.fg); ok {
			l.fg, l.said, l.filled = c, true, true
		} else if v := get("fill"); v == "none" {
			l.fg, l.said, l.filled = css.Transparent, true, true
		} else if v != "" {
			l.fg, l.said, l.filled = css.RGBA(0.5, 0, 0, 1), true, false
		}
		if v := get("fill-opacity"); v != "" {
			l.fg.A *= css.Clamp01(css.Number(v, 1))
		}
		if v := get("stroke"); v != "" {
			c, ok := css.ParseColor(v, l.fg)
			l.stroke = v != "none" && (!ok || c.A > css.Faint)
		}
	}
	if c, ok := colourOf("-webkit-text-fill-color", l.fg); ok {
		l.fill = &c
	} else if v := get("-webkit-text-fill-color"); v == "initial" || v == "currentcolor" {
		l.fill = nil
	}
	if v := get("text-shadow"); v != "" && !css.IsWide(v) {
		l.shadow = v
	}
	if v := get("-webkit-text-stroke-width"); v != "" {
		a, ok := css.ParseLength(v, sz)
		c := l.fg
		if s, has := css.ParseColor(get("-webkit-text-stroke-color"), l.fg); has {
			c = s
		}
		l.stroke = (!ok || a.Pixels > 0) && c.A > css.Faint
	}

	// What is under it.
	if v := get("mix-blend-mode"); v != "" && v != "normal" {
		l.grounds = nil // what comes of its colours is not known; see blends
	}
	position := get("position")
	loose := position == "absolute" || position == "fixed" || position == "-webkit-sticky" ||
		position == "sticky"
	under := l.grounds
	if loose && !page {
		l.grounds, l.age = nil, 99
	}
	if a, ok := length("margin-top"); ok && a.Pixels < -4 || negative(length("margin-left")) {
		l.grounds = nil
	}
	image := get("background-image")
	image = strings.TrimSpace(image)
	hasImage := image != "" && image != "none" && !css.IsWide(image)
	clipText := strings.Contains(get("background-clip"), "text")
	ground, painted := colourOf("background-color", l.fg)
	var own []css.Color // colours that the element paints
	ownKnown := true
	if hasImage {
		if list, ok := css.GradientColors(image, l.fg); ok {
			for _, c := range list {
				if painted && ground.A == 1 {
					c = c.Over(ground)
				}
				own = append(own, c)
			}
		} else {
			ownKnown = false
		}
	} else if painted && ground.A > 0 {
		own = []css.Color{ground}
	} else if v := get("background-color"); v != "" && !painted && !css.IsWide(v) {
		ownKnown = false // a colour that is not understood
	}
	switch {
	case clipText && !ownKnown:
		l.grounds = nil
	case clipText: // the ground paints the letters
		paint := l.fg
		if l.fill != nil {
			paint = *l.fill
		}
		if len(own) > 0 && paint.A < 1 {
			best := css.Color{}
			for _, c := range own {
				if c.A > 0 && (best.A == 0 || under != nil &&
					css.Contrast(c.Over(under[0]), under[0]) > css.Contrast(best.Over(under[0]),
						under[0])) {
					best = c
				}
			}
			l.fg, l.fill, l.said = best, nil, true
		}
	case !ownKnown:
		l.grounds, l.age = nil, 0
	case len(own) > 0:
		var mixedDown []css.Color
		for _, c := range own {
			if c.A < 1 {
				if l.grounds == nil {
					mixedDown = nil
					break
				}
				for _, g := range l.grounds[:min(len(l.grounds), 4)] {
					mixedDown = append(mixedDown, c.Over(g))
				}
				continue
			}
			mixedDown = append(mixedDown, c)
		}
		l.grounds, l.age = mixedDown, 0
		if page {
			l.age = 99
		}
	}
	l.plain = around.plain
	if l.plain < 0 && !page {
		l.plain = i
	}
	if len(own) > 0 && !page {
		l.plain = i
	}

	if flow := flexFlow(st); flow != 0 {
		l.flexOf, l.flow = i, flow
	}

	// What hides everything in it, or moves it.
	l.cutAndMove(w, st, get, length, d, position, i)
	return l, w.hides(i, st, l, around, declared, get, length, position, d, page)
}

func negative(a css.Length, ok bool) bool { return ok && (a.Pixels < -4 || a.Percent < -1) }

// ownColours is the look of elements that have colours without any style: links, marks,
// controls. It is nil for others.
func (w *walker) ownColours(n *html.Node, around *looks) *looks {
	if n.Namespace != "" {
		return nil
	}
	fg, bg := css.Color{}, css.Color{}
	switch n.DataAtom {
	case atom.A:
		if !dom.HasAttr(n, "href") {
			return nil
		}
		if fg = css.LinkBlue; w.links != nil {
			fg = *w.links
		}
	case atom.Mark:
		fg, bg = css.Black, css.RGBA(1, 1, 0, 1)
	case atom.Button, atom.Input:
		fg, bg = css.Black, css.RGBA(0.94, 0.94, 0.94, 1)
	case atom.Select, atom.Textarea:
		fg, bg = css.Black, css.White
	default:
		return nil
	}
	l := *around
	l.age++
	l.fg, l.said, l.fill = fg, n.DataAtom == atom.A && w.links != nil, nil
	if bg.A > 0 {
		l.grounds = []css.Color{bg}
	}
	return &l
}

// cutAndMove follows where an element is moved, and how it is turned and scaled.
func (l *looks) cutAndMove(
	w *walker, st *css.Style, get func(string) string, length func(string) (css.Length, bool),
	d dom.Display, position string, i int32,
) {
	absolute, fixed := position == "absolute", position == "fixed"
	moved := absolute || fixed || position == "relative"
	width, height := 300.0, 40.0
	if d == dom.DisplayBlock && !absolute && !fixed {
		width = css.ScreenWidth
	}
	if a, ok := length("width"); ok {
		width = a.Of(css.ScreenWidth)
	}
	if a, ok := length("height"); ok {
		height = a.Of(css.ScreenHeight)
	}
	if fixed && l.m == [4]float64{1, 0, 0, 1} {
		l.dx, l.dy, l.cut = 0, 0, false
	}
	shift := func(p string, whole float64) (float64, bool) {
		a, ok := length(p)
		if !ok {
			return 0, false
		}
		return a.Of(whole), true
	}
	if moved {
		if x, ok := shift("left", css.ScreenWidth); ok {
			l.dx += x
		} else if x, ok := shift("right", css.ScreenWidth); ok {
			a, _ := length("right")
			switch {
			case position == "relative" || x < 0:
				l.dx -= x
				// beyond the right edge, not only moved to the right
				if x <= -900 || a.Percent <= -100 {
					l.dx = max(l.dx, farRight)
				}
			case x >= css.ScreenWidth && !(l.placed && a.Pixels == 0):
				l.dx -= x
			}
		}
		if y, ok := shift("top", css.ScreenHeight); ok {
			l.dy += y
			if fixed && y >= css.ScreenHeight {
				l.dy = farDown * 2
			}
		} else if y, ok := shift("bottom", css.ScreenHeight); ok {
			a, _ := length("bottom")
			switch {
			case fixed && (y <= -200 || a.Percent <= -100):
				l.dy = farDown * 2
			case y < 0 || position == "relative":
				l.dy -= y
			case y >= 1500 || fixed && y >= css.ScreenHeight:
				l.dy -= y
			}
		}
	}
	if x, ok := shift("margin-left", css.ScreenWidth); ok {
		l.dx += x
	}
	if x, ok := shift("margin-right", css.ScreenWidth); ok && x <= -farAway &&
		(get("float") == "right" || absolute) {
		l.dx -= x
	}
	if y, ok := shift("margin-top", css.ScreenWidth); ok {
		l.dy += y
	}
	sz := l.sizes()
	at := func(v string, whole float64) float64 {
		a, _ := css.ParseLength(v, sz)
		return a.Of(whole)
	}
	if v := get("translate"); v != "" && v != "none" && !css.IsWide(v) {
		w := css.Words(v)
		l.dx += at(w[0], width)
		if len(w) > 1 {
			l.dy += at(w[1], height)
		}
	}
	if v := get("rotate"); v != "" && v != "none" && !css.IsWide(v) {
		w := css.Words(v)
		angle := at(w[len(w)-1], 0)
		switch {
		case len(w) > 1 && w[0] == "x", len(w) == 4 && css.Number(w[0], 0) != 0 && css.Number(w[1], 0) == 0:
			l.turn([4]float64{1, 0, 0, cosine(angle)})
		case len(w) > 1 && w[0] == "y", len(w) == 4 && css.Number(w[1], 0) != 0 && css.Number(w[0], 0) == 0:
			l.turn([4]float64{cosine(angle), 0, 0, 1})
		}
	}
	if v := get("scale"); v != "" && v != "none" && !css.IsWide(v) {
		w := css.Words(v)
		x := css.Number(w[0], 1)
		y := x
		if len(w) > 1 {
			y = css.Number(w[1], 1)
		}
		l.turn([4]float64{x, 0, 0, y})
	}
	eye := 0.0
	if l.eyeOf == w.Els[i].Parent {
		eye = l.eye
	}
	for _, f := range css.Functions(get("transform")) {
		if f.Name == "perspective" && len(f.Args) == 1 {
			eye = at(f.Args[0], 0)
		} else if z := nearer(f); z != "" && eye > 0 && at(z, 0) >= eye {
			l.turn([4]float64{0, 0, 0, 0}) // behind who looks
		}
		arg := func(k int) string {
			if k < len(f.Args) {
				return f.Args[k]
			}
			return "0"
		}
		num := func(k int, missing float64) float64 {
			if k < len(f.Args) {
				return css.Number(f.Args[k], missing)
			}
			return missing
		}
		switch f.Name {
		case "translate", "translate3d":
			l.dx, l.dy = l.dx+at(arg(0), width), l.dy+at(arg(1), height)
		case "translatex":
			l.dx += at(arg(0), width)
		case "translatey":
			l.dy += at(arg(0), height)
		case "scale", "scale3d":
			x := num(0, 1)
			l.turn([4]float64{x, 0, 0, num(1, x)})
		case "scalex":
			l.turn([4]float64{num(0, 1), 0, 0, 1})
		case "scaley":
			l.turn([4]float64{1, 0, 0, num(0, 1)})
		case "rotatex":
			l.turn([4]float64{1, 0, 0, cosine(at(arg(0), 0))})
		case "rotatey":
			l.turn([4]float64{cosine(at(arg(0), 0)), 0, 0, 1})
		case "rotate3d":
			if len(f.Args) == 4 {
				c := cosine(at(arg(3), 0))
				x, y, z := num(0, 0), num(1, 0), num(2, 0)
				switch {
				case x != 0 && y == 0 && z == 0:
					l.turn([4]float64{1, 0, 0, c})
				case y != 0 && x == 0 && z == 0:
					l.turn([4]float64{c, 0, 0, 1})
				case x != 0 && y != 0 && z == 0:
					l.turn([4]float64{c, 0, 0, 1})
				}
			}
		case "skew", "skewx", "skewy":
			for k := range f.Args {
				if math.Abs(cosine(at(f.Args[k], 0))) < 0.01 {
					l.turn([4]float64{0, 0, 0, 0})
				}
			}
		case "matrix":
			if len(f.Args) == 6 {
				l.turn([4]float64{num(0, 1), num(1, 0), num(2, 0), num(3, 1)})
				l.dx, l.dy = l.dx+num(4, 0), l.dy+num(5, 0)
			}
		case "matrix3d":
			if len(f.Args) == 16 {
				l.turn([4]float64{num(0, 1), num(1, 0), num(4, 0), num(5, 1)})
				if k := num(15, 1); k > 1 {
					l.turn([4]float64{1 / k, 0, 0, 1 / k})
				}
				l.dx, l.dy = l.dx+num(12, 0), l.dy+num(13, 0)
			}
		}
	}
	if v := get("perspective"); v != "" {
		l.eyeOf, l.eye = i, at(v, 0)
	}
	if position != "" && position != "static" {
		l.placed = true
	}
	if clips(get("overflow-x")) && i > 0 && w.Els[i].Tag() != atom.Html {
		l.cut = true
	}
}

// nearer is how far a function of transform moves to who looks, "" for one that does not.
func nearer(f css.Function) string {
	switch {
	case f.Name == "translatez" && len(f.Args) == 1:
		return f.Args[0]
	case f.Name == "translate3d" && len(f.Args) == 3:
		return f.Args[2]
	}
	return ""
}

func cosine(degrees float64) float64 { return math.Cos(degrees * math.Pi / 180) }

func (l *looks) turn(by [4]float64) {
	m := l.m
	l.m = [4]float64{m[0]*by[0] + m[2]*by[1], m[1]*by[0] + m[3]*by[1], m[0]*by[2] + m[2]*by[3],
		m[1]*by[2] + m[3]*by[3]}
}

// least is the smallest factor that the turns and scales make of a length.
func (l *looks) least() float64 {
	m := l.m
	det := math.Abs(m[0]*m[3] - m[1]*m[2])
	sum := m[0]*m[0] + m[1]*m[1] + m[2]*m[2] + m[3]*m[3]
	largest := math.Sqrt((sum + math.Sqrt(max(0, sum*sum-4*det*det))) / 2)
	if largest == 0 {
		return 0
	}
	return det / largest
}

func clips(overflow string) bool {
	switch overflow {
	case "hidden", "clip", "auto", "scroll", "overlay":
		return true
	}
	return false
}

// hides tells why an element does not show anything that it holds, "" if it may.
func (w *walker) hides(
	i int32, st *css.Style, l, around *looks, declared string, get func(string) string,
	length func(string) (css.Length, bool), position string, d dom.Display, page bool,
) string {
	if v := get("content-visibility"); v == "hidden" {
		return declared
	}
	// An element that is to move or fade in begins at opacity 0; the page's script
	// shows it, a visitor reads it. A page whose sheets and scripts are all in sight has
	// none.
	awaits := (w.sheet.Scripts || w.sheet.Unread > 0) &&
		(st.Transform && !st.Ended ||
			declared == reasonRule && (st.Waits || revealedLater(st.Node)))
	alpha := 1.0
	if v := get("opacity"); v != "" && !css.IsWide(v) {
		alpha = css.Clamp01(css.Number(v, 1))
	}
	for _, f := range css.Functions(get("filter")) {
		switch {
		case len(f.Args) == 0:
		case f.Name == "opacity":
			alpha *= css.Clamp01(css.Number(f.Args[0], 1))
		case f.Name == "blur":
			if a, ok := css.ParseLength(f.Args[0], l.sizes()); ok && a.Pixels >= l.font/3 &&
				a.Pixels >= 4 && !awaits {
				return reasonClip
			}
		}
	}
	if alpha <= css.Faint && awaits {
		alpha, st.Moves = 1, true
	}
	if x, y := l.dx-around.dx,
		l.dy-around.dy; awaits && st.Moves && math.Abs(x) < 4000 && math.Abs(y) < 4000 {
		l.dx, l.dy = around.dx, around.dy
	}
	if l.alpha *= alpha; l.alpha <= css.Faint {
		return declared
	}
	inline := d == dom.DisplayInline && st.Node.Namespace != "svg" && position != "absolute" &&
		position != "fixed" && get("float") == ""
	if !inline || get("transform") == "" && get("scale") == "" && get("rotate") == "" {
		// Transforms do nothing to what stands in a line.
		if l.least() < 0.02 && around.least() >= 0.02 && !(awaits && st.Moves) {
			return reasonTiny
		}
	} else {
		l.m, l.dx, l.dy = around.m, around.dx, around.dy
	}
	if get("backface-visibility") == "hidden" && (l.m[0] < -0.9) != (l.m[3] < -0.9) {
		return reasonClip
	}
	if position == "absolute" || position == "fixed" {
		if clipsAll(get("clip"), l.sizes()) {
			return reasonClip
		}
	}
	if v := get("clip-path"); clipsAll(v, l.sizes()) || emptyClip(w.referred(v)) {
		return reasonClip
	}
	if masked(get("mask-image"), get("mask-size"), get("mask-position"), get("mask-repeat")) {
		return reasonClip
	}
	if blends(get("mix-blend-mode"), l.fg, around.grounds) ||
		!page && w.filtered(st, l, around.grounds) {
		return reasonSameColor
	}
	if v := get("-webkit-text-security"); v != "" && v != "none" && !css.IsWide(v) {
		return declared
	}
	if v := get("font-size-adjust"); v != "" && css.IsZero(v) {
		return reasonTiny
	}
	if strings.HasPrefix(get("content"), "url(") { // a picture in its place
		return declared
	}
	if x, pushed := length("left"); pushed && position == "fixed" && isNothing(x) &&
		l.dx-around.dx <= -100 && strings.Contains(get("transform"), "(-100%") && !awaits {
		return reasonOffScreen
	}
	if page || inline {
		return ""
	}
	// A box without size that cuts off what is beyond it.
	box := func(p string) (float64, bool) {
		a, ok := length(p)
		if a.Percent != 0 {
			return a.Of(100), ok && a.Pixels == 0 && a.Percent < 0.5
		}
		return a.Pixels, ok
	}
	cutX, cutY := clips(get("overflow-x")), clips(get("overflow-y"))
	if strings.Contains(get("contain"), "paint") || get("contain") == "strict" ||
		get("contain") == "content" {
		cutX, cutY = true, true
	}
	height, hasHeight := box("height")
	width, hasWidth := box("width")
	least, hasLeast := box("max-height")
	slim, hasSlim := box("max-width")
	if strings.Contains(get("contain"), "size") || get("contain") == "strict" {
		if !hasHeight {
			height, hasHeight = 0, true
		}
	}
	if l.line == 0 && !hasHeight && cutY && d == dom.DisplayBlock {
		height, hasHeight = 0, !(around.line != 0 && get("line-height") == "")
	}
	switch {
	case cutY && hasHeight && w.noRoom(i, st, l, around, height, false),
		cutY && hasLeast && least <= slimmest,
		cutX && hasWidth && w.noRoom(i, st, l, around, width, true),
		cutX && hasSlim && slim <= slimmest:
		return reasonTiny
	case cutX && spread(get, length, st, hasWidth, width):
		return reasonOffScreen
	case cutX && hasWidth && width > 0 && l.nowrap && l.indent.Of(width) >= width,
		cutX && !hasWidth && l.nowrap && (l.indent.Percent >= 100 || l.indent.Pixels >= css.ScreenWidth):
		return reasonOffScreen
	}
	return ""
}

// spread reports whether the blanks of a text are so wide that its words, or all but the first,
// stand outside of a box that cuts them off.
func spread(
	get func(string) string, length func(string) (css.Length, bool), st *css.Style,
	hasWidth bool, width float64,
) bool {
	if !hasWidth {
		width = css.ScreenWidth
	}
	space := get("white-space")
	pre := st.Node.DataAtom == atom.Pre && space == "" || space == "pre"
	if !pre && !strings.HasPrefix(space, "nowrap") {
		return false
	}
	if words, ok := length("word-spacing"); ok && words.Pixels >= width {
		return true
	}
	tab, ok := length("tab-size")
	first := st.Node.FirstChild
	return ok && pre && strings.HasSuffix(get("tab-size"), "px") && tab.Pixels >= width &&
		first != nil && first.Type == html.TextNode && strings.HasPrefix(first.Data, "\t")
}

// unreadable tells why text of this look is not seen, "" if it is. Descendants may look
// otherwise.
func (w *walker) unreadable(l *looks, i int32) string {
	if l.font*l.zoom*min(1, max(l.least(), 0)) < smallest {
		return reasonTiny
	}
	if l.indent.Of(css.ScreenWidth) <= -farAway {
		return reasonOffScreen
	}
	long := w.TextBytes(0) > longPage
	switch {
	case l.dx <= -farAway, l.dy <= -farAway,
		l.dx >= farRight, l.cut && l.dx >= css.ScreenWidth,
		l.dy >= farDown*2, l.dy >= farDown && !long:
		return reasonOffScreen
	}
	if w.blended(l, i) {
		return reasonSameColor
	}
	return ""
}

// blended reports whether text has the colour of what it stands on.
func (w *walker) blended(l *looks, i int32) bool {
	fg := l.fg
	if l.fill != nil {
		fg = *l.fill
	} else if !l.said && (w.sheet.Unread > 0 || l.age > 90 && l.grounds == nil) {
		return false
	}
	if l.stroke {
		return false
	}
	if l.shadow != "" && l.shadow != "none" {
		for _, word := range css.Words(strings.ReplaceAll(l.shadow, ",", " ")) {
			c, ok := css.ParseColor(word, fg)
			if strings.Contains(word, "(") && !ok ||
				ok && c.A > 0.1 && (l.grounds == nil || !css.Alike(c, l.grounds[0])) {
				return false
			}
		}
	}
	if fg.A <= 0.03 {
		return true
	}
	if l.grounds == nil {
		return false
	}
	if l.age > 1 {
		// Between here and the ground may lie what a sheet that was not read paints, or
		// a picture.
		if w.sheet.Unread > 0 {
			return false
		}
		if from := l.plain; from >= 0 && w.media(from) {
			return false
		}
	}
	for _, g := range l.grounds {
		if !css.Alike(fg, g) {
			return false
		}
	}
	return true
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

// blends reports whether a blend mode makes the text vanish in what lies under it.
func blends(mode string, fg css.Color, grounds []css.Color) bool {
	if mode == "" || len(grounds) != 1 {
		return false
	}
	g := grounds[0]
	fg = fg.Over(g)
	mix := func(f func(a, b float64) float64) css.Color {
		return css.RGBA(f(fg.R, g.R), f(fg.G, g.G), f(fg.B, g.B), 1)
	}
	switch mode {
	case "screen":
		fg = mix(func(a, b float64) float64 { return a + b - a*b })
	case "lighten":
		fg = mix(func(a, b float64) float64 { return max(a, b) })
	case "color-dodge", "plus-lighter":
		fg = mix(func(a, b float64) float64 { return min(1, a+b) })
	case "multiply":
		fg = mix(func(a, b float64) float64 { return a * b })
	case "darken":
		fg = mix(func(a, b float64) float64 { return min(a, b) })
	case "difference", "exclusion":
		fg = mix(func(a, b float64) float64 { return math.Abs(a - b) })
	default:
		return false
	}
	return css.Alike(fg, g)
}

// filtered reports whether filters turn the colour of a text without a ground of its own into
// that of what it stands on, or all colours of an element with one into the same.
func (w *walker) filtered(st *css.Style, l *looks, grounds []css.Color) bool {
	v := st.Values["filter"]
	if v == "" || css.IsWide(v) {
		return false
	}
	if emptyFilter(w.referred(v)) {
		return true
	}
	list := css.Functions(v)
	if st.Values["background-color"] != "" || st.Values["background-image"] != "" {
		first := through(list, colourful[0])
		for _, c := range colourful[1:] {
			if !css.Alike(through(list, c), first) {
				return false
			}
		}
		return len(l.grounds) > 0
	}
	if len(grounds) != 1 || w.sheet.Unread > 0 {
		return false
	}
	turned := through(list, l.fg)
	return turned != l.fg && css.Alike(turned, grounds[0])
}

// colourful are colours that no ordinary filter makes one of.
var colourful = []css.Color{css.White, css.Black, css.RGBA(1, 0, 0, 1), css.RGBA(0, 1, 0, 1), css.RGBA(0, 0, 1, 1)}

// through is what filters make of a colour. Those that are not known leave it.
func through(list []css.Function, c css.Color) css.Color {
	for _, f := range list {
		by := 1.0
		if len(f.Args) > 0 {
			by = max(0, css.Number(f.Args[0], 1))
		}
		grey := 0.2126*c.R + 0.7152*c.G + 0.0722*c.B
		each := func(v float64) float64 { return v }
		switch f.Name {
		case "invert":
			each = func(v float64) float64 { return v + (1-2*v)*css.Clamp01(by) }
		case "brightness":
			each = func(v float64) float64 { return v * by }
		case "contrast":
			each = func(v float64) float64 { return (v-0.5)*by + 0.5 }
		case "grayscale":
			each = func(v float64) float64 { return v + (grey-v)*css.Clamp01(by) }
		case "saturate":
			each = func(v float64) float64 { return grey + (v-grey)*by }
		}
		c = css.RGBA(css.Clamp01(each(c.R)), css.Clamp01(each(c.G)), css.Clamp01(each(c.B)), c.A)
	}
	return c
}

func isNothing(a css.Length) bool { return a.Pixels == 0 && a.Percent == 0 }

// masked reports whether a mask lets nothing through.
func masked(image, size, position, repeat string) bool {
	if image == "" || image == "none" || css.IsWide(image) {
		return false
	}
	if repeat == "no-repeat" {
		for _, at := range css.Words(position) {
			if a, ok := css.ParseLength(at, css.DefaultSizes); ok && math.Abs(a.Pixels) > farRight {
				return true
			}
		}
	}
	if w := css.Words(size); len(w) > 0 && css.IsZero(w[0]) {
		return true
	}
	if noPicture(image) {
		return true
	}
	if !strings.Contains(image, "gradient(") {
		return false
	}
	var list []css.Color
	for _, f := range css.Functions(image) {
		if strings.HasSuffix(f.Name, "gradient") {
			c, ok := css.GradientColors(f.Name+"("+strings.Join(f.Args, ",")+")", css.Black)
			if !ok {
				return false
			}
			list = append(list, c...)
		}
	}
	for _, c := range list {
		if c.A > css.Faint {
			return false
		}
	}
	return len(list) > 0
}

// leastPicture is how many characters of base64 a picture takes at least.
const leastPicture = 24

// noPicture reports whether an image stands in the value and is too short to be one.
func noPicture(v string) bool {
	_, data, ok := strings.Cut(v, "base64,")
	end := strings.IndexAny(data, ")\"'")
	return ok && strings.HasPrefix(v, "url(") && end >= 0 && end < leastPicture &&
		!strings.Contains(data[end:], "(")
}

// clipsAll reports whether a shape of clip or clip-path holds nothing. Percentages are taken
// of a box of 100 by 100 pixels.
func clipsAll(v string, sz css.Sizes) bool {
	f := css.Functions(v)
	if len(f) != 1 {
		return false
	}
	at := func(s string) (float64, bool) {
		switch s {
		case "auto", "left", "top":
			return 0, true
		case "center":
			return 50, true
		case "right", "bottom":
			return 100, true
		}
		a, ok := css.ParseLength(s, sz)
		return a.Of(100), ok
	}
	var n []float64
	args := f[0].Args
	var flat []string
	for _, a := range args {
		flat = append(flat, css.Words(a)...)
	}
	switch f[0].Name {
	case "rect":
		if len(flat) < 4 {
			return false
		}
		whole := [4]float64{0, 1e6, 1e6, 0}
		for k := range 4 {
			x, ok := at(flat[k])
			if flat[k] == "auto" {
				x = whole[k]
			}
			if !ok {
				return false
			}
			n = append(n, x)
		}
		return n[1]-n[3] <= 1 || n[2]-n[0] <= 1 || n[2] <= 0 || n[1] <= 0 ||
			n[0] > 2000 || n[3] > 2000
	case "xywh":
		if len(flat) < 4 {
			return false
		}
		wide, ok := at(flat[2])
		high, ok2 := at(flat[3])
		x, _ := at(flat[0])
		y, _ := at(flat[1])
		return ok && ok2 && (wide < 1 || high < 1 || x+wide <= 0 || y+high <= 0 ||
			x > 2000 || y > 2000)
	case "inset":
		for _, a := range flat {
			if a == "round" {
				break
			}
			x, ok := at(a)
			if !ok {
				return false
			}
			if !strings.Contains(a, "%") && x < 2000 && x > 0 {
				x = x / css.ScreenHeight * 100 // pixels of a box whose size is not known
			}
			n = append(n, x)
		}
		if len(n) == 0 {
			return false
		}
		side := func(i int) float64 {
			for i >= len(n) {
				i -= 2
			}
			return n[max(i, 0)]
		}
		return side(0)+side(2) >= 99.5 || side(1)+side(3) >= 99.5
	case "circle", "ellipse":
		for k, a := range flat {
			if a == "at" {
				if k+1 < len(flat) {
					x, ok := at(flat[k+1])
					y := 50.0
					if k+2 < len(flat) {
						y, _ = at(flat[k+2])
					}
					if ok && (x <= -300 || x >= 3000 || y <= -300 || y >= 3000) {
						r, rok := 0.0, len(n) > 0
						if rok {
							r = n[0]
						}
						return r < math.Abs(x)-100 || r < math.Abs(y)-100
					}
				}
				break
			}
			if x, ok := at(a); ok {
				n = append(n, x)
				if x < 1 {
					return true
				}
			}
		}
		return false
	case "polygon":
		var xs, ys []float64
		for _, a := range args {
			w := css.Words(a)
			if len(w) == 1 && (w[0] == "evenodd" || w[0] == "nonzero") {
				continue
			}
			if len(w) != 2 {
				w = nil
			}
			if w == nil {
				break
			}
			x, ok := at(w[0])
			y, ok2 := at(w[1])
			if !ok || !ok2 {
				return false
			}
			xs, ys = append(xs, x), append(ys, y)
		}
		return len(xs) > 0 && nothing(xs, ys)
	case "path", "shape":
		xs, ys, ok := pathPoints(strings.Trim(strings.Join(args, ","), `"' `))
		return ok && nothing(xs, ys)
	}
	return false
}

// nothing reports whether a polygon has next to no area within the quadrant where boxes are.
func nothing(xs, ys []float64) bool {
	area, right, low, left, high := 0.0, math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)
	for k := range xs {
		j := (k + 1) % len(xs)
		area += xs[k]*ys[j] - xs[j]*ys[k]
		right, low = max(right, xs[k]), max(low, ys[k])
		left, high = min(left, xs[k]), min(high, ys[k])
	}
	return math.Abs(area) < 8 || right <= 0 || low <= 0 || left > 2000 || high > 2000
}

// pathPoints reads the points of a path of straight lines.
func pathPoints(d string) (xs, ys []float64, ok bool) {
	if i := strings.IndexAny(d, `"'`); i >= 0 { // evenodd, "…"
		d = strings.Trim(d[i+1:], `"' `)
	}
	d = strings.TrimSpace(d)
	if strings.ContainsAny(d, "acqstACQST") {
		return nil, nil, false
	}
	x, y := 0.0, 0.0
	for d != "" {
		op := d[0]
		if strings.IndexByte("mlhvzMLHVZ", op) < 0 {
			return xs, ys, len(xs) > 0
		}
		end := strings.IndexAny(d[1:], "mlhvzMLHVZ")
		arg := d[1:]
		if end >= 0 {
			arg = d[1 : 1+end]
		}
		d = d[1+len(arg):]
		var n []float64
		for _, s := range strings.FieldsFunc(strings.ReplaceAll(arg, "-", " -"), func(r rune) bool {
			return r == ' ' || r == ',' || r == '\n' || r == '\t'
		}) {
			n = append(n, css.Number(s, 0))
		}
		relative := op >= 'a'
		step := 2
		if op|0x20 == 'h' || op|0x20 == 'v' {
			step = 1
		}
		for k := 0; k+step <= len(n) && len(xs) < 1000; k += step {
			px, py := x, y
			switch op | 0x20 {
			case 'h':
				px = n[k]
				if relative {
					px += x
				}
			case 'v':
				py = n[k]
				if relative {
					py += y
				}
			default:
				px, py = n[k], n[k+1]
				if relative {
					px, py = px+x, py+y
				}
			}
			x, y = px, py
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	return xs, ys, len(xs) > 0
}
