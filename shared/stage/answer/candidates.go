package answer

import (
	"regexp"
	"sort"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// LinksOf are the links of a page as candidates, in page order, with the words of the block that
// holds the link and of the headings over it. Links that the page asks not to follow are none.
func LinksOf(d *wstk.Document) []Candidate {
	if d.Meta.NoFollow {
		return nil
	}
	var out []Candidate
	for _, l := range d.Links {
		if l.NoFollow {
			continue
		}
		// Elements are counted as the page is read, so a link belongs to the last block that begins
		// before it.
		at := sort.Search(len(d.Blocks), func(i int) bool { return d.Blocks[i].Element > l.Element }) - 1
		out = append(out, Candidate{URL: l.URL, Anchor: l.Text, From: d.URL, Around: around(d, at, l)})
	}
	return out
}

// around are the words of a block with a link, and of the headings over it; "" where the block is
// not that of the link.
func around(d *wstk.Document, block int, l wstk.Link) string {
	if block < 0 || d.Blocks[block].Element < 0 {
		return ""
	}
	words := text.Prefix(d.BlockText(block), maxRead)
	if !strings.Contains(words, l.Text) {
		return ""
	}
	return words + "\n" + strings.Join(d.SectionPath(d.Blocks[block].Section), "\n")
}

// maxListed is how many links of an llms.txt are read.
const maxListed = 2000

// listed is a line of an llms.txt: a name, an address, and what may be said of it.
var listed = regexp.MustCompile(`^\s*[-*+]\s*\[([^\]]+)\]\(\s*<?([^)\s>]+)>?\s*\)\s*:?\s*(.*)$`)

// LLMsText are the pages that a file /llms.txt at this address names, in its order: lists of
// Markdown links, with notes behind them, under headings (llmstxt.org). Other lines are not read.
func LLMsText(address, body string) []Candidate {
	var out []Candidate
	heading := ""
	for line := range strings.Lines(body) {
		line = strings.TrimRight(text.Prefix(line, 4*maxRead), "\r\n")
		if strings.HasPrefix(line, "#") {
			heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
			continue
		}
		m := listed.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		u, err := text.Resolve(address, m[2])
		if err != nil {
			continue
		}
		out = append(out, Candidate{URL: u, Anchor: strings.TrimSpace(m[1]), From: address,
			Around: strings.TrimSpace(m[3] + "\n" + heading)})
		if len(out) == maxListed {
			break
		}
	}
	return out
}
