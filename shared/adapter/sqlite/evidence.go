package sqlite

import (
	"context"

	"wstk/shared/wstk"
)

var _ wstk.EvidenceStore = (*Evidence)(nil)

// Evidence is a wstk.EvidenceStore.
type Evidence struct{ db *DB }

// Evidence returns the store of evidence.
func (db *DB) Evidence() *Evidence { return &Evidence{db} }

func (s *Evidence) Put(ctx context.Context, items ...wstk.Evidence) error {
	const op = "storing evidence"
	return s.db.write(ctx, op, func(t session) error {
		for i, e := range items {
			if e.ID == "" {
				return wstk.Errorf(wstk.Invalid, op, "item %d has no id", i)
			}
			data, err := encode(op, e)
			if err != nil {
				return err
			}
			if err := t.exec(`INSERT INTO evidence (id, data) VALUES (?, ?) ON CONFLICT DO NOTHING`, e.ID, data); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Evidence) Get(ctx context.Context, id string) (wstk.Evidence, error) {
	return get[wstk.Evidence](ctx, s.db, "reading evidence", "no evidence "+id, `SELECT data FROM evidence WHERE id = ?`, id)
}
