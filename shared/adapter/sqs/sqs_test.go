package sqs

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go/logging"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

var words = []string{"crawl", "fetch", "summarize", "index"}

func open(t *testing.T) Queue {
	t.Helper()
	endpoint := os.Getenv("WSTK_AWS_ENDPOINT")
	if endpoint == "" {
		wstktest.Skip(t, "WSTK_AWS_ENDPOINT names no endpoint")
	}
	cfg, err := config.LoadDefaultConfig(t.Context(), config.WithBaseEndpoint(endpoint),
		config.WithRegion("us-east-1"), config.WithLogger(logging.Nop{}))
	if err != nil {
		t.Fatal(err)
	}
	q := Queue{Client: sqs.NewFromConfig(cfg), URLs: map[string]string{}}
	for _, word := range words {
		out, err := q.Client.CreateQueue(t.Context(),
			&sqs.CreateQueueInput{QueueName: aws.String("test-" + word + "-" + rand.Text())})
		if err != nil {
			t.Fatal(err)
		}
		q.URLs[word] = aws.ToString(out.QueueUrl)
		t.Cleanup(func() {
			q.Client.DeleteQueue(context.Background(),
				&sqs.DeleteQueueInput{QueueUrl: out.QueueUrl})
		})
	}
	return q
}

// receive is the side of the queue that Lambda polls in the cloud.
func (q Queue) receive(ctx context.Context, queue string) (wstk.Message, func(error), error) {
	url := q.URLs[queue]
	for {
		if err := ctx.Err(); err != nil {
			return wstk.Message{}, nil, err
		}
		out, err := q.Client.ReceiveMessage(ctx,
			&sqs.ReceiveMessageInput{QueueUrl: &url, MaxNumberOfMessages: 1, WaitTimeSeconds: 0,
				VisibilityTimeout:     5,
				MessageAttributeNames: []string{"All"}})
		if err != nil {
			return wstk.Message{}, nil, err
		}
		if len(out.Messages) == 0 {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		m := out.Messages[0]
		var once sync.Once
		ack := func(failure error) {
			once.Do(func() {
				ctx := context.Background()
				if failure == nil {
					q.Client.DeleteMessage(ctx,
						&sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle})
				} else {
					q.Client.ChangeMessageVisibility(ctx,
						&sqs.ChangeMessageVisibilityInput{QueueUrl: &url,
							ReceiptHandle: m.ReceiptHandle})
				}
			})
		}
		at := time.Time{}
		if a, ok := m.MessageAttributes[atKey]; ok {
			at = dueAt(a.StringValue)
		}
		return wstk.Message{Queue: queue, Body: []byte(aws.ToString(m.Body)), At: at}, ack, nil
	}
}

// dueAt reads the attribute "at" as a receiver does.
func dueAt(attribute *string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, aws.ToString(attribute))
	if err != nil {
		return time.Time{}
	}
	return at
}

func TestQueue(t *testing.T) {
	wstktest.Queue(t, func(t *testing.T) (wstk.Queue, wstktest.Received) {
		q := open(t)
		return q, q.receive
	}, wstktest.Features[wstk.Queue]{DelayStep: time.Second})
}

// A message due later than SQS can delay comes early, and says when it is due.
func TestLongDelaysAreCarried(t *testing.T) {
	q := open(t)
	due := time.Now().Add(time.Hour).Truncate(time.Nanosecond)
	for now, want := range map[time.Time]int32{due.Add(-time.Hour): 900,
		due.Add(-1500 * time.Millisecond): 2, due.Add(time.Second): 0} {
		q.Now = func() time.Time { return now }
		e := q.entry(0, wstk.Message{Queue: "fetch", Body: []byte("{}"), At: due})
		if e.DelaySeconds != want {
			t.Errorf("%v before it is due: a delay of %d s, want %d", due.Sub(now), e.DelaySeconds, want)
		}
		if want > 0 && !dueAt(e.MessageAttributes[atKey].StringValue).Equal(due) {
			t.Errorf("due at %v, the message says %v", due, dueAt(e.MessageAttributes[atKey].StringValue))
		}
	}
}

func TestAnUnknownQueueIsInvalid(t *testing.T) {
	err := Queue{}.Send(t.Context(), wstk.Message{Queue: "nowhere", Body: []byte("{}")})
	if wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("%v", err)
	}
}

func TestDepths(t *testing.T) {
	q := open(t)
	for _, queue := range words {
		q.drain(t, queue)
	}
	if err := q.Send(t.Context(), wstk.Message{Queue: words[0], Body: json.RawMessage("1")},
		wstk.Message{Queue: words[0], Body: json.RawMessage("2")}); err != nil {
		t.Fatal(err)
	}
	d, err := q.Depths(t.Context())
	if err != nil || d[words[0]] != 2 || d[words[1]] != 0 || len(d) != len(q.URLs) {
		t.Errorf("%v, %v", d, err)
	}
}

// A message carries its run as SQS's group, by which queues are fair; what SQS would refuse
// is left out.
func TestGroups(t *testing.T) {
	for group, want := range map[string]string{"run_01kaj3v8qz4m6t2xw0c9fhrbne": "run_01kaj3v8qz4m6t2xw0c9fhrbne", "": "", "two words": "", strings.Repeat("x", 129): ""} {
		if got := aws.ToString(Queue{}.entry(0, wstk.Message{Queue: "fetch", Body: []byte("{}"),
			Group: group}).MessageGroupId); got != want {
			t.Errorf("%q: the group %q, want %q", group, got, want)
		}
	}
	m, err := wstk.NewMessage("fetch", wstk.FetchTask{Run: "run_1", URL: "http://a.example/"}, time.Now().Add(time.Second))
	if err != nil || m.Group != "run_1" {
		t.Fatalf("%+v, %v", m, err)
	}
	q := open(t)
	if err := q.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); time.Now().
		Before(end); time.Sleep(50 * time.Millisecond) {
		out, err := q.Client.ReceiveMessage(t.Context(),
			&sqs.ReceiveMessageInput{QueueUrl: aws.String(q.URLs["fetch"]),
				MessageSystemAttributeNames: []types.MessageSystemAttributeName{"All"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Messages) == 1 {
			if got := out.Messages[0].Attributes["MessageGroupId"]; got != "run_1" {
				t.Errorf("it came with the group %q", got)
			}
			return
		}
	}
	t.Error("it never came")
}

// A hidden message stays away as long as was said, not as long as the queue says.
func TestHide(t *testing.T) {
	q := open(t)
	url := aws.String(q.URLs["fetch"])
	if err := q.Send(t.Context(), wstk.Message{Queue: "fetch", Body: []byte("1")}); err != nil {
		t.Fatal(err)
	}
	// A short poll may miss a message that is there: it is asked for until it comes.
	receive := func() *types.Message {
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
			out, err := q.Client.ReceiveMessage(t.Context(),
				&sqs.ReceiveMessageInput{QueueUrl: url, VisibilityTimeout: 600})
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Messages) > 0 {
				return &out.Messages[0]
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatal("it did not come within 20 s")
		return nil
	}
	m := receive()
	began := time.Now()
	if err := q.Hide(t.Context(), "fetch", *m.ReceiptHandle, 900*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	receive()
	if d := time.Since(began); d < 800*time.Millisecond {
		t.Errorf("it came again after %v", d)
	}
	if err := q.Hide(t.Context(), "nowhere", "x", time.Second); wstk.CodeOf(err) != wstk.Invalid {
		t.Error(err)
	}
}
