package search

import (
	"cmp"
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
	names := strings.NewReplacer("{TODAY}", "today", "{YESTERDAY}", "yesterday",
		"{LAST_WEEK_START}", "7 days ago", "{LAST_WEEK_END}", "today",
		"{LAST_MONTH_START}", "30 days ago", "{LAST_MONTH_END}", "today")
	switch {
	case e.after == "":
		return "up to " + names.Replace(e.before)
	case e.before == "":
		return "from " + names.Replace(e.after) + " on"
	}
	return "from " + names.Replace(e.after) + " to " + names.Replace(e.before)
}

// tell puts the ends into the template and marks the words [i, j). A second time is left
// out, and so is one that would end before it begins, or of which only the day of the
// search decides whether it does; a note says so. exact is false if the range is wider than
// what was said.
func (r *reader) tell(e ends, exact bool, i, j int) int {
	f := &r.t.Filters
	now := ends{cmp.Or(e.after, f.DateAfter), cmp.Or(e.before, f.DateBefore)}
	if literal(now.after) && now.before == "{TODAY}" { // which is no end
		now.before = ""
	}
	r.mark(i, j, taken)
	twice := e.after != "" && f.DateAfter != "" || e.before != "" && f.DateBefore != ""
	if twice || now.after != "" && now.before != "" && !r.ordered(now) {
		r.note("time_unsupported", nil,
			"%q was left out: one search has one time, and pages %s are searched.", r.quote(i, j),
			ends{f.DateAfter, f.DateBefore})
		return j - i
	}
	f.DateAfter, f.DateBefore, r.timed = now.after, now.before, true
	if !exact {
		r.note("time_approximated", nil, "Instead of %q, pages %s are searched.", r.quote(i, j), e)
	}
	return j - i
}

// ordered reports whether two days follow one another on any day of the search: both are
// named, or both are counted from today.
func (r *reader) ordered(e ends) bool {
	first, last := placeholders[e.after], placeholders[e.before]
	if first != nil && last != nil {
		return !last(r.now).Before(first(r.now))
	}
	return first == nil && last == nil && e.after <= e.before
}

// omit leaves out a time that cannot be told, and says why.
func (r *reader) omit(i, j int) int {
	r.mark(i, j, taken)
	r.timed = true
	r.note("time_unsupported", nil,
		"%q was left out of the search: a time counted from today reaches back 30 days at most. "+
			"Name a day, a month or a year, as in \"since %d\".", r.quote(i, j), r.now.Year()-1)
	return j - i
}

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
		return r.omit(i, end)
	}
	return r.tell(e, exact, i, end)
}

// bounded is the part of a time that the preposition of a side leaves, and whether it is
// just that; it is empty if no placeholder tells it.
func (e ends) bounded(side string, exact bool) (ends, bool) {
	switch {
	case side == "since":
		return ends{after: e.after}, exact
	case side == "after":
		return ends{after: e.after}, false
	case side == "until":
		return ends{before: cmp.Or(e.before, "{TODAY}")}, exact
	case side == "before" && e == thisDay:
		return ends{before: "{YESTERDAY}"}, true
	case side == "before" && !exact: // before a range that is itself searched as a wider one
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
		patterns = append(patterns[:len(patterns):len(patterns)],
			r.language.patterns["counted since"]...)
	}
	for _, p := range patterns {
		if j, means, ok := r.pattern(i, p); ok && j > end {
			if times, whole, ok := meaning(means); ok {
				e, exact, end = times, whole, j
			}
		}
	}
	return e, exact, end
}

// meaning is the time that the phrases of a pattern stand for, by family; ok is false for a
// topic.
func meaning(of map[string]string) (e ends, exact, ok bool) {
	this, ago := of["this"] != "", of["ago"]+of["ago before"] != ""
	unit, count := of["unit"], of["number"]
	if (unit == "day" || this && unit == "hour") && count == "" { // the last day of school
		return ends{}, false, false
	}
	e = lastWeek // since Monday
	if unit != "" {
		e, exact = span(unit, count)
	}
	return e, exact && !this && !ago, !ago || e != ends{} // what was 80 years ago is a topic
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
	news := start > 0 && !r.words[start].parted && r.has(start-1, "news", "page") > 0
	if led || news || end == len(r.words) || r.words[end].parted || r.words[end].use > stop {
		return 0
	}
	if and := r.has(end, "and"); r.has(end+and, "today", "yesterday") > 0 { // yesterday and today
		return end + and + 1
	}
	if end-start > 1 || r.has(start, "today", "yesterday") == 0 {
		return end * min(1, r.has(end, "belonging"))
	}
	return r.titleOfDay(start, end)
}

// titleOfDay is title for a single day: it is a time beside words that are looked for as of
// a day, in a question, and before a preposition.
func (r *reader) titleOfDay(start, end int) int {
	next := &r.words[end]
	behind := r.has(end, "news", "page", "result")+r.has(0, "question") > 0 ||
		strings.ContainsAny(r.raw(start, end), "'’")
	if behind || !next.quoted && isStop(next.text, r.language.code) &&
		(start > 0 || r.has(end, "in a country", "on a site", "about", "within") > 0) {
		return 0
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
	if n := r.has(i, "between"); n > 0 {
		if m := r.rangeOf(i, i+n, "and"); m > 0 {
			return m
		}
	}
	if n := r.has(i, "from"); n > 0 {
		if m := r.rangeOf(i, i+n, "to"); m > 0 {
			return m
		}
	}
	return r.behind(i)
}

// behind reads a time behind a preposition at word i, and a range without one.
func (r *reader) behind(i int) int {
	side, n := r.lead(i)
	year := r.has(i, "in a year")
	if n == 0 && year == 0 {
		return r.bareRange(i)
	}
	if d, m := r.date(i + year); side == "" && year > 0 && m > 0 && !d.month {
		n = year
	}
	d, m := r.date(i + n)
	if m == 0 {
		return 0
	}
	j := i + n + m
	if o := r.has(j, "onwards"); o > 0 && side == "" {
		side, j = "since", j+o
	}
	// Of who won in 1998 pages of any year tell.
	if topic := side == "" && (year == 0 || r.has(0, "question of an event") > 0); !d.month &&
		(topic || !r.ends(i, j)) {
		return 0
	}
	return r.tellDays(d, side, i, j)
}

// ends reports whether a year that ends before word j, behind the preposition at i,
// stands for itself: nothing is named after it, as in "the 2022 FIFA World Cup".
func (r *reader) ends(i, j int) bool {
	return r.edge(j) || r.words[j].quoted || r.words[j].or ||
		isStop(r.words[j].text, r.language.code) || i == 0 && !capital(r.words[j].text)
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
		return r.tellDays(days{from: first.from, to: last.to, vague: first.vague || last.vague},
			"", i, y+m)
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

// bareRange reads 2019-2021 and "2019 to 2021" at word i, without a preposition.
func (r *reader) bareRange(i int) int {
	if !isDigit(r.words[i].key[0]) {
		return 0
	}
	if _, n := r.date(i); n > 0 && r.has(i+n, "to") > 0 {
		if m := r.rangeOf(i, i, "to"); m > 0 {
			return m
		}
	}
	if d, ok := r.parse(r.words[i].key); ok && !d.month && d.from.Year() != d.to.Year() &&
		d.to.Year() <= r.now.Year()+yearsAhead {
		return r.tellDays(d, "", i, i+1)
	}
	return 0
}

// date reads a day, a month or a year at word i, and how many words it has.
func (r *reader) date(i int) (d days, n int) {
	start := r.skip(i, "article")
	d, n = r.whole(start)
	y, m := r.year(start)
	switch {
	case m > n && start == i: // not "the 2022 …"
		return y, m
	case n == 0, !d.month && m == 0: // a year that is a topic
		return days{}, 0
	}
	return d, start - i + n
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
	if digits < len("2024") {
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
	return days{from: from, to: from.AddDate(years, months, length-1), month: years == 0},
		err == nil
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
