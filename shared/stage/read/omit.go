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

// A line may show more than its text: a picture of a word, the value of a form field, a
// drawing. Such words are in no text node, so they are not quoted; but a reader who sees a
// picture of "not" between two words reads another sentence. The characters on both sides of
// such a place are flagged, and with them the sentences that hold it or touch it.
//
// Between two words of a line all that is drawn counts, whatever the page says of it: an
// empty alt is a claim of the page. At the edge of a line or a cell, where icons and
// illustrations are, it counts if it is known to hold words.

// omission is what an element shows that is no text.
type omission uint8

const (
	showsNothing omission = iota
	showsPicture          // it may hold words
	showsWords            // it is known to
)

// place is where the line in the making shows something that is no text.
type place struct {
	at, tabs, breaks int // a byte of the line, and what was to be written behind it
	worded           bool
}

// maxPlaces is how many places of one block are kept.
const maxPlaces = 1000

// omit notes that the line in the making shows something here, unless it is hidden.
func (w *walker) omit(what omission, s *state) {
	if what != showsNothing && s.hide < 0 && len(w.places) < maxPlaces {
		w.places = append(w.places, place{len(w.cur), w.tabs, w.breaks, what == showsWords})
	}
}

// shifted are places of a text that stands at a byte of another one.
func shifted(places []place, by int) []place {
	for i := range places {
		places[i].at += by
	}
	return places
}

// incomplete returns the parts of a block beside which it shows something that is no text.
// pre says that its line breaks are those of the page.
func incomplete(words []byte, places []place, pre bool) (out []flagged) {
	for _, p := range places {
		from, to := p.bounds(words, pre)
		if from >= to {
			continue
		}
		if n := len(out); n > 0 && out[n-1].end >= from {
			out[n-1].end = max(out[n-1].end, to)
			continue
		}
		out = append(out, flagged{from, to, isIncomplete})
	}
	return out
}

// bounds are the part of c that the place flags: from the last character before it
// to the first behind it, or the tabs around a cell without text.
func (p place) bounds(c []byte, pre bool) (from, to int) {
	at := min(max(p.at, 0), len(c))
	for n := p.tabs; n > 0 && at < len(c) && c[at] == '\t'; n-- {
		at++
	}
	from, to = around(c, at, pre)
	first := from == 0 || dom.HTMLSpace(c[from-1])
	last := to == len(c) || dom.HTMLSpace(c[to])
	if (first || last) && !p.worded || to == len(c) && p.breaks > 0 { // on a line of its own
		return 0, 0
	}
	if !first || last {
		_, n := utf8.DecodeLastRune(c[:from])
		from -= n
	}
	if !last || first {
		_, n := utf8.DecodeRune(c[to:])
		to += n
	}
	return from, to
}

// around is the white space around byte at of c, within its line and its cell.
func around(c []byte, at int, pre bool) (from, to int) {
	between := func(r rune) bool { return unicode.IsSpace(r) && r != '\t' && (r != '\n' || !pre) }
	from = len(bytes.TrimRightFunc(c[:at], between))
	return from, len(c) - len(bytes.TrimLeftFunc(c[at:], between))
}

// shows is what an element of the style st shows that is no text of the page.
func shows(n *html.Node, st *css.Style, d dom.Display) omission {
	switch {
	case n.DataAtom == atom.Img:
		return ofLine(worded(firstAttr(n, "alt", "title", "aria-label")), n, st)
	case n.DataAtom == atom.Input:
		return ofField(n)
	case n.DataAtom == atom.Select:
		return showsWords
	case n.DataAtom == atom.Textarea:
		if blankIn(n) {
			return worded(dom.Attr(n, "placeholder"))
		}
		return showsNothing
	case embeds(n.DataAtom):
		return ofLine(worded(firstAttr(n, "title", "aria-label", "srcdoc", "alt")+
			dom.TextContent(n, longestLabel)), n, st)
	case d == dom.DisplayBlock:
		return showsNothing
	case hasPicture(st, "background-image"):
		return ofGround(n, st)
	}
	return ofEmpty(n)
}

// firstAttr is the first of some attributes that says something.
func firstAttr(n *html.Node, names ...string) string {
	for _, name := range names {
		if v := dom.Attr(n, name); v != "" {
			return v
		}
	}
	return ""
}

// ofEmpty is what an element without text shows.
func ofEmpty(n *html.Node) omission {
	switch {
	case len(n.Attr) > 0 && strings.EqualFold(dom.Attr(n, "role"), "img") && blankIn(n):
		return worded(firstAttr(n, "aria-label", "title"))
	case n.DataAtom == 0 && strings.Contains(n.Data, "-") && n.FirstChild == nil:
		return showsPicture // an element that a script draws
	}
	return showsNothing
}

const longestLabel = 200 // bytes that are looked at

// blankIn reports whether an element holds no text.
func blankIn(n *html.Node) bool {
	return n.FirstChild == nil || strings.TrimSpace(dom.TextContent(n, longestLabel)) == ""
}

// worded is what a picture shows of which the page says that it shows these words.
func worded(label string) omission {
	if !strings.ContainsFunc(label, isLetterOrDigit) || plainLabel(label) &&
		strings.ContainsFunc(label, unicode.IsLetter) {
		return showsPicture
	}
	return showsWords
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// ofLine is what a picture shows that may not be a part of a line: one that is taller than
// words, or set apart, is an illustration unless words are on both sides of it.
func ofLine(what omission, n *html.Node, st *css.Style) omission {
	const tall = 64 // pixels
	height := dom.Attr(n, "height")
	apart := false
	if st != nil {
		if v := st.Values["height"]; v != "" {
			height = v
		}
		apart = st.Display == "block" || st.Line.Float != "" && st.Line.Float != "none"
	}
	if apart || css.Number(strings.TrimSuffix(strings.TrimSpace(height), "px"), 0) > tall {
		return min(what, showsPicture)
	}
	return what
}

// ofField is what a form field shows.
func ofField(n *html.Node) omission {
	switch strings.ToLower(dom.Attr(n, "type")) {
	case "hidden":
		return showsNothing
	case "checkbox", "radio", "range", "color", "file", "password":
		return showsPicture
	case "image":
		return worded(dom.Attr(n, "alt"))
	}
	return worded(dom.Attr(n, "value") + " " + dom.Attr(n, "placeholder"))
}

// ofGround is what an element with a picture on its ground shows: the picture, where it has
// room beside the text.
func ofGround(n *html.Node, st *css.Style) omission {
	const room = 24 // pixels: a word; signs of links take less
	if blankIn(n) {
		if hasSize(st) {
			return worded(firstAttr(n, "aria-label", "title"))
		}
		return showsNothing
	}
	for _, side := range []int{1, 3} {
		if px, ok := st.Padding.Side(side, css.DefaultSizes); ok && px >= room {
			return showsPicture
		}
	}
	return showsNothing
}

// hasPicture reports whether a property of a style names a picture.
func hasPicture(st *css.Style, property string) bool {
	if st == nil {
		return false
	}
	v := st.Values[property]
	return strings.Contains(v, "url(") || strings.Contains(v, "image-set(") ||
		strings.Contains(v, "gradient(")
}

// hasSize reports whether an element without text may have a box in its line.
func hasSize(st *css.Style) bool {
	return strings.HasPrefix(st.Display, "inline-") || st.Values["width"] != "" ||
		st.Padding != css.Padding{}
}

// addsPicture reports whether ::before or ::after, of which st is the style, is a picture.
func addsPicture(st *css.Style) bool {
	return st != nil && st.Display != "none" && st.Values["visibility"] != "hidden" &&
		(hasPicture(st, "content") || st.Values["content"] != "" &&
			hasPicture(st, "background-image"))
}

// ofDrawing is what svg element i shows in its line.
func (w *walker) ofDrawing(i int32, st *css.Style) omission {
	n := w.Els[i].Node
	label := dom.Attr(n, "aria-label")
	for k := i + 1; k < w.Els[i].End; k++ {
		switch w.Els[k].Node.Data {
		case "title":
			label += " " + dom.TextContent(w.Els[k].Node, longestLabel)
		case "text": // a block of its own
			return showsWords
		}
	}
	return ofLine(worded(label), n, st)
}

// embeds reports whether an element shows something else in its place than what it holds.
func embeds(a atom.Atom) bool {
	switch a {
	case atom.Iframe, atom.Canvas, atom.Video, atom.Object, atom.Embed, atom.Meter, atom.Progress:
		return true
	}
	return false
}
