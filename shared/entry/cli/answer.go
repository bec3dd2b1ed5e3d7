package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"wstk/shared/entry/said"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

func plainAnswer(w io.Writer, res wstk.AskResult) {
	for _, x := range res.Extractions {
		plainExtraction(w, x)
	}
}

// plainExtraction prints a statement a line, with the links of its quotes and its grade.
func plainExtraction(w io.Writer, x wstk.Extraction) {
	for _, s := range x.Statements {
		urls := []string{}
		var flags []wstk.Flag
		for _, i := range s.Evidence {
			urls = append(urls, x.Evidence[i].Link)
			flags = append(flags, x.Evidence[i].Flags...)
		}
		slices.Sort(flags)
		fmt.Fprintf(w, "%s%s\t%s\t%s\n", oneLine(s.Statement, 1000),
			flagged(slices.Compact(flags)), strings.Join(urls, " "), x.Grounded())
	}
}

// paragraphsOf returns what an answer says; marks makes those behind a paragraph of its quotes.
func paragraphsOf(
	x wstk.Extraction, marks func(wstk.Extraction, []int) []string,
) (all []paragraph) {
	for _, of := range said.Paragraphs(x) {
		all = append(all, paragraph{of,
			append(marks(x, of.Quotes), limitsOf(of.Quotes, x.Evidence)...)})
	}
	return all
}

// showParagraphs shows paragraphs, with an empty line beside those that are longer than a line.
func showParagraphs(p *printer, all []paragraph) {
	for n, para := range all {
		if n > 0 && !(para.fits(p.width) && all[n-1].fits(p.width)) {
			p.line()
		}
		para.show(p, "")
	}
}

func showConflicts(p *printer, x wstk.Extraction) {
	for _, k := range x.Conflicts {
		p.line(p.yellow("  sources disagree: ") + oneLine(k.Topic, 80))
		for _, cl := range k.Claims {
			p.linef("    %s  %s", oneLine(cl.Statement, 100), p.dim(cl.SourceURL))
		}
	}
}

// quoteMarks are the marks of quotes, each with its number.
func quoteMarks(_ wstk.Extraction, quotes []int) (out []string) {
	for _, n := range quotes {
		out = append(out, fmt.Sprintf("[%d]", n+1))
	}
	return out
}

// cited are the pages that a reply quotes, in the order of their first quote.
type cited struct {
	list []*citedPage
	said []string // all that is shown of statements
}

// citedPage is a page with its quotes.
type citedPage struct {
	url, name string
	quotes    []wstk.Evidence
}

// add takes up the quotes of an answer.
func (c *cited) add(x wstk.Extraction) {
	for _, s := range x.Statements {
		for _, part := range said.Parts(s, x.Evidence) {
			c.said = append(c.said, said.Folded(strings.Join(part, " ")))
		}
	}
	for _, e := range x.Evidence {
		n := c.number(e.URL)
		if n == 0 {
			c.list = append(c.list, &citedPage{url: e.URL, name: said.Page(x, e)})
			n = len(c.list)
		}
		c.list[n-1].quotes = append(c.list[n-1].quotes, e)
	}
}

// number is that of a page, from 1; 0 if it is not quoted.
func (c *cited) number(url string) int {
	return 1 + slices.IndexFunc(c.list, func(p *citedPage) bool { return p.url == url })
}

// marks are those of the pages of quotes, each once.
func (c *cited) marks(x wstk.Extraction, quotes []int) (out []string) {
	for _, n := range quotes {
		if n < 0 || n >= len(x.Evidence) {
			continue
		}
		m := fmt.Sprintf("[%d]", c.number(x.Evidence[n].URL))
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// shownQuotes is how many further quotes of a page are shown.
const shownQuotes = 3

// show lists the pages, each with those of its quotes that no statement repeats.
func (c *cited) show(p *printer) {
	for n, page := range c.list {
		mark := fmt.Sprintf("  [%d] ", n+1)
		if page.name == "" {
			p.line(mark + p.cyan(safe(page.url)))
		} else {
			p.line(wrap(oneLine(page.name, shownName), mark, p.width))
			p.line(strings.Repeat(" ", len(mark)) + p.cyan(safe(page.url)))
		}
		var more []string
		for _, e := range page.quotes {
			if q := c.rest(e); q != "" && !slices.Contains(more, q) {
				more = append(more, q)
			}
		}
		for i, q := range more {
			if i == shownQuotes {
				p.line(p.dim(fmt.Sprintf("      and %s: --proof shows all",
					text.Count(len(more)-i, "further quote"))))
				break
			}
			p.line(wrap(q, "      ", p.width))
		}
	}
}

// rest is what is shown of a quote beside its page: nothing if it is said already.
func (c *cited) rest(e wstk.Evidence) string {
	quote := said.Folded(said.Row(e.Quote))
	if slices.ContainsFunc(c.said, func(s string) bool {
		return strings.Contains(s, quote)
	}) {
		return ""
	}
	return "“" + clipped(quote, shownPassage) + "”" + flagged(e.Flags) + teaser(e.Partial)
}

// paragraph is one with the marks behind it.
type paragraph struct {
	said.Paragraph
	marks []string
}

// limitsOf words what limits quotes.
func limitsOf(of []int, quotes []wstk.Evidence) (limits []string) {
	for _, n := range of {
		if limit := flagged(quotes[n].Flags) + teaser(quotes[n].Partial); limit != "" &&
			!slices.Contains(limits, limit) {
			limits = append(limits, limit)
		}
	}
	return limits
}

// indentOf returns the spaces before a line, at most half of the width.
func indentOf(p *printer, line string) string {
	return line[:min(len(line)-len(strings.TrimLeft(line, " ")), p.width/2)]
}

// fits reports whether a paragraph is one line of this width.
func (p paragraph) fits(width int) bool {
	return len(p.Lines) == 1 && utf8.RuneCountInString(p.Field+p.Lines[0])+
		len(strings.Join(p.marks, ""))+5 <= width
}

// show writes a paragraph behind a mark of a list, if there is one. Lines keep their indent.
func (p paragraph) show(to *printer, mark string) {
	for i, line := range p.Lines {
		words := strings.TrimLeft(line, " ")
		indent := indentOf(to, line)
		switch {
		case i > 0:
		case p.Field != "":
			indent, words = mark+"- ", p.Field+": "+words
		default:
			indent = mark
		}
		if i == len(p.Lines)-1 && len(p.marks) > 0 {
			words += " " + strings.Join(p.marks, "")
		}
		if words = wrap(words, indent, to.width); p.Title {
			words = to.bold(words)
		}
		to.line(words)
	}
}

const (
	shownPassage = 400 // how much of a quote or a passage a terminal shows, in code points
	shownLines   = 12  // how many lines of a passage
	shownName    = 160 // how much of the name of a page, in code points
)

// clipped cuts words that are longer than n code points at a blank.
func clipped(s string, n int) string {
	cut := text.Shorten(s, n)
	if at := strings.LastIndexAny(cut, " \n"); cut != s && at > len(cut)/2 {
		return strings.TrimRight(cut[:at], " \n,;:") + " …"
	}
	return cut
}

// showPassages shows what stands nearest to a question without an answer.
func showPassages(p *printer, passages []wstk.Passage, proof bool) {
	if len(passages) == 0 {
		return
	}
	p.line(p.bold("Nearest passages, not an answer:"))
	for i, passage := range passages {
		e := passage.Evidence
		p.line()
		if proof {
			showEvidence(p, i+1, e)
			p.line(p.dim(wrap(passage.Why, "      ", p.width)))
			continue
		}
		words := strings.TrimSpace(clipped(strings.TrimSpace(e.Quote), shownPassage))
		lines := strings.Split(words, "\n")
		if len(lines) > shownLines {
			lines = append(lines[:shownLines], "…")
		}
		lines[0] = "“" + lines[0]
		lines[len(lines)-1] += "”" + flagged(e.Flags) + teaser(e.Partial)
		for n, line := range lines {
			mark := "      "
			if n == 0 {
				mark = fmt.Sprintf("  [%d] ", i+1)
			}
			if line = said.Row(line); strings.TrimSpace(line) != "" {
				p.line(wrap(line, mark+indentOf(p, line), p.width))
			}
		}
		if len(e.SectionPath) > 0 {
			p.line("      " + p.dim(path(e.SectionPath)))
		}
		p.line("      " + p.cyan(safe(e.URL)))
	}
	p.line()
}

func showGaps(p *printer, gaps []wstk.Gap) {
	for _, g := range gaps {
		p.linef("  %s %s  →  wstk gap %s", p.yellow("missing:"), oneLine(g.Field, 60),
			quoteArg(oneLine(g.Query, 100)))
	}
}

func showEvidence(p *printer, n int, e wstk.Evidence) {
	p.line(wrap("“"+e.Quote+"”"+flagged(e.Flags)+teaser(e.Partial),
		fmt.Sprintf("  [%d] ", n), p.width))
	if len(e.SectionPath) > 0 {
		p.line("      " + p.dim(path(e.SectionPath)))
	}
	p.line("      " + p.cyan(safe(e.Link)))
	if s, ok := e.Span(); ok {
		p.line("      " + p.dim(fmt.Sprintf("%s, characters %d–%d of text %s…, fetched %s",
			e.Status, s.CharStart, s.CharEnd, e.TextSHA256[:12], e.FetchedAt.UTC().
				Format("2006-01-02 15:04 MST"))))
	} else {
		p.line("      " + p.dim(fmt.Sprintf("structured data, element %d at %s of snapshot %s…",
			*e.Element, safe(e.Pointer), e.SnapshotSHA256[:12])))
	}
}

// flagged words flags behind a quote: " [comment]".
func flagged(flags []wstk.Flag) string {
	if len(flags) == 0 {
		return ""
	}
	words := make([]string, len(flags))
	for i, f := range flags {
		words[i] = string(f)
	}
	return " [" + strings.Join(words, ", ") + "]"
}

// teaser words that a page breaks off behind a quote or a passage of it.
func teaser(partial bool) string {
	if partial {
		return " [partial]"
	}
	return ""
}
