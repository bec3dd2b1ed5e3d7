package read

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strings"
	"unicode"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/stage/read/pdf"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// readPDF reads a PDF. Its text is what the reader makes of glyphs: paragraphs put
// together of lines, words that a line's end parts joined again. Offsets and quotes
// refer to that text. Every block knows its page; running heads and page numbers are
// blocks that are not main. A section's anchor opens its page.
func readPDF(ctx context.Context, in Input) (*wstk.Document, error) {
	src, err := pdf.Read(ctx, in.Body)
	if err != nil {
		return nil, err
	}
	b := newBuilder(deadline.New(ctx), "pdf/4")
	d := b.doc
	d.Choice = wstk.Choice{Name: "pdf", Reason: "all but running heads and page numbers"}
	d.Meta.Title, d.Meta.Author, d.Meta.Description = text.Prefix(text.Strip(src.Title), 500),
		text.Prefix(text.Strip(src.Author), 500), text.Prefix(text.Strip(src.Subject), 1000)
	d.Meta.Language = languageTag(src.Language)
	if !src.Created.IsZero() {
		d.Meta.PublishedAt = &src.Created
	}
	if !src.Modified.IsZero() {
		d.Meta.ModifiedAt = &src.Modified
	}
	r := pdfReader{builder: b, src: src, levels: headingLevels(src)}
	r.plan()
	for i := range src.Pages {
		r.page(i)
	}
	if d.Meta.Title == "" || placeholderTitle(d.Meta.Title) {
		d.Meta.Title = r.biggest
	}
	for _, l := range src.Links {
		if u, err := text.Resolve(in.URL, l.URL); err == nil && leads(l.URL) {
			d.Links = append(d.Links,
				wstk.Link{URL: u, Text: collapse(text.Strip(l.Text)), Main: true, Element: -1})
		}
	}
	r.warn(in.URL)
	if len(d.Blocks) > 0 {
		d.Markdown = r.md.String()
	}
	return b.finish(), nil
}

type pdfReader struct {
	*builder
	src     *pdf.Document
	levels  map[int]int      // heading level by rounded size
	starts  map[[2]int]start // by page and block
	md      strings.Builder
	biggest string // what stands largest on the first page
	tables  int
}

// start is the outline's word that a section begins at a block.
type start struct {
	title string
	level int
	found bool // the block says the title itself
}

// headingLevels tells which sizes of letters are those of headings: over the size that
// most of the text has, the largest is level 1.
func headingLevels(src *pdf.Document) map[int]int {
	count := map[int]int{}
	for i := range src.Pages {
		for _, b := range src.Pages[i].Blocks {
			count[half(b.Size)] += len(b.Text)
		}
	}
	body, most := 0, 0
	for size, n := range count {
		if n > most || n == most && size < body {
			body, most = size, n
		}
	}
	var sizes []int
	for size := range count {
		if size*100 >= body*115 {
			sizes = append(sizes, size)
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(sizes)))
	levels := map[int]int{}
	for i, size := range sizes {
		levels[size] = min(i+1, 5)
	}
	levels[-1] = min(len(sizes)+1, 6) // bold lines of the text's own size
	return levels
}

// half is a size in half points, so that rounding errors make no levels.
func half(size float64) int { return int(math.Round(size * 2)) }

// plan finds the block each line of the outline means: the one that says its title, or
// the first at or below the place it names.
func (r *pdfReader) plan() {
	r.starts = map[[2]int]start{}
	for _, e := range r.src.Outline {
		if e.Page < 1 || e.Page > len(r.src.Pages) {
			continue
		}
		blocks := r.src.Pages[e.Page-1].Blocks
		at, found := -1, false
		want := text.FoldCompare(e.Title)
		for k := range blocks {
			if got := text.FoldCompare(blocks[k].Text); len(got) < 300 && want != "" &&
				(got == want || strings.HasSuffix(got, " "+want)) && !blocks[k].Margin {
				at, found = k, true
				break
			}
		}
		for k := 0; at < 0 && k < len(blocks); k++ {
			if !blocks[k].Margin && (e.Y < 0 || blocks[k].Y <= e.Y+1) {
				at = k
			}
		}
		if at < 0 {
			continue
		}
		key := [2]int{e.Page, at}
		if _, taken := r.starts[key]; !taken {
			r.starts[key] = start{text.Prefix(text.Strip(e.Title), 500), min(e.Level, 6), found}
		}
	}
}

func (r *pdfReader) page(i int) {
	number := i + 1
	if i > 0 {
		r.md.WriteString("\n")
	}
	fmt.Fprintf(&r.md, "<!-- page %d -->\n", number)
	for k := range r.src.Pages[i].Blocks {
		r.block(number, k, &r.src.Pages[i].Blocks[k])
	}
	for _, h := range r.src.Pages[i].Hidden {
		s := []rune(text.Strip(h.Text))
		r.doc.Hidden = append(r.doc.Hidden, wstk.Hidden{Element: -1, Reason: h.Reason,
			Text: string(s[:min(len(s), 500)]), Chars: len(s)})
	}
}

// heading returns the level of a block that is a heading, 0 for others. An outline is
// the author's own word, so sizes are not looked at where there is one.
func (r *pdfReader) heading(b *pdf.Block, s start, planned bool) int {
	switch {
	case b.Margin || b.Kind == pdf.Row || b.Kind == pdf.Code && !s.found:
		return 0
	case planned:
		if s.found {
			return s.level
		}
		return 0
	case len(r.src.Outline) > 1 || len(b.Text) > 200 || b.Lines > 3:
		return 0
	}
	if l := r.levels[half(b.Size)]; l > 0 && hasLetter(b.Text) {
		return l
	}
	if b.Bold && b.Kind == pdf.Paragraph && b.Lines == 1 && hasLetter(b.Text) &&
		!strings.HasSuffix(b.Text, ".") && !strings.HasSuffix(b.Text, ":") {
		return r.levels[-1]
	}
	return 0
}

func (r *pdfReader) block(page, k int, b *pdf.Block) {
	s, planned := r.starts[[2]int{page, k}]
	level := r.heading(b, s, planned)
	if planned && level == 0 {
		r.openSection(s.title, s.level)
		r.anchor(page)
	}
	kind := map[pdf.Kind]wstk.BlockKind{pdf.Paragraph: wstk.BlockParagraph,
		pdf.Item: wstk.BlockListItem, pdf.Row: wstk.BlockTableRow, pdf.Code: wstk.BlockCode}[b.Kind]
	depth := 0
	switch {
	case level > 0:
		kind, depth = wstk.BlockHeading, level
	case b.Margin:
		kind = wstk.BlockOther
	case kind == wstk.BlockListItem:
		depth = 1
	}
	words := b.Text
	if level > 0 {
		words = collapse(words) // a heading is one line
	}
	i := r.addParts(kind, depth, words, struckParts(words, b.Struck))
	if i < 0 {
		if r.joined && !b.Margin {
			r.md.WriteString("\n" + words + "\n")
		}
		return
	}
	if kind == wstk.BlockHeading {
		r.anchor(page)
	}
	bl := &r.doc.Blocks[i]
	bl.Page, bl.Main = page, !b.Margin
	fresh := false
	if b.Kind == pdf.Row {
		if i == 0 || r.doc.Blocks[i-1].Table == 0 || b.Table != r.lastTable(k, page) {
			r.tables++
			fresh = true
		}
		bl.Table = r.tables
	}
	if page == 1 && kind == wstk.BlockHeading && r.biggest == "" {
		r.biggest = text.Prefix(b.Text, 300)
	}
	r.markdown(bl, fresh)
}

// struckParts finds the words of a block that a line goes through. Where it is not clear
// which they are, since they stand twice or are split by the end of a line, it is all of it.
func struckParts(words string, struck []string) []flagged {
	var out []flagged
	at := 0
	for _, s := range struck {
		i := strings.Index(words[at:], s)
		if i < 0 || strings.Count(words, s) > 1 {
			return []flagged{{0, len(words), isStruck}}
		}
		out = append(out, flagged{at + i, at + i + len(s), isStruck})
		at += i + len(s)
	}
	return out
}

// lastTable is the ordinal of the table that the block before stands in.
func (r *pdfReader) lastTable(k, page int) int {
	if k == 0 {
		return 0
	}
	return r.src.Pages[page-1].Blocks[k-1].Table
}

func (r *pdfReader) anchor(page int) {
	r.doc.Sections[len(r.doc.Sections)-1].Anchor = fmt.Sprintf("page=%d", page)
}

// markdown writes a block.
func (r *pdfReader) markdown(b *wstk.Block, fresh bool) {
	if b.Main {
		blockMarkdown(&r.md, b, r.text.String()[b.ByteStart:b.ByteEnd], fresh)
	}
}

// blockMarkdown writes a block from its text alone; fresh begins a table. Signs that
// Markdown would take for marks are escaped where they begin a line; elsewhere a page's
// own text stays readable.
func blockMarkdown(md *strings.Builder, b *wstk.Block, s string, fresh bool) {
	if b.Kind != wstk.BlockTableRow || fresh {
		md.WriteByte('\n')
	}
	switch b.Kind {
	case wstk.BlockHeading:
		md.WriteString(strings.Repeat("#", b.Level) + " " + collapse(s))
	case wstk.BlockCode:
		md.WriteString(fence(s, b.Lang))
	case wstk.BlockTableRow:
		cells := strings.Split(strings.ReplaceAll(s, "|", "\\|"), "\t")
		md.WriteString("| " + strings.Join(cells, " | ") + " |")
		if fresh {
			md.WriteString("\n|" + strings.Repeat(" --- |", len(cells)))
		}
	case wstk.BlockListItem:
		if b.Element >= 0 { // its mark is no part of its text
			s = "- " + s
		} else if first, rest, ok := strings.Cut(s, " "); ok && len([]rune(first)) == 1 {
			s = "- " + rest
		}
		md.WriteString(s)
	default:
		if strings.HasPrefix(s, "#") || strings.HasPrefix(s, ">") {
			s = "\\" + s
		}
		md.WriteString(s)
	}
	md.WriteByte('\n')
}

// warn says what of the file could not be read.
func (r *pdfReader) warn(url string) {
	add := func(code, format string, args ...any) {
		r.doc.Warnings = append(r.doc.Warnings,
			wstk.Warning{Code: code, Message: fmt.Sprintf(format, args...), URL: url})
	}
	empty, pictures, recognised := 0, 0, 0
	for i := range r.src.Pages {
		p := &r.src.Pages[i]
		switch {
		case p.OCR:
			recognised++
		case len(p.Blocks) == 0 && p.Images > 0:
			pictures++
		case len(p.Blocks) == 0:
			empty++
		}
	}
	pages := len(r.src.Pages)
	switch {
	case pictures == 0:
	case pictures+empty == pages:
		add("no_text_layer", "The PDF is a scan: its pages are pictures without text. Run text "+
			"recognition over it first, for instance: ocrmypdf IN.pdf OUT.pdf")
	default:
		add("no_text_layer", "%d of %d pages are pictures without text.", pictures, pages)
	}
	if recognised > 0 {
		add("recognised_text", "The text of %d of %d pages was recognised from pictures and may "+
			"be misread.", recognised, pages)
	}
	if n := r.src.Undecoded; n*50 > r.src.Glyphs {
		add("unknown_glyphs", "The file does not say which letters %d of its %d signs are; they "+
			"are left out or stand as U+FFFD.", n, r.src.Glyphs)
	}
	if r.src.Cut != "" {
		add("pdf_cut", "The PDF was read up to page %d: %s.", pages, r.src.Cut)
	}
}

func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// placeholderTitle tells titles that programs set for want of one.
func placeholderTitle(s string) bool {
	s = strings.ToLower(s)
	for _, p := range []string{"untitled", "microsoft word - ", "document1", "(anonymous)"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	for _, end := range []string{".doc", ".docx", ".dvi", ".indd", ".tex", ".qxd"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}
