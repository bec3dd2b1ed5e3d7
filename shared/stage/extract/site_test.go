package extract

import (
	"context"
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// doc builds a Document from lines:
//
//	# heading, ## heading   ! frame (not main content)    - item, -- nested item
//	| cell | cell           |! header | header            = term     : definition
//	` code                  @ link text → URL (a block of its own)   @@ link text → URL (no block)
//	anything else is a paragraph; \n in it is a line break
func doc(url, title, lines string) *wstk.Document {
	d := &wstk.Document{URL: url, CanonicalURL: url}
	d.Meta.Title, d.Meta.Language = title, "en"
	var b strings.Builder
	table, inTable := 0, false
	stack := []int{}
	add := func(kind wstk.BlockKind, level int, s string, main bool) *wstk.Block {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		s = strings.ReplaceAll(s, `\n`, "\n")
		section := -1
		if len(stack) > 0 {
			section = stack[len(stack)-1]
		}
		blk := wstk.Block{Kind: kind, Level: level, Section: section, Main: main,
			Element: len(d.Blocks)}
		blk.ByteStart = b.Len()
		b.WriteString(s)
		blk.ByteEnd = b.Len()
		d.Blocks = append(d.Blocks, blk)
		return &d.Blocks[len(d.Blocks)-1]
	}
	for _, line := range strings.Split(lines, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		mark, rest, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(mark, "|") {
			inTable = false
		}
		switch {
		case strings.Trim(mark, "#") == "" && mark != "":
			for len(stack) > 0 && d.Sections[stack[len(stack)-1]].Level >= len(mark) {
				stack = stack[:len(stack)-1]
			}
			parent := -1
			if len(stack) > 0 {
				parent = stack[len(stack)-1]
			}
			d.Sections = append(d.Sections,
				wstk.Section{Title: rest, Level: len(mark), Parent: parent})
			stack = append(stack, len(d.Sections)-1)
			add(wstk.BlockHeading, len(mark), rest, true)
		case mark == "!":
			add(wstk.BlockParagraph, 0, rest, false)
		case mark == "-" || mark == "--":
			add(wstk.BlockListItem, len(mark), rest, true)
		case mark == "|" || mark == "|!":
			if !inTable {
				table++
				inTable = true
			}
			cells := strings.Split(rest, " | ")
			blk := add(wstk.BlockTableRow, 0, strings.Join(cells, "\t"), true)
			blk.Table, blk.IsHeader = table, mark == "|!"
		case mark == "=":
			add(wstk.BlockTerm, 0, rest, true)
		case mark == ":":
			add(wstk.BlockDefinition, 0, rest, true)
		case mark == "`":
			add(wstk.BlockCode, 0, rest, true)
		case mark == "@" || mark == "@@":
			t, u, _ := strings.Cut(rest, " → ")
			d.Links = append(d.Links, wstk.Link{URL: u, Text: t, Main: true})
			if mark == "@" {
				add(wstk.BlockParagraph, 0, t, true)
			}
		default:
			add(wstk.BlockParagraph, 0, line, true)
		}
	}
	d.Text = b.String()
	o := text.NewOffsets(d.Text)
	for i := range d.Blocks {
		blk := &d.Blocks[i]
		blk.CharStart, blk.CharEnd = o.Char(blk.ByteStart), o.Char(blk.ByteEnd)
	}
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
	d.SnapshotSHA256 = wstk.HashOf([]byte(url))
	return d
}

// shelf is a few pages and the stage over them.
type shelf map[string]*wstk.Document

func shelve(docs ...*wstk.Document) shelf {
	s := shelf{}
	for _, d := range docs {
		s[d.URL] = d
	}
	return s
}

func (s shelf) stage() *Stage {
	return &Stage{Document: func(_ context.Context, u string) (*wstk.Document, error) {
		if d, ok := s[u]; ok {
			return d, nil
		}
		return nil, wstk.Errorf(wstk.NotFound, "reading", "no such page")
	}}
}

// hits are one hit for each page, the whole of it, in the order given.
func hits(docs ...*wstk.Document) []wstk.Hit {
	var out []wstk.Hit
	for i, d := range docs {
		out = append(out, wstk.Hit{Rank: i + 1, URL: d.URL, Title: d.Meta.Title, Text: d.Text,
			TextSHA256: d.TextSHA256,
			Span:       &wstk.Span{CharEnd: len([]rune(d.Text)), ByteEnd: len(d.Text)}})
	}
	return out
}

// askAll runs classify, partition and extract over pages and checks what holds of
// every claim.
func askAll(
	t testing.TB, q Query, docs ...*wstk.Document,
) ([]wstk.Bucket, [][]wstk.Claim, [][]wstk.Gap) {
	t.Helper()
	ctx := context.Background()
	if q.Strategy == "" {
		q.Strategy, _ = Classify(q.Text)
	}
	s := shelve(docs...)
	st := s.stage()
	buckets, _, err := st.Partition(ctx, q.Text, q.Strategy, hits(docs...))
	if err != nil {
		t.Fatal(err)
	}
	claims, gaps := make([][]wstk.Claim, len(buckets)), make([][]wstk.Gap, len(buckets))
	for i, b := range buckets {
		claims[i], gaps[i], err = st.Do(ctx, q, b)
		if err != nil {
			t.Fatal(err)
		}
		checkClaims(t, s, q, claims[i])
	}
	return buckets, claims, gaps
}

// checkClaims holds the laws of this stage: every claim quotes, every text quote
// stands where it says, none is too long, hidden or avoided, and a statement is
// words of its quote.
func checkClaims(t testing.TB, s shelf, q Query, claims []wstk.Claim) {
	t.Helper()
	for _, c := range claims {
		if len(c.Proposed) == 0 || c.Support != wstk.SupportDirect || c.Statement == "" {
			t.Fatalf("claim %+v", c)
		}
		for _, p := range c.Proposed {
			d := s[p.URL]
			if d == nil {
				t.Fatalf("%q is quoted from %s, which is no page", p.Words, p.URL)
			}
			if p.Kind == wstk.EvidenceData {
				found := false
				for _, it := range d.Data {
					for _, l := range it.Leaves {
						found = found || l.Element == p.Element && l.Pointer == p.Pointer &&
							l.Literal == p.Words
					}
				}
				if !found {
					t.Fatalf("%+v is no literal of the page", p)
				}
				continue
			}
			if p.ByteStart < 0 || p.ByteStart+len(p.Words) > len(d.Text) ||
				d.Text[p.ByteStart:p.ByteStart+len(p.Words)] != p.Words {
				t.Fatalf("%q does not stand at %d", p.Words, p.ByteStart)
			}
			if n := len([]rune(p.Words)); n > maxSentence || n == 0 {
				t.Fatalf("a quote of %d characters: %q", n, p.Words)
			}
			if strings.TrimSpace(p.Words) != p.Words {
				t.Fatalf("outer space in %q", p.Words)
			}
			if q.Avoid != nil && q.Avoid(p.URL, p.ByteStart, p.ByteStart+len(p.Words)) {
				t.Fatalf("%q was to be avoided", p.Words)
			}
		}
		if !strings.Contains(c.Proposed[0].Words, c.Statement) &&
			c.Proposed[0].Kind == wstk.EvidenceText {
			t.Fatalf("%q says more than its quote %q", c.Statement, c.Proposed[0].Words)
		}
		if c.Value != nil && !strings.Contains(c.Proposed[0].Words, c.Value.Text) {
			t.Fatalf("value %q is not in %q", c.Value.Text, c.Proposed[0].Words)
		}
	}
}
