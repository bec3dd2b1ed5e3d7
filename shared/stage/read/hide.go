package read

import (
	"math"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
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

// smallest is the height of the smallest font that is read, in pixels.
const smallest = 2

// hidingWay is a way to hide all that an element holds. why returns the reason, "" where the
// element is not hidden that way.
type hidingWay struct {
	name string
	why  func(*box) string
}

// hidingWays are asked one after the other. Those that fade and shrink an element note how much in
// its look, for the elements in it.
var hidingWays = []hidingWay{
	{"content-visibility", (*box).isSkipped},
	{"blur", (*box).isBlurred},
	{"opacity", (*box).isFaded},
	{"scale", (*box).isShrunk},
	{"backface", (*box).showsItsBack},
	{"clip", (*box).isClipped},
	{"mask", func(b *box) string { return because(b.isMaskedOut(), reasonClip) }},
	{"blend mode", (*box).isBlended},
	{"filter", func(b *box) string {
		return because(!b.page && b.isFilteredOut(), reasonSameColor)
	}},
	{"text-security", (*box).isMadeDots},
	{"font-size-adjust", (*box).isAdjustedAway},
	{"picture for content", (*box).isReplaced},
	{"pushed out", (*box).isPushedOut},
	{"box without room", (*box).hasNoRoom},
	{"words spread out of a box", (*box).isSpread},
	{"indented out of a box", (*box).isIndented},
}

// hidesAll returns why the element shows nothing of what it holds, "" if it may show it.
func (b *box) hidesAll() string {
	for i := range hidingWays {
		if reason := hidingWays[i].why(b); reason != "" {
			return reason
		}
	}
	return ""
}

// because returns the reason if what it is the reason for holds.
func because(holds bool, reason string) string {
	if holds {
		return reason
	}
	return ""
}

func (b *box) isSkipped() string {
	return because(b.get("content-visibility") == "hidden", b.declared)
}

func (b *box) isBlurred() string {
	for _, f := range css.Functions(b.get("filter")) {
		if f.Name != "blur" || len(f.Args) == 0 {
			continue
		}
		a, ok := css.ParseLength(f.Args[0], b.l.sizes())
		if ok && a.Pixels >= b.l.font/3 && a.Pixels >= 4 && !b.awaitsMotion() {
			return reasonClip
		}
	}
	return ""
}

// isFaded multiplies the opacity of the element with that around it. What a script is to show
// counts as shown, at the place to which it will be moved.
func (b *box) isFaded() string {
	l, alpha := b.l, b.opacity()
	if alpha <= css.Faint && b.awaitsMotion() {
		alpha, b.st.Moves = 1, true
	}
	if x, y := l.dx-b.around.dx, l.dy-b.around.dy; b.st.Moves && math.Abs(x) < 4000 &&
		math.Abs(y) < 4000 && b.awaitsMotion() {
		l.dx, l.dy = b.around.dx, b.around.dy
	}
	l.alpha *= alpha
	return because(l.alpha <= css.Faint, b.declared)
}

// opacity is that of the element alone.
func (b *box) opacity() float64 {
	alpha := 1.0
	if v, ok := b.has("opacity"); ok {
		alpha = css.Clamp01(css.Number(v, 1))
	}
	for _, f := range css.Functions(b.get("filter")) {
		if f.Name == "opacity" && len(f.Args) > 0 {
			alpha *= css.Clamp01(css.Number(f.Args[0], 1))
		}
	}
	return alpha
}

// isShrunk asks for elements that are scaled to a point or turned on their edge. Transforms do
// nothing to what stands in a line.
func (b *box) isShrunk() string {
	l, around := b.l, b.around
	if b.isInline() && (b.get("transform") != "" || b.get("scale") != "" || b.get("rotate") != "") {
		l.m, l.dx, l.dy = around.m, around.dx, around.dy
		return ""
	}
	const edge = 0.02
	return because(l.leastScale() < edge && around.leastScale() >= edge &&
		!(b.st.Moves && b.awaitsMotion()), reasonTiny)
}

func (b *box) showsItsBack() string {
	m := b.l.m
	return because(b.get("backface-visibility") == "hidden" && (m[0] < -0.9) != (m[3] < -0.9),
		reasonClip)
}

func (b *box) isClipped() string {
	if b.isOut() && clipsAll(b.get("clip"), b.l.sizes()) {
		return reasonClip
	}
	v := b.get("clip-path")
	return because(clipsAll(v, b.l.sizes()) || emptyClip(b.w.referred(v)), reasonClip)
}

func (b *box) isBlended() string {
	return because(blends(b.get("mix-blend-mode"), b.l.fg, b.around.grounds), reasonSameColor)
}

func (b *box) isMadeDots() string {
	_, dots := b.isSet("-webkit-text-security")
	return because(dots, b.declared)
}

func (b *box) isAdjustedAway() string {
	v := b.get("font-size-adjust")
	return because(v != "" && css.IsZero(v), reasonTiny)
}

func (b *box) isReplaced() string {
	return because(strings.HasPrefix(b.get("content"), "url("), b.declared)
}

// isPushedOut asks for a fixed element at the left edge that is moved by its own width.
func (b *box) isPushedOut() string {
	if b.position != "fixed" {
		return ""
	}
	x, ok := b.length("left")
	return because(ok && x == css.Length{} && b.l.dx-b.around.dx <= -100 &&
		strings.Contains(b.get("transform"), "(-100%") && !b.awaitsMotion(), reasonOffScreen)
}

// unreadable returns why text of this look is not seen, "" if it is. Descendants may look
// otherwise.
func (w *walker) unreadable(l *looks, i int32) string {
	switch {
	case l.font*l.zoom*min(1, max(l.leastScale(), 0)) < smallest:
		return reasonTiny
	case l.isOffScreen(w.TextBytes(0) > longPage):
		return reasonOffScreen
	case w.sameColour(l, i):
		return reasonSameColor
	}
	return ""
}

// visibility works out whether and how element i is shown, and notes in s what
// hides the text under it.
func (w *walker) visibility(
	i int32, st *css.Style, inline bool, d dom.Display, s *state,
) dom.Display {
	n := w.Els[i].Node
	declared := reasonRule
	if inline {
		declared = reasonInline
	}
	// A page that hides itself as a whole shows itself by script.
	scripted := (n.DataAtom == atom.Html || n.DataAtom == atom.Body) && n.Namespace == "" &&
		w.sheet.Scripts
	if st != nil {
		w.sheet.Settle(st, s.look.vars, s.look.dark)
	}
	if !scripted {
		d = w.displayOf(i, st, declared, d, s)
	}
	around := s.look
	l, hides := w.lookOf(i, st, around, declared, d)
	if scripted && l != around {
		hides, l.hidden = "", ""
		l.showAsAround(around)
	}
	s.look = l
	if hides != "" && !w.hide(i, hides, 'h', s) && s.hide < 0 { // it is shown all the same
		l.showAsAround(around)
	}
	if l == around && i > 0 || s.hide >= 0 && s.why == 'h' {
		return d
	}
	w.hideByLook(i, s)
	return d
}

// showAsAround takes back what fades, turns and moves an element.
func (l *looks) showAsAround(around *looks) {
	l.alpha, l.m, l.dx, l.dy = 1, around.m, around.dx, around.dy
}

// displayOf returns the display of element i, and notes in s whether its style or its
// attributes take it away.
func (w *walker) displayOf(
	i int32, st *css.Style, declared string, d dom.Display, s *state,
) dom.Display {
	n := w.Els[i].Node
	until := strings.EqualFold(dom.Attr(n, "hidden"), "until-found")
	shown, says := dom.Display(0), false
	if st != nil {
		shown, says = st.Displayed()
	}
	switch {
	case says && shown == dom.DisplayNone:
		w.hide(i, declared, 'h', s)
	case until && (st == nil || st.Values["content-visibility"] == ""):
		w.hide(i, reasonAttribute, 'h', s)
	case says:
		contents := shown == dom.DisplayInline && st.Display == "contents" && d == dom.DisplayBlock
		if d != dom.DisplayNone && !contents {
			return shown
		}
	case n.Namespace == "" && w.isTakenAway(n, until):
		w.hide(i, reasonAttribute, 'h', s)
	}
	return d
}

// isTakenAway reports whether attributes take an element away. until says that hidden holds
// only until a visitor finds the text.
func (w *walker) isTakenAway(n *html.Node, until bool) bool {
	return dom.HasAttr(n, "hidden") && !until && !w.isStreamed(n) ||
		n.DataAtom == atom.Dialog && !dom.HasAttr(n, "open") || dom.HasAttr(n, "popover")
}

// isStreamed reports whether an element is a part of the page that a script moves into place.
func (w *walker) isStreamed(n *html.Node) bool {
	return w.streams && n.DataAtom == atom.Div && strings.HasPrefix(dom.Attr(n, "id"), "S:")
}

// hideByLook notes in s whether the look of element i hides the text under it. Elements in it
// may look otherwise.
func (w *walker) hideByLook(i int32, s *state) {
	reason := s.look.hidden
	if reason == "" {
		reason = w.unreadable(s.look, i)
	}
	switch {
	case reason == "":
		s.hide, s.excuse = -1, ""
	case reason == s.excuse || s.hide >= 0 && w.hiding[s.hide].reason == reason:
	default:
		s.hide = -1
		if !w.hide(i, reason, 's', s) {
			s.excuse = reason
		}
	}
}

// hide notes that element i hides its text, and reports whether it does: what only waits
// for a script, or for a visitor to press a label, counts as shown.
func (w *walker) hide(i int32, reason string, why byte, s *state) bool {
	if s.hide >= 0 && s.why == 'h' {
		return true
	}
	if reason == reasonRule && !w.rulesHide || i == w.shown || w.frame(i, reason) ||
		w.panel(i, reason) {
		return false
	}
	w.hiding = append(w.hiding, hiddenText{element: i, reason: reason})
	s.hide, s.why = int32(len(w.hiding)-1), why
	return true
}

// revealAttributes are marks of scripts that let an element appear when it is scrolled to.
var revealAttributes = map[string]bool{"data-aos": true, "data-animation": true,
	"data-animate": true, "data-scroll": true, "data-reveal": true, "data-sal": true}

// revealedLater reports whether an element carries one of the usual marks of
// scripts that let it appear when it is scrolled to. Until then rules keep it
// transparent.
func revealedLater(n *html.Node) bool {
	for _, a := range n.Attr {
		if revealAttributes[a.Key] || a.Key == "class" && revealedClass(a.Val) {
			return true
		}
	}
	return false
}

func revealedClass(class string) bool {
	for c := range strings.FieldsSeq(class) {
		c = strings.ToLower(c)
		if strings.Contains(c, "animat") || strings.Contains(c, "reveal") ||
			strings.Contains(c, "fade") || strings.Contains(c, "waypoint") ||
			c == "wow" || c == "elementor-invisible" || strings.HasPrefix(c, "aos-") {
			return true
		}
	}
	return false
}

// frame reports whether element i, hidden by a declaration, is the page itself: it
// is the main element, or holds it, the first heading or an article together with
// half of all text, or holds nearly all text and the page's menu or header. Such
// a page is shown by a script when it has loaded, and that is what a visitor
// reads. A few hidden paragraphs on a short page are never its frame.
func (w *walker) frame(i int32, reason string) bool {
	if reason == reasonAttribute {
		return false
	}
	all, own := w.TextBytes(0), w.TextBytes(int(i))
	if own < 1000 {
		return false
	}
	if dom.IsMain(w.Els[i].Node) {
		return true
	}
	if own*2 < all {
		return false
	}
	for k := i; k < w.Els[i].End; k++ {
		switch w.Els[k].Tag() {
		case atom.Main, atom.H1, atom.Article:
			return true
		case atom.Nav, atom.Header, atom.Footer, atom.Form:
			if own*10 > all*9 {
				return true
			}
		}
		if dom.IsMain(w.Els[k].Node) {
			return true
		}
	}
	return false
}
