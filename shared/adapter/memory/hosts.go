package memory

import (
	"context"
	"strconv"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.HostStore = (*Hosts)(nil)

// Hosts is a wstk.HostStore for one process.
type Hosts struct {
	now func() time.Time

	mu sync.Mutex
	m  map[string]*host
	n  int // slots given, for tokens
}

type host struct {
	last    time.Time // start of the slot reserved last
	paused  time.Time
	holder  string
	until   time.Time     // end of the holder's lease
	began   time.Time     // of the newest request
	changed chan struct{} // closed and replaced when the holder goes
}

// NewHosts returns a store on this clock, which leases are measured by; nil means
// the system's.
func NewHosts(now func() time.Time) *Hosts {
	return &Hosts{now: clockOr(now), m: map[string]*host{}}
}

func (s *Hosts) host(name string) *host {
	h := s.m[name]
	if h == nil {
		h = &host{changed: make(chan struct{})}
		s.m[name] = h
	}
	return h
}

func (s *Hosts) Reserve(
	ctx context.Context, name string, now time.Time, gap time.Duration,
) (wstk.Slot, error) {
	if err := alive(ctx, "reserving slot"); err != nil {
		return wstk.Slot{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.host(name)
	at := now
	if next := h.last.Add(gap); !h.last.IsZero() && next.After(at) {
		at = next
	}
	if h.paused.After(at) {
		at = h.paused
	}
	h.last = at
	s.n++
	return wstk.Slot{Token: "slot_" + strconv.Itoa(s.n), At: at}, nil
}

func (s *Hosts) Begin(
	ctx context.Context, name, token string, gap, lease, wait time.Duration,
) error {
	const op = "beginning request"
	if token == "" {
		return wstk.Errorf(wstk.Invalid, op, "no token")
	}
	giveUp := time.NewTimer(wait)
	defer giveUp.Stop()
	for last := false; ; {
		if err := alive(ctx, op); err != nil {
			return err
		}
		s.mu.Lock()
		h, now := s.host(name), s.now()
		free := h.holder == "" || !now.Before(h.until)
		next := h.paused // from when on a request may begin
		if apart := h.began.Add(gap); !h.began.IsZero() && apart.After(next) {
			next = apart
		}
		if free && !next.After(now) {
			h.holder, h.until, h.began = token, now.Add(lease), now
			s.mu.Unlock()
			return nil
		}
		changed, left := h.changed, h.until.Sub(now)
		if free {
			left = next.Sub(now)
		}
		s.mu.Unlock()
		if last {
			return wstk.BusyHost(op, name, now, next)
		}

		over := time.NewTimer(left)
		select {
		case <-changed:
		case <-over.C:
		case <-giveUp.C:
			last = true // look once more: it may have ended just now
		case <-ctx.Done():
		}
		over.Stop()
	}
}

func (s *Hosts) End(ctx context.Context, name, token string) error {
	if err := alive(ctx, "ending request"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.host(name)
	if h.holder == token {
		h.holder = ""
		close(h.changed)
		h.changed = make(chan struct{})
	}
	return nil
}

func (s *Hosts) Defer(ctx context.Context, name string, until time.Time) error {
	if err := alive(ctx, "pausing host"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.host(name); until.After(h.paused) {
		h.paused = until
	}
	return nil
}
