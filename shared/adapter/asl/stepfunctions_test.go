package asl

import (
	"context"
	"crypto/rand"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
	"github.com/aws/smithy-go/logging"

	"wstk/infra"
	"wstk/shared/wstk/wstktest"
)

// stepFunctions is the other home of the machines.
func stepFunctions(t *testing.T) *sfn.Client {
	t.Helper()
	endpoint := os.Getenv("WSTK_AWS_ENDPOINT")
	if endpoint == "" {
		wstktest.Skip(t, "WSTK_AWS_ENDPOINT names no endpoint")
	}
	cfg, err := config.LoadDefaultConfig(t.Context(), config.WithBaseEndpoint(endpoint),
		config.WithRegion("us-east-1"), config.WithLogger(logging.Nop{}))
	if err != nil {
		t.Fatal(err)
	}
	return sfn.NewFromConfig(cfg)
}

func create(t *testing.T, client *sfn.Client, definition string) (arn *string) {
	t.Helper()
	out, err := client.CreateStateMachine(t.Context(),
		&sfn.CreateStateMachineInput{Name: aws.String("test-" + rand.Text()),
			RoleArn: aws.String("arn:aws:iam::000000000000:role/test"), Definition: &definition})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.DeleteStateMachine(context.Background(),
			&sfn.DeleteStateMachineInput{StateMachineArn: out.StateMachineArn})
	})
	return out.StateMachineArn
}

// A machine without tasks ends in both homes with the same output, or with the same
// error and cause. Left out is where MiniStack is not like Step Functions: it takes a
// field that is null for absent and false for a number, gives null for a path to
// nothing, lets States.ALL catch everything, and has no limit of size.
func TestBothHomesAgree(t *testing.T) {
	client := stepFunctions(t)
	const each = `{"Type": "Map", "ItemsPath": "$.list", "MaxConcurrency": 2, `
	for name, c := range map[string]struct {
		machine string
		inputs  []string
	}{
		"Pass": {`{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Succeed"}}}`, []string{`{"a": [1, {"b": null}], "ü": "é<&>"}`, `[]`, `"x"`, `null`, `0`}},
		"paths": {`{"StartAt": "A", "States": {
			"A": {"Type": "Pass", "InputPath": "$.a", "Parameters": {"k": [1, {"v.$": "$.b[1]"}], "same.$": "$"}, "ResultPath": "$.r.s", "Next": "B"},
			"B": {"Type": "Pass", "InputPath": "$.r", "Result": {"n": 1}, "ResultPath": "$.a", "OutputPath": "$['r']", "Next": "C"},
			"C": {"Type": "Pass", "InputPath": null, "ResultPath": "$.none", "Next": "D"},
			"D": {"Type": "Pass", "Result": 5, "ResultPath": null, "End": true}}}`, []string{`{"a": {"b": [true, "x"]}}`}},
		"context": {`{"StartAt": "A", "States": {"A": {"Type": "Pass", "Parameters": {"in.$": "$$.Execution.Input", "x.$": "$$.Execution.Input.x[0]", "name.$": "$$.Execution.Name", "s.$": "$$.State.Name"}, "End": true}}}`, []string{`{"x": [3]}`}},
		"Choice": {`{"StartAt": "C", "States": {"C": {"Type": "Choice", "Choices": [
			{"Variable": "$.s", "IsPresent": false, "Next": "absent"},
			{"And": [{"Variable": "$.s", "IsString": true}, {"Or": [{"Variable": "$.s", "StringEquals": "a"}, {"Variable": "$.s", "StringMatches": "b*c"}]}], "Next": "ab"},
			{"Variable": "$.s", "NumericGreaterThanEquals": 5, "Next": "big"},
			{"Variable": "$.s", "NumericLessThan": -5, "Next": "small"},
			{"Variable": "$.s", "BooleanEquals": true, "Next": "true"},
			{"Variable": "$.s", "TimestampLessThan": "2026-01-01T00:00:00Z", "Next": "before"},
			{"Not": {"Variable": "$.s", "IsNumeric": false}, "Next": "numeric"},
			{"Variable": "$.s", "StringGreaterThan": "x", "Next": "late"}], "Default": "other"},
			"absent": {"Type": "Pass", "Result": 1, "End": true}, "ab": {"Type": "Pass", "Result": 2, "End": true}, "big": {"Type": "Pass", "Result": 3, "End": true},
			"small": {"Type": "Pass", "Result": 4, "End": true}, "true": {"Type": "Pass", "Result": 5, "End": true},
			"before": {"Type": "Pass", "Result": 7, "End": true}, "numeric": {"Type": "Pass", "Result": 8, "End": true}, "late": {"Type": "Pass", "Result": 9, "End": true}, "other": {"Type": "Pass", "Result": 10, "End": true}}}`,
			[]string{`{}`, `{"s": "a"}`, `{"s": "bxc"}`, `{"s": "bx"}`, `{"s": 5}`, `{"s": -5.5}`, `{"s": 0}`, `{"s": true}`, `{"s": "2025-12-31T23:59:59Z"}`, `{"s": "2026-12-31T23:59:59+02:00"}`, `{"s": "y"}`, `{"s": [1]}`}},
		"Choice by path": {`{"StartAt": "C", "States": {"C": {"Type": "Choice", "Choices": [{"Variable": "$.a", "NumericLessThanPath": "$.b", "Next": "L"}, {"Variable": "$.a", "StringEqualsPath": "$.b", "Next": "E"}, {"Variable": "$.a", "BooleanEqualsPath": "$.b", "Next": "E"}], "Default": "N"},
			"L": {"Type": "Pass", "Result": "less", "ResultPath": "$.r", "End": true}, "E": {"Type": "Pass", "Result": "equal", "ResultPath": "$.r", "End": true}, "N": {"Type": "Pass", "Result": "neither", "ResultPath": "$.r", "End": true}}}`,
			[]string{`{"a": 1, "b": 1.5}`, `{"a": 2, "b": 1.5}`, `{"a": "x", "b": "x"}`, `{"a": true, "b": true}`, `{"a": "1", "b": 1}`}},
		"no choice": {`{"StartAt": "C", "States": {"C": {"Type": "Choice", "Choices": [{"Variable": "$.a", "NumericEquals": 1, "Next": "E"}]}, "E": {"Type": "Succeed"}}}`, []string{`{"a": 1}`, `{"a": 2}`}},
		"Map":       {one(each + `"ItemProcessor": {"ProcessorConfig": {"Mode": "INLINE"}, "StartAt": "I", "States": {"I": {"Type": "Pass", "Parameters": {"v.$": "$"}, "End": true}}}, "ResultPath": "$.out", "End": true}`), []string{`{"list": [1, "b", null, {"c": []}], "o": 1}`, `{"list": []}`}},
		"Map selector": {one(each + `"ItemSelector": {"i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value", "o.$": "$.o", "k": {"l": [1]}}, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "Result": "x", "ResultPath": "$.r", "Next": "J"}, "J": {"Type": "Succeed", "OutputPath": "$"}}},
			"ResultSelector": {"first.$": "$[0]", "all.$": "$"}, "ResultPath": "$.out", "End": true}`), []string{`{"list": [{"a": 1}, 2, 3, 4, 5], "o": "O"}`}},
		"Map in Map": {one(`{"Type": "Map", "ItemProcessor": {"StartAt": "M", "States": {"M": {"Type": "Map", "ItemSelector": {"v.$": "$$.Map.Item.Value", "i.$": "$$.Map.Item.Index"}, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}, "End": true}}}, "End": true}`), []string{`[[1, 2], [], [3]]`}},
		"Map with choices": {one(each + `"ItemSelector": {"n.$": "$$.Map.Item.Value"}, "ItemProcessor": {"StartAt": "C", "States": {
			"C": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 1, "Next": "Big"}], "Default": "Small"},
			"Big": {"Type": "Pass", "Result": "big", "ResultPath": "$.is", "End": true}, "Small": {"Type": "Pass", "Parameters": {"n.$": "$.n", "is": "small"}, "End": true}}}, "OutputPath": "$[1]", "End": true}`), []string{`{"list": [1, 2, 3]}`}},
		"Fail in Map": {one(each + `"ItemProcessor": {"StartAt": "C", "States": {"C": {"Type": "Choice", "Choices": [{"Variable": "$", "NumericEquals": 2, "Next": "F"}], "Default": "Ok"}, "F": {"Type": "Fail", "Error": "Two", "Cause": "it is two"}, "Ok": {"Type": "Succeed"}}}, "End": true}`), []string{`{"list": [1, 2, 3]}`, `{"list": [1, 3]}`}},
		"Catch around Map": {`{"StartAt": "M", "States": {"M": ` + each + `"ItemProcessor": {"StartAt": "F", "States": {"F": {"Type": "Fail", "ErrorPath": "$.e", "CausePath": "$.c"}}},
			"Catch": [{"ErrorEquals": ["One"], "ResultPath": "$.caught", "Next": "C"}, {"ErrorEquals": ["Two"], "ResultPath": null, "Next": "C"}, {"ErrorEquals": ["States.ALL"], "Next": "C"}], "End": true},
			"C": {"Type": "Pass", "End": true}}}`, []string{`{"list": [{"e": "One", "c": "1"}]}`, `{"list": [{"e": "Two", "c": "2"}]}`, `{"list": [{"e": "Three", "c": "3"}]}`, `{"list": []}`}},
		"Parallel": {one(`{"Type": "Parallel", "Parameters": {"x.$": "$.a"}, "Branches": [
			{"StartAt": "P", "States": {"P": {"Type": "Pass", "Result": 1, "ResultPath": "$.p", "End": true}}},
			{"StartAt": "Q", "States": {"Q": {"Type": "Pass", "InputPath": "$.x", "Next": "R"}, "R": {"Type": "Succeed"}}}], "ResultSelector": {"two.$": "$[1]", "all.$": "$"}, "ResultPath": "$.out", "End": true}`), []string{`{"a": [1, 2]}`}},
		"Catch around Parallel": {`{"StartAt": "P", "States": {"P": {"Type": "Parallel", "Branches": [{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}, {"StartAt": "B", "States": {"B": {"Type": "Fail", "Error": "Odd", "Cause": "why"}}}],
			"Retry": [{"ErrorEquals": ["Even"]}, {"ErrorEquals": ["States.ALL"], "MaxAttempts": 0}], "Catch": [{"ErrorEquals": ["States.TaskFailed"], "ResultPath": "$.failed", "Next": "C"}], "End": true},
			"C": {"Type": "Pass", "Parameters": {"n.$": "$.n", "failed": {"error.$": "$.failed.Error", "cause.$": "$.failed.Cause"}}, "End": true}}}`, []string{`{"n": 4}`}},
		"Fail":         {one(`{"Type": "Fail", "Error": "unavailable", "Cause": "it is \"off\""}`), []string{`{}`}},
		"Fail at path": {one(`{"Type": "Fail", "ErrorPath": "$.Error", "CausePath": "$.Cause"}`), []string{`{"Error": "not_found", "Cause": ""}`, `{"Error": "States.Timeout", "Cause": "late"}`}},
		"functions": {one(`{"Type": "Pass", "Parameters": {
			"array.$": "States.Array($.n, 'a, b)', 7, true, null, $.list)", "length.$": "States.ArrayLength($.list)", "nested.$": "States.ArrayLength(States.Array(1, States.Array($.n, 2)))",
			"format.$": "States.Format('run {} has {} of \\'{}\\'', $$.Execution.Name, $.n, $.s)", "brace.$": "States.Format('\\{{}\\}', $.s)", "text.$": "States.JsonToString($.list)", "value.$": "States.StringToJson($.json)", "sum.$": "States.MathAdd($.n, -7)"}, "End": true}`),
			[]string{`{"n": 5, "s": "it's", "list": [1, "zwei", null, {"a": true}], "json": "{\"z\": [1, null]}"}`}},
		"Wait": {`{"StartAt": "W", "States": {"W": {"Type": "Wait", "SecondsPath": "$.s", "Next": "V"}, "V": {"Type": "Wait", "Seconds": 0, "OutputPath": "$.o", "End": true}}}`, []string{`{"s": 0, "o": {"p": 1}}`}},
	} {
		m := parse(t, nil, c.machine)
		arn := create(t, client, c.machine)
		for _, input := range c.inputs {
			in, err := decode([]byte(input))
			if err != nil {
				t.Fatalf("%s: %v; want err == nil", name, err)
			}
			run := "run_" + rand.Text()
			out, f := m.execute(t.Context(), run, in)
			here := result{output: out}
			if f != nil {
				here = result{failure: f.name, cause: f.cause}
			}
			started, err := client.StartExecution(t.Context(),
				&sfn.StartExecutionInput{StateMachineArn: arn, Name: &run, Input: &input})
			if err != nil {
				t.Fatalf("%s: %v; want err == nil", name, err)
			}
			there := wait(t, client, started.ExecutionArn)
			if here.failure == noChoice { // each says it in its own words
				here.cause, there.cause = "", ""
			}
			if here.String() != there.String() {
				t.Errorf("%s of %s\nin process:     %s\nStep Functions: %s", name, input, here, there)
			}
		}
	}
}

// result is how an execution ended.
type result struct {
	output         any
	failure, cause string
}

func (r result) String() string {
	if r.failure != "" {
		return r.failure + ": " + r.cause
	}
	return string(encode(r.output))
}

// wait waits for the end of an execution.
func wait(t *testing.T, client *sfn.Client, arn *string) result {
	t.Helper()
	for {
		out, err := client.DescribeExecution(t.Context(),
			&sfn.DescribeExecutionInput{ExecutionArn: arn})
		switch {
		case err != nil:
			t.Fatal(err)
		case out.Status == types.ExecutionStatusRunning:
			time.Sleep(10 * time.Millisecond)
			continue
		case out.Status != types.ExecutionStatusSucceeded:
			return result{failure: aws.ToString(out.Error), cause: aws.ToString(out.Cause)}
		}
		v, err := decode([]byte(aws.ToString(out.Output)))
		if err != nil {
			t.Fatalf("output %s: %v", aws.ToString(out.Output), err)
		}
		return result{output: v}
	}
}

var resource = regexp.MustCompile(`\$\{(\w+)\}`)

// Step Functions takes the product's machines as they are, once SAM has put ARNs in.
func TestStepFunctionsTakesTheMachines(t *testing.T) {
	client := stepFunctions(t)
	for _, name := range []string{"extract", "refresh"} {
		data, err := infra.Machine(name)
		if err != nil {
			t.Fatal(err)
		}
		definition := resource.ReplaceAllString(string(data), "arn:aws:lambda:us-east-1:000000000000:function:$1")
		out, err := client.ValidateStateMachineDefinition(t.Context(),
			&sfn.ValidateStateMachineDefinitionInput{Definition: &definition,
				Type: types.StateMachineTypeStandard})
		if err != nil {
			t.Fatal(err)
		}
		if out.Result != types.ValidateStateMachineDefinitionResultCodeOk {
			t.Errorf("%s: %+v, want %v", name, out.Diagnostics, types.ValidateStateMachineDefinitionResultCodeOk)
		}
		create(t, client, definition)
	}
}
