package wstktest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Cache checks the promises of wstk.Cache. open returns an empty cache that reads now.
func Cache(t *testing.T, open func(t *testing.T, now func() time.Time) wstk.Cache) {
	start := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	run := func(promise string, f func(t *testing.T, c wstk.Cache, pass func(time.Duration))) {
		t.Run(promise, func(t *testing.T) {
			var mu sync.Mutex
			at := start
			c := open(t, func() time.Time { mu.Lock(); defer mu.Unlock(); return at })
			f(t, c, func(d time.Duration) { mu.Lock(); defer mu.Unlock(); at = at.Add(d) })
		})
	}

	run("GetReturnsWhatWasPut", func(t *testing.T, c wstk.Cache, _ func(time.Duration)) {
		for key, value := range map[string][]byte{
			"a": []byte("one"), "a/b": {}, "ключ с пробелом": []byte("zwei"),
			strings.Repeat("long", 2000): randomBytes(1, 100_000),
			"../../escape":               []byte("stays inside"),
			"line\nbreak":                []byte("{\"json\":1}\n"),
		} {
			must(t, c.Put(bg, key, value, time.Hour))
			got, err := c.Get(bg, key)
			must(t, err)
			if !bytes.Equal(got.Value, value) || !got.StoredAt.Equal(start) ||
				!got.ExpiresAt.Equal(start.Add(time.Hour)) {
				t.Errorf("%.20q: %d bytes, stored %v, expires %v", key, len(got.Value),
					got.StoredAt, got.ExpiresAt)
			}
		}
	})

	run("GetMissingIsNotFound", func(t *testing.T, c wstk.Cache, _ func(time.Duration)) {
		_, err := c.Get(bg, "this was never put")
		wantCode(t, "Get", err, wstk.NotFound)
	})

	run("GetExpiredIsNotFound", func(t *testing.T, c wstk.Cache, pass func(time.Duration)) {
		must(t, c.Put(bg, "k", []byte("v"), time.Minute))
		pass(time.Minute - time.Second)
		_, err := c.Get(bg, "k")
		must(t, err)
		pass(time.Second)
		_, err = c.Get(bg, "k")
		wantCode(t, "Get", err, wstk.NotFound)
	})

	run("GetOfTheFutureIsNotFound", func(t *testing.T, c wstk.Cache, pass func(time.Duration)) {
		must(t, c.Put(bg, "k", []byte("v"), time.Hour))
		pass(-wstk.ClockSkew)
		_, err := c.Get(bg, "k")
		must(t, err)
		pass(-time.Second)
		_, err = c.Get(bg, "k")
		wantCode(t, "Get", err, wstk.NotFound)
	})

	run("PutReplaces", func(t *testing.T, c wstk.Cache, pass func(time.Duration)) {
		must(t, c.Put(bg, "k", []byte("old"), time.Hour))
		pass(time.Minute)
		must(t, c.Put(bg, "k", []byte("new"), time.Hour))
		got, err := c.Get(bg, "k")
		must(t, err)
		if string(got.Value) != "new" || !got.StoredAt.Equal(start.Add(time.Minute)) {
			t.Errorf("%q, stored %v", got.Value, got.StoredAt)
		}
	})

	run("DeleteForgets", func(t *testing.T, c wstk.Cache, _ func(time.Duration)) {
		must(t, c.Delete(bg, "k"))
		must(t, c.Put(bg, "k", []byte("v"), time.Hour))
		must(t, c.Delete(bg, "k"))
		_, err := c.Get(bg, "k")
		wantCode(t, "Get", err, wstk.NotFound)
	})

	run("CancelledChangesNothing", func(t *testing.T, c wstk.Cache, _ func(time.Duration)) {
		must(t, c.Put(bg, "k", []byte("v"), time.Hour))
		ctx, cancel := context.WithCancel(bg)
		cancel()
		wantCode(t, "Put", c.Put(ctx, "k", []byte("w"), time.Hour), wstk.Cancelled)
		wantCode(t, "Delete", c.Delete(ctx, "k"), wstk.Cancelled)
		_, err := c.Get(ctx, "k")
		wantCode(t, "Get", err, wstk.Cancelled)
		got, err := c.Get(bg, "k")
		must(t, err)
		if string(got.Value) != "v" {
			t.Errorf("changed to %q", got.Value)
		}
	})

	run("ReadersSeeWholeValues", func(t *testing.T, c wstk.Cache, _ func(time.Duration)) {
		must(t, c.Put(bg, "k", bytes.Repeat([]byte{'0'}, 5000), time.Hour))
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for i := range 20 {
					value := bytes.Repeat([]byte{byte('0' + (w*20+i)%10)}, 5000)
					if err := c.Put(bg, "k", value, time.Hour); err != nil {
						t.Error(err)
					}
					if got, err := c.Get(bg, "k"); err != nil || len(got.Value) != 5000 ||
						bytes.Count(got.Value, got.Value[:1]) != 5000 {
						t.Errorf("half a value: %d bytes, %v", len(got.Value), err)
					}
					if err := c.Put(bg, fmt.Sprint(w, i), value, time.Hour); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	})
}
