package collate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// orm is a sentence of a site about the thing i.
type orm func(i, site int) string

var (
	orms = []string{"mill", "tower", "bridge", "harbour", "tunnel", "museum", "quarry"}

	// disputed are values of several kinds; two sites differ on every second fifty.
	disputed orm = func(i, site int) string {
		thing, n := orms[i%len(orms)], 100+i%37+(i/50)%2*site
		switch i % 4 {
		case 0:
			return fmt.Sprintf("The height of the Orm %s in ward %d is %d m.", thing, i, n)
		case 1:
			return fmt.Sprintf("The Orm %s in ward %d has %d rooms.", thing, i, n)
		case 2:
			return fmt.Sprintf("The Orm %s in ward %d was opened on %d May 1%d.", thing, i,
				1+i%28, 800+n%80)
		}
		return fmt.Sprintf("A ticket for the Orm %s in ward %d costs £%d.", thing, i, n)
	}

	// reworded are heights on which the sites agree in other words.
	reworded orm = func(i, site int) string {
		thing, n := orms[i%len(orms)], 100+i%37
		if site == 0 {
			return fmt.Sprintf("The height of the Orm %s in ward %d is %d m.", thing, i, n)
		}
		return fmt.Sprintf("The Orm %s in ward %d is %d m high.", thing, i, n)
	}
)

// many is an answer of n statements, from pages of two sites with that many bytes of similar
// sentences, and from eight pages of witnesses.
func many(n, bytes int, says orm) Input {
	const witnesses = 8
	in := Input{Query: "What is known about Orm?", Strategy: wstk.Narrative, Strict: true}
	for site := range 2 + witnesses {
		d := &wstk.Document{URL: fmt.Sprintf("https://s%d.example/orm", site), FetchedAt: fetched}
		d.CanonicalURL, d.Meta.Language, d.Meta.Title = d.URL, "en", "Orm"
		var b strings.Builder
		stated, size := n*9/20, bytes // of each of the two sites
		if site > 1 {
			stated, size = n/10/witnesses, bytes/100
		}
		for i := 0; i < stated || b.Len() < size; i++ {
			start := b.Len()
			words := says(i, site)
			b.WriteString(words)
			d.Blocks = append(d.Blocks,
				wstk.Block{Kind: wstk.BlockParagraph, Section: -1, Main: true,
					Span: wstk.Span{ByteStart: start, ByteEnd: b.Len(), CharStart: start,
						CharEnd: b.Len()}})
			b.WriteByte('\n')
		}
		d.Text = b.String()
		d.TextSHA256, d.SnapshotSHA256 = wstk.HashOf([]byte(d.Text)), wstk.HashOf([]byte(d.URL))
		in.Pages = append(in.Pages, d)
		for i := range stated {
			span := d.Blocks[i].Span
			words := d.BlockText(i)
			e := wstk.Evidence{ID: fmt.Sprint(site, "-", i), Kind: wstk.EvidenceText, Quote: words,
				CharStart: &span.CharStart, CharEnd: &span.CharEnd, ByteStart: &span.ByteStart,
				ByteEnd: &span.ByteEnd, TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256,
				URL: d.URL, CanonicalURL: d.URL, FetchedAt: fetched, Status: wstk.StatusDirect}
			in.Items = append(in.Items, Item{Claim: wstk.Claim{Statement: words,
				Support: wstk.SupportDirect}, Evidence: []wstk.Evidence{e}})
		}
	}
	return in
}

// BenchmarkCollate joins many statements of large pages.
func BenchmarkCollate(b *testing.B) {
	for name, says := range map[string]orm{"disputed": disputed, "reworded": reworded} {
		for _, n := range []int{250, 500, 1000} {
			b.Run(fmt.Sprint(n, " ", name), func(b *testing.B) {
				in := many(n, 5<<20, says)
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					if _, err := Collate(context.Background(), in); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "p50-ms")
			})
		}
	}
}
