package collate_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"wstk/shared/stage/collate"
	"wstk/shared/wstk"
)

// Collate joins what verify found for some claims into one answer. The grade says how many
// sites say the leading statement, and a conflict names each side.
func ExampleCollate() {
	fetched := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	var pages []*wstk.Document
	said := func(url, words, rest string) collate.Item {
		d := &wstk.Document{URL: url, Text: words + "\n" + rest, FetchedAt: fetched,
			SnapshotSHA256: wstk.HashOf([]byte(url))}
		d.TextSHA256, d.Meta.Language = wstk.HashOf([]byte(d.Text)), "en"
		block := func(start, end int) wstk.Span {
			span := wstk.Span{CharStart: start, CharEnd: end, ByteStart: start, ByteEnd: end}
			d.Blocks = append(d.Blocks,
				wstk.Block{Kind: wstk.BlockParagraph, Section: -1, Main: true, Span: span})
			return span
		}
		span := block(0, len(words))
		block(len(words)+1, len(d.Text))
		pages = append(pages, d)
		return collate.Item{
			Claim: wstk.Claim{Statement: words, Support: wstk.SupportDirect},
			Evidence: []wstk.Evidence{{ID: wstk.TextEvidenceID(d.TextSHA256, span, url),
				Kind: wstk.EvidenceText, Quote: words, URL: url, FetchedAt: fetched,
				CharStart: &span.CharStart, CharEnd: &span.CharEnd,
				ByteStart: &span.ByteStart, ByteEnd: &span.ByteEnd,
				TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256}},
		}
	}
	answer := func(items ...collate.Item) {
		x, err := collate.Collate(context.Background(), collate.Input{
			Query: "What is the entrance fee?", Strategy: wstk.Singular, Items: items, Pages: pages})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s, %s\n", x.Grounding, x.Counted)
		for _, c := range x.Conflicts {
			fmt.Printf("  conflict on %q\n", c.Topic)
			for _, side := range c.Claims {
				fmt.Printf("    %s: %s\n", side.SourceURL, side.Statement)
			}
		}
	}

	museum := said("https://museum.example/visit", "The entrance fee of the museum is $12.",
		"Children under six are free.")
	answer(museum)
	answer(museum, said("https://guide.example/city", "The entrance fee of the museum is $12.",
		"The zoo is next to it."))
	answer(museum, said("https://blog.example/trip", "The entrance fee of the museum is $15.",
		"We went there by bus."))
	// Output:
	// single_source, 1 site
	// verified, 2 sites
	// conflicted, 2 sites
	//   conflict on "entrance fee museum"
	//     https://museum.example/visit: The entrance fee of the museum is $12.
	//     https://blog.example/trip: The entrance fee of the museum is $15.
}
