package rest

import (
	"bytes"
	"encoding/json"
	"math/big"
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
				return nil, invalid("the body: %q stands there twice", shortly(name))
			}
			l.names[name], l.isName = true, false
			continue
		}
		l.isName = l.names != nil
	}
}

// whole writes a number plainly that is whole, and not written so; not ok otherwise, and
// for one that is so long that no sane client sends it.
func whole(n string) (plain string, ok bool) {
	if !strings.ContainsAny(n, ".eE") || len(n) > 40 {
		return "", false
	}
	if at := strings.IndexAny(n, "eE"); at >= 0 && len(n)-at > 5 { // its zeros would fill the memory
		return "", false
	}
	x, ok := new(big.Rat).SetString(n)
	if !ok || !x.IsInt() || !x.Num().IsInt64() {
		return "", false
	}
	return x.Num().String(), true
}
