package collate

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

//go:embed testdata/cuts.txt
var cutsFile string

//go:embed testdata/wholes.txt
var wholesFile string

// cut is a line of these files: a sentence, what is quoted of it, and what is stated.
type cut struct{ sentence, part, statement string }

func cutsIn(file string) (out []cut) {
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		line, statement, _ := strings.Cut(line, " => ")
		line, statement = strings.ReplaceAll(line, "⏎", "\n"), strings.ReplaceAll(statement, "⏎", "\n")
		sentence := strings.NewReplacer("⟦", "", "⟧", "").Replace(line)
		part := sentence
		if _, rest, ok := strings.Cut(line, "⟦"); ok {
			part, _, _ = strings.Cut(rest, "⟧")
		}
		if statement == "" {
			statement = part
		}
		out = append(out, cut{sentence, part, statement})
	}
	return out
}

// stating makes a claim of a sentence on a page: the quote and the statement are given.
func stating(sentence, quote, statement string) Input {
	d := document(say{url: "https://a.example/1", text: sentence})
	it := claimOf(d, quote, "")
	it.Claim.Statement = statement
	return Input{Query: "q", Items: []Item{it}, Pages: []*wstk.Document{d}}
}

// Law 1: what leaves out a part of its sentence is inferred, whatever the part is, in the
// statement or in the quote already.
func TestAPartOfASentenceIsNotDirect(t *testing.T) {
	cuts := cutsIn(cutsFile)
	if len(cuts) < 150 {
		t.Fatalf("the file has %d cut sentences, want at least 150", len(cuts))
	}
	for _, c := range cuts {
		for _, quote := range []string{c.part, c.sentence} {
			in := stating(c.sentence, quote, c.statement)
			neverDirect(t, fmt.Sprintf("%q of %q (quote %q)", c.statement, c.sentence, quote), in)
		}
	}
}

// What is whole, or leaves out nothing that says anything, stays direct.
func TestAWholeSentenceIsDirect(t *testing.T) {
	wholes := cutsIn(wholesFile)
	if len(wholes) < 70 {
		t.Fatalf("only %d wholes", len(wholes))
	}
	for _, c := range wholes {
		for _, quote := range []string{c.part, c.sentence} {
			x := collated(stating(c.sentence, quote, c.statement))
			if len(x.Statements) != 1 || x.Statements[0].Support != wstk.SupportDirect {
				t.Errorf("%q of %q (quote %q): %+v", c.statement, c.sentence, quote, x.Statements)
			}
		}
	}
}
