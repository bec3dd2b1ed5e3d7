// Package stepfunctions starts executions of the state machines in AWS Step Functions.
// The package asl runs the same machines in process.
package stepfunctions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
	"github.com/aws/smithy-go"

	"wstk/shared/wstk"
)

var _ wstk.Workflows = Workflows{}

// Workflows starts executions of STANDARD state machines. It is safe for concurrent use.
type Workflows struct {
	Client   *sfn.Client
	Machines map[string]string // ARN of each state machine, by its word
}

// Start begins an execution of a machine, whose name is the run's id, and returns
// without waiting for it. Starting a run twice with the same input is the same as once,
// also when it has ended; another input is Conflict. An unknown machine, or an input
// that is not JSON, is Invalid, one over wstk.MaxPayload bytes TooLarge.
func (w Workflows) Start(
	ctx context.Context, machine string, run wstk.RunID, input json.RawMessage,
) error {
	const op = "starting state machine"
	arn := w.Machines[machine]
	switch {
	case arn == "":
		return wstk.Errorf(wstk.Invalid, op, "there is no state machine %q", machine)
	case len(input) > wstk.MaxPayload:
		return wstk.Errorf(wstk.TooLarge, op, "the input has %d bytes; %s takes at most %d", len(input),
			machine, wstk.MaxPayload)
	case !json.Valid(input):
		return wstk.Errorf(wstk.Invalid, op, "the input for %s is not JSON", machine)
	}
	_, err := w.Client.StartExecution(ctx, &sfn.StartExecutionInput{
		StateMachineArn: &arn, Name: aws.String(string(run)), Input: aws.String(string(input))})
	var exists *types.ExecutionAlreadyExists
	if !errors.As(err, &exists) {
		return failed(ctx, op, err)
	}
	// Step Functions itself lets pass the same input only while the execution runs.
	out, err := w.Client.DescribeExecution(ctx,
		&sfn.DescribeExecutionInput{ExecutionArn: aws.String(executionARN(arn, run))})
	if err != nil {
		return failed(ctx, op, err)
	}
	if !bytes.Equal(compact([]byte(aws.ToString(out.Input))), compact(input)) {
		return wstk.Errorf(wstk.Conflict, op, "%s was started with another input", run)
	}
	return nil
}

// executionARN makes arn:…:execution:NAME:RUN of arn:…:stateMachine:NAME, whose version
// or alias may follow.
func executionARN(machine string, run wstk.RunID) string {
	before, name, _ := strings.Cut(machine, ":stateMachine:")
	name, _, _ = strings.Cut(name, ":")
	return before + ":execution:" + name + ":" + string(run)
}

func compact(data []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return data
	}
	return b.Bytes()
}

// failed gives an error of the SDK its code; nil stays nil.
func failed(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	var api smithy.APIError
	if !errors.As(err, &api) {
		return wstk.Errorf(wstk.Unavailable, op, "Step Functions cannot be reached: %w", err)
	}
	switch api.ErrorCode() {
	case "StateMachineDoesNotExist", "InvalidArn":
		return wstk.Errorf(wstk.Internal, op, "%w", err).
			Try(wstk.Advice("deploy the stack; its state machine is missing here"))
	case "InvalidName":
		return wstk.Errorf(wstk.Invalid, op, "%w", err)
	case "AccessDeniedException", "UnrecognizedClientException", "ExpiredTokenException",
		"InvalidExecutionInput", "ValidationException":
		return wstk.Errorf(wstk.Internal, op, "%w", err)
	}
	return wstk.Errorf(wstk.Unavailable, op, "%w", err)
}
