package read

import (
	"context"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// TestIndentedCode: a line behind white space of four columns is code, and a tab in it is as
// wide as it is shown. A reading that does not end fails by its deadline.
func TestIndentedCode(t *testing.T) {
	for _, indent := range []string{"    ", "\t   ", "  \t  ", "   \t"} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		d, err := new(Stage).Do(ctx, Input{URL: "https://site.example/a.md",
			ContentType: "text/markdown", Body: []byte("# Title\n\n" + indent + "x := 1\n\nEnd.\n")})
		if err != nil {
			t.Errorf("indent %q: %v", indent, err)
			continue
		}
		if len(d.Blocks) != 3 || d.Blocks[1].Kind != wstk.BlockCode {
			t.Errorf("indent %q: the blocks are %+v, want a heading, code and a paragraph",
				indent, d.Blocks)
		}
	}
}
