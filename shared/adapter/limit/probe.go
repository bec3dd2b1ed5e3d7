package limit

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// How long what a Probe found is believed, and how long it waits for an answer.
const (
	believed  = 2 * time.Minute
	probeTime = time.Second
)

// Probe reports whether a service is there, and remembers it for two minutes.
type Probe struct {
	Cache wstk.Cache // nil remembers nothing
	Key   string     // names the service
	Ask   func(ctx context.Context) error
}

// Do is nil when the service is there, and Network when it is not, or does not answer
// within a second. When the caller's own time is over, that is the error.
func (p Probe) Do(ctx context.Context) error {
	key := "probe/" + p.Key
	if p.Cache != nil {
		if e, err := p.Cache.Get(ctx, key); err == nil {
			return verdict(string(e.Value))
		}
	}
	short, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	found := ""
	if err := p.Ask(short); err != nil {
		if ctx.Err() != nil {
			return wstk.Wrap(wstk.Cancelled, "", ctx.Err())
		}
		found = err.Error()
	}
	if p.Cache != nil {
		p.Cache.Put(ctx, key, []byte(found), believed) // an entry may vanish at any moment
	}
	return verdict(found)
}

func verdict(found string) error {
	if found == "" {
		return nil
	}
	return wstk.Errorf(wstk.Network, "", "it is not reachable: %s", found)
}
