package collate

import (
	"slices"
	"testing"

	"wstk/shared/stage/collate/page"
	"wstk/shared/wstk"
)

// TestCellsThatSpanName: a cell that reaches over rows or columns names what stands in each of
// them.
func TestCellsThatSpanName(t *testing.T) {
	d := pageOf("Machine\tPorts\t\tOwner\n\tfirst\tlast\nnorth\t10\t19\tAda\n\t20\t29\tBea")
	for i := range d.Blocks {
		d.Blocks[i].Kind, d.Blocks[i].Table, d.Blocks[i].IsHeader = wstk.BlockTableRow, 1, i < 2
	}
	d.Blocks[0].Spanned = []wstk.Spanned{{Column: 2, Block: 0, From: 1}}
	d.Blocks[1].Spanned = []wstk.Spanned{{Column: 0, Block: 0, From: 0},
		{Column: 3, Block: 0, From: 3}}
	d.Blocks[3].Spanned = []wstk.Spanned{{Column: 0, Block: 2, From: 0}}
	for words, want := range map[string][2]string{"20": {"north", "first"}, "29": {"north", "last"},
		"Bea": {"north", "Owner"}, "10": {"north", "first"}} {
		e := evidence(d, words)
		for _, x := range page.PlacesOf(d, e, words) {
			if x.Row != want[0] || !slices.Equal(x.Labels, []string{want[1]}) {
				t.Errorf("%s is of %q, %q; want %q", words, x.Row, x.Labels, want)
			}
		}
	}
	pages := page.New(t.Context(), []*wstk.Document{d})
	s := wstk.Statement{Statement: "20\t29\tBea", Support: wstk.SupportDirect}
	if say := evidence(d, "20\t29\tBea"); !pages.Bears(evidence(d, "north\t10\t19\tAda"), s, "", []wstk.Evidence{say}) {
		t.Error("the row that names it does not bear it")
	}
}
