package page

import (
	"slices"

	"wstk/shared/wstk"
)

// LeadsElsewhere reports whether a quote that is cited for a statement is the lead-in or the
// term of other words of its page: "To stop it:" with the command that starts it. say
// are the quotes that say the statement; one that the quote belongs to is enough. A quote that
// says the statement itself leads nowhere.
func (p *Set) LeadsElsewhere(e wstk.Evidence, statement string, say []wstk.Evidence) bool {
	d := p.Of(e)
	i := BlockOf(d, e)
	if i < 0 || Says(e.Quote, statement) {
		return false
	}
	elsewhere := false
	for _, of := range say {
		j := BlockOf(d, of)
		if p.Of(of) != d || j < 0 || j == i {
			return false // nothing is known of it
		}
		switch misplaced, known := apartFrom(d, i, j); {
		case known && !misplaced:
			return false
		case known:
			elsewhere = true
		}
	}
	return elsewhere
}

// apartFrom reports whether block i is a lead-in or a term, and block j is not what it
// leads to; or the other way round. known is false if neither leads to anything.
func apartFrom(d *wstk.Document, i, j int) (apart, known bool) {
	switch {
	case d.Blocks[i].Kind == wstk.BlockTerm && d.Blocks[j].Kind == wstk.BlockDefinition:
		return !isTermOf(d, i, j), true
	case isLed(d, j):
		if from, to := d.LedBy(i, leads); from < to {
			return j < from || j >= to, true
		}
	}
	if from, to := d.LedBy(j, leads); from < to && isLed(d, i) {
		return i < from || i >= to, true
	}
	return false, false
}

// isLed reports whether a block is of a kind that lines lead to.
func isLed(d *wstk.Document, i int) bool {
	return slices.Contains([]wstk.BlockKind{wstk.BlockListItem, wstk.BlockCode,
		wstk.BlockTableRow, wstk.BlockQuote, wstk.BlockDefinition}, d.KindAt(i))
}

// isTermOf reports whether block i is a term of the definition that is block j: the nearest term
// above it, or one of those right before that.
func isTermOf(d *wstk.Document, i, j int) bool {
	for j--; j >= 0 && d.Blocks[j].Kind != wstk.BlockTerm; {
		j--
	}
	for ; j >= 0 && d.Blocks[j].Kind == wstk.BlockTerm; j-- {
		if i == j {
			return true
		}
	}
	return false
}
