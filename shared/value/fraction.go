package value

import (
	"math"
)

// vulgar are the fractions of one character.
var vulgar = map[string]float64{"½": 0.5, "⅓": 1.0 / 3, "⅔": 2.0 / 3, "¼": 0.25, "¾": 0.75,
	"⅕": 0.2, "⅖": 0.4, "⅗": 0.6, "⅘": 0.8,
	"⅙": 1.0 / 6, "⅚": 5.0 / 6, "⅐": 1.0 / 7, "⅛": 0.125, "⅜": 0.375, "⅝": 0.625, "⅞": 0.875,
	"⅑": 1.0 / 9, "⅒": 0.1}

// fraction reads 1/2, 2 1/2, 2½ and 2-1/2.
func (v *valuer) fraction(n *number, plain bool) {
	i := n.to
	if f, ok := vulgar[v.at(i).text]; ok && plain { // 2½, 2 ½
		n.value += f
		n.to++
		return
	}
	if !plain || n.value != math.Trunc(n.value) {
		return
	}
	if f, to := v.slash(i - 1); to > 0 && to > i { // 1/2
		n.value, n.to = f, to
		return
	}
	k := i
	if v.at(k).text == "-" && v.glued(k) && v.glued(k+1) {
		k++
	} else if !v.at(k).gap {
		return
	}
	// 2 1/2
	if f, to := v.slash(k); to > 0 && f < 1 && v.at(k).kind == lexNumber && n.value < 1000 {
		n.value += f
		n.to = to
	}
}

// slash reads the fraction that begins with the digits at lexeme i.
func (v *valuer) slash(i int) (value float64, to int) {
	if !v.slashed(i) {
		return 0, 0
	}
	next := v.at(i + 3)
	if v.hangsOn(i+3) && !v.unitFollows(i+3) ||
		v.glued(i+3) && (next.text == "/" || next.text == "." && v.decimals(i+3)) {
		return 0, 0
	}
	x, y := float64(v.smallNumber(i)), float64(v.smallNumber(i+2))
	// 24/7 and 9/11 are no fractions.
	if x >= y && !improper[y] || x == 9 && y == 11 {
		return 0, 0
	}
	return x / y, i + 3
}

// slashed reports whether two short numbers stand at lexeme i with a slash between.
func (v *valuer) slashed(i int) bool {
	a, s, b := v.at(i), v.at(i+1), v.at(i+2)
	return a.kind == lexNumber && b.kind == lexNumber && (s.text == "/" || s.text == "⁄") &&
		!s.gap && !b.gap && len(a.lower) <= 3 && len(b.lower) <= 3 && b.lower[0] != '0'
}

// improper are the denominators of fractions that may be one or more: 5/4, 17/16.
var improper = map[float64]bool{1: true, 2: true, 3: true, 4: true, 5: true, 8: true,
	16: true, 32: true}
