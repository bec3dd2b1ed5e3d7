package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/wstk"
)

// slowSite serves a root with links to pages that answer once they are released, and tells which
// were asked for, and for which the client gave up.
type slowSite struct {
	*httptest.Server
	asked, left chan string
	release     func()
}

func newSlowSite(t *testing.T) *slowSite {
	t.Helper()
	s := &slowSite{asked: make(chan string, 100), left: make(chan string, 100)}
	open := make(chan struct{})
	s.release = sync.OnceFunc(func() { close(open) })
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
			return
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<title>Slow</title><p>The pump of the slow site moves forty litres a minute.</p><a href="/wait.html">wait</a>`)
			return
		}
		s.asked <- r.URL.Path
		select {
		case <-open:
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<title>Late</title><p>The late pump weighs 12 kg, and that is all there is to say.</p>")
		case <-r.Context().Done():
			s.left <- r.URL.Path
		}
	}))
	t.Cleanup(func() { s.release(); s.Close() })
	return s
}

// soon waits for something that must happen.
func soon[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(20 * time.Second):
		t.Fatalf("it never came: %s", what)
	}
	return v
}

// progressCall calls a tool and asks for progress.
func (h *host) progressCall(ctx context.Context, name, arguments string) (*sdk.CallToolResult, error) {
	p := &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)}
	p.SetProgressToken("of-" + name)
	return h.client.CallTool(ctx, p)
}

// A crawl that is still going on when the time of the call is over goes on, and says how to wait.
func TestALongCrawlGoesOn(t *testing.T) {
	site := newSlowSite(t)
	h := newHost(t, newApp(t), 300*time.Millisecond)
	h.site = site.URL
	st := h.ok("ingest", `{"url": "$SITE/"}`)
	if at(st, "run.state") != "running" || !strings.Contains(fmt.Sprint(st["next_steps"]), `ingest {"url": "`+site.URL+`/", "status": true}`) {
		t.Errorf("a crawl that goes on: %v", st)
	}
	if again := h.ok("ingest", `{"url": "$SITE/"}`); at(again, "run.id") != at(st, "run.id") {
		t.Errorf("another crawl was begun: %v", again)
	}
	site.release()
	for end := time.Now().Add(20 * time.Second); at(st, "run.state") == "running"; {
		if time.Now().After(end) {
			t.Fatal("it never ends")
		}
		st = h.ok("ingest", `{"url": "$SITE/", "status": true}`)
	}
	if st["pages"] != 2.0 {
		t.Errorf("the end: %v", st)
	}
}

// An answer that takes longer than a call is waited for with its cursor.
func TestALongAnswerGoesOn(t *testing.T) {
	site := newSlowSite(t)
	h := newHost(t, newApp(t), 300*time.Millisecond)
	h.site = site.URL
	x := h.ok("ask", `{"query": "What does the late pump weigh?", "urls": ["$SITE/wait.html"]}`)
	cursor, _ := x["next_cursor"].(string)
	if at(x, "run.state") != "running" || cursor != at(x, "run.id") || len(x["next_steps"].([]any)) != 1 {
		t.Fatalf("an answer that is not done: %v", x)
	}
	site.release()
	for end := time.Now().Add(20 * time.Second); x["next_cursor"] != nil; {
		if time.Now().After(end) {
			t.Fatal("it never ends")
		}
		x = h.ok("ask", fmt.Sprintf(`{"query": "What does the late pump weigh?", "cursor": %q}`, cursor))
	}
	if !strings.Contains(fmt.Sprint(at(x, "extractions.0.statements")), "12 kg") {
		t.Errorf("the answer: %v", x)
	}
}

// An answer about a page that takes longer than a call is waited for with its cursor. Until it is
// done, nothing of it is shown.
func TestALongAnswerAboutAPageGoesOn(t *testing.T) {
	site := newSlowSite(t)
	h := newHost(t, newApp(t), 300*time.Millisecond)
	h.site = site.URL
	x := h.ok("answer", `{"url": "$SITE/", "query": "What does the late pump weigh?"}`)
	again := fmt.Sprintf(`answer {"cursor":%q,"query":"What does the late pump weigh?","url":%q}`,
		x["next_cursor"], h.site+"/")
	if at(x, "run.state") != "running" || x["next_cursor"] != at(x, "run.id") || x["content"] != "" ||
		len(x["extractions"].([]any))+len(x["references"].([]any)) != 0 ||
		!strings.HasSuffix(fmt.Sprint(at(x, "next_steps.0")), again) {
		t.Fatalf("an answer that is not done: %v\nwant the step %s", x, again)
	}
	site.release()
	for end := time.Now().Add(20 * time.Second); x["next_cursor"] != nil; {
		if time.Now().After(end) {
			t.Fatal("it never ends")
		}
		_, arguments, _ := strings.Cut(fmt.Sprint(at(x, "next_steps.0")), "answer ")
		x = h.ok("answer", arguments)
	}
	if !strings.Contains(fmt.Sprint(x["content"]), "12 kg") || len(x["turns"].([]any)) < 2 {
		t.Errorf("the answer: %v", x)
	}
}

// Who cancels a call stops what it began: the site is left alone, and the run ends as cancelled.
func TestCancelStopsTheWork(t *testing.T) {
	for name, arguments := range map[string]string{
		"ingest": `{"url": "$SITE/"}`,
		"ask":    `{"query": "What does it weigh?", "urls": ["$SITE/wait.html"]}`,
		"answer": `{"url": "$SITE/", "query": "What does the late pump weigh?"}`,
		"fetch":  `{"id": "$SITE/wait.html"}`,
	} {
		t.Run(name, func(t *testing.T) {
			site := newSlowSite(t)
			h := newHost(t, newApp(t), waitHere)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := h.progressCall(ctx, name, strings.ReplaceAll(arguments, "$SITE", site.URL))
				ended <- err
			}()
			soon(t, "the page was asked for", site.asked)
			cancel()
			if err := soon(t, "the call ends", ended); err == nil {
				t.Error("the call returned a reply")
			}
			soon(t, "the site is left", site.left)
			if name == "fetch" {
				return
			}
			kind := map[string]wstk.RunKind{"ingest": wstk.RunIngest, "ask": wstk.RunExtraction,
				"answer": wstk.RunAnswer}[name]
			for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
				runs, _, err := h.app.Runs.List(t.Context(), wstk.RunFilter{Kind: kind}, "", 10)
				if err != nil || len(runs) != 1 {
					t.Fatalf("%d runs, %v", len(runs), err)
				}
				if runs[0].State == wstk.RunCancelled {
					break
				}
				if runs[0].State.Terminal() || time.Now().After(end) {
					t.Fatalf("the run is %s", runs[0].State)
				}
			}
		})
	}
}

// A client that asks for progress is told how far the work is, with numbers that grow.
func TestProgress(t *testing.T) {
	site := newSlowSite(t)
	h := newHost(t, newApp(t), waitHere)
	for name, arguments := range map[string]string{
		"ingest": `{"url": "$SITE/"}`,
		"ask":    `{"query": "What does the late pump weigh?", "urls": ["$SITE/wait.html"]}`,
		"answer": `{"url": "$SITE/", "query": "What does the late pump weigh?"}`,
	} {
		ended := make(chan error, 1)
		go func() {
			_, err := h.progressCall(t.Context(), name, strings.ReplaceAll(arguments, "$SITE", site.URL))
			ended <- err
		}()
		first := soon(t, "the first progress of "+name, h.told)
		for first.ProgressToken != "of-"+name { // the last word of the call before
			first = soon(t, "the first progress of "+name, h.told)
		}
		if first.Message == "" || first.Progress <= 0 {
			t.Errorf("%s tells %+v", name, first)
		}
		site.release()
		if err := soon(t, "the end of "+name, ended); err != nil {
			t.Error(err)
		}
		last := first.Progress
		for turn := name != "answer"; !turn || len(h.told) > 0; {
			next := soon(t, "a turn of "+name, h.told)
			turn = turn || strings.HasPrefix(next.Message, "turn 1: ")
			if next.Progress <= last || next.ProgressToken != first.ProgressToken {
				t.Errorf("%s: progress %v after %v", name, next.Progress, last)
			} else {
				last = next.Progress
			}
		}
	}
}

// An answer of many parts comes in pieces that fit the tokens, none lost and none twice.
func TestManyPartsComeInPieces(t *testing.T) {
	parts := make([]map[string]string, 100)
	for i := range parts {
		parts[i] = map[string]string{"n": fmt.Sprint(i), "words": strings.Repeat("word ", 300)}
	}
	seen, from := 0, 0
	for pieces := 0; ; pieces++ {
		part, next, err := page(parts, from, pageTokens)
		if err != nil || len(part) == 0 || len(part) > 30 {
			t.Fatalf("piece %d has %d parts: %v", pieces, len(part), err)
		}
		for _, p := range part {
			if p["n"] != fmt.Sprint(seen) {
				t.Fatalf("part %s comes as number %d", p["n"], seen)
			}
			seen++
		}
		if from = next; next == 0 {
			break
		}
	}
	if seen != len(parts) {
		t.Errorf("%d parts of %d", seen, len(parts))
	}
	huge := []map[string]string{{"words": strings.Repeat("word ", 50_000)}, {"n": "1"}}
	if part, next, err := page(huge, 0, pageTokens); len(part) != 1 || next != 1 || err != nil {
		t.Errorf("a part that is over the limit alone: %d parts, next %d, %v", len(part), next, err)
	}
	for _, from := range []int{-1, 100, 101} {
		if _, _, err := page(parts, from, pageTokens); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("from %d: %v", from, err)
		}
	}
}
