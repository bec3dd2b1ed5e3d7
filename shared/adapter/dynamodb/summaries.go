package dynamodb

import (
	"context"
	"errors"

	"wstk/shared/wstk"
)

var _ wstk.SummaryStore = Summaries{}

// Summaries is a wstk.SummaryStore. A summary has a pointer in the list of its URL.
type Summaries struct{ *DB }

func summaryKey(id string) key { return key{"summary " + id, "summary"} }

func summariesOf(url string) string { return "summaries " + string(wstk.HashOf([]byte(url))) }

func (s Summaries) Put(ctx context.Context, v wstk.Summary) error {
	const op = "storing summary"
	if v.URL == "" || v.TextSHA256 == "" {
		return wstk.Errorf(wstk.Invalid, op, "a summary needs a URL and a text")
	}
	it, err := record(op, summaryKey(v.Key().ID()), v)
	if err != nil {
		return err
	}
	err = s.write(ctx, op, put(s.Tables.Records, it, isNew, nil),
		put(s.Tables.Records, key{summariesOf(v.URL), v.Key().ID()}.item(), "", nil))
	if errors.As(err, new(refused)) {
		return nil // it never changes
	}
	return err
}

func (s Summaries) Get(ctx context.Context, k wstk.SummaryKey) (wstk.Summary, error) {
	return find[wstk.Summary](ctx, s.DB, "reading summary", s.Tables.Records, summaryKey(k.ID()),
		"no summary of "+k.URL+" by "+k.Engine)
}

func (s Summaries) Remove(ctx context.Context, url string) error {
	const op = "removing summaries"
	var keys []key
	err := s.each(ctx, op, span{table: s.Tables.Records, pk: summariesOf(url)}, 0,
		func(it item) (bool, error) {
			id := strOf(it, "sk")
			keys = append(keys, summaryKey(id), key{summariesOf(url), id})
			return true, nil
		})
	if err != nil {
		return err
	}
	return s.removeKeys(ctx, op, s.Tables.Records, keys)
}
