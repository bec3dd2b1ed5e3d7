package sqlite

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

// keptVectors are the vectors of one model, as they were when they were last read.
type keptVectors struct {
	mu   sync.Mutex // held while they are read, so that they are read once
	held *heldVectors
}

// heldVectors never change.
type heldVectors struct {
	model   string
	changed int64 // of vectors_changed
	pages   []vectorPage
}

// vectorPage are the vectors of a page, one behind the other.
type vectorPage struct {
	url     string
	site    wstk.SiteID
	at      time.Time
	chunks  []string
	numbers []float32
}

// of returns the vectors of a model as they are now.
func (k *keptVectors) of(r session, op, model string) (*heldVectors, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := heldVectors{model: model}
	if err := r.row(`SELECT times FROM vectors_changed`, nil, &now.changed); err != nil {
		return nil, err
	}
	if k.held != nil && k.held.model == model && k.held.changed == now.changed {
		return k.held, nil
	}
	k.held = nil // before the others are read: both would need twice the memory
	// A change while they are read leaves a count that is too low, and they are read again.
	err := r.rows(`SELECT url, site, fetched_at, chunks, vectors FROM page_vectors WHERE model = ?`,
		[]any{model}, func(scan func(...any) error) error {
			var p vectorPage
			var at int64
			var chunks, packed sql.RawBytes
			if err := scan(&p.url, &p.site, &at, &chunks, &packed); err != nil {
				return err
			}
			p.at = time.Unix(0, at).UTC()
			if err := json.Unmarshal(chunks, &p.chunks); err != nil {
				return wstk.Wrap(wstk.Internal, op, err)
			}
			if len(p.chunks) == 0 {
				return nil
			}
			if len(packed)%(4*len(p.chunks)) != 0 {
				return wstk.Errorf(wstk.Internal, op, "the vectors of %d chunks have %d bytes",
					len(p.chunks), len(packed))
			}
			p.numbers = make([]float32, len(packed)/4)
			for i := range p.numbers {
				p.numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(packed[4*i:]))
			}
			now.pages = append(now.pages, p)
			return nil
		})
	if err != nil {
		return nil, err
	}
	k.held = &now
	return &now, nil
}

// nearest compares all vectors with that of q, on all processors.
func (h *heldVectors) nearest(q wstk.VectorQuery) []wstk.VectorHit {
	share := max(1, (len(h.pages)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var parts []*wstk.Nearer
	var wait sync.WaitGroup
	for pages := range slices.Chunk(h.pages, share) {
		best := &wstk.Nearer{Limit: q.Limit}
		parts = append(parts, best)
		wait.Go(func() { addNearest(best, pages, q) })
	}
	wait.Wait()
	all := wstk.Nearer{Limit: q.Limit}
	for _, p := range parts {
		for _, x := range p.Best() {
			all.Add(x.Chunk, x.Score)
		}
	}
	return all.Best()
}

// inexact bounds how far the dot product of two vectors of the length 1 may be from their
// cosine, which is summed up with twice the digits.
const inexact = 1e-4

// addNearest adds the chunks of pages that pass the filters of q. Most vectors are much farther
// than the best so far, and of these only an inexact cosine is computed.
func addNearest(best *wstk.Nearer, pages []vectorPage, q wstk.VectorQuery) {
	n := len(q.Vector)
	for i := range pages {
		p := &pages[i]
		if n*len(p.chunks) != len(p.numbers) || !q.Filter.Match(p.site, p.url, p.at) ||
			len(q.Pages) > 0 && !slices.Contains(q.Pages, p.url) {
			continue // of another dimension, or not asked for
		}
		for j, id := range p.chunks {
			v := p.numbers[j*n:][:n]
			if dot(v, q.Vector) >= best.Least()-inexact {
				best.Add(id, wstk.Cosine(v, q.Vector))
			}
		}
	}
}

// dot has several sums, so that none waits for the one before it.
func dot(a, b []float32) float64 {
	b = b[:len(a)]
	var s, t, u, v float32
	i := 0
	for ; i+8 <= len(a); i += 8 {
		x, y := a[i:i+8:i+8], b[i:i+8:i+8]
		s += x[0]*y[0] + x[4]*y[4]
		t += x[1]*y[1] + x[5]*y[5]
		u += x[2]*y[2] + x[6]*y[6]
		v += x[3]*y[3] + x[7]*y[7]
	}
	for ; i < len(a); i++ {
		s += a[i] * b[i]
	}
	return float64(s+t) + float64(u+v)
}
