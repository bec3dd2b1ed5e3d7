package local_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/wstk"
)

// inbox is where the messages of an App arrive.
func inbox(a *app.App) local.Inbox { return a.Backlog.(local.Inbox) }

// worker works on the crawls of an App in this process.
func worker(a *app.App) *local.Worker {
	return a.Dispatch.(crawling.InProcess).Worker.(*local.Worker)
}

// repeating does the work of every message once more after it was done, and notes
// the messages.
type repeating struct {
	local.Inbox
	app  *app.App
	t    *testing.T
	mu   *sync.Mutex
	seen *[]wstk.Message
}

func (r repeating) Receive(ctx context.Context, queue string) (wstk.Message, func(error), error) {
	m, done, err := r.Inbox.Receive(ctx, queue)
	if err != nil {
		return m, done, err
	}
	return m, func(result error) {
		if result == nil && ctx.Err() == nil {
			r.mu.Lock()
			*r.seen = append(*r.seen, m)
			r.mu.Unlock()
			next, err := r.app.Crawling.Route(queue)(ctx, m.Body)
			if err == nil {
				err = r.app.Queue.Send(ctx, next...)
			}
			if err != nil && ctx.Err() == nil {
				r.t.Errorf("%s once more: %v", queue, err)
			}
		}
		done(result)
	}, nil
}

// Law 6: a message that comes again after its work was done asks the site for nothing,
// stores nothing and brings nothing new, during the crawl and after it.
func TestDoneMessagesDoNothing(t *testing.T) {
	ctx := context.Background()
	crawl := func(
		again bool,
	) (a *app.App, site *web, res crawling.IngestResult, seen []wstk.Message) {
		site = quick()
		root := serve(t, site)
		a = open(t, testConfig(t))
		if again {
			worker(a).Inbox = repeating{inbox(a), a, t, &sync.Mutex{}, &seen}
		}
		res = ingest(t, a, root+"/")
		return a, site, res, seen
	}
	a, site, res, _ := crawl(false)
	want := held(t, a, site, res)
	a, site, res, seen := crawl(true)
	if got := held(t, a, site, res); got != want {
		t.Errorf("each message once: %s\neach twice:        %s", want, got)
	}
	if len(seen) < 15 {
		t.Fatalf("only %d messages", len(seen))
	}
	for left := 10 * len(seen); len(seen) > 0; left-- { // and whatever they bring, to the end
		m := seen[0]
		next, err := a.Crawling.Route(m.Queue)(ctx, m.Body)
		if err != nil || left == 0 {
			t.Fatalf("after the end, %s %s: %v, %d to come", m.Queue, m.Body, err, len(next))
		}
		seen = append(seen[1:], next...)
	}
	if got := held(t, a, site, res); got != want {
		t.Errorf("once more after the end: %s\nbefore:                  %s", got, want)
	}
}

// held is what a crawl asked for and left behind, in figures.
func held(t *testing.T, a *app.App, site *web, res crawling.IngestResult) string {
	t.Helper()
	ctx := context.Background()
	pages, _, err := a.Pages.List(ctx, res.Site.ID, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	snapshots := 0
	for _, p := range pages {
		list, err := a.Snapshots.List(ctx, p.URL, 100)
		if err != nil {
			t.Fatal(err)
		}
		snapshots += len(list)
	}
	stats, err := a.Index.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	acc, err := a.Frontier.Accounting(ctx, res.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	counts, _ := json.Marshal(acc)
	return fmt.Sprintf("%d requests, %d pages, %d snapshots, index %+v, %s", site.hits.Load(), len(pages), snapshots, stats, counts)
}

// quick is the site without the page that is worth another try after a pause.
func quick() *web {
	w := pumps()
	delete(w.statuses, "/broken")
	return w
}

// Law 7: messages carry keys. None holds words of a page, and none is larger for a
// larger page.
func TestMessagesCarryKeysNotBytes(t *testing.T) {
	site := quick()
	site.pages["/p9"] = page("The P-9 pump", "<p>"+string(bytes.Repeat([]byte("The pressure of this pump is 9 bar at every hour of the day. "), 2000))+"</p>")
	root := serve(t, site)
	a := open(t, testConfig(t))
	var seen []wstk.Message
	worker(a).Inbox = repeating{inbox(a), a, t, &sync.Mutex{}, &seen}
	ingest(t, a, root+"/")
	for _, m := range seen {
		if len(m.Body) > 1000 || bytes.Contains(m.Body, []byte("pressure")) ||
			bytes.Contains(m.Body, []byte("garden")) {
			t.Errorf("%s: %d bytes: %.300s", m.Queue, len(m.Body), m.Body)
		}
	}
}
