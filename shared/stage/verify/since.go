package verify

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Fate says what happened to a quote on its page since the page was read.
type Fate string

const (
	FateSame  Fate = "same"  // the page holds the same text, or the same data
	FateStill Fate = "still" // the page changed, but the words are where they were
	FateMoved Fate = "moved" // the words are elsewhere on the page
	FateGone  Fate = "gone"  // the words are no longer on the page
	// no text of the page is stored now, or the last request did not get the page
	FateUnknown Fate = "unknown"
)

// Since is what is known of a quote's page today.
type Since struct {
	Fate      Fate
	FetchedAt time.Time    // when the stored text was fetched; zero for unknown
	CheckedAt time.Time    // when the site was last asked; zero for unknown
	Verdict   wstk.Verdict // of that time
	// the quoted sentence, and the one nearest to it today, where they differ
	Sentence []text.Change
	Lost     bool // the words are gone, and no sentence of today is like them
}

// nearest is the least share of words that a sentence of today must have in common with the
// quoted one to be shown in its place.
const nearest = 0.4

// FateOf says what happened to an Evidence whose page now reads as now, and how a value of
// structured data changed.
func FateOf(e wstk.Evidence, now *wstk.Document) (Fate, []text.Change) {
	span, isText := e.Span()
	if !isText {
		return dataSince(e, now)
	}
	return textSince(e.Quote, span, now.Text), nil
}

// Compare fills in how the sentence around a quote changed. old is the text that was quoted,
// "" if it is not stored.
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

// dataSince compares a value of structured data with the one that is in its place now.
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

// textSince says whether a quote is still in the text.
func textSince(quote string, span wstk.Span, now string) Fate {
	switch {
	case standsAt(now, quote, span.ByteStart):
		return FateStill
	case find(now, quote) >= 0:
		return FateMoved
	}
	return FateGone
}

// find is where s first has a quote as whole words; -1 for nowhere.
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

// standsAt reports whether a quote is at a place of s, and no word or number continues
// before or after it.
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

// sentencesAround are the sentences of a text that hold a span.
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

// nearestTo is the sentence of a text that has most words in common with a given one; "" if
// none has enough.
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

// common is the share of words that two sentences have in common, 0–1.
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
