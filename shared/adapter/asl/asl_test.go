package asl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wstk/shared/wstk"
)

// tasks are resources by name.
type tasks map[string]Task

func (ts tasks) get(resource string) (Task, error) {
	if t := ts[resource]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("there is no %q", resource)
}

// parse parses a machine whose waits take no time.
func parse(t *testing.T, ts tasks, src string) *Machine {
	t.Helper()
	m, err := Parse("test", []byte(src), ts.get)
	if err != nil {
		t.Fatal(err)
	}
	m.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC) }
	m.Sleep = nothing
	return m
}

// nothing waits no time.
func nothing(context.Context, time.Duration) error { return nil }

// one makes a machine of one state.
func one(state string) string { return `{"StartAt": "S", "States": {"S": ` + state + `}}` }

func run(t *testing.T, m *Machine, input string) (string, error) {
	t.Helper()
	out, err := m.Run(t.Context(), "run_1", json.RawMessage(input))
	return string(out), err
}

func echo(_ context.Context, in json.RawMessage) (any, error) { return in, nil }

// Each state takes in what its fields say, and hands on what they say.
func TestDataFlow(t *testing.T) {
	input := `{"a": {"b": [10, 20.50, {"c": "x"}], "odd name": 1}, "n": null}`
	for name, c := range map[string]struct{ state, want string }{
		"nothing said":       {`{"Type": "Pass", "End": true}`, `{"a":{"b":[10,20.50,{"c":"x"}],"odd name":1},"n":null}`},
		"InputPath":          {`{"Type": "Pass", "InputPath": "$.a.b[1]", "End": true}`, `20.50`},
		"InputPath bracket":  {`{"Type": "Pass", "InputPath": "$['a']['odd name']", "End": true}`, `1`},
		"InputPath null":     {`{"Type": "Pass", "InputPath": null, "End": true}`, `{}`},
		"InputPath of null":  {`{"Type": "Pass", "InputPath": "$.n", "End": true}`, `null`},
		"InputPath context":  {`{"Type": "Pass", "InputPath": "$$.Execution.Input.a.b[2]", "End": true}`, `{"c":"x"}`},
		"OutputPath":         {`{"Type": "Pass", "OutputPath": "$.a.b[2].c", "End": true}`, `"x"`},
		"OutputPath null":    {`{"Type": "Pass", "OutputPath": null, "End": true}`, `{}`},
		"Result":             {`{"Type": "Pass", "Result": [1, {"x.$": "$.a"}], "End": true}`, `[1,{"x.$":"$.a"}]`},
		"Result null":        {`{"Type": "Pass", "Result": null, "End": true}`, `null`},
		"ResultPath":         {`{"Type": "Pass", "InputPath": "$.n", "Result": 7, "ResultPath": "$.n", "End": true}`, `{"a":{"b":[10,20.50,{"c":"x"}],"odd name":1},"n":7}`},
		"ResultPath new":     {`{"Type": "Pass", "Result": 7, "ResultPath": "$.p.q", "OutputPath": "$.p", "End": true}`, `{"q":7}`},
		"ResultPath within":  {`{"Type": "Pass", "Result": 7, "ResultPath": "$.a.b", "End": true}`, `{"a":{"b":7,"odd name":1},"n":null}`},
		"ResultPath null":    {`{"Type": "Pass", "InputPath": "$.a", "Result": 7, "ResultPath": null, "OutputPath": "$.n", "End": true}`, `null`},
		"Parameters":         {`{"Type": "Pass", "Parameters": {"k": [1, {"v.$": "$.a.b[0]"}], "e": {}, "f.$": "$$.State.Name"}, "End": true}`, `{"e":{},"f":"S","k":[1,{"v":10}]}`},
		"Parameters of part": {`{"Type": "Pass", "InputPath": "$.a", "Parameters": {"v.$": "$.b[0]", "all.$": "$"}, "OutputPath": "$.v", "End": true}`, `10`},
		"ResultSelector":     {`{"Type": "Task", "Resource": "echo", "ResultSelector": {"r.$": "$.a.b[0]", "run.$": "$$.Execution.Name"}, "ResultPath": "$.n", "OutputPath": "$.n", "End": true}`, `{"r":10,"run":"run_1"}`},
		"Succeed":            {`{"Type": "Succeed", "InputPath": "$.a", "OutputPath": "$.b[0]"}`, `10`},
		"Wait":               {`{"Type": "Wait", "SecondsPath": "$.a.b[0]", "End": true, "OutputPath": "$.n"}`, `null`},
		"Execution":          {`{"Type": "Pass", "Parameters": {"i.$": "$$.Execution.Id", "t.$": "$$.Execution.StartTime"}, "End": true}`, `{"i":"local:test:run_1","t":"2026-01-02T03:04:05.006Z"}`},
		"Map of items":       {`{"Type": "Map", "ItemsPath": "$.a.b", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}, "End": true}`, `[10,20.50,{"c":"x"}]`},
		"Map selector": {`{"Type": "Map", "InputPath": "$.a", "ItemsPath": "$.b", "ItemSelector": {"i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value", "o.$": "$['odd name']"}, "MaxConcurrency": 1,
			"ItemProcessor": {"ProcessorConfig": {"Mode": "INLINE"}, "StartAt": "I", "States": {"I": {"Type": "Pass", "Parameters": {"i.$": "$.i", "same.$": "$$.Map.Item.Index", "o.$": "$.o"}, "End": true}}},
			"ResultSelector": {"last.$": "$[2]"}, "ResultPath": "$.n", "OutputPath": "$.n.last", "End": true}`, `{"i":2,"o":1,"same":2}`},
		"Map of nothing": {`{"Type": "Map", "ItemsPath": "$$.Execution.Input.none", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}, "End": true}`, ``},
		"Parallel": {`{"Type": "Parallel", "Parameters": {"x.$": "$.a.b"}, "Branches": [
			{"StartAt": "P", "States": {"P": {"Type": "Pass", "InputPath": "$.x[0]", "End": true}}},
			{"StartAt": "Q", "States": {"Q": {"Type": "Pass", "InputPath": "$.x[2]", "Next": "R"}, "R": {"Type": "Succeed"}}}], "ResultPath": "$.n", "OutputPath": "$.n", "End": true}`, `[10,{"c":"x"}]`},
	} {
		m := parse(t, tasks{"echo": echo}, one(c.state))
		in := input
		if name == "Map of nothing" {
			in, c.want = `{"none": []}`, `[]`
		}
		if got, err := run(t, m, in); err != nil || got != c.want {
			t.Errorf("%s: %s %v, want %s", name, got, err, c.want)
		}
	}
}

// What paths, templates and functions cannot do ends the execution.
func TestDataFlowFails(t *testing.T) {
	input := `{"a": [1], "s": "x"}`
	for state, want := range map[string]string{
		`{"Type": "Pass", "InputPath": "$.b", "End": true}`:                                                                                                         `States.Runtime: state "S": there is nothing at $.b`,
		`{"Type": "Pass", "InputPath": "$.a[1]", "End": true}`:                                                                                                      `nothing at $.a[1]`,
		`{"Type": "Pass", "InputPath": "$.a.x", "End": true}`:                                                                                                       `nothing at $.a.x`,
		`{"Type": "Pass", "InputPath": "$.s[0]", "End": true}`:                                                                                                      `nothing at $.s[0]`,
		`{"Type": "Pass", "OutputPath": "$.b", "End": true}`:                                                                                                        `nothing at $.b`,
		`{"Type": "Pass", "Parameters": {"x.$": "$.b"}, "End": true}`:                                                                                               `States.Runtime: state "S": there is nothing at $.b`,
		`{"Type": "Pass", "Parameters": {"l": [{"x.$": "$.b"}]}, "End": true}`:                                                                                      `nothing at $.b`,
		`{"Type": "Pass", "Result": 1, "ResultPath": "$.a.b", "End": true}`:                                                                                         `States.ResultPathMatchFailure: state "S": the result does not fit into the input at $.a.b`,
		`{"Type": "Pass", "Parameters": {"x.$": "States.ArrayLength($.s)"}, "End": true}`:                                                                           `States.IntrinsicFailure: state "S": States.ArrayLength: the argument is not an array`,
		`{"Type": "Pass", "Parameters": {"x.$": "States.StringToJson($.s)"}, "End": true}`:                                                                          `States.IntrinsicFailure`,
		`{"Type": "Pass", "Parameters": {"x.$": "States.StringToJson($.a)"}, "End": true}`:                                                                          `not a string`,
		`{"Type": "Pass", "Parameters": {"x.$": "States.MathAdd(1, $.s)"}, "End": true}`:                                                                            `States.IntrinsicFailure`,
		`{"Type": "Pass", "Parameters": {"x.$": "States.Format('{}', $.a)"}, "End": true}`:                                                                          `takes no arrays`,
		`{"Type": "Pass", "Parameters": {"x.$": "States.Format('{}', $.b)"}, "End": true}`:                                                                          `nothing at $.b`,
		`{"Type": "Wait", "SecondsPath": "$.s", "End": true}`:                                                                                                       `"x" is not a number of seconds`,
		`{"Type": "Wait", "SecondsPath": "$.b", "End": true}`:                                                                                                       `nothing at $.b`,
		`{"Type": "Map", "ItemsPath": "$.s", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}`:                                 `what is at $.s is not an array`,
		`{"Type": "Map", "ItemsPath": "$.b", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}`:                                 `nothing at $.b`,
		`{"Type": "Map", "ItemsPath": "$.a", "ItemSelector": {"x.$": "$.b"}, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, "End": true}`: `nothing at $.b`,
		`{"Type": "Task", "Resource": "echo", "ResultSelector": {"x.$": "$.b"}, "End": true}`:                                                                       `nothing at $.b`,
		`{"Type": "Fail"}`: `: `,
		`{"Type": "Fail", "Error": "Odd", "Cause": "so it is"}`:           `Odd: so it is`,
		`{"Type": "Fail", "ErrorPath": "$.a", "Cause": "so it is"}`:       `States.Runtime: state "S": [1] is not a string`,
		`{"Type": "Fail", "Error": "Odd", "CausePath": "$.b"}`:            `nothing at $.b`,
		`{"Type": "Fail", "ErrorPath": "States.Format('{}-{}', $.s, 1)"}`: `x-1: `,
	} {
		m := parse(t, tasks{"echo": echo}, one(state))
		_, err := run(t, m, input)
		if wstk.CodeOf(err) != wstk.Internal || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Internal && strings.Contains(err.Error(), want)", state, err)
		}
	}
}

func TestIntrinsics(t *testing.T) {
	input := `{"s": "it's {}", "n": 5, "list": [1, 2], "json": "{\"z\": [1]}", "t": true, "nil": null}`
	for src, want := range map[string]string{
		`States.Array()`: `[]`,
		`States.Array($.n, 'a, b)', 1.5, null, true, $.list)`:    `[5,"a, b)",1.5,null,true,[1,2]]`,
		`States.ArrayLength($.list)`:                             `2`,
		`States.ArrayLength(States.Array($.n, States.Array(1)))`: `2`,
		`States.Format('a {} b {}', $.s, $.n)`:                   `"a it's {} b 5"`,
		`States.Format('{}{}{}', $.t, $.nil, -1)`:                `"truenull-1"`,
		`States.Format('\\{} \\' \\\\ {}', 'in \\'quotes\\'')`:   `"{} ' \\ in 'quotes'"`,
		`States.Format('nothing')`:                               `"nothing"`,
		`States.JsonToString($.list)`:                            `"[1,2]"`,
		`States.StringToJson($.json)`:                            `{"z":[1]}`,
		`States.MathAdd($.n, -7)`:                                `-2`,
		`States.MathAdd( 1 , States.ArrayLength( $.list ) )`:     `3`,
		`States.JsonToString($$.Execution.Name)`:                 `"\"run_1\""`,
	} {
		m := parse(t, nil, one(`{"Type": "Pass", "Parameters": {"x.$": "`+strings.ReplaceAll(src, `"`, `\"`)+`"}, "OutputPath": "$.x", "End": true}`))
		if got, err := run(t, m, input); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", src, got, err, want)
		}
	}
}

func TestChoice(t *testing.T) {
	input := `{"s": "mid", "n": 5, "f": 5.0, "b": true, "nil": null, "t": "2026-01-02T03:04:05Z", "t2": "2026-01-02T04:04:05+01:00", "s2": "mid", "star": "a*b\\c", "o": {"x": 1}}`
	for cond, want := range map[string]bool{
		`"Variable": "$.s", "StringEquals": "mid"`:                                                               true,
		`"Variable": "$.s", "StringEquals": "Mid"`:                                                               false,
		`"Variable": "$.n", "StringEquals": "5"`:                                                                 false,
		`"Variable": "$.s", "StringLessThan": "n"`:                                                               true,
		`"Variable": "$.s", "StringGreaterThan": "n"`:                                                            false,
		`"Variable": "$.s", "StringLessThanEquals": "mid"`:                                                       true,
		`"Variable": "$.s", "StringGreaterThanEquals": "mie"`:                                                    false,
		`"Variable": "$.s", "StringEqualsPath": "$.s2"`:                                                          true,
		`"Variable": "$.s", "StringEqualsPath": "$.n"`:                                                           false,
		`"Variable": "$.n", "NumericEquals": 5.0`:                                                                true,
		`"Variable": "$.n", "NumericEqualsPath": "$.f"`:                                                          true,
		`"Variable": "$.s", "NumericEquals": 5`:                                                                  false,
		`"Variable": "$.n", "NumericLessThan": 5`:                                                                false,
		`"Variable": "$.n", "NumericLessThanEquals": 5`:                                                          true,
		`"Variable": "$.n", "NumericGreaterThan": 4.9`:                                                           true,
		`"Variable": "$.n", "NumericGreaterThanEquals": 6`:                                                       false,
		`"Variable": "$.n", "NumericGreaterThanPath": "$.o.x"`:                                                   true,
		`"Variable": "$.b", "BooleanEquals": true`:                                                               true,
		`"Variable": "$.b", "BooleanEquals": false`:                                                              false,
		`"Variable": "$.nil", "BooleanEquals": false`:                                                            false,
		`"Variable": "$.b", "BooleanEqualsPath": "$.b"`:                                                          true,
		`"Variable": "$.t", "TimestampEquals": "2026-01-02T03:04:05.000Z"`:                                       true,
		`"Variable": "$.t", "TimestampEqualsPath": "$.t2"`:                                                       true,
		`"Variable": "$.t", "TimestampLessThan": "2026-01-02T03:04:06Z"`:                                         true,
		`"Variable": "$.t", "TimestampGreaterThanEquals": "2026-01-02T03:04:06Z"`:                                false,
		`"Variable": "$.s", "TimestampLessThan": "2026-01-02T03:04:06Z"`:                                         false,
		`"Variable": "$.s", "StringMatches": "m*d"`:                                                              true,
		`"Variable": "$.s", "StringMatches": "mi*id"`:                                                            false,
		`"Variable": "$.s", "StringMatches": "*"`:                                                                true,
		`"Variable": "$.s", "StringMatches": "*i*"`:                                                              true,
		`"Variable": "$.s", "StringMatches": "*d*d"`:                                                             false,
		`"Variable": "$.s", "StringMatches": "mid"`:                                                              true,
		`"Variable": "$.s", "StringMatches": "m"`:                                                                false,
		`"Variable": "$.star", "StringMatches": "a\\*b\\\\*"`:                                                    true,
		`"Variable": "$.s", "StringMatches": "m\\*d"`:                                                            false,
		`"Variable": "$.n", "StringMatches": "*"`:                                                                false,
		`"Variable": "$.nil", "IsNull": true`:                                                                    true,
		`"Variable": "$.s", "IsNull": false`:                                                                     true,
		`"Variable": "$.s", "IsPresent": true`:                                                                   true,
		`"Variable": "$.x.y", "IsPresent": false`:                                                                true,
		`"Variable": "$.nil", "IsPresent": true`:                                                                 true,
		`"Variable": "$.s", "IsString": true`:                                                                    true,
		`"Variable": "$.n", "IsString": false`:                                                                   true,
		`"Variable": "$.n", "IsNumeric": true`:                                                                   true,
		`"Variable": "$.b", "IsBoolean": true`:                                                                   true,
		`"Variable": "$.t", "IsTimestamp": true`:                                                                 true,
		`"Variable": "$.s", "IsTimestamp": true`:                                                                 false,
		`"Variable": "$$.Execution.Name", "StringEquals": "run_1"`:                                               true,
		`"Not": {"Variable": "$.s", "IsNull": true}`:                                                             true,
		`"And": [{"Variable": "$.n", "NumericEquals": 5}, {"Variable": "$.b", "BooleanEquals": true}]`:           true,
		`"And": [{"Variable": "$.n", "NumericEquals": 5}, {"Not": {"Variable": "$.b", "BooleanEquals": true}}]`:  false,
		`"Or": [{"Variable": "$.n", "NumericEquals": 6}, {"And": [{"Variable": "$.b", "BooleanEquals": true}]}]`: true,
		`"Or": [{"Variable": "$.n", "NumericEquals": 6}, {"Variable": "$.b", "BooleanEquals": false}]`:           false,
		`"Or": [{"Variable": "$.n", "NumericEquals": 5}, {"Variable": "$.missing", "IsNull": true}]`:             true,
		`"And": [{"Variable": "$.missing", "IsPresent": true}, {"Variable": "$.missing", "IsNull": true}]`:       false,
	} {
		m := parse(t, nil, `{"StartAt": "C", "States": {
			"C": {"Type": "Choice", "Choices": [{`+cond+`, "Comment": "c", "Next": "Yes"}], "Default": "No", "InputPath": "$", "OutputPath": "$.o"},
			"Yes": {"Type": "Pass", "Result": true, "ResultPath": "$.y", "End": true}, "No": {"Type": "Pass", "Result": false, "ResultPath": "$.y", "End": true}}}`)
		if got, err := run(t, m, input); err != nil || got != fmt.Sprintf(`{"x":1,"y":%v}`, want) {
			t.Errorf("%s: %s %v; want err == nil && got == fmt.Sprintf(`{\"x\":1,\"y\":%%v}`, want)", cond, got, err)
		}
	}
}

// The first condition that holds decides; where none does, and nothing is said, the
// execution fails.
func TestChoiceOrder(t *testing.T) {
	m := parse(t, nil, `{"StartAt": "C", "States": {"C": {"Type": "Choice", "Choices": [
		{"Variable": "$.n", "NumericGreaterThan": 9, "Next": "A"}, {"Variable": "$.n", "NumericGreaterThan": 1, "Next": "B"}]},
		"A": {"Type": "Pass", "Result": "A", "End": true}, "B": {"Type": "Pass", "Result": "B", "End": true}}}`)
	for input, want := range map[string]string{`{"n": 10}`: `"A"`, `{"n": 2}`: `"B"`} {
		if got, err := run(t, m, input); err != nil || got != want {
			t.Errorf("%s: %s %v; want err == nil && got == want", input, got, err)
		}
	}
	for input, want := range map[string]string{`{"n": 0}`: noChoice, `{}`: runtimeFailed, `[]`: runtimeFailed} {
		if _, err := run(t, m, input); wstk.CodeOf(err) != wstk.Internal ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Internal && strings.Contains(err.Error(), want)", input, err)
		}
	}
}

// guarded is a task with a retry and three catches.
const guarded = `{"StartAt": "T", "States": {
	"T": {"Type": "Task", "Resource": "t", "TimeoutSeconds": 10,
		"Retry": [{"ErrorEquals": ["unavailable"], "IntervalSeconds": 2, "MaxAttempts": 3, "BackoffRate": 3, "MaxDelaySeconds": 15}, {"ErrorEquals": ["States.Timeout"], "MaxAttempts": 1}, {"ErrorEquals": ["network"], "MaxAttempts": 0}],
		"Catch": [{"ErrorEquals": ["not_found", "gone"], "ResultPath": "$.caught", "Next": "Named"}, {"ErrorEquals": ["States.TaskFailed"], "Next": "Any"}, {"ErrorEquals": ["States.ALL"], "ResultPath": null, "Next": "Rest"}], "End": true},
	"Named": {"Type": "Pass", "End": true}, "Any": {"Type": "Pass", "End": true}, "Rest": {"Type": "Pass", "End": true}}}`

func TestRetryAndCatch(t *testing.T) {
	for name, c := range map[string]struct {
		task  func(ctx context.Context, try int) (any, error)
		want  string // output
		tries int
		waits time.Duration
	}{
		"at once": {func(context.Context, int) (any, error) { return 1, nil }, `1`, 1, 0},
		"the third time": {func(_ context.Context, n int) (any, error) {
			return n, errIf(n < 3, wstk.Unavailable)
		}, `3`, 3, 8 * time.Second},
		"never": {func(context.Context, int) (any, error) {
			return 1, errIf(true, wstk.Unavailable)
		}, `{"Cause":"{\"errorMessage\":\"asking: no\",\"errorType\":\"unavailable\"}","Error":"unavailable"}`, 4, 23 * time.Second},
		"no attempts": {func(context.Context, int) (any, error) {
			return 1, errIf(true, wstk.Network)
		}, `{"Cause":"{\"errorMessage\":\"asking: no\",\"errorType\":\"network\"}","Error":"network"}`, 1, 0},
		"by name": {func(context.Context, int) (any, error) {
			return 1, errIf(true, wstk.Gone)
		}, `{"caught":{"Cause":"{\"errorMessage\":\"asking: no\",\"errorType\":\"gone\"}","Error":"gone"},"in":1}`, 1, 0},
		"an error without code": {func(context.Context, int) (any, error) { return nil, errors.New(`odd "<>"`) }, `{"Cause":"{\"errorMessage\":\"odd \\\"<>\\\"\",\"errorType\":\"internal\"}","Error":"internal"}`, 1, 0},
		"a panic":               {func(context.Context, int) (any, error) { panic("oh") }, `{"Cause":"{\"errorMessage\":\"the task panicked: oh\",\"errorType\":\"internal\"}","Error":"internal"}`, 1, 0},
		"too slow": {func(ctx context.Context, n int) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, `{"in":1}`, 2, 21 * time.Second},
		"too slow once": {func(ctx context.Context, n int) (any, error) {
			if n == 1 {
				<-ctx.Done()
				return nil, wstk.Wrap(wstk.Network, "reading", ctx.Err())
			}
			return n, nil
		}, `2`, 2, 11 * time.Second},
		"two kinds": {func(ctx context.Context, n int) (any, error) {
			if n == 2 {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return n, errIf(n < 4, wstk.Unavailable)
		}, `4`, 4, 19 * time.Second},
		"not JSON": {func(context.Context, int) (any, error) { return json.RawMessage("{"), nil }, ``, 1, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			tries := 0
			m := parse(t, tasks{"t": func(ctx context.Context, in json.RawMessage) (any, error) {
				tries++
				if string(in) != `{"in":1}` {
					t.Errorf("input %s", in)
				}
				return c.task(ctx, tries)
			}}, guarded)
			m.Sleep = nil
			start := time.Now()
			var told time.Duration
			ctx := wstk.Noticing(t.Context(), func(n wstk.Notice) {
				if told += n.Wait; n.Why == "" || strings.Contains(n.Why, "{") {
					t.Errorf("%s: told %q", name, n.Why)
				}
			})
			out, err := m.Run(ctx, "run_1", json.RawMessage(`{"in": 1}`))
			got := string(out)
			if slow := strings.Contains(name, "slow") || name == "two kinds"; !slow && told != c.waits {
				t.Errorf("%s: told of %s, and waited %s", name, told, c.waits)
			}
			if name == "not JSON" {
				if err != nil || !strings.Contains(got, `"Error":"internal"`) {
					t.Error(got, err, "want err == nil && strings.Contains(got, `\"Error\":\"internal\"`)")
				}
				return
			}
			if err != nil || got != c.want {
				t.Errorf("%s: %s %v\nwant %s", name, got, err, c.want)
			}
			if tries != c.tries || time.Since(start) != c.waits {
				t.Errorf("%s: %d tries in %v, want %d in %v", name, tries, time.Since(start), c.tries, c.waits)
			}
		})
	}
}

func errIf(really bool, code wstk.Code) error {
	if !really {
		return nil
	}
	return wstk.Errorf(code, "asking", "no")
}

// With jitter a retry comes at any time up to the interval.
func TestJitter(t *testing.T) {
	r := retry{IntervalSeconds: 4, BackoffRate: 2, MaxDelaySeconds: 10, JitterStrategy: "FULL"}
	for n, most := range []time.Duration{4 * time.Second, 8 * time.Second, 10 * time.Second} {
		low, high := most, time.Duration(0)
		for range 200 {
			d := r.delay(n)
			low, high = min(low, d), max(high, d)
		}
		if low < 0 || high > most || low > most/4 || high < most*3/4 {
			t.Errorf("retry %d: between %v and %v, want up to %v", n, low, high, most)
		}
	}
	if d := (retry{IntervalSeconds: 1, BackoffRate: 100}).delay(100); d <= 0 {
		t.Errorf("a long wait became %v", d)
	}
}

// States.ALL leaves two failures alone; one of them can be named.
func TestWhatAllDoesNotCatch(t *testing.T) {
	big := strings.Repeat("x", maxData)
	task := tasks{"big": func(context.Context, json.RawMessage) (any, error) { return big, nil }}
	state := `{"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "big", %s "Catch": [%s {"ErrorEquals": ["States.ALL"], "Next": "Caught"}], "End": true}, "Caught": {"Type": "Pass", "OutputPath": "$.Error", "End": true}}}`
	if _, err := run(t, parse(t, task, fmt.Sprintf(state, "", "")),
		`{}`); wstk.CodeOf(err) != wstk.Internal || !strings.Contains(err.Error(), dataLimit) {
		t.Error(err)
	}
	if _, err := run(t, parse(t, task, fmt.Sprintf(state, "",
		`{"ErrorEquals": ["States.TaskFailed"], "Next": "Caught"},`)), `{}`); !strings.Contains(fmt.Sprint(err), dataLimit) {
		t.Error(err)
	}
	if got, err := run(t, parse(t, task, fmt.Sprintf(state, "",
		`{"ErrorEquals": ["States.DataLimitExceeded"], "Next": "Caught"},`)), `{}`); err != nil || got != `"`+dataLimit+`"` {
		t.Error(got, err, "want err == nil && got == `\"`+dataLimit+`\"`")
	}
	if _, err := run(t, parse(t, task, fmt.Sprintf(state, `"Parameters": {"x.$": "$.missing"},`,
		"")), `{}`); !strings.Contains(fmt.Sprint(err), runtimeFailed) {
		t.Error(err)
	}
}

// Sizes are judged at the limit: of a result, of what is made of it, of an input.
func TestSizes(t *testing.T) {
	sized := func(n int) tasks {
		return tasks{"t": func(context.Context, json.RawMessage) (any, error) {
			return strings.Repeat("x", n-2), nil
		}}
	}
	for n, want := range map[int]string{wstk.MaxPayload: "", wstk.MaxPayload + 1: "too_large",
		maxData: "too_large", maxData + 1: dataLimit} {
		m := parse(t, sized(n), `{"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "t", "Catch": [{"ErrorEquals": ["States.DataLimitExceeded"], "Next": "C"}, {"ErrorEquals": ["States.ALL"], "Next": "C"}], "ResultPath": "$.r", "Next": "E"},
			"C": {"Type": "Pass", "OutputPath": "$.Error", "End": true}, "E": {"Type": "Pass", "Result": "", "End": true}}}`)
		if got, err := run(t, m, `{}`); err != nil || got != `"`+want+`"` {
			t.Errorf("%d bytes: %s %v, want %q", n, got, err, want)
		}
	}
	// {"a":…,"b":…} of two results fits up to the limit.
	for extra, want := range map[int]string{0: "", 1: dataLimit} {
		half := maxData/2 - len(`{"a":,"b":}`)
		m := parse(t, tasks{
			"a": func(context.Context, json.RawMessage) (any, error) {
				return strings.Repeat("x", half-2), nil
			},
			"b": func(context.Context, json.RawMessage) (any, error) {
				return strings.Repeat("x", maxData-half-len(`{"a":,"b":}`)-2+extra), nil
			},
		}, `{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "a", "ResultPath": "$.a", "Next": "B"},
			"B": {"Type": "Task", "Resource": "b", "ResultPath": "$.b", "Catch": [{"ErrorEquals": ["States.DataLimitExceeded"], "Next": "C"}], "Next": "E"},
			"C": {"Type": "Pass", "OutputPath": "$.Error", "End": true}, "E": {"Type": "Pass", "Result": "", "End": true}}}`)
		if got, err := run(t, m, `{}`); err != nil || got != `"`+want+`"` {
			t.Errorf("%d beyond the limit: %s %v, want %q", extra, got, err, want)
		}
	}
	m := parse(t, nil, one(`{"Type": "Succeed"}`))
	for n, want := range map[int]wstk.Code{wstk.MaxPayload: "", wstk.MaxPayload + 1: wstk.TooLarge} {
		if _, err := run(t, m, `"`+strings.Repeat("x", n-2)+`"`); wstk.CodeOf(err) != want {
			t.Errorf("an input of %d bytes: %v", n, err)
		}
	}
	m = parse(t, tasks{"t": echo}, one(`{"Type": "Task", "Resource": "t", "Parameters": {"a.$": "$", "b.$": "$"}, "Catch": [{"ErrorEquals": ["States.DataLimitExceeded"], "ResultPath": null, "Next": "C"}], "End": true}, "C": {"Type": "Pass", "Result": "caught", "End": true}`))
	if got, err := run(t, m, `"`+strings.Repeat("x", maxData/2)+`"`); err != nil || got != `"caught"` {
		t.Error(got, err, "want err == nil && got == `\"caught\"`")
	}
}

func TestInputThatIsNotJSON(t *testing.T) {
	m := parse(t, nil, one(`{"Type": "Succeed"}`))
	for _, input := range []string{``, `{`, `{} {}`} {
		if _, err := run(t, m, input); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%q: %v; want wstk.CodeOf(err) == wstk.Invalid", input, err)
		}
	}
}

const mapped = `{"Type": "Map", "MaxConcurrency": %d, "ItemProcessor": {"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "t", "End": true}}}, "End": true}`

// A Map keeps the order of its items and its limit, whatever is faster.
func TestMapOrderAndConcurrency(t *testing.T) {
	for limit, want := range map[int]int32{0: 20, 1: 1, 4: 4, 50: 20} {
		synctest.Test(t, func(t *testing.T) {
			var now, most atomic.Int32
			m := parse(t, tasks{"t": func(_ context.Context, in json.RawMessage) (any, error) {
				n := now.Add(1)
				defer now.Add(-1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				var i int
				json.Unmarshal(in, &i)
				time.Sleep(time.Duration(100-i) * time.Millisecond) // later ones are faster
				return i * 2, nil
			}}, one(fmt.Sprintf(mapped, limit)))
			var in, out []int
			for i := range 20 {
				in, out = append(in, i), append(out, 2*i)
			}
			input, _ := json.Marshal(in)
			expect, _ := json.Marshal(out)
			got, err := run(t, m, string(input))
			if err != nil || got != string(expect) {
				t.Errorf("limit %d: %s %v", limit, got, err)
			}
			if most.Load() != want {
				t.Errorf("limit %d: %d at a time, want %d", limit, most.Load(), want)
			}
		})
	}
}

// Of several failures the first by order is told, though a later one came sooner; what
// comes after a failure is stopped.
func TestMapFails(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			m := parse(t, tasks{"t": func(ctx context.Context, in json.RawMessage) (any, error) {
				switch string(in) {
				case "0":
					return nil, nil
				case "1":
					time.Sleep(time.Second)
					return nil, errIf(true, wstk.NotFound)
				case "2":
					return nil, errIf(true, wstk.Invalid)
				}
				<-ctx.Done() // else the test stands still
				return nil, ctx.Err()
			}}, one(fmt.Sprintf(mapped, 4)))
			if _, err := run(t, m, `[0,1,2,3,4,5,6,7,8,9]`); wstk.CodeOf(err) != wstk.NotFound {
				t.Error(err)
			}
		})
	}
}

// A Map or Parallel is retried and caught as a whole.
func TestMapAndParallelAreGuarded(t *testing.T) {
	for _, state := range []string{
		`"Type": "Map", "ItemsPath": "$.list", "ItemProcessor": {"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "t", "End": true}}}`,
		`"Type": "Parallel", "Branches": [{"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "t", "End": true}}}, {"StartAt": "U", "States": {"U": {"Type": "Task", "Resource": "t", "End": true}}}]`,
	} {
		var calls atomic.Int32
		fails := int32(1)
		m := parse(t, tasks{"t": func(context.Context, json.RawMessage) (any, error) {
			return 1, errIf(calls.Add(1) <= fails, wstk.Unavailable)
		}}, `{"StartAt": "S", "States": {"S": {`+state+`, "Retry": [{"ErrorEquals": ["unavailable"], "MaxAttempts": 1}],
			"Catch": [{"ErrorEquals": ["unavailable"], "Next": "C"}], "ResultPath": "$.r", "OutputPath": "$.r", "End": true}, "C": {"Type": "Pass", "Result": "caught", "End": true}}}`)
		if got, err := run(t, m, `{"list": [1, 2]}`); err != nil || got != `[1,1]` {
			t.Error(got, err, "want err == nil && got == `[1,1]`")
		}
		calls.Store(0)
		fails = 100
		if got, err := run(t, m, `{"list": [1, 2]}`); err != nil || got != `"caught"` {
			t.Error(got, err, "want err == nil && got == `\"caught\"`")
		}
	}
}

// A failure that a Fail state makes within a Map can be caught like a task's.
func TestFailInMap(t *testing.T) {
	m := parse(t, nil, `{"StartAt": "M", "States": {"M": {"Type": "Map", "ItemProcessor": {"StartAt": "F", "States": {"F": {"Type": "Fail", "Error": "cancelled", "CausePath": "$"}}},
		"Catch": [{"ErrorEquals": ["cancelled"], "Next": "C"}], "End": true}, "C": {"Type": "Fail", "ErrorPath": "$.Error", "CausePath": "$.Cause"}}}`)
	if _, err := run(t, m, `["a", "b"]`); wstk.CodeOf(err) != wstk.Cancelled ||
		!strings.HasSuffix(err.Error(), ": a") {
		t.Error(err)
	}
}

// When the context ends, the execution does, wherever it is, and nothing catches that. The
// caller knows its own reason again.
func TestContextEnds(t *testing.T) {
	late := errors.New("too late")
	caught := `"Retry": [{"ErrorEquals": ["States.ALL"], "MaxAttempts": 9}], "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "C"}]`
	tail := `, "C": {"Type": "Pass", "Result": "caught", "End": true}`
	for name, states := range map[string]string{
		"task":     `{"Type": "Task", "Resource": "slow", "TimeoutSeconds": 1000, ` + caught + `, "End": true}` + tail,
		"map":      `{"Type": "Map", "ItemProcessor": {"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "slow", "End": true}}}, ` + caught + `, "End": true}` + tail,
		"parallel": `{"Type": "Parallel", "Branches": [{"StartAt": "T", "States": {"T": {"Type": "Wait", "Seconds": 1000, "End": true}}}], ` + caught + `, "End": true}` + tail,
		"wait":     `{"Type": "Wait", "Seconds": 1000, "End": true}`,
		"retry":    `{"Type": "Task", "Resource": "bad", "Retry": [{"ErrorEquals": ["States.ALL"], "IntervalSeconds": 1000, "MaxAttempts": 9}], "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "C"}], "End": true}` + tail,
	} {
		for code, limit := range map[wstk.Code]func(context.Context) (context.Context, func()){
			wstk.Timeout: func(ctx context.Context) (context.Context, func()) {
				ctx, cancel := context.WithTimeoutCause(ctx, 3*time.Second, late)
				return ctx, cancel
			},
			wstk.Cancelled: func(ctx context.Context) (context.Context, func()) {
				ctx, cancel := context.WithCancel(ctx)
				time.AfterFunc(3*time.Second, cancel)
				return ctx, cancel
			},
		} {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				m := parse(t, tasks{
					"slow": func(ctx context.Context, _ json.RawMessage) (any, error) {
						calls++
						<-ctx.Done()
						return nil, ctx.Err()
					},
					"bad": func(context.Context, json.RawMessage) (any, error) {
						calls++
						return nil, errors.New("no")
					},
				}, one(states))
				m.Sleep = nil
				ctx, cancel := limit(t.Context())
				defer cancel()
				start := time.Now()
				_, err := m.Run(ctx, "run_1", json.RawMessage(`[1]`))
				if wstk.CodeOf(err) != code || calls > 1 || time.Since(start) != 3*time.Second ||
					!errors.Is(err, context.Cause(ctx)) {
					t.Errorf("%s: %v after %v and %d calls", name, err, time.Since(start), calls)
				}
			})
		}
	}
}

// An execution that takes too long ends like one whose caller gives up.
func TestMachineTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := parse(t, tasks{"t": func(ctx context.Context, _ json.RawMessage) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}},
			`{"StartAt": "T", "TimeoutSeconds": 7, "States": {"T": {"Type": "Task", "Resource": "t", "TimeoutSeconds": 5, "Retry": [{"ErrorEquals": ["States.ALL"]}], "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "C"}], "End": true}, "C": {"Type": "Succeed"}}}`)
		start := time.Now()
		if _, err := run(t, m, `{}`); wstk.CodeOf(err) != wstk.Timeout ||
			time.Since(start) != 7*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// A machine that goes in circles ends.
func TestHistoryIsBounded(t *testing.T) {
	m := parse(t, tasks{"t": echo}, `{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "t", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "B"}], "Next": "B"}, "B": {"Type": "Pass", "Next": "A"}}}`)
	if _, err := run(t, m, `{}`); wstk.CodeOf(err) != wstk.Internal ||
		!strings.Contains(err.Error(), "more than 25000 events") {
		t.Error(err)
	}
}

// States share values; what one makes of its input is not seen by another.
func TestInputsAreNotChanged(t *testing.T) {
	m := parse(t, tasks{"t": echo}, `{"StartAt": "P", "States": {"P": {"Type": "Parallel", "Branches": [
		{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": 1, "ResultPath": "$.x.y", "End": true}}},
		{"StartAt": "B", "States": {"B": {"Type": "Pass", "Result": 2, "ResultPath": "$.x.z", "End": true}}}], "Next": "E"},
		"E": {"Type": "Pass", "Parameters": {"r.$": "$", "in.$": "$$.Execution.Input"}, "End": true}}}`)
	for range 50 {
		if got, err := run(t, m, `{"x": {"w": 0}}`); err != nil || got != `{"in":{"x":{"w":0}},"r":[{"x":{"w":0,"y":1}},{"x":{"w":0,"z":2}}]}` {
			t.Fatal(got, err, "want err == nil && got == `{\"in\":{\"x\":{\"w\":0}},\"r\":[{\"x\":{\"w\":0,\"y\":1}},{\"x\":{\"w\":0,\"z\":2}}]}`")
		}
	}
}
