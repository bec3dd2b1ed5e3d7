package read

import (
	_ "embed"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// A style sheet may put words before and after the text of an element. They are no words
// of the page and are not quoted; but a reader who sees "Myth:" before a sentence reads
// another one.

// addedWords are the words that style st, of ::before or ::after, puts beside its element;
// "" where they are not seen, or are signs.
func (w *walker) addedWords(st *style, vars *variables) string {
	if st == nil || st.display == "none" || st.v["visibility"] == "hidden" ||
		number(st.v["opacity"], 1) <= faint || isZeroSize(st.v["font-size"]) ||
		iconFont(st.v["font-family"]) {
		return ""
	}
	return w.sheet.content(st, vars)
}

func isZeroSize(v string) bool { return v != "" && isZero(v) }

// iconFont reports whether the letters of a font are pictures.
func iconFont(family string) bool {
	for _, name := range []string{"icon", "material", "awesome", "symbol", "glyph", "fontello"} {
		if strings.Contains(family, name) {
			return true
		}
	}
	return false
}

//go:embed labels.txt
var labelWords string

// plainLabels are words of which labels consist that change nothing of what stands
// beside them.
var plainLabels = words(labelWords)

// plainLabel reports whether words only label what they stand beside.
func plainLabel(s string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !plainLabels[w] {
			return false
		}
	}
	return true
}

// add flags the text of element i beside which a style sheet puts words.
func (w *walker) add(i int32, st *style, d dom.Display, s *state) {
	var before, after string
	n := w.Els[i].Node
	if w.browser != nil {
		g := w.browser.generated[i]
		before, after = g.Before, g.After
	} else if st != nil && (st.added.before != nil || st.added.after != nil) {
		before, after = w.addedWords(st.added.before, s.look.vars),
			w.addedWords(st.added.after, s.look.vars)
	}
	if !worded(before) && !worded(after) || s.hide >= 0 || w.TextBytes(int(i)) > maxLabelled {
		return
	}
	f := isGenerated
	if !plainLabel(before+" "+after) && n.DataAtom != atom.A {
		f |= isAltered
	}
	if d == dom.DisplayBlock {
		s.flags |= f
	} else {
		w.whole |= f
	}
}

// generatedOf is the record of a browser by element.
func generatedOf(list []wstk.GeneratedText) map[int32]wstk.GeneratedText {
	out := make(map[int32]wstk.GeneratedText, len(list))
	for _, g := range list {
		out[int32(g.Element)] = g
	}
	return out
}
