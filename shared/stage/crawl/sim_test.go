package crawl

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wstk/shared/adapter/memory"
	"wstk/shared/wstk"
)

// The simulation drives a Stage as the real systems do, over a random web, with
// messages that come twice, late and in any order, and with workers that die at any
// call of a port. Whatever happens, the law of the package must hold.

// message is what the queues carry.
type message struct {
	task  *wstk.FetchTask
	index *wstk.FrontierURL
}

type sim struct {
	t     rapid.TB
	world *world
	clock *clock
	m     *memory.Memory
	run   wstk.Run
	site  wstk.Site
	fuse  *fuse
	stage *Stage
	limit Limits

	// One process, whose queue dies with it and which alone works on the run; or
	// functions on a queue that outlives them, where only sweeps help.
	embedded bool
	choose   func(n int) int // whichever message comes next
	again    func() bool     // whether it comes once more later
	queue    []message
	indexed  map[string]wstk.Hash
	steps    int
	deaths   int
	abort    int  // at this step the run is aborted; 0 never
	fresh    bool // the process has just begun
	current  message
	soon     time.Time // when the last release wants to be called again
}

func newSim(t rapid.TB, c *clock, w *world, root string, o wstk.CrawlOptions, l Limits) *sim {
	m := memory.New()
	m.Hosts = memory.NewHosts(c.now)
	m.Frontier.Now = c.now
	site := wstk.Site{ID: wstk.SiteIDOf(root), Root: root, Options: o}
	run := wstk.Run{ID: wstk.NewRunID(c.now(), nil), Kind: wstk.RunIngest, State: wstk.RunRunning,
		Site: site.ID, Options: &o, StartedAt: c.now()}
	if err := m.Runs.Create(context.Background(), run); err != nil {
		t.Fatal(err)
	}
	s := &sim{t: t, world: w, clock: c, m: m, run: run, site: site, fuse: newFuse(), limit: l,
		choose: func(int) int { return 0 }, again: func() bool { return false },
		indexed: map[string]wstk.Hash{}}
	s.start()
	return s
}

// start makes a new process: nothing is remembered but what the stores hold.
func (s *sim) start() {
	s.stage = &Stage{
		Frontier: mortalFrontier{s.m.Frontier, s.fuse}, Hosts: mortalHosts{s.m.Hosts, s.fuse},
		Pages: mortalPages{s.m.Pages, s.fuse},
		Runs:  mortalRuns{s.m.Runs, s.fuse}, Blobs: s.m.Blobs, Client: s.world, Now: s.clock.now,
		Sleep: s.clock.sleep, Limits: s.limit,
		Robots: &Robots{Client: s.world, Blobs: s.m.Blobs, Snapshots: s.m.Snapshots,
			Now: s.clock.now, Sleep: s.clock.sleep, UserAgent: "wstk/1"},
		Discoverers: map[wstk.Crawler]wstk.Discoverer{
			wstk.CrawlerInformed: service{world: s.world}},
	}
}

func (s *sim) check(err error) {
	if err != nil {
		s.t.Fatalf("step %d: %v", s.steps, err)
	}
}

// send puts messages on the queue; a worker may die between any two.
func (s *sim) send(msgs ...message) {
	for _, m := range msgs {
		s.fuse.tick()
		s.queue = append(s.queue, m)
		if s.again() {
			s.queue = append(s.queue, m)
		}
	}
	s.fuse.tick()
}

func (s *sim) next(n Next) {
	for _, u := range n.Index {
		s.send(message{index: &u})
	}
}

// work does one message, or what a worker does when there is none. It returns
// false when the run has ended.
func (s *sim) work(m message) {
	ctx := context.Background()
	s.current = m
	switch {
	case m.task != nil:
		s.check(s.stage.Start(ctx, *m.task))
		in := s.world.fetch(*m.task)
		if in.Document != nil {
			var err error
			in.Stored, err = wstk.SaveDocument(ctx, s.m.Blobs, in.Document)
			s.check(err)
			s.check(s.stage.Pages.Put(ctx, wstk.Page{URL: m.task.URL, Site: s.site.ID,
				Document: in.Stored, TextSHA256: in.Document.TextSHA256,
				Verdict: in.Snapshot.Verdict, FetchedAt: in.Snapshot.FetchedAt,
				CheckedAt: in.Snapshot.FetchedAt}))
		}
		out, err := s.stage.Settle(ctx, s.run, s.site, in)
		s.check(err)
		s.next(out.Next)
	case m.index != nil:
		doc, err := wstk.LoadDocument(ctx, s.m.Blobs, m.index.Document)
		s.check(err)
		s.indexed[m.index.URL] = doc.TextSHA256
		s.fuse.tick()
		next, err := s.stage.Acknowledge(ctx, s.run, s.site, m.index.URL)
		s.check(err)
		s.next(next)
	}
	out, err := s.stage.Release(ctx, s.run, s.site)
	s.check(err)
	for _, task := range out.Tasks {
		s.send(message{task: &task})
	}
	s.next(out.Next)
	s.soon = out.Again
	_, err = s.stage.Finish(ctx, s.run, s.site)
	s.check(err)
}

const maxSteps = 5_000

// play runs the crawl to its end.
func (s *sim) play() {
	ctx := context.Background()
	s.fresh = true
	for {
		if s.steps++; s.steps > maxSteps {
			s.t.Fatalf("the run does not end: %s", s.picture())
		}
		s.law()
		run, err := s.m.Runs.Get(ctx, s.run.ID)
		s.check(err)
		if run.State.Terminal() {
			break
		}
		alive := survives(func() {
			switch {
			case s.abort > 0 && s.steps >= s.abort:
				s.check(s.stage.Abort(ctx, s.run.ID, wstk.RunCancelled, "it was cancelled"))
			case s.fresh:
				_, err := s.stage.Seed(ctx, s.run, s.site)
				s.check(err)
				if s.embedded {
					out, err := s.stage.Resume(ctx, s.run, s.site)
					s.check(err)
					s.next(out.Next)
				}
				s.work(message{})
				s.fresh = false
			case len(s.queue) > 0:
				i := s.choose(len(s.queue))
				m := s.queue[i]
				if !s.again() { // else it stays and comes again
					s.queue = slices.Delete(s.queue, i, i+1)
				}
				s.work(m)
			default:
				// Nothing to do: time passes, and the clock's own tasks run.
				wait := 30 * time.Minute
				if d := s.soon.Sub(s.clock.now()); !s.soon.IsZero() && d < wait {
					wait = max(d, 0)
				}
				s.clock.sleep(ctx, wait)
				if !s.embedded && wait == 30*time.Minute { // one process needs no sweeps
					swept, err := s.stage.Sweep(ctx, s.run, s.site, s.clock.now().
						Add(-15*time.Minute))
					s.check(err)
					s.next(swept.Next)
				}
				s.work(message{})
			}
		})
		s.clock.sleep(ctx, time.Millisecond)
		if !alive {
			s.deaths++
			s.fresh = true
			s.start()
			if s.embedded {
				s.queue = nil
			}
		}
	}
	// Whatever is still on its way changes nothing any more.
	before := s.accounting()
	for _, m := range s.queue {
		if !survives(func() { s.work(m) }) {
			s.start()
		}
	}
	survives(func() {
		_, err := s.stage.Sweep(ctx, s.run, s.site, s.clock.now())
		s.check(err)
	})
	s.law()
	if diff := cmp.Diff(before, s.accounting()); diff != "" {
		s.t.Fatalf("late messages changed the accounting: %s", diff)
	}
	s.done()
}

func (s *sim) accounting() wstk.Accounting {
	a, err := s.m.Frontier.Accounting(context.Background(), s.run.ID)
	s.check(err)
	return a
}

func (s *sim) urls() []wstk.FrontierURL {
	urls, _, err := s.m.Frontier.List(context.Background(), s.run.ID, "", "", 1<<20)
	s.check(err)
	return urls
}

func (s *sim) picture() string {
	var b strings.Builder
	for _, u := range s.urls() {
		fmt.Fprintf(&b, "\n%s %s %s %s %s", u.URL, u.State, u.Outcome, u.Reason, u.Target)
	}
	return b.String()
}

// law is what holds at every moment.
func (s *sim) law() {
	acc, urls := s.accounting(),
		slices.DeleteFunc(s.urls(), func(u wstk.FrontierURL) bool { return !u.Counted() })
	if !acc.Balanced() || acc.Discovered != len(urls) {
		s.t.Fatalf("step %d: %d discovered, %d URLs, outcomes %v", s.steps, acc.Discovered, len(urls), acc.By)
	}
	by := map[wstk.Outcome]int{}
	for _, u := range urls {
		by[u.Outcome]++
		if (u.State == wstk.URLClosed) != (u.Outcome != wstk.OutcomeOpen) {
			s.t.Fatalf("%s is %s with outcome %s", u.URL, u.State, u.Outcome)
		}
	}
	if !maps.Equal(by, acc.By) {
		s.t.Fatalf("the counters are not the URLs: %s", cmp.Diff(by, acc.By))
	}
	if o := s.run.Options; acc.Stored() > o.MaxPages {
		s.t.Fatalf("%d pages stored, the budget is %d", acc.Stored(), o.MaxPages)
	}
}

// done is what holds when the run has ended.
func (s *sim) done() {
	if n := s.accounting().Of(wstk.OutcomeOpen); n != 0 {
		s.t.Fatalf("the run has ended with %d open: %s", n, s.picture())
	}
	texts := map[wstk.Hash]string{}
	for _, u := range s.urls() {
		if u.Reason == "" {
			s.t.Fatalf("%s ended as %s without a reason", u.URL, u.Outcome)
		}
		s.targetIsKnown(u)
		s.textIsIndexed(u, texts)
	}
	run, _ := s.m.Runs.Get(context.Background(), s.run.ID)
	if run.State != wstk.RunComplete && len(run.Reasons) == 0 {
		s.t.Fatalf("the run is %s without a reason", run.State)
	}
	if run.EndedAt.IsZero() {
		s.t.Fatal("the run has no end")
	}
}

// targetIsKnown checks that redirects and duplicates lead to a URL of the run, and
// duplicates to a page that is kept.
func (s *sim) targetIsKnown(u wstk.FrontierURL) {
	if (u.Outcome == wstk.OutcomeRedirected || u.Outcome == wstk.OutcomeDuplicateOf) &&
		u.Target == "" {
		s.t.Fatalf("%s is %s of nothing", u.URL, u.Outcome)
	}
	if u.Target != "" {
		if _, err := s.m.Frontier.Get(context.Background(), s.run.ID, u.Target); err != nil {
			s.t.Fatalf("%s leads to %s, which was never discovered", u.URL, u.Target)
		}
	}
	if end := s.end(u); u.Outcome == wstk.OutcomeDuplicateOf &&
		end.Outcome != wstk.OutcomeFetched && s.abort == 0 {
		s.t.Fatalf("%s is a duplicate of %s, which is %s", u.URL, end.URL, end.Outcome)
	}
}

// textIsIndexed checks that the text of a fetched page is in the index, and no text is
// there twice.
func (s *sim) textIsIndexed(u wstk.FrontierURL, texts map[wstk.Hash]string) {
	site := s.world.sites[u.URL]
	if u.Outcome != wstk.OutcomeFetched || site == nil || site.kind != "page" || site.words == "" {
		return
	}
	text := wstk.HashOf([]byte(site.words))
	if other := texts[text]; other != "" {
		s.t.Fatalf("one text is stored twice: %s and %s", other, u.URL)
	}
	if texts[text] = u.URL; s.indexed[u.URL] != text {
		s.t.Fatalf("%s is fetched and its text is not in the index", u.URL)
	}
}

// end follows duplicates to the page that is kept.
func (s *sim) end(u wstk.FrontierURL) wstk.FrontierURL {
	for range 100 {
		if u.Outcome != wstk.OutcomeDuplicateOf {
			return u
		}
		next, err := s.m.Frontier.Get(context.Background(), s.run.ID, u.Target)
		s.check(err)
		u = next
	}
	s.t.Fatalf("duplicates go round in a circle at %s", u.URL)
	return u
}

// texts are the texts the run holds.
func (s *sim) texts() []string {
	var out []string
	for _, u := range s.urls() {
		if site := s.world.sites[u.URL]; u.Outcome == wstk.OutcomeFetched && site != nil &&
			site.kind == "page" {
			out = append(out, site.words)
		}
	}
	slices.Sort(out)
	return out
}

// wildKinds and tameKinds are what the pages of a random web are; one that stands here more
// often is drawn more often.
var (
	wildKinds = strings.Fields("page page page page page redirect not_found gone error blocked " +
		"consent needs_render too_large timeout network image pdf refused_policy")
	tameKinds = strings.Fields("page page page page page page redirect not_found blocked " +
		"consent needs_render too_large image pdf")
)

// drawWorld makes a random web. Tame webs leave out what depends on the order of
// things: failures for good that come from counting, guards, redirects in a circle.
func drawWorld(t *rapid.T, c *clock, tame bool) (*world, string, *rand.Rand) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	w := newWorld(c)
	w.robots = "user-agent: *\ndisallow: /private/\n"
	// rapid draws small numbers by preference, and only what it draws can shrink; so
	// half of the webs have its size, the others one of their own.
	n := rapid.IntRange(1, 50).Draw(t, "pages")
	if r.IntN(2) == 0 {
		n = 15 + r.IntN(45)
	}
	d := &drawing{Rand: r, tame: tame, urls: drawURLs(r, n)}
	for i, url := range d.urls {
		s := d.site(i, url)
		s.once = !tame && s.kind == "page" && r.IntN(8) == 0
		if r.IntN(8) == 0 {
			w.listed = append(w.listed, url, url+"/unlinked")
			w.sites[url+"/unlinked"] = &site{kind: "page", words: prose(2000+i, 30)}
		}
		w.sites[url] = s
	}
	return w, d.urls[0], r
}

// drawNamed lets a service name pages of the web in one of three cases, and pages of others.
func (w *world) drawNamed(r *rand.Rand) wstk.Crawler {
	if r.IntN(3) > 0 {
		return ""
	}
	urls := append(slices.Sorted(maps.Keys(w.sites)), "http://elsewhere.test/x",
		"http://h.test/private/named", "http://h.test/only-named")
	w.sites["http://h.test/only-named"] = &site{kind: "page", words: prose(3000, 30)}
	for range 1 + r.IntN(3) {
		var batch []string
		for range r.IntN(8) {
			batch = append(batch, urls[r.IntN(len(urls))])
		}
		w.named = append(w.named, batch)
	}
	if r.IntN(4) == 0 {
		w.broken = 1 + r.IntN(3)
	}
	return wstk.CrawlerInformed
}

// drawURLs makes the addresses of a web, in forms that real sites have.
func drawURLs(r *rand.Rand, n int) (urls []string) {
	for i := range n {
		form := r.IntN(8)
		url := fmt.Sprintf("http://h.test/p%d", i)
		switch {
		case i == 0:
			url = "http://h.test/"
		case form == 1:
			url = fmt.Sprintf("http://h.test/dir%d/p%d", i%3, i)
		case form == 2:
			url = fmt.Sprintf("https://h.test/p%d", i)
		case form == 3 && !strings.Contains(urls[i-1], "?"):
			url = fmt.Sprintf("%s?v=%d", urls[i-1], i) // a variant of the one before
		case form == 4:
			url = fmt.Sprintf("http://h.test/same?session=%d", i)
		case form == 5:
			url = fmt.Sprintf("http://h.test/private/p%d", i)
		case form == 6:
			url = fmt.Sprintf("http://www.h.test/p%d", i)
		}
		urls = append(urls, url)
	}
	return urls
}

// drawing makes the pages of a random web.
type drawing struct {
	*rand.Rand
	tame bool
	urls []string
}

func (d *drawing) pick() string { return d.urls[d.IntN(len(d.urls))] }

// site makes the page with the number i.
func (d *drawing) site(i int, url string) *site {
	kinds := wildKinds
	if d.tame {
		kinds = tameKinds
	}
	s := &site{kind: kinds[d.IntN(len(kinds))]}
	if i == 0 && d.IntN(10) > 0 {
		s.kind = "page"
	}
	if strings.Contains(url, "/same?") {
		s.kind = "page"
	}
	switch s.kind {
	case "redirect":
		d.redirect(s, i)
	case "page", "consent", "needs_render":
		d.links(s, i, url)
		d.words(s, url)
		s.noindex = d.IntN(10) == 0
		s.nofollow = d.IntN(10) == 0
		if d.IntN(6) == 0 {
			s.fails = 1 + d.IntN(4)
		}
	}
	return s
}

// redirect draws a target: in tame webs the next page, so that there is no circle.
func (d *drawing) redirect(s *site, i int) {
	s.target = d.pick()
	switch {
	case d.tame && i == len(d.urls)-1:
		s.kind = "not_found"
	case d.tame:
		s.target = d.urls[i+1]
	}
}

func (d *drawing) links(s *site, i int, url string) {
	most := 6
	if i == 0 {
		most = 2 + len(d.urls)/2
	}
	for range 1 + d.IntN(most) {
		s.links = append(s.links, d.pick())
	}
	if d.IntN(6) == 0 {
		s.links = append(s.links, "http://elsewhere.test/", "http://h.test/a.zip",
			"http://h.test/nowhere")
	}
	if !d.tame && d.IntN(10) == 0 {
		s.links = append(s.links, url+"/x/x/x/x/x", "http://h.test/"+strings.Repeat("long", 300),
			url+"?calendar=1", url+"?calendar=2", url+"?calendar=3")
	}
}

// words draws a text that other pages may have too, and a canonical URL.
func (d *drawing) words(s *site, url string) {
	s.words = prose(d.IntN(len(d.urls)+1), 30)
	if strings.Contains(url, "/same?") {
		s.words = prose(1000, 30)
	}
	switch d.IntN(8) {
	case 0:
		s.canonical = d.pick()
	case 1:
		s.canonical, _, _ = strings.Cut(url, "?")
		s.words += " and then some"
	case 2:
		s.canonical = "http://h.test/" // pages lie
	case 3:
		s.words = ""
	}
	if d.tame {
		s.canonical = "" // which page waits for which, and so is first, depends on the order
	}
}

func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// disturb says at which calls workers die, and at which another worker does some
// work in between.
func (s *sim) disturb(t *rapid.T, r *rand.Rand) {
	calls := oneOf(r, 100, 1000, 3000)
	for range rapid.IntRange(0, 30).Draw(t, "deaths") + r.IntN(10) {
		s.fuse.death[1+r.IntN(calls)] = true
	}
	for range rapid.IntRange(0, 30).Draw(t, "others") + r.IntN(10) {
		s.fuse.other[1+r.IntN(calls)] = s.other(r)
	}
}

// another lets another process work, once there is something to do.
func (s *sim) another(work func()) {
	mine, current := s.stage, s.current
	defer func() { s.stage, s.current = mine, current }()
	s.start()
	work()
}

// other is a worker that comes in between another one's two calls.
func (s *sim) other(r *rand.Rand) func() {
	what := r.IntN(10)
	return func() {
		if s.fresh {
			return // not before there is anything to do
		}
		s.another(func() {
			switch {
			case what < 4 && len(s.queue) > 0:
				i := r.IntN(len(s.queue))
				m := s.queue[i]
				s.queue = slices.Delete(s.queue, i, i+1)
				s.work(m)
			case what < 7:
				s.work(s.current) // the same message once more
			case what == 7 && !s.embedded:
				out, err := s.stage.Sweep(context.Background(), s.run, s.site,
					s.clock.now().Add(time.Hour))
				s.check(err)
				s.next(out.Next)
			default:
				s.work(message{})
			}
		})
	}
}

// TestLaw: in any web, whatever dies and whatever comes twice, the outcomes add up
// at every moment, every run ends with every URL closed for a reason, nothing is
// stored twice, and late messages change nothing.
func TestLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		w, root, random := drawWorld(t, c, false)
		w.down = random.IntN(30) == 0
		o := wstk.CrawlOptions{
			MaxPages:  oneOf(random, 500, 500, 500, 500, 20, 10, 5, 2, 1, 0),
			MaxDepth:  oneOf(random, 10, 10, 10, 10, 5, 3, 2, 1, 0),
			RateLimit: oneOf(random, 0, time.Second, 5*time.Minute, 20*time.Minute),
		}
		o.Crawler = w.drawNamed(random)
		l := DefaultLimits()
		l.Variants, l.Copies, l.SameText = oneOf(random, 100, 6, 3, 1), oneOf(random, 5, 3, 1),
			oneOf(random, 25, 5, 3, 2)
		l.Resends = 1000 // so many deaths are not this page's fault
		l.Queued, l.Failures = oneOf(random, 50, 10, 3, 1), oneOf(random, 20, 20, 5, 2)
		s := newSim(t, c, w, root, o, l)
		s.embedded = rapid.Bool().Draw(t, "embedded")
		s.disturb(t, random)
		s.choose = random.IntN
		s.again = func() bool { return random.IntN(8) == 0 }
		if rapid.IntRange(0, 9).Draw(t, "aborted") == 0 {
			s.abort = rapid.IntRange(1, 40).Draw(t, "at")
		}
		s.play()
	})
}

// TestDisturbedRunGivesTheSameAccounting: a run whose workers died, and whose
// messages came twice and in any order, ends with the outcomes and the texts of one
// that nothing disturbed, apart from attempts.
func TestDisturbedRunGivesTheSameAccounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		w, root, random := drawWorld(t, c, true)
		o := wstk.CrawlOptions{MaxPages: 500, MaxDepth: 100, RateLimit: time.Second,
			Crawler: w.drawNamed(random)}
		l := DefaultLimits()
		l.Copies, l.SameText, l.Failures, l.Attempts, l.Resends = 1000, 1000, 1000, 1000, 1000
		calm := newSim(t, c, w, root, o, l)
		calm.play()

		w.fetches = map[string]int{}
		rough := newSim(t, c, w, root, o, l)
		rough.embedded = rapid.Bool().Draw(t, "embedded")
		rough.disturb(t, random)
		rough.choose = random.IntN
		rough.again = func() bool { return random.IntN(8) == 0 }
		rough.play()
		if diff := cmp.Diff(calm.accounting(), rough.accounting()); diff != "" {
			t.Fatalf("after %d deaths:\n%s\ncalm:%s\nrough:%s", rough.deaths, diff, calm.picture(), rough.picture())
		}
		if diff := cmp.Diff(calm.texts(), rough.texts()); diff != "" {
			t.Fatalf("texts: %s", diff)
		}
	})
}

// TestNoTextIsLost: whatever canonical URLs claim, every text a run met and was
// allowed to keep is kept, or most of it stands in a page that is.
func TestNoTextIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		w, root, random := drawWorld(t, c, false)
		for _, s := range w.sites {
			s.fails = 0
		}
		l := DefaultLimits()
		l.Failures = 1000
		s := newSim(t, c, w, root, wstk.CrawlOptions{MaxPages: 500, MaxDepth: 100}, l)
		s.choose = random.IntN
		s.play()
		kept := s.texts()
		for _, u := range s.urls() {
			site := s.world.sites[u.URL]
			if u.Outcome != wstk.OutcomeDuplicateOf {
				continue
			}
			core := strings.TrimSuffix(site.words, " and then some")
			if !slices.ContainsFunc(kept, func(k string) bool {
				return strings.HasPrefix(k, core)
			}) {
				t.Fatalf("the text of %s is lost: %s\n%s", u.URL, u.Target, s.picture())
			}
		}
	})
}

// zoo is a small web with one of everything, most of it reachable in one way only.
func zoo(c *clock) *world {
	w := newWorld(c)
	w.robots = "user-agent: *\ndisallow: /private/\n"
	w.listed = []string{"http://h.test/listed", "http://h.test/home"}
	w.sites = map[string]*site{
		"http://h.test/":     {kind: "redirect", target: "https://www.h.test/"},
		"http://h.test/home": {kind: "page", words: prose(20, 30)},
		"https://www.h.test/": {kind: "page", words: prose(0, 30), links: []string{"http://h.test/moved", "http://h.test/a", "http://h.test/copy",
			"http://h.test/v?x=1", "http://h.test/gone", "http://h.test/flaky", "http://h.test/shell", "http://h.test/private/x", "http://h.test/none",
			"http://h.test/thin", "http://h.test/x.png", "http://h.test/png", "http://elsewhere.test/", "http://h.test/ring?1", "http://h.test/circle1", "http://h.test/lie"}},
		"http://h.test/listed":       {kind: "page", words: prose(1, 30), links: []string{"http://h.test/from-listed"}},
		"http://h.test/from-listed":  {kind: "page", words: prose(2, 30)},
		"http://h.test/moved":        {kind: "redirect", target: "http://h.test/moved2"},
		"http://h.test/moved2":       {kind: "redirect", target: "http://h.test/arrived"},
		"http://h.test/arrived":      {kind: "page", words: prose(3, 30)},
		"http://h.test/a":            {kind: "page", words: prose(4, 30), links: []string{"http://h.test/deep"}},
		"http://h.test/deep":         {kind: "page", words: prose(5, 30), links: []string{"http://h.test/deeper"}},
		"http://h.test/deeper":       {kind: "page", words: prose(6, 30)},
		"http://h.test/copy":         {kind: "page", words: prose(4, 30)},
		"http://h.test/v?x=1":        {kind: "page", words: prose(7, 30) + " and then some", canonical: "http://h.test/v"},
		"http://h.test/v":            {kind: "page", words: prose(7, 30)},
		"http://h.test/ring?1":       {kind: "page", words: prose(8, 30) + " one", canonical: "http://h.test/ring?2"},
		"http://h.test/ring?2":       {kind: "page", words: prose(8, 30) + " two", canonical: "http://h.test/ring?3"},
		"http://h.test/ring?3":       {kind: "page", words: prose(8, 30) + " three", canonical: "http://h.test/ring?1"},
		"http://h.test/circle1":      {kind: "redirect", target: "http://h.test/circle2"},
		"http://h.test/circle2":      {kind: "redirect", target: "http://h.test/circle1"},
		"http://h.test/lie":          {kind: "page", words: prose(9, 30), canonical: "https://www.h.test/"},
		"http://h.test/flaky":        {kind: "page", words: prose(10, 30), fails: 2, links: []string{"http://h.test/from-flaky"}},
		"http://h.test/from-flaky":   {kind: "page", words: prose(11, 30)},
		"http://h.test/shell":        {kind: "needs_render", links: []string{"http://h.test/from-shell"}},
		"http://h.test/from-shell":   {kind: "page", words: prose(12, 30), noindex: true, links: []string{"http://h.test/from-noindex"}},
		"http://h.test/from-noindex": {kind: "page", words: prose(13, 30), nofollow: true, links: []string{"http://h.test/not-followed"}},
		"http://h.test/gone":         {kind: "gone"},
		"http://h.test/thin":         {kind: "page"},
		"http://h.test/png":          {kind: "image"},
	}
	return w
}

func zooSim(t *testing.T, embedded bool) *sim {
	c := newClock()
	l := DefaultLimits()
	l.Attempts = 8 // one death may cost each page an attempt
	s := newSim(t, c, zoo(c), "http://h.test/",
		wstk.CrawlOptions{MaxPages: 500, MaxDepth: 10, RateLimit: time.Second}, l)
	s.embedded = embedded
	return s
}

func TestZoo(t *testing.T) {
	s := zooSim(t, true)
	s.play()
	want := map[wstk.Outcome]int{wstk.OutcomeFetched: 15, wstk.OutcomeRedirected: 4,
		wstk.OutcomeDuplicateOf: 4, wstk.OutcomeNotFound: 2,
		wstk.OutcomeRefusedRobots: 2, wstk.OutcomeOutOfScope: 3, wstk.OutcomeNeedsRender: 1,
		wstk.OutcomeFailed: 1}
	if diff := cmp.Diff(want, s.accounting().By); diff != "" {
		t.Errorf("%s%s; want diff == \"\"", diff, s.picture())
	}
	run, _ := s.m.Runs.Get(t.Context(), s.run.ID)
	if diff := cmp.Diff([]string{"1 page failed", "1 page readable in a browser only"}, run.Reasons); run.State != wstk.RunPartial || diff != "" {
		t.Errorf("%s: %s; want run.State == wstk.RunPartial && diff == \"\"", run.State, diff)
	}
}

// every is the stride of the tests that visit the calls of a run one by one: 1 visits
// all of them and takes minutes.
var every = flag.Int("crawl.every", 23, "visit each n-th call of the simulated run")

// atEveryCall plays the zoo once for each call that an undisturbed run makes, with
// something happening at that call, and compares the outcomes.
func atEveryCall(t *testing.T, happens func(s *sim, call int), same bool) {
	for _, embedded := range []bool{true, false} {
		calm := zooSim(t, embedded)
		calm.play()
		// A disturbed run is longer; what happens in its tail happened before.
		for call := 1 + rand.IntN(*every); call <= calm.fuse.calls; call += *every {
			s := zooSim(t, embedded)
			happens(s, call)
			s.play()
			if diff := cmp.Diff(calm.accounting(), s.accounting()); same && diff != "" {
				t.Fatalf("embedded %v, at call %d of %d:\n%s%s", embedded, call, calm.fuse.calls, diff, s.picture())
			}
			if t.Failed() {
				t.Fatalf("embedded %v, at call %d of %d", embedded, call, calm.fuse.calls)
			}
		}
	}
}

func TestDeathAtEveryCall(t *testing.T) {
	atEveryCall(t, func(s *sim, call int) { s.fuse.death[call] = true }, true)
}

// A page that is gone when it is asked for again must not have taken its copy along:
// who owns a text has stored it.
func TestDeathOfAnOwner(t *testing.T) {
	for _, embedded := range []bool{true, false} {
		for call := 1; ; call++ {
			c := newClock()
			w := newWorld(c)
			w.sites["http://h.test/"] = &site{kind: "page", words: prose(0, 30), links: []string{"http://h.test/a", "http://h.test/b"}}
			w.sites["http://h.test/a"] = &site{kind: "page", words: prose(1, 30), once: true}
			w.sites["http://h.test/b"] = &site{kind: "page", words: prose(1, 30)}
			s := newSim(t, c, w, "http://h.test/", wstk.CrawlOptions{MaxPages: 500, MaxDepth: 10}, DefaultLimits())
			s.embedded = embedded
			s.fuse.death[call] = true
			s.play()
			if len(s.texts()) != 2 {
				t.Fatalf("death at call %d lost a text: %s", call, s.picture())
			}
			if s.deaths == 0 {
				break
			}
		}
	}
}

func TestTwoDeaths(t *testing.T) {
	atEveryCall(t, func(s *sim, call int) {
		s.fuse.death[call], s.fuse.death[call+call%23+1] = true, true
	}, true)
}

// The same message comes again while it is being worked on.
func TestTwiceAtEveryCall(t *testing.T) {
	atEveryCall(t, func(s *sim, call int) {
		s.fuse.other[call] = func() { s.another(func() { s.work(s.current) }) }
	}, true)
}

// Another worker does the next message in between.
func TestOtherWorkerAtEveryCall(t *testing.T) {
	atEveryCall(t, func(s *sim, call int) {
		s.fuse.other[call] = func() {
			s.another(func() {
				if len(s.queue) > 0 {
					m := s.queue[0]
					s.queue = s.queue[1:]
					s.work(m)
				}
			})
		}
	}, true)
}

func TestAbortAtEveryCall(t *testing.T) {
	atEveryCall(t, func(s *sim, call int) {
		s.abort = 1 << 30
		s.fuse.other[call] = func() {
			s.another(func() {
				s.check(s.stage.Abort(context.Background(), s.run.ID, wstk.RunCancelled, "it was cancelled"))
			})
		}
	}, false)
}

// TestManyWorkers lets goroutines work on one run at once.
func TestManyWorkers(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 7))
		c := newClock()
		w := newWorld(c)
		w.robots = "user-agent: *\ndisallow: /private/\n"
		const n = 150
		for i := range n {
			s := &site{kind: "page", words: prose(random.IntN(n), 20)}
			if i > 0 && i%9 == 0 {
				s = &site{kind: "redirect", target: fmt.Sprintf("http://h.test/%d", random.IntN(n))}
			}
			for range 8 {
				s.links = append(s.links, fmt.Sprintf("http://h.test/%d", random.IntN(n)))
			}
			w.sites[fmt.Sprintf("http://h.test/%d", i)] = s
		}
		w.sites["http://h.test/"] = w.sites["http://h.test/0"]
		budget := 500
		if seed%2 == 1 {
			budget = 40
		}
		s := newSim(t, c, w, "http://h.test/", wstk.CrawlOptions{MaxPages: budget, MaxDepth: 20}, DefaultLimits())
		s.fuse = nil
		s.start()
		if _, err := s.stage.Seed(t.Context(), s.run, s.site); err != nil {
			t.Fatal(err)
		}
		queue := make(chan message, 10_000)
		queue <- message{}
		var group sync.WaitGroup
		var busy, fetching sync.Mutex
		working := 0
		for range 8 {
			group.Go(func() {
				for {
					var m message
					select {
					case m = <-queue:
					default:
						busy.Lock()
						idle := working == 0
						busy.Unlock()
						run, _ := s.m.Runs.Get(t.Context(), s.run.ID)
						if run.State.Terminal() {
							return
						}
						if !idle {
							time.Sleep(50 * time.Microsecond)
							continue
						}
					}
					busy.Lock()
					working++
					busy.Unlock()
					concurrently(t, s, &fetching, m, queue)
					busy.Lock()
					working--
					busy.Unlock()
				}
			})
		}
		group.Wait()
		s.law()
		s.indexed = nil
		for _, u := range s.urls() {
			if u.Outcome == wstk.OutcomeOpen || u.Reason == "" {
				t.Errorf("%s is %s (%s)", u.URL, u.Outcome, u.Reason)
			}
		}
		if seed%2 == 1 && s.accounting().Stored() != budget {
			t.Errorf("%d pages stored, the budget is %d", s.accounting().Stored(), budget)
		}
		seen := map[string]bool{}
		for _, text := range s.texts() {
			if seen[text] {
				t.Error("one text is stored twice")
			}
			seen[text] = true
		}
	}
}

// concurrently does one message as a worker of several.
func concurrently(t *testing.T, s *sim, fetching *sync.Mutex, m message, queue chan message) {
	ctx := t.Context()
	index := func(n Next) {
		for _, u := range n.Index {
			queue <- message{index: &u}
		}
	}
	switch {
	case m.task != nil:
		fetching.Lock() // one request per host
		if err := s.stage.Start(ctx, *m.task); err != nil {
			t.Error(err)
		}
		in := s.world.fetch(*m.task)
		fetching.Unlock()
		if in.Document != nil {
			in.Stored, _ = wstk.SaveDocument(ctx, s.m.Blobs, in.Document)
		}
		out, err := s.stage.Settle(ctx, s.run, s.site, in)
		if err != nil {
			t.Error(err)
		}
		index(out.Next)
	case m.index != nil:
		next, err := s.stage.Acknowledge(ctx, s.run, s.site, m.index.URL)
		if err != nil {
			t.Error(err)
		}
		index(next)
	}
	out, err := s.stage.Release(ctx, s.run, s.site)
	if err != nil {
		t.Error(err)
	}
	for _, task := range out.Tasks {
		queue <- message{task: &task}
	}
	index(out.Next)
	if out.Open == 0 {
		if _, err := s.stage.Finish(ctx, s.run, s.site); err != nil {
			t.Error(err)
		}
	}
}
