package read

import (
	"math"
	"strconv"
	"strings"
)

// amount is a length: so many pixels and so many per cent of something.
type amount struct{ px, pct float64 }

// of is the length where 100 % are so many pixels.
func (a amount) of(whole float64) float64 { return a.px + a.pct*whole/100 }

// sizes are what units are relative to.
type sizes struct{ font, root float64 }

// evalLength reads a length, a percentage, a number, or a calculation with them, in lower
// case. A number without a unit counts as pixels, as SVG and line heights have it.
func evalLength(v string, s sizes) (amount, bool) {
	p := calc{src: strings.TrimSpace(v), sizes: s}
	a, ok := p.sum(0)
	p.space()
	return a, ok && p.pos == len(p.src) && !math.IsNaN(a.px) && !math.IsInf(a.px, 0)
}

type calc struct {
	src string
	pos int
	sizes
	steps int
}

func (p *calc) space() {
	for p.pos < len(p.src) && htmlSpace(p.src[p.pos]) {
		p.pos++
	}
}

func (p *calc) sum(depth int) (amount, bool) {
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
		if p.pos < len(p.src) && !htmlSpace(p.src[p.pos]) && depth == 0 {
			p.pos = at
			break
		}
		var b amount
		if b, ok = p.product(depth); ok {
			a = amount{a.px + sign*b.px, a.pct + sign*b.pct}
		}
	}
	return a, ok
}

func (p *calc) product(depth int) (amount, bool) {
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
		var b amount
		if b, ok = p.value(depth); !ok {
			break
		}
		switch {
		case divide:
			a = amount{a.px / b.px, a.pct / b.px}
		case b.pct == 0:
			a = amount{a.px * b.px, a.pct * b.px}
		default:
			a = amount{a.px * b.px, a.px * b.pct}
		}
	}
	return a, ok
}

func (p *calc) value(depth int) (amount, bool) {
	if p.steps++; depth > 16 || p.steps > 400 {
		return amount{}, false
	}
	p.space()
	start := p.pos
	for p.pos < len(p.src) && (p.src[p.pos] >= 'a' && p.src[p.pos] <= 'z' || p.src[p.pos] == '-' && p.pos+1 < len(p.src) && p.src[p.pos+1] >= 'a') {
		p.pos++
	}
	name := p.src[start:p.pos]
	if p.pos < len(p.src) && p.src[p.pos] == '(' {
		return p.function(name, depth)
	}
	if name != "" {
		switch name {
		case "pi":
			return amount{px: math.Pi}, true
		case "e":
			return amount{px: math.E}, true
		case "infinity":
			return amount{px: 1e9}, true
		case "-infinity":
			return amount{px: -1e9}, true
		}
		return amount{}, false
	}
	i := p.pos
	if i < len(p.src) && (p.src[i] == '-' || p.src[i] == '+') {
		i++
	}
	for i < len(p.src) && (p.src[i] >= '0' && p.src[i] <= '9' || p.src[i] == '.') {
		i++
	}
	if i < len(p.src) && (p.src[i] == 'e' || p.src[i] == 'E') { // 1e3px, and not 1em
		k := i + 1
		if k < len(p.src) && (p.src[k] == '-' || p.src[k] == '+') {
			k++
		}
		if k < len(p.src) && p.src[k] >= '0' && p.src[k] <= '9' {
			for i = k; i < len(p.src) && p.src[i] >= '0' && p.src[i] <= '9'; i++ {
			}
		}
	}
	n, err := strconv.ParseFloat(p.src[p.pos:i], 64)
	if err != nil {
		return amount{}, false
	}
	u := i
	for i < len(p.src) && (p.src[i] >= 'a' && p.src[i] <= 'z' || p.src[i] == '%') {
		i++
	}
	unit := p.src[u:i]
	p.pos = i
	if unit == "%" {
		return amount{pct: n}, true
	}
	scale, ok := p.unit(unit)
	return amount{px: n * scale}, ok
}

// unit is how many pixels one is.
func (s sizes) unit(unit string) (float64, bool) {
	switch unit {
	case "", "px":
		return 1, true
	case "em":
		return s.font, true
	case "rem":
		return s.root, true
	case "ex", "ch", "rex", "rch", "cap":
		return s.font / 2, true
	case "ic", "lh":
		return s.font * 1.2, true
	case "rlh":
		return s.root * 1.2, true
	case "pt":
		return 96.0 / 72, true
	case "pc":
		return 16, true
	case "in":
		return 96, true
	case "cm":
		return 96 / 2.54, true
	case "mm":
		return 96 / 25.4, true
	case "q":
		return 96 / 101.6, true
	case "deg", "s":
		return 1, true
	case "rad":
		return 180 / math.Pi, true
	case "grad":
		return 0.9, true
	case "turn":
		return 360, true
	case "ms":
		return 0.001, true
	}
	if strings.HasPrefix(unit, "d") || strings.HasPrefix(unit, "s") || strings.HasPrefix(unit, "l") {
		unit = unit[1:]
	}
	switch unit {
	case "vw", "vi", "cqw", "qw", "cqi":
		return screenWidth / 100.0, true
	case "vh", "vb", "cqh", "cqb":
		return screenHeight / 100.0, true
	case "vmin", "cqmin":
		return screenHeight / 100.0, true
	case "vmax", "cqmax":
		return screenWidth / 100.0, true
	}
	return 0, false
}

func (p *calc) function(name string, depth int) (amount, bool) {
	p.pos++ // (
	var args []amount
	for {
		a, ok := p.sum(depth + 1)
		p.space()
		if !ok || p.pos >= len(p.src) {
			return a, ok && len(args) == 0 && (name == "calc" || name == "") // a bracket left open ends with the value
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
	whole := func(a amount) float64 { return a.of(screenWidth) }
	first := args[0]
	switch strings.TrimPrefix(name, "-webkit-") {
	case "", "calc":
		return first, len(args) == 1
	case "min":
		for _, a := range args[1:] {
			if whole(a) < whole(first) {
				first = a
			}
		}
		return first, true
	case "max":
		for _, a := range args[1:] {
			if whole(a) > whole(first) {
				first = a
			}
		}
		return first, true
	case "clamp":
		if len(args) != 3 {
			return first, false
		}
		out := args[1]
		if whole(out) > whole(args[2]) {
			out = args[2]
		}
		if whole(out) < whole(first) {
			out = first
		}
		return out, true
	case "abs":
		return amount{math.Abs(first.px), math.Abs(first.pct)}, true
	case "round", "mod", "rem", "hypot", "pow", "sqrt", "sin", "cos", "tan", "sign", "exp", "log":
		switch {
		case name == "sqrt":
			return amount{px: math.Sqrt(first.px)}, true
		case name == "pow" && len(args) == 2:
			return amount{px: math.Pow(first.px, args[1].px)}, true
		case name == "sign":
			return amount{px: float64(cmpSign(whole(first)))}, true
		case name == "sin":
			return amount{px: math.Sin(first.px)}, true
		case name == "cos":
			return amount{px: math.Cos(first.px)}, true
		}
	}
	return first, false
}

func cmpSign(f float64) int {
	switch {
	case f > 0:
		return 1
	case f < 0:
		return -1
	}
	return 0
}

// number reads a number or a percentage, also as a calculation.
func number(v string, missing float64) float64 {
	v = strings.TrimSpace(v)
	if v == "" {
		return missing
	}
	a, ok := evalLength(v, sizes{16, 16})
	switch {
	case !ok:
		return missing
	case a.pct != 0 || strings.HasSuffix(v, "%"):
		return a.px + a.pct/100
	}
	return a.px
}

// function is one of a list of functions: name(args).
type function struct {
	name string
	args []string
}

// functions reads "translate(1px, 2px) scale(0)". Arguments are parted by commas, or by
// blanks where there are none.
func functions(v string) []function {
	var out []function
	for len(out) < 64 {
		v = strings.TrimLeft(v, " \t\n\r\f,")
		open := strings.IndexByte(v, '(')
		if open < 0 {
			return out
		}
		end := topLevel(v[open+1:], ")")
		f := function{name: strings.TrimSpace(v[:open])}
		if i := strings.LastIndexAny(f.name, " ,"); i >= 0 {
			f.name = f.name[i+1:]
		}
		f.args = arguments(v[open+1 : open+1+end])
		out = append(out, f)
		v = v[min(open+end+2, len(v)):]
	}
	return out
}

func arguments(s string) []string {
	sep := ","
	if topLevel(s, ",") == len(s) {
		sep = " \t\n\r\f"
	}
	var out []string
	for s != "" {
		end := topLevel(s, sep)
		if a := strings.TrimSpace(s[:end]); a != "" {
			out = append(out, a)
		}
		s = s[min(end+1, len(s)):]
	}
	return out
}

// words parts a value at its blanks, outside of brackets.
func valueWords(s string) []string {
	var out []string
	for s != "" {
		end := topLevel(s, " \t\n\r\f")
		if end > 0 {
			out = append(out, s[:end])
		}
		s = s[min(end+1, len(s)):]
	}
	return out
}

// variables are the custom properties of an element, over those it inherits.
type variables struct {
	outer *variables
	own   map[string]string
}

const (
	maxVariable = 8 << 10 // bytes that a value may come to
	maxLookups  = 400
)

func (v *variables) get(name string) (string, bool) {
	for n := 0; v != nil && n < maxLookups; n, v = n+1, v.outer {
		if s, ok := v.own[name]; ok {
			return s, s != "initial"
		}
	}
	return "", false
}

// resolve puts the values of custom properties in the place of var(). It is false where one
// is missing and has no substitute.
func (s *sheet) resolve(value string, vars *variables, depth int) (string, bool) {
	if !strings.Contains(value, "var(") {
		return value, true
	}
	if depth > 12 || len(value) > maxVariable {
		return "", false
	}
	var b strings.Builder
	for {
		i := strings.Index(value, "var(")
		if i < 0 {
			b.WriteString(value)
			break
		}
		b.WriteString(value[:i])
		end := topLevel(value[i+4:], ")")
		arg := value[i+4 : i+4+end]
		value = value[min(i+5+end, len(value)):]
		cut := topLevel(arg, ",")
		name := strings.TrimSpace(arg[:cut])
		got, ok := vars.get(name)
		if !ok {
			got, ok = s.initial[name]
		}
		if ok {
			got, ok = s.resolve(got, vars, depth+1)
		}
		if !ok && cut < len(arg) {
			got, ok = s.resolve(arg[cut+1:], vars, depth+1)
		}
		if !ok || b.Len()+len(got) > maxVariable {
			return "", false
		}
		b.WriteString(got)
	}
	return b.String(), true
}
