package css

import (
	"math"
	"strconv"
	"strings"

	"wstk/shared/stage/read/dom"
)

// Length is a length: so many pixels and so many per cent of something.
type Length struct{ Pixels, Percent float64 }

// Of is the length where 100 % are so many pixels.
func (a Length) Of(whole float64) float64 { return a.Pixels + a.Percent*whole/100 }

// Sizes are what units of length are relative to: the size of the font of an element, and of
// the root element, in pixels.
type Sizes struct{ Font, Root float64 }

// DefaultSizes are those of a page that declares none.
var DefaultSizes = Sizes{Font: 16, Root: 16}

// ParseLength reads a length, a percentage, a number, or a calculation with them, in lower
// case. A number without a unit counts as pixels, as SVG and line heights have it.
func ParseLength(v string, s Sizes) (Length, bool) { return parseLengthWith(v, s, nil) }

// parseLengthWith is evalLength where some words stand for numbers.
func parseLengthWith(v string, s Sizes, words map[string]float64) (Length, bool) {
	p := calc{src: strings.TrimSpace(v), Sizes: s, words: words}
	a, ok := p.sum(0)
	p.space()
	return a, ok && p.pos == len(p.src) && !math.IsNaN(a.Pixels) && !math.IsInf(a.Pixels, 0)
}

type calc struct {
	src string
	pos int
	Sizes
	words map[string]float64
	steps int
}

func (p *calc) space() {
	for p.pos < len(p.src) && dom.HTMLSpace(p.src[p.pos]) {
		p.pos++
	}
}

func (p *calc) sum(depth int) (Length, bool) {
	a, ok := p.product(depth)
	for ok {
		at := p.pos
		p.space()
		if p.pos >= len(p.src) || p.pos == at || p.src[p.pos] != '+' && p.src[p.pos] != '-' {
			p.pos = at
			break
		}
		sign := 1.0
		if p.src[p.pos] == '-' {
			sign = -1
		}
		p.pos++
		if p.pos < len(p.src) && !dom.HTMLSpace(p.src[p.pos]) && depth == 0 {
			p.pos = at
			break
		}
		var b Length
		if b, ok = p.product(depth); ok {
			a = Length{a.Pixels + sign*b.Pixels, a.Percent + sign*b.Percent}
		}
	}
	return a, ok
}

func (p *calc) product(depth int) (Length, bool) {
	a, ok := p.value(depth)
	for ok && depth > 0 {
		at := p.pos
		p.space()
		if p.pos >= len(p.src) || p.src[p.pos] != '*' && p.src[p.pos] != '/' {
			p.pos = at
			break
		}
		divide := p.src[p.pos] == '/'
		p.pos++
		var b Length
		if b, ok = p.value(depth); !ok {
			break
		}
		switch {
		case divide:
			a = Length{a.Pixels / b.Pixels, a.Percent / b.Pixels}
		case b.Percent == 0:
			a = Length{a.Pixels * b.Pixels, a.Percent * b.Pixels}
		default:
			a = Length{a.Pixels * b.Pixels, a.Pixels * b.Percent}
		}
	}
	return a, ok
}

// value reads a number with its unit, a named number, a function or a bracket.
func (p *calc) value(depth int) (Length, bool) {
	if p.steps++; depth > 16 || p.steps > 400 {
		return Length{}, false
	}
	p.space()
	name := p.name()
	if p.pos < len(p.src) && p.src[p.pos] == '(' {
		return p.function(name, depth)
	}
	if name != "" {
		n, ok := namedNumbers[name]
		if !ok {
			n, ok = p.words[name]
		}
		return Length{Pixels: n}, ok
	}
	return p.number()
}

var namedNumbers = map[string]float64{"pi": math.Pi, "e": math.E, "infinity": 1e9,
	"-infinity": -1e9}

// name reads a name, also one after a minus: -infinity.
func (p *calc) name() string {
	start := p.pos
	for p.pos < len(p.src) && (isLetter(p.src[p.pos]) ||
		p.src[p.pos] == '-' && p.pos+1 < len(p.src) && p.src[p.pos+1] >= 'a') {
		p.pos++
	}
	return p.src[start:p.pos]
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// number reads a number with its unit.
func (p *calc) number() (Length, bool) {
	i := numberEnd(p.src, p.pos)
	n, err := strconv.ParseFloat(p.src[p.pos:i], 64)
	if err != nil {
		return Length{}, false
	}
	start := i
	for i < len(p.src) && (isLetter(p.src[i]) || p.src[i] == '%') {
		i++
	}
	unit := p.src[start:i]
	p.pos = i
	if unit == "%" {
		return Length{Percent: n}, true
	}
	scale, ok := p.unit(unit)
	return Length{Pixels: n * scale}, ok
}

// numberEnd is where the number that begins at i ends.
func numberEnd(s string, i int) int {
	i = pastSign(s, i)
	for i < len(s) && (isDigit(s[i]) || s[i] == '.') {
		i++
	}
	if i >= len(s) || s[i] != 'e' && s[i] != 'E' {
		return i
	}
	k := pastSign(s, i+1) // 1e3px, and not 1em
	if k >= len(s) || !isDigit(s[k]) {
		return i
	}
	for k < len(s) && isDigit(s[k]) {
		k++
	}
	return k
}

// pastSign is where what follows a sign at i begins, i where none is.
func pastSign(s string, i int) int {
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		return i + 1
	}
	return i
}

// fontUnits are relative to the size of the element's font.
var fontUnits = map[string]float64{"em": 1, "ex": 0.5, "ch": 0.5, "rex": 0.5, "rch": 0.5,
	"cap": 0.5, "ic": 1.2, "lh": 1.2}

// windowUnits are relative to the window: to its width or its height, and the same for
// containers. Before them may stand d, s or l, for a window with or without its bars.
var windowUnits = map[string]float64{
	"vw": perWidth, "vi": perWidth, "vmax": perWidth,
	"cqw": perWidth, "qw": perWidth, "cqi": perWidth, "cqmax": perWidth,
	"vh": perHeight, "vb": perHeight, "vmin": perHeight,
	"cqh": perHeight, "cqb": perHeight, "cqmin": perHeight,
}

const (
	perWidth  = ScreenWidth / 100.0
	perHeight = ScreenHeight / 100.0
)

// units are lengths in pixels, angles in degrees and times in seconds.
var units = map[string]float64{
	"": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
	"q":   96 / 101.6,
	"deg": 1, "rad": 180 / math.Pi, "grad": 0.9, "turn": 360,
	"s": 1, "ms": 0.001,
}

// unit is how many pixels one is.
func (s Sizes) unit(unit string) (float64, bool) {
	switch unit {
	case "", "px":
		return 1, true
	case "em":
		return s.Font, true
	case "rem":
		return s.Root, true
	case "rlh":
		return s.Root * 1.2, true
	}
	if n, ok := fontUnits[unit]; ok {
		return n * s.Font, true
	}
	if n, ok := units[unit]; ok {
		return n, true
	}
	if strings.IndexByte("dsl", unit[0]) >= 0 {
		unit = unit[1:]
	}
	n, ok := windowUnits[unit]
	return n, ok
}

func (p *calc) function(name string, depth int) (Length, bool) {
	p.pos++ // (
	way := ""
	if name == "round" {
		way = p.rounding()
	}
	start := p.pos
	var args []Length
	for {
		a, ok := p.sum(depth + 1)
		p.space()
		if !ok || p.pos >= len(p.src) {
			// a bracket left open ends with the value
			return a, ok && len(args) == 0 && (name == "calc" || name == "")
		}
		args = append(args, a)
		c := p.src[p.pos]
		p.pos++
		if c == ')' {
			break
		}
		if c != ',' {
			return a, false
		}
	}
	first := args[0]
	switch name = strings.TrimPrefix(name, "-webkit-"); {
	case name == "", name == "calc":
		return first, len(args) == 1
	case name == "abs":
		return Length{math.Abs(first.Pixels), math.Abs(first.Percent)}, true
	case name == "round":
		return rounded(way, args)
	case choices[name] != nil:
		return choices[name](args)
	}
	return computed(name, args, degrees(p.src[start:p.pos]))
}

// rounding reads the way in which round() rounds, where it is said.
func (p *calc) rounding() string {
	p.space()
	for _, way := range []string{"nearest", "up", "down", "to-zero"} {
		rest, ok := strings.CutPrefix(p.src[p.pos:], way)
		if rest = strings.TrimLeft(rest, " \t\n\r\f"); ok && strings.HasPrefix(rest, ",") {
			p.pos = len(p.src) - len(rest) + 1
			return way
		}
	}
	return ""
}

func rounded(way string, args []Length) (Length, bool) {
	step := 1.0
	if len(args) > 1 {
		step = args[1].Of(ScreenWidth)
	}
	if step == 0 {
		return Length{}, false
	}
	n := args[0].Of(ScreenWidth) / step
	switch way {
	case "up":
		n = math.Ceil(n)
	case "down":
		n = math.Floor(n)
	case "to-zero":
		n = math.Trunc(n)
	default:
		n = math.Floor(n + 0.5)
	}
	return Length{Pixels: n * step}, true
}

// choices are the functions whose value is one of their arguments.
var choices = map[string]func([]Length) (Length, bool){
	"min": func(args []Length) (Length, bool) { return smallestOf(args, 1), true },
	"max": func(args []Length) (Length, bool) { return smallestOf(args, -1), true },
	"clamp": func(args []Length) (Length, bool) {
		if len(args) != 3 {
			return args[0], false
		}
		return smallestOf([]Length{args[0], smallestOf(args[1:], 1)}, -1), true
	},
}

// smallestOf is the smallest of lengths, or the largest where sign is -1.
func smallestOf(list []Length, sign float64) Length {
	out := list[0]
	for _, a := range list[1:] {
		if sign*a.Of(ScreenWidth) < sign*out.Of(ScreenWidth) {
			out = a
		}
	}
	return out
}

// degrees reports whether the arguments of a function are angles; those without a unit are
// radians.
func degrees(args string) bool {
	return strings.Contains(args, "deg") || strings.Contains(args, "rad") ||
		strings.Contains(args, "turn")
}

// computed are the functions of one or two numbers.
func computed(name string, args []Length, degrees bool) (Length, bool) {
	a, b := args[0].Of(ScreenWidth), 0.0
	if len(args) > 1 {
		b = args[1].Of(ScreenWidth)
	}
	if f, ok := ofTwo[name]; ok && len(args) == 2 {
		return Length{Pixels: f(a, b)}, true
	}
	if f, ok := ofAngle[name]; ok && len(args) == 1 {
		if degrees {
			a *= math.Pi / 180
		}
		return Length{Pixels: f(a)}, true
	}
	if f, ok := ofOne[name]; ok && len(args) == 1 {
		return Length{Pixels: f(a)}, true
	}
	if name != "hypot" {
		return args[0], false
	}
	sum := 0.0
	for _, x := range args {
		sum = math.Hypot(sum, x.Of(ScreenWidth))
	}
	return Length{Pixels: sum}, true
}

var (
	ofTwo = map[string]func(a, b float64) float64{"pow": math.Pow, "rem": math.Mod,
		"mod": func(a, b float64) float64 { return a - b*math.Floor(a/b) },
		"log": func(a, b float64) float64 { return math.Log(a) / math.Log(b) }}
	ofAngle = map[string]func(float64) float64{"sin": math.Sin, "cos": math.Cos, "tan": math.Tan}
	ofOne   = map[string]func(float64) float64{"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log,
		"sign": func(a float64) float64 { return float64(cmpSign(a)) }}
)

func cmpSign(f float64) int {
	switch {
	case f > 0:
		return 1
	case f < 0:
		return -1
	}
	return 0
}

// Number reads a number or a percentage, also as a calculation.
func Number(v string, missing float64) float64 {
	v = strings.TrimSpace(v)
	if v == "" {
		return missing
	}
	a, ok := ParseLength(v, DefaultSizes)
	switch {
	case !ok:
		return missing
	case a.Percent != 0 || strings.HasSuffix(v, "%"):
		return a.Pixels + a.Percent/100
	}
	return a.Pixels
}
