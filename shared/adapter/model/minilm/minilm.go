// Package minilm computes with small BERT models in Go: MiniLM as a wstk.Embedder and as a
// wstk.Reranker. It needs no service, no key and no C.
//
// Weights come from a safetensors file, which is mapped and never copied: goroutines and
// processes share its pages. The file is data; nothing in it is run. Texts are cut into
// pieces by WordPiece, with the vocabulary of BERT in lower case. A pass is that of the
// paper (Devlin et al. 2018), after the reference implementation: attention and a GELU
// network, normalised after each.
package minilm

import (
	"context"
	"math"
	"os"
	"runtime"
	"sync"

	"wstk/shared/wstk"
)

// Model is an open model. It is safe for concurrent use.
type Model struct {
	weights
	spec Spec
	kernels
	mu      sync.RWMutex // held for writing by Close
	closed  bool
	unmap   func() error
	scratch sync.Pool // *scratch
}

// Open opens the weights of s at path. It reads the header and checks the name, type, shape
// and place of each tensor, not the hash: that was checked when the file was added. Codes:
// NotFound for a missing file, Invalid for one with other content, Unavailable for one that
// cannot be read.
func Open(s Spec, path string) (*Model, error) {
	const op = "opening model"
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, wstk.Wrap(wstk.NotFound, op, err)
	}
	if err != nil {
		return nil, wstk.Wrap(wstk.Unavailable, op, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, wstk.Wrap(wstk.Unavailable, op, err)
	}
	if info.Size() != s.Size {
		return nil, wstk.Errorf(wstk.Invalid, op, "%s has %d bytes, %s has %d", path, info.Size(),
			s.Name, s.Size)
	}
	data, unmap, err := mapFile(f, int(info.Size()))
	if err != nil {
		return nil, wstk.Wrap(wstk.Unavailable, op, err)
	}
	m, err := of(s, data)
	if err != nil {
		_ = unmap()
		return nil, wstk.Wrap(wstk.Invalid, op, err)
	}
	m.unmap = unmap
	return m, nil
}

// of makes a model of the bytes of a file.
func of(s Spec, file []byte) (*Model, error) {
	t, err := parseTensors(file)
	if err != nil {
		return nil, err
	}
	w, err := load(t, s)
	if err != nil {
		return nil, err
	}
	return &Model{weights: *w, spec: s, kernels: best, unmap: func() error { return nil },
		scratch: sync.Pool{New: func() any { return new(scratch) }}}, nil
}

// Close gives the memory back when running calls have ended. Later calls are Unavailable;
// closing again does nothing.
func (m *Model) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	return wstk.Wrap(wstk.Internal, "closing model", m.unmap())
}

// each calls f for 0 to n-1 on all processors, until one fails or ctx ends.
func (m *Model) each(
	ctx context.Context, n int, f func(ctx context.Context, s *scratch, i int) error,
) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return wstk.Errorf(wstk.Unavailable, "computing", "the model %s is closed", m.spec.Name)
	}
	workers := min(n, runtime.GOMAXPROCS(0))
	errs := make(chan error, workers)
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range workers {
		go func() {
			s := m.scratch.Get().(*scratch)
			defer m.scratch.Put(s)
			for i := range next {
				if err := f(ctx, s, i); err != nil {
					errs <- err
					cancel() // afterwards, so that this is the first error
					return
				}
			}
			errs <- nil
		}()
	}
	var first error
	for range workers {
		if err := <-errs; first == nil {
			first = err
		}
	}
	return first
}

// finite reports whether all numbers are; sums of them are then too.
func finite(v []float32) bool {
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}
