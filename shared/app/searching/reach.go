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
func (a *Room) Reach() []ProviderReach {
	out := []ProviderReach{}
	if a.Searching == nil {
		return out
	}
	a.looks.mu.Lock()
	defer a.looks.mu.Unlock()
	var ask []string
	for _, p := range a.Searching.Providers {
		info := p.Info()
		if info.Stored {
			continue
		}
		r := ProviderReach{Provider: info.ID, Enabled: info.Enabled}
		if o := a.Config.Providers[info.ID]; info.Enabled && (o.Key != "" || o.BaseURL != "") {
			ask = append(ask, info.ID)
			if seen, ok := a.looks.seen[info.ID]; ok {
				r = seen
			}
		}
		out = append(out, r)
	}
	if probe := a.Searching.Probe; probe != nil && len(ask) > 0 && !a.looks.looking && a.Now().
		Sub(a.looks.at) >= reachAge {
		a.looks.looking, a.looks.at = true, a.Now()
		go a.look(probe, ask)
	}
	return out
}

// look asks providers for a sign of life, all at once.
func (a *Room) look(probe func(context.Context, string) error, ids []string) {
	started := a.Now()
	ctx, cancel := context.WithTimeout(context.Background(), reachTime)
	defer cancel()
	seen := map[string]ProviderReach{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			err := probe(ctx, id)
			at, ok := a.Now().UTC(), err == nil
			mu.Lock()
			defer mu.Unlock()
			seen[id] = ProviderReach{Provider: id, Enabled: true, Reachable: &ok, CheckedAt: &at,
				Error: wstk.CodeOf(err)}
		})
	}
	wg.Wait()
	a.looks.mu.Lock()
	defer a.looks.mu.Unlock()
	a.looks.looking = false
	// the process stood still meanwhile, as functions do: that was no look
	if a.Now().Sub(started) > 2*reachTime {
		a.looks.at = time.Time{}
		return
	}
	a.looks.seen = seen
}
