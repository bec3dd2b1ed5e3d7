package memory

import (
	"context"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.Locker = (*Locks)(nil)

// Locks is a wstk.Locker for one process. A lease ends when it is unlocked:
// its holder cannot die and leave it behind.
type Locks struct {
	mu sync.Mutex
	m  map[string]*struct{ _ byte }
}

// NewLocks returns a locker that holds nothing.
func NewLocks() *Locks { return &Locks{m: map[string]*struct{ _ byte }{}} }

func (l *Locks) Held(ctx context.Context, name string) (bool, error) {
	const op = "looking at lock"
	if err := alive(ctx, op); err != nil {
		return false, err
	}
	if name == "" {
		return false, wstk.Errorf(wstk.Invalid, op, "a lock needs a name")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.m[name] != nil, nil
}

func (l *Locks) Lock(ctx context.Context, name string, _ time.Duration) (func(), error) {
	const op = "taking lock"
	if err := alive(ctx, op); err != nil {
		return nil, err
	}
	if name == "" {
		return nil, wstk.Errorf(wstk.Invalid, op, "a lock needs a name")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m[name] != nil {
		return nil, wstk.Errorf(wstk.Conflict, op, "%s is held", name)
	}
	mine := new(struct{ _ byte })
	l.m[name] = mine
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.m[name] == mine { // not the lease of a later holder
			delete(l.m, name)
		}
	}, nil
}
