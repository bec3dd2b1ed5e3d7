package asl

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// JSON values are nil, bool, json.Number, string, []any and map[string]any. They are
// never changed once made, as states and items share them.

func decode(data []byte) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

// encode writes a value that decode or a template made.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("a JSON value that is none: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
