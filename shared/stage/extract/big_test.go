package extract

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

func TestOfAHugePageThePassagesAreRead(t *testing.T) {
	filler := strings.Repeat("A line of a log that tells of nothing much.\n", maxWhole/40)
	d := doc("https://x.example/log", "Log", filler+"The reactor was switched off at 14:05.\n"+"More lines follow here.")
	at := strings.Index(d.Text, "The reactor")
	b := wstk.Bucket{Pages: []string{d.URL}}
	q := Query{Text: "At what time was the reactor switched off?"}
	claims, _, err := shelve(d).stage().Do(t.Context(), q, b)
	if err != nil || len(claims) != 0 {
		t.Fatalf("without a passage: %v, %v", claims, err)
	}
	b.Hits = []wstk.Hit{{Rank: 1, URL: d.URL, TextSHA256: d.TextSHA256,
		Span: &wstk.Span{ByteStart: at, ByteEnd: at + 38}}}
	claims, _, err = shelve(d).stage().Do(t.Context(), q, b)
	if err != nil || len(claims) != 1 || claims[0].Value == nil || claims[0].Value.Norm != "14:05" {
		t.Fatalf("with the passage: %+v, %v", claims, err)
	}
}
