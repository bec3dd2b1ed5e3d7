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

// Queue checks the promises of wstk.Queue.
func Queue(t *testing.T, open func(t *testing.T) (wstk.Queue, Received), features ...Features[wstk.Queue]) {
	type store struct {
		wstk.Queue
		receive Received
	}
	var f Features[store]
	for _, given := range features {
		f.DelayStep = given.DelayStep
	}
	s := newSuite(t, func(t *testing.T) store {
		q, r := open(t)
		return store{q, r}
	}, []Features[store]{f})

	body := func(i int) json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"n":%d}`, i)) }
	wait := func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(bg, 20*time.Second+4*s.DelayStep)
	}
	next := func(t *testing.T, q store, queue string) (string, func(error)) {
		t.Helper()
		ctx, cancel := wait()
		defer cancel()
		m, ack, err := q.receive(ctx, queue)
		must(t, err)
		if m.Queue != queue {
			t.Errorf("received from %s: a message for %s", queue, m.Queue)
		}
		return string(m.Body), ack
	}

	s.run("WhatIsSentArrives", func(t *testing.T, q store) {
		must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: body(1)}))
		got, ack := next(t, q, "fetch")
		if got != string(body(1)) {
			t.Errorf("got %s", got)
		}
		ack(nil)
		must(t, q.Send(bg)) // nothing is fine too
	})

	s.run("EachOfManyArrives", func(t *testing.T, q store) {
		var msgs []wstk.Message
		want := map[string]bool{}
		for i := range 25 { // more than one batch of SQS
			msgs = append(msgs, wstk.Message{Queue: "index", Body: body(i)})
			want[string(body(i))] = true
		}
		must(t, q.Send(bg, msgs...))
		for len(want) > 0 {
			got, ack := next(t, q, "index")
			delete(want, got)
			ack(nil)
		}
	})

	s.run("QueuesAreApart", func(t *testing.T, q store) {
		must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: body(1)}, wstk.Message{Queue: "index", Body: body(2)}))
		got, ack := next(t, q, "index")
		ack(nil)
		if got != string(body(2)) {
			t.Errorf("from index came %s", got)
		}
		got, ack = next(t, q, "fetch")
		ack(nil)
		if got != string(body(1)) {
			t.Errorf("from fetch came %s", got)
		}
	})

	s.run("NothingIsDueBeforeItsTime", func(t *testing.T, q store) {
		at := time.Now().Add(200*time.Millisecond + 2*s.DelayStep)
		must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: body(1), At: at}, wstk.Message{Queue: "fetch", Body: body(2)}))
		got, ack := next(t, q, "fetch")
		ack(nil)
		if got != string(body(2)) {
			t.Fatalf("first came %s, which is due later", got)
		}
		got, ack = next(t, q, "fetch")
		ack(nil)
		if got != string(body(1)) || time.Now().Before(at.Add(-s.DelayStep)) {
			t.Errorf("%s came %s before its time", got, time.Until(at))
		}
	})

	s.run("WhatFailedComesAgain", func(t *testing.T, q store) {
		must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: body(1)}))
		for range 2 {
			got, ack := next(t, q, "fetch")
			if got != string(body(1)) {
				t.Errorf("got %s", got)
			}
			ack(errors.New("the store is away"))
		}
		_, ack := next(t, q, "fetch")
		ack(nil)
	})

	s.run("WhatIsDoneComesNoMore", func(t *testing.T, q store) {
		must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: body(1)}))
		_, ack := next(t, q, "fetch")
		ack(nil)
		ack(nil)
		ctx, cancel := context.WithTimeout(bg, 300*time.Millisecond+2*s.DelayStep)
		defer cancel()
		m, _, err := q.receive(ctx, "fetch")
		if err == nil {
			t.Errorf("it came again: %s", m.Body)
		}
	})

	s.run("OversizedIsTooLarge", func(t *testing.T, q store) {
		fits := json.RawMessage(`"` + strings.Repeat("x", wstk.MaxPayload-2) + `"`)
		must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: fits}))
		got, ack := next(t, q, "fetch")
		ack(nil)
		if got != string(fits) {
			t.Errorf("%d bytes arrived, %d were sent", len(got), len(fits))
		}
		over := json.RawMessage(`"` + strings.Repeat("x", wstk.MaxPayload-1) + `"`)
		wantCode(t, "one byte more", q.Send(bg, wstk.Message{Queue: "fetch", Body: over}), wstk.TooLarge)
	})

	s.run("OtherThanJSONIsInvalid", func(t *testing.T, q store) {
		for _, bad := range []string{"", "{", "<p>", `{"a":1} x`} {
			wantCode(t, bad, q.Send(bg, wstk.Message{Queue: "fetch", Body: json.RawMessage(bad)}), wstk.Invalid)
		}
	})

	s.run("CallersKeepTheirBytes", func(t *testing.T, q store) {
		b := body(1)
		must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: b}))
		b[0] = 'X'
		got, ack := next(t, q, "fetch")
		ack(nil)
		if got != string(body(1)) {
			t.Errorf("got %s", got)
		}
	})

	s.run("CancelledSendsNothing", func(t *testing.T, q store) {
		wantCode(t, "Send", q.Send(cancelled(), wstk.Message{Queue: "fetch", Body: body(1)}), wstk.Cancelled)
		must(t, q.Send(bg, wstk.Message{Queue: "fetch", Body: body(2)}))
		got, ack := next(t, q, "fetch")
		ack(nil)
		if got != string(body(2)) {
			t.Errorf("%s came", got)
		}
	})

	s.run("ManySendAndReceiveAtOnce", func(t *testing.T, q store) {
		arrived := make(chan string, 200)
		ctx, cancel := wait()
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
				if err := q.Send(bg, wstk.Message{Queue: "fetch", Body: body(10*i + j)}); err != nil {
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
	})
}
