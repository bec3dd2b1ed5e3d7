package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"golang.org/x/sync/errgroup"
)

// tokens calls routes without a token.
func (e *e2e) tokens(ctx context.Context) error {
	var described struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := e.api.call(ctx, "GET", "/openapi.json", nil, &described, 200); err != nil {
		return err
	}
	routes := 0
	for path, methods := range described.Paths {
		for method, data := range methods {
			var spec struct {
				Security *[]any `json:"security"` // of open routes: an empty list
			}
			if method == "parameters" || json.Unmarshal(data, &spec) != nil {
				continue
			}
			want := 401
			if spec.Security != nil && len(*spec.Security) == 0 {
				want = 200
			}
			got, err := e.api.withoutToken(ctx, strings.ToUpper(method), path)
			if err != nil {
				return err
			}
			if got != want {
				return fmt.Errorf("%s %s without a token answers %d, not %d",
					method, path, got, want)
			}
			routes++
		}
	}
	e.step("  %d routes", routes)
	return nil
}

// poison sends a message that no worker can do anything with.
func (e *e2e) poison(ctx context.Context) error {
	cfg, err := e.config(ctx)
	if err != nil {
		return err
	}
	_, err = sqs.NewFromConfig(cfg).SendMessage(ctx,
		&sqs.SendMessageInput{QueueUrl: aws.String(e.queues["SummarizeQueue"]),
			MessageBody: aws.String(`{"run_id": 7`)})
	return err
}

// dead looks for the poison where messages end that failed too often.
func (e *e2e) dead(ctx context.Context) error {
	cfg, err := e.config(ctx)
	if err != nil {
		return err
	}
	client := sqs.NewFromConfig(cfg)
	return until(ctx, time.Second, func() (bool, error) {
		for name, u := range e.queues {
			if !strings.HasSuffix(name, "DeadQueue") {
				continue
			}
			out, err := client.GetQueueAttributes(ctx,
				&sqs.GetQueueAttributesInput{QueueUrl: &u,
					AttributeNames: []types.QueueAttributeName{"ApproximateNumberOfMessages"}})
			if err != nil {
				return false, err
			}
			n := out.Attributes["ApproximateNumberOfMessages"]
			if name != "SummarizeDeadQueue" && n != "0" {
				return false, fmt.Errorf("%s messages are in %s", n, name)
			}
			if name == "SummarizeDeadQueue" && n == "1" {
				return true, nil
			}
		}
		return false, nil
	})
}

type run struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	State   string   `json:"state"`
	Reasons []string `json:"reasons"`
}

type siteStatus struct {
	Site struct {
		ID string `json:"id"`
	} `json:"site"`
	Run        run        `json:"run"`
	Accounting accounting `json:"accounting"`
	Pages      int        `json:"pages"`
}

// ended waits until the newest run of a site has ended.
func (e *e2e) ended(
	ctx context.Context, id string, progress func(siteStatus),
) (st siteStatus, err error) {
	err = until(ctx, time.Second, func() (bool, error) {
		if err := e.api.call(ctx, "GET", "/sites/"+id, nil, &st, 200); err != nil {
			return false, err
		}
		if progress != nil {
			progress(st)
		}
		return st.Run.State != "running", nil
	})
	return st, err
}

// crawl ingests the site through the API and kills a fetch function on the way. All the
// same every URL has one outcome, the same as on one machine.
func (e *e2e) crawl(ctx context.Context, site *site, home *home) error {
	site.visits()
	var begun siteStatus
	if err := e.api.call(ctx, "POST", "/sites", map[string]any{"url": site.url, "rate_limit_ms": 0},
		&begun, 202); err != nil {
		return err
	}
	if err := e.api.call(ctx, "POST", "/sites", map[string]any{"url": site.url}, nil,
		409); err != nil {
		return fmt.Errorf("a second crawl of the site: %w", err)
	}
	started := time.Now()
	killed, told := 0, 0
	st, err := e.ended(ctx, begun.Site.ID, func(st siteStatus) {
		if killed == 0 && st.Accounting["fetched"] >= 10 {
			killed = killOne("Fetch")
			e.step("  %d pages; killed process %d of a fetch function",
				st.Accounting["fetched"], killed)
		}
		if n := st.Accounting["fetched"]; n >= told+25 {
			told = n
			e.step("  %d pages, %d URLs, %d open", n, st.Accounting["discovered"],
				st.Accounting["open"])
		}
	})
	if err != nil {
		return err
	}
	took := time.Since(started)
	_, most, _ := site.visits()
	want, err := home.accounting(ctx, site.url)
	if err != nil {
		return err
	}
	e.step("  %s: %d of %d URLs fetched, %.1f pages/s, at most %d request at once", st.Run.State,
		st.Accounting["fetched"], st.Accounting["discovered"],
		float64(st.Accounting["fetched"])/took.Seconds(), most)
	switch {
	case killed == 0:
		return errors.New("no fetch function was found to kill")
	case !st.Accounting.balanced():
		return fmt.Errorf("the accounting does not add up: %v", st.Accounting)
	case !maps.Equal(st.Accounting, want):
		return fmt.Errorf("the outcomes differ:\n cloud %v\n home  %v", st.Accounting, want)
	case most > 1:
		return fmt.Errorf("%d requests were in flight at once", most)
	}
	memory := peaks()
	e.step("  peak memory in MB: %v", memory)
	for _, name := range []string{"Fetch", "Index"} {
		if memory[name] == 0 || memory[name] > 128 {
			return fmt.Errorf("%s took %d MB", name, memory[name])
		}
	}
	return nil
}

// extraction asks the API and waits for the answer.
func (e *e2e) extraction(ctx context.Context, body map[string]any) (a answer, err error) {
	var begun struct {
		Run run `json:"run"`
	}
	if err := e.api.call(ctx, "POST", "/extractions", body, &begun, 202); err != nil {
		return a, err
	}
	err = until(ctx, 300*time.Millisecond, func() (bool, error) {
		var got struct {
			Run run `json:"run"`
			answer
		}
		if err := e.api.call(ctx, "GET", "/extractions/"+begun.Run.ID, nil, &got, 200); err != nil {
			return false, err
		}
		if got.Run.State != "running" && got.Run.State != "complete" {
			return false, fmt.Errorf("%s: %v", got.Run.State, got.Run.Reasons)
		}
		a = got.answer
		return got.Run.State == "complete", nil
	})
	return a, err
}

// compared are the answers of both homes to one question.
type compared struct {
	cloud, local           string // whole, without times of fetching
	cloudFirst, localFirst string // the first quote
}

// both asks both homes.
func (e *e2e) both(
	ctx context.Context, home *home, q question, pages []string,
) (c compared, err error) {
	args, body := []string{"ask", q.Query}, map[string]any{"query": q.Query}
	for _, p := range pages {
		args = append(args, "--from", p)
	}
	if len(pages) > 0 {
		body["urls"] = pages
	}
	var local answer
	if err := home.json(ctx, &local, args...); err != nil {
		return c, fmt.Errorf("%s: %w", q.ID, err)
	}
	cloud, err := e.extraction(ctx, body)
	if err != nil {
		return c, fmt.Errorf("%s: %w", q.ID, err)
	}
	var errs [4]error
	c.cloud, errs[0] = cloud.plain()
	c.local, errs[1] = local.plain()
	c.cloudFirst, errs[2] = cloud.first()
	c.localFirst, errs[3] = local.first()
	return c, errors.Join(errs[:]...)
}

// atOnce is how many questions are asked at the same time.
const atOnce = 2

// ask asks every question in both homes and compares the first quotes.
func (e *e2e) ask(ctx context.Context, home *home, questions []question) error {
	var mu sync.Mutex
	same, equal := 0, 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, q := range questions {
		group.Go(func() error {
			c, err := e.both(ctx, home, q, nil)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if c.cloudFirst == c.localFirst {
				same++
			} else {
				e.step("  %s differs\n    cloud: %s\n    home:  %s", q.ID,
					c.cloudFirst, c.localFirst)
			}
			if c.cloud == c.local {
				equal++
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	e.step("  the same first quote for %d of %d questions, the whole answer byte for byte for %d",
		same, len(questions), equal)
	if same < len(questions)-2 {
		return fmt.Errorf("%d first quotes differ", len(questions)-same)
	}
	return nil
}

// samePages names the pages to ask, so that both homes have the same before them.
func (e *e2e) samePages(ctx context.Context, home *home, site *site, questions []question) error {
	asked := 0
	for _, q := range questions {
		if len(q.Pages) == 0 || asked == 8 {
			continue
		}
		asked++
		var pages []string
		for _, p := range q.Pages {
			pages = append(pages, site.url+strings.TrimPrefix(p, "/"))
		}
		c, err := e.both(ctx, home, q, pages)
		if err != nil {
			return err
		}
		if c.cloud != c.local {
			return fmt.Errorf("%s differs:\n--- cloud\n%s\n--- home\n%s", q.ID, c.cloud, c.local)
		}
	}
	e.step("  %d answers, equal byte for byte", asked)
	return nil
}

// upload puts a page and its question into the inbox and waits for the answer in the
// outbox.
func (e *e2e) upload(ctx context.Context) error {
	cfg, err := e.config(ctx)
	if err != nil {
		return err
	}
	objects := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true })
	put := func(key, contentType, body string) error {
		_, err := objects.PutObject(ctx, &s3.PutObjectInput{Bucket: &e.bucket, Key: &key,
			Body: strings.NewReader(body), ContentType: &contentType})
		return err
	}
	const sentence = "The harbour pool opens at 7:30 in the morning from May to September."
	if err := errors.Join(
		put("inbox/pool.html.request.json", "application/json",
			`{"query": "When does the harbour pool open in the morning?"}`),
		put("inbox/pool.html", "text/html",
			"<html lang=en><title>Harbour pool</title><h1>Harbour pool</h1><p>"+sentence+
				"</p><p>Towels can be hired at the desk.</p>"),
		put("inbox/odd.txt.request.json", "application/json", `{"question": "?"}`),
		put("inbox/odd.txt", "text/plain", "Some text."),
	); err != nil {
		return err
	}
	get := func(key string) (data string, err error) {
		err = until(ctx, 500*time.Millisecond, func() (bool, error) {
			out, err := objects.GetObject(ctx, &s3.GetObjectInput{Bucket: &e.bucket, Key: &key})
			if err != nil {
				return false, nil // not there yet
			}
			defer out.Body.Close()
			var b strings.Builder
			buf := make([]byte, 64<<10)
			for {
				n, err := out.Body.Read(buf)
				b.Write(buf[:n])
				if err != nil {
					data = b.String()
					return true, nil
				}
			}
		})
		return data, err
	}
	data, err := get("outbox/pool.html.result.json")
	if err != nil {
		return err
	}
	var result answer
	if err := json.Unmarshal([]byte(data), &result); err != nil {
		return err
	}
	quote, err := result.first()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(quote, sentence+" — s3://"+e.bucket+"/inbox/pool.html") {
		return fmt.Errorf("the answer is %q in %s", quote, tail(data))
	}
	e.step("  “%s”", quote)
	if data, err = get("outbox/odd.txt.result.json"); err != nil {
		return err
	}
	if !strings.Contains(data, `"invalid"`) {
		return fmt.Errorf("an invalid request was answered by %s", data)
	}
	return nil
}

// polite crawls a few pages of another host with a distance between requests.
func (e *e2e) polite(ctx context.Context, folder string) error {
	const distance = 700 * time.Millisecond
	slow := serve(folder)
	defer slow.close()
	var begun siteStatus
	if err := e.api.call(ctx, "POST", "/sites",
		map[string]any{"url": slow.url, "rate_limit_ms": distance.Milliseconds(), "max_pages": 8},
		&begun, 202); err != nil {
		return err
	}
	st, err := e.ended(ctx, begun.Site.ID, nil)
	if err != nil {
		return err
	}
	e.small = small{id: begun.Site.ID, url: slow.url}
	arrivals, most, _ := slow.visits()
	least := time.Hour
	for i := 1; i < len(arrivals); i++ {
		least = min(least, arrivals[i].Sub(arrivals[i-1]))
	}
	e.step("  %d requests, at most %d at once, at least %s apart", len(arrivals), most,
		least.Round(time.Millisecond))
	switch {
	case !st.Accounting.balanced():
		return fmt.Errorf("the accounting does not add up: %v", st.Accounting)
	case most > 1 || len(arrivals) < 8:
		return fmt.Errorf("%d requests, %d at once", len(arrivals), most)
	case least < distance*8/10: // a request is on its way for a moment
		return fmt.Errorf("requests were %s apart, asked for was %s", least, distance)
	}
	return nil
}

// refreshed waits for a run that the schedule began.
func (e *e2e) refreshed(ctx context.Context, site *site) error {
	site.visits()
	var listed struct {
		Sites []siteStatus `json:"sites"`
	}
	id := ""
	if err := e.api.call(ctx, "GET", "/sites", nil, &listed, 200); err != nil {
		return err
	}
	for _, s := range listed.Sites {
		if s.Pages > 50 {
			id = s.Site.ID
		}
	}
	var st siteStatus
	err := until(ctx, time.Second, func() (bool, error) {
		err := e.api.call(ctx, "GET", "/sites/"+id, nil, &st, 200)
		return st.Run.Kind == "refresh" && st.Run.State != "running", err
	})
	if err != nil {
		return err
	}
	e.step("  %s: %v", st.Run.State, st.Accounting)
	if !st.Accounting.balanced() || st.Accounting["not_modified"] < 50 {
		return fmt.Errorf("a refresh of a site that did not change: %v", st.Accounting)
	}
	return nil
}
