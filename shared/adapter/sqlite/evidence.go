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
			if err := t.exec(`INSERT INTO evidence (id, data) VALUES (?, ?) ON CONFLICT DO NOTHING`,
				e.ID, data); err != nil {
				return err
			}
			for _, h := range []wstk.Hash{e.TextSHA256, e.SnapshotSHA256} {
				if h == "" {
					continue
				}
				// Of an id that is stored already nothing changes, nor what it names.
				err := t.exec(`INSERT INTO evidence_of (hash, id) SELECT ?1, id FROM evidence
					WHERE id = ?2 AND ?1 IN (data ->> '$.text_sha256', data ->> '$.snapshot_sha256')
					ON CONFLICT DO NOTHING`, h, e.ID)
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (s *Evidence) Get(ctx context.Context, id string) (wstk.Evidence, error) {
	return get[wstk.Evidence](ctx, s.db, "reading evidence", "no evidence "+id,
		`SELECT data FROM evidence WHERE id = ?`, id)
}

func (s *Evidence) Naming(ctx context.Context, h wstk.Hash, limit int) ([]wstk.Evidence, error) {
	return list[wstk.Evidence](ctx, s.db, "listing evidence",
		`SELECT data FROM evidence_of CROSS JOIN evidence USING (id) WHERE hash = ? ORDER BY id
			LIMIT ?`, h, wstk.Limit(limit))
}

func (s *Evidence) Remove(ctx context.Context, ids ...string) error {
	return s.db.write(ctx, "removing evidence", func(t session) error {
		for _, id := range ids {
			for _, query := range []string{
				`DELETE FROM evidence_of
					WHERE id = ?1 AND hash IN (
						SELECT data ->> '$.text_sha256' FROM evidence WHERE id = ?1
						UNION SELECT data ->> '$.snapshot_sha256' FROM evidence WHERE id = ?1)`,
				`DELETE FROM evidence WHERE id = ?1`,
			} {
				if err := t.exec(query, id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
