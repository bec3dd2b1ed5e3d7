package read

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
)

// looks is how the text of an element looks, as far as the known styles say: what it
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
	// its font size may differ: a rule sets it to nothing on a container
	unsure bool
	eyeOf  int32   // the element that sets the eye, for its children
	eye    float64 // how far it is before them, in pixels; 0 for endlessly
	flexOf int32   // the flex container that is known last, by its element
	flow   byte    // … and its axis, see flexFlow
	age    int     // elements since a ground was declared
	// the element up to which no medium may lie under the text, for a page's own ground
	plain int32
}

// sizes are what lengths under this look are relative to.
func (l *looks) sizes() css.Sizes { return css.Sizes{Font: l.font, Root: l.root} }

// isUpright reports whether nothing around turns or scales the element.
func (l *looks) isUpright() bool { return l.m == upright }

// upright are the turns and scales of an element that none around it turns or scales.
var upright = [4]float64{1, 0, 0, 1}

// farFromGround is the age of a look whose ground is another than that of the page.
const farFromGround = 99

func (w *walker) firstLook() *looks {
	l := &looks{font: 16, root: 16, zoom: 1, line: -1, fg: css.Black,
		grounds: []css.Color{css.White}, alpha: 1, m: upright, plain: -1, age: farFromGround}
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

// unstyled returns the look of an element without a style of its own.
func (l *looks) unstyled(d dom.Display) *looks {
	switch {
	case l.unsure && d == dom.DisplayBlock:
		next := *l
		next.font, next.unsure = 16, false
		return &next
	case l.age < 2:
		next := *l
		next.age++
		return &next
	}
	return l
}

// box is an element while its look is worked out: its style, and the look around it. One is
// used again for each element.
type box struct {
	w        *walker
	i        int32
	st       *css.Style
	around   *looks
	l        *looks // its own look, in the making
	declared string // the reason for what its style hides by saying so
	display  dom.Display
	position string
	page     bool // the html or the body element
}

// lookOf returns the look of element i under the look around it, and why it hides all that it
// holds, "" if it does not.
func (w *walker) lookOf(
	i int32, st *css.Style, around *looks, declared string, d dom.Display,
) (l *looks, hides string) {
	n := w.Els[i].Node
	l = w.ownColours(n, around)
	switch {
	case st == nil && l == nil:
		return around.unstyled(d), ""
	case st == nil:
		return l, ""
	case l == nil:
		next := *around
		next.age++
		l = &next
	}
	b := &w.box
	*b = box{w: w, i: i, st: st, around: around, l: l, declared: declared, display: d,
		position: st.Values["position"],
		page:     n.Namespace == "" && (n.DataAtom == atom.Html || n.DataAtom == atom.Body)}
	l.vars = st.Variables(around.vars)
	b.setFont()
	b.setLines()
	b.setVisibility()
	b.setColours()
	b.setGround()
	if flow := flexFlow(st); flow != 0 {
		l.flexOf, l.flow = i, flow
	}
	b.move()
	return l, b.hidesAll()
}

// get returns the value that a property is declared to have, "" for none.
func (b *box) get(property string) string { return b.st.Values[property] }

// has returns the value of a property, and reports whether it is declared and not taken over
// from elsewhere.
func (b *box) has(property string) (string, bool) {
	v := b.st.Values[property]
	return v, v != "" && !css.IsWide(v)
}

// length is the length that a property is declared to have; false where there is none.
func (b *box) length(property string) (css.Length, bool) {
	v, ok := b.has(property)
	if !ok {
		return css.Length{}, false
	}
	return css.ParseLength(v, b.l.sizes())
}

// pixels is the length of a property where 100 % are so many pixels.
func (b *box) pixels(property string, whole float64) (float64, bool) {
	a, ok := b.length(property)
	if !ok {
		return 0, false
	}
	return a.Of(whole), true
}

// isRoot reports whether the element is the root of its page.
func (b *box) isRoot() bool { return b.page && b.st.Node.DataAtom == atom.Html }

// isOut reports whether the element is taken out of the flow of its page.
func (b *box) isOut() bool { return b.position == "absolute" || b.position == "fixed" }

// isInline reports whether the element is a part of a line and no box.
func (b *box) isInline() bool {
	return b.display == dom.DisplayInline && b.st.Node.Namespace != "svg" && !b.isOut() &&
		b.get("float") == ""
}

// awaitsScript reports whether rules hide the element until a script shows it, as usual marks
// on it say. A page whose sheets and scripts are all in sight has none.
func (b *box) awaitsScript() bool {
	return b.w.mayChange() && b.declared == reasonRule &&
		(b.st.Waits || revealedLater(b.st.Node))
}

// awaitsMotion reports whether the element is to move or fade in: it begins at opacity 0, the
// page's script shows it, and a visitor reads it.
func (b *box) awaitsMotion() bool {
	return b.w.mayChange() && b.st.Transform && !b.st.Ended || b.awaitsScript()
}

// mayChange reports whether scripts, or sheets that were not read, may show what is hidden.
func (w *walker) mayChange() bool { return w.sheet.Scripts || w.sheet.Unread > 0 }

// setFont takes over the size of the font.
func (b *box) setFont() {
	l, v := b.l, b.get("font-size")
	if v == "" {
		if b.around.unsure && b.display == dom.DisplayBlock {
			l.font, l.unsure = 16, false
		}
		return
	}
	if px, ok := css.FontSize(v, b.around.font); ok {
		l.font, l.unsure = px, false
	} else if a, ok := css.ParseLength(v, b.around.sizes()); ok {
		l.font = max(0, a.Of(b.around.font))
		// A rule of font-size 0 on a container mends the gaps between the boxes in
		// it, whose text has a size of its own in a sheet that was not read.
		l.unsure = l.font < smallest && b.w.sheet.Unread > 0 && b.declared == reasonRule
	}
	if b.isRoot() {
		l.root = max(l.font, 1)
	}
}

// setLines takes over how text is laid out in lines.
func (b *box) setLines() {
	l := b.l
	if v, ok := b.has("zoom"); ok && v != "normal" && v != "reset" {
		l.zoom *= css.Number(v, 1)
	}
	if v := b.get("line-height"); v != "" {
		switch a, ok := css.ParseLength(v, l.sizes()); {
		case !ok:
			l.line = -1
		case strings.Trim(v, "0123456789.") == "":
			l.line = a.Pixels * l.font
		default:
			l.line = a.Of(l.font)
		}
	}
	if v := b.get("text-indent"); v != "" {
		v = strings.TrimSuffix(strings.TrimSuffix(v, " each-line"), " hanging")
		if a, ok := css.ParseLength(v, l.sizes()); ok {
			l.indent = a
		}
	}
	if v := b.get("white-space"); v != "" {
		l.nowrap = strings.HasPrefix(v, "nowrap") || v == "pre"
	}
}

// setVisibility takes over the property visibility and the colour scheme.
func (b *box) setVisibility() {
	l := b.l
	switch b.get("visibility") {
	case "hidden", "collapse":
		if !b.awaitsScript() {
			l.hidden = b.declared
		}
	case "visible", "initial":
		l.hidden = ""
	}
	if v := b.get("color-scheme"); v != "" && b.isRoot() {
		l.scheme(v)
	} else {
		l.dark = css.DarkScheme(v, l.dark)
	}
}

// ownColours is the look of elements that have colours without any style: links, marks,
// controls. It is nil for others.
func (w *walker) ownColours(n *html.Node, around *looks) *looks {
	if n.Namespace != "" {
		return nil
	}
	var fg, bg css.Color
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
