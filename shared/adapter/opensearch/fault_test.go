package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"

	"wstk/shared/wstk"
)

// fake is a server that finds nothing, takes everything, and fails as told.
type fake struct {
	t      *testing.T
	mu     sync.Mutex
	bulks  []string                                                  // bodies
	asked  int                                                       // searches
	bulk   func(n int, w http.ResponseWriter, actions []string) bool // true when it has answered
	search func(n int, w http.ResponseWriter, r *http.Request) bool
}

func (f *fake) index(change ...func(*Index)) *Index {
	s := httptest.NewServer(f)
	f.t.Cleanup(s.Close)
	x := &Index{Endpoint: s.URL, Pause: time.Millisecond}
	for _, c := range change {
		c(x)
	}
	return x
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if strings.HasSuffix(r.URL.Path, "/_search") {
		f.asked++
		if f.search == nil || !f.search(f.asked, w, r) {
			io.WriteString(w, `{"_shards":{"failed":0},"hits":{"hits":[]}}`)
		}
		return
	}
	f.bulks = append(f.bulks, string(body))
	var actions []string
	for line := range bytes.Lines(body) {
		if a := string(bytes.TrimSpace(line)); strings.HasPrefix(a, `{"index":`) || strings.HasPrefix(a, `{"delete":`) {
			actions = append(actions, a)
		}
	}
	if f.bulk == nil || !f.bulk(len(f.bulks), w, actions) {
		answer(w, actions, func(int) (int, string) { return 201, "" })
	}
}

// answer answers a bulk request, item by item.
func answer(w http.ResponseWriter, actions []string, each func(i int) (status int, reason string)) {
	var items []any
	for i, a := range actions {
		verb := "index"
		if strings.HasPrefix(a, `{"delete":`) {
			verb = "delete"
		}
		status, reason := each(i)
		item := map[string]any{"status": status}
		if reason != "" {
			item["error"] = map[string]string{"type": "some_exception", "reason": reason}
		}
		items = append(items, map[string]any{verb: item})
	}
	json.NewEncoder(w).Encode(map[string]any{"errors": true, "items": items})
}

func page(entries int, words string) wstk.PageIndex {
	p := wstk.PageIndex{URL: "https://a.example/", Site: "site_1", FetchedAt: day, TextSHA256: "t"}
	for i := range entries {
		id := fmt.Sprintf("ch_%06d", i)
		p.Entries = append(p.Entries, wstk.Entry{ID: id, Kind: wstk.KindChunk,
			Chunk: &wstk.Chunk{ID: id, Seq: i}, Body: strings.Fields(words)})
	}
	return p
}

func wantCode(t *testing.T, err error, want wstk.Code, parts ...string) {
	t.Helper()
	if wstk.CodeOf(err) != want {
		t.Errorf("code %q (%v), want %q", wstk.CodeOf(err), err, want)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%q is not in: %v", p, err)
		}
	}
}

// Of a half-failed bulk only what failed is sent again.
func TestHalfFailedBulk(t *testing.T) {
	f := &fake{t: t}
	f.bulk = func(n int, w http.ResponseWriter, actions []string) bool {
		answer(w, actions, func(i int) (int, string) {
			if n < 4 && i%2 == 1 {
				return []int{429, 503, 429}[n-1], "too busy"
			}
			return 201, ""
		})
		return true
	}
	if err := f.index().Replace(bg, page(9, "apple")); err != nil {
		t.Fatal(err)
	}
	var sent []int
	for _, b := range f.bulks {
		sent = append(sent, strings.Count(b, `{"index":`))
	}
	if fmt.Sprint(sent) != "[10 5 2 1]" {
		t.Errorf("actions sent: %v", sent)
	}
}

func TestARefusedItemIsAnError(t *testing.T) {
	f := &fake{t: t}
	f.bulk = func(n int, w http.ResponseWriter, actions []string) bool {
		answer(w, actions, func(i int) (int, string) {
			if i == 1 {
				return 400, "failed to parse field [length]. Preview of field's value: 'private words'"
			}
			return 201, ""
		})
		return true
	}
	err := f.index().Replace(bg, page(3, "apple"))
	wantCode(t, err, wstk.Internal, "400", "some_exception", "failed to parse field")
	if strings.Contains(err.Error(), "private") || len(f.bulks) != 1 {
		t.Errorf("%d requests: %v", len(f.bulks), err)
	}
}

// An item that another process is deleting is tried again; one that is gone is deleted.
func TestDeletesMeetOthers(t *testing.T) {
	f := &fake{t: t}
	f.search = func(n int, w http.ResponseWriter, r *http.Request) bool {
		io.WriteString(w, `{"_shards":{"failed":0},"hits":{"hits":[{"_id":"a","fields":{"version":["1"]},"sort":["1",null]},{"_id":"b","fields":{"version":["1"]},"sort":["1",null]}]}}`)
		return true
	}
	f.bulk = func(n int, w http.ResponseWriter, actions []string) bool {
		answer(w, actions, func(i int) (int, string) {
			if n == 1 && i == 0 {
				return 409, "version conflict"
			}
			return 404, ""
		})
		return true
	}
	if err := f.index().Remove(bg, "https://a.example/"); err != nil {
		t.Fatal(err)
	}
	if len(f.bulks) != 2 || strings.Count(f.bulks[1], "\n") != 1 || !strings.Contains(f.bulks[1], `"a"`) {
		t.Errorf("bulks: %q", f.bulks)
	}
}

func TestBusyThenFine(t *testing.T) {
	f := &fake{t: t}
	f.search = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n < 3 {
			w.WriteHeader([]int{429, 503}[n-1])
			return true
		}
		return false
	}
	if _, err := f.index().Search(bg, query("apple")); err != nil || f.asked != 3 {
		t.Errorf("%v after %d requests", err, f.asked)
	}
}

func TestWhatTheServerSaysBecomesACode(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		code   wstk.Code
		asked  int
		parts  []string
	}{
		{503, `{"error":"down"}`, wstk.Unavailable, tries, []string{"503", "down"}},
		{429, ``, wstk.Unavailable, tries, []string{"429"}},
		{400, `{"error":{"type":"parsing_exception","reason":"unknown field"},"status":400}`, wstk.Internal, 1, []string{"400 parsing_exception: unknown field"}},
		{403, `{"Message":"not authorized"}`, wstk.Internal, 1, []string{"403"}},
		{413, `too large`, wstk.TooLarge, 1, []string{"413"}},
		{200, `{"hits":{"hits":[{"_sco`, wstk.Unavailable, tries, []string{"cannot be read"}},
		{200, `<html>`, wstk.Unavailable, tries, nil},
		{200, `{"timed_out":true,"hits":{"hits":[]}}`, wstk.Unavailable, tries, []string{"a part of the index"}},
		{200, `{"_shards":{"failed":1},"hits":{"hits":[]}}`, wstk.Unavailable, tries, []string{"a part of the index"}},
	} {
		f := &fake{t: t}
		f.search = func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
			return true
		}
		_, err := f.index().Search(bg, query("apple"))
		wantCode(t, err, c.code, c.parts...)
		if f.asked != c.asked {
			t.Errorf("%d %s: asked %d times, want %d", c.status, c.body, f.asked, c.asked)
		}
	}
	f := &fake{t: t}
	f.search = func(n int, w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(404)
		io.WriteString(w, `{"error":{"type":"index_not_found_exception"}}`)
		return true
	}
	if hits, err := f.index().Search(bg, query("apple")); err != nil || len(hits) != 0 {
		t.Errorf("no index yet: %v, %v", hits, err)
	}
}

func TestARepliesEndIsMissing(t *testing.T) {
	f := &fake{t: t}
	f.search = func(n int, w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, `{"hits":`)
		return true
	}
	_, err := f.index().Search(bg, query("apple"))
	wantCode(t, err, wstk.Unavailable)
	// of a bulk it is not known what was done, so all of it is done again
	f = &fake{t: t}
	f.bulk = func(n int, w http.ResponseWriter, actions []string) bool {
		if n == 1 {
			io.WriteString(w, `{"items":[{"index":{"status":201}}`)
		}
		return n == 1
	}
	if err := f.index().Replace(bg, page(3, "apple")); err != nil || len(f.bulks) != 2 ||
		f.bulks[0] != f.bulks[1] {
		t.Errorf("%v, bulks %q", err, f.bulks)
	}
}

func TestNoListener(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	x := &Index{Endpoint: strings.Replace(s.URL, "http://", "http://somebody:hidden@", 1), Pause: time.Millisecond}
	_, err := x.Search(bg, query("apple"))
	wantCode(t, err, wstk.Unavailable, "no reply")
	if strings.Contains(err.Error(), "hidden") {
		t.Error(err)
	}
}

func TestTheCallersTimeEnds(t *testing.T) {
	f := &fake{t: t}
	f.search = func(n int, w http.ResponseWriter, r *http.Request) bool {
		<-r.Context().Done()
		return true
	}
	x := f.index()
	ctx, cancel := context.WithTimeout(bg, 30*time.Millisecond)
	defer cancel()
	_, err := x.Search(ctx, query("apple"))
	wantCode(t, err, wstk.Timeout)
	ctx, cancel = context.WithCancel(bg)
	time.AfterFunc(30*time.Millisecond, cancel)
	_, err = x.Stats(ctx)
	wantCode(t, err, wstk.Cancelled)
	// in the pause before another try, too
	f = &fake{t: t, search: func(n int, w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(503)
		return true
	}}
	x = f.index(func(x *Index) { x.Pause = time.Hour })
	ctx, cancel = context.WithTimeout(bg, 30*time.Millisecond)
	defer cancel()
	_, err = x.Search(ctx, query("apple"))
	wantCode(t, err, wstk.Timeout)
}

// Requests stay under the limit of the service, and nothing gets lost between them.
func TestBulksAreBounded(t *testing.T) {
	f := &fake{t: t}
	long := strings.Repeat("abcdefghi ", 100_000)
	p := page(12, long)
	p.Entries = append(p.Entries, page(300, "short").Entries[12:]...)
	p.Entries[3].Body = strings.Fields(strings.Repeat(long, 6)) // alone over the bound
	if err := f.index().Replace(bg, p); err != nil {
		t.Fatal(err)
	}
	docs := 0
	for _, b := range f.bulks {
		n := strings.Count(b, `{"index":`)
		if docs += n; len(b) > bulkBytes && n > 1 {
			t.Errorf("a bulk of %d documents has %d bytes", n, len(b))
		}
	}
	if docs != 301 || len(f.bulks) < 3 {
		t.Errorf("%d documents in %d bulks", docs, len(f.bulks))
	}
}

func TestNoCredentialsInErrors(t *testing.T) {
	f := &fake{t: t, search: func(n int, w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(403)
		io.WriteString(w, `{"message":"The security token included in the request is invalid"}`)
		return true
	}}
	_, err := f.index(func(x *Index) {
		x.Credentials = credentials.NewStaticCredentialsProvider("made-up-id", "made-up-secret", "made-up-token")
	}).Search(bg, query("apple"))
	wantCode(t, err, wstk.Internal)
	if strings.Contains(err.Error(), "made-up") {
		t.Error(err)
	}
	if errors.Unwrap(err) == nil {
		t.Error("no cause")
	}
}

func query(tokens ...string) wstk.IndexQuery {
	var q wstk.IndexQuery
	for _, t := range tokens {
		q.Terms = append(q.Terms, wstk.QueryTerm{Token: t, Weight: 1})
	}
	return q
}

// An index that has just been made may not be found for a moment, nor may its collection:
// writing goes on when it is.
func TestANewIndexIsWaitedFor(t *testing.T) {
	missing := map[string]int{} // requests that do not find it, by method and end of path
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		call := r.Method + r.URL.Path[strings.LastIndex(r.URL.Path, "/"):]
		missing[call]++
		switch {
		case strings.HasSuffix(call, "_search") || missing[call] < 3:
			w.WriteHeader(404)
			io.WriteString(w, `{"error":{"root_cause":[{"type":"index_not_found_exception","reason":"no such index [wstk]"}],"type":"index_not_found_exception","reason":"no such index [wstk]"},"status":404}`)
		case call == "POST/_bulk":
			answer(w, make([]string, strings.Count(string(body), `{"index":{}}`)),
				func(int) (int, string) { return 201, "" })
		default:
			io.WriteString(w, `{"acknowledged":true}`)
		}
	}))
	t.Cleanup(s.Close)
	x := &Index{Endpoint: s.URL, Pause: time.Millisecond}
	if err := x.Replace(bg, page(3, "apple")); err != nil {
		t.Fatal(err)
	}
	if missing["PUT/wstk"] != 3 || missing["POST/_bulk"] != 3 {
		t.Errorf("requests: %v", missing)
	}
}

// A collection at rest answers when it has woken, and is asked until then, but no longer
// than the caller has time; a domain does not rest.
func TestACollectionAtRestIsWaitedFor(t *testing.T) {
	for _, asleep := range []int{429, 503, 504, 0} { // 0: no reply at all
		f := &fake{t: t}
		f.search = func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 9 {
				return false
			}
			if asleep == 0 {
				panic(http.ErrAbortHandler)
			}
			w.WriteHeader(asleep)
			return true
		}
		x := f.index(func(x *Index) { x.Serverless = true })
		if _, err := x.Search(bg, query("apple")); err != nil || f.asked != 10 {
			t.Errorf("%d: %v after %d requests", asleep, err, f.asked)
		}
	}
	for _, serverless := range []bool{false, true} {
		f := &fake{t: t, search: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(503)
			return true
		}}
		x := f.index(func(x *Index) { x.Serverless = serverless })
		began := time.Now()
		_, err := x.Search(bg, query("apple"))
		wantCode(t, err, wstk.Unavailable)
		if waited := time.Since(began) >= wakePauses*time.Millisecond; waited != serverless {
			t.Errorf("serverless %v: gave up after %v and %d requests", serverless, time.Since(began), f.asked)
		}
	}
	f := &fake{t: t, search: func(n int, w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(503)
		return true
	}}
	ctx, cancel := context.WithTimeout(bg, 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := f.index(func(x *Index) { x.Serverless = true }).
		Search(ctx, query("apple")); err == nil || time.Since(began) > 500*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}
