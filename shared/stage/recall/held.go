package recall

import (
	"context"
	"strings"

	"golang.org/x/sync/errgroup"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// held is what a candidate says, read when it is first needed.
type held struct {
	done          bool
	passage, page string // the text of the candidate and that of its page
	missing       string // why there is no text
	// which terms of the run stand in the passage, in the title, and in the title or the
	// headings above the passage
	body, title, around []bool
}

// holds reports whether the candidate has a term in its passage, title or headings.
func (h *held) holds(term int) bool { return h.done && (h.body[term] || h.around[term]) }

// sum adds up the shares of the terms that the candidate holds.
func (h *held) sum(shares []float64) (sum float64) {
	for i, x := range shares {
		if h.holds(i) {
			sum += x
		}
	}
	return sum
}

// read reads the texts of candidates, each once in a run. It is an error if the store does
// not answer.
func (r *run) read(ctx context.Context, cs []*candidate) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for _, c := range cs {
		if !c.done {
			g.Go(func() error { return r.hold(gctx, c) })
		}
	}
	return wstk.Wrap(wstk.Internal, "reading passages", g.Wait())
}

func (r *run) hold(ctx context.Context, c *candidate) (err error) {
	if c.passage, c.page, c.missing, err = r.passage(ctx, c); err != nil {
		return err
	}
	c.body, c.title = r.termsIn(c.passage), r.termsIn(c.Title)
	c.around = c.title
	if c.Chunk != nil && len(c.Chunk.SectionPath) > 0 {
		c.around = r.termsIn(c.Title + "\n" + strings.Join(c.Chunk.SectionPath, "\n"))
	}
	c.done = true
	return nil
}

// termsIn returns for each term whether it stands in s.
func (r *run) termsIn(s string) []bool {
	out := make([]bool, len(r.terms))
	for _, t := range text.Tokenize(s, r.lang) {
		if i, ok := r.at[t.Text]; ok {
			out[i] = true
		}
	}
	return out
}
