package read

import (
	_ "embed"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// A style sheet may put words before and after the text of an element. They are no words
// of the page and are not quoted; but a reader who sees "Myth:" before a sentence reads
// another one.

// added is what the rules of ::before and ::after of one element declare.
type added struct{ before, after *style }

func (a *added) of(pseudo string, n *html.Node) *style {
	at := &a.before
	if pseudo == "after" {
		at = &a.after
	}
	if *at == nil {
		*at = newStyle(n)
	}
	return *at
}

// adds reports whether a rule of ::before or ::after bears on the words that are put there.
// Signs of icon fonts do not, and there may be thousands of them.
func adds(decls []declaration) bool {
	for _, d := range decls {
		switch d.property {
		case "display", "visibility", "opacity":
			return true
		case "content":
			if worded(d.value) || !strings.ContainsAny(d.value, `"'`) ||
				strings.ContainsAny(d.value, "(") || d.value == `""` || d.value == `''` {
				return true
			}
		}
	}
	return false
}

// worded reports whether words are more than signs: two letters in a row.
func worded(s string) bool {
	letters := 0
	for _, r := range s {
		if !unicode.IsLetter(r) {
			letters = 0
		} else if letters++; letters > 1 {
			return true
		}
	}
	return false
}

// addedWords are the words that style st, of ::before or ::after, puts beside element n;
// "" where they are not seen, or are signs.
func (s *sheet) addedWords(st *style, n *html.Node, vars *variables) string {
	if st == nil || st.display == "none" || st.v["visibility"] == "hidden" ||
		number(st.v["opacity"], 1) <= faint || isZeroSize(st.v["font-size"]) ||
		iconFont(st.v["font-family"]) {
		return ""
	}
	content, ok := s.resolve(st.v["content"], vars, 0)
	if !ok {
		return ""
	}
	return strings.TrimSpace(contentWords(content, n))
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

// contentWords reads the strings and attributes of a value of content.
func contentWords(v string, n *html.Node) string {
	var b strings.Builder
	for v != "" {
		switch v[0] {
		case '"', '\'':
			end := skipString(v, 0)
			b.WriteString(unescaped(strings.Trim(v[:min(end+1, len(v))], v[:1])))
			v = v[min(end+1, len(v)):]
			continue
		case '/': // words for who cannot see it
			return b.String()
		}
		if rest, ok := strings.CutPrefix(v, "attr("); ok {
			end := topLevel(rest, ")")
			name, _, _ := strings.Cut(strings.TrimSpace(rest[:end]), " ")
			b.WriteString(dom.Attr(n, strings.Trim(name, ", ")))
			v = rest[min(end+1, len(rest)):]
			continue
		}
		v = v[1:]
	}
	return b.String()
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
		before, after = w.sheet.addedWords(st.added.before, n, s.look.vars),
			w.sheet.addedWords(st.added.after, n, s.look.vars)
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
