package verify

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Fate says what became of a quote on its page since it was read.
type Fate string

const (
	FateSame  Fate = "same"  // the page holds the same text, or the same data
	FateStill Fate = "still" // the page changed, and the words stand where they stood
	FateMoved Fate = "moved" // they stand elsewhere on the page
	FateGone  Fate = "gone"  // the page does not hold them any more
	// no text of the page is held now, or it did not come when it was asked for last
	FateUnknown Fate = "unknown"
)

// Since is what is known of a quote's page today.
type Since struct {
	Fate      Fate
	FetchedAt time.Time    // when the text held now was fetched; zero for unknown
	CheckedAt time.Time    // when the site was last asked; zero where that is not known
	Verdict   wstk.Verdict // of that time
	// the quoted sentence, and the one nearest to it today, where they differ
	Sentence []text.Change
	Lost     bool // the words are gone, and no sentence of today comes near to theirs
}

// nearest is the least share of words that a sentence of today has in common with the
// quoted one to be shown in its place.
const nearest = 0.4

// FateOf says what became of an Evidence, whose page was read again as now, and of a value of
// data how it changed.
func FateOf(e wstk.Evidence, now *wstk.Document) (Fate, []text.Change) {
	span, isText := e.Span()
	if !isText {
		return dataSince(e, now)
	}
	return textSince(e.Quote, span, now.Text), nil
}

// Compare fills in the sentence around a quote of text that was and the one that is: old is the
// text it was taken from, "" where that is not held.
func (s *Since) Compare(e wstk.Evidence, old string, now *wstk.Document) {
	span, _ := e.Span()
	was := e.Quote
	if span.ByteEnd <= len(old) {
		was = sentencesAround(old, span)
	}
	is := nearestTo(was, now.Text)
	s.Lost = s.Fate == FateGone && is == ""
	if s.Fate == FateStill || s.Fate == FateMoved {
		at := span.ByteStart
		if s.Fate == FateMoved {
			at = find(now.Text, e.Quote)
		}
		is = sentencesAround(now.Text, wstk.Span{ByteStart: at, ByteEnd: at + len(e.Quote)})
	}
	if is != "" && strings.Join(strings.Fields(is), " ") != strings.Join(strings.Fields(was), " ") {
		s.Sentence = text.DiffWords(was, is)
	}
}

// dataSince says what became of a value of structured data: the one at its place.
func dataSince(e wstk.Evidence, now *wstk.Document) (Fate, []text.Change) {
	elsewhere := false
	for _, item := range now.Data {
		for _, l := range item.Leaves {
			same := l.Literal == e.Literal
			switch {
			case e.Element == nil || l.Element != *e.Element || l.Pointer != e.Pointer:
				elsewhere = elsewhere || same && l.Pointer == e.Pointer
			case same:
				return FateStill, nil
			default:
				return FateGone, text.DiffWords(e.Literal, l.Literal)
			}
		}
	}
	if elsewhere {
		return FateMoved, nil
	}
	return FateGone, nil
}

// textSince says whether a quote stands in the text of today.
func textSince(quote string, span wstk.Span, now string) Fate {
	switch {
	case standsAt(now, quote, span.ByteStart):
		return FateStill
	case find(now, quote) >= 0:
		return FateMoved
	}
	return FateGone
}

// find is where a quote first stands in s as words of its own; -1 where it does not.
func find(s, quote string) int {
	for from := 0; quote != ""; {
		i := strings.Index(s[from:], quote)
		if i < 0 {
			break
		}
		if standsAt(s, quote, from+i) {
			return from + i
		}
		_, n := utf8.DecodeRuneInString(s[from+i:])
		from += i + n
	}
	return -1
}

// standsAt reports whether a quote stands at a place of s, and no word or number goes on
// before or behind it.
func standsAt(s, quote string, at int) bool {
	if at < 0 || at > len(s) || quote == "" || !strings.HasPrefix(s[at:], quote) {
		return false
	}
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	first, _ := utf8.DecodeRuneInString(quote)
	last, _ := utf8.DecodeLastRuneInString(quote)
	after, _ := utf8.DecodeRuneInString(s[at+len(quote):])
	return !(word(before) && word(first)) && !(word(last) && word(after))
}

// sentencesAround are the sentences of a text in which a span stands.
func sentencesAround(s string, span wstk.Span) string {
	from := strings.LastIndexByte(s[:span.ByteStart], '\n') + 1
	to := len(s)
	if i := strings.IndexByte(s[span.ByteEnd:], '\n'); i >= 0 {
		to = span.ByteEnd + i
	}
	first, last := -1, 0
	for _, r := range text.Sentences(s[from:to], "") {
		if from+r.End > span.ByteStart && from+r.Start < span.ByteEnd {
			if first < 0 {
				first = from + r.Start
			}
			last = from + r.End
		}
	}
	if first < 0 {
		return s[span.ByteStart:span.ByteEnd]
	}
	return s[first:last]
}

// nearestTo is the sentence of a text that has most words in common with another one; ""
// where none has enough.
func nearestTo(sentence, in string) string {
	want := wordSet(sentence)
	best, most := "", nearest
	for line := range strings.Lines(in) {
		for _, r := range text.Sentences(line, "") {
			if s := line[r.Start:r.End]; len(s) < 8*len(sentence)+200 {
				if share := common(want, wordSet(s)); share > most {
					best, most = s, share
				}
			}
		}
	}
	return best
}

func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		out[w] = true
	}
	return out
}

// common is the share of the words of two sentences that both have, 0–1.
func common(a, b map[string]bool) float64 {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}
