package extract

import (
	"context"
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// asked runs a question over documents and returns what is stated.
func asked(t *testing.T, q string, docs ...*wstk.Document) []string {
	t.Helper()
	byURL := map[string]*wstk.Document{}
	var b wstk.Bucket
	for _, d := range docs {
		byURL[d.URL] = d
		b.Pages = append(b.Pages, d.URL)
	}
	s := Stage{Document: func(_ context.Context, u string) (*wstk.Document, error) {
		return byURL[u], nil
	}}
	claims, _, err := s.Do(t.Context(), Query{Text: q, Strategy: wstk.Singular}, b)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range claims {
		out = append(out, c.Statement)
	}
	return out
}

// flagPart flags words of a document, as a reader does.
func flagPart(d *wstk.Document, words string, f wstk.Flag) *wstk.Document {
	at := strings.Index(d.Text, words)
	d.Flagged = append(d.Flagged, wstk.Flagged{Flags: []wstk.Flag{f},
		Span: wstk.Span{ByteStart: at, ByteEnd: at + len(words)}})
	return d
}

func flagBlock(d *wstk.Document, words string, f wstk.Flag) *wstk.Document {
	for i := range d.Blocks {
		if strings.Contains(d.BlockText(i), words) {
			d.Blocks[i].Flags = append(d.Blocks[i].Flags, f)
		}
	}
	return d
}

func TestCrossedOutWordsAreNotProposed(t *testing.T) {
	const page = "# The Hill kettle\nThe kettle is made of steel.\nThe price of the Hill kettle is $100 $80 in our shop.\nIt weighs one kilogram."
	const q = "What is the price of the Hill kettle?"
	got := asked(t, q, flagPart(doc("https://x.example/k", "The Hill kettle", page), "$100", wstk.FlagStruck))
	if len(got) == 0 || !strings.Contains(got[0], "$80") {
		t.Errorf("%q: the price that stands is not proposed", got)
	}
	for _, s := range got {
		if strings.Contains(s, "$100") {
			t.Errorf("%q holds the price that is crossed out", s)
		}
	}
	for _, c := range []struct {
		what string
		d    *wstk.Document
	}{
		{"crossed out", flagBlock(doc("https://x.example/k", "The Hill kettle", page), "$100", wstk.FlagStruck)},
		{"turned", flagPart(doc("https://x.example/k", "The Hill kettle", page), "$100", wstk.FlagReordered)},
		{"with words of a style sheet", flagBlock(doc("https://x.example/k", "The Hill kettle", page), "$100", wstk.FlagAltered)},
		{"denied", doc("https://x.example/k", "The Hill kettle", strings.Replace(page, "The price", "Wrong: The price", 1))},
		{"denied by a line before", doc("https://x.example/k", "The Hill kettle", strings.Replace(page, "The price", "The following is false.\nThe price", 1))},
	} {
		for _, s := range asked(t, q, c.d) {
			if strings.Contains(s, "$100") || strings.Contains(s, "$80") {
				t.Errorf("%s: %q is proposed", c.what, s)
			}
		}
	}
	if got := asked(t, q, doc("https://x.example/k", "The Hill kettle", page)); len(got) == 0 || !strings.Contains(got[0], "$100") {
		t.Errorf("%q: nothing is crossed out, and the sentence is not proposed", got)
	}
}

// What a visitor or an advertiser says answers where the page does not, and never first
// where it does.
func TestThePageSpeaksBeforeItsVisitors(t *testing.T) {
	const page = "# The Hill kettle\nThe kettle is made of steel.\nIn our town shop the Hill kettle has a price, which is $80, as in most towns.\nThe price of the Hill kettle is $100."
	const q = "What is the price of the Hill kettle?"
	for _, f := range []wstk.Flag{wstk.FlagComment, wstk.FlagSponsored} {
		d := flagBlock(doc("https://x.example/k", "The Hill kettle", page), "$100", f)
		if got := asked(t, q, d); len(got) == 0 || !strings.Contains(got[0], "$80") {
			t.Errorf("%s: %q, want what the page says first", f, got)
		}
		alone := flagBlock(doc("https://x.example/k", "The Hill kettle", strings.Replace(page, "$80", "low", 1)), "$100", f)
		if got := asked(t, q, alone); !slices.ContainsFunc(got, func(s string) bool {
			return strings.Contains(s, "$100")
		}) {
			t.Errorf("%s: %q, want it to answer where nothing else does", f, got)
		}
	}
	if got := asked(t, q, doc("https://x.example/k", "The Hill kettle", page)); len(got) == 0 || !strings.Contains(got[0], "$100") {
		t.Errorf("%q: without flags the plainer sentence comes first", got)
	}
}
