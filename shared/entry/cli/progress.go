package cli

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

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

// statusLine shows what is being done on one line of a terminal; nil shows nothing. It is safe for
// concurrent use.
type statusLine struct {
	p *printer

	mu    sync.Mutex
	drawn bool
}

// status is the one line of the command, where progress should be shown.
func (c *command) status() *statusLine {
	if c.line == nil && c.progressive() {
		c.line = &statusLine{p: c.printer(c.stderr())}
	}
	return c.line
}

func (l *statusLine) show(format string, args ...any) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprint(l.p.w, crMark+escMark+"[K"+oneLine(fmt.Sprintf(format, args...), l.p.width))
	l.drawn = true
}

// done takes the line away.
func (l *statusLine) done() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.drawn {
		fmt.Fprint(l.p.w, crMark+escMark+"[K")
	}
	l.drawn = false
}

// noticing shows what fails for a moment and is tried again, such as a model that is busy.
func (l *statusLine) noticing(ctx context.Context) context.Context {
	if l == nil {
		return ctx
	}
	return wstk.Noticing(ctx, func(n wstk.Notice) {
		if n.Wait >= time.Second/2 { // a shorter one is over before it is read
			l.show("trying again in %.0f s: %s", math.Ceil(n.Wait.Seconds()), n.Why)
		}
	})
}
