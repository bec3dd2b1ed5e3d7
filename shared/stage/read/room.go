package read

import "strings"

// padding is that of an element, as declared: the shorthand, and sides that say otherwise.
type padding struct {
	all   string
	sides [4]string // top, right, bottom, left
}

func (p *padding) set(property, v string) {
	switch property {
	case "padding":
		*p = padding{all: v}
	case "padding-block", "padding-inline":
		w := valueWords(v)
		first := 0
		if property == "padding-inline" {
			first = 3
		}
		if len(w) > 0 {
			p.sides[first], p.sides[(first+2)%4] = w[0], w[len(w)-1]
		}
	case "padding-top", "padding-block-start":
		p.sides[0] = v
	case "padding-right", "padding-inline-end":
		p.sides[1] = v
	case "padding-bottom", "padding-block-end":
		p.sides[2] = v
	default:
		p.sides[3] = v
	}
}

// side is a side in pixels, and false where that is not known.
func (p *padding) side(i int, sz sizes) (float64, bool) {
	v := p.sides[i]
	if v == "" {
		w := valueWords(p.all)
		if len(w) == 0 {
			return 0, true
		}
		for i >= len(w) {
			i -= 2
		}
		v = w[max(i, 0)]
	}
	a, ok := evalLength(v, sz)
	return max(0, a.px), ok && a.pct == 0
}

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

// boxesOnly reports whether a rule says how sizes are measured, and nothing else that bears
// on what is shown: nearly every page has such a rule for all elements.
func boxesOnly(decls []declaration) bool {
	for _, d := range decls {
		if d.property != "box-sizing" || d.value == "content-box" {
			return false
		}
	}
	return true
}

// everything reports whether a selector is * alone.
func everything(s *selector) bool {
	if len(s.parts) != 1 {
		return false
	}
	c := &s.parts[0]
	return c.tag == "" && c.id == "" && len(c.classes)+len(c.attrs)+len(c.states) == 0
}
