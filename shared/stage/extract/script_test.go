package extract

import (
	"strings"
	"testing"
	"unicode/utf8"

	"wstk/shared/wstk"
)

// A part of a compound is found in it, and a compound by its parts, in languages that have
// them.
func TestCompounds(t *testing.T) {
	const page = "Die Flughafengebühren stiegen. Der Preis blieb.\nGebühr und Hafen."
	for _, c := range []struct {
		query, lang, unit string
		want              bool
	}{
		{"Gebühren", "de", "Die Flughafengebühren", true},
		{"Flughafen", "de", "Die Flughafengebühren", true},
		{"Flughafengebühr", "de", "Gebühr und", true},
		{"Preisliste", "de", "Der Preis", true},
		{"Hut", "de", "Die Flughafengebühren", false},
		{"Gebühren", "en", "Die Flughafengebühren", false},
	} {
		d := doc("https://x.example/", "", page)
		d.Meta.Language = c.lang
		p := newPage(d, newQuestion(c.query, whole(c.query), c.lang), nil, allowed)
		if u := unitOf(t, p, c.unit); (u.synonym|u.own != 0) != c.want {
			t.Errorf("%q in %q (%s): %v, want %v", c.query, p.text(u), c.lang, !c.want, c.want)
		}
	}
}

// Thai sentences have blanks between them and no stops: a long paragraph is cut there.
func TestThaiIsCutAtBlanks(t *testing.T) {
	phrase := "พิพิธภัณฑ์เปิดในปี 1934 และมีสวนขนาดใหญ่มาก "
	d := doc("https://x.example/", "", strings.TrimSpace(strings.Repeat(phrase, 12)))
	d.Meta.Language = "th"
	p := newPage(d, newQuestion("สวน", whole("สวน"), "th"), nil, allowed)
	if len(p.units) < 3 {
		t.Fatalf("%d units, want several", len(p.units))
	}
	for i := range p.units {
		u := &p.units[i]
		if n := utf8.RuneCountInString(p.text(u)); n > 201 || u.kind != wstk.BlockParagraph {
			t.Errorf("a unit of %d code points: %q", n, p.text(u))
		}
	}
}
