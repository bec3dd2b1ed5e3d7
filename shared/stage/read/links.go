package read

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// maxLinks is how many links of a page are kept.
const maxLinks = 20_000

// links lists the page's outgoing links in document order: a and area elements
// with an http or https target, hidden ones too, since menus are often shown
// only on demand. A refresh by meta element is a link with the text "meta
// refresh". Anchor text is the visible text; where there is none, the label or
// the description of the image.
func (p *page) links(f *facts) []wstk.Link {
	base := f.resolveBase(p.base)
	known := map[string]string{}
	resolve := func(href string) string {
		if u, ok := known[href]; ok {
			return u
		}
		u := leadsTo(base, href)
		known[href] = u
		return u
	}
	var out []wstk.Link
	for i := range p.Els {
		p.Stop.Tick()
		n := p.Els[i].Node
		switch p.Els[i].Tag() {
		case atom.A, atom.Area:
			href := strings.TrimSpace(dom.Attr(n, "href"))
			if !dom.HasAttr(n, "href") || !leads(href) {
				continue
			}
			u := resolve(href)
			if u == "" {
				continue
			}
			if len(out) == maxLinks {
				p.warn("links_truncated", "the page has more links than are kept")
				return out
			}
			words, main := p.linkText(int32(i))
			out = append(out, wstk.Link{URL: u, Text: words, Main: main,
				NoFollow: noFollow(dom.Attr(n, "rel")), Element: i})
		case atom.Meta:
			if strings.EqualFold(dom.Attr(n, "http-equiv"), "refresh") {
				if u := resolve(refreshTarget(dom.Attr(n, "content"))); u != "" && u != p.url {
					out = append(out, wstk.Link{URL: u, Text: "meta refresh", Element: i})
				}
			}
		}
	}
	for _, l := range p.aside {
		if u := resolve(l.href); u != "" && leads(l.href) && len(out) < maxLinks {
			out = append(out, wstk.Link{URL: u, Text: l.text, Main: true, NoFollow: noFollow(l.rel),
				Element: int(l.element)})
		}
	}
	return out
}

// leadsTo is where a link leads, "" for nowhere. Of a page that has no web address, being a
// file or standard input, a relative link is what stands there.
func leadsTo(base, ref string) string {
	if u, err := text.Resolve(base, ref); err == nil {
		return u
	}
	if scheme, _, _ := strings.Cut(base, ":"); scheme == "http" || scheme == "https" ||
		len(ref) > maxRelative {
		return ""
	}
	u, err := url.Parse(ref)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" && u.RawQuery == "" {
		return ""
	}
	return u.String()
}

// maxRelative bounds a relative link that is kept, in bytes.
const maxRelative = 2000

// leads reports whether a link may lead to a page: not within the page, not to a
// mail program, a script or inline data.
func leads(href string) bool {
	if strings.HasPrefix(href, "#") {
		return false
	}
	i := strings.IndexAny(href, ":/?#")
	if i <= 0 || href[i] != ':' {
		return true
	}
	switch strings.ToLower(href[:i]) {
	case "http", "https":
		return true
	}
	// "foo:bar" may also be a path on the page's own host only after a slash.
	return false
}

func noFollow(rel string) bool {
	if rel == "" {
		return false
	}
	rel = strings.ToLower(rel)
	return dom.HasWord(rel, "nofollow") || dom.HasWord(rel, "ugc") || dom.HasWord(rel, "sponsored")
}

// refreshTarget reads "5; url=https://example.com/".
func refreshTarget(content string) string {
	i := strings.IndexAny(content, ";,")
	if i < 0 {
		return ""
	}
	rest := strings.TrimSpace(content[i+1:])
	if len(rest) >= 4 && strings.EqualFold(rest[:3], "url") {
		if k := strings.IndexByte(rest, '='); k >= 0 && strings.TrimSpace(rest[3:k]) == "" {
			rest = strings.TrimSpace(rest[k+1:])
		}
	}
	rest = strings.Trim(rest, `"'`)
	if !leads(rest) {
		return ""
	}
	return rest
}

// maxLinkText is how many bytes of anchor text are kept.
const maxLinkText = 400

// linkText returns the visible text of the link at element i, and whether any
// of it stands in a main block. A link without text counts as main when the
// blocks before and after it are.
func (p *page) linkText(i int32) (string, bool) {
	runs := p.runs[p.runRange[i][0]:p.runRange[i][1]]
	main := false
	var b strings.Builder
	for _, r := range runs {
		if r.block >= 0 && p.blocks[r.block].Main {
			main = true
		}
		if b.Len() < maxLinkText {
			b.WriteString(r.node.Data)
			b.WriteByte(' ')
		}
	}
	words := ""
	if b.Len() > 0 {
		words = p.joined(runs)
	}
	if words == "" {
		words = p.label(i)
		first := p.runRange[i][0]
		main = p.mainAt(int(first)-1) && p.mainAt(int(first))
	}
	return text.Prefix(words, maxLinkText), main
}

func (p *page) mainAt(run int) bool {
	return run >= 0 && run < len(p.runs) && p.runs[run].block >= 0 &&
		p.blocks[p.runs[run].block].Main
}

// joined is the text of runs, with a space where they are in different blocks.
func (p *page) joined(runs []run) string {
	var b strings.Builder
	last := int32(-1)
	for _, r := range runs {
		if b.Len() > maxLinkText {
			break
		}
		if r.block != last && b.Len() > 0 {
			b.WriteByte(' ')
		}
		last = r.block
		b.WriteString(r.node.Data)
	}
	return collapse(text.Strip(b.String()))
}

// label is what stands for the text of a link that has none.
func (p *page) label(i int32) string {
	n := p.Els[i].Node
	for _, key := range []string{"aria-label", "title", "alt"} {
		if v := collapse(dom.Attr(n, key)); v != "" {
			return text.Strip(v)
		}
	}
	for k := i + 1; k < p.Els[i].End; k++ {
		if p.Els[k].Tag() == atom.Img {
			if v := collapse(dom.Attr(p.Els[k].Node, "alt")); v != "" {
				return text.Strip(v)
			}
		}
	}
	for c := range n.Descendants() { // hidden text, as in a menu that is closed
		if c.Type == html.TextNode && !dom.Mute(c.Parent.DataAtom) {
			if v := collapse(c.Data); v != "" {
				return text.Strip(v)
			}
		}
	}
	return ""
}
