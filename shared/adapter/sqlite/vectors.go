package sqlite

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.VectorIndex = (*Vectors)(nil)

// Vectors is a wstk.VectorIndex. A search compares all vectors of its model, 1.5 KB for each
// chunk of 384 numbers, which the DB keeps in memory until one of them changes.
type Vectors struct{ db *DB }

// Vectors returns the index of vectors.
func (db *DB) Vectors() *Vectors { return &Vectors{db} }

func (x *Vectors) Replace(ctx context.Context, p wstk.PageVectors) error {
	const op = "indexing vectors"
	if err := wstk.CheckPageVectors(op, p); err != nil {
		return err
	}
	if p.Chunks == nil {
		p.Chunks = []string{}
	}
	chunks, err := encode(op, p.Chunks)
	if err != nil {
		return err
	}
	packed := []byte{}
	for _, v := range p.Vectors {
		packed = append(packed, wstk.PackVector(v)...)
	}
	return x.db.write(ctx, op, func(t session) error {
		return t.exec(`INSERT INTO page_vectors (url, model, site, fetched_at, chunks, vectors)
			VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET site = excluded.site,
			fetched_at = excluded.fetched_at, chunks = excluded.chunks, vectors = excluded.vectors
			WHERE excluded.fetched_at >= page_vectors.fetched_at`,
			p.URL, p.Model, p.Site, p.FetchedAt.UnixNano(), chunks, packed)
	})
}

func (x *Vectors) Remove(ctx context.Context, url string) error {
	return x.db.write(ctx, "removing vectors", func(t session) error {
		return t.exec(`DELETE FROM page_vectors WHERE url = ?`, url)
	})
}

func (x *Vectors) Held(
	ctx context.Context, model string, urls ...string,
) (map[string]time.Time, error) {
	const op = "reading vectors"
	asked, err := encode(op, urls)
	if err != nil {
		return nil, err
	}
	out := make(map[string]time.Time, len(urls))
	err = x.db.read(ctx, op, func(r session) error {
		return r.rows(`SELECT url, fetched_at FROM json_each(?1) asked
			CROSS JOIN page_vectors ON url = asked.value AND model = ?2`,
			[]any{asked, model}, func(scan func(...any) error) error {
				var url string
				var at int64
				if err := scan(&url, &at); err != nil {
					return err
				}
				out[url] = time.Unix(0, at).UTC()
				return nil
			})
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (x *Vectors) Nearest(ctx context.Context, q wstk.VectorQuery) ([]wstk.VectorHit, error) {
	const op = "searching vectors"
	var held *heldVectors
	err := x.db.read(ctx, op, func(r session) (err error) {
		held, err = x.db.vectors.of(r, op, q.Model)
		return err
	})
	if err != nil {
		return nil, err
	}
	return held.nearest(q), nil
}
