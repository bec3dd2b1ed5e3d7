package read

import (
	"strconv"
	"strings"
)

// style is what CSS declarations say about whether and how an element's text
// is shown. Values are the declared ones; "" and zero mean not declared.
type style struct {
	display    string
	visibility string
	opacity    string
	fontSize   string
	textIndent string
	position   string
	left, top  string
	right      string
	clip       string
	clipPath   string
	overflow   string
	width      string
	height     string
	maxHeight  string
	color      string
	background string
	whiteSpace string
	transform  bool // moves or fades in: transform, transition, animation, will-change
	grows      bool // flex, min-width, min-height: larger than its width and height say
	contentVis string
}

// field returns where the value of a property is kept, nil for a property that
// does not matter here.
func (s *style) field(property string) *string {
	switch property {
	case "display":
		return &s.display
	case "visibility":
		return &s.visibility
	case "opacity":
		return &s.opacity
	case "font-size":
		return &s.fontSize
	case "text-indent":
		return &s.textIndent
	case "position":
		return &s.position
	case "left":
		return &s.left
	case "top":
		return &s.top
	case "right":
		return &s.right
	case "clip":
		return &s.clip
	case "clip-path":
		return &s.clipPath
	case "overflow", "overflow-y":
		return &s.overflow
	case "width":
		return &s.width
	case "height":
		return &s.height
	case "max-height":
		return &s.maxHeight
	case "color":
		return &s.color
	case "background", "background-color":
		return &s.background
	case "white-space":
		return &s.whiteSpace
	case "content-visibility":
		return &s.contentVis
	}
	return nil
}

// declaration is one property that matters here with its value.
type declaration struct {
	property, value string
	important       bool
}

// declarations reads the declarations of a style attribute or of a rule's body.
func declarations(s string) []declaration {
	var out []declaration
	for s != "" {
		end := declarationEnd(s)
		d := s[:end]
		if end < len(s) {
			end++
		}
		s = s[end:]
		property, value, ok := strings.Cut(d, ":")
		if !ok {
			continue
		}
		property = strings.ToLower(strings.TrimSpace(property))
		if !relevant(property) {
			continue
		}
		value = strings.ToLower(strings.TrimSpace(value))
		v, important := strings.CutSuffix(value, "important")
		if important {
			v = strings.TrimRight(v, " \t\n\r\f")
			if v, important = strings.CutSuffix(v, "!"); important {
				value = strings.TrimSpace(v)
			}
		}
		out = append(out, declaration{property, value, important})
	}
	return out
}

func relevant(property string) bool {
	switch property {
	case "transform", "-webkit-transform", "transition", "animation", "will-change",
		"flex", "flex-grow", "min-width", "min-height", "padding-bottom", "padding-top", "aspect-ratio":
		return true
	}
	var s style
	return s.field(property) != nil
}

// declarationEnd finds the semicolon that ends the first declaration of s, past
// strings and parentheses: url(data:image/png;base64,…).
func declarationEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth > 0 {
				depth--
			}
		case '"', '\'':
			if j := strings.IndexByte(s[i+1:], s[i]); j >= 0 {
				i += j + 1
			}
		case ';':
			if depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

func (s *style) set(d declaration) {
	if f := s.field(d.property); f != nil {
		*f = d.value
		return
	}
	switch d.property {
	case "flex", "flex-grow", "min-width", "min-height", "padding-bottom", "padding-top", "aspect-ratio":
		s.grows = s.grows || !zero(d.value)
	default:
		s.transform = s.transform || d.value != "none"
	}
}

// displayed returns the display that the style declares, and false where it
// declares none.
func (s *style) displayed() (display, bool) {
	d := s.display
	if i := strings.IndexByte(d, ' '); i > 0 { // display: block flow
		d = d[:i]
	}
	switch d {
	case "none":
		return displayNone, true
	case "block", "flex", "grid", "list-item", "table", "table-row", "table-cell", "table-caption", "flow-root", "-webkit-box", "-webkit-flex":
		return displayBlock, true
	case "inline-block", "inline-flex", "inline-grid", "inline-table":
		return displayInlineBlock, true
	case "inline", "contents", "ruby":
		return displayInline, true
	}
	return 0, false
}

// Reasons for which text is hidden, as Hidden.Reason tells them.
const (
	reasonAttribute = "attribute"    // hidden, a closed dialog
	reasonInline    = "inline_style" // display: none, visibility: hidden, opacity: 0 in a style attribute
	reasonRule      = "style_rule"   // the same by a rule of the page's own style sheet
	reasonTiny      = "tiny"         // font size of at most one pixel, no size with clipped overflow
	reasonOffScreen = "off_screen"   // moved out of the window
	reasonClip      = "clip"         // clipped to nothing
	reasonSameColor = "same_color"   // the colour of its background, or transparent
)

// hides tells why an element of this style does not show its text, "" if it
// does. declared is the reason where the declaration says it outright. Neither
// display nor visibility nor font size is looked at: descendants can undo the
// latter two.
func (s *style) hides(declared string) string {
	switch {
	case s.contentVis == "hidden":
		return declared
	case number(s.opacity, 1) <= 0.01 && !s.transform:
		// An element that is to move or fade in begins at opacity 0; the page's
		// script shows it, a visitor reads it.
		return declared
	case s.fixed() && (far(s.left) || far(s.top) || far(s.right)):
		return reasonOffScreen
	case far(s.textIndent):
		return reasonOffScreen
	case s.fixed() && clipsAll(s.clip), clipsAll(s.clipPath):
		return reasonClip
	case s.overflow == "hidden" || s.overflow == "clip":
		if zero(s.height) && !s.grows || zero(s.maxHeight) || zero(s.width) && !s.grows ||
			point(s.height) && point(s.width) {
			return reasonTiny
		}
	}
	return ""
}

func (s *style) fixed() bool { return s.position == "absolute" || s.position == "fixed" }

// far tells whether a length moves an element out of any window: at least 900
// pixels or 90 em to the left or up, or more than a full window to the side.
func far(v string) bool {
	if v == "" || v[0] != '-' {
		return false
	}
	n, unit := length(v)
	switch unit {
	case "em", "rem":
		return n <= -90
	case "%", "vw", "vh":
		return n <= -100
	}
	return n <= -900
}

// zero tells whether a length is nothing, point whether it is at most a pixel.
func zero(v string) bool {
	n, unit := length(v)
	return v != "" && n == 0 && unit != "?"
}

func point(v string) bool {
	n, unit := length(v)
	return zero(v) || n <= 1 && unit == "px"
}

// clipsAll reads rect(0,0,0,0), rect(1px,1px,1px,1px), inset(50%), inset(100%)
// and circle(0).
func clipsAll(v string) bool {
	name, args, ok := strings.Cut(v, "(")
	if !ok {
		return false
	}
	args = strings.TrimSuffix(strings.TrimSpace(args), ")")
	parts := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' })
	if len(parts) == 0 {
		return false
	}
	switch strings.TrimSpace(name) {
	case "rect":
		var side [4]float64
		for i := range side {
			if i >= len(parts) {
				return false
			}
			n, _ := length(parts[i])
			if parts[i] == "auto" {
				return false
			}
			side[i] = n
		}
		return side[1]-side[3] <= 1 && side[2]-side[0] <= 1
	case "inset":
		for _, p := range parts {
			if n, unit := length(p); unit != "%" || n < 50 {
				return false
			}
		}
		return true
	case "circle":
		n, _ := length(parts[0])
		return n == 0 && parts[0][0] == '0'
	}
	return false
}

// length splits "-9999px" into number and unit. A value that is no number is
// (1, "?"): not nothing, not far.
func length(v string) (float64, string) {
	i := 0
	for i < len(v) && (v[i] >= '0' && v[i] <= '9' || v[i] == '.' || v[i] == '-' || v[i] == '+') {
		i++
	}
	n, err := strconv.ParseFloat(v[:i], 64)
	if err != nil {
		return 1, "?"
	}
	return n, v[i:]
}

func number(v string, missing float64) float64 {
	if v == "" {
		return missing
	}
	if p, ok := strings.CutSuffix(v, "%"); ok {
		return number(p, missing*100) / 100
	}
	n, err := strconv.ParseFloat(v, 64)
	if err != nil {
		return missing
	}
	return n
}

// tinyFont tells whether a font size cannot be read: at most one pixel or point.
func tinyFont(v string) bool {
	n, unit := length(v)
	switch unit {
	case "px", "pt":
		return n <= 1
	case "em", "rem":
		return n <= 0.06
	case "%":
		return n <= 6
	}
	return n == 0 && v[0] == '0'
}

// colour returns the one form of a colour, "" for what is not understood. Of
// a background it takes the first colour among the parts.
func colour(v string) string {
	v = strings.TrimSpace(v)
	switch v {
	case "", "inherit", "initial", "none", "currentcolor", "unset":
		return ""
	case "transparent":
		return "transparent"
	case "white":
		return "ffffff"
	case "black":
		return "000000"
	}
	if strings.HasPrefix(v, "#") {
		h := v[1:]
		if i := strings.IndexAny(h, " ,"); i >= 0 {
			h = h[:i]
		}
		switch len(h) {
		case 3, 4:
			if len(h) == 4 && h[3] == '0' {
				return "transparent"
			}
			return string([]byte{h[0], h[0], h[1], h[1], h[2], h[2]})
		case 6, 8:
			if strings.HasSuffix(h, "00") && len(h) == 8 {
				return "transparent"
			}
			return h[:6]
		}
		return ""
	}
	if name, args, ok := strings.Cut(v, "("); ok && (name == "rgb" || name == "rgba") {
		args, _, _ = strings.Cut(args, ")")
		p := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
		if len(p) < 3 {
			return ""
		}
		if len(p) > 3 && number(p[3], 1) == 0 {
			return "transparent"
		}
		const hex = "0123456789abcdef"
		out := make([]byte, 0, 6)
		for _, c := range p[:3] {
			n, unit := length(c)
			if unit == "?" || unit == "%" || n < 0 || n > 255 {
				return ""
			}
			out = append(out, hex[int(n)>>4], hex[int(n)&15])
		}
		return string(out)
	}
	if strings.ContainsAny(v, " ,(") {
		return ""
	}
	return v // a name: red is red
}
