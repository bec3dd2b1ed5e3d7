package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.PageStore = (*Pages)(nil)

// Pages is a wstk.PageStore.
type Pages struct{ db *DB }

// Pages returns the store of pages.
func (db *DB) Pages() *Pages { return &Pages{db} }

func (s *Pages) Put(ctx context.Context, p wstk.Page) error {
	const op = "storing page"
	if p.URL == "" {
		return wstk.Errorf(wstk.Invalid, op, "a page needs a URL")
	}
	data, err := encode(op, p)
	if err != nil {
		return err
	}
	return s.db.write(ctx, op, func(t session) error {
		n, err := t.change(`INSERT INTO pages (url, site, checked_at, text, has_document, data)
				VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (url) DO UPDATE SET site = excluded.site, checked_at = excluded.checked_at,
			text = excluded.text,
				has_document = excluded.has_document, data = excluded.data
			WHERE excluded.checked_at >= pages.checked_at`,
			p.URL, p.Site, nanos(p.CheckedAt), p.TextSHA256, bit(p.Document != ""), data)
		if err != nil || n == 0 || p.Document == "" {
			return err
		}
		return noteVersion(t, p, data)
	})
}

// noteVersion stores a state of a page that holds a Document.
func noteVersion(t session, p wstk.Page, data string) error {
	err := t.exec(`INSERT INTO page_versions (url, document, checked_at, data) VALUES (?, ?, ?, ?)
		ON CONFLICT (url, document)
		DO UPDATE SET checked_at = excluded.checked_at, data = excluded.data`,
		p.URL, p.Document, nanos(p.CheckedAt), data)
	for _, h := range []wstk.Hash{p.TextSHA256, p.Screening, p.Document} {
		if h != "" && err == nil {
			err = t.exec(`INSERT INTO page_blobs (hash, url, document) VALUES (?, ?, ?)
				ON CONFLICT DO NOTHING`, h, p.URL, p.Document)
		}
	}
	return err
}

func (s *Pages) Versions(ctx context.Context, url string) ([]wstk.Page, error) {
	return list[wstk.Page](ctx, s.db, "reading versions of page",
		`SELECT data FROM page_versions WHERE url = ? ORDER BY checked_at DESC, document`, url)
}

func (s *Pages) Naming(ctx context.Context, h wstk.Hash, limit int) ([]wstk.Page, error) {
	return list[wstk.Page](ctx, s.db, "listing pages by hash",
		`SELECT data FROM page_blobs b CROSS JOIN page_versions v USING (url, document)
		WHERE b.hash = ? ORDER BY url, document LIMIT ?`, h, wstk.Limit(limit))
}

func (s *Pages) Empty(ctx context.Context, url string, site wstk.SiteID) error {
	return s.rewrite(ctx, "emptying page", wstk.Page.Emptied, `text = '', has_document = 0, `,
		`url = ? AND site = ?`, url, site)
}

// rewrite stores what change makes of the page that a condition names, with other columns
// that are set; without such a page it does nothing.
func (s *Pages) rewrite(
	ctx context.Context, op string, change func(wstk.Page) wstk.Page, set,
	where string, args ...any,
) error {
	return s.db.write(ctx, op, func(t session) error {
		var data []byte
		err := t.row(`SELECT data FROM pages WHERE `+where, args, &data)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		p, err := decode[wstk.Page](op, data)
		if err != nil {
			return err
		}
		changed, err := encode(op, change(p))
		if err != nil {
			return err
		}
		return t.exec(`UPDATE pages SET `+set+`data = ? WHERE `+where,
			append([]any{changed}, args...)...)
	})
}

func (s *Pages) Remove(ctx context.Context, url string, site wstk.SiteID) error {
	return s.db.write(ctx, "removing page", func(t session) error {
		n, err := t.change(`DELETE FROM pages WHERE url = ? AND site = ?`, url, site)
		if err != nil || n == 0 {
			return err
		}
		for _, h := range []string{`$.text_sha256`, `$.screening`, `$.document`} {
			err := t.exec(`DELETE FROM page_blobs WHERE (hash, url, document) IN
				(SELECT data ->> ?, url, document FROM page_versions WHERE url = ?)`, h, url)
			if err != nil {
				return err
			}
		}
		return t.exec(`DELETE FROM page_versions WHERE url = ?`, url)
	})
}

func (s *Pages) Get(ctx context.Context, url string) (wstk.Page, error) {
	return get[wstk.Page](ctx, s.db, "reading page", "no page "+url,
		`SELECT data FROM pages WHERE url = ?`, url)
}

func (s *Pages) List(
	ctx context.Context, site wstk.SiteID, cursor string, limit int,
) ([]wstk.Page, string, error) {
	query, args := `SELECT data FROM pages WHERE url > ? ORDER BY url LIMIT ?`,
		[]any{cursor, wstk.Limit(limit) + 1}
	if site != "" {
		query = `SELECT data FROM pages WHERE site = ? AND url > ? ORDER BY url LIMIT ?`
		args = append([]any{site}, args...)
	}
	pages, err := list[wstk.Page](ctx, s.db, "listing pages", query, args...)
	if err != nil {
		return nil, "", err
	}
	pages, next := page(pages, limit, func(p wstk.Page) string { return p.URL })
	return pages, next, nil
}

func (s *Pages) Count(ctx context.Context, site wstk.SiteID) (int, error) {
	const op = "counting pages"
	query, args := `SELECT count(*) FROM pages WHERE has_document`, []any(nil)
	if site != "" {
		query, args = query+` AND site = ?`, []any{site}
	}
	n := 0
	err := s.db.read(ctx, op, func(r session) error { return r.row(query, args, &n) })
	return n, err
}

func (s *Pages) MarkIndexed(ctx context.Context, url string, text wstk.Hash, at time.Time) error {
	return s.rewrite(ctx, "marking page as indexed", func(p wstk.Page) wstk.Page {
		p.IndexedAt = at
		return p
	}, "", `url = ? AND text = ?`, url, text)
}
