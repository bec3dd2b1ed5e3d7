package dynamodb

import (
	"context"
	"errors"

	"wstk/shared/wstk"
)

var _ wstk.SummaryStore = Summaries{}

// Summaries is a wstk.SummaryStore.
type Summaries struct{ *DB }

func (s Summaries) Put(ctx context.Context, v wstk.Summary) error {
	const op = "storing summary"
	if v.URL == "" || v.TextSHA256 == "" {
		return wstk.Errorf(wstk.Invalid, op, "a summary needs a URL and a text")
	}
	it, err := record(op, key{"summary " + v.Key().ID(), "summary"}, v)
	if err != nil {
		return err
	}
	err = s.write(ctx, op, put(s.Tables.Records, it, isNew, nil))
	if errors.As(err, new(refused)) {
		return nil // it never changes
	}
	return err
}

func (s Summaries) Get(ctx context.Context, k wstk.SummaryKey) (wstk.Summary, error) {
	return find[wstk.Summary](ctx, s.DB, "reading summary", s.Tables.Records, key{"summary " + k.ID(), "summary"}, "no summary of "+k.URL+" by "+k.Engine)
}
