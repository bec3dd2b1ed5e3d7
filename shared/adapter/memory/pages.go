package memory

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.PageStore = (*Pages)(nil)

// Pages is a wstk.PageStore.
type Pages struct {
	mu sync.RWMutex
	m  map[string]page
	of map[string]map[wstk.Hash][]byte // versions, by URL and Document
}

type page struct {
	site    wstk.SiteID
	text    wstk.Hash
	doc     wstk.Hash
	checked time.Time
	data    []byte
}

// NewPages returns an empty store.
func NewPages() *Pages {
	return &Pages{m: map[string]page{}, of: map[string]map[wstk.Hash][]byte{}}
}

func (s *Pages) Put(ctx context.Context, p wstk.Page) error {
	const op = "storing page"
	if err := alive(ctx, op); err != nil {
		return err
	}
	if p.URL == "" {
		return wstk.Errorf(wstk.Invalid, op, "a page needs a URL")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.m[p.URL]; ok && p.CheckedAt.Before(old.checked) {
		return nil
	}
	return s.set(op, p)
}

func (s *Pages) set(op string, p wstk.Page) error {
	data, err := encode(op, p)
	if err != nil {
		return err
	}
	s.m[p.URL] = page{p.Site, p.TextSHA256, p.Document, p.CheckedAt, data}
	if p.Document != "" {
		if s.of[p.URL] == nil {
			s.of[p.URL] = map[wstk.Hash][]byte{}
		}
		s.of[p.URL][p.Document] = data
	}
	return nil
}

func (s *Pages) Get(ctx context.Context, url string) (wstk.Page, error) {
	const op = "reading page"
	if err := alive(ctx, op); err != nil {
		return wstk.Page{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.m[url]
	if !ok {
		return wstk.Page{}, wstk.Errorf(wstk.NotFound, op, "no page %s", url)
	}
	return decode[wstk.Page](op, p.data)
}

func (s *Pages) List(
	ctx context.Context, site wstk.SiteID, cursor string, limit int,
) ([]wstk.Page, string, error) {
	const op = "listing pages"
	if err := alive(ctx, op); err != nil {
		return nil, "", err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var urls []string
	for url, p := range s.m {
		if url > cursor && (site == "" || p.site == site) {
			urls = append(urls, url)
		}
	}
	slices.Sort(urls)
	urls, next := cut(urls, limit)
	var out []wstk.Page
	for _, url := range urls {
		p, err := decode[wstk.Page](op, s.m[url].data)
		if err != nil {
			return nil, "", err
		}
		out = append(out, p)
	}
	return out, next, nil
}

// cut returns the first keys of a sorted list and the cursor of what is left.
func cut(keys []string, limit int) ([]string, string) {
	if n := wstk.Limit(limit); len(keys) > n {
		return keys[:n], keys[n-1]
	}
	return keys, ""
}

func (s *Pages) Count(ctx context.Context, site wstk.SiteID) (int, error) {
	if err := alive(ctx, "counting pages"); err != nil {
		return 0, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	for _, p := range s.m {
		if p.doc != "" && (site == "" || p.site == site) {
			n++
		}
	}
	return n, nil
}

func (s *Pages) MarkIndexed(ctx context.Context, url string, text wstk.Hash, at time.Time) error {
	const op = "marking page as indexed"
	if err := alive(ctx, op); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.m[url]
	if !ok || old.text != text {
		return nil
	}
	p, err := decode[wstk.Page](op, old.data)
	if err != nil {
		return err
	}
	p.IndexedAt = at
	return s.set(op, p)
}

func (s *Pages) Versions(ctx context.Context, url string) (out []wstk.Page, err error) {
	const op = "reading versions of page"
	if err := alive(ctx, op); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, data := range s.of[url] {
		p, err := decode[wstk.Page](op, data)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	wstk.SortVersions(out)
	return out, nil
}

func (s *Pages) Naming(ctx context.Context, h wstk.Hash, limit int) (out []wstk.Page, err error) {
	const op = "listing pages by hash"
	if err := alive(ctx, op); err != nil || h == "" {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, url := range slices.Sorted(maps.Keys(s.of)) {
		for _, data := range s.of[url] {
			p, err := decode[wstk.Page](op, data)
			if err != nil {
				return nil, err
			}
			if p.Names(h) && len(out) < wstk.Limit(limit) {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

func (s *Pages) Empty(ctx context.Context, url string, site wstk.SiteID) error {
	const op = "emptying page"
	if err := alive(ctx, op); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.m[url]
	if !ok || old.site != site {
		return nil
	}
	p, err := decode[wstk.Page](op, old.data)
	if err != nil {
		return err
	}
	return s.set(op, p.Emptied())
}

func (s *Pages) Remove(ctx context.Context, url string, site wstk.SiteID) error {
	if err := alive(ctx, "removing page"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.m[url]; ok && old.site == site {
		delete(s.m, url)
		delete(s.of, url)
	}
	return nil
}
