// Package recall ranks what the index holds by how well it fits a query.
//
// Several legs search: BM25 over passages, BM25 over summaries, and whatever
// other Leg is wired in. Their scores are fused in one place (fuse), pages that
// the best hits link to are put behind them (follow), repeats are collapsed, and
// the passages are read from the stored texts. Each hit says which legs brought
// it and what of the query it holds.
package recall

import (
	"context"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Stage recalls. Make one with New; its methods may be called concurrently.
type Stage struct {
	Index  wstk.Index
	Texts  wstk.BlobStore // Document texts by hash
	Legs   []Leg          // beside the two over the index
	Config Config

	cache texts
}

// New returns a Stage with DefaultConfig.
func New(index wstk.Index, texts wstk.BlobStore) *Stage {
	return &Stage{Index: index, Texts: texts, Config: DefaultConfig()}
}

// Config tunes a Stage. What a figure buys stands in docs/benchmarks.
type Config struct {
	Fusion        Fusion
	SummaryWeight float64 // of the summary leg in the fusion; 0 leaves the leg out
	// of the page leg: how well the passages of its page fit together; 0 leaves it out
	PageWeight float64
	// passages a leg is asked for, and never less than twice the query's limit
	Depth  int
	Aside  float64 // factor on the BM25 score of text that is not main, 0–1
	Expand float64 // weight of synonyms and variants of the query's words; 0 leaves them out
	Links  Links
	// passages of one page among the first TopHits; more are put behind; 0 means any number
	PerPage   int
	TextCache int // bytes of Document text kept in memory
}

// TopHits is how far PerPage reaches.
const TopHits = 10

// DefaultConfig returns the configuration that measured best.
func DefaultConfig() Config {
	return Config{
		Fusion:        ZScore,
		SummaryWeight: 0.1,
		PageWeight:    0.1,
		Depth:         100,
		Aside:         0.5,
		Expand:        0.2,
		Links:         DefaultLinks(),
		PerPage:       4,
		TextCache:     64 << 20,
	}
}

// Query is what to recall.
type Query struct {
	Text   string
	Filter wstk.Filter
	Limit  int      // hits; 0 means 50
	Hints  []string // fields the asker is after; they count half
	Lang   string   // of Text, BCP 47; "" means guess
	// passages or summaries only; "" means passages, and a summary where no passage of its page
	// matches
	Kind  wstk.EntryKind
	Pages []string // only these URLs; empty means all
}

// DefaultLimit is how many hits a query gets that names no number.
const DefaultLimit = 50

// Result is a ranked list and how it came about.
type Result struct {
	Hits     []wstk.Hit
	Terms    []Term // what was searched for
	Warnings []wstk.Warning
}

// Do returns the hits for q, best first. No match is an empty list and no error;
// a query without any word is Invalid.
func (s *Stage) Do(ctx context.Context, q Query) (Result, error) {
	return s.start(q, s.Config).do(ctx)
}

// run is one recall.
type run struct {
	*Stage
	config Config // of the stage, or as Gap changed it
	query  Query
	lang   string
	terms  []Term

	fragments map[wstk.Hash]*text.Fragments // by text, see links
}

func (s *Stage) start(q Query, c Config) *run {
	if q.Limit <= 0 {
		q.Limit = DefaultLimit
	}
	lang := language(q)
	return &run{Stage: s, config: c, query: q, lang: lang, terms: terms(q, lang, c.Expand)}
}

func (r *run) do(ctx context.Context) (Result, error) {
	if len(r.terms) == 0 {
		return Result{}, wstk.Errorf(wstk.Invalid, "recalling", "the query has no words")
	}
	depth := max(r.config.Depth, 2*r.query.Limit)
	ranked, full, err := r.rank(ctx, depth)
	// A block that stands on every page can fill a leg with copies of itself: look
	// deeper until there is enough else, or nothing more.
	for err == nil && full && len(ranked) < r.query.Limit && depth < maxDepth {
		depth *= 4
		ranked, full, err = r.rank(ctx, depth)
	}
	if err == nil {
		ranked, err = r.follow(ctx, ranked)
	}
	if err != nil {
		return Result{}, wstk.Wrap(wstk.Internal, "recalling", err)
	}
	hits, warnings, err := r.hits(ctx, spread(ranked, r.config.PerPage))
	return Result{Hits: hits, Terms: r.terms, Warnings: warnings}, err
}

const maxDepth = 5000
