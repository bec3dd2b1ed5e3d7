package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lines passes on the lines of a client that are messages, and answers all others with an error of
// JSON-RPC: one bad line must not end the server.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of a line that is passed on
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.in.ReadBytes('\n')
		if code, why := wrong(line); code != 0 {
			if err := l.refuse(code, why); err != nil {
				return 0, err
			}
			line = nil
		}
		if l.rest = line; err != nil && len(line) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// wrong says what is wrong with a line, as a code of JSON-RPC; 0 where nothing is. What a batch
// holds is for the protocol's library to say.
func wrong(line []byte) (code int, why string) {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0 || line[0] == '[' && json.Valid(line):
		return 0, ""
	case !json.Valid(line):
		return jsonrpc.CodeParseError, "the line is not JSON; send one message a line"
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return jsonrpc.CodeInvalidRequest, "the line is no message of JSON-RPC 2.0"
	}
	return 0, ""
}

func (l *lines) refuse(code int, why string) error {
	_, err := fmt.Fprintf(l.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n",
		code, why)
	return err
}

// whole lets several writers write, each message whole. It is left open for the caller.
type whole struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *whole) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func (*whole) Close() error { return nil }
