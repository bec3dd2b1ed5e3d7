package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
)

// The test's own program is the function when this variable says what it does.
const behave = "INVOKE_TEST_FUNCTION"

func TestMain(m *testing.M) {
	switch os.Getenv(behave) {
	case "":
		os.Exit(m.Run())
	case "echo":
		lambda.Start(func(ctx context.Context, in json.RawMessage) (any, error) {
			at, _ := ctx.Deadline()
			return map[string]any{"in": in, "late": at.Before(time.Now())}, nil
		})
	case "fail":
		lambda.Start(func() error { return errors.New("it cannot be done") })
	case "hang":
		lambda.Start(func() error { time.Sleep(time.Hour); return nil })
	case "exit":
		os.Exit(3)
	}
}

func run(t *testing.T, how string, limit time.Duration) (reply, error) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), behave+"="+how)
	ctx, cancel := context.WithTimeoutCause(t.Context(), limit, errors.New("too slow"))
	defer cancel()
	r, err := invoke(ctx, cmd, []byte(`{"a":1}`))
	if cmd.ProcessState == nil {
		t.Error("the process was left behind")
	}
	return r, err
}

func TestInvoke(t *testing.T) {
	r, err := run(t, "echo", time.Minute)
	if err != nil || r.failed || string(r.body) != `{"in":{"a":1},"late":false}` {
		t.Errorf("%s %v %v", r.body, r.failed, err)
	}
	r, err = run(t, "fail", time.Minute)
	if err != nil || !r.failed || !bytes.Contains(r.body, []byte("it cannot be done")) {
		t.Errorf("%s %v %v", r.body, r.failed, err)
	}
	if _, err = run(t, "exit", time.Minute); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Error(err)
	}
	if _, err = run(t, "hang", 300*time.Millisecond); err == nil || err.Error() != "too slow" {
		t.Error(err)
	}
}

// The environment is that of the word's function of the stack, over several pages of
// functions, and what the caller set wins.
func TestEnvironmentOfTheStack(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !strings.Contains(r.Header.Get("Authorization"), "/us-east-1/lambda/aws4_request"):
			http.Error(w, "not signed", http.StatusForbidden)
		case r.URL.Path == "/2015-03-31/functions/" && r.URL.Query().Get("Marker") == "":
			w.Write([]byte(`{"Functions":[{"FunctionName":"other-SweepFunction-1"}],"NextMarker":"m&1"}`))
		case r.URL.Path == "/2015-03-31/functions/" && r.URL.Query().Get("Marker") == "m&1":
			w.Write([]byte(`{"Functions":[{"FunctionName":"wstk-SweepFunction-2"}]}`))
		case r.URL.Path == "/2015-03-31/functions/wstk-SweepFunction-2/configuration":
			w.Write([]byte(`{"Environment":{"Variables":{"WSTK_BUCKET":"b","WSTK_LOG_LEVEL":"info","PATH":"/nowhere"}}}`))
		default:
			http.Error(w, r.URL.String(), http.StatusNotFound)
		}
	}))
	defer server.Close()
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "", "AWS_PROFILE": "",
		"WSTK_RECORDS_TABLE": "", "WSTK_BUCKET": "", "WSTK_LOG_LEVEL": "debug"} {
		t.Setenv(name, value)
	}
	env, err := environment(t.Context(), "wstk", "sweep")
	if err != nil || !slices.Contains(env, "WSTK_BUCKET=b") || !slices.Contains(env, "AWS_ACCESS_KEY_ID=test") {
		t.Error(env, err)
	}
	if s := strings.Join(env, " "); strings.Contains(s, "WSTK_LOG_LEVEL") || strings.Contains(s, "/nowhere") {
		t.Error("the caller's own does not win:", s)
	}
	if _, err := environment(t.Context(), "wstk", "crawl"); err == nil || !strings.Contains(err.Error(), "WSTK_STACK") {
		t.Error(err)
	}
	t.Setenv("WSTK_RECORDS_TABLE", "r")
	if _, err := environment(t.Context(), "wstk", "crawl"); err != nil {
		t.Error("names that are set need no stack:", err)
	}
}

// What is missing is said before anything is built.
func TestWhatIsMissing(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("AWS_ENDPOINT_URL", "")
	for _, args := range [][]string{{}, {"crawl", "fetch"}, {"Crawl"}, {"answer"}, {"crawl"}} {
		if code := start(t.Context(), args, "", "wstk", time.Minute); code != 2 {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}
