package content

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

// container is the choice of a manual's page: everything in the element that holds its
// text but navigation and what else stands around the text.
func (p *Page) container() ([]bool, wstk.Choice) {
	if len(p.Blocks) == 0 {
		return nil, wstk.Choice{Name: "none", Reason: "the page has no visible text"}
	}
	places := p.places()
	root, name := p.containerOf(places)
	main := make([]bool, len(p.Blocks))
	pruned := make([]int8, len(p.Els)) // 0 not known, 1 kept, 2 pruned
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if e := b.Owner; e >= root && e < p.Els[root].End && !b.Control {
			main[i] = !p.pruned(e, root, places, pruned)
		}
	}
	p.addTitle(main)
	if p.share(main) < 0.02 {
		return p.Baseline()
	}
	return main, wstk.Choice{Name: StrategyDocs,
		Reason:     "all of the page's " + name + " except its navigation",
		Candidates: map[string]float64{StrategyDocs: p.share(main)}}
}

// containerOf finds the element that holds the text of a manual's page. Of several elements
// with the same name it takes the outermost: the others stand in it, or are cards.
func (p *Page) containerOf(places []place) (int32, string) {
	best, rank, name := int32(0), math.MaxInt, "body"
	for i := range p.Els {
		if places[i].text*5 < places[0].text ||
			places[i].landmarks&(inNav|inFooter|inAside|inDialog) != 0 {
			continue
		}
		for k, what := range containers[:min(rank, len(containers))] {
			if isContainer(&p.Els[i], what) {
				best, rank, name = int32(i), k, strings.Trim(what, "<>")
				break
			}
		}
	}
	return best, name
}

// isContainer reports whether an element has a name of containers.txt: a class, an id, or
// <main> and <article> for what the element is.
func isContainer(e *dom.Element, what string) bool {
	n := e.Node
	switch what {
	case "<main>":
		return dom.IsMain(n)
	case "<article>":
		return e.Tag() == atom.Article
	}
	return dom.Attr(n, "id") == what || dom.HasWord(strings.ToLower(dom.Attr(n, "class")), what)
}

func (p *Page) pruned(e, root int32, places []place, known []int8) bool {
	if e < root || e < 0 {
		return false
	}
	if known[e] == 0 {
		known[e] = 1
		if e != root && (p.furniture(e, &places[e]) ||
			p.pruned(p.Els[e].Parent, root, places, known)) {
			known[e] = 2
		}
	}
	return known[e] == 2
}

// furniture reports whether an element in the container is not part of the text.
func (p *Page) furniture(e int32, at *place) bool {
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
	for w := range strings.FieldsSeq(
		strings.ToLower(dom.Attr(n, "class") + " " + dom.Attr(n, "id"))) {
		if slices.Contains(furniture, w) {
			return true
		}
	}
	return false
}

// manualFrom is the score from which a page counts as one of a manual.
const manualFrom = 3

// manual reports whether a page is one of a manual or a reference, from what its
// generator, its address, its types and its look say.
func (p *Page) manual() bool {
	return p.generatorScore()+addressScore(p.URL)+p.typeScore()+p.codeScore()+
		p.themeScore() >= manualFrom
}

func (p *Page) generatorScore() int {
	score := 0
	for _, g := range p.Says.Generators {
		g = strings.ToLower(g)
		if slices.ContainsFunc(generators, func(name string) bool {
			return strings.Contains(g, name)
		}) {
			score += 3
		}
	}
	return score
}

// Names in addresses of manuals.
var (
	manualHosts = []string{"docs.", "doc.", "developer.", "developers.", "help.", "learn.", "api.",
		"manual.", "wiki.", "support."}
	manualSites = []string{".readthedocs.io", "man7.org", ".gitbook.io"} // ends of hosts
	manualPaths = []string{"/docs/", "/doc/", "/documentation/", "/manual/", "/manuals/",
		"/reference/", "/api/", "/guides/", "/guide/",
		"/man/", "/javadoc/", "/en/latest/", "/en/stable/", "/handbook/", "/tutorial/",
		"/man-pages/", "/apidocs/", "/library/"}
)

func addressScore(address string) int {
	u, err := url.Parse(address)
	if err != nil {
		return 0
	}
	h, path := strings.ToLower(u.Hostname()), strings.ToLower(u.Path)+"/"
	score := 0
	if slices.ContainsFunc(manualHosts, func(w string) bool {
		return strings.HasPrefix(h, w) || strings.Contains(h, "."+w)
	}) {
		score += 2
	}
	if h == "pkg.go.dev" || h == "docs.rs" || slices.ContainsFunc(manualSites, func(w string) bool {
		return strings.HasSuffix(h, w)
	}) {
		score += 3
	}
	if slices.ContainsFunc(manualPaths, func(w string) bool { return strings.Contains(path, w) }) {
		score += 2
	}
	return score
}

func (p *Page) typeScore() int {
	score := 0
	for _, t := range p.Says.Types {
		switch strings.ToLower(dom.TypeName(t)) {
		case "techarticle", "apireference":
			score += 3
		case "newsarticle", "blogposting", "product", "recipe":
			score -= 3
		}
	}
	for _, t := range p.Says.OGTypes {
		if strings.EqualFold(t, "product") {
			score -= 3
		}
	}
	return score
}

func (p *Page) codeScore() int {
	code, headings := 0, 0
	for i := range p.Blocks {
		switch p.Blocks[i].Kind {
		case wstk.BlockCode:
			code++
		case wstk.BlockHeading:
			headings++
		}
	}
	return int(number(code >= 2 && headings >= 2) + number(code >= 5))
}

// themes are classes of elements that themes of generators write.
var themes = []string{"rst-content", "theme-doc-markdown", "vp-doc", "md-content",
	"devsite-article-body"}

func (p *Page) themeScore() int {
	for i := range min(len(p.Els), 5000) {
		n := p.Els[i].Node
		class := dom.Attr(n, "class")
		if p.Els[i].Tag() == atom.A && litterClass(n) ||
			slices.ContainsFunc(themes, func(w string) bool { return dom.HasWord(class, w) }) {
			return 2
		}
	}
	return 0
}

// litterClass reports whether an anchor is one that generators put beside headings.
func litterClass(n *html.Node) bool {
	return dom.ClassLike(n, "headerlink", "hash-link", "header-anchor", "heading-link")
}
