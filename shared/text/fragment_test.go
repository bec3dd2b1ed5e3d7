package text

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestLinkLeadsToItsPlace(t *testing.T) {
	const u = "https://example.com/a"
	long := "The quick brown fox jumps over the lazy dog while seven wizards brew a potion that nobody in the village wants to taste."
	for _, c := range []struct{ name, s, want string }{ // {…} is linked
		{"once", "A limit of {10 rows} holds.", "10 rows"},
		{"the second place", "Default: 10 rows. Later: {10 rows}. End.", "Later:-,10 rows,-. End."},
		{"the first place of two", "Default: {10 rows}. Later: 10 rows. End.", "Default:-,10 rows,-. Later:"},
		{"another case is the same to browsers", "LIMIT here. A {limit} there.", "A-,limit,-there."},
		{"a part of a word is no place", "unlimited. A {limit} there.", "limit"},
		{"as few words as needed", "a b c {x} d e f. q b c x d e f.", "c-,x,-d"},
		{"across the edge of a block", "One\nFee\n12\nTwo\n{Fee}\n12", "Two-,Fee,-12"},
		{"cells", "Cat\t5\t7\nDog\t{5}\t8", "Dog-,5,-8"},
		{"at the beginning", "{Fee} is 5.\nFee is 6.", "Fee,-is"},
		{"at the end", "Fee is 5.\nNow Fee is 6.\nThe {Fee}", "The-,Fee"},
		{"white space is collapsed", "a  fee \u00a0 of 5, the   new {fee  of 5} holds", "new-,fee of 5,-holds"},
		{"a long quote", long + "\nAgain: {" + long + "}", "Again:-,The quick brown fox jumps over the lazy,nobody in the village wants to taste."},
		{"a long one whose end comes early", "taste now. " + "{" + long + "} Then nobody in the village wants to taste.", "The quick brown fox jumps over the lazy,nobody in the village wants to taste."},
		{"Chinese", "默认值，十行。最大值，{十行}。完", "最大值，-,十行,-。完"},
		{"the same around it", "x Fee y\nx {Fee} y", "x-,Fee,-y"},
	} {
		i, j := strings.Index(c.s, "{"), strings.Index(c.s, "}")
		s := c.s[:i] + c.s[i+1:j] + c.s[j+1:]
		got := NewFragments(s).Link(u, i, j-1)
		dir, ok := strings.CutPrefix(got, u+"#:~:text=")
		if dec, err := url.PathUnescape(dir); !ok || err != nil || dec != c.want {
			t.Errorf("%s: %s, want %s", c.name, dec, c.want)
		}
	}
	f := NewFragments("some text")
	for _, r := range [][2]int{{-1, 2}, {3, 3}, {5, 50}, {4, 5}} {
		if got := f.Link(u, r[0], r[1]); got != u {
			t.Errorf("of nothing: %s", got)
		}
	}
}

// A place is found in a long text, also between the marks, and a text of nothing but
// repetitions costs little.
func TestLinkInALongText(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		b.WriteString("Zeile  Ü" + strings.Repeat("ä", i%7) + " hat den Wert fünf.\n")
	}
	s := b.String() + "Und der letzte hat den Wert fünf. " + strings.Repeat("a b ", 300_000)
	at := strings.Index(s, "letzte hat den Wert fünf")
	start := time.Now()
	f := NewFragments(s)
	link := f.Link("https://example.com/", at+len("letzte "), at+len("letzte hat den Wert fünf"))
	if want := "#:~:text=letzte-,hat%20den%20Wert%20f%C3%BCnf,-.%20a"; !strings.HasSuffix(link, want) {
		t.Errorf("%s, want %s", link, want)
	}
	last := strings.LastIndex(s, "a b")
	f.Link("https://example.com/", last, last+3)
	f.Link("https://example.com/", at, len(s)-1)
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it took %s", d)
	}
}
