package said

import (
	"fmt"

	"wstk/shared/app/answering"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Turn says what a turn of an answer about a page decided, and by which rule.
func Turn(t wstk.Turn) string {
	more := ""
	if n := len(t.Links); n > 0 {
		more = ", " + text.Count(n, "link") + " weighed"
	}
	return fmt.Sprintf("turn %d: %s decides %s; %s, coverage %.2f, %s open%s", t.N, t.Rule, t.Move,
		text.Count(t.Signals.Passages, "passage"), t.Signals.Coverage,
		text.Count(t.Signals.Gaps, "gap"), more)
}

// Progress says how far an extraction is.
func Progress(p answering.Progress) string {
	switch p.Stage {
	case answering.StageFetch:
		of := 0
		if p.PagesOf != nil {
			of = *p.PagesOf
		}
		return fmt.Sprintf("reading pages: %d of %d", min(p.Pages, of), of)
	case answering.StageRecall:
		return "searching the stored pages"
	case answering.StagePartition:
		return fmt.Sprintf("grouping passages of %s", text.Count(p.Pages, "page"))
	}
	of := ""
	if p.Of != nil {
		of = fmt.Sprintf(" of %d", *p.Of)
	}
	return fmt.Sprintf("answering from %s: %d%s done", text.Count(p.Pages, "page"), p.Done, of)
}
