package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Object reads one JSON object into the struct at v. Each of its fields must be one of the
// struct's, by its exact name, once, and not null. what names the object in errors, such as
// "the body". It must be a word of ours.
func Object(data []byte, v any, what string) error {
	data, err := object(data, v, what)
	if err != nil {
		return err
	}
	return onlyKnown(data, reflect.TypeOf(v).Elem(), what)
}

// Foreign is Object for a request in the form of another service, whose clients send fields that
// mean nothing here: fields that the struct does not have are ignored, and null is no value.
func Foreign(data []byte, v any, what string) error {
	_, err := object(data, v, what)
	return err
}

// object reads one JSON object into the struct at v, and returns it as plainJSON has it.
func object(data []byte, v any, what string) ([]byte, error) {
	if !utf8.Valid(data) {
		return nil, invalid("%s is not UTF-8", what)
	}
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return nil, invalid("%s must be one JSON object", what)
	}
	data, err := plainJSON(data, what)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return nil, invalid("%s: %s", what, jsonTrouble(err))
	}
	return data, nil
}

// deepest is how deep the JSON of a request may nest: deeper than any that makes sense.
const deepest = 32

// maxShown is how much of a stranger's name an error repeats, in bytes.
const maxShown = 20

// plainJSON refuses what decoders read in different ways, or only with much effort:
// objects with a name twice, and lists of lists of lists. It returns the same JSON with
// whole numbers written plainly: 5.0 and 5e0 are 5, as JSON Schema has it. What is no JSON
// at all is left to the decoder.
func plainJSON(data []byte, what string) ([]byte, error) {
	type level struct {
		names  map[string]bool // of an object; nil for a list
		isName bool            // the next text is a name
	}
	var open []level
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var out []byte
	copied := 0 // of data
	for {
		t, err := d.Token()
		if err != nil {
			return append(out, data[copied:]...), nil
		}
		if n, ok := t.(json.Number); ok {
			if plain, ok := whole(string(n)); ok {
				end := int(d.InputOffset())
				out = append(append(out, data[copied:end-len(n)]...), plain...)
				copied = end
			}
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			if len(open) == deepest {
				return nil, invalid("%s nests deeper than %d", what, deepest)
			}
			l := level{}
			if t == json.Delim('{') {
				l = level{map[string]bool{}, true}
			}
			open = append(open, l)
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			continue
		}
		l := &open[len(open)-1]
		if name, ok := t.(string); ok && l.isName {
			if l.names[name] {
				return nil, invalid("%s: %q is given twice", what, name[:min(len(name), maxShown)])
			}
			l.names[name], l.isName = true, false
			continue
		}
		l.isName = l.names != nil
	}
}

// whole writes a number plainly that is whole, and not written so; not ok otherwise, and
// for one that is so long that no sane client sends it. Its cost is bounded by the length
// of n, whatever the exponent says.
func whole(n string) (plain string, ok bool) {
	if !strings.ContainsAny(n, ".eE") || len(n) > 40 {
		return "", false
	}
	rest, negative := strings.CutPrefix(n, "-")
	exponent := 0
	if at := strings.IndexAny(rest, "eE"); at >= 0 {
		var err error
		if exponent, err = strconv.Atoi(rest[at+1:]); err != nil ||
			exponent < -100 || exponent > 100 {
			return "", false
		}
		rest = rest[:at]
	}
	before, behind, _ := strings.Cut(rest, ".")
	digits := strings.TrimLeft(before+behind, "0")
	point := len(digits) - len(behind) + exponent // digits in front of the point
	digits = strings.TrimRight(digits, "0")
	switch {
	case digits == "":
		return "0", true
	case point < len(digits) || point > 19: // no int64 has more
		return "", false
	}
	plain = digits + strings.Repeat("0", point-len(digits))
	if negative {
		plain = "-" + plain
	}
	if _, err := strconv.ParseInt(plain, 10, 64); err != nil {
		return "", false
	}
	return plain, true
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
func onlyKnown(object []byte, t reflect.Type, what string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		return invalid("%s: %s", what, jsonTrouble(err))
	}
	known := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		known[f.Tag.Get("json")] = f.Type
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		kind, ok := known[name]
		if !ok || name == "" {
			if now := formerFields[name]; now != "" {
				return invalid("%s: unknown field %q: %s", what, name, now)
			}
			return invalid("%s: unknown field %q", what, name)
		}
		if string(fields[name]) == "null" {
			return invalid("%s: %s must not be null", what, name)
		}
		if kind.Kind() == reflect.Struct {
			if err := onlyKnown(fields[name], kind, what); err != nil {
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
