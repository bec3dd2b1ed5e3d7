package recall

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"wstk/shared/wstk"
)

// candidate is an entry on its way to becoming a hit.
type candidate struct {
	wstk.IndexHit
	held
	score  float64
	legs   []wstk.Leg
	alsoOn []string
}

// found is what the legs returned.
type found struct {
	passages  []wstk.IndexHit // by BM25
	summaries []wstk.IndexHit // by BM25
	others    [][]Scored      // of each of Stage.Legs
	usage     []wstk.Usage    // of each of Stage.Legs
}

// rank runs the legs, combines them and collapses repeats. full reports whether BM25 found
// as many passages as it was asked for, so that there may be more.
func (r *run) rank(ctx context.Context, depth int) (ranked []*candidate, full bool, err error) {
	f, err := r.search(ctx, depth)
	for _, u := range f.usage {
		r.usage.Add(u)
	}
	if err != nil {
		return nil, false, err
	}
	full = len(f.passages) >= depth
	pool := newPool(r)
	legs, err := r.legs(ctx, pool, f)
	if err != nil {
		return nil, false, err
	}
	ranked = collapse(fuse(r.config.Fusion, legs))
	if full && r.query.Kind == "" {
		err = r.quotable(ctx, pool, ranked[:min(r.query.Limit, len(ranked))])
	}
	return ranked, full, err
}

// search runs all legs at the same time.
func (r *run) search(ctx context.Context, depth int) (found, error) {
	f := found{others: make([][]Scored, len(r.Legs)), usage: make([]wstk.Usage, len(r.Legs))}
	kind := r.query.Kind
	g, ctx := errgroup.WithContext(ctx)
	if kind != wstk.KindSummary {
		g.Go(func() (err error) {
			f.passages, err = r.Index.Search(ctx, r.ask(wstk.KindChunk, depth))
			return err
		})
	}
	for i, l := range r.Legs {
		g.Go(func() (err error) {
			f.others[i], f.usage[i], err = l.Search(ctx, r.query, depth)
			return wstk.Wrap(wstk.Internal, "searching "+l.Name(), err)
		})
	}
	if kind == wstk.KindSummary || r.config.SummaryWeight > 0 {
		g.Go(func() (err error) {
			f.summaries, err = r.Index.Search(ctx, r.ask(wstk.KindSummary, r.query.Limit))
			return err
		})
	}
	return f, g.Wait()
}

// ask returns the query for the index.
func (r *run) ask(kind wstk.EntryKind, limit int) wstk.IndexQuery {
	q := wstk.IndexQuery{Kind: kind, Filter: r.query.Filter, Pages: r.query.Pages, Limit: limit,
		Late: r.query.Late}
	for _, t := range r.terms {
		q.Terms = append(q.Terms, t.QueryTerm)
	}
	return q
}

// legs turns what was found into the legs that fuse takes.
func (r *run) legs(ctx context.Context, pool *pool, f found) ([]leg, error) {
	if r.query.Kind == wstk.KindSummary {
		x := leg{name: "summary", weight: 1}
		for _, h := range f.summaries {
			x.add(pool.put(h), h.Score)
		}
		legs, err := r.others(ctx, pool, f, []leg{x})
		return legs, err
	}
	bm25 := leg{name: "bm25", weight: 1}
	for _, h := range f.passages {
		bm25.add(pool.passage(h))
	}
	bm25.rank()
	legs := []leg{bm25}
	if w := r.config.PageWeight; w > 0 {
		legs = append(legs, pageLeg(bm25, w))
	}
	legs, err := r.others(ctx, pool, f, legs)
	if err != nil {
		return nil, err
	}
	// Last, when every page's best passage is known.
	return r.weigh(ctx, append(legs, r.summaryLeg(pool, f.summaries)))
}

// others adds to legs what Stage.Legs found: of each, a leg of passages, and one of the pages
// whose summaries it found. A query for summaries has only the latter.
func (r *run) others(ctx context.Context, pool *pool, f found, legs []leg) ([]leg, error) {
	for i, l := range r.Legs {
		x := leg{name: l.Name(), weight: l.Weight(), semantic: true}
		pages := leg{name: l.Name() + " of summary", semantic: true,
			weight: l.Weight() * r.config.MeaningOfSummaries}
		var summaries []item
		nearest := map[string]*candidate{} // by page, the passage that the leg found first
		for _, o := range f.others[i] {
			c, err := pool.fetch(ctx, o.ID)
			switch {
			case err != nil:
				return nil, err
			case c == nil || !r.wanted(c):
			case c.Kind == wstk.KindSummary:
				summaries = append(summaries, item{c, o.Score})
			default:
				x.add(c, o.Score)
				if nearest[c.URL] == nil {
					nearest[c.URL] = c
				}
			}
		}
		if r.query.Kind == wstk.KindSummary {
			x.items = summaries
			legs = append(legs, x)
			continue
		}
		for _, s := range summaries {
			if best := pool.best[s.c.URL]; best != nil {
				s.c = best
			} else if best := nearest[s.c.URL]; best != nil {
				s.c = best
			}
			pages.add(s.c, s.score)
		}
		legs = append(legs, x)
		if pages.weight > 0 {
			legs = append(legs, pages)
		}
	}
	return legs, nil
}

// wanted reports whether c passes the filters of the query. The index applies them
// itself, other legs need not know them.
func (r *run) wanted(c *candidate) bool {
	q := r.query
	return (q.Kind == "" || q.Kind == c.Kind) && q.Filter.Match(c.Site, c.URL, c.FetchedAt) &&
		(len(q.Pages) == 0 || slices.Contains(q.Pages, c.URL))
}

// pagePassages is how many passages of a page count for it, so that a long page does not
// win by its length.
const pagePassages = 6

// pageLeg scores each passage by the sum of what BM25, best first, gave the first passages
// of its page: of two passages that match alike, the one among others that match too is
// more likely to be about the question.
func pageLeg(bm25 leg, weight float64) leg {
	sum, counted := map[string]float64{}, map[string]int{}
	for _, x := range bm25.items {
		if counted[x.c.URL]++; counted[x.c.URL] <= pagePassages {
			sum[x.c.URL] += x.score
		}
	}
	out := leg{name: "page", weight: weight}
	for _, x := range bm25.items {
		out.add(x.c, sum[x.c.URL])
	}
	return out
}

// summaryLeg gives the score of a page's summary to the best passage of the page: the
// summary says what the page is about, and the passage can be quoted. If BM25 found no
// passage of the page, the summary itself is the candidate, unless the query asks for
// passages only.
func (r *run) summaryLeg(pool *pool, summaries []wstk.IndexHit) leg {
	x := leg{name: "summary", weight: r.config.SummaryWeight}
	for _, h := range summaries {
		c := pool.best[h.URL]
		if c == nil && r.query.Kind == "" {
			c = pool.put(h)
		}
		if c != nil {
			x.add(c, h.Score)
		}
	}
	return x
}

// quotable replaces each summary by the best passage of its page, if one matches. BM25
// returned none because it was asked only for the first ones.
func (r *run) quotable(ctx context.Context, pool *pool, ranked []*candidate) error {
	var pages []string
	for _, c := range ranked {
		if c.Kind == wstk.KindSummary {
			pages = append(pages, c.URL)
		}
	}
	if len(pages) == 0 {
		return nil
	}
	q := r.ask(wstk.KindChunk, 8*len(pages))
	q.Pages = pages
	more, err := r.Index.Search(ctx, q)
	if err != nil {
		return err
	}
	for _, h := range more {
		if pool.byID[h.ID] == nil { // else another leg ranked it
			pool.passage(h)
		}
	}
	for _, c := range ranked {
		if best := pool.best[c.URL]; c.Kind == wstk.KindSummary && best != nil {
			c.IndexHit = best.IndexHit
		}
	}
	return nil
}

// pool holds each entry once, although several legs may have found it.
type pool struct {
	run  *run
	byID map[string]*candidate
	best map[string]*candidate // by page, the passage with the best BM25 score
	bm25 map[string]float64    // by page, that score
}

func newPool(r *run) *pool {
	return &pool{run: r, byID: map[string]*candidate{}, best: map[string]*candidate{},
		bm25: map[string]float64{}}
}

func (p *pool) put(h wstk.IndexHit) *candidate {
	c := p.byID[h.ID]
	if c == nil {
		c = &candidate{IndexHit: h}
		p.byID[h.ID] = c
	}
	return c
}

// passage puts a passage that BM25 found and returns it with its score. Text outside the
// main content scores less: menus and footers have the same words in fewer words, which
// BM25 prefers.
func (p *pool) passage(h wstk.IndexHit) (*candidate, float64) {
	c, score := p.put(h), h.Score
	if h.Chunk != nil && !h.Chunk.Main {
		score *= p.run.config.Aside
	}
	if p.best[h.URL] == nil || score > p.bm25[h.URL] {
		p.best[h.URL], p.bm25[h.URL] = c, score
	}
	return c, score
}

// fetch puts an entry of which only the id is known. It returns nil if the index no longer
// has the entry.
func (p *pool) fetch(ctx context.Context, id string) (*candidate, error) {
	if c := p.byID[id]; c != nil {
		return c, nil
	}
	h, err := p.run.Index.Entry(ctx, id)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return p.put(h), nil
}
