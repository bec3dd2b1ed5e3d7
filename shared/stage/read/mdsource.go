package read

import (
	"strings"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/wstk"
)

// readMarkdown reads a Markdown body. The Document's text is what a reader of
// the rendered page sees: marks of headings, lists, emphasis and links are gone,
// code stands as it is. The Document's Markdown is the body itself.
func readMarkdown(stop *deadline.Stop, url, src string) *wstk.Document {
	src = lines(src)
	r := &mdReader{builder: newBuilder(stop, "markdown/4"), url: url}
	r.doc.Markdown = src
	rows := strings.Split(src, "\n")
	i := r.frontMatter(rows)
	for i < len(rows) {
		stop.Tick()
		i = r.block(rows, i)
	}
	r.flush()
	if r.doc.Meta.Title == "" && len(r.doc.Sections) > 0 {
		r.doc.Meta.Title = r.doc.Sections[0].Title
	}
	return r.finish()
}

type mdReader struct {
	*builder
	url   string
	para  []string
	kind  wstk.BlockKind
	level int
	table int

	strikes []flagged // of what inline read last
	places  []place   // of the same
}

// flush ends the paragraph in the making.
func (r *mdReader) flush() {
	if len(r.para) > 0 {
		kind := r.kind
		if kind == "" {
			kind = wstk.BlockParagraph
		}
		r.words(kind, r.level, strings.Join(r.para, " "))
	}
	r.para, r.kind, r.level = r.para[:0], "", 0
}

// frontMatter reads a YAML head for the title and returns the line after it.
func (r *mdReader) frontMatter(rows []string) int {
	if strings.TrimSpace(rows[0]) != "---" {
		return 0
	}
	for i := 1; i < len(rows) && i < 200; i++ {
		l := strings.TrimSpace(rows[i])
		if l == "---" || l == "..." {
			return i + 1
		}
		k, v, ok := strings.Cut(l, ":")
		if ok && strings.EqualFold(k, "title") {
			r.doc.Meta.Title = strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	r.doc.Meta.Title = ""
	return 0
}

// mdLine is a line of a Markdown body.
type mdLine struct {
	rows   []string // all lines
	i      int      // which of them it is
	body   string   // without white space around
	indent int
}

// mdForms read the line at which a block begins or goes on, each one form. A form returns
// the next line to read, or 0 where the line is not of its form. The first that takes the
// line reads it; the last takes every line.
var mdForms = []func(*mdReader, mdLine) int{
	(*mdReader).emptyLine,
	(*mdReader).fenced,
	(*mdReader).indented,
	(*mdReader).heading,
	(*mdReader).underline,
	(*mdReader).thematicBreak,
	(*mdReader).quote,
	(*mdReader).item,
	(*mdReader).tableRows,
	(*mdReader).comment,
	(*mdReader).paragraph,
}

// block reads the line i and returns the next one to read.
func (r *mdReader) block(rows []string, i int) int {
	body := strings.TrimLeft(rows[i], " \t")
	l := mdLine{rows: rows, i: i, body: strings.TrimRight(body, " \t"),
		indent: len(rows[i]) - len(body)}
	for _, form := range mdForms {
		if next := form(r, l); next > 0 {
			return next
		}
	}
	return i + 1
}

func (r *mdReader) emptyLine(l mdLine) int {
	if l.body != "" {
		return 0
	}
	r.flush()
	return l.i + 1
}

func (r *mdReader) heading(l mdLine) int {
	n := hashes(l.body)
	if n == 0 {
		return 0
	}
	r.flush()
	r.words(wstk.BlockHeading, n,
		strings.Trim(strings.TrimRight(strings.TrimSpace(l.body[n:]), "#"), " \t"))
	return l.i + 1
}

// underline makes a heading of the paragraph above.
func (r *mdReader) underline(l mdLine) int {
	if len(r.para) == 0 || r.kind != "" ||
		strings.Trim(l.body, "=") != "" && strings.Trim(l.body, "-") != "" {
		return 0
	}
	r.kind, r.level = wstk.BlockHeading, 1
	if l.body[0] == '-' {
		r.level = 2
	}
	r.flush()
	return l.i + 1
}

func (r *mdReader) thematicBreak(l mdLine) int {
	if !thematic(l.body) {
		return 0
	}
	r.flush()
	return l.i + 1
}

func (r *mdReader) quote(l mdLine) int {
	if l.body[0] != '>' {
		return 0
	}
	if r.kind != wstk.BlockQuote {
		r.flush()
		r.kind = wstk.BlockQuote
	}
	if q := strings.TrimLeft(l.body, "> "); q == "" {
		r.flush()
	} else {
		r.para = append(r.para, q)
	}
	return l.i + 1
}

func (r *mdReader) item(l mdLine) int {
	item, ok := listItem(l.body)
	if !ok || l.indent >= 4 && r.kind != wstk.BlockListItem {
		return 0
	}
	r.flush()
	r.kind, r.level = wstk.BlockListItem, 1+l.indent/2
	r.para = append(r.para, item)
	return l.i + 1
}

func (r *mdReader) comment(l mdLine) int {
	if !strings.HasPrefix(l.body, "<!--") {
		return 0
	}
	r.flush()
	i := l.i
	for i < len(l.rows) && !strings.Contains(l.rows[i], "-->") {
		i++
	}
	return i + 1
}

func (r *mdReader) paragraph(l mdLine) int {
	r.para = append(r.para, l.body)
	return l.i + 1
}

// hashes is the level of a heading that begins with hash signs, 0 for other lines.
func hashes(s string) int {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}

// thematic reports whether a line is a thematic break: ***, ---, ___.
func thematic(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	return len(s) >= 3 && (strings.Trim(s, "*") == "" || strings.Trim(s, "-") == "" ||
		strings.Trim(s, "_") == "")
}

// listItem returns what stands in a line behind the mark of a list item.
func listItem(s string) (item string, ok bool) {
	if strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "* ") || strings.HasPrefix(s, "+ ") ||
		strings.HasPrefix(s, "-\t") || strings.HasPrefix(s, "*\t") ||
		strings.HasPrefix(s, "+\t") {
		s = strings.TrimSpace(s[2:])
		for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
			s = strings.TrimPrefix(s, box)
		}
		return s, true
	}
	return numberedItem(s)
}

// numberedItem is listItem for marks such as 1. and 1).
func numberedItem(s string) (item string, ok bool) {
	n := 0
	for n < len(s) && n < 9 && digit(s[n]) {
		n++
	}
	if rest := s[n:]; n > 0 && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return strings.TrimSpace(rest[2:]), true
	}
	return "", false
}

func (r *mdReader) fenced(at mdLine) int {
	body, i := at.body, at.i
	if !strings.HasPrefix(body, "```") && !strings.HasPrefix(body, "~~~") {
		return 0
	}
	r.flush()
	mark := body[:len(body)-len(strings.TrimLeft(body, body[:1]))]
	lang := languageName(strings.TrimSpace(body[len(mark):]))
	var code []string
	for i++; i < len(at.rows); i++ {
		l := at.rows[i]
		if t := strings.TrimSpace(l); strings.HasPrefix(t, mark) &&
			strings.Trim(t, mark[:1]) == "" {
			i++
			break
		}
		for k := 0; k < at.indent && strings.HasPrefix(l, " "); k++ {
			l = l[1:]
		}
		code = append(code, l)
	}
	r.code(code, lang)
	return i
}

func (r *mdReader) indented(at mdLine) int {
	if at.indent < 4 || len(r.para) > 0 || r.kind != "" {
		return 0
	}
	code := []string{unindented(at.rows[at.i])}
	i := at.i + 1
	for ; i < len(at.rows); i++ {
		l := at.rows[i]
		switch {
		case strings.HasPrefix(l, "    "):
			code = append(code, l[4:])
		case strings.HasPrefix(l, "\t"):
			code = append(code, l[1:])
		case strings.TrimSpace(l) == "":
			code = append(code, "")
		default:
			r.code(code, "")
			return i
		}
	}
	r.code(code, "")
	return i
}

// unindented is a line without the first four columns of its white space. A tab reaches
// to the next column that four divides.
func unindented(l string) string {
	column := 0
	for column < 4 && l != "" && (l[0] == ' ' || l[0] == '\t') {
		if column++; l[0] == '\t' {
			column = 4
		}
		l = l[1:]
	}
	return l
}

func (r *mdReader) code(rows []string, lang string) {
	s := string(trimLines([]byte(strings.Join(rows, "\n"))))
	if k := r.add(wstk.BlockCode, 0, s); k >= 0 {
		r.doc.Blocks[k].Lang = lang
	}
}

// tableRule reports whether a line is the one under the head of a table.
func tableRule(s string) bool {
	return strings.Contains(s, "-") && strings.Contains(s, "|") && strings.Trim(s, "|-: \t") == ""
}

func (r *mdReader) tableRows(at mdLine) int {
	rows, i := at.rows, at.i
	if i+1 >= len(rows) || !strings.Contains(at.body, "|") || !tableRule(rows[i+1]) {
		return 0
	}
	r.flush()
	r.table++
	for k := i; k < len(rows); k++ {
		if !strings.Contains(rows[k], "|") || strings.TrimSpace(rows[k]) == "" {
			return k
		}
		if k == i+1 {
			continue
		}
		r.tableRow(rows[k], k == i)
	}
	return len(rows)
}

func (r *mdReader) tableRow(row string, header bool) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
	var parts []flagged
	var places []place
	at := 0
	for c := range cells {
		cells[c] = r.inline(strings.TrimSpace(cells[c]))
		parts = append(parts, r.struck(at)...)
		places = append(places, shifted(r.places, at)...)
		at += len(cells[c]) + len("\t")
	}
	words := strings.TrimRight(strings.Join(cells, "\t"), "\t")
	parts = overlay(parts, incomplete([]byte(words), places, false))
	if n := r.addParts(wstk.BlockTableRow, 0, words, parts); n >= 0 {
		r.doc.Blocks[n].Table, r.doc.Blocks[n].IsHeader = r.table, header
	}
}

// words adds a block of text with marks.
func (r *mdReader) words(kind wstk.BlockKind, level int, s string) {
	s = r.inline(s)
	r.addParts(kind, level, s, overlay(r.struck(0), incomplete([]byte(s), r.places, false)))
}

// struck returns the crossed-out parts of what inline read last, which stands at a
// byte of its block.
func (r *mdReader) struck(at int) []flagged {
	parts := r.strikes
	r.strikes = nil
	for i := range parts {
		parts[i].start, parts[i].end = parts[i].start+at, parts[i].end+at
	}
	return parts
}
