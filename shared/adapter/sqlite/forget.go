package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"wstk/shared/wstk"
)

// forgetBatch is how many rows one transaction removes, so that other writers get
// their turn.
const forgetBatch = 1000

// forgetAfter is how long ago a run must have ended: no message of it is under way.
const forgetAfter = time.Hour

// ForgetURLs removes what the runs of a site keep about each URL, except for the newest
// keep runs and those that have not ended an hour ago. Accounting, States and the
// warnings of a run stay forever; its URLs are NotFound then. A process that dies in
// the middle leaves the rest to the next call.
func (db *DB) ForgetURLs(ctx context.Context, site wstk.SiteID, keep int) error {
	const op = "forgetting URLs"
	var runs []int64
	err := db.read(ctx, op, func(r session) error {
		return r.rows(`SELECT f.id
			FROM (SELECT id, data FROM runs WHERE site = ? ORDER BY id DESC LIMIT -1 OFFSET ?) old
				JOIN frontier_runs f ON f.run = old.id
			WHERE f.forgotten < 2 AND old.data ->> '$.state' <> 'running'
			AND unixepoch(old.data ->> '$.ended_at') <= ?`,
			[]any{site, max(0, keep), db.Now().Add(-forgetAfter).Unix()},
			func(scan func(...any) error) error {
				var id int64
				err := scan(&id)
				runs = append(runs, id)
				return err
			})
	})
	if err != nil {
		return err
	}
	for _, run := range runs {
		if err := db.forget(ctx, op, run); err != nil {
			return err
		}
	}
	return nil
}

// What a run keeps about each URL; each query takes the run and how many rows it removes.
const (
	forgetFrontier = `DELETE FROM frontier
		WHERE seq IN (SELECT seq FROM frontier WHERE run = ? LIMIT ?)`
	forgetTexts = `DELETE FROM frontier_texts
		WHERE (run, text) IN (SELECT run, text FROM frontier_texts WHERE run = ? LIMIT ?)`
	forgetNotes = `DELETE FROM frontier_notes
		WHERE rowid IN (SELECT rowid FROM frontier_notes WHERE run = ? LIMIT ?)`
	forgetMemory = `DELETE FROM frontier_notes
		WHERE rowid IN (SELECT rowid FROM frontier_notes WHERE run = ? AND key <> 'warnings'
		LIMIT ?)`
)

// forget marks a run (1: some of it is gone, 2: all) and removes its rows.
func (db *DB) forget(ctx context.Context, op string, run int64) error {
	for more := true; more; {
		err := db.write(ctx, op, func(t session) (err error) {
			if more, err = forgetSome(t, run, forgetBatch, forgetFrontier, forgetTexts,
				forgetMemory); err != nil {
				return err
			}
			return t.exec(`UPDATE frontier_runs SET forgotten = ? WHERE id = ?`, 2-bit(more), run)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetSome removes up to n rows by each query, and reports whether there may be more.
func forgetSome(t session, run int64, n int, queries ...string) (more bool, err error) {
	for _, query := range queries {
		gone, err := t.change(query, run, n)
		if err != nil {
			return false, err
		}
		more = more || gone == int64(n)
	}
	return more, nil
}

// Remove forgets a run whole: its URLs, then its notes, then its counters.
func (f *Frontier) Remove(ctx context.Context, run wstk.RunID, limit int) (more bool, err error) {
	err = f.db.write(ctx, "forgetting URLs", func(t session) error {
		var id int64
		err := t.row(`SELECT id FROM frontier_runs WHERE run = ?`, []any{run}, &id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if more, err = forgetSome(t, id, wstk.Limit(limit), forgetFrontier, forgetTexts,
			forgetNotes); err != nil {
			return err
		}
		if more { // its counters count what is gone
			return t.exec(`UPDATE frontier_runs SET forgotten = 1 WHERE id = ?`, id)
		}
		if err := t.exec(`DELETE FROM frontier_counts WHERE run = ?`, id); err != nil {
			return err
		}
		return t.exec(`DELETE FROM frontier_runs WHERE id = ?`, id)
	})
	return more && err == nil, err
}
