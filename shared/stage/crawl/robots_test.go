package crawl

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/wstk"
)

func newRobots(w *web, c *clock) *Robots {
	m := memory.New()
	return &Robots{Client: w, Blobs: m.Blobs, Snapshots: m.Snapshots, Now: c.now, Sleep: c.sleep,
		UserAgent: "wstk/1.0"}
}

const robotsURL = "http://h.test/robots.txt"

func TestRobotsAnswers(t *testing.T) {
	rules := ok("user-agent: *\ndisallow: /no\n")
	for _, c := range []struct {
		name    string
		replies []reply
		verdict wstk.Verdict // of /no; "" is allowed
		other   wstk.Verdict // of /yes
		asked   int
	}{
		{"a file", []reply{rules}, "refused_robots", "", 1},
		{"an empty file", []reply{ok("")}, "", "", 1},
		{"204", []reply{{status: 204}}, "", "", 1},
		{"404", []reply{{status: 404}}, "", "", 1},
		{"401", []reply{{status: 401}}, "", "", 1},
		{"403", []reply{{status: 403}}, "", "", 1},
		{"410", []reply{{status: 410}}, "", "", 1},
		{"418", []reply{{status: 418}}, "", "", 1},
		{"429", []reply{{status: 429}}, "refused_robots", "refused_robots", 1},
		{"500", []reply{{status: 500}}, "refused_robots", "refused_robots", 3},
		{"503 once", []reply{{status: 503}, rules}, "refused_robots", "", 2},
		{"503 twice", []reply{{status: 503}, {status: 503}, rules}, "refused_robots", "", 3},
		{"599", []reply{{status: 599}}, "refused_robots", "refused_robots", 3},
		{"network", []reply{fail(wstk.Network)}, "network", "network", 3},
		{"network once", []reply{fail(wstk.Network), rules}, "refused_robots", "", 2},
		{"no such name", []reply{{err: wstk.Wrap(wstk.Network, "asking",
			&net.DNSError{Err: "no such host", Name: "h.test", IsNotFound: true})}}, "network", "network", 1},
		{"timeout", []reply{fail(wstk.Timeout)}, "timeout", "timeout", 1},
		{"headers beyond any measure", []reply{fail(wstk.TooLarge)}, "refused_robots", "refused_robots", 1},
		{"a closed address", []reply{fail(wstk.RefusedAddress)}, "", "", 1},
		{"a closed port", []reply{fail(wstk.RefusedPolicy)}, "", "", 1},
		{"a web page", []reply{ok("<html><body>Disallow: /no</body></html>")}, "", "", 1},
		{"over 500 KiB", []reply{ok("user-agent: *\ndisallow: /no\n%s\ndisallow: /yes\n", strings.Repeat("#\n", maxRobots/2))}, "refused_robots", "", 1},
		{"50 MB", []reply{ok("user-agent: *\ndisallow: /no\n%s\ndisallow: /yes\n", strings.Repeat("#\n", 25_000_000))}, "refused_robots", "", 1},
		{"a redirect nowhere", []reply{{status: 301}}, "", "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWeb()
			w.put(robotsURL, c.replies...)
			r := newRobots(w, newClock())
			for path, want := range map[string]wstk.Verdict{"no": c.verdict, "yes": c.other} {
				d, err := r.Check(t.Context(), "http://h.test/"+path, "", "")
				if err != nil {
					t.Fatal(err)
				}
				if d.Verdict != want || d.Allowed != (want == "") || d.Allowed != (d.Reason == "") {
					t.Errorf("/%s: %+v, want %q", path, d, want)
				}
			}
			if n := w.times(robotsURL); n != c.asked {
				t.Errorf("asked %d times, want %d", n, c.asked)
			}
			if d := must[Decision](t)(r.Check(t.Context(), robotsURL, "", "")); !d.Allowed {
				t.Error("robots.txt itself is refused")
			}
			if d := must[Decision](t)(r.Check(t.Context(), "http://h.test/no", "",
				wstk.RobotsWarn)); !d.Allowed || (len(d.Warnings) == 1) != (c.verdict != "") {
				t.Errorf("under warn: %+v", d)
			}
		})
	}
}

func TestRobotsRedirects(t *testing.T) {
	for hops, allowed := range map[int]bool{1: false, 5: false, 6: true} {
		w := newWeb()
		url := robotsURL
		for i := range hops {
			next := "https://other.test/hop" + string(rune('a'+i))
			w.put(url, reply{status: 302, location: next})
			url = next
		}
		w.put(url, ok("user-agent: *\ndisallow: /no\n"))
		if d := must[Decision](t)(newRobots(w, newClock()).
			Check(t.Context(), "http://h.test/no", "", "")); d.Allowed != allowed {
			t.Errorf("after %d redirects: %+v", hops, d)
		}
	}
}

// What a host said is stored, used for a day, and asked for again afterwards; what it
// failed to say is stored too, but never used.
func TestRobotsKeepsAnswers(t *testing.T) {
	w, c := newWeb(), newClock()
	w.put(robotsURL, ok("user-agent: *\ndisallow: /no\n"))
	r := newRobots(w, c)
	check := func(r *Robots, want bool, asked int) {
		t.Helper()
		if d := must[Decision](t)(r.Check(t.Context(), "http://h.test/no", "", "")); d.Allowed != want {
			t.Errorf("allowed is %v", d.Allowed)
		}
		if n := w.times(robotsURL); n != asked {
			t.Errorf("asked %d times, want %d", n, asked)
		}
	}
	check(r, false, 1)
	check(r, false, 1)
	other := func() *Robots {
		return &Robots{Client: w, Blobs: r.Blobs, Snapshots: r.Snapshots,
			Now: c.now, Sleep: c.sleep}
	}
	c.sleep(t.Context(), 23*time.Hour)
	check(other(), false, 1) // another process uses what is stored
	w.put(robotsURL, ok(""))
	fresh := other()
	fresh.NoStore = true
	check(fresh, true, 2)
	check(r, false, 2)
	c.sleep(t.Context(), 2*time.Hour)
	check(r, true, 2) // from the store, where the newer answer is
	c.sleep(t.Context(), 24*time.Hour)
	w.put(robotsURL, reply{status: 500}, reply{status: 500}, reply{status: 500}, ok("user-agent: *\ndisallow: /no"))
	check(r, false, 5)
	check(r, false, 5)
	c.sleep(t.Context(), time.Minute)
	check(other(), false, 6)

	snaps := must[[]wstk.Snapshot](t)(r.Snapshots.List(t.Context(), robotsURL, 10))
	if len(snaps) != 4 || snaps[3].Verdict != wstk.VerdictOK ||
		snaps[1].Verdict != wstk.VerdictHTTPError || snaps[1].Reason == "" {
		t.Fatalf("snapshots: %+v", snaps)
	}
	if body := must[[]byte](t)(r.Blobs.Get(t.Context(), snaps[3].BodySHA256)); string(body) != "user-agent: *\ndisallow: /no\n" {
		t.Errorf("stored body %q", body)
	}
}

func TestRobotsPolicies(t *testing.T) {
	w := newWeb()
	w.put(robotsURL, ok("user-agent: wstk\ndisallow: /\nuser-agent: *\nallow: /\ncrawl-delay: 3\n"))
	r := newRobots(w, newClock())
	if d := must[Decision](t)(r.Check(t.Context(), "http://h.test/a", "",
		wstk.RobotsIgnore)); !d.Allowed || len(w.asked) != 0 {
		t.Errorf("ignore: %+v, asked %v", d, w.asked)
	}
	d := must[Decision](t)(r.Check(t.Context(), "http://h.test/a", "", wstk.RobotsWarn))
	if !d.Allowed || len(d.Warnings) != 1 || d.Warnings[0].Code != "robots" ||
		d.Warnings[0].URL != "http://h.test/a" || !strings.Contains(d.Warnings[0].Message, "line 2") {
		t.Errorf("warn: %+v", d)
	}
	if d := must[Decision](t)(r.Check(t.Context(), "http://h.test/a", "Other/2",
		wstk.RobotsRespect)); !d.Allowed || d.Delay != 3*time.Second {
		t.Errorf("another agent: %+v", d)
	}
	if _, err := r.Check(t.Context(), "ftp://h.test/a", "", ""); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("ftp: %v", err)
	}
}

// Robots are those of scheme, host and port.
func TestRobotsKey(t *testing.T) {
	w := newWeb()
	w.put(robotsURL, ok("user-agent: *\ndisallow: /\n"))
	r := newRobots(w, newClock())
	for url, want := range map[string]bool{"http://h.test/a": false, "http://h.test:80/a": false, "https://h.test/a": true, "http://h.test:8080/a": true, "http://www.h.test/a": true} {
		if d := must[Decision](t)(r.Check(t.Context(), url, "", "")); d.Allowed != want {
			t.Errorf("%s: allowed is %v", url, d.Allowed)
		}
	}
}

// blocking lets requests wait until it is told to go on.
type blocking struct {
	web     *web
	waiting chan struct{}
	free    chan struct{}
}

func (b *blocking) Do(ctx context.Context, r wstk.Request) (wstk.Response, error) {
	b.waiting <- struct{}{}
	select {
	case <-b.free:
		return b.web.Do(ctx, r)
	case <-ctx.Done():
		return wstk.Response{}, wstk.Wrap(wstk.Cancelled, "asking", ctx.Err())
	}
}

func TestRobotsSharesOneRequest(t *testing.T) {
	w := newWeb()
	w.put(robotsURL, ok("user-agent: *\ndisallow: /\n"))
	b := &blocking{web: w, waiting: make(chan struct{}, 100), free: make(chan struct{})}
	r := newRobots(w, newClock())
	r.Client = b

	// The first caller gives up; those who waited for its answer ask themselves.
	first, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, err := r.Check(first, "http://h.test/a", "", "")
		gone <- err
	}()
	<-b.waiting
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if d, err := r.Check(t.Context(), "http://h.test/a", "", ""); err != nil || d.Allowed {
				t.Errorf("%+v, %v; want err == nil && !d.Allowed", d, err)
			}
		})
	}
	cancel()
	if err := <-gone; wstk.CodeOf(err) != wstk.Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that gave up got %v", err)
	}
	<-b.waiting
	close(b.free)
	group.Wait()
	if n := w.times(robotsURL); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestRobotsStoreFailureIsOurs(t *testing.T) {
	w := newWeb()
	w.put(robotsURL, ok("user-agent: *\ndisallow: /\n"))
	r := newRobots(w, newClock())
	r.Snapshots = brokenSnapshots{}
	if _, err := r.Check(t.Context(), "http://h.test/a", "", ""); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("got %v", err)
	}
}

type brokenSnapshots struct{ wstk.SnapshotStore }

func (brokenSnapshots) List(context.Context, string, int) ([]wstk.Snapshot, error) {
	return nil, wstk.Errorf(wstk.Unavailable, "listing", "disk full")
}

func (brokenSnapshots) Put(context.Context, wstk.Snapshot) error {
	return wstk.Errorf(wstk.Unavailable, "storing", "disk full")
}
