package rest

import (
	"bytes"
	"encoding/json"
)

// deepest is how deep the JSON of a request may nest: deeper than any that makes sense.
const deepest = 32

// plainJSON refuses what decoders read in different ways, or only with much effort:
// objects with a name twice, and lists of lists of lists. What is no JSON at all is left
// to the decoder.
func plainJSON(data []byte) error {
	type level struct {
		names  map[string]bool // of an object; nil for a list
		isName bool            // the next text is a name
	}
	var open []level
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		t, err := d.Token()
		if err != nil {
			return nil
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			if len(open) == deepest {
				return invalid("the body nests deeper than %d", deepest)
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
				return invalid("the body: %q stands there twice", shortly(name))
			}
			l.names[name], l.isName = true, false
			continue
		}
		l.isName = l.names != nil
	}
}
