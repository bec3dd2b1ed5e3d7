package sqlite

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// forgetBatch is how many rows one transaction removes, so that other writers get
// their turn.
const forgetBatch = 1000

// forgetAfter is how long ago a run must have ended: no message of it is under way.
const forgetAfter = time.Hour

// ForgetURLs removes what the runs of a site keep about each URL, but for the newest
// keep runs and those that have not ended an hour ago. Accounting, States and the
// warnings of a run stay for ever; its URLs are NotFound then. A process that dies in
// the middle leaves the rest to the next call.
func (db *DB) ForgetURLs(ctx context.Context, site wstk.SiteID, keep int) error {
	const op = "forgetting URLs"
	var runs []int64
	err := db.read(ctx, op, func(r session) error {
		return r.rows(`SELECT f.id FROM (SELECT id, data FROM runs WHERE site = ? ORDER BY id DESC LIMIT -1 OFFSET ?) old
				JOIN frontier_runs f ON f.run = old.id
			WHERE f.forgotten < 2 AND old.data ->> '$.state' <> 'running' AND unixepoch(old.data ->> '$.ended_at') <= ?`,
			[]any{site, max(0, keep), db.Now().Add(-forgetAfter).Unix()}, func(scan func(...any) error) error {
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

// forget marks a run (1: some of it is gone, 2: all) and removes its rows.
func (db *DB) forget(ctx context.Context, op string, run int64) error {
	for more := true; more; {
		err := db.write(ctx, op, func(t session) error {
			more = false
			for _, query := range []string{
				`DELETE FROM frontier WHERE seq IN (SELECT seq FROM frontier WHERE run = ? LIMIT ?)`,
				`DELETE FROM frontier_texts WHERE (run, text) IN (SELECT run, text FROM frontier_texts WHERE run = ? LIMIT ?)`,
				`DELETE FROM frontier_notes WHERE rowid IN (SELECT rowid FROM frontier_notes WHERE run = ? AND key <> 'warnings' LIMIT ?)`,
			} {
				n, err := t.change(query, run, forgetBatch)
				if err != nil {
					return err
				}
				more = more || n == forgetBatch
			}
			return t.exec(`UPDATE frontier_runs SET forgotten = ? WHERE id = ?`, 2-bit(more), run)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
