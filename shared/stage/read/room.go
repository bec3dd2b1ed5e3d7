package read

import "strings"

// room is what a box that cuts off what is beyond it shows of its text, along one axis: its
// size without the padding before the text, or the padding behind it, into which the text
// goes on. It is false where that is not known.
func (w *walker) room(st *style, size float64, sz sizes, before, behind int) (float64, bool) {
	a, ok := st.padding.side(before, sz)
	b, ok2 := st.padding.side(behind, sz)
	if !ok || !ok2 {
		return 0, false
	}
	if a > 0 && (before == 3 && w.rightTo ||
		st.v["position"] != "" && firstElement(st.html) != nil) {
		return 0, false // what is placed in it, or goes the other way, may stand in the padding
	}
	switch boxes := st.v["box-sizing"]; {
	case boxes == "border-box", boxes == "" && w.sheet.borderBox:
		return max(size-a, b), true
	}
	return size + b, true
}

// noRoom reports whether a box of a size that cuts off what is beyond it shows none of its text.
func (w *walker) noRoom(i int32, st *style, l, around *looks, size float64, across bool) bool {
	before, behind := 0, 2
	if across {
		before, behind = 3, 1
	}
	left, ok := w.room(st, size, sizes{l.font, l.root}, before, behind)
	return ok && left <= slimmest && !w.lifted(i, st, around, across)
}

// lifted reports whether an element may be larger along an axis than its size says.
func (w *walker) lifted(i int32, st *style, around *looks, across bool) bool {
	grows := st.growsDown
	if across {
		grows = st.growsAcross
	}
	if grows || !st.flexes {
		return grows
	}
	if around.flexOf != w.Els[i].Parent || around.flow == 0 {
		return w.sheet.unread > 0 || w.sheet.scripts // its parent may be a flex container
	}
	return (around.flow == 'r') == across
}

// flexFlow is the axis of a flex container: 'r' for rows, 'c' for columns, 0 for others.
func flexFlow(st *style) byte {
	switch {
	case !strings.Contains(st.display, "flex"):
		return 0
	case strings.Contains(st.line.flow, "column"):
		return 'c'
	}
	return 'r'
}
