package s3

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest/faults"
)

// faulty is b behind a transport, whose client tries a request so many times.
func faulty(b Blobs, tr http.RoundTripper, attempts int) Blobs {
	b.Client = s3.New(b.Client.Options(), func(o *s3.Options) {
		o.HTTPClient = &http.Client{Transport: tr}
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = attempts, 5*time.Millisecond
		})
	})
	return b
}

// What Put says is stored is there, whole; Get gives the right bytes or an error that
// says what happened, and what is not whole is nowhere.
func TestBlobsUnderFaults(t *testing.T) {
	b := open(t)
	for seed := range uint64(40) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			kinds, limit := []faults.Kind(nil), 20*time.Second
			if seed%8 == 7 {
				kinds, limit = append(kinds, faults.Stalled, faults.Lost, faults.Cut),
					200*time.Millisecond
			}
			tr := faults.New(seed, 0.3, kinds...)
			bad := faulty(b, tr, 1+2*int(seed%2))
			r := rand.New(rand.NewPCG(seed, 2))
			data, stored, removed := map[wstk.Hash][]byte{}, map[wstk.Hash]bool{},
				map[wstk.Hash]bool{}
			for range 12 {
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				n := r.IntN(6)
				d := []byte(strings.Repeat(fmt.Sprint("seed ", seed, " blob ", n, " "), 1+n*n*40))
				if n == 5 { // nothing that compression makes smaller
					for i := range d {
						d[i] = byte(rand.New(rand.NewPCG(seed, uint64(i))).Uint32())
					}
				}
				h := wstk.HashOf(d)
				data[h] = d
				switch r.IntN(5) {
				case 0, 1:
					got, err := bad.Put(ctx, d)
					if err == nil && got != h {
						t.Errorf("stored under %s", got)
					}
					removed[h] = false
					if err == nil {
						stored[h] = true
					} else if wstk.CodeOf(err) != wstk.Unavailable &&
						wstk.CodeOf(err) != wstk.Cancelled && wstk.CodeOf(err) != wstk.Timeout {
						t.Errorf("storing: %v", err)
					}
				case 2, 3:
					got, err := bad.Get(ctx, h)
					switch code := wstk.CodeOf(err); {
					case err == nil && !bytes.Equal(got, d):
						t.Errorf("%d wrong bytes", len(got))
					case code == wstk.NotFound && stored[h]:
						t.Error("a stored blob is not found")
					case err != nil && code != wstk.NotFound && code != wstk.Unavailable &&
						code != wstk.Cancelled && code != wstk.Timeout:
						t.Errorf("reading: %v", err)
					}
				case 4:
					if has, err := bad.Has(ctx, h); err == nil && has != stored[h] && stored[h] {
						t.Error("a stored blob is not there")
					}
					if r.IntN(2) == 0 {
						stored[h] = false
						removed[h] = bad.Delete(ctx, h) == nil
					}
				}
				cancel()
			}
			for h, d := range data {
				got, err := b.Get(t.Context(), h)
				switch {
				case err == nil && !bytes.Equal(got, d),
					err != nil && wstk.CodeOf(err) != wstk.NotFound:
					t.Errorf("%d bytes of %d, %v", len(got), len(d), err)
				case err != nil && stored[h]:
					t.Error("a blob was stored and is lost")
				case err == nil && removed[h]:
					t.Error("a blob was removed and is there")
				}
			}
		})
	}
}

// What is under way when another process removes the same object is tried again.
func TestConflictingWritesAreTriedAgain(t *testing.T) {
	b := open(t)
	tr := faults.New(1, 0.3, faults.Conflict)
	bad := faulty(b, tr, 1)
	for i := range 20 {
		if _, err := bad.Put(t.Context(), fmt.Append(nil, "blob ", i)); err != nil {
			t.Error(err)
		}
	}
	if tr.Count(faults.Conflict) == 0 {
		t.Error("nothing was injected")
	}
}
