package read_test

import (
	"context"
	"fmt"

	"wstk/shared/stage/read"
)

// A body becomes a Document: the page's visible text in blocks with offsets. Main says
// which of them are its content.
func ExampleStage_Do() {
	body := `<html lang="en"><title>The P-9 pump</title>
<nav><a href="/">Home</a> <a href="/contact">Contact us</a></nav>
<main><h1>The P-9 pump</h1>
<p>The P-9 is our smallest pump and the one most people buy for a garden of ordinary size.</p>
<p>The maximum pressure of the P-9 pump is 9 bar. It weighs 7.5 kg without the hose.</p></main>
<p style="display:none">The maximum pressure is 90 bar.</p>
<footer>Terms of use</footer></html>`
	s := &read.Stage{}
	d, err := s.Do(context.Background(), read.Input{URL: "https://site.example/p9", Body: []byte(body), ContentType: "text/html"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range d.Blocks {
		if b.Main {
			fmt.Printf("%s at byte %d: %s\n", b.Kind, b.ByteStart, d.Text[b.ByteStart:b.ByteEnd])
		}
	}
	fmt.Println("hidden:", d.Hidden[0].Text)
	// Output:
	// heading at byte 16: The P-9 pump
	// paragraph at byte 29: The P-9 is our smallest pump and the one most people buy for a garden of ordinary size.
	// paragraph at byte 117: The maximum pressure of the P-9 pump is 9 bar. It weighs 7.5 kg without the hose.
	// hidden: The maximum pressure is 90 bar.
}
