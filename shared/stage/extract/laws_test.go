package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// FuzzDo holds the laws of the stage over any text, query and hint: what is
// claimed stands where it says, in the pages given, and twice is the same.
func FuzzDo(f *testing.F) {
	for _, q := range []string{"What is the minimum age for volunteers?", "list all courses", "describe the centre", "¿Cuántas salas tiene?", "谁赢得了比赛？", "phone", "\xff\xfe?", "a and what b, and how c"} {
		f.Add(q, "# Volunteers\nThe minimum age is 16 years.\n| a | b\n|! x | y\n| 1 | 2\n= t\n: d\n- one\n- two\n` code", "price", uint8(0))
		f.Add(q, strings.Repeat("湖在一月结冰。", 80), "opening hours", uint8(1))
		f.Add(q, "Label: value\n@ link → https://x.example/a\n€5\n@ other → https://x.example/b\n£6\n@ third → /c", "", uint8(2))
		f.Add(q, "one\\ntwo\\nthree: 10:30\n"+strings.Repeat("x", 400)+"\n"+strings.Repeat("a, ", 300), "e-mail", uint8(3))
	}
	f.Fuzz(func(t *testing.T, query, lines, hint string, mode uint8) {
		if len(lines) > 20000 || len(query) > 2000 {
			return
		}
		d := doc("https://x.example/a", "A page", lines)
		e := doc("https://x.example/b", "Another", "# Another\n"+lines)
		e.Meta.Language = ""
		s := shelve(d, e)
		strategy := []wstk.Strategy{"", wstk.Collection, wstk.Singular, wstk.Narrative}[mode%4]
		q := Query{Text: query, Strategy: strategy, Hints: []string{hint, "phone"}}
		if mode >= 8 {
			q.Avoid = func(_ string, start, end int) bool { return start%7 == 0 }
		}
		run := func() []byte {
			got := strategy
			if got == "" {
				got, _ = Classify(query)
			}
			bs, _, err := s.stage().Partition(context.Background(), query, got, hits(d, e))
			if err != nil {
				t.Fatal(err)
			}
			var all []any
			for _, b := range bs {
				for _, pl := range b.Places {
					if pl.Span != nil && (pl.Span.ByteStart < 0 ||
						pl.Span.ByteEnd > len(s[pl.URL].Text) ||
						pl.Span.ByteStart >= pl.Span.ByteEnd) {
						t.Fatalf("the place %+v is outside of its page, or empty", pl.Span)
					}
				}
				claims, gaps, err := s.stage().Do(context.Background(), q, b)
				if strings.TrimSpace(query) == "" {
					if wstk.CodeOf(err) != wstk.Invalid {
						t.Fatalf("an empty query: %v", err)
					}
					return nil
				}
				if err != nil {
					t.Fatal(err)
				}
				checkClaims(t, s, Query{}, claims)
				for _, c := range claims {
					for _, p := range c.Proposed {
						if q.Avoid != nil && p.Kind == wstk.EvidenceText &&
							wholeUnitAvoided(s[p.URL], p, q.Avoid) {
							t.Fatalf("%q was to be avoided", p.Words)
						}
					}
				}
				for _, g := range gaps {
					if strings.TrimSpace(g.Field) == "" || strings.TrimSpace(g.Query) == "" ||
						g.Reason == "" {
						t.Fatalf("%+v; want a gap with a field, a query and a reason", g)
					}
				}
				all = append(all, claims, gaps, b.Title, b.Rationale)
			}
			data, err := json.Marshal(all)
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		if a, b := run(), run(); !bytes.Equal(a, b) {
			t.Fatalf("two runs differ:\n%s\n%s", a, b)
		}
	})
}

// wholeUnitAvoided reports whether the block that a quote begins was to be avoided
// as a whole, which no part of it may then escape.
func wholeUnitAvoided(d *wstk.Document, p wstk.Proposal, avoid func(string, int, int) bool) bool {
	for _, b := range d.Blocks {
		if b.ByteStart == p.ByteStart && b.ByteEnd == p.ByteStart+len(p.Words) {
			return avoid(d.URL, b.ByteStart, b.ByteEnd)
		}
	}
	return false
}

// TestGolden shows what the engine makes of a small site, claim by claim.
func TestGolden(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		query string
		hints []string
	}{
		{"When was the library opened?", nil},
		{"What is the minimum age for volunteers, and who is the coordinator?", nil},
		{"How much does the pottery course cost for a member?", nil},
		{"In what year was the centre founded?", nil},
		{"list all courses", nil},
		{"list all courses", []string{"guest", "teacher"}},
		{"Which tasks are there for volunteers?", nil},
		{"Describe the Elm Street Centre", nil},
		{"What does this organization do?", nil},
		{"contact of the centre", []string{"phone", "email", "address", "fax"}},
		{"Who designed the sports hall?", nil},
	} {
		strategy, why := Classify(c.query)
		b.WriteString("? " + c.query)
		if c.hints != nil {
			b.WriteString("  hints: " + strings.Join(c.hints, ", "))
		}
		b.WriteString("\n  " + string(strategy) + ": " + why + "\n")
		buckets, claims, gaps :=
			askAll(t, Query{Text: c.query, Hints: c.hints}, home, volunteer, prices, history)
		for i, bk := range buckets {
			b.WriteString("  bucket " + bk.Title + " (" + bk.Rationale + ")\n")
			for _, cl := range claims[i] {
				b.WriteString("    ")
				if cl.Field != "" {
					b.WriteString(cl.Field + ": ")
				}
				b.WriteString(strings.ReplaceAll(cl.Statement, "\t", " | "))
				if cl.Value != nil {
					b.WriteString("  = " + string(cl.Value.Type) + " " + cl.Value.Norm)
				}
				b.WriteByte('\n')
				for _, p := range cl.Proposed {
					b.WriteString("      " + strings.TrimPrefix(p.URL, "https://centre.example") +
						" “" + strings.ReplaceAll(p.Words, "\t", " | ") + "”\n")
				}
			}
			for _, g := range gaps[i] {
				b.WriteString("    gap " + g.Field + " → " + g.Query + "\n")
			}
		}
	}
	golden(t, "testdata/centre.golden", b.String())
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

// TestHostilePagesStayLinear runs pages that would be slow in anything worse than
// linear time; the test's own time limit is the judge.
func TestHostilePagesStayLinear(t *testing.T) {
	var deep strings.Builder
	for range 6000 {
		deep.WriteString("- limit of a table of limits\n")
	}
	for name, d := range map[string]*wstk.Document{
		"one long line":   doc("https://x.example/1", "", strings.Repeat("the limit of a table is 12 rows and ", 12000)),
		"many list items": doc("https://x.example/2", "", deep.String()),
		"no spaces":       doc("https://x.example/3", "", strings.Repeat("limit,", 60000)),
		"one word":        doc("https://x.example/4", "", strings.Repeat("limit", 60000)),
	} {
		for _, q := range []string{"what is the limit of a table", "list of limits"} {
			askAll(t, Query{Text: q, Hints: []string{"limit", "phone"}}, d)
		}
		_ = name
	}
}
