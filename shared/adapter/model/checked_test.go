package model

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestChecked(t *testing.T) { suite(t, func(m wstk.Model) wstk.Model { return Checked{m} }) }

// What does not fit is sent back once; the reply is the JSON alone.
func TestRepliesFitTheirSchema(t *testing.T) {
	deep := `{"said":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`
	for _, c := range []struct {
		name    string
		replies []string
		want    string // "" for ModelFailed
	}{
		{"fits", []string{`{"said": "x"}`}, `{"said":"x"}`},
		{"fenced", []string{"```json\n{\"said\":\"x\"}\n```"}, `{"said":"x"}`},
		{"raw line feeds", []string{"{\"said\":\"one\ntwo\"}"}, `{"said":"one\u000atwo"}`},
		{"wrong type, then right", []string{`{"said": 1}`, `{"said":"x"}`}, `{"said":"x"}`},
		{"prose, then right", []string{`Of course!`, `{"said":"x"}`}, `{"said":"x"}`},
		{"one thing too many", []string{`{"said":"x","more":1}`, `{"said":"x","more":1}`}, ""},
		{"cut", []string{`{"said":"x`, `{"said":"x`}, ""},
		{"deep", []string{deep, deep}, ""},
		{"long", []string{`{"said":"` + strings.Repeat("x", maxString+1) + `"}`, `{"said":"x"}`},
			`{"said":"x"}`},
		{"empty", []string{"", ""}, ""},
	} {
		n := 0
		scripted := &wstktest.ScriptedModel{
			Answer: func(wstk.ModelRequest) (string, error) { n++; return c.replies[n-1], nil }}
		reply, err := Checked{scripted}.Complete(t.Context(), wish)
		if n != len(c.replies) || reply.Usage.Calls != n || reply.Text != c.want ||
			(err == nil) != (c.want != "") || err != nil && wstk.CodeOf(err) != wstk.ModelFailed {
			t.Errorf("%s: %+v after %d calls: %v", c.name, reply, n, err)
		}
		if n == 2 {
			again := scripted.Requests()[1]
			if !strings.HasPrefix(again.User, wish.User+"\n\n") ||
				!strings.Contains(again.User, `"what_was_wrong":"`) || again.System != wish.System {
				t.Errorf("%s: it was told %q", c.name, again.User)
			}
		}
		if err != nil && strings.Contains(err.Error(), "more") {
			t.Errorf("%s: the error repeats the reply: %v", c.name, err)
		}
	}
}

// An error of the model is passed on, with what was paid until then.
func TestErrorsOfTheSecondTry(t *testing.T) {
	n := 0
	m := Checked{&wstktest.ScriptedModel{Answer: func(wstk.ModelRequest) (string, error) {
		if n++; n == 2 {
			return "", wstk.Errorf(wstk.RateLimited, "", "no")
		}
		return "no JSON", nil
	}}}
	if reply, err := m.Complete(t.Context(), wish); wstk.CodeOf(err) != wstk.RateLimited ||
		reply.Usage.Calls != 2 {
		t.Errorf("%+v, %v", reply, err)
	}
}

// A free reply is passed on as it is, and a schema that is none is our mistake.
func TestWhatIsNotChecked(t *testing.T) {
	m := Checked{&wstktest.ScriptedModel{
		Answer: func(wstk.ModelRequest) (string, error) { return " ```free``` ", nil }}}
	free := wish
	free.Schema = nil
	if reply, err := m.Complete(t.Context(), free); err != nil || reply.Text != " ```free``` " {
		t.Errorf("%+v, %v", reply, err)
	}
	for _, schema := range []string{`{"type": 7}`, `[`, `{"$ref": "http://a.example/x"}`} {
		free.Schema = []byte(schema)
		if _, err := m.Complete(t.Context(), free); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v", schema, err)
		}
	}
}
