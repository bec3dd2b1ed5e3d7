package read

import (
	"strings"

	"wstk/shared/stage/read/css"
)

// room is what a box that cuts off what is beyond it shows of its text, along one axis: its
// size without the padding before the text, or the padding behind it, into which the text
// goes on. It is false where that is not known.
func (w *walker) room(st *css.Style, size float64, sz css.Sizes, before, behind int) (float64, bool) {
	a, ok := st.Padding.Side(before, sz)
	b, ok2 := st.Padding.Side(behind, sz)
	if !ok || !ok2 {
		return 0, false
	}
	if a > 0 && (before == 3 && w.rightTo ||
		st.Values["position"] != "" && firstElement(st.Node) != nil) {
		return 0, false // what is placed in it, or goes the other way, may stand in the padding
	}
	switch boxes := st.Values["box-sizing"]; {
	case boxes == "border-box", boxes == "" && w.sheet.BorderBox:
		return max(size-a, b), true
	}
	return size + b, true
}

// noRoom reports whether a box of a size that cuts off what is beyond it shows none of its text.
func (w *walker) noRoom(i int32, st *css.Style, l, around *looks, size float64, across bool) bool {
	before, behind := 0, 2
	if across {
		before, behind = 3, 1
	}
	left, ok := w.room(st, size, l.sizes(), before, behind)
	return ok && left <= slimmest && !w.lifted(i, st, around, across)
}

// lifted reports whether an element may be larger along an axis than its size says.
func (w *walker) lifted(i int32, st *css.Style, around *looks, across bool) bool {
	grows := st.GrowsDown
	if across {
		grows = st.GrowsAcross
	}
	if grows || !st.Flexes {
		return grows
	}
	if around.flexOf != w.Els[i].Parent || around.flow == 0 {
		return w.sheet.Unread > 0 || w.sheet.Scripts // its parent may be a flex container
	}
	return (around.flow == 'r') == across
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
