package pdf

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The tables of names are well formed: each entry has its fields, no name or code stands
// twice, and each code is a number.
func TestTables(t *testing.T) {
	for _, table := range []struct {
		name, text    string
		entries       int
		fields        []int // how many an entry may have
		codes, points int   // fields that are codes of a byte, and code points; -1 for none
	}{
		{"glyphs", glyphTable, 702, []int{1, 2}, -1, 1},
		{"arabic", arabicTable, 51, []int{2}, -1, -1},
		{"standard", standardTable, 149, []int{2}, 0, -1},
		{"symbol", symbolTable, 189, []int{2}, 0, -1},
		{"compact", compactTable, 391, []int{1}, -1, -1},
	} {
		seen := map[string]bool{}
		for row := range tableRows(table.text) {
			if !slices.Contains(table.fields, len(row)) {
				t.Errorf("%s.txt: %q has %d fields, want %v", table.name, row, len(row), table.fields)
				continue
			}
			if seen[row[0]] {
				t.Errorf("%s.txt: %q stands twice", table.name, row[0])
			}
			seen[row[0]] = true
			for i, field := range row {
				bits := map[int]int{table.codes: 8, table.points: 21}[i]
				for code := range strings.SplitSeq(field, "+") {
					if _, err := strconv.ParseUint(code, 16, bits); bits > 0 && err != nil {
						t.Errorf("%s.txt: %q is no code of %d bits in %q", table.name, code, bits, row)
					}
				}
			}
		}
		if len(seen) != table.entries {
			t.Errorf("%s.txt has %d entries, want %d", table.name, len(seen), table.entries)
		}
	}
}
