package pdf

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// The files in testdata/made were written byte by byte: each holds one filter, or one way in
// which an embedded font says what its glyphs show.

func TestFilters(t *testing.T) {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("word number %d of it", i))
	}
	want := strings.Join(lines, " ")
	for _, name := range []string{"ascii85", "hex-lzw", "lzw-png", "png", "runs", "tiff"} {
		if got := words(read(t, fixture(t, "made/"+name))); got != want {
			t.Errorf("%s.pdf reads %q, want %q", name, got, want)
		}
	}
}

// Glyphs that the font says nothing of are U+FFFD; a run of them stands here as one.
func TestEmbeddedFonts(t *testing.T) {
	unknown := regexp.MustCompile(undecodable + "+")
	for name, want := range map[string]string{
		"truetype-4":     "ABCDEFGHIJKLMNOPQRSTUVWXYZ�n�k�a�i�f�c�e�g�j�",
		"truetype-12":    "ABCDEFGHIJKLMNOPQRSTUVWXYZ�abcdefghijklmnopqrstuvwxyz�😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐�",
		"compact-ranges": "RS[\\]�ABCabc�ffiABa¥ƒ§ !\"Q�",
		"compact-codes":  "�ffiC�,A¥😀fiáaaBaAffia�¥AaBa😀�",
		"type1":          "�Bffi�A�",
	} {
		got := unknown.ReplaceAllString(words(read(t, fixture(t, "made/"+name))), undecodable)
		if got != want {
			t.Errorf("%s.pdf reads %q, want %q", name, got, want)
		}
	}
}
