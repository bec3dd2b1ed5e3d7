// Package crawl keeps the accounts of a crawl: what was discovered, what is asked
// for next and how politely, and where each URL ended. It works on the ports
// alone, so that a worker loop in one process and functions on a queue use it alike,
// and it keeps nothing in memory that a crash could lose.
//
// A run goes like this:
//
//	Seed      what a service names, the site's robots.txt, sitemaps, known pages and root
//	          enter the frontier
//	Release   waiting URLs get a slot of their host and become fetch tasks
//	Settle    a fetched URL's links enter the frontier, and the URL is closed, put
//	          back for another try, or stored for indexing
//	Acknowledge  an indexed URL is closed as fetched
//	Finish    a run with nothing open ends
//
// After Settle and Acknowledge comes Release again. Sweep and Resume recover what a
// dead worker held, Abort ends a run early, Why explains one URL. Every method may
// be called twice, out of order, and by several processes at once.
//
// The law (see wstk.Accounting): every discovered URL ends in exactly one outcome
// with a reason, the outcomes add up, and every run ends. It holds for three reasons. A
// page's links are recorded before the page is closed. Each change of a URL's state is one
// atomic call of the frontier, which succeeds once. And a call that was cut off half-way
// is repeated by a sweep, or is harmless when repeated.
//
// Begin reading at Stage, then Release and Settle.
package crawl

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Stage crawls. All fields up to Robots are needed; a Stage is not
// changed once used.
type Stage struct {
	Frontier wstk.Frontier
	Hosts    wstk.HostStore
	Pages    wstk.PageStore
	Blobs    wstk.BlobStore
	Runs     wstk.RunStore
	Client   wstk.Client // for sitemaps
	Robots   *Robots

	// Discoverers are the services that crawlers ask for addresses; there may be none.
	Discoverers map[wstk.Crawler]wstk.Discoverer

	Limits Limits                                           // zero means DefaultLimits
	Now    func() time.Time                                 // nil means the system's clock
	Sleep  func(ctx context.Context, d time.Duration) error // nil means a timer
	Random io.Reader                                        // nil means crypto/rand

	// IndexLag is how long after Acknowledge the index shows what it was given.
	IndexLag time.Duration

	homes homes
	known known
}

// Next is what the caller has to do after a call.
type Next struct {
	// Index are stored URLs whose Document must be summarised, chunked and indexed, then
	// acknowledged. An item may come twice.
	Index []wstk.FrontierURL

	// Drop are URLs whose text must leave the index: they are gone, or their text is
	// another page's.
	Drop []string
}

func (s *Stage) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

func (s *Stage) sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if s.Sleep != nil {
		return s.Sleep(ctx, d)
	}
	return wstk.Sleep(ctx, d)
}

func (s *Stage) limits() Limits {
	if s.Limits == (Limits{}) {
		return DefaultLimits()
	}
	return s.Limits
}

// options are the bounds of a run: its own, else the site's.
func options(run wstk.Run, site wstk.Site) wstk.CrawlOptions {
	if run.Options != nil {
		return *run.Options
	}
	return site.Options
}

// view holds what is needed to decide about a URL of a run.
type view struct {
	run     wstk.RunID
	options wstk.CrawlOptions
	root    string
	scope   *Scope
	pending string // the root, or where it redirects, while that is not fetched; "" once it is
}

// view follows the root's redirects through the frontier. Until they end, it is not known
// what belongs to the site.
func (s *Stage) view(ctx context.Context, run wstk.Run, site wstk.Site) (view, error) {
	v := view{run: run.ID, options: options(run, site), root: site.Root}
	if scope := s.homes.get(run.ID); scope != nil {
		v.scope = scope
		return v, nil
	}
	scope, err := NewScope(site.Root, v.options)
	if err != nil {
		return v, err
	}
	v.scope = scope
	end, err := s.follow(ctx, run.ID, site.Root, func(target string) {
		v.scope = v.scope.withRedirect(target)
	})
	if err != nil {
		return v, err
	}
	if end.State == wstk.URLClosed || end.State == wstk.URLStored {
		s.homes.put(run.ID, v.scope)
	} else {
		v.pending = end.URL
	}
	return v, nil
}

// follow goes from url along redirects that were recorded and returns where they
// end: a URL that is no redirect, or whose target is not known, or that was seen on
// the way. A URL the run does not know has State "".
func (s *Stage) follow(
	ctx context.Context, run wstk.RunID, url string, each func(target string),
) (wstk.FrontierURL, error) {
	seen := map[string]bool{}
	for {
		u, err := s.Frontier.Get(ctx, run, url)
		if wstk.CodeOf(err) == wstk.NotFound {
			return wstk.FrontierURL{Run: run, URL: url}, nil
		}
		if err != nil {
			return u, err
		}
		seen[url] = true
		if u.Outcome != wstk.OutcomeRedirected || u.Target == "" || seen[u.Target] ||
			len(seen) > 2*s.limits().Hops {
			return u, nil
		}
		url = u.Target
		if each != nil {
			each(url)
		}
	}
}

// place decides about a URL before it enters the frontier or is requested, by what is known
// without asking the site. It returns the URL open or with its outcome.
func (s *Stage) place(ctx context.Context, v view, u wstk.FrontierURL) (wstk.FrontierURL, error) {
	u.Run, u.Host, u.Outcome, u.Reason = v.run, text.HostKey(u.URL), wstk.OutcomeOpen, ""
	closed := func(o wstk.Outcome, reason string) (wstk.FrontierURL, error) {
		u.Outcome, u.Reason = o, reason
		return u, nil
	}
	a, ok := splitURL(u.URL)
	if !ok || u.Host == "" {
		return closed(wstk.OutcomeRefusedPolicy, "not an http or https URL")
	}
	in, reason := v.scope.Decide(u.URL)
	if !in {
		if v.pending != "" && related(v.scope.root, a) {
			return u, nil // the root may yet redirect there
		}
		return closed(wstk.OutcomeOutOfScope, reason)
	}
	if u.Depth > v.options.MaxDepth {
		return closed(wstk.OutcomeOverDepth,
			fmt.Sprintf("%d links from the root, the limit is %d", u.Depth, v.options.MaxDepth))
	}
	if reason := s.limits().shape(a); reason != "" {
		return closed(wstk.OutcomeTrap, reason)
	}
	// Its host may turn out to be another site's: do not ask it yet. What a service named is
	// asked before the root, where the root's own address shows that it belongs to the site.
	if v.pending != "" && u.URL != v.pending && !v.scope.chain[u.URL] && !u.Via.ByService() {
		return u, nil
	}
	d, err := s.Robots.Check(ctx, u.URL, v.options.UserAgent, v.options.Robots)
	if err != nil {
		return u, err
	}
	if !d.Allowed {
		return closed(d.Verdict.Outcome(), d.Reason)
	}
	return u, nil
}

// homes remembers the scope of runs whose root has been fetched.
type homes struct {
	mu sync.Mutex
	m  map[wstk.RunID]*Scope
}

func (h *homes) get(run wstk.RunID) *Scope {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.m[run]
}

func (h *homes) put(run wstk.RunID, s *Scope) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.m == nil || len(h.m) >= 64 {
		h.m = map[wstk.RunID]*Scope{}
	}
	h.m[run] = s
}

// running returns the run in its newest state and whether it still runs.
func (s *Stage) running(ctx context.Context, id wstk.RunID) (wstk.Run, bool, error) {
	run, err := s.Runs.Get(ctx, id)
	return run, err == nil && !run.State.Terminal(), err
}

// Warn keeps a warning with the run, once, and at most maxWarnings of them.
func (s *Stage) Warn(ctx context.Context, run wstk.RunID, w wstk.Warning) error {
	return s.changeNote(ctx, run, warningsKey, func(old string) (string, error) {
		var list []wstk.Warning
		if old != "" {
			_ = json.Unmarshal([]byte(old), &list)
		}
		same := func(x wstk.Warning) bool {
			return x.Code == w.Code && x.URL == w.URL && x.Message == w.Message
		}
		if len(list) >= maxWarnings || slices.ContainsFunc(list, same) {
			return old, nil
		}
		w.URL, w.Message = text.Shorten(w.URL, 300), text.Shorten(w.Message, 300)
		data, err := json.Marshal(append(list, w))
		return string(data), err
	})
}

const (
	warningsKey = "warnings"
	maxWarnings = 50
)

// Warnings returns the warnings of a run: sitemaps that could not be read, links that were
// not followed, a crawl delay that was cut.
func (s *Stage) Warnings(ctx context.Context, run wstk.RunID) []wstk.Warning {
	note, err := s.Frontier.Note(ctx, run, warningsKey)
	if err != nil || note == "" {
		return nil
	}
	var list []wstk.Warning
	_ = json.Unmarshal([]byte(note), &list)
	return list
}
