package read

import (
	"math"

	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
)

// Text may be moved out of the window, turned until it is seen from its edge, or made as small
// as a point. This file follows where elements are moved, and how they are turned and scaled.

// Bounds of what a visitor finds.
const (
	farAway  = 650 // pixels to the left or up
	farRight = 2 * css.ScreenWidth
	farDown  = 5000
	longPage = 50_000 // bytes of text: on such a page one may scroll down far
	// the vertical place of what stands below a window that does not scroll
	belowWindow = 2 * farDown
)

// move follows where the element is moved, and how it is turned and scaled.
func (b *box) move() {
	l := b.l
	if b.position == "fixed" && l.isUpright() {
		l.dx, l.dy, l.cut = 0, 0, false
	}
	if b.isOut() || b.position == "relative" {
		b.placeAcross()
		b.placeDown()
	}
	b.moveByMargins()
	b.transform()
	if b.position != "" && b.position != "static" {
		l.placed = true
	}
	if b.i > 0 && !b.isHTML() && clips(b.get("overflow-x")) {
		l.cut = true
	}
}

func (b *box) isHTML() bool { return b.w.Els[b.i].Tag() == atom.Html }

// placeAcross moves a positioned element by left or right.
func (b *box) placeAcross() {
	l := b.l
	if x, ok := b.pixels("left", css.ScreenWidth); ok {
		l.dx += x
		return
	}
	a, ok := b.length("right")
	x := a.Of(css.ScreenWidth)
	switch {
	case !ok:
	case b.position == "relative" || x < 0:
		l.dx -= x
		// beyond the right edge, not only moved to the right
		if x <= -900 || a.Percent <= -100 {
			l.dx = max(l.dx, farRight)
		}
	case x >= css.ScreenWidth && !(l.placed && a.Pixels == 0):
		l.dx -= x
	}
}

// placeDown moves a positioned element by top or bottom.
func (b *box) placeDown() {
	l, fixed := b.l, b.position == "fixed"
	if y, ok := b.pixels("top", css.ScreenHeight); ok {
		l.dy += y
		if fixed && y >= css.ScreenHeight {
			l.dy = belowWindow
		}
		return
	}
	a, ok := b.length("bottom")
	y := a.Of(css.ScreenHeight)
	switch {
	case !ok:
	case fixed && (y <= -200 || a.Percent <= -100):
		l.dy = belowWindow
	case y < 0, b.position == "relative", y >= 1500, fixed && y >= css.ScreenHeight:
		l.dy -= y
	}
}

func (b *box) moveByMargins() {
	l := b.l
	if x, ok := b.pixels("margin-left", css.ScreenWidth); ok {
		l.dx += x
	}
	if x, ok := b.pixels("margin-right", css.ScreenWidth); ok && x <= -farAway &&
		(b.get("float") == "right" || b.position == "absolute") {
		l.dx -= x
	}
	if y, ok := b.pixels("margin-top", css.ScreenWidth); ok {
		l.dy += y
	}
}

// size is how wide and high the element is, as far as it says so.
func (b *box) size() (width, height float64) {
	width, height = 300.0, 40.0
	if b.display == dom.DisplayBlock && !b.isOut() {
		width = css.ScreenWidth
	}
	if x, ok := b.pixels("width", css.ScreenWidth); ok {
		width = x
	}
	if y, ok := b.pixels("height", css.ScreenHeight); ok {
		height = y
	}
	return width, height
}

// transform moves, turns and scales the element as translate, rotate, scale and transform say.
func (b *box) transform() {
	translate, moves := b.isSet("translate")
	rotate, turns := b.isSet("rotate")
	scale, scales := b.isSet("scale")
	functions := css.Functions(b.get("transform"))
	if moves || turns || scales || len(functions) > 0 {
		t := &transformed{looks: b.l}
		t.width, t.height = b.size()
		if moves {
			t.args = css.Words(translate)
			t.translate()
		}
		if turns {
			t.args = css.Words(rotate)
			t.rotate()
		}
		if scales {
			t.args = css.Words(scale)
			t.scaleBoth()
		}
		t.apply(functions, b.eye())
	}
	if v := b.get("perspective"); v != "" {
		a, _ := css.ParseLength(v, b.l.sizes())
		b.l.eyeOf, b.l.eye = b.i, a.Pixels
	}
}

// eye is how far the visitor's eye is before the element, as the one around it says; 0 for
// endlessly.
func (b *box) eye() float64 {
	if b.l.eyeOf == b.w.Els[b.i].Parent {
		return b.l.eye
	}
	return 0
}

// isSet returns the value of a property whose value none is as good as none.
func (b *box) isSet(property string) (string, bool) {
	v, ok := b.has(property)
	return v, ok && v != "none"
}

// transformed is a look that transforms change: the arguments of one, and the size of the box.
type transformed struct {
	*looks
	args          []string
	width, height float64
}

// length is argument k where 100 % are so many pixels; 0 where there is none.
func (t *transformed) length(k int, whole float64) float64 {
	if k >= len(t.args) {
		return 0
	}
	a, _ := css.ParseLength(t.args[k], t.sizes())
	return a.Of(whole)
}

// cosine is that of argument k, an angle.
func (t *transformed) cosine(k int) float64 {
	return math.Cos(t.length(k, 0) * math.Pi / 180)
}

func (t *transformed) number(k int, missing float64) float64 {
	if k >= len(t.args) {
		return missing
	}
	return css.Number(t.args[k], missing)
}

func (t *transformed) shift(x, y float64) { t.dx, t.dy = t.dx+x, t.dy+y }

func (t *transformed) scale(x, y float64) { t.turn([4]float64{x, 0, 0, y}) }

// apply applies functions of the property transform.
func (t *transformed) apply(functions []css.Function, eye float64) {
	for _, f := range functions {
		t.args = f.Args
		if f.Name == "perspective" && len(f.Args) == 1 {
			eye = t.length(0, 0)
		} else if z, ok := t.nearer(f.Name); ok && eye > 0 && z >= eye {
			t.scale(0, 0) // behind the visitor's eye
		}
		if do := transforms[f.Name]; do != nil {
			do(t)
		}
	}
}

// nearer is how far a function of transform moves towards the eye; false for one that does not.
func (t *transformed) nearer(name string) (float64, bool) {
	switch {
	case name == "translatez" && len(t.args) == 1:
		return t.length(0, 0), true
	case name == "translate3d" && len(t.args) == 3:
		return t.length(2, 0), true
	}
	return 0, false
}

// rotate turns by the value of the property rotate: around x, y or an axis of three numbers.
// Turns in the plane of the page hide nothing.
func (t *transformed) rotate() {
	axis, last := t.args[0], len(t.args)-1
	numbers := last == 3
	switch {
	case last > 0 && axis == "x",
		numbers && t.number(0, 0) != 0 && t.number(1, 0) == 0:
		t.scale(1, t.cosine(last))
	case last > 0 && axis == "y",
		numbers && t.number(1, 0) != 0 && t.number(0, 0) == 0:
		t.scale(t.cosine(last), 1)
	}
}

// transforms are the functions of the property transform that move, turn or scale.
var transforms = map[string]func(*transformed){
	"translate":   (*transformed).translate,
	"translate3d": (*transformed).translate,
	"translatex":  func(t *transformed) { t.shift(t.length(0, t.width), 0) },
	"translatey":  func(t *transformed) { t.shift(0, t.length(0, t.height)) },
	"scale":       (*transformed).scaleBoth,
	"scale3d":     (*transformed).scaleBoth,
	"scalex":      func(t *transformed) { t.scale(t.number(0, 1), 1) },
	"scaley":      func(t *transformed) { t.scale(1, t.number(0, 1)) },
	"rotatex":     func(t *transformed) { t.scale(1, t.cosine(0)) },
	"rotatey":     func(t *transformed) { t.scale(t.cosine(0), 1) },
	"rotate3d":    (*transformed).rotateInSpace,
	"skew":        (*transformed).skew,
	"skewx":       (*transformed).skew,
	"skewy":       (*transformed).skew,
	"matrix":      (*transformed).matrix,
	"matrix3d":    (*transformed).matrixInSpace,
}

func (t *transformed) translate() {
	t.shift(t.length(0, t.width), t.length(1, t.height))
}

func (t *transformed) scaleBoth() {
	x := t.number(0, 1)
	t.scale(x, t.number(1, x))
}

func (t *transformed) rotateInSpace() {
	if len(t.args) != 4 || t.number(2, 0) != 0 {
		return
	}
	switch x, y := t.number(0, 0), t.number(1, 0); {
	case y != 0:
		t.scale(t.cosine(3), 1)
	case x != 0:
		t.scale(1, t.cosine(3))
	}
}

// skew presses an element that is slanted by a right angle to nothing.
func (t *transformed) skew() {
	for k := range t.args {
		if math.Abs(t.cosine(k)) < 0.01 {
			t.scale(0, 0)
		}
	}
}

func (t *transformed) matrix() {
	if len(t.args) != 6 {
		return
	}
	t.turn([4]float64{t.number(0, 1), t.number(1, 0), t.number(2, 0), t.number(3, 1)})
	t.shift(t.number(4, 0), t.number(5, 0))
}

func (t *transformed) matrixInSpace() {
	if len(t.args) != 16 {
		return
	}
	t.turn([4]float64{t.number(0, 1), t.number(1, 0), t.number(4, 0), t.number(5, 1)})
	if k := t.number(15, 1); k > 1 {
		t.scale(1/k, 1/k)
	}
	t.shift(t.number(12, 0), t.number(13, 0))
}

// turn adds a turn or a scale to those around it.
func (l *looks) turn(by [4]float64) {
	m := l.m
	l.m = [4]float64{m[0]*by[0] + m[2]*by[1], m[1]*by[0] + m[3]*by[1], m[0]*by[2] + m[2]*by[3],
		m[1]*by[2] + m[3]*by[3]}
}

// leastScale is the smallest factor that the turns and scales make of a length.
func (l *looks) leastScale() float64 {
	m := l.m
	if m == upright {
		return 1
	}
	det := math.Abs(m[0]*m[3] - m[1]*m[2])
	sum := m[0]*m[0] + m[1]*m[1] + m[2]*m[2] + m[3]*m[3]
	largest := math.Sqrt((sum + math.Sqrt(max(0, sum*sum-4*det*det))) / 2)
	if largest == 0 {
		return 0
	}
	return det / largest
}

// isOffScreen reports whether the text is moved out of the window; long says that the page is
// so long that one scrolls down far.
func (l *looks) isOffScreen(long bool) bool {
	switch {
	case l.indent.Of(css.ScreenWidth) <= -farAway,
		l.dx <= -farAway, l.dy <= -farAway,
		l.dx >= farRight, l.cut && l.dx >= css.ScreenWidth,
		l.dy >= belowWindow, l.dy >= farDown && !long:
		return true
	}
	return false
}
