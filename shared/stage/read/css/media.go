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
		parts := splitWord(q, join)
		if len(parts) < 2 {
			continue
		}
		or := join == " or "
		holds, known = !or, true
		for _, p := range parts {
			v, k := conditions(p, feature, depth+1)
			if k && v == or {
				return or, true
			}
			known = known && k
		}
		return holds, known
	}
	if rest, ok := strings.CutPrefix(q, "not"); ok &&
		(strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "(")) {
		v, k := conditions(rest, feature, depth+1)
		return !v, k
	}
	if q[0] == '(' && topLevel(q[1:], ")") == len(q)-2 {
		inner := strings.TrimSpace(q[1 : len(q)-1])
		if strings.HasPrefix(inner, "(") || strings.HasPrefix(inner, "not ") ||
			strings.HasPrefix(inner, "not(") {
			return conditions(inner, feature, depth+1)
		}
		return feature(inner)
	}
	return feature(q)
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

// mediaFeature evaluates a media type, or a feature without its brackets.
func mediaFeature(f string) (holds, known bool) {
	switch f {
	case "all", "screen":
		return true, true
	case "print", "speech", "tty", "tv", "projection", "handheld", "braille", "embossed", "aural":
		return false, true
	case "color", "hover", "any-hover", "pointer", "any-pointer", "width", "height", "scripting",
		"update", "aspect-ratio", "resolution", "orientation", "color-gamut", "overflow-block":
		return true, true
	case "monochrome", "grid", "prefers-reduced-motion", "prefers-reduced-transparency",
		"prefers-contrast", "forced-colors", "inverted-colors", "prefers-reduced-data":
		return false, true
	case "prefers-color-scheme":
		return true, true
	}
	if strings.ContainsAny(f, "<>") || strings.Contains(f, "=") {
		return rangeHolds(f)
	}
	key, value, ok := strings.Cut(f, ":")
	if !ok {
		return false, false
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	have, least, most := 0.0, false, false
	name := key
	if n, ok := strings.CutPrefix(key, "min-"); ok {
		name, least = n, true
	} else if n, ok := strings.CutPrefix(key, "max-"); ok {
		name, most = n, true
	}
	name = strings.TrimPrefix(name, "device-")
	switch name {
	case "width", "inline-size":
		have = ScreenWidth
	case "height", "block-size":
		have = ScreenHeight
	case "aspect-ratio":
		have = float64(ScreenWidth) / ScreenHeight
	case "resolution", "-webkit-device-pixel-ratio", "-webkit-pixel-ratio":
		have = 1
	case "color":
		have = 8
	case "orientation":
		return value == "landscape", true
	case "hover", "any-hover":
		return value == "hover", true
	case "pointer", "any-pointer":
		return value == "fine", true
	case "prefers-color-scheme":
		return value == "light", true
	case "prefers-reduced-motion", "prefers-reduced-transparency", "prefers-contrast",
		"prefers-reduced-data":
		return value == "no-preference", true
	case "forced-colors", "inverted-colors":
		return value == "none", true
	case "scripting":
		return value == "enabled", true
	case "update":
		return value == "fast", true
	case "display-mode":
		return value == "browser", true
	case "grid", "monochrome":
		return value == "0", true
	case "color-gamut":
		return value == "srgb", true
	case "dynamic-range", "video-dynamic-range":
		return value == "standard", true
	case "overflow-block", "overflow-inline":
		return value == "scroll", true
	default:
		return false, false
	}
	want, ok := mediaLength(value)
	switch {
	case !ok:
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

// rangeHolds evaluates (width >= 600px) and (400px <= width <= 900px).
func rangeHolds(f string) (holds, known bool) {
	var parts, signs []string
	for f != "" {
		i := strings.IndexAny(f, "<>=")
		if i < 0 {
			break
		}
		sign := f[i : i+1]
		if i+1 < len(f) && f[i+1] == '=' {
			sign = f[i : i+2]
		}
		parts, signs = append(parts, strings.TrimSpace(f[:i])), append(signs, sign)
		f = f[i+len(sign):]
	}
	parts = append(parts, strings.TrimSpace(f))
	if len(signs) > 2 {
		return false, false
	}
	val := func(s string) (float64, bool) {
		switch s {
		case "width", "inline-size":
			return ScreenWidth, true
		case "height", "block-size":
			return ScreenHeight, true
		case "aspect-ratio":
			return float64(ScreenWidth) / ScreenHeight, true
		case "resolution":
			return 1, true
		}
		return mediaLength(s)
	}
	for i, sign := range signs {
		a, ok := val(parts[i])
		b, ok2 := val(parts[i+1])
		if !ok || !ok2 {
			return false, false
		}
		switch sign {
		case "<":
			holds = a < b
		case "<=":
			holds = a <= b
		case ">":
			holds = a > b
		case ">=":
			holds = a >= b
		default:
			holds = a == b
		}
		if !holds {
			return false, true
		}
	}
	return true, true
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

// knownProperty reports whether a name looks like one of CSS, by its first word.
func knownProperty(p string) bool {
	head, _, _ := strings.Cut(p, "-")
	switch head {
	case "accent", "align", "anchor", "animation", "appearance", "aspect", "backdrop", "backface",
		"background", "block", "border", "bottom", "box", "break",
		"caption", "caret", "clear", "clip", "color", "column", "columns", "contain", "container",
		"content", "counter", "cursor", "direction", "display",
		"field", "fill", "filter", "flex", "float", "font", "forced", "gap", "grid", "hanging",
		"height", "hyphens", "image", "initial", "inline", "inset",
		"interpolate", "isolation", "justify", "left", "letter", "line", "list", "margin", "mask",
		"math", "max", "min", "mix", "object", "offset", "opacity",
		"order", "orphans", "outline", "overflow", "overscroll", "padding", "page", "paint",
		"perspective", "place", "pointer", "position", "print", "quotes",
		"resize", "right", "rotate", "row", "ruby", "scale", "scroll", "scrollbar", "shape",
		"stroke", "tab", "table", "text", "top", "touch", "transform",
		"transition", "translate", "unicode", "user", "vertical", "view", "visibility", "white",
		"widows", "width", "will", "word", "writing", "z", "zoom":
		return true
	}
	return false
}
