package content

import (
	"strings"
	"unicode/utf8"

	"wstk/shared/wstk"
)

// maxPhrase is the length in characters up to which a block may be a button or a heading over
// other pages.
const maxPhrase = 60

// operates reports whether a short block begins like one that operates the page.
func operates(t string) bool {
	return phraseLike(t) && beginsWith(strings.ToLower(t), operating)
}

// leadsElsewhere reports whether a heading stands over other pages or the site.
func leadsElsewhere(t string) bool {
	return phraseLike(t) &&
		beginsWith(pointerOf(t), elsewhere)
}

// pointerOf returns a text as the phrases that lead elsewhere are written.
func pointerOf(t string) string {
	return strings.TrimLeft(strings.ToLower(t), "0123456789() [>»›→•|-–—:*")
}

func phraseLike(t string) bool {
	return len(t) <= maxPhrase || len(t) <= 4*maxPhrase && utf8.RuneCountInString(t) <= maxPhrase
}

func beginsWith(t string, phrases []string) bool {
	for _, p := range phrases {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}

// Where a block stands with regard to headings over other pages.
const (
	elsewhereNot = iota
	elsewhereUnder
	elsewhereHeading
)

// elsewhereParts returns for each block whether it is a heading over other pages or the
// site, or stands under one.
func (p *Page) elsewhereParts() []uint8 {
	out := make([]uint8, len(p.Blocks))
	level := 0 // of the heading we are under
	for i := range p.Blocks {
		b := &p.Blocks[i]
		switch {
		case b.Kind != wstk.BlockHeading, level > 0 && b.Level > level:
			if level > 0 {
				out[i] = elsewhereUnder
			}
		case leadsElsewhere(p.blockText(i)):
			level, out[i] = b.Level, elsewhereHeading
		default:
			level = 0
		}
	}
	return out
}

// dateLike reports whether a short line holds a date: a year of our time with a month's
// name or with other numbers around separators, or "3 days ago".
func dateLike(t string) bool {
	low := strings.ToLower(t)
	if strings.HasSuffix(low, " ago") || strings.Contains(low, " ago ") {
		return true
	}
	if digits(t) < 5 && !hasMonth(low) || !hasYear(t) {
		return false
	}
	return hasMonth(low) || strings.ContainsAny(t, "年년") || strings.Count(t, "/") >= 2 ||
		strings.Count(t, "-") >= 2 ||
		strings.Count(t, ".") >= 2
}

// hasYear reports whether a number of four digits that begins with 19 or 20 stands in t.
func hasYear(t string) bool {
	for i := 0; i+4 <= len(t); i++ {
		if (t[i:i+2] == "20" || t[i:i+2] == "19") && digit(t[i+2]) && digit(t[i+3]) &&
			(i == 0 || !digit(t[i-1])) && (i+4 == len(t) || !digit(t[i+4])) {
			return true
		}
	}
	return false
}

// hasMonth reports whether a word begins with the beginning of a month's name.
func hasMonth(low string) bool {
	found := false
	words(low, func(w string) { found = found || beginsWith(w, months) })
	return found
}

// sentenceEnds are what sentences end with, and quotes that close behind them.
const sentenceEnds = ".!?。！？．؟।॥։።။”»」』"

// endsSentence reports whether a text ends as a sentence does.
func endsSentence(t string) bool {
	r, _ := utf8.DecodeLastRuneInString(t)
	return strings.ContainsRune(sentenceEnds, r)
}
