package wstktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Received is the receiving side of a queue, which the port leaves to the
// transport: it waits for the next message of a queue. ack ends it, or with an
// error lets it come again.
type Received func(ctx context.Context, queue string) (m wstk.Message, ack func(error), err error)

// receiving is a queue and the way to receive from it.
type receiving struct {
	wstk.Queue
	receive Received
}

// Queue checks the promises of wstk.Queue.
func Queue(
	t *testing.T, open func(t *testing.T) (wstk.Queue, Received), features ...Features[wstk.Queue],
) {
	var f Features[receiving]
	for _, given := range features {
		f.DelayStep = given.DelayStep
	}
	s := queueSuite{newSuite(t, func(t *testing.T) receiving {
		q, r := open(t)
		return receiving{q, r}
	}, []Features[receiving]{f})}
	s.run("WhatIsSentArrives", s.whatIsSentArrives)
	s.run("EachOfManyArrives", s.eachOfManyArrives)
	s.run("QueuesAreApart", s.queuesAreApart)
	s.run("NothingIsDueBeforeItsTime", s.nothingIsDueBeforeItsTime)
	s.run("WhatFailedComesAgain", s.whatFailedComesAgain)
	s.run("WhatIsDoneComesNoMore", s.whatIsDoneComesNoMore)
	s.run("OversizedIsTooLarge", s.oversizedIsTooLarge)
	s.run("OtherThanJSONIsInvalid", s.otherThanJSONIsInvalid)
	s.run("CallersKeepTheirBytes", s.callersKeepTheirBytes)
	s.run("CancelledSendsNothing", s.cancelledSendsNothing)
	s.run("ManySendAndReceiveAtOnce", s.manySendAndReceiveAtOnce)
}

type queueSuite struct{ suite[receiving] }

func (s queueSuite) body(i int) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))
}

func (s queueSuite) wait() (context.Context, context.CancelFunc) {
	return context.WithTimeout(bg, 20*time.Second+4*s.DelayStep)
}

func (s queueSuite) next(t *testing.T, q receiving, queue string) (string, func(error)) {
	t.Helper()
	ctx, cancel := s.wait()
	defer cancel()
	m, ack, err := q.receive(ctx, queue)
	must(t, err)
	if m.Queue != queue {
		t.Errorf("received from %s: a message for %s", queue, m.Queue)
	}
	return string(m.Body), ack
}

func (s queueSuite) whatIsSentArrives(t *testing.T, q receiving) {
	must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: s.body(1)}))
	got, ack := s.next(t, q, "fetch")
	if got != string(s.body(1)) {
		t.Errorf("got %s", got)
	}
	ack(nil)
	must(t, q.Send(bg)) // nothing is fine too
}

func (s queueSuite) eachOfManyArrives(t *testing.T, q receiving) {
	var msgs []wstk.Message
	want := map[string]bool{}
	for i := range 25 { // more than one batch of SQS
		msgs = append(msgs, wstk.Message{Queue: "index", Body: s.body(i)})
		want[string(s.body(i))] = true
	}
	must(t, q.Send(bg, msgs...))
	for len(want) > 0 {
		got, ack := s.next(t, q, "index")
		delete(want, got)
		ack(nil)
	}
}

func (s queueSuite) queuesAreApart(t *testing.T, q receiving) {
	must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: s.body(1)},
		wstk.Message{Queue: "index", Body: s.body(2)}))
	got, ack := s.next(t, q, "index")
	ack(nil)
	if got != string(s.body(2)) {
		t.Errorf("from index came %s", got)
	}
	got, ack = s.next(t, q, "fetch")
	ack(nil)
	if got != string(s.body(1)) {
		t.Errorf("from fetch came %s", got)
	}
}

func (s queueSuite) nothingIsDueBeforeItsTime(t *testing.T, q receiving) {
	at := time.Now().Add(200*time.Millisecond + 2*s.DelayStep)
	must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: s.body(1), At: at},
		wstk.Message{Queue: "fetch", Body: s.body(2)}))
	got, ack := s.next(t, q, "fetch")
	ack(nil)
	if got != string(s.body(2)) {
		t.Fatalf("first came %s, which is due later", got)
	}
	got, ack = s.next(t, q, "fetch")
	ack(nil)
	if got != string(s.body(1)) || time.Now().Before(at.Add(-s.DelayStep)) {
		t.Errorf("%s came %s before its time", got, time.Until(at))
	}
}

func (s queueSuite) whatFailedComesAgain(t *testing.T, q receiving) {
	must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: s.body(1)}))
	for range 2 {
		got, ack := s.next(t, q, "fetch")
		if got != string(s.body(1)) {
			t.Errorf("got %s", got)
		}
		ack(errors.New("the store is away"))
	}
	_, ack := s.next(t, q, "fetch")
	ack(nil)
}

func (s queueSuite) whatIsDoneComesNoMore(t *testing.T, q receiving) {
	must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: s.body(1)}))
	_, ack := s.next(t, q, "fetch")
	ack(nil)
	ack(nil)
	ctx, cancel := context.WithTimeout(bg, 300*time.Millisecond+2*s.DelayStep)
	defer cancel()
	m, _, err := q.receive(ctx, "fetch")
	if err == nil {
		t.Errorf("it came again: %s", m.Body)
	}
}

func (s queueSuite) oversizedIsTooLarge(t *testing.T, q receiving) {
	fits := json.RawMessage(`"` + strings.Repeat("x", wstk.MaxPayload-2) + `"`)
	must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: fits}))
	got, ack := s.next(t, q, "fetch")
	ack(nil)
	if got != string(fits) {
		t.Errorf("%d bytes arrived, %d were sent", len(got), len(fits))
	}
	over := json.RawMessage(`"` + strings.Repeat("x", wstk.MaxPayload-1) + `"`)
	wantCode(t, "one byte more", q.Send(bg, wstk.Message{Queue: "fetch", Body: over}),
		wstk.TooLarge)
}

func (s queueSuite) otherThanJSONIsInvalid(t *testing.T, q receiving) {
	for _, bad := range []string{"", "{", "<p>", `{"a":1} x`} {
		wantCode(t, bad, q.Send(bg, wstk.Message{Queue: "fetch", Body: json.RawMessage(bad)}),
			wstk.Invalid)
	}
}

func (s queueSuite) callersKeepTheirBytes(t *testing.T, q receiving) {
	b := s.body(1)
	must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: b}))
	b[0] = 'X'
	got, ack := s.next(t, q, "fetch")
	ack(nil)
	if got != string(s.body(1)) {
		t.Errorf("got %s", got)
	}
}

func (s queueSuite) cancelledSendsNothing(t *testing.T, q receiving) {
	wantCode(t, "Send", q.Send(cancelled(), wstk.Message{Queue: "fetch", Body: s.body(1)}),
		wstk.Cancelled)
	must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: s.body(2)}))
	got, ack := s.next(t, q, "fetch")
	ack(nil)
	if got != string(s.body(2)) {
		t.Errorf("%s came", got)
	}
}

func (s queueSuite) manySendAndReceiveAtOnce(t *testing.T, q receiving) {
	arrived := make(chan string, 200)
	ctx, cancel := s.wait()
	defer cancel()
	for range 4 {
		go func() {
			for {
				m, ack, err := q.receive(ctx, "fetch")
				if err != nil {
					return
				}
				ack(nil)
				select {
				case arrived <- string(m.Body):
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	together(t, 10, func(i int) error {
		for j := range 5 {
			if err := q.Send(bg, wstk.Message{Queue: "fetch", Body: s.body(10*i + j)}); err != nil {
				return err
			}
		}
		return nil
	})
	seen := map[string]bool{}
	for len(seen) < 50 {
		select {
		case b := <-arrived:
			seen[b] = true
		case <-ctx.Done():
			t.Fatalf("%d of 50 arrived", len(seen))
		}
	}
}
