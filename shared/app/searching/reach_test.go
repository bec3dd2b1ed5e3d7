package searching

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/stage/search"
	"wstk/shared/wstk"
)

// vendor is a search provider of which only Info is asked.
type vendor struct {
	wstk.SearchProvider
	info wstk.ProviderInfo
}

func (v vendor) Info() wstk.ProviderInfo { return v.info }

// Providers are looked at in the background, at most once a minute, and only those that
// the operator set up.
func TestReach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		down := atomic.Bool{}
		a := &Room{Ports: Ports{Base: reading.Base{Now: time.Now,
			Config: config.Config{Providers: map[string]config.ProviderOptions{"keyed": {Key: "k"},
				"own": {BaseURL: "http://127.0.0.1:1"}, "off": {BaseURL: "http://127.0.0.1:2"}}}},
			WebSearch: &search.Stage{Providers: []wstk.SearchProvider{
				vendor{info: wstk.ProviderInfo{ID: "keyed", Enabled: true}},
				vendor{info: wstk.ProviderInfo{ID: "own", Enabled: true}},
				vendor{info: wstk.ProviderInfo{ID: "off"}},
				vendor{info: wstk.ProviderInfo{ID: "keyless", Enabled: true}},
				vendor{info: wstk.ProviderInfo{ID: "index", Enabled: true, Stored: true}}}}}}
		a.WebSearch.Probe = func(ctx context.Context, id string) error {
			asked.Add(1)
			if id == "own" && down.Load() {
				<-ctx.Done() // it never answers
				return wstk.Errorf(wstk.Timeout, "", "%s", ctx.Err())
			}
			return nil
		}
		see := func(want ...string) {
			t.Helper()
			list := a.Reach()
			if len(list) != 4 || len(list) != len(want) {
				t.Fatalf("%+v", list)
			}
			for i, r := range list {
				got := r.Provider
				switch {
				case r.Reachable == nil && r.CheckedAt == nil:
					got += " unknown"
				case *r.Reachable:
					got += " up"
				default:
					got += " down " + string(r.Error)
				}
				if got != want[i] {
					t.Errorf("%s, want %s", got, want[i])
				}
			}
		}
		see("keyed unknown", "own unknown", "off unknown", "keyless unknown")
		for range 20 {
			a.Reach()
		}
		synctest.Wait()
		see("keyed up", "own up", "off unknown", "keyless unknown")
		if n := asked.Load(); n != 2 {
			t.Errorf("%d were asked", n)
		}
		down.Store(true)
		time.Sleep(reachAge - time.Millisecond)
		see("keyed up", "own up", "off unknown", "keyless unknown")
		time.Sleep(time.Millisecond)
		see("keyed up", "own up", "off unknown", "keyless unknown") // as last seen, at once
		time.Sleep(reachTime + time.Second)
		see("keyed up", "own down timeout", "off unknown", "keyless unknown")
		if n := asked.Load(); n != 4 {
			t.Errorf("%d were asked", n)
		}
	})
}

// A function that was frozen while it looked has seen nothing.
func TestReachAfterStandingStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var jump atomic.Int64
		a := &Room{Ports: Ports{Base: reading.Base{Now: func() time.Time {
			return time.Now().Add(time.Duration(jump.Load()))
		}, Config: config.Config{Providers: map[string]config.ProviderOptions{"keyed": {Key: "k"}}}},
			WebSearch: &search.Stage{Providers: []wstk.SearchProvider{
				vendor{info: wstk.ProviderInfo{ID: "keyed", Enabled: true}}}}}}
		frozen := true
		a.WebSearch.Probe = func(context.Context, string) error {
			if frozen {
				jump.Store(int64(time.Hour))
				return wstk.Errorf(wstk.Timeout, "", "so it seems")
			}
			return nil
		}
		a.Reach()
		synctest.Wait()
		frozen = false
		if r := a.Reach(); r[0].Reachable != nil {
			t.Errorf("%+v", r)
		}
		synctest.Wait()
		if r := a.Reach(); r[0].Reachable == nil || !*r[0].Reachable {
			t.Errorf("%+v", r)
		}
	})
}
