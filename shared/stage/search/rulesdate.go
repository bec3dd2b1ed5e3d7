package search

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wstk/shared/value"
)

// The years that may be meant as years of publication where only a year is named; older
// ones are topics, and so are plans for later ones. Where a month is named as well, any
// year from the first on is a time.
const (
	firstYear = 1990
	lastYear  = 2029
)

// times finds times, relative and explicit.
func (r *reader) times() {
	for i := 0; i < len(r.words); {
		n := r.relative(i)
		if n == 0 {
			n = r.explicit(i)
		}
		i += max(n, 1)
	}
}

// ends are the days a time begins and ends with, as a template has them; "" where it is open.
type ends struct{ after, before string }

var (
	thisDay   = ends{"{TODAY}", ""}
	lastDay   = ends{"{YESTERDAY}", "{TODAY}"}
	lastWeek  = ends{"{LAST_WEEK_START}", "{LAST_WEEK_END}"}
	lastMonth = ends{"{LAST_MONTH_START}", "{LAST_MONTH_END}"}
)

// tell puts the ends into the template and marks the words [i, j). A second time, and one
// that would end before it begins, stays among the keywords; one of which only a clock can
// tell whether it does is left out. A note says so.
func (r *reader) tell(e ends, i, j int) int {
	f := &r.t.Filters
	after, before := f.DateAfter, f.DateBefore
	if e.after != "" {
		after = e.after
	}
	if e.before != "" {
		before = e.before
	}
	twice := e.after != "" && f.DateAfter != "" || e.before != "" && f.DateBefore != ""
	if literal(after) && before == "{TODAY}" { // which is no end
		before = ""
	}
	if twice || !ordered(after, before) {
		r.note("time_unsupported", nil, "Only one time can be told, so %q is searched as words.", r.quote(i, j))
		return j - i
	}
	if before != "" && after != "" && literal(after) != literal(before) {
		r.mark(i, j, taken)
		r.note("time_unsupported", nil, "%q was left out, because a day by name and one counted from today cannot bound the same search; pages %s are searched.",
			r.quote(i, j), ends{f.DateAfter, f.DateBefore})
		return j - i
	}
	f.DateAfter, f.DateBefore, r.timed = after, before, true
	r.mark(i, j, taken)
	return j - i
}

// approximate is tell, noting that the range is wider than what was said.
func (r *reader) approximate(e ends, i, j int) int {
	n := r.tell(e, i, j)
	if r.words[i].use == taken {
		r.note("time_approximated", nil, "Instead of %q, pages %s are searched.", r.quote(i, j), e)
	}
	return n
}

// omit leaves out a time that cannot be told, and says why.
func (r *reader) omit(i, j int, why string) int {
	r.mark(i, j, taken)
	r.timed = true
	r.note("time_unsupported", nil, "%q was left out of the search: %s.", r.quote(i, j), why)
	return j - i
}

const (
	tooFar = "a time counted from today reaches back 30 days at most; a day, month or year by name, as in \"since 2024\", can be told"
	noYear = "it lacks the year, as in \"since March 2024\""
)

// ordered tells whether two days of a template follow one another, as far as that can be
// told without a clock.
func ordered(after, before string) bool {
	first, last := placeholders[after], placeholders[before]
	if first != nil && last != nil {
		today := time.Date(2024, time.March, 1, 0, 0, 0, 0, time.UTC) // any
		return !last(today).Before(first(today))
	}
	return !literal(after) || !literal(before) || after <= before
}

// String says the ends in words.
func (e ends) String() string {
	say := func(day string) string {
		if placeholders[day] == nil {
			return day
		}
		return map[string]string{"{TODAY}": "today", "{YESTERDAY}": "yesterday", "{LAST_WEEK_START}": "7 days ago", "{LAST_WEEK_END}": "today",
			"{LAST_MONTH_START}": "30 days ago", "{LAST_MONTH_END}": "today"}[day]
	}
	switch {
	case e.after == "":
		return "up to " + say(e.before)
	case e.before == "":
		return "from " + say(e.after) + " on"
	}
	return "from " + say(e.after) + " to " + say(e.before)
}

// quote is what the user wrote, for a note.
func (r *reader) quote(i, j int) string { return tidy(r.raw(i, j)) }

// side says which ends of a time count.
type side byte

const (
	within side = iota // both
	since
	after
	before
	until
)

// lead reads the preposition of a time at word i, and how many words it has.
func (r *reader) lead(i int) (side, int) {
	t := r.tongue
	best, most := within, 0
	for _, l := range []struct {
		p phrases
		b side
	}{{t.since, since}, {t.after, after}, {t.before, before}, {t.until, until}, {t.in, within}} {
		if n := r.has(l.p, i); n > most {
			best, most = l.b, n
		}
	}
	return best, most
}

// skip passes over phrases of p, at most three.
func (r *reader) skip(p phrases, i int) int {
	for range 3 {
		i += r.has(p, i)
	}
	return i
}

// relative reads a time that is counted from today at word i and returns how many words
// it has; 0 when there is none.
func (r *reader) relative(i int) int {
	if r.at(i) == "" {
		return 0
	}
	b, n := r.lead(i)
	if of := r.has(r.tongue.of, i); of >= n {
		b, n = within, of
	}
	// "il y a 3 jours" and "vor 3 Tagen" begin with what may also be a preposition.
	for _, from := range []int{i + n, i} {
		if from == i {
			b = within
		}
		start := r.skip(r.tongue.articles, from)
		e, exact, count := r.back(start, b)
		if count == 0 || !r.free(i, start+count) || r.isName(i, start, start+count) {
			continue
		}
		j := start + count
		if last, ok := r.topic(from > i, start, j); ok {
			for k := start; k < last; k++ {
				r.words[k].name = true
			}
			return last - i
		}
		switch b {
		case since:
			e.before = ""
		case until:
			switch {
			case e == thisDay:
				e.before = "{TODAY}"
			case e == lastDay && exact:
				e.before = "{YESTERDAY}"
			}
			e.after = ""
		case before:
			switch {
			case e == thisDay:
				e.before = "{YESTERDAY}"
			case e == lastDay && exact:
				e.before, exact = "{YESTERDAY}", false
			case !exact: // a time before a range that is itself told as a wider one
				return r.omit(i, j, tooFar)
			default:
				e.before, exact = e.after, false
			}
			e.after = ""
		case after:
			if e == lastDay && exact {
				e.after = "{TODAY}"
			} else {
				exact = false
			}
			e.before = ""
		}
		switch {
		case e == ends{}:
			return r.omit(i, j, tooFar)
		case exact:
			return r.tell(e, i, j)
		}
		return r.approximate(e, i, j)
	}
	return 0
}

// topic tells whether the time in [start, end) is rather a topic or a title, such as
// "yesterday by the beatles" or "the last week of school", and where it ends: it may take in
// words behind the time. led tells whether a preposition of time stands before it.
func (r *reader) topic(led bool, start, end int) (last int, ok bool) {
	t := r.tongue
	day := func(i int) int { return max(r.has(t.today, i), r.has(t.yesterday, i)) }
	if end < len(r.words) && !r.words[end].parted { // last week tonight, yesterday and today
		and := r.has(t.and, end)
		if n := day(end + and); n > 0 && (!led || and == 0) && r.free(start, end+and+n) {
			return end + and + n, true
		}
	}
	asked := start > 0 && !r.words[start].parted && r.isNews(start-1)
	// Of times of a day only English has titles: this morning, last night.
	single := max(day(start), r.has(t.before2, start)) == end-start && (end-start == 1 || t.code == "en")
	if !single {
		// Not the last month of pregnancy, but the news of the last week of the war.
		if !asked && r.has(t.belongs, end) > 0 && !r.words[end].parted && !r.numbered(start, end) {
			return end, true
		}
		return 0, false
	}
	first := r.words[start]
	raw := strings.ToLower(r.raw(start, end))
	switch {
	case led, asked, end == len(r.words), r.words[end].parted,
		r.words[end].op != "", r.words[end].minus, r.words[end].use == taken, r.words[end].use == left, r.words[end].use == polite,
		strings.HasSuffix(raw, "'s"), strings.HasSuffix(raw, "’s"), strings.HasPrefix(first.key, "heutig"), strings.HasPrefix(first.key, "gestrig"),
		r.isNews(end), r.has(t.results, end) > 0,
		t.code != "en" && r.has(t.question, 0) > 0: // was hat er gestern gesagt
		return 0, false
	case r.words[end].quoted, !isStop(r.words[end].text, t.code), r.has(t.by, end) > 0,
		start == 0 && r.has(t.inLand, end)+r.has(t.on, end)+r.has(t.about, end)+r.has(t.in, end) == 0: // not "gestern war heute"
		k := end
		for k < len(r.words) && r.at(k) != "" && isStop(r.words[k].text, t.code) && r.has(t.belongs, k)+r.has(t.articles, k) == 0 && r.words[k].key != "by" {
			k++ // yesterday once more
		}
		return k, true
	}
	return 0, false
}

// isNews tells whether word i is what people look for as of a day.
func (r *reader) isNews(i int) bool {
	t := r.tongue
	return r.has(t.news, i)+r.has(t.pages, i)+r.has(t.fresh, i) > 0
}

// numbered tells whether a number stands among the words [i, j).
func (r *reader) numbered(i, j int) bool {
	for ; i < j; i++ {
		if _, n := r.number(i); n > 0 {
			return true
		}
	}
	return false
}

// back reads "today", "last week", "the past 3 days" without its preposition. e is empty
// when no placeholder holds it, exact tells whether a placeholder says just that, and n is
// how many words it has.
func (r *reader) back(i int, b side) (e ends, exact bool, n int) {
	t := r.tongue
	if n := r.has(t.before2, i); n > 0 {
		return lastWeek, false, n
	}
	if n := r.has(t.today, i); n > 0 {
		return thisDay, true, n
	}
	if n := r.has(t.yesterday, i); n > 0 {
		return lastDay, true, n
	}
	j := i
	if n := r.has(t.agoBefore, j); n > 0 { // vor 3 Tagen
		count, digits := r.number(j + n)
		if unit, u := r.named(t.units, j+n+digits); digits > 0 && u > 0 {
			// What was 80 years ago is a topic.
			if e, _ := span(unit, count); e != (ends{}) {
				return e, false, n + digits + u
			}
			return ends{}, false, 0
		}
	}
	this := r.has(t.this, j)
	last := r.has(t.last, j)
	if last > 0 || b == since {
		if d := r.has(t.weekdays, j+last); d > 0 {
			return lastWeek, false, last + d
		}
	}
	if this > 0 {
		if unit, u := r.named(t.units, j+this); u > 0 && unit != "day" && unit != "hour" && r.has(t.lastAfter, j+this+u) == 0 {
			e, _ := span(unit, "1")
			return e, false, this + u
		}
	}
	// last 7 days, 7 derniers jours, semaine dernière, 3 days ago
	j += last
	count, digits := r.number(j)
	j += digits
	if last == 0 && digits > 0 {
		last = r.has(t.last, j)
		j += last
	}
	unit, u := r.named(t.units, j)
	if u == 0 {
		return ends{}, false, 0
	}
	j += u
	ago := r.has(t.agoAfter, j)
	if last == 0 && ago == 0 {
		last = r.has(t.lastAfter, j)
		j += last
	}
	switch {
	case digits == 0 && ago == 0 && last == 0, ago > 0 && digits == 0 && !r.one(i):
		return ends{}, false, 0
	case digits == 0 && unit == "day": // the last day of school
		return ends{}, false, 0
	case last > 0:
		e, exact = span(unit, count)
	case ago > 0:
		if e, _ = span(unit, count); e == (ends{}) {
			return e, false, 0
		}
		j += ago
	case b == since: // seit 3 Tagen
		e, exact = span(unit, count)
	default:
		return ends{}, false, 0
	}
	return e, exact, j - i
}

// one tells whether an article that means one stands before word i: a week ago.
func (r *reader) one(i int) bool { return i > 0 && r.has(r.tongue.articles, i-1) > 0 }

// number reads a number at word i; without one it is 1, of no words.
func (r *reader) number(i int) (count string, n int) {
	if name, n := r.named(r.tongue.numbers, i); n > 0 {
		return name, n
	}
	if key := r.at(i); key != "" && len(key) <= 3 && strings.Trim(key, "0123456789") == "" {
		return key, 1
	}
	return "1", 0
}

// span is the smallest range of placeholders that holds the last count units, and whether
// it is just that; empty when there is none.
func span(unit, count string) (e ends, exact bool) {
	c, err := strconv.Atoi(count)
	if err != nil { // a few
		c = map[string]int{"hour": 5, "day": 5, "week": 4}[unit]
		if c == 0 {
			return ends{}, false
		}
	}
	days := c
	switch unit {
	case "hour":
		days = (c + 23) / 24
	case "week":
		days = 7 * c
	case "month":
		days = 30 * c
	case "year":
		return ends{}, false
	}
	switch {
	case days < 1:
		return ends{}, false
	case days == 1:
		return lastDay, false
	case days <= 7:
		return lastWeek, days == 7 && unit != "hour"
	case days <= 30:
		return lastMonth, days == 30 && unit != "hour"
	}
	return ends{}, false
}

// isName tells whether the relative time in [start, end) is a name by its capitals: USA
// Today, Last Week Tonight with John Oliver. Its preposition begins at i.
func (r *reader) isName(i, start, end int) bool {
	if !r.cased || i > 0 && r.words[i].parted || r.has(r.tongue.weekdays, end-1) > 0 {
		return false
	}
	capital := func(k int) bool {
		first, _ := utf8.DecodeRuneInString(r.words[k].text)
		return unicode.IsUpper(first)
	}
	if start > 0 {
		return capital(start)
	}
	if r.tongue.code == "de" || end-start < 2 {
		return false
	}
	for k := start; k < end; k++ {
		if !capital(k) {
			return false
		}
	}
	return true
}

// days is a time that names its days.
type days struct {
	from, to time.Time
	month    bool // a month at least is named
	day      bool // a day is named
	vague    bool // wider than what was said
}

// explicit reads a time that names days, months or years at word i and returns how many
// words it has; 0 when there is none.
func (r *reader) explicit(i int) int {
	if r.at(i) == "" {
		return 0
	}
	t := r.tongue
	if n := r.has(t.between, i); n > 0 {
		if m := r.rangeOf(i, i+n, t.and); m > 0 {
			return m
		}
	}
	if n := r.has(t.from, i); n > 0 {
		if m := r.rangeOf(i, i+n, t.to); m > 0 {
			return m
		}
	}
	if n := r.has(t.inYear, i); n > 0 {
		if d, m := r.date(i + n); m > 0 && !d.month {
			j := i + n + m
			if o := r.has(t.onwards, j); o > 0 && r.has(t.from, i) > 0 && r.onlyYear(i, j+o) {
				return r.tellDays(d, since, i, j+o)
			}
			// Who won in 1998: of what happened then pages of any year tell.
			if r.onlyYear(i, j) && r.has(t.event, 0) == 0 {
				return r.tellDays(d, within, i, j)
			}
			return 0
		}
	}
	b, n := r.lead(i)
	if n == 0 {
		return r.bareRange(i)
	}
	d, m := r.date(i + n)
	if m == 0 {
		if b != within {
			return r.undated(i, n)
		}
		return 0
	}
	j := i + n + m
	if !d.month && (b == within || !r.onlyYear(i, j)) {
		return 0
	}
	if b == within && r.has(t.from, i) > 0 {
		if o := r.has(t.onwards, j); o > 0 {
			b, j = since, j+o
		} else if d.day && t.code == "en" { // from 1 March 2024
			b = since
		}
	}
	return r.tellDays(d, b, i, j)
}

// undated reads a month or a day without a year behind a preposition that bounds a time:
// since March. Which year is meant only a clock can tell.
func (r *reader) undated(i, n int) int {
	start := r.skip(r.tongue.articles, i+n)
	for m := min(3, len(r.words)-start); m > 0; m-- {
		// A short name of a month alone may be a person's, Jan; may and march are verbs.
		key := r.words[start].key
		if m == 1 && (len(key) < 4 || isDigit(key[0]) || r.words[start].text == "march") {
			continue
		}
		if r.free(start, start+m) {
			if _, ok := r.parse(r.raw(start, start+m) + " 2024"); ok {
				return r.omit(i, start+m, noYear)
			}
		}
	}
	return 0
}

// onlyYear tells whether a year that ends before word j, behind the preposition at i,
// stands for itself: nothing is named after it, as in "the 2022 FIFA World Cup".
func (r *reader) onlyYear(i, j int) bool {
	if j >= len(r.words) {
		return true
	}
	w := &r.words[j]
	if w.parted || w.quoted || w.or || w.minus || w.op != "" || w.use != content || isStop(w.text, r.tongue.code) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(w.text)
	return i == 0 && !unicode.IsUpper(first)
}

// rangeOf reads "X and Y" from word j on; the whole begins at word i.
func (r *reader) rangeOf(i, j int, and phrases) int {
	for k := j + 1; k < min(j+7, len(r.words)); k++ {
		n := r.has(and, k)
		if n == 0 {
			continue
		}
		y := k + n
		if m := max(r.has(r.tongue.now, y), r.has(r.tongue.today, y)); m > 0 {
			if d, whole := r.date(j); whole == k-j {
				return r.tell(ends{after: d.from.Format(time.DateOnly)}, i, y+m)
			}
			continue
		}
		last, m := r.date(y)
		if m == 0 {
			continue
		}
		first, whole := r.date(j)
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
		return r.tellDays(days{from: first.from, to: last.to, month: true, vague: first.vague || last.vague}, within, i, y+m)
	}
	return 0
}

// complete reads the words [j, k) with what they leave out and the words [y, end) say: the
// year of "January and March 2024", the month of "3 and 12 March 2024".
func (r *reader) complete(j, k, y, end int) (days, bool) {
	j = r.skip(r.tongue.articles, j)
	if j >= k {
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
	if _, n := r.date(i); n > 0 && r.has(r.tongue.to, i+n) > 0 {
		if m := r.rangeOf(i, i, r.tongue.to); m > 0 {
			return m
		}
	}
	if from, to, ok := strings.Cut(r.words[i].key, ".."); ok {
		first, ok1 := r.parse(from)
		last, ok2 := r.parse(to)
		if ok1 && ok2 && !last.to.Before(first.from) {
			return r.tellDays(days{from: first.from, to: last.to, vague: first.vague || last.vague}, within, i, i+1)
		}
	}
	for n := min(2, len(r.words)-i); n > 0; n-- {
		raw := r.raw(i, i+n)
		if !r.free(i, i+n) || len(raw) < len("2019-2021") || strings.Trim(raw, "0123456789-–— ") != "" {
			continue
		}
		if d, ok := r.parse(raw); ok && !d.month && d.from.Year() != d.to.Year() && d.to.Year() <= lastYear {
			return r.tellDays(d, within, i, i+n)
		}
	}
	return 0
}

// date reads a day, a month, a quarter or a year at word i, and how many words it has.
func (r *reader) date(i int) (d days, n int) {
	t := r.tongue
	start := i
	i += r.has(t.quarters, i)
	vague := i > start
	i = r.skip(t.articles, i)
	article := i > start && !vague
	if m := r.has(t.yearWords, i); m > 0 {
		i, article = i+m, false
	}
	if key := r.at(i); strings.HasPrefix(key, "mid-") { // mid-2023
		vague = true
	}
	if d, n := r.year(i); n > 0 && !article {
		d.vague = vague
		if m, n2 := r.whole(i); n2 > n {
			d, n = m, n2
			d.vague = d.vague || vague
		}
		return d, i + n - start
	}
	if key := r.at(i); len(key) == 2 && key[0] == 'q' && key[1] >= '1' && key[1] <= '4' {
		if d, n := r.year(i + 1); n > 0 {
			d.from = d.from.AddDate(0, 3*int(key[1]-'1'), 0)
			d.to, d.month = d.from.AddDate(0, 3, -1), true
			return d, i + 1 + n - start
		}
	}
	d, n = r.whole(i)
	if n == 0 || !d.month {
		return days{}, 0
	}
	d.vague = d.vague || vague
	return d, i + n - start
}

// year reads a year alone at word i.
func (r *reader) year(i int) (d days, n int) {
	key := strings.TrimPrefix(r.at(i), "mid-")
	y, err := strconv.Atoi(key)
	if err != nil || len(key) != 4 || y < firstYear || y > lastYear {
		return days{}, 0
	}
	d.from = time.Date(y, time.January, 1, 0, 0, 0, 0, time.UTC)
	d.to = d.from.AddDate(1, 0, -1)
	return d, 1
}

// whole reads the date at word i that value.Find knows, and how many words it has.
func (r *reader) whole(i int) (d days, n int) {
	const longest = 6 // the 5th of March in 2024
	digits := 0
	for n < min(longest, len(r.words)-i) && r.free(i+n, i+n+1) {
		for _, c := range []byte(r.words[i+n].key) {
			if isDigit(c) {
				digits++
			}
		}
		n++
	}
	if digits < len("2024") && !(digits > 1 && strings.ContainsAny(r.raw(i, i+n), "'’")) { // March '24
		return days{}, 0
	}
	raw := r.raw(i, i+n)
	v := value.Find(raw, r.lang())
	if len(v) == 0 || v[0].Start != 0 {
		return days{}, 0
	}
	end := r.words[i].start + v[0].End
	for n := 1; n <= longest && i+n <= len(r.words); n++ {
		w := &r.words[i+n-1]
		if w.start+len(strings.TrimRight(r.s[w.start:w.end], ".:!?'’")) <= end && end <= w.end {
			d, ok := daysOf(v[0])
			if !ok {
				n = 0
			}
			return d, n
		}
	}
	return days{}, 0
}

// lang is the language whose dates are read.
func (r *reader) lang() string {
	if r.tongue.code == "" {
		return r.asked
	}
	return r.tongue.code
}

// parse reads s as a date with a year.
func (r *reader) parse(s string) (days, bool) {
	v := value.Find(s, r.lang())
	if len(v) != 1 || v[0].Start != 0 || v[0].End != len(s) {
		return days{}, false
	}
	return daysOf(v[0])
}

// daysOf is a value that is a date with a year, not before the first one.
func daysOf(v value.Value) (days, bool) {
	if v.Type != "date" {
		return days{}, false
	}
	var d days
	readings := strings.Split(v.Norm, "|")
	for _, reading := range readings {
		from, to, ranged := strings.Cut(reading, "/")
		if !ranged {
			to = from
		}
		first, ok1 := period(from)
		last, ok2 := period(to)
		if !ok1 || !ok2 || first.from.Year() < firstYear {
			return days{}, false
		}
		first.to = last.to
		if !d.from.IsZero() { // read in two ways
			if d.from.Before(first.from) {
				first.from = d.from
			}
			if d.to.After(first.to) {
				first.to = d.to
			}
		}
		d = first
	}
	d.vague = len(readings) > 1
	return d, true
}

// period reads a date as value.Find writes it: 2024-03-05, 2024-03 or 2024.
func period(iso string) (d days, ok bool) {
	iso, _, _ = strings.Cut(iso, "T")
	for _, f := range []struct {
		layout                string
		years, months, length int
	}{{time.DateOnly, 0, 0, 1}, {"2006-01", 0, 1, 0}, {"2006", 1, 0, 0}} {
		if from, err := time.Parse(f.layout, iso); err == nil {
			d.from, d.to = from, from.AddDate(f.years, f.months, f.length-1)
			d.day, d.month = f.length == 1, f.years == 0
			return d, true
		}
	}
	return d, false
}

// tellDays is tell for days, of which b counts.
func (r *reader) tellDays(d days, b side, i, j int) int {
	const iso = time.DateOnly
	e := ends{d.from.Format(iso), d.to.Format(iso)}
	switch b {
	case within:
		if d.from.Equal(d.to) { // one day
			e.before = d.to.AddDate(0, 0, 1).Format(iso)
		}
	case since:
		e.before = ""
	case until:
		e.after = ""
	case after: // of what is vague, the whole is let in
		if e.before = ""; !d.vague {
			e.after = d.to.AddDate(0, 0, 1).Format(iso)
		}
	case before:
		if e.after = ""; !d.vague {
			e.before = d.from.AddDate(0, 0, -1).Format(iso)
		}
	}
	if d.vague {
		return r.approximate(e, i, j)
	}
	return r.tell(e, i, j)
}
