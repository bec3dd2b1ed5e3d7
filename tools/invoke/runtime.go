package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// reply is what a function gave back.
type reply struct {
	body   []byte
	failed bool // it is an error: {errorMessage, errorType}
}

const (
	requestID = "00000000-0000-4000-8000-000000000001"
	prefix    = "/2018-06-01/runtime/"
	maxReply  = 6 << 20 // Lambda's own limit
)

// invoke starts the function's process, hands it one event over the Runtime API and
// returns its reply. The process has ended when invoke returns.
func invoke(ctx context.Context, cmd *exec.Cmd, event []byte) (reply, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return reply{}, err
	}
	replies := make(chan reply, 1)
	server := &http.Server{Handler: runtimeAPI(ctx, event, replies),
		ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(l)
	defer server.Close()

	cmd.Env = append(cmd.Env, "AWS_LAMBDA_RUNTIME_API="+l.Addr().String())
	if err := cmd.Start(); err != nil {
		return reply{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case r := <-replies:
		stop(cmd, ended)
		return r, nil
	case err := <-ended:
		select {
		case r := <-replies: // it said why before it ended
			return r, nil
		default:
		}
		if err == nil {
			err = errors.New("exit status 0")
		}
		return reply{}, fmt.Errorf("the process ended without a reply: %w", err)
	case <-ctx.Done():
		stop(cmd, ended)
		return reply{}, context.Cause(ctx)
	}
}

// stop ends the one process that invoke started.
func stop(cmd *exec.Cmd, ended <-chan error) {
	cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(2 * time.Second):
		cmd.Process.Kill()
		<-ended
	}
}

// runtimeAPI is Lambda's Runtime API for one invocation; a request for another waits.
func runtimeAPI(ctx context.Context, event []byte, replies chan<- reply) http.Handler {
	var given atomic.Bool
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prefix+"invocation/next", func(w http.ResponseWriter, r *http.Request) {
		if given.Swap(true) {
			<-r.Context().Done()
			return
		}
		deadline, ok := ctx.Deadline()
		if !ok {
			deadline = time.Now().Add(15 * time.Minute)
		}
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Lambda-Runtime-Aws-Request-Id", requestID)
		h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(deadline.UnixMilli(), 10))
		h.Set("Lambda-Runtime-Invoked-Function-Arn",
			"arn:aws:lambda:us-east-1:000000000000:function:invoke")
		w.Write(event)
	})
	take := func(failed bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxReply))
			if err != nil {
				body, failed = fmt.Appendf(nil,
					`{"errorMessage":%q,"errorType":"Function.ResponseSizeTooLarge"}`, err.Error()),
					true
			}
			select {
			case replies <- reply{body, failed}:
			default: // one is enough
			}
			w.WriteHeader(http.StatusAccepted)
		}
	}
	mux.Handle("POST "+prefix+"invocation/{id}/response", take(false))
	mux.Handle("POST "+prefix+"invocation/{id}/error", take(true))
	mux.Handle("POST "+prefix+"init/error", take(true))
	return mux
}
