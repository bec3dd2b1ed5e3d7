package cloud_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
	"wstk/shared/app"
	"wstk/shared/app/apptest"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"wstk/shared/adapter/memory"
	"wstk/shared/app/cloud"
	"wstk/shared/app/crawling"
	"wstk/shared/entry/event"
	"wstk/shared/wstk"
)

// arrivals is a site that notes when it is asked, and by how many at once.
type arrivals struct {
	robots string
	again  int // seconds of Retry-After that the third page asks for, once

	mu       sync.Mutex
	times    []time.Time // of pages
	said     time.Time   // when Retry-After was said
	inFlight int
	most     int
}

func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		io.WriteString(w, a.robots)
		return
	}
	a.mu.Lock()
	a.times = append(a.times, time.Now())
	a.inFlight++
	a.most = max(a.most, a.inFlight)
	wait := a.again > 0 && len(a.times) == 3
	if wait {
		a.said = time.Now()
	}
	a.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	defer func() {
		a.mu.Lock()
		a.inFlight--
		a.mu.Unlock()
	}()
	if wait {
		w.Header().Set("Retry-After", fmt.Sprint(a.again))
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>%s</title><main><p>Words of the page %s.</p></main>", r.URL.Path, r.URL.Path)
	if r.URL.Path == "/" {
		for i := range pagesOfPace {
			fmt.Fprintf(w, `<a href="/%d">%d</a> `, i, i)
		}
	}
}

const pagesOfPace = 60

// lambda takes messages off a queue, one at a time with each of its workers, and calls
// the function; a message that fails comes again when its visibility is over.
func lambda(
	ctx context.Context, client *awssqs.Client, s *cloud.System, word, url string,
	workers *sync.WaitGroup, n int,
) {
	handle := event.Queue(s.App, word)
	for range n {
		workers.Go(func() {
			for ctx.Err() == nil {
				out, err := client.ReceiveMessage(ctx, &awssqs.ReceiveMessageInput{QueueUrl: &url,
					MaxNumberOfMessages: 1, VisibilityTimeout: 30,
					MessageAttributeNames: []string{"All"}})
				if err != nil || len(out.Messages) == 0 {
					time.Sleep(30 * time.Millisecond)
					continue
				}
				m := out.Messages[0]
				in := events.SQSMessage{MessageId: *m.MessageId, Body: *m.Body,
					MessageAttributes: map[string]events.SQSMessageAttribute{}}
				if at, ok := m.MessageAttributes["at"]; ok {
					in.MessageAttributes["at"] = events.SQSMessageAttribute{StringValue: at.StringValue}
				}
				if r, err := handle(ctx, events.SQSEvent{Records: []events.SQSMessage{in}}); err ==
					nil && len(r.BatchItemFailures) == 0 {
					client.DeleteMessage(context.WithoutCancel(ctx),
						&awssqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle})
				}
			}
		})
	}
}

// Eight workers ask one host one after the other, as far apart as the rate limit, the
// Crawl-delay or Retry-After says, and have no more than fifty of its URLs under way.
func TestPoliteness(t *testing.T) {
	s := deploy(t)
	for _, c := range []*struct {
		name  string
		site  arrivals
		gap   time.Duration // that the operator set
		want  time.Duration
		pages int // that are enough to see it
	}{
		{name: "Gap", gap: 300 * time.Millisecond, want: 300 * time.Millisecond, pages: 24},
		{name: "CrawlDelay", site: arrivals{robots: "user-agent: *\ncrawl-delay: 1\n"},
			gap: 100 * time.Millisecond, want: time.Second, pages: 7},
		{name: "RetryAfter", site: arrivals{again: 3}, gap: 400 * time.Millisecond,
			want: 400 * time.Millisecond, pages: 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(&c.site)
			defer server.Close()
			config := s.config
			config.Cloud.Queues = map[string]string{}
			config.Crawl.RateLimit = c.gap
			config.Origin = map[string]string{"crawl.rate_limit_ms": "test"}
			for _, word := range words {
				out, err := s.sqs.CreateQueue(t.Context(),
					&awssqs.CreateQueueInput{QueueName: aws.String("test-" + word + "-pace-" +
						c.name + config.Cloud.Bucket)})
				must(t, err)
				config.Cloud.Queues[word] = *out.QueueUrl
				defer s.sqs.DeleteQueue(context.Background(),
					&awssqs.DeleteQueueInput{QueueUrl: out.QueueUrl})
			}
			system, err := cloud.New(config, s.cfg, slog.New(slog.DiscardHandler))
			must(t, err)
			apptest.Change(system.App, func(h *app.Home) { h.Index = memory.NewIndex() })
			system.Indexing.Index = system.Index
			run, _, err := system.Crawling.Begin(t.Context(),
				crawling.IngestRequest{URL: server.URL + "/", Config: &config})
			must(t, err)
			ctx, stop := context.WithCancel(t.Context())
			var workers sync.WaitGroup
			for word, url := range config.Cloud.Queues {
				n := 1
				if word == "fetch" {
					n = 8
				}
				lambda(ctx, s.sqs, system, word, url, &workers, n)
			}
			mostQueued := 0
			for end := time.Now().Add(45 * time.Second); time.Now().
				Before(end); time.Sleep(150 * time.Millisecond) {
				states, err := system.Frontier.States(t.Context(), run.ID)
				must(t, err)
				mostQueued = max(mostQueued, states[wstk.URLQueued])
				c.site.mu.Lock()
				n := len(c.site.times)
				c.site.mu.Unlock()
				if n >= c.pages {
					break
				}
			}
			stop()
			workers.Wait()
			if c.site.most > 1 {
				t.Errorf("%d requests were in flight at once", c.site.most)
			}
			if len(c.site.times) < c.pages {
				t.Errorf("only %d pages were asked for", len(c.site.times))
			}
			// Requests are sent a gap apart, and what is measured is when they arrive: on a busy
			// machine one may be late, and the next one not. Over more of them that evens out.
			late := c.want * 3 / 4
			slices.SortFunc(c.site.times, time.Time.Compare)
			for i := 1; i < len(c.site.times); i++ {
				for k := 1; k <= min(i, 3); k++ {
					if d := c.site.times[i].Sub(c.site.times[i-k]); d < time.Duration(
						k)*c.want-late {
						t.Errorf("request %d came %v after the %d before, the gap is %v", i, d, k, c.want)
					}
				}
				if d := c.site.times[i].Sub(c.site.said); c.site.again > 0 && d > 0 &&
					d < time.Duration(c.site.again)*time.Second-c.want {
					t.Errorf("request %d came %v after a Retry-After of %d s", i, d, c.site.again)
				}
			}
			if mostQueued > 50 || mostQueued < 2 {
				t.Errorf("%d URLs of the host were under way", mostQueued)
			}
		})
	}
}
