package collate

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// stated is an answer of whole sentences of one page, as its own rules write it.
func stated(t *testing.T, d *wstk.Document, sentences ...string) (wstk.Extraction, []Finding) {
	t.Helper()
	in := Input{Query: "q", Strategy: wstk.Narrative, Pages: []*wstk.Document{d}}
	c := Claimed{Asked: true, Query: in.Query, Strategy: in.Strategy, Rules: Rules, Pages: in.Pages}
	for _, s := range sentences {
		in.Items = append(in.Items, claimOf(d, s, ""))
		c.Stands = append(c.Stands, true)
	}
	c.Extraction = collated(in)
	found, _, err := Check(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return c.Extraction, found
}

// Law 1: what stands before a statement on its page, and may tell what it is about, is
// named where the answer leaves it out.
func TestWhatIsLeftOutBeforeAStatementIsNamed(t *testing.T) {
	const first, second, third = "Acme was founded in 1990.", "Bolt was bought in 2001.", "It employs 50 people."
	list := func(kind wstk.BlockKind, lead string) *wstk.Document {
		d := document(say{url: "https://a.example/1", text: lead, rest: "Profits double.\nCosts fall."})
		d.Blocks[1].Kind, d.Blocks[2].Kind = kind, kind
		return d
	}
	for _, c := range []struct {
		what    string
		page    *wstk.Document
		stated  []string
		content string
		named   string
	}{
		{"the sentence between", document(say{url: "https://a.example/1", text: first + " " + second + " " + third}), []string{first, third},
			first + " [1] … " + third + " [2]", second},
		{"all sentences", document(say{url: "https://a.example/1", text: first + " " + second + " " + third}), []string{first, second, third},
			first + " [1] " + second + " [2] " + third + " [3]", ""},
		{"no pronoun", document(say{url: "https://a.example/1", text: first + " " + third + " " + second}), []string{first, second},
			first + " [1] … " + second + " [2]", ""},
		{"the line above a list", list(wstk.BlockListItem, "The firm hopes for:"), []string{"Profits double.", "Costs fall."},
			"Profits double. [1] Costs fall. [2]", "The firm hopes for:"},
		{"the line above, stated", list(wstk.BlockListItem, "The firm hopes for:"), []string{"The firm hopes for:", "Profits double."},
			"The firm hopes for: [1] Profits double. [2]", ""},
		{"a line that only calls for attention", list(wstk.BlockListItem, "Note:"), []string{"Profits double."},
			"Profits double. [1]", ""},
	} {
		x, found := stated(t, c.page, c.stated...)
		if x.Content != c.content {
			t.Errorf("%s: content %q", c.what, x.Content)
		}
		named := false
		for _, f := range found {
			if f.Why != "" {
				t.Errorf("%s: %s %q: %s", c.what, f.Part, f.Words, f.Why)
			}
			if f.Part == "statement" && f.Open != "" {
				named = true
				if c.named == "" || !strings.Contains(f.Open, c.named) {
					t.Errorf("%s: %q: %s", c.what, f.Words, f.Open)
				}
			}
		}
		if named != (c.named != "") {
			t.Errorf("%s: named %t", c.what, named)
		}
	}
}

// An answer that rules before "5" wrote has no ellipsis, and stays readable.
func TestContentOfEarlierRules(t *testing.T) {
	d := document(say{url: "https://a.example/1", text: "Acme was founded in 1990. Bolt was bought in 2001. Acme employs 50 people."})
	x, _ := stated(t, d, "Acme was founded in 1990.", "Acme employs 50 people.")
	x.Content = strings.ReplaceAll(x.Content, " … ", " ")
	for rules, fails := range map[string]bool{"4": false, Rules: true} {
		found, _, err := Check(t.Context(), Claimed{Extraction: x, Stands: []bool{true, true}, Asked: true, Query: "q", Strategy: wstk.Narrative, Rules: rules, Pages: []*wstk.Document{d}})
		if err != nil {
			t.Fatal(err)
		}
		failed := false
		for _, f := range found {
			failed = failed || f.Part == "content" && f.Why != ""
		}
		if failed != fails {
			t.Errorf("rules %s: fails %t", rules, failed)
		}
	}
}
