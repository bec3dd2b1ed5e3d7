package read

import (
	"fmt"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// A cell that reaches over rows or columns stands in the text once; each row and column that it
// reaches into knows it.
func TestCellsThatSpan(t *testing.T) {
	const page = `<h1>Ports</h1><table>
<tr><th rowspan=2>Machine<th colspan=2>Ports<th rowspan=2>Owner
<tr><th>first<th>last
<tr><td rowspan=3>north<td>10<td>19<td>Ada
<tr><td>20<td>29<td rowspan=2>Bea
<tr><td colspan=2>none
<tr><td>south<td>30<td>39<td>Cem
<tr><td rowspan=9>west<td>40<td>49
</table><p>Other words.</p><table><tr><td>a<td>b<tr><td>c<td>d</table>`
	d := readString(t, page)
	checkDocument(t, d)
	var got []string
	for i, b := range d.Blocks {
		if b.Kind != wstk.BlockTableRow {
			continue
		}
		var cells []string
		for k := range 4 {
			cells = append(cells, d.CellText(i, k))
		}
		got = append(got, strings.TrimRight(strings.Join(cells, "|"), "|"))
	}
	want := `Machine|Ports|Ports|Owner
Machine|first|last|Owner
north|10|19|Ada
north|20|29|Bea
north|none|none|Bea
south|30|39|Cem
west|40|49
a|b
c|d`
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if n := strings.Count(d.Text, "north"); n != 1 {
		t.Errorf("a cell stands in the text %d times", n)
	}
}

// However many rows cells reach over, what is noted of them is bounded.
func TestSpansAreBounded(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "<table><tr>%s", strings.Repeat("<td rowspan=999999>x", 250))
	b.WriteString(strings.Repeat("<tr><td>y", 1000))
	d := readString(t, b.String())
	n := 0
	for _, blk := range d.Blocks {
		n += len(blk.Spanned)
	}
	if n > maxSpanned {
		t.Errorf("of %d columns it is noted what they show", n)
	}
}
