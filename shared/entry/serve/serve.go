// Package serve holds what the doors over HTTP have in common. serve.go notes the status of
// a reply and keeps a panic to one request; phase.go says whether the server takes work.
package serve

import (
	"fmt"
	"net/http"
	"runtime/debug"
)

// Writer notes the status of a reply, and leaves out the body where none is wanted.
type Writer struct {
	http.ResponseWriter
	Status   int  // 0 while nothing is written
	Bodyless bool // the client wants the header alone
}

func (w *Writer) WriteHeader(status int) {
	if w.Status == 0 {
		w.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *Writer) Write(b []byte) (int, error) {
	if w.Status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.Bodyless {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// End ends the work on one request, and must be deferred itself. What panicked is told to
// broke, with its stack; while nothing is written, fail answers. done comes last: the
// reply is whole, or it is cut off, and then the connection is too. A panic with
// http.ErrAbortHandler is meant so, and is not told.
func End(w *Writer, broke func(panicked, stack string), fail func(), done func(whole bool)) {
	p := recover()
	if p != nil && p != http.ErrAbortHandler {
		broke(fmt.Sprint(p), string(debug.Stack()))
		if w.Status == 0 {
			fail()
			p = nil
		}
	}
	done(p == nil)
	if p != nil { // the body is not whole, and must not look so
		panic(http.ErrAbortHandler)
	}
}
