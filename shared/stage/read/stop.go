package read

import (
	"context"
	"io"

	"wstk/shared/wstk"
)

// stop ends a reading whose time is over. Loops over what a page holds tick; the reading
// is unwound from there, and Do returns Cancelled. A nil stop never stops.
type stop struct {
	ctx   context.Context
	steps uint32
}

// stopped is what a reading panics with when it is to end. It never leaves the package.
type stopped struct{}

// tick counts one step and looks every 1,024 steps whether to go on.
func (s *stop) tick() {
	if s == nil {
		return
	}
	if s.steps++; s.steps&1023 == 0 {
		s.check()
	}
}

// check looks whether to go on.
func (s *stop) check() {
	if s != nil && s.ctx.Err() != nil {
		panic(stopped{})
	}
}

// caught turns the end of a reading into an error; it is deferred.
func (s *stop) caught(err *error) {
	switch v := recover(); v.(type) {
	case nil:
	case stopped:
		*err = wstk.Wrap(wstk.Cancelled, "reading page", s.ctx.Err())
	default:
		panic(v)
	}
}

// aside runs work that cannot be stopped, since it is a library's, and goes on without
// it when the time is over. The work must be bounded by what it is given, for it runs
// to its end all the same, and it must change nothing that others read.
func (s *stop) aside(work func()) {
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

// stopReader reads a string until it is to stop.
type stopReader struct {
	s    string
	stop *stop
}

func (r *stopReader) Read(p []byte) (int, error) {
	if r.stop != nil && r.stop.ctx.Err() != nil {
		return 0, r.stop.ctx.Err()
	}
	if r.s == "" {
		return 0, io.EOF
	}
	n := copy(p, r.s)
	r.s = r.s[n:]
	return n, nil
}
