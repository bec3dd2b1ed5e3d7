package research

import (
	"fmt"

	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// Steps returns what may help after an error, the most likely first; nil if nothing is known. They
// are data: Do names what to do, Setting or Variable what to set, and String says it in words.
func Steps(err error) []wstk.Step { return wstk.StepsOf(err) }

// NoAnswer is an honest no: everything worked, and what is stored does not answer the question.
// Its code is Empty.
type NoAnswer struct {
	Question string
	Passages []wstk.Passage // that come nearest to the question, best first; no answer
	Gaps     []wstk.Gap     // what is lacking: search for each with SearchForGap

	steps []wstk.Step // that may help
}

// Error says that nothing answers the question.
func (n *NoAnswer) Error() string {
	return fmt.Sprintf("what is stored does not answer %q", n.Question)
}

// Unwrap returns an error with the code Empty and the steps that may help.
func (n *NoAnswer) Unwrap() error {
	steps := n.steps
	if steps == nil {
		steps = wstk.Advices("ask with other words")
		for _, g := range n.Gaps {
			steps = append(steps, wstk.Step{Do: wstk.DoSearch, For: "find pages that say it",
				Query: g.Query})
		}
	}
	return wstk.Errorf(wstk.Empty, "", "no page answers this").Try(steps...)
}

// Unanswered returns a *NoAnswer if a result has no answer, for callers that treat one as an error;
// else nil. After an answer about a page, Steps of it says how to read on.
func Unanswered(result Result) error {
	if result.HasAnswer() {
		return nil
	}
	asked := result.Asked()
	gaps := asked.Gaps
	for _, x := range asked.Extractions {
		gaps = append(gaps[:len(gaps):len(gaps)], x.Gaps...)
	}
	no := &NoAnswer{Question: asked.Query, Passages: asked.Passages, Gaps: gaps}
	if about, ok := result.(wstk.AnswerResult); ok {
		no.steps = answering.AfterNo(about)
	}
	return no
}
