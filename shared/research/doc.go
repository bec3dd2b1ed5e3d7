// Package research is wstk as a Go library: it reads sites, answers questions from what they say,
// and proves each answer with quotes that anyone can check again.
//
//	r, err := research.Open(ctx, research.Options{Dir: "data"})
//	if err != nil {
//		return err
//	}
//	defer r.Close()
//	if _, err := r.Ingest(ctx, "https://example.org/", research.Crawl{MaxPages: 100}); err != nil {
//		return err
//	}
//	answer, err := r.Ask(ctx, "What is the maximum pressure of the pump?")
//
// A page that is not ingested may be asked about, too: Answer reads it, and as many of the pages it
// leads to as the question needs.
//
// Without a model, rules answer; they quote and never invent. With Options.Model, the model
// proposes what to quote and how to put it, and the same checks decide what becomes of it: a quote
// that no stored page contains never comes back as Evidence.
//
// An error says what happened and why, Steps what may help. If no page answers a question, the
// result says so; Unanswered turns it into a *NoAnswer.
//
// An agent builds its own loop from four calls. Search ranks stored pages, Read returns their
// texts, ExtractFrom answers from pages that the caller chose, and SearchForGap searches for what
// an answer lacks. Nothing is retried or refined unless the caller asks for it.
package research
