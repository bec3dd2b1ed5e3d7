package rest

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// deepest is how deep the JSON of a request may nest: deeper than any that makes sense.
const deepest = 32

// plainJSON refuses what decoders read in different ways, or only with much effort:
// objects with a name twice, and lists of lists of lists. It returns the same JSON with
// whole numbers written plainly: 5.0 and 5e0 are 5, as JSON Schema has it. What is no JSON
// at all is left to the decoder.
func plainJSON(data []byte) ([]byte, error) {
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
				return nil, invalid("the body nests deeper than %d", deepest)
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
				return nil, invalid("the body: %q is given twice", shortly(name))
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
