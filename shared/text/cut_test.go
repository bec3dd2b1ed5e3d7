package text

import (
	"strings"
	"testing"
)

func TestWithin(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("The valve opens at 9 bar. ", 20))
	for _, c := range []struct {
		name, quote, statement string
		now, earlier           bool
	}{
		{"all of it", "The valve opens.", "the valve opens.", true, true},
		{"words of it", "The valve opens at 9 bar.", "opens at 9 bar", true, true},
		{"a cut number", "It bears 99 bar.", "9 bar", false, false},
		{"a cut word", "It is unsafe.", "safe.", false, false},
		{"a word cut at its end", "It is safely used.", "it is safe", false, false},
		{"long words that end with a word", long, long[:len("The valve opens at 9 bar. ")*11+9], true, true},
		{"long words that end within one", long, long[:len("The valve opens at 9 bar. ")*12+7], false, true},
	} {
		now, earlier := Within(c.quote, c.statement, false), Within(c.quote, c.statement, true)
		if now != c.now || earlier != c.earlier {
			t.Errorf("%s: %v, %v", c.name, now, earlier)
		}
	}
}
