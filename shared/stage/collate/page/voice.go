package page

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// speaks reports whether a page says the words of a quote itself: they are no comment, no
// advertisement, no quotation, no heading, no cell and nothing that a line leads to.
func speaks(d *wstk.Document, e wstk.Evidence) bool {
	i := BlockOf(d, e)
	if i < 0 {
		return len(e.Flags) == 0
	}
	switch b := d.Blocks[i]; b.Kind {
	case wstk.BlockQuote, wstk.BlockHeading, wstk.BlockCaption:
		return false
	case wstk.BlockTableRow: // a name with its value, and no lone cell
		return len(e.Flags)+len(b.Flags) == 0 && strings.Contains(d.BlockText(i), "\t")
	case wstk.BlockDefinition:
		return len(e.Flags)+len(b.Flags) == 0
	default:
		return len(e.Flags)+len(b.Flags) == 0 && len(namesAbove(d, i)) == 0
	}
}

// yearsAbove are the numbers of three digits and more in the headings above a quote. Those of a
// heading that repeats the title of the page say when it was written, and change nothing.
func yearsAbove(d *wstk.Document, e wstk.Evidence) []string {
	const fewest = 3
	above := slices.DeleteFunc(slices.Clone(e.SectionPath), func(heading string) bool {
		return strings.Contains(text.FoldCompare(d.Meta.Title), text.FoldCompare(heading))
	})
	return slices.DeleteFunc(strings.FieldsFunc(strings.Join(above, " "),
		func(r rune) bool { return !unicode.IsDigit(r) }),
		func(s string) bool { return len(s) < fewest })
}

// names reports whether the blocks around a quote name a site, or lead to it.
func names(d *wstk.Document, e wstk.Evidence, site string) bool {
	const near = 2 // blocks
	i := BlockOf(d, e)
	if i < 0 || !strings.Contains(site, ".") {
		return false
	}
	from, to := max(0, i-near), min(len(d.Blocks), i+near+1)
	words := strings.ToLower(d.Text[d.Blocks[from].ByteStart:d.Blocks[to-1].ByteEnd])
	if text.HoldsWhole(strings.ReplaceAll(words, "@"+site, ""), site) {
		return true // an address of mail at the site is no word of thanks
	}
	end := math.MaxInt
	if to < len(d.Blocks) {
		end = d.Blocks[to].Element
	}
	return slices.ContainsFunc(d.Links, func(l wstk.Link) bool {
		return l.Element >= d.Blocks[from].Element && l.Element < end && SiteOf(l.URL) == site
	})
}

// neighbours are the sentences before and after a quote, folded.
func neighbours(d *wstk.Document, e wstk.Evidence) (before, after string) {
	r, ok := around(d, e)
	if !ok {
		return "", ""
	}
	_, before, after = beside(d, r)
	return text.FoldCompare(before), text.FoldCompare(after)
}
