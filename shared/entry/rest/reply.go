package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"wstk/shared/entry/codes"
	"wstk/shared/entry/step"
	"wstk/shared/wstk"
)

// reply is what a route has to say: a body that becomes JSON, or serve for anything
// else.
type reply struct {
	status   int      // 0 means 200
	location string   // of what was made
	links    []string // values of Link
	body     any
	serve    http.HandlerFunc
	replayed bool // it is the reply of an earlier request

	stream *streamed // body is a chat completion that is sent in pieces
}

// problem is every error of the interface.
type problem struct {
	Error     string    `json:"error"`
	Details   string    `json:"details"` // more about it; "" when there is no more
	Code      wstk.Code `json:"code"`
	RequestID string    `json:"request_id"`
	Next      []string  `json:"next,omitempty"` // what may be tried
}

// summary is an error of which a few fixed words tell the kind: clients that know them
// need not read the rest.
type summary struct {
	words string
	error
}

// summed is err under a summary: a reply says the summary as its error and err's own
// words as its details. nil stays nil.
func summed(words string, err error) error {
	if err == nil {
		return nil
	}
	return summary{words, err}
}

func (s summary) Unwrap() error { return s.error }

func (h *handler) send(w http.ResponseWriter, r *http.Request, out reply) error {
	if out.serve != nil {
		out.serve(w, r)
		return nil
	}
	for _, l := range out.links {
		w.Header().Add("Link", l)
	}
	data, err := encode(out.body)
	if err != nil {
		return err
	}
	if h.opts.Large != nil && tooLong(data) {
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
	if out.stream != nil {
		return sendStream(w, data, *out.stream)
	}
	writeJSON(w, out.status, data)
	return nil
}

// maxEscaped bounds a body as Lambda hands it on, which takes 6 MB: as a text in JSON, in
// which some characters are two or six.
const maxEscaped = 11 << 19

// tooLong reports whether a body is too long to go through a function.
func tooLong(body []byte) bool {
	n := len(body)
	if n > MaxBody {
		return true
	}
	for _, c := range body {
		switch {
		case c == '"', c == '\\', c == '\n', c == '\r', c == '\t':
			n++
		case c < ' ', c == '<', c == '>', c == '&':
			n += 5
		}
	}
	return n > maxEscaped
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
	p := problem{Error: err.Error(), Code: code, RequestID: id,
		Next: step.All(wstk.StepsOf(err), step.HTTP)}
	var sum summary
	switch {
	case code == wstk.Timeout && wstk.CodeOf(err) != wstk.Timeout:
		p.Error = "the request took too long"
	case code == wstk.Internal || code == wstk.Unavailable:
		h.app.Log.ErrorContext(r.Context(), "request failed", "code", string(code), "error",
			h.app.Config.Logged(err.Error()))
		p.Error, p.Next = "an internal error occurred; the log has details under this request_id",
			nil
		if code == wstk.Unavailable {
			p.Error = "a part of the system is not available just now"
			w.Header().Set("Retry-After", "5")
		}
	case errors.As(err, &sum):
		p.Error, p.Details = sum.words, sum.Error()
	case code == wstk.Timeout:
		p.Error = "the request took too long"
	}
	if strings.HasPrefix(r.URL.Path, foreignPath) && code != wstk.RateLimited &&
		code != wstk.Unavailable {
		// clients of OpenAI ask again by themselves after most errors, which would begin another run
		w.Header().Set("X-Should-Retry", "false")
	}
	data, err := encode(p)
	if err != nil { // a problem is strings
		data = []byte("{}")
	}
	writeJSON(w, codes.Status(code), data)
}
