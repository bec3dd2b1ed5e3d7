package value

import (
	"math"
)

var hanDigits = map[string]float64{"〇": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6,
	"七": 7, "八": 8, "九": 9, "两": 2, "兩": 2,
	"壱": 1, "弐": 2, "参": 3, "壹": 1, "贰": 2, "叁": 3, "肆": 4, "伍": 5, "陆": 6, "柒": 7, "捌": 8, "玖": 9}

var hanSmall = map[string]float64{"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}

var hanLarge = map[string]float64{"万": 1e4, "萬": 1e4, "億": 1e8, "亿": 1e8, "兆": 1e12}

// hanNumber reads 三百二十, 二〇二四, 三点五, 负五, 第三, 三分之二 and 百分之五. A
// single digit alone is part of a word more often than a number and counts only
// before a unit.
func (v *valuer) hanNumber(i int) number {
	n, negative := number{from: i, spelled: true}, false
	from := i
	switch v.at(i).text {
	case "第":
		n.ordinal = true
		from++
	case "负", "負":
		negative = true
		from++
	case "マ":
		if from = v.japaneseMinus(i); from == i {
			return number{}
		}
		negative = true
	}
	if n.value, n.to = v.hanOrDigits(from, math.Inf(1)); n.to == 0 {
		return number{}
	}
	v.partsOf(&n)
	bare := n.to == from+1 && from == i
	if bare && v.at(i).kind == lexNumber {
		return number{}
	}
	n.one = bare && v.at(i).kind == lexWord
	return n.negate(negative)
}

// japaneseMinus returns where マイナス ends at lexeme i, i itself where it does not stand.
func (v *valuer) japaneseMinus(i int) int {
	if v.at(i+1).text == "イ" && v.at(i+2).text == "ナ" && v.at(i+3).text == "ス" {
		return i + 4
	}
	return i
}

// partsOf reads what n parts a whole into: 三分之二, 3分の2 and 百分之五.
func (v *valuer) partsOf(n *number) {
	of := v.at(n.to + 1).text
	if v.at(n.to).text != "分" || of != "之" && of != "の" || n.value == 0 {
		return
	}
	part, to := v.hanOrDigits(n.to+2, math.Inf(1))
	if to == 0 {
		return
	}
	n.to, n.integer = to, false
	if n.value == 100 {
		n.value, n.percent = part, true
		return
	}
	n.value = part / n.value
}

// hanOrDigits reads a number in Han characters or in digits at lexeme i. Factors
// of 万 and more must be less than below: they go down from left to right.
func (v *valuer) hanOrDigits(i int, below float64) (float64, int) {
	if v.at(i).kind == lexNumber {
		value, to, _ := v.literal(i)
		if to == 0 {
			return 0, 0
		}
		n := v.multiplied(number{value: value, from: i, to: to})
		return n.value, n.to
	}
	r := hanRun{digit: -1}
	k := i
	for ; k < len(v.lex) && k < i+24 && (k == i || v.glued(k)); k++ {
		t := v.at(k).text
		if f, ok := hanLarge[t]; ok && f < below && (r.digit >= 0 || r.sum > 0) {
			return v.hanSections((r.sum+max(r.digit, 0))*f, f, k+1)
		}
		if !r.add(t, k == i) {
			break
		}
	}
	if k == i {
		return 0, 0
	}
	return v.hanPoint(r.value(v.lang == "zh"), k, i+24)
}

// hanSections adds what stands behind 万 or a larger factor f, which closes total:
// 三亿五千万.
func (v *valuer) hanSections(total, f float64, k int) (float64, int) {
	if v.hanMore(k) {
		if rest, to := v.hanOrDigits(k, f); to > 0 && rest < f {
			if to == k+1 && v.lang == "zh" && rest < 10 && hanDigits[v.at(k).text] > 0 {
				rest *= f / 10 // 一万三
			}
			return total + rest, to
		}
	}
	return v.hanPoint(total, k, k+24)
}

// hanPoint reads the decimals behind a number that ends at lexeme k: 三点五.
func (v *valuer) hanPoint(total float64, k, end int) (float64, int) {
	if t := v.at(k).text; t != "点" && t != "點" || !v.glued(k) || k >= end {
		return total, k
	}
	scale, m := 0.1, k+1
	for ; m < k+12 && v.glued(m); m++ {
		f, ok := hanDigits[v.at(m).text]
		if !ok {
			break
		}
		total += f * scale
		scale /= 10
	}
	if m == k+1 {
		return total, k
	}
	return roundTo(total, 12), m
}

// hanRun is a number below 万 as far as it is read.
type hanRun struct {
	sum   float64 // of what factors closed
	digit float64 // that no factor has closed, -1 for none
	step  float64 // the last factor, 0 for none
	zero  bool    // a zero stood behind it
}

// add adds a character, and reports whether it belongs to the number.
func (r *hanRun) add(t string, first bool) bool {
	if f, ok := hanDigits[t]; ok {
		switch {
		case r.digit >= 0 && r.step == 0: // 二〇二四: digit by digit
			r.digit = r.digit*10 + f
			return true
		case r.digit > 0:
			return false
		}
		r.zero = r.zero || f == 0
		r.digit = f
		return true
	}
	f, ok := hanSmall[t]
	if !ok || r.digit <= 0 && (r.step > 0 && f > 10 || !first && r.step == 0) {
		return false
	}
	if r.digit <= 0 {
		r.digit = 1
	}
	r.sum += r.digit * f
	r.digit, r.step, r.zero = -1, f, false
	return true
}

// value is the number; in Chinese 二百五 is 250.
func (r *hanRun) value(chinese bool) float64 {
	d := max(r.digit, 0)
	if r.step >= 100 && !r.zero && chinese && d < 10 {
		d *= r.step / 10
	}
	return r.sum + d
}

// hanMore reports whether a number goes on at lexeme k.
func (v *valuer) hanMore(k int) bool {
	if !v.glued(k) {
		return false
	}
	_, a := hanDigits[v.at(k).text]
	_, b := hanSmall[v.at(k).text]
	return a || b
}

// hanMultiplied reads 1.3亿 and 5万4千6百: digits and factors that go down.
func (v *valuer) hanMultiplied(n number) number {
	total, last := 0.0, math.Inf(1)
	for k := 0; k < 6; k++ {
		f, to := v.multiplier(n.to)
		if to == 0 || f >= last {
			break
		}
		total += n.value * f
		last, n.scale = f, f
		n.value, n.to, n.integer = 0, to, false
		if !v.glued(to) || v.at(to).kind != lexNumber {
			break
		}
		x, end, plain := v.literal(to)
		if end == 0 || !plain || x >= f {
			break
		}
		if _, more := v.multiplier(end); more == 0 {
			if unitOrEnd := v.at(end); unitOrEnd.kind == lexNumber {
				break
			}
			total += x
			n.to = end
			break
		}
		n.value, n.to = x, end
	}
	n.value += total
	return n
}

// hanMultiplier reads 万 and 千万 at lexeme i.
func (v *valuer) hanMultiplier(i int) (float64, int) {
	f := hanMultipliers[v.at(i).text]
	if f == 0 {
		return 0, 0
	}
	if g := hanMultipliers[v.at(i+1).text]; g > f && v.glued(i+1) {
		return f * g, i + 2
	}
	return f, i + 1
}

var hanMultipliers = map[string]float64{"百": 1e2, "千": 1e3, "万": 1e4, "萬": 1e4, "億": 1e8, "亿": 1e8,
	"兆": 1e12, "백": 1e2, "천": 1e3, "만": 1e4, "억": 1e8, "조": 1e12}
