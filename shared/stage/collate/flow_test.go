package collate

import (
	_ "embed"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

//go:embed testdata/flows.txt
var flowsFile string

var blockKinds = map[string]wstk.BlockKind{"h": wstk.BlockHeading, "p": wstk.BlockParagraph,
	"p2": wstk.BlockParagraph, "o": wstk.BlockOther,
	"q": wstk.BlockQuote, "li": wstk.BlockListItem, "dt": wstk.BlockTerm,
	"dd": wstk.BlockDefinition, "pre": wstk.BlockCode,
	"cap": wstk.BlockCaption, "tr": wstk.BlockTableRow, "th": wstk.BlockTableRow, "ad": wstk.BlockOther}

// flowing makes a claim of a line of flows.txt.
func flowing(t *testing.T, line string) Input {
	line, statement, _ := strings.Cut(line, " => ")
	breaks := strings.NewReplacer("⏎", "\n", "⇥", "\t")
	d := &wstk.Document{URL: "https://a.example/1", CanonicalURL: "https://a.example/1", FetchedAt: fetched}
	d.Meta.Title = "A page"
	var b strings.Builder
	from, to := -1, -1
	for _, part := range append(strings.Split(line, " ¶ "), "p This is the end of the page.") {
		name, words, _ := strings.Cut(part, " ")
		kind, ok := blockKinds[name]
		if !ok {
			t.Fatalf("no kind %q in %q", name, line)
		}
		blk := wstk.Block{Kind: kind, Section: -1, Main: name != "ad", IsHeader: name == "th"}
		if kind == wstk.BlockTableRow {
			blk.Table = 1
		}
		if strings.Contains(line, "p2 ") {
			blk.Page = 1
			if name == "p2" || to >= 0 && d.Blocks[len(d.Blocks)-1].Page == 2 {
				blk.Page = 2
			}
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		blk.ByteStart = b.Len()
		for _, c := range breaks.Replace(words) {
			switch c {
			case '⟦':
				from = b.Len()
			case '⟧':
				to = b.Len()
			default:
				b.WriteRune(c)
			}
		}
		blk.ByteEnd = b.Len()
		d.Blocks = append(d.Blocks, blk)
	}
	d.Text = b.String()
	d.TextSHA256, d.SnapshotSHA256 = wstk.HashOf([]byte(d.Text)), wstk.HashOf([]byte(d.URL))
	it := claimOf(d, d.Text[from:to], "")
	if statement != "" {
		it.Claim.Statement = breaks.Replace(statement)
	}
	return Input{Query: "q", Items: []Item{it}, Pages: []*wstk.Document{d}}
}

// Law 1: a sentence that goes on in another line, block or cell is direct as a whole
// alone; what no other goes on in is direct by itself.
func TestSentencesGoOnOverBlocks(t *testing.T) {
	want, rows := wstk.Support(""), map[wstk.Support]int{}
	for line := range strings.Lines(flowsFile) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			for _, s := range []wstk.Support{wstk.SupportInferred, wstk.SupportDirect} {
				if strings.HasPrefix(line, "# ["+string(s)+"]") {
					want = s
				}
			}
			continue
		}
		rows[want]++
		in := flowing(t, line)
		if want == wstk.SupportInferred {
			neverDirect(t, line, in)
			continue
		}
		if x := collated(in); len(x.Statements) != 1 || x.Statements[0].Support != want {
			t.Errorf("%s: %+v, want %s", line, x.Statements, want)
		}
	}
	if rows[wstk.SupportInferred] < 60 || rows[wstk.SupportDirect] < 35 {
		t.Errorf("rows by support: %v; want at least 60 inferred and 35 direct", rows)
	}
}
