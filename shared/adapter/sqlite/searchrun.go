package sqlite

import (
	"context"
	"encoding/json"

	"wstk/shared/wstk"
)

var (
	_ wstk.SearchRowStore = (*SearchRows)(nil)
	_ wstk.TemplateStore  = (*Templates)(nil)
)

// SearchRows is a wstk.SearchRowStore. All rows of a call are stored, or none.
type SearchRows struct{ db *DB }

// SearchRows returns the store of what search runs found.
func (db *DB) SearchRows() *SearchRows { return &SearchRows{db} }

func (s *SearchRows) PutRows(
	ctx context.Context, run wstk.RunID, raw []wstk.SearchRow, found []wstk.FoundURL,
) error {
	const op = "storing search rows"
	if run == "" {
		return wstk.Errorf(wstk.Invalid, op, "the run of the rows has no id")
	}
	var rows, metas, merged []string // encoded before anybody has to wait
	for _, r := range raw {
		metas = append(metas, string(r.Meta))
		r.Meta = nil // its bytes are kept as they came, which JSON in JSON would not do
		data, err := encode(op, r)
		if err != nil {
			return err
		}
		rows = append(rows, data)
	}
	for _, f := range found {
		data, err := encode(op, f)
		if err != nil {
			return err
		}
		merged = append(merged, data)
	}
	return s.db.write(ctx, op, func(t session) error {
		for n, data := range rows {
			err := t.exec(`INSERT INTO search_rows (run, n, data, meta) VALUES (?, ?, ?, ?)
				ON CONFLICT DO NOTHING`, run, n, data, metas[n])
			if err != nil {
				return err
			}
		}
		for n, data := range merged {
			err := t.exec(`INSERT INTO search_found (run, n, data) VALUES (?, ?, ?)
				ON CONFLICT DO NOTHING`, run, n, data)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *SearchRows) Raw(ctx context.Context, run wstk.RunID) (out []wstk.SearchRow, err error) {
	const op = "reading search rows"
	err = s.db.read(ctx, op, func(t session) error {
		return t.rows(`SELECT data, meta FROM search_rows WHERE run = ? ORDER BY n`, []any{run},
			func(scan func(...any) error) error {
				var data, meta []byte
				if err := scan(&data, &meta); err != nil {
					return err
				}
				r, err := decode[wstk.SearchRow](op, data)
				if len(meta) > 0 {
					r.Meta = json.RawMessage(meta)
				}
				out = append(out, r)
				return err
			})
	})
	return out, err
}

func (s *SearchRows) Found(ctx context.Context, run wstk.RunID) ([]wstk.FoundURL, error) {
	return list[wstk.FoundURL](ctx, s.db, "reading merged search rows",
		`SELECT data FROM search_found WHERE run = ? ORDER BY n`, run)
}

// Templates is a wstk.TemplateStore.
type Templates struct{ db *DB }

// Templates returns the store of rewritten queries.
func (db *DB) Templates() *Templates { return &Templates{db} }

func (s *Templates) Put(ctx context.Context, q wstk.RewrittenQuery) error {
	const op = "storing template"
	data, err := encode(op, q)
	if err != nil {
		return err
	}
	return s.db.write(ctx, op, func(t session) error {
		return t.exec(`INSERT INTO templates (id, data) VALUES (?, ?)
			ON CONFLICT (id) DO UPDATE SET data = excluded.data`, q.ID(), data)
	})
}

func (s *Templates) Get(ctx context.Context, k wstk.TemplateKey) (wstk.RewrittenQuery, error) {
	return get[wstk.RewrittenQuery](ctx, s.db, "reading template", "no template "+k.ID(),
		`SELECT data FROM templates WHERE id = ?`, k.ID())
}

func (s *SearchRows) RemoveRows(ctx context.Context, run wstk.RunID) error {
	return s.db.write(ctx, "removing search rows", func(t session) error {
		if err := t.exec(`DELETE FROM search_rows WHERE run = ?`, run); err != nil {
			return err
		}
		return t.exec(`DELETE FROM search_found WHERE run = ?`, run)
	})
}
