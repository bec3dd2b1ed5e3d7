package collate

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/value"
	"wstk/shared/wstk"
)

// laidOut is a page of blocks, "kind words" each; # opens a section.
func laidOut(url string, blocks ...string) *wstk.Document {
	d := &wstk.Document{URL: url, CanonicalURL: url, FetchedAt: fetched,
		SnapshotSHA256: wstk.HashOf([]byte(url))}
	for _, s := range blocks {
		kind, words, _ := strings.Cut(s, " ")
		b := wstk.Block{Kind: wstk.BlockKind(kind), Main: true, IsHeader: kind == "head"}
		switch kind {
		case "#":
			b.Kind = wstk.BlockHeading
			d.Sections = append(d.Sections, wstk.Section{Title: words, Level: 1, Parent: -1})
		case "head", "row":
			b.Kind, b.Table = wstk.BlockTableRow, 1
		}
		b.Section = len(d.Sections) - 1
		if d.Text != "" {
			d.Text += "\n"
		}
		b.ByteStart, b.ByteEnd = len(d.Text), len(d.Text)+len(words)
		d.Text += words
		d.Blocks = append(d.Blocks, b)
	}
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
	return d
}

const (
	refused = "refused"
	unnamed = "named as unchecked"
	passes  = ""
)

// A statement has its field from its own quote, its label, its section or its own column.
func TestFieldsAreThoseOfTheirPlace(t *testing.T) {
	d := laidOut("https://a.example/", "# Plans", "head Feature\tBasic\tPro", "row SSO\tNo\tYes", "row Backup\tDaily\tHourly",
		"head City\tArea\tRank", "row Rome\t5\t6", "# Adults", "paragraph Dose: 500 mg", "# Children", "paragraph Dose: 250 mg",
		"paragraph Deadly:", "list_item Arsenic", "paragraph Harmless:", "list_item Sugar", "term Lead content", "definition 4 mg", "term Arsenic content", "definition 40 mg",
		"paragraph Scammers use 555-010-1234 and our support line is 555-010-9999.",
		"paragraph The adult ticket costs 12 EUR and the child ticket costs 5 EUR.",
		"head Offer\tBasic\tPro\tSales (millions)\tNot included", "row Storage\t15\t5\t12\tBreakfast", "row Extra fees\tNormal\tNo\t3\tTea",
		"row Price\t25 EUR\t10\u00a0EUR\t4\tSoap",
		"# Foods not allowed", "list_item Peanuts", "# Weight in kg", "list_item 80", "# ปลอดภัย", "paragraph ยานี้ไม่ปลอดภัยสำหรับเด็ก",
		"# Preis", "paragraph この薬は安全ではない。", "paragraph 完全不能保证平安", "term Fee ($)", "definition 39.00", "term Discount", "definition 40")
	for _, c := range []struct{ field, statement, cited, want string }{
		{"Pro", "Yes", "SSO\tNo\tYes|Feature\tBasic\tPro", passes},
		{"SSO Pro", "Yes", "SSO\tNo\tYes|Feature\tBasic\tPro", passes},
		{"Basic SSO", "Yes", "SSO\tNo\tYes|Feature\tBasic\tPro", unnamed},
		{"Basic", "Yes", "SSO\tNo\tYes|Feature\tBasic\tPro", refused},
		{"Basic", "Yes", "SSO\tNo\tYes|Dose: 500 mg|Feature\tBasic\tPro", refused},
		{"Basic", "Yes", "Yes|Feature\tBasic\tPro", refused},
		{"Pro", "Yes", "Yes|Feature\tBasic\tPro", passes},
		{"Basic", "Yes", "SSO\tNo\tYes", unnamed},
		{"Pro", "No", "SSO\tNo|Basic\tPro", refused},
		{"Daily", "Hourly", "Backup\tDaily\tHourly", unnamed},
		{"", "SSO\tNo", "SSO\tNo|Basic\tPro", refused},
		{"", "Rome\t5\t6", "Rome\t5\t6|Feature\tBasic\tPro", refused},
		{"", "Rome\t5\t6", "Rome\t5\t6|City\tArea\tRank", passes},
		{"Adults", "Dose: 500 mg", "Dose: 500 mg|Children", passes},
		{"Dose", "500 mg", "Dose: 500 mg", passes},
		{"Children", "Dose: 500 mg", "Dose: 500 mg|Children", unnamed},
		{"Harmless", "Sugar", "Sugar|Harmless:", passes},
		{"Deadly", "Sugar", "Sugar|Deadly:", unnamed},
		{"Arsenic content", "40 mg", "40 mg|Lead content", passes},
		{"Lead content", "40 mg", "40 mg|Lead content", unnamed},
		{"support line", "555-010-1234", "Scammers use 555-010-1234 and our support line is 555-010-9999.", unnamed},
		{"child ticket", "The adult ticket costs 12 EUR and the child ticket costs 5 EUR.", "The adult ticket costs 12 EUR and the child ticket costs 5 EUR.", unnamed},
		{"Basic", "5", "Storage\t15\t5", unnamed},
		{"Pro", "5", "Storage\t15\t5\t12\tBreakfast", passes},
		{"Basic", "No", "Extra fees\tNormal\tNo", unnamed},
		{"Basic", "10 EUR", "Price\t25 EUR\t10\u00a0EUR\t4\tSoap", unnamed},
		{"Pro", "10 EUR", "Price\t25 EUR\t10\u00a0EUR\t4\tSoap", passes},
		{"Sales", "12", "Storage\t15\t5\t12\tBreakfast", unnamed},
		{"Sales (millions)", "12", "Storage\t15\t5\t12\tBreakfast", passes},
		{"included", "Breakfast", "Storage\t15\t5\t12\tBreakfast", unnamed},
		{"Not included", "Breakfast", "Storage\t15\t5\t12\tBreakfast", passes},
		{"Foods allowed", "Peanuts", "Peanuts", unnamed},
		{"Foods not allowed", "Peanuts", "Peanuts", passes},
		{"Weight", "80", "80", unnamed},
		{"Weight in kg", "80", "80", passes},
		{"この薬は安全", "この薬は安全ではない。", "この薬は安全ではない。", unnamed},
		{"保证平安", "完全不能保证平安", "完全不能保证平安", unnamed},
		{"Fee ($)", "39.00", "39.00", passes},
		{"Fee (€)", "39.00", "39.00", unnamed},
		{"≥ Fee", "39.00", "39.00", unnamed},
		{"Discount %", "40", "40", unnamed},
	} {
		k := &check{Claimed: Claimed{Pages: []*wstk.Document{d}}}
		s := wstk.Statement{Field: c.field, Statement: c.statement}
		if c.field == "child ticket" {
			s.Value = &wstk.Value{Type: wstk.ValueMoney, Text: "12 EUR", Norm: "12 EUR"}
		}
		var cited []wstk.Evidence
		for _, q := range strings.Split(c.cited, "|") {
			cited = append(cited, evidence(d, q))
		}
		got := passes
		if k.table(s, cited) != "" {
			got = refused
		} else if c.field != "" && (!k.named(s, cited) || k.rival(s, cited) != "") {
			got = unnamed
		}
		if got != c.want {
			t.Errorf("%q: %q of %q: %q, want %q", c.field, c.statement, c.cited, got, c.want)
		}
	}
}

// The title of an item and its facts stand together; else that is named.
func TestTitlesStandWithTheirFacts(t *testing.T) {
	d := laidOut("https://a.example/", "# One", "paragraph It costs 5 EUR.", "# Two", "paragraph It costs 9 EUR.",
		"head Plan\tPrice", "row Basic\t$10", "row Pro\t$25")
	deeper := func(words string, path ...string) wstk.Evidence {
		e := evidence(d, words)
		if path != nil {
			e.SectionPath = path
		}
		return e
	}
	k := &check{Claimed: Claimed{Pages: []*wstk.Document{d}}}
	for _, c := range []struct {
		name        string
		title, fact wstk.Evidence
		want        bool
	}{
		{"a section", evidence(d, "One"), evidence(d, "It costs 5 EUR."), true},
		{"another section", evidence(d, "One"), evidence(d, "It costs 9 EUR."), false},
		{"a section within it", deeper("One"), deeper("It costs 5 EUR.", "One", "Prices"), true},
		{"a thing within it", deeper("One"), deeper("It costs 5 EUR.", "One", "Others also bought"), false},
		{"a row", evidence(d, "Basic"), evidence(d, "$10"), true},
		{"another row", evidence(d, "Basic"), evidence(d, "$25"), false},
	} {
		if got := k.together(c.title, c.fact, "price"); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A quote that holds more than its statement hides nothing that stands beside it.
func TestAWideQuoteHidesNothing(t *testing.T) {
	const said = "Vaccines cause autism."
	d := laidOut("https://a.example/", "row Milk\t2 EUR", "paragraph "+said, "paragraph This was denied by the doctors.", "row Tea\t3 EUR",
		"row The earth is flat\tfalse", "paragraph The earth is round.", "row Honey\t9 EUR")
	for _, c := range []struct {
		statement, quote string
		want             wstk.Support
	}{
		{said, said, wstk.SupportInferred},
		{said, "Milk\t2 EUR\n" + said, wstk.SupportInferred},
		{said, said + "\nThis was denied by the doctors.\nTea\t3 EUR", wstk.SupportInferred},
		{"The earth is flat", "The earth is flat\tfalse", wstk.SupportInferred},
		{"The earth is round.", "The earth is round.\nHoney\t9 EUR", wstk.SupportDirect},
	} {
		it := Item{Claim: wstk.Claim{Statement: c.statement, Support: wstk.SupportDirect},
			Evidence: []wstk.Evidence{evidence(d, c.quote)}}
		x := collated(Input{Query: "q", Items: []Item{it}, Pages: []*wstk.Document{d}})
		if len(x.Statements) != 1 || x.Statements[0].Support != c.want {
			t.Errorf("%q of %q: %+v; want one statement, %s", c.statement, c.quote, x.Statements, c.want)
		}
	}
}

// What a file may choose, its fields, the width and the order of its quotes, neither hides
// a conflict nor makes one.
func TestConflictsAreOfThePages(t *testing.T) {
	a := laidOut("https://a.example/", "paragraph The tower is 120 metres tall. For example, it can be seen from the sea.", "paragraph Welcome to the tower.")
	b := laidOut("https://b.example/", "paragraph The tower is 135 metres tall.", "row Tea\t3 EUR", "paragraph We are glad that you came.")
	blank := laidOut("https://f.example/", "paragraph The tower is 135\u00a0metres tall. For example, one sees it from afar.")
	afar := laidOut("https://g.example/", "paragraph The tower is 135 metres tall. For example, one sees it from afar.")
	short := laidOut("https://h.example/", "# The facts in short", "paragraph The tower is 120 metres tall.")
	names := laidOut("https://i.example/", "# Numbers and names", "paragraph The tower is 135 metres tall.")
	c := laidOut("https://c.example/", "paragraph It is not true that the tower is 135 metres tall.")
	label := laidOut("https://d.example/", "paragraph Price: 10 EUR")
	other := laidOut("https://e.example/", "paragraph Deposit: 20 EUR")
	cellA := laidOut("https://j.example/", "head Tower\tHeight", "row Old tower\t120 m", "row Church\t90 m")
	cellB := laidOut("https://k.example/", "head Tower\tHeight", "row Old tower\t135 m", "row Church\t90 m")
	yes := laidOut("https://l.example/", "# Is it safe?", "paragraph Yes.")
	no := laidOut("https://m.example/", "# Is it safe?", "paragraph No.")
	claim := func(field, words string, quotes ...wstk.Evidence) Item {
		return Item{Claim: wstk.Claim{Field: field, Statement: words, Support: wstk.SupportDirect},
			Evidence: quotes}
	}
	const entry, dearer = "Entry to the tower is 12 EUR from 5 pm.", "Entry to the tower is 15 EUR from 5 pm."
	entryA, entryB := laidOut("https://n.example/", "paragraph "+entry), laidOut("https://o.example/", "paragraph "+dearer)
	timed := func(it Item) Item {
		for _, v := range value.Find(it.Claim.Statement, "en") {
			if v.Type == string(wstk.ValueTime) {
				it.Claim.Value = &wstk.Value{Type: wstk.ValueTime, Text: v.Text, Norm: v.Norm}
			}
		}
		return it
	}
	const low, high = "The tower is 120 metres tall.", "The tower is 135 metres tall."
	for _, x := range []struct {
		name  string
		items []Item
		want  int
	}{
		{"plain", []Item{claim("", low, evidence(a, low)), claim("", high, evidence(b, high))}, 1},
		{"fields", []Item{claim("tower", low, evidence(a, low)), claim("tall", high, evidence(b, high))}, 1},
		{"a wide quote", []Item{claim("", low, evidence(a, low+" For example, it can be seen from the sea.")), claim("", high, evidence(b, high))}, 1},
		{"a table behind it", []Item{claim("", low, evidence(a, low)), claim("", high, evidence(b, high+"\nTea\t3 EUR"))}, 1},
		{"a blank that does not break", []Item{claim("", low, evidence(a, low)), claim("", high, evidence(blank, blank.Text))}, 1},
		{"two sentences", []Item{claim("", low, evidence(a, low)), claim("", high+" For example, one sees it from afar.", evidence(afar, high+" For example, one sees it from afar."))}, 1},
		{"cells", []Item{claim("", "120 m", evidence(cellA, "120 m")), claim("", "135 m", evidence(cellB, "135 m"))}, 1},
		{"cells of several rows", []Item{claim("", "120 m", evidence(cellA, "120 m")), claim("", "90 m", evidence(cellB, "90 m"))}, 0},
		{"yes and no", []Item{claim("", "Yes.", evidence(yes, "Yes.")), claim("", "No.", evidence(no, "No."))}, 1},
		{"a value of another kind", []Item{timed(claim("", entry, evidence(entryA, entry))),
			timed(claim("", dearer, evidence(entryB, dearer)))}, 1},
		{"headings as fields", []Item{claim("The facts in short", low, evidence(short, low)), claim("Numbers and names", high, evidence(names, high))}, 1},
		{"another quote first", []Item{claim("", low, evidence(a, low)),
			claim("", high, evidence(b, "We are glad that you came."), evidence(b, high))}, 1},
		{"a part that is taken back", []Item{claim("", low, evidence(a, low), evidence(c, "the tower is 135 metres tall"))}, 0},
		{"labels", []Item{claim("price", "10 EUR", evidence(label, "Price: 10 EUR")), claim("deposit", "20 EUR", evidence(other, "Deposit: 20 EUR"))}, 0},
	} {
		got := collated(Input{Query: "How tall is the tower?", Items: x.items,
			Pages: []*wstk.Document{a, b, c, label, other, blank, afar, short, names, cellA, cellB,
				yes, no, entryA, entryB}})
		if len(got.Conflicts) != x.want {
			t.Errorf("%s: %+v, want %v", x.name, got.Conflicts, x.want)
		}
		for _, k := range got.Conflicts {
			for _, side := range k.Claims {
				if !slices.ContainsFunc(got.Evidence, func(e wstk.Evidence) bool {
					return e.Quote == side.Statement
				}) {
					t.Errorf("%s: a side is no quote: %q", x.name, side.Statement)
				}
			}
		}
	}
}
