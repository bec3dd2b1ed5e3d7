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
		{"a myth", "Myth:", nil, ""}, {"behind a myth", "Myth: it never breaks. Fact:", nil, wstk.SupportDirect},
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
		if c.want == "" { // a part of a line, which its label is a part of, too
			if len(x.Statements) > 0 || x.Unsupported[0].Reason != "reworded" {
				t.Errorf("%s: %+v, want none", c.what, x.Statements)
			}
			continue
		}
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

// A sentence that its page shows with a picture between its words is not direct, and one
// page that shows it so is no source of it; the sentence beside it is direct.
func TestAnIncompleteSentenceIsNotDirect(t *testing.T) {
	const words, beside = "The maximum pressure is 9 bar.", "The tank is made of steel."
	flagged := func(url string) *wstk.Document {
		d := document(say{url: url, text: words + " " + beside})
		at := wstk.Span{ByteStart: 20, ByteEnd: 23, CharStart: 20, CharEnd: 23}
		d.Flagged = []wstk.Flagged{{Span: at, Flags: []wstk.Flag{wstk.FlagIncomplete}}}
		return d
	}
	d, other := flagged("https://a.example/1"), document(say{url: "https://b.example/1", text: words})
	for _, c := range []struct {
		what  string
		pages []*wstk.Document
		words string
		want  wstk.Support
	}{
		{"with a picture", []*wstk.Document{d}, words, wstk.SupportInferred},
		{"beside it", []*wstk.Document{d}, beside, wstk.SupportDirect},
		{"whole elsewhere", []*wstk.Document{d, other}, words, wstk.SupportDirect},
	} {
		it := claimOf(c.pages[0], c.words, "")
		for _, more := range c.pages[1:] {
			it.Evidence = append(it.Evidence, claimOf(more, c.words, "").Evidence...)
		}
		for i := range it.Evidence {
			e := &it.Evidence[i]
			if span, ok := e.Span(); ok && e.URL == d.URL {
				e.Flags = d.FlagsIn(span.ByteStart, span.ByteEnd)
			}
		}
		x := collated(Input{Query: "q", Strategy: wstk.Singular, Strict: true, Items: []Item{it},
			Pages: c.pages})
		if len(x.Statements) != 1 || x.Statements[0].Support != c.want || len(x.Conflicts) > 0 {
			t.Errorf("%s: %+v %+v, want %s", c.what, x.Statements, x.Conflicts, c.want)
			continue
		}
		if x.Grounding == wstk.Verified {
			t.Errorf("%s: graded %s", c.what, x.Grounding)
		}
		x.Statements[0].Support = wstk.SupportDirect // as a forger writes it
		if r := reviewed("q", x, c.pages); r.Statements[0].Support != c.want {
			t.Errorf("%s, reviewed: %s, want %s", c.what, r.Statements[0].Support, c.want)
		}
	}
}
