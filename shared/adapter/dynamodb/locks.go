package dynamodb

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.Locker = Locks{}

// Locks is a wstk.Locker. A lock is an item of the Hosts table with its holder and the
// end of the lease, which is renewed at thirds of the ttl.
type Locks struct{ *DB }

func lockKey(name string) key { return key{"lock " + name, "lock"} }

func (l Locks) Lock(ctx context.Context, name string, ttl time.Duration) (func(), error) {
	const op = "taking lock"
	if name == "" {
		return nil, wstk.Errorf(wstk.Invalid, op, "a lock needs a name")
	}
	if ttl <= 0 {
		return nil, wstk.Errorf(wstk.Invalid, op, "a lock needs a time to live")
	}
	token := rand.Text()
	taken, err := l.hold(ctx, op, name, token, ttl)
	if err != nil {
		return nil, err
	}
	if !taken {
		return nil, wstk.Errorf(wstk.Conflict, op, "%s is held", name)
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	wg.Go(func() {
		ticker := time.NewTicker(ttl / 3)
		defer ticker.Stop()
		for {
			select {
			case <-renewing.Done():
				return
			case <-ticker.C:
				// a failure is made good at the next tick, or the lease ends
				l.hold(renewing, op, name, token, ttl)
			}
		}
	})
	return func() {
		stop()
		wg.Wait()
		ctx, done := context.WithTimeout(context.Background(), 10*time.Second)
		defer done()
		// Where this fails the lease runs out by itself.
		l.update(ctx, "releasing lock", lockKey(name), "REMOVE holder, #until", "holder = :token",
			item{":token": str(token)})
	}, nil
}

func (l Locks) Held(ctx context.Context, name string) (bool, error) {
	const op = "looking at lock"
	if name == "" {
		return false, wstk.Errorf(wstk.Invalid, op, "a lock needs a name")
	}
	it, err := l.get(ctx, op, l.Tables.Hosts, lockKey(name))
	return strOf(it, "holder") != "" && numOf(it, "until") > l.now().UnixNano(), err
}

// hold takes the lock or renews it, and reports whether token holds it.
func (l Locks) hold(ctx context.Context, op, name, token string, ttl time.Duration) (bool, error) {
	now := l.now()
	return l.update(ctx, op, lockKey(name),
		"SET holder = :token, #until = :until, expires = :expires",
		"attribute_not_exists(holder) OR holder = :token OR #until <= :now",
		item{":token": str(token), ":until": num(now.Add(ttl).UnixNano()),
			":now": num(now.UnixNano()), ":expires": num(now.Add(ttl + 24*time.Hour).Unix())})
}
