package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"wstk/shared/wstk"
)

// encode makes the JSON of a noun.
func encode(op string, v any) (string, error) {
	data, err := json.Marshal(v)
	return string(data), wstk.Wrap(wstk.Internal, op, err)
}

func decode[T any](op string, data []byte) (T, error) {
	var v T
	err := json.Unmarshal(data, &v)
	return v, wstk.Wrap(wstk.Internal, op, err)
}

// get reads one noun, by a query for its data; missing says what was not found.
func get[T any](ctx context.Context, db *DB, op, missing, query string, args ...any) (T, error) {
	var data []byte
	err := db.read(ctx, op, func(s session) error {
		err := s.row(query, args, &data)
		if errors.Is(err, sql.ErrNoRows) {
			return wstk.Errorf(wstk.NotFound, op, "%s", missing)
		}
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return decode[T](op, data)
}

// list reads nouns, by a query for their data.
func list[T any](ctx context.Context, db *DB, op, query string, args ...any) ([]T, error) {
	var out []T
	err := db.read(ctx, op, func(s session) error {
		return s.rowsOnce(query, args, func(scan func(...any) error) error {
			var data sql.RawBytes
			if err := scan(&data); err != nil {
				return err
			}
			v, err := decode[T](op, data)
			out = append(out, v)
			return err
		})
	})
	return out, err
}

// page cuts a list that was read with one more than the limit, which reports
// whether there is a next page.
func page[T any](items []T, limit int, key func(T) string) ([]T, string) {
	if n := wstk.Limit(limit); len(items) > n {
		return items[:n], key(items[n-1])
	}
	return items, ""
}
