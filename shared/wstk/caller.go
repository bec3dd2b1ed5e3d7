package wstk

import "context"

// Scope is what a token may do. Each holds the ones before it.
type Scope string

const (
	ScopeRead  Scope = "read"  // look at what is stored, and ask of it what stores nothing
	ScopeWrite Scope = "write" // begin runs and stop one's own
	ScopeAdmin Scope = "admin" // see the runs of all names, and remove what is shared
)

// scopes in rising order.
var scopes = []Scope{ScopeRead, ScopeWrite, ScopeAdmin}

func (s Scope) rank() int {
	for i, known := range scopes {
		if s == known {
			return i + 1
		}
	}
	return 0
}

// Known reports whether s is one of the scopes.
func (s Scope) Known() bool { return s.rank() > 0 }

// Allows reports whether a token of scope s may do what asks for need. An unknown scope
// allows nothing, and an unknown need is never allowed.
func (s Scope) Allows(need Scope) bool { return need.rank() > 0 && s.rank() >= need.rank() }

// Caller is for whom something is done: the name of a token, never its value.
type Caller struct {
	Name  string
	Scope Scope
}

type callerKey struct{}

// WithCaller is a context in which work is done for c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf is for whom work is done. Where no door said so it is the operator: the command
// line, schedules and uploads.
func CallerOf(ctx context.Context) Caller {
	if c, ok := ctx.Value(callerKey{}).(Caller); ok {
		return c
	}
	return Caller{Name: DefaultOwner, Scope: ScopeAdmin}
}

// Owner is what a run of the caller keeps as its Owner.
func (c Caller) Owner() string {
	if c.Name == DefaultOwner {
		return ""
	}
	return c.Name
}

// Sees is the Owner of a filter for the runs that c may see; "" is all.
func (c Caller) Sees() string {
	if c.Scope.Allows(ScopeAdmin) {
		return ""
	}
	return c.Name
}
