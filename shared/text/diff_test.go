package text

import (
	"fmt"
	"strings"
	"testing"
)

func TestDiffWords(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{"", "", ""},
		{"The pump reaches 9 bar.", "The pump reaches 9 bar.", "=The pump reaches 9 bar."},
		{"The pump reaches 9 bar.", "The  pump\nreaches 7 bar.", "=The pump reaches|-9|+7|=bar."},
		{"a b c", "", "-a b c"},
		{"", "a b", "+a b"},
		{"a b c d", "b d e", "-a|=b|-c|=d|+e"},
		{"x y", "p q", "-x y|+p q"},
	} {
		var got []string
		for _, p := range DiffWords(c.old, c.now) {
			got = append(got, map[ChangeOp]string{Kept: "=", Gone: "-", Added: "+"}[p.Op]+p.Text)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q and %q: %q, want %q", c.old, c.now, got, c.want)
		}
	}
}

// The pieces give back both texts, and long ones cost no more than short ones.
func FuzzDiffWords(f *testing.F) {
	f.Add("the old words stand here", "the new words stand there")
	f.Add(strings.Repeat("w ", 5000), strings.Repeat("w x ", 5000))
	f.Fuzz(func(t *testing.T, old, now string) {
		var a, b []string
		for _, p := range DiffWords(old, now) {
			if p.Op != Added {
				a = append(a, p.Text)
			}
			if p.Op != Gone {
				b = append(b, p.Text)
			}
		}
		for _, side := range []struct {
			got  []string
			want string
		}{{a, old}, {b, now}} {
			words := strings.Fields(side.want)
			words = words[:min(len(words), maxDiff)]
			if fmt.Sprint(strings.Fields(strings.Join(side.got, " "))) != fmt.Sprint(words) {
				t.Errorf("%q gives back %q", side.want, side.got)
			}
		}
	})
}
