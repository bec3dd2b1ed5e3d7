package extract_test

import (
	"context"
	"fmt"
	"log"

	"wstk/shared/stage/extract"
	"wstk/shared/wstk"
)

// A question is answered in three steps: Classify decides how, Partition gathers the pages of
// its hits into buckets, and Do proposes claims from a bucket, or says what the bucket lacks.
func ExampleStage_Do() {
	ctx := context.Background()
	page := &wstk.Document{URL: "https://pumps.example/p9"}
	page.Meta.Title, page.Meta.Language = "The P-9 pump", "en"
	for _, paragraph := range []string{
		"The P-9 is our smallest pump.",
		"The maximum pressure of the P-9 pump is 9 bar. It weighs 7.5 kg.",
	} {
		if page.Text != "" {
			page.Text += "\n"
		}
		start := len(page.Text)
		page.Text += paragraph
		page.Blocks = append(page.Blocks, wstk.Block{Kind: wstk.BlockParagraph, Section: -1,
			Main: true, Span: wstk.Span{CharStart: start, CharEnd: len(page.Text),
				ByteStart: start, ByteEnd: len(page.Text)}})
	}
	page.TextSHA256 = wstk.HashOf([]byte(page.Text))
	stage := &extract.Stage{
		Document: func(context.Context, string) (*wstk.Document, error) { return page, nil },
	}
	hits := []wstk.Hit{{Rank: 1, URL: page.URL, Text: page.Text, TextSHA256: page.TextSHA256}}

	for _, question := range []string{
		"What is the maximum pressure of the P-9 pump?",
		"What does the P-9 pump cost?",
	} {
		strategy, why := extract.Classify(question)
		fmt.Printf("%s\n  %s: %s\n", question, strategy, why)
		buckets, _, err := stage.Partition(ctx, question, strategy, hits)
		if err != nil {
			log.Fatal(err)
		}
		query := extract.Query{Text: question, Strategy: strategy}
		claims, gaps, err := stage.Do(ctx, query, buckets[0])
		if err != nil {
			log.Fatal(err)
		}
		for _, c := range claims {
			fmt.Printf("  claim: %s\n  quote at byte %d of %s\n", c.Statement,
				c.Proposed[0].ByteStart, c.Proposed[0].URL)
		}
		for _, g := range gaps {
			fmt.Printf("  gap: %s (%s)\n", g.Field, g.Reason)
		}
	}
	// Output:
	// What is the maximum pressure of the P-9 pump?
	//   singular: it is a question with one answer
	//   claim: The maximum pressure of the P-9 pump is 9 bar.
	//   quote at byte 30 of https://pumps.example/p9
	// What does the P-9 pump cost?
	//   singular: it asks for one price
	//   gap: P-9 pump cost (not_found)
}
