package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// row is what became of one question in one wording.
type row struct {
	Manual  string `json:"manual"`
	Half    string `json:"half"`
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Wording string `json:"wording"`
	Query   string `json:"query"`

	Answered bool     `json:"answered"`
	Right    bool     `json:"right"` // an answer is quoted; of none: not answered
	First    bool     `json:"first"` // it is quoted by the first statement
	Shown    int      `json:"shown"` // statements
	Off      int      `json:"off"`   // of these, irrelevant ones
	Words    int      `json:"words"` // in the quotes of all statements
	Parts    int      `json:"parts"` // of a list: answers quoted
	Of       int      `json:"of"`    // of a list: answers that there are
	Passages bool     `json:"passages"`
	Recalled bool     `json:"recalled"` // an answer stands in the best three passages of recall
	Windows  bool     `json:"windows"`  // an answer stands in the best three windows of FTS5
	Belief   *float64 `json:"belief,omitempty"`
	AskMS    float64  `json:"ask_ms"`
	RecallMS float64  `json:"recall_ms"`
	// statements, with quotes where these differ; or nearest passages
	Said []string `json:"said"`
}

// key names the question of a row.
func (r row) key() string { return r.ID + " " + r.Wording }

// askAll asks all questions in these wordings.
func askAll(
	ctx context.Context, a *app.App, m manual, qs []question, wordings []string, w *windows,
) ([]row, error) {
	rows := make([]row, len(qs)*len(wordings))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, q := range qs {
		for j, wording := range wordings {
			group.Go(func() error {
				r, err := ask(ctx, a, q, q.in(wording))
				if err == nil && w != nil && q.Kind != none {
					r.Windows, err = w.find(ctx, r.Query, q.Answer)
				}
				if err != nil {
					return fmt.Errorf("%s (%s): %w", q.ID, wording, err)
				}
				r.Manual, r.Half, r.Wording = m.Name, m.Half, wording
				rows[i*len(wordings)+j] = r
				return nil
			})
		}
	}
	return rows, group.Wait()
}

// ask asks one question and scores the reply.
func ask(ctx context.Context, a *app.App, q question, words string) (row, error) {
	r := row{ID: q.ID, Kind: q.Kind, Query: words, Said: []string{}}
	started := time.Now()
	res, err := a.Answering.Ask(ctx, wstk.AskQuery{Query: words, Strict: true})
	r.AskMS = milliseconds(started)
	if err != nil {
		return r, err
	}
	got, err := replyOf(res)
	if err != nil {
		return r, err
	}
	started = time.Now()
	found, err := a.Answering.Recall(ctx, answering.RecallRequest{Query: words})
	r.RecallMS = milliseconds(started)
	if err != nil {
		return r, err
	}
	var best []string
	for _, h := range found.Hits {
		if h.Kind == wstk.KindChunk && len(best) < 3 {
			best = append(best, h.Text)
		}
	}
	r.Recalled = holds(best, q.Answer)
	r.score(q, got)
	return r, nil
}

// score says how good a reply is.
func (r *row) score(q question, got reply) {
	r.Answered, r.Belief = got.answered(), got.belief()
	var all []string
	for i, s := range got.statements() {
		quotes := s.quotes()
		all = append(all, quotes...)
		r.Shown++
		r.Words += len(strings.Fields(strings.Join(quotes, " ")))
		r.Said = append(r.Said, s.said())
		if holds(quotes, q.Answer) {
			r.Right, r.First = true, r.First || i == 0
		} else if !ofPassage(quotes, q.Passages) {
			r.Off++
		}
	}
	for _, p := range got.Passages {
		r.Passages = r.Passages || holds([]string{p.Evidence.Quote}, q.Answer)
		r.Said = append(r.Said, "NEAREST: "+p.Evidence.Quote)
	}
	switch q.Kind {
	case none:
		r.Right = !r.Answered
	case "list":
		r.Of = len(q.Answer)
		for _, one := range q.Answer {
			if holds(all, []string{one}) {
				r.Parts++
			}
		}
	}
}

// ofPassage reports whether one of the quotes is a part of a passage that answers, or holds one.
func ofPassage(quotes, passages []string) bool {
	return holds(quotes, passages) || holds(passages, quotes)
}

func milliseconds(since time.Time) float64 {
	return float64(time.Since(since).Microseconds()) / 1000
}
