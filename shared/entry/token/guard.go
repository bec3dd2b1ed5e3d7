package token

import (
	"crypto/sha256"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Guard counts different wrong tokens, so that a client that guesses is told to stop, longer
// each time, and monitoring sees it. A right token always gets in, whatever else came from the
// same address: no one can lock the owner out. What makes guessing hopeless is the length of a
// token. Guard is safe for concurrent use.
type Guard struct {
	Each int // wrong tokens of one network in a minute; 0 means 10
	All  int // of all clients; 0 means 1000

	mu   sync.Mutex
	nets map[netip.Prefix]*misses
	all  misses
}

// misses are the wrong tokens of a network.
type misses struct {
	since   time.Time     // of the minute that is counted
	seen    map[hash]bool // that were counted
	until   time.Time     // when more are answered again
	strikes int           // how often the limit was passed
}

const (
	window     = time.Minute
	longest    = time.Hour // a wait, and how long a strike is remembered
	maxStrikes = 6
	maxNets    = 4096 // that are remembered; of more, all together count
)

// miss counts a wrong token and returns how long its sender is to wait; 0 within the limit.
func (m *misses) miss(word hash, now time.Time, most int) time.Duration {
	if now.Before(m.until) {
		return m.until.Sub(now)
	}
	if now.Sub(m.since) >= window || now.Before(m.since) {
		if now.Sub(m.until) > longest {
			m.strikes = 0
		}
		m.since, m.seen = now, map[hash]bool{}
	}
	if m.seen[word] {
		return 0
	}
	if len(m.seen) < most {
		m.seen[word] = true
		return 0
	}
	wait := min(window<<m.strikes, longest)
	m.strikes, m.until = min(m.strikes+1, maxStrikes), now.Add(wait)
	return wait
}

// Wrong counts a wrong token of a network and returns how long its sender is to wait before
// another wrong one is answered as one; 0 within the limit. The same token again is no
// guess, but a client whose token was withdrawn.
func (g *Guard) Wrong(from netip.Prefix, presented string, now time.Time) time.Duration {
	word := sha256.Sum256([]byte(presented))
	g.mu.Lock()
	defer g.mu.Unlock()
	wait := g.all.miss(word, now, positive(g.All, 1000))
	m := g.nets[from]
	if m == nil {
		if len(g.nets) >= maxNets {
			for at, old := range g.nets {
				if now.Sub(old.since) > longest && now.After(old.until) {
					delete(g.nets, at)
				}
			}
		}
		if len(g.nets) >= maxNets {
			return wait
		}
		if g.nets == nil {
			g.nets = map[netip.Prefix]*misses{}
		}
		m = &misses{}
		g.nets[from] = m
	}
	return max(wait, m.miss(word, now, positive(g.Each, 10)))
}

// Right forgets the wrong tokens of a network that knows a right one.
func (g *Guard) Right(from netip.Prefix) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.nets, from)
}

func positive(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}

// Client is the network that a request came from. What a proxy says of it is believed of
// those in trusted alone: anybody can send X-Forwarded-For.
func Client(r *http.Request, trusted []netip.Prefix) netip.Prefix {
	at, ok := address(r.RemoteAddr)
	if !ok {
		return netip.Prefix{}
	}
	is := func(a netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	said := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(said) - 1; i >= 0 && is(at); i-- { // each proxy adds whom it heard, at the end
		before, ok := address(strings.TrimSpace(said[i]))
		if !ok {
			break
		}
		at = before
	}
	return network(at)
}

// address reads an address with or without a port.
func address(s string) (netip.Addr, bool) {
	if host, _, err := net.SplitHostPort(s); err == nil {
		s = host
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return a.WithZone("").Unmap(), err == nil
}

// network is whom an address belongs to: the owner of one IPv6 address has its whole /64.
func network(a netip.Addr) netip.Prefix {
	bits := 32
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits) // the number of bits fits
	return p
}
