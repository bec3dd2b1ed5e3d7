package answering

import (
	"context"

	"wstk/shared/stage/answer"
	"wstk/shared/wstk"
)

// Turned is a turn of the loop with the questions that it asked.
type Turned struct {
	wstk.Turn
	SubQuestions []string  `json:"sub_questions"`
	Stop         wstk.Stop `json:"stop,omitzero"` // of the last turn
	// what the machine goes on with, so that a turn that was noted is not done again
	Next *Looping `json:"next,omitempty"`
}

// markRead notes what became of a page that the loop wanted to read; of says how many there are
// in its turn.
func (a *Room) markRead(
	ctx context.Context, run wstk.RunID, place int, r LinkRead, of int,
) error {
	return a.mark(ctx, run, place, part{Read: &r,
		Progress: &Progress{Stage: StageFetch, Pages: r.N + 1, PagesOf: &of}})
}

// markTurn notes a turn.
func (a *Room) markTurn(
	ctx context.Context, run wstk.RunID, place int, s looped, next Looping,
) error {
	t := Turned{Turn: s.Turns[len(s.Turns)-1], SubQuestions: s.Subs, Stop: s.Stop, Next: &next}
	p := Progress{Stage: StageRecall, Pages: len(s.Pages)}
	if of := len(next.Links); of > 0 {
		p = Progress{Stage: StageFetch, PagesOf: &of}
	}
	return a.mark(ctx, run, place, part{Turn: &t, Progress: &p})
}

// turnAt is what the machine goes on with behind the turn at a place; nil where none is noted.
func (a *Room) turnAt(ctx context.Context, run wstk.RunID, place int) (*Looping, error) {
	parts, err := a.Runs.Parts(ctx, run)
	for _, p := range parts {
		if p.N != firstMark+place {
			continue
		}
		got, err := wstk.GetJSON[part](ctx, a.Blobs, p.Data)
		if err != nil || got.Turn == nil {
			return nil, err
		}
		return got.Turn.Next, nil
	}
	return nil, err
}

// grown is how the pages of an answer were found.
type grown struct {
	URL          string           `json:"url"`
	Content      string           `json:"content"`
	References   []wstk.Reference `json:"references"`
	SubQuestions []string         `json:"sub_questions"`
	Turns        []wstk.Turn      `json:"turns"`
	Stopped      wstk.Stop        `json:"stopped"`
	PagesRead    int              `json:"pages_read"`
}

// into fills a result.
func (g grown) into(r wstk.AskResult) wstk.AnswerResult {
	return wstk.AnswerResult{AskResult: r, URL: g.URL, Content: g.Content, References: g.References,
		SubQuestions: g.SubQuestions, Turns: g.Turns, Stopped: g.Stopped, PagesRead: g.PagesRead}
}

// growth reads from the marks of a run how far its loop came.
func (a *Room) growth(ctx context.Context, q Request, run wstk.RunID) (grown, error) {
	g := grown{URL: q.Answer.URL, References: []wstk.Reference{}, SubQuestions: []string{},
		Turns: []wstk.Turn{}}
	_, marks, err := a.told(ctx, run)
	if err != nil {
		return g, err
	}
	became := map[string]string{}
	for _, m := range marks {
		p, err := wstk.GetJSON[part](ctx, a.Blobs, m.Data)
		if err != nil {
			return g, err
		}
		switch {
		case p.Read != nil:
			became[p.Read.URL] = p.Read.Outcome
			if p.Read.Asked {
				g.PagesRead++
			}
			if m.N == firstMark && p.Read.Page != "" {
				g.URL = p.Read.Page
			}
		case p.Turn != nil:
			g.Turns, g.Stopped = append(g.Turns, p.Turn.Turn), p.Turn.Stop
			g.SubQuestions = p.Turn.SubQuestions
		}
	}
	for _, t := range g.Turns {
		for i, l := range t.Links {
			if l.Chosen {
				t.Links[i].Outcome = became[l.URL]
			}
		}
	}
	return g, nil
}

// cite is how the pages of an answer were found, with the citations of what it says.
func (a *Room) cite(
	ctx context.Context, q Request, run wstk.RunID, r wstk.AskResult,
) (*grown, error) {
	g, err := a.growth(ctx, q, run)
	if r.HasAnswer() {
		g.Content, g.References = answer.Cite(r.Extractions)
	}
	return &g, err
}
