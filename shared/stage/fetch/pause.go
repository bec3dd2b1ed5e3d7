package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxPause   = time.Hour // how long a site may pause its host by Retry-After
	firstPause = 5 * time.Second
	lastPause  = 60 * time.Second   // growth of pauses ends here
	maxAsked   = 7 * 24 * time.Hour // a Retry-After beyond is taken as this
)

// pauses counts, for each host, the 429 and 503 in a row that came without a Retry-After.
// The count is that of this process: each worker counts by itself, and the pause that
// follows is shared through the HostStore.
type pauses struct {
	mu sync.Mutex
	in map[string]int
}

// maxCounted bounds the hosts that are counted, so that a hostile set of links
// cannot fill memory.
const maxCounted = 10_000

func (p *pauses) more(host string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.in == nil || len(p.in) >= maxCounted {
		p.in = map[string]int{}
	}
	p.in[host]++
	return p.in[host]
}

func (p *pauses) none(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.in, host)
}

// growing returns the pause after n refusals in a row without a Retry-After.
func growing(n int) time.Duration {
	if n > 4 {
		return lastPause
	}
	return min(firstPause<<(n-1), lastPause)
}

// retryAfter reads seconds or an HTTP date; a time that has passed is 0.
func retryAfter(value string, now time.Time) (d time.Duration, ok bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	if strings.Trim(value, "0123456789") == "" {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n > int64(maxAsked/time.Second) {
			return maxAsked, true
		}
		return time.Duration(n) * time.Second, true
	}
	t, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(max(t.Sub(now), 0), maxAsked), true
}
