package value

import (
	"fmt"
	"sync"

	"wstk/shared/text"
)

// manyOffsets stands for an abbreviation that means several offsets: Central European Time is
// one, the central time of CT and CST is not.
const manyOffsets = 1 << 20

// zones are the abbreviations of time zones, by their offset from UTC in minutes.
var zones = map[string]int{"UTC": 0, "GMT": 0, "Z": 0, "EST": -300, "EDT": -240, "CDT": -300,
	"MST": -420, "MDT": -360, "PST": -480, "PDT": -420,
	"CET": 60, "CEST": 120, "EET": 120, "EEST": 180, "WET": 0, "WEST": 60, "MSK": 180, "JST": 540,
	"KST": 540, "HKT": 480, "SGT": 480,
	"AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "ET": manyOffsets,
	"PT": manyOffsets, "CT": manyOffsets,
	"MT": manyOffsets, "CST": manyOffsets, "IST": manyOffsets, "BST": manyOffsets}

// numberClocks are the ways of writing a time of day that begin with digits, wordClocks
// those that begin with a word. Minutes behind a point need a word that says "time".
var (
	numberClocks = sync.OnceValue(func() *formTable {
		return newFormTable(
			forms(twelveFits,
				"{h}:{mi}:{s}_{am}[ {zone}]",
				"{h}:{mi}_{am}[ {zone}]",
				"{h}.{mi}_{am}[ {zone}]",
				"{h}_{am}[ {zone}]",
				"{h}_o'clock[ {zone}]"),
			forms(clockFits,
				"{h}:{mi}:{s}[ {zone}]",
				"{h}:{mi} uhr[ {zone}]",
				"{h}:{mi}[ {zone}]",
				"{h}.{mi}_uhr",
				"{h} uhr {mi}",
				"{h} uhr[ {zone}]",
				"{h}_{時}_{min}_{分}",
				"{h}_{時}_{半}",
				"{h}_{時}"),
			forms(hourLetterFits, // French, Spanish, Portuguese, Italian, Romanian
				"{h}h{mi}",
				"{h} h {mi}"),
		)
	})
	wordClocks = sync.OnceValue(func() *formTable {
		return newFormTable(forms(clockFits,
			"{noon}",
			"{kl}[.]_{h}[:{mi}]", // Swedish, Norwegian, Danish, Finnish
			"{kl}[.]_{h}.{mi}",
			"{午}_{h}:{mi}",
			"{午}_{h}_{点}_{min}_{分}",
			"{午}_{h}_{点}_{半}",
			"{午}_{h}[_{点}]"))
	})
)

// clock reads a time of day at lexeme i. Its Norm is HH:MM or HH:MM:SS, and the
// zone behind if one is named. Where English leaves open whether morning or
// evening is meant, Norm names both: 07:30|19:30.
func (v *valuer) clock(i int) (Value, int) {
	l := v.at(i)
	f := &v.found
	ok := false
	switch {
	case l.kind == lexNumber:
		inChain := v.glued(i) && v.at(i-1).text == ":"
		ok = len(l.lower) <= 2 && !inChain && !v.stuck(i) && v.match(numberClocks(), i, f)
	case clockWords[l.lower]:
		ok = !v.hangsBefore(i) && v.match(wordClocks(), i, f)
	}
	if !ok {
		return Value{}, 0
	}
	return v.value("time", i, f.to, nil, "", v.clockNorm(f)), f.to
}

// clockNorm writes the time that a form read, both of them where it may be either.
func (v *valuer) clockNorm(f *found) string {
	h := f.get(hourOf)
	write := func(h int) string {
		out := fmt.Sprintf("%02d:%02d", h%24, f.get(minuteOf))
		if f.has(secondOf) {
			out += fmt.Sprintf(":%02d", f.get(secondOf))
		}
		if f.has(zoneOf) {
			out += " " + v.at(f.get(zoneOf)).text
		}
		return out
	}
	switch f.get(halfDay) {
	case 1:
		return write(h % 12)
	case 2:
		return write(h%12 + 12)
	}
	first := v.at(f.from)
	open := v.lang == "en" && first.lower[0] != '0' || v.at(f.to-1).lower == "clock"
	switch {
	case !open || first.kind != lexNumber || h == 0 || h > 12:
		return write(h)
	case h == 12:
		return write(0) + "|" + write(12)
	}
	return write(h) + "|" + write(h+12)
}

// clockFits reports whether nothing hangs on the time that was read.
func clockFits(v *valuer, f *found) bool {
	next := v.at(f.to).text
	chain := v.at(f.to-1).kind == lexNumber && v.glued(f.to) &&
		(next == ":" || next == "." && v.decimals(f.to))
	return !chain && !v.hangsOn(f.to)
}

// twelveFits is clockFits of hours that go up to twelve.
func twelveFits(v *valuer, f *found) bool {
	h := f.get(hourOf)
	return h >= 1 && h <= 12 && clockFits(v, f)
}

// hourLetterFits: 19h30 is a time in some languages and 19 hours and more in others.
func hourLetterFits(v *valuer, f *found) bool { return frenchHours[v.lang] && !v.hangsOn(f.to) }

var (
	frenchHours = text.WordSet("fr pt es ro it")
	clockWords  = text.WordSet("noon midday midnight kl klo klokken klockan 上 下 午 오 凌")
)

// meridiem reads am, p.m. and so on: 1 for the morning, 2 for the afternoon.
func (v *valuer) meridiem(i int) (half, to int) {
	l := v.at(i)
	switch l.lower {
	case "am", "pm":
		to = i + 1
	case "a", "p":
		if v.at(i+1).text != "." || !v.glued(i+1) || v.at(i+2).lower != "m" {
			return 0, 0
		}
		to = i + 3
	default:
		return 0, 0
	}
	if v.hangsOn(to) {
		return 0, 0
	}
	if to == i+3 && v.at(to).text == "." && v.glued(to) {
		to++
	}
	if l.lower[0] == 'p' {
		return 2, to
	}
	return 1, to
}
