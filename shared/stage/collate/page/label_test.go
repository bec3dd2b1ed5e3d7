package page

import "testing"

// A question that holds two columns does not say which of them an answer is of.
func TestAQuestionOfTwoColumnsTellsNeither(t *testing.T) {
	for _, c := range []struct {
		query string
		told  bool
	}{{"Does Pro include SSO?", true}, {"Does Pro or Basic include SSO?", false}} {
		l := label{words: "Pro", rivals: []string{"Basic", "Pro"}}
		if got := l.toldBy("Yes", c.query); got != c.told {
			t.Errorf("%s: toldBy is %t, want %t", c.query, got, c.told)
		}
	}
}
