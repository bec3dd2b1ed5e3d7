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
	r := &mdReader{builder: newBuilder(stop, "markdown/3"), url: url}
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

// block reads the line i and returns the next one to read.
func (r *mdReader) block(rows []string, i int) int {
	line := rows[i]
	body := strings.TrimLeft(line, " \t")
	indent := len(line) - len(body)
	body = strings.TrimRight(body, " \t")
	switch {
	case body == "":
		r.flush()
		return i + 1
	case strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~"):
		return r.fenced(rows, i, body, indent)
	case indent >= 4 && len(r.para) == 0 && r.kind == "":
		return r.indented(rows, i)
	}
	if n := hashes(body); n > 0 {
		r.flush()
		r.words(wstk.BlockHeading, n,
			strings.Trim(strings.TrimRight(strings.TrimSpace(body[n:]), "#"), " \t"))
		return i + 1
	}
	if len(r.para) > 0 && r.kind == "" &&
		(strings.Trim(body, "=") == "" || strings.Trim(body, "-") == "") {
		r.kind, r.level = wstk.BlockHeading, 1 // an underlined heading
		if body[0] == '-' {
			r.level = 2
		}
		r.flush()
		return i + 1
	}
	if thematic(body) {
		r.flush()
		return i + 1
	}
	if q := strings.TrimLeft(body, "> "); q != body && body[0] == '>' {
		if r.kind != wstk.BlockQuote {
			r.flush()
			r.kind = wstk.BlockQuote
		}
		if q == "" {
			r.flush()
		} else {
			r.para = append(r.para, q)
		}
		return i + 1
	}
	if item, ok := listItem(body); ok && (indent < 4 || r.kind == wstk.BlockListItem) {
		r.flush()
		r.kind, r.level = wstk.BlockListItem, 1+indent/2
		r.para = append(r.para, item)
		return i + 1
	}
	if i+1 < len(rows) && strings.Contains(body, "|") && tableRule(rows[i+1]) {
		return r.tableRows(rows, i)
	}
	if strings.HasPrefix(body, "<!--") {
		r.flush()
		for ; i < len(rows) && !strings.Contains(rows[i], "-->"); i++ {
		}
		return i + 1
	}
	r.para = append(r.para, body)
	return i + 1
}

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

// thematic tells a thematic break.
func thematic(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	return len(s) >= 3 && (strings.Trim(s, "*") == "" || strings.Trim(s, "-") == "" ||
		strings.Trim(s, "_") == "")
}

func listItem(s string) (string, bool) {
	if len(s) > 1 && (s[0] == '-' || s[0] == '*' || s[0] == '+') && (s[1] == ' ' || s[1] == '\t') {
		s = strings.TrimSpace(s[2:])
		for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
			s = strings.TrimPrefix(s, box)
		}
		return s, true
	}
	n := 0
	for n < len(s) && n < 9 && digit(s[n]) {
		n++
	}
	if n > 0 && n+1 < len(s) && (s[n] == '.' || s[n] == ')') && s[n+1] == ' ' {
		return strings.TrimSpace(s[n+2:]), true
	}
	return "", false
}

func (r *mdReader) fenced(rows []string, i int, body string, indent int) int {
	r.flush()
	mark := body[:len(body)-len(strings.TrimLeft(body, body[:1]))]
	lang := languageName(strings.TrimSpace(body[len(mark):]))
	var code []string
	for i++; i < len(rows); i++ {
		l := rows[i]
		if t := strings.TrimSpace(l); strings.HasPrefix(t, mark) &&
			strings.Trim(t, mark[:1]) == "" {
			i++
			break
		}
		for k := 0; k < indent && strings.HasPrefix(l, " "); k++ {
			l = l[1:]
		}
		code = append(code, l)
	}
	r.code(code, lang)
	return i
}

func (r *mdReader) indented(rows []string, i int) int {
	var code []string
	for ; i < len(rows); i++ {
		l := rows[i]
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

func (r *mdReader) code(rows []string, lang string) {
	s := string(trimLines([]byte(strings.Join(rows, "\n"))))
	if k := r.add(wstk.BlockCode, 0, s); k >= 0 {
		r.doc.Blocks[k].Lang = lang
	}
}

// tableRule tells the line under the head of a table.
func tableRule(s string) bool {
	return strings.Contains(s, "-") && strings.Contains(s, "|") && strings.Trim(s, "|-: \t") == ""
}

func (r *mdReader) tableRows(rows []string, i int) int {
	r.flush()
	r.table++
	for k := i; k < len(rows); k++ {
		if !strings.Contains(rows[k], "|") || strings.TrimSpace(rows[k]) == "" {
			return k
		}
		if k == i+1 {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(rows[k]), "|"), "|")
		var parts []flagged
		at := 0
		for c := range cells {
			cells[c] = r.inline(strings.TrimSpace(cells[c]))
			parts = append(parts, r.struck(at)...)
			at += len(cells[c]) + len("\t")
		}
		if n := r.addParts(wstk.BlockTableRow, 0,
			strings.TrimRight(strings.Join(cells, "\t"), "\t"), parts); n >= 0 {
			r.doc.Blocks[n].Table, r.doc.Blocks[n].IsHeader = r.table, k == i
		}
	}
	return len(rows)
}

// words adds a block of text with marks.
func (r *mdReader) words(kind wstk.BlockKind, level int, s string) {
	s = r.inline(s)
	r.addParts(kind, level, s, r.struck(0))
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

// inline drops the marks of one block's text and notes its links and what it crosses
// out.
func (r *mdReader) inline(s string) string {
	r.strikes = nil
	if !strings.ContainsAny(s, "`*_[]<!\\&~") {
		return s
	}
	struck := -1 // where what is crossed out begins
	closes := strings.LastIndex(s, "~~")
	var b strings.Builder
	closing := strings.LastIndexByte(s, ']')
	var strikes []flagged
	cross := func() {
		if struck >= 0 && struck < b.Len() {
			for len(strikes) > 0 && strikes[len(strikes)-1].start >= struck {
				strikes = strikes[:len(strikes)-1] // of a link within
			}
			strikes = append(strikes, flagged{struck, b.Len(), isStruck})
		}
		struck = -1
	}
	failures := 0 // a line of a million brackets must not cost a million looks ahead
	for i := 0; i < len(s); {
		r.stop.Tick()
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && strings.IndexByte("\\`*_{}[]()#+-.!|<>~", s[i+1]) >= 0:
			b.WriteByte(s[i+1])
			i += 2
		case c == '`':
			n := 1
			for i+n < len(s) && s[i+n] == '`' {
				n++
			}
			mark := s[i : i+n]
			if end := strings.Index(s[i+n:min(len(s), i+n+1024)], mark); end >= 0 {
				b.WriteString(strings.TrimSpace(s[i+n : i+n+end]))
				i += 2*n + end
			} else {
				b.WriteString(mark)
				i += n
			}
		case (c == '[' || c == '!' && i+1 < len(s) && s[i+1] == '[') &&
			i < closing && failures < 1000:
			words, target, length := mdLink(s[i:])
			if length == 0 {
				failures++
				b.WriteByte(c)
				i++
				continue
			}
			if c != '!' { // an image has no visible text
				words = r.inline(words)
				strikes = append(strikes, r.struck(b.Len())...)
				b.WriteString(words)
				if u := leadsTo(r.url, target); u != "" && leads(target) {
					r.link(wstk.Link{URL: u, Text: collapse(words), Main: true, Element: -1})
				}
			}
			i += length
		case c == '<':
			end := strings.IndexByte(s[i:min(len(s), i+2048)], '>')
			if end < 0 || !(i+1 < len(s) &&
				(s[i+1] == '/' || s[i+1]|0x20 >= 'a' && s[i+1]|0x20 <= 'z')) {
				b.WriteByte(c)
				i++
				continue
			}
			if inner := s[i+1 : i+end]; strings.Contains(inner, "://") &&
				!strings.ContainsAny(inner, " \"'") {
				b.WriteString(inner) // an address in angle brackets
				if u := leadsTo(r.url, inner); u != "" {
					r.link(wstk.Link{URL: u, Text: inner, Main: true, Element: -1})
				}
			} else {
				switch tag, _, _ := strings.Cut(strings.ToLower(inner), " "); tag {
				case "del", "s", "strike":
					if struck < 0 {
						struck = b.Len()
					}
				case "/del", "/s", "/strike":
					cross()
				}
			}
			i += end + 1
		case c == '~' && strings.HasPrefix(s[i:], "~~") && (struck >= 0 || i < closes):
			if struck < 0 {
				struck = b.Len()
			} else {
				cross()
			}
			i += len("~~")
		case c == '*' || c == '_' &&
			(i == 0 || !wordByte(s[i-1]) || i+1 == len(s) || !wordByte(s[i+1])):
			n := 1
			for i+n < len(s) && s[i+n] == c {
				n++
			}
			before := i == 0 || s[i-1] == ' '
			after := i+n == len(s) || s[i+n] == ' '
			if before && after { // a star of its own: 3 * 4
				b.WriteString(s[i : i+n])
			}
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	r.strikes = strikes
	return b.String()
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || digit(c) || c >= 0x80
}

// mdLink reads "[words](target)" or "![words](target)" at the start of s; the
// length is 0 where there is none. It looks at no more than 2,048 bytes.
func mdLink(s string) (words, target string, length int) {
	start := 1
	if s[0] == '!' {
		start = 2
	}
	depth := 1
	i := start
	limit := min(len(s), 2048)
	for ; i < limit && depth > 0; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			depth--
		}
	}
	if depth > 0 || i >= limit || s[i] != '(' {
		return "", "", 0
	}
	words = s[start : i-1]
	end := strings.IndexByte(s[i:limit], ')')
	if end < 0 {
		return "", "", 0
	}
	target = strings.TrimSpace(s[i+1 : i+end])
	if k := strings.IndexAny(target, " \t"); k >= 0 { // a title
		target = target[:k]
	}
	return words, strings.Trim(target, "<>"), i + end + 1
}
