package opensearch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Limits of one request. A bulk body is cut well below the 10 MB that the service
// takes; a document of its own may be larger.
const (
	bulkBytes    = 5 << 20
	replyBytes   = 256 << 20
	requestLimit = 30 * time.Second
	tries        = 5
)

// A collection at rest takes 10 to 30 s to answer the first request. It is waited for, for
// so many first pauses in all (a minute, with the default pause), and asked again after at
// most so many; the caller's own deadline comes first.
const (
	wakePauses   = 600
	longestPause = 50
)

// reply is what the server said.
type reply struct {
	status int
	body   []byte
}

// answered is the part of a reply to a search that reports whether it is one.
type answered struct {
	TimedOut bool `json:"timed_out"`
	Shards   *struct {
		Failed int `json:"failed"`
	} `json:"_shards"` // nil when there is no index yet
}

func (a answered) whole() bool { return !a.TimedOut && (a.Shards == nil || a.Shards.Failed == 0) }

// search asks the index. When there is none yet, the reply is the zero value. What is
// transient is tried again.
func search[T interface{ whole() bool }](
	ctx context.Context, x *Index, op string, query any,
) (T, error) {
	var out T
	body, err := json.Marshal(query)
	if err != nil {
		return out, wstk.Wrap(wstk.Internal, op, err)
	}
	err = x.again(ctx, op, func() error {
		var got T
		r, err := x.send(ctx, op, http.MethodPost, x.path("/_search"), body, "application/json")
		if err != nil {
			return err
		}
		if err := failure(op, r); wstk.CodeOf(err) == wstk.NotFound {
			return nil
		} else if err != nil {
			return err
		}
		if err := json.Unmarshal(r.body, &got); err != nil {
			return wstk.Errorf(wstk.Unavailable, op,
				"the reply of the index cannot be read: %w", err)
		}
		if !got.whole() { // a part is no answer
			return wstk.Errorf(wstk.Unavailable, op, "a part of the index did not answer")
		}
		out = got
		return nil
	})
	return out, err
}

// again repeats what failed in a way that may pass, with growing pauses: a few times, or,
// for a collection, which may have to wake, as long as that takes.
func (x *Index) again(ctx context.Context, op string, try func() error) error {
	began, pause := time.Now(), x.pause()
	for n := 0; ; n++ {
		err := try()
		code := wstk.CodeOf(err)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case x.Serverless && (code == wstk.Unavailable || code == wstk.Timeout):
			if time.Since(began) >= wakePauses*x.pause() {
				return err
			}
		case code != wstk.Unavailable || n == tries-1:
			return err
		}
		rest := time.Duration(float64(pause) * (0.5 + rand.Float64()/2))
		select {
		case <-ctx.Done():
			return wstk.Wrap(wstk.CodeOf(ctx.Err()), op, ctx.Err())
		case <-time.After(rest):
		}
		pause = min(2*pause, longestPause*x.pause())
	}
}

func (x *Index) pause() time.Duration {
	if x.Pause > 0 {
		return x.Pause
	}
	return 100 * time.Millisecond
}

// send makes one signed request. Only what never arrived or was cut off is an error.
func (x *Index) send(
	ctx context.Context, op, method, path string, body []byte, kind string,
) (reply, error) {
	limited, cancel := context.WithTimeout(ctx, x.limit())
	defer cancel()
	req, err := http.NewRequestWithContext(limited, method,
		strings.TrimSuffix(x.Endpoint, "/")+path, bytes.NewReader(body))
	if err != nil {
		return reply{}, wstk.Errorf(wstk.Invalid, op, "the endpoint of the index is not a URL")
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", kind)
	}
	if x.Credentials != nil {
		hash := sha256.Sum256(body)
		sum := hex.EncodeToString(hash[:])
		req.Header.Set("X-Amz-Content-Sha256", sum)
		c, err := x.Credentials.Retrieve(limited)
		if err != nil {
			return reply{}, wstk.Errorf(wstk.Unavailable, op, "no credentials for the index")
		}
		if err := v4.NewSigner().
			SignHTTP(limited, c, req, sum, x.service(), x.Region, time.Now()); err != nil {
			return reply{}, wstk.Errorf(wstk.Internal, op,
				"signing a request to the index: %w", err)
		}
	}
	// near by, packing and unpacking a reply takes longer than sending it
	req.Header.Set("Accept-Encoding", "identity")
	res, err := x.client().Do(req)
	if err != nil {
		return reply{}, x.lost(ctx, op, err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, replyBytes+1))
	if err != nil {
		return reply{}, x.lost(ctx, op, err)
	}
	if len(data) > replyBytes {
		return reply{}, wstk.Errorf(wstk.TooLarge, op,
			"the reply of the index is over %d bytes", replyBytes)
	}
	return reply{res.StatusCode, data}, nil
}

// limit bounds one request. A collection that wakes may keep it waiting.
func (x *Index) limit() time.Duration {
	if x.Serverless {
		return wakePauses * x.pause()
	}
	return requestLimit
}

func (x *Index) service() string {
	if x.Serverless {
		return "aoss"
	}
	return "es"
}

// lost is the error of a request without a reply: the caller's, when the caller
// stopped it, else transient. The URL, which may hold a password, stays out of it.
func (x *Index) lost(ctx context.Context, op string, err error) error {
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.CodeOf(ctx.Err()), op, ctx.Err())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return wstk.Errorf(wstk.Timeout, op, "the index did not answer in %v", x.limit())
	}
	var cause interface{ Unwrap() error }
	if errors.As(err, &cause) && cause.Unwrap() != nil {
		err = cause.Unwrap()
	}
	return wstk.Errorf(wstk.Unavailable, op, "no reply from the index: %w", err)
}

// problem is how the server explains a failure.
type problem struct {
	Type   string    `json:"type"`
	Reason string    `json:"reason"`
	Roots  []problem `json:"root_cause"`
}

// String is the root of the problem, without what the server quotes of a document.
func (p problem) String() string {
	if len(p.Roots) > 0 && p.Roots[0].Reason != p.Reason {
		return p.Type + ": " + p.Roots[0].String()
	}
	reason, _, _ := strings.Cut(p.Reason, "Preview of field")
	return strings.TrimSuffix(p.Type+": "+text.Shorten(reason, 300), ": ")
}

// failure is the error that a status means, nil for success.
func failure(op string, r reply) error { return failureAs(op, codeOf(r.status), r) }

// written is failure for a request that writes: an index that is being made, or whose
// collection is, may not be found for a moment.
func written(op string, r reply) error {
	code := codeOf(r.status)
	if code == wstk.NotFound {
		code = wstk.Unavailable
	}
	return failureAs(op, code, r)
}

func failureAs(op string, code wstk.Code, r reply) error {
	if r.status < 300 {
		return nil
	}
	var said struct {
		Error json.RawMessage `json:"error"`
	}
	var p problem
	if json.Unmarshal(r.body, &said) == nil && json.Unmarshal(said.Error, &p) != nil {
		json.Unmarshal(said.Error, &p.Reason)
	}
	err := wstk.Errorf(code, op, "the index answered %d %s", r.status, p)
	if r.status == http.StatusUnauthorized || r.status == http.StatusForbidden {
		err = err.Try(wstk.Advice(
			"Check that the access policy of the search domain or collection names this role."))
	}
	return err
}

func codeOf(status int) wstk.Code {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout:
		return wstk.Unavailable
	case http.StatusRequestEntityTooLarge:
		return wstk.TooLarge
	case http.StatusNotFound:
		return wstk.NotFound
	case http.StatusConflict:
		return wstk.Conflict
	}
	return wstk.Internal
}

// action is one line or two of a bulk request.
type action struct {
	lines  []byte
	delete bool
}

func create(op string, doc any) (action, error) {
	data, err := json.Marshal(doc)
	if err != nil {
		return action{}, wstk.Wrap(wstk.Internal, op, err)
	}
	return action{lines: fmt.Appendf(nil, "{\"index\":{}}\n%s\n", data)}, nil
}

func remove(op, id string) (action, error) {
	data, err := json.Marshal(map[string]any{"delete": map[string]string{"_id": id}})
	if err != nil {
		return action{}, wstk.Wrap(wstk.Internal, op, err)
	}
	return action{lines: append(data, '\n'), delete: true}, nil
}

// bulk does all actions, in requests of bounded size. Those that failed in a way
// that may pass are tried again by themselves.
func (x *Index) bulk(ctx context.Context, op string, all []action) error {
	for len(all) > 0 {
		n, size := 0, 0
		for n < len(all) && (n == 0 || size+len(all[n].lines) <= bulkBytes) {
			size += len(all[n].lines)
			n++
		}
		todo := all[:n]
		err := x.again(ctx, op, func() (err error) {
			todo, err = x.bulkOnce(ctx, op, todo)
			return err
		})
		if err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// bulkOnce sends actions and returns those that are to be sent again, with an
// error that says why.
func (x *Index) bulkOnce(ctx context.Context, op string, todo []action) ([]action, error) {
	var body []byte
	for _, a := range todo {
		body = append(body, a.lines...)
	}
	path := x.path("/_bulk")
	if !x.Serverless {
		path += "?refresh=true"
	}
	r, err := x.send(ctx, op, http.MethodPost, path, body, "application/x-ndjson")
	if err != nil {
		return todo, err
	}
	if err := written(op, r); err != nil {
		return todo, err
	}
	var said struct {
		Items []map[string]struct {
			Status int     `json:"status"`
			Error  problem `json:"error"`
		} `json:"items"`
	}
	if err := json.Unmarshal(r.body, &said); err != nil || len(said.Items) != len(todo) {
		return todo, wstk.Errorf(wstk.Unavailable, op,
			"the reply of the index to a bulk request cannot be read")
	}
	var left []action
	var why error
	for i, item := range said.Items {
		for _, result := range item {
			if result.Status < 300 || todo[i].delete && result.Status == http.StatusNotFound {
				continue
			}
			code := codeOf(result.Status)
			// another process deletes it at this moment, or the index is not ready yet
			if code == wstk.Conflict || code == wstk.NotFound {
				code = wstk.Unavailable
			}
			err := wstk.Errorf(code, op, "the index refused an item of a bulk request with %d %s",
				result.Status, result.Error)
			if code != wstk.Unavailable {
				return todo, err
			}
			left, why = append(left, todo[i]), err
		}
	}
	return left, why
}
