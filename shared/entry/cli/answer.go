package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

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
// many agree. With proof each page has its quotes, with their places.
func humanAnswer(p *printer, res wstk.AskResult, proof bool) {
	for i, x := range res.Extractions {
		if i > 0 {
			p.line()
		}
		showContent(p, x)
		p.line()
		if proof {
			for n, e := range x.Evidence {
				showEvidence(p, n+1, e)
			}
		} else {
			showCited(p, x)
		}
		grade := x.Grounded()
		if n := len(x.Sources); n > 1 {
			grade += fmt.Sprintf(" (%d pages quoted)", n)
		}
		p.line("  " + p.bold(grade))
		for _, k := range x.Conflicts {
			p.line(p.yellow("  sources disagree: ") + oneLine(k.Topic, 80))
			for _, cl := range k.Claims {
				p.linef("    %s  %s", oneLine(cl.Statement, 100), p.dim(cl.SourceURL))
			}
		}
		for _, u := range x.Unsupported {
			p.linef("  %s %s (%s)", p.yellow("not supported:"), oneLine(u.Statement, 100),
				strings.ReplaceAll(u.Reason, "_", " "))
		}
		showGaps(p, x.Gaps)
	}
	showPassages(p, res.Passages)
	if res.HasAnswer() { // else they are the next steps of the error
		showGaps(p, res.Gaps)
	}
}

// showContent shows what an answer says in the words of its pages, without the marks of
// Markdown. Conflicts are shown by themselves.
func showContent(p *printer, x wstk.Extraction) {
	if x.Title != "" && !strings.HasPrefix(x.Content, "### ") { // which is the title
		p.line(p.bold(oneLine(x.Title, p.width)))
	}
	for _, para := range strings.Split(x.Content, "\n") {
		title, titled := strings.CutPrefix(para, "### ")
		switch {
		case strings.TrimSpace(para) == "", strings.HasPrefix(para, "> "),
			strings.HasPrefix(para, "| --- "):
		case titled:
			p.line(p.bold(wrap(unmarked(title), "", p.width)))
		default:
			p.line(wrap(unmarked(para), "", p.width))
		}
	}
}

// unmarked returns a line of Content without the marks that the program put there: the
// asterisks around the name of a field, and the backslashes before what Markdown would read.
func unmarked(s string) string {
	if at := strings.Index(s, ":** "); strings.HasPrefix(s, "- **") && at > 0 {
		s = "- " + s[len("- **"):at] + ": " + s[at+len(":** "):]
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("[]<\\`>=#-+|", s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// showCited lists the pages that an answer quotes, each with the numbers of its quotes. A quote
// that the answer does not repeat word for word is shown beside its page.
func showCited(p *printer, x wstk.Extraction) {
	titles := map[string]string{}
	for _, s := range x.Sources {
		titles[s.URL] = s.Title
	}
	said := map[string]bool{}
	for _, s := range x.Statements {
		said[s.Statement] = true
	}
	var pages []string
	quotes := map[string][]int{}
	for n, e := range x.Evidence {
		if quotes[e.URL] == nil {
			pages = append(pages, e.URL)
		}
		quotes[e.URL] = append(quotes[e.URL], n)
	}
	for _, url := range pages {
		marks := ""
		for _, n := range quotes[url] {
			marks += fmt.Sprintf("[%d]", n+1)
		}
		name := titles[url]
		if name == "" {
			name = url
		}
		p.line(wrap(name, "  "+marks+" ", p.width))
		if name != url {
			p.line("      " + p.cyan(safe(url)))
		}
		for _, n := range quotes[url] {
			if e := x.Evidence[n]; !said[e.Quote] || len(e.Flags) > 0 || e.Partial {
				p.line(wrap("“"+oneLine(e.Quote, shownPassage)+"”"+flagged(e.Flags)+
					teaser(e.Partial), fmt.Sprintf("      [%d] ", n+1), p.width))
			}
		}
	}
}

// shownPassage is how much of a passage a terminal shows, in code points.
const shownPassage = 400

// showPassages shows what stands nearest to a question without an answer.
func showPassages(p *printer, passages []wstk.Passage) {
	if len(passages) == 0 {
		return
	}
	p.line(p.bold("Nearest passages, not an answer:"))
	for i, passage := range passages {
		e := passage.Evidence
		p.line()
		p.line(wrap("“"+oneLine(e.Quote, shownPassage)+"”"+flagged(e.Flags)+teaser(e.Partial),
			fmt.Sprintf("  [%d] ", i+1), p.width))
		if len(e.SectionPath) > 0 {
			p.line("      " + p.dim(path(e.SectionPath)))
		}
		p.line("      " + p.cyan(safe(e.Link)))
		p.line("      " + p.dim(oneLine(passage.Why, p.width-6)))
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
