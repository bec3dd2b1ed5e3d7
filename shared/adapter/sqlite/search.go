package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"wstk/shared/wstk"
)

// BM25's constants, those of FTS5 and Lucene.
const k1, b = 1.2, 0.75

// gain is what one term adds to the score of one entry.
type gain struct {
	number int64
	score  float64
}

// Search scores by
//
//	score(d) = Σ over terms t of weight(t) · idf(t) · f·(k1+1) / (f + k1·(1 − b + b·len(d)/avglen))
//	idf(t)   = max(ln((N − n(t) + 0.5) / (n(t) + 0.5)), 10⁻⁶)
//
// as FTS5 does: f is the frequency of t weighted by field, len and avglen count
// the tokens of all fields, N counts all entries and n those that hold t.
func (x *Index) Search(ctx context.Context, q wstk.IndexQuery) ([]wstk.IndexHit, error) {
	const op = "searching index"
	if err := ctx.Err(); err != nil {
		return nil, wstk.Wrap(wstk.Cancelled, op, err)
	}
	weights := map[string]float64{}
	for _, t := range q.Terms {
		if t.Token != "" && t.Weight > 0 {
			weights[t.Token] += t.Weight
		}
	}
	if len(weights) == 0 {
		return nil, nil
	}
	limit := q.Limit
	if limit < 1 {
		limit = 50
	}
	var hits []wstk.IndexHit
	err := x.db.snapshot(ctx, op, func(r session) error {
		lists, err := gains(r, weights, q.Kind)
		if err != nil {
			return err
		}
		all := sum(lists)
		if all, err = narrow(r, all, q); err != nil {
			return err
		}
		hits, err = entries(r, op, best(all, limit))
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(hits, func(a, b wstk.IndexHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(limit, len(hits))], nil
}

// gains returns for each term what it adds to which entries, in order of number.
func gains(r session, weights map[string]float64, kind wstk.EntryKind) ([][]gain, error) {
	var total, length float64
	if err := r.row(`SELECT entries, tokens FROM index_totals`, nil, &total, &length); err != nil {
		return nil, err
	}
	dead, err := deadIn(r, 0, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	var tokens [][]byte
	// in order, so that equal entries get equal sums
	for _, token := range slices.Sorted(maps.Keys(weights)) {
		tokens = append(tokens, []byte(token))
	}
	fresh, err := freshPostings(r, tokens)
	if err != nil {
		return nil, err
	}
	var lists [][]gain
	for i, token := range tokens {
		parts, err := storedPostings(r, token)
		if err != nil {
			return nil, err
		}
		parts = append(parts, fresh[i]...) // all newer than any segment
		size := 0
		for _, p := range parts {
			size += len(p.data)
		}
		list := make([]gain, 0, size/4) // a posting takes four to five bytes
		holding := 0.0
		gone := walker{ranges: dead}
		for _, part := range parts {
			p := readPostings(part.data, part.base)
			for p.next() {
				if gone.holds(p.number) {
					continue
				}
				holding++
				if kind == "" || p.summary == (kind == wstk.KindSummary) {
					f := p.frequency()
					list = append(list, gain{p.number,
						f * (k1 + 1) / (f + k1*(1-b+b*float64(p.length)*total/length))})
				}
			}
			if p.err != nil {
				return nil, p.err
			}
		}
		factor := weights[string(token)] * max(math.Log((total-holding+0.5)/(holding+0.5)), 1e-6)
		for i := range list {
			list[i].score *= factor
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// part is the postings of a token in one segment or waiting page.
type part struct {
	first int64 // no entry here has a smaller number
	base  int64
	data  []byte
}

// storedPostings returns a token's postings in segments, in order of number.
func storedPostings(r session, token []byte) ([]part, error) {
	var parts []part
	err := r.rows(`SELECT s.first, p.data FROM index_segments s
		CROSS JOIN index_postings p ON p.segment = s.id AND p.token = ?`, []any{token},
		func(scan func(...any) error) error {
			var p part
			err := scan(&p.first, &p.data)
			parts = append(parts, p)
			return err
		})
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.first, b.first) })
	return parts, err
}

// freshPostings returns each token's postings in pages that wait, in order of number.
func freshPostings(r session, tokens [][]byte) ([][]part, error) {
	parts := make([][]part, len(tokens))
	err := r.rows(`SELECT first, data FROM index_fresh ORDER BY first`, nil,
		func(scan func(...any) error) error {
			var page inverted
			if err := scan(&page.first, &page.data); err != nil {
				return err
			}
			return page.find(tokens, func(i int, postings []byte) {
				parts[i] = append(parts[i], part{page.first, page.first, postings})
			})
		})
	return parts, err
}

// sum adds up what the terms give each entry. The lists are in order of number, and
// so is the sum.
func sum(lists [][]gain) []gain {
	longest := 0
	for _, l := range lists {
		longest = max(longest, len(l))
	}
	out := make([]gain, 0, longest+longest/2)
	at := make([]int, len(lists))
	for {
		least := int64(math.MaxInt64)
		for i, l := range lists {
			if at[i] < len(l) {
				least = min(least, l[at[i]].number)
			}
		}
		if least == math.MaxInt64 {
			return out
		}
		g := gain{number: least}
		for i, l := range lists {
			if at[i] < len(l) && l[at[i]].number == least {
				g.score += l[at[i]].score
				at[i]++
			}
		}
		out = append(out, g)
	}
}

// narrow keeps the entries of pages that pass the filter.
func narrow(r session, all []gain, q wstk.IndexQuery) ([]gain, error) {
	where, args, err := pagesThat(q.Filter, q.Pages)
	if err != nil || where == "" || len(all) == 0 {
		return all, err
	}
	var allowed ranges
	err = r.rowsOnce(`SELECT first, first + entries FROM index_pages WHERE entries > 0 AND `+where+
		` ORDER BY first`, args,
		func(scan func(...any) error) error {
			var s span
			err := scan(&s.first, &s.after)
			allowed = append(allowed, s)
			return err
		})
	w := walker{ranges: allowed}
	return slices.DeleteFunc(all, func(g gain) bool { return !w.holds(g.number) }), err
}

// best returns the limit best and, where others have the score of the last, all
// that do, since the order among those is by an id not yet known.
func best(all []gain, limit int) []gain {
	if len(all) <= limit {
		return all
	}
	// top holds the limit best scores seen, the least of them first: a heap
	top := make([]float64, 0, limit)
	for _, g := range all {
		if len(top) < limit {
			top = append(top, g.score)
			for i := len(top) - 1; i > 0 && top[i] < top[(i-1)/2]; i = (i - 1) / 2 {
				top[i], top[(i-1)/2] = top[(i-1)/2], top[i]
			}
			continue
		}
		if g.score <= top[0] {
			continue
		}
		top[0] = g.score
		for i := 0; ; {
			least := i
			for _, child := range []int{2*i + 1, 2*i + 2} {
				if child < limit && top[child] < top[least] {
					least = child
				}
			}
			if least == i {
				break
			}
			top[i], top[least] = top[least], top[i]
			i = least
		}
	}
	return slices.DeleteFunc(all, func(g gain) bool { return g.score < top[0] })
}

// entries reads what hits show.
func entries(r session, op string, best []gain) ([]wstk.IndexHit, error) {
	if len(best) == 0 {
		return nil, nil
	}
	numbers := make([]int64, len(best))
	scores := map[int64]float64{}
	for i, g := range best {
		numbers[i], scores[g.number] = g.number, g.score
	}
	list, err := json.Marshal(numbers)
	if err != nil {
		return nil, err
	}
	var hits []wstk.IndexHit
	err = r.rows(`SELECT `+entryColumns+
		` FROM json_each(?) n CROSS JOIN index_entries e ON e.number = n.value
			CROSS JOIN index_pages p ON p.id = e.page`,
		[]any{string(list)}, func(scan func(...any) error) error {
			number, h, err := scanEntry(op, scan)
			h.Score = scores[number]
			hits = append(hits, h)
			return err
		})
	return hits, err
}
