package crawl

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// rig is a Stage over empty stores, for tests that look at one step.
type rig struct {
	*sim
	t *testing.T
}

func newRig(t *testing.T, root string, change func(*wstk.CrawlOptions)) rig {
	c := newClock()
	o := wstk.CrawlOptions{MaxPages: 500, MaxDepth: 10, RateLimit: time.Second}
	if change != nil {
		change(&o)
	}
	return rig{newSim(t, c, newWorld(c), root, o, Limits{}), t}
}

// seeded puts the root in and releases it.
func (r rig) seeded() wstk.FetchTask {
	r.t.Helper()
	must[Seeded](r.t)(r.stage.Seed(r.t.Context(), r.run, r.site))
	return r.release(1)[0]
}

func (r rig) release(n int) []wstk.FetchTask {
	r.t.Helper()
	out := must[Released](r.t)(r.stage.Release(r.t.Context(), r.run, r.site))
	if len(out.Tasks) != n {
		r.t.Fatalf("%d tasks released, want %d: %s", len(out.Tasks), n, r.picture())
	}
	return out.Tasks
}

// start is a worker that begins a task.
func (r rig) start(task wstk.FetchTask) {
	r.t.Helper()
	if err := r.stage.Start(r.t.Context(), task); err != nil {
		r.t.Fatal(err)
	}
}

// settle plays a task with what the fetch brought.
func (r rig) settle(task wstk.FetchTask, change func(*Fetched)) Settled {
	r.t.Helper()
	r.start(task)
	in := Fetched{Task: task, Snapshot: wstk.Snapshot{URL: task.URL, FinalURL: task.URL,
		Status: 200, ContentType: "text/html",
		Verdict: wstk.VerdictOK, FetchedAt: r.clock.now()}}
	change(&in)
	if in.Document != nil {
		in.Stored = must[wstk.Hash](r.t)(wstk.SaveDocument(r.t.Context(), r.m.Blobs, in.Document))
		if err := r.m.Pages.Put(r.t.Context(), wstk.Page{URL: task.URL, Site: r.site.ID,
			Document: in.Stored, TextSHA256: in.Document.TextSHA256,
			Verdict: in.Snapshot.Verdict, ETag: "e", FetchedAt: r.clock.now(),
			CheckedAt: r.clock.now()}); err != nil {
			r.t.Fatal(err)
		}
	}
	return must[Settled](r.t)(r.stage.Settle(r.t.Context(), r.run, r.site, in))
}

func (r rig) acknowledge(url string) Next {
	r.t.Helper()
	return must[Next](r.t)(r.stage.Acknowledge(r.t.Context(), r.run, r.site, url))
}

// open seeds the run, settles the root as a page with these links, and returns their
// tasks in order.
func (r rig) open(links ...string) []wstk.FetchTask {
	r.t.Helper()
	root := r.seeded()
	r.settle(root, func(in *Fetched) { in.Document = page(root.URL, prose(999, 20), "", links...) })
	r.acknowledge(root.URL)
	return r.release(len(links))
}

func (r rig) is(url string, o wstk.Outcome, reason string) wstk.FrontierURL {
	r.t.Helper()
	u := must[wstk.FrontierURL](r.t)(r.m.Frontier.Get(r.t.Context(), r.run.ID, url))
	if u.Outcome != o || !strings.Contains(u.Reason, reason) {
		r.t.Errorf("%s is %s (%s), want %s (%s)", url, u.Outcome, u.Reason, o, reason)
	}
	return u
}

const a, b = "http://h.test/a", "http://h.test/b"

func text30(in *Fetched) { in.Document = page(in.Task.URL, prose(1, 30), "") }
func status(code int, v wstk.Verdict, reason string) func(*Fetched) {
	return func(in *Fetched) {
		in.Snapshot.Status, in.Snapshot.Verdict, in.Snapshot.Reason = code, v, reason
	}
}

func TestSettleEachVerdict(t *testing.T) {
	for _, c := range []struct {
		name   string
		in     func(*Fetched)
		want   wstk.Outcome
		reason string
		drop   bool
	}{
		{"blocked", status(403, wstk.VerdictBlocked, "status 403"), wstk.OutcomeBlocked, "status 403", false},
		{"consent", func(in *Fetched) {
			in.Screening = wstk.Screening{Verdict: wstk.VerdictConsent, Reason: "a wall"}
		}, wstk.OutcomeBlocked, "a wall", false},
		{"needs_render", func(in *Fetched) {
			in.Screening = wstk.Screening{Verdict: wstk.VerdictNeedsRender, Reason: "a shell"}
		}, wstk.OutcomeNeedsRender, "a shell", false},
		{"not_found", status(404, wstk.VerdictNotFound, "status 404"), wstk.OutcomeNotFound, "status 404", true},
		{"soft 404", func(in *Fetched) {
			in.Screening = wstk.Screening{Verdict: wstk.VerdictNotFound, Reason: "it says so"}
		}, wstk.OutcomeNotFound, "it says so", true},
		{"gone", status(410, wstk.VerdictGone, ""), wstk.OutcomeNotFound, "gone", true},
		{"refused_robots", status(0, wstk.VerdictRefusedRobots, "robots.txt"), wstk.OutcomeRefusedRobots, "robots.txt", false},
		{"refused_policy", status(0, wstk.VerdictRefusedPolicy, "block list"), wstk.OutcomeRefusedPolicy, "block list", false},
		{"refused_address", status(0, wstk.VerdictRefusedAddress, "private"), wstk.OutcomeRefusedPolicy, "private", false},
		{"too_large", status(200, wstk.VerdictTooLarge, "over 5 MB"), wstk.OutcomeTooLarge, "over 5 MB", false},
		{"an unknown 4xx", status(418, wstk.VerdictHTTPError, "status 418"), wstk.OutcomeFailed, "status 418", false},
		{"a wall under an unknown status", func(in *Fetched) {
			status(418, wstk.VerdictHTTPError, "status 418")(in)
			in.Screening = wstk.Screening{Verdict: wstk.VerdictBlocked, Reason: "a wall stands"}
		}, wstk.OutcomeBlocked, "a wall stands", false},
		{"a broken redirect", status(301, wstk.VerdictHTTPError, "redirects to itself"), wstk.OutcomeFailed, "itself", false},
		{"thin without text", func(in *Fetched) {
			in.Document, in.Screening.Verdict = page(a, "", ""), wstk.VerdictThin
		}, wstk.OutcomeFetched, "thin", false},
		{"an empty body", func(in *Fetched) {
			in.Snapshot.Verdict, in.Snapshot.Reason, in.Snapshot.ContentType = wstk.VerdictThin, "the body is empty", "text/html"
		}, wstk.OutcomeFetched, "thin: the body is empty", false},
		{"an image", func(in *Fetched) { in.Snapshot.ContentType = "image/png" }, wstk.OutcomeOutOfScope, "not a page (image/png)", false},
		{"a document without a reader", func(in *Fetched) { in.Snapshot.ContentType = "application/pdf" }, wstk.OutcomeFetched, "no reader for application/pdf", false},
		{"noindex", func(in *Fetched) {
			text30(in)
			in.Document.Meta.NoIndex = true
		}, wstk.OutcomeRefusedRobots, "noindex", true},
		{"noindex in the header", func(in *Fetched) {
			text30(in)
			in.Snapshot.Headers = map[string]string{"x-robots-tag": "otherbot: nofollow, wstk: noindex"}
		}, wstk.OutcomeRefusedRobots, "noindex", true},
		{"unchanged, and nothing is held", status(304, wstk.VerdictNotModified, ""), wstk.OutcomeNotModified, "no text", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, "http://h.test/", nil)
			task := r.open(a)[0]
			out := r.settle(task, c.in)
			if out.Outcome != c.want || out.Outdated || len(out.Index) > 0 ||
				(len(out.Drop) > 0) != c.drop {
				t.Errorf("%+v; want out.Outcome == c.want && !out.Outdated && len(out.Index) <= 0 && (len(out.Drop) > 0) == c.drop", out)
			}
			before := r.is(a, c.want, c.reason)
			// The message comes again, also with another story.
			if out := r.settle(task, text30); !out.Outdated || len(out.Index) > 0 {
				t.Errorf("again: %+v", out)
			}
			if after := r.is(a, c.want, c.reason); after != before {
				t.Errorf("the late message changed %+v to %+v", before, after)
			}
			if c.name == "noindex" {
				if p, _ := r.m.Pages.Get(t.Context(), a); p.Document != "" && p.ETag == "" {
					t.Errorf("the page is still held: %+v", p)
				}
			}
		})
	}
}

func TestSettleStoresAndAcknowledges(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	task := r.open(a)[0]
	out := r.settle(task, text30)
	if out.Outcome != wstk.OutcomeOpen || len(out.Index) != 1 || out.Index[0].URL != a ||
		out.Index[0].Document == "" {
		t.Fatalf("%+v; want out.Outcome == wstk.OutcomeOpen && len(out.Index) == 1 && out.Index[0].URL == a && out.Index[0].Document != \"\"", out)
	}
	// A worker that stored and died is completed by the message that comes again.
	if again := r.settle(task, text30); again.Outdated || len(again.Index) != 1 {
		t.Errorf("again: %+v", again)
	}
	stale := task
	stale.Slot = "older"
	if late := r.settle(stale, text30); !late.Outdated || len(late.Index) != 0 {
		t.Errorf("late: %+v", late)
	}
	if n := r.acknowledge(a); len(n.Index)+len(n.Drop) != 0 {
		t.Errorf("%+v; want len(n.Index)+len(n.Drop) == 0", n)
	}
	r.is(a, wstk.OutcomeFetched, "indexed")
	r.acknowledge(a)
	if _, err := r.stage.Acknowledge(t.Context(), r.run, r.site,
		b); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("acknowledging what was never met: %v", err)
	}
}

func TestSettleRetries(t *testing.T) {
	for _, c := range []struct {
		name   string
		in     func(*Fetched)
		end    wstk.Outcome
		reason string
	}{
		{"timeout", status(0, wstk.VerdictTimeout, "after 30 s"), wstk.OutcomeFailed, "after 30 s, in 3 attempts"},
		{"network", status(0, wstk.VerdictNetwork, "reset"), wstk.OutcomeFailed, "reset, in 3 attempts"},
		{"500", status(500, wstk.VerdictHTTPError, "status 500"), wstk.OutcomeFailed, "status 500, in 3 attempts"},
		{"408", status(408, wstk.VerdictHTTPError, ""), wstk.OutcomeFailed, "http error, in 3 attempts"},
		{"503", status(503, wstk.VerdictHTTPError, "status 503"), wstk.OutcomeBlocked, "status 503, in 3 attempts"},
		{"429", status(429, wstk.VerdictBlocked, "status 429"), wstk.OutcomeBlocked, "status 429, in 3 attempts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, "http://h.test/", nil)
			task := r.open(a)[0]
			var waits []time.Duration
			for range 2 {
				out := r.settle(task, c.in)
				if out.Outcome != wstk.OutcomeOpen || out.Retry.IsZero() || out.Reason == "" {
					t.Fatalf("%+v; want out.Outcome == wstk.OutcomeOpen && !out.Retry.IsZero() && out.Reason != \"\"", out)
				}
				if again := r.settle(task, c.in); !again.Outdated {
					t.Error("one failure counted twice")
				}
				waits = append(waits, out.Retry.Sub(r.clock.now()))
				rel := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
				if len(rel.Tasks) != 0 || !rel.Again.Equal(out.Retry) || rel.Open != 1 {
					t.Fatalf("too early: %+v", rel)
				}
				r.clock.sleep(t.Context(), waits[len(waits)-1])
				next := r.release(1)[0]
				if next.Slot == task.Slot || next.NotBefore.Before(out.Retry) {
					t.Errorf("next try %+v", next)
				}
				task = next
				r.clock.sleep(t.Context(), time.Minute)
			}
			if waits[0] < time.Second || waits[1] < 4*time.Second {
				t.Errorf("it waits %v", waits)
			}
			r.settle(task, c.in)
			if u := r.is(a, c.end, c.reason); u.Attempts != 3 {
				t.Errorf("%d attempts", u.Attempts)
			}
		})
	}
}

// limited is an answer that asks for so many seconds without requests.
func limited(seconds int) func(*Fetched) {
	return func(in *Fetched) {
		status(429, wstk.VerdictBlocked, "status 429")(in)
		in.Snapshot.RetryAfterSec = seconds
	}
}

func TestSettleHonoursRetryAfter(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a, b)
	out := r.settle(tasks[0], limited(600))
	if d := out.Retry.Sub(r.clock.now()); d != 600*time.Second {
		t.Errorf("it tries again after %v", d)
	}
	// Nothing else of the host is asked for before.
	slot := must[wstk.Slot](t)(r.m.Hosts.Reserve(t.Context(), "http://h.test:80", r.clock.now(), 0))
	if slot.At.Before(out.Retry) {
		t.Errorf("the host's next slot is at %v", slot.At)
	}
	r.clock.sleep(t.Context(), 601*time.Second)
	r.settle(r.releaseOnly(b), limited(7200))
	r.is(b, wstk.OutcomeBlocked, "status 429; it is not asked again before 2026-11-01T14:1")
	// The run does not wait two hours: what else is waiting on that host is closed too.
	rel := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
	if len(rel.Tasks) != 0 || rel.Open != 0 {
		t.Errorf("%+v; want len(rel.Tasks) == 0 && rel.Open == 0", rel)
	}
	r.is(a, wstk.OutcomeBlocked, "no requests until 2026-11-01T14:1")
}

// What has a slot ahead when the host asks for fewer requests gets a later one; of
// the slots that were reserved those in the wider gap are used.
func TestSettleSlowsDown(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	var links []string
	for i := range 40 {
		links = append(links, fmt.Sprintf("http://h.test/%02d", i))
	}
	tasks := r.open(links...)
	first := tasks[0].NotBefore
	r.clock.sleep(t.Context(), first.Sub(r.clock.now()))
	r.settle(tasks[0], func(in *Fetched) {
		status(503, wstk.VerdictHTTPError, "status 503")(in)
		in.Snapshot.RetryAfterSec = 20
	})
	last := first.Add(18 * time.Second) // so that the first may come 20 s after
	next := r.release(slowQueue)
	for i, task := range next {
		if gap := task.NotBefore.Sub(last); task.URL != tasks[i+1].URL || gap != 2*time.Second ||
			task.Gap != 2*time.Second {
			t.Errorf("%s %v after the one before, at %v", task.URL, gap, task.NotBefore)
		}
		last = task.NotBefore
	}
	// With the first answer the host is as fast as it was.
	r.clock.sleep(t.Context(), 21*time.Second)
	r.settle(next[0], text30)
	r.acknowledge(next[0].URL)
	for i, task := range r.release(40 - slowQueue) {
		if gap := task.NotBefore.Sub(last); gap < time.Second || gap > 2*time.Second ||
			task.Gap != time.Second {
			t.Errorf("%d: %s %v after the one before, at %v", i, task.URL, gap, task.NotBefore)
		}
		last = task.NotBefore
	}
	if out := r.settle(tasks[1], text30); !out.Outdated {
		t.Error("the slot that was given back still counts")
	}
}

// Where slots are taken as fast as the host answers, most have begun when it asks for
// a rest: all but the few that workers may be at are taken back.
func TestSettleSlowsDownAFastHost(t *testing.T) {
	r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.RateLimit = 0 })
	var links []string
	for i := range 40 {
		links = append(links, fmt.Sprintf("http://h.test/%02d", i))
	}
	tasks := r.open(links...)
	r.clock.sleep(t.Context(), time.Second) // all of them are due
	r.settle(tasks[3], func(in *Fetched) {
		status(429, wstk.VerdictBlocked, "status 429")(in)
		in.Snapshot.RetryAfterSec = 20
	})
	due := 0
	for _, u := range r.urls() {
		if u.State == wstk.URLQueued {
			due++
		}
	}
	if due != 3+atWork { // three before it, eight behind it
		t.Errorf("%d are still under way", due)
	}
	if out := r.settle(tasks[20], text30); !out.Outdated {
		t.Error("a slot that was taken back still counts")
	}
	if out := r.settle(tasks[5], text30); out.Outdated {
		t.Error("a page that may be fetched already was dropped")
	}
}

func TestSettleRedirects(t *testing.T) {
	to := func(target string) func(*Fetched) {
		return func(in *Fetched) {
			in.Snapshot.Status, in.Snapshot.Verdict, in.Snapshot.FinalURL = 302,
				wstk.VerdictHTTPError, target
			in.Snapshot.Redirects = []wstk.Redirect{{URL: in.Task.URL, Status: 302}}
		}
	}
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a, b, "http://h.test/c")
	out := r.settle(tasks[0], to("http://user:secret@h.test/new"))
	if out.Outcome != wstk.OutcomeRedirected || out.Target != "http://h.test/new" {
		t.Errorf("%+v; want out.Outcome == wstk.OutcomeRedirected && out.Target == \"http://h.test/new\"", out)
	}
	if u := r.is("http://h.test/new", wstk.OutcomeOpen, ""); u.Via != wstk.ViaRedirect ||
		u.Depth != 1 || u.Hops != 1 || u.FoundOn != a {
		t.Errorf("target: %+v", u)
	}
	r.settle(tasks[1], to("http://elsewhere.test/"))
	r.is(b, wstk.OutcomeRedirected, "to http://elsewhere.test/")
	r.is("http://elsewhere.test/", wstk.OutcomeOutOfScope, "other host")
	r.settle(tasks[2], to("http://h.test/hop1"))
	for i := 1; ; i++ {
		task := r.releaseOnly(fmt.Sprintf("http://h.test/hop%d", i))
		out := r.settle(task, to(fmt.Sprintf("http://h.test/hop%d", i+1)))
		if out.Outcome == wstk.OutcomeFailed {
			if i != 10 || !strings.Contains(out.Reason, "more than 10 redirects") {
				t.Errorf("redirect %d: %+v", i, out)
			}
			break
		}
	}
}

// releaseOnly releases what is waiting and returns the task of one URL.
func (r rig) releaseOnly(url string) wstk.FetchTask {
	r.t.Helper()
	out := must[Released](r.t)(r.stage.Release(r.t.Context(), r.run, r.site))
	for _, task := range out.Tasks {
		if task.URL == url {
			return task
		}
	}
	r.t.Fatalf("%s is not released: %s", url, r.picture())
	return wstk.FetchTask{}
}
