package read

import (
	"math"
	"strings"

	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// The main content is found by scoring blocks. Each block has features, numbers
// that say how it reads and where it stands; a linear score of them is the log
// odds that it belongs to the main content. A second score, of small trees, sees
// the same features and what the first one says about the blocks around and
// about those that look alike: main content comes in runs and in cards. Both are
// fitted on labelled pages (weights.go).

// cue is a group of words in classes and ids of elements that tell what the
// elements are for. A block has the cues of all elements around it, except of
// those that hold most of the page: a body with the class "has-sidebar" is no
// sidebar.
type cue uint8

const (
	cueNav cue = iota
	cueFooter
	cuePopup
	cueSignup
	cueSocial
	cueRelated
	cueSidebar
	cueComments
	cueAuthor
	cueMeta
	cueInvisible
	cueHeader
	cueContent
	cueList
	cueButton
	cuePager
	cueContents
	cueShop
	cuePost
	numCues
)

var cueWords = func() map[string]cue {
	m := map[string]cue{}
	for c, words := range [numCues]string{
		cueNav:       "nav navbar menu submenu megamenu menus breadcrumb breadcrumbs navigation topbar topnav subnav toolbar burger leftnav navs sitemap flyout flyouts gnav menubar quicklinks navgroup switcher localization linklist",
		cueFooter:    "footer foot copyright colophon legal subfooter disclaimer disclaimers privacy policy policies",
		cuePopup:     "popup modal dialog cookie cookies consent gdpr onetrust overlay toast popover tooltip offcanvas drawer notification notifications notice notices alert popmake pum flyin minicart",
		cueSignup:    "newsletter subscribe subscriber signup subscription optin login signin register registration gform search searchbar form forms input validation required gfield",
		cueSocial:    "share social sharing follow addtoany sharedaddy facebook twitter instagram linkedin whatsapp pinterest",
		cueRelated:   "related recommend recommended recommendation recommendations similar trending popular recent upsell crosssell sponsored sponsor promo promos promotion advert advertisement ads ad adsense outbrain taboola suggestions suggested readmore prevnext explore discover deals hot",
		cueSidebar:   "sidebar widget widgets aside archives tagcloud rail sidepanel widgettitle",
		cueComments:  "comment comments respond reply replies disqus commentform commentlist",
		cueAuthor:    "author authors byline bylines bio vcard avatar signature profile",
		cueMeta:      "meta metadata posted date timestamp tags tag category categories eyebrow credit credits count votes flair updated",
		cueInvisible: "sr screen visually skip hidden assistive offscreen error",
		cueHeader:    "header masthead banner hero subheader",
		cueContent:   "article content entry body story text description prose markdown richtext wysiwyg",
		cueList:      "card cards grid list listing results result item items tile tiles feed",
		cueButton:    "button btn cta ctas action actions dropdown pointer select",
		cuePager:     "pagination pager paging next prev previous loadmore",
		cueContents:  "toc contents",
		cueShop:      "product products price cart shop variant swatch wishlist review reviews rating stars payment",
		cuePost:      "post message thread topic forum question answer",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = cue(c)
		}
	}
	return m
}()

// place is what is known of an element: the cues and landmarks it and the
// elements around it have, and how its text reads.
type place struct {
	cues      uint32
	landmarks uint32
	text      int32 // bytes of visible text in it
	link      int32 // of which in links
	prose     int32 // of which in blocks that read as prose
	same      int32 // siblings with the same tag and class, itself included
	sameText  int32 // text of all of them
}

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
)

var landmarkNames = []string{"nav", "footer", "header", "aside", "form", "main", "article", "table", "figure", "item", "dialog"}

func (p *page) places() []place {
	out := make([]place, len(p.Els))
	for i := range p.blocks {
		b := &p.blocks[i]
		o := &out[b.owner]
		o.text += int32(b.bytes())
		o.link += int32(b.linkBytes)
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
	p.repeats(out)
	total := int32(len(p.text))
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
		most := int64(o.text)*10 > int64(total)*6
		if tag != atom.Body && tag != atom.Html {
			for k := range n.Attr {
				if key := n.Attr[k].Key; key == "class" || key == "id" {
					eachClassWord(n.Attr[k].Val, func(w []byte) {
						if c, ok := cueWords[string(w)]; ok && (!most || c == cueContent) {
							o.cues |= 1 << c
						}
					})
				}
			}
		}
		switch tag {
		case atom.Nav:
			o.landmarks |= inNav
		case atom.Footer:
			o.landmarks |= inFooter
		case atom.Header:
			o.landmarks |= inHeader
		case atom.Aside:
			o.landmarks |= inAside
		case atom.Form:
			if !most {
				o.landmarks |= inForm
			}
		case atom.Main:
			o.landmarks |= inMain
		case atom.Article:
			o.landmarks |= inArticle
		case atom.Table:
			o.landmarks |= inTable
		case atom.Figure:
			o.landmarks |= inFigure
		case atom.Li:
			o.landmarks |= inItem
		case atom.Dialog:
			o.landmarks |= inDialog
		}
		switch dom.Attr(n, "role") {
		case "navigation", "menu", "menubar", "menuitem", "search":
			o.landmarks |= inNav
		case "contentinfo":
			o.landmarks |= inFooter
		case "banner":
			o.landmarks |= inHeader
		case "complementary":
			o.landmarks |= inAside
		case "dialog", "alertdialog", "alert", "status", "tooltip":
			o.landmarks |= inDialog
		case "main":
			o.landmarks |= inMain
		}
	}
	return out
}

// prose tells a block that reads as running text.
func (b *block) prose() bool { return b.bytes() > 100 && b.linkBytes*3 < b.bytes() }

// repeats counts siblings that look alike: posts, cards, results.
func (p *page) repeats(out []place) {
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
		h := uint64(14695981039346656037)
		mix := func(s string) {
			for k := 0; k < len(s); k++ {
				if !digit(s[k]) { // post-1234
					h = (h ^ uint64(s[k])) * 1099511628211
				}
			}
		}
		mix(n.Data)
		mix(dom.Attr(n, "class"))
		looks[i] = h
		k := like{p.Els[i].Parent, h}
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

// eachClassWord splits a class attribute or an id into lower-case words of at
// least two letters: siteNav-item_2 is site, nav, item.
func eachClassWord(s string, f func([]byte)) {
	var buf [32]byte
	w := buf[:0]
	for i := 0; i <= len(s); i++ {
		var c byte
		if i < len(s) {
			c = s[i]
		}
		switch {
		case c >= 'a' && c <= 'z':
		case c >= 'A' && c <= 'Z':
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
				if len(w) > 1 {
					f(w)
				}
				w = w[:0]
			}
			c += 'a' - 'A'
		default:
			if len(w) > 1 {
				f(w)
			}
			w = w[:0]
			continue
		}
		if len(w) < cap(buf[:]) {
			w = append(w, c)
		}
	}
}

// features are the inputs of the score of one block.
type features struct {
	names  *[]string // filled on the first use, for fitting and for tests
	values []float64
}

func (f *features) add(name string, v float64) {
	if f.names != nil {
		*f.names = append(*f.names, name)
	}
	f.values = append(f.values, v)
}

func (f *features) flag(name string, b bool) {
	v := 0.0
	if b {
		v = 1
	}
	f.add(name, v)
}

// hints are what the page says about its kind.
type hints struct {
	article, product, list, forum bool
}

func (f *facts) hints(url string) hints {
	var h hints
	kind := func(t string) {
		switch t = strings.ToLower(typeName(t)); {
		case strings.HasSuffix(t, "article") || t == "blogposting" || t == "report" || t == "recipe" || t == "blog":
			h.article = true
		case strings.HasPrefix(t, "product") || t == "offer" || t == "item":
			h.product = true
		case t == "collectionpage" || t == "itemlist" || t == "searchresultspage":
			h.list = true
		case t == "discussionforumposting" || t == "qapage" || t == "question":
			h.forum = true
		}
	}
	for _, t := range f.meta["og:type"] {
		kind(t)
	}
	for _, t := range f.types {
		kind(t)
	}
	low := strings.ToLower(url)
	for _, w := range []string{"/forum", "/thread", "/topic", "/t/", "/questions/", "viewtopic", "showthread", "/discussion", "/comments/"} {
		h.forum = h.forum || strings.Contains(low, w)
	}
	for _, w := range []string{"/product/", "/products/", "/dp/", "/itm/", "/p/", "/item/"} {
		h.product = h.product || strings.Contains(low, w)
	}
	for _, w := range []string{"/collections/", "/category/", "/categories/", "/c/", "/cat/", "/tag/", "/search", "/shop"} {
		h.list = h.list || strings.Contains(low, w)
	}
	return h
}

// eachFeatures calls do with the features of each block in turn; row is only
// good until do returns. The order and meaning of the values is part of the
// weights: change both together.
func (p *page) eachFeatures(f *facts, names *[]string, do func(i int, row []float64)) {
	n := len(p.blocks)
	places := p.places()
	total := float64(len(p.text)) + 1
	h := f.hints(p.url)
	h1 := p.title(f)
	forms, prices, copies := 0, 0, map[uint64]int{}
	hashes := make([]uint64, n)
	for i := range p.blocks {
		p.Stop.Tick()
		t := p.blockText(i)
		hash := uint64(14695981039346656037)
		for k := 0; k < len(t); k++ {
			hash = (hash ^ uint64(t[k])) * 1099511628211
		}
		hashes[i] = hash
		copies[hash]++
		if len(t) < 60 && strings.ContainsAny(t, "$€£¥₹") {
			prices++
		}
		if p.blocks[i].control {
			forms++
		}
	}
	junk := p.junkSections()
	main := p.hasMain(places)
	links := p.linkRuns()
	length := func(k int) float64 {
		if k < 0 || k >= n {
			return 0
		}
		return math.Log1p(float64(p.blocks[k].bytes()))
	}
	density := func(k int) float64 {
		if k < 0 || k >= n {
			return 1
		}
		return float64(p.blocks[k].linkBytes) / float64(p.blocks[k].bytes())
	}
	looks := p.looks(hashes)
	values := make([]float64, 0, len(firstWeights))
	for i := range p.blocks {
		p.Stop.Tick()
		b := &p.blocks[i]
		t := p.blockText(i)
		v := features{values: values[:0]}
		if i == 0 {
			v.names = names
		}
		v.add("constant", 1)
		v.add("length", length(i))
		v.add("link density", density(i))
		v.add("long", max(0, length(i)-5))
		v.add("linked long", density(i)*length(i))
		for d := 1; d <= 3; d++ {
			k := string(rune('0' + d))
			v.add("length before "+k, length(i-d))
			v.add("density before "+k, density(i-d))
			v.add("length after "+k, length(i+d))
			v.add("density after "+k, density(i+d))
		}
		at := float64(b.ByteStart) / total
		v.add("position", at)
		v.add("position squared", at*at)
		v.flag("first blocks", i < 3)
		v.flag("before title", h1 >= 0 && i < h1)
		v.flag("is title", i == h1)
		v.flag("just after title", h1 >= 0 && i > h1 && i <= h1+3)
		v.flag("no title", h1 < 0)
		far := 0.0
		if h1 >= 0 {
			far = float64(i-h1) / float64(n)
		}
		v.add("distance from title", far)
		for _, k := range []wstk.BlockKind{wstk.BlockHeading, wstk.BlockParagraph, wstk.BlockListItem, wstk.BlockTableRow, wstk.BlockCode,
			wstk.BlockQuote, wstk.BlockTerm, wstk.BlockDefinition, wstk.BlockCaption, wstk.BlockOther} {
			v.flag("is "+string(k), b.Kind == k)
		}
		v.add("heading level", headingLevel(b))
		v.flag("control", b.control)
		pl := &places[b.owner]
		for c := range numCues {
			v.flag("cue "+cueName(c), pl.cues&(1<<c) != 0)
		}
		for k, name := range landmarkNames {
			v.flag("in "+name, pl.landmarks&(1<<k) != 0)
		}
		v.flag("main exists elsewhere", pl.landmarks&inMain == 0 && main)
		e := b.owner
		for up := 0; up < 5; up++ {
			k := string(rune('0' + up))
			q := &places[max(e, 0)]
			v.add("share up "+k, float64(q.text)/total)
			v.add("density up "+k, float64(q.link)/float64(max(q.text, 1)))
			v.add("prose up "+k, float64(q.prose)/total)
			v.add("prose part up "+k, float64(q.prose)/float64(max(q.text, 1)))
			if e >= 0 {
				e = p.Els[e].Parent
			}
		}
		same, share, each, itemDensity := p.repeated(places, b.owner, total)
		v.add("alike", math.Log1p(same))
		v.add("alike share", share)
		v.add("alike length", math.Log1p(each))
		v.add("alike density", itemDensity)
		last := t[len(t)-1]
		v.flag("ends a sentence", last == '.' || last == '!' || last == '?' || strings.HasSuffix(t, "”") || strings.HasSuffix(t, "。"))
		v.flag("ends with colon", last == ':')
		v.flag("copyright", strings.Contains(t, "©") || strings.Contains(t, "All rights reserved"))
		v.add("digits", float64(digits(t))/float64(len(t)))
		v.flag("price", len(t) < 60 && strings.ContainsAny(t, "$€£¥₹"))
		v.flag("chrome phrase", chromePhrase(t))
		v.flag("junk heading", junk[i] == 2)
		v.flag("under junk heading", junk[i] == 1)
		v.flag("date line", len(t) < 80 && dateLike(t))
		v.flag("by line", len(t) < 80 && (strings.HasPrefix(t, "By ") || strings.HasPrefix(t, "by ") || strings.HasPrefix(t, "Written by ")))
		v.add("link run", links[i])
		v.flag("copy", copies[hashes[i]] > 1)
		look := looks[i]
		v.add("look size", math.Log1p(look.size))
		v.add("look variety", look.variety/look.size)
		v.add("look length", math.Log1p(look.text/look.size))
		v.add("look density", look.link/look.text)
		v.add("look share", look.text/total)
		v.add("depth", math.Log1p(float64(p.Els[b.owner].Depth)))
		v.add("page length", math.Log1p(total))
		v.add("page blocks", math.Log1p(float64(n)))
		v.add("page density", float64(places[0].link)/total)
		v.add("page prose", float64(places[0].prose)/total)
		v.add("page prices", float64(prices)/float64(n))
		v.add("page controls", float64(forms)/float64(n))
		prose := b.prose()
		for _, t := range []struct {
			name string
			is   bool
		}{{"article", h.article}, {"product", h.product}, {"list", h.list}, {"forum", h.forum}} {
			v.flag("page "+t.name, t.is)
			v.flag("prose on "+t.name, t.is && prose)
			v.flag("linked on "+t.name, t.is && density(i) > 0.5)
			v.add("alike on "+t.name, b2v(t.is)*share)
		}
		values = v.values
		do(i, values)
	}
}

// look is what is known of all blocks that look like one.
type look struct {
	size    float64 // how many they are
	variety float64 // how many different texts they have
	text    float64 // bytes of it
	link    float64 // of which in links
}

// looks returns for each block the look it has: names of products differ from
// card to card, buttons do not. hashes are those of the blocks' texts.
func (p *page) looks(hashes []uint64) []*look {
	kin := p.kin()
	group := map[int32]*look{}
	type text struct {
		group int32
		hash  uint64
	}
	seen := map[text]bool{}
	out := make([]*look, len(p.blocks))
	for i := range p.blocks {
		g := kin[i][0]
		l := group[g]
		if l == nil {
			l = &look{}
			group[g] = l
		}
		l.size++
		l.text += float64(p.blocks[i].bytes())
		l.link += float64(p.blocks[i].linkBytes)
		if k := (text{g, hashes[i]}); !seen[k] {
			seen[k] = true
			l.variety++
		}
		out[i] = l
	}
	return out
}

func b2v(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func headingLevel(b *block) float64 {
	if b.Kind != wstk.BlockHeading {
		return 0
	}
	return float64(b.Level)
}

func cueName(c cue) string {
	return [numCues]string{"nav", "footer", "popup", "signup", "social", "related", "sidebar", "comments", "author", "meta",
		"invisible", "header", "content", "list", "button", "pager", "contents", "shop", "post"}[c]
}

func (p *page) hasMain(places []place) bool {
	for i := range places {
		if places[i].text > 250 && dom.IsMain(p.Els[i].Node) {
			return true
		}
	}
	return false
}

// repeated finds the largest group of alike elements around a block: how many
// they are, which share of the page they hold, the length and link density of
// the one the block is in.
func (p *page) repeated(places []place, owner int32, total float64) (n, share, each, density float64) {
	for e, up := owner, 0; e >= 0 && up < 10; e, up = p.Els[e].Parent, up+1 {
		q := &places[e]
		if q.same >= 3 && float64(q.sameText)/total > share {
			n, share = float64(q.same), float64(q.sameText)/total
			each, density = float64(q.text), float64(q.link)/float64(max(q.text, 1))
		}
	}
	return
}

// linkRuns says for each block how many blocks in a row around it are links
// and little else, on a logarithmic scale.
func (p *page) linkRuns() []float64 {
	out := make([]float64, len(p.blocks))
	for i := 0; i < len(p.blocks); {
		j := i
		for j < len(p.blocks) && p.blocks[j].linkBytes*2 > p.blocks[j].bytes() {
			j++
		}
		for k := i; k < j; k++ {
			out[k] = math.Log1p(float64(j - i))
		}
		i = max(j, i+1)
	}
	return out
}
