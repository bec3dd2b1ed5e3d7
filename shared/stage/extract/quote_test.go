package extract

import (
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// What is quoted of a long text is whole sentences, so that it can be a direct answer.
func TestLongTextsAreQuotedBySentences(t *testing.T) {
	short := "The valve opens at 9 bar, or at 8 bar when it is warm; it closes at 7 bar. "
	long := strings.TrimSuffix(strings.Repeat("the valve opens at 9 bar, ", 20), ", ") + "."
	tooLong := strings.TrimSuffix(strings.Repeat("the valve opens at 9 bar, ", 30), ", ") + "."
	for _, c := range []struct {
		name, text, keep string
		whole            bool
	}{
		{"one long sentence", long, "", true},
		{"a long sentence among others", short + long + " " + short, "", true},
		{"many sentences", strings.TrimSpace(strings.Repeat(short, 9)), "", true},
		{"a value in one of many", strings.TrimSpace(strings.Repeat(short, 9)) + " It weighs 12 kg. " + short, "12 kg", true},
		{"cells", strings.Repeat("The valve opens.\t", 30) + "It weighs 12 kg.", "12 kg", true},
		{"a sentence that is too long", tooLong, "", false},
	} {
		p := &page{doc: &wstk.Document{Text: c.text}, lang: "en"}
		var keep *text.Range
		if i := strings.Index(c.text, c.keep); c.keep != "" {
			keep = &text.Range{Start: i, End: i + len(c.keep)}
		}
		start, end := p.fit(0, len(c.text), nil, keep)
		quote := strings.TrimSpace(c.text[start:end])
		if n := len([]rune(quote)); n == 0 || n > maxSentence || !c.whole && n > maxQuote {
			t.Errorf("%s: %d characters", c.name, n)
		}
		if c.whole && (!strings.HasSuffix(quote, ".") ||
			start > 0 && !strings.ContainsAny(c.text[start-1:start], " \t")) ||
			!strings.Contains(quote, c.keep) {
			t.Errorf("%s: the quote is %q, want one that holds %q, whole sentences: %t", c.name, quote, c.keep, c.whole)
		}
	}
}
