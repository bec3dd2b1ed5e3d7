package read

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// builder makes a Document of blocks whose text is known, for bodies that are
// no HTML.
type builder struct {
	stop  *deadline.Stop
	doc   *wstk.Document
	text  strings.Builder
	chars int
	stack []int // open sections

	joined bool     // blocks beyond maxBuilt were joined
	cut    bool     // links beyond maxLinks were left out
	bounds []string // what of entries was not read
}

func newBuilder(stop *deadline.Stop, reader string) *builder {
	return &builder{stop: stop, doc: &wstk.Document{Reader: reader,
		Choice: wstk.Choice{Name: "body", Reason: "the body is all content"}}}
}

// add appends a block; s is taken as it is, except for invisible characters. What
// has nothing to see is left out. It returns the block's index, -1 if none.
func (b *builder) add(kind wstk.BlockKind, level int, s string) int {
	return b.addParts(kind, level, s, nil)
}

// addParts is add for words of which parts carry flags.
func (b *builder) addParts(kind wstk.BlockKind, level int, s string, parts []flagged) int {
	b.stop.Tick()
	whole := flagSet(0)
	if stripped := text.Strip(s); stripped != s {
		if overrides(s) {
			whole = isReordered
		}
		for _, p := range parts { // where the parts stand has moved
			whole |= p.flags
		}
		s, parts = stripped, nil
	}
	if blank([]byte(s)) {
		return -1
	}
	if i := len(b.doc.Blocks) - 1; i >= maxBuilt && b.extend(s, kind == wstk.BlockHeading) {
		return -1
	}
	if b.text.Len() > 0 {
		b.text.WriteByte('\n')
		b.chars++
	}
	bl := wstk.Block{Kind: kind, Level: level, Section: -1, Element: -1, Main: true}
	bl.ByteStart, bl.CharStart = b.text.Len(), b.chars
	b.text.WriteString(s)
	b.chars += utf8.RuneCountInString(s)
	bl.ByteEnd, bl.CharEnd = b.text.Len(), b.chars
	if kind == wstk.BlockHeading {
		b.openSection(s, level)
	}
	if len(b.stack) > 0 {
		bl.Section = b.stack[len(b.stack)-1]
	}
	b.doc.Flagged = append(b.doc.Flagged, flagsOf([]byte(s), parts, whole, &bl)...)
	b.doc.Blocks = append(b.doc.Blocks, bl)
	return len(b.doc.Blocks) - 1
}

// maxBuilt is how many blocks of such a body are kept apart, see maxBlocks.
const maxBuilt = 200_000

// extend adds a line to the last block, as a page does that has more than maxBlocks.
func (b *builder) extend(s string, heading bool) bool {
	last := &b.doc.Blocks[len(b.doc.Blocks)-1]
	heading = heading || last.Kind == wstk.BlockHeading
	if last.ByteEnd-last.ByteStart+len(s) > maxJoined ||
		heading && len(b.doc.Blocks) < maxBuilt+maxBlocks {
		return false
	}
	b.joined = true
	last.Kind, last.Level, last.Table, last.IsHeader = wstk.BlockOther, 0, 0, false
	b.text.WriteByte('\n')
	b.text.WriteString(s)
	b.chars += 1 + utf8.RuneCountInString(s)
	last.ByteEnd, last.CharEnd = b.text.Len(), b.chars
	return true
}

// link notes a link, unless there are more than are kept.
func (b *builder) link(l wstk.Link) {
	if b.cut = len(b.doc.Links) >= maxLinks; !b.cut {
		b.doc.Links = append(b.doc.Links, l)
	}
}

func (b *builder) openSection(title string, level int) {
	for len(b.stack) > 0 && b.doc.Sections[b.stack[len(b.stack)-1]].Level >= level {
		b.stack = b.stack[:len(b.stack)-1]
	}
	parent := -1
	if len(b.stack) > 0 {
		parent = b.stack[len(b.stack)-1]
	}
	b.doc.Sections = append(b.doc.Sections,
		wstk.Section{Title: title, Level: level, Parent: parent})
	b.stack = append(b.stack, len(b.doc.Sections)-1)
}

func (b *builder) finish() *wstk.Document {
	b.doc.Text = b.text.String()
	if b.joined {
		b.doc.Warnings = append(b.doc.Warnings, wstk.Warning{Code: "reading_bounded",
			Message: fmt.Sprintf("the body has more than %d blocks; those after stand together, "+
				"line by line", maxBuilt)})
	}
	for _, s := range b.bounds {
		b.doc.Warnings = append(b.doc.Warnings, wstk.Warning{Code: "reading_bounded", Message: s})
	}
	if b.cut {
		b.doc.Warnings = append(b.doc.Warnings, wstk.Warning{Code: "links_truncated",
			Message: "the page has more links than are kept"})
	}
	if b.doc.Meta.Language == "" {
		b.doc.Meta.Language = text.DetectLanguage(text.Prefix(b.doc.Text, 4096))
	}
	return b.doc
}

// lines normalises line ends.
func lines(src string) string {
	if strings.IndexByte(src, '\r') < 0 {
		return src
	}
	return strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n")
}

// readPlain reads text/plain: paragraphs are separated by empty lines, lines in
// them stay. A paragraph of which every line is indented is code.
func readPlain(stop *deadline.Stop, url, src string) *wstk.Document {
	b := newBuilder(stop, "text/2")
	src = lines(src)
	var para []string
	flush := func() {
		if len(para) == 0 {
			return
		}
		kind := wstk.BlockCode
		for _, l := range para {
			if !strings.HasPrefix(l, "    ") && !strings.HasPrefix(l, "\t") {
				kind = wstk.BlockParagraph
			}
		}
		b.add(kind, 0, strings.Join(para, "\n"))
		para = para[:0]
	}
	for l := range strings.SplitSeq(src, "\n") {
		stop.Tick()
		l = strings.TrimRight(l, " \t\f")
		if l == "" {
			flush()
			continue
		}
		if b.doc.Meta.Title == "" {
			b.doc.Meta.Title = text.Prefix(strings.TrimSpace(text.Strip(l)), 200)
		}
		para = append(para, l)
	}
	flush()
	b.doc.Markdown = src
	return b.finish()
}

// readJSON reads a JSON body as one block of code, as it stands, so that a
// quote of it stands in the stored bytes; except for a feed, which gives its entries.
func readJSON(stop *deadline.Stop, url, src string) *wstk.Document {
	if f := parseJSONFeed(url, src); f != nil {
		return f.document(stop, url)
	}
	b := newBuilder(stop, "json/2")
	src = string(trimLines([]byte(lines(src))))
	if i := b.add(wstk.BlockCode, 0, src); i >= 0 {
		b.doc.Blocks[i].Lang = "json"
	}
	values, err := parseJSON(stop, src)
	if errors.Is(err, errJSONMany) && json.Valid([]byte(src)) {
		err = nil // well-formed, and too large to be looked into for a title
	} else if err != nil || len(values) != 1 {
		b.doc.Warnings = append(b.doc.Warnings, wstk.Warning{Code: "json_broken",
			Message: "the body is declared as JSON and is not well-formed", URL: url})
	}
	if len(values) != 1 {
	} else if v := &values[0]; v.kind == 'o' {
		for _, k := range []string{"title", "name", "headline"} {
			if b.doc.Meta.Title = text.Prefix(collapse(v.str(k)), 200); b.doc.Meta.Title != "" {
				break
			}
		}
	}
	if b.doc.Meta.Title == "" {
		b.doc.Meta.Title = path.Base(url)
	}
	b.doc.Markdown = fence(src, "json")
	return b.finish()
}

func fence(src, lang string) string {
	longest, run := 2, 0
	for i := range len(src) {
		if src[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	f := strings.Repeat("`", longest+1)
	return f + lang + "\n" + src + "\n" + f
}

// readXML reads the character data of an XML body: an element that holds text is
// a block, with the text of the elements inside it. Comments, attributes and
// instructions are not visible. A body that breaks off or is not well-formed
// gives what stands before the fault, and a warning. A feed gives its entries.
func readXML(stop *deadline.Stop, url, src string) *wstk.Document {
	if f := parseFeed(stop, url, src); f != nil {
		return f.document(stop, url)
	}
	b := newBuilder(stop, "xml/2")
	dec := xml.NewDecoder(strings.NewReader(src))
	dec.Strict = false
	dec.Entity = xml.HTMLEntity
	// decoded already
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var (
		cur     []byte
		element = -1
		open    []int // indexes of the open elements
		first   = -1  // element the block in the making began in
		at      = 0   // depth of that element
		name    string
	)
	flush := func() {
		if s := collapse(string(cur)); s != "" {
			if i := b.add(wstk.BlockParagraph, 0, s); i >= 0 {
				b.doc.Blocks[i].Element = first
				if len(b.doc.Blocks[i:]) == 1 && !proseLike([]byte(s)) {
					b.doc.Blocks[i].Kind = wstk.BlockOther
				}
				if b.doc.Meta.Title == "" && name == "title" {
					b.doc.Meta.Title = text.Prefix(s, 200)
				}
			}
		}
		cur, first = cur[:0], -1
	}
	for {
		stop.Tick()
		tok, err := dec.RawToken()
		if err != nil {
			if err != io.EOF {
				b.doc.Warnings = append(b.doc.Warnings, wstk.Warning{Code: "xml_broken",
					Message: "the body is not well-formed XML; it was read up to the first error",
					URL:     url})
			}
			break
		}
		switch t := tok.(type) {
		case xml.StartElement:
			element++
			// Text that has begun before an element of its own level is a
			// sentence with marked words; else the element begins a block.
			if first < 0 || len(open) <= at-1 {
				flush()
			} else if len(cur) > 0 && blank(cur) {
				flush()
			}
			open = append(open, element)
			name = t.Name.Local
		case xml.EndElement:
			if first >= 0 && len(open) <= at {
				flush()
			}
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case xml.CharData:
			if first < 0 {
				if len(open) == 0 || blank(t) {
					continue
				}
				first, at = open[len(open)-1], len(open)
			}
			cur = append(cur, t...)
		}
	}
	flush()
	b.doc.Markdown = b.text.String()
	return b.finish()
}
