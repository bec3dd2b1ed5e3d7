package value

import (
	"math"
	"strconv"
	"strings"

	"wstk/shared/text"
)

// superDigits are the superscript digits.
var superDigits = map[string]byte{"⁰": '0', "¹": '1', "²": '2', "³": '3', "⁴": '4', "⁵": '5',
	"⁶": '6', "⁷": '7', "⁸": '8', "⁹": '9'}

// exponent reads e10, × 10^5, ·10⁵ and a power such as 10⁵ or 2^8. It reports whether
// the number is finite with it.
func (v *valuer) exponent(n *number) bool {
	i := n.to
	if v.glued(i) && v.at(i).lower == "e" {
		v.letterExponent(n)
		return true
	}
	if p, to, ok := v.power(i); ok { // 10⁵
		n.value, n.to = math.Pow(n.value, p), to
		return !math.IsInf(n.value, 0) && !math.IsNaN(n.value)
	}
	if !timesSigns[v.at(i).lower] || v.at(i+1).lower != "10" {
		return true
	}
	p, to, ok := v.power(i + 2)
	if !ok && v.at(i).text != "x" {
		p, to, ok = v.fallenPower(i + 2)
	}
	if !ok && strings.ContainsAny(v.at(i).text, "×·⋅") {
		p, to, ok = v.loweredPower(i + 2)
	}
	if f := n.value * math.Pow(10, p); ok && !math.IsInf(f, 0) {
		n.value, n.to = f, to
	}
	return true
}

var timesSigns = text.WordSet("× · ⋅ * x")

// letterExponent reads the e10 of 1.5e10 and 1.5e-3.
func (v *valuer) letterExponent(n *number) {
	k, sign := n.to+1, ""
	if t := v.at(k).text; v.glued(k) && (t == "-" || t == "+" || t == "−") {
		sign = strings.Replace(t, "−", "-", 1)
		k++
	}
	if !v.glued(k) || v.at(k).kind != lexNumber || len(v.at(k).lower) > 3 || v.hangsOn(k+1) {
		return
	}
	mantissa := strconv.FormatFloat(n.value, 'g', -1, 64)
	if f, err := strconv.ParseFloat(mantissa+"e"+sign+v.at(k).lower, 64); err == nil {
		n.value, n.to = f, k+1
	}
}

// fallenPower reads the −5 of ×10−5: a superscript that lost its form.
func (v *valuer) fallenPower(i int) (p float64, to int, ok bool) {
	t, digits := v.at(i).text, v.at(i+1)
	if t != "-" && t != "−" && t != "–" || !v.glued(i) || !v.glued(i+1) ||
		digits.kind != lexNumber || len(digits.lower) > 2 {
		return 0, 0, false
	}
	x, err := strconv.ParseFloat(digits.lower, 64)
	return -x, i + 2, err == nil
}

// loweredPower reads the 9 of 3 × 10 9: a superscript that lost its form and stands apart.
func (v *valuer) loweredPower(i int) (p float64, to int, ok bool) {
	l := v.at(i)
	if l.kind != lexNumber || !l.gap || len(l.lower) > 2 || l.lower[0] == '0' ||
		v.glued(i+1) && v.at(i+1).kind != lexSign || v.at(i+1).text == "." && v.decimals(i+1) ||
		timesSigns[v.at(i+1).lower] {
		return 0, 0, false // × 10 20 mm
	}
	x, err := strconv.ParseFloat(l.lower, 64)
	return x, i + 1, err == nil
}

// power reads ^5, ^-5, ⁵ or ⁻⁵ at lexeme i, joined to what stands before.
func (v *valuer) power(i int) (p float64, to int, ok bool) {
	if !v.glued(i) {
		return 0, 0, false
	}
	text := ""
	if v.at(i).text == "^" {
		i++
		if v.glued(i) && (v.at(i).text == "-" || v.at(i).text == "−") {
			text = "-"
			i++
		}
		if !v.glued(i) || v.at(i).kind != lexNumber {
			return 0, 0, false
		}
		text += v.at(i).lower
		i++
	} else {
		if v.at(i).text == "⁻" {
			text = "-"
			i++
		}
		from := i
		for v.glued(i) && len(text) < 5 {
			d, isSuper := superDigits[v.at(i).text]
			if !isSuper {
				break
			}
			text += string(d)
			i++
		}
		if i == from {
			return 0, 0, false
		}
	}
	p, err := strconv.ParseFloat(text, 64)
	return p, i, err == nil && math.Abs(p) <= 300
}
