package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"wstk/shared/app/answering"
	"wstk/shared/entry/said"
	"wstk/shared/wstk"
)

// asking shows an answer while it is made: each part as soon as it is done, and on standard
// error how far it is.
type asking struct {
	c    *command
	line *statusLine
	show *shownAnswer
}

func (c *command) asking(proof bool) *asking {
	return &asking{c, c.status(), &shownAnswer{proof: proof || c.verbose}}
}

// tell shows an event. With --json nothing is shown before the end.
func (a *asking) tell(e answering.Event) {
	switch event := e.Data.(type) {
	case answering.Progress:
		a.show.known(event)
		a.line.show("%s", said.Progress(event))
	case answering.BucketEvent:
		a.line.done()
		a.c.stream(reply{
			plain: func(w io.Writer) { plainExtraction(w, *event.Extraction) },
			human: func(p *printer) { a.show.add(p, *event.Extraction) },
		})
	}
}

// shownAnswer is an answer as a person sees it: what is said, part by part, then the pages that
// say so, then how many sites agree. Marks name pages. With proof they name quotes, which follow
// with their places.
type shownAnswer struct {
	proof bool
	list  bool   // there are several parts: those of one line are items
	parts int    // that were shown
	long  bool   // the part before was no item
	grade string // of the first part
	mixed bool   // another part has another grade
	pages cited
}

// known notes how many parts there are.
func (s *shownAnswer) known(p answering.Progress) {
	s.list = !s.proof && p.Of != nil && *p.Of > 1
}

// add shows one part. What it shows depends on the parts before it alone.
func (s *shownAnswer) add(p *printer, x wstk.Extraction) {
	s.pages.add(x)
	if len(x.Statements) == 0 {
		return
	}
	marks := s.pages.marks
	if s.proof {
		marks = quoteMarks
	}
	all := paragraphsOf(x, marks)
	switch {
	case s.parts == 0:
		s.grade = x.Grounded()
	case x.Grounded() != s.grade:
		s.mixed = true
		if last := len(all) - 1; last >= 0 {
			all[last].marks = append(all[last].marks, " ("+x.Grounded()+")")
		}
	}
	item := s.list && len(all) == 1 && all[0].fits(p.width-2) && len(x.Conflicts) == 0
	if s.parts > 0 && (!item || s.long) {
		p.line()
	}
	s.parts, s.long = s.parts+1, !item
	if item {
		all[0].show(p, "- ")
		return
	}
	showParagraphs(p, all)
	showConflicts(p, x)
	if s.proof {
		p.line()
		for n, e := range x.Evidence {
			showEvidence(p, n+1, e)
		}
	}
}

// translated is what a reader of a translation must know.
const translated = "translated: only values, names, denials and some words that limit or compare were " +
	"compared with the quotes"

// end shows what stands behind the parts of a whole answer.
func (s *shownAnswer) end(p *printer, res wstk.AskResult) {
	if slices.ContainsFunc(res.Extractions, func(x wstk.Extraction) bool {
		return slices.ContainsFunc(x.Statements, func(s wstk.Statement) bool {
			return s.Language != ""
		})
	}) {
		p.line()
		p.line(p.dim(translated))
	}
	if !s.proof && len(s.pages.list) > 0 {
		p.line()
		s.pages.show(p)
	}
	if s.parts > 0 {
		grade := s.grade
		if s.mixed {
			grade += ", unless noted"
		}
		p.line("  " + p.bold(grade))
	}
	for _, x := range res.Extractions {
		for _, u := range x.Unsupported {
			p.linef("  %s %s (%s)", p.yellow("not supported:"), oneLine(u.Statement, 100),
				strings.ReplaceAll(u.Reason, "_", " "))
		}
		showGaps(p, x.Gaps)
	}
	showPassages(p, res.Passages, s.proof)
	if res.HasAnswer() { // else they are the next steps of the error
		showGaps(p, res.Gaps)
	}
	if s.proof && res.Proposer != nil {
		for _, op := range slices.Sorted(maps.Keys(res.Proposer.Models)) {
			by := res.Proposer.Models[op]
			p.line(p.dim(fmt.Sprintf("  %s proposed by %s:%s with the prompt %.12s…", op,
				oneLine(by.Provider, 60), oneLine(by.Model, 120), by.PromptHash)))
		}
	}
	if words := said.Cost(res.Proposer, res.Usage); words != "" {
		p.line(p.dim("  " + words))
	}
}

// humanAnswer shows a whole answer at once.
func humanAnswer(p *printer, res wstk.AskResult, proof bool) {
	s := &shownAnswer{proof: proof}
	s.list = !proof && len(res.Extractions) > 1
	for _, x := range res.Extractions {
		s.add(p, x)
	}
	s.end(p, res)
}
