package pdf

import (
	_ "embed"
	"iter"
	"strconv"
	"strings"
	"sync"
)

// The tables of names and encodings are text, one entry a line, with fields between spaces.
var (
	//go:embed tables/glyphs.txt
	glyphTable string
	//go:embed tables/arabic.txt
	arabicTable string
	//go:embed tables/standard.txt
	standardTable string
	//go:embed tables/symbol.txt
	symbolTable string
	//go:embed tables/compact.txt
	compactTable string
)

// tableRows yields the fields of each entry of a table. Lines that begin with # are comments.
func tableRows(table string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(table) {
			fields := strings.Fields(line)
			if len(fields) > 0 && line[0] != '#' && !yield(fields) {
				return
			}
		}
	}
}

// glyphNames holds the characters that a named glyph shows.
var glyphNames = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, 800)
	for row := range tableRows(glyphTable) {
		m[row[0]] = ""
		if len(row) > 1 {
			m[row[0]] = codePoints(row[1])
		}
	}
	return m
})

// codePoints returns the characters of hexadecimal code points joined by +.
func codePoints(codes string) string {
	var out []rune
	for c := range strings.SplitSeq(codes, "+") {
		if v, err := strconv.ParseUint(c, 16, 32); err == nil {
			out = append(out, rune(v))
		}
	}
	return string(out)
}

// arabicNames holds the Arabic letters by their names.
var arabicNames = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for row := range tableRows(arabicTable) {
		m[row[0]] = row[1]
	}
	return m
})

// compactNames are the names that each font in Compact Font Format has by their numbers.
var compactNames = sync.OnceValue(func() []string {
	var names []string
	for row := range tableRows(compactTable) {
		names = append(names, row[0])
	}
	return names
})

// standardEncoding holds what the codes of a Type 1 font show that names no encoding, and
// symbolEncoding what those of the font Symbol show.
var (
	standardEncoding = sync.OnceValue(func() [256]string { return encodingOf(standardTable) })
	symbolEncoding   = sync.OnceValue(func() [256]string { return encodingOf(symbolTable) })
)

func encodingOf(table string) (glyphs [256]string) {
	for row := range tableRows(table) {
		if code, err := strconv.ParseUint(row[0], 16, 8); err == nil {
			glyphs[code] = glyphText(row[1], int(code), false)
		}
	}
	return glyphs
}

// helveticaWidths are the widths of the characters 32 to 126 of Helvetica, in thousandths of the
// size: the fonts that every reader has come without.
var helveticaWidths = [95]int16{
	278, 278, 355, 556, 556, 889, 667, 222, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
	556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
	611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
	667, 611, 278, 278, 278, 469, 556, 222, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
	222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// timesWidths are the widths of the characters 32 to 126 of Times-Roman, in thousandths of the
// size: the fonts that every reader has come without.
var timesWidths = [95]int16{
	250, 333, 408, 500, 500, 833, 778, 333, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
	500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
	556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
	722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
	278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
}
