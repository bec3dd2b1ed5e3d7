package sqlite

import (
	"context"

	"wstk/shared/wstk"
)

var _ wstk.SiteStore = (*Sites)(nil)

// Sites is a wstk.SiteStore.
type Sites struct{ db *DB }

// Sites returns the store of sites.
func (db *DB) Sites() *Sites { return &Sites{db} }

func (s *Sites) Put(ctx context.Context, v wstk.Site) error {
	const op = "storing site"
	if v.ID == "" {
		return wstk.Errorf(wstk.Invalid, op, "a site needs an id")
	}
	data, err := encode(op, v)
	if err != nil {
		return err
	}
	return s.db.write(ctx, op, func(t session) error {
		return t.exec(`INSERT INTO sites (id, data) VALUES (?, ?)
			ON CONFLICT (id) DO UPDATE SET data = excluded.data`, v.ID, data)
	})
}

func (s *Sites) Get(ctx context.Context, id wstk.SiteID) (wstk.Site, error) {
	return get[wstk.Site](ctx, s.db, "reading site", "no site "+string(id),
		`SELECT data FROM sites WHERE id = ?`, id)
}

func (s *Sites) List(ctx context.Context, cursor string, limit int) ([]wstk.Site, string, error) {
	sites, err := list[wstk.Site](ctx, s.db, "listing sites",
		`SELECT data FROM sites WHERE id > ? ORDER BY id LIMIT ?`, cursor, wstk.Limit(limit)+1)
	if err != nil {
		return nil, "", err
	}
	sites, next := page(sites, limit, func(v wstk.Site) string { return string(v.ID) })
	return sites, next, nil
}

func (s *Sites) Remove(ctx context.Context, id wstk.SiteID) error {
	return s.db.write(ctx, "removing site", func(t session) error {
		return t.exec(`DELETE FROM sites WHERE id = ?`, id)
	})
}
