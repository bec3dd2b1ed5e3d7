package verify

import (
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Sentences are the sentences or the row that hold a quote in a text, without the structure of its
// page; the quote itself if the text does not hold it there.
func Sentences(s, lang, quote string, at wstk.Span) string {
	if at.ByteStart < 0 || at.ByteStart >= at.ByteEnd || at.ByteEnd > len(s) ||
		s[at.ByteStart:at.ByteEnd] != quote {
		return quote
	}
	u := unitAt(lined(s, lang), text.Range{Start: at.ByteStart, End: at.ByteEnd})
	return s[u.Start:u.End]
}

// Changed compares two sentences word by word; nil if only their white space differs.
func Changed(was, now string) []text.Change {
	if strings.Join(strings.Fields(was), " ") == strings.Join(strings.Fields(now), " ") {
		return nil
	}
	return text.DiffWords(was, now)
}
