package read

import "wstk/shared/wstk"

// baseline chooses main content by landmarks and links alone: what stands in <main>
// or <article> where the page has one, else everything outside navigation, footers,
// headers and asides, less blocks that are little but links. It is what the fitted
// score is measured against, and what decides where there are no weights.
func (p *page) baseline() wstk.Choice {
	places := p.places()
	hasMain := p.hasMain(places)
	main := make([]bool, len(p.blocks))
	kept := 0
	for i := range p.blocks {
		b := &p.blocks[i]
		at := places[b.owner].landmarks
		switch {
		case hasMain:
			main[i] = at&(inMain|inArticle) != 0 && at&inNav == 0
		default:
			main[i] = at&(inNav|inFooter|inAside|inDialog) == 0
		}
		if main[i] && b.Kind != wstk.BlockHeading && b.linkBytes*10 > b.bytes()*9 && !b.prose() {
			main[i] = false
		}
		if main[i] {
			kept += b.bytes()
		}
	}
	name, reason := "container", "landmarks of the page"
	if kept*20 < len(p.text) { // they hold next to nothing: better too much than nothing
		name, reason = "body", "the page's landmarks hold next to nothing"
		for i := range main {
			main[i] = true
		}
	}
	for i := range p.blocks {
		p.blocks[i].Main = main[i]
	}
	return wstk.Choice{Name: name, Reason: reason, Candidates: map[string]float64{name: p.share(main)}}
}
