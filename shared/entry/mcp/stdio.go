package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastWords is how long replies may take after the input has ended. Hosts that close it wait two
// seconds before they end the process.
const lastWords = time.Second

// stdio is a transport whose end waits for the replies to what was read, so that requests may come
// from a pipe. The protocol has no other sign that a client has said everything.
type stdio struct{ sdk.Transport }

// Connect connects, as the protocol's own transport does.
func (t stdio) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &patient{Connection: c, closed: make(chan struct{}),
		waiting: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1)}, nil
}

// patient is a connection that knows which requests have no reply yet.
type patient struct {
	sdk.Connection
	once   sync.Once
	closed chan struct{}

	mu       sync.Mutex
	waiting  map[jsonrpc.ID]bool
	answered chan struct{} // gets a value with each reply
}

func (p *patient) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := p.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		p.mu.Lock()
		p.waiting[r.ID] = true
		p.mu.Unlock()
	}
	if errors.Is(err, io.EOF) {
		p.rest(ctx)
	}
	return m, err
}

// rest waits until each request has its reply, for a short time.
func (p *patient) rest(ctx context.Context) {
	over := time.After(lastWords)
	for p.open() > 0 {
		select {
		case <-p.answered:
		case <-over:
			return
		case <-p.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (p *patient) open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting)
}

func (p *patient) Write(ctx context.Context, m jsonrpc.Message) error {
	err := p.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		p.mu.Lock()
		delete(p.waiting, r.ID)
		p.mu.Unlock()
		select {
		case p.answered <- struct{}{}:
		default:
		}
	}
	return err
}

func (p *patient) Close() error {
	p.once.Do(func() { close(p.closed) })
	return p.Connection.Close()
}
