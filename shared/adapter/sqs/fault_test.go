package sqs

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest/faults"
)

// faulty is q behind a transport, whose client tries a request so many times.
func faulty(q Queue, tr http.RoundTripper, attempts int) Queue {
	q.Client = sqs.New(q.Client.Options(), func(o *sqs.Options) {
		o.HTTPClient = &http.Client{Transport: tr}
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = attempts, 5*time.Millisecond
		})
	})
	return q
}

// drain takes all messages of a queue that have come, with what they say. Where a reply
// of the emulator is lost, its messages come again after a moment.
func (q Queue) drain(t *testing.T, queue string) (bodies []string, due []time.Time) {
	t.Helper()
	for {
		out, err := q.Client.ReceiveMessage(t.Context(),
			&sqs.ReceiveMessageInput{QueueUrl: aws.String(q.URLs[queue]), MaxNumberOfMessages: 10,
				VisibilityTimeout: 2, MessageAttributeNames: []string{"All"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range out.Messages {
			bodies = append(bodies, aws.ToString(m.Body))
			due = append(due, dueAt(m.MessageAttributes[atKey].StringValue))
			if _, err := q.Client.DeleteMessage(t.Context(),
				&sqs.DeleteMessageInput{QueueUrl: aws.String(q.URLs[queue]),
					ReceiptHandle: m.ReceiptHandle}); err != nil {
				t.Fatal(err)
			}
		}
		if len(out.Messages) == 0 {
			return bodies, due
		}
	}
}

// What Send says it sent arrives, at least once, with the time it is due; of what it
// could not send the caller is told.
func TestQueueUnderFaults(t *testing.T) {
	q := open(t)
	later := time.Now().Add(time.Hour).UTC()
	q.Now = func() time.Time { return later.Add(time.Second) } // so that SQS delays nothing
	for seed := range uint64(32) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			kinds, limit := []faults.Kind(nil), 20*time.Second
			if seed%8 == 7 {
				kinds, limit = append(kinds, faults.Stalled, faults.Half), 300*time.Millisecond
			}
			bad := faulty(q, faults.New(seed, 0.3, kinds...), 1+2*int(seed%2))
			r := rand.New(rand.NewPCG(seed, 2))
			sent, tried := map[string]bool{}, map[string]bool{}
			for n := range 3 {
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				var msgs []wstk.Message
				for i := range 1 + r.IntN(25) {
					body := fmt.Sprintf(`{"seed":%d,"n":%d,"i":%d}`, seed, n, i)
					tried[words[i%2]+body] = true
					msgs = append(msgs, wstk.Message{Queue: words[i%2],
						Body: json.RawMessage(body)})
				}
				err := bad.Send(ctx, msgs...)
				cancel()
				switch code := wstk.CodeOf(err); {
				case err == nil:
					for _, m := range msgs {
						sent[m.Queue+string(m.Body)] = true
					}
				case code != wstk.Unavailable && code != wstk.Cancelled && code != wstk.Timeout &&
					code != wstk.Internal:
					t.Errorf("sending: %v", err)
				}
			}
			for end := time.Now().Add(15 * time.Second); ; time.Sleep(200 * time.Millisecond) {
				for _, word := range words {
					bodies, _ := q.drain(t, word)
					for _, b := range bodies {
						if !strings.Contains(b, fmt.Sprintf(`"seed":%d,`, seed)) {
							continue // of a seed before, come again
						}
						if !tried[word+b] {
							t.Errorf("%s came to %s, where it was not sent", b, word)
						}
						delete(sent, word+b)
					}
				}
				if len(sent) == 0 || time.Now().After(end) {
					break
				}
			}
			for m := range sent {
				t.Errorf("%s was sent and is lost", m)
			}
		})
	}
}

// An entry that SQS could not take is sent again with its delay; one that it never will
// take is told of at once.
func TestFailedEntries(t *testing.T) {
	q := open(t)
	for seed := range uint64(4) {
		tr := faults.New(seed, 0.5, faults.Half)
		due := time.Now().Add(900 * time.Millisecond)
		var msgs []wstk.Message
		for i := range 7 {
			msgs = append(msgs, wstk.Message{Queue: "fetch",
				Body: json.RawMessage(fmt.Sprint(i)), At: due})
		}
		err := faulty(q, tr, 1).Send(t.Context(), msgs...)
		if err != nil && (wstk.CodeOf(err) != wstk.Internal || !strings.Contains(err.Error(), "InvalidParameterValue")) {
			t.Errorf("seed %d: %v", seed, err)
		}
		if wait := time.Until(due); wait > 200*time.Millisecond {
			if bodies, _ := q.drain(t, "fetch"); len(bodies) > 0 {
				t.Errorf("seed %d: %d messages came at once", seed, len(bodies))
			}
		}
		if err == nil {
			got := map[string]bool{}
			for end := time.Now().Add(10 * time.Second); len(got) < len(msgs) && time.Now().
				Before(end); time.Sleep(20 * time.Millisecond) {
				bodies, dues := q.drain(t, "fetch")
				for i, b := range bodies {
					got[b] = true
					if !dues[i].Equal(due) {
						t.Errorf("seed %d: due %v, it says %v", seed, due, dues[i])
					}
				}
			}
			if len(got) != len(msgs) {
				t.Errorf("seed %d: %d of %d messages came", seed, len(got), len(msgs))
			}
		} else {
			time.Sleep(time.Until(due) + 1100*time.Millisecond)
			q.drain(t, "fetch")
		}
	}
}

// A message of the largest size is sent, also many in one call; one byte more is
// refused, and nothing of that call is sent.
func TestLargestMessages(t *testing.T) {
	q := open(t)
	body := func(n int) json.RawMessage {
		return json.RawMessage(`"` + strings.Repeat("é", (n-2)/2) + strings.Repeat("x", n%2) + `"`)
	}
	if n := len(body(wstk.MaxPayload + 1)); n != wstk.MaxPayload+1 {
		t.Fatal(n)
	}
	err := q.Send(t.Context(), wstk.Message{Queue: "index", Body: json.RawMessage("1")},
		wstk.Message{Queue: "index", Body: body(wstk.MaxPayload + 1)})
	if wstk.CodeOf(err) != wstk.TooLarge {
		t.Errorf("one byte too many: %v", err)
	}
	if got, _ := q.drain(t, "index"); len(got) > 0 {
		t.Errorf("%d messages of a refused call were sent", len(got))
	}
	var msgs []wstk.Message
	for i := range 12 {
		msgs = append(msgs, wstk.Message{Queue: "index", Body: body(wstk.MaxPayload - i%2)})
	}
	if err := q.Send(t.Context(), msgs...); err != nil {
		t.Fatal(err)
	}
	got, _ := q.drain(t, "index")
	if len(got) != len(msgs) {
		t.Errorf("%d of %d messages came", len(got), len(msgs))
	}
	for _, b := range got {
		if len(b) != wstk.MaxPayload && len(b) != wstk.MaxPayload-1 {
			t.Errorf("one came with %d bytes", len(b))
		}
	}
}
