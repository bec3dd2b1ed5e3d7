package value

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
)

// unitTolerance is how far two statements in different units may lie apart,
// relative to the larger: writers round when they convert.
const unitTolerance = 0.005

// monthTolerance is the same between calendar months and fixed lengths: 30 days
// and one month, 365 days and one year.
const monthTolerance = 0.02

// roundTolerance bounds what rounding excuses: 2 million is not 1.5 million.
const roundTolerance = 0.05

// Same reports whether two values say the same, and whether they can be
// compared at all: values of different types or units (kg and m, EUR and USD),
// ambiguous ones, and times in different unknown zones cannot.
//
// Numbers are the same when they differ by no more than half a unit in the last
// stated place of the coarser one, and by no more than 5 percent: 3.14 and 3.1416,
// 1.2 million and 1,234,567.
// In different units of one quantity half a percent is granted at least: 3,245 lbs
// and 1472 kg. Dates are the same when one completes the other (2024 and
// 2024-03-05), phone numbers when one ends like the other without its trunk
// prefix, addresses when their canonical forms are equal, but for "www." and between http, https
// and no scheme.
//
// It needs Type, Text, Number, Unit and Norm only.
func Same(a, b Value) (same, comparable bool) {
	if a.Type != b.Type {
		return false, false
	}
	switch a.Type {
	case "number", "quantity", "money", "duration":
		return sameNumber(a, b)
	case "date":
		return sameReadings(a.Norm, b.Norm, sameDate)
	case "time":
		return sameReadings(a.Norm, b.Norm, sameTime)
	case "phone":
		return samePhone(a.Norm, b.Norm)
	case "url":
		return bareAddress(a.Norm) == bareAddress(b.Norm), a.Norm != "" && b.Norm != ""
	case "email", "bool":
		return a.Norm == b.Norm, a.Norm != "" && b.Norm != ""
	}
	// Words: equal ones are equal, different ones may still mean the same.
	same = text.FoldCompare(a.Text) == text.FoldCompare(b.Text) && a.Text != "" ||
		a.Norm == b.Norm && a.Norm != ""
	return same, same
}

// bareAddress returns the canonical address of a page without what no reader tells apart: http,
// https, "www." and a slash at the end.
func bareAddress(norm string) string {
	for _, scheme := range []string{"https://", "http://"} {
		norm = strings.TrimPrefix(norm, scheme)
	}
	return strings.TrimSuffix(strings.TrimPrefix(norm, "www."), "/")
}

func sameNumber(a, b Value) (same, comparable bool) {
	if a.Number == nil || b.Number == nil {
		return false, false
	}
	x, y := *a.Number, *b.Number
	tolerance := 0.0
	if a.Unit != b.Unit {
		if a.Type != "duration" {
			return false, false
		}
		if a.Unit == "mo" {
			x *= month
		}
		if b.Unit == "mo" {
			y *= month
		}
		tolerance = monthTolerance * max(math.Abs(x), math.Abs(y))
	} else if a.Unit != "" && a.Type != "money" && statedUnit(a.Text) != statedUnit(b.Text) {
		tolerance = unitTolerance * max(math.Abs(x), math.Abs(y))
	}
	larger := max(math.Abs(x), math.Abs(y))
	tolerance = max(tolerance,
		min(max(lastPlace(a.Text, x), lastPlace(b.Text, y))/2, roundTolerance*larger), 1e-9*larger)
	if a.Unit == "ordinal" {
		tolerance = 0
	}
	return math.Abs(x-y) <= tolerance*(1+1e-12), true
}

// lastPlace returns how much one unit in the last digit of s is worth, where
// s states value x with one run of digits; 0 where there are more runs.
func lastPlace(s string, x float64) float64 {
	first := strings.IndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' })
	if first < 0 {
		return 0
	}
	var digits []byte
	i := first
	for i < len(s) {
		if isDigit(s[i]) {
			digits = append(digits, s[i])
			i++
			continue
		}
		size := separatorSize(s[i:])
		if size == 0 || i+size >= len(s) || !isDigit(s[i+size]) {
			break
		}
		i += size
	}
	if strings.ContainsAny(s[i:], "0123456789") || len(digits) > 15 {
		return 0 // another run
	}
	d, err := strconv.ParseFloat(string(digits), 64)
	if err != nil || d == 0 {
		return 0
	}
	return math.Abs(x / d)
}

// separatorSize returns the bytes of what may stand between digits of one number at the
// beginning of s: a point, a comma, a space that does not break; 0 for anything else.
func separatorSize(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	switch r {
	case '.', ',', 0xA0, 0x202F, 0x2009:
		return size
	}
	return 0
}

// statedUnit returns the words and signs of text besides its digits.
func statedUnit(s string) string {
	var b strings.Builder
	for _, r := range text.FoldCompare(s) {
		if r >= '0' && r <= '9' || strings.ContainsRune(" .,'-+", r) {
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// sameReadings compares values that may have several readings.
func sameReadings(a, b string, compare func(a, b string) (bool, bool)) (same, comparable bool) {
	if a == "" || b == "" {
		return false, false
	}
	as, bs := strings.Split(a, "|"), strings.Split(b, "|")
	if len(as) == 1 && len(bs) == 1 {
		return compare(a, b)
	}
	for _, x := range as {
		for _, y := range bs {
			if s, c := compare(x, y); s || !c {
				return false, false // one reading agrees: nothing is sure
			}
		}
	}
	return false, true
}

// sameDate compares two dates of dateNorm, or spans of them.
func sameDate(a, b string) (same, comparable bool) {
	if a == b {
		return true, true
	}
	a1, a2, aSpan := strings.Cut(a, "/")
	b1, b2, bSpan := strings.Cut(b, "/")
	switch {
	case aSpan != bSpan:
		return false, false
	case aSpan:
		s1, c1 := sameDate(a1, b1)
		s2, c2 := sameDate(a2, b2)
		return s1 && s2, c1 && c2
	case strings.HasPrefix(a, "--") && !strings.HasPrefix(b, "--"):
		return sameDayOfYear(a, b)
	case strings.HasPrefix(b, "--") && !strings.HasPrefix(a, "--"):
		return sameDayOfYear(b, a)
	}
	return sameStart(a, b)
}

// sameDayOfYear compares --03-05, which says nothing about the year, with a date of a year.
func sameDayOfYear(day, date string) (same, comparable bool) {
	if len(date) < 10 || date[0] == '-' {
		return false, false
	}
	return date[4:10] == day[1:], true
}

// sameStart compares two dates of which one may say more than the other.
func sameStart(a, b string) (same, comparable bool) {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 19 && len(b) == 20 { // with and without zone
		return false, false
	}
	return strings.HasPrefix(b, a) && (len(b) == len(a) || b[len(a)] == '-' || b[len(a)] == 'T'),
		true
}

// sameTime compares 19:30 and 19:30:00, with zones.
func sameTime(a, b string) (same, comparable bool) {
	x, xZone, xSeconds := clockOf(a)
	y, yZone, ySeconds := clockOf(b)
	if xZone != "" && yZone != "" && xZone != yZone {
		p, okP := zones[xZone]
		q, okQ := zones[yZone]
		if !okP || !okQ || p == manyOffsets || q == manyOffsets {
			return false, false
		}
		x -= p * 60
		y -= q * 60
	}
	d := ((x-y)%86400 + 86400) % 86400
	if !xSeconds || !ySeconds {
		return d < 60 && (ySeconds || d == 0) || d > 86400-60 && !xSeconds && ySeconds, true
	}
	return d == 0, true
}

// clockOf reads the Norm of a time: seconds since midnight, zone, and whether
// seconds are stated.
func clockOf(s string) (seconds int, zone string, stated bool) {
	s, zone, _ = strings.Cut(s, " ")
	for k, f := 0, 3600; k < 3; k, f = k+1, f/60 {
		part, rest, more := strings.Cut(s, ":")
		n, _ := strconv.Atoi(part)
		seconds += n * f
		stated = k == 2
		if !more {
			break
		}
		s = rest
	}
	return seconds, zone, stated
}

// samePhone compares two phone numbers, of which one may lack country or area
// code.
func samePhone(a, b string) (same, comparable bool) {
	a, aExt, _ := strings.Cut(a, ";ext=")
	b, bExt, _ := strings.Cut(b, ";ext=")
	if a == "" || b == "" {
		return false, false
	}
	if aExt != bExt && aExt != "" && bExt != "" {
		return false, true
	}
	if a == b {
		return true, true
	}
	if strings.HasPrefix(a, "+") && strings.HasPrefix(b, "+") {
		return false, true
	}
	x, y := strings.TrimLeft(strings.TrimPrefix(a, "+"), "0"),
		strings.TrimLeft(strings.TrimPrefix(b, "+"), "0")
	if len(x) > len(y) {
		x, y = y, x
	}
	return len(x) >= 6 && strings.HasSuffix(y, x), true
}
