package collate

import (
	"testing"

	"wstk/shared/stage/collate/page"
	"wstk/shared/wstk/wstktest"
)

// Two pages are compared once for an answer, and a page is searched once for the same words,
// however many statements it has. Each of that costs one look whether to go on.
func TestPagesAreComparedOnce(t *testing.T) {
	in := many(400, 50000, disputed)
	ctx := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
	p := page.New(ctx, in.Pages)
	for _, a := range in.Items {
		for _, b := range in.Items {
			p.Copies(a.Evidence[0], b.Evidence[0])
		}
	}
	if looks, pairs := 1<<30-ctx.Left, len(in.Pages)*len(in.Pages)/2; looks == 0 || looks > pairs {
		t.Errorf("%d comparisons of %d pages; want one for each pair", looks, len(in.Pages))
	}
	ctx.Left = 1 << 30
	d := in.Pages[0]
	for range 100 {
		p.Lists(d, "120 m", map[string]bool{"no": true, "such": true, "topic": true})
	}
	if looks := 1<<30 - ctx.Left; looks == 0 || looks > 1+len(d.Blocks) {
		t.Errorf("%d looks at the %d blocks of a page; want one at each", looks, len(d.Blocks))
	}
}

// The work for an answer is that of its pairs of statements: it does not grow with the pages
// beside that.
func TestWorkIsOfPairs(t *testing.T) {
	looks := func(n int, says orm) int {
		ctx := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
		if _, err := Collate(ctx, many(n, 50000, says)); err != nil {
			t.Fatal(err)
		}
		return 1<<30 - ctx.Left
	}
	for name, says := range map[string]orm{"disputed": disputed, "reworded": reworded} {
		// half of the pairs are compared for conflicts, all of them twice for agreement
		const n = 300
		if got, most := looks(n, says), 4*n*n; got > most {
			t.Errorf("%s: %d looks for %d statements; want at most %d", name, got, n, most)
		}
	}
}
