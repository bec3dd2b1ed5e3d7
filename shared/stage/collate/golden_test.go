package collate

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// TestGolden shows whole extractions: the Markdown a reader sees and the JSON a
// program does.
func TestGolden(t *testing.T) {
	row := document(say{url: "https://a.example/prices", section: "Prices", text: "Pottery\t8 weeks\t£64", rest: "Course\tLength\tMember"})
	rowClaim := claimOf(row, "Pottery\t8 weeks\t£64", "")
	rowClaim.Evidence = append(rowClaim.Evidence, evidence(row, "Course\tLength\tMember"))
	cell := claimOf(row, "Pottery\t8 weeks\t£64", "Member")
	cell.Claim.Statement = "£64"
	cell.Evidence = rowClaim.Evidence
	title := claimOf(row, "Pottery", "title")
	data := Item{Claim: wstk.Claim{Field: "telephone", Statement: "+442079460123", Support: wstk.SupportDirect,
		Proposed: []wstk.Proposal{{Kind: wstk.EvidenceData, URL: row.URL, Words: "+442079460123",
			Element: 4, Pointer: "/telephone"}}}}
	el := 4
	data.Evidence = []wstk.Evidence{{ID: wstk.DataEvidenceID(row.SnapshotSHA256, 4, "/telephone",
		row.URL), Kind: wstk.EvidenceData, Quote: "+442079460123", Literal: "+442079460123",
		TextSHA256: row.TextSHA256, SnapshotSHA256: row.SnapshotSHA256, Element: &el,
		Pointer: "/telephone", URL: row.URL, CanonicalURL: row.CanonicalURL, FetchedAt: fetched,
		Status: wstk.StatusDirect, Link: row.URL}}

	other := document(say{url: "https://b.example/history", section: "History", text: "The centre was founded in 1987.", rest: "It has moved twice."})
	lost := Item{Claim: wstk.Claim{Field: "fax", Statement: "12", Support: wstk.SupportDirect,
		Proposed: []wstk.Proposal{{URL: row.URL, Words: "Fax 12"}}},
		Unsupported: []wstk.Unsupported{{Statement: "12", Quote: "Fax 12", URL: row.URL, Reason: "not_in_text"}}}

	cases := []struct {
		name string
		in   Input
	}{
		{"singular: one source", inputOf(say{url: "https://a.example/1", section: "Limits", text: "A join may hold [at most] 64 tables."})},
		{"singular: two sources agree", joined("The centre was founded in 1987.", "https://a.example/", "https://b.example/")},
		{"singular: sources disagree", inputOf(
			say{url: "https://a.example/visit", text: "The entrance fee is $12."},
			say{url: "https://a.example/faq", text: "The entrance fee is $15."})},
		{"singular: a row and its header", Input{Query: "q", Strategy: wstk.Singular, Strict: true,
			Pages: []*wstk.Document{row}, Items: []Item{rowClaim}}},
		{"collection: an item", Input{Query: "courses", Title: "Pottery", Strategy: wstk.Collection,
			Strict: true, Pages: []*wstk.Document{row},
			Items: []Item{title, cell, data, lost},
			Gaps:  []wstk.Gap{{Field: "teacher", Query: "teacher for Pottery", Reason: "not_found", Searched: []string{row.URL}}}}},
		{"narrative: two pages", Input{Query: "q", Strategy: wstk.Narrative, Strict: true,
			Pages: []*wstk.Document{other, row},
			Items: []Item{claimOf(other, "The centre was founded in 1987.", ""), claimOf(other, "It has moved twice.", ""), rowClaim}}},
		{"nothing at all", Input{Query: "q", Strategy: wstk.Singular, Strict: true}},
	}
	var b strings.Builder
	for _, c := range cases {
		x := collated(c.in)
		b.WriteString("== " + c.name + "\n" + x.Content + "\n--\n")
		for i := range x.Evidence { // what the other parts of the system decide is not shown here
			x.Evidence[i].TextSHA256, x.Evidence[i].SnapshotSHA256 = "", ""
			x.Evidence[i].ID, x.Evidence[i].Link = "", ""
		}
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", " ")
		if err := enc.Encode(x); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "testdata/extractions.golden", b.String())
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("WSTK_GOLDEN") == "update" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs. If the change is meant, run: make golden\n--- golden\n%s--- now\n%s", path, want, got)
	}
}

// FuzzCollate holds that any words of two pages give a well-formed extraction,
// and the same one twice.
func FuzzCollate(f *testing.F) {
	for _, p := range append(conflicting, compatible[:20]...) {
		f.Add(p[0], p[1], "", uint8(0))
	}
	f.Add("[1](x)", "<b>", "price", uint8(1))
	f.Add("\xff\xfe 10", "۱۰", "title", uint8(2))
	f.Add("Mo-So 10-24 Uhr", "25:99 am", "hours", uint8(3))
	f.Fuzz(func(t *testing.T, a, b, field string, mode uint8) {
		if strings.TrimSpace(a) == "" || strings.TrimSpace(b) == "" || len(a)+len(b) > 4000 {
			return
		}
		in := Input{Query: "q", Strategy: []wstk.Strategy{wstk.Singular, wstk.Collection,
			wstk.Narrative}[mode%3], Strict: true}
		for i, s := range []string{a, b} {
			d := document(say{url: "https://a.example/" + string(rune('a'+i)), section: field, text: s})
			in.Pages = append(in.Pages, d)
			it := claimOf(d, s, field)
			if mode&4 != 0 {
				it.Claim.Support = wstk.SupportInferred
			}
			in.Items = append(in.Items, it)
		}
		x := collated(in)
		for _, s := range x.Statements {
			for _, n := range s.Evidence {
				if n < 0 || n >= len(x.Evidence) {
					t.Fatalf("the index %d is outside of %d pieces of evidence", n, len(x.Evidence))
				}
			}
		}
		if len(x.Sources) != 2 && a != b || x.Grounding == "" {
			t.Fatalf("%d sources, graded %q; want two sources and a grade", len(x.Sources), x.Grounding)
		}
		if (len(x.Conflicts) > 0) != (x.Grounding == wstk.Conflicted) {
			t.Fatalf("%d conflicts and %s", len(x.Conflicts), x.Grounding)
		}
		one, _ := json.Marshal(x)
		two, _ := json.Marshal(collated(in))
		if string(one) != string(two) {
			t.Fatal("two runs differ")
		}
	})
}
