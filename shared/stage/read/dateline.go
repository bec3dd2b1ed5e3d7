package read

import (
	"strings"
	"time"
	"unicode"

	"wstk/shared/lexicon"
	"wstk/shared/text"
	"wstk/shared/value"
)

// dateWords are the words of a line that dates its page, changeWords those of a line that says
// when the page was last changed.
var (
	dateWords   = lexicon.Parse(labelFile).Set("dates")
	changeWords = lexicon.Parse(labelFile).Set("changes")
)

// clock is what such a line may hold besides: a time, or how long the page takes to read.
var clock = text.Pattern(`\b\d{1,2}(?::\d\d){1,2}\b|\b\d{1,2} (?:min|minutes?)\b`)

// visibleDates reads the dates of lines near the title that say nothing but when the page was
// written or changed, and by whom, for a page whose head names none: the first is that of
// publication, unless the line says that it is of a change. Dates whose day and month could be
// swapped are left out.
func (p *page) visibleDates(lang, author string) (published, modified *time.Time) {
	from, to := p.nearTitle()
	for i := from; i < to; i++ {
		if len(p.blockText(i)) > 150 {
			continue
		}
		for line := range strings.FieldsFuncSeq(p.blockText(i), isDateBreak) {
			dates := wholeDates(line, lang)
			if len(dates) == 0 || !isDateLine(line, dates, author) {
				continue
			}
			at := 0
			for _, v := range dates {
				day := v.Time.UTC().Truncate(24 * time.Hour)
				switch change := isChange(line[at:v.Start]); {
				case change && modified == nil:
					modified = &day
				case !change && published == nil:
					published = &day
				}
				at = v.End
			}
		}
	}
	return published, modified
}

// isDateBreak reports whether r stands between the parts of a byline.
func isDateBreak(r rune) bool { return strings.ContainsRune("\n|•·", r) }

// wholeDates returns the dates of a line that name one day and whose form leaves no doubt.
func wholeDates(line, lang string) (dates []value.Value) {
	for _, v := range value.Find(line, lang) {
		if v.Type == "date" && v.Time != nil && v.Time.Year() >= 1990 && v.Time.Year() <= 2100 &&
			!strings.ContainsAny(v.Norm, "/|") {
			dates = append(dates, v)
		}
	}
	return dates
}

// isDateLine reports whether a line says nothing but dates and who wrote the page.
func isDateLine(line string, dates []value.Value, author string) bool {
	if _, ok := bylineName(strings.TrimSpace(line)); ok {
		return true
	}
	rest, at := "", 0
	for _, v := range dates {
		rest, at = rest+line[at:v.Start]+" ", v.End
	}
	rest = clock().ReplaceAllString(rest+line[at:], " ")
	if author != "" {
		rest = strings.ReplaceAll(rest, author, " ")
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(rest), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if !dateWords[w] && !changeWords[w] && w != "by" {
			return false
		}
	}
	return true
}

// isChange reports whether the words before a date say that the page was changed then.
func isChange(before string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(before),
		func(r rune) bool { return !unicode.IsLetter(r) }) {
		if changeWords[w] {
			return true
		}
	}
	return false
}

// bylines are how a line begins that names who wrote the page.
var bylines = []string{"By ", "by ", "BY ", "Written by ", "Posted by ", "Words by ", "Author: ",
	"Von ", "Par ", "Por "}

// bylineName returns the names that a byline begins with.
func bylineName(line string) (name string, ok bool) {
	for _, by := range bylines {
		if rest, is := strings.CutPrefix(line, by); is {
			if name = leadingNames(rest); name != "" {
				return name, true
			}
		}
	}
	return "", false
}
