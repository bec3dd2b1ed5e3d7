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
	"unicode/utf8"

	"wstk/shared/app"
	"wstk/shared/wstk"
)

// The limits of what a request may say; openapi.json tells them to clients.
const (
	maxURL     = 8192 // code points
	maxQuery   = 2000 // code points
	maxGlob    = 500  // code points
	maxItems   = 100  // of a list
	maxURLs    = 50   // of one extraction
	maxLimit   = 1000 // passages, sites
	maxPages   = 1_000_000
	maxDepth   = 1000
	maxRest    = 3_600_000 // ms between two requests to a host
	defaultAll = 100       // sites on one page of their list
	firstYear  = 1900      // of dates
	lastYear   = 2200
)

func invalid(format string, args ...any) error { return wstk.Errorf(wstk.Invalid, "", format, args...) }

// readBody reads the whole body of a request.
func readBody(r *http.Request) ([]byte, error) {
	for _, coding := range r.Header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") { // 200 KiB may unfold to anything
			return nil, wstk.Errorf(wstk.UnsupportedMediaType, "", "the body is encoded").WithNext("send it as it is, without Content-Encoding")
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
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return wstk.Errorf(wstk.UnsupportedMediaType, "", "the body must be JSON").WithNext("send the header Content-Type: application/json")
	}
	if !utf8.Valid(data) {
		return invalid("the body is not UTF-8")
	}
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return invalid("the body must be one JSON object")
	}
	if err := plainJSON(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return invalid("the body: %s", jsonTrouble(err))
	}
	return onlyKnown(data, reflect.TypeOf(v).Elem())
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
			return invalid("the body: unknown field %q", name)
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
		return kind.Field + " must not be a JSON " + kind.Value
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
			return nil, invalid("%s stands there twice", name)
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
	if strings.TrimSpace(s) == "" {
		return invalid("%s is missing", name)
	}
	return notLonger(name, s, most)
}

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
	MinDate      string   `json:"min_date"`
}

func (f filter) filter() (wstk.Filter, error) {
	out := wstk.Filter{IncludeSites: f.IncludeSites, ExcludeSites: f.ExcludeSites}
	err := list("include_sites", f.IncludeSites, maxItems, maxURL)
	if err == nil {
		err = list("exclude_sites", f.ExcludeSites, maxItems, maxURL)
	}
	if err == nil && f.MinDate != "" {
		out.MinDate, err = aTime("min_date", f.MinDate)
	}
	return out, err
}

// aTime reads a day or a moment.
func aTime(name, s string) (time.Time, error) {
	at, err := app.ParseDate(s)
	if err != nil {
		return at, invalid("%s: %s", name, err)
	}
	if y := at.Year(); y < firstYear || y > lastYear {
		return at, invalid("%s must lie between the years %d and %d", name, firstYear, lastYear)
	}
	return at, nil
}
