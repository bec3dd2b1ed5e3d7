package collate

import (
	"testing"

	"wstk/shared/wstk"
)

// What its page crosses out, shows in another order or takes back is never direct,
// however it is said; a reply that says it is claims more than these rules give.
func TestWhatAPageTakesBackIsNeverDirect(t *testing.T) {
	const words = "The maximum pressure is 9 bar."
	for _, c := range []struct {
		what, before string
		flags        []wstk.Flag
		want         wstk.Support
	}{
		{"a plain sentence", "", nil, wstk.SupportDirect},
		{"a comment", "", []wstk.Flag{wstk.FlagComment}, wstk.SupportDirect},
		{"a reading", "", []wstk.Flag{wstk.FlagRuby}, wstk.SupportDirect},
		{"an advertisement", "", []wstk.Flag{wstk.FlagSponsored}, wstk.SupportDirect},
		{"crossed out", "", []wstk.Flag{wstk.FlagStruck}, wstk.SupportInferred},
		{"turned", "", []wstk.Flag{wstk.FlagReordered}, wstk.SupportInferred},
		{"denied", "The following is false.", nil, wstk.SupportInferred},
		{"a myth", "Myth:", nil, wstk.SupportInferred}, {"behind a myth", "Myth: it never breaks. Fact:", nil, wstk.SupportDirect},
	} {
		d := document(say{url: "https://a.example/1", text: words})
		if c.before != "" {
			d = document(say{url: "https://a.example/1", text: c.before + " " + words})
		}
		it := claimOf(d, words, "")
		for i := range it.Evidence {
			it.Evidence[i].Flags = c.flags
		}
		x := collated(Input{Query: "q", Strategy: wstk.Singular, Strict: true, Items: []Item{it},
			Pages: []*wstk.Document{d}})
		if len(x.Statements) != 1 || x.Statements[0].Support != c.want {
			t.Errorf("%s: %+v, want %s", c.what, x.Statements, c.want)
			continue
		}
		x.Statements[0].Support = wstk.SupportDirect // as a forger writes it
		if r := reviewed("q", x, []*wstk.Document{d}); r.Statements[0].Support != c.want {
			t.Errorf("%s, reviewed: %s, want %s", c.what, r.Statements[0].Support, c.want)
		}
	}
}
