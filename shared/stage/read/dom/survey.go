package dom

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/deadline"
)

// smallPage is the size up to which no page can overload the parser.
const smallPage = 16 << 10

// MaxNodes bounds the elements, texts, comments and pairs of attributes that are read of
// one page: a node takes some 200 bytes of memory by the time the page is read. Real
// pages have a tenth at most.
const MaxNodes = 640_000

// Bounds of what the standard parser is given.
const (
	maxAdded     = 300_000   // elements it would add by itself; real pages have a third at most
	maxMerge     = 10_000    // attributes of one tag
	maxCopy      = 256 << 20 // bytes copied by joining texts
	maxRoots     = 64        // html and body tags
	maxOpen      = 4096      // elements within each other; the parser allows 512
	maxReopened  = 3         // times the parser keeps one formatting element, as in the standard
	maxUnmatched = 600       // open elements an end tag is compared with
)

// survey looks at the tags of a page. It reports whether the standard parser would take
// far more time or memory than the size of src warrants, and where the part of src ends
// that holds no more than MaxNodes. Constructions that overload the parser:
//
//   - formatting elements that are left open when their parent closes are opened
//     again in every later block (the standard's list of active formatting
//     elements): 250 distinct <font> and 20,000 <div> of 240 KB become five
//     million nodes;
//   - each further <html> or <body> tag merges its attributes into the first;
//   - pieces of text between tags that make no element, or that stand in a table and
//     are moved before it, are joined by copying all that came before;
//   - thousands of attributes on one element.
func survey(stop *deadline.Stop, src string) (overloads bool, end int) {
	if len(src) <= smallPage {
		return false, len(src)
	}
	l := load{leaked: map[string]int8{}}
	z := html.NewTokenizer(deadline.NewReader(src, stop))
	nodes, attrs, at := 0, 0, 0
	for {
		stop.Tick()
		kind := z.Next()
		if kind == html.ErrorToken {
			stop.Check()
			return l.over, len(src)
		}
		raw := z.Raw()
		if kind != html.EndTagToken { // an end tag makes no node
			nodes++
		}
		if nodes+attrs/2 > MaxNodes {
			return l.over, at
		}
		at += len(raw)
		switch kind {
		case html.TextToken:
			l.text(raw)
		case html.CommentToken:
			l.joined = 0
		case html.StartTagToken, html.SelfClosingTagToken:
			attrs += l.startTag(z, kind, raw)
		case html.EndTagToken:
			l.endTag(z)
		}
	}
}

// load estimates the work that a page would make for the standard parser. It estimates
// from above how many elements the parser would add, by following which formatting
// elements are closed while they are the innermost open element; all others count as left
// open. Once over is set, nothing else is counted.
type load struct {
	over   bool            // the work is beyond a bound
	open   []atom.Atom     // open elements, 0 for unknown names
	keys   []string        // of formatting elements in open: name and attributes
	leaked map[string]int8 // left open: how often, at most maxReopened
	nLeak  int             // the sum of leaked
	added  int             // elements the parser would add
	roots  int             // html and body tags
	joined int             // bytes of text since an element began
	copied int             // bytes copied by joining texts
	picks  bool            // in a select element, where most tags make no element
}

func (l *load) text(raw []byte) {
	if l.over {
		return
	}
	l.added += l.nLeak
	if !blankBytes(raw) {
		l.copied += l.joined
		l.joined += len(raw)
	}
	l.over = l.copied > maxCopy || l.added > maxAdded
}

// startTag counts a start tag and returns how many attributes it has.
func (l *load) startTag(z *html.Tokenizer, kind html.TokenType, raw []byte) (attrs int) {
	tag := ""
	if kind == html.StartTagToken && !l.over {
		tag = string(raw) // reading the name and the attributes changes raw
	}
	name, more := z.TagName()
	a := atom.Lookup(name)
	for again := more; again; attrs++ {
		_, _, again = z.TagAttr()
	}
	l.over = l.over || attrs > maxMerge
	if kind != html.StartTagToken || l.over {
		return attrs
	}
	l.added += l.nLeak
	l.picks = l.picks || a == atom.Select
	if !tablePart(a) && (!l.picks || a == atom.Option || a == atom.Optgroup) {
		l.joined = 0
	}
	switch {
	case a == atom.Html || a == atom.Body:
		l.roots++
		l.over = more && l.roots > maxRoots
	case !voidElement(a):
		l.push(a, tag)
	}
	l.over = l.over || l.added > maxAdded
	return attrs
}

func (l *load) push(a atom.Atom, tag string) {
	key := ""
	if formatting(a) {
		key = tag
	}
	l.open, l.keys = append(l.open, a), append(l.keys, key)
	l.over = len(l.open) > maxOpen
}

// endTag closes the innermost element of its name and all that is open in it. The
// formatting elements in it stay active. Without such an element nothing closes.
func (l *load) endTag(z *html.Tokenizer) {
	if l.over {
		return
	}
	name, _ := z.TagName()
	a := atom.Lookup(name)
	l.picks = l.picks && a != atom.Select
	at := len(l.open) - 1
	for look := 0; at >= 0 && l.open[at] != a && look < maxUnmatched; look++ {
		at--
	}
	if at < 0 || l.open[at] != a {
		return
	}
	for _, key := range l.keys[at+1:] {
		if key != "" && l.leaked[key] < maxReopened {
			l.leaked[key]++
			l.nLeak++
		}
	}
	l.open, l.keys = l.open[:at], l.keys[:at]
}

// tablePart reports whether an element makes no node, or none that keeps two texts apart,
// where it stands in a place that the standard does not allow.
func tablePart(a atom.Atom) bool {
	switch a {
	case atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption,
		atom.Col, atom.Colgroup,
		atom.Html, atom.Head, atom.Body, atom.Frame, atom.Frameset, atom.Form,
		atom.Option, atom.Optgroup:
		return true
	}
	return false
}

func blankBytes(b []byte) bool {
	for _, c := range b {
		if !HTMLSpace(c) {
			return false
		}
	}
	return true
}

// formatting reports whether an element is one of the standard's formatting
// elements. a and nobr are left out: a second one closes the first.
func formatting(a atom.Atom) bool {
	switch a {
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small,
		atom.Strike, atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

func voidElement(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input,
		atom.Keygen, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}
