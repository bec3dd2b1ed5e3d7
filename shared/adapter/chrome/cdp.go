package chrome

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// conn speaks the DevTools protocol over a pair of pipes: JSON messages, a zero byte
// after each. Only this process holds the other ends, and the browser ends by itself
// when they close. The protocol has hundreds of messages; each caller names the few
// fields it needs, so that a newer browser with more of them is no surprise.
type conn struct {
	out  *os.File
	done chan struct{} // closed when the browser is gone

	writing sync.Mutex
	mu      sync.Mutex
	last    int64
	waiting map[int64]chan message
	heard   map[string]func(method string, params json.RawMessage) // by session
}

type message struct {
	ID      int64           `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *refusal        `json:"error,omitempty"`
}

// refusal is the browser's no to a call.
type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (r *refusal) Error() string { return r.Message }

// errGone is the error of calls to a browser that has ended.
var errGone = errors.New("the browser has ended")

// maxMessage bounds one message, in bytes: the picture of a long page, and far more than
// any DOM that is let through.
const maxMessage = 256 << 20

// writeTime is how long the browser may take to read what is written to it.
const writeTime = 10 * time.Second

// newConn reads from in until it ends.
func newConn(in io.Reader, out *os.File) *conn {
	c := &conn{out: out, done: make(chan struct{}), waiting: map[int64]chan message{},
		heard: map[string]func(string, json.RawMessage){}}
	go c.read(bufio.NewReaderSize(in, 64<<10))
	return c
}

func (c *conn) read(in *bufio.Reader) {
	defer close(c.done)
	var buf []byte
	for {
		part, err := in.ReadSlice(0)
		if len(buf)+len(part) > maxMessage {
			return
		}
		buf = append(buf, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(buf[:len(buf)-1], &m) != nil {
			return // the other side is no browser
		}
		if buf = buf[:0]; cap(buf) > 1<<20 {
			buf = nil
		}
		c.mu.Lock()
		reply := c.waiting[m.ID]
		delete(c.waiting, m.ID)
		listener := c.heard[m.Session]
		c.mu.Unlock()
		switch {
		case reply != nil:
			reply <- m
		case m.Method != "" && listener != nil:
			listener(m.Method, m.Params)
		}
	}
}

// hear has f called with the events of a session ("" is the browser's own) until it is
// set to nil. f runs where messages are read: it may post, and must not call or wait.
func (c *conn) hear(session string, f func(method string, params json.RawMessage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f == nil {
		delete(c.heard, session)
		return
	}
	c.heard[session] = f
}

// call asks the browser and waits for its answer, which goes into result unless that is
// nil. Errors are errGone, a *refusal, and those of ctx.
func (c *conn) call(ctx context.Context, session, method string, params, result any) error {
	reply := make(chan message, 1)
	id, err := c.write(session, method, params, reply)
	if err != nil {
		return err
	}
	select {
	case m := <-reply:
		if m.Error != nil {
			return fmt.Errorf("%s: %w", method, m.Error)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-c.done:
		return errGone
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
		return ctx.Err()
	}
}

// post asks the browser and leaves its answer alone.
func (c *conn) post(session, method string, params any) { c.write(session, method, params, nil) }

func (c *conn) write(session, method string, params any, reply chan message) (int64, error) {
	m := message{Session: session, Method: method}
	if params != nil {
		raw, err := json.Marshal(params)
		if err != nil {
			return 0, err
		}
		m.Params = raw
	}
	c.mu.Lock()
	c.last++
	m.ID = c.last
	if reply != nil {
		c.waiting[m.ID] = reply
	}
	c.mu.Unlock()
	raw, err := json.Marshal(m)
	if err != nil {
		return 0, err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	c.out.SetWriteDeadline(time.Now().Add(writeTime))
	if _, err := c.out.Write(append(raw, 0)); err != nil {
		c.out.Close() // half a message may have gone out: nothing after it would make sense
		return 0, errGone
	}
	return m.ID, nil
}
