// Package limit stops calling a service that fails or that asked for fewer requests, so that
// processes do not ask it again and again. It keeps its state in a wstk.Cache: the pause of a
// service outlives a process, and is lost only with the cache.
package limit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"wstk/shared/wstk"
)

// How a Search rests.
const (
	inARow = 3 // failures that begin a rest
	// the first one, where the vendor names none; each further one is twice as long
	rest     = time.Minute
	restMost = 15 * time.Minute // and this is the longest
	trial    = 30 * time.Second // in which one caller tries whether it works again, and no other
	memory   = time.Hour        // how long failures count, after the last one
	noteTime = time.Second      // in which the cache must have noted how a call ended
)

// Search is a wstk.SearchProvider that rests after failures. RateLimited and Blocked begin
// a rest at once, for as long as the vendor asks, and three failures in a row of the kinds
// Timeout, Network, Unavailable and HTTPError do. While it rests, the vendor is not asked:
// the error wraps wstk.ErrResting and says for how long. Then one caller may try, and a
// success ends the matter. Errors that say nothing about how the vendor is, such as
// Unauthorized and Invalid, change nothing. Nor does a Timeout of a caller whose own time
// is over, unless the cause of that is wstk.ErrProviderTime.
//
// Processes that fail at the same moment may count one failure for two. A Search may be
// used concurrently; its fields do not change.
type Search struct {
	wstk.SearchProvider

	Cache wstk.Cache
	Scope string           // the same provider with another address or key is another one
	Now   func() time.Time // nil means time.Now

	mu sync.Mutex // around reading and writing the state
}

var _ wstk.SearchProvider = (*Search)(nil)

// state is what is kept of a provider that failed.
type state struct {
	Failures int       `json:"failures"` // in a row, since the last rest
	Rests    int       `json:"rests"`    // in a row
	RetryAt  time.Time `json:"retry_at"`
	Code     wstk.Code `json:"code"` // of the last failure
}

// Search asks, unless the provider rests.
func (s *Search) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	before, err := s.enter(ctx)
	if err != nil {
		return wstk.SearchReply{}, err
	}
	reply, err := s.SearchProvider.Search(ctx, q)
	code := wstk.CodeOf(err)
	if code == wstk.Timeout && ctx.Err() != nil &&
		!errors.Is(context.Cause(ctx), wstk.ErrProviderTime) {
		code = wstk.Cancelled // by the caller, who had too little time
	}
	noting, stop := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer stop()
	s.leave(noting, before, code, wstk.RetryAfterOf(err))
	return reply, err
}

// enter is an error while the provider rests. The first caller after a rest is let
// through; the others rest until it is back.
func (s *Search) enter(ctx context.Context) (state, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.load(ctx)
	now := s.now()
	if wait := st.RetryAt.Sub(now); wait > 0 {
		return st, &wstk.Error{Code: st.Code, Op: "asking " + s.Info().ID, RetryAfter: wait,
			Err: fmt.Errorf("%w (%s) until %s", wstk.ErrResting, st.Code, st.RetryAt.UTC().
				Format(time.RFC3339))}
	}
	if st.Rests > 0 {
		trying := st
		trying.RetryAt = now.Add(trial)
		s.save(ctx, trying)
	}
	return st, nil
}

// leave keeps what a call showed of the provider: how it failed, or "", and the pause the
// vendor asked for, or 0.
func (s *Search) leave(ctx context.Context, before state, code wstk.Code, pause time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch code {
	case "":
		if before != (state{}) {
			s.Cache.Delete(ctx, s.key()) // a state that stays is a rest too many, no harm
		}
		return
	case wstk.RateLimited, wstk.Blocked, wstk.Timeout, wstk.Network,
		wstk.Unavailable, wstk.HTTPError:
	default:
		if before.Rests > 0 {
			s.save(ctx, before) // the next caller may try
		}
		return
	}
	st := before
	if before.Rests == 0 {
		// with what others met meanwhile: enough, a call that began before adds nothing
		if st = s.load(ctx); st.Rests > 0 {
			return
		}
	}
	st.Failures++
	st.Code = code
	if code == wstk.RateLimited || code == wstk.Blocked ||
		st.Failures >= inARow || before.Rests > 0 {
		if pause == 0 {
			pause = min(rest<<min(st.Rests, 4), restMost)
		}
		st.RetryAt, st.Failures = s.now().Add(pause), 0
		st.Rests++
	}
	s.save(ctx, st)
}

func (s *Search) key() string { return "limit/" + s.Info().ID + "/" + s.Scope }

func (s *Search) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

// load is the state that is kept; what cannot be read is no state.
func (s *Search) load(ctx context.Context) (st state) {
	if e, err := s.Cache.Get(ctx, s.key()); err == nil && json.Unmarshal(e.Value, &st) != nil {
		return state{}
	}
	return st
}

func (s *Search) save(ctx context.Context, st state) {
	// numbers and texts always encode
	data, _ := json.Marshal(st)
	// an entry may vanish at any moment
	s.Cache.Put(ctx, s.key(), data, max(st.RetryAt.Sub(s.now()), 0)+memory)
}
