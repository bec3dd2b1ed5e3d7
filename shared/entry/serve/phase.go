package serve

import (
	"sync"

	"wstk/shared/wstk"
)

// Phase says whether a server takes work: it prepares, it works, it drains. The zero value
// works. It may be used concurrently.
type Phase struct {
	mu       sync.Mutex
	reason   string // why it does not
	draining chan struct{}
	drained  bool
}

// Preparing says that the process does not take work yet, until Started is called.
func (p *Phase) Preparing() { p.set("it takes up what an earlier process left") }

// Started says that the process takes work.
func (p *Phase) Started() { p.set("") }

// Drain says that the process takes no more work: what streams, ends.
func (p *Phase) Drain() {
	p.set("it is about to stop")
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.drained {
		p.drained = true
		close(p.channel())
	}
}

// Draining is closed by Drain.
func (p *Phase) Draining() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.channel()
}

// Beginning is nil once the process takes work, also when it takes no more, and
// Unavailable before.
func (p *Phase) Beginning() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reason == "" || p.drained {
		return nil
	}
	return wstk.Errorf(wstk.Unavailable, "", "%s", p.reason)
}

// Readiness is nil while the process takes work, and Unavailable otherwise.
func (p *Phase) Readiness() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reason == "" {
		return nil
	}
	return wstk.Errorf(wstk.Unavailable, "", "%s", p.reason)
}

func (p *Phase) set(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.drained {
		p.reason = reason
	}
}

// channel is the one that Drain closes. The lock is held.
func (p *Phase) channel() chan struct{} {
	if p.draining == nil {
		p.draining = make(chan struct{})
	}
	return p.draining
}
