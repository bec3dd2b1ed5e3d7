package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"wstk/shared/entry/codes"
	"wstk/shared/wstk"
)

// reply is what a route has to say: a body that becomes JSON, or serve for anything
// else.
type reply struct {
	status   int    // 0 means 200
	location string // of what was made
	body     any
	serve    http.HandlerFunc
	replayed bool // it is the reply of an earlier request
}

// problem is every error of the interface.
type problem struct {
	Error     string    `json:"error"`
	Details   details   `json:"details"`
	Code      wstk.Code `json:"code"`
	RequestID string    `json:"request_id"`
}

type details struct {
	Next []string `json:"next,omitempty"` // what may be tried
}

func (h *handler) send(w http.ResponseWriter, r *http.Request, out reply) error {
	if out.serve != nil {
		out.serve(w, r)
		return nil
	}
	data, err := encode(out.body)
	if err != nil {
		return err
	}
	if h.opts.Large != nil && len(data) > MaxBody {
		hash, err := h.app.Blobs.Put(r.Context(), data)
		if err != nil {
			return err
		}
		if address, ok := h.opts.Large(r.Context(), hash); ok {
			w.Header().Set("Location", address)
			w.WriteHeader(http.StatusSeeOther)
			return nil
		}
	}
	if out.location != "" {
		w.Header().Set("Location", out.location)
	}
	if out.replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	writeJSON(w, out.status, data)
	return nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // quotes are verbatim
	if err := enc.Encode(v); err != nil {
		return nil, wstk.Wrap(wstk.Internal, "writing JSON", err)
	}
	return b.Bytes(), nil
}

func writeJSON(w http.ResponseWriter, status int, data []byte) {
	if status == 0 {
		status = http.StatusOK
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	w.Write(data)
}

// fail answers with an error. What broke inside is for the log; the client is told
// that something did, and the request's id.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	code := wstk.CodeOf(err)
	if errors.Is(r.Context().Err(), context.DeadlineExceeded) {
		code = wstk.Timeout
	}
	id, _ := r.Context().Value(idKey{}).(string)
	p := problem{Error: err.Error(), Code: code, RequestID: id, Details: details{Next: overHTTP(wstk.NextOf(err))}}
	switch code {
	case wstk.Timeout:
		p.Error = "the request took too long"
	case wstk.Internal, wstk.Unavailable:
		h.app.Log.Error("request failed", "request_id", id, "code", string(code), "error", err.Error())
		p.Error, p.Details = "something broke inside; the log tells more under this request_id", details{}
		if code == wstk.Unavailable {
			p.Error = "a part of the system is not available just now"
			w.Header().Set("Retry-After", "5")
		}
	}
	data, err := encode(p)
	if err != nil { // a problem is strings
		data = []byte("{}")
	}
	writeJSON(w, codes.Status(code), data)
}

// writer notes the status, and leaves out the body where none is wanted.
type writer struct {
	http.ResponseWriter
	status   int
	bodyless bool
}

func (w *writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *writer) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.bodyless {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
