package searching

import (
	"context"
	"sync"
	"time"

	"wstk/shared/wstk"
)

const (
	// reachAge is how long one look at the providers counts, however often it is asked for.
	reachAge = time.Minute

	// reachTime is how long a provider may take to answer.
	reachTime = 5 * time.Second
)

// ProviderReach is whether a search provider can be reached from here.
type ProviderReach struct {
	Provider string `json:"provider"`
	Enabled  bool   `json:"enabled"`
	// null before the first look, and for one that is not configured
	Reachable *bool      `json:"reachable"`
	CheckedAt *time.Time `json:"checked_at"` // null likewise
	Error     wstk.Code  `json:"error,omitempty"`
}

// looks are what was seen at the last look.
type looks struct {
	mu      sync.Mutex
	at      time.Time // of its beginning
	looking bool
	seen    map[string]ProviderReach
}

// Reach tells which search providers can be reached, as it was seen at the last look,
// at once. When that is a minute old it has them looked at again in the background. Those
// that the operator configured are looked at, without their keys and at no cost. A
// provider that needs no settings is not looked at.
func (s *Room) Reach() []ProviderReach {
	out := []ProviderReach{}
	if s.WebSearch == nil {
		return out
	}
	s.looks.mu.Lock()
	defer s.looks.mu.Unlock()
	var ask []string
	for _, p := range s.WebSearch.Providers {
		info := p.Info()
		if info.Stored {
			continue
		}
		r := ProviderReach{Provider: info.ID, Enabled: info.Enabled}
		if o := s.Config.Providers[info.ID]; info.Enabled && (o.Key != "" || o.BaseURL != "") {
			ask = append(ask, info.ID)
			if seen, ok := s.looks.seen[info.ID]; ok {
				r = seen
			}
		}
		out = append(out, r)
	}
	if probe := s.WebSearch.Probe; probe != nil && len(ask) > 0 && !s.looks.looking && s.Now().
		Sub(s.looks.at) >= reachAge {
		s.looks.looking, s.looks.at = true, s.Now()
		go s.look(probe, ask)
	}
	return out
}

// look asks providers for a sign of life, all at once.
func (s *Room) look(probe func(context.Context, string) error, ids []string) {
	started := s.Now()
	ctx, cancel := context.WithTimeout(context.Background(), reachTime)
	defer cancel()
	seen := map[string]ProviderReach{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			err := probe(ctx, id)
			at, ok := s.Now().UTC(), err == nil
			mu.Lock()
			defer mu.Unlock()
			seen[id] = ProviderReach{Provider: id, Enabled: true, Reachable: &ok, CheckedAt: &at,
				Error: wstk.CodeOf(err)}
		})
	}
	wg.Wait()
	s.looks.mu.Lock()
	defer s.looks.mu.Unlock()
	s.looks.looking = false
	// the process stood still meanwhile, as functions do: that was no look
	if s.Now().Sub(started) > 2*reachTime {
		s.looks.at = time.Time{}
		return
	}
	s.looks.seen = seen
}
