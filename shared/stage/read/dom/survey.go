package dom

import (
	"wstk/shared/stage/read/deadline"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// smallPage is the size up to which no page can overload the parser.
const smallPage = 16 << 10

// MaxNodes bounds the elements, texts, comments and pairs of attributes that are read of
// one page: a node takes some 200 bytes of memory by the time the page is read. Real
// pages have a tenth at most.
const MaxNodes = 640_000

// survey looks at the tags of a page. It reports whether the standard parser would take
// far more time or memory than the size of src warrants, and where the part of src ends
// that holds no more than maxNodes. Constructions that overload the parser:
//
//   - formatting elements that are left open when their parent closes are opened
//     again in every later block (the standard's list of active formatting
//     elements): 250 distinct <font> and 20,000 <div> of 240 KB become five
//     million nodes;
//   - each further <html> or <body> tag merges its attributes into the first;
//   - pieces of text between tags that make no element, or that stand in a table and
//     are moved before it, are joined by copying all that came before;
//   - thousands of attributes on one element.
//
// It estimates from above how many elements the first would add, by following
// which formatting elements are closed while they are the innermost open
// element; all others count as left open. Real pages stay under a third of
// the limit.
func survey(stop *deadline.Stop, src string) (overloads bool, end int) {
	if len(src) <= smallPage {
		return false, len(src)
	}
	const (
		limit    = 300_000
		maxMerge = 10_000
		maxCopy  = 256 << 20
	)
	var (
		z      = html.NewTokenizer(deadline.NewReader(src, stop))
		open   []atom.Atom         // open elements, 0 for unknown names
		keys   []string            // of formatting elements in open: name and attributes
		leaked = map[string]int8{} // left open: how often, at most 3 as in the standard
		nLeak  int
		added  int
		roots  int
		joined int  // bytes of text since an element began
		copied int  // by joining texts
		picks  bool // in a select element, where most tags make no element
		nodes  int
		attrs  int
		at     int
	)
	leak := func(key string) {
		if leaked[key] < 3 {
			leaked[key]++
			nLeak++
		}
	}
	for {
		stop.Tick()
		kind := z.Next()
		if kind == html.ErrorToken {
			stop.Check()
			return overloads, len(src)
		}
		raw := z.Raw()
		if kind != html.EndTagToken { // which makes none
			nodes++
		}
		if nodes+attrs/2 > MaxNodes {
			return overloads, at
		}
		at += len(raw)
		if overloads && kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		switch kind {
		case html.TextToken:
			added += nLeak
			if !blankBytes(raw) {
				copied += joined
				joined += len(raw)
				overloads = overloads || copied > maxCopy
			}
		case html.CommentToken:
			joined = 0
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := ""
			if kind == html.StartTagToken && !overloads {
				tag = string(raw)
			}
			name, more := z.TagName()
			a := atom.Lookup(name)
			had := attrs
			for again := more; again; attrs++ {
				_, _, again = z.TagAttr()
			}
			overloads = overloads || attrs-had > maxMerge
			if kind != html.StartTagToken || overloads {
				continue
			}
			added += nLeak
			picks = picks || a == atom.Select
			if !tablePart(a) && (!picks || a == atom.Option || a == atom.Optgroup) {
				joined = 0
			}
			switch {
			case a == atom.Html || a == atom.Body:
				if roots++; roots > 64 && more {
					overloads = true
				}
			case voidElement(a):
			default:
				key := ""
				if formatting(a) {
					key = tag
				}
				open, keys = append(open, a), append(keys, key)
				if len(open) > 4096 { // far deeper than the parser allows
					overloads = true
				}
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			picks = picks && a != atom.Select
			// What lies above the matching start tag is closed by this tag; its
			// formatting elements stay active. Without a match nothing closes.
			at := len(open) - 1
			for look := 0; at >= 0 && open[at] != a && look < 600; look++ {
				at--
			}
			if at < 0 || open[at] != a {
				continue
			}
			for i := at + 1; i < len(open); i++ {
				if keys[i] != "" {
					leak(keys[i])
				}
			}
			open, keys = open[:at], keys[:at]
		}
		overloads = overloads || added > limit
	}
}

// tablePart tells the elements that make no node of their own, or none that parts
// texts, where they do not belong.
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
