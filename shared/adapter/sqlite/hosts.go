package sqlite

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"math"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.HostStore = (*Hosts)(nil)

// Hosts is a wstk.HostStore.
type Hosts struct{ db *DB }

// Hosts returns the store of hosts.
func (db *DB) Hosts() *Hosts { return &Hosts{db} }

func (s *Hosts) Reserve(
	ctx context.Context, host string, now time.Time, gap time.Duration,
) (wstk.Slot, error) {
	slot := wstk.Slot{Token: "slot_" + rand.Text()}
	err := s.db.write(ctx, "reserving slot", func(t session) error {
		var last, paused int64
		err := t.row(`SELECT last_slot, paused FROM hosts WHERE host = ?`,
			[]any{host}, &last, &paused)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		slot.At = now
		if next := timeOf(last).Add(gap); last != 0 && next.After(slot.At) {
			slot.At = next
		}
		if until := timeOf(paused); until.After(slot.At) {
			slot.At = until
		}
		return t.exec(`INSERT INTO hosts (host, last_slot) VALUES (?, ?)
			ON CONFLICT (host) DO UPDATE SET last_slot = excluded.last_slot`,
			host, nanos(slot.At))
	})
	return slot, err
}

// Begin hears at once of an End in this process. It looks again every so often for
// what other processes do, and when the lease it waits for is over.
func (s *Hosts) Begin(
	ctx context.Context, host, token string, gap, lease, wait time.Duration,
) error {
	const op = "beginning request"
	const look = 25 * time.Millisecond
	if token == "" {
		return wstk.Errorf(wstk.Invalid, op, "no token")
	}
	giveUp := time.NewTimer(wait)
	defer giveUp.Stop()
	for last := false; ; {
		freed := s.db.freed.of(host) // before looking, so that no End in between is missed
		ok, next, err := s.take(ctx, op, host, token, gap, lease)
		if ok || err != nil {
			return err
		}
		if last {
			return wstk.BusyHost(op, host, s.db.Now(), next)
		}
		select {
		case <-freed:
		case <-time.After(look):
		case <-giveUp.C:
			last = true // look once more: it may have ended just now
		case <-ctx.Done():
			return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
		}
	}
}

// take marks the request as in flight unless another one is, or began less than gap ago,
// or the host is paused; then next is when gap and pause are over.
func (s *Hosts) take(
	ctx context.Context, op, host, token string, gap, lease time.Duration,
) (ok bool, next time.Time, err error) {
	// A waiting process only reads, so that waiting does not keep writers from their turn.
	var busy bool
	err = s.db.read(ctx, op, func(r session) error {
		now := s.db.Now()
		var began, paused int64
		err := r.row(`SELECT holder <> '' AND lease_until > ? OR began > ? OR paused > ?, began,
			paused FROM hosts WHERE host = ?`,
			[]any{nanos(now), latest(now, gap), nanos(now), host}, &busy, &began, &paused)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if next = timeOf(paused); began != 0 && timeOf(began).Add(gap).After(next) {
			next = timeOf(began).Add(gap)
		}
		return err
	})
	if busy || err != nil {
		return false, next, err
	}
	var n int64
	err = s.db.write(ctx, op, func(t session) (err error) {
		now := s.db.Now()
		n, err = t.change(`INSERT INTO hosts (host, holder, lease_until, began) VALUES (?, ?, ?, ?)
			ON CONFLICT (host) DO UPDATE SET holder = excluded.holder,
			lease_until = excluded.lease_until, began = excluded.began
			WHERE (holder = '' OR lease_until <= ?) AND began <= ? AND paused <= ?`,
			host, token, nanos(now.Add(lease)), nanos(now), nanos(now),
			latest(now, gap), nanos(now))
		return err
	})
	return n == 1, next, err
}

// latest is when the request before may have begun at the latest.
func latest(now time.Time, gap time.Duration) int64 {
	if gap <= 0 { // clocks of two machines may differ
		return math.MaxInt64
	}
	return nanos(now.Add(-gap))
}

func (s *Hosts) End(ctx context.Context, host, token string) error {
	err := s.db.write(ctx, "ending request", func(t session) error {
		return t.exec(`UPDATE hosts SET holder = '', lease_until = 0 WHERE host = ? AND holder = ?`,
			host, token)
	})
	if err == nil {
		s.db.freed.wake(host)
	}
	return err
}

func (s *Hosts) Defer(ctx context.Context, host string, until time.Time) error {
	return s.db.write(ctx, "pausing host", func(t session) error {
		return t.exec(`INSERT INTO hosts (host, paused) VALUES (?, ?)
			ON CONFLICT (host) DO UPDATE SET paused = max(paused, excluded.paused)`,
			host, nanos(until))
	})
}
