package css

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Color is a colour of sRGB; all parts are from 0 to 1.
type Color struct{ R, G, B, A float64 }

var (
	White       = Color{1, 1, 1, 1}
	Black       = Color{0, 0, 0, 1}
	LinkBlue    = Color{0, 0, 238.0 / 255, 1}
	Transparent = Color{}
)

// RGBA returns a colour by its parts.
func RGBA(r, g, b, a float64) Color { return Color{r, g, b, a} }

// Over is c painted on an opaque ground.
func (c Color) Over(ground Color) Color {
	mix := func(a, b float64) float64 { return a*c.A + b*(1-c.A) }
	return Color{mix(c.R, ground.R), mix(c.G, ground.G), mix(c.B, ground.B), 1}
}

// luminance is that of WCAG.
func (c Color) luminance() float64 {
	return 0.2126*ungamma(c.R) + 0.7152*ungamma(c.G) + 0.0722*ungamma(c.B)
}

// ungamma takes the gamma of sRGB off a part of a colour.
func ungamma(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// Contrast is that of WCAG: 1 for equal colours, 21 for black on white.
func Contrast(a, b Color) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Alike reports whether text of colour c on a ground cannot be told from it.
func Alike(c, ground Color) bool {
	c = c.Over(ground)
	far := max(math.Abs(c.R-ground.R), math.Abs(c.G-ground.G), math.Abs(c.B-ground.B))
	return Contrast(c, ground) < leastContrast && far < 0.2
}

// leastContrast is what a reader needs to see that there is text at all.
const leastContrast = 1.13

// ParseColor reads a colour, in lower case; inherited is what currentcolor means. It is false
// for what is not understood.
func ParseColor(v string, inherited Color) (Color, bool) {
	v = strings.TrimSpace(v)
	switch v {
	case "":
		return Color{}, false
	case "transparent":
		return Transparent, true
	case "currentcolor":
		return inherited, true
	}
	if v[0] == '#' {
		return hexColor(v[1:])
	}
	if c, ok := systemColors[v]; ok {
		return c, true
	}
	if n, ok := namedColors[v]; ok {
		return Color{float64(n>>16) / 255, float64(n>>8&255) / 255, float64(n&255) / 255, 1}, true
	}
	f := Functions(v)
	if len(f) != 1 || !strings.HasSuffix(v, ")") {
		return Color{}, false
	}
	return colorFunction(f[0], inherited)
}

func hexColor(h string) (Color, bool) {
	n, err := strconv.ParseUint(h, 16, 64)
	if err != nil {
		return Color{}, false
	}
	part := func(shift uint, bits uint) float64 {
		return float64(n>>shift&(1<<bits-1)) / float64(uint64(1)<<bits-1)
	}
	switch len(h) {
	case 3:
		return Color{part(8, 4), part(4, 4), part(0, 4), 1}, true
	case 4:
		return Color{part(12, 4), part(8, 4), part(4, 4), part(0, 4)}, true
	case 6:
		return Color{part(16, 8), part(8, 8), part(0, 8), 1}, true
	case 8:
		return Color{part(24, 8), part(16, 8), part(8, 8), part(0, 8)}, true
	}
	return Color{}, false
}

func colorFunction(f Function, inherited Color) (Color, bool) {
	switch f.Name {
	case "color-mix":
		return mixed(f.Args, inherited)
	case "contrast-color":
		return contrasting(f.Args, inherited)
	case "device-cmyk":
		return Color{}, false
	}
	c, alpha, ok := componentsOf(f, inherited)
	if !ok || len(c.parts) < 3 {
		return Color{}, false
	}
	out, ok := c.rgb(strings.TrimSuffix(f.Name, "a"))
	if !ok || math.IsNaN(out.R+out.G+out.B) {
		return Color{}, alpha == 0
	}
	return Color{Clamp01(out.R), Clamp01(out.G), Clamp01(out.B), alpha}, true
}

// componentsOf takes the arguments of a colour function apart: from COLOUR, SPACE, components,
// and the opacity after a slash or a comma.
func componentsOf(f Function, inherited Color) (c components, alpha float64, ok bool) {
	var parts []string
	for _, a := range f.Args {
		parts = append(parts, Words(strings.ReplaceAll(a, "/", " / "))...)
	}
	relative := len(parts) > 2 && parts[0] == "from"
	if relative {
		origin, ok := ParseColor(parts[1], inherited)
		if parts = parts[2:]; !ok || f.Name == "color" && parts[0] == "srgb-linear" {
			return c, 0, false
		}
		c.words = wordsOf(origin, f.Name)
	}
	if f.Name == "color" && len(parts) > 0 {
		c.space, parts = parts[0], parts[1:]
	}
	alpha = 1
	if i := slices.Index(parts, "/"); i >= 0 && i+1 < len(parts) {
		alpha = c.alpha(parts[i+1])
		parts = parts[:i]
	}
	if len(parts) == 4 && c.space == "" && !relative {
		alpha = c.alpha(parts[3])
	}
	c.parts = parts
	return c, alpha, true
}

// contrasting is contrast-color(A): black or white, whichever stands out more.
func contrasting(args []string, inherited Color) (Color, bool) {
	c, ok := ParseColor(strings.TrimSuffix(strings.Join(args, " "), " max"), inherited)
	if Contrast(c, White) >= Contrast(c, Black) {
		return White, ok
	}
	return Black, ok
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
	a, ok := parseLengthWith(c.parts[i], DefaultSizes, c.words)
	if !ok {
		return math.NaN()
	}
	return a.Of(whole)
}

func (c *components) alpha(v string) float64 {
	if v == "none" {
		return 0
	}
	a, ok := parseLengthWith(v, DefaultSizes, c.words)
	if !ok {
		return 1
	}
	return Clamp01(a.Of(1))
}

// rgb is the colour that the components make in the space of a function.
func (c *components) rgb(name string) (Color, bool) {
	n := c.at
	switch name {
	case "rgb":
		return Color{n(0, 255) / 255, n(1, 255) / 255, n(2, 255) / 255, 1}, true
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
		return Color{}, false
	}
	switch c.space {
	case "srgb", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020":
		return Color{n(0, 1), n(1, 1), n(2, 1), 1}, true
	case "srgb-linear":
		return Color{gamma(n(0, 1)), gamma(n(1, 1)), gamma(n(2, 1)), 1}, true
	case "xyz", "xyz-d65", "xyz-d50":
		return xyz(n(0, 1), n(1, 1), n(2, 1)), true
	}
	return Color{}, false
}

// wordsOf are the numbers that the names of components stand for in a function relative to
// a colour: those of the colour in the function's space.
func wordsOf(c Color, function string) map[string]float64 {
	out := map[string]float64{"alpha": c.A}
	put := func(names string, v ...float64) map[string]float64 {
		for i := range v {
			out[names[i:i+1]] = v[i]
		}
		return out
	}
	most, least := max(c.R, c.G, c.B), min(c.R, c.G, c.B)
	switch strings.TrimSuffix(function, "a") {
	case "rgb":
		return put("rgb", c.R*255, c.G*255, c.B*255)
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
		return put("rgb", c.R, c.G, c.B)
	}
	return out
}

// hue is the angle of a colour; 0 for a grey.
func hue(c Color) float64 {
	most, least := max(c.R, c.G, c.B), min(c.R, c.G, c.B)
	switch wide := most - least; {
	case wide == 0:
		return 0
	case most == c.R:
		return 60 * (c.G - c.B) / wide
	case most == c.G:
		return 60*(c.B-c.R)/wide + 120
	default:
		return 60*(c.R-c.G)/wide + 240
	}
}

// labOf is a colour in the space lab.
func labOf(c Color) (l, a, b float64) {
	c = Color{ungamma(c.R), ungamma(c.G), ungamma(c.B), 1}
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return v*841/108 + 4.0/29
	}
	x, y, z := f((0.4124*c.R+0.3576*c.G+0.1805*c.B)/0.9505), f(0.2126*c.R+0.7152*c.G+0.0722*c.B),
		f((0.0193*c.R+0.1192*c.G+0.9505*c.B)/1.089)
	return 116*y - 16, 500 * (x - y), 200 * (y - z)
}

// oklabOf is a colour in the space oklab.
func oklabOf(c Color) []float64 {
	c = Color{ungamma(c.R), ungamma(c.G), ungamma(c.B), 1}
	p := math.Cbrt(0.4122214708*c.R + 0.5363325363*c.G + 0.0514459929*c.B)
	q := math.Cbrt(0.2119034982*c.R + 0.6806995451*c.G + 0.1073969566*c.B)
	r := math.Cbrt(0.0883024619*c.R + 0.2817188376*c.G + 0.6299787005*c.B)
	return []float64{0.2104542553*p + 0.7936177850*q - 0.0040720468*r,
		1.9779984951*p - 2.4285922050*q + 0.4505937099*r,
		0.0259040371*p + 0.7827717662*q - 0.8086757660*r}
}

// mixed is color-mix(in SPACE, A 20%, B); the mixing is done in sRGB whatever the space.
func mixed(args []string, inherited Color) (Color, bool) {
	if len(args) != 3 {
		return Color{}, false
	}
	var c [2]Color
	share := [2]float64{-1, -1}
	for i, a := range args[1:] {
		var name []string
		for _, w := range Words(a) {
			if strings.HasSuffix(w, "%") {
				share[i] = Number(w, 0)
			} else {
				name = append(name, w)
			}
		}
		var ok bool
		if c[i], ok = ParseColor(strings.Join(name, " "), inherited); !ok {
			return Color{}, false
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
		return Color{}, false
	}
	p, q := share[0]/sum, share[1]/sum
	a := c[0].A*p + c[1].A*q
	if a == 0 {
		return Transparent, true
	}
	mix := func(x, y float64) float64 { return (x*c[0].A*p + y*c[1].A*q) / a }
	return Color{mix(c[0].R, c[1].R), mix(c[0].G, c[1].G), mix(c[0].B, c[1].B), a * min(1, sum)},
		true
}

func Clamp01(v float64) float64 { return max(0, min(1, v)) }

func hsl(h, s, l float64) Color {
	s, l = Clamp01(s), Clamp01(l)
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		if k < 0 {
			k += 12
		}
		return l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1))
	}
	return Color{f(0), f(8), f(4), 1}
}

func hwb(h, white, black float64) Color {
	if white+black >= 1 {
		grey := white / (white + black)
		return Color{grey, grey, grey, 1}
	}
	c, rest := hsl(h, 1, 0.5), 1-white-black
	return Color{c.R*rest + white, c.G*rest + white, c.B*rest + white, 1}
}

func gamma(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

func xyz(x, y, z float64) Color {
	return Color{gamma(3.2406*x - 1.5372*y - 0.4986*z), gamma(-0.9689*x + 1.8758*y + 0.0415*z),
		gamma(0.0557*x - 0.2040*y + 1.0570*z), 1}
}

func lab(l, a, b float64) Color {
	f := func(t float64) float64 {
		if t > 6.0/29 {
			return t * t * t
		}
		return 3 * 36.0 / 841 * (t - 4.0/29)
	}
	y := (l + 16) / 116
	return xyz(0.9505*f(y+a/500), f(y), 1.089*f(y-b/200))
}

func oklab(l, a, b float64) Color {
	p := l + 0.3963377774*a + 0.2158037573*b
	q := l - 0.1055613458*a - 0.0638541728*b
	r := l - 0.0894841775*a - 1.2914855480*b
	p, q, r = p*p*p, q*q*q, r*r*r
	return Color{gamma(4.0767416621*p - 3.3077115913*q + 0.2309699292*r),
		gamma(-1.2684380046*p + 2.6097574011*q - 0.3413193965*r),
		gamma(-0.0041960863*p - 0.7034186147*q + 1.7076147010*r), 1}
}

// GradientColors are the colours of a gradient, and false where one is not understood.
func GradientColors(v string, inherited Color) ([]Color, bool) {
	var out []Color
	for _, f := range Functions(v) {
		if !strings.HasSuffix(f.Name, "gradient") {
			return nil, false
		}
		for i, a := range f.Args {
			words := Words(a)
			found := false
			for _, w := range words {
				if c, ok := ParseColor(w, inherited); ok {
					out = append(out, c)
					found = true
				}
			}
			if _, ok := ParseLength(words[0], DefaultSizes); !found && i > 0 && !ok {
				return nil, false
			}
		}
	}
	return out, len(out) > 0
}

var systemColors = map[string]Color{
	"canvas": White, "canvastext": Black, "linktext": LinkBlue, "visitedtext": {0.33, 0.1, 0.55, 1},
	"activetext": {1, 0, 0, 1},
	"buttonface": {0.94, 0.94, 0.94, 1}, "buttontext": Black, "buttonborder": Black, "field": White,
	"fieldtext": Black,
	"highlight": {0.2, 0.6, 1, 1}, "highlighttext": White, "mark": {1, 1, 0, 1}, "marktext": Black,
	"graytext": {0.5, 0.5, 0.5, 1},
	"window":   White, "windowtext": Black, "-webkit-link": LinkBlue,
}

// namedColors are those of CSS, as 0xRRGGBB.
var namedColors = func() map[string]uint32 {
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
