package read

import (
	_ "embed"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"wstk/shared/lexicon"
	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// A style sheet may put words before and after the text of an element. They are no words
// of the page and are not quoted; but a reader who sees "Myth:" before a sentence reads
// another one.

// addedWords are the words that style st, of ::before or ::after, puts beside its element;
// "" where they are not seen, or are signs.
func (w *walker) addedWords(st *css.Style, vars *css.Variables, quotes string) string {
	if st == nil || st.Display == "none" || st.Values["visibility"] == "hidden" ||
		css.Number(st.Values["opacity"], 1) <= css.Faint || isZeroSize(st.Values["font-size"]) ||
		iconFont(st.Values["font-family"]) {
		return ""
	}
	if own := st.Values["quotes"]; own != "" {
		quotes = w.sheet.MarkWords(own)
	}
	return w.sheet.Content(st, vars, quotes)
}

func isZeroSize(v string) bool { return v != "" && css.IsZero(v) }

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
var labelFile string

// plainLabels are the words of labels that change nothing of what stands beside them.
var plainLabels = lexicon.Parse(labelFile).Set("labels")

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
func (w *walker) add(i int32, st *css.Style, d dom.Display, s *state) {
	n := w.Els[i].Node
	before, after := w.added(i, st, s)
	if !css.HasWords(before) && !css.HasWords(after) || s.hide >= 0 ||
		w.TextBytes(int(i)) > maxLabelled {
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

// added are the words that style sheets put before and after the text of element i. A mark
// is put before it.
func (w *walker) added(i int32, st *css.Style, s *state) (before, after string) {
	n := w.Els[i].Node
	item := n.DataAtom == atom.Li || n.DataAtom == atom.Summary
	if st != nil {
		if v := st.Values["list-style-type"]; v != "" {
			s.mark = w.sheet.MarkWords(v)
		}
		if v := st.Values["quotes"]; v != "" {
			s.quotes = w.sheet.MarkWords(v)
		}
		item = item && st.Display == "" || st.Display == "list-item"
		if m := w.addedWords(st.Added.Marker, s.look.vars, s.quotes); item && m != "" {
			before = m
		}
	}
	if item && before == "" {
		before = s.mark
	}
	if n.DataAtom == atom.Q {
		before += s.quotes
	}
	if w.browser != nil {
		g := w.browser.generated[i]
		return before + g.Before, g.After
	}
	if st != nil {
		before += w.addedWords(st.Added.Before, s.look.vars, s.quotes)
		after = w.addedWords(st.Added.After, s.look.vars, s.quotes)
	}
	return before, after
}

// generatedOf is the record of a browser by element.
func generatedOf(list []wstk.GeneratedText) map[int32]wstk.GeneratedText {
	out := make(map[int32]wstk.GeneratedText, len(list))
	for _, g := range list {
		out[int32(g.Element)] = g
	}
	return out
}
