// Package recall ranks what the index holds by how well it fits a query.
//
// Several legs search: BM25 over passages, BM25 over summaries, and each other Leg of the
// Stage. One function combines their scores (fuse). Repeated passages become one hit
// (collapse), passages about what the best hits leave open move up (cover), pages that the
// best hits link to follow right behind these hits (follow), a Reranker may order the first
// hits anew (rerank), and the passages are read from the stored texts (hits). Each hit says which
// legs found it and which words of the query it contains. Begin with Stage.Do.
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
	Legs   []Leg          // in addition to the two legs over the index
	Config Config

	// Reranker reads the query with each of the first hits and orders them anew; nil leaves
	// them as they are, and so does one that was not trained for the language of the query. If
	// it fails, the recall does.
	Reranker wstk.Reranker

	cache texts
}

// New returns a Stage with DefaultConfig.
func New(index wstk.Index, texts wstk.BlobStore) *Stage {
	return &Stage{Index: index, Texts: texts, Config: DefaultConfig()}
}

// Config tunes a Stage. testdata/golden/recall.txt shows what each part gains.
type Config struct {
	Fusion        Fusion
	SummaryWeight float64 // of the summary leg; 0 leaves the leg out
	PageWeight    float64 // of the page leg (see pageLeg); 0 leaves the leg out
	// MeaningOfSummaries is what summaries count that one of Stage.Legs found, as a part of
	// the leg's weight; 0 leaves them out.
	MeaningOfSummaries float64
	// Depth is how many passages a leg is asked for, at least twice the query's limit.
	Depth  int
	Aside  float64 // factor on the BM25 score of text outside the main content, 0–1
	Expand float64 // weight of synonyms and variants of the query's words; 0 leaves them out
	Cover  Cover
	Links  Links
	// PerPage is how many passages of one page may stand among the first TopHits; further
	// ones come after them. 0 means any number.
	PerPage   int
	Rerank    int // how many of the first hits the Reranker reads; 0 means none
	TextCache int // bytes of Document text that are kept in memory
}

// TopHits is the number of hits that PerPage applies to.
const TopHits = 10

// DefaultConfig returns the configuration that measured best.
func DefaultConfig() Config {
	return Config{
		Fusion:        ZScore,
		SummaryWeight: 0.1,
		PageWeight:    0.1,

		MeaningOfSummaries: 0.2,

		Depth:     100,
		Aside:     0.5,
		Expand:    0.2,
		Cover:     DefaultCover(),
		Links:     DefaultLinks(),
		PerPage:   4,
		Rerank:    50,
		TextCache: 64 << 20,
	}
}

// Query is what to recall.
type Query struct {
	Text   string
	Filter wstk.Filter
	Limit  int      // hits; 0 means 50
	Hints  []string // names of the wanted fields; they count half as much as words of Text
	Lang   string   // of Text, BCP 47; "" means that it is guessed
	// Kind restricts the hits to passages or to summaries. "" means passages, and a
	// summary for each page of which only the summary matches.
	Kind  wstk.EntryKind
	Pages []string         // only these URLs; empty means all
	Late  []wstk.PageIndex // that the index may not show yet, see wstk.IndexQuery
}

// DefaultLimit is the number of hits if a query names no limit.
const DefaultLimit = 50

// Result is a ranked list of hits.
type Result struct {
	Hits     []wstk.Hit
	Terms    []Term // what was searched for
	Warnings []wstk.Warning
	Usage    wstk.Usage // of services that embed and rerank
}

// Do returns the hits for q, best first. If nothing matches, the list is empty. A query
// without words is Invalid, and a store that does not answer is Unavailable.
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
	at     map[string]int // index of a term by its token

	fragments map[wstk.Hash]*text.Fragments // by text, see links
	usage     wstk.Usage
}

func (s *Stage) start(q Query, c Config) *run {
	if q.Limit <= 0 {
		q.Limit = DefaultLimit
	}
	lang := language(q)
	r := &run{Stage: s, config: c, query: q, lang: lang, terms: terms(q, lang, c.Expand),
		at: map[string]int{}}
	for i, t := range r.terms {
		r.at[t.Token] = i
	}
	return r
}

func (r *run) do(ctx context.Context) (Result, error) {
	if len(r.terms) == 0 {
		return Result{}, wstk.Errorf(wstk.Invalid, "recalling", "the query has no words")
	}
	depth := max(r.config.Depth, 2*r.query.Limit)
	ranked, full, err := r.rank(ctx, depth)
	// A block that stands on every page can fill a leg with its copies: search deeper
	// until there are enough other passages, or no more of them.
	for err == nil && full && len(ranked) < r.query.Limit && depth < maxDepth {
		depth *= 4
		ranked, full, err = r.rank(ctx, depth)
	}
	if err == nil {
		ranked, err = r.cover(ctx, ranked)
	}
	if err == nil {
		ranked, err = r.follow(ctx, ranked)
	}
	if err == nil {
		ranked, err = r.rerank(ctx, ranked)
	}
	if err != nil {
		return Result{Usage: r.usage}, wstk.Wrap(wstk.Internal, "recalling", err)
	}
	hits, warnings, err := r.hits(ctx, spread(ranked, r.config.PerPage))
	return Result{Hits: hits, Terms: r.terms, Warnings: warnings, Usage: r.usage}, err
}

const maxDepth = 5000
