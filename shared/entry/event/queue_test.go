package event_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/entry/event"
	"wstk/shared/wstk"
)

// sent is a queue that notes what it is given.
type sent []wstk.Message

func (s *sent) Send(_ context.Context, msgs ...wstk.Message) error {
	*s = append(*s, msgs...)
	return nil
}

func message(id, body string, attributes ...string) events.SQSMessage {
	m := events.SQSMessage{MessageId: id, ReceiptHandle: "receipt of " + id, Body: body,
		Attributes: map[string]string{}}
	for i := 0; i < len(attributes); i += 2 {
		m.Attributes[attributes[i]] = attributes[i+1]
	}
	return m
}

func due(m events.SQSMessage, at time.Time) events.SQSMessage {
	s := at.UTC().Format(time.RFC3339Nano)
	m.MessageAttributes = map[string]events.SQSMessageAttribute{"at": {StringValue: &s, DataType: "String"}}
	return m
}

func failures(r events.SQSEventResponse) (out []string) {
	for _, f := range r.BatchItemFailures {
		out = append(out, f.ItemIdentifier)
	}
	return out
}

// busy is a queue that refuses to hide messages, and notes what it was asked.
type busy struct {
	*sent
	hidden []string
}

func (q *busy) Hide(_ context.Context, queue, receipt string, d time.Duration) error {
	q.hidden = append(q.hidden, fmt.Sprint(queue, " ", receipt, " ", d))
	return wstk.Errorf(wstk.Unavailable, "", "not now")
}

// A message that failed stays away for longer with each time it was received; when that
// cannot be said to the queue, it is still reported as failed.
func TestFailedMessagesBackOff(t *testing.T) {
	q := &busy{sent: &sent{}}
	a := app.New(app.Home{Stores: app.Stores{Queue: q},
		Base: reading.Base{Now: time.Now, Log: slog.New(slog.DiscardHandler)}})
	later := time.Now().Add(time.Hour)
	out, err := event.Queue(a, "fetch")(t.Context(), events.SQSEvent{Records: []events.SQSMessage{
		message("a", "[]", "ApproximateReceiveCount", "1"), message("b", "[]", "ApproximateReceiveCount", "4"), message("c", "[]"),
		due(message("d", `{"run_id":"run_1"}`, "MessageGroupId", "run_1"), later)}})
	if got := fmt.Sprint(failures(out)); err != nil || got != "[a b c]" {
		t.Errorf("failed: %s, %v", got, err)
	}
	if got, want := fmt.Sprint(q.hidden), "[fetch receipt of a 30s fetch receipt of b 2m0s fetch receipt of c 30s]"; got != want {
		t.Errorf("hidden: %s, want %s", got, want)
	}
	// What came early is sent on, as the same run's.
	if len(*q.sent) != 1 || (*q.sent)[0].Group != "run_1" || !(*q.sent)[0].At.Equal(later) {
		t.Errorf("sent on: %+v", *q)
	}
}

// A call that has no time left gives back the messages that it has not begun, and ends
// before Lambda ends it.
func TestACallEndsBeforeItsDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 800*time.Millisecond)
	defer cancel()
	var log strings.Builder
	q := &sent{}
	a := app.New(app.Home{Stores: app.Stores{Queue: q},
		Base: reading.Base{Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil))}})
	records := []events.SQSMessage{due(message("waits", "{}"), time.Now().
		Add(1900*time.Millisecond)), due(message("second", "{}"), time.Now().Add(time.Hour)), message("third", "[]")}
	out, err := event.Queue(a, "summarize")(ctx, events.SQSEvent{Records: records})
	if err != nil || ctx.Err() != nil {
		t.Errorf("it ended with %v, after its time: %v", err, ctx.Err())
	}
	if got := fmt.Sprint(failures(out)); got != "[waits second third]" || len(*q) > 0 {
		t.Errorf("failed: %s, sent on: %v", got, *q)
	}
	if n := strings.Count(log.String(), "returned to its queue"); n != 2 || strings.Count(log.String(), "message failed") != 1 {
		t.Errorf("%s", log.String())
	}
}
