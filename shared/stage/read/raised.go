package read

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
)

// Digits that are raised or lowered mean something else than digits on the line: 10<sup>4</sup>
// is not 10 4. The text has them as a number of their own, and a sentence with a power, an index
// of a number, or a formula that is set in two dimensions is flagged incomplete: its text does not
// say what a reader sees. The number of a footnote changes nothing.

// raised reads an element whose digits are a number of their own: 10<sup>5</sup>.
func (w *walker) raised(i int32, s state) {
	if w.isPower(i, &s) {
		w.omit(showsWords, &s)
	}
	w.numeral = true
	w.children(i, s)
	w.numeral = true
}

// isRaised reports whether a style sets an element of a line higher or lower.
func isRaised(st *css.Style, d dom.Display) bool {
	if st == nil || d != dom.DisplayInline {
		return false
	}
	switch v := st.Values["vertical-align"]; v {
	case "super", "sub":
		return true
	default:
		return v != "" && strings.ContainsAny(v[:1], "-.0123456789") && !css.IsZero(v)
	}
}

// longestPower is the longest text of an exponent, in bytes: −12, 2n+1, 1/2.
const longestPower = 12

// isPower reports whether a raised or lowered element belongs to what stands right before it: it
// is an amount beside a digit, a bracket, a letter that stands for a number, or a unit behind
// one.
func (w *walker) isPower(i int32, s *state) bool {
	n := w.Els[i].Node
	words := strings.TrimSpace(dom.TextContent(n, 2*longestPower))
	if words == "" || len(words) > longestPower || s.link >= 0 || holdsLink(n) ||
		w.space || w.tabs > 0 || w.breaks > 0 ||
		strings.ContainsFunc(words, func(r rune) bool {
			return !unicode.IsDigit(r) && !strings.ContainsRune("+-−–/.,()nmkxij", r)
		}) {
		return false
	}
	return takesPower(w.cur)
}

func takesPower(before []byte) bool {
	last, _ := utf8.DecodeLastRune(before)
	switch {
	case unicode.IsDigit(last):
		return true
	case last == ')' || last == ']':
		return len(before) > 1 && unicode.IsLetter(rune(before[len(before)-2])) ||
			len(before) > 1 && digit(before[len(before)-2])
	case !unicode.IsLetter(last):
		return false
	}
	const unit = 3 // letters
	rest := bytes.TrimRightFunc(before, unicode.IsLetter)
	letters := utf8.RuneCount(before[len(rest):])
	if letters == 1 {
		return true
	}
	rest = bytes.TrimRight(rest, " \u00a0")
	return letters <= unit && len(rest) > 0 && digit(rest[len(rest)-1])
}

// holdsLink reports whether a link is in an element: then it is a footnote.
func holdsLink(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.DataAtom == atom.A {
			return true
		}
	}
	return false
}

// isLaidOut reports whether an element of MathML says something by where its parts stand.
func isLaidOut(name string) bool {
	switch name {
	case "msup", "msub", "msubsup", "mfrac", "msqrt", "mroot", "munder", "mover", "munderover",
		"mtable", "mmultiscripts":
		return true
	}
	return false
}

// counts reports whether a style writes a number beside an element of a line.
func counts(st *css.Style) bool {
	return st != nil && st.Display != "none" && st.Values["visibility"] != "hidden" &&
		strings.Contains(st.Values["content"], "counter")
}
