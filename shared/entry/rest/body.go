package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wstk/shared/app/answering"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// The limits of what a request may say; openapi.json tells them to clients.
const (
	maxURL     = 8192               // code points
	maxQuery   = answering.MaxQuery // code points
	maxGlob    = 500                // code points
	maxItems   = 100                // of a list
	maxRepeats = 20                 // of a parameter of the query string
	maxSite    = 500                // code points of an id, a host or the beginning of a URL
	maxCursor  = 500                // code points
	maxURLs    = 50                 // of one extraction
	maxLimit   = 1000               // passages, sites
	maxTokens  = 10_000_000         // of models, for one extraction
	maxPages   = 1_000_000
	maxDepth   = 1000
	maxRest    = 3_600_000 // ms between two requests to a host
	defaultAll = 100       // sites on one page of their list
)

func invalid(format string, args ...any) error {
	return wstk.Errorf(wstk.Invalid, "", format, args...)
}

// readBody reads the whole body of a request.
func readBody(r *http.Request) ([]byte, error) {
	for _, coding := range r.Header.Values("Content-Encoding") {
		// 200 KiB may unfold to anything
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return nil, wstk.Errorf(wstk.UnsupportedMediaType, "", "the body is encoded").
				Try(wstk.Advice("send it as it is, without Content-Encoding"))
		}
	}
	data, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, MaxRequest))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, wstk.Errorf(wstk.TooLarge, "", "the body is over %d bytes", MaxRequest)
	case err != nil:
		return nil, invalid("the body could not be read to its end")
	}
	return data, nil
}

// decode reads one JSON object of the known fields into v. A body that may be missing
// is optional.
func decode(r *http.Request, v any, optional bool) error {
	if err := noQuery(r); err != nil {
		return err
	}
	if r.ContentLength > MaxRequest {
		return wstk.Errorf(wstk.TooLarge, "", "the body is over %d bytes", MaxRequest)
	}
	data, err := readBody(r)
	if err != nil || optional && len(data) == 0 {
		return err
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
		kind != "application/json" {
		return wstk.Errorf(wstk.UnsupportedMediaType, "", "the body must be JSON").
			Try(wstk.Advice("send the header Content-Type: application/json"))
	}
	if !utf8.Valid(data) {
		return invalid("the body is not UTF-8")
	}
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return invalid("the body must be one JSON object")
	}
	if data, err = plainJSON(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return invalid("the body: %s", jsonTrouble(err))
	}
	return onlyKnown(data, reflect.TypeOf(v).Elem())
}

// formerFields are names that replies of older versions had, in nanoseconds.
var formerFields = map[string]string{
	"rate_limit": "send rate_limit_ms, in milliseconds",
	"stale_age": "a crawl does not set it; replies have it as stale_after_s, and the " +
		"server's setting is crawl.stale_after",
	"stale_after_s": "a crawl does not set it; the server's setting is crawl.stale_after",
}

// onlyKnown refuses fields that a type does not have. The decoder would also take
// them in another case, and then which of two counts is anybody's guess.
func onlyKnown(object []byte, t reflect.Type) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		return invalid("the body: %s", jsonTrouble(err))
	}
	known := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		known[f.Tag.Get("json")] = f.Type
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		kind, ok := known[name]
		if !ok || name == "" {
			if now := formerFields[name]; now != "" {
				return invalid("the body: unknown field %q: %s", name, now)
			}
			return invalid("the body: unknown field %q", name)
		}
		if string(fields[name]) == "null" {
			return invalid("the body: %s must not be null", name)
		}
		if kind.Kind() == reflect.Struct {
			if err := onlyKnown(fields[name], kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// jsonTrouble says what is wrong without the names of Go.
func jsonTrouble(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		// a number may be long
		return kind.Field + " must not be a JSON " + kind.Value[:min(len(kind.Value), 40)]
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// parameters reads the query string, in which only the names given may stand.
func parameters(r *http.Request, names ...string) (url.Values, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, invalid("the query string is malformed")
	}
	for name, values := range q {
		switch {
		case !slices.Contains(names, name):
			return nil, invalid("unknown parameter %q", name)
		case len(values) > 1 && !strings.HasSuffix(name, "_site"):
			return nil, invalid("%s is given twice", name)
		}
		for _, v := range values {
			if !utf8.ValidString(v) {
				return nil, invalid("%s is not UTF-8", name)
			}
		}
	}
	return q, nil
}

func noQuery(r *http.Request) error {
	_, err := parameters(r)
	return err
}

// within reads a number of the query string; fallback where it is missing.
func within(q url.Values, name string, least, most, fallback int) (int, error) {
	s := q.Get(name)
	if !q.Has(name) {
		return fallback, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, invalid("%s must be a whole number", name)
	}
	return n, inRange(name, n, least, most)
}

func inRange(name string, n, least, most int) error {
	if n < least || n > most {
		return invalid("%s must be between %d and %d", name, least, most)
	}
	return nil
}

// words checks a text that must be there.
func words(name, s string, most int) error {
	if !strings.ContainsFunc(s, visible) {
		return invalid("%s is missing", name)
	}
	return notLonger(name, s, most)
}

// visible reports whether a character is neither white space nor control.
func visible(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsControl(r) && r != '\ufeff' }

func notLonger(name, s string, most int) error {
	if utf8.RuneCountInString(s) > most {
		return invalid("%s is longer than %d characters", name, most)
	}
	return nil
}

// list checks a list of texts.
func list(name string, items []string, most, longest int) error {
	if len(items) > most {
		return invalid("%s has more than %d items", name, most)
	}
	for _, s := range items {
		if err := words("an item of "+name, s, longest); err != nil {
			return err
		}
	}
	return nil
}

// filter is a wstk.Filter as clients write it.
type filter struct {
	IncludeSites []string `json:"include_sites"`
	ExcludeSites []string `json:"exclude_sites"`
	MinDate      *string  `json:"min_date"`
}

func (f filter) filter() (wstk.Filter, error) {
	out := wstk.Filter{IncludeSites: f.IncludeSites, ExcludeSites: f.ExcludeSites}
	err := sites("include_sites", f.IncludeSites)
	if err == nil {
		err = sites("exclude_sites", f.ExcludeSites)
	}
	if err == nil && f.MinDate != nil {
		out.MinDate, err = aTime("min_date", *f.MinDate)
	}
	return out, err
}

// sites checks a list of ids, hosts or beginnings of addresses. None of them has a blank.
func sites(name string, items []string) error {
	if err := list(name, items, maxItems, maxSite); err != nil {
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

// aTime reads a day or a moment. One before or after all that can be stored is the first
// or the last of those moments, which means the same to a filter.
func aTime(name, s string) (time.Time, error) {
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
