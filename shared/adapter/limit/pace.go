package limit

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// Pace leaves time between the requests to a service, over all processes that share the
// HostStore. It may be used concurrently; its fields do not change.
type Pace struct {
	Hosts wstk.HostStore
	Name  string        // of the service among hosts, such as "crawler://tavily"
	Gap   time.Duration // between two requests
	Wait  time.Duration // longest wait for a turn; 0 means a minute

	Now   func() time.Time                                 // nil means time.Now
	Sleep func(ctx context.Context, d time.Duration) error // nil means a timer
}

// longestWait is Pace.Wait where it is not set.
const longestWait = time.Minute

// turn waits for the turn of a request. If that is too far away, the error is RateLimited and
// says for how long.
func (p Pace) turn(ctx context.Context) error {
	slot, err := p.Hosts.Reserve(ctx, p.Name, p.now(), p.Gap)
	if err != nil {
		return err
	}
	wait, most := slot.At.Sub(p.now()), p.Wait
	if most <= 0 {
		most = longestWait
	}
	if wait > most {
		e := wstk.Errorf(wstk.RateLimited, "asking "+p.Name,
			"it takes no request before %s", slot.At.UTC().Format(time.RFC3339))
		e.RetryAfter = wait
		return e
	}
	if err := p.sleep(ctx, wait); err != nil {
		return wstk.Wrap(wstk.CodeOf(err), "waiting for "+p.Name, err)
	}
	return nil
}

// heed keeps all processes from asking again before the service wants it.
func (p Pace) heed(ctx context.Context, err error) {
	if rest := wstk.RetryAfterOf(err); wstk.CodeOf(err) == wstk.RateLimited && rest > 0 {
		_ = p.Hosts.Defer(context.WithoutCancel(ctx), p.Name, p.now().Add(rest)) // a courtesy
	}
}

func (p Pace) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

func (p Pace) sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	if p.Sleep != nil {
		return p.Sleep(ctx, d)
	}
	return wstk.Sleep(ctx, d)
}

// Discover is a wstk.Discoverer that keeps a Pace.
type Discover struct {
	wstk.Discoverer
	Pace Pace
}

var _ wstk.Discoverer = Discover{}

// Discover waits for its turn and asks.
func (d Discover) Discover(
	ctx context.Context, q wstk.DiscoverQuery, cursor string,
) (wstk.Discovery, error) {
	if err := d.Pace.turn(ctx); err != nil {
		return wstk.Discovery{}, err
	}
	out, err := d.Discoverer.Discover(ctx, q, cursor)
	d.Pace.heed(ctx, err)
	return out, err
}

// Scrape is a wstk.Scraper that keeps a Pace.
type Scrape struct {
	wstk.Scraper
	Pace Pace
}

var _ wstk.Scraper = Scrape{}

// Scrape waits for its turn and asks.
func (s Scrape) Scrape(ctx context.Context, url string) (wstk.Scraped, error) {
	if err := s.Pace.turn(ctx); err != nil {
		return wstk.Scraped{}, err
	}
	out, err := s.Scraper.Scrape(ctx, url)
	s.Pace.heed(ctx, err)
	return out, err
}
