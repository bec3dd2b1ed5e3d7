// Package check holds what the doors ask of requests in JSON: how their objects are read
// (json.go), and the limits of what stands in them. Its errors have the code Invalid, or
// Unprocessable where a text has no words to look for.
package check

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wstk/shared/app/answering"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// The limits of what a request may say.
const (
	MaxURL    = 8192               // code points
	MaxQuery  = answering.MaxQuery // code points
	MaxItems  = 100                // of a list
	MaxURLs   = 50                 // of one extraction
	MaxLimit  = 1000               // passages, sites
	MaxTokens = 10_000_000         // of models, for one extraction
	maxSite   = 500                // code points of an id, a host or the beginning of a URL
)

func invalid(format string, args ...any) error {
	return wstk.Errorf(wstk.Invalid, "", format, args...)
}

// Asked checks a text that is to be looked for: it must hold words.
func Asked(name, s string) error {
	if err := Words(name, s, MaxQuery); err != nil {
		return err
	}
	if len(text.Tokenize(s, "")) == 0 {
		return wstk.Errorf(wstk.Unprocessable, "", "%s has no words to search for", name)
	}
	return nil
}

// Question checks what recall, gaps and extractions have in common.
func Question(query string, f Filter, limit *int) (req answering.RecallRequest, err error) {
	req.Query = query
	if err := Asked("query", query); err != nil {
		return req, err
	}
	if limit != nil {
		req.Limit = *limit
		if err := InRange("limit", req.Limit, 1, MaxLimit); err != nil {
			return req, err
		}
	}
	req.Filter, err = f.Wanted()
	return req, err
}

// InRange checks a number; least and most are allowed.
func InRange(name string, n, least, most int) error {
	if n < least || n > most {
		return invalid("%s must be between %d and %d", name, least, most)
	}
	return nil
}

// Words checks a text that must be there, of at most so many code points.
func Words(name, s string, most int) error {
	if !strings.ContainsFunc(s, visible) {
		return invalid("%s is missing", name)
	}
	return NotLonger(name, s, most)
}

// visible reports whether a character is neither white space nor control.
func visible(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsControl(r) && r != '\ufeff' }

// NotLonger checks that a text has at most so many code points.
func NotLonger(name, s string, most int) error {
	if utf8.RuneCountInString(s) > most {
		return invalid("%s is longer than %d characters", name, most)
	}
	return nil
}

// List checks a list of at most so many texts, each of at most longest code points.
func List(name string, items []string, most, longest int) error {
	if len(items) > most {
		return invalid("%s has more than %d items", name, most)
	}
	for _, s := range items {
		if err := Words("an item of "+name, s, longest); err != nil {
			return err
		}
	}
	return nil
}

// Filter is a wstk.Filter as clients write it.
type Filter struct {
	IncludeSites []string `json:"include_sites"`
	ExcludeSites []string `json:"exclude_sites"`
	MinDate      *string  `json:"min_date"`
}

// Wanted is the filter, checked.
func (f Filter) Wanted() (wstk.Filter, error) {
	out := wstk.Filter{IncludeSites: f.IncludeSites, ExcludeSites: f.ExcludeSites}
	err := sites("include_sites", f.IncludeSites)
	if err == nil {
		err = sites("exclude_sites", f.ExcludeSites)
	}
	if err == nil && f.MinDate != nil {
		out.MinDate, err = Time("min_date", *f.MinDate)
	}
	return out, err
}

// sites checks a list of ids, hosts or beginnings of addresses. None of them has a blank.
func sites(name string, items []string) error {
	if err := List(name, items, MaxItems, maxSite); err != nil {
		return err
	}
	for _, s := range items {
		if strings.ContainsFunc(s, func(r rune) bool { return !visible(r) }) {
			return invalid("an item of %s has a blank or a control character: name a site by its id, "+
				"its host or the beginning of an address", name)
		}
	}
	return nil
}

// What is stored was stored between these times; the stores order no others.
var (
	earliest = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Time reads a day or a moment. One before or after all that can be stored is the first
// or the last of those moments, which means the same to a filter.
func Time(name, s string) (time.Time, error) {
	at, err := text.ParseDate(s)
	switch {
	case err != nil:
		return at, invalid("%s: %s", name, err)
	case at.Year() < 1: // there is no year 0
		return at, invalid("%s: %q is not a date such as 2026-01-31", name, s)
	case at.Before(earliest):
		return earliest, nil
	case at.After(latest):
		return latest, nil
	}
	return at, nil
}
