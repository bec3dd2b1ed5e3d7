package search

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wstk/shared/wstk"
)

// scripted is a model that gives the same reply once ready is closed, and counts its calls.
type scripted struct {
	reply string
	ready chan struct{}
	calls int
}

func (m *scripted) Info() wstk.ModelInfo { return wstk.ModelInfo{Provider: "stand-in", Model: "m"} }

func (m *scripted) Complete(ctx context.Context, _ wstk.ModelRequest) (wstk.ModelReply, error) {
	m.calls++
	select {
	case <-m.ready:
		return wstk.ModelReply{Text: m.reply, Usage: wstk.Usage{Calls: 1}}, nil
	case <-ctx.Done():
		return wstk.ModelReply{}, wstk.Wrap(wstk.Timeout, "", ctx.Err())
	}
}

// keeping is a store of templates that takes its time to store one.
type keeping struct {
	takes time.Duration
	mu    sync.Mutex
	kept  map[string]wstk.RewrittenQuery
	puts  int
}

func (k *keeping) Put(_ context.Context, q wstk.RewrittenQuery) error {
	time.Sleep(k.takes)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil {
		k.kept = map[string]wstk.RewrittenQuery{}
	}
	k.kept[q.ID()] = q
	k.puts++
	return nil
}

func (k *keeping) Get(_ context.Context, key wstk.TemplateKey) (wstk.RewrittenQuery, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if q, ok := k.kept[key.ID()]; ok {
		return q, nil
	}
	return wstk.RewrittenQuery{}, wstk.Errorf(wstk.NotFound, "", "none")
}

// Callers with the same words at the same time share one call of the model, and one of them
// reports its usage. A caller that gives up does not end the call for the others, and one that
// comes while the template is being stored does not call the model again.
func TestTheSameWordsAtOnceAreOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, store := &scripted{reply: `{"keywords": ["tide"]}`, ready: make(chan struct{})}, &keeping{takes: time.Second}
		r := &Rewriter{Templates: store, Model: m}
		first, giveUp := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := r.Do(first, "high water", ""); wstk.CodeOf(err) != wstk.Cancelled {
				t.Errorf("the caller that gave up has %v, want cancelled", err)
			}
		})
		synctest.Wait() // until the model is asked
		giveUp()
		var paid atomic.Int32
		ask := func() {
			got, err := r.Do(t.Context(), "high  water", "")
			if err != nil || len(got.Template.Keywords) != 1 ||
				got.Reused != (got.Usage.Calls == 0) {
				t.Errorf("%+v, %v", got, err)
			}
			paid.Add(int32(got.Usage.Calls))
		}
		for range 20 {
			group.Go(ask)
		}
		synctest.Wait() // until all wait for it
		close(m.ready)
		synctest.Wait() // until it is being stored
		group.Go(ask)
		group.Wait()
		ask()
		if m.calls != 1 || store.puts != 1 || paid.Load() != 1 {
			t.Errorf("the model was asked %d times, %d templates were stored, and %d have the usage", m.calls, store.puts, paid.Load())
		}
		if _, err := r.Do(t.Context(), "low water", ""); err != nil || m.calls != 2 {
			t.Errorf("other words: %d calls, %v", m.calls, err)
		}
	})
}

// What the model gave is kept although no caller waits for it any more.
func TestAnAbandonedAnswerIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, store := &scripted{reply: `{"keywords": ["tide"]}`, ready: make(chan struct{})}, &keeping{takes: time.Second}
		r := &Rewriter{Templates: store, Model: m}
		ctx, giveUp := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			giveUp()
		}()
		if _, err := r.Do(ctx, "high water", ""); wstk.CodeOf(err) != wstk.Cancelled {
			t.Errorf("the caller that gave up has %v, want cancelled", err)
		}
		close(m.ready)
		if got, err := r.Do(t.Context(), "high water", ""); err != nil || m.calls != 1 ||
			len(got.Template.Keywords) != 1 {
			t.Errorf("%+v, %v after %d calls", got, err, m.calls)
		}
	})
}

// panicking is a model with a bug.
type panicking struct{ scripted }

func (*panicking) Complete(context.Context, wstk.ModelRequest) (wstk.ModelReply, error) {
	panic("a bug")
}

func TestAPanicOfTheModelIsAnError(t *testing.T) {
	if _, err := (&Rewriter{Templates: &keeping{}, Model: &panicking{}}).
		Do(t.Context(), "high water", ""); wstk.CodeOf(err) != wstk.Internal {
		t.Errorf("got %v", err)
	}
}

func TestTheLanguageAskedForCounts(t *testing.T) {
	for reply, notes := range map[string]int{`{"keywords": ["tide"], "filters": {"lang": "fr"}}`: 1, `{"keywords": ["tide"], "filters": {"lang": "de"}}`: 0, `{"keywords": ["tide"]}`: 0} {
		m := &scripted{reply: reply, ready: make(chan struct{})}
		close(m.ready)
		got, err := (&Rewriter{Templates: &keeping{}, Model: m}).Do(t.Context(), "tides in French", "de")
		if err != nil || got.Template.Filters.Lang != "de" || len(got.Warnings) != notes {
			t.Errorf("%s: %+v, %v", reply, got, err)
		}
	}
}
