package ground

import (
	"testing"

	"wstk/shared/text"
)

// What a statement may leave out or put in, and what it may not.
func TestAligned(t *testing.T) {
	for _, c := range []struct {
		claim, source, before, heading string
		want                           bool
	}{
		{"The bridge opened in 1931.", "The bridge opened in 1931.", "", "", true},
		{"Bridge opened in 1931", "However, the bridge opened in 1931.", "", "", true},
		{"In 1931 the bridge opened.", "The bridge opened in 1931.", "", "", false},
		{"The bridge opened.", "The bridge opened in 1931.", "", "", false},
		{"The bridge, which is old, is open.", "The bridge is open.", "", "", false},
		{"The bridge is open.", "The bridge, which is made of steel, is open.", "", "", true},
		{"The bridge is open.", "The bridge, which may be closed, is open.", "", "", false},
		{"The bridge is open.", "The bridge, a work of steel, is open.", "", "", true},
		{"The bridge is open.", "The bridge is open; the tunnel is dark.", "", "", true},
		{"The bridge is open.", "The bridge is open; only walkers use it.", "", "", false},
		{"The bridge is open.", "The bridge is open and is made of steel.", "", "", true},
		{"The bridge is open.", "The bridge is open and is closed at night.", "", "", false},
		{"The bridge is open.", "The bridge is open and free of charge for walkers.", "", "", false},
		{"Neither gate is open.", "Neither gate is open and is made of steel.", "", "", false},
		{"The bridge needs a permit.", "The bridge needs a permit or a pass.", "", "", false},
		{"It has 2 GB of memory.", "It has two gigabytes of memory.", "", "", true},
		{"It has 2 MB of memory.", "It has two gigabytes of memory.", "", "", false},
		{"It opened on 3 May 2021.", "It opened on May 3, 2021.", "", "", true},
		{"It opened on 4 May 2021.", "It opened on May 3, 2021.", "", "", false},
		{"The mast is 324 m high.", "The mast is 324 m (1,063 ft) high.", "", "", true},
		{"The fee is 5 euros.", "The fee is 5 euros (residents).", "", "", false},
		{"The Write Ahead Log is on.", "The Write Ahead Log (WAL) is on.", "", "", true},
		{"The gates do not close.", "The gates don't close.", "", "", true},
		{"The gates close.", "The gates don't close.", "", "", false},
		{"No gate is open.", "No, gate is open.", "", "", false},
		{"Few gates are open.", "A few gates are open.", "", "", false},
		{"The polish gate is open.", "The Polish gate is open.", "", "", false},
		{"The pump weighs 3 kg.", "It weighs 3 kg.", "The pump is a work of steel.", "", true},
		{"The pump weighs 3 kg.", "It weighs 3 kg.", "The pump has a motor.", "", false},
		{"The hose weighs 3 kg.", "It weighs 3 kg.", "The pump is a work of steel.", "", false},
		{"Mara Lind lives here.", "She lives here.", "Mara Lind designed the gate.", "", true},
		{"Mara Lind lives here.", "She lives here.", "The mayor met Mara Lind.", "", false},
		{"The S4 weighs 3 kg.", "It weighs 3 kg.", "", "The S4", true},
		{"Not included: towels", "Towels", "", "Not included", true},
		{"Included: towels", "Towels", "", "Not included", false},
		{"Is the bridge open", "Is the bridge open?", "", "", false},
	} {
		s := Source{Words: c.source, Lang: "en", Before: c.before, Opens: c.before == ""}
		if c.heading != "" {
			s.Headings = []string{c.heading}
		}
		if got := Aligned(c.claim, s); got != c.want {
			t.Errorf("%q by %q (before %q, heading %q): %t, want %t", c.claim, c.source, c.before,
				c.heading, got, c.want)
		}
		if s.Turned = true; Aligned(c.claim, s) && !c.want {
			t.Errorf("%q stands under a heading that turns it", c.claim)
		}
	}
	turned := Source{Words: "Towels", Lang: "en", Headings: []string{"Not included"}, Turned: true}
	if Aligned("Towels", turned) || !Aligned("Not included: Towels", turned) {
		t.Error("an item stands without the heading that turns it, or not with it")
	}
}

func TestLone(t *testing.T) {
	for sentence, want := range map[string]bool{
		"The pressure is 9 bar.":             true,
		"The pressure is 9 bar or 12 bar.":   false,
		"The pressure is about 9 bar.":       false,
		"The pressure is not 9 bar.":         false,
		"The pressure may be 9 bar.":         false,
		"If it is hot, the value is 9 bar.":  false,
		"The pressure of 2 pumps is 9 bar.":  true,
		"The pressure is 12 bar, not 9 bar.": false,
	} {
		u := read(sentence, "en")
		at := u.values[len(u.values)-1].Range
		for _, v := range u.values {
			if v.Text == "9 bar" {
				at = v.Range
			}
		}
		if got := Lone(sentence, at, "en", func(text.Range) bool { return false }); got != want {
			t.Errorf("%q: %t, want %t", sentence, got, want)
		}
	}
}
