package read

import (
	"strings"

	"wstk/shared/wstk"
)

// Structure is the main content of a Document by its headings: what a reader of a manual
// jumps by. It is computed from the Document and holds nothing else.
type Structure struct {
	Headings   []StructureHeading `json:"headings"` // the table of contents, in order
	Sections   []StructureSection `json:"sections"`
	Links      []StructureLink    `json:"links"` // each address once
	CodeBlocks []StructureCode    `json:"code_blocks"`
}

// StructureHeading is a line of the table of contents.
type StructureHeading struct {
	Level  int    `json:"level"` // 1–6
	Title  string `json:"title"`
	Anchor string `json:"anchor,omitempty"` // fragment that leads to it
}

// StructureSection is what stands under one heading and above the next.
type StructureSection struct {
	Title      string          `json:"title"` // "" for what stands before the first heading
	Level      int             `json:"level"` // 0 for what stands before the first heading
	Anchor     string          `json:"anchor,omitempty"`
	Path       []string        `json:"path"` // titles from the outermost section to this one
	Page       int             `json:"page,omitempty"`
	Text       string          `json:"text"` // without the heading
	CodeBlocks []StructureCode `json:"code_blocks"`
	// in the Document text, heading included, in code points
	CharStart int `json:"char_start"`
	// exclusive; what is not main content may stand between
	CharEnd int `json:"char_end"`
}

// StructureCode is a piece of code.
type StructureCode struct {
	Language string `json:"language"` // "" when the page names none
	Text     string `json:"text"`
}

// StructureLink is a link of the main content.
type StructureLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// Doc returns the structure of the main content of d. Lists are empty rather than null.
func Doc(d *wstk.Document) *Structure {
	s := &Structure{Headings: []StructureHeading{}, Sections: []StructureSection{},
		Links: []StructureLink{}, CodeBlocks: []StructureCode{}}
	at := -2 // the section the last one is made of
	var body []string
	flush := func() {
		if n := len(s.Sections); n > 0 {
			s.Sections[n-1].Text = strings.Join(body, "\n")
		}
		body = nil
	}
	for i := range d.Blocks {
		b := &d.Blocks[i]
		if !b.Main {
			continue
		}
		if b.Section != at {
			flush()
			at = b.Section
			sec := StructureSection{Path: []string{}, Page: b.Page, CodeBlocks: []StructureCode{},
				CharStart: b.CharStart}
			if at >= 0 && at < len(d.Sections) {
				from := d.Sections[at]
				sec.Title, sec.Level, sec.Anchor, sec.Path = from.Title, from.Level,
					from.Anchor, d.SectionPath(at)
				s.Headings = append(s.Headings,
					StructureHeading{from.Level, from.Title, from.Anchor})
			}
			s.Sections = append(s.Sections, sec)
		}
		sec := &s.Sections[len(s.Sections)-1]
		sec.CharEnd = b.CharEnd
		if b.Kind == wstk.BlockHeading {
			continue
		}
		words := d.BlockText(i)
		body = append(body, words)
		if b.Kind == wstk.BlockCode {
			c := StructureCode{b.Lang, words}
			sec.CodeBlocks = append(sec.CodeBlocks, c)
			s.CodeBlocks = append(s.CodeBlocks, c)
		}
	}
	flush()
	seen := map[string]bool{}
	for _, l := range d.Links {
		if l.Main && !seen[l.URL] {
			seen[l.URL] = true
			s.Links = append(s.Links, StructureLink{l.Text, l.URL})
		}
	}
	return s
}
