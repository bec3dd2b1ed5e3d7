package sqlite

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.SnapshotStore = (*Snapshots)(nil)

// Snapshots is a wstk.SnapshotStore.
type Snapshots struct{ db *DB }

// Snapshots returns the store of snapshots.
func (db *DB) Snapshots() *Snapshots { return &Snapshots{db} }

func (s *Snapshots) Put(ctx context.Context, v wstk.Snapshot) error {
	const op = "storing snapshot"
	if v.URL == "" || v.FetchedAt.IsZero() {
		return wstk.Errorf(wstk.Invalid, op, "a snapshot needs a URL and a time")
	}
	data, err := encode(op, v)
	if err != nil {
		return err
	}
	return s.db.write(ctx, op, func(t session) error {
		return t.exec(`INSERT INTO snapshots (url, fetched_at, body, data) VALUES (?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
			v.URL, nanos(v.FetchedAt), v.BodySHA256, data)
	})
}

func (s *Snapshots) Get(ctx context.Context, h wstk.Hash) (wstk.Snapshot, error) {
	return get[wstk.Snapshot](ctx, s.db, "reading snapshot", "no snapshot with body "+string(h),
		`SELECT data FROM snapshots WHERE body = ? AND body <> '' ORDER BY fetched_at DESC LIMIT 1`,
		h)
}

func (s *Snapshots) List(ctx context.Context, url string, limit int) ([]wstk.Snapshot, error) {
	return list[wstk.Snapshot](ctx, s.db, "listing snapshots",
		`SELECT data FROM snapshots WHERE url = ? ORDER BY fetched_at DESC LIMIT ?`,
		url, wstk.Limit(limit))
}

func (s *Snapshots) WithBody(ctx context.Context, h wstk.Hash, limit int) ([]wstk.Snapshot, error) {
	return list[wstk.Snapshot](ctx, s.db, "listing snapshots of body",
		`SELECT data FROM snapshots WHERE body = ? AND body <> '' ORDER BY fetched_at DESC LIMIT ?`,
		h, wstk.Limit(limit))
}

func (s *Snapshots) Remove(ctx context.Context, url string, at ...time.Time) error {
	return s.db.write(ctx, "removing snapshots", func(t session) error {
		for _, v := range at {
			if err := t.exec(`DELETE FROM snapshots WHERE url = ? AND fetched_at = ?`, url,
				nanos(v)); err != nil {
				return err
			}
		}
		return nil
	})
}
