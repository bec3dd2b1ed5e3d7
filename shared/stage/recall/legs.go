package recall

import (
	"os"
	"strconv"

	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"wstk/shared/wstk"
)

// candidate is an entry on its way to becoming a hit.
type candidate struct {
	wstk.IndexHit
	score  float64
	legs   []wstk.Leg
	alsoOn []string
}

// rank runs the legs, fuses them and collapses repeats. full tells that a leg
// gave as much as it was asked for.
func (r *run) rank(ctx context.Context, depth int) (ranked []*candidate, full bool, err error) {
	q := r.query
	search := wstk.IndexQuery{Terms: queryTerms(r.terms), Filter: q.Filter, Pages: q.Pages, Limit: depth}
	var passages, summaries []wstk.IndexHit
	others := make([][]Scored, len(r.Legs))
	g, gctx := errgroup.WithContext(ctx)
	if q.Kind != wstk.KindSummary {
		g.Go(func() (err error) {
			search := search
			search.Kind = wstk.KindChunk
			passages, err = r.Index.Search(gctx, search)
			return err
		})
	}
	if q.Kind == wstk.KindSummary || q.Kind == "" && r.config.SummaryWeight > 0 {
		g.Go(func() (err error) {
			search := search
			search.Kind, search.Limit = wstk.KindSummary, max(envInt("SD", 100), q.Limit)
			summaries, err = r.Index.Search(gctx, search)
			return err
		})
	}
	if q.Kind != wstk.KindSummary {
		for i, l := range r.Legs {
			g.Go(func() (err error) {
				others[i], err = l.Search(gctx, q, depth)
				return wstk.Wrap(wstk.Internal, "searching "+l.Name(), err)
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, false, wstk.Wrap(wstk.Internal, "recalling", err)
	}
	full = len(passages) == depth

	pool := newPool(r)
	bm25 := leg{name: "bm25", weight: 1}
	for _, h := range passages {
		bm25.add(pool.passage(h))
	}
	legs := []leg{bm25}
	for i, l := range r.Legs {
		x := leg{name: l.Name(), weight: l.Weight()}
		for _, o := range others[i] {
			c, err := pool.fetch(ctx, o.ID)
			if err != nil {
				return nil, false, err
			}
			if c != nil && q.Filter.Match(c.Site, c.URL, c.FetchedAt) && (len(q.Pages) == 0 || slices.Contains(q.Pages, c.URL)) {
				x.add(c, o.Score)
			}
		}
		legs = append(legs, x)
	}
	if w := r.config.PageWeight; w > 0 && len(bm25.items) > 0 {
		legs = append(legs, pageLeg(bm25, w))
	}
	if q.Kind == wstk.KindSummary {
		x := leg{name: "summary", weight: 1}
		for _, h := range summaries {
			x.add(pool.put(h), h.Score)
		}
		legs = []leg{x}
	} else if len(summaries) > 0 {
		x, err := r.summaryLeg(ctx, search, pool, summaries)
		if err != nil {
			return nil, false, err
		}
		legs = append(legs, x)
	}
	return collapse(fuse(r.config.Fusion, legs)), full, nil
}

// pageLeg scores each passage by the sum of what BM25 gave the passages of its
// page: of two passages that match alike, the one amid others that match too is
// more likely to be about the question.
func pageLeg(bm25 leg, weight float64) leg {
	sum := map[string]float64{}
	for _, x := range bm25.items {
		sum[x.c.URL] += x.score
	}
	out := leg{name: "page", weight: weight}
	for _, x := range bm25.items {
		out.add(x.c, sum[x.c.URL])
	}
	return out
}

// summaryLeg lets the summaries vote for the best passage of their page: what a
// page is about says where to look, the passage is what can be quoted. A page of
// which no passage matches is represented by its summary.
func (r *run) summaryLeg(ctx context.Context, search wstk.IndexQuery, pool *pool, summaries []wstk.IndexHit) (leg, error) {
	var unseen []string
	for _, h := range summaries {
		if pool.best[h.URL] == nil {
			unseen = append(unseen, h.URL)
		}
	}
	unseen = unseen[:min(len(unseen), envInt("US", 100))]
	if len(unseen) > 0 {
		search.Kind, search.Pages = wstk.KindChunk, unseen
		search.Limit = envInt("UL", 4) * len(unseen)
		more, err := r.Index.Search(ctx, search)
		if err != nil {
			return leg{}, wstk.Wrap(wstk.Internal, "recalling", err)
		}
		for _, h := range more {
			pool.passage(h)
		}
	}
	x := leg{name: "summary", weight: r.config.SummaryWeight}
	for _, h := range summaries {
		c := pool.best[h.URL]
		if c == nil {
			c = pool.put(h)
		}
		x.add(c, h.Score)
	}
	return x, nil
}

// pool holds each entry once, whoever brought it.
type pool struct {
	run  *run
	byID map[string]*candidate
	best map[string]*candidate // of each page the passage that BM25 puts first
	bm25 map[string]float64    // its score
}

func newPool(r *run) *pool {
	return &pool{run: r, byID: map[string]*candidate{}, best: map[string]*candidate{}, bm25: map[string]float64{}}
}

func (p *pool) put(h wstk.IndexHit) *candidate {
	c := p.byID[h.ID]
	if c == nil {
		c = &candidate{IndexHit: h}
		p.byID[h.ID] = c
	}
	return c
}

// passage puts what BM25 found and returns it with its score, which is less for
// text beside the main content: menus and footers hold the same words in a
// smaller space.
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

// fetch is put for an entry of which only the id is known; nil when the index no
// longer has it.
func (p *pool) fetch(ctx context.Context, id string) (*candidate, error) {
	if c := p.byID[id]; c != nil {
		return c, nil
	}
	h, err := p.run.Index.Entry(ctx, id)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, "recalling", err)
	}
	return p.put(h), nil
}

func queryTerms(terms []Term) []wstk.QueryTerm {
	out := make([]wstk.QueryTerm, len(terms))
	for i, t := range terms {
		out[i] = t.QueryTerm
	}
	return out
}

func envInt(k string, d int) int {
	if n, err := strconv.Atoi(os.Getenv(k)); err == nil {
		return n
	}
	return d
}
