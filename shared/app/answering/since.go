package answering

import (
	"context"
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
	FateSame    Fate = "same"    // the page holds the same text, or the same data
	FateStill   Fate = "still"   // the page changed, and the words stand where they stood
	FateMoved   Fate = "moved"   // they stand elsewhere on the page
	FateGone    Fate = "gone"    // the page does not hold them any more
	FateUnknown Fate = "unknown" // no text of the page is held now, or it did not come when it was asked for last
)

// Since is what is known of a quote's page today.
type Since struct {
	Fate      Fate
	FetchedAt time.Time     // when the text held now was fetched; zero for unknown
	CheckedAt time.Time     // when the site was last asked; zero where that is not known
	Verdict   wstk.Verdict  // of that time
	Sentence  []text.Change // the quoted sentence, and the one nearest to it today, where they differ
	Lost      bool          // the words are gone, and no sentence of today comes near to theirs
}

// nearest is the least share of words that a sentence of today has in common with the
// quoted one to be shown in its place.
const nearest = 0.4

// Since compares an Evidence with the text that is held of its page now. It works on
// stored text alone: the live page is not asked.
func (a *Room) Since(ctx context.Context, e wstk.Evidence) (Since, error) {
	out, now, err := a.fate(ctx, e)
	span, isText := e.Span()
	if err != nil || now == nil || !isText {
		return out, err
	}
	old, err := a.Blobs.Get(ctx, e.TextSHA256)
	if err != nil && wstk.CodeOf(err) != wstk.NotFound {
		return out, err
	}
	was := e.Quote
	if span.ByteEnd <= len(old) {
		was = around(string(old), span)
	}
	is := nearestTo(was, now.Text)
	out.Lost = out.Fate == FateGone && is == ""
	if out.Fate == FateStill || out.Fate == FateMoved {
		at := span.ByteStart
		if out.Fate == FateMoved {
			at = find(now.Text, e.Quote)
		}
		is = around(now.Text, wstk.Span{ByteStart: at, ByteEnd: at + len(e.Quote)})
	}
	if is != "" && strings.Join(strings.Fields(is), " ") != strings.Join(strings.Fields(was), " ") {
		out.Sentence = text.DiffWords(was, is)
	}
	return out, nil
}

// Fate is what Since says became of the quote, without a look at the sentences around it.
func (a *Room) Fate(ctx context.Context, e wstk.Evidence) (Fate, error) {
	out, _, err := a.fate(ctx, e)
	return out.Fate, err
}

// fate is Since except for the sentences of a text, and the page as it is held now where it is
// another than the quoted one.
func (a *Room) fate(ctx context.Context, e wstk.Evidence) (Since, *wstk.Document, error) {
	p, err := a.Pages.Get(ctx, e.URL)
	if wstk.CodeOf(err) == wstk.NotFound {
		return Since{Fate: FateUnknown}, nil, nil
	}
	if err != nil {
		return Since{}, nil, err
	}
	out := Since{Fate: FateUnknown, CheckedAt: p.CheckedAt, Verdict: p.Verdict}
	if p.Document == "" || !p.Verdict.Readable() && !p.Partial {
		return out, nil, nil
	}
	out.FetchedAt = p.FetchedAt
	span, isText := e.Span()
	if isText && p.TextSHA256 == e.TextSHA256 || !isText && p.SnapshotSHA256 == e.SnapshotSHA256 {
		out.Fate = FateSame
		return out, nil, nil
	}
	if p.Partial { // the words may stand in the rest
		return out, nil, nil
	}
	now, err := a.Reading.Document(ctx, p.Document)
	if err != nil {
		return out, nil, err
	}
	if !isText {
		out.Fate, out.Sentence = dataSince(e, now)
		return out, now, nil
	}
	out.Fate = textSince(e.Quote, span, now.Text)
	return out, now, nil
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
	case stands(now, quote, span.ByteStart):
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
		if stands(s, quote, from+i) {
			return from + i
		}
		_, n := utf8.DecodeRuneInString(s[from+i:])
		from += i + n
	}
	return -1
}

// stands reports whether a quote stands at a place of s, and no word or number goes on
// before or behind it.
func stands(s, quote string, at int) bool {
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

// around are the sentences of a text in which a span stands.
func around(s string, span wstk.Span) string {
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
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
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
