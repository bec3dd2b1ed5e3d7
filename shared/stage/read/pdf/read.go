// Package pdf reads the text of PDF files: pages, and on each its blocks in reading
// order, with the title, the outline and the links.
//
// A PDF holds no words and no lines, only glyphs at places. Tables of the file say which
// letters a glyph shows. If they are missing, the glyph becomes U+FFFD and is counted.
// Nothing is guessed from pictures.
//
// The input is hostile. Every bound is a count (bytes decoded, objects, operators, glyphs,
// pages, nesting), so the same bytes give the same text everywhere, and Document.Cut says
// what a bound cut off.
//
// Begin reading at Read. A file is opened (file.go, xref.go), each page's content is run
// (content.go, operator.go) onto its ground (ground.go), and the glyphs that a reader sees
// become lines (layout.go) and blocks (blocks.go).
package pdf

import (
	"context"
	"strings"
	"time"
	"unicode/utf16"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Document is the text of a PDF and what the file says about itself.
type Document struct {
	Title, Author, Subject, Language string
	Created, Modified                time.Time // zero when unknown
	Pages                            []Page
	Outline                          []Entry
	Links                            []Link
	Cut                              string // why the reading ended early, "" if it did not
	Undecoded                        int    // glyphs whose letters the file does not state
	Glyphs                           int    // that are visible
}

// Page is one page.
type Page struct {
	Blocks []Block
	Hidden []Hidden
	OCR    bool // the text is a layer over a picture, made by recognition
	Images int

	height float64
}

// Hidden is text on a page that no reader sees.
type Hidden struct {
	Reason string // invisible, same_color, tiny, off_screen, layer, clip, covered
	Text   string
}

// Entry is a line of the outline.
type Entry struct {
	Title string
	Level int     // from 1
	Page  int     // from 1, 0 when unknown
	Y     float64 // where on the page, in points from the bottom; -1 when unknown
}

// Link leads out of the file.
type Link struct {
	URL, Text string
	Page      int // from 1
}

// Read reads a PDF. If body is not a PDF, is damaged beyond use or needs a password, the
// error is UnsupportedMediaType; if ctx ends, it is Cancelled.
func Read(ctx context.Context, body []byte) (doc *Document, err error) {
	stop := deadline.New(ctx)
	defer func() {
		switch v := recover(); {
		case v == nil:
		case stop.Ended(v, &err):
			doc = nil
		default: // a fault of this reader on hostile input costs one file, not the process
			doc, err = nil, wstk.Errorf(wstk.UnsupportedMediaType, "reading page",
				"the PDF is damaged in a way that this reader does not understand")
		}
	}()
	f, err := open(stop, body)
	if err != nil {
		return nil, err
	}
	d := &Document{}
	f.info(d)
	words := vocabulary{}
	numbers, err := f.readPages(ctx, d, words)
	if err != nil {
		return nil, err
	}
	for i := range d.Pages {
		d.Pages[i].write(words)
	}
	margins(d.Pages)
	f.outline(d, numbers)
	return d, nil
}

// readPages reads the pages into a document and notes their words. It returns the number of
// each page by its object.
func (f *File) readPages(
	ctx context.Context, d *Document, words vocabulary,
) (map[ref]int, error) {
	dicts, cut := f.pages()
	if cut {
		d.Cut = "it has more pages than are read"
	}
	numbers := map[ref]int{}
	for i, pg := range dicts {
		if err := ctx.Err(); err != nil {
			return nil, wstk.Wrap(wstk.Cancelled, "reading page", err)
		}
		numbers[pg.id] = i + 1
		p := f.paint(pg)
		if err := ctx.Err(); err != nil {
			return nil, wstk.Wrap(wstk.Cancelled, "reading page", err)
		}
		p.marks(pg)
		p.covered()
		page := p.finish(d)
		for k := range page.Blocks {
			words.note(&page.Blocks[k])
		}
		d.Pages = append(d.Pages, page)
		f.links(d, p, pg, i+1)
		if p.spent || f.spent || f.budget == 0 {
			d.Cut = "it holds more than is read of one file"
			break
		}
		if len(f.cache) > 1<<14 { // objects of earlier pages
			f.cache = map[int]any{}
		}
	}
	return numbers, nil
}

// write makes the texts of the blocks of a page.
func (p *Page) write(words vocabulary) {
	for k := range p.Blocks {
		b := &p.Blocks[k]
		b.Text, b.Lines = words.join(b), len(b.lines)
		for _, l := range b.lines {
			b.Struck = append(b.Struck, l.struck...)
		}
		b.lines = nil
	}
}

// finish turns the glyphs of a page into blocks.
func (p *painter) finish(d *Document) Page {
	out := Page{Images: p.images, height: p.page.y1}
	seen, unseen := 0, 0
	for i := range p.glyphs {
		if strings.TrimSpace(p.glyphs[i].text) == "" {
			continue
		}
		switch g := &p.glyphs[i]; {
		case g.why == "":
			seen++
		case g.pictured():
			unseen++
		}
	}
	// On a picture of a page, text that is not painted, or that the picture covers, is
	// what was recognised on it, and is where its words are seen. Beside visible text it
	// is hidden.
	out.OCR = p.images > 0 && unseen > 5*seen
	var visible []glyph
	hidden := map[string][]glyph{}
	for _, g := range p.glyphs {
		if g.why == "" || out.OCR && g.pictured() {
			visible = append(visible, g)
			d.Glyphs++
			if g.text == undecodable {
				d.Undecoded++
			}
			continue
		}
		hidden[g.why] = append(hidden[g.why], g)
	}
	out.Blocks = blocksOf(regions(visible))
	for _, why := range []string{reasonMode, reasonColour, reasonTiny, reasonOutside, reasonLayer,
		reasonClip, reasonCovered} {
		var parts []string
		for _, r := range regions(hidden[why]) {
			for i := range r.lines {
				parts = append(parts, r.lines[i].text())
			}
		}
		if len(parts) > 0 {
			out.Hidden = append(out.Hidden, Hidden{why, strings.Join(parts, " ")})
		}
	}
	return out
}

// pictured reports whether a glyph may be a word of a picture that was recognised.
func (g *glyph) pictured() bool { return g.why == reasonMode || g.under }

func (f *File) info(d *Document) {
	info := f.dict(f.trailer["Info"])
	root := f.dict(f.trailer["Root"])
	get := func(k string) string {
		s, _ := f.value(info[k]).(str)
		return strings.Join(strings.Fields(textString(s)), " ")
	}
	d.Title, d.Author, d.Subject = get("Title"), get("Author"), get("Subject")
	d.Created, d.Modified = date(get("CreationDate")), date(get("ModDate"))
	if s, ok := f.value(root["Lang"]).(str); ok {
		d.Language = textString(s)
	}
}

// docEncoding is what the bytes from 0x80 to 0x9f show in PDFDocEncoding.
var docEncoding = [32]string{"•", "†", "‡", "…", "—", "–", "ƒ", "⁄", "‹", "›", "−", "‰", "„",
	"“", "”", "‘", "’", "‚", "™", "fi", "fl", "Ł", "Œ", "Š", "Ÿ", "Ž", "ı", "ł", "œ", "š", "ž", ""}

// textString decodes a string that is meant for people.
func textString(s str) string {
	switch {
	case strings.HasPrefix(string(s), "\xfe\xff"):
		units := make([]uint16, 0, len(s)/2)
		for i := 2; i+1 < len(s); i += 2 {
			units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
		}
		return text.Strip(string(utf16.Decode(units)))
	case strings.HasPrefix(string(s), "\xef\xbb\xbf"):
		return text.Strip(strings.ToValidUTF8(string(s[3:]), undecodable))
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x80 && c < 0xa0:
			b.WriteString(docEncoding[c-0x80])
		case c == 0xa0:
			b.WriteString("€")
		case c >= 32 || c == '\n' || c == '\t':
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// date reads D:20260131120000+01'00'.
func date(s string) time.Time {
	s = strings.ReplaceAll(strings.TrimPrefix(s, "D:"), "'", "")
	for _, layout := range []string{"20060102150405-0700", "20060102150405Z0000", "20060102150405Z",
		"20060102150405-07", "20060102150405", "200601021504", "20060102", "200601", "2006"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 1980 && t.Year() < 2200 {
			return t.UTC()
		}
	}
	return time.Time{}
}

// maxLinks bounds the links of one file.
const maxLinks = 20_000

// links reads the links of a page that lead out of the file.
func (f *File) links(d *Document, p *painter, pg pageDict, number int) {
	for _, v := range f.list(pg.dict["Annots"]) {
		if len(d.Links) >= maxLinks {
			return
		}
		a := f.dict(v)
		if f.value(a["Subtype"]) != name("Link") {
			continue
		}
		uri, ok := f.value(f.dict(a["A"])["URI"]).(str)
		r := f.box(a["Rect"])
		if !ok || r == nil {
			continue
		}
		x0, y0 := p.base.apply(r.x0, r.y0)
		x1, y1 := p.base.apply(r.x1, r.y1)
		at := box{min(x0, x1) - 0.5, min(y0, y1) - 0.5, max(x0, x1) + 0.5, max(y0, y1) + 0.5}
		var some []glyph
		if f.ops += len(p.glyphs); f.ops < f.maxOps {
			f.look()
			for _, g := range p.glyphs {
				if g.why == "" && at.holds((g.x+g.x2)/2, (g.y+g.y2)/2+g.size/4) {
					some = append(some, g)
				}
			}
		}
		var words []string
		for _, reg := range regions(some) {
			for i := range reg.lines {
				words = append(words, reg.lines[i].text())
			}
		}
		d.Links = append(d.Links, Link{URL: strings.ToValidUTF8(string(uri), undecodable),
			Text: strings.Join(words, " "), Page: number})
	}
}
