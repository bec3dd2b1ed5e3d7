package cli

import (
	"fmt"
	"strings"

	"wstk/shared/app/crawling"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// progressBar shows a crawl on one line of a terminal.
type progressBar struct {
	p     *printer
	drawn bool
}

func newProgressBar(p *printer) *progressBar { return &progressBar{p: p} }

const barWidth = 24

// show draws the line again. The bar's full length is what was found within the site's
// bounds so far, so it can fall back when a page brings many links: it never claims to
// know more.
func (b *progressBar) show(s crawling.Progress) {
	found, waiting := s.Accounting.InScope(), s.Accounting.Of(wstk.OutcomeOpen)
	filled := 0
	if found > 0 {
		filled = barWidth * (found - waiting) / found
	}
	bar := strings.Repeat("█", filled) + strings.Repeat("░", barWidth-filled)
	text := fmt.Sprintf("%s %d read, %d waiting of %s found  %.0f/s", bar, s.Accounting.Stored(),
		waiting, text.Count(found, "page"), s.PerSecond())
	if n := s.Accounting.Of(wstk.OutcomeFailed) + s.Accounting.Of(wstk.OutcomeBlocked); n > 0 {
		text += fmt.Sprintf("  %d failed or blocked", n)
	}
	if s.Paused != "" { // first, or a narrow terminal cuts it off
		text = fmt.Sprintf("waits for %s until %s  ", oneLine(s.Paused, 40), s.Until.Local().
			Format("15:04")) + text
	}
	fmt.Fprint(b.p.w, crMark+escMark+"[K"+oneLine(text, b.p.width))
	b.drawn = true
}

func (b *progressBar) done() {
	if b.drawn {
		fmt.Fprint(b.p.w, crMark+escMark+"[K")
	}
}

// statusLine shows what is being done on one line of a terminal; nil shows nothing.
type statusLine struct{ p *printer }

// status is a line where progress should be shown.
func (c *command) status() *statusLine {
	if !c.progressive() {
		return nil
	}
	return &statusLine{c.printer(c.stderr())}
}

func (l *statusLine) show(format string, args ...any) {
	if l != nil {
		fmt.Fprint(l.p.w, crMark+escMark+"[K"+oneLine(fmt.Sprintf(format, args...), l.p.width))
	}
}

func (l *statusLine) done() {
	if l != nil {
		fmt.Fprint(l.p.w, crMark+escMark+"[K")
	}
}
