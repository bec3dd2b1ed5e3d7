// Package summarize writes a summary of a page for search: what the page is about, what it
// offers, asks and calls for, and which names it holds.
//
// An Engine does the writing. Heuristic, the engine that needs no model, picks sentences and
// phrases of the page; engines that call a model take several pages at once. Stage puts a
// cache before either, and leaves out each signal that is not in the page's text. Begin
// reading at Stage.Do.
package summarize

import (
	"context"
	"strings"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Stage summarises documents, each text once for each engine, model and prompt.
type Stage struct {
	Engine    Engine             // nil means Heuristic
	Summaries wstk.SummaryStore  // the cache; nil means none
	Now       func() time.Time   // nil means time.Now
	Batch     int                // documents in one call of the engine; 0 means 8
	Report    func(u wstk.Usage) // told what each call of the engine cost; may be nil
}

// Do returns the summary of each document, in order, and stores those that the store did not
// hold. Doing it again returns the stored ones, with no call of the engine. If a batch fails,
// the summaries of earlier batches are stored and the error is returned.
func (s *Stage) Do(ctx context.Context, docs ...*wstk.Document) ([]wstk.Summary, error) {
	engine := s.Engine
	if engine == nil {
		engine = Heuristic{}
	}
	out := make([]wstk.Summary, len(docs))
	var missing []int
	for i, d := range docs {
		if s.Summaries != nil {
			sum, err := s.Summaries.Get(ctx, key(engine, d))
			if err == nil {
				out[i] = sum
				continue
			}
			if wstk.CodeOf(err) != wstk.NotFound {
				return nil, wstk.Wrap(wstk.Internal, "looking up summary", err)
			}
		}
		missing = append(missing, i)
	}
	batch := s.Batch
	if batch <= 0 {
		batch = 8
	}
	for len(missing) > 0 {
		n := min(batch, len(missing))
		if err := s.write(ctx, engine, docs, missing[:n], out); err != nil {
			return nil, err
		}
		missing = missing[n:]
	}
	return out, nil
}

// write asks the engine for the documents named by which and stores what it says.
func (s *Stage) write(
	ctx context.Context, engine Engine, docs []*wstk.Document, which []int, out []wstk.Summary,
) error {
	ask := make([]*wstk.Document, len(which))
	for i, w := range which {
		ask[i] = docs[w]
	}
	got, usage, err := engine.Summarize(ctx, ask)
	if s.Report != nil {
		s.Report(usage)
	}
	if err != nil {
		return wstk.Wrap(wstk.ModelFailed, "summarizing", err)
	}
	if len(got) != len(ask) {
		return wstk.Errorf(wstk.ModelFailed, "summarizing", "%s gave %d summaries for %d pages",
			engine.Name(), len(got), len(ask))
	}
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	for i, w := range which {
		d, sum := docs[w], got[i]
		k := key(engine, d)
		sum.URL, sum.TextSHA256, sum.Engine, sum.Model, sum.PromptHash = k.URL, k.TextSHA256,
			k.Engine, k.Model, k.PromptHash
		sum.CreatedAt = now().UTC()
		sum.Signals = onPage(sum.Signals, d.Text)
		if s.Summaries != nil {
			if err := s.Summaries.Put(ctx, sum); err != nil {
				return wstk.Wrap(wstk.Internal, "storing summary", err)
			}
		}
		out[w] = sum
	}
	return nil
}

func key(e Engine, d *wstk.Document) wstk.SummaryKey {
	return wstk.SummaryKey{URL: d.URL, TextSHA256: d.TextSHA256, Engine: e.Name(), Model: e.Model(),
		PromptHash: e.PromptHash()}
}

// onPage keeps the phrases that stand in page, except for case, white space and the
// fold table. A model invents; what it made up must not make its page rank.
func onPage(s wstk.Signals, page string) wstk.Signals {
	folded := ""
	keep := func(phrases []string) []string {
		out := []string{}
		for _, p := range phrases {
			if strings.TrimSpace(p) == "" {
				continue
			}
			if !strings.Contains(page, p) {
				if folded == "" {
					folded = text.FoldCompare(page)
				}
				if !strings.Contains(folded, text.FoldCompare(p)) {
					continue
				}
			}
			out = append(out, p)
		}
		return out
	}
	return wstk.Signals{Offers: keep(s.Offers), Asks: keep(s.Asks),
		CallsToAction: keep(s.CallsToAction), Entities: keep(s.Entities)}
}
