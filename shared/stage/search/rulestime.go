package search

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"wstk/shared/value"
)

// A year that stands alone may be a year of publication from yearsBack before this year to
// yearsAhead after it; others are topics. Where a month is named as well, any year from the
// first on is a time.
const (
	yearsBack  = 36
	yearsAhead = 3
)

// times finds times, counted from today and named.
func (r *reader) times() {
	for i := 0; i < len(r.words); {
		n := 0
		if r.at(i) != "" {
			if n = r.counted(i); n == 0 {
				n = r.dated(i)
			}
		}
		i += max(n, 1)
	}
}

// ends are the days a time begins and ends with, as a template has them; "" if it is open.
type ends struct{ after, before string }

var (
	thisDay   = ends{"{TODAY}", ""}
	lastDay   = ends{"{YESTERDAY}", "{TODAY}"}
	lastWeek  = ends{"{LAST_WEEK_START}", "{LAST_WEEK_END}"}
	lastMonth = ends{"{LAST_MONTH_START}", "{LAST_MONTH_END}"}
)

// String says the ends in words.
func (e ends) String() string {
	names := strings.NewReplacer("{TODAY}", "today", "{YESTERDAY}", "yesterday", "{LAST_WEEK_START}", "7 days ago", "{LAST_WEEK_END}", "today",
		"{LAST_MONTH_START}", "30 days ago", "{LAST_MONTH_END}", "today")
	switch {
	case e.after == "":
		return "up to " + names.Replace(e.before)
	case e.before == "":
		return "from " + names.Replace(e.after) + " on"
	}
	return "from " + names.Replace(e.after) + " to " + names.Replace(e.before)
}

// tell puts the ends into the template and marks the words [i, j). A second time, and one
// that would end before it begins, stays among the keywords; a day by name and one counted
// from today cannot bound the same search, because the template is used on other days. A
// note says so. exact is false if the range is wider than what was said.
func (r *reader) tell(e ends, exact bool, i, j int) int {
	f := &r.t.Filters
	old, now := ends{f.DateAfter, f.DateBefore}, ends{f.DateAfter, f.DateBefore}
	if e.after != "" {
		now.after = e.after
	}
	if e.before != "" {
		now.before = e.before
	}
	twice := e.after != "" && old.after != "" || e.before != "" && old.before != ""
	if literal(now.after) && now.before == "{TODAY}" { // which is no end
		now.before = ""
	}
	switch {
	case twice || !r.ordered(now):
		r.note("time_unsupported", nil, "Only one time can be told, so %q is searched as words.", r.quote(i, j))
		return j - i
	case now.before != "" && now.after != "" && literal(now.after) != literal(now.before):
		r.mark(i, j, taken)
		r.note("time_unsupported", nil, "%q was left out, because a day by name and one counted from today cannot bound the same search; pages %s are searched.",
			r.quote(i, j), old)
		return j - i
	}
	f.DateAfter, f.DateBefore, r.timed = now.after, now.before, true
	r.mark(i, j, taken)
	if !exact {
		r.note("time_approximated", nil, "Instead of %q, pages %s are searched.", r.quote(i, j), e)
	}
	return j - i
}

// ordered reports whether two days of a template follow one another, as far as that can be
// told on any day.
func (r *reader) ordered(e ends) bool {
	first, last := placeholders[e.after], placeholders[e.before]
	if first != nil && last != nil {
		return !last(r.now).Before(first(r.now))
	}
	return !literal(e.after) || !literal(e.before) || e.after <= e.before
}

// omit leaves out a time that cannot be told, and says why.
func (r *reader) omit(i, j int, why string) int {
	r.mark(i, j, taken)
	r.timed = true
	r.note("time_unsupported", nil, "%q was left out of the search: %s.", r.quote(i, j), fmt.Sprintf(why, r.now.Year()-1))
	return j - i
}

// Why a time cannot be told, with a year for an example.
const (
	tooFar = "a time counted from today reaches back 30 days at most; a day, month or year by name, as in \"since %d\", can be told"
	noYear = "it lacks the year, as in \"since March %d\""
)

// sides are the families of prepositions that say which ends of a time count; "" is both.
var sides = []string{"since", "after", "before", "until"}

// lead reads the preposition of a time at word i, and how many words it has.
func (r *reader) lead(i int) (side string, most int) {
	for _, s := range sides {
		if n := r.has(i, s); n > most {
			side, most = s, n
		}
	}
	if n := r.has(i, "within"); n > most {
		return "", n
	}
	return side, most
}

// counted reads a time that is counted from today at word i and returns how many words it
// has; 0 if there is none.
func (r *reader) counted(i int) int {
	side, n := r.lead(i)
	if of := r.has(i, "of a time"); of >= n {
		side, n = "", of
	}
	from, start := i+n, i+n
	e, exact, end := r.back(start, side)
	if end == 0 {
		start = r.skip(from, "article")
		e, exact, end = r.back(start, side)
	}
	if end == 0 { // "il y a 3 jours" and "vor 3 Tagen" begin with what may be a preposition
		side, from, start = "", i, i
		e, exact, end = r.back(start, side)
	}
	if end == 0 || !r.free(i, end) {
		return 0
	}
	if last := r.title(from > i, start, end); last > 0 {
		for k := start; k < last; k++ {
			r.words[k].name = true
		}
		return last - i
	}
	e, exact = e.bounded(side, exact)
	if e == (ends{}) {
		return r.omit(i, end, tooFar)
	}
	return r.tell(e, exact, i, end)
}

// bounded is the part of a time that the preposition of a side leaves, and whether it is
// just that; it is empty if no placeholder tells it.
func (e ends) bounded(side string, exact bool) (ends, bool) {
	switch {
	case side == "since":
		return ends{after: e.after}, exact
	case side == "after" && e == lastDay && exact:
		return thisDay, true
	case side == "after":
		return ends{after: e.after}, false
	case side == "until" && e == thisDay:
		return ends{before: "{TODAY}"}, true
	case side == "until" && e == lastDay && exact:
		return ends{before: "{YESTERDAY}"}, true
	case side == "until":
		return ends{before: e.before}, exact
	case side == "before" && e == thisDay:
		return ends{before: "{YESTERDAY}"}, true
	case side == "before" && !exact: // before a range that is itself told as a wider one
		return ends{}, false
	case side == "before":
		return ends{before: e.after}, false
	}
	return e, exact
}

// back reads "today", "last week", "the past 3 days" without its preposition. e is empty
// if no placeholder holds it, exact reports whether a placeholder says just that, and end
// is where it ends; 0 if there is no time.
func (r *reader) back(i int, side string) (e ends, exact bool, end int) {
	if n := r.has(i, "day before yesterday"); n > 0 {
		return lastWeek, false, i + n
	}
	if n := r.has(i, "today"); n > 0 {
		return thisDay, true, i + n
	}
	if n := r.has(i, "yesterday"); n > 0 {
		return lastDay, true, i + n
	}
	patterns := r.language.patterns["counted"]
	if side == "since" {
		patterns = append(patterns[:len(patterns):len(patterns)], r.language.patterns["counted since"]...)
	}
	for _, p := range patterns {
		j, means, ok := r.pattern(i, p)
		if !ok || j <= end {
			continue
		}
		this, ago := means["this"] != "", means["ago"]+means["ago before"] != ""
		unit, count := means["unit"], means["number"]
		if (unit == "day" || this && unit == "hour") && count == "" { // the last day of school
			continue
		}
		times, whole := lastWeek, false // since Monday
		if unit != "" {
			times, whole = span(unit, count)
		}
		if ago && times == (ends{}) { // what was 80 years ago is a topic
			continue
		}
		e, exact, end = times, whole && !this && !ago, j
	}
	return e, exact, end
}

// fewUnits is what "a few" stands for.
var fewUnits = map[string]int{"hour": 5, "day": 5, "week": 4}

// span is the smallest range of placeholders that holds the last count units, and whether
// it is just that; empty if there is none. A count of "" is one.
func span(unit, count string) (e ends, exact bool) {
	c, err := strconv.Atoi(count)
	if count == "few" {
		c = fewUnits[unit]
	} else if err != nil {
		c = 1
	}
	days := c * map[string]int{"day": 1, "week": 7, "month": 30}[unit]
	if unit == "hour" {
		days = (c + 23) / 24
	}
	switch {
	case days < 1 || days > 30:
		return ends{}, false
	case days == 1:
		return lastDay, false
	case days <= 7:
		return lastWeek, days == 7 && unit != "hour"
	}
	return lastMonth, days == 30 && unit != "hour"
}

// title returns where a title or a topic ends that begins with the time [start, end), such
// as "yesterday by the beatles" or "the last week of school"; 0 if it is a time. led
// reports whether a preposition of time stands before it.
func (r *reader) title(led bool, start, end int) int {
	if end == len(r.words) || r.words[end].parted {
		return 0
	}
	and := r.has(end, "and")
	if n := r.has(end+and, "today", "yesterday"); n > 0 && (!led || and == 0) && r.free(start, end+and+n) {
		return end + and + n // last week tonight, yesterday and today
	}
	next := &r.words[end]
	news := start > 0 && !r.words[start].parted && r.has(start-1, "news", "page", "fresh") > 0
	if end-start > 1 || r.has(start, "today", "yesterday") == 0 {
		if !news && r.has(end, "belonging") > 0 && strings.IndexAny(r.raw(start, end), "0123456789") < 0 {
			return end
		}
		return 0
	}
	raw := r.raw(start, end)
	switch {
	case led, news, next.op != "", next.minus, next.use > stop, strings.HasSuffix(raw, "'s"), strings.HasSuffix(raw, "’s"),
		r.has(end, "news", "page", "fresh", "result") > 0, r.language.code != "en" && r.has(0, "question") > 0: // was hat er gestern gesagt
		return 0
	case !next.quoted && isStop(next.text, r.language.code) &&
		(start > 0 || r.has(end, "in a country", "on a site", "about", "within") > 0): // not "gestern war heute"
		return 0
	}
	for end < len(r.words) && r.at(end) != "" && isStop(r.words[end].text, r.language.code) && r.has(end, "belonging", "article") == 0 {
		end++ // yesterday once more
	}
	return end
}

// days is a time that names its days.
type days struct {
	from, to time.Time
	month    bool // a month at least is named
	vague    bool // wider than what was said
}

// dated reads a time that names days, months or years at word i and returns how many
// words it has; 0 if there is none.
func (r *reader) dated(i int) int {
	for _, f := range [][2]string{{"between", "and"}, {"from", "to"}} {
		if n := r.has(i, f[0]); n > 0 {
			if m := r.rangeOf(i, i+n, f[1]); m > 0 {
				return m
			}
		}
	}
	if n := r.has(i, "in a year"); n > 0 {
		if d, m := r.date(i + n); m > 0 && !d.month {
			return r.alone(d, i, i+n+m)
		}
	}
	side, n := r.lead(i)
	if n == 0 {
		return r.bareRange(i)
	}
	d, m := r.date(i + n)
	j := i + n + m
	switch {
	case m == 0 && side != "":
		return r.undated(i, n)
	case m == 0, !d.month && (side == "" || !r.ends(i, j)):
		return 0
	}
	if o := r.has(j, "onwards"); o > 0 && side == "" && r.has(i, "from") > 0 {
		side, j = "since", j+o
	}
	return r.tellDays(d, side, i, j)
}

// alone tells a year alone in the words [i, j). Of who won in 1998 pages of any year tell.
func (r *reader) alone(d days, i, j int) int {
	if o := r.has(j, "onwards"); o > 0 && r.has(i, "from") > 0 && r.ends(i, j+o) {
		return r.tellDays(d, "since", i, j+o)
	}
	if r.ends(i, j) && r.has(0, "question of an event") == 0 {
		return r.tellDays(d, "", i, j)
	}
	return 0
}

// ends reports whether a year that ends before word j, behind the preposition at i,
// stands for itself: nothing is named after it, as in "the 2022 FIFA World Cup".
func (r *reader) ends(i, j int) bool {
	if j >= len(r.words) {
		return true
	}
	w := &r.words[j]
	return w.parted || w.quoted || w.or || w.minus || w.op != "" || w.use != content || isStop(w.text, r.language.code) || i == 0 && !capital(w.text)
}

// undated reads a month or a day without a year behind a preposition that bounds a time:
// since March. Which year is meant changes with the day of the search.
func (r *reader) undated(i, n int) int {
	start := r.skip(i+n, "article")
	for m := 2; m > 0; m-- {
		// A short name of a month alone may be a person's, Jan; may and march are verbs.
		if !r.free(start, start+m) || m == 1 && (len(r.words[start].key) < 4 || r.words[start].text == "march") {
			continue
		}
		for k := start; k < start+m; k++ {
			if value.Month(r.words[k].text, r.language.code) == 0 {
				continue
			}
			if _, ok := r.parse(r.raw(start, start+m) + " " + strconv.Itoa(r.now.Year()&^3)); ok { // a leap year, for 29 February
				return r.omit(i, start+m, noYear)
			}
		}
	}
	return 0
}

// rangeOf reads "X and Y" from word j on, and is a family of words between them; the whole
// begins at word i.
func (r *reader) rangeOf(i, j int, and string) int {
	for k := j + 1; k < min(j+7, len(r.words)); k++ {
		n := r.has(k, and)
		if n == 0 {
			continue
		}
		y := k + n
		first, whole := r.date(j)
		if m := r.has(y, "now", "today"); m > 0 {
			if whole == k-j {
				return r.tell(ends{after: first.from.Format(time.DateOnly)}, true, i, y+m)
			}
			continue
		}
		last, m := r.date(y)
		if m == 0 {
			continue
		}
		if whole != k-j {
			var ok bool
			if first, ok = r.complete(j, k, y, y+m); !ok {
				continue
			}
			if first.from.After(last.to) { // from November to February 2024
				first.from = first.from.AddDate(-1, 0, 0)
			}
		}
		if first.from.After(last.to) {
			first, last = last, first
		}
		return r.tellDays(days{from: first.from, to: last.to, vague: first.vague || last.vague}, "", i, y+m)
	}
	return 0
}

// complete reads the words [j, k) with what they leave out and the words [y, end) say: the
// year of "January and March 2024", the month of "3 and 12 March 2024".
func (r *reader) complete(j, k, y, end int) (days, bool) {
	if j = r.skip(j, "article"); j >= k {
		return days{}, false
	}
	for from := y + 1; from < end; from++ {
		if d, ok := r.parse(tidy(r.raw(j, k)) + " " + r.raw(from, end)); ok {
			return d, true
		}
	}
	return days{}, false
}

// bareRange reads 2019-2021, "2019 to 2021" and 2024-03-01..2024-03-12 at word i, without a
// preposition.
func (r *reader) bareRange(i int) int {
	if !isDigit(r.words[i].key[0]) {
		return 0
	}
	if _, n := r.date(i); n > 0 && r.has(i+n, "to") > 0 {
		if m := r.rangeOf(i, i, "to"); m > 0 {
			return m
		}
	}
	raw := r.words[i].key
	from, to, dots := strings.Cut(raw, "..")
	first, ok1 := r.parse(from)
	last, ok2 := r.parse(to)
	if dots && ok1 && ok2 && !last.to.Before(first.from) {
		return r.tellDays(days{from: first.from, to: last.to, vague: first.vague || last.vague}, "", i, i+1)
	}
	if d, ok := r.parse(raw); ok && !d.month && d.from.Year() != d.to.Year() && d.to.Year() <= r.now.Year()+yearsAhead {
		return r.tellDays(d, "", i, i+1)
	}
	return 0
}

// date reads a day, a month, a quarter or a year at word i, and how many words it has.
func (r *reader) date(i int) (d days, n int) {
	start := i
	i += r.has(i, "part of a year")
	vague := i > start
	i = r.skip(i, "article")
	article := i > start && !vague
	d, n = r.whole(i)
	if y, m := r.year(i); m > n && !article {
		d, n = y, m
	} else if q := r.at(i); m == 0 && len(q) == 2 && q[0] == 'q' && q[1] >= '1' && q[1] <= '4' {
		if y, m := r.year(i + 1); m > 0 {
			from := y.from.AddDate(0, 3*int(q[1]-'1'), 0)
			d, n = days{from: from, to: from.AddDate(0, 3, -1), month: true}, 1+m
		}
	} else if n > 0 && !d.month && m == 0 {
		n = 0 // a year that is a topic
	}
	if n == 0 {
		return days{}, 0
	}
	d.vague = d.vague || vague
	return d, i + n - start
}

// year reads a year alone at word i.
func (r *reader) year(i int) (d days, n int) {
	key := r.at(i)
	y, err := strconv.Atoi(key)
	if now := r.now.Year(); err != nil || len(key) != 4 || y < now-yearsBack || y > now+yearsAhead {
		return days{}, 0
	}
	d, _ = period(key)
	return d, 1
}

// longestDate is how many words a date has at most: the 5th of March in 2024.
const longestDate = 6

// whole reads the date at word i that value.Find knows, and how many words it has.
func (r *reader) whole(i int) (d days, n int) {
	digits := 0
	for n < min(longestDate, len(r.words)-i) && r.free(i+n, i+n+1) {
		for _, c := range []byte(r.words[i+n].key) {
			if isDigit(c) {
				digits++
			}
		}
		n++
	}
	if digits < len("24") || digits < len("2024") && !strings.ContainsAny(r.raw(i, i+n), "'’") { // March '24
		return days{}, 0
	}
	found := value.Find(r.raw(i, i+n), r.lang())
	if len(found) == 0 || found[0].Start != 0 {
		return days{}, 0
	}
	end := r.words[i].start + found[0].End
	for n := 1; n <= longestDate && i+n <= len(r.words); n++ {
		w := &r.words[i+n-1]
		if w.start+len(strings.TrimRight(r.s[w.start:w.end], ".:!?'’")) <= end && end <= w.end {
			if d, ok := r.daysOf(found[0]); ok {
				return d, n
			}
			break
		}
	}
	return days{}, 0
}

// lang is the language whose dates are read.
func (r *reader) lang() string {
	if r.language.code == "" {
		return r.asked
	}
	return r.language.code
}

// parse reads s as a date with a year.
func (r *reader) parse(s string) (days, bool) {
	v := value.Find(s, r.lang())
	if len(v) != 1 || v[0].Start != 0 || v[0].End != len(s) {
		return days{}, false
	}
	return r.daysOf(v[0])
}

// daysOf is a value that is a date with a year that counts. One that is read in two ways
// is vague.
func (r *reader) daysOf(v value.Value) (d days, ok bool) {
	if v.Type != "date" {
		return days{}, false
	}
	readings := strings.Split(v.Norm, "|")
	for _, reading := range readings {
		from, to, ranged := strings.Cut(reading, "/")
		if !ranged {
			to = from
		}
		first, ok1 := period(from)
		last, ok2 := period(to)
		if !ok1 || !ok2 || first.from.Year() < r.now.Year()-yearsBack {
			return days{}, false
		}
		if d.from.IsZero() || first.from.Before(d.from) {
			d.from = first.from
		}
		if last.to.After(d.to) {
			d.to = last.to
		}
		d.month = first.month
	}
	d.vague = len(readings) > 1
	return d, true
}

// period reads a date as value.Find writes it: 2024-03-05, 2024-03 or 2024.
func period(iso string) (d days, ok bool) {
	iso, _, _ = strings.Cut(iso, "T")
	layout, years, months, length := time.DateOnly, 0, 0, 1
	switch len(iso) {
	case len("2006"):
		layout, years, length = "2006", 1, 0
	case len("2006-01"):
		layout, months, length = "2006-01", 1, 0
	}
	from, err := time.Parse(layout, iso)
	return days{from: from, to: from.AddDate(years, months, length-1), month: years == 0}, err == nil
}

// tellDays is tell for days, of which a side counts.
func (r *reader) tellDays(d days, side string, i, j int) int {
	day := func(t time.Time, more int) string { return t.AddDate(0, 0, more).Format(time.DateOnly) }
	e := ends{day(d.from, 0), day(d.to, 0)}
	switch side {
	case "since":
		e.before = ""
	case "until":
		e.after = ""
	case "after":
		if e.before = ""; !d.vague { // of what is vague, the whole is let in
			e.after = day(d.to, 1)
		}
	case "before":
		if e.after = ""; !d.vague {
			e.before = day(d.from, -1)
		}
	default:
		if d.from.Equal(d.to) { // one day
			e.before = day(d.to, 1)
		}
	}
	return r.tell(e, !d.vague, i, j)
}
