package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.RunStore = (*Runs)(nil)

// Runs is a wstk.RunStore.
type Runs struct{ db *DB }

// Runs returns the store of runs.
func (db *DB) Runs() *Runs { return &Runs{db} }

func (s *Runs) Create(ctx context.Context, r wstk.Run) error {
	const op = "creating run"
	if err := r.Check(op); err != nil {
		return err
	}
	data, err := encode(op, r)
	if err != nil {
		return err
	}
	return s.db.write(ctx, op, func(t session) error {
		n, err := t.change(`INSERT INTO runs (id, kind, state, site, query, started_at, data)
				VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO NOTHING`, r.ID, r.Kind, r.State, r.Site, r.Query,
			nanos(r.StartedAt), data)
		if err == nil && n == 0 {
			return wstk.Errorf(wstk.Conflict, op, "run %s exists", r.ID)
		}
		return err
	})
}

func (s *Runs) Get(ctx context.Context, id wstk.RunID) (wstk.Run, error) {
	return get[wstk.Run](ctx, s.db, "reading run", "no run "+string(id),
		`SELECT data FROM runs WHERE id = ?`, id)
}

// change applies f to a running run and reports whether it was running.
func (s *Runs) change(
	ctx context.Context, op string, id wstk.RunID, f func(*wstk.Run),
) (did bool, err error) {
	err = s.db.write(ctx, op, func(t session) error {
		var data []byte
		err := t.row(`SELECT data FROM runs WHERE id = ?`, []any{id}, &data)
		if errors.Is(err, sql.ErrNoRows) {
			return wstk.Errorf(wstk.NotFound, op, "no run %s", id)
		}
		if err != nil {
			return err
		}
		r, err := decode[wstk.Run](op, data)
		if err != nil || r.State.Terminal() {
			return err
		}
		f(&r)
		changed, err := encode(op, r)
		if err != nil {
			return err
		}
		did = true
		return t.exec(`UPDATE runs SET state = ?, data = ? WHERE id = ?`, r.State, changed, id)
	})
	return did && err == nil, err
}

func (s *Runs) End(ctx context.Context, id wstk.RunID, end wstk.Run) (bool, error) {
	const op = "ending run"
	if err := end.CheckEnd(op); err != nil {
		return false, err
	}
	return s.change(ctx, op, id, func(r *wstk.Run) { r.Finish(end) })
}

func (s *Runs) RequestCancel(ctx context.Context, id wstk.RunID) error {
	_, err := s.change(ctx, "cancelling run", id, func(r *wstk.Run) {
		if !r.Cancel {
			r.Cancel, r.UpdatedAt = true, s.db.Now()
		}
	})
	return err
}

func (s *Runs) Touch(ctx context.Context, id wstk.RunID, at time.Time) error {
	_, err := s.change(ctx, "touching run", id, func(r *wstk.Run) { r.Touch(at) })
	return err
}

func (s *Runs) AddPart(ctx context.Context, id wstk.RunID, p wstk.Part) error {
	const op = "adding part of run"
	if err := p.Check(op); err != nil {
		return err
	}
	return s.db.write(ctx, op, func(t session) error {
		var state wstk.RunState
		err := t.row(`SELECT state FROM runs WHERE id = ?`, []any{id}, &state)
		if errors.Is(err, sql.ErrNoRows) {
			return wstk.Errorf(wstk.NotFound, op, "no run %s", id)
		}
		if err != nil || state.Terminal() {
			return err
		}
		return t.exec(`INSERT INTO run_parts (run, n, data) VALUES (?, ?, ?)
			ON CONFLICT (run, n) DO NOTHING`, id, p.N, p.Data)
	})
}

func (s *Runs) Remove(ctx context.Context, id wstk.RunID) error {
	const op = "removing run"
	return s.db.write(ctx, op, func(t session) error {
		var state wstk.RunState
		err := t.row(`SELECT state FROM runs WHERE id = ?`, []any{id}, &state)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case !state.Terminal():
			return wstk.Errorf(wstk.Conflict, op, "run %s has not ended", id)
		}
		if err := t.exec(`DELETE FROM run_parts WHERE run = ?`, id); err != nil {
			return err
		}
		return t.exec(`DELETE FROM runs WHERE id = ?`, id)
	})
}

func (s *Runs) Parts(ctx context.Context, id wstk.RunID) (parts []wstk.Part, err error) {
	err = s.db.read(ctx, "reading parts of run", func(t session) error {
		return t.rows(`SELECT n, data FROM run_parts WHERE run = ? ORDER BY n`, []any{id},
			func(scan func(...any) error) error {
				var p wstk.Part
				err := scan(&p.N, &p.Data)
				parts = append(parts, p)
				return err
			})
	})
	return parts, err
}

func (s *Runs) List(
	ctx context.Context, f wstk.RunFilter, cursor string, limit int,
) ([]wstk.Run, string, error) {
	where, args := []string{"true"}, []any{}
	and := func(is bool, condition string, arg any) {
		if is {
			where, args = append(where, condition), append(args, arg)
		}
	}
	and(cursor != "", `id < ?`, cursor)
	kind := `kind = ?`
	if f.Query != "" || f.Site != "" {
		// a query or a site has few runs: the plus leaves the list to their indexes
		kind = `+kind = ?`
	}
	and(f.Kind != "", kind, f.Kind)
	and(f.State != "", `state = ?`, f.State)
	and(f.Site != "", `site = ?`, f.Site)
	and(f.Query != "", `query = ?`, f.Query)
	and(f.Owner != "", `coalesce(json_extract(data, '$.owner'), '`+wstk.DefaultOwner+`') = ?`,
		f.Owner)
	and(!f.From.IsZero(), `started_at >= ?`, nanos(f.From))
	and(!f.To.IsZero(), `started_at < ?`, nanos(f.To))
	// so that older runs are not even read
	if from, to := f.IDs(); f.Kind != "" && f.Kind != wstk.RunRequest {
		and(from != "", `id >= ?`, from)
		and(to != "", `id < ?`, to)
	}
	runs, err := list[wstk.Run](ctx, s.db, "listing runs",
		`SELECT data FROM runs WHERE `+strings.Join(where, ` AND `)+` ORDER BY id DESC LIMIT ?`,
		append(args, wstk.Limit(limit)+1)...)
	if err != nil {
		return nil, "", err
	}
	runs, next := page(runs, limit, func(r wstk.Run) string { return string(r.ID) })
	return runs, next, nil
}
