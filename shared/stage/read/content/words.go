package content

import (
	"embed"
	"strings"
)

//go:embed words/*.txt
var wordFiles embed.FS

// lines returns the entries of a file of words. Lines that begin with # are comments;
// a _ at the end of a line is a space.
func lines(name string) []string {
	data, err := wordFiles.ReadFile("words/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	var out []string
	for l := range strings.Lines(string(data)) {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' {
			continue
		}
		if strings.HasSuffix(l, "_") {
			l = l[:len(l)-1] + " "
		}
		out = append(out, l)
	}
	return out
}

var (
	operating  = lines("operating")
	elsewhere  = lines("elsewhere")
	months     = lines("months")
	bylines    = lines("bylines")
	containers = lines("containers")
	furniture  = lines("furniture")
	generators = lines("generators")
	cueNames   []string
	cueWords   = cues()
)

// cues returns the cue of each word of cues.txt, and fills cueNames.
func cues() map[string]uint8 {
	m := map[string]uint8{}
	for _, l := range lines("cues") {
		name, words, _ := strings.Cut(l, ":")
		for w := range strings.FieldsSeq(words) {
			m[w] = uint8(len(cueNames))
		}
		cueNames = append(cueNames, name)
	}
	return m
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) int {
	n := 0
	for i := range len(s) {
		if digit(s[i]) {
			n++
		}
	}
	return n
}
