package opensearch

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"wstk/shared/wstk"
)

// BM25's constants.
const k1, b = 1.2, 0.75

// Candidates are what OpenSearch ranks first by a score that is near ours, see
// Search. Their number begins at overfetch times the limit, or least, and grows
// until the list is safe or most are seen, which is also the most that OpenSearch
// gives for one request.
const (
	overfetch = 2
	least     = 100
	most      = 10_000
	margin    = 1.05
)

// OpenSearch takes this many clauses in one query; a rule for sites needs up to
// perSite, and so do all other filters together.
const (
	maxClauses = 1024
	perSite    = 6
)

// queryTerm is a token of a query with the sum of its weights.
type queryTerm struct {
	word   string
	weight float64
}

// counts are what the index says about all its entries.
type counts struct {
	entries, tokens float64
	holding         []float64          // by term: entries that hold it
	shown           map[wstk.Hash]bool // texts of late pages that it shows
}

// Search scores by
//
//	score(d) = Σ over terms t of weight(t) · idf(t) · f·(k1+1) / (f + k1·(1 − b + b·len(d)/avglen))
//	idf(t)   = max(ln((N − n(t) + 0.5) / (n(t) + 0.5)), 10⁻⁶)
//
// with f the frequency of t weighted by field, len and avglen the number of tokens
// in all fields, N all entries and n those that hold t: the same as on one machine,
// to the last digit except for the order of sums. N, n and avglen come with the hits
// from one state of the index.
//
// Which entries are scored is up to OpenSearch's own BM25, which differs in four
// ways: it rounds lengths to eighths of a power of two, and frequencies up; it
// counts a word of the title twice in the length; its idf is never near 0. The
// last is made good by a second request where it matters. For the others more is
// fetched than is asked for, until no entry left out can belong to the list unless
// OpenSearch undervalues it by 5 % more than any entry it gave. So a list is exact
// when fewer than the candidates match, and else up to that assumption; more than
// the first 10,000 that OpenSearch finds are never looked at. A query of over
// 1,018 different tokens, less 6 for each site in the filter, is TooLarge.
func (x *Index) Search(ctx context.Context, q wstk.IndexQuery) ([]wstk.IndexHit, error) {
	const op = "searching index"
	if err := ctx.Err(); err != nil {
		return nil, wstk.Wrap(wstk.CodeOf(err), op, err)
	}
	terms := queryTerms(q.Terms)
	if len(terms) == 0 {
		return nil, nil
	}
	if sites := len(q.Filter.IncludeSites) + len(q.Filter.ExcludeSites); len(terms)+perSite*sites+
		perSite > maxClauses {
		return nil, wstk.Errorf(wstk.TooLarge, op,
			"%d words and %d sites are more than the index takes in one query", len(terms), sites)
	}
	limit := q.Limit
	if limit < 1 {
		limit = 50
	}
	boosts := make([]float64, len(terms))
	for i, t := range terms {
		boosts[i] = t.weight
	}
	late, err := lateDocuments(op, q.Late)
	if err != nil {
		return nil, err
	}
	window, corrected := min(max(overfetch*limit, least), most), false
	for {
		found, counts, err := x.candidates(ctx, op, q, terms, boosts, window)
		if err != nil {
			return nil, err
		}
		unseen := counts.add(q, terms, late)
		if len(found)+len(unseen) == 0 {
			return nil, nil
		}
		for i, c := range found {
			found[i].score = counts.score(terms, c.document)
		}
		for i, c := range unseen {
			unseen[i].score = counts.score(terms, c.document)
		}
		ranked := rank(q, slices.Concat(found, unseen))
		if len(found) < window {
			return x.current(ctx, op, ranked, limit)
		}
		if better, uneven := counts.correct(terms); uneven && !corrected {
			boosts, corrected = better, true
			continue
		}
		level := found[0].theirs == found[len(found)-1].theirs // one text everywhere
		if window == most || len(ranked) >= limit &&
			(level || ranked[limit-1].score >= reach(found)) {
			return x.current(ctx, op, ranked, limit)
		}
		window = min(2*window, most)
	}
}

// queryTerms sums the weights of each token, in order of token, so that equal
// entries get equal sums; what is not positive says nothing.
func queryTerms(terms []wstk.QueryTerm) []queryTerm {
	weights := map[string]float64{}
	for _, t := range terms {
		if t.Token != "" && t.Weight > 0 {
			weights[t.Token] += t.Weight
		}
	}
	var out []queryTerm
	for _, token := range slices.Sorted(maps.Keys(weights)) {
		out = append(out, queryTerm{word(token), weights[token]})
	}
	return out
}

// candidate is an entry that OpenSearch found.
type candidate struct {
	document
	theirs float64 // OpenSearch's score
	score  float64 // ours
}

// found is a reply with documents.
type found struct {
	answered
	Hits struct {
		Hits []struct {
			Score  float64  `json:"_score"`
			Source document `json:"_source"`
		} `json:"hits"`
	} `json:"hits"`
	Aggregations struct {
		All struct {
			Entries struct {
				Count  float64 `json:"doc_count"`
				Tokens struct {
					Value float64 `json:"value"`
				} `json:"tokens"`
				Terms struct {
					Buckets map[string]struct {
						Count float64 `json:"doc_count"`
					} `json:"buckets"`
				} `json:"terms"`
			} `json:"entries"`
			Late struct {
				Texts struct {
					Buckets []struct {
						Key wstk.Hash `json:"key"`
					} `json:"buckets"`
				} `json:"texts"`
			} `json:"late"`
		} `json:"all"`
	} `json:"aggregations"`
}

func (f found) list() []candidate {
	var out []candidate
	for _, h := range f.Hits.Hits {
		out = append(out, candidate{document: h.Source, theirs: h.Score})
	}
	return out
}

// candidates asks for the first entries by OpenSearch's score with these boosts of
// the terms, and for what ours is computed from.
func (x *Index) candidates(
	ctx context.Context, op string, q wstk.IndexQuery, terms []queryTerm,
	boosts []float64, window int,
) ([]candidate, counts, error) {
	var should []any
	holding := map[string]any{}
	for i, t := range terms {
		should = append(should, map[string]any{"term": map[string]any{
			"words": map[string]any{"value": t.word, "boost": boosts[i]}}})
		holding[strconv.Itoa(i)] = term("words", t.word)
	}
	matching := either(should)
	matching["bool"].(map[string]any)["filter"] = filters(q)
	query := map[string]any{
		"query": matching, "size": window, "track_total_hits": false,
		// equal scores of theirs are of one rounded length: the true one decides
		"sort": []any{by("_score", "desc"), by("length", "asc"), by("id", "asc")},
		"aggs": map[string]any{"all": map[string]any{"global": map[string]any{}, "aggs": map[string]any{
			"entries": map[string]any{"filter": filters(wstk.IndexQuery{})[0],
				"aggs": map[string]any{
					"tokens": map[string]any{"sum": map[string]any{"field": "length"}},
					"terms":  map[string]any{"filters": map[string]any{"filters": holding}}}}}}},
	}
	if len(q.Late) > 0 {
		query["aggs"].(map[string]any)["all"].(map[string]any)["aggs"].(map[string]any)["late"] =
			shownTexts(q.Late)
	}
	f, err := search[found](ctx, x, op, query)
	if err != nil {
		return nil, counts{}, err
	}
	all := f.Aggregations.All.Entries
	c := counts{entries: all.Count, tokens: all.Tokens.Value, shown: f.shown()}
	for i := range terms {
		c.holding = append(c.holding, all.Terms.Buckets[strconv.Itoa(i)].Count)
	}
	return f.list(), c, nil
}

func (c counts) idf(i int) float64 {
	return max(math.Log((c.entries-c.holding[i]+0.5)/(c.holding[i]+0.5)), 1e-6)
}

// score is the BM25 of an entry.
func (c counts) score(terms []queryTerm, d document) float64 {
	norm := 1 - b + b*float64(d.Length)/(c.tokens/c.entries)
	sum := 0.0
	for i, t := range terms {
		if f := d.frequency(t.word); f > 0 {
			sum += t.weight * c.idf(i) * f * (k1 + 1) / (f + k1*norm)
		}
	}
	return sum
}

// correct returns boosts under which OpenSearch's score uses our idf, and whether
// that makes a difference to the order.
func (c counts) correct(terms []queryTerm) (boosts []float64, uneven bool) {
	low, high := math.Inf(1), 0.0
	for i, t := range terms {
		theirs := math.Log(1 + (c.entries-c.holding[i]+0.5)/(c.holding[i]+0.5))
		ratio := c.idf(i) / theirs
		boosts = append(boosts, t.weight*ratio)
		if c.holding[i] > 0 {
			low, high = min(low, ratio), max(high, ratio)
		}
	}
	return boosts, high > 1.05*low
}

// reach is the score that an entry OpenSearch left out may have: its score there is
// at most that of the last one given, and it is undervalued at most by margin more
// than any of those.
func reach(all []candidate) float64 {
	most := 0.0
	for _, c := range all {
		most = max(most, c.score/c.theirs)
	}
	return most * margin * all[len(all)-1].theirs
}

// rank puts the entries that pass the filter into their order. Of several
// documents of one entry the newest stands for it.
func rank(q wstk.IndexQuery, all []candidate) []candidate {
	out := latest(q.Filter, all)
	slices.SortFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// latest returns, of the documents that pass the filter, the newest one of each id.
func latest(f wstk.Filter, all []candidate) (out []candidate) {
	newest := map[string]string{}
	for _, c := range all {
		newest[c.ID] = max(newest[c.ID], c.Version)
	}
	for _, c := range all {
		if newest[c.ID] == c.Version && passes(f, c.document) {
			newest[c.ID] = "" // written twice, it counts once
			out = append(out, c)
		}
	}
	return out
}

// current makes hits of the first candidates whose text their page still has.
func (x *Index) current(
	ctx context.Context, op string, ranked []candidate, limit int,
) ([]wstk.IndexHit, error) {
	var hits []wstk.IndexHit
	for len(ranked) > 0 && len(hits) < limit {
		part := ranked[:min(limit-len(hits), len(ranked))]
		ranked = ranked[len(part):]
		var now map[string]wstk.Hash
		if x.Current != nil {
			var urls []string
			for _, c := range part {
				urls = append(urls, c.URL)
			}
			slices.Sort(urls)
			var err error
			if now, err = x.Current(ctx, slices.Compact(urls)); err != nil {
				return nil, wstk.Wrap(wstk.Internal, op, err)
			}
		}
		for _, c := range part {
			if x.Current != nil && now[c.URL] != c.TextSHA256 {
				continue
			}
			h, err := c.hit(op)
			if err != nil {
				return nil, err
			}
			h.Score = c.score
			hits = append(hits, h)
		}
	}
	return hits, nil
}
