package content

import (
	"slices"

	"wstk/shared/wstk"
)

// Some blocks read like main content and are not: text that is shown a second time in
// another shape, and on the page of an article what stands around its text.

// A text of at least minCopy bytes that stands on the page in two shapes is a copy.
const minCopy = 20

// dropSurplus takes such blocks out of the choice.
func (s *sight) dropSurplus(main []bool, odds []float64) {
	if s.manual() {
		return // a manual says a thing again where it is needed
	}
	s.dropCopies(main)
	switch {
	case s.Says.declared() == Kind{Article: true}:
	case s.readsAsArticle(main, odds):
		// A manual may read so, and names its sections as others name what is beside a text.
		s.dropRole(main, comments)
		return
	default:
		return // comments, lists and tables are what forums, listings and products consist of
	}
	s.dropTail(main, odds)
	s.dropUnsaid(main)
	for _, r := range roles {
		s.dropRole(main, r)
	}
}

// dropUnsaid drops what stands around the text of an article whose structured data has that
// text, and calls to read on within it. Data that has less than most of the text is a
// summary, and says nothing.
func (s *sight) dropUnsaid(main []bool) {
	body := saidBody(s.Says.Body)
	if len(body) == 0 {
		return
	}
	in := make([]bool, len(main))
	first, last, known, all := len(main), -1, 0, 0
	for i := range main {
		if !main[i] || s.Blocks[i].bytes() < saidBlock {
			continue
		}
		all += s.Blocks[i].bytes()
		if in[i] = body.part(s.blockText(i)) >= 0.5; in[i] {
			known += s.Blocks[i].bytes()
			first, last = min(first, i), i
		}
	}
	if 4*known < 3*all {
		return
	}
	for i := range main {
		b := &s.Blocks[i]
		calls := !in[i] && b.bytes() >= saidBlock && 2*b.LinkBytes > b.bytes()
		main[i] = main[i] && (i == s.title || i >= first && i <= last && !calls)
	}
}

// readsAsArticle reports whether nothing says what kind of page it is and most of what is
// chosen is long paragraphs that no visitor wrote.
func (s *sight) readsAsArticle(main []bool, odds []float64) bool {
	if s.kind != (Kind{}) {
		return false
	}
	long, bytes, chosen := 0, 0, 0
	for i := range main {
		if !main[i] {
			continue
		}
		chosen += s.Blocks[i].bytes()
		if s.longParagraph(i, odds) && !s.isComment(i) {
			long++
			bytes += s.Blocks[i].bytes()
		}
	}
	return long >= leastLong && 2*bytes >= chosen
}

// leastLong is how many long paragraphs make a page without a type an article.
const leastLong = 3

// longParagraph reports whether a block is a long paragraph of which the score is sure.
func (s *sight) longParagraph(i int, odds []float64) bool {
	return s.Blocks[i].prose() && s.Blocks[i].bytes() >= longParagraph && odds[i] > sure
}

// placed are the kinds of blocks that say something by where they stand.
var placed = []wstk.BlockKind{wstk.BlockHeading, wstk.BlockCode, wstk.BlockTerm,
	wstk.BlockTableRow}

// dropCopies drops blocks whose text is chosen already, from a block that looks
// different: a summary for small screens, a sentence that is pulled out of the text to
// catch the eye. Blocks that look alike stay: verses of a song, lines of cards. So do headings,
// which a table of contents repeats, and other placed blocks.
func (s *sight) dropCopies(main []bool) {
	looks := map[uint64][]int32{} // of the chosen blocks with a text
	for i := range main {
		b := &s.Blocks[i]
		if !main[i] || b.bytes() < minCopy || slices.Contains(placed, b.Kind) {
			continue
		}
		look, seen := s.kin[i][0], looks[s.hashes[i]]
		if !slices.Contains(seen, look) {
			main[i] = len(seen) == 0
			looks[s.hashes[i]] = append(seen, look)
		}
	}
}

// A long paragraph of which the score is sure belongs to the text of an article.
const (
	longParagraph = 200 // bytes
	sure          = 1.0 // log odds
)

// dropTail drops what follows the last long paragraph of an article, such as notes on the
// author, tags and teasers, unless the score is sure of it or it stands beside that
// paragraph.
func (s *sight) dropTail(main []bool, odds []float64) {
	last, long := -1, 0
	for i := range main {
		if main[i] && s.longParagraph(i, odds) {
			last = i
			long++
		}
	}
	if long < 2 || !s.mostlyProse(main) {
		return
	}
	around := s.parentOf(last)
	for i := last + 1; i < len(main); i++ {
		main[i] = main[i] && (odds[i] >= sure || s.parentOf(i) == around)
	}
}

// parentOf returns the element around the one that holds a block, -1 for none.
func (s *sight) parentOf(i int) int32 { return s.Els[s.Blocks[i].Owner].Parent }

// role is a part that blocks of an article's page play beside its text.
type role struct {
	plays func(s *sight, i int) bool
	most  float64 // a larger part of the chosen text is no such thing but the text itself
}

var comments = role{(*sight).isComment, 0.7}

var roles = []role{
	{(*sight).isCaption, 0.5},
	{(*sight).presentsAuthor, 0.15},
	comments,
	{(*sight).isCall, 0.15},
	{(*sight).isAside, 0.15},
}

func (s *sight) isCaption(i int) bool { return s.Blocks[i].Kind == wstk.BlockCaption }

func (s *sight) presentsAuthor(i int) bool { return s.at(i).hasCue("author") }

// isCall reports whether a block asks for something: to subscribe, to log in, to share.
func (s *sight) isCall(i int) bool {
	q := s.at(i)
	return q.hasCue("signup") || q.hasCue("popup") || q.hasCue("social")
}

// isAside reports whether a block stands in a part of the page that is beside its text.
func (s *sight) isAside(i int) bool {
	q := s.at(i)
	return q.landmarks&(inAside|inNav|inFooter) != 0 ||
		q.hasCue("sidebar") || q.hasCue("nav") || q.hasCue("footer")
}

func (s *sight) isComment(i int) bool {
	return s.Blocks[i].Comment || s.at(i).hasCue("comments") || s.at(i).landmarks&inComment != 0
}

// at returns what is known of the element that holds a block. That of a heading is the one
// around it: an id of its own is made of its words.
func (s *sight) at(i int) *place {
	e := s.Blocks[i].Owner
	if up := s.Els[e].Parent; s.Blocks[i].Kind == wstk.BlockHeading && up >= 0 {
		e = up
	}
	return &s.places[e]
}

// hasCue reports whether a place has the cue with this name in words/cues.txt.
func (q *place) hasCue(name string) bool {
	return q.cues&(1<<slices.Index(cueNames, name)) != 0
}

// dropRole drops the blocks that play a role, but for the title of the page.
func (s *sight) dropRole(main []bool, r role) {
	chosen, playing := 0, 0
	for i := range main {
		if main[i] {
			chosen += s.Blocks[i].bytes()
			if i != s.title && r.plays(s, i) {
				playing += s.Blocks[i].bytes()
			}
		}
	}
	if float64(playing) >= r.most*float64(chosen) {
		return
	}
	for i := range main {
		main[i] = main[i] && (i == s.title || !r.plays(s, i))
	}
}
