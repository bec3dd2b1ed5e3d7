package asl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"wstk/infra"
	"wstk/shared/wstk"
)

// step is the word "step" of a task's input.
type step struct {
	Step     string          `json:"step"`
	Run      string          `json:"run_id"`
	Request  string          `json:"request"`
	Strategy string          `json:"strategy"`
	Recalled string          `json:"recalled"`
	Bucket   string          `json:"bucket"`
	N        *int            `json:"n"`
	Claims   string          `json:"claims"`
	Count    int             `json:"count"`
	Verified *string         `json:"verified"`
	Left     *int            `json:"left"`
	Parts    json.RawMessage `json:"parts"`
	Error    string          `json:"error"`
	Cause    string          `json:"cause"`
	Site     string          `json:"site_id"`
	Now      string          `json:"now"`
}

// world stands in for the functions. Calls are noted as function or function/step,
// with the bucket's number where there is one.
type world struct {
	mu    sync.Mutex
	calls []string
	last  map[string]step // the last input of each call

	hits, buckets int
	fault         func(call string, try int) (any, error) // nil, nil: no fault
	tries         map[string]int
}

func (w *world) resource(name string) (Task, error) {
	fn, ok := strings.CutSuffix(strings.TrimPrefix(name, "${"), "Function}")
	if !ok {
		return nil, fmt.Errorf("unknown resource %s", name)
	}
	return func(ctx context.Context, input json.RawMessage) (any, error) {
		var in step
		if err := json.Unmarshal(input, &in); err != nil {
			return nil, err
		}
		call := fn
		if in.Step != "" && fn != "Verify" {
			call += "/" + in.Step
		}
		if in.N != nil {
			call += fmt.Sprint(" ", *in.N)
		}
		if in.Site != "" {
			call += " " + in.Site
		}
		w.mu.Lock()
		w.calls = append(w.calls, call)
		if w.last == nil {
			w.last, w.tries = map[string]step{}, map[string]int{}
		}
		w.last[call] = in
		w.tries[call]++
		try := w.tries[call]
		w.mu.Unlock()
		if w.fault != nil {
			if out, err := w.fault(call, try); out != nil || err != nil {
				return out, err
			}
		}
		return w.work(fn, in, input), nil
	}, nil
}

func (w *world) work(fn string, in step, input json.RawMessage) any {
	var out map[string]any
	json.Unmarshal(input, &out)
	switch fn + in.Step {
	case "Recall":
		out["strategy"], out["recalled"], out["hits"] = "collection", "r0", w.hits
		return out
	case "Extractpartition":
		buckets := []string{}
		for i := range w.buckets {
			buckets = append(buckets, fmt.Sprint("b", i))
		}
		return map[string]any{"buckets": buckets, "count": len(buckets), "left": 3, "warnings": []any{}}
	case "Extractclaims":
		out["claims"], out["count"] = "c-"+in.Bucket, 1
		if *in.N == 2 { // nothing is found in the third
			out["count"] = 0
		}
		return out
	case "Collatebucket":
		return map[string]any{"n": in.N, "part": "p-" + in.Bucket}
	case "Collatereply":
		return map[string]any{"run_id": in.Run, "result": "result", "state": "complete"}
	case "Collatefailed":
		return nil
	case "Refreshdue":
		return map[string]any{"sites": []string{"s1", "s2"}}
	case "Refreshsite":
		return map[string]any{"site_id": in.Site, "run_id": "run-" + in.Site}
	}
	if fn == "Verify" {
		out["verified"] = "v-" + in.Bucket
		return out
	}
	return map[string]any{}
}

// machine parses one of the product's machines; its waits take no time.
func (w *world) machine(t *testing.T, name string) *Machine {
	t.Helper()
	data, err := infra.Machine(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(name, data, w.resource)
	if err != nil {
		t.Fatal(err)
	}
	m.Sleep = nothing
	return m
}

func (w *world) ask(t *testing.T) (string, error) {
	t.Helper()
	out, err := w.machine(t, "extract").Run(t.Context(), "run_1", json.RawMessage(`{"run_id":"run_1","request":"q"}`))
	return string(out), err
}

func (w *world) called(t *testing.T, want ...string) {
	t.Helper()
	got := slices.Sorted(slices.Values(w.calls))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("called %q\nwant   %q", got, want)
	}
}

const replied = `{"result":"result","run_id":"run_1","state":"complete"}`

func TestExtract(t *testing.T) {
	w := &world{hits: 9, buckets: 3}
	out, err := w.ask(t)
	if err != nil || out != replied {
		t.Fatal(out, err, "want err == nil && out == replied")
	}
	w.called(t, "Recall", "Extract/partition",
		"Extract/claims 0", "Verify 0", "Collate/bucket 0",
		"Extract/claims 1", "Verify 1", "Collate/bucket 1",
		"Extract/claims 2", "Collate/bucket 2", "Collate/reply")
	reply := w.last["Collate/reply"]
	if got := string(reply.Parts); got != `[{"n":0,"part":"p-b0"},{"n":1,"part":"p-b1"},{"n":2,"part":"p-b2"}]` {
		t.Errorf("parts %s", got)
	}
	if *reply.Left != 3 || reply.Run != "run_1" || reply.Request != "q" ||
		reply.Strategy != "collection" || reply.Recalled != "r0" {
		t.Errorf("the reply is asked with %+v", reply)
	}
	if c := w.last["Collate/bucket 1"]; *c.Verified != "v-b1" || c.Claims != "c-b1" ||
		c.Request != "q" || c.Run != "run_1" || c.Strategy != "collection" {
		t.Errorf("a bucket is collated with %+v", c)
	}
	if c := w.last["Collate/bucket 2"]; c.Verified != nil {
		t.Errorf("a bucket without claims is verified: %+v", c)
	}
}

func TestExtractWithoutHits(t *testing.T) {
	w := &world{}
	out, err := w.ask(t)
	if err != nil || out != replied {
		t.Fatal(out, err, "want err == nil && out == replied")
	}
	w.called(t, "Recall", "Collate/reply")
	if r := w.last["Collate/reply"]; string(r.Parts) != "[]" || *r.Left != 0 {
		t.Errorf("the reply is asked with %+v", r)
	}
}

// A bucket that fails is named in the reply; the others are there.
func TestExtractWithAFailedBucket(t *testing.T) {
	for _, call := range []string{"Extract/claims 1", "Verify 1", "Collate/bucket 1"} {
		w := &world{hits: 9, buckets: 3, fault: func(at string, _ int) (any, error) {
			if at == call {
				return nil, wstk.Errorf(wstk.Invalid, "reading claims", "bad %d", 7)
			}
			return nil, nil
		}}
		out, err := w.ask(t)
		if err != nil || out != replied {
			t.Fatal(out, err, "want err == nil && out == replied")
		}
		if w.tries[call] != 1 {
			t.Errorf("%s was tried %d times", call, w.tries[call])
		}
		want := `[{"n":0,"part":"p-b0"},{"failed":{"cause":"{\"errorMessage\":\"reading claims: bad 7\",\"errorType\":\"invalid\"}","error":"invalid"},"n":1},{"n":2,"part":"p-b2"}]`
		if got := string(w.last["Collate/reply"].Parts); got != want {
			t.Errorf("%s: parts %s", call, got)
		}
	}
}

// What may work later is tried again, wherever it happens.
func TestExtractRetries(t *testing.T) {
	for _, code := range []wstk.Code{wstk.Unavailable, wstk.Timeout, wstk.Network,
		wstk.RateLimited} {
		w := &world{hits: 9, buckets: 3, fault: func(_ string, try int) (any, error) {
			if try <= 2 {
				return nil, wstk.Errorf(code, "asking", "not now")
			}
			return nil, nil
		}}
		out, err := w.ask(t)
		if err != nil || out != replied {
			t.Fatal(code, out, err, "want err == nil && out == replied")
		}
		for call, n := range w.tries {
			if n != 3 {
				t.Errorf("%s: %s was tried %d times", code, call, n)
			}
		}
		if strings.Contains(string(w.last["Collate/reply"].Parts), "failed") {
			t.Errorf("%s: %s", code, w.last["Collate/reply"].Parts)
		}
	}
}

// A run that fails is ended as failed, and the caller sees why.
func TestExtractFails(t *testing.T) {
	for _, call := range []string{"Recall", "Extract/partition", "Collate/reply"} {
		for code, tries := range map[wstk.Code]int{wstk.Invalid: 1, wstk.NotFound: 1,
			wstk.Cancelled: 1, wstk.Internal: 1, wstk.Unavailable: 5} {
			w := &world{hits: 9, buckets: 2, fault: func(at string, _ int) (any, error) {
				if at == call {
					return nil, wstk.Errorf(code, "working", "it is off")
				}
				return nil, nil
			}}
			_, err := w.ask(t)
			if wstk.CodeOf(err) != code || !strings.Contains(err.Error(), "working: it is off") ||
				strings.Contains(err.Error(), "errorType") {
				t.Errorf("%s %s: %v", call, code, err)
			}
			if w.tries[call] != tries {
				t.Errorf("%s %s: tried %d times, want %d", call, code, w.tries[call], tries)
			}
			end := w.last["Collate/failed"]
			if w.tries["Collate/failed"] != 1 || end.Run != "run_1" || end.Request != "q" ||
				end.Error != string(code) || !strings.Contains(end.Cause, "working: it is off") {
				t.Errorf("%s %s: ended with %+v", call, code, end)
			}
		}
	}
}

// When even the end cannot be written, the first failure is still the one told.
func TestExtractFailsTwice(t *testing.T) {
	w := &world{fault: func(call string, _ int) (any, error) {
		return nil, wstk.Errorf(map[string]wstk.Code{"Recall": wstk.NotFound,
			"Collate/failed": wstk.Internal}[call], "", "at %s", call)
	}}
	if _, err := w.ask(t); wstk.CodeOf(err) != wstk.NotFound || !strings.Contains(err.Error(), "at Recall") {
		t.Error(err)
	}
}

// A task that finds its run cancelled ends all of it: the other buckets too.
func TestExtractCancelledByATask(t *testing.T) {
	w := &world{hits: 9, buckets: 40, fault: func(call string, _ int) (any, error) {
		if strings.HasPrefix(call, "Verify") {
			return nil, wstk.Errorf(wstk.Cancelled, "verifying", "the run was cancelled")
		}
		return nil, nil
	}}
	_, err := w.ask(t)
	if wstk.CodeOf(err) != wstk.Cancelled {
		t.Error(err)
	}
	if w.last["Collate/failed"].Error != "cancelled" || w.tries["Collate/reply"] != 0 || w.tries["Extract/claims 39"] != 0 {
		t.Errorf("calls %q", w.calls)
	}
}

// When the process stops, the execution ends at once, without another call.
func TestExtractCancelledByItsContext(t *testing.T) {
	w := &world{hits: 9, buckets: 3}
	ctx, cancel := context.WithCancelCause(t.Context())
	var after atomic.Int32
	w.fault = func(call string, _ int) (any, error) {
		if ctx.Err() != nil {
			after.Add(1)
		}
		if call == "Extract/partition" {
			cancel(errors.New("stopping"))
			return nil, ctx.Err()
		}
		return nil, nil
	}
	_, err := w.machine(t, "extract").Run(ctx, "run_1", json.RawMessage(`{"run_id":"run_1","request":"q"}`))
	if wstk.CodeOf(err) != wstk.Cancelled || after.Load() != 0 {
		t.Errorf("%v, and %d calls", err, after.Load())
	}
}

// Too much data ends a bucket or the run like another failure, though States.ALL does
// not catch it.
func TestExtractDataLimit(t *testing.T) {
	big := strings.Repeat("x", maxData)
	w := &world{hits: 9, buckets: 2, fault: func(call string, _ int) (any, error) {
		if call == "Verify 1" {
			return big, nil
		}
		return nil, nil
	}}
	if out, err := w.ask(t); err != nil || out != replied {
		t.Fatal(out, err, "want err == nil && out == replied")
	}
	if parts := string(w.last["Collate/reply"].Parts); !strings.Contains(parts, `"error":"States.DataLimitExceeded"`) || !strings.Contains(parts, "p-b0") {
		t.Errorf("parts %s", parts)
	}
	w = &world{hits: 9, buckets: 2, fault: func(call string, _ int) (any, error) {
		if call == "Extract/partition" {
			return big, nil
		}
		return nil, nil
	}}
	if _, err := w.ask(t); wstk.CodeOf(err) != wstk.Internal ||
		!strings.Contains(err.Error(), dataLimit) {
		t.Error(err)
	}
	if w.last["Collate/failed"].Error != dataLimit {
		t.Errorf("ended with %+v", w.last["Collate/failed"])
	}
}

func TestRefresh(t *testing.T) {
	w := &world{fault: func(call string, try int) (any, error) {
		switch {
		case call == "Refresh/site s2":
			return nil, wstk.Errorf(wstk.Conflict, "crawling", "under way")
		case try == 1:
			return nil, wstk.Errorf(wstk.Unavailable, "", "not now")
		}
		return nil, nil
	}}
	out, err := w.machine(t, "refresh").Run(t.Context(), "run_1", json.RawMessage(`{"now":"2026-01-02T03:04:05Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"run_id":"run-s1","site_id":"s1"},{"failed":{"cause":"{\"errorMessage\":\"crawling: under way\",\"errorType\":\"conflict\"}","error":"conflict"},"site_id":"s2"}]`; string(out) != want {
		t.Errorf("%s, want %v", out, want)
	}
	if w.last["Refresh/due"].Now != "2026-01-02T03:04:05Z" || w.tries["Refresh/due"] != 2 || w.tries["Refresh/site s2"] != 1 {
		t.Errorf("%q %+v", w.calls, w.last)
	}

	w = &world{fault: func(string, int) (any, error) { return nil, wstk.Errorf(wstk.Internal, "listing", "broken") }}
	if _, err := w.machine(t, "refresh").Run(t.Context(), "run_1",
		json.RawMessage(`{}`)); wstk.CodeOf(err) != wstk.Internal || !strings.Contains(err.Error(), "listing: broken") {
		t.Error(err)
	}
}
