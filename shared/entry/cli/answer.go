package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

func plainAnswer(w io.Writer, res wstk.AskResult) {
	for _, x := range res.Extractions {
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
}

// humanAnswer shows an answer to a person: what is said, then the pages that say so, then how
// many sites agree. Marks name pages. With proof they name quotes, which follow with their places.
func humanAnswer(p *printer, res wstk.AskResult, proof bool) {
	pages := citedIn(res)
	showSaid(p, res, pages, proof)
	if !proof && len(pages.list) > 0 {
		p.line()
		pages.show(p)
	}
	if len(res.Extractions) > 0 && sameGrade(res) {
		p.line("  " + p.bold(res.Extractions[0].Grounded()))
	}
	for _, x := range res.Extractions {
		for _, u := range x.Unsupported {
			p.linef("  %s %s (%s)", p.yellow("not supported:"), oneLine(u.Statement, 100),
				strings.ReplaceAll(u.Reason, "_", " "))
		}
		showGaps(p, x.Gaps)
	}
	showPassages(p, res.Passages, proof)
	if res.HasAnswer() { // else they are the next steps of the error
		showGaps(p, res.Gaps)
	}
}

// sameGrade reports whether all answers of a reply have the same grade, in words.
func sameGrade(res wstk.AskResult) bool {
	return !slices.ContainsFunc(res.Extractions, func(x wstk.Extraction) bool {
		return x.Grounded() != res.Extractions[0].Grounded()
	})
}

// showSaid shows what each answer says, and on what its sources disagree. Items of one line are
// a list.
func showSaid(p *printer, res wstk.AskResult, pages *cited, proof bool) {
	marks := pages.marks
	if proof {
		marks = quoteMarks
	}
	all := make([][]paragraph, len(res.Extractions))
	list := len(res.Extractions) > 1 && !proof
	for i, x := range res.Extractions {
		all[i] = saidIn(x, marks)
		if last := len(all[i]) - 1; last >= 0 && !sameGrade(res) {
			all[i][last].marks = append(all[i][last].marks, " ("+x.Grounded()+")")
		}
		list = list && len(all[i]) == 1 && all[i][0].fits(p.width-2) && len(x.Conflicts) == 0
	}
	for i, x := range res.Extractions {
		if list {
			all[i][0].show(p, "- ")
			continue
		}
		if i > 0 {
			p.line()
		}
		showParagraphs(p, all[i])
		showConflicts(p, x)
		if proof {
			p.line()
			for n, e := range x.Evidence {
				showEvidence(p, n+1, e)
			}
		}
	}
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

func citedIn(res wstk.AskResult) *cited {
	c := &cited{}
	for _, x := range res.Extractions {
		for _, s := range x.Statements {
			for _, part := range partsOf(s, x.Evidence) {
				c.said = append(c.said, folded(strings.Join(part, " ")))
			}
		}
		for _, e := range x.Evidence {
			n := c.number(e.URL)
			if n == 0 {
				c.list = append(c.list, &citedPage{url: e.URL, name: pageName(x, e)})
				n = len(c.list)
			}
			c.list[n-1].quotes = append(c.list[n-1].quotes, e)
		}
	}
	return c
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

// pageName is the title of the page of a quote, and the sections that the quote is in below the
// one that has this title, too.
func pageName(x wstk.Extraction, e wstk.Evidence) string {
	title := ""
	for _, s := range x.Sources {
		if s.URL == e.URL {
			title = strings.TrimSpace(s.Title)
		}
	}
	if title == "" {
		return ""
	}
	core, below := strings.TrimLeft(title, "0123456789. "), 0
	for i, section := range e.SectionPath {
		if strings.Contains(title, section) || core != "" && strings.Contains(section, core) {
			below = i + 1
		}
	}
	return strings.Join(append([]string{title}, e.SectionPath[below:]...), " › ")
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
	quote := folded(cellsOf(e.Quote))
	if slices.ContainsFunc(c.said, func(s string) bool {
		return strings.Contains(s, quote)
	}) {
		return ""
	}
	return "“" + clipped(quote, shownPassage) + "”" + flagged(e.Flags) + teaser(e.Partial)
}

// folded puts words on one line, as they are compared here.
func folded(s string) string { return strings.Join(strings.Fields(s), " ") }

// paragraph is a part of what an answer says.
type paragraph struct {
	lines []string
	marks []string
	title bool
}

// saidIn returns what an answer says, in the lines of its pages, each sentence once: its title,
// its fields, and the rest. Sentences that follow each other on their page are one paragraph.
func saidIn(
	x wstk.Extraction, marks func(wstk.Extraction, []int) []string,
) (out []paragraph) {
	statements := slices.Clone(x.Statements)
	slices.SortStableFunc(statements, func(a, b wstk.Statement) int { return rank(a) - rank(b) })
	if len(statements) > 0 && x.Title != "" {
		out = append(out, paragraph{lines: []string{folded(x.Title)}, title: true})
	}
	for i, s := range statements {
		own := append(marks(x, s.Evidence), limitsOf(s, x.Evidence)...)
		lines := fresh(partsOf(s, x.Evidence), out)
		words := folded(strings.Join(lines, " "))
		last := len(out) - 1
		switch {
		case len(lines) == 0:
			at := slices.IndexFunc(out, func(p paragraph) bool { return p.says(s.Statement) })
			out[max(at, 0)].add(nil, own)
		case last >= 0 && strings.HasPrefix(words, strings.TrimRight(out[last].words(), ".")):
			out[last].lines, out[last].title = lines, false // it says the same and more
			out[last].add(nil, own)
		case i > 0 && last >= 0 && follows(statements[i-1], s, x.Evidence):
			out[last].add(lines, own)
		default:
			out = append(out, paragraph{lines: lines, marks: own})
		}
	}
	return out
}

// limitsOf words what limits the quotes of a statement.
func limitsOf(s wstk.Statement, quotes []wstk.Evidence) (limits []string) {
	for _, n := range s.Evidence {
		if limit := flagged(quotes[n].Flags) + teaser(quotes[n].Partial); limit != "" &&
			!slices.Contains(limits, limit) {
			limits = append(limits, limit)
		}
	}
	return limits
}

// fresh returns the lines of those parts that no paragraph has yet.
func fresh(parts [][]string, out []paragraph) (lines []string) {
	for _, part := range parts {
		words := strings.Join(part, " ")
		if !slices.ContainsFunc(out, func(p paragraph) bool { return p.says(words) }) {
			lines = append(lines, part...)
		}
	}
	return lines
}

// rank orders what an answer says: its title, its fields, and the rest.
func rank(s wstk.Statement) int {
	switch s.Field {
	case "title":
		return 0
	case "":
		return 2
	}
	return 1
}

// partsOf returns the lines of a statement: of a row of a table with its head, and of a sentence
// with what its quotes have before and after it on its page, such as the list that it leads to.
func partsOf(s wstk.Statement, quotes []wstk.Evidence) (parts [][]string) {
	cells := strings.Count(s.Statement, "\t")
	switch {
	case s.Field != "" && s.Field != "title":
		return [][]string{{"- " + s.Field + ": " + folded(s.Statement)}}
	case cells > 0 && !strings.Contains(s.Statement, "\n"):
		if len(s.Evidence) > 1 {
			if head := quotes[s.Evidence[1]].Quote; strings.Count(head, "\t") == cells {
				parts = append(parts, []string{cellsOf(head)})
			}
		}
		return append(parts, []string{cellsOf(s.Statement)})
	}
	before, after := beside(s, quotes)
	for _, q := range before {
		parts = append(parts, split(q, ""))
	}
	parts = append(parts, split(s.Statement, ""))
	for _, q := range after {
		parts = append(parts, split(q, "    "))
	}
	return parts
}

// beside returns the further quotes of a statement that belong to it on its page: those before
// that lead to it or are its heading or its term, and those after that it leads to or that come
// right after it.
func beside(s wstk.Statement, quotes []wstk.Evidence) (before, after []string) {
	if len(s.Evidence) < 2 {
		return nil, nil
	}
	at, ok := quotes[s.Evidence[0]].Span()
	url, end := quotes[s.Evidence[0]].URL, at.ByteEnd
	further := slices.DeleteFunc(slices.Clone(s.Evidence[1:]), func(n int) bool {
		_, also := quotes[n].Span()
		return !ok || !also || quotes[n].URL != url ||
			strings.Contains(folded(s.Statement), folded(quotes[n].Quote))
	})
	slices.SortStableFunc(further, func(a, b int) int {
		return *quotes[a].ByteStart - *quotes[b].ByteStart
	})
	leads := strings.HasSuffix(s.Statement, ":")
	for _, n := range further {
		switch span, _ := quotes[n].Span(); {
		case span.ByteStart < at.ByteStart && !stops(quotes[n].Quote):
			before = append(before, quotes[n].Quote)
		case span.ByteStart >= at.ByteEnd && (leads || span.ByteStart <= end+adjoining):
			after = append(after, quotes[n].Quote)
			end = span.ByteEnd
		}
	}
	return before, after
}

// adjoining is how many bytes are between two parts of a page that follow each other.
const adjoining = 4

// stops reports whether words end as a sentence does.
func stops(words string) bool {
	return strings.ContainsAny(words[max(0, len(words)-1):], ".!?") ||
		strings.HasSuffix(words, "。")
}

// split returns the lines of words of a page, behind an indent.
func split(words, indent string) (lines []string) {
	for line := range strings.Lines(strings.TrimSpace(words)) {
		lines = append(lines, indent+cellsOf(strings.TrimRight(line, " \t\n")))
	}
	return lines
}

// cellsOf shows the cells of a row of a table.
func cellsOf(row string) string { return strings.ReplaceAll(row, "\t", " | ") }

// follows reports whether a sentence comes right after another one on their page.
func follows(a, b wstk.Statement, quotes []wstk.Evidence) bool {
	if a.Field+b.Field != "" || len(a.Evidence) == 0 || len(b.Evidence) == 0 ||
		strings.Contains(a.Statement+b.Statement, "\n") {
		return false
	}
	x, y := quotes[a.Evidence[0]], quotes[b.Evidence[0]]
	first, ok := x.Span()
	next, also := y.Span()
	return ok && also && x.URL == y.URL && first.ByteEnd <= next.ByteStart &&
		next.ByteStart <= first.ByteEnd+adjoining
}

// words are those of a paragraph on one line.
func (p paragraph) words() string { return folded(strings.Join(p.lines, " ")) }

// says reports whether a paragraph has these words already.
func (p paragraph) says(words string) bool {
	return strings.Contains(p.words(), folded(cellsOf(words)))
}

// add puts further lines behind a paragraph.
func (p *paragraph) add(lines, marks []string) {
	p.lines = append(p.lines, lines...)
	for _, m := range marks {
		if !slices.Contains(p.marks, m) {
			p.marks = append(p.marks, m)
		}
	}
}

// fits reports whether a paragraph is one line of this width.
func (p paragraph) fits(width int) bool {
	return len(p.lines) == 1 &&
		utf8.RuneCountInString(p.lines[0])+len(strings.Join(p.marks, ""))+1 <= width
}

// show writes a paragraph behind a mark of a list, if there is one. Lines keep their indent.
func (p paragraph) show(to *printer, mark string) {
	for i, line := range p.lines {
		words := strings.TrimLeft(line, " ")
		indent := strings.Repeat(" ", min(len(line)-len(words), to.width/2))
		if i == 0 {
			indent = mark
		}
		if i == len(p.lines)-1 && len(p.marks) > 0 {
			words += " " + strings.Join(p.marks, "")
		}
		if words = wrap(words, indent, to.width); p.title {
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
			if line = strings.ReplaceAll(line, "\t", " | "); strings.TrimSpace(line) != "" {
				p.line(wrap(line, mark, p.width))
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
