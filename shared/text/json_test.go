package text

import "testing"

func TestJSONIn(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{` {"a": 1} `, `{"a": 1}`},
		{`"a word"`, `"a word"`},
		{"```json\n{\"a\": 1}\n```", `{"a": 1}`},
		{"```\n[1]```", `[1]`},
		{"Here you are:\n```json\n{\"a\": 1}\n```\nThat is {all}.", `{"a": 1}`},
		{`The reply is {"a": "}"} as you wished.`, `{"a": "}"}`},
		{"<think>{no}</think>\n{\"a\": 1}", `{"a": 1}`},
		{"{\"a\": \"one\ntwo\t\\\"\n\"}", `{"a": "one\u000atwo\u0009\"\u000a"}`},
		{"{\"a\":\n\t1}", "{\"a\":\n\t1}"},
		{"\ufeff{}", `{}`},
		{`{"a": "cut`, `{"a": "cut`},
		{`{"a": 1} {"b": 2}`, `{"a": 1} {"b": 2}`},
		{"```\n[1]\n```\n```\n[2]\n```", `[1]`}, // the first of two fences
		{"no JSON", "no JSON"},
		{"", ""},
	} {
		if got := JSONIn(c.said); got != c.want {
			t.Errorf("%q gave %q, want %q", c.said, got, c.want)
		}
	}
}
