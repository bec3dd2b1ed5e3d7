package collate

import (
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// leftOut says what stands before a statement on its page, and nowhere in the answer, and
// may tell what it is about, a clause each: the sentence before one that begins with
// "it" or "they", the line that leads to its list ("The firm hopes for:").
func (k *check) leftOut(i int, quotes []wstk.Evidence) []string {
	s := k.Statements[i]
	shown := []string{s.Field, k.Title, s.Statement, k.Query}
	if i > 0 {
		shown = append(shown, k.Statements[i-1].Statement)
	}
	for _, e := range quotes {
		if !Says(e.Quote, s.Statement) {
			shown = append(shown, e.Quote)
		}
	}
	told := func(words string) bool {
		return labelWords(words) == "" || slices.ContainsFunc(shown, func(o string) bool {
			return strings.Contains(labelWords(o), labelWords(words))
		})
	}
	var out []string
	for _, e := range ownQuotes(s.Statement, quotes) {
		d := k.page(e)
		span, ok := e.Span()
		if d == nil || !ok {
			return nil
		}
		places := text.Occurrences(e.Quote, s.Statement)
		if len(places) == 0 {
			return nil
		}
		at := places[0]
		at.Start, at.End = span.ByteStart+at.Start, span.ByteStart+at.End
		if w := bareWords(text.FoldCompare(s.Statement)); len(w) > 0 && pronouns[w[0]] {
			if _, before, _ := beside(d, at); before != "" && !told(before) {
				out = append(out, "“"+w[0]+"” may be said of what stands before it on its page, and not in this answer: "+text.Shorten(before, 80))
			}
		}
		for _, line := range above(d, d.BlockAt(at.Start)) {
			if !told(line) && !harmless[labelWords(line)] {
				out = append(out, "it stands under a line that this answer does not show: "+text.Shorten(line, 80))
			}
		}
		if len(out) == 0 {
			return nil // one page says it alone
		}
	}
	return slices.Compact(out)
}
