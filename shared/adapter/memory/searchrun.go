package memory

import (
	"context"
	"encoding/json"
	"sync"

	"wstk/shared/wstk"
)

var (
	_ wstk.SearchRowStore = (*SearchRows)(nil)
	_ wstk.TemplateStore  = (*Templates)(nil)
)

// SearchRows is a wstk.SearchRowStore.
type SearchRows struct {
	mu    sync.RWMutex
	raw   map[wstk.RunID][]rawRow
	found map[wstk.RunID][][]byte
}

// rawRow is a row without its meta, whose bytes JSON would not keep.
type rawRow struct{ data, meta []byte }

// NewSearchRows returns an empty store.
func NewSearchRows() *SearchRows {
	return &SearchRows{raw: map[wstk.RunID][]rawRow{}, found: map[wstk.RunID][][]byte{}}
}

func (s *SearchRows) PutRows(
	ctx context.Context, run wstk.RunID, raw []wstk.SearchRow, found []wstk.FoundURL,
) error {
	const op = "storing search rows"
	if err := alive(ctx, op); err != nil {
		return err
	}
	if run == "" {
		return wstk.Errorf(wstk.Invalid, op, "the run of the rows has no id")
	}
	var rows []rawRow
	for _, r := range raw {
		meta := append([]byte(nil), r.Meta...)
		r.Meta = nil
		data, err := encode(op, r)
		if err != nil {
			return err
		}
		rows = append(rows, rawRow{data, meta})
	}
	var merged [][]byte
	for _, f := range found {
		data, err := encode(op, f)
		if err != nil {
			return err
		}
		merged = append(merged, data)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.raw[run]); n < len(rows) {
		s.raw[run] = append(s.raw[run], rows[n:]...)
	}
	if n := len(s.found[run]); n < len(merged) {
		s.found[run] = append(s.found[run], merged[n:]...)
	}
	return nil
}

func (s *SearchRows) Raw(ctx context.Context, run wstk.RunID) ([]wstk.SearchRow, error) {
	const op = "reading search rows"
	if err := alive(ctx, op); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []wstk.SearchRow
	for _, row := range s.raw[run] {
		r, err := decode[wstk.SearchRow](op, row.data)
		if err != nil {
			return nil, err
		}
		r.Meta = append(json.RawMessage(nil), row.meta...)
		out = append(out, r)
	}
	return out, nil
}

func (s *SearchRows) Found(ctx context.Context, run wstk.RunID) ([]wstk.FoundURL, error) {
	const op = "reading merged search rows"
	if err := alive(ctx, op); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []wstk.FoundURL
	for _, data := range s.found[run] {
		f, err := decode[wstk.FoundURL](op, data)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// Templates is a wstk.TemplateStore.
type Templates struct {
	mu sync.RWMutex
	m  map[wstk.TemplateKey][]byte
}

// NewTemplates returns an empty store.
func NewTemplates() *Templates { return &Templates{m: map[wstk.TemplateKey][]byte{}} }

func (s *Templates) Put(ctx context.Context, q wstk.RewrittenQuery) error {
	const op = "storing template"
	if err := alive(ctx, op); err != nil {
		return err
	}
	data, err := encode(op, q)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[q.TemplateKey] = data
	return nil
}

func (s *Templates) Get(ctx context.Context, k wstk.TemplateKey) (wstk.RewrittenQuery, error) {
	const op = "reading template"
	if err := alive(ctx, op); err != nil {
		return wstk.RewrittenQuery{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	data, ok := s.m[k]
	if !ok {
		return wstk.RewrittenQuery{}, wstk.Errorf(wstk.NotFound, op, "no template %s", k.ID())
	}
	return decode[wstk.RewrittenQuery](op, data)
}

func (s *SearchRows) RemoveRows(ctx context.Context, run wstk.RunID) error {
	if err := alive(ctx, "removing search rows"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.raw, run)
	delete(s.found, run)
	return nil
}
