package collate

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// claimed is a small answer as it is handed in: a sentence, a value and what was counted.
func claimed(t *testing.T) Claimed {
	t.Helper()
	const words = "The maximum pressure of the P-9 is 9 bar."
	text := words + "\nWrite to us."
	d := &wstk.Document{URL: "https://a.example/p9", CanonicalURL: "https://a.example/p9", SnapshotSHA256: wstk.HashOf([]byte("body")),
		TextSHA256: wstk.HashOf([]byte(text)), Text: text,
		FetchedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Blocks: []wstk.Block{{Section: -1, Main: true,
			Span: wstk.Span{CharEnd: len(words), ByteEnd: len(words)}}}}
	d.Meta.Title = "The P-9"
	zero, end := 0, len(words)
	e := wstk.Evidence{ID: "ev_1", Kind: wstk.EvidenceText, Quote: words, CharStart: &zero,
		CharEnd: &end, ByteStart: &zero, ByteEnd: &end,
		TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256, URL: d.URL, CanonicalURL: d.URL,
		SectionPath: []string{}, FetchedAt: d.FetchedAt, Status: wstk.StatusDirect, Link: d.URL}
	q := "What is the maximum pressure of the P-9?"
	pascal := 900000.0
	x := collated(Input{Query: q, Strategy: wstk.Singular, Pages: []*wstk.Document{d},
		Items: []Item{{Evidence: []wstk.Evidence{e},
			Claim: wstk.Claim{Statement: words, Support: wstk.SupportDirect,
				Value: &wstk.Value{Type: wstk.ValueQuantity, Text: "9 bar", Number: &pascal,
					Unit: "Pa", Norm: "900000 Pa"}}}}})
	if len(x.Statements) != 1 || x.Statements[0].Value == nil {
		t.Fatalf("%+v; want len(x.Statements) == 1 && x.Statements[0].Value != nil", x)
	}
	return Claimed{Extraction: x, Stands: []bool{true}, Pages: []*wstk.Document{d}, Asked: true,
		Query: q, Strategy: wstk.Singular, Rules: Rules}
}

// Law 1: what an answer says beside its quotes is compared with them, part by part.
func TestCheck(t *testing.T) {
	parts := func(c Claimed) (failed, open []string) {
		found, _, _ := Check(t.Context(), c)
		for _, f := range found {
			if f.Why != "" {
				failed = append(failed, f.Part)
			} else if f.Open != "" {
				open = append(open, f.Part)
			}
		}
		return failed, open
	}
	if failed, open := parts(claimed(t)); len(failed) > 0 || !slices.Equal(open, []string{"gaps", "unsupported"}) {
		t.Fatalf("a true answer: %v, %v", failed, open)
	}
	other := 5.0
	for _, c := range []struct {
		name         string
		change       func(c *Claimed)
		failed, open string
	}{
		{"a quote that does not stand", func(c *Claimed) { c.Stands[0] = false }, "statement", "grounding"},
		{"no quote was checked", func(c *Claimed) { c.Stands = nil }, "statement", "grounding"},
		{"a statement", func(c *Claimed) { c.Statements[0].Statement = "It is 99 bar." }, "statement", ""},
		{"an index", func(c *Claimed) { c.Statements[0].Evidence = []int{1} }, "statement", ""},
		{"a negative index", func(c *Claimed) { c.Statements[0].Evidence = []int{-1} }, "statement", ""},
		{"support", func(c *Claimed) { c.Statements[0].Support = wstk.SupportInferred }, "statement", ""},
		{"number of a value", func(c *Claimed) { c.Statements[0].Value.Number = &other }, "statement", ""},
		{"no number", func(c *Claimed) { c.Statements[0].Value.Number = nil }, "statement", ""},
		{"a name for a value", func(c *Claimed) {
			c.Statements[0].Value = &wstk.Value{Type: wstk.ValuePlace, Text: "9 bar", Norm: "9 bar"}
		}, "statement", ""},
		{"a name that stands there", func(c *Claimed) {
			c.Statements[0].Value = &wstk.Value{Type: wstk.ValueText, Text: "P-9", Norm: "p-9"}
		}, "", ""},
		{"a person of any words", func(c *Claimed) {
			c.Statements[0].Value = &wstk.Value{Type: wstk.ValuePerson, Text: "is 9", Norm: "is 9"}
		}, "statement", ""},
		{"words that are cut", func(c *Claimed) {
			c.Statements[0].Value = &wstk.Value{Type: wstk.ValueText, Text: "ress", Norm: "ress"}
		}, "statement", ""},
		{"words that are whole", func(c *Claimed) {
			c.Statements[0].Value = &wstk.Value{Type: wstk.ValueText, Text: "pressure", Norm: "pressure"}
		}, "", "value"},
		{"a value of no quote", func(c *Claimed) {
			c.Statements[0].Support, c.Statements[0].Evidence, c.Grounding = wstk.SupportAssumed,
				[]int{}, wstk.Inferred
			c.Statements[0].Value = &wstk.Value{Type: wstk.ValueText, Text: "free", Norm: "free"}
		}, "statement", ""},
		{"a statement twice", func(c *Claimed) { c.Statements = append(c.Statements, c.Statements[0]) }, "statement", ""},
		{"a blank behind a statement", func(c *Claimed) { c.Statements[0].Statement += " " }, "statement", ""},
		{"a field in two lines", func(c *Claimed) { c.Statements[0].Field = "pressure\n" }, "statement", ""},
		{"a title by its field", func(c *Claimed) {
			c.Statements[0].Field, c.Title = "title", c.Statements[0].Statement
		}, "content", "title"},
		{"two fetches of a page", func(c *Claimed) {
			e := c.Evidence[0]
			e.ID, e.FetchedAt = "ev_2", e.FetchedAt.Add(1)
			c.Evidence, c.Stands = append(c.Evidence, e), append(c.Stands, true)
		}, "source", ""},
		{"a copy of nothing", func(c *Claimed) { c.Sources[0].CopyOf = "https://b.example/" }, "source", ""},
		{"other rules that counted otherwise", func(c *Claimed) { c.Rules, c.Counted = "1", "7 sites" }, "grounding", ""},
		{"other rules", func(c *Claimed) { c.Rules = "99" }, "", "grounding"},
		{"a value of another part of the quote", func(c *Claimed) {
			c.Statements[0].Statement = "The maximum pressure of the P-9"
		}, "statement", ""},
		{"capital letters", func(c *Claimed) { c.Statements[0].Statement = "The maximum pressure of the P-9 is 9 BAR." }, "statement", ""},
		{"another first letter", func(c *Claimed) { c.Statements[0].Statement = "the maximum pressure of the P-9 is 9 bar." }, "content", ""},
		{"words turned around", func(c *Claimed) {
			c.Statements[0].Statement = "The maximum pressure of the P-9 is \u202e9\u202c bar."
		}, "statement", ""},
		{"a field with invisible letters", func(c *Claimed) { c.Statements[0].Field = "pres\u200bsure" }, "statement", ""},
		{"a field that the quote names", func(c *Claimed) { c.Statements[0].Field = "pressure" }, "content", ""},
		{"a field that says no", func(c *Claimed) { c.Statements[0].Field = "it is not so that" }, "content", "field"},
		{"a field that denies what the quote names", func(c *Claimed) { c.Statements[0].Field = "not the pressure" }, "content", "field"},
		{"content", func(c *Claimed) { c.Content += "." }, "content", ""},
		{"strategy unknown", func(c *Claimed) { c.Strategy = "" }, "", ""},
		{"another strategy", func(c *Claimed) { c.Strategy = wstk.Collection; c.Title = "P-9" }, "content", "title"},
		{"a title of the page", func(c *Claimed) { c.Title = "Write to us" }, "", "title"},
		{"a title of no page", func(c *Claimed) { c.Title = "It is free" }, "title", ""},
		{"a title, and no page", func(c *Claimed) { c.Title, c.Pages = "It is free", nil }, "", "title"},
		{"grade", func(c *Claimed) { c.Grounding = wstk.Verified }, "grounding", ""},
		{"a lesser grade", func(c *Claimed) { c.Grounding = wstk.Inferred }, "", "grounding"},
		{"an older grade", func(c *Claimed) { c.Rules = "" }, "", "grounding"},
		{"an older grade that none could give", func(c *Claimed) { c.Rules, c.Grounding = "", wstk.Verified }, "grounding", ""},
		{"a part of a sentence", func(c *Claimed) { c.Statements[0].Statement = "the P-9 is 9 bar" }, "statement", ""},
		{"a part of a sentence, by earlier rules", func(c *Claimed) {
			c.Statements[0].Statement, c.Rules = "the P-9 is 9 bar", "2"
			c.Content = Content(c.Strategy, c.Extraction)
		}, "", "grounding"},
		{"a part of a sentence, by unknown rules", func(c *Claimed) {
			c.Statements[0].Statement, c.Rules = "the P-9 is 9 bar", "2.1"
		}, "statement", ""},
		{"other words, by earlier rules", func(c *Claimed) {
			c.Statements[0].Statement, c.Rules = "the P-9 is 8 bar", "2"
		}, "statement", ""},
		{"conflicted by nothing", func(c *Claimed) { c.Grounding = wstk.Conflicted }, "grounding", ""},
		{"no question", func(c *Claimed) { c.Asked = false }, "", "grounding"},
		{"no page", func(c *Claimed) { c.Pages = nil }, "", "grounding"},
		{"counted", func(c *Claimed) { c.Counted = "7 sites" }, "grounding", ""},
		{"a source", func(c *Claimed) { c.Sources[0].URL = "https://b.example/" }, "source", ""},
		{"title of a source", func(c *Claimed) { c.Sources[0].Title = "x" }, "source", ""},
		{"no source", func(c *Claimed) { c.Sources = nil }, "source", ""},
		{"lesser role", func(c *Claimed) { c.Sources[0].Role = wstk.Corroborating }, "", "sources"},
		{"a quote that nothing cites", func(c *Claimed) {
			e := c.Evidence[0]
			e.ID = "ev_2"
			c.Evidence, c.Stands = append(c.Evidence, e), append(c.Stands, true)
		}, "evidence", ""},
	} {
		x := claimed(t)
		c.change(&x)
		failed, open := parts(x)
		if c.failed == "" && len(failed) > 0 || c.failed != "" &&
			!slices.Contains(failed, c.failed) || c.open != "" && !slices.Contains(open, c.open) {
			t.Errorf("%s: failed %v, open %v", c.name, failed, open)
		}
	}
}

// A row is shown under the header of its own table, and a cell under its own column.
func TestCheckTables(t *testing.T) {
	const words = "Pump\tPressure\tWeight\nP-9\t9 bar\t7 kg\nP-12\t12 bar\t9 kg"
	d := &wstk.Document{URL: "https://a.example/p", CanonicalURL: "https://a.example/p",
		SnapshotSHA256: wstk.HashOf([]byte("body")), TextSHA256: wstk.HashOf([]byte(words)), Text: words}
	row := func(from, to int) wstk.Evidence {
		d.Blocks = append(d.Blocks, wstk.Block{Kind: wstk.BlockTableRow, Section: -1, Table: 1,
			Main: true, IsHeader: from == 0,
			Span: wstk.Span{CharStart: from, CharEnd: to, ByteStart: from, ByteEnd: to}})
		return wstk.Evidence{Kind: wstk.EvidenceText, Quote: words[from:to], CharStart: &from,
			CharEnd: &to, ByteStart: &from, ByteEnd: &to,
			TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256, URL: d.URL,
			FetchedAt: d.FetchedAt}
	}
	header, nine, twelve := row(0, 20), row(21, 35), row(36, len(words))
	for _, c := range []struct {
		name             string
		field, statement string
		cited            []wstk.Evidence
		stands           bool
	}{
		{"a row and its header", "", nine.Quote, []wstk.Evidence{nine, header}, true},
		{"a cell under its column", "pressure", "9 bar", []wstk.Evidence{nine, header}, true},
		{"another row for a header", "", nine.Quote, []wstk.Evidence{nine, twelve}, false},
		{"a cell under another column", "Weight", "9 bar", []wstk.Evidence{nine, header}, false},
	} {
		k := &check{Claimed: Claimed{Pages: []*wstk.Document{d}}}
		if why := k.table(wstk.Statement{Field: c.field, Statement: c.statement},
			c.cited); (why == "") != c.stands {
			t.Errorf("%s: %q, want %v", c.name, why, c.stands)
		}
	}
}

// A number is read in the language of its page alone: 1.000 is a thousand in German.
func TestValuesAreReadInTheLanguageOfTheirPage(t *testing.T) {
	one, thousand := 1.0, 1000.0
	e := wstk.Evidence{Quote: "Das kostet 1.000 kg.", URL: "https://a.example/"}
	for lang, of := range map[string]struct{ right, wrong *float64 }{"de": {&thousand, &one},
		"en": {&one, &thousand}} {
		k := &check{Claimed: Claimed{
			Pages: []*wstk.Document{{URL: e.URL, Meta: wstk.Metadata{Language: lang}}}}}
		for _, n := range []*float64{of.right, of.wrong} {
			v := &wstk.Value{Type: wstk.ValueQuantity, Text: "1.000 kg", Number: n, Unit: "kg",
				Norm: fmt.Sprintf("%g kg", *n)}
			if why := k.value(wstk.Statement{Value: v},
				[]wstk.Evidence{e}); (why == "") != (n == of.right) {
				t.Errorf("%s, %g: %q; want (why == \"\") == (n == of.right)", lang, *n, why)
			}
		}
	}
}
