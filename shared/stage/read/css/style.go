package css

import (
	"strings"
	"unicode"

	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
)

// Style is what CSS declares of an element, after the cascade: the winning value of each
// property that bears on whether and how text is shown. "" means not declared.
type Style struct {
	Values     map[string]string // by property, longhands only, in lower case
	custom     map[string]string // custom properties
	Display    string
	WhiteSpace string
	Transform  bool // moves or fades in: transform, transition, animation, will-change
	Flexes     bool // flex: larger along the axis of its container than its size says
	// min-width, min-height, aspect-ratio: larger than its width, or its height, says
	GrowsAcross, GrowsDown bool
	Padding                Padding
	Moves                  bool // transition, animation or will-change, not only a transform
	Waits                  bool // some of it holds until a script sets a class
	Ended                  bool // an animation is known by how it ends
	Node                   *html.Node
	Added                  Added
	// of what opened details show, by ::details-content; nil without any
	Content *Style
	Line    // how words are marked and ordered
}

func newStyle(n *html.Node) *Style { return &Style{Values: map[string]string{}, Node: n} }

// field returns where the value of a property is kept that a field of its own holds, nil
// for others.
func (s *Style) field(property string) *string {
	switch property {
	case "display":
		return &s.Display
	case "white-space":
		return &s.WhiteSpace
	}
	return s.Line.field(property)
}

// set puts a declaration into the style; later ones win.
func (s *Style) set(d Declaration) {
	if strings.HasPrefix(d.property, "--") {
		if s.custom == nil {
			s.custom = map[string]string{}
		}
		s.custom[d.property] = d.value
		return
	}
	s.expand(d.property, d.value)
}

// shorthands set the longhands that a value stands for, or what else is kept of a property.
// Properties that are missing are kept as they are.
var shorthands map[string]func(s *Style, property, v string)

func init() { // because some of them expand others
	shorthands = map[string]func(s *Style, property, v string){
		"all":                 func(s *Style, _, v string) { s.reset(v) },
		"font":                func(s *Style, _, v string) { s.font(v) },
		"background":          func(s *Style, _, v string) { s.ground(v) },
		"mask":                func(s *Style, _, v string) { s.mask(v) },
		"list-style":          func(s *Style, _, v string) { s.keep("list-style-type", v) },
		"overflow":            (*Style).overflow,
		"animation":           (*Style).animation,
		"-webkit-text-stroke": (*Style).stroke,
	}
	for names, set := range map[string]func(*Style, string, string){
		"inset margin inset-inline inset-block margin-inline margin-block": (*Style).sides,
		"flex flex-grow flex-basis min-width min-height min-inline-size min-block-size " +
			"aspect-ratio": (*Style).grow,
		"padding padding-block padding-inline padding-top padding-right padding-bottom " +
			"padding-left padding-block-start padding-block-end padding-inline-start " +
			"padding-inline-end": func(s *Style, p, v string) { s.Padding.set(p, v) },
		"transition will-change":           (*Style).changing,
		"transform translate scale rotate": (*Style).moved,
		"-webkit-transform -webkit-mask -webkit-mask-image -webkit-mask-size " +
			"-webkit-mask-position -webkit-mask-repeat -webkit-filter -webkit-background-clip " +
			"-webkit-animation": func(s *Style, p, v string) { s.expand(p[len("-webkit-"):], v) },
	} {
		for name := range strings.FieldsSeq(names) {
			shorthands[name] = set
		}
	}
}

// expand sets a property, or what a shorthand stands for.
func (s *Style) expand(property, v string) {
	if set := shorthands[property]; set != nil {
		set(s, property, v)
		return
	}
	s.keep(property, v)
}

// keep keeps the value of a longhand.
func (s *Style) keep(property, v string) {
	if p, ok := logical[property]; ok {
		property = p
	}
	if f := s.field(property); f != nil {
		*f = v
	}
	s.Values[property] = v
}

func (s *Style) overflow(_, v string) {
	if w := Words(v); len(w) > 0 {
		s.Values["overflow-x"], s.Values["overflow-y"] = w[0], w[len(w)-1]
	}
}

func (s *Style) animation(_, v string) {
	s.Values["animation"] = v
	s.Transform = s.Transform || v != "none"
	s.Moves = s.Moves || v != "none"
}

// stroke tells the width of a stroke from its colour.
func (s *Style) stroke(_, v string) {
	for _, w := range Words(v) {
		if isLength(w) {
			s.Values["-webkit-text-stroke-width"] = w
		} else {
			s.Values["-webkit-text-stroke-color"] = w
		}
	}
}

// changing notes that a property will change.
func (s *Style) changing(_, v string) {
	s.Transform = s.Transform || v != "none" && v != "auto"
	s.Moves = s.Moves || s.Transform
}

// moved notes that an element is moved, turned or scaled.
func (s *Style) moved(property, v string) {
	s.Transform = s.Transform || v != "none"
	s.keep(property, v)
}

// grow notes what makes an element larger than its size says.
func (s *Style) grow(property, v string) {
	if IsZero(v) || v == "none" || v == "min-content" || IsWide(v) ||
		v == "auto" && property != "flex" {
		return
	}
	switch property {
	case "min-width", "min-inline-size":
		s.GrowsAcross = true
	case "min-height", "min-block-size":
		s.GrowsDown = true
	case "aspect-ratio":
		s.GrowsAcross, s.GrowsDown = true, true
	default:
		s.Flexes = true
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

// IsZero reports whether a length is nothing.
func IsZero(v string) bool {
	a, ok := ParseLength(v, DefaultSizes)
	return ok && a.Pixels == 0 && a.Percent == 0
}

// sides splits a shorthand of four, or two, sides.
func (s *Style) sides(property, v string) {
	w := Words(v)
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
		s.Values[prefix+"left"], s.Values[prefix+"right"] = w[0], w[len(w)-1]
	case strings.HasSuffix(property, "-block"):
		s.Values[prefix+"top"], s.Values[prefix+"bottom"] = w[0], w[len(w)-1]
	default:
		s.Values[prefix+"top"], s.Values[prefix+"right"], s.Values[prefix+"bottom"], s.Values[prefix+"left"] = at(0),
			at(1), at(2), at(3)
	}
}

// font reads size and line height of the shorthand: italic 12px/1.5 serif.
func (s *Style) font(v string) {
	if IsWide(v) {
		s.Values["font-size"] = v
		return
	}
	for _, w := range Words(strings.ReplaceAll(strings.ReplaceAll(v, " /", "/"), "/ ", "/")) {
		size, line, has := w, "", false
		if i := topLevel(w, "/"); i < len(w) {
			size, line, has = w[:i], w[i+1:], true
		}
		_, keyword := FontSize(size, 16)
		_, length := ParseLength(size, DefaultSizes)
		weight := length && len(size) == 3 && size[1:] == "00" && !has // 400
		if (keyword || length || strings.HasPrefix(size, "var(")) && !weight {
			s.Values["font-size"] = size
			delete(s.Values, "line-height")
			if has {
				s.Values["line-height"] = line
			}
			return
		}
	}
}

// ground reads the shorthand background: its colour, and whether it has an image.
func (s *Style) ground(v string) {
	if IsWide(v) {
		s.Values["background-color"], s.Values["background-image"] = v, v
		delete(s.Values, "background-clip")
		return
	}
	if late(v) { // which part it is will be known later
		s.Values["background"] = v
		s.Values["background-color"], s.Values["background-image"] = "", ""
		return
	}
	delete(s.Values, "background")
	s.Values["background-color"], s.Values["background-image"] = "transparent", "none"
	delete(s.Values, "background-clip")
	for _, w := range Words(strings.ReplaceAll(v, ",", " , ")) {
		if _, ok := ParseColor(w, Black); ok {
			s.Values["background-color"] = w
		}
		if w == "text" {
			s.Values["background-clip"] = "text"
		}
	}
	for _, w := range Words(v) {
		if _, ok := ParseColor(strings.TrimSuffix(w, ","), Black); ok {
			s.Values["background-color"] = strings.TrimSuffix(w, ",")
		} else if strings.Contains(w, "(") {
			s.Values["background-image"] = v
		}
	}
}

// mask reads the shorthand of a mask. Of several layers only that they are there is known.
func (s *Style) mask(v string) {
	s.Values["mask-image"] = v
	for _, p := range []string{"mask-size", "mask-position", "mask-repeat"} {
		delete(s.Values, p)
	}
	var place, size []string
	behind := false
	for _, w := range Words(strings.ReplaceAll(v, "/", " / ")) {
		_, length := ParseLength(w, DefaultSizes)
		switch {
		case w == "/":
			behind = true
		case length && behind:
			size = append(size, w)
		case length:
			place = append(place, w)
		case strings.Contains(w, "repeat"):
			s.Values["mask-repeat"] = w
		}
	}
	if topLevel(v, ",") == len(v) {
		s.Values["mask-size"], s.Values["mask-position"] = strings.Join(size, " "),
			strings.Join(place, " ")
	}
}

// reset is the property all.
func (s *Style) reset(v string) {
	clear(s.Values)
	s.Display, s.WhiteSpace, s.Transform = "", "", false
	s.Flexes, s.GrowsAcross, s.GrowsDown, s.Padding = false, false, false, Padding{}
	s.Line = Line{}
	switch v {
	case "unset", "initial":
		s.Display = "inline"
		s.Values["display"] = "inline"
	}
	if v == "initial" {
		s.Values["color"], s.Values["visibility"], s.Values["font-size"] = "canvastext",
			"visible", "medium"
	}
}

// Displayed returns the display that the style declares, and false where it
// declares none.
func (s *Style) Displayed() (dom.Display, bool) {
	switch s.Display {
	case "", "inherit", "revert", "revert-layer":
		return 0, false
	case "initial", "unset":
		return dom.DisplayInline, true
	}
	return displayKeyword(s.Display)
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

// FontSize is the size that a word such as small stands for.
func FontSize(v string, around float64) (float64, bool) {
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

// Line is what CSS declarations say about how the words of a line are marked and
// ordered; see style.
type Line struct {
	Decoration string
	Bidi       string
	Direction  string
	Flow       string // flex-direction, flex-flow
	Order      string
	Float      string
	Mirror     string // transform, scale
}

func (l *Line) field(property string) *string {
	switch property {
	case "text-decoration", "text-decoration-line", "-webkit-text-decoration":
		return &l.Decoration
	case "unicode-bidi":
		return &l.Bidi
	case "direction":
		return &l.Direction
	case "flex-direction", "flex-flow":
		return &l.Flow
	case "order":
		return &l.Order
	case "float":
		return &l.Float
	case "transform", "scale":
		return &l.Mirror
	}
	return nil
}

// Padding is that of an element, as declared: the shorthand, and sides that say otherwise.
type Padding struct {
	all   string
	sides [4]string // top, right, bottom, left
}

func (p *Padding) set(property, v string) {
	switch property {
	case "padding":
		*p = Padding{all: v}
	case "padding-block", "padding-inline":
		w := Words(v)
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

// Side is a side in pixels, and false where that is not known.
func (p *Padding) Side(i int, sz Sizes) (float64, bool) {
	v := p.sides[i]
	if v == "" {
		w := Words(p.all)
		if len(w) == 0 {
			return 0, true
		}
		for i >= len(w) {
			i -= 2
		}
		v = w[max(i, 0)]
	}
	a, ok := ParseLength(v, sz)
	return max(0, a.Pixels), ok && a.Percent == 0
}

// Added is what the rules of ::before, ::after and ::marker of one element declare.
type Added struct{ Before, After, Marker *Style }

func (a *Added) of(pseudo string, n *html.Node) *Style {
	at := &a.Before
	switch pseudo {
	case "after":
		at = &a.After
	case "marker":
		at = &a.Marker
	}
	if *at == nil {
		*at = newStyle(n)
	}
	return *at
}

// adds reports whether a rule of ::before, ::after or ::marker bears on the words that are put
// there. Signs of icon fonts do not, and there may be thousands of them.
func adds(decls []Declaration) bool {
	for _, d := range decls {
		switch d.property {
		case "display", "visibility", "opacity":
			return true
		case "content":
			if HasWords(d.value) || !strings.ContainsAny(d.value, `"'`) ||
				strings.ContainsAny(d.value, "(") || d.value == `""` || d.value == `''` {
				return true
			}
		}
	}
	return false
}

// HasWords reports whether words are more than signs: two letters in a row.
func HasWords(s string) bool {
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
