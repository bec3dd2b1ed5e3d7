package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
)

// printer writes for people: it knows whether colour is wanted, and strips
// control characters from whatever a page put into its text, so that no site can
// move the cursor or change the terminal's title.
type printer struct {
	w     io.Writer
	color bool
	width int
}

func (p *printer) line(parts ...string) { fmt.Fprintln(p.w, strings.Join(parts, "")) }

func (p *printer) linef(format string, args ...any) { fmt.Fprintf(p.w, format+"\n", args...) }

func (p *printer) paint(code, s string) string {
	if !p.color || s == "" {
		return s
	}
	return escMark + "[" + code + "m" + s + escMark + "[0m"
}

func (p *printer) bold(s string) string   { return p.paint("1", s) }
func (p *printer) dim(s string) string    { return p.paint("2", s) }
func (p *printer) red(s string) string    { return p.paint("31", s) }
func (p *printer) green(s string) string  { return p.paint("32", s) }
func (p *printer) yellow(s string) string { return p.paint("33", s) }
func (p *printer) cyan(s string) string   { return p.paint("36", s) }

// oneLine is safe text with white space collapsed, cut to at most n code points.
func oneLine(s string, n int) string {
	return text.Shorten(strings.Join(strings.Fields(safe(s)), " "), n)
}

// wrap breaks s at spaces into lines of at most width code points, behind indent; what
// follows the first line is indented as far with spaces.
func wrap(s, indent string, width int) string {
	hang := strings.Repeat(" ", utf8.RuneCountInString(indent))
	width -= len(hang)
	var out strings.Builder
	column := 0
	for i, word := range strings.Fields(safe(s)) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			out.WriteString(indent)
		case column+1+n > width:
			out.WriteString("\n" + hang)
			column = 0
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += n
	}
	return out.String()
}

// path shows a section path.
func path(sections []string) string { return oneLine(strings.Join(sections, " › "), 120) }
