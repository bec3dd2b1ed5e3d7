package css

import "strings"

// mediaHolds evaluates a media query list, in lower case, for the screen that pages are
// read for. What it does not know does not hold.
func mediaHolds(list string) bool {
	for list != "" {
		end := topLevel(list, ",")
		if queryHolds(strings.TrimSpace(list[:end])) {
			return true
		}
		list = list[min(end+1, len(list)):]
	}
	return false
}

func queryHolds(q string) bool {
	q = strings.Join(strings.Fields(q), " ")
	if rest, ok := strings.CutPrefix(q, "not "); ok && !strings.HasPrefix(rest, "(") {
		v, known := conditions(rest, mediaFeature, 0)
		return known && !v
	}
	v, known := conditions(strings.TrimPrefix(q, "only "), mediaFeature, 0)
	return known && v
}

// containerHolds evaluates a condition of a container, in lower case, which is as wide as
// the window. Its name may come first.
func containerHolds(cond string) bool {
	at := strings.IndexByte(cond, '(')
	if at < 0 {
		return false
	}
	head := strings.Fields(cond[:at])
	not := ""
	if len(head) > 0 && head[len(head)-1] == "not" {
		not = "not "
	}
	return mediaHolds(not + cond[at:])
}

// conditions evaluates "a and b", "a or b", "not a", with brackets. known is false where a
// part that decides is not understood.
func conditions(q string, feature func(string) (holds, known bool), depth int) (holds, known bool) {
	q = strings.TrimSpace(q)
	if depth > 8 || q == "" {
		return q == "", depth <= 8
	}
	for _, join := range []string{" or ", " and "} {
		if parts := splitWord(q, join); len(parts) > 1 {
			return joined(parts, join == " or ", feature, depth+1)
		}
	}
	if isNot(q) {
		v, k := conditions(q[len("not"):], feature, depth+1)
		return !v, k
	}
	if q[0] != '(' || topLevel(q[1:], ")") != len(q)-2 {
		return feature(q)
	}
	inner := strings.TrimSpace(q[1 : len(q)-1])
	if strings.HasPrefix(inner, "(") || isNot(inner) {
		return conditions(inner, feature, depth+1)
	}
	return feature(inner)
}

// isNot reports whether a condition begins with the word not.
func isNot(q string) bool {
	return strings.HasPrefix(q, "not ") || strings.HasPrefix(q, "not(")
}

// joined evaluates the parts of a condition that or, or and, joins.
func joined(
	parts []string, or bool, feature func(string) (holds, known bool), depth int,
) (holds, known bool) {
	known = true
	for _, p := range parts {
		v, k := conditions(p, feature, depth)
		if k && v == or {
			return or, true
		}
		known = known && k
	}
	return !or, known
}

// splitWord splits q at a word that stands outside of brackets.
func splitWord(q, word string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(q); i++ {
		switch q[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ' ':
			if depth == 0 && strings.HasPrefix(q[i:], word) {
				out = append(out, q[from:i])
				from = i + len(word)
				i = from - 1
			}
		}
	}
	return append(out, q[from:])
}

// mediaTypes are the types of media, and the features without a value that a screen has, or
// that it lacks.
var mediaTypes = table("all screen color hover any-hover pointer any-pointer width height "+
	"scripting update aspect-ratio resolution orientation color-gamut overflow-block "+
	"prefers-color-scheme",
	"print speech tty tv projection handheld braille embossed aural monochrome grid "+
		"prefers-reduced-motion prefers-reduced-transparency prefers-contrast forced-colors "+
		"inverted-colors prefers-reduced-data")

// table makes a table of words that hold, and of others that do not.
func table(hold, not string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(hold) {
		out[w] = true
	}
	for w := range strings.FieldsSeq(not) {
		out[w] = false
	}
	return out
}

// screenSays are the features of the screen that have words for values.
var screenSays = map[string]string{
	"orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine",
	"any-pointer": "fine", "prefers-color-scheme": "light",
	"prefers-reduced-motion": "no-preference", "prefers-reduced-transparency": "no-preference",
	"prefers-contrast": "no-preference", "prefers-reduced-data": "no-preference",
	"forced-colors": "none", "inverted-colors": "none", "scripting": "enabled",
	"update": "fast", "display-mode": "browser", "grid": "0", "monochrome": "0",
	"color-gamut": "srgb", "dynamic-range": "standard", "video-dynamic-range": "standard",
	"overflow-block": "scroll", "overflow-inline": "scroll",
}

// screenHas are the features of the screen that have numbers for values.
var screenHas = map[string]float64{
	"width": ScreenWidth, "inline-size": ScreenWidth,
	"height": ScreenHeight, "block-size": ScreenHeight,
	"aspect-ratio": float64(ScreenWidth) / ScreenHeight,
	"resolution":   1, "-webkit-device-pixel-ratio": 1, "-webkit-pixel-ratio": 1,
	"color": 8,
}

// mediaFeature evaluates a media type, or a feature without its brackets.
func mediaFeature(f string) (holds, known bool) {
	if holds, known = mediaTypes[f]; known {
		return holds, true
	}
	if strings.ContainsAny(f, "<>=") {
		return rangeHolds(f)
	}
	key, value, ok := strings.Cut(f, ":")
	if !ok {
		return false, false
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	name, least := strings.CutPrefix(key, "min-")
	name, most := strings.CutPrefix(name, "max-")
	name = strings.TrimPrefix(name, "device-")
	if says, ok := screenSays[name]; ok {
		return value == says, true
	}
	have, known := screenHas[name]
	want, ok := mediaLength(value)
	switch {
	case !known || !ok || least && most:
		return false, false
	case least:
		return have >= want, true
	case most:
		return have <= want, true
	}
	return have == want, true
}

// mediaLength reads a length, a ratio or a resolution.
func mediaLength(v string) (float64, bool) {
	if a, b, ok := strings.Cut(v, "/"); ok {
		n, d := Number(strings.TrimSpace(a), -1), Number(strings.TrimSpace(b), 0)
		return n / max(d, 1e-9), n >= 0 && d > 0
	}
	for unit, scale := range map[string]float64{"dppx": 1, "dpi": 1.0 / 96, "dpcm": 2.54 / 96} {
		if n, ok := strings.CutSuffix(v, unit); ok {
			return Number(n, 0) * scale, true
		}
	}
	if n := Number(v, -1e9); n != -1e9 && !strings.HasSuffix(v, "%") {
		return n, true
	}
	l, ok := ParseLength(v, DefaultSizes)
	return l.Pixels, ok
}

// comparisons are the signs of a range.
var comparisons = map[string]func(a, b float64) bool{
	"<":  func(a, b float64) bool { return a < b },
	"<=": func(a, b float64) bool { return a <= b },
	">":  func(a, b float64) bool { return a > b },
	">=": func(a, b float64) bool { return a >= b },
	"=":  func(a, b float64) bool { return a == b },
}

// rangeHolds evaluates (width >= 600px) and (400px <= width <= 900px).
func rangeHolds(f string) (holds, known bool) {
	parts, signs := rangeParts(f)
	if len(signs) > 2 {
		return false, false
	}
	for i, sign := range signs {
		a, ok := rangeValue(parts[i])
		b, ok2 := rangeValue(parts[i+1])
		if !ok || !ok2 {
			return false, false
		}
		compare := comparisons[sign]
		if compare == nil {
			compare = comparisons["="]
		}
		if !compare(a, b) {
			return false, true
		}
	}
	return true, true
}

// rangeParts takes a range apart at its signs.
func rangeParts(f string) (parts, signs []string) {
	for {
		i := strings.IndexAny(f, "<>=")
		if i < 0 {
			return append(parts, strings.TrimSpace(f)), signs
		}
		sign := f[i : i+1]
		if strings.HasPrefix(f[i+1:], "=") {
			sign = f[i : i+2]
		}
		parts, signs = append(parts, strings.TrimSpace(f[:i])), append(signs, sign)
		f = f[i+len(sign):]
	}
}

// rangeValue is a feature of the screen, or a length to compare it with.
func rangeValue(s string) (float64, bool) {
	switch s {
	case "width", "inline-size", "height", "block-size", "aspect-ratio", "resolution":
		return screenHas[s], true
	}
	return mediaLength(s)
}

// supports evaluates the condition of @supports, in lower case: properties that exist, and
// selectors that are understood, are supported.
func supports(cond string) bool {
	v, known := conditions(strings.Join(strings.Fields(cond), " "), func(f string) (bool, bool) {
		if sel, ok := strings.CutPrefix(f, "selector("); ok {
			_, ok = parseSelectors(strings.TrimSuffix(sel, ")"), false, 0)
			return ok, true
		}
		if strings.HasPrefix(f, "font-") && strings.Contains(f, "(") {
			return true, true
		}
		property, value, ok := strings.Cut(f, ":")
		property, value = strings.TrimSpace(property), strings.TrimSpace(value)
		if !ok || value == "" {
			return false, true
		}
		if strings.HasPrefix(property, "--") || strings.HasPrefix(property, "-webkit-") {
			return true, true
		}
		if strings.HasPrefix(property, "-") { // another browser's
			return false, true
		}
		if relevant(property) {
			return validValue(property, value), true
		}
		return knownProperty(property), true
	}, 0)
	return known && v
}

// propertyWords are the first words of the names of properties.
var propertyWords = table(
	"accent align anchor animation appearance aspect backdrop backface background block "+
		"border bottom box break caption caret clear clip color column columns contain container "+
		"content counter cursor direction display field fill filter flex float font forced gap "+
		"grid hanging height hyphens image initial inline inset interpolate isolation justify "+
		"left letter line list margin mask math max min mix object offset opacity order orphans "+
		"outline overflow overscroll padding page paint perspective place pointer position print "+
		"quotes resize right rotate row ruby scale scroll scrollbar shape stroke tab table text "+
		"top touch transform transition translate unicode user vertical view visibility white "+
		"widows width will word writing z zoom", "")

// knownProperty reports whether a name looks like one of CSS, by its first word.
func knownProperty(p string) bool {
	head, _, _ := strings.Cut(p, "-")
	return propertyWords[head]
}
