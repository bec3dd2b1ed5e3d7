package read

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
)

// A box that cuts off what is beyond it hides its text where it has no room for it, or where
// the text stands outside of it.

// slimmest is the size in pixels of a box up to which it shows no text.
const slimmest = 3

func clips(overflow string) bool {
	switch overflow {
	case "hidden", "clip", "auto", "scroll", "overlay":
		return true
	}
	return false
}

// cuts reports whether the element is a box that cuts off what is beyond it along an axis,
// overflow-x or overflow-y.
func (b *box) cuts(overflow string) bool {
	if b.page || b.isInline() {
		return false
	}
	contain := b.get("contain")
	return clips(b.get(overflow)) || strings.Contains(contain, "paint") ||
		contain == "strict" || contain == "content"
}

// fixed is the size that a property gives the box whatever is around it, in pixels. A small
// percentage is taken of a box of 100 pixels.
func (b *box) fixed(property string) (float64, bool) {
	a, ok := b.length(property)
	if a.Percent != 0 {
		return a.Of(100), ok && a.Pixels == 0 && a.Percent < 0.5
	}
	return a.Pixels, ok
}

// height is that of a box that cuts off what is below it; false where that is not known.
func (b *box) height() (float64, bool) {
	height, ok := b.fixed("height")
	switch contain := b.get("contain"); {
	case ok:
		return height, true
	case strings.Contains(contain, "size"), contain == "strict":
		return 0, true
	case b.l.line == 0 && b.display == dom.DisplayBlock: // lines without height
		return 0, b.around.line == 0 || b.get("line-height") != ""
	}
	return 0, false
}

// hasNoRoom asks for boxes that are too low or too narrow for any text.
func (b *box) hasNoRoom() string {
	return because(b.cuts("overflow-y") && b.isLow() || b.cuts("overflow-x") && b.isNarrow(),
		reasonTiny)
}

func (b *box) isLow() bool {
	if height, ok := b.height(); ok && b.showsNothing(height, false) {
		return true
	}
	most, ok := b.fixed("max-height")
	return ok && most <= slimmest
}

func (b *box) isNarrow() bool {
	if width, ok := b.fixed("width"); ok && b.showsNothing(width, true) {
		return true
	}
	most, ok := b.fixed("max-width")
	return ok && most <= slimmest
}

// isSpread asks for blanks that are so wide that the words of a text, or all but the first,
// stand outside of the box.
func (b *box) isSpread() string {
	space := b.get("white-space")
	pre := b.st.Node.DataAtom == atom.Pre && space == "" || space == "pre"
	if !pre && !strings.HasPrefix(space, "nowrap") || !b.cuts("overflow-x") {
		return ""
	}
	width, ok := b.fixed("width")
	if !ok {
		width = css.ScreenWidth
	}
	if words, ok := b.length("word-spacing"); ok && words.Pixels >= width {
		return reasonOffScreen
	}
	tab, ok := b.length("tab-size")
	return because(ok && pre && strings.HasSuffix(b.get("tab-size"), "px") &&
		tab.Pixels >= width && beginsWithTab(b.st.Node), reasonOffScreen)
}

func beginsWithTab(n *html.Node) bool {
	first := n.FirstChild
	return first != nil && first.Type == html.TextNode && strings.HasPrefix(first.Data, "\t")
}

// isIndented asks for a single line that begins outside of the box.
func (b *box) isIndented() string {
	l := b.l
	if !l.nowrap || !b.cuts("overflow-x") {
		return ""
	}
	if width, ok := b.fixed("width"); ok {
		return because(width > 0 && l.indent.Of(width) >= width, reasonOffScreen)
	}
	return because(l.indent.Percent >= 100 || l.indent.Pixels >= css.ScreenWidth, reasonOffScreen)
}

// showsNothing reports whether a box of a size that cuts off what is beyond it shows none of
// its text.
func (b *box) showsNothing(size float64, across bool) bool {
	before, behind := 0, 2
	if across {
		before, behind = 3, 1
	}
	left, ok := b.room(size, before, behind)
	return ok && left <= slimmest && !b.grows(across)
}

// room is what the box shows of its text, along one axis: its size without the padding before
// the text, or the padding behind it, into which the text goes on. It is false where that is
// not known.
func (b *box) room(size float64, before, behind int) (float64, bool) {
	start, ok := b.st.Padding.Side(before, b.l.sizes())
	end, ok2 := b.st.Padding.Side(behind, b.l.sizes())
	if !ok || !ok2 {
		return 0, false
	}
	if start > 0 && (before == 3 && b.w.rightTo ||
		b.position != "" && firstElement(b.st.Node) != nil) {
		return 0, false // what is placed in it, or goes the other way, may stand in the padding
	}
	switch boxes := b.get("box-sizing"); {
	case boxes == "border-box", boxes == "" && b.w.sheet.BorderBox:
		return max(size-start, end), true
	}
	return size + end, true
}

// grows reports whether the element may be larger along an axis than its size says.
func (b *box) grows(across bool) bool {
	grows := b.st.GrowsDown
	if across {
		grows = b.st.GrowsAcross
	}
	if grows || !b.st.Flexes {
		return grows
	}
	if b.around.flexOf != b.w.Els[b.i].Parent || b.around.flow == 0 {
		return b.w.mayChange() // its parent may be a flex container
	}
	return (b.around.flow == 'r') == across
}

// flexFlow is the axis of a flex container: 'r' for rows, 'c' for columns, 0 for others.
func flexFlow(st *css.Style) byte {
	switch {
	case !strings.Contains(st.Display, "flex"):
		return 0
	case strings.Contains(st.Line.Flow, "column"):
		return 'c'
	}
	return 'r'
}
