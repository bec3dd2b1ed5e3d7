package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dynamodbtypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"wstk/infra"
	"wstk/shared/adapter/asl"
	"wstk/shared/app/answering"
	"wstk/shared/app/cloud"
	"wstk/shared/app/crawling"
	"wstk/shared/app/searching"
	"wstk/shared/entry/event"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

const (
	bucket    = "wstk-cost"
	memoryGB  = 0.5  // of a function, as in template.yaml
	traced    = 0.05 // share of calls that X-Ray takes
	lambdaLog = 350  // bytes that Lambda itself logs of a call
	polls     = 2    // times a client asks whether an extraction is done
)

// batches is how many messages each function takes at once, as in template.yaml; workers
// how many calls run here at the same time.
var (
	batches = map[string]int32{"crawl": 1, "fetch": 1, "summarize": 10, "index": 5}
	workers = map[string]int{"crawl": 1, "fetch": 4, "summarize": 1, "index": 2}
)

func countMain(args []string) error {
	flags := flag.NewFlagSet("cost count", flag.ExitOnError)
	folder := flags.String("site", "testdata/sites/sqlite", "folder to serve and crawl")
	questions := flags.String("questions", "testdata/eval/sqlite.jsonl", "what to ask")
	out := flags.String("o", "tools/cost/counts.json", "file to write")
	flags.Parse(args)
	endpoint, search := os.Getenv("WSTK_AWS_ENDPOINT"), os.Getenv("WSTK_OPENSEARCH")
	if endpoint == "" || search == "" {
		return errors.New("run it beside tools/emulator: bin/emulator run -- go run ./tools/cost count")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c, err := newCounting(ctx, endpoint, search)
	if err != nil {
		return err
	}
	defer c.proxy.Close()
	defer c.vendors.Close()
	site := httptest.NewServer(http.FileServer(http.Dir(*folder)))
	defer site.Close()

	counts := Counts{What: fmt.Sprintf("the pages of %s and the questions of %s, crawled and "+
		"asked once over the services of tools/emulator, "+
		"and search runs for the questions, with three providers of ten results each, each read "+
		"once; times are those of %d shared cores (%s), sizes are rounded up, every write is "+
		"taken as kept.", *folder, *questions, runtime.NumCPU(), runtime.GOARCH)}
	if counts.Pages.N, err = c.crawl(ctx, site.URL+"/"); err != nil {
		return err
	}
	counts.Pages.Units = c.take()
	if counts.Questions.N, err = c.ask(ctx, *questions); err != nil {
		return err
	}
	counts.Questions.Units = c.take()
	if counts.Searches.N, err = c.search(ctx, *questions); err != nil {
		return err
	}
	counts.Searches.Units = c.take()
	if err := c.others(ctx, site.URL+"/"); err != nil {
		return err
	}
	counts.Used = c.uses()
	for _, units := range []map[string]float64{counts.Pages.Units, counts.Questions.Units,
		counts.Searches.Units} {
		maps.DeleteFunc(units, func(_ string, n float64) bool { return n == 0 })
		for unit, n := range units {
			units[unit] = math.Round(n*100) / 100
		}
	}
	data, err := json.MarshalIndent(counts, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(*out, append(data, '\n'), 0o644)
}

// words are the functions.
var words = []string{"answer", "api", "collate", "crawl", "extract", "fetch", "index", "recall", "refresh",
	"summarize", "sweep", "upload", "verify"}

// counting is the system whose calls are counted, once for each function, and one beside
// it whose calls are not.
type counting struct {
	meter
	function map[string]*cloud.System
	watch    *cloud.System
	messages *sqs.Client
	queues   map[string]string
	proxy    *httptest.Server
	vendors  *wstktest.Vendors
	extract  *asl.Machine
	answer   *asl.Machine
	input    json.RawMessage // of the machine, from the last Start
}

func newCounting(ctx context.Context, endpoint, search string) (*counting, error) {
	c := &counting{function: map[string]*cloud.System{}, queues: map[string]string{}}
	cfg, err := config.LoadDefaultConfig(ctx, config.WithBaseEndpoint(endpoint))
	if err != nil {
		return nil, err
	}
	c.messages = sqs.NewFromConfig(cfg)
	env := map[string]string{"WSTK_BUCKET": bucket, "WSTK_SEARCH": search,
		"WSTK_SEARCH_MODE": "domain", "WSTK_VECTOR_ENGINE": "lucene",
		"WSTK_ALLOW_PRIVATE": "true", "WSTK_LOG_LEVEL": "info", "WSTK_TIMEOUT": "30"}
	if _, err := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true }).
		CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String(bucket)}); err != nil {
		return nil, err
	}
	for _, t := range []string{"records", "frontier", "hosts"} {
		env["WSTK_"+strings.ToUpper(t)+"_TABLE"] = t
		if err := makeTable(ctx, dynamodb.NewFromConfig(cfg), t); err != nil {
			return nil, err
		}
	}
	for q := range batches {
		made, err := c.messages.CreateQueue(ctx,
			&sqs.CreateQueueInput{QueueName: aws.String(q),
				Attributes: map[string]string{"VisibilityTimeout": "600"}})
		if err != nil {
			return nil, err
		}
		c.queues[q] = *made.QueueUrl
		env["WSTK_"+strings.ToUpper(q)+"_QUEUE"] = *made.QueueUrl
	}
	c.vendors = vendors().Start()
	maps.Copy(env, c.vendors.Settings(false))
	for name, value := range env {
		os.Setenv(name, value)
	}
	os.Setenv("AWS_ENDPOINT_URL", endpoint)
	if c.watch, err = cloud.Open(ctx); err != nil {
		return nil, err
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	c.proxy = httptest.NewServer(c.meter.proxy(u))
	os.Setenv("AWS_ENDPOINT_URL", c.proxy.URL)
	for _, word := range words {
		os.Setenv("AWS_ACCESS_KEY_ID", word) // by which the proxy knows it
		system, err := cloud.Open(ctx)
		if err != nil {
			return nil, err
		}
		system.Log = slog.New(slog.NewJSONHandler(logged{c}, nil))
		system.Machines = answering.Elsewhere{Workflows: started{c}}
		system.Compose()
		c.function[word] = system
	}
	if c.extract, err = c.machine("extract"); err != nil {
		return nil, err
	}
	c.answer, err = c.machine("answer")
	return c, err
}

func (c *counting) machine(name string) (*asl.Machine, error) {
	definition, err := infra.Machine(name)
	if err != nil {
		return nil, err
	}
	return asl.Parse(name, definition, c.task)
}

func makeTable(ctx context.Context, db *dynamodb.Client, name string) error {
	_, err := db.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: &name,
		BillingMode: dynamodbtypes.BillingModePayPerRequest,
		AttributeDefinitions: []dynamodbtypes.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: dynamodbtypes.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: dynamodbtypes.ScalarAttributeTypeS}},
		KeySchema: []dynamodbtypes.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: dynamodbtypes.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: dynamodbtypes.KeyTypeRange}}})
	return err
}

// logged counts what the functions log.
type logged struct{ c *counting }

func (l logged) Write(p []byte) (int, error) {
	l.c.add("logs.bytes", float64(len(p)))
	return len(p), nil
}

// started remembers the input of the machine; ask runs it.
type started struct{ c *counting }

func (s started) Start(_ context.Context, _ string, _ wstk.RunID, input json.RawMessage) error {
	s.c.input = input
	return nil
}

// called counts one call of a function that took this long.
func (c *counting) called(took time.Duration) {
	c.add("lambda.requests", 1)
	c.add("lambda.gb_seconds", memoryGB*took.Seconds())
	c.add("logs.bytes", lambdaLog)
	c.add("xray.traces", traced)
}

// transitions are the states that a task's own is entered with, by word and step: those
// that choose and pass on, and the Map.
var transitions = map[string]float64{"recall": 3, "partition": 1, "claims": 3, "verify": 1,
	"bucket": 1, "reply": 1, "failed": 3}

func (c *counting) task(resource string) (asl.Task, error) {
	word, ok := strings.CutSuffix(strings.TrimPrefix(resource, "${"), "Function}")
	if !ok {
		return nil, fmt.Errorf("%s names no function", resource)
	}
	word = strings.ToLower(word)
	do := event.Task(c.function[word].App, word)
	return func(ctx context.Context, input json.RawMessage) (any, error) {
		var in answering.Extracting
		if err := json.Unmarshal(input, &in); err != nil {
			return nil, err
		}
		began := time.Now()
		out, err := do(ctx, input)
		c.called(time.Since(began))
		n := transitions[word]
		if n == 0 {
			n = transitions[in.Step]
		}
		c.add("states.transitions", n)
		return out, err
	}, nil
}

// crawl takes a site in and returns how many pages it stored.
func (c *counting) crawl(ctx context.Context, root string) (int, error) {
	began := time.Now()
	run, site, err := c.function["api"].Crawling.Begin(ctx, crawling.IngestRequest{URL: root})
	if err != nil {
		return 0, err
	}
	c.called(time.Since(began))
	c.add("api.requests", 1)
	working, done := context.WithCancelCause(ctx)
	defer done(nil)
	var group sync.WaitGroup
	for word, n := range workers {
		for range n {
			group.Go(func() {
				if err := c.work(working, word); working.Err() == nil {
					done(err)
				}
			})
		}
	}
	for working.Err() == nil {
		select {
		case <-working.Done():
		case <-time.After(time.Second):
		}
		if run, err = c.watch.Runs.Get(ctx, run.ID); err != nil || run.State.Terminal() {
			done(err)
		}
	}
	group.Wait()
	if cause := context.Cause(working); cause != nil && !errors.Is(cause, context.Canceled) {
		return 0, cause
	}
	pages, err := c.watch.Pages.Count(ctx, site.ID)
	fmt.Fprintf(os.Stderr, "cost: %d pages, %s\n", pages, run.State)
	return pages, err
}

// work is Lambda's poller of one queue. It ends with an error, that of ctx if all went well.
func (c *counting) work(ctx context.Context, word string) error {
	handle := event.Queue(c.function[word].App, word)
	q := aws.String(c.queues[word])
	for {
		got, err := c.messages.ReceiveMessage(ctx,
			&sqs.ReceiveMessageInput{QueueUrl: q, MaxNumberOfMessages: batches[word],
				WaitTimeSeconds: 1, MessageAttributeNames: []string{"All"}})
		if err != nil {
			return err
		}
		if len(got.Messages) == 0 {
			continue
		}
		var e events.SQSEvent
		var gone []sqstypes.DeleteMessageBatchRequestEntry
		for _, m := range got.Messages {
			record := events.SQSMessage{MessageId: *m.MessageId, Body: *m.Body,
				MessageAttributes: map[string]events.SQSMessageAttribute{}}
			for name, a := range m.MessageAttributes {
				record.MessageAttributes[name] =
					events.SQSMessageAttribute{StringValue: a.StringValue, DataType: *a.DataType}
			}
			e.Records = append(e.Records, record)
			gone = append(gone, sqstypes.DeleteMessageBatchRequestEntry{Id: m.MessageId,
				ReceiptHandle: m.ReceiptHandle})
		}
		began := time.Now()
		out, err := handle(ctx, e)
		c.called(time.Since(began))
		c.add("sqs.requests", 2) // receive and delete
		if err != nil || len(out.BatchItemFailures) > 0 {
			return fmt.Errorf("%s failed: %v %v", word, out.BatchItemFailures, err)
		}
		if _, err := c.messages.DeleteMessageBatch(ctx,
			&sqs.DeleteMessageBatchInput{QueueUrl: q, Entries: gone}); err != nil {
			return err
		}
	}
}

// vendors are three search services that know ten pages each, some of them the same.
func vendors() *wstktest.Vendors {
	knows := func(from int) (a wstktest.VendorAnswer) {
		for i := range 10 {
			a.URLs = append(a.URLs, fmt.Sprintf("https://www.example-%d.example/topics/an-address-of-ordinary-length/%d.html", (from+i)%5, from+i))
		}
		a.Title = strings.Repeat("A title, and as many words beside it as vendors give. ", 3)
		return a
	}
	return &wstktest.Vendors{Serper: knows(0), Google: knows(4), Brave: knows(8)}
}

// queries reads the questions of a file.
func queries(file string) (list []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, 1<<20))
	for lines.Scan() {
		var q struct{ Query string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, err
		}
		list = append(list, q.Query)
	}
	return list, lines.Err()
}

// search makes a search run of each question of a file, reads it, and returns how many
// there were.
func (c *counting) search(ctx context.Context, file string) (n int, err error) {
	list, err := queries(file)
	for _, query := range list {
		began := time.Now()
		run, err := c.function["api"].Searching.CreateRun(ctx,
			searching.RunRequest{Query: query})
		if err != nil {
			return n, err
		}
		c.called(time.Since(began))
		began = time.Now()
		if _, err := c.function["api"].Searching.GetRun(ctx, run.ID, false); err != nil {
			return n, err
		}
		c.called(time.Since(began))
		c.add("api.requests", 2)
		n++
	}
	fmt.Fprintf(os.Stderr, "cost: %d search runs\n", n)
	return n, err
}

// ask asks each question of a file and returns how many there were.
func (c *counting) ask(ctx context.Context, file string) (n int, err error) {
	list, err := queries(file)
	for _, query := range list {
		began := time.Now()
		run, err := c.function["api"].Answering.StartExtraction(ctx,
			wstk.AskQuery{Query: query, Strict: true})
		if err != nil {
			return n, err
		}
		c.called(time.Since(began))
		c.add("states.transitions", 1)
		if _, err := c.extract.Run(ctx, string(run.ID), c.input); err != nil {
			return n, err
		}
		for range polls {
			began := time.Now()
			if _, err := c.function["api"].Answering.Extraction(ctx, run.ID); err != nil {
				return n, err
			}
			c.called(time.Since(began))
		}
		c.add("api.requests", 1+polls)
		n++
	}
	fmt.Fprintf(os.Stderr, "cost: %d questions\n", n)
	return n, err
}

// others calls the functions that neither a crawl nor a question needs, to see what they
// use, and asks about pages that are not stored.
func (c *counting) others(ctx context.Context, root string) error {
	if _, err := c.function["sweep"].Crawling.SweepAll(ctx); err != nil {
		return err
	}
	status, err := c.function["api"].Crawling.Status(ctx, root)
	if err != nil {
		return err
	}
	for _, task := range []string{`{"step":"due"}`,
		`{"step":"site","site_id":"` + string(status.Site.ID) + `"}`} {
		if _, err := c.function["refresh"].Task("refresh")(ctx, json.RawMessage(task)); err != nil {
			return err
		}
	}
	if _, err := c.function["sweep"].Crawling.SweepAll(ctx); err != nil { // the refresh is open
		return err
	}
	page := "<title>Pump</title><main><h1>Pump station</h1><p>The pump has moved 40 litres a " +
		"second since 2019.</p></main>"
	if _, err := c.function["upload"].Answering.Provide(ctx,
		answering.Upload{Name: "pump.html", URL: "s3://" + bucket + "/inbox/pump.html",
			Body: []byte(page),
			Type: "text/html", Request: []byte(
				`{"query": "How many litres does the pump move?"}`)}); err != nil {
		return err
	}
	if _, err := c.extract.Run(ctx, "upload", c.input); err != nil {
		return err
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, page)
	}))
	defer other.Close()
	if _, err := c.function["api"].Answering.StartExtraction(ctx,
		wstk.AskQuery{Query: "How many litres does the pump move?",
			From: []string{other.URL + "/pump"}, Strict: true}); err != nil {
		return err
	}
	if _, err := c.extract.Run(ctx, "named", c.input); err != nil {
		return err
	}
	run, err := c.function["api"].Answering.StartAnswer(ctx, wstk.AnswerQuery{Strict: true,
		URL: other.URL + "/", Question: "How many litres does the pump move?"})
	if err != nil {
		return err
	}
	if _, err := c.answer.Run(ctx, "answer", c.input); err != nil {
		return err
	}
	x, err := c.function["api"].Answering.Answer(ctx, run.ID)
	if err == nil && !x.HasAnswer() {
		err = fmt.Errorf("the pump was not found: %v", x.Run.Reasons)
	}
	return err
}
