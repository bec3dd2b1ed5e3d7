package stepfunctions

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/smithy-go/logging"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// open makes a machine "echo" that ends at once and one, "wait", that stays.
func open(t *testing.T) Workflows {
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
	w := Workflows{Client: sfn.NewFromConfig(cfg), Machines: map[string]string{}}
	for word, state := range map[string]string{"extract": `{"Type":"Pass","End":true}`, "echo": `{"Type":"Pass","End":true}`, "wait": `{"Type":"Wait","Seconds":60,"End":true}`} {
		out, err := w.Client.CreateStateMachine(t.Context(), &sfn.CreateStateMachineInput{
			Name: aws.String("test-" + word + "-" + rand.Text()), RoleArn: aws.String("arn:aws:iam::000000000000:role/test"),
			Definition: aws.String(`{"StartAt":"S","States":{"S":` + state + `}}`)})
		if err != nil {
			t.Fatal(err)
		}
		w.Machines[word] = aws.ToString(out.StateMachineArn)
		t.Cleanup(func() {
			w.Client.DeleteStateMachine(context.Background(),
				&sfn.DeleteStateMachineInput{StateMachineArn: out.StateMachineArn})
		})
	}
	return w
}

func TestWorkflows(t *testing.T) {
	wstktest.Workflows(t, func(t *testing.T) wstk.Workflows { return open(t) })
}

func TestStart(t *testing.T) {
	w := open(t)
	for _, word := range []string{"echo", "wait"} {
		run := wstk.NewRunID(time.Now(), nil)
		if err := w.Start(t.Context(), word, run, json.RawMessage(`{"run_id": "r", "n": [1, 2]}`)); err != nil {
			t.Fatal(word, err)
		}
		out, err := w.Client.DescribeExecution(t.Context(),
			&sfn.DescribeExecutionInput{
				ExecutionArn: aws.String(executionARN(w.Machines[word], run))})
		if err != nil || aws.ToString(out.Name) != string(run) ||
			aws.ToString(out.StateMachineArn) != w.Machines[word] {
			t.Fatalf("%s: %v %v", word, out, err)
		}
		t.Cleanup(func() {
			w.Client.StopExecution(context.Background(),
				&sfn.StopExecutionInput{ExecutionArn: out.ExecutionArn})
		})
		if err := w.Start(t.Context(), word, run, json.RawMessage(`{"run_id":"r","n":[1,2]}`)); err != nil {
			t.Errorf("%s: started twice: %v", word, err)
		}
		if err := w.Start(t.Context(), word, run,
			json.RawMessage(`{"run_id":"r","n":[1]}`)); wstk.CodeOf(err) != wstk.Conflict {
			t.Errorf("%s: started with another input: %v", word, err)
		}
	}
}

func TestStartTakesAPayloadAtTheLimit(t *testing.T) {
	w := open(t)
	for n, want := range map[int]wstk.Code{wstk.MaxPayload - 1: "", wstk.MaxPayload: "",
		wstk.MaxPayload + 1: wstk.TooLarge} {
		input := json.RawMessage(`"` + strings.Repeat("x", n-2) + `"`)
		if err := w.Start(t.Context(), "echo", wstk.NewRunID(time.Now(), nil),
			input); wstk.CodeOf(err) != want {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestAMissingMachineIsInternal(t *testing.T) {
	w := open(t)
	w.Machines["gone"] = w.Machines["echo"] + "x"
	err := w.Start(t.Context(), "gone", wstk.NewRunID(time.Now(), nil), json.RawMessage(`{}`))
	if wstk.CodeOf(err) != wstk.Internal || len(wstk.StepsOf(err)) == 0 {
		t.Error(err)
	}
}

// replies answers one call after the other, and notes what was asked.
type replies struct {
	t     *testing.T
	list  []reply
	asked []string
}

type reply struct {
	status int
	body   string // "" is a broken connection
}

func (r *replies) Do(req *http.Request) (*http.Response, error) {
	_, action, _ := strings.Cut(req.Header.Get("X-Amz-Target"), ".")
	body, _ := io.ReadAll(req.Body)
	r.asked = append(r.asked, action+" "+string(body))
	if len(r.list) == 0 {
		r.t.Fatalf("one call too many: %s", r.asked)
	}
	next := r.list[0]
	r.list = r.list[1:]
	if next.body == "" {
		return nil, errors.New("connection reset")
	}
	return &http.Response{StatusCode: next.status,
		Body:   io.NopCloser(bytes.NewReader([]byte(next.body))),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}}}, nil
}

func (r *replies) workflows() Workflows {
	return Workflows{Machines: map[string]string{"extract": "arn:aws:states:us-east-1:1:stateMachine:x"}, Client: sfn.New(sfn.Options{
		Region: "us-east-1", HTTPClient: r, RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("a", "b", "")})}
}

func TestCodes(t *testing.T) {
	const run, input = "run_1", `{"a": 1}`
	exists := reply{400, `{"__type":"com.amazonaws.swf.service.v2.model#ExecutionAlreadyExists","message":"there"}`}
	started := reply{200, `{"executionArn":"arn:x","startDate":1}`}
	describe := func(input string) reply {
		data, _ := json.Marshal(map[string]any{"executionArn": "arn:x", "stateMachineArn": "arn:y", "startDate": 1, "status": "SUCCEEDED", "input": input})
		return reply{200, string(data)}
	}
	fault := func(kind string) reply { return reply{400, `{"__type":"` + kind + `","message":"no"}`} }
	for name, c := range map[string]struct {
		list []reply
		want wstk.Code
	}{
		"started":                   {[]reply{started}, ""},
		"ended, same input":         {[]reply{exists, describe(`{"a":1}`)}, ""},
		"ended, other input":        {[]reply{exists, describe(`{"a":2}`)}, wstk.Conflict},
		"ended, then throttled":     {[]reply{exists, fault("ThrottlingException")}, wstk.Unavailable},
		"throttled":                 {[]reply{fault("ThrottlingException")}, wstk.Unavailable},
		"too many executions":       {[]reply{fault("ExecutionLimitExceeded")}, wstk.Unavailable},
		"machine is being deleted":  {[]reply{fault("StateMachineDeleting")}, wstk.Unavailable},
		"no machine":                {[]reply{fault("StateMachineDoesNotExist")}, wstk.Internal},
		"no right":                  {[]reply{fault("AccessDeniedException")}, wstk.Internal},
		"a name that does not pass": {[]reply{fault("InvalidName")}, wstk.Invalid},
		"cut off":                   {[]reply{{}}, wstk.Unavailable},
		"broken server":             {[]reply{{500, `{"__type":"InternalServerError"}`}}, wstk.Unavailable},
	} {
		r := &replies{t: t, list: c.list}
		err := r.workflows().Start(t.Context(), "extract", run, json.RawMessage(input))
		if wstk.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if len(r.list) > 0 {
			t.Errorf("%s: asked only %q", name, r.asked)
		}
		if len(r.asked) > 1 && !strings.Contains(r.asked[1], `arn:aws:states:us-east-1:1:execution:x:run_1`) {
			t.Errorf("%s: asked for %s", name, r.asked[1])
		}
	}
}

func TestWhatIsRefusedBeforeACall(t *testing.T) {
	w := (&replies{t: t}).workflows()
	for _, c := range []struct {
		machine, input string
		want           wstk.Code
	}{
		{"answers", `{}`, wstk.Invalid},
		{"extract", `{`, wstk.Invalid},
		{"extract", ``, wstk.Invalid},
		{"extract", `"` + strings.Repeat("x", wstk.MaxPayload) + `"`, wstk.TooLarge},
	} {
		if err := w.Start(t.Context(), c.machine, "run_1",
			json.RawMessage(c.input)); wstk.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", c.machine, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w = (&replies{t: t, list: []reply{{}}}).workflows()
	if err := w.Start(ctx, "extract", "run_1", json.RawMessage(`{}`)); wstk.CodeOf(err) != wstk.Cancelled {
		t.Error(err)
	}
}

func TestExecutionARN(t *testing.T) {
	for machine, want := range map[string]string{
		"arn:aws:states:eu-west-1:42:stateMachine:x":      "arn:aws:states:eu-west-1:42:execution:x:run_1",
		"arn:aws:states:eu-west-1:42:stateMachine:x:live": "arn:aws:states:eu-west-1:42:execution:x:run_1",
	} {
		if got := executionARN(machine, "run_1"); got != want {
			t.Errorf("%s: %s", machine, got)
		}
	}
}
