package retry_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"wstk/shared/adapter/provider"
	"wstk/shared/adapter/retry"
	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestSearch(t *testing.T) {
	const key = "made" + "-up-" + "key-" + "51c0"
	wstktest.SearchProvider(t, wstktest.Vendor{Replies: "../../../testdata/providers/tavily", Key: key, Asks: 3,
		Open: func(_ *testing.T, transport http.RoundTripper) wstk.SearchProvider {
			return retry.Search{Pause: retry.Pause{
				Sleep: func(ctx context.Context, _ time.Duration) error {
					return ctx.Err()
				}},
				SearchProvider: provider.Tavily{Options: provider.Options{
					Client: webapi.Client{Transport: transport,
						Key: func() string { return key }}}}}
		}})
}

// noted notes how long it is told to wait, and does not wait.
func noted(waits *[]time.Duration) retry.Pause {
	return retry.Pause{Chance: func() float64 { return 0.5 },
		Sleep: func(_ context.Context, d time.Duration) error {
			*waits = append(*waits, d)
			return nil
		}}
}

// scripted fails as it is told, and then answers.
type scripted struct {
	wstk.SearchProvider
	failures []error
	asked    int
}

func (s *scripted) Search(context.Context, wstk.SearchQuery) (wstk.SearchReply, error) {
	s.asked++
	if s.asked <= len(s.failures) {
		return wstk.SearchReply{}, s.failures[s.asked-1]
	}
	return wstk.SearchReply{Tries: 1}, nil
}

func fail(code wstk.Code, after time.Duration) error {
	return &wstk.Error{Code: code, RetryAfter: after}
}

func TestWhatMayWorkLaterIsAskedAgain(t *testing.T) {
	resting := &wstk.Error{Code: wstk.RateLimited, Err: wstk.ErrResting}
	for _, c := range []struct {
		name     string
		failures []error
		waits    []time.Duration
		code     wstk.Code
	}{
		{"works at once", nil, nil, ""},
		{"transient ones", []error{fail(wstk.Unavailable, 0), fail(wstk.Network, 0)},
			[]time.Duration{375 * time.Millisecond, 750 * time.Millisecond}, ""},
		{"three are enough", []error{fail(wstk.Timeout, 0), fail(wstk.Timeout, 0),
			fail(wstk.Timeout, 0)}, []time.Duration{375 * time.Millisecond, 750 * time.Millisecond},
			wstk.Timeout},
		{"as long as the vendor asks", []error{fail(wstk.RateLimited, 3*time.Second)}, []time.Duration{3 * time.Second}, ""},
		{"not for long", []error{fail(wstk.RateLimited, 9*time.Second)}, nil, wstk.RateLimited},
		{"not while it rests", []error{resting}, nil, wstk.RateLimited},
		{"not what stays", []error{fail(wstk.Unauthorized, 0)}, nil, wstk.Unauthorized},
		{"not a challenge", []error{fail(wstk.Blocked, 0)}, nil, wstk.Blocked},
	} {
		var waits []time.Duration
		vendor := &scripted{failures: c.failures}
		reply, err := retry.Search{SearchProvider: vendor, Pause: noted(&waits)}.Search(t.Context(),
			wstk.SearchQuery{})
		if wstk.CodeOf(err) != c.code || !slices.Equal(waits, c.waits) ||
			reply.Tries != len(waits)+1 || vendor.asked != reply.Tries {
			t.Errorf("%s: waited %v, asked %d times, says %d, %v", c.name, waits, vendor.asked, reply.Tries, err)
		}
	}
}

func TestNoWaitBeyondTheDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	vendor := &scripted{failures: []error{fail(wstk.Unavailable, time.Second)}}
	begin := time.Now()
	_, err := retry.Search{SearchProvider: vendor}.Search(ctx, wstk.SearchQuery{})
	if wstk.CodeOf(err) != wstk.Unavailable || vendor.asked != 1 ||
		time.Since(begin) > 100*time.Millisecond {
		t.Errorf("asked %d times in %s: %v", vendor.asked, time.Since(begin), err)
	}
}

// late says no once, and then nothing until its time is over.
type late struct {
	wstk.SearchProvider
	asked int
}

func (l *late) Search(ctx context.Context, _ wstk.SearchQuery) (wstk.SearchReply, error) {
	if l.asked++; l.asked == 1 {
		return wstk.SearchReply{}, fail(wstk.RateLimited, 0)
	}
	<-ctx.Done()
	return wstk.SearchReply{}, wstk.Wrap(wstk.Internal, "asking", ctx.Err())
}

// When the time ends during a further try, the reason of the one before it stands; when
// the caller cancels, that is the reason.
func TestTheReasonOfTheTryBeforeStands(t *testing.T) {
	for want, begin := range map[wstk.Code]func(context.Context) (context.Context,
		context.CancelFunc){
		wstk.RateLimited: func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Second)
		},
		wstk.Cancelled: func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			return ctx, cancel
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := begin(t.Context())
			defer cancel()
			vendor := &late{}
			_, err := retry.Search{SearchProvider: vendor}.Search(ctx, wstk.SearchQuery{})
			if wstk.CodeOf(err) != want || vendor.asked != 2 {
				t.Errorf("asked %d times: %v, want %s", vendor.asked, err, want)
			}
		})
	}
}
