package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// margins marks what stands at the edge of many pages: running heads, page numbers.
func margins(pages []Page) {
	count := map[string]int{}
	var edges []*Block
	for i := range pages {
		for _, b := range pages[i].edges() {
			edges = append(edges, b)
			count[marginKey(b.Text)]++
		}
	}
	for _, b := range edges {
		key := marginKey(b.Text)
		often := count[key] >= 3 && count[key]*20 >= len(pages)
		b.Margin = b.Margin || often || len(pages) > 1 && pageNumber(key)
	}
}

// edges are the highest and the lowest short block of a page, if they stand at its edge.
func (p *Page) edges() (out []*Block) {
	var top, bottom *Block
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if utf8.RuneCountInString(b.Text) > 150 || b.Lines > 2 {
			continue
		}
		if top == nil || b.Y > top.Y {
			top = b
		}
		if bottom == nil || b.Y < bottom.Y {
			bottom = b
		}
	}
	if top != nil && bottom != top && p.atEdge(top) {
		out = append(out, top)
	}
	if bottom != nil && bottom != top && p.atEdge(bottom) {
		out = append(out, bottom)
	}
	return out
}

func (p *Page) atEdge(b *Block) bool { return b.Y <= 0.15*p.height || b.Y >= 0.85*p.height }

// marginKey returns a text with each number as "#", so that two pages have one key.
func marginKey(s string) string {
	key := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '#'
		}
		return r
	}, s)
	for strings.Contains(key, "##") {
		key = strings.ReplaceAll(key, "##", "#")
	}
	return key
}

// pageNumber reports whether a key is that of a number alone, perhaps a Roman one.
func pageNumber(key string) bool {
	return strings.Trim(key, "#-–— ivxlcIVXLC[]()|/") == "" && strings.ContainsAny(key, "#ivx")
}
