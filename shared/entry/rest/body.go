package rest

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"wstk/shared/entry/check"
	"wstk/shared/wstk"
)

// The limits of what a request may say; openapi.json tells them to clients.
const (
	maxRepeats = 20  // of a parameter of the query string
	maxCursor  = 500 // code points
	defaultAll = 100 // sites on one page of their list
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

// notTooLarge refuses a body that says itself that it is too large.
func notTooLarge(r *http.Request) error {
	if r.ContentLength > MaxRequest {
		return wstk.Errorf(wstk.TooLarge, "", "the body is over %d bytes", MaxRequest)
	}
	return nil
}

// ofJSON refuses a body that does not say that it is JSON.
func ofJSON(r *http.Request) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return wstk.Errorf(wstk.UnsupportedMediaType, "", "the body must be JSON").
			Try(wstk.Advice("send the header Content-Type: application/json"))
	}
	return nil
}

// decode reads one JSON object of the known fields into v. A body that may be missing
// is optional.
func decode(r *http.Request, v any, optional bool) error {
	data, err := bodyOf(r, optional)
	if err != nil || data == nil {
		return err
	}
	return check.Object(data, v, "the body")
}

// bodyOf reads a body of JSON; nil for one that may be missing, and is.
func bodyOf(r *http.Request, optional bool) ([]byte, error) {
	if err := noQuery(r); err != nil {
		return nil, err
	}
	if err := notTooLarge(r); err != nil {
		return nil, err
	}
	data, err := readBody(r)
	if err != nil || optional && len(data) == 0 {
		return nil, err
	}
	return data, ofJSON(r)
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
	return n, check.InRange(name, n, least, most)
}
