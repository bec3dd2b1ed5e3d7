package collate

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// pageOf makes a Document of blocks: a mark for the kind, a blank, the words. - is an item, $ code,
// = a term, : a definition; anything else is a paragraph.
func pageOf(lines string) *wstk.Document {
	d := &wstk.Document{URL: "https://a.example/1", CanonicalURL: "https://a.example/1",
		FetchedAt: fetched}
	d.Meta.Language = "en"
	for _, line := range strings.Split(lines, "\n") {
		b := wstk.Block{Kind: wstk.BlockParagraph, Section: -1, Main: true}
		mark, words, _ := strings.Cut(line, " ")
		kinds := map[string]wstk.BlockKind{"-": wstk.BlockListItem, "$": wstk.BlockCode,
			"=": wstk.BlockTerm, ":": wstk.BlockDefinition}
		if kind, ok := kinds[mark]; ok {
			b.Kind, line = kind, words
		}
		if d.Text != "" {
			d.Text += "\n"
		}
		b.ByteStart = len(d.Text)
		d.Text += line
		b.ByteEnd = len(d.Text)
		b.CharStart, b.CharEnd = b.ByteStart, b.ByteEnd
		d.Blocks = append(d.Blocks, b)
	}
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
	d.SnapshotSHA256 = d.TextSHA256
	return d
}

// TestALineLeadsToItsOwn: words of a page are cited with the line, or the term that stands
// over them there. With that of others an answer fails, in whichever order they are cited.
func TestALineLeadsToItsOwn(t *testing.T) {
	d := pageOf(`Protocols that work:
- Gopher is fast and old.
- Finger is small and simple.
Protocols that do not work:
- Telnet sends its words in the open.
To use it:
- To start the daemon, run:
$ vellmar up --now
- To stop the daemon, run:
$ vellmar down --now
= commence
: The daemon begins to listen.
= cease
= terminate
: The daemon ends at once.
Good bye.`)
	for _, c := range []struct {
		statement, with string
		fails           bool
	}{
		{"Gopher is fast and old.", "Protocols that work:", false},
		{"Finger is small and simple.", "Protocols that work:", false},
		{"Telnet sends its words in the open.", "Protocols that do not work:", false},
		{"Telnet sends its words in the open.", "Protocols that work:", true},
		{"Gopher is fast and old.", "Protocols that do not work:", true},
		{"Protocols that work:", "Finger is small and simple.", false},
		{"Protocols that work:", "Telnet sends its words in the open.", true},
		{"vellmar up --now", "To start the daemon, run:", false},
		{"vellmar up --now", "To stop the daemon, run:", true},
		{"vellmar down --now", "To start the daemon, run:", true},
		{"vellmar down --now", "To use it:", false},
		{"To stop the daemon, run:", "vellmar up --now", true},
		{"To stop the daemon, run:", "vellmar down --now", false},
		{"The daemon begins to listen.", "commence", false},
		{"The daemon begins to listen.", "cease", true},
		{"The daemon ends at once.", "cease", false},
		{"The daemon ends at once.", "terminate", false},
		{"The daemon ends at once.", "commence", true},
	} {
		x := wstk.Extraction{Grounding: wstk.SingleSource, Statements: []wstk.Statement{
			{Statement: c.statement, Support: wstk.SupportDirect, Evidence: []int{0, 1}}},
			Evidence: []wstk.Evidence{evidence(d, c.statement), evidence(d, c.with)}}
		found, _, err := Check(t.Context(), Claimed{Extraction: x, Stands: []bool{true, true},
			Pages: []*wstk.Document{d}, Asked: true, Query: "How does the daemon work?",
			Strategy: wstk.Singular, Rules: Rules})
		if err != nil {
			t.Fatal(err)
		}
		if fails := slices.ContainsFunc(found, func(f Finding) bool {
			return f.Part == "statement" && strings.Contains(f.Why, "stands over other words")
		}); fails != c.fails {
			t.Errorf("%q with %q: failed %t, %+v", c.statement, c.with, fails, found)
		}
	}
}
