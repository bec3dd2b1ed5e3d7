package provider

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// day is how vendors write a day.
const day = "2006-01-02"

// siteOperators adds to words what most engines understand: the pages of these sites,
// and of none of those.
func siteOperators(words string, sites, exclude []string) string {
	parts := []string{strings.TrimSpace(words)}
	var any []string
	for _, s := range sites {
		any = append(any, "site:"+s)
	}
	switch len(any) {
	case 0:
	case 1:
		parts = append(parts, any[0])
	default:
		parts = append(parts, "("+strings.Join(any, " OR ")+")")
	}
	for _, s := range exclude {
		parts = append(parts, "-site:"+s)
	}
	return strings.Join(parts, " ")
}

// dayOperators adds after: and before:, which Google's index understands.
func dayOperators(words string, q wstk.SearchQuery) string {
	if !q.After.IsZero() {
		words += " after:" + q.After.UTC().Format(day)
	}
	if !q.Before.IsZero() {
		words += " before:" + q.Before.UTC().Format(day)
	}
	return words
}

// dated reports whether q bounds the day of publication.
func dated(q wstk.SearchQuery) bool { return !q.After.IsZero() || !q.Before.IsZero() }

// days is the range of q with both ends, for vendors that want both: an end that q leaves
// open is the first day of 1970 or today, or the other end where that lies beyond.
func days(q wstk.SearchQuery, now time.Time) (from, to string) {
	first, last := time.Unix(0, 0).UTC(), now.UTC()
	if !q.After.IsZero() {
		first = q.After.UTC()
	}
	if !q.Before.IsZero() {
		last = q.Before.UTC()
	}
	switch {
	case q.Before.IsZero() && last.Before(first):
		last = first
	case q.After.IsZero() && last.Before(first):
		first = last
	}
	return first.Format(day), last.Format(day)
}

// place takes a query's region apart. The country is an ISO 3166 code in lower case, the
// language that of the query, or else the region's; either may be "".
func place(q wstk.SearchQuery) (country, language string) {
	country, language, _ = strings.Cut(strings.ToLower(q.Region), "-")
	switch country {
	case "wt", "xa", "xl": // no country: the world, Arabia, Latin America
		country = ""
	case "uk":
		country = "gb"
	case "ct":
		country = "es"
	}
	switch language { // codes of countries that stand in the language's place
	case "wt":
		language = ""
	case "jp":
		language = "ja"
	case "kr":
		language = "ko"
	case "tzh":
		language = "zh"
	}
	if q.Language != "" {
		language = strings.ToLower(q.Language)
	}
	return country, language
}

// traditional reports whether Chinese is written with traditional signs in a country.
func traditional(country string) bool {
	return country == "tw" || country == "hk" || country == "mo"
}

// Clauses of Compiled.Unsupported.

func noRegion(q wstk.SearchQuery) []string {
	if country, _ := place(q); country != "" {
		return []string{"region " + q.Region}
	}
	return nil
}

func noLanguage(q wstk.SearchQuery) []string {
	if _, language := place(q); language != "" {
		return []string{"language " + language}
	}
	return nil
}

func noSafeSearch(q wstk.SearchQuery) []string {
	if q.SafeSearch == "" || q.SafeSearch == wstk.SafeSearchModerate {
		return nil // what vendors do when they are not told
	}
	return []string{"safe search " + string(q.SafeSearch)}
}

func noDays(q wstk.SearchQuery) (out []string) {
	if !q.After.IsZero() {
		out = append(out, "published on or after "+q.After.UTC().Format(day))
	}
	if !q.Before.IsZero() {
		out = append(out, "published on or before "+q.Before.UTC().Format(day))
	}
	return out
}

func atMost(q wstk.SearchQuery, most int) []string {
	if q.Limit() > most {
		return []string{"more than " + strconv.Itoa(most) + " results"}
	}
	return nil
}

// set sets a parameter that has a value.
func set(params url.Values, name, value string) {
	if value != "" {
		params.Set(name, value)
	}
}

func compiled(query string, unsupported ...[]string) wstk.Compiled {
	return wstk.Compiled{Query: query, Unsupported: slices.Concat(unsupported...)}
}

// Time ranges in words that several vendors share.
var (
	rangeWord = map[wstk.TimeRange]string{wstk.LastDay: "day", wstk.LastWeek: "week",
		wstk.LastMonth: "month", wstk.LastYear: "year"}
	rangeQDR = map[wstk.TimeRange]string{wstk.LastDay: "qdr:d", wstk.LastWeek: "qdr:w",
		wstk.LastMonth: "qdr:m", wstk.LastYear: "qdr:y"}
)
