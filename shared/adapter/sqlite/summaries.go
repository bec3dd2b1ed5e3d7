package sqlite

import (
	"context"

	"wstk/shared/wstk"
)

var _ wstk.SummaryStore = (*Summaries)(nil)

// Summaries is a wstk.SummaryStore.
type Summaries struct{ db *DB }

// Summaries returns the store of summaries.
func (db *DB) Summaries() *Summaries { return &Summaries{db} }

func (s *Summaries) Put(ctx context.Context, v wstk.Summary) error {
	const op = "storing summary"
	data, err := encode(op, v)
	if err != nil {
		return err
	}
	return s.db.write(ctx, op, func(t session) error {
		return t.exec(`INSERT INTO summaries (id, data) VALUES (?, ?) ON CONFLICT DO NOTHING`,
			v.Key().ID(), data)
	})
}

func (s *Summaries) Get(ctx context.Context, k wstk.SummaryKey) (wstk.Summary, error) {
	return get[wstk.Summary](ctx, s.db, "reading summary", "no summary of "+k.URL+" by "+k.Engine,
		`SELECT data FROM summaries WHERE id = ?`, k.ID())
}

func (s *Summaries) Remove(ctx context.Context, url string) error {
	return s.db.write(ctx, "removing summaries", func(t session) error {
		return t.exec(`DELETE FROM summaries WHERE data ->> '$.url' = ?`, url)
	})
}
