package said

import (
	"fmt"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// A value of a field is shown even if other words have it; a title or a sentence is shown once,
// in its longest form; a quote that is not there is left out.
func TestEachSentenceOnceAndEveryField(t *testing.T) {
	x := wstk.Extraction{Title: "Pump 4", Evidence: make([]wstk.Evidence, 3),
		Statements: []wstk.Statement{
			{Statement: "It is red.", Evidence: []int{1}},
			{Field: "number", Statement: "4", Evidence: []int{0}},
			{Field: "flow", Statement: "40 l", Evidence: []int{0, 7, -1}},
			{Field: "title", Statement: "Pump 4", Evidence: []int{0}},
			{Statement: "It is red. It moves water.", Evidence: []int{2}},
			{Statement: "It moves water.", Evidence: []int{2}}}}
	got := ""
	for _, p := range Paragraphs(x) {
		got += fmt.Sprintln(p.Title, p.Field, p.Lines, p.Quotes)
	}
	const want = `true  [Pump 4] [0]
false number [4] [0]
false flow [40 l] [0]
false  [It is red. It moves water.] [1 2]
`
	if got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
}

// The name of a page has the sections below the one with its title, not the site's.
func TestNamesOfPages(t *testing.T) {
	for _, c := range []struct {
		title, want string
		path        []string
	}{
		{"2. Pumps", "2. Pumps › Valves", []string{"The site", "Chapter 2 - Pumps", "Valves"}},
		{"The site", "The site › Pumps › Valves", []string{"The site", "Pumps", "Valves"}},
		{"Pumps", "Pumps", nil},
		{"FAQ — the site's manual", "FAQ — the site's manual › Why", []string{"FAQ", "Why"}},
		{"", "", []string{"Pumps"}},
	} {
		x := wstk.Extraction{Sources: []wstk.Source{{URL: "u", Title: c.title}}}
		if got := Page(x, wstk.Evidence{URL: "u", SectionPath: c.path}); got != c.want {
			t.Errorf("%q %q: %q, want %q", c.title, c.path, got, c.want)
		}
	}
}

// What a sentence leads to is indented below it, and so is an item of a list below the line that
// leads to the list.
func TestWhatALineLeadsToIsIndented(t *testing.T) {
	text := "Heading\nThere are two:\nThe first is:\n  run\nThe second."
	quote := func(words string) wstk.Evidence {
		from := strings.Index(text, words)
		to := from + len(words)
		return wstk.Evidence{Quote: words, ByteStart: &from, ByteEnd: &to, CharStart: &from,
			CharEnd: &to}
	}
	quotes := []wstk.Evidence{quote("The first is:"), quote("There are two:"), quote("run"),
		quote("Heading"), quote("The second.")}
	for _, c := range []struct {
		words string
		cites []int
		want  string
	}{
		{"The first is:", []int{0, 2, 1}, "There are two:\n    The first is:\n        run"},
		{"The first is:", []int{0, 2, 3}, "Heading\nThe first is:\n    run"},
		{"There are two:", []int{1, 0}, "There are two:\n    The first is:"},
		{"The second.", []int{4, 0}, "The first is:\n    The second."},
		{"The first is:", []int{0, 4}, "The first is:\n    The second."},
		{"Heading", []int{3, 4}, "Heading"},
	} {
		var lines []string
		for _, part := range Parts(wstk.Statement{Statement: c.words, Evidence: c.cites}, quotes) {
			lines = append(lines, part...)
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%q %v:\n%s\nwant\n%s", c.words, c.cites, got, c.want)
		}
	}
}
