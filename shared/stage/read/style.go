package read

import (
	"strings"
	"unicode"
	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
)

// style is what CSS declares of an element, after the cascade: the winning value of each
// property that bears on whether and how text is shown. "" means not declared.
type style struct {
	v          map[string]string // by property, longhands only, in lower case
	custom     map[string]string // custom properties
	display    string
	whiteSpace string
	transform  bool // moves or fades in: transform, transition, animation, will-change
	flexes     bool // flex: larger along the axis of its container than its size says
	// min-width, min-height, aspect-ratio: larger than its width, or its height, says
	growsAcross, growsDown bool
	padding                padding
	moves                  bool // transition, animation or will-change, not only a transform
	waits                  bool // some of it holds until a script sets a class
	ended                  bool // an animation is known by how it ends
	html                   *html.Node
	added                  added
	// of what opened details show, by ::details-content; nil without any
	content *style
	line    // how words are marked and ordered
}

func newStyle(n *html.Node) *style { return &style{v: map[string]string{}, html: n} }

// field returns where the value of a property is kept that a field of its own holds, nil
// for others.
func (s *style) field(property string) *string {
	switch property {
	case "display":
		return &s.display
	case "white-space":
		return &s.whiteSpace
	}
	return s.line.field(property)
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
		end := topLevel(s, ";")
		d := s[:end]
		s = s[min(end+1, len(s)):]
		property, value, ok := strings.Cut(d, ":")
		if !ok {
			continue
		}
		property = unescaped(strings.TrimSpace(property))
		custom := strings.HasPrefix(property, "--")
		if !custom {
			if property = strings.ToLower(property); !relevant(property) {
				continue
			}
		}
		value = environment(strings.TrimSpace(value))
		important := false
		if i := strings.LastIndexByte(value, '!'); i >= 0 &&
			strings.EqualFold(strings.TrimSpace(value[i+1:]), "important") {
			value, important = strings.TrimSpace(value[:i]), true
		}
		if !custom {
			if !strings.Contains(value, "var(") {
				value = strings.ToLower(value)
			}
			if strings.IndexByte(value, '\\') >= 0 && !strings.Contains(value, "(") {
				value = strings.ToLower(unescaped(value))
			}
			if !late(value) && !validValue(property, value) {
				continue
			}
		}
		if value != "" {
			out = append(out, declaration{property, value, important})
		}
	}
	return out
}

// environment puts what env() stands for into a value: nothing is known to a page in an
// ordinary window, so it is the substitute, and 0 where there is none.
func environment(v string) string {
	return replaced(v, "env(", func(args string) string {
		if _, instead, ok := strings.Cut(args, ","); ok {
			return strings.TrimSpace(instead)
		}
		return "0px"
	})
}

// properties are those that matter here, shorthands among them.
var properties = func() map[string]bool {
	out := map[string]bool{}
	for p := range strings.FieldsSeq(
		`all display visibility opacity content-visibility font font-size text-indent position left top right bottom inset
inset-inline inset-block inset-inline-start inset-inline-end inset-block-start inset-block-end margin margin-left margin-top margin-right margin-bottom
margin-inline margin-block margin-inline-start margin-inline-end margin-block-start margin-block-end clip clip-path overflow overflow-x overflow-y
overflow-inline overflow-block width height max-width max-height inline-size block-size max-inline-size max-block-size min-width min-height min-inline-size min-block-size color background
background-color background-image background-clip -webkit-background-clip -webkit-text-fill-color -webkit-text-stroke -webkit-text-stroke-width
-webkit-text-stroke-color text-shadow white-space text-wrap text-wrap-mode transform -webkit-transform translate scale rotate transition animation animation-name animation-fill-mode
animation-iteration-count -webkit-animation will-change flex flex-grow flex-basis padding padding-bottom padding-top padding-block
padding-left padding-right padding-inline padding-block-start padding-block-end padding-inline-start padding-inline-end box-sizing aspect-ratio filter -webkit-filter mask -webkit-mask mask-image
-webkit-mask-image mask-size -webkit-mask-size zoom line-height contain backface-visibility letter-spacing mix-blend-mode float fill fill-opacity stroke color-scheme
font-size-adjust text-size-adjust -webkit-text-security content font-family mask-position -webkit-mask-position mask-repeat -webkit-mask-repeat interpolate-size background-size
perspective word-spacing tab-size`) {
		out[p] = true
	}
	return out
}()

func relevant(property string) bool {
	if properties[property] {
		return true
	}
	var s style
	return s.field(property) != nil
}

// wideValue tells values that every property takes.
func wideValue(v string) bool {
	switch v {
	case "inherit", "initial", "unset", "revert", "revert-layer":
		return true
	}
	return false
}

// validValue reports whether a browser takes a value; one that is not leaves an earlier
// declaration in force.
func validValue(property, v string) bool {
	if v == "" {
		return false
	}
	if wideValue(v) {
		return true
	}
	switch property {
	case "display":
		_, ok := displayKeyword(v)
		return ok
	case "visibility":
		return v == "visible" || v == "hidden" || v == "collapse"
	case "opacity", "zoom", "fill-opacity":
		_, ok := evalLength(v, sizes{16, 16})
		return ok || property == "zoom" && (v == "normal" || v == "reset")
	case "position":
		switch v {
		case "static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky":
			return true
		}
		return false
	case "color", "background-color", "-webkit-text-fill-color":
		_, ok := colour(v, black)
		return ok || strings.Contains(v, "(") && strings.HasSuffix(v, ")")
	case "left", "top", "right", "bottom", "text-indent", "width", "height", "max-height",
		"max-width", "margin-left", "margin-top":
		if strings.Contains(v, "(") || strings.IndexByte("abcdefghijklmnopqrstuvwxyz", v[0]) >= 0 {
			return true
		}
		_, ok := evalLength(strings.TrimSuffix(strings.TrimSuffix(v, " hanging"), " each-line"),
			sizes{16, 16})
		return ok && (v == "0" || strings.TrimRight(v, "0123456789.") != "" && v[len(v)-1] > '9' ||
			v[len(v)-1] == '%' || number(v, 1) == 0)
	case "font-size":
		if _, ok := fontKeyword(v, 16); ok {
			return true
		}
		_, ok := evalLength(v, sizes{16, 16})
		return ok && (v[len(v)-1] > '9' || v[len(v)-1] == '%' ||
			v[len(v)-1] == ')' || number(v, 1) == 0)
	}
	return true
}

// set puts a declaration into the style; later ones win.
func (s *style) set(d declaration) {
	if strings.HasPrefix(d.property, "--") {
		if s.custom == nil {
			s.custom = map[string]string{}
		}
		s.custom[d.property] = d.value
		return
	}
	s.expand(d.property, d.value)
}

func (s *style) expand(property, v string) {
	switch property {
	case "all":
		s.reset(v)
		return
	case "-webkit-transform", "-webkit-mask", "-webkit-mask-image", "-webkit-mask-size",
		"-webkit-mask-position", "-webkit-mask-repeat", "-webkit-filter", "-webkit-background-clip",
		"-webkit-animation":
		s.expand(property[len("-webkit-"):], v)
		return
	case "inset", "margin", "inset-inline", "inset-block", "margin-inline", "margin-block":
		s.sides(property, v)
		return
	case "overflow":
		w := valueWords(v)
		if len(w) > 0 {
			s.v["overflow-x"], s.v["overflow-y"] = w[0], w[len(w)-1]
		}
		return
	case "font":
		s.font(v)
		return
	case "background":
		s.ground(v)
		return
	case "mask":
		s.mask(v)
		return
	case "animation":
		s.v["animation"] = v
		s.transform = s.transform || v != "none"
		s.moves = s.moves || v != "none"
		return
	case "-webkit-text-stroke":
		for _, w := range valueWords(v) {
			if _, ok := evalLength(w, sizes{16, 16}); ok {
				s.v["-webkit-text-stroke-width"] = w
			} else {
				s.v["-webkit-text-stroke-color"] = w
			}
		}
		return
	case "flex", "flex-grow", "flex-basis", "min-width", "min-height", "min-inline-size",
		"min-block-size", "aspect-ratio":
		s.grow(property, v)
		return
	case "padding", "padding-block", "padding-inline", "padding-top", "padding-right",
		"padding-bottom", "padding-left",
		"padding-block-start", "padding-block-end", "padding-inline-start", "padding-inline-end":
		s.padding.set(property, v)
		return
	case "transition", "will-change":
		s.transform = s.transform || v != "none" && v != "auto"
		s.moves = s.moves || s.transform
		return
	case "transform", "translate", "scale", "rotate":
		s.transform = s.transform || v != "none"
	}
	if p, ok := logical[property]; ok {
		property = p
	}
	if f := s.field(property); f != nil {
		*f = v
	}
	s.v[property] = v
}

// grow notes what makes an element larger than its size says.
func (s *style) grow(property, v string) {
	if isZero(v) || v == "none" || v == "min-content" || wideValue(v) ||
		v == "auto" && property != "flex" {
		return
	}
	switch property {
	case "min-width", "min-inline-size":
		s.growsAcross = true
	case "min-height", "min-block-size":
		s.growsDown = true
	case "aspect-ratio":
		s.growsAcross, s.growsDown = true, true
	default:
		s.flexes = true
	}
}

// logical are the properties of a text that runs from left to right and down.
var logical = map[string]string{"inset-inline-start": "left", "inset-inline-end": "right",
	"inset-block-start": "top", "inset-block-end": "bottom",
	"margin-inline-start": "margin-left", "margin-inline-end": "margin-right",
	"margin-block-start": "margin-top", "margin-block-end": "margin-bottom",
	"inline-size": "width", "block-size": "height", "max-inline-size": "max-width",
	"max-block-size":  "max-height",
	"overflow-inline": "overflow-x", "overflow-block": "overflow-y"}

// isZero reports whether a length is nothing.
func isZero(v string) bool {
	a, ok := evalLength(v, sizes{16, 16})
	return ok && a.px == 0 && a.pct == 0
}

// sides splits a shorthand of four, or two, sides.
func (s *style) sides(property, v string) {
	w := valueWords(v)
	if len(w) == 0 {
		return
	}
	at := func(i int) string { // 1, 2, 3 or 4 values
		for i >= len(w) {
			i -= 2
		}
		return w[max(i, 0)]
	}
	prefix := ""
	if strings.HasPrefix(property, "margin") {
		prefix = "margin-"
	}
	switch {
	case strings.HasSuffix(property, "-inline"):
		s.v[prefix+"left"], s.v[prefix+"right"] = w[0], w[len(w)-1]
	case strings.HasSuffix(property, "-block"):
		s.v[prefix+"top"], s.v[prefix+"bottom"] = w[0], w[len(w)-1]
	default:
		s.v[prefix+"top"], s.v[prefix+"right"], s.v[prefix+"bottom"], s.v[prefix+"left"] = at(0),
			at(1), at(2), at(3)
	}
}

// font reads size and line height of the shorthand: italic 12px/1.5 serif.
func (s *style) font(v string) {
	if wideValue(v) {
		s.v["font-size"] = v
		return
	}
	for _, w := range valueWords(strings.ReplaceAll(strings.ReplaceAll(v, " /", "/"), "/ ", "/")) {
		size, line, has := w, "", false
		if i := topLevel(w, "/"); i < len(w) {
			size, line, has = w[:i], w[i+1:], true
		}
		_, keyword := fontKeyword(size, 16)
		_, length := evalLength(size, sizes{16, 16})
		weight := length && len(size) == 3 && size[1:] == "00" && !has // 400
		if (keyword || length || strings.HasPrefix(size, "var(")) && !weight {
			s.v["font-size"] = size
			delete(s.v, "line-height")
			if has {
				s.v["line-height"] = line
			}
			return
		}
	}
}

// ground reads the shorthand background: its colour, and whether it has an image.
func (s *style) ground(v string) {
	if wideValue(v) {
		s.v["background-color"], s.v["background-image"] = v, v
		delete(s.v, "background-clip")
		return
	}
	if late(v) { // which part it is will be known later
		s.v["background"] = v
		s.v["background-color"], s.v["background-image"] = "", ""
		return
	}
	delete(s.v, "background")
	s.v["background-color"], s.v["background-image"] = "transparent", "none"
	delete(s.v, "background-clip")
	for _, w := range valueWords(strings.ReplaceAll(v, ",", " , ")) {
		if _, ok := colour(w, black); ok {
			s.v["background-color"] = w
		}
		if w == "text" {
			s.v["background-clip"] = "text"
		}
	}
	for _, w := range valueWords(v) {
		if _, ok := colour(strings.TrimSuffix(w, ","), black); ok {
			s.v["background-color"] = strings.TrimSuffix(w, ",")
		} else if strings.Contains(w, "(") {
			s.v["background-image"] = v
		}
	}
}

// mask reads the shorthand of a mask. Of several layers only that they are there is known.
func (s *style) mask(v string) {
	s.v["mask-image"] = v
	for _, p := range []string{"mask-size", "mask-position", "mask-repeat"} {
		delete(s.v, p)
	}
	var place, size []string
	behind := false
	for _, w := range valueWords(strings.ReplaceAll(v, "/", " / ")) {
		_, length := evalLength(w, sizes{16, 16})
		switch {
		case w == "/":
			behind = true
		case length && behind:
			size = append(size, w)
		case length:
			place = append(place, w)
		case strings.Contains(w, "repeat"):
			s.v["mask-repeat"] = w
		}
	}
	if topLevel(v, ",") == len(v) {
		s.v["mask-size"], s.v["mask-position"] = strings.Join(size, " "), strings.Join(place, " ")
	}
}

// reset is the property all.
func (s *style) reset(v string) {
	clear(s.v)
	s.display, s.whiteSpace, s.transform = "", "", false
	s.flexes, s.growsAcross, s.growsDown, s.padding = false, false, false, padding{}
	s.line = line{}
	switch v {
	case "unset", "initial":
		s.display = "inline"
		s.v["display"] = "inline"
	}
	if v == "initial" {
		s.v["color"], s.v["visibility"], s.v["font-size"] = "canvastext", "visible", "medium"
	}
}

// displayed returns the display that the style declares, and false where it
// declares none.
func (s *style) displayed() (dom.Display, bool) {
	switch s.display {
	case "", "inherit", "revert", "revert-layer":
		return 0, false
	case "initial", "unset":
		return dom.DisplayInline, true
	}
	return displayKeyword(s.display)
}

func displayKeyword(v string) (dom.Display, bool) {
	d := v
	if i := strings.IndexByte(d, ' '); i > 0 { // display: block flow
		d = d[:i]
	}
	switch d {
	case "none", "table-column", "table-column-group":
		return dom.DisplayNone, true
	case "block", "flex", "grid", "list-item", "table", "table-row", "table-cell", "table-caption",
		"flow-root", "-webkit-box", "-webkit-flex", "flow",
		"table-row-group", "table-header-group", "table-footer-group", "grid-lanes", "math":
		return dom.DisplayBlock, true
	case "inline-block", "inline-flex", "inline-grid", "inline-table", "-webkit-inline-box",
		"-webkit-inline-flex":
		return dom.DisplayInlineBlock, true
	case "inline", "contents", "ruby", "ruby-text", "ruby-base":
		return dom.DisplayInline, true
	}
	return 0, false
}

// fontKeyword is the size that a word such as small stands for.
func fontKeyword(v string, around float64) (float64, bool) {
	switch v {
	case "xx-small":
		return 9, true
	case "x-small":
		return 10, true
	case "small":
		return 13, true
	case "medium", "initial":
		return 16, true
	case "large":
		return 18, true
	case "x-large":
		return 24, true
	case "xx-large":
		return 32, true
	case "xxx-large":
		return 48, true
	case "smaller":
		return around / 1.2, true
	case "larger":
		return around * 1.2, true
	case "inherit", "unset", "revert", "revert-layer", "math":
		return around, true
	}
	return 0, false
}

// line is what CSS declarations say about how the words of a line are marked and
// ordered; see style.
type line struct {
	decoration string
	bidi       string
	direction  string
	flow       string // flex-direction, flex-flow
	order      string
	float      string
	mirror     string // transform, scale
}

func (l *line) field(property string) *string {
	switch property {
	case "text-decoration", "text-decoration-line", "-webkit-text-decoration":
		return &l.decoration
	case "unicode-bidi":
		return &l.bidi
	case "direction":
		return &l.direction
	case "flex-direction", "flex-flow":
		return &l.flow
	case "order":
		return &l.order
	case "float":
		return &l.float
	case "transform", "scale":
		return &l.mirror
	}
	return nil
}

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

// added is what the rules of ::before and ::after of one element declare.
type added struct{ before, after *style }

func (a *added) of(pseudo string, n *html.Node) *style {
	at := &a.before
	if pseudo == "after" {
		at = &a.after
	}
	if *at == nil {
		*at = newStyle(n)
	}
	return *at
}

// adds reports whether a rule of ::before or ::after bears on the words that are put there.
// Signs of icon fonts do not, and there may be thousands of them.
func adds(decls []declaration) bool {
	for _, d := range decls {
		switch d.property {
		case "display", "visibility", "opacity":
			return true
		case "content":
			if worded(d.value) || !strings.ContainsAny(d.value, `"'`) ||
				strings.ContainsAny(d.value, "(") || d.value == `""` || d.value == `''` {
				return true
			}
		}
	}
	return false
}

// worded reports whether words are more than signs: two letters in a row.
func worded(s string) bool {
	letters := 0
	for _, r := range s {
		if !unicode.IsLetter(r) {
			letters = 0
		} else if letters++; letters > 1 {
			return true
		}
	}
	return false
}
