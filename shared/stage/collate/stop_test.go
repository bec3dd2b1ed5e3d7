package collate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// collated and reviewed are Collate and Review with all the time that they need.
func collated(in Input) wstk.Extraction {
	x, err := Collate(context.Background(), in)
	if err != nil {
		panic(err)
	}
	return x
}

func reviewed(query string, x wstk.Extraction, docs []*wstk.Document) Reviewed {
	r, err := Review(context.Background(), query, x, docs)
	if err != nil {
		panic(err)
	}
	return r
}

// TestWorkStops ends the time in the middle of an answer with many statements: whatever
// is at work ends there, says so, and finds nothing.
func TestWorkStops(t *testing.T) {
	var says []say
	for i := range 60 {
		says = append(says, say{url: fmt.Sprintf("https://s%d.example/", i),
			text: fmt.Sprintf("The harbour of Vellmar has %d berths. The harbour is not open to %s.", i%9+1, strings.Repeat("a", i+1))})
	}
	in := inputOf(says...)
	x := collated(in)
	stands := make([]bool, len(x.Evidence))
	for i := range stands {
		stands[i] = true
	}
	c := Claimed{Extraction: x, Stands: stands, Pages: in.Pages, Asked: true, Query: in.Query,
		Strategy: in.Strategy, Rules: "1"}
	for name, work := range map[string]func(context.Context) (bool, error){
		"Collate": func(ctx context.Context) (bool, error) {
			x, err := Collate(ctx, in)
			return len(x.Statements) > 0, err
		},
		"Review": func(ctx context.Context) (bool, error) {
			r, err := Review(ctx, in.Query, x, in.Pages)
			return len(r.Statements) > 0, err
		},
		"Check": func(ctx context.Context) (bool, error) {
			found, _, err := Check(ctx, c)
			return len(found) > 0, err
		},
	} {
		whole := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
		if found, err := work(whole); err != nil || !found {
			t.Fatalf("%s: %v, %v; want err == nil && found", name, found, err)
		}
		looks := 1<<30 - whole.Left
		if pairs := len(x.Statements) * (len(x.Statements) - 1) / 2; looks < pairs {
			t.Errorf("%s looked %d times whether to go on, at %d pairs of statements", name, looks, pairs)
		}
		for _, after := range []int{0, 1, looks / 4, looks / 2, looks - 1} {
			ctx := &wstktest.Countdown{Context: t.Context(), Left: after}
			if found, err := work(ctx); found || wstk.CodeOf(err) != wstk.Cancelled {
				t.Errorf("%s ended after %d looks of %d: found %v, %v", name, after, looks, found, err)
			}
			if ctx.Late > 3 { // reading what a page takes back looks for itself
				t.Errorf("%s ended after %d looks, and looked %d times more", name, after, ctx.Late)
			}
		}
	}
}

// TestAPageIsReadOnce: what a page takes back is looked for once for an answer; each block
// costs as many looks whether to go on.
func TestAPageIsReadOnce(t *testing.T) {
	const blocks = 2000
	d := document(say{url: "https://a.example/1", text: "The harbour of Vellmar has 40 berths."})
	it := claimOf(d, d.Text, "")
	for range blocks {
		start := len(d.Text) + 1
		d.Text += "\nIt rains."
		d.Blocks = append(d.Blocks,
			wstk.Block{Kind: wstk.BlockParagraph, Section: -1, Span: wstk.Span{
				ByteStart: start, ByteEnd: len(d.Text), CharStart: start, CharEnd: len(d.Text)}})
	}
	ctx := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
	x, err := Collate(ctx, Input{Query: "q", Strategy: wstk.Singular, Items: []Item{it},
		Pages: []*wstk.Document{d}})
	if err != nil || len(x.Statements) != 1 {
		t.Fatalf("%+v, %v; want err == nil && len(x.Statements) == 1", x, err)
	}
	if looks := 1<<30 - ctx.Left; looks < blocks || looks > blocks+blocks/2 {
		t.Errorf("looked %d times whether to go on, at %d blocks", looks, blocks)
	}
}

// TestASettingIsTheCallers: who keeps what pages take back is asked for it, once for each
// page of an answer, and believed; also where an answer is checked against two sets of rules.
func TestASettingIsTheCallers(t *testing.T) {
	d := document(say{url: "https://a.example/1", text: "The harbour of Vellmar has 40 berths."})
	read := 0
	satire := func(ctx context.Context, d *wstk.Document) *text.Setting {
		read++
		return text.NewSetting(ctx, d.Text, "Satire: the harbour", "", "", d.Outline)
	}
	in := Input{Query: "q", Strategy: wstk.Singular, Items: []Item{claimOf(d, d.Text, "")},
		Pages: []*wstk.Document{d}}
	plain := collated(in)
	in.Setting = satire
	if x := collated(in); len(x.Statements) != 1 ||
		x.Statements[0].Support == plain.Statements[0].Support || read != 1 {
		t.Errorf("%+v; read %d times", x.Statements, read)
	}
	c := Claimed{Extraction: plain, Stands: []bool{true}, Pages: in.Pages, Asked: true,
		Query: in.Query, Strategy: in.Strategy, Rules: "1", Setting: satire}
	if _, today, err := Check(t.Context(), c); err != nil ||
		today.Statements[0].Support == wstk.SupportDirect || read != 2 {
		t.Errorf("%+v, %v; read %d times", today.Statements, err, read)
	}
}

// TestShinglesAreTheCallers: of however many answers, those of each page are computed once if
// the caller keeps them.
func TestShinglesAreTheCallers(t *testing.T) {
	words := strings.Repeat("Vellmar lies on the river and its harbour is deep. ", 20)
	a := document(say{url: "https://a.example/1", text: words + "The harbour has 40 berths."})
	b := document(say{url: "https://b.example/1", text: words + "The harbour has 40 berths!"})
	made := map[*wstk.Document]*text.Shingles{}
	n := 0
	in := Input{Query: "How many berths?", Strategy: wstk.Singular, Pages: []*wstk.Document{a, b},
		Items: []Item{claimOf(a, "The harbour has 40 berths.", ""),
			claimOf(b, "The harbour has 40 berths!", "")},
		Shingles: func(_ context.Context, d *wstk.Document) text.Shingles {
			if made[d] == nil {
				n++
				s := ShinglesOf(d)
				made[d] = &s
			}
			return *made[d]
		}}
	for range 5 {
		x := collated(in)
		if copies := slices.ContainsFunc(x.Sources, func(s wstk.Source) bool {
			return s.CopyOf != ""
		}); !copies {
			t.Fatalf("no copy among %+v", x.Sources)
		}
	}
	if n != 2 {
		t.Errorf("the shingles of two pages were computed %d times", n)
	}
}
