package wstk_test

import (
	"fmt"

	"wstk/shared/wstk"
)

// An error has a code, which callers act on, and keeps it under everything that is wrapped
// around it.
func ExampleCodeOf() {
	missing := wstk.Errorf(wstk.NotFound, "reading a page", "no page %s", "https://pumps.example/p9")
	err := fmt.Errorf("answering: %w", missing)

	fmt.Println(err)
	fmt.Println(wstk.CodeOf(err) == wstk.NotFound, wstk.IsTransient(err))
	// Output:
	// answering: reading a page: no page https://pumps.example/p9
	// true false
}

// The quote of an Evidence is the bytes at its offsets, in the text that its hash names. So
// anybody who has the text can check the quote, without another part of the system.
func ExampleEvidence_Span() {
	const text = "The P-9 pump reaches 9 bar. It weighs 7.5 kg."
	start, end := 0, len("The P-9 pump reaches 9 bar.")
	e := wstk.Evidence{
		Quote:      "The P-9 pump reaches 9 bar.",
		TextSHA256: wstk.HashOf([]byte(text)),
		ByteStart:  &start, ByteEnd: &end, CharStart: &start, CharEnd: &end,
	}

	at, ok := e.Span()
	fmt.Println(ok, wstk.HashOf([]byte(text)) == e.TextSHA256,
		text[at.ByteStart:at.ByteEnd] == e.Quote)
	// Output: true true true
}

// Every URL that a crawl discovered ends in one outcome, and the outcomes add up.
func ExampleAccounting_Balanced() {
	crawl := wstk.Accounting{Discovered: 12, By: map[wstk.Outcome]int{
		wstk.OutcomeFetched: 9, wstk.OutcomeRefusedRobots: 2, wstk.OutcomeOpen: 1,
	}}
	fmt.Println(crawl.Stored(), "of", crawl.Discovered, "stored; balanced:", crawl.Balanced())

	crawl.Discovered++ // one URL more, and no outcome for it
	fmt.Println("balanced:", crawl.Balanced())
	// Output:
	// 9 of 12 stored; balanced: true
	// balanced: false
}
