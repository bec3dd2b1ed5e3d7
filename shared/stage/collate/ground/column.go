package ground

import "slices"

// columns refuses a value of a row under the name of another column: "In 2024 an adult ticket
// costs 7 euros", where 7 euros is the price of 2023. The claim names a column if it has all words
// of its label.
func (m *match) columns() {
	if len(m.source.Columns) == 0 {
		return
	}
	cells := cellsOf(m.source.Words)
	var bare []int // columns that the claim names, of whose cells it has nothing
	for k := 1; k < min(len(cells), len(m.source.Columns)); k++ {
		if m.namesColumn(k) && !m.borneIn(k, cells) {
			bare = append(bare, k)
		}
	}
	if len(bare) == 0 {
		return
	}
	for i, v := range m.claim.values {
		if len(m.of[i]) > 0 && !slices.ContainsFunc(m.of[i], func(w int) bool {
			return m.namesColumn(cellAt(cells, m.in.values[w].Start))
		}) {
			m.lacks(m.counted(v))
		}
	}
}

// namesColumn reports whether the claim has all words of the label of a column.
func (m *match) namesColumn(k int) bool {
	if k >= len(m.source.Columns) {
		return false
	}
	label := read(m.source.Columns[k], m.source.Lang)
	words := 0
	for _, t := range label.tokens {
		if t.stop {
			continue
		}
		words++
		if !slices.ContainsFunc(m.claim.tokens, func(c token) bool {
			return c.plain == t.plain || c.value < 0 && t.value < 0 && c.stem == t.stem
		}) {
			return false
		}
	}
	return words > 0
}

// borneIn reports whether a cell of the source bears a word or a value of the claim.
func (m *match) borneIn(k int, cells []int) bool {
	for _, of := range m.of {
		if slices.ContainsFunc(of, func(w int) bool {
			return cellAt(cells, m.in.values[w].Start) == k
		}) {
			return true
		}
	}
	return slices.ContainsFunc(m.found, func(of []token) bool {
		return slices.ContainsFunc(of, func(t token) bool {
			return t.End > t.Start && cellAt(cells, t.Start) == k
		})
	})
}

// cellAt is the cell of a row that a byte is in.
func cellAt(cells []int, at int) int {
	k := 0
	for i, from := range cells {
		if from <= at {
			k = i
		}
	}
	return k
}
