package cloud_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"wstk/shared/app"
	"wstk/shared/app/apptest"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	awsdynamodb "github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go/logging"
	"github.com/google/go-cmp/cmp"

	"wstk/shared/adapter/dynamodb"
	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/sqs"
	"wstk/shared/app/cloud"
	"wstk/shared/app/crawling"
	"wstk/shared/app/stages"
	"wstk/shared/config"
	"wstk/shared/entry/event"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
	"wstk/shared/wstk/wstktest/faults"
)

var words = []string{"crawl", "fetch", "summarize", "index"}

// stack is what template.yaml makes, without its functions.
type stack struct {
	cfg    aws.Config
	config config.Config
	sqs    *awssqs.Client
}

// deploy makes tables and a bucket; queues are made for each crawl.
func deploy(t *testing.T) *stack {
	t.Helper()
	endpoint := os.Getenv("WSTK_AWS_ENDPOINT")
	if endpoint == "" {
		wstktest.Skip(t, "WSTK_AWS_ENDPOINT names no endpoint")
	}
	ctx := t.Context()
	cfg, err := awsconfig.LoadDefaultConfig(ctx, awsconfig.WithBaseEndpoint(endpoint),
		awsconfig.WithRegion("us-east-1"), awsconfig.WithLogger(logging.Nop{}))
	must(t, err)
	s := &stack{cfg: cfg, sqs: awssqs.NewFromConfig(cfg)}
	s.config, err = stages.Settings().Load(func(string) string { return "" }, t.TempDir())
	must(t, err)
	must(t, s.config.Set("fetch.allow_private", "true", "test"))
	name := "test-" + strings.ToLower(rand.Text())
	s.config.Cloud = config.Cloud{Bucket: name, Records: name + "-records", Frontier: name + "-frontier", Hosts: name + "-hosts"}
	db := awsdynamodb.NewFromConfig(cfg)
	for _, table := range []string{s.config.Cloud.Records, s.config.Cloud.Frontier,
		s.config.Cloud.Hosts} {
		_, err := db.CreateTable(ctx, &awsdynamodb.CreateTableInput{TableName: &table,
			BillingMode: types.BillingModePayPerRequest,
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"),
				KeyType: types.KeyTypeHash},
				{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}},
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
				{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS}}})
		if err != nil && !errors.As(err, new(*types.ResourceInUseException)) {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			db.DeleteTable(context.Background(), &awsdynamodb.DeleteTableInput{TableName: &table})
		})
	}
	bucket := awss3.NewFromConfig(cfg, func(o *awss3.Options) { o.UsePathStyle = true })
	_, err = bucket.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: &name})
	must(t, err)
	t.Cleanup(func() {
		ctx := context.Background()
		if list, err := bucket.ListObjectsV2(ctx,
			&awss3.ListObjectsV2Input{Bucket: &name}); err == nil {
			for _, o := range list.Contents {
				bucket.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: &name, Key: o.Key})
			}
		}
		bucket.DeleteBucket(ctx, &awss3.DeleteBucketInput{Bucket: &name})
	})
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// plan is what goes wrong in one crawl.
type plan struct {
	rate     float64 // of requests
	kinds    []faults.Kind
	attempts int  // of the SDK
	deaths   int  // of processes, at any request
	dieAt    int  // the request at which the first process dies
	timeouts int  // of calls, at any request
	again    bool // messages come twice, in any order
	poison   bool
	together bool // two calls at a time
}

var plans = map[string]plan{
	"deaths": {deaths: 2},
	"errors": {rate: 0.01, attempts: 1},
	"throttled": {rate: 0.1, attempts: 4,
		kinds: []faults.Kind{faults.Throttled, faults.Error503, faults.Conflict}},
	"lost": {rate: 0.1, attempts: 4,
		kinds: []faults.Kind{faults.Lost, faults.Twice, faults.Conflict, faults.Half, faults.Cut}},
	"timeouts": {timeouts: 4},
	"messages": {again: true, poison: true},
	"together": {again: true, together: true, rate: 0.02, attempts: 3},
	"all": {rate: 0.02, attempts: 3, deaths: 1, timeouts: 1, again: true,
		poison: true, together: true},
}

// message is one that a queue of the test holds for SQS, whose own delays and
// visibility are as long as they are.
type message struct {
	queue    string
	event    events.SQSMessage
	handle   *string
	due      time.Time
	receives int
	busy     bool
}

// crawl plays Lambda: it takes messages off the queues and calls the functions' handlers.
type crawl struct {
	t      *testing.T
	stack  *stack
	plan   plan
	seed   uint64
	random *mathrand.Rand
	queues map[string]string
	index  *memory.Index
	offset atomic.Int64 // of the clock

	transport *faults.Transport
	system    *cloud.System
	messages  []*message
	deaths    int
	timeouts  int
	sweeps    int
	swept     time.Time
	cut       atomic.Int64 // requests until the calls in progress time out
	cancels   sync.Map
}

func (c *crawl) now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

func (c *crawl) sleep(ctx context.Context, d time.Duration) error {
	c.offset.Add(int64(max(d, 0)))
	return ctx.Err()
}

// RoundTrip stands between the faults and the emulator: delays are kept here.
func (c *crawl) RoundTrip(req *http.Request) (*http.Response, error) {
	if c.cut.Add(-1) == 0 {
		c.cancels.Range(func(k, _ any) bool { k.(*call).cancel(); return true })
	}
	if strings.HasSuffix(req.Header.Get("X-Amz-Target"), ".SendMessageBatch") {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		body = delay.ReplaceAll(body, []byte(`"DelaySeconds":0`))
		req = req.Clone(req.Context())
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(string(body))),
			int64(len(body))
	}
	return http.DefaultTransport.RoundTrip(req)
}

var delay = regexp.MustCompile(`"DelaySeconds":\d+`)

type call struct{ cancel func() }

// start makes a new process.
func (c *crawl) start() {
	c.transport = faults.New(c.seed*100+uint64(c.deaths), c.plan.rate, c.plan.kinds...)
	c.transport.Base = c
	if c.deaths < c.plan.deaths {
		c.transport.Kill = 1 + c.random.IntN(400)
	}
	if c.plan.dieAt > 0 && c.deaths == 0 {
		c.transport.Kill = c.plan.dieAt
	}
	cfg := c.stack.cfg
	cfg.HTTPClient = &http.Client{Transport: c.transport}
	cfg.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = max(c.plan.attempts, 1), time.Millisecond
		})
	}
	config := c.stack.config
	config.Cloud.Queues = c.queues
	s, err := cloud.New(config, cfg, slog.New(slog.DiscardHandler))
	must(c.t, err)
	apptest.Change(s.App, func(h *app.Home) { h.Now = c.now })
	s.Pages.(dynamodb.Pages).Now = c.now
	q := s.Queue.(sqs.Queue)
	q.Now = c.now
	apptest.Change(s.App, func(h *app.Home) {
		h.Queue, h.Index, h.Indexing.Index = q, c.index, c.index
	})
	s.Crawl.Now, s.Crawl.Sleep, s.Crawl.Robots.Now, s.Crawl.Robots.Sleep = c.now,
		c.sleep, c.now, c.sleep
	s.Fetch.Now, s.Fetch.Sleep, s.Fetch.Wait, s.Fetch.Lease = c.now, c.sleep,
		20*time.Millisecond, 30*time.Second
	s.Indexing.Now, s.Summarize.Now = c.now, c.now
	c.system = s
	if c.timeouts < c.plan.timeouts {
		c.cut.Store(int64(1 + c.random.IntN(200)))
	}
}

// attempt does something a process does; false means that the process died of it.
func (c *crawl) attempt(f func(ctx context.Context) error) (alive bool, err error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	k := &call{cancel}
	c.cancels.Store(k, true)
	defer c.cancels.Delete(k)
	err = f(ctx)
	return !c.transport.Dead(), err
}

// reborn starts the next process where one is dead.
func (c *crawl) reborn() {
	if c.transport.Dead() {
		c.deaths++
		c.start()
	} else if c.cut.Load() <= 0 && c.timeouts < c.plan.timeouts {
		c.timeouts++
		c.cut.Store(int64(1 + c.random.IntN(200)))
	}
}

// receive takes what has come to the queues.
func (c *crawl) receive() {
	for _, word := range words {
		for {
			out, err := c.stack.sqs.ReceiveMessage(c.t.Context(),
				&awssqs.ReceiveMessageInput{QueueUrl: aws.String(c.queues[word]),
					MaxNumberOfMessages: 10,
					VisibilityTimeout:   40000, MessageAttributeNames: []string{"All"}})
			must(c.t, err)
			for _, m := range out.Messages {
				e := events.SQSMessage{MessageId: aws.ToString(m.MessageId),
					Body:              aws.ToString(m.Body),
					MessageAttributes: map[string]events.SQSMessageAttribute{}}
				due := time.Time{}
				if at, ok := m.MessageAttributes["at"]; ok {
					e.MessageAttributes["at"] =
						events.SQSMessageAttribute{StringValue: at.StringValue, DataType: "String"}
					due, err = time.Parse(time.RFC3339Nano, aws.ToString(at.StringValue))
					must(c.t, err)
				}
				c.messages = append(c.messages,
					&message{queue: word, event: e, handle: m.ReceiptHandle, due: due})
			}
			if len(out.Messages) < 10 {
				break
			}
		}
	}
}

const (
	visibility = 10 * time.Minute
	receives   = 5
)

// take chooses what a function is called with next: some messages of one queue.
func (c *crawl) take() []*message {
	var due []*message
	for _, m := range c.messages {
		if !m.busy && !m.due.After(c.now()) {
			due = append(due, m)
		}
	}
	if len(due) == 0 {
		return nil
	}
	i := 0
	if c.plan.again {
		i = c.random.IntN(len(due))
	}
	batch := []*message{due[i]}
	for _, m := range due {
		if m != due[i] && m.queue == due[i].queue && m.queue != "fetch" && len(batch) < 3 {
			batch = append(batch, m)
		}
	}
	for _, m := range batch {
		m.busy = true
		m.receives++
	}
	return batch
}

// invoke calls the function of a queue, and takes off what it has done.
func (c *crawl) invoke(batch []*message) func() {
	queue := batch[0].queue
	in := events.SQSEvent{}
	for _, m := range batch {
		e := m.event
		e.Attributes = map[string]string{"ApproximateReceiveCount": strconv.Itoa(m.receives)}
		in.Records = append(in.Records, e)
	}
	var out events.SQSEventResponse
	alive, err := c.attempt(func(ctx context.Context) (err error) {
		out, err = event.Queue(c.system.App, queue)(ctx, in)
		return err
	})
	return func() {
		for _, m := range batch {
			failed := !alive || err != nil || slices.ContainsFunc(out.BatchItemFailures,
				func(f events.SQSBatchItemFailure) bool {
					return f.ItemIdentifier == m.event.MessageId
				})
			m.busy = false
			switch {
			case failed && m.receives < receives:
				m.due = c.now().Add(visibility)
				continue
			case !failed && c.plan.again && m.receives < 3 && c.random.IntN(5) == 0:
				continue // it comes once more
			}
			c.messages = slices.DeleteFunc(c.messages, func(x *message) bool { return x == m })
			_, err := c.stack.sqs.DeleteMessage(c.t.Context(),
				&awssqs.DeleteMessageInput{QueueUrl: aws.String(c.queues[queue]),
					ReceiptHandle: m.handle})
			must(c.t, err)
		}
	}
}

// play crawls root to the end of its run.
func (c *crawl) play(root string) wstk.RunID {
	ctx := c.t.Context()
	site := wstk.SiteIDOf(root)
	for try := 0; ; try++ {
		_, err := c.attempt(func(ctx context.Context) error {
			_, _, err := c.system.Crawling.Begin(ctx, crawling.IngestRequest{URL: root})
			return err
		})
		c.reborn()
		if err == nil || wstk.CodeOf(err) == wstk.Conflict && try > 2 {
			break
		}
		c.offset.Add(int64(2 * time.Minute)) // the lock of a dead process ends
		if try > 20 {
			c.t.Fatalf("the crawl does not begin: %v", err)
		}
	}
	if c.plan.poison {
		for _, body := range []string{`{"run_id":"run_none","site_id":"none","url":"http://a/"}`, `[]`} {
			_, err := c.stack.sqs.SendMessage(ctx,
				&awssqs.SendMessageInput{QueueUrl: aws.String(c.queues["fetch"]), MessageBody: &body})
			must(c.t, err)
		}
	}
	quiet := c.quiet()
	c.swept = c.now()
	for range 5000 {
		c.receive()
		if batch := c.take(); batch != nil {
			if !c.plan.together {
				c.invoke(batch)()
			} else {
				var done [2]func()
				var calls sync.WaitGroup
				calls.Go(func() { done[0] = c.invoke(batch) })
				if other := c.take(); other != nil {
					calls.Go(func() { done[1] = c.invoke(other) })
				}
				calls.Wait()
				for _, f := range done {
					if f != nil {
						f()
					}
				}
			}
			c.reborn()
			continue
		}
		runs, _, err := quiet.Runs.List(ctx, wstk.RunFilter{Site: site}, "", 2)
		must(c.t, err)
		ended := len(runs) == 1 && runs[0].State.Terminal()
		if ended && len(c.messages) == 0 {
			return runs[0].ID
		}
		// Time passes, until a message is due or the sweep is.
		next := c.swept.Add(15 * time.Minute)
		for _, m := range c.messages {
			if m.due.Before(next) {
				next = m.due
			}
		}
		c.offset.Add(int64(max(next.Sub(c.now()), 0) + time.Millisecond))
		if !c.now().Before(c.swept.Add(15 * time.Minute)) {
			c.swept = c.now()
			if c.sweeps++; c.sweeps > 40 {
				break
			}
			c.attempt(func(ctx context.Context) error {
				_, err := event.Sweep(c.system.App)(ctx)
				return err
			})
			c.reborn()
		}
	}
	c.t.Fatalf("the run does not end after %d sweeps; %d messages", c.sweeps, len(c.messages))
	return ""
}

// quiet is a process to which nothing happens.
func (c *crawl) quiet() *cloud.System {
	config := c.stack.config
	config.Cloud.Queues = c.queues
	s, err := cloud.New(config, c.stack.cfg, slog.New(slog.DiscardHandler))
	must(c.t, err)
	return s
}

// site serves a few pages, and counts how often each was asked for.
type site struct {
	pages map[string]string // links and words, by path
	mu    sync.Mutex
	hits  map[string]int
}

var pages = map[string]string{
	"/":        `<a href="a">a</a> <a href="b">b</a> <a href="old">old</a> <a href="missing">missing</a> <a href="private/x">x</a> <a href="noindex">n</a> <a href="logo.png">logo</a>`,
	"/a":       `<a href="/">up</a> <a href="c">c</a>`,
	"/b":       `<a href="twin">twin</a>`,
	"/c":       `<a href="d?x=1">d</a>`,
	"/d?x=1":   `the end of the road`,
	"/noindex": `<meta name="robots" content="noindex">not to be kept`,
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.RequestURI()
	s.mu.Lock()
	s.hits[path]++
	s.mu.Unlock()
	name := path
	if path == "/twin" {
		name = "/b"
	}
	links, ok := s.pages[name]
	switch {
	case path == "/robots.txt":
		io.WriteString(w, "user-agent: *\ndisallow: /private/\n")
	case path == "/old":
		http.Redirect(w, r, "/c", http.StatusMovedPermanently)
	case !ok:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "text/html")
		words := strings.Repeat("There are many words on the page called "+strings.Trim(name, "/?")+" and each is worth reading. ", 12)
		fmt.Fprintf(w, "<!doctype html><title>Page %s</title><body><main><h1>Page %s</h1><p>%s</p><p>%s</p></main>", name, name, words, links)
	}
}

// picture is where a crawl ended, without what differs from run to run.
type picture struct {
	State    wstk.RunState
	Reasons  []string
	Outcomes map[string]string
	Pages    map[string]string
	Index    wstk.IndexStats
}

func (c *crawl) picture(root string, run wstk.RunID, hits map[string]int) picture {
	t, ctx, s := c.t, c.t.Context(), c.quiet()
	r, err := s.Runs.Get(ctx, run)
	must(t, err)
	p := picture{State: r.State, Reasons: r.Reasons, Outcomes: map[string]string{},
		Pages: map[string]string{}}
	host := strings.TrimSuffix(root, "/")
	path := func(url string) string { return strings.TrimPrefix(url, host) }
	urls, _, err := s.Frontier.List(ctx, run, "", "", 1000)
	must(t, err)
	by := map[wstk.Outcome]int{}
	for _, u := range urls {
		by[u.Outcome]++
		p.Outcomes[path(u.URL)] = strings.ReplaceAll(
			fmt.Sprint(u.State, " ", u.Outcome, " ", u.Reason, " ", u.Target), host, "")
	}
	acc, err := s.Frontier.Accounting(ctx, run)
	must(t, err)
	if !acc.Balanced() || acc.Discovered != len(urls) || fmt.Sprint(acc.By) != fmt.Sprint(by) {
		t.Errorf("the accounting is %v, the URLs are %v", acc, by)
	}
	held := 0
	list, _, err := s.Pages.List(ctx, r.Site, "", 1000)
	must(t, err)
	for _, x := range list {
		if x.Document != "" {
			held++
		}
		p.Pages[path(x.URL)] = fmt.Sprint(x.Verdict, " ", x.TextSHA256, " ", path(x.DuplicateOf),
			" ", !x.IndexedAt.IsZero())
		snaps, err := s.Snapshots.List(ctx, x.URL, 100)
		must(t, err)
		if len(snaps) > hits[path(x.URL)] {
			t.Errorf("%d snapshots of %d fetches of %s", len(snaps), hits[path(x.URL)], path(x.URL))
		}
	}
	if n, err := s.Pages.Count(ctx, r.Site); err != nil || n != held {
		t.Errorf("%d pages are counted of %d, %v", n, held, err)
	}
	p.Index, err = c.index.Stats(ctx)
	must(t, err)
	// Which of two equal pages comes first is not promised.
	twins := []string{"/b", "/twin"}
	if strings.Contains(p.Outcomes["/b"], string(wstk.OutcomeDuplicateOf)) {
		p.Index.Links++ // to itself, which is none
		for _, m := range []map[string]string{p.Outcomes, p.Pages} {
			m["/b"], m["/twin"] = m["/twin"], m["/b"]
			for _, k := range twins {
				m[k] = strings.NewReplacer("/twin", "/b").Replace(m[k])
			}
		}
	}
	slices.Sort(p.Reasons)
	return p
}

// once crawls a site of its own and returns where that ended.
func (s *stack) once(t *testing.T, pages map[string]string, seed uint64, p plan) picture {
	c := &crawl{t: t, stack: s, plan: p, seed: seed, random: mathrand.New(mathrand.NewPCG(seed, 3)),
		queues: map[string]string{}, index: memory.NewIndex()}
	c.makeQueues()
	served := &site{pages: pages, hits: map[string]int{}}
	server := httptest.NewServer(served)
	defer server.Close()
	c.start()
	run := c.play(server.URL + "/")
	return c.picture(server.URL+"/", run, served.hits)
}

func (c *crawl) makeQueues() {
	client := c.stack.sqs
	for _, word := range words {
		out, err := client.CreateQueue(c.t.Context(),
			&awssqs.CreateQueueInput{QueueName: aws.String("test-" + word + "-" + rand.Text())})
		must(c.t, err)
		c.queues[word] = *out.QueueUrl
		c.t.Cleanup(func() {
			client.DeleteQueue(context.Background(),
				&awssqs.DeleteQueueInput{QueueUrl: out.QueueUrl})
		})
	}
}

// Whatever goes wrong on the way, a crawl ends as it does without faults. Each seed is a
// subtest, so that one can be run again by its name.
func TestCrawlsUnderFaults(t *testing.T) {
	s := deploy(t)
	want := s.once(t, pages, 0, plan{})
	for name, p := range plans {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s/seed=%d", name, seed), func(t *testing.T) {
				if diff := cmp.Diff(want, s.once(t, pages, seed+1, p)); diff != "" {
					t.Errorf("it ended otherwise than without faults (-without +with):\n%s", diff)
				}
			})
		}
	}
}

// The process may die at any request from the first one on, before that is done or
// after, and the site is still crawled to its end.
func TestDeathAtAnyRequest(t *testing.T) {
	s := deploy(t)
	pages := map[string]string{"/": `<a href="/missing">one more</a>`}
	want := s.once(t, pages, 0, plan{})
	for n := 1; n <= 180; n += 1 + n/12 {
		t.Run(fmt.Sprintf("request=%d", n), func(t *testing.T) {
			if diff := cmp.Diff(want, s.once(t, pages, uint64(n), plan{dieAt: n})); diff != "" {
				t.Errorf("it ended otherwise than without a death (-without +with):\n%s", diff)
			}
		})
	}
}
