package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"wstk/shared/wstk"
)

// sid is made up.
const sid = "made-up" + "-session-" + "0001"

// guarded is a site that notes which requests carried the credential.
type guarded struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string // "path cookie"
}

func newGuarded(t *testing.T, h http.HandlerFunc) *guarded {
	t.Helper()
	g := &guarded{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.seen = append(g.seen, r.URL.Path+" "+r.Header.Get("Cookie")+" "+r.Header.Get("Accept"))
		g.mu.Unlock()
		h(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

// with is a task by a rule for what lies under place.
func with(t *testing.T, url, place string) wstk.FetchTask {
	t.Helper()
	c, err := wstk.NewCredential(place, http.Header{"Cookie": {"sid=" + sid}})
	if err != nil {
		t.Fatal(err)
	}
	return wstk.FetchTask{URL: url, Follow: 10, Way: &wstk.Way{Kind: wstk.AccessHeaders, Rule: "team",
		Page: url, URL: url, Credential: c}}
}

// D12, law 9: a credential goes with the requests that it covers, and with no other: not
// along a redirect to another host, port or path.
func TestCredentialsStayInTheirPlace(t *testing.T) {
	other := newGuarded(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<p>What every reader sees here.")
	})
	site := newGuarded(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/team/inside":
			http.Redirect(w, r, "/team/page", http.StatusFound)
		case "/team/outside":
			http.Redirect(w, r, "/public", http.StatusFound)
		case "/team/away":
			http.Redirect(w, r, other.URL+"/team/page", http.StatusFound)
		default:
			fmt.Fprint(w, "<p>What the team sees here.")
		}
	})
	place := site.URL + "/team/"
	for path, last := range map[string]string{"inside": site.URL + "/team/page",
		"outside": site.URL + "/public", "away": other.URL + "/team/page"} {
		w := newWorld(t)
		r := w.do(t, with(t, place+path, place))
		if r.Snapshot.Verdict != wstk.VerdictOK || r.Snapshot.FinalURL != last {
			t.Fatalf("%s: %s at %s", path, r.Snapshot.Verdict, r.Snapshot.FinalURL)
		}
		if a := r.Snapshot.Access; a == nil || a.Rule != "team" || !a.Private {
			t.Errorf("%s: the mark is %+v", path, a)
		}
		told := slices.ContainsFunc(r.Snapshot.Warnings, func(w wstk.Warning) bool {
			return w.Code == "credential_not_sent"
		})
		if told != (path != "inside") {
			t.Errorf("%s: warnings %v", path, r.Snapshot.Warnings)
		}
		if data := fmt.Sprintf("%+v", r.Snapshot); strings.Contains(data, sid) {
			t.Errorf("%s: the snapshot shows the secret: %s", path, data)
		}
	}
	for _, s := range other.seen {
		if strings.Contains(s, sid) {
			t.Errorf("the other host was sent the credential: %s", s)
		}
	}
	for _, s := range site.seen {
		if strings.Contains(s, sid) != strings.HasPrefix(s, "/team/") {
			t.Errorf("the site saw %s", s)
		}
	}
}

// Law 9: a reply that repeats the credential is not kept, wherever it does.
func TestRepliesThatRepeatACredential(t *testing.T) {
	site := newGuarded(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/body":
			fmt.Fprintf(w, "<p>You sent %s.", r.Header.Get("Cookie"))
		case "/entities":
			for _, c := range sid {
				fmt.Fprintf(w, "&#%d;", c)
			}
		case "/utf16":
			w.Header().Set("Content-Type", "text/html; charset=utf-16le")
			for _, c := range "<p>" + sid {
				w.Write([]byte{byte(c), 0})
			}
		case "/location":
			w.Header().Set("Location", "/page?s="+sid)
			w.WriteHeader(http.StatusFound)
		case "/refresh":
			w.Header().Set("Refresh", "0; url=/page?s="+sid)
		default:
			w.Header().Set("Link", "</x>; rel="+sid)
			fmt.Fprint(w, "<p>A page of some words that stands here.")
		}
	})
	for _, path := range []string{"/body", "/entities", "/utf16", "/location", "/refresh"} {
		w := newWorld(t)
		r := w.do(t, with(t, site.URL+path, site.URL+"/"))
		if r.Snapshot.Verdict != wstk.VerdictRefusedPolicy || r.Body != nil {
			t.Errorf("%s: %s with %d bytes", path, r.Snapshot.Verdict, len(r.Body))
		}
		if data := fmt.Sprintf("%+v", r); strings.Contains(data, sid) {
			t.Errorf("%s: the result shows the secret: %s", path, data)
		}
	}
	r := newWorld(t).do(t, with(t, site.URL+"/header", site.URL+"/"))
	if r.Snapshot.Verdict != wstk.VerdictOK || r.Snapshot.Headers["link"] != "" {
		t.Errorf("a header: %s, %v", r.Snapshot.Verdict, r.Snapshot.Headers)
	}
}

// D12: the snapshot of an API is of the API's address, and says which page it stands for. The
// gates see both addresses; the Accept header and the type to read as are the rule's.
func TestAnAPIStandsForAPage(t *testing.T) {
	site := newGuarded(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.example.raw")
		fmt.Fprint(w, "# Pump\n\nThe pump holds forty litres.")
	})
	page, url := site.URL+"/wiki/Pump", site.URL+"/api/Pump"
	task := wstk.FetchTask{URL: url, Way: &wstk.Way{Kind: wstk.AccessAPI, Rule: "docs", Page: page,
		URL: url, Accept: "text/markdown", ReadAs: "text/markdown"}}
	w := newWorld(t)
	s := w.do(t, task).Snapshot
	if s.URL != url || s.FinalURL != url || s.ContentType != "text/markdown" ||
		s.Access == nil || *s.Access != (wstk.Permit{Kind: wstk.AccessAPI, Rule: "docs", Page: page}) {
		t.Errorf("the snapshot is %+v, %+v", s, s.Access)
	}
	want := []string{"admit " + page, "admit " + url, "robots " + url, "ask " + url}
	if !slices.Equal(w.gated, want) {
		t.Errorf("the gates saw %v, want %v", w.gated, want)
	}
	if !strings.HasSuffix(site.seen[0], "text/markdown") {
		t.Errorf("the API saw %q", site.seen[0])
	}
	if list, err := w.mem.Snapshots.List(t.Context(), page, 1); err != nil || len(list) > 0 {
		t.Errorf("the page itself has snapshots: %v, %v", list, err)
	}
	w = newWorld(t)
	w.Admit = func(u string) error {
		if u == page {
			return wstk.Errorf(wstk.RefusedPolicy, "", "the page is on the block list")
		}
		return nil
	}
	if s := w.do(t, task).Snapshot; s.Verdict != wstk.VerdictRefusedPolicy || len(site.seen) != 1 {
		t.Errorf("a page that is blocked: %s after %d requests", s.Verdict, len(site.seen))
	}
}

// A crawl, a browser and a service do not go by rules.
func TestWhatDoesNotGoByRules(t *testing.T) {
	site := newGuarded(t, func(http.ResponseWriter, *http.Request) {})
	w := newWorld(t)
	w.Client = clientFunc(func(context.Context, wstk.Request) (wstk.Response, error) {
		t.Error("something was asked")
		return wstk.Response{}, nil
	})
	for name, change := range map[string]func(*wstk.FetchTask){
		"crawl":   func(k *wstk.FetchTask) { k.Run = "run_1" },
		"browser": func(k *wstk.FetchTask) { k.Method = wstk.MethodBrowser },
		"remote":  func(k *wstk.FetchTask) { k.Method = wstk.MethodRemote },
	} {
		task := with(t, site.URL+"/", site.URL+"/")
		change(&task)
		if _, err := w.Do(t.Context(), task); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(site.seen) > 0 {
		t.Errorf("the site saw %v", site.seen)
	}
}
