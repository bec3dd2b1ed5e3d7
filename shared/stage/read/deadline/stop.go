// Package deadline ends work whose time is over from deep within it: a Stop is handed
// down, loops call Tick, and the function at the top turns the end into an error.
package deadline

import (
	"context"
	"io"

	"wstk/shared/wstk"
)

// Stop ends a reading whose time is over. Loops over what a page holds call Tick; the
// reading is unwound from there by a panic that Caught turns into an error. A nil Stop
// never stops. A Stop serves one goroutine.
type Stop struct {
	ctx   context.Context
	steps uint32
}

// New returns a Stop that ends work when ctx does.
func New(ctx context.Context) *Stop { return &Stop{ctx: ctx} }

// stopped is what a reading panics with when it is to end.
type stopped struct{}

// Tick counts one step and calls Check every 1,024 steps.
func (s *Stop) Tick() {
	if s == nil {
		return
	}
	if s.steps++; s.steps&1023 == 0 {
		s.Check()
	}
}

// Check unwinds the reading if its time is over.
func (s *Stop) Check() {
	if s.Err() != nil {
		panic(stopped{})
	}
}

// Err returns the context's error if the time is over, else nil.
func (s *Stop) Err() error {
	if s == nil {
		return nil
	}
	return s.ctx.Err()
}

// Caught turns the end of a reading into a Cancelled error. The function that made the
// Stop defers it. Other panics go on.
func (s *Stop) Caught(err *error) {
	if v := recover(); v != nil && !s.Ended(v, err) {
		panic(v)
	}
}

// Ended reports whether v, a recovered value, is the end of a reading, and sets err to
// Cancelled if so.
func (s *Stop) Ended(v any, err *error) bool {
	if _, ok := v.(stopped); !ok {
		return false
	}
	*err = wstk.Wrap(wstk.Cancelled, "reading page", s.ctx.Err())
	return true
}

// Aside runs work of a library, which cannot be stopped, and goes on without it when the
// time is over. The work must be bounded by its input, because it runs to its end all the
// same, and it must not change what others read.
func (s *Stop) Aside(work func()) {
	if s == nil || s.ctx.Done() == nil {
		work()
		return
	}
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		work()
	}()
	select {
	case fault := <-done:
		if fault != nil {
			panic(fault)
		}
	case <-s.ctx.Done():
		panic(stopped{})
	}
}

// NewReader returns a reader of text that fails when the time is over. stop may be nil.
func NewReader(text string, stop *Stop) io.Reader { return &reader{text, stop} }

type reader struct {
	text string
	stop *Stop
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.stop.Err(); err != nil {
		return 0, err
	}
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	return n, nil
}
