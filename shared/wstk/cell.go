package wstk

import "strings"

// CellAt returns the block and the column of the cell that a row shows in a column: its own, or
// one that reaches into it from another row or column. Block and column are those given if the
// row shows none.
func (d *Document) CellAt(block, column int) (int, int) {
	for _, s := range d.Blocks[block].Spanned {
		if s.Column == column && s.Block >= 0 && s.Block < len(d.Blocks) {
			return s.Block, s.From
		}
	}
	return block, column
}

// CellText returns the words of the cell that a row shows in a column, without white space
// around them; "" if it shows none.
func (d *Document) CellText(block, column int) string {
	block, column = d.CellAt(block, column)
	cells := strings.Split(d.BlockText(block), "\t")
	if column < 0 || column >= len(cells) {
		return ""
	}
	return strings.TrimSpace(cells[column])
}
