package text

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"wstk/shared/lexicon"
	"wstk/shared/lexicon/lexicontest"
)

// TestEveryFamilyOfDenialsIsNeeded: without any family of denial.txt or denialwords.txt some
// page of the tests is read otherwise. A page that begins with "title:" is a title only.
func TestEveryFamilyOfDenialsIsNeeded(t *testing.T) {
	old := denials
	t.Cleanup(func() { denials = old })
	var pages []string
	for _, list := range [][]string{takenBack, standing, neededDenials} {
		for _, page := range list {
			pages = append(pages, strings.ReplaceAll(page, "\n", `\n`))
		}
	}
	setting := func(d *denialRules) func(string) string {
		return func(page string) string {
			denials = func() *denialRules { return d }
			title := ""
			page = strings.ReplaceAll(page, `\n`, "\n")
			if rest, ok := strings.CutPrefix(page, "title: "); ok {
				title, page = rest, "X"
			}
			words, outline := written(strings.ReplaceAll(page, "X", said))
			s := NewSetting(context.Background(), words, title, "", "", outline)
			return fmt.Sprint(s.taken, s.framed)
		}
	}
	patterns, words := lexicon.Parse(denialFile), lexicon.Parse(denialWordFile)
	t.Run("patterns", func(t *testing.T) {
		lexicontest.Needed(t, patterns, "testdata/denial.needed", pages,
			func(l *lexicon.Lexicon) func(string) string {
				return setting(newDenialRules(l, words))
			})
	})
	t.Run("words", func(t *testing.T) {
		lexicontest.Needed(t, words, "testdata/denialwords.needed", pages,
			func(l *lexicon.Lexicon) func(string) string {
				return setting(newDenialRules(patterns, l))
			})
	})
}

// neededDenials are pages that need a family which no other page of the tests needs.
var neededDenials = []string{
	"title: RETRACTED: Hours of libraries", "# Myths about the library debunked\nX",
	"X\nBut the claim has been refuted by two libraries.",
}
