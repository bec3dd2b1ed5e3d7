package collate

import (
	"slices"
	"testing"

	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Law 3: the proposer of a claim, a model above all, sets neither how well it is
// supported nor what a value in it amounts to; both are read off the quotes.
func TestProposalsSetNeitherSupportNorValue(t *testing.T) {
	norm := func(s string) string { return value.Find(s, "en")[0].Norm }
	d := document(say{url: "https://a.example/1", text: "The maximum pressure is 9 bar."})
	nine := &wstk.Value{Type: wstk.ValueQuantity, Text: "9 bar", Norm: norm("9 bar")}
	for _, c := range []struct {
		name      string
		statement string
		support   wstk.Support
		value     *wstk.Value
		want      wstk.Support
		keeps     bool
	}{
		{"as the page says", d.Text, wstk.SupportDirect, nine, wstk.SupportDirect, true},
		{"without its article", "Maximum pressure is 9 bar.", wstk.SupportDirect, nine, wstk.SupportInferred, true},
		{"the same in other words", "The pressure is at most 9 bar.", wstk.SupportDirect, nil, "", false},
		{"other words", "The pump bears any pressure.", wstk.SupportDirect, nil, "", false},
		{"no words", "", wstk.SupportDirect, nil, "", false},
		{"said to follow", d.Text, wstk.SupportInferred, nine, wstk.SupportInferred, true},
		{"a value the page does not hold", d.Text, wstk.SupportDirect,
			&wstk.Value{Type: wstk.ValueQuantity, Text: "99 bar", Norm: norm("99 bar")}, wstk.SupportDirect, false},
		{"a value read as another", d.Text, wstk.SupportDirect,
			&wstk.Value{Type: wstk.ValueQuantity, Text: "9 bar", Norm: norm("99 bar")}, wstk.SupportDirect, false},
		{"a value without words", d.Text, wstk.SupportDirect,
			&wstk.Value{Type: wstk.ValueQuantity, Norm: norm("9 bar")}, wstk.SupportDirect, false},
	} {
		it := claimOf(d, d.Text, "")
		it.Claim.Statement, it.Claim.Support, it.Claim.Value = c.statement, c.support, c.value
		x := collated(Input{Query: "q", Strategy: wstk.Singular, Strict: true, Items: []Item{it},
			Pages: []*wstk.Document{d}})
		if c.want == "" { // not as it is worded: its page says it in its own words
			if x.Unsupported[0].Reason != "not_borne" || slices.ContainsFunc(x.Statements,
				func(s wstk.Statement) bool { return s.Statement != d.Text }) {
				t.Errorf("%s: %+v, %+v", c.name, x.Statements, x.Unsupported)
			}
			continue
		}
		if len(x.Statements) != 1 {
			t.Fatalf("%s: %+v; want len(x.Statements) == 1", c.name, x)
		}
		s := x.Statements[0]
		grade := wstk.SingleSource
		if c.want == wstk.SupportInferred {
			grade = wstk.Inferred
		}
		if s.Support != c.want || x.Grounding != grade || (s.Value != nil) != c.keeps {
			t.Errorf("%s: %s, %s, value %+v", c.name, s.Support, x.Grounding, s.Value)
		}
	}
}

// What a page crosses out bears no claim in other words.
func TestStruckWordsBearNothing(t *testing.T) {
	d := document(say{url: "https://a.example/1", text: "The maximum pressure is 9 bar."})
	it := claimOf(d, d.Text, "")
	it.Claim.Statement = "The pressure is 9 bar at its maximum."
	in := Input{Query: "q", Items: []Item{it}, Pages: []*wstk.Document{d}}
	if x := collated(in); len(x.Statements) != 1 || x.Statements[0].Statement != d.Text {
		t.Errorf("%+v; want the page's own words", x)
	}
	it.Evidence[0].Flags = []wstk.Flag{wstk.FlagStruck}
	if x := collated(in); len(x.Statements) > 0 || x.Unsupported[0].Reason != "not_borne" {
		t.Errorf("struck words bear a claim: %+v", x.Statements)
	}
}
