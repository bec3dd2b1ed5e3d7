package dynamodb

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// counting counts requests by what they ask for. It has connections of its own, which the faults
// of other tests do not close.
type counting struct {
	base *http.Transport
	mu   sync.Mutex
	n    map[string]int
}

func newCounting(t *testing.T) *counting {
	c := &counting{base: http.DefaultTransport.(*http.Transport).Clone(), n: map[string]int{}}
	t.Cleanup(c.base.CloseIdleConnections)
	return c
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	_, what, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	c.mu.Lock()
	c.n[what]++
	c.mu.Unlock()
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		r.Body = io.NopCloser(bytes.NewReader(asked))
		res, err := c.base.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		answer, err := io.ReadAll(res.Body)
		res.Body.Close()
		res.Body = io.NopCloser(bytes.NewReader(answer))
		if err == nil || try == tries {
			return res, err
		}
	}
}

// tries is how often a request is sent whose reply breaks off, which the server of the tests does
// now and then.
const tries = 3

func (c *counting) take() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.n
	c.n = map[string]int{}
	return n
}

// Waiting for a busy host costs one failed write and a few reads, however long it takes; and
// where it is known that waiting does not help, the answer is the time to come back, at once.
func TestABusyHostCostsFewWrites(t *testing.T) {
	db := open(t)
	count := newCounting(t)
	h := Hosts{faulty(db, count, 1)}
	const host, lease = "https://a.example:443", time.Minute
	begin := func(token string, gap, wait time.Duration) error {
		return h.Begin(t.Context(), host, token, gap, lease, wait)
	}
	if err := begin("first", 0, 0); err != nil {
		t.Fatal(err)
	}
	count.take()
	if err := begin("second", 0, 2*time.Second); wstk.CodeOf(err) != wstk.Conflict {
		t.Fatal(err)
	}
	if n := count.take(); n["UpdateItem"] > 1 || n["GetItem"] > 6 {
		t.Errorf("two seconds without success: %v", n)
	}

	// It ends while another waits for it.
	time.AfterFunc(700*time.Millisecond, func() { h.End(t.Context(), host, "first") })
	if err := begin("second", 0, 20*time.Second); err != nil {
		t.Fatal(err)
	}
	if n := count.take(); n["UpdateItem"] > 3 { // the first look, the end, and the one that counts
		t.Errorf("until it was free: %v", n)
	}
	if err := h.End(t.Context(), host, "second"); err != nil {
		t.Fatal(err)
	}

	// The gap is not over in time, and that is known.
	count.take()
	began := time.Now()
	if err := begin("third", time.Hour, 2*time.Second); wstk.CodeOf(err) != wstk.Conflict ||
		time.Since(began) > time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if n := count.take(); n["UpdateItem"] != 1 || n["GetItem"] != 0 {
		t.Errorf("too early: %v", n)
	}
}
