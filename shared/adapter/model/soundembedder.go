package model

import (
	"context"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Sound wraps an embedder of a service: before its first vectors are used, it must tell apart
// texts on different subjects. A broken one, or a model that was never made to embed, would
// spoil each search without an error. It is safe for concurrent use.
func Sound(e wstk.Embedder) wstk.Embedder {
	s := &sound{Embedder: e, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

type sound struct {
	wstk.Embedder
	turn   chan struct{} // holds one: the right to check
	done   bool          // what follows is known
	broken error
}

// Embed checks first, once in a process. Code of a broken embedder: ModelFailed. Usage counts
// the check, too.
func (s *sound) Embed(
	ctx context.Context, purpose wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	if len(texts) == 0 {
		return s.Embedder.Embed(ctx, purpose)
	}
	used, err := s.check(ctx)
	if err != nil {
		return wstk.EmbedReply{Usage: used}, err
	}
	out, err := s.Embedder.Embed(ctx, purpose, texts...)
	out.Usage.Add(used)
	return out, err
}

// check returns why the embedder cannot be used, and what it cost to learn that now. A service
// that did not answer is asked again by the next call.
func (s *sound) check(ctx context.Context) (wstk.Usage, error) {
	select {
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	case <-ctx.Done():
		code := wstk.Cancelled
		if ctx.Err() == context.DeadlineExceeded {
			code = wstk.Timeout
		}
		return wstk.Usage{}, wstk.Wrap(code, "checking the embedder", ctx.Err())
	}
	if s.done {
		return wstk.Usage{}, s.broken
	}
	right, used, err := CountRight(ctx, s.Embedder)
	switch {
	case err == nil && right < fewestRight:
		s.broken = wstk.Errorf(wstk.ModelFailed, "checking the embedder",
			"the vectors of %s say little about what texts mean: of %s, only %d came nearest to "+
				"their answer", s.Info().ID(), text.Count(len(probes), "plain question"), right).
			Try(wstk.Advices("check embedder.model: a model that writes text does not embed",
				"choose another embedder")...)
		s.done = true
	case err == nil:
		s.done = true
	case wstk.CodeOf(err) == wstk.ModelFailed:
		s.broken, s.done = err, true
	}
	if s.done {
		err = s.broken
	}
	return used, err
}

// fewestRight is how many probes must come out right. An embedder of random directions gets
// that far once in some 800 times.
const fewestRight = 5

// probes are questions with a passage that answers each and no other.
var probes = [][2]string{
	{"When does the ferry leave?", "The ferry leaves the harbour at nine in the morning."},
	{"How do I bake bread?", "Bake the bread for forty minutes in a hot oven."},
	{"Why is my computer slow?", "A computer gets slow when its memory is full."},
	{"What do cats eat?", "Cats eat meat, such as fish, birds and mice."},
	{"How high is the mountain?", "The summit of the mountain is 3,000 metres high."},
	{"Who pays the tax on a house?", "The owner of a house pays the tax on it once a year."},
	{"How do I tune a guitar?",
		"Tune a guitar by turning the pegs until each string sounds right."},
	{"Can a fever be dangerous?", "A high fever can be dangerous for small children."},
}

// CountRight asks the embedder about the probes, and returns of how many questions the answer
// was nearest. Its errors and its Usage are those of the embedder.
func CountRight(ctx context.Context, e wstk.Embedder) (int, wstk.Usage, error) {
	var questions, answers []string
	for _, p := range probes {
		questions, answers = append(questions, p[0]), append(answers, p[1])
	}
	asked, err := e.Embed(ctx, wstk.EmbedQuery, questions...)
	used := asked.Usage
	if err != nil {
		return 0, used, err
	}
	found, err := e.Embed(ctx, wstk.EmbedPassage, answers...)
	used.Add(found.Usage)
	if err != nil {
		return 0, used, err
	}
	right := 0
	for i, q := range asked.Embeddings {
		nearest, best := -1, -2.
		for k, a := range found.Embeddings {
			if c := wstk.Cosine(q.Vector, a.Vector); c > best {
				nearest, best = k, c
			}
		}
		if nearest == i {
			right++
		}
	}
	return right, used, nil
}
