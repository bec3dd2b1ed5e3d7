package value

import (
	"strconv"
	"strings"

	"wstk/shared/text"
)

// slots are the parts of forms, by name.
var slots = map[string]slot{
	// days, months and years; {m?} may be a day as well
	"d":    digitsOf(dayOf, 1, 2, 1, 31),
	"dd":   digitsOf(dayOf, 2, 2, 1, 31),
	"d2":   digitsOf(lastDay, 1, 2, 1, 31),
	"m":    digitsOf(monthOf, 1, 2, 1, 12),
	"mm":   digitsOf(monthOf, 2, 2, 1, 12),
	"m?":   digitsOf(monthOf, 1, 2, 1, 31),
	"yyyy": digitsOf(yearOf, 4, 4, 1000, 2999),
	"yy":   {field: yearOf, read: (*valuer).shortYear, begins: digits},
	"year": {field: yearOf, read: (*valuer).yearAt, begins: append([]string{"'", "’"}, digits...)},
	"y2":   digitsOf(lastYear, 4, 4, 1000, 2099),
	"yy2":  digitsOf(lastYear, 2, 2, 0, 99),
	"n":    digitsOf(yearOf, 1, 4, 1, 9999),
	"era":  {field: eraOf, read: (*valuer).era, begins: strings.Fields("a b c")},
	"AD": {field: eraOf, read: func(v *valuer, i int) (int, int) {
		return 1, one(v.lex[i].text == "AD", i)
	}},
	// names of months; English ones are words too, and {Month} asks for a capital letter
	"month": {field: monthOf, read: func(v *valuer, i int) (int, int) {
		m, to := v.month(i, true)
		return int(m), to
	}, long: true},
	"Month": {field: monthOf, read: func(v *valuer, i int) (int, int) {
		m, to := v.month(i, false)
		return int(m), to
	}, long: true},
	"Month.": {field: monthOf, read: func(v *valuer, i int) (int, int) {
		m, to := v.month(i, false)
		return int(m), to * min(1, one(v.at(to-1).text == ".", i))
	}, long: true},
	"年": anyOf("年 년"),
	"月": anyOf("月 월"),
	"日": anyOf("日 일 号"),
	// what stands between: {nd} and {th} make a day an ordinal, {th} by a point too
	"to": anyOf("- –"),
	"of": anyOf("of de del di den d o"),
	"in": anyOf("of in"),
	"nd": anyOf(ordinalMarks),
	"th": {begins: strings.Fields(ordinalMarks + " ."), field: noField,
		read: func(v *valuer, i int) (int, int) {
			return 0, one(isOrdinalMark[v.lex[i].lower] || v.lex[i].text == "." && v.at(i+1).
				kind == lexWord, i)
		}},
	// times
	"hh":       digitsOf(hourOf, 2, 2, 0, 24),
	"mi":       digitsOf(minuteOf, 2, 2, 0, 59),
	"ss":       digitsOf(secondOf, 2, 2, 0, 60),
	"fraction": {field: noField, read: (*valuer).secondParts, begins: []string{".", ","}},
	"s":        digitsOf(secondOf, 2, 2, 0, 59),
	"h":        digitsOf(hourOf, 1, 2, 0, 24),
	"min":      digitsOf(minuteOf, 1, 2, 0, 59),
	"am":       {field: halfDay, read: (*valuer).meridiem, begins: []string{"a", "p"}},
	"zone": {field: zoneOf, read: func(v *valuer, i int) (int, int) {
		_, ok := zones[v.lex[i].text]
		return i, one(ok, i)
	}},
	"noon": wordsOf(hourOf, map[string]int{"noon": 12, "midday": 12, "midnight": 0}),
	"kl":   anyOf("kl klo klokken klockan"),
	"午":    {field: halfDay, read: (*valuer).hanHalf, long: true},
	"時":    {field: noField, read: (*valuer).hanHour, begins: strings.Fields("點 点 時 时 시")},
	"点":    anyOf("時 时 시 點 点"),
	"分":    anyOf("分 분"),
	"半":    wordsOf(minuteOf, map[string]int{"半": 30, "반": 30}),
	"tz":   {field: offset, read: (*valuer).isoZone},
}

// one returns the lexeme behind i where ok, else 0.
func one(ok bool, i int) int {
	if ok {
		return i + 1
	}
	return 0
}

const ordinalMarks = "st nd rd th er º ª ° o e de ste го"

var isOrdinalMark = text.WordSet(ordinalMarks)

// shortYear reads the two digits of 5/3/24.
func (v *valuer) shortYear(i int) (int, int) {
	if n := v.smallNumber(i); n >= 0 && len(v.at(i).lower) == 2 {
		return fullYear(n), i + 1
	}
	return 0, 0
}

// secondParts skips the parts of a second, which do not count.
func (v *valuer) secondParts(i int) (int, int) {
	if t := v.at(i).text; (t == "." || t == ",") && v.decimals(i) {
		return 0, i + 2
	}
	return 0, 0
}

// isoZone reads Z, +01:00, +0100, +01 and " UTC", in minutes east of UTC.
func (v *valuer) isoZone(i int) (minutes, to int) {
	switch l := v.at(i); l.text {
	case "Z", "z":
		return 0, one(!l.gap, i)
	case "UTC", "GMT":
		return 0, one(l.gap, i)
	case "+", "-", "−":
		return v.isoOffset(i)
	}
	return 0, 0
}

// isoOffset reads the hours and minutes of an offset whose sign is lexeme i.
func (v *valuer) isoOffset(i int) (minutes, to int) {
	if !v.glued(i) || !v.glued(i+1) || v.at(i+1).kind != lexNumber {
		return 0, 0
	}
	digits, to := v.at(i+1).lower, i+2
	if len(digits) == 2 && v.at(to).
		text == ":" && v.glued(to) && v.glued(to+1) && len(v.at(to+1).lower) == 2 {
		digits += v.at(to + 1).lower
		to += 2
	}
	if len(digits) == 2 {
		digits += "00"
	}
	n, err := strconv.Atoi(digits)
	if err != nil || len(digits) != 4 || n > 1459 || n%100 > 59 {
		return 0, 0
	}
	if minutes = n/100*60 + n%100; v.at(i).text != "+" {
		minutes = -minutes
	}
	return minutes, to
}

var hanHalves = map[string]int{"上午": 1, "午前": 1, "오전": 1, "凌晨": 1, "下午": 2, "午後": 2, "오후": 2}

// hanHalf reads 午前 and 下午, which stand before the hour.
func (v *valuer) hanHalf(i int) (n, to int) {
	n = hanHalves[v.at(i).text+v.at(i+1).text]
	return n, one(n > 0 && v.glued(i+1), i+1)
}

// hanHour reads 時 where no 間 behind it makes it a duration. In Japanese 点 counts points.
func (v *valuer) hanHour(i int) (n, to int) {
	switch v.at(i).text {
	case "點", "点":
		return 0, one(v.lang == "zh", i)
	case "時", "时", "시":
		next := v.at(i + 1).text
		return 0, one(next != "間" && next != "间" && next != "간", i)
	}
	return 0, 0
}
