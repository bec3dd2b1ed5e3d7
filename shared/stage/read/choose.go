package read

import (
	"wstk/shared/wstk"
)

// choose decides which blocks are the main content and sets their Main.
func (s *Stage) choose(p *page, f *facts) wstk.Choice {
	main := p.container()
	for i := range p.blocks {
		p.blocks[i].Main = main[i]
	}
	return wstk.Choice{Name: "container"}
}
