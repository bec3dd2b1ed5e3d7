package memory_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/wstk"
)

func message(body string) wstk.Message {
	return wstk.Message{Queue: "fetch", Body: json.RawMessage(body)}
}

func TestQueueGivesUpAfterMaxAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, ctx, began := memory.NewQueue(), t.Context(), time.Now()
		if err := q.Send(ctx, message(`"poison"`)); err != nil {
			t.Fatal(err)
		}
		var at []time.Duration
		for range q.MaxAttempts {
			_, ack, err := q.Receive(ctx, "fetch")
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, time.Since(began))
			ack(errors.New("it hurts"))
		}
		if at[1] != 200*time.Millisecond || at[4] != 3*time.Second { // 0.2 + 0.4 + 0.8 + 1.6
			t.Errorf("delivered at %v", at)
		}
		dead := q.Dead()
		if len(dead) != 1 || string(dead[0].Body) != `"poison"` || dead[0].Err.Error() != "it hurts" {
			t.Errorf("dead letters %+v", dead)
		}
		if q.Pending() != 0 {
			t.Errorf("%d pending", q.Pending())
		}
	})
}

func TestQueueIsIdleWhenAllIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, ctx := memory.NewQueue(), t.Context()
		if err := q.Idle(ctx); err != nil {
			t.Fatal(err)
		}
		late := message(`2`)
		late.At = time.Now().Add(time.Hour)
		if err := q.Send(ctx, message(`1`), late); err != nil {
			t.Fatal(err)
		}
		idle := make(chan error, 1)
		go func() { idle <- q.Idle(ctx) }()

		began := time.Now()
		for i := range 2 {
			_, ack, err := q.Receive(ctx, "fetch")
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 { // what comes next is sent before what was is done
				if err := q.Send(ctx, wstk.Message{Queue: "index", Body: json.RawMessage(`3`)}); err != nil {
					t.Fatal(err)
				}
			}
			ack(nil)
		}
		if time.Since(began) != time.Hour {
			t.Errorf("the late one came after %s", time.Since(began))
		}
		synctest.Wait()
		select {
		case <-idle:
			t.Fatal("idle while a message waits")
		default:
		}
		if q.Pending() != 1 || q.PendingIn("index") != 1 || q.PendingIn("fetch") != 0 {
			t.Errorf("pending: %d in all, %d in index, %d in fetch", q.Pending(), q.PendingIn("index"), q.PendingIn("fetch"))
		}
		_, ack, err := q.Receive(ctx, "index")
		if err != nil {
			t.Fatal(err)
		}
		ack(nil)
		if err := <-idle; err != nil {
			t.Error(err)
		}
	})
}

func TestQueueDiscardsWhatWaits(t *testing.T) {
	q, ctx := memory.NewQueue(), t.Context()
	if err := q.Send(ctx, message(`1`), message(`2`), message(`3`)); err != nil {
		t.Fatal(err)
	}
	_, ack, err := q.Receive(ctx, "fetch")
	if err != nil {
		t.Fatal(err)
	}
	if n := q.Discard(); n != 2 || q.Pending() != 1 {
		t.Errorf("%d discarded, %d pending", n, q.Pending())
	}
	ack(nil)
	if err := q.Idle(ctx); err != nil {
		t.Error(err)
	}
	if n := q.Discard(); n != 0 {
		t.Errorf("%d discarded from nothing", n)
	}
}

func TestReceiveEndsWithItsContext(t *testing.T) {
	q := memory.NewQueue()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, _, err := q.Receive(ctx, "fetch")
	if wstk.CodeOf(err) != wstk.Timeout {
		t.Errorf("%v", err)
	}
}

func TestQueueDepths(t *testing.T) {
	q := memory.NewQueue()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	body := json.RawMessage("1")
	must(q.Send(t.Context(), wstk.Message{Queue: "a", Body: body},
		wstk.Message{Queue: "a", Body: body},
		wstk.Message{Queue: "b", Body: body, At: time.Now().Add(time.Hour)}))
	_, done, err := q.Receive(t.Context(), "a")
	must(err)
	if d, err := q.Depths(t.Context()); err != nil || d["a"] != 1 || d["b"] != 1 {
		t.Errorf("while one is worked on: %v, %v", d, err)
	}
	done(nil)
	if d, err := q.Depths(t.Context()); err != nil || d["a"] != 1 {
		t.Errorf("%v, %v", d, err)
	}
}
