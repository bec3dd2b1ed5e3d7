package extract

import (
	"fmt"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// ruleClub is a page with so many rules of a club, each as long as given.
func ruleClub(rules, size int) *wstk.Document {
	page := "# Vesper club\nThe rules of the Vesper club are:\n"
	for i := range rules {
		page += fmt.Sprintf("- Rule%02d %s\n", i, strings.Repeat("soup ", size/5))
	}
	return doc("https://x.example/", "Vesper club", page)
}

// A list that is the answer is quoted whole, up to MaxList bytes; LeftOut counts the rest.
func TestAListIsQuotedUpToABound(t *testing.T) {
	for _, c := range []struct{ rules, size, quoted int }{
		{3, 20, 3}, {30, 20, 30}, {40, 200, 19}, {2, 5000, 2},
	} {
		d := ruleClub(c.rules, c.size)
		_, claims, _ := askAll(t, Query{Text: "What are the rules of the Vesper club?", Strategy: wstk.Singular}, d)
		var x wstk.Extraction
		listed := 0
		for _, cl := range claims[0] {
			if strings.HasPrefix(cl.Statement, "Rule") {
				listed++
			}
			for _, w := range cl.Proposed {
				end := w.ByteStart + len(w.Words)
				x.Evidence = append(x.Evidence, wstk.Evidence{URL: d.URL, TextSHA256: d.TextSHA256,
					ByteStart: &w.ByteStart, ByteEnd: &end})
			}
		}
		if listed != c.quoted && c.size < 1000 {
			t.Errorf("%d rules of %d bytes: %d are quoted, want %d", c.rules, c.size, listed, c.quoted)
		}
		if got := LeftOut(d, x); got != c.rules-listed {
			t.Errorf("%d rules of %d bytes: %d left out, want %d", c.rules, c.size, got, c.rules-listed)
		}
	}
	if got := LeftOut(ruleClub(3, 20), wstk.Extraction{}); got != 0 {
		t.Errorf("%d left out of a page that is not quoted", got)
	}
}
