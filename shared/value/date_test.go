package value

import (
	"testing"
	"time"
)

func TestMonth(t *testing.T) {
	for _, c := range []struct {
		word, lang string
		want       time.Month
	}{
		{"March", "en", time.March}, {"märz", "de", time.March}, {"MARZO", "es", time.March},
		{"mars", "en", 0}, {"mars", "xx", 0}, {"", "en", 0},
	} {
		if got := Month(c.word, c.lang); got != c.want {
			t.Errorf("Month(%q, %q) = %v, want %v", c.word, c.lang, got, c.want)
		}
	}
}
