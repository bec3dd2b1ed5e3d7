package content

import "wstk/shared/wstk"

// Baseline chooses main content by landmarks and links alone: what stands in <main> or
// <article> where the page has one, else everything outside navigation, footers and
// asides, without blocks that are little but links. The fitted score is measured against
// it, and it decides on a manual's page whose container holds next to nothing.
func (p *Page) Baseline() ([]bool, wstk.Choice) {
	places := p.places()
	hasMain := p.hasMain(places)
	main := make([]bool, len(p.Blocks))
	kept := 0
	for i := range p.Blocks {
		b := &p.Blocks[i]
		at := places[b.Owner].landmarks
		if hasMain {
			main[i] = at&(inMain|inArticle) != 0 && at&inNav == 0
		} else {
			main[i] = at&(inNav|inFooter|inAside|inDialog) == 0
		}
		if main[i] && b.Kind != wstk.BlockHeading && b.LinkBytes*10 > b.bytes()*9 && !b.prose() {
			main[i] = false
		}
		if main[i] {
			kept += b.bytes()
		}
	}
	name, reason := "container", "landmarks of the page"
	if kept*20 < len(p.Text) { // they hold next to nothing: better too much than nothing
		name, reason = "body", "the page's landmarks hold next to nothing"
		for i := range main {
			main[i] = true
		}
	}
	return main, wstk.Choice{Name: name, Reason: reason,
		Candidates: map[string]float64{name: p.share(main)}}
}
