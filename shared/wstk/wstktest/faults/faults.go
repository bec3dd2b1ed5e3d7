// Package faults lets requests to AWS go wrong, by a seed, for tests: refused, answered
// with an error, done without a reply, done twice, half done, or held up until the
// caller's time is over. It knows the wire formats of DynamoDB, S3 and SQS and stands
// below their clients as an http.RoundTripper.
package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Kind is a way for a request to go wrong.
type Kind string

const (
	Refused   Kind = "refused"   // no connection: nothing was done
	Lost      Kind = "lost"      // done, and the reply is lost
	Twice     Kind = "twice"     // done, and done again
	Error500  Kind = "500"       // nothing was done
	Error503  Kind = "503"       // nothing was done; S3 says SlowDown
	Throttled Kind = "throttled" // DynamoDB, SQS
	Conflict  Kind = "conflict"  // a transaction met another; S3: 409 on a conditional write
	Cut       Kind = "cut"       // the body of an S3 object ends early
	Half      Kind = "half"      // of an SQS batch some entries are not taken
	Stalled   Kind = "stalled"   // no reply until the caller's time is over; done or not
)

// All are all kinds but Stalled, which needs callers that have a deadline.
var All = []Kind{Refused, Lost, Twice, Error500, Error503, Throttled, Conflict, Cut, Half}

// Transport passes requests on to Base and lets some of them go wrong. Set the fields
// before its first use; after that use Quiet.
type Transport struct {
	Base  http.RoundTripper // nil means http.DefaultTransport
	Rate  float64           // of requests that go wrong
	Kinds []Kind            // nil means All
	Kill  int               // from this request on the process is dead: none is answered; 0 never
	Died  func()            // is told so, once

	mu       sync.Mutex
	random   *rand.Rand
	requests int
	dead     bool
	counts   map[Kind]int
}

// New returns a Transport whose faults follow from the seed.
func New(seed uint64, rate float64, kinds ...Kind) *Transport {
	return &Transport{Rate: rate, Kinds: kinds, random: rand.New(rand.NewPCG(seed, 1)),
		counts: map[Kind]int{}}
}

// Quiet ends all faults, also the death.
func (t *Transport) Quiet() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Rate, t.Kill, t.dead = 0, 0, false
}

// Dead reports whether the process was killed.
func (t *Transport) Dead() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dead
}

// Requests is how many there were.
func (t *Transport) Requests() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.requests
}

// Count is how often something went wrong in this way.
func (t *Transport) Count(k Kind) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[k]
}

var (
	errRefused = errors.New("connection refused")
	errLost    = errors.New("connection reset by peer")
	errDead    = errors.New("this process is dead")
)

// plan draws what becomes of the next request.
func (t *Transport) plan(fits func(Kind) bool) (k Kind, coin bool, dies bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	if t.dead {
		return "", false, false, errDead
	}
	coin = t.random.IntN(2) == 0
	if t.Kill > 0 && t.requests >= t.Kill {
		t.dead = true
		return "", coin, true, nil
	}
	if t.random.Float64() >= t.Rate {
		return "", coin, false, nil
	}
	kinds := t.Kinds
	if len(kinds) == 0 {
		kinds = All
	}
	if k = kinds[t.random.IntN(len(kinds))]; !fits(k) {
		k = Refused
		if coin {
			k = Lost
		}
	}
	t.counts[k]++
	return k, coin, false, nil
}

func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		req.Body.Close()
	}
	target := req.Header.Get("X-Amz-Target")
	k, coin, dies, err := t.plan(func(k Kind) bool { return fits(k, req, target) })
	if err != nil {
		return nil, err
	}
	if dies {
		if coin { // it got that far
			t.drop(req, body)
		}
		if t.Died != nil {
			t.Died()
		}
		return nil, errDead
	}
	switch k {
	case Refused:
		return nil, errRefused
	case Lost:
		t.drop(req, body)
		return nil, errLost
	case Twice:
		t.drop(req, body)
	case Stalled:
		if coin {
			t.drop(req, body)
		}
		<-req.Context().Done()
		return nil, req.Context().Err()
	case Error500:
		return fail(req, target, 500, "InternalServerError", "InternalError", ""), nil
	case Error503:
		return fail(req, target, 503, "ServiceUnavailable", "SlowDown", ""), nil
	case Throttled:
		name := "ThrottlingException"
		if coin {
			name = "ProvisionedThroughputExceededException"
		}
		return fail(req, target, 400, name, "SlowDown", ""), nil
	case Conflict:
		return fail(req, target, 409, "", "ConditionalRequestConflict", reasons(body)), nil
	case Half:
		return t.half(req, body, coin)
	}
	resp, err := t.send(req, body)
	if err == nil && k == Cut {
		cut(resp)
	}
	return resp, err
}

func fits(k Kind, req *http.Request, target string) bool {
	s3 := target == ""
	switch k {
	case Throttled:
		return !s3
	case Conflict:
		return strings.HasSuffix(target, ".TransactWriteItems") ||
			s3 && req.Header.Get("If-None-Match") != ""
	case Cut:
		return s3 && req.Method == http.MethodGet
	case Half:
		return strings.HasSuffix(target, ".SendMessageBatch")
	case Stalled:
		_, ok := req.Context().Deadline()
		return ok
	}
	return true
}

func (t *Transport) send(req *http.Request, body []byte) (*http.Response, error) {
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	again := req.Clone(req.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if body == nil {
		again.Body, again.ContentLength = nil, 0
	}
	return base.RoundTrip(again)
}

// drop sends a request whose reply is lost.
func (t *Transport) drop(req *http.Request, body []byte) {
	resp, err := t.send(req.WithContext(context.WithoutCancel(req.Context())), body)
	if err == nil {
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// reply makes a response.
func reply(req *http.Request, status int, contentType string, body []byte) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1",
		ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {contentType}}, ContentLength: int64(len(body)),
		Body: io.NopCloser(bytes.NewReader(body))}
}

// fail makes an error as the service words it: JSON, or the XML of S3.
func fail(
	req *http.Request, target string, status int, jsonName, xmlName, more string,
) *http.Response {
	if target == "" {
		return reply(req, status, "application/xml",
			fmt.Appendf(nil, "<Error><Code>%s</Code><Message>injected</Message></Error>", xmlName))
	}
	if more != "" {
		status, jsonName = 400, "TransactionCanceledException"
	}
	return reply(req, status, "application/x-amz-json-1.0",
		fmt.Appendf(nil, `{"__type":"com.amazonaws#%s","message":"injected"%s}`, jsonName, more))
}

// reasons says of each write of a transaction that it met another, or is none.
func reasons(body []byte) string {
	var in struct{ TransactItems []json.RawMessage }
	if json.Unmarshal(body, &in) != nil || len(in.TransactItems) == 0 {
		return ""
	}
	list := make([]string, len(in.TransactItems))
	for i := range list {
		list[i] = `{"Code":"None"}`
	}
	list[len(list)-1] = `{"Code":"TransactionConflict","Message":"injected"}`
	return `,"CancellationReasons":[` + strings.Join(list, ",") + "]"
}

// cut ends the body before its time.
func cut(resp *http.Response) {
	data, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(data[:len(data)/2]), broken{}))
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// half lets SQS take every other entry of a batch.
func (t *Transport) half(req *http.Request, body []byte, sender bool) (*http.Response, error) {
	var in map[string]any
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	entries, _ := in["Entries"].([]any)
	var kept, failed []any
	for i, e := range entries {
		if i%2 == 1 {
			kept = append(kept, e)
			continue
		}
		id := e.(map[string]any)["Id"]
		f := map[string]any{"Id": id, "SenderFault": false, "Code": "InternalError",
			"Message": "injected"}
		if sender {
			f["SenderFault"], f["Code"] = true, "InvalidParameterValue"
		}
		failed = append(failed, f)
	}
	out := map[string]any{"Successful": []any{}}
	if len(kept) > 0 {
		in["Entries"] = kept
		data, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		resp, err := t.send(req, data)
		if err != nil {
			return nil, err
		}
		data, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || json.Unmarshal(data, &out) != nil {
			return nil, errLost
		}
	}
	already, _ := out["Failed"].([]any)
	out["Failed"] = slices.Concat(already, failed)
	data, err := json.Marshal(out)
	return reply(req, 200, "application/x-amz-json-1.0", data), err
}
