package wording

import (
	"strconv"
	"strings"
	"unicode"

	"wstk/shared/text"
)

// OnlyDays reports whether a name is made of names of days: Monday-Saturday.
func OnlyDays(s string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !ScheduleWords[w] && !shortDays[w] {
			return false
		}
	}
	return true
}

// Slot is when something is open or takes place: on some days, from a time to a
// time. A slot with one time is an event.
type Slot struct {
	days     uint8 // bit 0 is Monday; 0 means no day is named
	from, to int   // minutes; to is -1 for an event, from -1 where no time is given
	Closed   bool
}

const (
	allDays  = 1<<7 - 1
	workDays = 1<<5 - 1
)

// dayNames are the days of the week in some languages, by their beginnings.
var dayNames = []struct {
	day      int
	prefixes []string // whole words, plural and genitive s allowed
}{
	{0, []string{"monday", "mon", "lunes", "lundi", "montag", "mo", "понедельник", "lunedì",
		"segunda-feira", "maandag"}},
	{1, []string{"tuesday", "tue", "tues", "martes", "mardi", "dienstag", "di", "вторник",
		"martedì", "terça-feira", "dinsdag"}},
	{2, []string{"wednesday", "wed", "weds", "miércoles", "mercredi", "mittwoch", "mi", "среда",
		"mercoledì", "quarta-feira", "woensdag"}},
	{3, []string{"thursday", "thu", "thur", "thurs", "jueves", "jeudi", "donnerstag", "do",
		"четверг", "giovedì", "quinta-feira", "donderdag"}},
	{4, []string{"friday", "fri", "viernes", "vendredi", "freitag", "fr", "пятница", "venerdì",
		"sexta-feira", "vrijdag"}},
	{5, []string{"saturday", "sat", "sábado", "samedi", "samstag", "sonnabend", "sa", "суббота",
		"sabato", "zaterdag"}},
	{6, []string{"sunday", "sun", "domingo", "dimanche", "sonntag", "so", "воскресенье",
		"domenica", "zondag"}},
}

var dayOf = func() map[string]int {
	m := map[string]int{}
	for _, d := range dayNames {
		for _, p := range d.prefixes {
			m[p] = d.day
			if len(p) > 3 {
				m[p+"s"] = d.day
			}
		}
	}
	// Two-letter German days are also English words; they count only in ranges,
	// see daysIn.
	return m
}()

var shortDays = Set("mo di mi do fr sa so")

// ScheduleWords are words of schedules: they say when, not what.
var ScheduleWords = func() map[string]bool {
	m := Set("open opens opening close closes closed closing hours hour daily everyday every day " +
		"days week weekly noon midnight am pm a.m p.m o'clock uhr geöffnet geschlossen " +
		"öffnungszeiten abierto cerrado horario ouvert fermé horaires monday-friday time times " +
		"schedule")
	for d := range dayOf {
		if !shortDays[d] {
			m[d] = true
		}
	}
	return m
}()

var (
	clock      = `(\d{1,2})(?:[:.h](\d{2}))?\s*(a\.?m\.?|p\.?m\.?|uhr|h)?`
	clockRange = text.Pattern(`(?i)\b` + clock + `\s*(?:-|–|—|to|until|till|bis|a|à|до)\s*` +
		clock + `(?:\b|$)`)
	clockPoint = text.Pattern(
		`(?i)\b(?:(\d{1,2})[:.](\d{2})\s*(a\.?m\.?|p\.?m\.?|uhr)?|` +
			`(\d{1,2})\s*(a\.?m\.?|p\.?m\.?|uhr))(?:\b|$|\s)`)
	always = text.Pattern(
		`(?i)\b(?:24\s?/\s?7|24 hours(?: a day)?|around the clock|rund um die uhr|all day every day)\b`)
	shut = text.Pattern(
		`(?i)\b(?:closed|geschlossen|cerrado|fermé|fermée|закрыто|chiuso|fechado)\b`)
)

// Slots reads a schedule out of a short text; nil when it is none.
func Slots(s string) []Slot {
	const longest = 300
	if len(s) > longest {
		return nil
	}
	var out []Slot
	for _, part := range strings.FieldsFunc(s, func(r rune) bool {
		return r == ';' || r == '\n' || r == '|'
	}) {
		out = append(out, slotsOf(part, daysIn(part))...)
	}
	return out
}

// slotsOf reads what a part of a schedule says about some days: always open, closed, ranges
// of times, or else times at which something begins.
func slotsOf(part string, days uint8) []Slot {
	switch {
	case always().MatchString(part):
		if days == 0 {
			days = allDays
		}
		return []Slot{{days: days, from: 0, to: 24 * 60}}
	case shut().MatchString(part) && days != 0 && !clockRange().MatchString(part):
		return []Slot{{days: days, from: -1, to: -1, Closed: true}}
	}
	var out []Slot
	for _, m := range clockRange().FindAllStringSubmatch(part, -1) {
		if from, to, ok := timesOf(m); ok {
			out = append(out, Slot{days: days, from: from, to: to})
		}
	}
	if out != nil || days == 0 {
		return out
	}
	for _, m := range clockPoint().FindAllStringSubmatch(part, -1) {
		hour, minute, half := m[1], m[2], m[3] // 5:30 pm
		if hour == "" {
			hour, half = m[4], m[5] // 5 pm
		}
		if at, ok := minutes(hour, minute, half); ok {
			out = append(out, Slot{days: days, from: at, to: -1})
		}
	}
	return out
}

// timesOf reads a range of times. At least one end has to look like a time; a
// missing am or pm is taken from the other end.
func timesOf(m []string) (from, to int, ok bool) {
	h1, min1, ap1, h2, min2, ap2 := m[1], m[2], m[3], m[4], m[5], m[6]
	if min1 == "" && min2 == "" && ap1 == "" && ap2 == "" {
		return 0, 0, false
	}
	if ap1 == "" && ap2 != "" && meridian(ap2) {
		a, _ := strconv.Atoi(h1)
		b, _ := strconv.Atoi(h2)
		if a%12 <= b%12 {
			ap1 = ap2
		} else {
			ap1 = "am"
		}
	}
	from, ok1 := minutes(h1, min1, ap1)
	to, ok2 := minutes(h2, min2, ap2)
	return from, to, ok1 && ok2
}

func meridian(s string) bool {
	s = strings.ToLower(s)
	return strings.HasPrefix(s, "a") || strings.HasPrefix(s, "p")
}

func minutes(h, m, ap string) (int, bool) {
	hour, err := strconv.Atoi(h)
	if err != nil {
		return 0, false
	}
	minute := 0
	if m != "" {
		if minute, err = strconv.Atoi(m); err != nil {
			return 0, false
		}
	}
	if meridian(ap) {
		if hour < 1 || hour > 12 {
			return 0, false
		}
		hour %= 12
		if strings.HasPrefix(strings.ToLower(ap), "p") {
			hour += 12
		}
	}
	return hour*60 + minute, hour <= 24 && minute < 60
}

// manyDays are words for several days; dayJoiners are between the ends of a range of days.
var (
	manyDays = map[string]uint8{
		"daily": allDays, "everyday": allDays, "täglich": allDays, "diario": allDays,
		"ежедневно": allDays,
		"weekdays":  workDays, "weekday": workDays, "werktags": workDays,
		"weekends": allDays &^ workDays, "weekend": allDays &^ workDays,
	}
	dayJoiners = Set("- – — to through thru bis a до")
)

// daysIn reads the days a text names, ranges included ("Mon–Fri", "weekdays").
func daysIn(s string) uint8 {
	r := dayReader{text: strings.ToLower(s), last: -1}
	start := -1
	for i, c := range r.text {
		if unicode.IsLetter(c) || start >= 0 && strings.HasPrefix(r.text[i:], "-feira") {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			r.word(start, i)
			start = -1
		}
	}
	if start >= 0 {
		r.word(start, len(r.text))
	}
	if strings.Contains(r.text, "every day") || strings.Contains(r.text, "seven days") ||
		strings.Contains(r.text, "7 days") {
		r.days |= allDays
	}
	return r.days
}

// dayReader reads days word by word.
type dayReader struct {
	text    string // in lower case
	days    uint8
	last    int // the day read before; -1 for none
	lastEnd int // where its word ends, in bytes
}

// word reads the word between two bytes of the text. A word that is a day too short to be
// surely one ("do", "so") counts only in a range.
func (r *dayReader) word(from, to int) {
	w := r.text[from:to]
	r.days |= manyDays[w]
	day, ok := dayOf[w]
	if !ok {
		return
	}
	joins := r.last >= 0 && dayJoiners[strings.TrimSpace(r.text[r.lastEnd:from])]
	if shortDays[w] && !joins && !rangeAhead(r.text[to:]) {
		return
	}
	for k := r.last; joins && k != day; k = (k + 1) % 7 {
		r.days |= 1 << uint(k)
	}
	r.days |= 1 << uint(day)
	r.last, r.lastEnd = day, to
}

var aheadRange = text.Pattern(`^\.?\s*(?:-|–|—|bis)\s*(?:mo|di|mi|do|fr|sa|so)\b`)

func rangeAhead(s string) bool { return aheadRange().MatchString(s) }

// Clash reports whether two schedules of one thing cannot both hold: on some day
// both name, one is closed and the other open, or the hours differ; or each
// names a single event and they differ in day or time.
func Clash(a, b []Slot) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	if event(a) && event(b) {
		return a[0].from != b[0].from || a[0].days != b[0].days
	}
	if event(a) || event(b) {
		return false
	}
	for d := range 7 {
		x, y := on(a, d), on(b, d)
		if len(x) == 0 || len(y) == 0 {
			continue
		}
		if !sameHours(x, y) {
			return true
		}
	}
	return false
}

func event(s []Slot) bool { return len(s) == 1 && s[0].to < 0 && !s[0].Closed }

// on returns the slots that hold on a day. Slots without days hold on every day
// that no slot of the schedule names.
func on(s []Slot, day int) []Slot {
	var out []Slot
	for _, x := range s {
		if x.days>>uint(day)&1 == 1 {
			out = append(out, x)
		}
	}
	if out == nil {
		named := uint8(0)
		for _, x := range s {
			named |= x.days
		}
		if named == 0 {
			return s
		}
	}
	return out
}

// sameHours compares sets of slots; days are the same already.
func sameHours(a, b []Slot) bool {
	covers := func(x, y []Slot) bool {
		for _, s := range x {
			found := false
			for _, t := range y {
				found = found || s.Closed == t.Closed && s.from == t.from &&
					s.to%(24*60) == t.to%(24*60)
			}
			if !found {
				return false
			}
		}
		return true
	}
	return covers(a, b) || covers(b, a)
}

// SameSlots reports whether two schedules say the same: the same hours on the same days.
func SameSlots(a, b []Slot) bool {
	named := func(s []Slot) (days uint8) {
		for _, x := range s {
			days |= x.days
		}
		return days
	}
	if len(a) == 0 || len(b) == 0 || event(a) != event(b) || named(a) != named(b) {
		return false
	}
	for d := range 7 {
		x, y := on(a, d), on(b, d)
		if len(x) != len(y) || len(x) > 0 && !sameHours(x, y) {
			return false
		}
	}
	return true
}

// Mixed reports whether one side has hours and the other a single time.
func Mixed(a, b []Slot) bool { return len(a) > 0 && len(b) > 0 && event(a) != event(b) }

// SameEnd compares hours with single times: one of the hours begins (end 0) or ends (end 1) at
// the time of some day. It is comparable if the times are of days that the hours have, each one
// day's hours.
func SameEnd(hours, times []Slot, end int) (same, comparable bool) {
	if len(times) != 1 || !event(times) || event(hours) {
		return false, false
	}
	for d := range 7 {
		if times[0].days>>uint(d)&1 == 0 {
			continue
		}
		x := on(hours, d)
		if len(x) != 1 || x[0].Closed || x[0].to < 0 {
			return false, false
		}
		if [2]int{x[0].from, x[0].to}[end] != times[0].from {
			return false, true
		}
	}
	return true, true
}

// NoEnd reports whether none of some hours begins (end 0) or ends (end 1) at a time, 19:30.
func NoEnd(s []Slot, end int, at string) bool {
	hour, minute, _ := strings.Cut(at, ":")
	t, ok := minutes(hour, minute, "")
	if !ok || event(s) {
		return false
	}
	for _, x := range s {
		if x.Closed || [2]int{x.from, x.to}[end] == t {
			return false
		}
	}
	return true
}
