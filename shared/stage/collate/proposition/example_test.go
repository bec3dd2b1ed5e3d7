package proposition_test

import (
	"fmt"

	"wstk/shared/stage/collate/proposition"
)

// Two sentences are compared by what they say, and a row by what the question asks for.
func Example() {
	of := func(title, words string) *proposition.Proposition {
		return proposition.Of(proposition.Unit{Words: words, Title: title, Lang: "en"})
	}
	relation := func(a, b *proposition.Proposition, q *proposition.Question) string {
		r, x, y := proposition.Compare(a, b, q)
		switch r {
		case proposition.Agree:
			return "agree"
		case proposition.Disagree:
			return "disagree: " + x.Words + ", " + y.Words
		}
		return "apart"
	}

	p := of("", "The Grey Tower is not 300 m high.")
	fmt.Println(p.Subject[0].Form, p.Subject[1].Form, "|", p.Attribute[0].Form, "|",
		p.Values[0].Text, "| denied:", p.Denied)

	tower := of("", "The Grey Tower is 300 m high.")
	fmt.Println(relation(tower, of("", "The height of the Grey Tower is 300 m."), nil))
	fmt.Println(relation(tower, of("", "The Grey Tower is 320 m high."), nil))
	fmt.Println(relation(tower, of("", "The Grey Tower is 300 m long."), nil))
	fmt.Println(relation(tower, of("", "The Brown Tower is 320 m high."), nil))

	mast := of("Odenby mast", "The mast is 168 m high here.")
	row := of("Odenby mast", "Height\t168 m")
	fmt.Println(relation(mast, row, nil))
	fmt.Println(relation(mast, row, proposition.Ask("How high is the Odenby mast?")))

	// Output:
	// grey tower | height | 300 m | denied: true
	// agree
	// disagree: 300 m, 320 m
	// apart
	// apart
	// apart
	// agree
}
