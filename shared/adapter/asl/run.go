package asl

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"wstk/shared/wstk"
)

// block goes from state to state until one ends it.
func (x *execution) block(ctx context.Context, b *block, in any, it *item) (any, *failure) {
	for name := b.start; ; {
		out, next, f := x.state(ctx, b.states[name], in, it)
		if f != nil || next == "" {
			return out, f
		}
		in, name = out, next
	}
}

// state does one state, with its retries; a caught failure is an output like another.
func (x *execution) state(
	ctx context.Context, s *state, in any, it *item,
) (out any, next string, f *failure) {
	tries := make([]int, len(s.retry)) // each Retry counts for itself
	for {
		if ctx.Err() != nil {
			return nil, "", stopped(ctx)
		}
		if f := x.note(2); f != nil {
			return nil, "", f
		}
		out, next, f := x.attempt(ctx, s, in, it)
		if f == nil {
			return out, next, nil
		}
		if i := retryOf(s.retry, f); i >= 0 && tries[i] < s.retry[i].MaxAttempts {
			wait := s.retry[i].delay(tries[i])
			wstk.Notify(ctx, wstk.Notice{Why: f.error("").Error(), Wait: wait})
			if f := x.sleep(ctx, wait); f != nil {
				return nil, "", f
			}
			tries[i]++
			continue
		}
		for _, c := range s.catch {
			if matches(c.names, f) {
				out, f := c.place.put(s.name, in, f.output())
				if f == nil {
					f = fits(s.name, "output", out)
				}
				return out, c.next, f
			}
		}
		return nil, "", f
	}
}

func retryOf(list []retry, f *failure) int {
	for i, r := range list {
		if matches(r.ErrorEquals, f) {
			return i
		}
	}
	return -1
}

// delay is the time to wait before the n-th retry, from 0.
func (r retry) delay(n int) time.Duration {
	seconds := float64(r.IntervalSeconds) * math.Pow(r.BackoffRate, float64(n))
	if r.MaxDelaySeconds > 0 {
		seconds = min(seconds, float64(r.MaxDelaySeconds))
	}
	if r.JitterStrategy == "FULL" {
		seconds *= rand.Float64()
	}
	return time.Duration(min(seconds, 1e9) * float64(time.Second))
}

func (x *execution) sleep(ctx context.Context, d time.Duration) *failure {
	if x.m.Sleep != nil {
		if x.m.Sleep(ctx, d) == nil || ctx.Err() == nil {
			return nil
		}
		return stopped(ctx)
	}
	if wstk.Sleep(ctx, d) != nil {
		return stopped(ctx)
	}
	return nil
}

// note counts events of the history.
func (x *execution) note(n int64) *failure {
	if x.events.Add(n) > maxEvents {
		return fail(runtimeFailed, "the execution has more than %d events in its history",
			maxEvents)
	}
	return nil
}

// fits checks the size of what goes into or out of a state.
func fits(state, what string, v any) *failure {
	if n := len(encode(v)); n > maxData {
		return fail(dataLimit, "state %q: the %s has %d bytes, at most %d fit",
			state, what, n, maxData)
	}
	return nil
}

// attempt does a state once.
func (x *execution) attempt(
	ctx context.Context, s *state, raw any, it *item,
) (out any, next string, f *failure) {
	sc := scope{x: x, state: s.name, data: raw, item: it}
	in, f := s.in.get(sc)
	if f != nil {
		return nil, "", f
	}
	sc.data = in
	if s.params != nil {
		if in, f = s.params(sc); f != nil {
			return nil, "", f
		}
		if f := fits(s.name, "input", in); f != nil {
			return nil, "", f
		}
		sc.data = in
	}
	result, next := in, s.next
	switch s.kind {
	case "Task":
		result, f = x.task(ctx, s, in)
	case "Map":
		result, f = x.each(ctx, s, sc)
	case "Parallel":
		result, f = fanOut(ctx, len(s.branches), 0, func(
			ctx context.Context, i int,
		) (any, *failure) {
			return x.block(ctx, s.branches[i], in, it)
		})
	case "Pass":
		if s.result != nil {
			result, f = s.result(sc)
		}
	case "Wait":
		f = x.wait(ctx, s, sc)
	case "Choice":
		next, f = s.choose(sc)
	case "Fail":
		f = s.fail(sc)
	}
	if f != nil {
		return nil, "", f
	}
	if s.selector != nil {
		sc.data = result
		if result, f = s.selector(sc); f != nil {
			return nil, "", f
		}
	}
	if sc.data, f = s.place.put(s.name, raw, result); f != nil {
		return nil, "", f
	}
	if out, f = s.out.get(sc); f != nil {
		return nil, "", f
	}
	return out, next, fits(s.name, "output", out)
}

// task calls the task of a state.
func (x *execution) task(ctx context.Context, s *state, in any) (any, *failure) {
	if f := x.note(3); f != nil {
		return nil, f
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if s.timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, s.timeout)
	}
	defer cancel()
	result, err := call(limited, s.task, encode(in))
	switch {
	case ctx.Err() != nil:
		return nil, stopped(ctx)
	case err != nil && limited.Err() != nil:
		return nil, fail(timedOut, "state %q: the task took more than %v", s.name, s.timeout)
	case err != nil:
		code := string(wstk.CodeOf(err))
		return nil, fail(code, "%s",
			encode(lambdaError{Message: err.Error(), Type: code, Steps: wstk.StepsOf(err)}))
	}
	data, err := json.Marshal(result)
	switch {
	case err != nil:
		return nil, fail(string(wstk.Internal), "state %q: the task's result: %v", s.name, err)
	case len(data) > maxData:
		return nil, fail(dataLimit, "state %q: the task's result has %d bytes, at most %d fit",
			s.name, len(data), maxData)
	case len(data) > wstk.MaxPayload:
		return nil, fail(string(wstk.TooLarge),
			"state %q: the task's result has %d bytes, at most %d should be handed on", s.name,
			len(data), wstk.MaxPayload)
	}
	v, err := decode(data)
	if err != nil {
		return nil, fail(string(wstk.Internal), "state %q: the task's result: %v", s.name, err)
	}
	return v, nil
}

// call turns a panic into an error, as Lambda does: one bad page does not end the
// process that serves the others.
func call(ctx context.Context, task Task, in json.RawMessage) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = wstk.Errorf(wstk.Internal, "", "the task panicked: %v", r)
		}
	}()
	return task(ctx, in)
}

// each runs a Map.
func (x *execution) each(ctx context.Context, s *state, sc scope) (any, *failure) {
	v, f := s.items.get(sc)
	if f != nil {
		return nil, f
	}
	items, ok := v.([]any)
	if !ok {
		return nil, fail(runtimeFailed, "state %q: what is at %s is not an array",
			s.name, s.items.src)
	}
	return fanOut(ctx, len(items), s.limit, func(ctx context.Context, i int) (any, *failure) {
		if f := x.note(2); f != nil {
			return nil, f
		}
		it := &item{i, items[i]}
		in := items[i]
		if s.item != nil {
			sc := sc
			sc.item = it
			var f *failure
			if in, f = s.item(sc); f != nil {
				return nil, f
			}
		}
		if f := fits(s.name, "item", in); f != nil {
			return nil, f
		}
		return x.block(ctx, s.branches[0], in, it)
	})
}

// fanOut does n things, limit of them at a time, and returns their results in order.
// When one fails, those after it are stopped and those before it go on, so that which
// failure is returned, the first by order, does not hang on who was faster.
func fanOut(
	ctx context.Context, n, limit int, do func(ctx context.Context, i int) (any, *failure),
) (any, *failure) {
	if limit <= 0 || limit > n {
		limit = n
	}
	results, failures := make([]any, n), make([]*failure, n)
	ctxs, stops := make([]context.Context, n), make([]context.CancelFunc, n)
	for i := range n {
		ctxs[i], stops[i] = context.WithCancel(ctx)
		defer stops[i]()
	}
	var begun atomic.Int64
	var wait sync.WaitGroup
	for range limit {
		wait.Go(func() {
			for i := int(begun.Add(1)) - 1; i < n; i = int(begun.Add(1)) - 1 {
				if results[i], failures[i] = do(ctxs[i], i); failures[i] != nil {
					for _, stop := range stops[i+1:] {
						stop()
					}
				}
			}
		})
	}
	wait.Wait()
	for _, f := range failures {
		if f != nil {
			return nil, f
		}
	}
	return results, nil
}

func (x *execution) wait(ctx context.Context, s *state, sc scope) *failure {
	v, f := s.wait(sc)
	if f != nil {
		return f
	}
	seconds, ok := float(v)
	if !ok || seconds < 0 || seconds != math.Trunc(seconds) || seconds > 99_999_999 {
		return fail(runtimeFailed, "state %q: %s is not a number of seconds", s.name, encode(v))
	}
	return x.sleep(ctx, time.Duration(seconds)*time.Second)
}

// choose returns the next state of a Choice.
func (s *state) choose(sc scope) (string, *failure) {
	for _, c := range s.choices {
		if ok, f := c.test(sc); f != nil || ok {
			return c.next, f
		}
	}
	if s.next == "" {
		return "", fail(noChoice, "state %q: no condition holds, and there is no default", s.name)
	}
	return s.next, nil
}

// fail is the failure a Fail state makes.
func (s *state) fail(sc scope) *failure {
	f := &failure{}
	for _, w := range []struct {
		e    expr
		into *string
	}{{s.error, &f.name}, {s.cause, &f.cause}} {
		if w.e == nil {
			continue
		}
		v, f := w.e(sc)
		if f != nil {
			return f
		}
		text, ok := v.(string)
		if !ok {
			return fail(runtimeFailed, "state %q: %s is not a string", s.name,
				fmt.Sprintf("%.100s", encode(v)))
		}
		*w.into = text
	}
	return f
}
