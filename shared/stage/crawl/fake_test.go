package crawl

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// clock is time that passes only when a worker sleeps.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if d > 0 {
		c.t = c.t.Add(d)
	}
	return nil
}

// reply is what a fake site answers.
type reply struct {
	status   int
	body     string
	location string
	err      error
}

// web is a wstk.Client over a table of replies; whatever is not in it is a 404. A
// list of replies is given out one by one, the last forever.
type web struct {
	mu    sync.Mutex
	pages map[string][]reply
	asked []string
}

func newWeb() *web { return &web{pages: map[string][]reply{}} }

func (w *web) put(url string, r ...reply) { w.pages[url] = r }

func (w *web) Do(ctx context.Context, r wstk.Request) (wstk.Response, error) {
	if err := ctx.Err(); err != nil {
		return wstk.Response{}, wstk.Wrap(wstk.Cancelled, "asking", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, r.URL)
	list := w.pages[r.URL]
	if len(list) == 0 {
		return wstk.Response{Status: 404, Header: http.Header{}}, nil
	}
	now := list[0]
	if len(list) > 1 {
		w.pages[r.URL] = list[1:]
	}
	if now.err != nil {
		return wstk.Response{}, now.err
	}
	if r.Cut && int64(len(now.body)) > r.MaxBytes {
		now.body = now.body[:r.MaxBytes]
	}
	if r.MaxBytes > 0 && int64(len(now.body)) > r.MaxBytes {
		return wstk.Response{}, wstk.Errorf(wstk.TooLarge, "asking", "over %d bytes", r.MaxBytes)
	}
	resp := wstk.Response{Status: now.status, Header: http.Header{}, Body: []byte(now.body)}
	if now.location != "" {
		resp.Header.Set("Location", now.location)
	}
	return resp, nil
}

func (w *web) times(url string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, u := range w.asked {
		if u == url {
			n++
		}
	}
	return n
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func fail(code wstk.Code) reply { return reply{err: wstk.Errorf(code, "asking", "made up")} }

func ok(format string, args ...any) reply {
	return reply{status: 200, body: fmt.Sprintf(format, args...)}
}
