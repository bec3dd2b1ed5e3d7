package retry_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"wstk/shared/adapter/model"
	"wstk/shared/adapter/retry"
	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestModel(t *testing.T) {
	const key = "made" + "-up-" + "key-" + "51c0"
	wstktest.Model(t, wstktest.ModelVendor{Replies: "../../../testdata/models/openai", Key: key,
		Text: `{"keywords":["AI regulation","AI Act"],"boolean":"OR","filters":{"sites":[".eu"],` +
			`"date_after":"{LAST_WEEK_START}","date_before":"{LAST_WEEK_END}"}}`,
		Open: func(_ *testing.T, transport http.RoundTripper) wstk.Model {
			return retry.Model{
				Pause: retry.Pause{Sleep: func(ctx context.Context, _ time.Duration) error {
					return ctx.Err()
				}},
				Model: model.OpenAI(model.Options{Model: "m", Client: webapi.Client{
					Transport: transport, Key: func() string { return key }}})}
		}})
}

func TestModelsAreAskedAgain(t *testing.T) {
	for _, c := range []struct {
		name     string
		failures []error
		waits    []time.Duration
		code     wstk.Code
	}{
		{"works at once", nil, nil, ""},
		{"transient ones", []error{fail(wstk.Unavailable, 0), fail(wstk.Network, 0)},
			[]time.Duration{375 * time.Millisecond, 750 * time.Millisecond}, ""},
		{"as long as it asks for", []error{fail(wstk.RateLimited, 40*time.Second)},
			[]time.Duration{40 * time.Second}, ""},
		{"not over a minute", []error{fail(wstk.RateLimited, 2*time.Minute)}, nil, wstk.RateLimited},
		{"three times", []error{fail(wstk.Unavailable, 0), fail(wstk.Unavailable, 0),
			fail(wstk.Unavailable, 0)}, []time.Duration{375 * time.Millisecond,
			750 * time.Millisecond}, wstk.Unavailable},
		{"not what came too late", []error{fail(wstk.Timeout, 0)}, nil, wstk.Timeout},
		{"not a refusal", []error{fail(wstk.Invalid, 0)}, nil, wstk.Invalid},
		{"not a bad reply", []error{fail(wstk.ModelFailed, 0)}, nil, wstk.ModelFailed},
	} {
		var waits []time.Duration
		n := 0
		m := &wstktest.ScriptedModel{Answer: func(wstk.ModelRequest) (string, error) {
			if n++; n <= len(c.failures) {
				return "", c.failures[n-1]
			}
			return "{}", nil
		}}
		var told []time.Duration
		ctx := wstk.Noticing(t.Context(), func(n wstk.Notice) {
			if n.Why == "" {
				t.Errorf("%s: a notice without a reason", c.name)
			}
			told = append(told, n.Wait)
		})
		reply, err := retry.Model{Model: m, Pause: noted(&waits)}.Complete(ctx,
			wstk.ModelRequest{})
		if !slices.Equal(told, waits) {
			t.Errorf("%s: told of waits of %v, and waited %v", c.name, told, waits)
		}
		if wstk.CodeOf(err) != c.code || !slices.Equal(waits, c.waits) || n != len(waits)+1 ||
			reply.Usage.Calls != n {
			t.Errorf("%s: waited %v, asked %d times, %+v, %v", c.name, waits, n, reply.Usage, err)
		}
	}
}

// A wait that does not fit the deadline is not begun.
func TestModelsAreAskedWithinTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		started := time.Now()
		m := &wstktest.ScriptedModel{Answer: func(wstk.ModelRequest) (string, error) {
			return "", fail(wstk.RateLimited, 10*time.Second)
		}}
		_, err := retry.Model{Model: m}.Complete(ctx, wstk.ModelRequest{})
		if wstk.CodeOf(err) != wstk.RateLimited || len(m.Requests()) != 1 ||
			time.Since(started) != 0 {
			t.Errorf("asked %d times, after %s: %v", len(m.Requests()), time.Since(started), err)
		}
	})
}
