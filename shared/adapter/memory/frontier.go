package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.Frontier = (*Frontier)(nil)

// Frontier is a wstk.Frontier that lives as long as the process. Now gives the
// times of changes; it may be set before first use.
type Frontier struct {
	Now func() time.Time

	mu   sync.RWMutex
	runs map[wstk.RunID]*frontierRun
}

type frontierRun struct {
	urls   map[string]*wstk.FrontierURL
	found  []*wstk.FrontierURL // in the order they were added
	texts  map[wstk.Hash]string
	notes  map[string]string
	counts map[wstk.Outcome]int
}

// NewFrontier returns an empty frontier.
func NewFrontier() *Frontier {
	return &Frontier{Now: time.Now, runs: map[wstk.RunID]*frontierRun{}}
}

func (f *Frontier) Add(ctx context.Context, urls ...wstk.FrontierURL) (int, error) {
	const op = "adding to frontier"
	if err := alive(ctx, op); err != nil {
		return 0, err
	}
	for _, u := range urls {
		if err := u.Check(op); err != nil {
			return 0, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	added := 0
	for _, u := range urls {
		r := f.run(u.Run)
		if r.urls[u.URL] != nil {
			continue
		}
		u = u.Discovered(f.Now())
		r.urls[u.URL] = &u
		r.found = append(r.found, &u)
		added++
		if u.Counted() {
			r.counts[u.Outcome]++
		}
	}
	return added, nil
}

func (f *Frontier) run(id wstk.RunID) *frontierRun {
	r := f.runs[id]
	if r == nil {
		r = &frontierRun{urls: map[string]*wstk.FrontierURL{}, texts: map[wstk.Hash]string{},
			notes: map[string]string{}, counts: map[wstk.Outcome]int{}}
		f.runs[id] = r
	}
	return r
}

func (f *Frontier) find(run wstk.RunID, url, op string) (*frontierRun, *wstk.FrontierURL, error) {
	r := f.runs[run]
	if r == nil || r.urls[url] == nil {
		return nil, nil, wstk.Errorf(wstk.NotFound, op, "run %s has no URL %s", run, url)
	}
	return r, r.urls[url], nil
}

func (f *Frontier) Get(ctx context.Context, run wstk.RunID, url string) (wstk.FrontierURL, error) {
	const op = "reading frontier"
	if err := alive(ctx, op); err != nil {
		return wstk.FrontierURL{}, err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	_, u, err := f.find(run, url, op)
	if err != nil {
		return wstk.FrontierURL{}, err
	}
	return *u, nil
}

func (f *Frontier) Waiting(
	ctx context.Context, run wstk.RunID, limit, perHost int,
) ([]wstk.FrontierURL, error) {
	if err := alive(ctx, "reading frontier"); err != nil {
		return nil, err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	r := f.runs[run]
	if r == nil {
		return nil, nil
	}
	var all []*wstk.FrontierURL
	for _, u := range r.found {
		if u.State == wstk.URLWaiting {
			all = append(all, u)
		}
	}
	slices.SortStableFunc(all, func(a, b *wstk.FrontierURL) int {
		// the zero time is first
		return cmp.Or(a.NotBefore.Compare(b.NotBefore), cmp.Compare(a.Depth, b.Depth))
	})
	var out []wstk.FrontierURL
	hosts := map[string]int{}
	for _, u := range all {
		if len(out) == wstk.Limit(limit) {
			break
		}
		if hosts[u.Host]++; perHost < 1 || hosts[u.Host] <= perHost {
			out = append(out, *u)
		}
	}
	return out, nil
}

// change applies step to a URL, and notes the time if it did something.
func (f *Frontier) change(
	ctx context.Context, op string, run wstk.RunID, url string, step func(*wstk.FrontierURL) bool,
) (bool, error) {
	if err := alive(ctx, op); err != nil {
		return false, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r, u, err := f.find(run, url, op)
	if err != nil {
		return false, err
	}
	before := u.Outcome
	if !step(u) {
		return false, nil
	}
	r.counts[before]--
	r.counts[u.Outcome]++
	u.ChangedAt = f.Now()
	return true, nil
}

func (f *Frontier) Queue(
	ctx context.Context, run wstk.RunID, url string, slot wstk.Slot,
) (bool, error) {
	return f.change(ctx, "queueing URL", run, url,
		func(u *wstk.FrontierURL) bool { return u.Queue(slot) })
}

func (f *Frontier) Start(ctx context.Context, run wstk.RunID, url, slot string) (bool, error) {
	return f.change(ctx, "starting attempt", run, url,
		func(u *wstk.FrontierURL) bool { return u.Start(slot) })
}

func (f *Frontier) Requeue(
	ctx context.Context, run wstk.RunID, url, old string, slot wstk.Slot, counted bool,
) (bool, error) {
	return f.change(ctx, "requeueing URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Requeue(old, slot, counted)
	})
}

func (f *Frontier) Postpone(
	ctx context.Context, run wstk.RunID, url, slot string, until time.Time,
) (bool, error) {
	return f.change(ctx, "postponing URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Postpone(slot, until)
	})
}

func (f *Frontier) Unqueue(
	ctx context.Context, run wstk.RunID, url string, before time.Time, counted bool,
) (bool, error) {
	return f.change(ctx, "returning URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Unqueue(before, counted)
	})
}

func (f *Frontier) Store(
	ctx context.Context, run wstk.RunID, url, slot string, doc wstk.Hash,
) (bool, error) {
	return f.change(ctx, "storing URL", run, url,
		func(u *wstk.FrontierURL) bool { return u.Store(slot, doc) })
}

func (f *Frontier) Close(
	ctx context.Context, run wstk.RunID, url string, c wstk.Closing,
) (bool, error) {
	const op = "closing URL"
	if err := c.Check(op); err != nil {
		return false, err
	}
	return f.change(ctx, op, run, url, func(u *wstk.FrontierURL) bool { return u.Close(c) })
}

func (f *Frontier) ClaimText(
	ctx context.Context, run wstk.RunID, text wstk.Hash, url string,
) (string, error) {
	const op = "claiming text"
	if err := alive(ctx, op); err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r, _, err := f.find(run, url, op)
	if err != nil {
		return "", err
	}
	if owner, ok := r.texts[text]; ok {
		return owner, nil
	}
	r.texts[text] = url
	return url, nil
}

func (f *Frontier) Note(ctx context.Context, run wstk.RunID, key string) (string, error) {
	const op = "reading note"
	if err := alive(ctx, op); err != nil {
		return "", err
	}
	if err := wstk.CheckNoteKey(op, key); err != nil {
		return "", err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	if r := f.runs[run]; r != nil {
		return r.notes[key], nil
	}
	return "", nil
}

func (f *Frontier) Notes(
	ctx context.Context, run wstk.RunID, prefix string,
) (map[string]string, error) {
	const op = "reading notes"
	if err := alive(ctx, op); err != nil {
		return nil, err
	}
	if err := wstk.CheckNoteKey(op, prefix); err != nil {
		return nil, err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	out := map[string]string{}
	if r := f.runs[run]; r != nil {
		for key, value := range r.notes {
			if strings.HasPrefix(key, prefix) && key != prefix && value != "" {
				out[key] = value
			}
		}
	}
	return out, nil
}

func (f *Frontier) SetNote(
	ctx context.Context, run wstk.RunID, key, old, value string,
) (bool, error) {
	const op = "writing note"
	if err := alive(ctx, op); err != nil {
		return false, err
	}
	if err := wstk.CheckNote(op, key, value); err != nil {
		return false, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.run(run)
	if r.notes[key] != old {
		return false, nil
	}
	r.notes[key] = value
	return true, nil
}

func (f *Frontier) Accounting(ctx context.Context, run wstk.RunID) (wstk.Accounting, error) {
	if err := alive(ctx, "reading accounting"); err != nil {
		return wstk.Accounting{}, err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	a := wstk.Accounting{By: map[wstk.Outcome]int{}}
	if r := f.runs[run]; r != nil {
		for o, n := range r.counts {
			if n != 0 {
				a.By[o] = n
				a.Discovered += n
			}
		}
	}
	return a, nil
}

func (f *Frontier) States(ctx context.Context, run wstk.RunID) (map[wstk.URLState]int, error) {
	if err := alive(ctx, "counting states"); err != nil {
		return nil, err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	states := map[wstk.URLState]int{}
	if r := f.runs[run]; r != nil {
		for _, u := range r.found {
			if u.Counted() {
				states[u.State]++
			}
		}
	}
	return states, nil
}

func (f *Frontier) List(
	ctx context.Context, run wstk.RunID, state wstk.URLState, cursor string, limit int,
) ([]wstk.FrontierURL, string, error) {
	if err := alive(ctx, "listing frontier"); err != nil {
		return nil, "", err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	r := f.runs[run]
	if r == nil {
		return nil, "", nil
	}
	var keys []string
	for url, u := range r.urls {
		if url > cursor && (state == "" || u.State == state) {
			keys = append(keys, url)
		}
	}
	slices.Sort(keys)
	keys, next := cut(keys, limit)
	var out []wstk.FrontierURL
	for _, url := range keys {
		out = append(out, *r.urls[url])
	}
	return out, next, nil
}

func (f *Frontier) Remove(ctx context.Context, run wstk.RunID, limit int) (more bool, err error) {
	if err := alive(ctx, "forgetting URLs"); err != nil {
		return false, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.runs, run)
	return false, nil
}
