package read

import (
	"golang.org/x/net/html/atom"
)

func (p *page) container() []bool {
	main := make([]bool, len(p.blocks))
	for i := range p.blocks {
		main[i] = true
		for e := p.blocks[i].owner; e >= 0; e = p.els[e].parent {
			switch p.els[e].tag() {
			case atom.Nav, atom.Footer, atom.Header, atom.Aside, atom.Button, atom.Select:
				main[i] = false
			}
			switch attr(p.els[e].node, "role") {
			case "navigation", "contentinfo", "banner", "complementary", "dialog", "search", "menu":
				main[i] = false
			}
		}
	}
	return main
}
