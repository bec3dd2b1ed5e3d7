package value

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"wstk/shared/text"
)

// monthTables are the names of months by language, "" for any.
var monthTables = sync.OnceValue(func() map[string]*wordTable[time.Month] {
	all := map[string]map[string]time.Month{}
	for _, row := range wordRows() {
		if row.kind != "month" {
			continue
		}
		if all[row.lang] == nil {
			all[row.lang] = map[string]time.Month{}
		}
		row.each(func(word string, n float64) { all[row.lang][word] = time.Month(n) })
	}
	// A page in an unknown language, or an English passage on another page:
	// full names that mean one month everywhere.
	union := map[string]time.Month{}
	clash := map[string]bool{}
	for lang, m := range all {
		for name, k := range m {
			if old, ok := union[name]; ok && old != k {
				clash[name] = true
			}
			if len(name) > 3 || lang == "en" {
				union[name] = k
			}
		}
	}
	for name := range clash {
		delete(union, name)
	}
	for name, k := range all["en"] {
		union[name] = k
	}
	all[""] = union
	all["nb"], all["nn"] = all["no"], all["no"]
	tables := map[string]*wordTable[time.Month]{}
	for lang, m := range all {
		tables[lang] = tableOf(m)
	}
	return tables
})

// Month returns the month that a word of a language names, whatever its case; 0 when it
// names none. lang is an ISO 639-1 code.
func Month(word, lang string) time.Month {
	return monthTables()[lang].get(strings.ToLower(word))
}

// month returns the month named at lexeme i, and where the name ends, behind a
// point that abbreviates it. English month names are also words (may, march) and
// count only with a capital; sure skips that test.
func (v *valuer) month(i int, sure bool) (time.Month, int) {
	l := v.at(i)
	if l.kind != lexWord || l.lower == "" || v.hangsOn(i+1) {
		return 0, 0
	}
	m := v.months.get(l.lower)
	if m == 0 {
		m = anyMonths().get(l.lower)
	}
	if m == 0 || l.text == l.lower && !sure && !v.smallMonth(l.lower) {
		return 0, 0
	}
	to := i + 1
	if v.at(to).text == "." && v.glued(to) && len(l.text) <= 5 {
		to++
	}
	return m, to
}

// anyMonths are the names of months in a text of any language.
var anyMonths = sync.OnceValue(func() *wordTable[time.Month] { return monthTables()[""] })

// smallMonth reports whether a month in small letters is one, though English ones begin
// with a capital: where English has no such month, and all but two where the language is
// not known.
func (v *valuer) smallMonth(word string) bool {
	if v.lang == "" {
		return word != "may" && word != "march"
	}
	return v.months.get("march") == 0
}

// smallNumber returns the plain digits at lexeme i as a number, -1 for others.
func (v *valuer) smallNumber(i int) int {
	l := v.at(i)
	if l.kind != lexNumber || len(l.lower) > 4 {
		return -1
	}
	n, err := strconv.Atoi(l.lower)
	if err != nil {
		return -1
	}
	return n
}

// yearAt reads a year of four digits, or '24, at lexeme i.
func (v *valuer) yearAt(i int) (year, to int) {
	l := v.at(i)
	if (l.text == "'" || l.text == "’") && v.glued(i+1) && len(v.at(i+1).lower) == 2 {
		if n := v.smallNumber(i + 1); n >= 0 && !v.hangsOn(i+2) {
			return fullYear(n), i + 2
		}
	}
	if len(l.lower) != 4 || v.hangsOn(i+1) && v.at(i+1).
		kind == lexNumber || v.decimals(i+1) || v.hangsOn(i+1) {
		return 0, 0
	}
	n := v.smallNumber(i)
	if n < 1000 || n > 2999 {
		return 0, 0
	}
	return n, i + 1
}

// decimals reports whether a separator and digits hang on at lexeme i.
func (v *valuer) decimals(i int) bool {
	t := v.at(i).text
	return v.glued(i) && (t == "." || t == "," || t == "/" || t == ":") && v.glued(i+1) &&
		v.at(i+1).kind == lexNumber
}

// fullYear gives two digits their century: 69 to 99 are 1969 to 1999.
func fullYear(n int) int {
	if n < 69 {
		return 2000 + n
	}
	return 1900 + n
}

func validDate(y, m, d int) bool {
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return false
	}
	if y == 0 {
		y = 2000 // a leap year: 29 February may be meant
	}
	return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Day() == d
}

// dateNorm writes a date as ISO 8601 does, with what is not known left out:
// 2024-03-05, 2024-03, 2024, --03-05.
func dateNorm(y, m, d int) string {
	switch {
	case y == 0:
		return fmt.Sprintf("--%02d-%02d", m, d)
	case m == 0:
		return fmt.Sprintf("%04d", y)
	case d == 0:
		return fmt.Sprintf("%04d-%02d", y, m)
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

// numberDates are the dates that begin with digits, wordDates those that begin with a
// word. The first form that fits is taken.
var (
	numberDates = sync.OnceValue(func() *formTable {
		return newFormTable(
			forms(hanFits,
				"{yyyy}_{年}_{m}_{月}_{d}_{日}",
				"{yyyy}_{年}_{m}_{月}",
				"{yyyy}_{年}",
				"{m}_{月}_{d}_{日}"),
			forms(dayFits, // ISO 8601
				"{yyyy}-{m}-{d}t{hh}:{mi}[:{ss}[{fraction}]][_{tz}]",
				"{yyyy}-{m}-{d} {hh}:{mi}[:{ss}[{fraction}]][_{tz}]"),
			forms(numericFits,
				"{yyyy}-{m}-{d}",
				"{yyyy}/{m}/{d}",
				"{yyyy}.{m}.{d}",
				"{d}._{m}._{yyyy}",
				"{dd}.{mm}.{yy}"),
			forms(slashFits,
				"{d}/{m?}/{yyyy}",
				"{d}/{m?}/{yy}",
				"{d}-{m?}-{yyyy}"),
			forms(dayFits, // 5 March 2024, 5. März, 5 de marzo de 2024, 5th–7th of March
				"{d}{th}[_{to}_{d2}[{th}]][ {of}]_{month}[_,][_{of}]_{year}",
				"{d}[_{to}_{d2}[{th}]][ {of}] {month}[_,][_{of}]_{year}",
				"{d}-{month}-{year}",
				"{d}{th}[_{to}_{d2}[{th}]][ {of}]_{month}",
				"{d}[_{to}_{d2}[{th}]] {of}_{month}",
				"{d}[_{to}_{d2}[{th}]] {Month}",
				"{d}-{Month}"),
			forms(nil, "{n} {era}"),
			forms(spanFits,
				"{yyyy}{to}{y2}",
				"{yyyy} {to} {y2}"),
			forms(nextYearFits,
				"{yyyy}{to}{yy2}"),
			forms(decadeFits,
				"{yyyy}s",
				"{yyyy}'s"),
			forms(yearFits, "{yyyy}"),
		)
	})
	wordDates = sync.OnceValue(func() *formTable {
		return newFormTable(
			forms(nil, // March 2024, marzo de 2024
				"{month} {year}",
				"{Month}[_,][_{of}]_{year}",
				"{Month}-{year}"),
			forms(dayFits, // March 5, 2024, March 5–7, Sept. 5th
				"{Month} {d}[{nd}][_{to}_{d2}]_,[_{in}]_{year}",
				"{Month} {d}[{nd}][_{to}_{d2}][ {in}] {year}",
				"{Month.}{d}[{nd}][ {in}] {year}"),
			forms(monthDayFits,
				"{Month} {d}[{nd}][_{to}_{d2}]",
				"{Month.}{d}[{nd}]"),
			forms(standsAlone, "{AD} {n}"),
		)
	})
)

// date reads a date at lexeme i.
func (v *valuer) date(i int) (Value, int) {
	l := v.at(i)
	f := &v.found
	ok := false
	switch {
	case l.kind == lexNumber:
		ok = len(l.lower) <= 4 && !v.stuck(i) && v.match(numberDates(), i, f)
	case l.kind == lexWord:
		m, _ := v.month(i, true)
		ok = (m != 0 || l.text == "AD") && !v.hangsBefore(i) && v.match(wordDates(), i, f)
	}
	if !ok {
		return Value{}, 0
	}
	return v.dateOf(f), f.to
}

// dateOf makes the value of a date that was found.
func (v *valuer) dateOf(f *found) Value {
	y, m, d := f.get(yearOf), f.get(monthOf), f.get(dayOf)
	var at *time.Time
	norm := dateNorm(y, m, d)
	switch {
	case f.get(eraOf) < 0: // ISO 8601 counts a year 0: 44 BC is -0043
		if norm = "0000"; y > 1 {
			norm = fmt.Sprintf("-%04d", y-1)
		}
	case f.has(lastYear):
		norm += "/" + dateNorm(f.get(lastYear), 0, 0)
	case f.has(lastDay):
		norm += "/" + dateNorm(y, m, f.get(lastDay))
	case f.has(otherMonth):
		norm = min(norm, dateNorm(y, d, m)) + "|" + max(norm, dateNorm(y, d, m))
	case y != 0 && m != 0 && d != 0:
		t := time.Date(y, time.Month(m), d, f.get(hourOf), f.get(minuteOf),
			f.get(secondOf), 0, time.UTC)
		if f.has(hourOf) {
			norm = t.Format("2006-01-02T15:04:05")
		}
		if f.has(offset) {
			t = t.Add(-time.Duration(f.get(offset)) * time.Minute)
			norm = t.Format("2006-01-02T15:04:05Z")
		}
		at = &t
	}
	val := v.value("date", f.from, f.to, nil, "", norm)
	val.Time = at
	return val
}

// dayFits reports whether the days that were read are days of their month, in order.
func dayFits(_ *valuer, f *found) bool {
	y, m, last := f.get(yearOf), f.get(monthOf), f.get(lastDay)
	return validDate(y, m, f.get(dayOf)) &&
		(last == 0 || last > f.get(dayOf) && validDate(y, m, last))
}

// monthDayFits is dayFits for March 5 without a year: not March 5,000.
func monthDayFits(v *valuer, f *found) bool { return dayFits(v, f) && standsAlone(v, f) }

// hanFits: 2024年3月5日, but 5日間 and 20年間 are durations.
func hanFits(v *valuer, f *found) bool {
	next := v.at(f.to).text
	return next != "間" && next != "间" && (!f.has(dayOf) || dayFits(v, f))
}

// numericFits: three numbers make a date where no further number or letter hangs on.
func numericFits(v *valuer, f *found) bool {
	next := v.at(f.to)
	chain := v.glued(f.to) && next.text == "-" && v.glued(f.to+1) && v.at(f.to+1).kind == lexNumber
	return dayFits(v, f) && !chain && !v.decimals(f.to) && (!v.hangsOn(f.to) || next.lower == "t")
}

// slashFits decides which of two numbers is the day: 05/03/2024.
func slashFits(v *valuer, f *found) bool {
	swapped := *f
	swapped.n[dayOf], swapped.n[monthOf] = f.n[monthOf], f.n[dayOf]
	dayFirst, monthFirst := numericFits(v, f), numericFits(v, &swapped)
	if dayFirst && monthFirst && f.n[dayOf] != f.n[monthOf] {
		switch v.dayFirst() {
		case -1:
			*f = swapped
		case 0:
			f.n[otherMonth] = f.n[dayOf]
		}
	} else if monthFirst {
		*f = swapped
	}
	return dayFirst || monthFirst
}

// dayFirst says how a language writes 05/03/2024: 1 for day first, -1 for month first,
// 0 where both are usual.
func (v *valuer) dayFirst() int {
	if order, ok := dateOrders[v.lang+"-"+v.region]; ok {
		return order
	}
	if order, ok := dateOrders[v.lang]; ok {
		return order
	}
	if v.region == "US" {
		return 0
	}
	return 1
}

// dateOrders are the languages, with regions or without, that do not put the day first
// everywhere (CLDR, dateFormats short). English is British with any other region.
var dateOrders = map[string]int{"en-US": -1, "en-PH": -1, "en-": 0, "en-CA": 0, "": 0, "zh": 0,
	"ja": 0, "ko": 0, "hu": 0, "lt": 0}

// yearWords stand before a year that stands alone.
var yearWords = text.WordSet(
	"in since until till by before after during circa ca around early late year summer winter",
	"spring autumn fall copyright en desde hasta año depuis vers année l'an im seit bis jahr",
	"jahre um nel dal anno em ano sinds jaar i år sedan в с до к около")

var yearTails = text.WordSet("году года год г гг годов")

var eras = map[string]int{"bc": -1, "bce": -1, "ad": 1, "ce": 1}

// yearEnds reports whether nothing hangs on the year that ends before lexeme to.
func (v *valuer) yearEnds(to int) bool {
	return !v.hangsOn(to) && !v.decimals(to) && !(v.glued(to) && v.at(to).text == "-")
}

// standsAlone reports whether no digits or letters hang on what was found.
func standsAlone(v *valuer, f *found) bool { return !v.hangsOn(f.to) && !v.decimals(f.to) }

// spanFits: 2010–2015, two years that nothing says are amounts.
func spanFits(v *valuer, f *found) bool {
	from, to := f.get(yearOf), f.get(lastYear)
	return from >= 1500 && to > from && to-from < 500 && v.yearEnds(f.to) && !v.measured(f.to-1)
}

// nextYearFits: 2013–14 names the next year only.
func nextYearFits(v *valuer, f *found) bool {
	y, next := f.get(yearOf), f.get(lastYear)
	f.n[lastYear] = int32(y + 1)
	return y >= 1500 && y <= 2099 && next == (y+1)%100 && v.yearEnds(f.to)
}

// decadeFits: the 1990s are ten years, the 1800s a hundred.
func decadeFits(v *valuer, f *found) bool {
	y := f.get(yearOf)
	if f.n[lastYear] = int32(y + 9); y%100 == 0 && y < 2000 {
		f.n[lastYear] = int32(y + 99)
	}
	return y%10 == 0 && y <= 2099 && !v.hangsOn(f.to)
}

// yearFits: four digits are a year where the words around say so, and nothing is counted.
func yearFits(v *valuer, f *found) bool {
	y, before := f.get(yearOf), v.at(f.from-1).lower
	switch {
	case y > 2099 || v.decimals(f.to) || v.hangsOn(f.to):
		return false
	case yearTails[v.at(f.to).lower]:
		return true
	case y < 1500 && before != "year" && before != "circa":
		return false
	}
	return v.yearSaid(f.from) && !v.measured(f.from)
}

// yearSaid reports whether what stands around the digits at lexeme i says that they are a
// year: in 2024, © 2024, (2024), mid-2024.
func (v *valuer) yearSaid(i int) bool {
	before := v.at(i - 1)
	if !v.glued(i) {
		return yearWords[before.lower] || before.text == "©"
	}
	switch before.text {
	case "©":
		return true
	case "(":
		return v.glued(i+1) && v.at(i+1).text == ")"
	case "-":
		return v.at(i-2).lower == "mid"
	}
	return false
}

// era reads BC, B.C., AD and so on at lexeme i.
func (v *valuer) era(i int) (sign, to int) {
	l := v.at(i)
	if l.kind != lexWord || !l.gap || l.text != strings.ToUpper(l.text) {
		return 0, 0
	}
	if s, ok := eras[l.lower]; ok {
		return s, i + 1
	}
	if v.at(i+1).text == "." && v.glued(i+1) && v.glued(i+2) {
		if s, ok := eras[l.lower+v.at(i+2).lower]; ok && len(l.lower) == 1 {
			to := i + 3
			if v.at(to).text == "." && v.glued(to) {
				to++
			}
			return s, to
		}
	}
	return 0, 0
}

// measured reports whether the digits at lexeme i count something: a unit or a
// currency follows.
func (v *valuer) measured(i int) bool {
	n := number{value: 2, from: i, to: i + 1, integer: true}
	if _, to := v.quantityUnit(n); to > 0 {
		return true
	}
	if _, _, to := v.currencyAt(i+1, false); to > 0 {
		return true
	}
	_, to := v.multiplier(i + 1)
	return to > 0
}
