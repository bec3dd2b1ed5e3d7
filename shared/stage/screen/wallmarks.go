package screen

import (
	"strings"

	"wstk/shared/lexicon"
)

// marks are those of walls.txt, found in one pass.
type marks struct {
	*matcher
	makers []string // by list of the matcher; "" for no product by name
	strong []bool   // by list
}

// newMarks reads entries of a maker, strong or weak, and a mark.
func newMarks(walls *lexicon.Lexicon) marks {
	var m marks
	var lists [][]string
	at := map[string]int{}
	for e := range walls.Entries("marks") {
		key := e[0] + " " + e[1]
		n, known := at[key]
		if !known {
			n = len(lists)
			at[key], lists = n, append(lists, nil)
			m.makers, m.strong = append(m.makers, strings.TrimPrefix(e[0], "-")),
				append(m.strong, e[1] == "strong")
		}
		lists[n] = append(lists[n], e.Phrase())
	}
	m.matcher = newMatcher(lists)
	return m
}

// made reports whether the page's markup has a mark, strong or weak, and whose the first of
// them is. On a page with something to read, a mark that can be read is one of its words.
func (m marks) made(p *page, strong bool) (maker string, found bool) {
	scan(m.matcher, p.body, func(list, start, end int) {
		if found || m.strong[list] != strong {
			return
		}
		if found = p.prose == 0 ||
			!strings.Contains(p.text, strings.ToLower(string(p.body[start:end]))); found {
			maker = m.makers[list]
		}
	})
	return maker, found
}
