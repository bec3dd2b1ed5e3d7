package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
)

// place is what is known about an element: the cues and landmarks of it and of the elements
// around it, and how its text reads.
type place struct {
	cues      uint64 // bits, by the order of cueNames
	landmarks uint32
	text      int32 // bytes of visible text in it
	link      int32 // of which in links
	prose     int32 // of which in blocks that read as prose
	same      int32 // siblings with the same tag and class, itself included
	sameText  int32 // text of all of them
}

// Landmarks are what elements say about themselves by their name, their role or their
// type of schema.org.
const (
	inNav = 1 << iota
	inFooter
	inHeader
	inAside
	inForm
	inMain
	inArticle
	inTable
	inFigure
	inItem
	inDialog
	inBody     // the text of an article, by its property
	inComment  // by its type
	inQuestion // by its type
	inAnswer   // by its type
	inOffer    // by its type
	inTrail    // by its type: breadcrumbs
)

var landmarkNames = []string{"nav", "footer", "header", "aside", "form", "main", "article", "table",
	"figure", "item", "dialog",
	"article body", "comment", "question", "answer", "offer", "trail"}

var landmarkOfTag = map[atom.Atom]uint32{
	atom.Nav: inNav, atom.Footer: inFooter, atom.Header: inHeader, atom.Aside: inAside,
	atom.Form: inForm, atom.Main: inMain,
	atom.Article: inArticle, atom.Table: inTable, atom.Figure: inFigure, atom.Li: inItem,
	atom.Dialog: inDialog,
}

var landmarkOfRole = map[string]uint32{
	"navigation": inNav, "menu": inNav, "menubar": inNav, "menuitem": inNav, "search": inNav,
	"contentinfo": inFooter, "banner": inHeader, "complementary": inAside, "main": inMain,
	"dialog": inDialog, "alertdialog": inDialog, "alert": inDialog, "status": inDialog,
	"tooltip": inDialog,
}

// landmarkOfType is by types and properties of schema.org, in lower case.
var landmarkOfType = map[string]uint32{
	"articlebody": inBody, "reviewbody": inComment, "comment": inComment, "usercomments": inComment,
	"review":   inComment,
	"question": inQuestion, "answer": inAnswer, "offer": inOffer, "aggregateoffer": inOffer,
	"breadcrumblist": inTrail,
}

// places returns what is known of each element.
func (p *Page) places() []place {
	out := p.sizes()
	p.repeats(out)
	total := int64(len(p.Text))
	for i := range out {
		p.Stop.Tick()
		o := &out[i]
		if up := p.Els[i].Parent; up >= 0 {
			o.cues, o.landmarks = out[up].cues, out[up].landmarks
		}
		if o.text == 0 {
			continue
		}
		n, tag := p.Els[i].Node, p.Els[i].Tag()
		most := int64(o.text)*10 > total*6
		if tag != atom.Body && tag != atom.Html {
			o.cues |= cuesOf(n, most)
		}
		if mark := landmarkOfTag[tag]; mark != inForm || !most {
			o.landmarks |= mark
		}
		o.landmarks |= landmarkOfRole[dom.Attr(n, "role")] | typesOf(n)
	}
	return out
}

// sizes counts the text in each element.
func (p *Page) sizes() []place {
	out := make([]place, len(p.Els))
	for i := range p.Blocks {
		b := &p.Blocks[i]
		o := &out[b.Owner]
		o.text += int32(b.bytes())
		o.link += int32(b.LinkBytes)
		if b.prose() {
			o.prose += int32(b.bytes())
		}
	}
	for i := len(out) - 1; i > 0; i-- {
		if up := p.Els[i].Parent; up >= 0 {
			out[up].text += out[i].text
			out[up].link += out[i].link
			out[up].prose += out[i].prose
		}
	}
	return out
}

// cuesOf returns the cues of an element. An element with most of the page's text has at
// most the cue of content: a body with the class "has-sidebar" is no sidebar.
func cuesOf(n *html.Node, most bool) uint64 {
	var cues uint64
	for k := range n.Attr {
		if key := n.Attr[k].Key; key != "class" && key != "id" {
			continue
		}
		dom.EachClassWord(n.Attr[k].Val, func(w []byte) {
			if c, ok := cueWords[string(w)]; ok && (!most || cueNames[c] == "content") {
				cues |= 1 << c
			}
		})
	}
	return cues
}

// typesOf returns the landmarks that an element's microdata names.
func typesOf(n *html.Node) uint32 {
	var marks uint32
	for _, key := range []string{"itemtype", "itemprop"} {
		if v := dom.Attr(n, key); v != "" && len(v) < 200 {
			for t := range strings.FieldsSeq(strings.ToLower(v)) {
				marks |= landmarkOfType[dom.TypeName(t)]
			}
		}
	}
	return marks
}

// repeats counts siblings that look alike: posts, cards, results.
func (p *Page) repeats(out []place) {
	type like struct {
		parent int32
		look   uint64
	}
	type sum struct{ n, text int32 }
	seen := make(map[like]sum, len(out)/2)
	looks := make([]uint64, len(out))
	for i := range out {
		if out[i].text == 0 || p.Els[i].Parent < 0 {
			continue
		}
		n := p.Els[i].Node
		looks[i] = mixLook(mixLook(14695981039346656037, n.Data), dom.Attr(n, "class"))
		k := like{p.Els[i].Parent, looks[i]}
		s := seen[k]
		seen[k] = sum{s.n + 1, s.text + out[i].text}
	}
	for i := range out {
		if looks[i] != 0 {
			s := seen[like{p.Els[i].Parent, looks[i]}]
			out[i].same, out[i].sameText = s.n, s.text
		}
	}
}

// hasMain reports whether the page has an element for its main content that holds text.
func (p *Page) hasMain(places []place) bool {
	for i := range places {
		if places[i].text > 250 && dom.IsMain(p.Els[i].Node) {
			return true
		}
	}
	return false
}
