package check

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

func TestWholeNumbers(t *testing.T) {
	for n, want := range map[string]string{"5.0": "5", "5e0": "5", "0.5e1": "5", "50E-1": "5", "-0.0": "0", "-7.00": "-7", "1e3": "1000", "9007199254740993.0": "9007199254740993",
		"5": "", "5.5": "", "1e-1": "", "1.00000000000000000000000001": "", "1e19": "", "1e99999999": "", "0e99": "0", "0.00e-7": "0", "-0.05e2": "-5", "001e0": "1", "1E+18": "1000000000000000000", "9223372036854775807.0": "9223372036854775807",
		"9223372036854775808.0": "", "-9223372036854775808.0": "-9223372036854775808", "120e-1": "12", "120e-2": "", "1e99999999999999999999": "", "1e-99999999": "", "1e400": ""} {
		if got, ok := whole(n); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v; want got == want && ok == (want != \"\")", n, got, ok)
		}
	}
}

// A body full of numbers with long exponents costs no more than one of short numbers.
func TestExponentsCostNothing(t *testing.T) {
	for _, n := range []string{"1e9999", "1e-9999", "0.1e9999"} {
		body := []byte(`{"query": [` + strings.Repeat(n+",", wstk.MaxPayload/(len(n)+1)-4) + `1]}`)
		started := time.Now()
		if got, err := plainJSON(body, "the body"); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%s: %v; want err == nil && bytes.Equal(got, body)", n, err)
		}
		if took := time.Since(started); took > 300*time.Millisecond {
			t.Errorf("%d bytes of %s took %v", len(body), n, took)
		}
	}
}

func TestPlainJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": 5.0, "b": [1e1, 2.5, "5.0"], "c": {"5.0": 6.0}}`: `{"a": 5, "b": [10, 2.5, "5.0"], "c": {"5.0": 6}}`,
		`{"a": 5.0`: `{"a": 5`, // what is wrong with it the decoder says
		`5.0 x`:     `5 x`,
		``:          ``,
	} {
		if got, err := plainJSON([]byte(in), "the body"); string(got) != want || err != nil {
			t.Errorf("%s: %s, %v; want string(got) == want && err == nil", in, got, err)
		}
	}
	for _, in := range []string{`{"a": 1, "a": 2}`, `{"b": [{"a": {}, "a": 2}]}`, `{"a": 1, "\u0061": 2}`} {
		if _, err := plainJSON([]byte(in), "the body"); err == nil {
			t.Errorf("%s is taken", in)
		}
	}
	if _, err := plainJSON([]byte(strings.Repeat("[", 32)+strings.Repeat("]", 32)), "the body"); err != nil {
		t.Errorf("32 deep: %v", err)
	}
	if _, err := plainJSON([]byte(strings.Repeat("[", 33)+strings.Repeat("]", 33)), "the body"); err == nil {
		t.Error("33 deep is taken")
	}
	if _, err := plainJSON([]byte(`{"a": "x", "b": "a", "c": {"a": "b"}, "d": ["a", "a"]}`), "the body"); err != nil {
		t.Error(err)
	}
}

// What a foreign client sends besides is ignored, and null is no value; what readers of JSON take
// in different ways is refused as everywhere.
func TestForeignFieldsAreIgnored(t *testing.T) {
	var v struct {
		Model string `json:"model"`
		Inner struct {
			On bool `json:"on"`
		} `json:"inner"`
	}
	body := `{"model": "m", "temperature": 0.2, "stop": null, "inner": {"on": true, "off": 1}, "x": {"y": [1]}}`
	if err := Foreign([]byte(body), &v, "the body"); err != nil || v.Model != "m" || !v.Inner.On {
		t.Errorf("%+v, %v", v, err)
	}
	if err := Foreign([]byte(`{"model": null, "inner": null}`), &v, "the body"); err != nil {
		t.Errorf("null: %v", err)
	}
	for _, body := range []string{`{"model": "m", "model": "n"}`, `{"x": {"y": 1, "y": 2}}`, `[]`, ``,
		`{"model": 1}`, "{\"x\": \"\xff\"}", strings.Repeat(`{"x":`, 40) + "1" + strings.Repeat("}", 40)} {
		if err := Foreign([]byte(body), &v, "the body"); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v", body, err)
		}
	}
}
