package search

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Limits bound what a search run asks. The zero value has the defaults.
type Limits struct {
	Keywords int // 0 means wstk.MaxKeywords
	Sites    int // 0 means wstk.MaxTemplateSites
	Query    int // code points of the keywords as one text; 0 means MaxQuery
}

func (l Limits) keywords() int { return positive(l.Keywords, wstk.MaxKeywords) }
func (l Limits) sites() int    { return positive(l.Sites, wstk.MaxTemplateSites) }

// ParseTemplate reads a proposed template, usually of a model: one JSON object
// of the fields of wstk.QueryTemplate, spelled exactly so, and nothing around it. A field
// that is null is one that is missing, as is an optional one that is "" or 0. It is checked
// as by CheckTemplate; the error is Invalid.
func ParseTemplate(data []byte, l Limits) (wstk.QueryTemplate, error) {
	var t wstk.QueryTemplate
	if !utf8.Valid(data) {
		return t, unfit("it is not UTF-8")
	}
	if err := onlyKnown(data, "keywords", "boolean", "filters"); err != nil {
		return t, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&t); err != nil {
		if odd := (*json.UnmarshalTypeError)(nil); errors.As(err, &odd) {
			return t, unfit("%s has a value of the wrong type, %s",
				cmp.Or(odd.Field, "it"), odd.Value)
		}
		return t, unfit("it is not JSON")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return t, unfit("something stands behind the object")
	}
	var nested struct{ Filters json.RawMessage }
	if err := json.Unmarshal(data, &nested); err == nil && len(nested.Filters) > 0 &&
		string(nested.Filters) != "null" {
		if err := onlyKnown(nested.Filters, "sites", "date_after", "date_before", "lang", "geo",
			"max_results"); err != nil {
			return t, err
		}
	}
	return CheckTemplate(t, l)
}

// onlyKnown refuses keys that are not those named: the decoder would also take them in
// another case, and twice.
func onlyKnown(object []byte, known ...string) error {
	dec := json.NewDecoder(bytes.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return unfit("it is not one JSON object")
	}
	seen := map[string]bool{}
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return unfit("it is not JSON")
		}
		switch {
		case !slices.Contains(known, name):
			return unfit("unknown field %q", name)
		case seen[name]:
			return unfit("the field %q stands there twice", name)
		}
		seen[name] = true
		var skipped json.RawMessage
		if err := dec.Decode(&skipped); err != nil {
			return unfit("it is not JSON")
		}
	}
	return nil
}

// unfit is the error for a template that does not fit. The proposer may have written
// anything: not much of that is repeated.
func unfit(format string, args ...any) error {
	return wstk.Errorf(wstk.Invalid, OpSchema, "%s",
		text.Shorten(fmt.Sprintf(format, args...), 300))
}

// OpSchema is what the errors of a template that does not fit the schema say first.
const OpSchema = "invalid schema"

// CheckTemplate returns t with its sites as text.Domain writes them, or says what does not
// fit the schema: Invalid. Dates are days or one of the placeholders; days that end before
// they begin are refused, too.
func CheckTemplate(t wstk.QueryTemplate, l Limits) (wstk.QueryTemplate, error) {
	if n, most := len(t.Keywords), l.keywords(); n == 0 {
		return t, unfit("there are no keywords")
	} else if n > most {
		return t, unfit("there are %d keywords; at most %d are allowed", n, most)
	}
	t.Keywords = slices.Clone(t.Keywords)
	for i, k := range t.Keywords {
		t.Keywords[i] = strings.TrimSpace(k)
		if err := checkKeyword(t.Keywords[i]); err != nil {
			return t, err
		}
	}
	if n, most := utf8.RuneCountInString(joined(t)), positive(l.Query, MaxQuery); n > most {
		return t, unfit("query_too_long: the keywords have %d characters; at most %d are allowed",
			n, most)
	}
	switch t.Boolean {
	case "", wstk.And, wstk.Or:
	default:
		return t, unfit("boolean must be AND or OR, not %q", string(t.Boolean))
	}
	var err error
	if t.Filters, err = checkFilters(t.Filters, l); err != nil {
		return t, err
	}
	return t, inOrder(t.Filters)
}

// checkKeyword refuses a keyword that says nothing, or that would be read as something else.
func checkKeyword(k string) error {
	switch {
	case strings.TrimFunc(k, blank) == "":
		return unfit("a keyword is empty")
	case strings.ContainsRune(k, '"'):
		return unfit("the keyword %q holds a quotation mark", k)
	case strings.ContainsFunc(k, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}):
		return unfit("the keyword %q holds a control character", k)
	}
	if err := noBraces(k); err != nil {
		return err
	}
	if !strings.ContainsFunc(k, meant) {
		return unfit("the keyword %q has neither a letter nor a number nor a symbol", k)
	}
	return nil
}

// checkFilters returns f with its sites as text.Domain writes them, or says what does not
// fit.
func checkFilters(f wstk.TemplateFilters, l Limits) (wstk.TemplateFilters, error) {
	if n, most := len(f.Sites), l.sites(); n > most {
		return f, unfit("there are %d sites; at most %d are allowed", n, most)
	}
	f.Sites = slices.Clone(f.Sites)
	for i, s := range f.Sites {
		d, err := checkSite(s)
		if err != nil {
			return f, err
		}
		f.Sites[i] = d
	}
	for _, d := range []struct{ name, value string }{{"date_after", f.DateAfter},
		{"date_before", f.DateBefore}} {
		if err := checkDay(d.name, d.value); err != nil {
			return f, err
		}
	}
	switch {
	case f.Lang != "" && !text.IsLanguage(f.Lang):
		return f, unfit("lang is %q, and not two small letters such as en", f.Lang)
	case f.Geo != "" && !text.IsCountry(f.Geo):
		return f, unfit("geo is %q, and not two capital letters such as US", f.Geo)
	case f.MaxResults < 0 || f.MaxResults > wstk.MostResults:
		return f, unfit("max_results is %d, and not between 1 and %d",
			f.MaxResults, wstk.MostResults)
	}
	return f, nil
}

func checkSite(s string) (string, error) {
	if err := noBraces(s); err != nil {
		return "", err
	}
	d, err := text.Domain(s)
	if err != nil {
		return "", unfit("the site %q is no domain", s)
	}
	if _, name, _ := strings.Cut(s,
		"://"); strings.ContainsAny(strings.TrimRight(cmp.Or(name, s), "/"), "/?#") {
		return "", unfit("the site %q is a part of a site; only whole ones can be asked for", s)
	}
	return d, nil
}

func checkDay(name, value string) error {
	if value == "" || placeholders[value] != nil {
		return nil
	}
	if err := noBraces(value); err != nil {
		return err
	}
	if _, err := time.Parse(time.DateOnly, value); err != nil {
		return unfit("%s is %q, and neither a day such as 2026-01-31 nor a placeholder",
			name, value)
	}
	return nil
}

// meant reports whether a character alone can be searched for: 2, π, €.
func meant(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.S) && r != unicode.ReplacementChar
}

// blank reports whether a character shows nothing.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// inOrder refuses literal days that end before they begin.
func inOrder(f wstk.TemplateFilters) error {
	if literal(f.DateAfter) && literal(f.DateBefore) && f.DateBefore < f.DateAfter {
		return unfit("date_before (%s) lies before date_after (%s)", f.DateBefore, f.DateAfter)
	}
	return nil
}

func literal(date string) bool { return date != "" && placeholders[date] == nil }

var braced = regexp.MustCompile(`\{[^{}]*\}`)

// noBraces refuses a text with a brace: what stands between two of them looks like a
// placeholder and is none.
func noBraces(s string) error {
	if p := braced.FindString(s); p != "" {
		return unfit("unknown placeholder %s", p)
	}
	if strings.ContainsAny(s, "{}") {
		return unfit("%q holds a brace", s)
	}
	return nil
}

// placeholders are the days that a template may leave open, and what they are today.
var placeholders = map[string]func(today time.Time) time.Time{
	"{TODAY}":            daysBack(0),
	"{YESTERDAY}":        daysBack(1),
	"{LAST_WEEK_START}":  daysBack(7),
	"{LAST_WEEK_END}":    daysBack(0),
	"{LAST_MONTH_START}": daysBack(30),
	"{LAST_MONTH_END}":   daysBack(0),
}

// Placeholders lists the placeholders for days, sorted.
func Placeholders() []string { return slices.Sorted(maps.Keys(placeholders)) }

func daysBack(n int) func(time.Time) time.Time {
	return func(today time.Time) time.Time { return today.AddDate(0, 0, -n) }
}

// Expand returns a checked template with days for its placeholders, as of now (UTC). The
// error is Invalid when the days then end before they begin, or when a brace is left.
func Expand(t wstk.QueryTemplate, now time.Time) (wstk.QueryTemplate, error) {
	today := now.UTC()
	for _, date := range []*string{&t.Filters.DateAfter, &t.Filters.DateBefore} {
		if day := placeholders[*date]; day != nil {
			*date = day(today).Format(time.DateOnly)
		}
	}
	if err := noBraces(Text(t)); err != nil {
		return t, err
	}
	return t, inOrder(t.Filters)
}

// Text is a template as people write searches:
//
//	("AI regulation" OR "AI Act") site:.eu after:{LAST_WEEK_START} before:{LAST_WEEK_END}
func Text(t wstk.QueryTemplate) string {
	parts := []string{joined(t)}
	var sites []string
	for _, s := range t.Filters.Sites {
		sites = append(sites, "site:"+s)
	}
	switch {
	case len(sites) == 1:
		parts = append(parts, sites[0])
	case len(sites) > 1:
		parts = append(parts, "("+strings.Join(sites, " OR ")+")")
	}
	if t.Filters.DateAfter != "" {
		parts = append(parts, "after:"+t.Filters.DateAfter)
	}
	if t.Filters.DateBefore != "" {
		parts = append(parts, "before:"+t.Filters.DateBefore)
	}
	return strings.Join(parts, " ")
}

// joined is the keywords of a template as one text.
func joined(t wstk.QueryTemplate) string {
	words := make([]string, len(t.Keywords))
	for i, k := range t.Keywords {
		if words[i] = k; !plain(k) {
			words[i] = `"` + k + `"`
		}
	}
	if t.Boolean == wstk.Or && len(words) > 1 {
		return "(" + strings.Join(words, " OR ") + ")"
	}
	return strings.Join(words, " ")
}

// plain reports whether a keyword is one word that no engine takes for an operator. What is
// not stands between quotation marks.
func plain(k string) bool {
	switch k {
	case "AND", "OR", "NOT", "NEAR", "AROUND":
		return false
	}
	return !strings.HasPrefix(k, "-") && !strings.HasPrefix(k, "+") && !strings.HasPrefix(k, "!") &&
		!strings.ContainsFunc(k, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(`:()|~*`, r)
		})
}

// Query is what an expanded template asks of providers. each is how many results of a
// provider are wanted where the template does not say; 0 means the default. Regions that
// are no country, such as EU, cannot be told: the second value names them.
func Query(t wstk.QueryTemplate, each int) (q wstk.SearchQuery, notes []string, err error) {
	f := t.Filters
	q = wstk.SearchQuery{Words: joined(t), Sites: f.Sites, Language: f.Lang, Max: each, Raw: true}
	if f.MaxResults > 0 {
		q.Max = f.MaxResults
	}
	for _, d := range []struct {
		date string
		at   *time.Time
	}{{f.DateAfter, &q.After}, {f.DateBefore, &q.Before}} {
		if d.date == "" {
			continue
		}
		if *d.at, err = time.Parse(time.DateOnly, d.date); err != nil {
			return q, nil, wstk.Errorf(wstk.Internal, "asking providers",
				"%q of the template is not a day", d.date)
		}
	}
	switch f.Geo {
	case "":
	case "EU": // no country
		notes = append(notes, fmt.Sprintf("region %s", f.Geo))
	default:
		language := f.Lang
		if language == "" {
			language = "wt" // none
		}
		q.Region = strings.ToLower(f.Geo) + "-" + language
	}
	return q, notes, nil
}
