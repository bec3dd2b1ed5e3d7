package collate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/page"
	"wstk/shared/wstk"
)

// Content writes an extraction as Markdown: its title, statements, evidence and
// conflicts are all it is made of, and indexes into Evidence must be in range. Each statement
// carries marks [n] that count the evidence from 1. The rest is words of pages: characters
// that Markdown would read as a mark, a link, an image or HTML are escaped.
func Content(s wstk.Strategy, x wstk.Extraction) string { return content(s, x, false) }

func content(s wstk.Strategy, x wstk.Extraction, joined bool) string {
	var b strings.Builder
	c := writer{&b, x, joined}
	switch s {
	case wstk.Collection:
		c.item()
	case wstk.Narrative:
		c.account()
	default:
		c.answer()
	}
	c.disagreements()
	return strings.TrimRight(strings.ReplaceAll(b.String(), "\n\n\n", "\n\n"), "\n")
}

type writer struct {
	*strings.Builder
	x wstk.Extraction
	// as rules before "5" wrote it: what was left out between two statements is not shown
	joined bool
}

// answer writes each statement as a paragraph.
func (c writer) answer() {
	for _, s := range c.x.Statements {
		c.statement(s, "")
		c.WriteString("\n\n")
	}
}

// account writes sentences of one source as one paragraph, with an ellipsis between two if
// their page has more words there. Words that are not a sentence are a paragraph of their
// own.
func (c writer) account() {
	last := ""
	for i, s := range c.x.Statements {
		u := ""
		if len(s.Evidence) > 0 {
			u = c.x.Evidence[s.Evidence[0]].URL
		}
		table := c.rows(s) != nil
		switch {
		case i == 0:
		case u == last && !table &&
			(c.joined || inLine(c.x.Statements[i-1], s) && c.adjoin(c.x.Statements[i-1], s)):
			c.WriteByte(' ')
		case u == last && !table && inLine(c.x.Statements[i-1], s):
			c.WriteString(" … ")
		default:
			c.WriteString("\n\n")
		}
		last = u
		if table {
			last = ""
		}
		c.statement(s, "")
	}
	c.WriteByte('\n')
}

// inLine reports whether a statement may follow another one in its line: the first ends as
// a sentence or a lead does, and the second does not begin small, as if it went on.
func inLine(a, b wstk.Statement) bool {
	next, _ := utf8.DecodeRuneInString(b.Statement)
	return page.EndsWith(strings.TrimRight(a.Statement, `"”’»)]`), page.SentenceStops+"?？؟…:：") &&
		!unicode.IsLower(next)
}

// adjoin reports whether a statement is right after another one on their page, or neither
// is text.
func (c writer) adjoin(a, b wstk.Statement) bool {
	const most = 4 // bytes: a stop, blanks, the mark of an item
	_, end, isText := c.at(a)
	start, _, also := c.at(b)
	if !isText || !also {
		return isText == also
	}
	return end <= start && start <= end+most
}

// at is the range of a statement in the text of its page, in bytes.
func (c writer) at(s wstk.Statement) (start, end int, ok bool) {
	if len(s.Evidence) == 0 {
		return 0, 0, false
	}
	e := c.x.Evidence[s.Evidence[0]]
	span, ok := e.Span()
	if i := strings.Index(e.Quote, s.Statement); ok && i >= 0 {
		return span.ByteStart + i, span.ByteStart + i + len(s.Statement), true
	}
	return span.ByteStart, span.ByteEnd, ok
}

// item writes a title, its fields as a list, and its other statements.
func (c writer) item() {
	titles := func(s wstk.Statement) bool {
		return (s.Field == "title" || s.Field == "") && s.Statement == c.x.Title
	}
	titled := false
	for _, s := range c.x.Statements {
		if titles(s) && !titled {
			titled = true
			c.WriteString("### " + escape(oneLine(s.Statement)) + c.marks(s) + "\n\n")
		}
	}
	if !titled && c.x.Title != "" {
		c.WriteString("### " + escape(oneLine(c.x.Title)) + "\n\n")
	}
	fields := false
	for _, s := range c.x.Statements {
		if s.Field != "" && !titles(s) {
			c.WriteString("- **" + escape(oneLine(s.Field)) + ":** " +
				escape(oneLine(s.Statement)) + c.marks(s) + "\n")
			fields = true
		}
	}
	if fields {
		c.WriteByte('\n')
	}
	for _, s := range c.x.Statements {
		if s.Field == "" && !titles(s) {
			c.statement(s, "")
			c.WriteString("\n\n")
		}
	}
}

// statement writes one statement. A table row that is quoted with its header
// becomes a small table; other cells are separated by bars.
func (c writer) statement(s wstk.Statement, lead string) {
	if rows := c.rows(s); rows != nil && s.Field == "" {
		for i, r := range rows {
			c.WriteString("|")
			for _, cell := range r {
				c.WriteString(" " + strings.ReplaceAll(escape(oneLine(cell)), "|", "\\|") + " |")
			}
			c.WriteByte('\n')
			if i == 0 {
				c.WriteString("|" + strings.Repeat(" --- |", len(r)) + "\n")
			}
		}
		c.WriteString("\n" + strings.TrimPrefix(c.marks(s), " "))
		return
	}
	if s.Field != "" {
		c.WriteString("**" + escape(oneLine(s.Field)) + ":** ")
	}
	c.WriteString(lead + escape(oneLine(s.Statement)) + c.marks(s))
}

// rows returns header and row of a statement whose evidence is a table row and its
// header row; nil for any other.
func (c writer) rows(s wstk.Statement) [][]string {
	if len(s.Evidence) < 2 || !strings.Contains(s.Statement, "\t") {
		return nil
	}
	row, header := c.x.Evidence[s.Evidence[0]], c.x.Evidence[s.Evidence[1]]
	if row.Quote != s.Statement || header.URL != row.URL {
		return nil
	}
	r, h := strings.Split(row.Quote, "\t"), strings.Split(header.Quote, "\t")
	if len(r) != len(h) {
		return nil
	}
	return [][]string{h, r}
}

func (c writer) marks(s wstk.Statement) string {
	var b strings.Builder
	for i, n := range s.Evidence {
		if i == 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "[%d]", n+1)
	}
	b.WriteString(c.flags(s))
	if len(s.Open) > 0 {
		b.WriteString(" (no quote says “" + escape(oneLine(strings.Join(s.Open, "”, “"))) + "”)")
	}
	if s.Language != "" {
		b.WriteString(" (translated)")
	}
	return b.String()
}

// flags words what limits the quotes of a statement: " (comment)".
func (c writer) flags(s wstk.Statement) string {
	var flags []string
	for _, n := range s.Evidence {
		for _, f := range c.x.Evidence[n].Flags {
			flags = append(flags, escape(oneLine(string(f))))
		}
	}
	if len(flags) == 0 {
		return ""
	}
	slices.Sort(flags)
	return " (" + strings.Join(slices.Compact(flags), ", ") + ")"
}

// disagreements shows both sides of each conflict.
func (c writer) disagreements() {
	for _, t := range c.x.Conflicts {
		c.WriteString("\n> Sources disagree on " + escape(oneLine(t.Topic)) + ":\n")
		for _, s := range t.Claims {
			c.WriteString("> - " + escape(oneLine(s.Statement)))
			for i, n := range s.Evidence {
				if i == 0 {
					c.WriteByte(' ')
				}
				fmt.Fprintf(c, "[%d]", n+1)
			}
			c.WriteByte('\n')
		}
	}
}

// oneLine puts a quote on one line: cells are separated by bars, lines by blanks.
func oneLine(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "\t", " | ")
	return strings.Join(strings.Fields(s), " ")
}

// escape makes words of a page plain in Markdown: brackets that would read as a
// mark, a link or an image, and angle brackets that would read as HTML or an
// autolink. Other marks are left, so that names_with_underscores stay as they are.
func escape(s string) string {
	var b strings.Builder
	lone := strings.Count(s, "`")%2 == 1 // would pair with that of another statement
	for i := 0; i < len(s); i++ {
		if s[i] == '`' && lone || reads(s, i) {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// reads reports whether the byte of s at i would be read as Markdown.
func reads(s string, i int) bool {
	next := byte(0)
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch c := s[i]; c {
	case '[', ']':
		return true
	case '<':
		return next != 0 && strings.IndexByte("/!?", next) >= 0 ||
			'a' <= next|0x20 && next|0x20 <= 'z'
	case '\\':
		return next != 0 && strings.IndexByte(`[]<\`, next) >= 0
	case '>', '=':
		return i == 0
	case '#', '-', '+':
		return i == 0 && (len(s) == 1 || next == ' ' || next == c)
	}
	return false
}
