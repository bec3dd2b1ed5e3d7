package read

import (
	"math"
	"strconv"
	"strings"
)

// rgba is a colour of sRGB; all parts are from 0 to 1.
type rgba struct{ r, g, b, a float64 }

var (
	white       = rgba{1, 1, 1, 1}
	black       = rgba{0, 0, 0, 1}
	linkBlue    = rgba{0, 0, 238.0 / 255, 1}
	transparent = rgba{}
)

// over is c painted on an opaque ground.
func (c rgba) over(ground rgba) rgba {
	mix := func(a, b float64) float64 { return a*c.a + b*(1-c.a) }
	return rgba{mix(c.r, ground.r), mix(c.g, ground.g), mix(c.b, ground.b), 1}
}

// luminance is that of WCAG.
func (c rgba) luminance() float64 {
	return 0.2126*ungamma(c.r) + 0.7152*ungamma(c.g) + 0.0722*ungamma(c.b)
}

// ungamma takes the gamma of sRGB off a part of a colour.
func ungamma(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// contrast is that of WCAG: 1 for equal colours, 21 for black on white.
func contrast(a, b rgba) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// alike reports whether text of colour c on a ground cannot be told from it.
func alike(c, ground rgba) bool {
	c = c.over(ground)
	far := max(math.Abs(c.r-ground.r), math.Abs(c.g-ground.g), math.Abs(c.b-ground.b))
	return contrast(c, ground) < leastContrast && far < 0.2
}

// leastContrast is what a reader needs to see that there is text at all.
const leastContrast = 1.13

// colour reads a colour, in lower case; inherited is what currentcolor means. It is false
// for what is not understood.
func colour(v string, inherited rgba) (rgba, bool) {
	v = strings.TrimSpace(v)
	switch v {
	case "":
		return rgba{}, false
	case "transparent":
		return transparent, true
	case "currentcolor":
		return inherited, true
	}
	if v[0] == '#' {
		return hexColour(v[1:])
	}
	if c, ok := systemColours[v]; ok {
		return c, true
	}
	if n, ok := namedColours[v]; ok {
		return rgba{float64(n>>16) / 255, float64(n>>8&255) / 255, float64(n&255) / 255, 1}, true
	}
	f := functions(v)
	if len(f) != 1 || !strings.HasSuffix(v, ")") {
		return rgba{}, false
	}
	return colourFunction(f[0], inherited)
}

func hexColour(h string) (rgba, bool) {
	n, err := strconv.ParseUint(h, 16, 64)
	if err != nil {
		return rgba{}, false
	}
	part := func(shift uint, bits uint) float64 {
		return float64(n>>shift&(1<<bits-1)) / float64(uint64(1)<<bits-1)
	}
	switch len(h) {
	case 3:
		return rgba{part(8, 4), part(4, 4), part(0, 4), 1}, true
	case 4:
		return rgba{part(12, 4), part(8, 4), part(4, 4), part(0, 4)}, true
	case 6:
		return rgba{part(16, 8), part(8, 8), part(0, 8), 1}, true
	case 8:
		return rgba{part(24, 8), part(16, 8), part(8, 8), part(0, 8)}, true
	}
	return rgba{}, false
}

func colourFunction(f function, inherited rgba) (rgba, bool) {
	switch f.name {
	case "color-mix":
		return mixed(f.args, inherited)
	case "contrast-color":
		return contrasting(f.args, inherited)
	case "device-cmyk":
		return rgba{}, false
	}
	var parts []string
	for _, a := range f.args {
		parts = append(parts, valueWords(strings.ReplaceAll(a, "/", " / "))...)
	}
	var c components
	relative := len(parts) > 2 && parts[0] == "from"
	if relative {
		origin, ok := colour(parts[1], inherited)
		if !ok {
			return rgba{}, false
		}
		if parts = parts[2:]; f.name == "color" && parts[0] == "srgb-linear" {
			return rgba{}, false
		}
		c.words = wordsOf(origin, f.name)
	}
	if f.name == "color" && len(parts) > 0 {
		c.space, parts = parts[0], parts[1:]
	}
	alpha := 1.0
	for i, p := range parts {
		if p == "/" && i+1 < len(parts) {
			alpha = c.alpha(parts[i+1])
			parts = parts[:i]
			break
		}
	}
	if len(parts) == 4 && c.space == "" && !relative {
		alpha = c.alpha(parts[3])
	}
	if c.parts = parts; len(parts) < 3 {
		return rgba{}, false
	}
	out, ok := c.rgb(strings.TrimSuffix(f.name, "a"))
	if !ok || math.IsNaN(out.r+out.g+out.b) {
		return rgba{}, alpha == 0
	}
	return rgba{clamp01(out.r), clamp01(out.g), clamp01(out.b), alpha}, true
}

// contrasting is contrast-color(A): black or white, whichever stands out more.
func contrasting(args []string, inherited rgba) (rgba, bool) {
	c, ok := colour(strings.TrimSuffix(strings.Join(args, " "), " max"), inherited)
	if contrast(c, white) >= contrast(c, black) {
		return white, ok
	}
	return black, ok
}

// components are those of a colour function, as written.
type components struct {
	parts []string
	space string             // of color()
	words map[string]float64 // what names stand for in a relative colour
}

// at is a component; a percentage is one of whole. It is NaN where it is not understood.
func (c *components) at(i int, whole float64) float64 {
	if c.parts[i] == "none" {
		return 0
	}
	a, ok := evalWith(c.parts[i], sizes{16, 16}, c.words)
	if !ok {
		return math.NaN()
	}
	return a.of(whole)
}

func (c *components) alpha(v string) float64 {
	if v == "none" {
		return 0
	}
	a, ok := evalWith(v, sizes{16, 16}, c.words)
	if !ok {
		return 1
	}
	return clamp01(a.of(1))
}

// rgb is the colour that the components make in the space of a function.
func (c *components) rgb(name string) (rgba, bool) {
	n := c.at
	switch name {
	case "rgb":
		return rgba{n(0, 255) / 255, n(1, 255) / 255, n(2, 255) / 255, 1}, true
	case "hsl":
		return hsl(n(0, 360), n(1, 100)/100, n(2, 100)/100), true
	case "hwb":
		return hwb(n(0, 360), n(1, 100)/100, n(2, 100)/100), true
	case "lab":
		return lab(n(0, 100), n(1, 125), n(2, 125)), true
	case "lch":
		h := n(2, 360) * math.Pi / 180
		return lab(n(0, 100), n(1, 150)*math.Cos(h), n(1, 150)*math.Sin(h)), true
	case "oklab":
		return oklab(n(0, 1), n(1, 0.4), n(2, 0.4)), true
	case "oklch":
		h := n(2, 360) * math.Pi / 180
		return oklab(n(0, 1), n(1, 0.4)*math.Cos(h), n(1, 0.4)*math.Sin(h)), true
	case "color":
	default:
		return rgba{}, false
	}
	switch c.space {
	case "srgb", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020":
		return rgba{n(0, 1), n(1, 1), n(2, 1), 1}, true
	case "srgb-linear":
		return rgba{gamma(n(0, 1)), gamma(n(1, 1)), gamma(n(2, 1)), 1}, true
	case "xyz", "xyz-d65", "xyz-d50":
		return xyz(n(0, 1), n(1, 1), n(2, 1)), true
	}
	return rgba{}, false
}

// wordsOf are the numbers that the names of components stand for in a function relative to
// a colour: those of the colour in the function's space.
func wordsOf(c rgba, function string) map[string]float64 {
	out := map[string]float64{"alpha": c.a}
	put := func(names string, v ...float64) map[string]float64 {
		for i := range v {
			out[names[i:i+1]] = v[i]
		}
		return out
	}
	most, least := max(c.r, c.g, c.b), min(c.r, c.g, c.b)
	switch strings.TrimSuffix(function, "a") {
	case "rgb":
		return put("rgb", c.r*255, c.g*255, c.b*255)
	case "hsl":
		light, strong := (most+least)/2, 0.0
		if most > least {
			strong = (most - least) / (1 - math.Abs(2*light-1))
		}
		return put("hsl", hue(c), strong*100, light*100)
	case "hwb":
		return put("hwb", hue(c), least*100, (1-most)*100)
	case "lab", "lch":
		l, a, b := labOf(c)
		if function == "lab" {
			return put("lab", l, a, b)
		}
		return put("lch", l, math.Hypot(a, b), math.Atan2(b, a)*180/math.Pi)
	case "oklab", "oklch":
		v := oklabOf(c)
		if function == "oklab" {
			return put("lab", v...)
		}
		return put("lch", v[0], math.Hypot(v[1], v[2]), math.Atan2(v[2], v[1])*180/math.Pi)
	case "color":
		return put("rgb", c.r, c.g, c.b)
	}
	return out
}

// hue is the angle of a colour; 0 for a grey.
func hue(c rgba) float64 {
	most, least := max(c.r, c.g, c.b), min(c.r, c.g, c.b)
	switch wide := most - least; {
	case wide == 0:
		return 0
	case most == c.r:
		return 60 * (c.g - c.b) / wide
	case most == c.g:
		return 60*(c.b-c.r)/wide + 120
	default:
		return 60*(c.r-c.g)/wide + 240
	}
}

// labOf is a colour in the space lab.
func labOf(c rgba) (l, a, b float64) {
	c = rgba{ungamma(c.r), ungamma(c.g), ungamma(c.b), 1}
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return v*841/108 + 4.0/29
	}
	x, y, z := f((0.4124*c.r+0.3576*c.g+0.1805*c.b)/0.9505), f(0.2126*c.r+0.7152*c.g+0.0722*c.b),
		f((0.0193*c.r+0.1192*c.g+0.9505*c.b)/1.089)
	return 116*y - 16, 500 * (x - y), 200 * (y - z)
}

// oklabOf is a colour in the space oklab.
func oklabOf(c rgba) []float64 {
	c = rgba{ungamma(c.r), ungamma(c.g), ungamma(c.b), 1}
	p := math.Cbrt(0.4122214708*c.r + 0.5363325363*c.g + 0.0514459929*c.b)
	q := math.Cbrt(0.2119034982*c.r + 0.6806995451*c.g + 0.1073969566*c.b)
	r := math.Cbrt(0.0883024619*c.r + 0.2817188376*c.g + 0.6299787005*c.b)
	return []float64{0.2104542553*p + 0.7936177850*q - 0.0040720468*r,
		1.9779984951*p - 2.4285922050*q + 0.4505937099*r,
		0.0259040371*p + 0.7827717662*q - 0.8086757660*r}
}

// mixed is color-mix(in SPACE, A 20%, B); the mixing is done in sRGB whatever the space.
func mixed(args []string, inherited rgba) (rgba, bool) {
	if len(args) != 3 {
		return rgba{}, false
	}
	var c [2]rgba
	share := [2]float64{-1, -1}
	for i, a := range args[1:] {
		var name []string
		for _, w := range valueWords(a) {
			if strings.HasSuffix(w, "%") {
				share[i] = number(w, 0)
			} else {
				name = append(name, w)
			}
		}
		var ok bool
		if c[i], ok = colour(strings.Join(name, " "), inherited); !ok {
			return rgba{}, false
		}
	}
	switch {
	case share[0] < 0 && share[1] < 0:
		share = [2]float64{0.5, 0.5}
	case share[0] < 0:
		share[0] = 1 - share[1]
	case share[1] < 0:
		share[1] = 1 - share[0]
	}
	sum := share[0] + share[1]
	if sum <= 0 {
		return rgba{}, false
	}
	p, q := share[0]/sum, share[1]/sum
	a := c[0].a*p + c[1].a*q
	if a == 0 {
		return transparent, true
	}
	mix := func(x, y float64) float64 { return (x*c[0].a*p + y*c[1].a*q) / a }
	return rgba{mix(c[0].r, c[1].r), mix(c[0].g, c[1].g), mix(c[0].b, c[1].b), a * min(1, sum)},
		true
}

func clamp01(v float64) float64 { return max(0, min(1, v)) }

func hsl(h, s, l float64) rgba {
	s, l = clamp01(s), clamp01(l)
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		if k < 0 {
			k += 12
		}
		return l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1))
	}
	return rgba{f(0), f(8), f(4), 1}
}

func hwb(h, white, black float64) rgba {
	if white+black >= 1 {
		grey := white / (white + black)
		return rgba{grey, grey, grey, 1}
	}
	c, rest := hsl(h, 1, 0.5), 1-white-black
	return rgba{c.r*rest + white, c.g*rest + white, c.b*rest + white, 1}
}

func gamma(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

func xyz(x, y, z float64) rgba {
	return rgba{gamma(3.2406*x - 1.5372*y - 0.4986*z), gamma(-0.9689*x + 1.8758*y + 0.0415*z),
		gamma(0.0557*x - 0.2040*y + 1.0570*z), 1}
}

func lab(l, a, b float64) rgba {
	f := func(t float64) float64 {
		if t > 6.0/29 {
			return t * t * t
		}
		return 3 * 36.0 / 841 * (t - 4.0/29)
	}
	y := (l + 16) / 116
	return xyz(0.9505*f(y+a/500), f(y), 1.089*f(y-b/200))
}

func oklab(l, a, b float64) rgba {
	p := l + 0.3963377774*a + 0.2158037573*b
	q := l - 0.1055613458*a - 0.0638541728*b
	r := l - 0.0894841775*a - 1.2914855480*b
	p, q, r = p*p*p, q*q*q, r*r*r
	return rgba{gamma(4.0767416621*p - 3.3077115913*q + 0.2309699292*r),
		gamma(-1.2684380046*p + 2.6097574011*q - 0.3413193965*r),
		gamma(-0.0041960863*p - 0.7034186147*q + 1.7076147010*r), 1}
}

// gradientColours are the colours of a gradient, and false where one is not understood.
func gradientColours(v string, inherited rgba) ([]rgba, bool) {
	var out []rgba
	for _, f := range functions(v) {
		if !strings.HasSuffix(f.name, "gradient") {
			return nil, false
		}
		for i, a := range f.args {
			words := valueWords(a)
			found := false
			for _, w := range words {
				if c, ok := colour(w, inherited); ok {
					out = append(out, c)
					found = true
				}
			}
			if _, ok := evalLength(words[0], sizes{16, 16}); !found && i > 0 && !ok {
				return nil, false
			}
		}
	}
	return out, len(out) > 0
}

var systemColours = map[string]rgba{
	"canvas": white, "canvastext": black, "linktext": linkBlue, "visitedtext": {0.33, 0.1, 0.55, 1},
	"activetext": {1, 0, 0, 1},
	"buttonface": {0.94, 0.94, 0.94, 1}, "buttontext": black, "buttonborder": black, "field": white,
	"fieldtext": black,
	"highlight": {0.2, 0.6, 1, 1}, "highlighttext": white, "mark": {1, 1, 0, 1}, "marktext": black,
	"graytext": {0.5, 0.5, 0.5, 1},
	"window":   white, "windowtext": black, "-webkit-link": linkBlue,
}

// namedColours are those of CSS, as 0xRRGGBB.
var namedColours = func() map[string]uint32 {
	const table = `aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000
blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e
coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b
darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00
darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff
firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520
gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0
khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a
lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0
lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3
mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585
midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee
palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080
rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57
seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa
springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3
white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32`
	fields := strings.Fields(table)
	out := make(map[string]uint32, len(fields)/2)
	for i := 0; i+1 < len(fields); i += 2 {
		n, _ := strconv.ParseUint(fields[i+1], 16, 32)
		out[fields[i]] = uint32(n)
	}
	return out
}()
