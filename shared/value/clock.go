package value

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"wstk/shared/text"
)

// zones are the abbreviations that mean one offset from UTC, in minutes.
var zones = map[string]int{"UTC": 0, "GMT": 0, "Z": 0, "EST": -300, "EDT": -240, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420,
	"CET": 60, "CEST": 120, "EET": 120, "EEST": 180, "WET": 0, "WEST": 60, "MSK": 180, "JST": 540, "KST": 540, "HKT": 480, "SGT": 480,
	"AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "ET": 1 << 20, "PT": 1 << 20, "CT": 1 << 20, "MT": 1 << 20, "CST": 1 << 20, "IST": 1 << 20, "BST": 1 << 20}

// clock reads a time of day at lexeme i. Its Norm is HH:MM or HH:MM:SS, and the
// zone behind if one is named. Where English leaves open whether morning or
// evening is meant, Norm names both: 07:30|19:30.
func (v *valuer) clock(i int) (Value, int) {
	l := v.at(i)
	switch l.kind {
	case lexNumber:
		if len(l.lower) > 2 || v.stuck(i) || v.glued(i) && v.at(i-1).text == ":" {
			return Value{}, 0
		}
		return v.clockNumber(i, i, 0)
	case lexWord:
		if v.hangsBefore(i) {
			return Value{}, 0
		}
		switch l.lower {
		case "noon", "midday":
			return v.value("time", i, i+1, nil, "", "12:00"), i + 1
		case "midnight":
			return v.value("time", i, i+1, nil, "", "00:00"), i + 1
		case "kl", "klo", "klokken", "klockan": // kl. 19.30
			k := i + 1
			if v.at(k).text == "." && v.glued(k) {
				k++
			}
			hh := v.smallNumber(k)
			if hh < 0 || hh > 24 || len(v.at(k).lower) > 2 {
				return Value{}, 0
			}
			mm, to := 0, k+1
			if t := v.at(to).text; (t == "." || t == ":") && v.glued(to) && v.glued(to+1) && len(v.at(to+1).lower) == 2 && v.smallNumber(to+1) >= 0 {
				mm = v.smallNumber(to + 1)
				to += 2
			}
			if mm > 59 {
				return Value{}, 0
			}
			return v.value("time", i, to, nil, "", hhmm(hh%24, mm, -1)), to
		case "上", "下", "午", "오", "凌":
			pair := l.text + v.at(i+1).text
			half, ok := map[string]int{"上午": 1, "午前": 1, "오전": 1, "凌晨": 1, "下午": 2, "午後": 2, "오후": 2}[pair]
			if ok && v.glued(i+1) && v.at(i+2).kind == lexNumber {
				return v.clockNumber(i, i+2, half)
			}
		}
	}
	return Value{}, 0
}

func hhmm(h, m, s int) string {
	if s >= 0 {
		return fmt.Sprintf("%02d:%02d:%02d", h, m, s)
	}
	return fmt.Sprintf("%02d:%02d", h, m)
}

// clockNumber reads a time whose hour is the digits at lexeme k; half is 1 for
// morning and 2 for afternoon where a word before said so. The value begins at
// lexeme from.
func (v *valuer) clockNumber(from, k, half int) (Value, int) {
	hh := v.smallNumber(k)
	if hh < 0 || hh > 24 {
		return Value{}, 0
	}
	leadingZero := v.at(k).lower[0] == '0'
	mm, ss := 0, -1
	to := k + 1
	marked := half > 0 // something says that this is a time
	sep := v.at(to)
	two := func(i int) int {
		if v.glued(i) && len(v.at(i).lower) == 2 {
			if n := v.smallNumber(i); n >= 0 && n < 60 {
				return n
			}
		}
		return -1
	}
	switch {
	case (sep.text == ":" || sep.text == "：") && v.glued(to) && two(to+1) >= 0:
		mm = two(to + 1)
		to += 2
		marked = true
		if v.at(to).text == ":" && v.glued(to) {
			if ss = two(to + 1); ss < 0 {
				return Value{}, 0
			}
			to += 2
		}
		if v.glued(to) && (v.at(to).text == ":" || v.at(to).text == "." && v.decimals(to)) || v.at(to).kind == lexNumber && v.glued(to) {
			return Value{}, 0
		}
	case sep.text == "." && v.glued(to) && two(to+1) >= 0 && (v.meridiem(to+2) > 0 || v.at(to+2).lower == "uhr"):
		mm = two(to + 1)
		to += 2
		marked = true
	case sep.kind == lexWord && strings.ToLower(sep.text) == "h" && frenchHours[v.lang] && v.at(to+1).kind == lexNumber && len(v.at(to+1).lower) == 2 && v.smallNumber(to+1) < 60 && v.at(to).gap == v.at(to+1).gap && !v.hangsOn(to+2):
		mm = v.smallNumber(to + 1)
		to += 2
		marked = true
	case sep.kind == lexWord && (sep.text == "時" || sep.text == "时" || sep.text == "시" || (sep.text == "點" || sep.text == "点") && (half > 0 || v.lang == "zh")):
		if t := v.at(to + 1).text; t == "間" || t == "间" || t == "간" {
			return Value{}, 0
		}
		to++
		minuteSign := v.at(to + 1).text
		if n := v.smallNumber(to); n >= 0 && n < 60 && (minuteSign == "分" || minuteSign == "분") {
			mm = n
			to += 2
		} else if v.at(to).text == "半" || v.at(to).text == "반" {
			mm = 30
			to++
		}
		marked = true
	}
	if v.at(to).lower == "uhr" && v.at(to).gap {
		to++
		marked = true
		if n := v.smallNumber(to); n >= 0 && n < 60 && mm == 0 && v.at(to).gap && len(v.at(to).lower) == 2 && !v.hangsOn(to+1) && !v.decimals(to+1) {
			mm = n
			to++
		}
	}
	ambiguous := false
	if end := v.meridiem(to); end > 0 && hh <= 12 {
		if hh == 0 {
			return Value{}, 0
		}
		half = 1
		if v.at(to).lower[0] == 'p' {
			half = 2
		}
		to = end
		marked = true
	} else if v.at(to).lower == "o" && (v.at(to+1).text == "'" || v.at(to+1).text == "’") && v.at(to+2).lower == "clock" && !marked && hh >= 1 && hh <= 12 {
		to += 3
		marked, ambiguous = true, true
	} else if half == 0 && v.lang == "en" && hh >= 1 && hh <= 12 && !leadingZero {
		ambiguous = true
	}
	if !marked || v.hangsOn(to) {
		return Value{}, 0
	}
	zone := ""
	if z := v.at(to); z.kind == lexWord && z.gap && z.text == strings.ToUpper(z.text) {
		if _, ok := zones[z.text]; ok {
			zone = " " + z.text
			to++
		}
	}
	switch half {
	case 1:
		hh %= 12
	case 2:
		if hh < 12 {
			hh += 12
		}
	}
	norm := hhmm(hh%24, mm, ss) + zone
	if ambiguous {
		norm += "|" + hhmm((hh+12)%24, mm, ss) + zone
		if hh == 12 {
			norm = hhmm(0, mm, ss) + zone + "|" + hhmm(12, mm, ss) + zone
		}
	}
	return v.value("time", from, to, nil, "", norm), to
}

var frenchHours = text.WordSet("fr pt es ro it")

// meridiem returns the end of am, p.m. and so on at lexeme i; 0 for none.
func (v *valuer) meridiem(i int) int {
	l := v.at(i)
	switch l.lower {
	case "am", "pm":
		if v.hangsOn(i + 1) {
			return 0
		}
		return i + 1
	case "a", "p":
		if v.at(i+1).text == "." && v.glued(i+1) && v.at(i+2).lower == "m" && !v.hangsOn(i+3) {
			if v.at(i+3).text == "." && v.glued(i+3) {
				return i + 4
			}
			return i + 3
		}
	}
	return 0
}

// shortDurations are the units that stand joined: 1h20m, 2d 4h, 1 h 30.
var shortDurations = map[string]float64{"d": day, "h": hour, "hr": hour, "hrs": hour, "m": minute, "min": minute, "mins": minute, "s": 1, "sec": 1, "secs": 1, "std": hour}

// shortDuration reads two parts or more of shortDurations at lexeme i.
func (v *valuer) shortDuration(i int) (Value, int) {
	if v.at(i).kind != lexNumber || v.stuck(i) {
		return Value{}, 0
	}
	total, last := 0.0, math.Inf(1)
	k, parts, end := i, 0, i
	for parts < 4 && v.at(k).kind == lexNumber && len(v.at(k).lower) <= 4 {
		u := v.at(k + 1)
		f, ok := shortDurations[u.lower]
		if !ok || u.kind != lexWord || f >= last || u.text == "M" || u.text == "S" {
			// 2h30: minutes behind hours, joined
			if parts == 1 && last == hour && v.glued(k) && len(v.at(k).lower) == 2 && v.smallNumber(k) < 60 && !v.hangsOn(k+1) && !v.decimals(k+1) {
				total += float64(v.smallNumber(k)) * minute
				parts++
				end = k + 1
			}
			break
		}
		if parts > 0 && !v.glued(k) && v.at(k).start-v.at(k-1).end > 2 {
			break
		}
		n, _ := strconv.ParseFloat(v.at(k).lower, 64)
		total += n * f
		last = f
		parts++
		end = k + 2
		k += 2
	}
	if parts < 2 || v.hangsOn(end) {
		return Value{}, 0
	}
	return v.duration(i, end, total, 0)
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

// isoDuration reads PT1H20M at lexeme i.
func (v *valuer) isoDuration(i int) (Value, int) {
	l := v.at(i)
	if l.kind != lexWord || l.text != "P" && l.text != "PT" || v.hangsBefore(i) || !v.glued(i+1) || v.at(i+1).kind != lexNumber {
		return Value{}, 0
	}
	clock := l.text == "PT"
	seconds, months := 0.0, 0.0
	k := i + 1
	for v.glued(k) && v.at(k).kind == lexNumber && k < i+20 {
		text := v.at(k).lower
		k++
		if t := v.at(k).text; (t == "." || t == ",") && v.glued(k) && v.glued(k+1) && v.at(k+1).kind == lexNumber {
			text += "." + v.at(k+1).lower
			k += 2
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !v.glued(k) || v.at(k).kind != lexWord {
			return Value{}, 0
		}
		letters := v.at(k).text
		u := letters[:1]
		switch {
		case u == "Y" && !clock:
			months += 12 * n
		case u == "M" && !clock:
			months += n
		case u == "W" && !clock:
			seconds += 7 * day * n
		case u == "D" && !clock:
			seconds += day * n
		case u == "H" && clock:
			seconds += hour * n
		case u == "M" && clock:
			seconds += minute * n
		case u == "S" && clock:
			seconds += n
		default:
			return Value{}, 0
		}
		switch letters[1:] {
		case "":
		case "T":
			clock = true
		default:
			return Value{}, 0
		}
		k++
	}
	if v.hangsOn(k) {
		return Value{}, 0
	}
	return v.duration(i, k, seconds, months)
}
