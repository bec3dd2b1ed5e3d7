package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// itemTitle is what a list item calls itself: the link it begins with, the label
// before a colon or dash, its first sentence or clause.
func (p *page) itemTitle(s string) string {
	if label, _, ok := splitLabel(s); ok {
		return strings.TrimSpace(label)
	}
	const longest = 120
	head := s
	if len(head) > longest {
		head = head[:longest]
	}
	for i, r := range head {
		if i > 0 && (unicode.IsSpace(r) || unicode.IsPunct(r)) &&
			p.anchors[strings.TrimSpace(head[:i])] {
			return strings.TrimSpace(head[:i])
		}
	}
	for _, dash := range []string{" – ", " — ", " - ", "\n"} {
		if i := strings.Index(head, dash); i > 1 {
			return strings.TrimSpace(head[:i])
		}
	}
	return firstClause(s)
}

// firstClause cuts a title out of a running text.
func firstClause(s string) string {
	const longest = 90
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i > 0 {
		s = strings.TrimSpace(s[:i])
	}
	if i := strings.Index(s, ". "); i > 0 && i <= 40 && strings.Count(s[:i], " ") <= 3 {
		return s[:i] // "Serialized. In this mode …"
	}
	if utf8.RuneCountInString(s) <= 40 {
		return s
	}
	for i, r := range s {
		if i < 2 {
			continue
		}
		switch r {
		case '.', ',', ';', '!', '?', '(', '。', '，', '；', '（':
			if r < 0x80 && r != '(' {
				if next, _ := utf8.DecodeRuneInString(s[i+1:]); !unicode.IsSpace(next) &&
					i+1 < len(s) {
					continue
				}
			}
			return strings.TrimSpace(s[:i])
		}
		if i > longest && unicode.IsSpace(r) {
			return strings.TrimSpace(s[:i])
		}
	}
	return clip(s)
}
