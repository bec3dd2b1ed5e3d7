package app

import (
	"sync"
	"time"

	"wstk/shared/wstk"
)

// Metrics counts what the stages did in this process. It may be used
// concurrently; the zero value is ready.
type Metrics struct {
	mu sync.Mutex
	m  map[string]Stat
}

// Stat is the work of one stage. Seconds are summed over workers, so that they can
// exceed the time that passed.
type Stat struct {
	Calls   int               `json:"calls"`
	Seconds float64           `json:"seconds"`
	Errors  map[wstk.Code]int `json:"errors,omitempty"`
}

// Time notes one call of a stage that began at started and ended now.
func (m *Metrics) Time(stage string, started time.Time, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.m == nil {
		m.m = map[string]Stat{}
	}
	s := m.m[stage]
	s.Calls++
	s.Seconds += time.Since(started).Seconds()
	if err != nil {
		if s.Errors == nil {
			s.Errors = map[wstk.Code]int{}
		}
		s.Errors[wstk.CodeOf(err)]++
	}
	m.m[stage] = s
}

// Stats returns a copy of the counts, by stage.
func (m *Metrics) Stats() map[string]Stat {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make(map[string]Stat, len(m.m))
	for k, s := range m.m {
		if s.Errors != nil {
			errors := make(map[wstk.Code]int, len(s.Errors))
			for c, n := range s.Errors {
				errors[c] = n
			}
			s.Errors = errors
		}
		out[k] = s
	}
	return out
}
