// Package asl runs state machines written in the Amazon States Language in this
// process: the same files that Step Functions runs in the cloud, with Go functions in
// place of Lambda functions. Parse refuses what the package does not know, so
// that a file cannot mean two things in the two homes.
//
// It knows JSONPath machines of Task, Map (inline), Parallel, Choice, Pass, Wait,
// Succeed and Fail states, with reference paths, a part of the context object, and the
// intrinsic functions Format, Array, ArrayLength, JsonToString, StringToJson and
// MathAdd.
package asl

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"wstk/shared/wstk"
)

// Task does the work of a Task state. Its result becomes JSON as by json.Marshal. An
// error's code is the error name that Retry and Catch see; its cause is the JSON that
// Lambda makes of an error, {"errorMessage", "errorType"}. A task has to end soon after
// its context; it may be called concurrently, and again with the same input.
type Task func(ctx context.Context, input json.RawMessage) (any, error)

// Error names of the language.
const (
	statesAll       = "States.ALL"
	taskFailed      = "States.TaskFailed"
	timedOut        = "States.Timeout"
	dataLimit       = "States.DataLimitExceeded"
	runtimeFailed   = "States.Runtime"
	intrinsicFailed = "States.IntrinsicFailure"
	resultPathFails = "States.ResultPathMatchFailure"
	noChoice        = "States.NoChoiceMatched"
)

const (
	maxData   = 262_144 // bytes of JSON into or out of a state
	maxEvents = 25_000  // in the history of one execution, counted as Step Functions does, roughly
)

// Machine is a parsed state machine. It may run many executions concurrently.
type Machine struct {
	// Sleep waits for Wait states and between retries; nil waits in real time. It
	// returns early with an error when the context ends.
	Sleep func(ctx context.Context, d time.Duration) error

	// Now returns the time at which an execution starts; nil means time.Now.
	Now func() time.Time

	name    string
	top     *block
	timeout time.Duration // of an execution; 0 is none
}

// Run executes the machine on input and returns its output. name names the execution, as its
// run id does.
//
// A failure that no state caught has the error name as its code, Internal where that
// name is none of ours, and the cause as its message; that of a task is its own error, with
// its next steps. An execution that takes longer
// than the machine's TimeoutSeconds is Timeout. An input that is not JSON is
// Invalid, one over wstk.MaxPayload TooLarge. When ctx ends Run ends, Cancelled or
// Timeout, without a retry or a catch; the error wraps the cause with which ctx ended. Tasks
// that give the same results give the same output, whatever ran first.
func (m *Machine) Run(
	ctx context.Context, name string, input json.RawMessage,
) (json.RawMessage, error) {
	op := "running state machine " + m.name
	if len(input) > wstk.MaxPayload {
		return nil, wstk.Errorf(wstk.TooLarge, op, "the input has %d bytes; at most %d are allowed",
			len(input), wstk.MaxPayload)
	}
	in, err := decode(input)
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "input: %w", err)
	}
	out, f := m.execute(ctx, name, in)
	if f != nil {
		return nil, f.error(op)
	}
	return encode(out), nil
}

func (m *Machine) execute(ctx context.Context, name string, in any) (any, *failure) {
	now := time.Now
	if m.Now != nil {
		now = m.Now
	}
	if m.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, m.timeout, wstk.Errorf(wstk.Timeout, "",
			"it took longer than the %s that it may", m.timeout))
		defer cancel()
	}
	x := &execution{m: m, name: name, input: in, started: now().UTC().
		Format("2006-01-02T15:04:05.000Z")}
	return x.block(ctx, m.top, in, nil)
}

// execution is one run of a machine.
type execution struct {
	m       *Machine
	name    string
	input   any
	started string
	events  atomic.Int64
}

// failure is an error on its way to a Retry or a Catch.
type failure struct {
	name, cause string
	final       bool  // nothing retries or catches it
	stopped     error // why the context ended; nil for any other failure
}

func fail(name, format string, args ...any) *failure {
	return &failure{name: name, cause: fmt.Sprintf(format, args...), final: name == runtimeFailed}
}

// stopped is the failure of an execution whose context has ended.
func stopped(ctx context.Context) *failure {
	return &failure{name: string(wstk.CodeOf(ctx.Err())), final: true, stopped: context.Cause(ctx),
		cause: "the execution was stopped: " + context.Cause(ctx).Error()}
}

func (f *failure) output() any { return map[string]any{"Error": f.name, "Cause": f.cause} }

// error is what the caller of Run gets: of a task that failed its own error, as far as it
// is data, and of the machine what went wrong with it.
func (f *failure) error(op string) error {
	if f.stopped != nil {
		return wstk.Errorf(wstk.Code(f.name), op, "the execution was stopped: %w", f.stopped)
	}
	message := f.cause
	var steps []wstk.Step
	var reported lambdaError
	if json.Unmarshal([]byte(f.cause), &reported) == nil && reported.Message != "" {
		message, steps = reported.Message, reported.Steps
		if reported.Type == f.name {
			op = ""
		}
	}
	if !slices.Contains(wstk.Codes(), wstk.Code(f.name)) {
		return wstk.Errorf(wstk.Internal, op, "%s: %s", f.name, message)
	}
	return wstk.Errorf(wstk.Code(f.name), op, "%s", message).Try(steps...)
}

// lambdaError is how a failed Lambda function reports, and Step Functions passes on as
// the cause. The next steps are ours: a function in the cloud has no place for them.
type lambdaError struct {
	Message string      `json:"errorMessage"`
	Type    string      `json:"errorType"`
	Steps   []wstk.Step `json:"steps,omitempty"`
}

// matches reports whether the error names of a Retry or Catch name f.
func matches(names []string, f *failure) bool {
	return !f.final && slices.ContainsFunc(names, func(n string) bool {
		switch n {
		case f.name:
			return true
		case statesAll:
			return f.name != dataLimit
		case taskFailed:
			return f.name != dataLimit && f.name != timedOut
		}
		return false
	})
}
