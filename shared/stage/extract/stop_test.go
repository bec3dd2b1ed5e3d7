package extract

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// TestExtractingStops cancels in the middle of a page that may answer everywhere: the work
// ends from wherever it is, and says so.
func TestExtractingStops(t *testing.T) {
	var blocks []string
	for i := range 3000 {
		blocks = append(blocks, fmt.Sprintf("Pier %d of the town has berths, too, and many harbours have piers.", i))
	}
	blocks = append(blocks, "The harbour of Vellmar has 412 berths.")
	d := doc("https://x.example/", "Harbour", strings.Join(blocks, "\n"))
	s := &Stage{Document: func(context.Context, string) (*wstk.Document, error) { return d, nil }}
	b := wstk.Bucket{Pages: []string{d.URL}}
	q := Query{Text: "How many berths does the harbour of Vellmar have?"}
	whole := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
	if claims, _, err := s.Do(whole, q, b); err != nil || len(claims) == 0 {
		t.Fatalf("%v, %v; want err == nil && len(claims) != 0", claims, err)
	}
	looks := 1<<30 - whole.Left
	if looks < 3*len(blocks) {
		t.Errorf("looked %d times whether to go on, of %d sentences", looks, len(blocks))
	}
	for _, after := range []int{2, looks / 4, looks / 2, looks - 300} {
		ctx := &wstktest.Countdown{Context: t.Context(), Left: after}
		if _, _, err := s.Do(ctx, q, b); wstk.CodeOf(err) != wstk.Cancelled {
			t.Errorf("ended after %d looks of %d: %v", after, looks, err)
		}
		if ctx.Late > 300 { // the short list is passed over one by one
			t.Errorf("ended after %d looks, and looked %d times more", after, ctx.Late)
		}
	}
}

// TestPartitionStops cancels while the items of a list are looked for.
func TestPartitionStops(t *testing.T) {
	d := doc("https://x.example/", "Harbours", strings.Repeat("The harbour of Vellmar is not a myth.\n", 3000))
	s := &Stage{Document: func(context.Context, string) (*wstk.Document, error) { return d, nil }}
	hits := []wstk.Hit{{URL: d.URL}}
	whole := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
	if _, _, err := s.Partition(whole, "list all harbours", wstk.Collection, hits); err != nil {
		t.Fatal(err)
	}
	looks := 1<<30 - whole.Left
	if looks < 3000 {
		t.Errorf("looked %d times whether to go on, of 3000 sentences", looks)
	}
	for _, after := range []int{0, looks / 2, looks - 1} {
		if _, _, err := s.Partition(&wstktest.Countdown{Context: t.Context(), Left: after},
			"list all harbours", wstk.Collection, hits); wstk.CodeOf(err) != wstk.Cancelled {
			t.Errorf("ended after %d looks of %d: %v", after, looks, err)
		}
	}
}

// TestASettingIsTheCallers: who keeps what pages take back is asked for it, once for each
// page of a call, and believed.
func TestASettingIsTheCallers(t *testing.T) {
	d := doc("https://x.example/", "Harbour", "The harbour of Vellmar has 12 berths.")
	read := 0
	s := &Stage{
		Document: func(context.Context, string) (*wstk.Document, error) { return d, nil },
		Setting: func(ctx context.Context, d *wstk.Document) *text.Setting {
			read++
			return text.NewSetting(ctx, d.Text, "Satire: the harbour", "", "", d.Outline)
		},
	}
	q := Query{Text: "How many berths does the harbour of Vellmar have? Where is Vellmar?", Strategy: wstk.Singular, Hints: []string{"berths"}}
	claims, _, err := s.Do(t.Context(), q, wstk.Bucket{Pages: []string{d.URL}})
	if err != nil || len(claims) > 0 || read != 1 {
		t.Errorf("%v, %v; read %d times", claims, err, read)
	}
	if _, _, err := s.Partition(t.Context(), "list all harbours", wstk.Collection,
		[]wstk.Hit{{URL: d.URL}}); err != nil || read != 2 {
		t.Errorf("%v; read %d times", err, read)
	}
}

// TestDistance compares with looking at every mark.
func TestDistance(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 300 {
		p, at := &page{}, 0
		for range r.Intn(30) {
			start := at + r.Intn(9)
			at = start + 1 + r.Intn(6)
			p.marks = append(p.marks, mark{start: start, end: at})
			if r.Intn(3) == 0 { // the last part of the word
				p.marks = append(p.marks, mark{start: at - 1, end: at})
			}
		}
		u := &unit{marks: [2]int{0, len(p.marks)}}
		start := r.Intn(150)
		end := start + 1 + r.Intn(9)
		want := 1 << 30
		for _, m := range p.marks {
			want = min(want, max(0, start-m.end, m.start-end))
		}
		if got := p.distance(u, start, end); got != want {
			t.Fatalf("distance of %d–%d to %+v is %d, want %d", start, end, p.marks, got, want)
		}
	}
}
