package cloud_test

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"wstk/shared/adapter/memory"
	"wstk/shared/app/crawling"
	"wstk/shared/entry/event"
	"wstk/shared/wstk"
)

// A queue that no worker reads for hours is no failure of what waits in it: nothing is asked
// for twice meanwhile, no URL ends as failed, and when the workers come the run completes.
// Afterwards, what was lost is found again.
func TestABacklogIsNoFailure(t *testing.T) {
	const pages = 12
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%s</title><main><p>Words of the page %s alone.</p></main>", r.URL.Path, r.URL.Path)
		for i := range pages {
			fmt.Fprintf(w, `<a href="/%d">%d</a> `, i, i)
		}
	}))
	defer site.Close()
	s := deploy(t)
	c := &crawl{t: t, stack: s, plan: plan{attempts: 3},
		random: mathrand.New(mathrand.NewPCG(1, 1)), queues: map[string]string{},
		index: memory.NewIndex()}
	for _, word := range words {
		out, err := s.sqs.CreateQueue(t.Context(),
			&awssqs.CreateQueueInput{QueueName: aws.String("test-backlog-" + word + s.config.Cloud.Bucket)})
		must(t, err)
		c.queues[word] = *out.QueueUrl
		defer s.sqs.DeleteQueue(context.Background(),
			&awssqs.DeleteQueueInput{QueueUrl: out.QueueUrl})
	}
	c.start()
	ctx := t.Context()
	run, _, err := c.system.Crawling.Begin(ctx, crawling.IngestRequest{URL: site.URL + "/"})
	must(t, err)

	// work does what lies in some queues, and what comes of it, until nothing is left.
	fetches, lost := 1, 0 // fetch does so many messages, and loses so many
	work := func(queues ...string) {
		t.Helper()
		for idle := 0; idle < 3; idle++ {
			for _, word := range queues {
				if word == "fetch" && fetches == 0 {
					continue
				}
				out, err := s.sqs.ReceiveMessage(ctx,
					&awssqs.ReceiveMessageInput{QueueUrl: aws.String(c.queues[word]),
						MaxNumberOfMessages: 10, VisibilityTimeout: 40000,
						MessageAttributeNames:       []string{"All"},
						MessageSystemAttributeNames: []sqstypes.MessageSystemAttributeName{"All"}})
				must(t, err)
				for _, m := range out.Messages {
					idle = 0
					if word == "fetch" {
						fetches--
					}
					_, err := s.sqs.DeleteMessage(ctx,
						&awssqs.DeleteMessageInput{QueueUrl: aws.String(c.queues[word]),
							ReceiptHandle: m.ReceiptHandle})
					must(t, err)
					if lost > 0 && word == "fetch" {
						lost--
						continue
					}
					e := events.SQSMessage{MessageId: *m.MessageId, Body: *m.Body,
						Attributes:        m.Attributes,
						MessageAttributes: map[string]events.SQSMessageAttribute{}}
					if at, ok := m.MessageAttributes["at"]; ok {
						due, err := time.Parse(time.RFC3339Nano, *at.StringValue)
						must(t, err)
						c.offset.Add(int64(max(due.Sub(c.now()), 0))) // Lambda would get it then
						e.MessageAttributes["at"] = events.SQSMessageAttribute{
							StringValue: at.StringValue, DataType: "String"}
					}
					// the emulator has another clock
					e.Attributes["SentTimestamp"] = fmt.Sprint(c.now().UnixMilli())
					r, err := event.Queue(c.system.App, word)(ctx,
						events.SQSEvent{Records: []events.SQSMessage{e}})
					if err != nil || len(r.BatchItemFailures) > 0 {
						t.Fatalf("%s failed: %s %v", word, *m.Body, err)
					}
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	sweep := func() {
		t.Helper()
		c.offset.Add(int64(15 * time.Minute))
		_, err := event.Sweep(c.system.App)(ctx)
		must(t, err)
	}
	accounting := func() (wstk.Accounting, map[wstk.URLState]int) {
		t.Helper()
		acc, err := c.system.Frontier.Accounting(ctx, run.ID)
		must(t, err)
		states, err := c.system.Frontier.States(ctx, run.ID)
		must(t, err)
		return acc, states
	}

	// The root is fetched, and all of its links are queued; then fetch stands still.
	work(words...)
	_, states := accounting()
	queued := states[wstk.URLQueued]
	if queued < pages {
		t.Fatalf("states: %v", states)
	}
	for range 10 { // two and a half hours
		sweep()
		work("crawl")
		depths, err := c.system.Backlog.Depths(ctx)
		must(t, err)
		if depths["fetch"] != queued {
			t.Fatalf("%d messages wait for %d URLs", depths["fetch"], queued)
		}
	}
	if acc, states := accounting(); acc.Of(wstk.OutcomeFailed) > 0 ||
		states[wstk.URLQueued] != queued {
		t.Fatalf("%v, %v", acc, states)
	}

	// Workers come; one message is lost, and taken up again by the sweep, since nothing is in
	// its way.
	fetches, lost = 1000, 1
	work(words...)
	if _, states := accounting(); states[wstk.URLQueued] != 1 {
		t.Fatalf("states: %v", states)
	}
	for range 4 {
		sweep()
		work(words...)
	}
	ended, err := c.system.Runs.Get(ctx, run.ID)
	must(t, err)
	acc, _ := accounting()
	if ended.State != wstk.RunComplete || acc.Of(wstk.OutcomeFetched) != pages+1 {
		t.Errorf("the run is %s (%s): %v", ended.State, strings.Join(ended.Reasons, "; "), acc)
	}
	all, _, err := c.system.Frontier.List(ctx, run.ID, "", "", 100)
	must(t, err)
	for _, u := range all {
		if u.Attempts != 1 {
			t.Errorf("%s took %d attempts", u.URL, u.Attempts)
		}
	}
}
