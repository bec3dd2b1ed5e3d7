package screen

import (
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A bot wall is recognised by points: a title that such pages have (2, or 1 where
// other pages have it, too), marks in the markup that only challenge pages have (2)
// or that protected pages have as well (1), a sentence that only walls say (2),
// words that walls have (1), a status that walls come with (1). Two points are
// needed, and the less points to anything but words, the less text there may be:
// an article that quotes a wall, or is named like one, has more to say.
const (
	wallOwn   = 600     // text of a wall that has two points
	largeWall = 2500    // … that has three, a title, a mark or the status among them
	namedWall = 220     // … that has nothing but its title
	saidWall  = 400     // … that has nothing but its sentence
	markWall  = 400     // … that has nothing but its mark
	wallLinks = 25      // more links than walls have, unless the markup says otherwise
	wallStart = 900     // the sentence stands in the first so many bytes
	wallBody  = 200_000 // pages behind a wall carry its marks, too, among much else
)

// wallSaying is what walls say.
var wallSaying = saying{"wall sentences", "wall stems", "wall saying"}

// quotation is what a page that has something to read quotes: words of others.
var quotation = text.Pattern(`"[^".]{3,120}[.!?]{0,3}"`)

// signs are what points to a wall.
type signs struct {
	title  string // of the wall titles
	mark   bool   // a strong mark of walls.txt
	asks   bool   // a weak mark, or a widget that asks for a human
	maker  string // of the mark; "" where it is no product by name
	phrase string // of the wall sentences
	hint   bool   // of the wall hints
	status bool
}

func (g signs) points() int {
	n := 0
	switch {
	case g.title != "" && !among("wall titles, vague", g.title):
		n += 2
	case g.title != "":
		n++
	}
	if g.mark {
		n += 2
	} else if g.asks {
		n++
	}
	if g.phrase != "" {
		n += 2
	}
	if g.hint {
		n++
	}
	if g.status {
		n++
	}
	return n
}

func (p *page) signs(snap wstk.Snapshot) signs {
	g := signs{title: p.titled("wall titles", "wall titles, vague", "wall title")}
	small := p.html && len(p.body) <= wallBody
	if small && p.size <= largeWall {
		g.maker, g.mark = vocab().walls().made(p, true)
	}
	start := p.text[:min(len(p.text), wallStart)]
	if p.prose > 0 {
		start = quotation().ReplaceAllString(start, `""`)
	}
	g.phrase = wallSaying.in(start)
	if g.title == "" && g.phrase == "" && !g.mark {
		return signs{} // the rest is never enough
	}
	g.asks = p.markup().captcha
	if !g.mark && small { // beside a strong mark it adds nothing
		maker, weak := vocab().walls().made(p, false)
		g.maker, g.asks = maker, g.asks || weak
	}
	if p.heading != "" {
		start = strings.Replace(start, p.heading, "", 1)
	}
	g.hint = first(start, phrases("wall hints")) != ""
	g.status = slices.Contains(wallStatuses, snap.Status) ||
		// challenges that must not be cached come with it
		snap.Status == 202 && (g.mark || g.phrase != "")
	return g
}

// wallStatuses are those that walls come with.
var wallStatuses = []int{401, 403, 405, 406, 429, 451, 503}

// botWall reports whether the page is a wall against machines, a refusal or a
// limit; "" where it is not.
func (p *page) botWall(snap wstk.Snapshot) string {
	if p.own > largeWall {
		return ""
	}
	g := p.signs(snap)
	if snap.Verdict == wstk.VerdictHTTPError && snap.Status != 503 && !g.mark {
		return "" // a failure of the site is one, whatever it says beside
	}
	if p.links > wallLinks && !g.mark {
		return ""
	}
	limit := g.limit(p)
	if p.own > limit {
		return ""
	}
	if g.maker != "" {
		return "a wall of " + g.maker + " stands in front of the page: " + g.why()
	}
	return "a wall stands in front of the page: " + g.why()
}

// limit is how much text a wall with these signs has at most; -1 if the page is none.
func (g signs) limit(p *page) int {
	n := g.points()
	switch {
	case n < 2:
		return -1
	case g.status && n > 2:
		return largeWall
	case g.status:
		return wallOwn
	}
	if limit, alone := g.limitAlone(p); alone {
		return limit
	}
	if n == 2 || g.title == "" && !g.mark || among("wall titles, vague", g.title) {
		return wallOwn
	}
	return largeWall
}

// limitAlone is limit where nothing but a sentence, a title or a mark points to a wall.
func (g signs) limitAlone(p *page) (limit int, alone bool) {
	wall := false
	switch {
	case g.title == "" && !g.mark && !g.asks: // nothing but a sentence
		limit, wall = saidWall, p.speaksOfIt()
	case g.title != "" && !g.mark && g.phrase == "": // nothing but a title
		limit, wall = namedWall, p.prose == 0 // else there is something to read
	case g.title == "" && g.phrase == "": // nothing but a mark
		limit, wall = markWall, p.size <= markWall
	default:
		return 0, false
	}
	if !wall {
		limit = -1
	}
	return limit, true
}

func (g signs) why() string {
	switch {
	case g.phrase != "":
		return "it says \"" + g.phrase + "\""
	case g.title != "":
		return "its title is \"" + g.title + "\""
	case g.mark:
		return "its markup is that of a challenge page"
	}
	return "its status is one that walls use"
}

// speaksOfIt reports whether most of the page's blocks, by size, speak of the wall.
func (p *page) speaksOfIt() bool {
	about, other := 0, 0
	for _, b := range p.blocks {
		n := weigh(b, text.Range{End: len(b)}, nil)
		switch {
		case wallSaying.in(b) != "" || first(b, phrases("wall hints")) != "":
			about += n
		case n > 25: // less is a menu or a label
			other += n
		}
	}
	return about*2 > other*3
}
