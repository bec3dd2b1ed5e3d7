package chunk

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// split is Split with all the time that it needs.
func split(d *wstk.Document) []wstk.Chunk {
	cs, err := Split(context.Background(), d)
	if err != nil {
		panic(err)
	}
	return cs
}

// TestSplittingStops ends the time at a long section and a long block: the work ends
// there, says so, and gives no chunk.
func TestSplittingStops(t *testing.T) {
	blocks := []block{{wstk.BlockParagraph, 0, strings.Repeat(words(30)+". ", 2000), true, 0, false}}
	for range 2000 {
		blocks = append(blocks, block{wstk.BlockParagraph, 0, words(30) + ".", true, 0, false})
	}
	d := page([]wstk.Section{{Title: "One", Parent: -1}}, blocks...)
	whole := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
	if cs, err := Split(whole, d); err != nil || len(cs) == 0 {
		t.Fatalf("%d chunks, %v", len(cs), err)
	}
	looks := 1<<30 - whole.Left
	if looks < 2*len(blocks) {
		t.Errorf("looked %d times whether to go on, at %d blocks", looks, len(blocks))
	}
	for _, after := range []int{0, 1, 1000, looks / 3, looks / 2, looks - 1} {
		ctx := &wstktest.Countdown{Context: t.Context(), Left: after}
		if cs, err := Split(ctx, d); len(cs) > 0 || wstk.CodeOf(err) != wstk.Cancelled {
			t.Errorf("ended after %d looks of %d: %d chunks, %v", after, looks, len(cs), err)
		}
		if ctx.Late > 4 {
			t.Errorf("ended after %d looks, and looked %d times more", after, ctx.Late)
		}
	}
}

// block is a wstk.Block with its text.
type block struct {
	kind    wstk.BlockKind
	section int
	text    string
	aside   bool // not main
	table   int
	header  bool
}

// page builds a Document of blocks.
func page(sections []wstk.Section, blocks ...block) *wstk.Document {
	d := &wstk.Document{URL: "https://example.org/p", Sections: sections}
	var b strings.Builder
	chars := 0
	for _, x := range blocks {
		if b.Len() > 0 {
			b.WriteByte('\n')
			chars++
		}
		start, first := b.Len(), chars
		b.WriteString(x.text)
		chars += utf8.RuneCountInString(x.text)
		d.Blocks = append(d.Blocks, wstk.Block{Kind: x.kind, Section: x.section, Main: !x.aside,
			Table: x.table, IsHeader: x.header, Element: len(d.Blocks),
			Span: wstk.Span{ByteStart: start, ByteEnd: b.Len(), CharStart: first, CharEnd: chars}})
	}
	d.Text = b.String()
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
	return d
}

// words is about n tokens of text that ends in a full stop.
func words(n int) string {
	var b strings.Builder
	for i := 0; tokens(b.String()) < n; i++ {
		fmt.Fprintf(&b, "word%d ", i%10)
	}
	return strings.TrimSpace(b.String()) + "."
}

func texts(d *wstk.Document, cs []wstk.Chunk) []string {
	var out []string
	for _, c := range cs {
		out = append(out, d.Text[c.ByteStart:c.ByteEnd])
	}
	return out
}

var two = []wstk.Section{{Title: "One", Level: 1, Parent: -1, Anchor: "one"}, {Title: "Two", Level: 2, Parent: 0}}

// D7: chunks follow headings, and name theirs.
func TestShortSectionsStayApartAndKeepTheirHeading(t *testing.T) {
	d := page(two,
		block{wstk.BlockParagraph, -1, "Before.", false, 0, false},
		block{wstk.BlockHeading, 0, "One", false, 0, false},
		block{wstk.BlockParagraph, 0, "First.", false, 0, false},
		block{wstk.BlockParagraph, 0, "Second.", false, 0, false},
		block{wstk.BlockHeading, 1, "Two", false, 0, false},
		block{wstk.BlockParagraph, 1, "Third.", false, 0, false},
	)
	cs := split(d)
	want := []string{"Before.", "One\nFirst.\nSecond.", "Two\nThird."}
	if got := texts(d, cs); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if cs[0].Parent != -1 || cs[0].SectionPath != nil {
		t.Errorf("before the first heading: parent %d, path %q", cs[0].Parent, cs[0].SectionPath)
	}
	if got := strings.Join(cs[2].SectionPath, "/"); got != "One/Two" || cs[2].Parent != 1 {
		t.Errorf("path %q, parent %d", got, cs[2].Parent)
	}
	if cs[1].Anchor != "one" || cs[1].Blocks != [2]int{1, 4} {
		t.Errorf("anchor %q, blocks %v", cs[1].Anchor, cs[1].Blocks)
	}
	if cs[0].Next != cs[1].ID || cs[1].Prev != cs[0].ID || cs[2].Next != "" || cs[0].Prev != "" {
		t.Error("neighbours are not linked")
	}
}

func TestMainAndOtherTextDoNotMix(t *testing.T) {
	d := page(nil,
		block{wstk.BlockParagraph, -1, "Content.", false, 0, false},
		block{wstk.BlockParagraph, -1, "Advertisement.", true, 0, false},
		block{wstk.BlockParagraph, -1, "More content.", false, 0, false},
	)
	cs := split(d)
	if len(cs) != 3 || !cs[0].Main || cs[1].Main || !cs[2].Main {
		t.Fatalf("got %q", texts(d, cs))
	}
}

func TestHeadingStaysWithWhatFollows(t *testing.T) {
	for _, next := range []string{words(390), words(1500)} {
		d := page(two, block{wstk.BlockHeading, 0, words(30), false, 0, false},
			block{wstk.BlockParagraph, 0, next, false, 0, false})
		cs := split(d)
		if got := texts(d, cs)[0]; got == d.BlockText(0) {
			t.Errorf("heading alone before %d tokens", tokens(next))
		}
	}
	d := page(two, block{wstk.BlockHeading, 0, "One", false, 0, false},
		block{wstk.BlockHeading, 1, "Two", false, 0, false},
		block{wstk.BlockParagraph, 1, "Text.", false, 0, false})
	if got := texts(d, split(d)); len(got) != 2 || got[0] != "One" {
		t.Errorf("heading with nothing under it: %q", got)
	}
}

func TestSizes(t *testing.T) {
	var bs []block
	for range 40 {
		bs = append(bs, block{wstk.BlockParagraph, -1, words(70), false, 0, false})
	}
	d := page(nil, bs...)
	for i, c := range split(d) {
		if c.Tokens < MinTokens || c.Tokens > MaxTokens {
			t.Errorf("chunk %d has %d tokens", i, c.Tokens)
		}
		for b := c.Blocks[0]; b < c.Blocks[1]; b++ {
			if d.Blocks[b].ByteStart < c.ByteStart || d.Blocks[b].ByteEnd > c.ByteEnd {
				t.Errorf("chunk %d parts block %d", i, b)
			}
		}
	}
}

func TestLongTableIsCutBetweenRows(t *testing.T) {
	var bs []block
	for i := range 60 {
		bs = append(bs, block{wstk.BlockTableRow, -1,
			fmt.Sprintf("%d\t%s", i, words(30)), false, 1, i == 0})
	}
	d := page(nil, bs...)
	cs := split(d)
	if len(cs) < 5 {
		t.Fatalf("%d chunks", len(cs))
	}
	for _, s := range texts(d, cs) {
		for line := range strings.SplitSeq(s, "\n") {
			if !strings.Contains(line, "\t") || !strings.HasSuffix(line, ".") {
				t.Errorf("a row was cut: %q", line)
			}
		}
	}
	if cs[0].Kind != "table" || cs[0].Blocks[1] < 3 {
		t.Errorf("kind %s, blocks %v", cs[0].Kind, cs[0].Blocks)
	}
}

func TestCodeIsKeptWholeOrCutBetweenLines(t *testing.T) {
	short := strings.Repeat("if (x) { y(); }\n", 20)
	d := page(nil, block{wstk.BlockParagraph, -1, words(150), false, 0, false},
		block{wstk.BlockParagraph, -1, words(100) + " For example:", false, 0, false},
		block{wstk.BlockCode, -1, strings.TrimSpace(short), false, 0, false})
	for _, s := range texts(d, split(d)) {
		if n := strings.Count(s, "if (x)"); n != 0 && n != 20 {
			t.Errorf("code that fits was cut: %d of 20 lines", n)
		}
	}
	long := strings.TrimSpace(strings.Repeat("if (x) { y(); }\n", 400))
	d = page(nil, block{wstk.BlockCode, -1, long, false, 0, false})
	cs := split(d)
	if len(cs) < 3 {
		t.Fatalf("%d chunks", len(cs))
	}
	for _, s := range texts(d, cs) {
		if !strings.HasPrefix(s, "if (x)") || !strings.HasSuffix(s, "}") {
			t.Errorf("a line was cut: %q … %q", s[:10], s[len(s)-10:])
		}
	}
	if cs[0].Kind != "code" {
		t.Errorf("kind %s", cs[0].Kind)
	}
}

func TestLongParagraphIsCutBetweenSentences(t *testing.T) {
	d := page(nil, block{wstk.BlockParagraph, -1,
		strings.TrimSpace(strings.Repeat("The quick brown fox jumps over the lazy dog today. ", 120)), false, 0, false})
	cs := split(d)
	if len(cs) < 3 {
		t.Fatalf("%d chunks", len(cs))
	}
	for _, s := range texts(d, cs) {
		if !strings.HasPrefix(s, "The") || !strings.HasSuffix(s, "today.") {
			t.Errorf("a sentence was cut: %q", s)
		}
	}
}

func TestTextWithoutAnyPlaceToCut(t *testing.T) {
	for name, s := range map[string]string{
		"one word":  strings.Repeat("x", 100_000),
		"chinese":   strings.Repeat("数据库", 20_000),
		"marks":     "a" + strings.Repeat("\u0301", 50_000),
		"families":  strings.Repeat("👩‍👩‍👧‍👦", 5_000),
		"not UTF-8": strings.Repeat("\xff\xfe", 20_000),
	} {
		d := page(nil, block{wstk.BlockParagraph, -1, s, false, 0, false})
		check(t, d, split(d))
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

func TestRepeatIsEqualForEqualWords(t *testing.T) {
	a := page(nil, block{wstk.BlockParagraph, -1, "Call us today – it’s free.", true, 0, false})
	b := page(nil, block{wstk.BlockParagraph, -1, "Other.", false, 0, false},
		block{wstk.BlockParagraph, -1, "Call us  TODAY – it’s free.", true, 0, false})
	if split(a)[0].Repeat != split(b)[1].Repeat {
		t.Error("the same words give different hashes")
	}
}

func TestNothingVisible(t *testing.T) {
	if cs := split(&wstk.Document{}); len(cs) != 0 {
		t.Error("chunks of an empty document")
	}
	if cs := split(page(nil, block{wstk.BlockParagraph, -1, " \u00a0 ", false, 0, false})); len(cs) != 0 {
		t.Error("chunks of white space")
	}
}

// check holds the laws of Split.
func check(t *testing.T, d *wstk.Document, cs []wstk.Chunk) {
	t.Helper()
	covered := make([]bool, len(d.Text))
	offsets := text.NewOffsets(d.Text)
	end := 0
	for i, c := range cs {
		if c.ByteStart < end || c.ByteEnd <= c.ByteStart || c.ByteEnd > len(d.Text) {
			t.Fatalf("chunk %d: span %v after %d", i, c.Span, end)
		}
		end = c.ByteEnd
		s := d.Text[c.ByteStart:c.ByteEnd]
		if strings.TrimSpace(s) != s {
			t.Fatalf("chunk %d: white space at its ends: %q", i, s)
		}
		if c.CharStart != offsets.Char(c.ByteStart) || c.CharEnd != offsets.Char(c.ByteEnd) {
			t.Fatalf("chunk %d: char offsets %v", i, c.Span)
		}
		if c.ID != wstk.ChunkID(d.URL, d.TextSHA256, c.Span) || c.Seq != i {
			t.Fatalf("chunk %d: id %s, seq %d", i, c.ID, c.Seq)
		}
		if c.Tokens > MaxTokens+maxHeading {
			t.Fatalf("chunk %d: %d tokens", i, c.Tokens)
		}
		for b := c.Blocks[0]; b < c.Blocks[1]; b++ {
			x := d.Blocks[b]
			if x.Main != c.Main || x.Section != d.Blocks[c.Blocks[0]].Section {
				t.Fatalf("chunk %d mixes block %d in", i, b)
			}
			if x.Kind == wstk.BlockHeading && b > c.Blocks[0] {
				t.Fatalf("chunk %d: a heading in the middle", i)
			}
		}
		for at := c.ByteStart; at < c.ByteEnd; at++ {
			covered[at] = true
		}
	}
	for i, b := range d.Blocks {
		for at, r := range d.BlockText(i) {
			if !unicode.IsSpace(r) && !covered[b.ByteStart+at] {
				t.Fatalf("block %d: byte %d (%q) is in no chunk", i, at, r)
			}
		}
	}
}

// D7: chunks cover all text, at their offsets. Documents are of any text: each line is a block, its first byte
// says which kind, section and side of the page.
func FuzzSplit(f *testing.F) {
	f.Add("hHeading\npText\nlItem\nlItem\nHSub\nptext\nqAside", 3)
	f.Add("c"+strings.Repeat("code;\\", 900)+"\nt1\t2\t3", 1)
	f.Add("p"+strings.Repeat("句子。数据", 800), 2)
	f.Add("\xff\xff\n\np\u00a0", 9)
	f.Fuzz(func(t *testing.T, s string, sections int) {
		var bs []block
		section := -1
		n := max(1, min(sections, 50))
		for line := range strings.SplitSeq(s, "\n") {
			if line == "" {
				continue
			}
			kinds := []wstk.BlockKind{wstk.BlockParagraph, wstk.BlockListItem,
				wstk.BlockTableRow, wstk.BlockCode,
				wstk.BlockTerm, wstk.BlockDefinition, wstk.BlockOther, wstk.BlockHeading}
			k := kinds[int(line[0])%len(kinds)]
			if k == wstk.BlockHeading && section < n-1 {
				section++
			}
			bs = append(bs, block{k, section, strings.ReplaceAll(line[1:], "\\", "\n"),
				line[0]&64 != 0, 0, false})
		}
		var ss []wstk.Section
		for i := range n {
			ss = append(ss, wstk.Section{Title: fmt.Sprint(i), Parent: i - 1})
		}
		d := page(ss, bs...)
		cs := split(d)
		check(t, d, cs)
		if again := split(d); fmt.Sprint(again) != fmt.Sprint(cs) {
			t.Fatal("not deterministic")
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	var bs []block
	for i := range 400 {
		k := wstk.BlockParagraph
		if i%12 == 0 {
			k = wstk.BlockHeading
		}
		bs = append(bs, block{k, -1, words(10 + i%90), i%50 == 0, 0, false})
	}
	d := page(nil, bs...)
	b.SetBytes(int64(len(d.Text)))
	n := 0
	for b.Loop() {
		n = len(split(d))
	}
	b.ReportMetric(float64(n), "chunks/page")
}

func BenchmarkSplitHostile(b *testing.B) {
	var bs []block
	for range 20_000 {
		bs = append(bs, block{wstk.BlockListItem, -1, "x", false, 0, false})
	}
	d := page(nil, block{wstk.BlockParagraph, -1, strings.Repeat("y", 5<<20), false, 0, false})
	many := page(nil, bs...)
	for b.Loop() {
		split(d)
		split(many)
	}
}
