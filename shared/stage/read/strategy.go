package read

import (
	"math"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// Strategies are ways to find the main content of a page.
const (
	// StrategyAuto scores the page's blocks, and asks the libraries where that is in
	// doubt. It is the default.
	StrategyAuto = "auto"
	// StrategyReadability takes what the libraries made for articles take: the first of
	// Stage.Candidates that finds a text.
	StrategyReadability = "readability"
	// StrategyDocs takes the whole container of a manual's page but for its navigation,
	// so that no heading, table, term or piece of code is lost.
	StrategyDocs = "docs"
)

// Strategies lists them, the default first.
var Strategies = []string{StrategyAuto, StrategyReadability, StrategyDocs}

// mainBy chooses the main content by the strategy asked for.
func (s *Stage) mainBy(strategy string, p *page, f *facts) wstk.Choice {
	var c wstk.Choice
	switch strategy {
	case StrategyDocs:
		c = p.docs(f)
	case StrategyReadability:
		c = s.article(p, f)
	default:
		c = s.choose(p, f)
		strategy = StrategyReadability
		if p.manual(f) {
			strategy = StrategyDocs
		}
	}
	c.Strategy = strategy
	return c
}

// article is the choice of the first candidate that finds more than a few words. Where
// none does, the page's own score decides.
func (s *Stage) article(p *page, f *facts) wstk.Choice {
	if len(p.blocks) == 0 || !p.suitsLibraries() {
		return s.choose(p, f)
	}
	words := blockWords(p)
	shares := map[string]float64{}
	for _, cand := range s.Candidates {
		found, err := p.find(cand)
		if err != nil || found == nil {
			shares[cand.Name] = 0
			continue
		}
		main := matchBlocks(p, words, found)
		shares[cand.Name] = p.share(main)
		if size := int(shares[cand.Name] * float64(len(p.text))); size < 200 && size*3 < len(p.text) {
			continue
		}
		p.addTitle(main, f)
		for i := range p.blocks {
			p.blocks[i].Main = main[i]
		}
		return wstk.Choice{Name: cand.Name, Reason: "asked for as an article", Candidates: shares}
	}
	c := s.choose(p, f)
	c.Reason = "no library finds an article; " + c.Reason
	return c
}

// containers are what the generators of manuals put the text of a page into: classes
// and ids, the surest first.
var containers = []string{"theme-doc-markdown", "vp-doc", "rst-content", "md-content", "devsite-article-body", "markdown-body", "markdown-section", "sect-body",
	"theme-default-content", "content__default", "documentation-content", "docs-content", "doc-content", "docscontent", "td-content", "main-content", "maincontent", "contentcontainer", "bodywrapper", "mw-parser-output", "content", "contents"}

// furniture are classes of what stands in such a container and is none of the text.
var furniture = []string{"toc", "table-of-contents", "breadcrumb", "breadcrumbs", "pagination", "pagination-nav", "prev-next", "edit-page", "edit-this-page", "sphinxsidebar",
	"related", "feedback", "page-nav", "page-toc", "on-this-page", "wy-breadcrumbs", "rst-footer-buttons", "theme-doc-footer", "devsite-page-rating", "contributors", "last-updated", "skip-link", "sidebar", "navheader", "navfooter", "headerlink", "copybtn"}

// docs is the choice of a manual's page: everything in its container but navigation
// and what else stands around the text.
func (p *page) docs(f *facts) wstk.Choice {
	places := p.places()
	root, name := p.container(places)
	main := make([]bool, len(p.blocks))
	pruned := make([]int8, len(p.Els)) // 0 not known, 1 kept, 2 pruned
	for i := range p.blocks {
		b := &p.blocks[i]
		e := b.owner
		if e < root || e >= p.Els[root].End || b.control {
			continue
		}
		main[i] = !p.pruned(e, root, places, pruned)
	}
	p.addTitle(main, f)
	for i := range p.blocks {
		p.blocks[i].Main = main[i]
	}
	if p.share(main) < 0.02 {
		return p.baseline()
	}
	return wstk.Choice{Name: StrategyDocs, Reason: "all of the page's " + name + " but its navigation", Candidates: map[string]float64{StrategyDocs: p.share(main)}}
}

// container finds the element that holds the text of a manual's page.
func (p *page) container(places []place) (int32, string) {
	if len(p.Els) == 0 {
		return 0, "page"
	}
	all := places[0].text
	best, rank, name := int32(0), math.MaxInt, "body"
	for i := range p.Els {
		if places[i].text*5 < all || places[i].landmarks&(inNav|inFooter|inAside|inDialog) != 0 {
			continue
		}
		n := p.Els[i].Node
		r, what := math.MaxInt, ""
		for k, w := range containers {
			if dom.Attr(n, "id") == w || dom.HasWord(strings.ToLower(dom.Attr(n, "class")), w) {
				r, what = k, w
				break
			}
		}
		if p.Els[i].Tag() == atom.Main || dom.Attr(n, "role") == "main" {
			if r > 14 {
				r, what = 14, "main element"
			}
		}
		if p.Els[i].Tag() == atom.Article && r > 13 {
			r, what = 13, "article element"
		}
		// Of several of one kind the outermost: the others stand in it, or are cards.
		if r < rank {
			best, rank, name = int32(i), r, what
		}
	}
	return best, name
}

func (p *page) pruned(e, root int32, places []place, known []int8) bool {
	if e < root || e < 0 {
		return false
	}
	if known[e] == 0 {
		known[e] = 1
		if e != root && (p.furniture(e, &places[e]) || p.pruned(p.Els[e].Parent, root, places, known)) {
			known[e] = 2
		}
	}
	return known[e] == 2
}

// furniture reports whether an element in the container is none of the text.
func (p *page) furniture(e int32, at *place) bool {
	n := p.Els[e].Node
	switch p.Els[e].Tag() {
	case atom.Nav, atom.Footer, atom.Dialog:
		return true
	case atom.Aside: // a note is an aside, too
		return at.link*2 > at.text
	}
	switch dom.Attr(n, "role") {
	case "navigation", "contentinfo", "search", "dialog", "menu":
		return true
	}
	classes := strings.ToLower(dom.Attr(n, "class") + " " + dom.Attr(n, "id"))
	for w := range strings.FieldsSeq(classes) {
		if slices.Contains(furniture, w) {
			return true
		}
	}
	return false
}

// generators are names in <meta name="generator"> of programs that write manuals.
var generators = []string{"sphinx", "mkdocs", "docusaurus", "doxygen", "gitbook", "vuepress", "vitepress", "antora", "asciidoctor", "docbook", "javadoc", "rustdoc", "mdbook", "starlight", "nextra",
	"readme.io", "mintlify", "docfx", "texinfo", "makeinfo", "pandoc", "latex2html", "jsdoc", "typedoc", "pdoc", "yard", "fumadocs", "retype", "hyperkitty-docs", "madcap", "help+manual", "confluence", "doctools"}

// manual reports whether a page is one of a manual or a reference, from what its
// generator, its address and its look say.
func (p *page) manual(f *facts) bool { return p.manualScore(f) >= 3 }

func (p *page) manualScore(f *facts) int {
	score := 0
	for _, g := range f.meta["generator"] {
		g = strings.ToLower(g)
		for _, name := range generators {
			if strings.Contains(g, name) {
				score += 3
				break
			}
		}
	}
	if u, err := url.Parse(p.url); err == nil {
		h, path := strings.ToLower(u.Hostname()), strings.ToLower(u.Path)+"/"
		for _, w := range []string{"docs.", "doc.", "developer.", "developers.", "help.", "learn.", "api.", "manual.", "wiki.", "support."} {
			if strings.HasPrefix(h, w) || strings.Contains(h, "."+w) {
				score += 2
				break
			}
		}
		if strings.HasSuffix(h, ".readthedocs.io") || strings.HasSuffix(h, "man7.org") || strings.HasSuffix(h, ".gitbook.io") || h == "pkg.go.dev" || h == "docs.rs" {
			score += 3
		}
		for _, w := range []string{"/docs/", "/doc/", "/documentation/", "/manual/", "/manuals/", "/reference/", "/api/", "/guides/", "/guide/", "/man/", "/javadoc/", "/en/latest/", "/en/stable/", "/handbook/", "/tutorial/", "/man-pages/", "/apidocs/", "/library/"} {
			if strings.Contains(path, w) {
				score += 2
				break
			}
		}
	}
	for _, t := range f.types {
		switch strings.ToLower(typeName(t)) {
		case "techarticle", "apireference":
			score += 3
		case "newsarticle", "blogposting", "product", "recipe":
			score -= 3
		}
	}
	for _, t := range f.meta["og:type"] {
		if strings.EqualFold(t, "product") {
			score -= 3
		}
	}
	code, headings := 0, 0
	for i := range p.blocks {
		switch p.blocks[i].Kind {
		case wstk.BlockCode:
			code++
		case wstk.BlockHeading:
			headings++
		}
	}
	if code >= 2 && headings >= 2 {
		score++
	}
	if code >= 5 {
		score++
	}
	for i := range min(len(p.Els), 5000) {
		n := p.Els[i].Node
		if p.Els[i].Tag() == atom.A && litterClass(n) || dom.HasWord(dom.Attr(n, "class"), "rst-content") || dom.HasWord(dom.Attr(n, "class"), "theme-doc-markdown") || dom.HasWord(dom.Attr(n, "class"), "vp-doc") || dom.HasWord(dom.Attr(n, "class"), "md-content") || dom.HasWord(dom.Attr(n, "class"), "devsite-article-body") {
			score += 2
			break
		}
	}
	return score
}

// litterClass tells the anchors that generators put beside headings.
func litterClass(n *html.Node) bool {
	return dom.ClassLike(n, "headerlink", "hash-link", "header-anchor", "heading-link")
}
