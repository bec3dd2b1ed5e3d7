package extract

import (
	"maps"
	"slices"

	"wstk/shared/wstk"
)

// LeftOut returns how many items, steps or rows of the lists of a page an answer does not quote,
// of which it quotes others and the line that leads to them; 0 if it quotes them all, or quotes
// another text of the page.
func LeftOut(d *wstk.Document, x wstk.Extraction) int {
	quoted := quotedBlocks(d, x)
	announces := unitWordsIn(d.Meta.Language).announce
	open := map[int]bool{}
	for _, lead := range slices.Sorted(maps.Keys(quoted)) {
		var left []int
		some := false
		from, to := d.LedBy(lead, announces)
		for i := from; i < to; i++ {
			b := d.Blocks[i]
			switch {
			case quoted[i]:
				some = true
			case b.IsHeader || b.Kind == wstk.BlockTerm || b.ByteEnd == b.ByteStart ||
				slices.ContainsFunc(b.Flags, wstk.Flag.TakesBack):
			default:
				left = append(left, i)
			}
		}
		if some {
			for _, i := range left {
				open[i] = true
			}
		}
	}
	return len(open)
}

// quotedBlocks are the blocks of a page that evidence of an answer touches.
func quotedBlocks(d *wstk.Document, x wstk.Extraction) map[int]bool {
	out := map[int]bool{}
	for _, e := range x.Evidence {
		if e.URL != d.URL || e.TextSHA256 != d.TextSHA256 || e.ByteStart == nil || e.ByteEnd == nil {
			continue
		}
		for i := max(0, d.BlockAt(*e.ByteStart)); i < len(d.Blocks) &&
			d.Blocks[i].ByteStart < *e.ByteEnd; i++ {
			out[i] = true
		}
	}
	return out
}
