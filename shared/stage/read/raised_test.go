package read

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// What is raised or lowered is no digit of the line: it is a number of its own, and a sentence
// that says something by it is flagged. Footnotes, ordinals and formulas of words are not.
func TestRaisedDigits(t *testing.T) {
	for _, c := range []struct {
		html, text string
		flagged    bool
	}{
		{`<p>It holds 10<sup>4</sup> rows.</p>`, "It holds 10 4 rows.", true},
		{`<p>It holds 2<sup>−16</sup> rows.</p>`, "It holds 2−16 rows.", true},
		{`<p>It holds 10<span style="vertical-align:super">4</span> rows.</p>`, "It holds 10 4 rows.", true},
		{`<p>It holds 10<span style="vertical-align:0.4em">4</span> rows.</p>`, "It holds 10 4 rows.", true},
		{`<style>.up{vertical-align:super}</style><p>It holds 10<b class=up>4</b> rows.</p>`, "It holds 10 4 rows.", true},
		{`<p>It is 101<sub>2</sub> in bits.</p>`, "It is 101 2 in bits.", true},
		{`<p>It takes n<sup>2</sup> steps.</p>`, "It takes n2 steps.", true},
		{`<p>It takes (n+1)<sup>2</sup> steps.</p>`, "It takes (n+1)2 steps.", true},
		{`<p>It is 5 km<sup>2</sup> large.</p>`, "It is 5 km2 large.", true},
		{`<p>It holds <math><msup><mn>10</mn><mn>4</mn></msup></math> rows.</p>`, "It holds 10 4 rows.", true},
		{`<p>It holds <math><mfrac><mn>1</mn><mn>4</mn></mfrac></math> of it.</p>`, "It holds 1 4 of it.", true},
		{`<table><tr><th>Area<td>10<sup>2</sup> cm<sup>2</sup><tr><th>Age<td>4</table>`, "10 2 cm2", true},
		{`<p>It holds 40 rows in all<sup>4</sup>.</p>`, "It holds 40 rows in all4.", false},
		{`<p>It held 40 rows in 1998<sup><a href="#n4">4</a></sup>.</p>`, "It held 40 rows in 1998 4.", false},
		{`<p>It is the 4<sup>th</sup> row.</p>`, "It is the 4th row.", false},
		{`<p>It holds CO<sub>2</sub> in 4 bags.</p>`, "It holds CO2 in 4 bags.", false},
		{`<p>It holds 10<span style="vertical-align:middle">4</span> rows.</p>`, "It holds 104 rows.", false},
		{`<p>It holds 10<span style="vertical-align:0">4</span> rows.</p>`, "It holds 104 rows.", false},
	} {
		d := readString(t, "<h1>The store</h1>"+c.html+"<p>Another line.</p>")
		checkDocument(t, d)
		at := strings.Index(d.Text, c.text)
		if at < 0 {
			t.Errorf("%s is read as %q", c.html, d.Text)
			continue
		}
		if got := slices.Contains(d.FlagsIn(at, at+len(c.text)), wstk.FlagIncomplete); got !=
			c.flagged {
			t.Errorf("%s: incomplete is %t", c.html, got)
		}
		if at := strings.Index(d.Text, "Another"); len(d.FlagsIn(at, at+5)) > 0 {
			t.Errorf("%s: the next line is flagged", c.html)
		}
	}
}

// A number that a counter writes within a line is a part of its sentence; before a heading or an
// item it only counts.
func TestCountersWithinALine(t *testing.T) {
	const style = `<style>.n::before{content:counter(c)}</style>`
	for html, want := range map[string]bool{
		`<p>The tank holds <b class=n></b> litres.</p>`:       true,
		`<p>The tank holds <b class=n> litres</b> now.</p>`:   true,
		`<p class=n>The tank holds litres.</p>`:               false,
		`<ol><li><b class=n></b> The tank holds litres.</ol>`: false,
	} {
		d := readString(t, style+"<h1>The tank</h1>"+html)
		at := strings.Index(d.Text, "The tank holds")
		if got := slices.Contains(d.FlagsIn(at, len(d.Text)), wstk.FlagIncomplete); got != want {
			t.Errorf("%s: incomplete is %t", html, got)
		}
	}
}
