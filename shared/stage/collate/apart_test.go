package collate

import (
	"slices"
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
		{"the question above a list", list(wstk.BlockListItem, "Which of these is likely?"), []string{"Profits double."}, "Profits double. [1]", "Which of these is likely?"},
		{"the heading above a list", laidOut("https://a.example/1", "# Common errors", "list_item Profits double."), []string{"Profits double."}, "Profits double. [1]", "Common errors"},
		{"the heading above a paragraph", laidOut("https://a.example/1", "# Results", "paragraph Profits double."), []string{"Profits double."}, "Profits double. [1]", ""},
		{"the item above a nested list", laidOut("https://a.example/1", "paragraph The firm hopes for:", "list_item Costs:", "list_item Profits double."), []string{"Profits double."}, "Profits double. [1]", "Costs:"},
		{"a definition", laidOut("https://a.example/1", "term Lead content", "definition 4 mg"), []string{"4 mg"}, "4 mg [1]", "Lead content"},
		{"a definition with its term", laidOut("https://a.example/1", "term Lead content", "definition 4 mg"), []string{"Lead content", "4 mg"}, "Lead content [1]\n\n4 mg [2]", ""},
		{"a cell without its row", laidOut("https://a.example/1", "row Basic\t$10\ta seat", "row Pro\t$99\ta seat"), []string{"$99"}, "$99 [1]", "Pro"},
		{"a cell without its column", laidOut("https://a.example/1", "head \tAdults\tChildren", "row Week\t12 EUR\t8 EUR"), []string{"12 EUR"}, "12 EUR [1]", "Adults"},
		{"a number without its unit", laidOut("https://a.example/1", "row Sales\t12\tmillion EUR"), []string{"12"}, "12 [1]", "million EUR"},
		{"a whole row", laidOut("https://a.example/1", "row Sales\t12\tmillion EUR"), []string{"Sales\t12\tmillion EUR"}, "Sales | 12 | million EUR [1]", ""},
		{"an answer without its question", laidOut("https://a.example/1", "# Is it cheap?", "paragraph Yes."), []string{"Yes."}, "Yes. [1]", "Is it cheap?"},
		{"an answer behind its question", laidOut("https://a.example/1", "paragraph Q: What do the opponents say? A: Costs fall."), []string{"Costs fall."}, "Costs fall. [1]", "What do the opponents say?"},
		{"a sentence after one behind a question", laidOut("https://a.example/1", "paragraph What next? Profits double. Costs fall."), []string{"Costs fall."}, "Costs fall. [1]", ""},
		{"a list below a line that breaks off", laidOut("https://a.example/1", "paragraph But avoid …", "list_item Statements based on opinion."), []string{"Statements based on opinion."}, "Statements based on opinion. [1]", "But avoid"},
		{"a list below a plain sentence", laidOut("https://a.example/1", "paragraph The pump has two valves.", "list_item Both are of steel."), []string{"Both are of steel."}, "Both are of steel. [1]", ""},
		{"an item below one that denies", laidOut("https://a.example/1", "list_item Things you cannot take along", "list_item Small dogs in a bag."), []string{"Small dogs in a bag."}, "Small dogs in a bag. [1]", "cannot take along"},
		{"rows of one name in two sections", laidOut("https://a.example/1", "# Undergraduate", "row Part-time\t$455", "# Graduate", "row Part-time\t$645"), []string{"Part-time\t$455"}, "Part-time | $455 [1]", "Undergraduate"},
		{"labels of one name in two sections", laidOut("https://a.example/1", "# os.cpus()", "paragraph Added in: v0.3.3", "# os.arch()", "paragraph Added in: v0.5.0"), []string{"Added in: v0.3.3"}, "Added in: v0.3.3 [1]", "os.cpus()"},
		{"a person that a sentence before names", laidOut("https://a.example/1", "paragraph Ann met Eve. In 1994 he was born again."), []string{"In 1994 he was born again."}, "In 1994 he was born again. [1]", "Ann met Eve."},
		{"a person that the sentence names", laidOut("https://a.example/1", "paragraph Ann met Eve. At noon Bob Smith and his son came."), []string{"At noon Bob Smith and his son came."}, "At noon Bob Smith and his son came. [1]", ""},
		{"one that speaks to the reader", laidOut("https://a.example/1", "paragraph The pump leaks. You may close it."), []string{"You may close it."}, "You may close it. [1]", ""},
		{"a quotation", laidOut("https://a.example/1", "paragraph “We never went to the moon!” Bill claimed in May."), []string{"“We never went to the moon!”"}, "“We never went to the moon!” [1]", "quotation"},
		{"a cell below a spanning row", laidOut("https://a.example/1", "head Ticket\tPrice", "row Children", "row Day pass\t5 EUR"), []string{"5 EUR"}, "5 EUR [1]", "Children"},
		{"a cell below a caption", laidOut("https://a.example/1", "caption Prices of 1999", "row Tea\t5 EUR"), []string{"5 EUR"}, "5 EUR [1]", "Prices of 1999"},
		{"a row below a spanning row", laidOut("https://a.example/1", "row Popular vote", "row Party\tShare", "row House seats", "row Republican\t52.64%"), []string{"Republican\t52.64%"}, "Republican | 52.64% [1]", "House seats"},
		{"a section that every thing has", sections(), []string{"Low quality"}, "Low quality [1]", "Covacure"},
		{"a sentence that goes on", laidOut("https://a.example/1", "paragraph Never use it near a child. In such cases the pump takes 9 bar."), []string{"In such cases the pump takes 9 bar."}, "In such cases the pump takes 9 bar. [1]", "near a child"},
		{"a sentence that follows", laidOut("https://a.example/1", "paragraph Never use it near a child. Therefore the pump takes 9 bar."), []string{"Therefore the pump takes 9 bar."}, "Therefore the pump takes 9 bar. [1]", "near a child"},
		{"a contrast", laidOut("https://a.example/1", "paragraph The library is not safe. However, many parts are."), []string{"However, many parts are."}, "However, many parts are. [1]", "not safe"},
		{"what is no sentence", laidOut("https://a.example/1", "# Drug A", "list_item is banned in Rome."), []string{"Drug A", "is banned in Rome."}, "Drug A [1]\n\nis banned in Rome. [2]", ""},
		{"an address in a sentence", laidOut("https://a.example/1", "paragraph Swindlers write from help@bank.example to our clients."), []string{"help@bank.example"}, "help@bank.example [1]", "Swindlers"},
		{"an address behind its label", laidOut("https://a.example/1", "paragraph Email: help@bank.example"), []string{"help@bank.example"}, "help@bank.example [1]", ""},
		{"a line that only calls for attention", list(wstk.BlockListItem, "Note:"), []string{"Profits double."},
			"Profits double. [1]", ""},
	} {
		x, found := stated(t, c.page, c.stated...)
		if x.Content != c.content {
			t.Errorf("%s: the content is %q, want %q", c.what, x.Content, c.content)
		}
		named, seen := false, false
		for _, f := range found {
			if f.Why != "" {
				t.Errorf("%s: %s %q: %s; want f.Why == \"\"", c.what, f.Part, f.Words, f.Why)
			}
			if f.Part == "context" && f.Open != "" {
				named = true
				seen = seen || strings.Contains(f.Open, c.named)
			}
		}
		if named != (c.named != "") || named && !seen {
			t.Errorf("%s: %+v; want named == (c.named != \"\") && (!named || seen)", c.what, found)
		}
	}
}

// Law 1: a page that takes a statement back at another place is named, and so is a heading.
func TestWhatAPageTakesBackElsewhereIsNamed(t *testing.T) {
	const words = "Vaccines cause autism."
	for _, c := range []struct{ elsewhere, named string }{
		{"It is not true that vaccines cause autism.", "It is not true that"},
		{"Many wrongly think that vaccines cause autism.", "Many wrongly"},
		{"Vaccines cause autism. Not so.", "Vaccines cause autism."},
		{"Vaccines cause autism, say doctors.", ""},
		{"If vaccines cause autism, doctors must know.", ""},
		{"It is not true that vaccines cause autismo.", ""},
		{"Doctors met to speak of vaccines.", ""},
	} {
		d := document(say{url: "https://a.example/1", text: words, rest: "Much was said in this town.\n" + c.elsewhere})
		_, found := stated(t, d, words)
		open := ""
		for _, f := range found {
			if f.Part == "context" {
				open += f.Open
			}
		}
		if (open != "") != (c.named != "") || !strings.Contains(open, c.named) {
			t.Errorf("%s: %q; want (open != \"\") == (c.named != \"\") && strings.Contains(open, c.named)", c.elsewhere, open)
		}
	}
	for heading, named := range map[string]bool{"Vaccines cause autism": true, "Opening hours": false} {
		_, found := stated(t, document(say{url: "https://a.example/1", section: heading, text: "A study was made."}), heading)
		is := slices.ContainsFunc(found, func(f Finding) bool {
			return f.Part == "context" && strings.Contains(f.Open, "heading")
		})
		if is != named {
			t.Errorf("%s: named %t: %+v", heading, is, found)
		}
	}
}

// An answer that rules before "5" wrote has no ellipsis, and stays readable.
func TestContentOfEarlierRules(t *testing.T) {
	d := document(say{url: "https://a.example/1", text: "Acme was founded in 1990. Bolt was bought in 2001. Acme employs 50 people."})
	x, _ := stated(t, d, "Acme was founded in 1990.", "Acme employs 50 people.")
	x.Content = strings.ReplaceAll(x.Content, " … ", " ")
	for rules, fails := range map[string]bool{"4": false, Rules: true} {
		found, _, err := Check(t.Context(), Claimed{Extraction: x, Stands: []bool{true, true},
			Asked: true, Query: "q", Strategy: wstk.Narrative, Rules: rules,
			Pages: []*wstk.Document{d}})
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

// Cells of one table that its columns name are of one row, or are named.
func TestCellsOfSeveralRowsAreNamed(t *testing.T) {
	d := laidOut("https://a.example/", "head Plan\tPrice\tSeats", "row Basic\t$10\t3", "row Pro\t$99\t9")
	for _, c := range []struct {
		fields string
		named  int
	}{{"Plan Basic|Price $10|Seats 3", 0}, {"Plan Basic|Price $99|Seats 3", 1}, {"Cheapest $10|Dearest $99", 0}} {
		k := &check{Claimed: Claimed{Pages: []*wstk.Document{d}}}
		for i, f := range strings.Split(c.fields, "|") {
			field, words, _ := strings.Cut(f, " ")
			k.Statements = append(k.Statements, wstk.Statement{Field: field, Statement: words,
				Support: wstk.SupportDirect, Evidence: []int{i}})
			k.Evidence, k.Stands = append(k.Evidence, evidence(d, words)), append(k.Stands, true)
		}
		k.rowsApart()
		if len(k.found) != c.named {
			t.Errorf("%s: %+v, want %v", c.fields, k.found, c.named)
		}
	}
}

// sections are those of two things that a page reviews.
func sections() *wstk.Document {
	d := laidOut("https://a.example/1", "# Covacure", "# Cons", "list_item Low quality", "# Kammok", "# Cons", "list_item Dear")
	for i, parent := range []int{-1, 0, -1, 2} {
		d.Sections[i].Parent = parent
	}
	return d
}
