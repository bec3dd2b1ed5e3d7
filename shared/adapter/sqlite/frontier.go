package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.Frontier = (*Frontier)(nil)

// Frontier is a wstk.Frontier. Each call is one transaction over the URL and the
// run's counters.
type Frontier struct{ db *DB }

// Frontier returns the frontier.
func (db *DB) Frontier() *Frontier { return &Frontier{db} }

// addBatch is how many URLs one transaction adds, so that an Add of very many
// does not keep other writers from their turn.
const addBatch = 1000

func (f *Frontier) Add(ctx context.Context, urls ...wstk.FrontierURL) (int, error) {
	const op = "adding to frontier"
	for _, u := range urls {
		if err := u.Check(op); err != nil {
			return 0, err
		}
	}
	if err := ctx.Err(); err != nil {
		return 0, wstk.Wrap(wstk.Cancelled, op, err)
	}
	added := 0
	for batch := range slices.Chunk(urls, addBatch) {
		n := 0
		err := f.db.write(ctx, op, func(t session) (err error) {
			n, err = f.add(t, batch)
			return err
		})
		if err != nil {
			return added, err
		}
		added += n
	}
	return added, nil
}

func (f *Frontier) add(t session, urls []wstk.FrontierURL) (int, error) {
	type counted struct {
		run     int64
		outcome wstk.Outcome
	}
	runs, counts := map[wstk.RunID]int64{}, map[counted]int{}
	now, added := f.db.Now(), 0
	for _, u := range urls {
		run, known := runs[u.Run]
		if !known {
			var err error
			if run, err = ensureRun(t, u.Run); err != nil {
				return 0, err
			}
			runs[u.Run] = run
		}
		state := wstk.URLClosed
		if u.Outcome == "" || u.Outcome == wstk.OutcomeOpen {
			u.Outcome, u.Reason, u.Target, state = wstk.OutcomeOpen, "", "", wstk.URLWaiting
		}
		if u.FoundAt.IsZero() {
			u.FoundAt = now
		}
		n, err := t.change(`INSERT INTO frontier (run, url, host, depth, hops, via, found_on,
				lastmod, state, slot, not_before, attempts, document, outcome, reason, target, found_at,
				changed_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0, 0, '', ?, ?, ?, ?, ?)
			ON CONFLICT (run, url) DO NOTHING`,
			run, u.URL, u.Host, u.Depth, u.Hops, u.Via, u.FoundOn, nanos(u.LastMod), state,
			u.Outcome, u.Reason, u.Target, nanos(u.FoundAt), nanos(now))
		if err != nil {
			return 0, err
		}
		if n == 1 {
			added++
			if u.Counted() {
				counts[counted{run, u.Outcome}]++
			}
		}
	}
	for c, n := range counts {
		state := wstk.URLClosed
		if c.outcome == wstk.OutcomeOpen {
			state = wstk.URLWaiting
		}
		for _, name := range []string{"discovered", countOfState(state),
			countOfOutcome(c.outcome)} {
			if err := count(t, c.run, name, n); err != nil {
				return 0, err
			}
		}
	}
	return added, nil
}

// ensureRun returns the number of a run, which it gets when it is first added to.
func ensureRun(t session, run wstk.RunID) (n int64, err error) {
	err = t.row(`SELECT id FROM frontier_runs WHERE run = ?`, []any{run}, &n)
	if errors.Is(err, sql.ErrNoRows) {
		err = t.row(`INSERT INTO frontier_runs (run) VALUES (?) RETURNING id`, []any{run}, &n)
	}
	return n, err
}

func countOfState(s wstk.URLState) string  { return "state/" + string(s) }
func countOfOutcome(o wstk.Outcome) string { return "outcome/" + string(o) }
func count(t session, run int64, name string, by int) error {
	return t.exec(`INSERT INTO frontier_counts (run, name, n) VALUES (?, ?, ?)
		ON CONFLICT (run, name) DO UPDATE SET n = n + excluded.n`,
		run, name, by)
}

// columns are those of a FrontierURL, except for its run; see scanURL.
const columns = `url, host, depth, hops, via, found_on, lastmod, state, slot, not_before,
	attempts, document,
	outcome, reason, target, found_at, changed_at`

type urlRow struct {
	wstk.FrontierURL
	lastMod, notBefore, foundAt, changedAt int64
}

func (u *urlRow) into() []any {
	return []any{&u.URL, &u.Host, &u.Depth, &u.Hops, &u.Via, &u.FoundOn, &u.lastMod, &u.State,
		&u.Slot, &u.notBefore, &u.Attempts,
		&u.Document, &u.Outcome, &u.Reason, &u.Target, &u.foundAt, &u.changedAt}
}

func (u *urlRow) done(run wstk.RunID) wstk.FrontierURL {
	u.Run = run
	u.LastMod, u.NotBefore, u.FoundAt, u.ChangedAt = timeOf(u.lastMod), timeOf(u.notBefore),
		timeOf(u.foundAt), timeOf(u.changedAt)
	return u.FrontierURL
}

func unknownURL(op string, run wstk.RunID, url string) error {
	return wstk.Errorf(wstk.NotFound, op, "run %s has no URL %s", run, url)
}

func (f *Frontier) Get(ctx context.Context, run wstk.RunID, at string) (wstk.FrontierURL, error) {
	const op = "reading frontier"
	var u urlRow
	err := f.db.read(ctx, op, func(r session) error {
		err := r.row(`SELECT `+columns+
			` FROM frontier WHERE run = (SELECT id FROM frontier_runs WHERE run = ?) AND url = ?`,
			[]any{run, at}, u.into()...)
		if errors.Is(err, sql.ErrNoRows) {
			return unknownURL(op, run, at)
		}
		return err
	})
	if err != nil {
		return wstk.FrontierURL{}, err
	}
	return u.done(run), nil
}

// urls reads the URLs of a run.
func (f *Frontier) urls(
	ctx context.Context, op string, run wstk.RunID, query string, args ...any,
) ([]wstk.FrontierURL, error) {
	var out []wstk.FrontierURL
	err := f.db.read(ctx, op, func(r session) error {
		return r.rows(query, args, func(scan func(...any) error) error {
			var u urlRow
			err := scan(u.into()...)
			out = append(out, u.done(run))
			return err
		})
	})
	return out, err
}

// Waiting takes the first URLs of each host from the index over waiting ones, so
// that a host with very many costs no more than one with a few. Of many hosts, only
// those whose first URL is among the first ones can have others there.
func (f *Frontier) Waiting(
	ctx context.Context, run wstk.RunID, limit, perHost int,
) ([]wstk.FrontierURL, error) {
	limit = wstk.Limit(limit)
	if perHost < 1 || perHost > limit {
		perHost = limit
	}
	return f.urls(ctx, "reading frontier", run, `
		WITH RECURSIVE
			r (run) AS (SELECT id FROM frontier_runs WHERE run = ?1),
			hosts (host) AS (
				SELECT min(host) FROM frontier WHERE run = (SELECT run FROM r) AND state = 'waiting'
				UNION ALL
				SELECT (SELECT min(host) FROM frontier
				WHERE run = (SELECT run FROM r) AND state = 'waiting' AND host > hosts.host)
				FROM hosts WHERE host IS NOT NULL),
			early (host) AS (
				SELECT hosts.host FROM hosts CROSS JOIN frontier f ON f.seq = (
					SELECT seq FROM frontier
					WHERE run = (SELECT run FROM r) AND state = 'waiting' AND host = hosts.host
					ORDER BY not_before, depth, seq LIMIT 1)
				ORDER BY f.not_before, f.depth, f.seq LIMIT ?2),
			first (seq) AS (
				SELECT f.seq FROM early CROSS JOIN frontier f ON f.seq IN (
					SELECT seq FROM frontier
					WHERE run = (SELECT run FROM r) AND state = 'waiting' AND host = early.host
					ORDER BY not_before, depth, seq LIMIT ?3))
		SELECT `+columns+` FROM first CROSS JOIN frontier USING (seq)
		ORDER BY not_before, depth, seq LIMIT ?2`, run, limit, perHost)
}

// change applies step to a URL and moves the counters with it. step reports
// whether it did something.
func (f *Frontier) change(
	ctx context.Context, op string, run wstk.RunID, at string, step func(*wstk.FrontierURL) bool,
) (did bool, err error) {
	err = f.db.write(ctx, op, func(t session) error {
		var seq, runNumber int64
		var read urlRow
		err := t.row(`SELECT seq, run, `+columns+
			` FROM frontier WHERE run = (SELECT id FROM frontier_runs WHERE run = ?) AND url = ?`,
			[]any{run, at}, append([]any{&seq, &runNumber}, read.into()...)...)
		if errors.Is(err, sql.ErrNoRows) {
			return unknownURL(op, run, at)
		}
		if err != nil {
			return err
		}
		u := read.done(run)
		state, outcome := u.State, u.Outcome
		if did = step(&u); !did {
			return nil
		}
		err = t.exec(`UPDATE frontier SET state = ?, slot = ?, not_before = ?, attempts = ?,
			document = ?, outcome = ?, reason = ?,
			target = ?, changed_at = ? WHERE seq = ?`, u.State, u.Slot, nanos(u.NotBefore),
			u.Attempts, u.Document, u.Outcome, u.Reason,
			u.Target, nanos(f.db.Now()), seq)
		if err == nil && u.State != state {
			err = move(t, runNumber, countOfState(state), countOfState(u.State))
		}
		if err == nil && u.Outcome != outcome {
			err = move(t, runNumber, countOfOutcome(outcome), countOfOutcome(u.Outcome))
		}
		return err
	})
	return did && err == nil, err
}

func move(t session, run int64, from, to string) error {
	if err := count(t, run, from, -1); err != nil {
		return err
	}
	return count(t, run, to, 1)
}

func (f *Frontier) Queue(
	ctx context.Context, run wstk.RunID, url string, slot wstk.Slot,
) (bool, error) {
	return f.change(ctx, "queueing URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Queue(slot)
	})
}

func (f *Frontier) Start(ctx context.Context, run wstk.RunID, url, slot string) (bool, error) {
	return f.change(ctx, "starting attempt", run, url,
		func(u *wstk.FrontierURL) bool { return u.Start(slot) })
}

func (f *Frontier) Requeue(
	ctx context.Context, run wstk.RunID, url, old string, slot wstk.Slot, counted bool,
) (bool, error) {
	return f.change(ctx, "requeueing URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Requeue(old, slot, counted)
	})
}

func (f *Frontier) Postpone(
	ctx context.Context, run wstk.RunID, url, slot string, until time.Time,
) (bool, error) {
	return f.change(ctx, "postponing URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Postpone(slot, until)
	})
}

func (f *Frontier) Unqueue(
	ctx context.Context, run wstk.RunID, url string, before time.Time, counted bool,
) (bool, error) {
	return f.change(ctx, "returning URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Unqueue(before, counted)
	})
}

func (f *Frontier) Store(
	ctx context.Context, run wstk.RunID, url, slot string, doc wstk.Hash,
) (bool, error) {
	return f.change(ctx, "storing URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Store(slot, doc)
	})
}

func (f *Frontier) Close(
	ctx context.Context, run wstk.RunID, url string, c wstk.Closing,
) (bool, error) {
	const op = "closing URL"
	if err := c.Check(op); err != nil {
		return false, err
	}
	return f.change(ctx, op, run, url, func(u *wstk.FrontierURL) bool { return u.Close(c) })
}

func (f *Frontier) ClaimText(
	ctx context.Context, run wstk.RunID, text wstk.Hash, url string,
) (owner string, err error) {
	const op = "claiming text"
	err = f.db.write(ctx, op, func(t session) error {
		var n int64
		err := t.row(`SELECT run FROM frontier
			WHERE run = (SELECT id FROM frontier_runs WHERE run = ?) AND url = ?`, []any{run, url},
			&n)
		if errors.Is(err, sql.ErrNoRows) {
			return unknownURL(op, run, url)
		}
		if err != nil {
			return err
		}
		if err := t.exec(`INSERT INTO frontier_texts (run, text, url) VALUES (?, ?, ?)
			ON CONFLICT DO NOTHING`, n, text, url); err != nil {
			return err
		}
		return t.row(`SELECT url FROM frontier_texts WHERE run = ? AND text = ?`,
			[]any{n, text}, &owner)
	})
	return owner, err
}

func (f *Frontier) Note(ctx context.Context, run wstk.RunID, key string) (string, error) {
	const op = "reading note"
	if err := wstk.CheckNoteKey(op, key); err != nil {
		return "", err
	}
	var value string
	err := f.db.read(ctx, op, func(r session) error {
		err := r.row(`SELECT value FROM frontier_notes
			WHERE run = (SELECT id FROM frontier_runs WHERE run = ?) AND key = ?`, []any{run, key},
			&value)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return value, err
}

func (f *Frontier) Notes(
	ctx context.Context, run wstk.RunID, prefix string,
) (map[string]string, error) {
	const op = "reading notes"
	if err := wstk.CheckNoteKey(op, prefix); err != nil {
		return nil, err
	}
	out := map[string]string{}
	err := f.db.read(ctx, op, func(r session) error {
		return r.rows(`SELECT key, value FROM frontier_notes
			WHERE run = (SELECT id FROM frontier_runs WHERE run = ?) AND key > ? AND key < ?`,
			[]any{run, prefix, prefix + "\x7f"}, func(scan func(...any) error) error {
				var key, value string
				err := scan(&key, &value)
				out[key] = value
				return err
			})
	})
	return out, err
}

func (f *Frontier) SetNote(
	ctx context.Context, run wstk.RunID, key, old, value string,
) (did bool, err error) {
	const op = "writing note"
	if err := wstk.CheckNote(op, key, value); err != nil {
		return false, err
	}
	err = f.db.write(ctx, op, func(t session) error {
		n, err := ensureRun(t, run)
		if err != nil {
			return err
		}
		var was string
		err = t.row(`SELECT value FROM frontier_notes WHERE run = ? AND key = ?`,
			[]any{n, key}, &was)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if did = was == old; !did {
			return nil
		}
		if value == "" {
			return t.exec(`DELETE FROM frontier_notes WHERE run = ? AND key = ?`, n, key)
		}
		return t.exec(`INSERT INTO frontier_notes (run, key, value) VALUES (?, ?, ?)
			ON CONFLICT (run, key) DO UPDATE SET value = excluded.value`,
			n, key, value)
	})
	return did && err == nil, err
}

// counts calls each for every counter of a run.
func (f *Frontier) counts(
	ctx context.Context, op string, run wstk.RunID, each func(name string, n int),
) error {
	return f.db.read(ctx, op, func(r session) error {
		return r.rows(`SELECT name, n FROM frontier_counts
			WHERE run = (SELECT id FROM frontier_runs WHERE run = ?) AND n <> 0`, []any{run},
			func(scan func(...any) error) error {
				var name string
				var n int
				err := scan(&name, &n)
				each(name, n)
				return err
			})
	})
}

func (f *Frontier) Accounting(ctx context.Context, run wstk.RunID) (wstk.Accounting, error) {
	a := wstk.Accounting{By: map[wstk.Outcome]int{}}
	err := f.counts(ctx, "reading accounting", run, func(name string, n int) {
		if name == "discovered" {
			a.Discovered = n
		} else if outcome, ok := strings.CutPrefix(name, "outcome/"); ok {
			a.By[wstk.Outcome(outcome)] = n
		}
	})
	return a, err
}

func (f *Frontier) States(ctx context.Context, run wstk.RunID) (map[wstk.URLState]int, error) {
	states := map[wstk.URLState]int{}
	err := f.counts(ctx, "counting states", run, func(name string, n int) {
		if state, ok := strings.CutPrefix(name, "state/"); ok {
			states[wstk.URLState(state)] = n
		}
	})
	return states, err
}

func (f *Frontier) List(
	ctx context.Context, run wstk.RunID, state wstk.URLState, cursor string, limit int,
) ([]wstk.FrontierURL, string, error) {
	where := ``
	switch state {
	case "":
	case wstk.URLWaiting, wstk.URLQueued, wstk.URLStored, wstk.URLClosed:
		// literal, not bound: only so can SQLite see that a partial index fits
		where = ` AND state = '` + string(state) + `'`
	default:
		return nil, "", wstk.Errorf(wstk.Invalid, "listing frontier", "%q is not a state", state)
	}
	urls, err := f.urls(ctx, "listing frontier", run, `SELECT `+columns+` FROM frontier
		WHERE run = (SELECT id FROM frontier_runs WHERE run = ?)`+where+
		` AND url > ? ORDER BY url LIMIT ?`, run, cursor, wstk.Limit(limit)+1)
	if err != nil {
		return nil, "", err
	}
	urls, next := page(urls, limit, func(u wstk.FrontierURL) string { return u.URL })
	return urls, next, nil
}
