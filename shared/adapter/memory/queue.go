package memory

import (
	"cmp"
	"container/heap"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.Queue = (*Queue)(nil)

// Queue carries messages between the stages of one process. A message is
// delivered when it is due, to one receiver, and again when that receiver says
// that it failed; after MaxAttempts failures it is a dead letter. What is here
// when the process ends is lost: the Frontier knows what was under way.
//
// The fields may be set before first use.
type Queue struct {
	// MaxAttempts is how often a message is delivered before it is given up.
	MaxAttempts int
	// Backoff is how long a message rests after its nth failure, from 1.
	Backoff func(n int) time.Duration

	mu     sync.Mutex
	queues map[string]*lane
	seq    int
	open   int           // sent, and neither done nor dead
	idle   chan struct{} // closed while open is 0
	dead   []DeadLetter
}

// DeadLetter is a message that failed too often, with its last error.
type DeadLetter struct {
	wstk.Message
	Err error
}

// lane is one queue: what waits, soonest first, and a signal that it changed.
type lane struct {
	waiting items
	changed chan struct{} // closed and replaced
	open    int
}

type item struct {
	msg      wstk.Message
	at       time.Time
	seq      int
	failures int
}

type items []*item

func (h items) Len() int { return len(h) }
func (h items) Less(i, j int) bool {
	return cmp.Or(h[i].at.Compare(h[j].at), cmp.Compare(h[i].seq, h[j].seq)) < 0
}
func (h items) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *items) Push(x any)   { *h = append(*h, x.(*item)) }
func (h *items) Pop() any {
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return x
}

// NewQueue returns an empty queue: 5 attempts, resting 200 ms after the first
// failure and twice as long after each other, at most 30 s.
func NewQueue() *Queue {
	q := &Queue{MaxAttempts: 5, queues: map[string]*lane{}, idle: make(chan struct{})}
	q.Backoff = func(n int) time.Duration {
		return min(200*time.Millisecond<<min(n-1, 20), 30*time.Second)
	}
	close(q.idle)
	return q
}

func (q *Queue) lane(name string) *lane {
	l := q.queues[name]
	if l == nil {
		l = &lane{changed: make(chan struct{})}
		q.queues[name] = l
	}
	return l
}

func (q *Queue) Send(ctx context.Context, msgs ...wstk.Message) error {
	const op = "sending message"
	if err := alive(ctx, op); err != nil {
		return err
	}
	for _, m := range msgs { // all are looked at before the first is sent
		switch {
		case m.Queue == "":
			return wstk.Errorf(wstk.Invalid, op, "a message needs a queue")
		case len(m.Body) > wstk.MaxPayload:
			return wstk.Errorf(wstk.TooLarge, op, "the message has %d bytes; queue %s takes at most %d",
				len(m.Body), m.Queue, wstk.MaxPayload)
		case !json.Valid(m.Body):
			return wstk.Errorf(wstk.Invalid, op, "body for queue %s is not JSON", m.Queue)
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, m := range msgs {
		m.Body = slices.Clone(m.Body)
		if q.open++; q.open == 1 {
			q.idle = make(chan struct{})
		}
		q.lane(m.Queue).open++
		q.push(&item{msg: m, at: m.At})
	}
	return nil
}

func (q *Queue) push(it *item) {
	l := q.lane(it.msg.Queue)
	q.seq++
	it.seq = q.seq
	heap.Push(&l.waiting, it)
	close(l.changed)
	l.changed = make(chan struct{})
}

// Receive waits for the next due message of a queue. The receiver must call ack
// once it is done with it: with nil, or with the error for which it should come
// again. Further calls of ack do nothing. Receive fails only when ctx ends.
func (q *Queue) Receive(ctx context.Context, queue string) (wstk.Message, func(error), error) {
	const op = "receiving message"
	for {
		if err := alive(ctx, op); err != nil {
			return wstk.Message{}, nil, err
		}
		q.mu.Lock()
		l := q.lane(queue)
		var due <-chan time.Time
		var timer *time.Timer
		if len(l.waiting) > 0 {
			wait := time.Until(l.waiting[0].at)
			if wait <= 0 {
				it := heap.Pop(&l.waiting).(*item)
				q.mu.Unlock()
				m := it.msg
				m.Body = slices.Clone(m.Body)
				var once sync.Once
				return m, func(err error) { once.Do(func() { q.done(it, err) }) }, nil
			}
			timer = time.NewTimer(wait)
			due = timer.C
		}
		changed := l.changed
		q.mu.Unlock()

		select {
		case <-changed:
		case <-due:
		case <-ctx.Done():
		}
		if timer != nil {
			timer.Stop()
		}
	}
}

func (q *Queue) done(it *item, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil {
		if it.failures++; it.failures < q.MaxAttempts {
			it.at = time.Now().Add(q.Backoff(it.failures))
			q.push(it)
			return
		}
		q.dead = append(q.dead, DeadLetter{it.msg, err})
	}
	q.lane(it.msg.Queue).open--
	if q.open--; q.open == 0 {
		close(q.idle)
	}
}

// Pending is the number of messages that were sent and are neither done nor
// dead, those that are being worked on included.
func (q *Queue) Pending() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.open
}

// PendingIn is Pending of one queue.
func (q *Queue) PendingIn(queue string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lane(queue).open
}

// Depths counts the messages that wait, by queue.
func (q *Queue) Depths(context.Context) (map[string]int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := map[string]int{}
	for name, l := range q.queues {
		out[name] = len(l.waiting)
	}
	return out, nil
}

// Idle waits until Pending is 0. A receiver that sends what comes next before it
// acknowledges what it had keeps the queue from being idle in between.
func (q *Queue) Idle(ctx context.Context) error {
	q.mu.Lock()
	idle := q.idle
	q.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return alive(ctx, "waiting for queues")
	}
}

// Dead returns the messages that were given up, in the order in which they were.
func (q *Queue) Dead() []DeadLetter {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.dead)
}

// Discard forgets every message that waits, of all queues, and returns how many
// there were: a cancelled run need not wait for delays. What is being worked on
// stays.
func (q *Queue) Discard() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for _, l := range q.queues {
		n += len(l.waiting)
		l.open -= len(l.waiting)
		q.open -= len(l.waiting)
		l.waiting = nil
	}
	if n > 0 && q.open == 0 {
		close(q.idle)
	}
	return n
}
