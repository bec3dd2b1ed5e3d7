package pdf

import "testing"

// Each operator of text does what the format says, and without it the page reads otherwise.
func TestTextOperators(t *testing.T) {
	const begin, end = "BT /F1 12 Tf 60 700 Td ", " ET"
	for _, c := range []struct {
		op            op
		content, want string
	}{
		{"Tj", "(one) Tj", "one"},
		{"TJ", "[(on) 20 (e) -400 (two)] TJ", "one two"},
		{"'", "14 TL (one) Tj (two) '", "one two"},
		{"\"", "14 TL (one) Tj 0 0 (two) \"", "one two"},
		{"Td", "(one) Tj 0 -100 Td (two) Tj", "one\ntwo"},
		{"TD", "(one) Tj 0 -14 TD (two) Tj T* (three) Tj", "one two three"},
		{"TL", "100 TL (one) Tj T* (two) Tj", "one\ntwo"},
		{"T*", "100 TL (one) Tj T* (two) Tj", "one\ntwo"},
		{"Tm", "(one) Tj 1 0 0 1 60 500 Tm (two) Tj", "one\ntwo"},
		{"BT", "(one) Tj ET BT 60 500 Td (two) Tj", "one\ntwo"},
		{"Tf", "(one) Tj /F1 .1 Tf (two) Tj", "one"},
		{"Tc", "8 Tc (one) Tj", "o n e"},
		{"Tw", "600 Tw (one two) Tj", "one"},
		{"Tz", "0 Tz (one) Tj", ""},
		{"Tr", "3 Tr (one) Tj", ""},
		{"Ts", "(one) Tj -100 Ts (two) Tj", "one\ntwo"},
		{"cm", "(one) Tj 1 0 0 1 0 -100 cm (two) Tj", "one\ntwo"},
		{"q", "q (one) Tj 3 Tr Q (two) Tj", "onetwo"},
		{"Q", "q 3 Tr (one) Tj Q (two) Tj", "two"},
	} {
		body := made(begin+c.content+end, "")
		if got := words(read(t, body)); got != c.want {
			t.Errorf("%s: %s reads %q, want %q", c.op, c.content, got, c.want)
		}
		without := operators[c.op]
		delete(operators, c.op)
		if words(read(t, body)) == c.want {
			t.Errorf("%s: %s reads the same without the operator", c.op, c.content)
		}
		operators[c.op] = without
	}
}
