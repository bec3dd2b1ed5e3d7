package wstk

import "strings"

// KindAt is the kind of block i. Any row of a table is one, also if its reader named the block
// after what the row holds.
func (d *Document) KindAt(i int) BlockKind {
	b := d.Blocks[i]
	if b.Table > 0 && b.Kind != BlockCaption && strings.Contains(d.BlockText(i), "\t") {
		return BlockTableRow
	}
	return b.Kind
}

// LedBy returns the blocks [from, to) that block i introduces: the code right below it, or the
// list, the table, the terms or the quotation if announces says of its words that something
// follows. Both are 0 if it introduces nothing.
func (d *Document) LedBy(i int, announces func(words string) bool) (from, to int) {
	next := i + 1
	if next >= len(d.Blocks) || !d.mayLead(i) || d.Blocks[next].Section != d.Blocks[i].Section {
		return 0, 0
	}
	kind := d.KindAt(next)
	if kind != BlockCode && !announces(d.BlockText(i)) {
		return 0, 0
	}
	switch kind {
	case BlockListItem:
		if d.Blocks[i].Kind == BlockListItem && d.Blocks[next].Level <= d.Blocks[i].Level {
			return 0, 0 // the next item, not one below it
		}
	case BlockCode, BlockTableRow, BlockTerm, BlockQuote:
	default:
		return 0, 0
	}
	return next, d.endOfRun(next, kind)
}

// mayLead reports whether a block is of a kind that may introduce others.
func (d *Document) mayLead(i int) bool {
	switch d.KindAt(i) {
	case BlockParagraph, BlockOther, BlockListItem, BlockDefinition, BlockCaption:
		return true
	}
	return false
}

// endOfRun returns where a run of blocks of one kind ends. Code belongs to the items of a
// list, definitions to their terms.
func (d *Document) endOfRun(from int, kind BlockKind) int {
	level := d.Blocks[from].Level
	i := from + 1
	for ; i < len(d.Blocks) && d.Blocks[i].Section == d.Blocks[from].Section; i++ {
		b := d.Blocks[i]
		k := d.KindAt(i)
		same := k == kind
		switch kind {
		case BlockListItem:
			same = same && b.Level >= level || k == BlockCode
		case BlockTerm:
			same = same || k == BlockDefinition || k == BlockCode
		case BlockTableRow:
			same = same && b.Table == d.Blocks[from].Table
		}
		if !same {
			break
		}
	}
	return i
}
