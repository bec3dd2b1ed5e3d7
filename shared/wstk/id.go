package wstk

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"io"
	"strings"
	"time"
)

// RunID names a run. It sorts by the time of its making (millisecond
// resolution) and is unguessable enough not to collide: "run_" and 26 characters of
// lower-case Crockford base 32 (48 bits of time, 80 of chance, the ULID layout).
type RunID string

var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewRunID makes an id for now. random gives the chance; nil means crypto/rand.
func NewRunID(now time.Time, random io.Reader) RunID {
	if random == nil {
		random = rand.Reader
	}
	// Two zero bytes in front make 18 bytes, whose base 32 is 29 digits; the
	// first three are always zero and are cut, which leaves ULID's 26.
	var b [18]byte
	binary.BigEndian.PutUint64(b[0:8], uint64(now.UnixMilli()))
	if _, err := io.ReadFull(random, b[8:]); err != nil {
		panic("reading randomness: " + err.Error()) // crypto/rand never fails
	}
	return RunID("run_" + crockford.EncodeToString(b[:])[3:])
}

// firstRunID is the first id that can be made at a time, in the order of ids; of times
// that ids cannot hold, that of the nearest one.
func firstRunID(t time.Time) RunID {
	const most = 1<<48 - 1
	return NewRunID(time.UnixMilli(min(max(t.UnixMilli(), 0), most)),
		strings.NewReader(strings.Repeat("\x00", 10)))
}

// Valid reports whether id has the form of a run id.
func (id RunID) Valid() bool {
	s, ok := strings.CutPrefix(string(id), "run_")
	if !ok || len(s) != 26 {
		return false
	}
	return strings.Trim(s, "0123456789abcdefghjkmnpqrstvwxyz") == ""
}

// Span is a part of a Document text. Char offsets count Unicode code points,
// byte offsets UTF-8 bytes; both ends are exclusive.
type Span struct {
	CharStart int `json:"char_start"`
	CharEnd   int `json:"char_end"`
	ByteStart int `json:"byte_start"`
	ByteEnd   int `json:"byte_end"`
}

// Overlaps reports whether the span has a byte of those from start to end, which is exclusive.
func (s Span) Overlaps(start, end int) bool { return s.ByteStart < end && start < s.ByteEnd }

// Usage is what a reply cost. The heuristic engine uses no tokens.
type Usage struct {
	Calls        int   `json:"calls"`
	InputTokens  int   `json:"input_tokens"`
	OutputTokens int   `json:"output_tokens"`
	DurationMS   int64 `json:"duration_ms"`
}

// Add adds what another reply cost.
func (u *Usage) Add(more Usage) {
	u.Calls += more.Calls
	u.InputTokens += more.InputTokens
	u.OutputTokens += more.OutputTokens
	u.DurationMS += more.DurationMS
}

// spending is the key under which a context carries what Spending was given.
type spending struct{}

// Spending returns a context in which tell hears what services cost that are asked on the way: to
// index a page may be to embed it, and no result of that says what it cost. tell is called by the
// goroutines that ask them, also about calls that failed.
func Spending(ctx context.Context, tell func(Usage)) context.Context {
	return context.WithValue(ctx, spending{}, tell)
}

// Spend tells who waits for it in ctx what a service cost; nothing where that is nothing.
func Spend(ctx context.Context, u Usage) {
	if tell, ok := ctx.Value(spending{}).(func(Usage)); ok && u != (Usage{}) {
		tell(u)
	}
}

// Limit is how many items a list has that was asked for n: 100 where n is below 1.
func Limit(n int) int {
	if n < 1 {
		return 100
	}
	return n
}
