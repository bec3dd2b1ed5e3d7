package rest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// said is one event as a client reads it.
type said struct {
	id, kind string
	data     any
}

func (s said) String() string { return s.id + " " + s.kind }

// readEvents reads a stream as browsers do, to its end, and returns how long it asks to
// be left alone.
func readEvents(t testing.TB, body io.Reader) (events []said, retry string) {
	t.Helper()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 16<<20)
	var now said
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			now.id = value
		case "event":
			now.kind = value
		case "data":
			if err := json.Unmarshal([]byte(value), &now.data); err != nil {
				t.Errorf("%v: %s; want err == nil", err, value)
			}
		case "retry":
			retry = value
		case "":
			if lines.Text() == "" && now.kind != "" {
				events, now = append(events, now), said{}
			}
		default:
			t.Errorf("not a line of a stream: %q", lines.Text())
		}
	}
	return events, retry
}

func names(events []said) (out []string) {
	for _, e := range events {
		out = append(out, e.String())
	}
	return out
}

// staged is an extraction of which the test adds the parts.
func (h *home) staged() wstk.RunID {
	h.Helper()
	now := time.Now().UTC()
	id := wstk.NewRunID(now, nil)
	if err := h.app.Runs.Create(h.Context(),
		wstk.Run{ID: id, Kind: wstk.RunExtraction, State: wstk.RunRunning, Query: "q",
			StartedAt: now, UpdatedAt: now}); err != nil {
		h.Fatal(err)
	}
	return id
}

// part adds the result of a bucket: an extraction with a conflict and a gap, or a gap.
func (h *home) part(id wstk.RunID, n int, found bool) {
	h.Helper()
	data := `{"extraction": null, "gaps": [{"field": "f", "query": "q", "reason": "not_found"}], "pages": [], "of": 4}`
	if found {
		data = fmt.Sprintf(`{"extraction": {"title": "item %d", "content": "", "statements": [], "evidence": [], "sources": [], "unsupported": [],
			"gaps": [{"field": "f", "query": "q", "reason": "not_found"}], "conflicts": [{"topic": "weight"}]}, "gaps": null, "pages": [], "of": 4}`, n)
	}
	hash, err := h.app.Blobs.Put(h.Context(), []byte(data))
	if err == nil {
		err = h.app.Runs.AddPart(h.Context(), id, wstk.Part{N: n, Data: hash})
	}
	if err != nil {
		h.Fatal(err)
	}
}

func (h *home) end(id wstk.RunID) {
	h.Helper()
	if _, err := h.app.Runs.End(h.Context(), id,
		wstk.Run{State: wstk.RunPartial, Reasons: []string{"part 3 failed"}, EndedAt: time.Now().
			UTC()}); err != nil {
		h.Fatal(err)
	}
}

// Parts are told in the order of their numbers, whatever the order in which they came;
// what is behind a missing one waits for the end. Wherever a client stopped, it goes on
// behind that place, in any process.
func TestEventsAreAFunctionOfTheParts(t *testing.T) {
	h := open(t, Options{Buffered: true, Timeout: 300 * time.Millisecond})
	id := h.staged()
	told := func(after int) []said {
		t.Helper()
		other := &home{TB: t, app: h.app, h: New(h.app, []string{firstToken},
			Options{Buffered: true, Timeout: 300 * time.Millisecond})}
		w := other.call("GET", "/extractions/"+string(id)+"/events", nil, "Last-Event-ID", fmt.Sprint(after))
		if w.Code == 204 {
			return nil
		}
		if w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" || w.Header().Get("Content-Encoding") != "" {
			t.Fatalf("%d %v", w.Code, w.Header())
		}
		events, retry := readEvents(t, w.Body)
		if retry != "1000" {
			t.Errorf("retry: %q", retry)
		}
		return events
	}
	is := func(when string, after int, want ...string) {
		t.Helper()
		if got := names(told(after)); !slices.Equal(got, want) {
			t.Errorf("%s, after %d: %v, want %v", when, after, got, want)
		}
	}
	is("at the beginning", 0)
	h.part(id, 1, true)
	is("the first is missing", 0)
	h.part(id, 0, false)
	two := []string{"1 gap", "2 progress", "3 bucket", "4 conflict", "5 gap", "6 progress"}
	is("two parts", 0, two...)
	is("two parts", 3, two[3:]...)
	is("two parts", 6)
	h.part(id, 3, true) // of 2 there is none yet
	is("a hole", 0, two...)
	h.end(id)
	all := append(slices.Clone(two), "7 bucket", "8 conflict", "9 gap", "10 progress", "11 done")
	for after := range len(all) {
		is("at the end", after, all[after:]...)
	}
	is("all was heard", 11)
	is("more than all", 999999999)

	events := told(0)
	if got := get(events[1].data, "of"); got != 4.0 || get(events[1].data, "done") != 1.0 ||
		get(events[9].data, "done") != 3.0 {
		t.Errorf("progress: %v, %v", events[1].data, events[9].data)
	}
	if got := get(events[6].data, "extraction.title"); got != "item 3" || get(events[6].data, "n") != 3.0 {
		t.Errorf("bucket: %v", events[6].data)
	}
	if get(events[10].data, "run.state") != "partial" || get(events[10].data, "run.reasons.0") != "part 3 failed" {
		t.Errorf("done: %v", events[10].data)
	}
}

// A real extraction tells what its result says, and how far it is.
func TestEventsOfAnExtraction(t *testing.T) {
	h := newHome(t, Options{})
	h.ingest()
	id := get(h.json(202, "POST", "/extractions", `{"query": "What working pressure does the Mark 3 reach?"}`), "run.id").(string)
	w := h.call("GET", "/extractions/"+id+"/events", nil)
	events, retry := readEvents(t, w.Body)
	want := []string{"1 progress", "2 progress", "3 progress", "4 bucket", "5 progress", "6 done"}
	if got := names(events); w.Code != 200 || retry != "" || !slices.Equal(got, want) {
		t.Fatalf("%d %v, want %v", w.Code, got, want)
	}
	if q, _ := get(events[3].data, "extraction.evidence.0.quote").(string); !strings.Contains(q, "9 bar") {
		t.Errorf("%v; want strings.Contains(q, \"9 bar\")", events[3].data)
	}
	for i, stage := range []string{"recall", "partition", "extract"} {
		if get(events[i].data, "stage") != stage || get(events[i].data, "done") != 0.0 {
			t.Errorf("progress %d is %v, want the stage %s", i, events[i].data, stage)
		}
	}
	if get(events[0].data, "pages_of") != nil || get(events[1].data, "of") != nil ||
		get(events[2].data, "of") != 1.0 || get(events[2].data, "pages").(float64) < 1 {
		t.Errorf("progress: %v", events[:3])
	}
	progress := events[len(events)-2]
	if progress.kind != "progress" || get(progress.data, "done") != get(progress.data, "of") {
		t.Errorf("%v; want progress.kind == \"progress\" && get(progress.data, \"done\") == get(progress.data, \"of\")", progress)
	}
	if w := h.call("GET", "/extractions/"+id+"/events", nil, "Last-Event-ID", events[len(events)-1].id); w.Code != 204 || w.Body.Len() != 0 {
		t.Errorf("after the end: %d %s", w.Code, w.Body)
	}
	if w := h.call("HEAD", "/extractions/"+id+"/events", nil); w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD: %d %v", w.Code, w.Header())
	}
	for _, last := range []string{"x", "-1", "1.5", "1234567890", "1 2"} {
		if w := h.call("GET", "/extractions/"+id+"/events", nil, "Last-Event-ID", last); w.Code != 400 {
			t.Errorf("Last-Event-ID %q: %d", last, w.Code)
		}
	}
	h.json(404, "GET", "/extractions/run_00000000000000000000000000/events", nil)
	h.json(404, "GET", "/extractions/x/events", nil)
	h.json(400, "GET", "/extractions/"+id+"/events?after=1", nil)
}

// An extraction of named pages tells each page that was tried. The ids of its events are the
// same in any order in which its tasks are done, and when it is asked again after its end.
func TestEventsTellEachNamedPage(t *testing.T) {
	h := newHome(t, Options{})
	h.ingest()
	id := get(h.json(202, "POST", "/extractions", `{"query": "What working pressure does the Mark 3 reach?",
		"urls": ["`+h.site+`/mk3.html", "`+h.site+`/nothing.html"]}`), "run.id").(string)
	events, _ := readEvents(t, h.call("GET", "/extractions/"+id+"/events", nil).Body)
	var told []string
	for _, e := range events[:min(5, len(events))] {
		told = append(told, fmt.Sprint(e.id, " ", get(e.data, "stage"), " ", get(e.data, "pages"), "/", get(e.data, "pages_of")))
	}
	want := []string{"1 fetch 0/2", "2 fetch 1/2", "3 fetch 2/2", "4 partition 1/1", "5 extract 1/1"}
	if !slices.Equal(told, want) {
		t.Errorf("%v, want %v", told, want)
	}
	again, _ := readEvents(t, h.call("GET", "/extractions/"+id+"/events", nil).Body)
	if !slices.Equal(names(again), names(events)) {
		t.Errorf("%v, and after the end %v", names(events), names(again))
	}
}

// An extraction without an answer tells the nearest passages before it ends.
func TestEventsOfAnExtractionWithoutAnAnswer(t *testing.T) {
	h := newHome(t, Options{})
	h.ingest()
	id := get(h.json(202, "POST", "/extractions",
		`{"query": "Which museum shows the red lamp of a Mark 3?"}`), "run.id").(string)
	events, _ := readEvents(t, h.call("GET", "/extractions/"+id+"/events", nil).Body)
	if len(events) < 2 || events[len(events)-2].kind != "passages" {
		t.Fatalf("%v; want passages before done", events)
	}
	quote, _ := get(events[len(events)-2].data, "passages.0.evidence.quote").(string)
	x := h.json(200, "GET", "/extractions/"+id, nil)
	if get(x, "answered") != false || quote == "" ||
		quote != get(x, "passages.0.evidence.quote") {
		t.Errorf("%q, %v; want the passages of the result", quote, x)
	}
}

// live is a home behind a real server, whose time limits are short.
func live(t *testing.T) (*home, *httptest.Server) {
	h := open(t, Options{Timeout: 200 * time.Millisecond})
	server := httptest.NewUnstartedServer(h.h)
	server.Config.ReadTimeout, server.Config.WriteTimeout = 300*time.Millisecond,
		300*time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	return h, server
}

func listen(
	t *testing.T, ctx context.Context, server *httptest.Server, id wstk.RunID,
) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/extractions/"+string(id)+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+firstToken)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// A stream outlives the time limits of requests and tells things as they happen.
func TestAStreamStaysOpen(t *testing.T) {
	h, server := live(t)
	id := h.staged()
	res := listen(t, t.Context(), server, id)
	lines := bufio.NewReader(res.Body)
	time.Sleep(700 * time.Millisecond)
	h.part(id, 0, false)
	if line, err := lines.ReadString('\n'); err != nil || line != "id: 1\n" {
		t.Fatalf("%q, %v; want err == nil && line == \"id: 1\\n\"", line, err)
	}
	h.end(id)
	rest, err := io.ReadAll(lines)
	if err != nil || !strings.Contains(string(rest), "event: done\n") {
		t.Errorf("%v: %s; want err == nil && strings.Contains(string(rest), \"event: done\\n\")", err, rest)
	}
}

// Streams end with their clients, and when the server is about to stop.
func TestStreamsEnd(t *testing.T) {
	h, server := live(t)
	id := h.staged()
	open := func(want int32) {
		t.Helper()
		streams := &h.h.(*handler).streams
		for range 200 {
			if streams.Load() == want {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("%d streams are open, want %d", streams.Load(), want)
	}
	ctx, leave := context.WithCancel(t.Context())
	listen(t, ctx, server, id)
	stays := listen(t, t.Context(), server, id)
	open(2)
	leave()
	open(1)
	h.phase.Drain()
	if _, err := io.ReadAll(stays.Body); err != nil {
		t.Error(err)
	}
	open(0)
}

func TestStreamsAreBounded(t *testing.T) {
	h := open(t, Options{Buffered: true, Timeout: 50 * time.Millisecond})
	id := h.staged()
	h.h.(*handler).streams.Store(mostStreams - 1)
	if w := h.call("GET", "/extractions/"+string(id)+"/events", nil); w.Code != 200 {
		t.Errorf("the last: %d", w.Code)
	}
	h.h.(*handler).streams.Store(mostStreams)
	h.json(429, "GET", "/extractions/"+string(id)+"/events", nil)
	if n := h.h.(*handler).streams.Load(); n != mostStreams {
		t.Errorf("%d streams are counted", n)
	}
}

// Where replies are buffered one waits for something new, and ends as soon as it came.
func TestABufferedStreamWaits(t *testing.T) {
	h := open(t, Options{Buffered: true})
	id := h.staged()
	go func() {
		time.Sleep(300 * time.Millisecond)
		h.part(id, 0, false)
	}()
	started := time.Now()
	events, retry := readEvents(t, h.call("GET", "/extractions/"+string(id)+"/events", nil).Body)
	if took := time.Since(started); took > 5*time.Second || took < 300*time.Millisecond {
		t.Errorf("it took %v", took)
	}
	if got := names(events); !slices.Equal(got, []string{"1 gap", "2 progress"}) || retry != "1000" {
		t.Errorf("%v, retry %s", got, retry)
	}
}

// A buffered reply stays under what API Gateway takes; the next one goes on behind it. An
// event that goes into none is told to be elsewhere.
func TestBufferedRepliesAreBounded(t *testing.T) {
	h := open(t, Options{Buffered: true})
	id := h.staged()
	for n, size := range []int{3 << 20, 2 << 20, 5 << 20, 1 << 10} {
		data := fmt.Sprintf(`{"extraction": {"title": "item %d", "content": "%s", "statements": [], "evidence": [], "sources": [],
			"unsupported": [], "gaps": [], "conflicts": []}, "gaps": null, "pages": [], "of": 4}`, n, strings.Repeat("x", size))
		hash, err := h.app.Blobs.Put(t.Context(), []byte(data))
		if err == nil {
			err = h.app.Runs.AddPart(t.Context(), id, wstk.Part{N: n, Data: hash})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	h.end(id)
	var all []said
	last, replies := "0", 0
	for ; replies < 10; replies++ {
		w := h.call("GET", "/extractions/"+string(id)+"/events", nil, "Last-Event-ID", last)
		if w.Code == 204 {
			break
		}
		if w.Code != 200 || w.Body.Len() > MaxBody {
			t.Fatalf("status %d, %d bytes", w.Code, w.Body.Len())
		}
		events, _ := readEvents(t, w.Body)
		if len(events) == 0 {
			t.Fatalf("nothing behind %s", last)
		}
		all, last = append(all, events...), events[len(events)-1].id
	}
	want := []string{"1 bucket", "2 progress", "3 bucket", "4 progress", "5 bucket", "6 progress", "7 bucket", "8 progress", "9 done"}
	if got := names(all); !slices.Equal(got, want) || replies != 2 {
		t.Fatalf("%v in %d replies", got, replies)
	}
	if large := all[4].data; get(large, "code") != "too_large" || get(large, "next.0") != "GET /extractions/"+string(id)+" has it" {
		t.Errorf("the one that is too large says %.300v", large)
	}
	if get(all[6].data, "extraction.title") != "item 3" {
		t.Errorf("behind it stands %.300v", all[6].data)
	}
}
