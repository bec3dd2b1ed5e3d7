package text

import (
	"strings"
	"unicode"
)

// Change is a piece of two texts that were compared: words of both, or words that only one
// of them has.
type Change struct {
	Op   ChangeOp `json:"op"`
	Text string   `json:"text"` // words with one space between them
}

// ChangeOp says which of the two texts has the words of a Change.
type ChangeOp string

const (
	Kept  ChangeOp = "kept"
	Gone  ChangeOp = "gone"  // only in the old text
	Added ChangeOp = "added" // only in the new text
)

// maxDiff bounds the words of each text that DiffWords compares: its work is their product.
const maxDiff = 400

// DiffWords compares two short texts word by word: the pieces of both, in order, with as
// many words kept as can be. White space does not count. Of a text with over 400 words only
// the first 400 are compared; the rest is left out.
func DiffWords(old, now string) []Change {
	a, b := strings.FieldsFunc(old, unicode.IsSpace), strings.FieldsFunc(now, unicode.IsSpace)
	a, b = a[:min(len(a), maxDiff)], b[:min(len(b), maxDiff)]
	// kept[i][j] is how many words a[i:] and b[j:] have in common, in order.
	kept := make([][]int, len(a)+1)
	for i := range kept {
		kept[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				kept[i][j] = kept[i+1][j+1] + 1
			} else {
				kept[i][j] = max(kept[i+1][j], kept[i][j+1])
			}
		}
	}
	var out []Change
	add := func(op ChangeOp, word string) {
		if n := len(out); n > 0 && out[n-1].Op == op {
			out[n-1].Text += " " + word
			return
		}
		out = append(out, Change{op, word})
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			add(Kept, a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && kept[i+1][j] >= kept[i][j+1]:
			add(Gone, a[i])
			i++
		default:
			add(Added, b[j])
			j++
		}
	}
	return out
}
