package value

import (
	"math"
	"strconv"
	"strings"

	"wstk/shared/text"
)

var andWords = text.WordSet("and y et und e en och og и ja")

// durationFrom reads the parts of a duration that begins with n in u: 1 hr 20 min,
// two years and three months.
func (v *valuer) durationFrom(n number, u unit, to int) (Value, int) {
	seconds, months := 0.0, 0.0
	add := func(x float64, u unit) {
		if u.months {
			months += x * u.factor
		} else {
			seconds += x * u.factor
		}
	}
	add(n.value, u)
	for parts := 1; parts < 6; parts++ {
		k, part, end := v.nextPart(u, to)
		if end > 0 {
			add(part, u)
			to = end
			break
		}
		m := v.number(k)
		if m.to == 0 || m.sign || m.ordinal || !v.at(k).gap && v.at(k).kind != lexNumber {
			break
		}
		u2, to2 := v.quantityUnit(m)
		if to2 == 0 || !completes(m.value, u2, u) {
			break
		}
		add(m.value, u2)
		u, to = u2, to2
	}
	return v.duration(n.from, to, seconds, months)
}

// nextPart returns where the next part of a duration may begin that is read up to lexeme
// k. Behind an hour and a half, dos horas y media it returns the part of u instead, and where
// it ends.
func (v *valuer) nextPart(u unit, k int) (next int, part float64, end int) {
	// 1 hr. 20 min.
	if v.at(k).text == "." && v.glued(k) && v.at(k+1).kind == lexNumber && v.at(k+1).gap {
		k++
	}
	if v.at(k).text == "," && v.glued(k) {
		k++
	}
	if !andWords[v.at(k).lower] {
		return k, 0, 0
	}
	if part, end = v.partBehind(k); end > 0 && (!u.months || u.factor*part >= 1) {
		return k, part, end
	}
	k++
	if halfWords[v.at(k).lower] {
		return k, 0.5, k + 1
	}
	return k, 0, 0
}

// partBehind reads "and a half" and "and a quarter" at lexeme k.
func (v *valuer) partBehind(k int) (part float64, end int) {
	article := v.at(k+1).lower == "a" || v.at(k+1).lower == "one"
	if v.lang != "en" || v.at(k).lower != "and" || !article {
		return 0, 0
	}
	switch v.at(k + 2).lower {
	case "half":
		return 0.5, k + 3
	case "quarter":
		return 0.25, k + 3
	}
	return 0, 0
}

// completes reports whether x in unit u goes on with a duration whose last part is in the unit
// whole. 1 year 6 months is one duration; 3 years, 18 months are two.
func completes(x float64, u, whole unit) bool {
	switch {
	case u.base != "s" && u.base != "mo", u.months && !whole.months:
		return false
	case u.months == whole.months:
		return x*u.factor < whole.factor
	}
	return u.factor >= day && x*u.factor < 12*month
}

// shortDurations are the units that stand joined: 1h20m, 2d 4h, 1 h 30.
var shortDurations = map[string]float64{"d": day, "h": hour, "hr": hour, "hrs": hour, "m": minute,
	"min": minute, "mins": minute, "s": 1, "sec": 1, "secs": 1, "std": hour}

// shortDuration reads two parts or more of shortDurations at lexeme i.
func (v *valuer) shortDuration(i int) (Value, int) {
	if v.at(i).kind != lexNumber || v.stuck(i) {
		return Value{}, 0
	}
	total, last, parts, k := 0.0, math.Inf(1), 0, i
	for parts < 4 && v.at(k).
		kind == lexNumber && len(v.at(k).lower) <= 4 && (parts == 0 || v.near(k)) {
		f, to := v.shortPart(k, last)
		if to == 0 {
			break
		}
		total += f * float64(v.smallNumber(k))
		last, parts, k = f, parts+1, to
		if f == minute && v.at(to-1).kind == lexNumber {
			break // 2h30 ends here
		}
	}
	if parts < 2 || v.hangsOn(k) {
		return Value{}, 0
	}
	return v.duration(i, k, total, 0)
}

// near reports whether lexeme k stands close behind the one before.
func (v *valuer) near(k int) bool { return v.at(k).start-v.at(k-1).end <= 2 }

// shortPart returns the seconds that the digits at lexeme k count, and where their unit
// ends. They are less than last; behind hours, two digits alone are minutes: 2h30.
func (v *valuer) shortPart(k int, last float64) (seconds float64, to int) {
	u := v.at(k + 1)
	capital := u.text == "M" || u.text == "S"
	if f, ok := shortDurations[u.lower]; ok && u.kind == lexWord && f < last && !capital {
		return f, k + 2
	}
	n := v.smallNumber(k)
	if last == hour && v.glued(k) && len(v.at(k).lower) == 2 && n < 60 &&
		!v.hangsOn(k+1) && !v.decimals(k+1) {
		return minute, k + 1
	}
	return 0, 0
}

// duration makes the value of seconds or months; not both.
func (v *valuer) duration(from, to int, seconds, months float64) (Value, int) {
	if months != 0 && seconds == 0 {
		months = roundTo(months, 12)
		return v.value("duration", from, to, &months, "mo", "P"+formatNumber(months)+"M"), to
	}
	seconds = roundTo(seconds+months*month, 12)
	return v.value("duration", from, to, &seconds, "s", durationNorm(seconds)), to
}

// durationNorm writes seconds as ISO 8601 does, in hours, minutes and seconds.
func durationNorm(s float64) string {
	if s < 0 {
		return "-" + durationNorm(-s)
	}
	if s >= 1e15 {
		return "PT" + formatNumber(s) + "S"
	}
	h := math.Floor(s / hour)
	m := math.Floor((s - h*hour) / minute)
	rest := roundTo(s-h*hour-m*minute, 9)
	out := "PT"
	if h > 0 {
		out += formatNumber(h) + "H"
	}
	if m > 0 {
		out += formatNumber(m) + "M"
	}
	if rest > 0 || out == "PT" {
		out += formatNumber(rest) + "S"
	}
	return out
}

// isoUnits are the letters of an ISO 8601 duration, behind T where they mean times.
var isoUnits = map[string]struct{ seconds, months float64 }{
	"Y": {months: 12}, "M": {months: 1}, "W": {seconds: 7 * day}, "D": {seconds: day},
	"TH": {seconds: hour}, "TM": {seconds: minute}, "TS": {seconds: 1},
}

// isoDuration reads PT1H20M and P2DT12H at lexeme i.
func (v *valuer) isoDuration(i int) (Value, int) {
	behind, ok := strings.CutPrefix(v.at(i).text, "P")
	if !ok || behind != "" && behind != "T" || v.hangsBefore(i) || !v.digitsJoined(i+1) {
		return Value{}, 0
	}
	seconds, months := 0.0, 0.0
	k := i + 1
	for v.digitsJoined(k) && k < i+20 {
		n, letters, to := v.isoPart(k)
		letter, clock := strings.CutSuffix(letters, "T") // the T of P2DT12H
		u, ok := isoUnits[behind+letter]
		if to == 0 || !ok {
			return Value{}, 0
		}
		seconds += n * u.seconds
		months += n * u.months
		if clock {
			behind = "T"
		}
		k = to
	}
	if v.hangsOn(k) {
		return Value{}, 0
	}
	return v.duration(i, k, seconds, months)
}

// isoPart reads a number at lexeme k and the letters behind it: 1.5H.
func (v *valuer) isoPart(k int) (n float64, letters string, to int) {
	digits := v.at(k).lower
	if _, to := v.secondParts(k + 1); to > 0 {
		digits += "." + v.at(to-1).lower
		k = to - 1
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !v.glued(k+1) {
		return 0, "", 0
	}
	return n, v.at(k + 1).text, k + 2
}
