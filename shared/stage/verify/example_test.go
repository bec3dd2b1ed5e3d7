package verify_test

import (
	"context"
	"fmt"
	"log"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Find accepts only whole words and numbers: a part of a number says something that the page
// does not say.
func ExampleHaystack_Find() {
	hay := verify.Haystack{Text: "The tank holds 21,000 litres.\nIts pressure is “9 bar”."}

	for _, quote := range []string{
		"The tank holds 21,000 litres.",
		`Its pressure is "9 bar".`, // other quotation marks
		"1,000 litres",             // the end of a number
		"The tank holds 30,000 litres.",
	} {
		at, status, ok := hay.Find(quote, -1)
		if !ok {
			fmt.Printf("%q is not found\n", quote)
			continue
		}
		fmt.Printf("%q is at byte %d: %s\n", hay.Text[at.ByteStart:at.ByteEnd], at.ByteStart, status)
	}
	// Output:
	// "The tank holds 21,000 litres." is at byte 0: direct
	// "Its pressure is “9 bar”." is at byte 30: normalized
	// "1,000 litres" is not found
	// "The tank holds 30,000 litres." is not found
}

// Do turns the words that are proposed for a statement into Evidence, and lists those that
// are not in the stored page with a reason. Recheck checks an Evidence again, later and
// elsewhere, with the stored bytes alone.
func ExampleStage_Do() {
	ctx := context.Background()
	blobs := memory.NewBlobs()
	const words = "The P-9 pump reaches 9 bar. It weighs 7.5 kg."
	hash, err := blobs.Put(ctx, []byte(words))
	if err != nil {
		log.Fatal(err)
	}
	doc := &wstk.Document{URL: "https://pumps.example/p9", Text: words, TextSHA256: hash}
	stage := &verify.Stage{
		Blobs: blobs,
		Document: func(context.Context, string) (*wstk.Document, bool, error) {
			return doc, false, nil
		},
	}

	quote := func(words string) wstk.Proposal {
		return wstk.Proposal{Kind: wstk.EvidenceText, URL: doc.URL, Words: words, ByteStart: -1}
	}
	results, err := stage.Do(ctx, []wstk.Claim{{
		Statement: "The P-9 pump reaches 9 bar.",
		Proposed:  []wstk.Proposal{quote("The P-9 pump reaches 9 bar."), quote("It reaches 12 bar.")},
	}})
	if err != nil {
		log.Fatal(err)
	}
	found := results[0].Evidence[0]
	fmt.Printf("%q is at %d to %d\n", found.Quote, *found.ByteStart, *found.ByteEnd)
	fmt.Printf("%q: %s\n", results[0].Unsupported[0].Quote, results[0].Unsupported[0].Reason)

	found.Quote = "The P-9 pump reaches 90 bar."
	why, err := stage.Recheck(ctx, found)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("forged:", why)
	// Output:
	// "The P-9 pump reaches 9 bar." is at 0 to 27
	// "It reaches 12 bar.": not_in_text
	// forged: the text has other words at its offsets
}
