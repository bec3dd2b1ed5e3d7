package value

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"wstk/shared/text"
)

// monthNames by language; several spellings of a month are joined by |. Short
// ones may have a point behind.
var monthNames = map[string]string{
	"en": "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept october|oct november|nov december|dec",
	"es": "enero|ene febrero|feb marzo|mar abril|abr mayo|may junio|jun julio|jul agosto|ago septiembre|setiembre|sep|sept octubre|oct noviembre|nov diciembre|dic",
	"fr": "janvier|janv février|févr|fév|fevrier mars avril|avr mai juin juillet|juil août|aout septembre|sept octobre|oct novembre|nov décembre|déc|decembre",
	"de": "januar|jan|jänner februar|feb|feber märz|mär|maerz april|apr mai juni|jun juli|jul august|aug september|sep|sept oktober|okt november|nov dezember|dez",
	"it": "gennaio|gen febbraio|feb marzo|mar aprile|apr maggio|mag giugno|giu luglio|lug agosto|ago settembre|set|sett ottobre|ott novembre|nov dicembre|dic",
	"pt": "janeiro|jan fevereiro|fev março|mar abril|abr maio|mai junho|jun julho|jul agosto|ago setembro|set outubro|out novembro|nov dezembro|dez",
	"nl": "januari|jan februari|feb maart|mrt april|apr mei juni|jun juli|jul augustus|aug september|sep|sept oktober|okt november|nov december|dec",
	"sv": "januari|jan februari|feb mars|mar april|apr maj juni|jun juli|jul augusti|aug september|sep|sept oktober|okt november|nov december|dec",
	"no": "januar|jan februar|feb mars|mar april|apr mai juni|jun juli|jul august|aug september|sep|sept oktober|okt november|nov desember|des",
	"da": "januar|jan februar|feb marts|mar april|apr maj juni|jun juli|jul august|aug september|sep|sept oktober|okt november|nov december|dec",
	"fi": "tammikuu|tammikuuta|tammikuun helmikuu|helmikuuta|helmikuun maaliskuu|maaliskuuta|maaliskuun huhtikuu|huhtikuuta|huhtikuun toukokuu|toukokuuta|toukokuun kesäkuu|kesäkuuta|kesäkuun heinäkuu|heinäkuuta|heinäkuun elokuu|elokuuta|elokuun syyskuu|syyskuuta|syyskuun lokakuu|lokakuuta|lokakuun marraskuu|marraskuuta|marraskuun joulukuu|joulukuuta|joulukuun",
	"ru": "январь|января|январе|янв февраль|февраля|феврале|фев март|марта|марте|мар апрель|апреля|апреле|апр май|мая|мае июнь|июня|июне|июн июль|июля|июле|июл август|августа|августе|авг сентябрь|сентября|сентябре|сен|сент октябрь|октября|октябре|окт ноябрь|ноября|ноябре|ноя декабрь|декабря|декабре|дек",
	"uk": "січень|січня лютий|лютого березень|березня квітень|квітня травень|травня червень|червня липень|липня серпень|серпня вересень|вересня жовтень|жовтня листопад|листопада грудень|грудня",
	"pl": "styczeń|stycznia luty|lutego marzec|marca kwiecień|kwietnia maj|maja czerwiec|czerwca lipiec|lipca sierpień|sierpnia wrzesień|września październik|października listopad|listopada grudzień|grudnia",
	"cs": "leden|ledna únor|února březen|března duben|dubna květen|května červen|června červenec|července srpen|srpna září říjen|října listopad|listopadu prosinec|prosince",
	"tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
	"hu": "január|jan február|febr március|márc április|ápr május|máj június|jún július|júl augusztus|aug szeptember|szept október|okt november|nov december|dec",
	"ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
}

var monthTables = sync.OnceValue(func() map[string]map[string]time.Month {
	all := map[string]map[string]time.Month{}
	for lang, list := range monthNames {
		m := map[string]time.Month{}
		for k, names := range strings.Fields(list) {
			for _, name := range strings.Split(names, "|") {
				m[name] = time.Month(k + 1)
			}
		}
		all[lang] = m
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
	return all
})

// Month returns the month that a word of a language names, whatever its case; 0 when it
// names none. lang is an ISO 639-1 code.
func Month(word, lang string) time.Month { return monthTables()[lang][strings.ToLower(word)] }

// month returns the month named at lexeme i, and where the name ends, behind a
// point that abbreviates it. English month names are also words (may, march) and
// count only with a capital; sure skips that test.
func (v *valuer) month(i int, sure bool) (time.Month, int) {
	l := v.at(i)
	if l.kind != lexWord || l.lower == "" || v.hangsOn(i+1) {
		return 0, 0
	}
	m, ok := v.months[l.lower]
	if !ok {
		m, ok = monthTables()[""][l.lower]
	}
	if !ok || l.text == l.lower && !sure && v.lang != "" && v.months["march"] != 0 {
		return 0, 0
	}
	if l.text == l.lower && !sure && v.lang == "" && (l.lower == "may" || l.lower == "march") {
		return 0, 0
	}
	to := i + 1
	if v.at(to).text == "." && v.glued(to) && len(l.text) <= 5 {
		to++
	}
	return m, to
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
	if len(l.lower) != 4 || v.hangsOn(i+1) && v.at(i+1).kind == lexNumber || v.decimals(i+1) || v.hangsOn(i+1) {
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
	return v.glued(i) && (t == "." || t == "," || t == "/" || t == ":") && v.glued(i+1) && v.at(i+1).kind == lexNumber
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

func (v *valuer) dateValue(i, to, y, m, d int) (Value, int) {
	val := v.value("date", i, to, nil, "", dateNorm(y, m, d))
	if y != 0 && m != 0 && d != 0 {
		t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		val.Time = &t
	}
	return val, to
}

// date reads a date at lexeme i.
func (v *valuer) date(i int) (Value, int) {
	l := v.at(i)
	switch {
	case l.kind == lexNumber && len(l.lower) <= 4 && !v.stuck(i):
		for _, read := range []func(int) (Value, int){v.hanDate, v.numericDate, v.dayMonth, v.bareYear} {
			if val, to := read(i); to > 0 {
				return val, to
			}
		}
	case l.kind == lexWord && !v.hangsBefore(i):
		if val, to := v.monthDay(i); to > 0 {
			return val, to
		}
		if (l.text == "AD" || l.text == "A.D") && v.at(i+1).gap {
			if n := v.smallNumber(i + 1); n > 0 && !v.hangsOn(i+2) && !v.decimals(i+2) {
				return v.dateValue(i, i+2, n, 0, 0)
			}
		}
	}
	return Value{}, 0
}

// hanDate reads 2024年3月5日 and its Korean equal.
func (v *valuer) hanDate(i int) (Value, int) {
	is := func(k int, signs string) bool {
		return v.at(k).kind == lexWord && strings.Contains(signs, v.at(k).text)
	}
	y, m, d := 0, 0, 0
	k := i
	if n := v.smallNumber(k); is(k+1, "年년") && len(v.at(k).lower) == 4 && n >= 1000 && n <= 2999 && !is(k+2, "間间") {
		y = n
		k += 2
	}
	yearEnd := k
	if n := v.smallNumber(k); n >= 1 && n <= 12 && is(k+1, "月월") {
		m = n
		k += 2
		if n := v.smallNumber(k); n >= 1 && n <= 31 && is(k+1, "日일号") && !is(k+2, "間间") {
			d = n
			k += 2
		}
	}
	switch {
	case y == 0 && d == 0, m != 0 && d != 0 && !validDate(y, m, d):
		return Value{}, 0
	case m == 0:
		return v.dateValue(i, yearEnd, y, 0, 0)
	}
	return v.dateValue(i, k, y, m, d)
}

// dayFirst tells how a language writes 05/03/2024: 1 for day first, -1 for month
// first, 0 where both are usual.
func (v *valuer) dayFirst() int {
	switch v.lang {
	case "en":
		switch v.region {
		case "US", "PH":
			return -1
		case "", "CA":
			return 0
		}
		return 1
	case "", "zh", "ja", "ko", "hu", "lt":
		return 0
	}
	if v.region == "US" {
		return 0
	}
	return 1
}

// numericDate reads 2024-03-05, 05.03.2024, 3/5/2024 and date and time by ISO
// 8601.
func (v *valuer) numericDate(i int) (Value, int) {
	sep := v.at(i + 1).text
	if !v.glued(i+1) || sep != "-" && sep != "/" && sep != "." || v.at(i+3).text != sep || !v.glued(i+3) {
		return Value{}, 0
	}
	gaps := v.at(i+2).gap || v.at(i+4).gap
	a, b, c := v.smallNumber(i), v.smallNumber(i+2), v.smallNumber(i+4)
	la, lb, lc := len(v.at(i).lower), len(v.at(i+2).lower), len(v.at(i+4).lower)
	if a < 0 || b < 0 || c < 0 || lb > 2 || gaps && (sep != "." || lc != 4) {
		return Value{}, 0
	}
	to := i + 5
	if v.decimals(to) || v.glued(to) && v.at(to).text == "-" && v.glued(to+1) && v.at(to+1).kind == lexNumber {
		return Value{}, 0
	}
	if v.hangsOn(to) && v.at(to).text != "T" && v.at(to).text != "t" {
		return Value{}, 0
	}
	if la == 4 && lc <= 2 {
		if !validDate(a, b, c) || a < 1000 {
			return Value{}, 0
		}
		val, to := v.dateValue(i, to, a, b, c)
		return v.isoTime(val, i, to)
	}
	if la > 2 || lc != 4 && lc != 2 || lc == 2 && (sep == "-" || sep == "." && (la != 2 || lb != 2)) {
		return Value{}, 0
	}
	year := c
	if lc == 2 {
		year = fullYear(c)
	} else if year < 1000 {
		return Value{}, 0
	}
	dm, md := validDate(year, b, a), validDate(year, a, b)
	switch {
	case sep == "." && dm:
		return v.dateValue(i, to, year, b, a)
	case dm && md && a != b:
		switch v.dayFirst() {
		case 1:
			return v.dateValue(i, to, year, b, a)
		case -1:
			return v.dateValue(i, to, year, a, b)
		}
		one, other := dateNorm(year, a, b), dateNorm(year, b, a)
		if other < one {
			one, other = other, one
		}
		return v.value("date", i, to, nil, "", one+"|"+other), to
	case dm:
		return v.dateValue(i, to, year, b, a)
	case md && sep != ".":
		return v.dateValue(i, to, year, a, b)
	}
	return Value{}, 0
}

// isoTime adds the time behind an ISO date: T10:20:30Z, 10:20+01:00.
func (v *valuer) isoTime(val Value, i, to int) (Value, int) {
	k := to
	if t := v.at(k).text; (t == "T" || t == "t") && v.glued(k) && v.glued(k+1) {
		k++
	} else if !v.at(k).gap || v.at(k).kind != lexNumber {
		return val, to
	}
	hh, mm, ss := v.smallNumber(k), v.smallNumber(k+2), 0
	if len(v.at(k).lower) != 2 || v.at(k+1).text != ":" || !v.glued(k+1) || !v.glued(k+2) || len(v.at(k+2).lower) != 2 || hh > 24 || mm > 59 {
		return val, to
	}
	k += 3
	if v.at(k).text == ":" && v.glued(k) && v.glued(k+1) && len(v.at(k+1).lower) == 2 {
		ss = v.smallNumber(k + 1)
		k += 2
		if t := v.at(k).text; (t == "." || t == ",") && v.glued(k) && v.glued(k+1) && v.at(k+1).kind == lexNumber {
			k += 2 // parts of a second do not count
		}
	}
	if ss < 0 || ss > 60 {
		return val, to
	}
	offset := 0
	zone := ""
	switch t := v.at(k).text; {
	case (t == "Z" || t == "z") && v.glued(k):
		k++
		zone = "Z"
	case (t == "UTC" || t == "GMT") && v.at(k).gap:
		k++
		zone = "Z"
	case (t == "+" || t == "-" || t == "−") && v.glued(k) && v.glued(k+1) && v.at(k+1).kind == lexNumber:
		z := v.at(k + 1).lower
		end := k + 2
		if len(z) == 2 && v.at(end).text == ":" && v.glued(end) && v.glued(end+1) && len(v.at(end+1).lower) == 2 {
			z += v.at(end + 1).lower
			end += 2
		} else if len(z) == 2 {
			z += "00"
		}
		if len(z) == 4 && v.smallNumber(k+1) >= 0 {
			h, _ := strconv.Atoi(z[:2])
			m, _ := strconv.Atoi(z[2:])
			offset = h*60 + m
			if t != "+" {
				offset = -offset
			}
			if h <= 14 && m < 60 {
				zone = "Z"
				k = end
			}
		}
	}
	at := time.Date(val.Time.Year(), val.Time.Month(), val.Time.Day(), hh, mm, ss, 0, time.UTC)
	norm := at.Format("2006-01-02T15:04:05")
	if zone != "" {
		at = at.Add(-time.Duration(offset) * time.Minute)
		norm = at.Format("2006-01-02T15:04:05Z")
	}
	val = v.value("date", i, k, nil, "", norm)
	val.Time = &at
	return val, k
}

// ordinalMark skips what makes a day an ordinal: 5th, 1er, 5º, 5.
func (v *valuer) ordinalMark(i int) int {
	l := v.at(i)
	if !v.glued(i) {
		return i
	}
	switch l.lower {
	case "st", "nd", "rd", "th", "er", "º", "ª", "°", "o", "e", "de", "ste", "-го", "го":
		return i + 1
	case ".":
		if v.at(i+1).kind == lexWord {
			return i + 1
		}
	}
	return i
}

var ofWords = text.WordSet("of de del di den d o")

// dayMonth reads 5 March 2024, 5. März, 5 de marzo de 2024, 5th of March, and
// 5–7 March 2024.
func (v *valuer) dayMonth(i int) (Value, int) {
	day := v.smallNumber(i)
	if day < 1 || day > 31 || len(v.at(i).lower) > 2 {
		return Value{}, 0
	}
	k := v.ordinalMark(i + 1)
	ordinal := k > i+1
	last := 0
	if t := v.at(k).text; (t == "-" || t == "–") && v.at(k+1).kind == lexNumber && len(v.at(k+1).lower) <= 2 {
		if n := v.smallNumber(k + 1); n > day && n <= 31 {
			last = n
			k = v.ordinalMark(k + 2)
		}
	}
	if w := v.at(k); w.kind == lexWord && ofWords[w.lower] && w.gap {
		ordinal = true
		k++
	}
	if v.at(k).text == "-" && v.glued(k) && v.glued(k+1) { // 5-Mar-2024
		k++
	} else if !v.at(k).gap && !ordinal {
		return Value{}, 0
	}
	name := k
	m, to := v.month(k, true)
	if to == 0 {
		return Value{}, 0
	}
	y, end := 0, to
	k = to
	if v.at(k).text == "," || v.at(k).text == "-" && v.glued(k) && v.glued(k+1) {
		k++
	}
	if w := v.at(k); w.kind == lexWord && ofWords[w.lower] {
		k++
	}
	if year, e := v.yearAt(k); e > 0 {
		y, end = year, e
	}
	if y == 0 && !ordinal {
		if m2, _ := v.month(name, false); m2 == 0 {
			return Value{}, 0
		}
	}
	if !validDate(y, int(m), day) || last > 0 && !validDate(y, int(m), last) {
		return Value{}, 0
	}
	if last > 0 {
		return v.value("date", i, end, nil, "", dateNorm(y, int(m), day)+"/"+dateNorm(y, int(m), last)), end
	}
	return v.dateValue(i, end, y, int(m), day)
}

// monthDay reads March 5, 2024, March 5–7, March 2024 and Sept. 5th.
func (v *valuer) monthDay(i int) (Value, int) {
	m, to := v.month(i, true)
	if to == 0 {
		return Value{}, 0
	}
	if m2, _ := v.month(i, false); m2 == 0 {
		// may 2024, but not "may 5"
		if y, end := v.yearAt(to); end > 0 && v.at(to).gap {
			return v.dateValue(i, end, y, int(m), 0)
		}
		return Value{}, 0
	}
	k := to
	if v.at(k).text == "," || v.at(k).text == "-" && v.glued(k) {
		k++
	}
	if w := v.at(k); w.kind == lexWord && ofWords[w.lower] {
		k++
	}
	if y, end := v.yearAt(k); end > 0 {
		return v.dateValue(i, end, y, int(m), 0)
	}
	k = to
	day := v.smallNumber(k)
	if day < 1 || day > 31 || len(v.at(k).lower) > 2 || !v.at(k).gap && v.at(k-1).text != "." || v.decimals(k+1) && v.at(k+1).text != "," {
		return Value{}, 0
	}
	if v.decimals(k+1) && len(v.at(k+2).lower) != 4 {
		return Value{}, 0
	}
	if k++; v.at(k).text != "." {
		k = v.ordinalMark(k)
	}
	if v.hangsOn(k) {
		return Value{}, 0
	}
	last := 0
	if t := v.at(k).text; (t == "-" || t == "–") && v.at(k+1).kind == lexNumber && len(v.at(k+1).lower) <= 2 {
		if n := v.smallNumber(k + 1); n > day && n <= 31 && !v.hangsOn(k+2) {
			last = n
			k += 2
		}
	}
	y, end := 0, k
	if v.at(k).text == "," {
		k++
	}
	if w := v.at(k); w.kind == lexWord && (w.lower == "of" || w.lower == "in") {
		k++
	}
	if year, e := v.yearAt(k); e > 0 && (v.at(k).gap || v.at(k-1).text == ",") {
		y, end = year, e
	}
	if !validDate(y, int(m), day) || last > 0 && !validDate(y, int(m), last) {
		return Value{}, 0
	}
	if last > 0 {
		return v.value("date", i, end, nil, "", dateNorm(y, int(m), day)+"/"+dateNorm(y, int(m), last)), end
	}
	return v.dateValue(i, end, y, int(m), day)
}

// yearWords stand before a year that stands alone.
var yearWords = text.WordSet(`in since until till by before after during circa ca around early late year summer winter spring autumn fall copyright
	en desde hasta año depuis vers année l'an im seit bis jahr jahre um nel dal anno em ano sinds jaar i år sedan в с до к около`)

var yearTails = text.WordSet("году года год г гг годов")

var eras = map[string]int{"bc": -1, "bce": -1, "ad": 1, "ce": 1}

// bareYear reads a year that stands alone, where the words around say that it is
// one, a span such as 2010–2015, a decade, and 44 BC.
func (v *valuer) bareYear(i int) (Value, int) {
	l := v.at(i)
	n := v.smallNumber(i)
	if n <= 0 {
		return Value{}, 0
	}
	if era, to := v.era(i + 1); to > 0 {
		if era > 0 {
			return v.dateValue(i, to, n, 0, 0)
		}
		// ISO 8601 counts a year 0: 44 BC is -0043.
		norm := fmt.Sprintf("-%04d", n-1)
		if n == 1 {
			norm = "0000"
		}
		return v.value("date", i, to, nil, "", norm), to
	}
	if len(l.lower) != 4 || n < 1000 || n > 2099 || v.decimals(i+1) {
		return Value{}, 0
	}
	k := i + 1
	if t := v.at(k).text; (t == "-" || t == "–") && v.at(k).gap == v.at(k+1).gap {
		if m := v.smallNumber(k + 1); len(v.at(k+1).lower) == 4 && m > n && m <= 2099 && n >= 1500 && m-n < 500 && !v.hangsOn(k+2) && !v.decimals(k+2) &&
			!(v.glued(k+2) && v.at(k+2).text == "-") && !v.measured(k+1) {
			return v.value("date", i, k+2, nil, "", dateNorm(n, 0, 0)+"/"+dateNorm(m, 0, 0)), k + 2
		}
	}
	if t := v.at(k).text; (t == "-" || t == "–" || t == "/") && v.glued(k) && v.glued(k+1) && len(v.at(k+1).lower) == 2 && n >= 1500 {
		// 2013–14: the next year only
		if v.smallNumber(k+1) == (n+1)%100 && !v.hangsOn(k+2) && !v.decimals(k+2) && !(v.glued(k+2) && v.at(k+2).text == "-") {
			return v.value("date", i, k+2, nil, "", dateNorm(n, 0, 0)+"/"+dateNorm(n+1, 0, 0)), k + 2
		}
	}
	if (v.at(k).lower == "s" && v.glued(k) || v.at(k).text == "'" && v.glued(k) && v.at(k+1).lower == "s" && v.glued(k+1)) && n%10 == 0 { // 1990s
		to := k + 1
		if v.at(k).text == "'" {
			to++
		}
		if v.hangsOn(to) {
			return Value{}, 0
		}
		span := 9
		if n%100 == 0 && n < 2000 {
			span = 99
		}
		return v.value("date", i, to, nil, "", dateNorm(n, 0, 0)+"/"+dateNorm(n+span, 0, 0)), to
	}
	if v.hangsOn(k) {
		return Value{}, 0
	}
	if yearTails[v.at(k).lower] {
		return v.dateValue(i, k, n, 0, 0)
	}
	if n < 1500 && v.at(i-1).lower != "year" && v.at(i-1).lower != "circa" {
		return Value{}, 0
	}
	p := v.at(i - 1)
	bracketed := p.text == "(" && v.glued(i) && v.at(k).text == ")" && v.glued(k)
	if !bracketed && p.text != "©" && !(yearWords[p.lower] && v.at(i).gap) && !(p.text == "-" && v.glued(i) && v.at(i-2).lower == "mid") {
		return Value{}, 0
	}
	if v.measured(i) {
		return Value{}, 0
	}
	return v.dateValue(i, k, n, 0, 0)
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
