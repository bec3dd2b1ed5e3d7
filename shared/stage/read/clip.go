package read

import (
	"math"
	"strings"

	"wstk/shared/stage/read/css"
)

// Text may be cut off by a shape that holds nothing, or by a mask that lets nothing through.

// shape is a function of clip or clip-path. Percentages are taken of a box of 100 by 100
// pixels.
type shape struct {
	args  []string // as separated by commas
	words []string // of all of them
	sizes css.Sizes
}

// farOff is the pixels from which a shape lies beyond any box.
const farOff = 2000

// shapes report whether a shape holds nothing.
var shapes = map[string]func(*shape) bool{
	"rect":    (*shape).emptyRect,
	"xywh":    (*shape).emptyPlacedRect,
	"inset":   (*shape).emptyInset,
	"circle":  (*shape).emptyCircle,
	"ellipse": (*shape).emptyCircle,
	"polygon": (*shape).emptyPolygon,
	"path":    (*shape).emptyPath,
	"shape":   (*shape).emptyPath,
}

// clipsAll reports whether a value of clip or clip-path is a shape that holds nothing.
func clipsAll(v string, sz css.Sizes) bool {
	f := css.Functions(v)
	if len(f) != 1 || shapes[f[0].Name] == nil {
		return false
	}
	s := shape{args: f[0].Args, sizes: sz}
	for _, a := range s.args {
		s.words = append(s.words, css.Words(a)...)
	}
	return shapes[f[0].Name](&s)
}

// at reads a place along an axis.
func (s *shape) at(word string) (float64, bool) {
	switch word {
	case "auto", "left", "top":
		return 0, true
	case "center":
		return 50, true
	case "right", "bottom":
		return 100, true
	}
	a, ok := css.ParseLength(word, s.sizes)
	return a.Of(100), ok
}

// emptyRect reads rect(top right bottom left); auto is the edge of the box.
func (s *shape) emptyRect() bool {
	if len(s.words) < 4 {
		return false
	}
	side := [4]float64{0, 1e6, 1e6, 0}
	for k, word := range s.words[:4] {
		if word == "auto" {
			continue
		}
		x, ok := s.at(word)
		if !ok {
			return false
		}
		side[k] = x
	}
	top, right, bottom, left := side[0], side[1], side[2], side[3]
	return right-left <= 1 || bottom-top <= 1 || bottom <= 0 || right <= 0 ||
		top > farOff || left > farOff
}

// emptyPlacedRect reads xywh(left top width height).
func (s *shape) emptyPlacedRect() bool {
	if len(s.words) < 4 {
		return false
	}
	wide, ok := s.at(s.words[2])
	high, ok2 := s.at(s.words[3])
	x, _ := s.at(s.words[0])
	y, _ := s.at(s.words[1])
	return ok && ok2 &&
		(wide < 1 || high < 1 || x+wide <= 0 || y+high <= 0 || x > farOff || y > farOff)
}

// emptyInset reads inset() with one to four sides, up to round.
func (s *shape) emptyInset() bool {
	var n []float64
	for _, a := range s.words {
		if a == "round" {
			break
		}
		x, ok := s.at(a)
		if !ok {
			return false
		}
		if !strings.Contains(a, "%") && x < farOff && x > 0 {
			x = x / css.ScreenHeight * 100 // pixels of a box whose size is not known
		}
		n = append(n, x)
	}
	if len(n) == 0 {
		return false
	}
	side := func(i int) float64 {
		for i >= len(n) {
			i -= 2
		}
		return n[max(i, 0)]
	}
	return side(0)+side(2) >= 99.5 || side(1)+side(3) >= 99.5
}

// emptyCircle reads circle(radius at x y) and ellipse(radius radius at x y).
func (s *shape) emptyCircle() bool {
	radius := 0.0
	for k, word := range s.words {
		if word == "at" {
			return s.isBeside(s.words[k+1:], radius)
		}
		if x, ok := s.at(word); ok {
			if x < 1 {
				return true
			}
			if radius == 0 {
				radius = x
			}
		}
	}
	return false
}

// isBeside reports whether a circle around a place far away does not reach the box.
func (s *shape) isBeside(place []string, radius float64) bool {
	if len(place) == 0 {
		return false
	}
	x, ok := s.at(place[0])
	y := 50.0
	if len(place) > 1 {
		y, _ = s.at(place[1])
	}
	return ok && (x <= -300 || x >= 3000 || y <= -300 || y >= 3000) &&
		(radius < math.Abs(x)-100 || radius < math.Abs(y)-100)
}

// emptyPolygon reads polygon(x y, x y, …).
func (s *shape) emptyPolygon() bool {
	var xs, ys []float64
	for _, a := range s.args {
		w := css.Words(a)
		if len(w) == 1 && (w[0] == "evenodd" || w[0] == "nonzero") {
			continue
		}
		if len(w) != 2 {
			break
		}
		x, ok := s.at(w[0])
		y, ok2 := s.at(w[1])
		if !ok || !ok2 {
			return false
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	return len(xs) > 0 && isEmpty(xs, ys)
}

// emptyPath reads path("M 0 0 …").
func (s *shape) emptyPath() bool {
	xs, ys, ok := pathPoints(strings.Trim(strings.Join(s.args, ","), `"' `))
	return ok && isEmpty(xs, ys)
}

// isEmpty reports whether a polygon has next to no area within the quadrant where boxes are.
func isEmpty(xs, ys []float64) bool {
	area, right, low, left, high := 0.0, math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)
	for k := range xs {
		j := (k + 1) % len(xs)
		area += xs[k]*ys[j] - xs[j]*ys[k]
		right, low = max(right, xs[k]), max(low, ys[k])
		left, high = min(left, xs[k]), min(high, ys[k])
	}
	return math.Abs(area) < 8 || right <= 0 || low <= 0 || left > farOff || high > farOff
}

const (
	pathCommands = "mlhvzMLHVZ" // of straight lines
	pathCurves   = "acqstACQST"
	maxPoints    = 1000
)

// pathPoints reads the points of a path of straight lines; false for one with curves.
func pathPoints(d string) (xs, ys []float64, ok bool) {
	if i := strings.IndexAny(d, `"'`); i >= 0 { // evenodd, "…"
		d = strings.Trim(d[i+1:], `"' `)
	}
	d = strings.TrimSpace(d)
	if strings.ContainsAny(d, pathCurves) {
		return nil, nil, false
	}
	x, y := 0.0, 0.0
	for d != "" && strings.IndexByte(pathCommands, d[0]) >= 0 {
		command, arg := d[0], d[1:]
		if end := strings.IndexAny(arg, pathCommands); end >= 0 {
			arg = arg[:end]
		}
		d = d[1+len(arg):]
		n := pathNumbers(arg)
		step := 2
		if axis := command | 0x20; axis == 'h' || axis == 'v' {
			step = 1
		}
		for ; step <= len(n) && len(xs) < maxPoints; n = n[step:] {
			x, y = pathPoint(command, n, x, y)
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	return xs, ys, len(xs) > 0
}

func pathNumbers(s string) (out []float64) {
	for f := range strings.FieldsFuncSeq(strings.ReplaceAll(s, "-", " -"), func(r rune) bool {
		return r == ' ' || r == ',' || r == '\n' || r == '\t'
	}) {
		out = append(out, css.Number(f, 0))
	}
	return out
}

// pathPoint is where a command of a path leads from x, y. Small letters count from there.
func pathPoint(command byte, n []float64, x, y float64) (float64, float64) {
	fromX, fromY := 0.0, 0.0
	if command >= 'a' {
		fromX, fromY = x, y
	}
	switch command | 0x20 {
	case 'h':
		return fromX + n[0], y
	case 'v':
		return x, fromY + n[0]
	}
	return fromX + n[0], fromY + n[1]
}

// isMaskedOut reports whether a mask lets nothing of the element through.
func (b *box) isMaskedOut() bool {
	image, ok := b.isSet("mask-image")
	if !ok {
		return false
	}
	if b.get("mask-repeat") == "no-repeat" {
		for _, at := range css.Words(b.get("mask-position")) {
			if a, ok := css.ParseLength(at, css.DefaultSizes); ok && math.Abs(a.Pixels) > farRight {
				return true
			}
		}
	}
	if w := css.Words(b.get("mask-size")); len(w) > 0 && css.IsZero(w[0]) {
		return true
	}
	return noPicture(image) || clearGradients(image)
}

// clearGradients reports whether an image is made of gradients that are all transparent.
func clearGradients(image string) bool {
	if !strings.Contains(image, "gradient(") {
		return false
	}
	seen := false
	for _, f := range css.Functions(image) {
		if !strings.HasSuffix(f.Name, "gradient") {
			continue
		}
		colours, ok := css.GradientColors(f.Name+"("+strings.Join(f.Args, ",")+")", css.Black)
		if !ok {
			return false
		}
		for _, c := range colours {
			if c.A > css.Faint {
				return false
			}
			seen = true
		}
	}
	return seen
}

// leastPicture is how many characters of base64 a picture takes at least.
const leastPicture = 24

// noPicture reports whether an image stands in the value and is too short to be one.
func noPicture(v string) bool {
	_, data, ok := strings.Cut(v, "base64,")
	end := strings.IndexAny(data, ")\"'")
	return ok && strings.HasPrefix(v, "url(") && end >= 0 && end < leastPicture &&
		!strings.Contains(data[end:], "(")
}
