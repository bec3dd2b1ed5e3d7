package collate

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// cites makes an answer of one direct statement that cites quotes, one of each page, with
// what its own rules left out put back.
func cites(t *testing.T, rules, statement string, quotes ...string) (Claimed, Reviewed, []Finding) {
	t.Helper()
	x := wstk.Extraction{Statements: []wstk.Statement{
		{Statement: statement, Support: wstk.SupportDirect}}, Grounding: wstk.SingleSource}
	c := Claimed{Asked: true, Query: "Is it so?", Strategy: wstk.Singular, Rules: rules}
	for i, q := range quotes {
		d := document(say{url: "https://" + string(rune('a'+i)) + ".example/1", text: q})
		e := evidence(d, q)
		c.Pages = append(c.Pages, d)
		x.Statements[0].Evidence = append(x.Statements[0].Evidence, len(x.Evidence))
		x.Evidence = append(x.Evidence, e)
		c.Stands = append(c.Stands, true)
	}
	c.Extraction = x
	today := reviewed(c.Query, x, c.Pages)
	c.Sources, c.Grounding, c.Counted, c.Conflicts = today.Sources, today.Grade,
		today.Counted, today.Conflicts
	c.Content = Content(c.Strategy, c.Extraction)
	found, today, err := Check(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return c, today, found
}

// Law 1: each quote that a statement cites bears it, or is named.
func TestWhatAStatementCitesBearsIt(t *testing.T) {
	const bridge, vaccines = "The Harbour Bridge is 1,149 metres long.", "Vaccines cause autism."
	for _, c := range []struct {
		what, statement string
		quotes          []string
		fails           bool
		named           int
		primary         string
	}{
		{"one quote", vaccines, []string{vaccines}, false, 0, "a"},
		{"two that say it", vaccines, []string{vaccines, vaccines}, false, 0, "a"},
		{"one that says it in like words", "The limit of a join is 64 tables.", []string{"The limit of a join is 64 tables.", "64 tables is the limit of a join."}, false, 0, "a"},
		{"another matter before and behind", vaccines, []string{bridge, vaccines, bridge}, true, 0, "b"},
		{"another matter behind", vaccines, []string{vaccines, "The museum opens at 9:00 on weekdays."}, true, 0, "a"},
		{"a denial", vaccines, []string{vaccines, "Vaccines do not cause autism."}, true, 0, "a"},
		{"its words, taken back", vaccines, []string{vaccines, "It is not true that vaccines cause autism."}, true, 0, "a"},
		{"a word of it, first", vaccines, []string{"Vaccines are kept in the cold.", vaccines}, true, 0, "b"},
		{"a word that holds it, first", "Safe", []string{"Unsafe", "Safe"}, true, 0, "b"},
		{"a number that holds it, first", "5 EUR", []string{"15 EUR", "5 EUR"}, true, 0, "b"},
		{"in a longer sentence, first", "The mushroom is safe to eat.", []string{"Few think the mushroom is safe to eat.", "The mushroom is safe to eat."}, false, 1, "b"},
		{"a value of it", "The pump holds 9 bar.", []string{"The pump holds 9 bar.", "Its maximum is 9 bar."}, true, 0, "a"},
	} {
		for _, rules := range []string{Rules, "2"} {
			_, today, found := cites(t, rules, c.statement, c.quotes...)
			fails, named := false, 0
			for _, f := range found {
				fails = fails || f.Part == "statement" && f.Why != ""
				if f.Part == "citation" {
					named++
				}
			}
			if rules != Rules { // it may have been made so, and is named
				if fails || (named > 0) != (c.fails || c.named > 0) {
					t.Errorf("%s, by earlier rules: fails %v, named %d: %+v", c.what, fails, named, found)
				}
				continue
			}
			if fails != c.fails || !fails && named != c.named {
				t.Errorf("%s: fails %v, named %d: %+v", c.what, fails, named, found)
			}
			if len(today.Sources) == 0 || !strings.HasPrefix(today.Sources[0].URL,
				"https://"+c.primary+".") || today.Sources[0].Role != wstk.Primary {
				t.Errorf("%s: sources %+v", c.what, today.Sources)
			}
			if today.Grade == wstk.Verified && c.named+len(c.quotes) > 0 && c.fails {
				t.Errorf("%s: the grade is %s, though the added quote must not count", c.what, today.Grade)
			}
		}
	}
}

// What Collate leaves out nothing holds against its own answer.
func TestWhatIsOfAnotherMatterIsNotCited(t *testing.T) {
	const words = "Vaccines prevent measles."
	d, o := document(say{url: "https://a.example/1", text: words}), document(say{url: "https://b.example/1", text: "The museum opens at 9:00."})
	it := claimOf(d, words, "")
	it.Evidence = append([]wstk.Evidence{evidence(o, "The museum opens at 9:00.")}, it.Evidence...)
	x := collated(Input{Query: "q", Strategy: wstk.Singular, Strict: true, Items: []Item{it},
		Pages: []*wstk.Document{d, o}})
	if len(x.Evidence) != 1 || x.Evidence[0].URL != d.URL || len(x.Sources) != 1 {
		t.Errorf("%+v; want len(x.Evidence) == 1 && x.Evidence[0].URL == d.URL && len(x.Sources) == 1", x)
	}
}

// A direct statement is of one block, and of one cell or the whole row.
func TestDirectStaysWithinItsBlockAndCell(t *testing.T) {
	d := &wstk.Document{URL: "https://a.example/1", CanonicalURL: "https://a.example/1", FetchedAt: fetched}
	for i, b := range []struct {
		kind  wstk.BlockKind
		words string
	}{
		{wstk.BlockListItem, "Drug A"}, {wstk.BlockListItem, "Drug B"}, {wstk.BlockParagraph, "Forbidden:"},
		{wstk.BlockTableRow, "Tea\t2 EUR\tCoffee\t3 EUR"}, {wstk.BlockTableRow, "Arsenic\tdeadly"},
	} {
		if i > 0 {
			d.Text += "\n"
		}
		from := len(d.Text)
		d.Text += b.words
		d.Blocks = append(d.Blocks, wstk.Block{Kind: b.kind, Section: -1, Table: 1, Main: true,
			Span: wstk.Span{CharStart: from, CharEnd: len(d.Text), ByteStart: from,
				ByteEnd: len(d.Text)}})
	}
	d.TextSHA256, d.SnapshotSHA256 = wstk.HashOf([]byte(d.Text)), wstk.HashOf([]byte(d.Text))
	for words, want := range map[string]wstk.Support{
		"Drug B": wstk.SupportDirect, "Drug B\nForbidden:": wstk.SupportInferred, "Drug A\nDrug B": wstk.SupportInferred,
		"3 EUR": wstk.SupportDirect, "2 EUR\tCoffee": wstk.SupportInferred, "Coffee\t3 EUR": wstk.SupportInferred,
		"Tea\t2 EUR\tCoffee\t3 EUR": wstk.SupportDirect, "3 EUR\nArsenic": wstk.SupportInferred, "Arsenic\tdeadly": wstk.SupportDirect,
	} {
		x := collated(Input{Query: "q", Strategy: wstk.Singular,
			Items: []Item{claimOf(d, words, "")}, Pages: []*wstk.Document{d}})
		if len(x.Statements) != 1 || x.Statements[0].Support != want {
			t.Errorf("%q: %+v; want len(x.Statements) == 1 && x.Statements[0].Support == want", words, x.Statements)
		}
	}
}

// A value stands whole in its statement, and in the quote that says it.
func TestAValueIsOfItsStatement(t *testing.T) {
	n := func(text string, number float64) *wstk.Value {
		return &wstk.Value{Type: wstk.ValueQuantity, Text: text, Number: &number, Unit: "m",
			Norm: text[:len(text)-len(" metres")] + " m"}
	}
	for _, c := range []struct {
		words string
		value *wstk.Value
		holds bool
	}{
		{"The bridge is 120 metres long.", n("120 metres", 120), true},
		{"The bridge is 120 metres long.", n("20 metres", 20), false},
		{"The bridge is 1.5 metres wide.", n("5 metres", 5), false},
	} {
		cl, _, _ := cites(t, Rules, c.words, c.words, "The bridge over the pipe is 20 metres long, or 5 metres.")
		cl.Statements[0].Value = c.value
		found, today, _ := Check(t.Context(), cl)
		fails := slices.ContainsFunc(found, func(f Finding) bool {
			return strings.Contains(f.Why, "value")
		})
		if fails == c.holds || (today.Statements[0].Value != nil) != c.holds {
			t.Errorf("%s, %s: %+v, %+v; want fails != c.holds && (today.Statements[0].Value != nil) == c.holds", c.words, c.value.Text, found, today.Statements)
		}
	}
}
