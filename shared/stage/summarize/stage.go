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
	"errors"
	"slices"
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
	Batch     int                // documents in one call of the engine; 0 means DefaultBatch
	Report    func(u wstk.Usage) // told what each call of the engine cost; may be nil
}

// Made is what became of a document: its summary, or why there is none.
type Made struct {
	wstk.Summary
	Err error
}

// Do returns the summary of each document, in order, and stores those that the store did not
// hold. Doing it again returns the stored ones, with no call of the engine. If one fails, those
// that were made are stored and the first error is returned.
func (s *Stage) Do(ctx context.Context, docs ...*wstk.Document) ([]wstk.Summary, error) {
	out := make([]wstk.Summary, len(docs))
	for i, m := range s.Each(ctx, docs...) {
		if m.Err != nil {
			return nil, m.Err
		}
		out[i] = m.Summary
	}
	return out, nil
}

// Each is Do for documents that fail by themselves: a batch after one that failed is not asked
// for, unless the failure is that of single documents.
func (s *Stage) Each(ctx context.Context, docs ...*wstk.Document) []Made {
	out := make([]Made, len(docs))
	fail := func(err error) []Made {
		for i := range out {
			out[i].Err = err
		}
		return out
	}
	engine, err := s.engine()
	if err != nil {
		return fail(err)
	}
	missing, first, err := s.lookUp(ctx, engine, docs, out)
	if err != nil {
		return fail(err)
	}
	for some := range slices.Chunk(missing, orDefault(s.Batch, DefaultBatch)) {
		if err == nil {
			err = s.write(ctx, engine, docs, some, out)
		}
		for _, i := range some {
			if err != nil && out[i].Err == nil && out[i].Key() != key(engine, docs[i]) {
				out[i].Err = err
			}
		}
	}
	for i, d := range docs {
		if n := first[key(engine, d)]; n != i {
			out[i] = out[n]
		}
	}
	return out
}

// lookUp fills in the summaries that the store holds. missing are the places of the others, and
// first those of the documents, by their keys: one that is there twice is written once.
func (s *Stage) lookUp(
	ctx context.Context, engine Engine, docs []*wstk.Document, out []Made,
) (missing []int, first map[wstk.SummaryKey]int, err error) {
	first = map[wstk.SummaryKey]int{}
	for i, d := range docs {
		k := key(engine, d)
		if _, ok := first[k]; ok {
			continue
		}
		first[k] = i
		if s.Summaries == nil {
			missing = append(missing, i)
			continue
		}
		sum, err := s.Summaries.Get(ctx, k)
		switch {
		case err == nil:
			out[i].Summary = sum
		case wstk.CodeOf(err) == wstk.NotFound:
			missing = append(missing, i)
		default:
			return nil, nil, wstk.Wrap(wstk.Internal, "looking up summary", err)
		}
	}
	return missing, first, nil
}

// DefaultBatch is how many documents are in one call of an engine.
const DefaultBatch = 10

func orDefault(n, standard int) int {
	if n > 0 {
		return n
	}
	return standard
}

// engine is who writes in one call: one that reads its prompt anew for each call is prepared.
func (s *Stage) engine() (Engine, error) {
	if s.Engine == nil {
		return Heuristic{}, nil
	}
	if p, ok := s.Engine.(interface{ Prepare() (Engine, error) }); ok {
		return p.Prepare()
	}
	return s.Engine, nil
}

// Asks reports whether the engine is asked for several documents in one call, so that it pays to
// wait for more of them.
func (s *Stage) Asks() bool {
	_, heuristic := s.Engine.(Heuristic)
	return s.Engine != nil && !heuristic
}

// reporting is the key under which a context carries what Reporting was given.
type reporting struct{}

// Reporting returns a context in which tell is told what each call of an engine cost, and who was
// asked. It is called by the goroutine that calls Stage.
func Reporting(
	ctx context.Context, tell func(wstk.Usage, wstk.ProposedBy),
) context.Context {
	return context.WithValue(ctx, reporting{}, tell)
}

// write asks the engine for the documents named by which and stores what it says. An error is
// that of the whole call.
func (s *Stage) write(
	ctx context.Context, engine Engine, docs []*wstk.Document, which []int, out []Made,
) error {
	ask := make([]*wstk.Document, len(which))
	for i, w := range which {
		ask[i] = docs[w]
	}
	got, usage, err := engine.Summarize(ctx, ask)
	if s.Report != nil {
		s.Report(usage)
	}
	if tell, ok := ctx.Value(reporting{}).(func(wstk.Usage, wstk.ProposedBy)); ok {
		tell(usage, wstk.ProposedBy{PromptHash: wstk.Hash(engine.PromptHash()),
			ModelInfo: wstk.ModelInfo{Provider: engine.Name(), Model: engine.Model()}})
	}
	var failed Partly
	if errors.As(err, &failed) && len(failed) == len(ask) {
		err = nil
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
		if failed != nil && failed[i] != nil {
			out[w].Err = wstk.Wrap(wstk.ModelFailed, "summarizing", failed[i])
			continue
		}
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
		out[w].Summary = sum
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
