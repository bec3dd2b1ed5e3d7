package extract

import "strings"

// linked reports whether a unit is nothing but the text of links.
func (p *page) linked(s string) bool {
	s = strings.TrimSpace(s)
	if p.anchors[s] || p.anchors[sectionNumber().ReplaceAllString(s, "")] {
		return true
	}
	cells := strings.Split(s, "\t")
	for _, c := range cells {
		if c = strings.TrimSpace(c); c != "" && !p.anchors[c] {
			return false
		}
	}
	return len(cells) > 1
}

// isAddress reports whether a text is little more than a URL.
func isAddress(s string) bool {
	i := strings.Index(s, "://")
	if i < 0 {
		return false
	}
	s = strings.TrimLeft(s, " →-*•")
	n := strings.IndexAny(s, " \t\n")
	return strings.Contains(s[:max(n, 0)], "://") || n < 0
}

func isQuestion(s string) bool {
	s = strings.TrimRight(s, " \n\t\"”»)")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟")
}
