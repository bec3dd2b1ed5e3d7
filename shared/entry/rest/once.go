package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"wstk/shared/app/crawling"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A request with an Idempotency-Key is a run of its own, of kind request: its id is
// made of the key, so that of two at once one is Conflict and a later one finds it;
// its Result is the reply. A request that failed leaves a failed run, and the next try
// takes the next id.

const (
	keyHeader = "Idempotency-Key"

	// mostTries is how often requests with one key may fail.
	mostTries = 20
)

var saneKey = text.Pattern(`^[!-~]{1,255}$`)

// kept is a reply as it is stored.
type kept struct {
	Status   int             `json:"status"`
	Location string          `json:"location"`
	Body     json.RawMessage `json:"body"`
	Stream   *streamed       `json:"stream,omitempty"`
}

// once answers requests that carry the same key with the reply of the first.
func (h *handler) once(do work) work {
	return func(r *http.Request) (reply, error) {
		keys := r.Header.Values(keyHeader)
		if len(keys) == 0 {
			return do(r)
		}
		if len(keys) > 1 || !saneKey().MatchString(keys[0]) {
			return reply{}, invalid("%s must be one word of at most 255 letters", keyHeader)
		}
		body, err := readBody(r)
		if err != nil {
			return reply{}, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		asked, err := h.app.Blobs.Put(r.Context(), body)
		if err != nil {
			return reply{}, err
		}
		id, old, err := h.claim(r, keys[0], asked)
		if err != nil || old != nil {
			return h.replay(r, old, err)
		}
		return h.record(r, id, do)
	}
}

// claim takes the run of a key, or returns the ended one that has it.
func (h *handler) claim(
	r *http.Request, key string, asked wstk.Hash,
) (wstk.RunID, *wstk.Run, error) {
	ctx := r.Context()
	for try := range mostTries {
		id := keyID(wstk.CallerOf(ctx).Name, r.Method, r.URL.Path, key, try)
		now := h.app.Now().UTC()
		err := h.app.Runs.Create(ctx, wstk.Run{ID: id, Kind: wstk.RunRequest,
			State: wstk.RunRunning, Owner: wstk.CallerOf(ctx).Owner(), Request: asked,
			StartedAt: now, UpdatedAt: now})
		if err == nil || wstk.CodeOf(err) != wstk.Conflict {
			return id, nil, err
		}
		run, err := h.app.Runs.Get(ctx, id)
		switch {
		case err != nil:
			return id, nil, err
		case run.State == wstk.RunFailed:
			continue
		case run.Request != asked:
			return id, nil, wstk.Errorf(wstk.Unprocessable, "", "the %s was used with another body",
				keyHeader).Try(wstk.Advice("use a new key for a new request"))
		case run.State.Terminal():
			return id, &run, nil
		case now.Sub(run.StartedAt) < crawling.RequestAge:
			return id, nil, wstk.Errorf(wstk.Conflict, "",
				"a request with this %s is being worked on", keyHeader).
				Try(wstk.Advice("send it again in a moment"))
		}
		if err := h.endRequest(ctx, id, wstk.RunFailed, ""); err != nil {
			return id, nil, err
		}
	}
	return "", nil, wstk.Errorf(wstk.Conflict, "", "requests with this %s failed too often",
		keyHeader).Try(wstk.Advice("use a new key"))
}

// keyID is the same for the same request of the same name, whichever of its tokens it came
// with, and nothing else comes to it by chance.
func keyID(name, method, path, key string, try int) wstk.RunID {
	whose := "" // as it was before there were names
	if name != wstk.DefaultOwner {
		whose = "name " + name + "\n"
	}
	sum := sha256.Sum256([]byte(whose + method + "\n" + path + "\n" + key + "\n" +
		strconv.Itoa(try)))
	return wstk.NewRunID(time.UnixMilli(0), bytes.NewReader(sum[:]))
}

// replay is the reply of an earlier request.
func (h *handler) replay(r *http.Request, run *wstk.Run, err error) (reply, error) {
	if err != nil {
		return reply{}, err
	}
	data, err := h.app.Blobs.Get(r.Context(), run.Result)
	if err != nil {
		return reply{}, err
	}
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return reply{}, wstk.Wrap(wstk.Internal, "reading an earlier reply", err)
	}
	return reply{status: k.Status, location: k.Location, body: k.Body, stream: k.Stream,
		replayed: true}, nil
}

// record does the work and keeps its reply. A client that goes away ends neither: it comes
// again with its key, and what was paid for by then is not paid twice. The time limit of
// the request holds.
func (h *handler) record(r *http.Request, id wstk.RunID, do work) (reply, error) {
	ctx := context.WithoutCancel(r.Context())
	limit, _ := r.Context().Deadline() // ServeHTTP sets one
	working, done := context.WithDeadline(ctx, limit)
	defer done()
	state, result := wstk.RunFailed, wstk.Hash("")
	defer func() { // also after a panic
		if err := h.endRequest(ctx, id, state, result); err != nil {
			h.app.Log.ErrorContext(ctx, "a reply was not kept", "error", err.Error())
		}
	}()
	out, err := do(r.WithContext(working))
	if err != nil {
		return out, err
	}
	k := kept{Status: out.status, Location: out.location, Stream: out.stream}
	if k.Body, err = encode(out.body); err != nil {
		return out, err
	}
	data, err := encode(k)
	if err != nil {
		return out, err
	}
	if h, err := h.app.Blobs.Put(ctx, data); err == nil {
		state, result = wstk.RunComplete, h
	}
	return out, nil
}

func (h *handler) endRequest(
	ctx context.Context, id wstk.RunID, state wstk.RunState, result wstk.Hash,
) error {
	_, err := h.app.Runs.End(ctx, id,
		wstk.Run{State: state, Result: result, EndedAt: h.app.Now().UTC()})
	return err
}
