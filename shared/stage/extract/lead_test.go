package extract

import (
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

func allowed(string, int, int) bool { return false }

// unitOf returns the unit of a page that begins with some words.
func unitOf(t *testing.T, p *page, words string) *unit {
	t.Helper()
	for i := range p.units {
		if strings.HasPrefix(p.text(&p.units[i]), words) {
			return &p.units[i]
		}
	}
	t.Fatalf("no unit begins with %q", words)
	return nil
}

const daemonPage = `# Running
Read the whole chapter first. To start the daemon, run:
` + "` " + `tided --detach
It writes its number to a file.
` + "` " + `cat /run/tided.pid
Choose one of the following modes.
- fast
- safe, which is slower:
-- with checks
- off
The port is 4000.
- This list has nothing to do with it.`

// A sentence leads to the code right below it, and to the list that it announces.
func TestWhatASentenceLeadsTo(t *testing.T) {
	q := newQuestion("how do I start the daemon detached", whole("how do I start the daemon detached"), "en")
	p := newPage(doc("https://x.example/", "Tide", daemonPage), q, nil, allowed)
	for words, want := range map[string]string{
		"To start":      "tided --detach",
		"It writes":     "cat /run/tided.pid",
		"Choose one":    "fast|safe, which is slower:|with checks|off",
		"safe, which":   "with checks",
		"Read the":      "",
		"The port":      "",
		"tided":         "",
		"This list has": "",
	} {
		var got []string
		u := unitOf(t, p, words)
		for i := u.leads.from; i < u.leads.to; i++ {
			got = append(got, p.doc.BlockText(i))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q leads to %q, want %q", words, got, want)
		}
	}
	code, lead := unitOf(t, p, "tided"), unitOf(t, p, "To start")
	if code.header != lead.block || code.headerOwn == 0 || lead.led&^lead.own == 0 {
		t.Errorf("the code has %b of the question from its lead-in, that has %b from the code",
			code.headerOwn, lead.led)
	}
	if u := unitOf(t, p, "off"); p.doc.BlockText(u.header) != "Choose one of the following modes." {
		t.Errorf("the lead-in of the last item is %q", p.doc.BlockText(u.header))
	}
}

// What a sentence leads to is quoted with it, and follows it.
func TestALeadInIsQuotedWithItsCode(t *testing.T) {
	_, claims, _ := askAll(t, Query{Text: "How do I start the daemon?"},
		doc("https://x.example/", "Tide", daemonPage))
	if len(claims) != 1 || len(claims[0]) < 2 {
		t.Fatalf("claims %+v", claims)
	}
	first, second := claims[0][0], claims[0][1]
	if first.Statement != "To start the daemon, run:" || len(first.Proposed) != 2 ||
		first.Proposed[1].Words != "tided --detach" || second.Statement != "tided --detach" {
		t.Errorf("the claims are %+v and %+v, want the sentence with its code, then the code",
			first, second)
	}
}

func TestAnnounces(t *testing.T) {
	for s, want := range map[string]bool{
		"Run this:":                    true,
		"Start it as follows.":         true,
		"It looks like this":           true,
		"You can list them by using":   true,
		"Use the following options.":   true,
		"Er wird wie folgt gestartet.": true,
		"命令如下":                         true,
		"ใช้คำสั่งต่อไปนี้":                                                      true,
		"It is off by default.":                                                  false,
		"See the following. Nothing is below 4 m high, though, in the last one.": true,
		"The following is old. It is off.":                                       false,
		"Standby is off.":                                                        false,
	} {
		lang := text.DetectLanguage(s)
		if strings.Contains(s, "Er wird") {
			lang = "de"
		}
		if unitWordsIn(lang).announce(s) != want {
			t.Errorf("%q: %v, want %v", s, !want, want)
		}
	}
}

// TestRoles reads what a unit is for off its words, its lead-in and its headings.
func TestRoles(t *testing.T) {
	d := doc("https://x.example/", "Tide", `# Limits
The limit is 64.
For example, it may be 10.
You can set it, for example:
`+"` "+`limit = 10
## Examples
limit = 20
# Changes in 3.1
The limit was 32.
# More
Changed in version 2: the limit is new.
« previous | up | next »
The line runs\nbut is cut here.
Next, open the valve.
@ Tide tables → https://x.example/tables
! Next`)
	for i := range d.Blocks {
		if strings.HasPrefix(d.BlockText(i), "The line") {
			d.Blocks[i].Kind = wstk.BlockParagraph
		}
	}
	q := newQuestion("limit", whole("limit"), "en")
	p := newPage(d, q, nil, allowed)
	for words, want := range map[string]role{
		"The limit is":       0,
		"For example":        roleExample,
		"You can set":        0,
		"limit = 10":         roleExample,
		"limit = 20":         roleExample,
		"The limit was":      roleHistory,
		"Changed in version": roleHistory,
		"« previous":         roleNavigation,
		"The line":           roleFragment,
		"but is cut":         roleFragment,
		"Next, open":         0,
	} {
		if got := p.roleOf(unitOf(t, p, words)); got != want {
			t.Errorf("%q has roles %b, want %b", words, got, want)
		}
	}
	last := &p.units[len(p.units)-1]
	if p.roleOf(last) != roleNavigation {
		t.Errorf("%q outside the main content is no navigation", p.text(last))
	}
}

// A sentence that goes on from the one before it is quoted with that one.
func TestASentenceThatGoesOn(t *testing.T) {
	const page = `# Trading
The pump is off by default. To enable it, open the valve. Valves are red.
Das Ventil ist zu. Es öffnet bei 4 bar.`
	p := newPage(doc("https://x.example/", "Pump", page), newQuestion("enable the pump", whole("enable the pump"), "en"), nil, allowed)
	unitOf(t, p, "The pump is off by default. To enable it, open the valve.")
	unitOf(t, p, "Valves are red.")
	unitOf(t, p, "Es öffnet") // German goes on in German words only
	_, claims, _ := askAll(t, Query{Text: "How do I enable the pump?"},
		doc("https://x.example/", "Pump", page))
	if got := claims[0][0].Statement; got != "The pump is off by default. To enable it, open the valve." {
		t.Errorf("the answer is %q, want both sentences", got)
	}
	de := doc("https://x.example/de", "Pumpe", page)
	de.Meta.Language = "de"
	p = newPage(de, newQuestion("Ventil", whole("Ventil"), "de"), nil, allowed)
	unitOf(t, p, "Das Ventil ist zu. Es öffnet bei 4 bar.")
}

// A lead-in comes before what it leads to, whatever was chosen first.
func TestALeadInComesFirst(t *testing.T) {
	q := newQuestion("how do I start the daemon detached", whole("how do I start the daemon detached"), "en")
	p := newPage(doc("https://x.example/", "Tide", daemonPage), q, nil, allowed)
	claim := func(words string) wstk.Claim {
		u := unitOf(t, p, words)
		return wstk.Claim{Statement: words, Proposed: []wstk.Proposal{p.propose(u.start, u.end)}}
	}
	var got []string
	for _, c := range leadFirst([]wstk.Claim{claim("The port"), claim("safe, which"), claim("tided"),
		claim("Choose one"), claim("To start")}, []*page{p}) {
		got = append(got, c.Statement)
	}
	if want := "The port|Choose one|safe, which|To start|tided"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// An answer that runs from a lead-in into its list is followed by all of that list.
func TestAWideAnswerListsTheRest(t *testing.T) {
	q := newQuestion("which levels of checks are there", whole("which levels of checks are there"), "en")
	p := newPage(doc("https://x.example/", "Store", `# Store
The store has three levels of checks. Set one with LEVEL:
- NO: nothing is looked at.
- ASK: a note is read, if there is one.
- MUST: without a seal nothing is taken.`), q, nil, allowed)
	wide := *unitOf(t, p, "The store has")
	wide.end, wide.wide = unitOf(t, p, "NO").end, true
	a := answer{candidate: candidate{page: p, unit: &wide}}
	var got []string
	for _, c := range a.listed() {
		got = append(got, c.Statement[:3])
	}
	if strings.Join(got, " ") != "NO: ASK MUS" {
		t.Errorf("listed %q", got)
	}
}

// The words of several links and nothing else lead somewhere: they answer nothing.
func TestLinksAloneAreNavigation(t *testing.T) {
	d := doc("https://x.example/", "Tide", `Opening hours and tickets Shop
Opening hours and tickets
Opening hours are in the Shop
Opening hours Shop`)
	for _, anchor := range []string{"Opening hours and tickets", "Shop", "Opening hours are"} {
		d.Links = append(d.Links, wstk.Link{URL: "https://x.example/" + anchor, Text: anchor})
	}
	p := newPage(d, newQuestion("opening hours", whole("opening hours"), "en"), nil, allowed)
	for words, want := range map[string]role{
		"Opening hours and tickets Shop": roleNavigation,
		"Opening hours and tickets":      0, // one link: a name
		"Opening hours are in the Shop":  0,
		"Opening hours Shop":             0, // no link has these words
	} {
		found := false
		for i := range p.units {
			if u := &p.units[i]; p.text(u) == words {
				found = true
				if got := p.roleOf(u) & roleNavigation; got != want {
					t.Errorf("%q has roles %b, want %b", words, got, want)
				}
			}
		}
		if !found {
			t.Errorf("there is no unit %q", words)
		}
	}
}
