package screen

// A page that is not there says so in its title or heading, and then offers a
// search box, some links, perhaps a few teasers. Longer prose is a page about it.
const (
	notFoundOwn   = 700  // with the name in one of title and heading
	notFoundBoth  = 1600 // with it in both
	notFoundProse = 500
	notFoundBare  = 90 // … or in any line of a page with hardly another
)

// notFound reports whether the page says that there is no such page, whatever its
// status.
func (p *page) notFound() string {
	name := p.titled("not found titles", "not found titles, vague", "not found title")
	if name == "" && p.own <= notFoundBare {
		for _, b := range p.blocks { // hardly more than the sentence itself
			if s := bare(b); len(s) < 90 && (among("not found titles", s) &&
				!among("not found titles, vague", s) || pattern("not found title").MatchString(s)) {
				name = s
				break
			}
		}
	}
	if name == "" {
		return ""
	}
	limit := notFoundOwn
	inTitle := (&page{title: p.title}).titled("not found titles", "", "not found title") != ""
	if inTitle && (&page{heading: p.heading}).
		titled("not found titles", "", "not found title") != "" {
		limit = notFoundBoth
	}
	if p.own > limit || p.prose > notFoundProse {
		return ""
	}
	if among("not found titles, vague", name) &&
		first(p.apart(name), phrases("not found sentences")) == "" {
		return ""
	}
	return "the page says that it was not found (" + name + ")"
}

// apart is the page's text without a heading that is the name itself.
func (p *page) apart(name string) string {
	out := ""
	for i, b := range p.blocks {
		if bare(b) != name && i < 60 {
			out += b + "\n"
		}
	}
	return out
}

const (
	errorOwn   = 500
	errorProse = 200
)

// serverError reports whether the page is a server's excuse under a good status.
func (p *page) serverError() string {
	if p.own > errorOwn || p.prose > errorProse || p.links > 15 {
		return ""
	}
	if name := p.titled("error titles", "error titles, vague", "error title"); name != "" &&
		!(among("error titles, vague", name) &&
			first(p.apart(name), phrases("error sentences")) == "") {
		return "the page says that the site failed (" + name + ")"
	}
	return ""
}
