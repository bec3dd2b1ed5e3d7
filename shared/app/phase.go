package app

import (
	"sync"

	"wstk/shared/wstk"
)

// phase tells whether a server takes work. The zero value does.
type phase struct {
	mu       sync.Mutex
	reason   string // why it does not
	draining chan struct{}
	drained  bool
}

// Preparing says that the process does not take work yet, until Started is called.
func (a *App) Preparing() { a.phase.set("it takes up what an earlier process left") }

// Started says that the process takes work.
func (a *App) Started() { a.phase.set("") }

// Drain says that the process takes no more work: what streams, ends.
func (a *App) Drain() {
	a.phase.set("it is about to stop")
	a.phase.mu.Lock()
	defer a.phase.mu.Unlock()
	if !a.phase.drained {
		a.phase.drained = true
		close(a.phase.channel())
	}
}

// Draining is closed by Drain.
func (a *App) Draining() <-chan struct{} {
	a.phase.mu.Lock()
	defer a.phase.mu.Unlock()
	return a.phase.channel()
}

// Beginning is nil once the process takes work, also when it takes no more, and
// Unavailable before.
func (a *App) Beginning() error {
	a.phase.mu.Lock()
	defer a.phase.mu.Unlock()
	if a.phase.reason == "" || a.phase.drained {
		return nil
	}
	return wstk.Errorf(wstk.Unavailable, "", "%s", a.phase.reason)
}

// Readiness is nil while the process takes work, and Unavailable otherwise.
func (a *App) Readiness() error {
	a.phase.mu.Lock()
	defer a.phase.mu.Unlock()
	if a.phase.reason == "" {
		return nil
	}
	return wstk.Errorf(wstk.Unavailable, "", "%s", a.phase.reason)
}

func (p *phase) set(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.drained {
		p.reason = reason
	}
}

// channel is the one that Drain closes. The lock is held.
func (p *phase) channel() chan struct{} {
	if p.draining == nil {
		p.draining = make(chan struct{})
	}
	return p.draining
}
