package search

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

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

// nothingKept is a store of templates that holds none.
type nothingKept struct{}

func (nothingKept) Put(context.Context, wstk.RewrittenQuery) error { return nil }
func (nothingKept) Get(context.Context, wstk.TemplateKey) (wstk.RewrittenQuery, error) {
	return wstk.RewrittenQuery{}, wstk.Errorf(wstk.NotFound, "", "none")
}

// The same words at the same time are one call, which one of them pays for; who gives up
// does not take it away from the others.
func TestTheSameWordsAtOnceAreOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &scripted{reply: `{"keywords": ["tide"]}`, ready: make(chan struct{})}
		r := &Rewriter{Templates: nothingKept{}, Model: m}
		first, giveUp := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := r.Do(first, "high water", ""); wstk.CodeOf(err) != wstk.Cancelled {
				t.Errorf("who gave up has %v", err)
			}
		})
		synctest.Wait() // until the model is asked
		giveUp()
		for range 20 {
			group.Go(func() {
				got, err := r.Do(t.Context(), "high  water", "")
				if err != nil || len(got.Template.Keywords) != 1 || !got.Reused || got.Usage.Calls != 0 {
					t.Errorf("%+v, %v", got, err)
				}
			})
		}
		synctest.Wait() // until all wait for it
		close(m.ready)
		group.Wait()
		if m.calls != 1 {
			t.Errorf("the model was asked %d times", m.calls)
		}
		if _, err := r.Do(t.Context(), "low water", ""); err != nil || m.calls != 2 {
			t.Errorf("other words: %d calls, %v", m.calls, err)
		}
	})
}

func TestTheLanguageAskedForCounts(t *testing.T) {
	for reply, notes := range map[string]int{`{"keywords": ["tide"], "filters": {"lang": "fr"}}`: 1, `{"keywords": ["tide"], "filters": {"lang": "de"}}`: 0, `{"keywords": ["tide"]}`: 0} {
		m := &scripted{reply: reply, ready: make(chan struct{})}
		close(m.ready)
		got, err := (&Rewriter{Templates: nothingKept{}, Model: m}).Do(t.Context(), "tides in French", "de")
		if err != nil || got.Template.Filters.Lang != "de" || len(got.Warnings) != notes {
			t.Errorf("%s: %+v, %v", reply, got, err)
		}
	}
}
