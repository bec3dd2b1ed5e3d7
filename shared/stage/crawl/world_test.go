package crawl

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"wstk/shared/wstk"
)

// A world is a small web whose every URL behaves in one way.
type world struct {
	sites  map[string]*site
	robots string     // of every host
	down   bool       // robots.txt answers 500
	listed []string   // in the sitemap of every host
	named  [][]string // batches of the service of CrawlerInformed
	broken int        // the service fails from this batch on; 0 never
	calls  int        // of the service

	fetches map[string]int
	asked   map[string][]string // of robots.txt and sitemaps, by host
	clock   *clock
	mu      sync.Mutex
}

// site is what stands at one URL.
type site struct {
	kind      string // page, redirect, image, pdf, or a verdict
	words     string
	links     []string
	canonical string
	target    string
	noindex   bool
	nofollow  bool
	fails     int  // of a page: it answers 503 this often before it works
	once      bool // of a page: it is gone after the first fetch
}

func newWorld(c *clock) *world {
	return &world{sites: map[string]*site{}, fetches: map[string]int{},
		asked: map[string][]string{}, clock: c}
}

// service names URLs of a world.
type service struct {
	wstk.Discoverer
	*world
}

func (s service) Discover(
	ctx context.Context, q wstk.DiscoverQuery, cursor string,
) (wstk.Discovery, error) {
	if err := ctx.Err(); err != nil {
		return wstk.Discovery{}, err
	}
	s.calls++
	n := 0
	fmt.Sscan(cursor, &n)
	if s.broken > 0 && n+1 >= s.broken {
		return wstk.Discovery{}, wstk.Errorf(wstk.Unauthorized, "asking it", "its key is refused")
	}
	if n >= len(s.named) {
		return wstk.Discovery{}, nil
	}
	return wstk.Discovery{URLs: s.named[n], Next: fmt.Sprint(n + 1)}, nil
}

// Do answers for robots.txt and sitemaps.
func (w *world) Do(ctx context.Context, r wstk.Request) (wstk.Response, error) {
	if err := ctx.Err(); err != nil {
		return wstk.Response{}, err
	}
	host := r.URL[:strings.LastIndexByte(r.URL, '/')]
	w.mu.Lock()
	w.asked[host] = append(w.asked[host], r.URL)
	w.mu.Unlock()
	switch {
	case strings.HasSuffix(r.URL, "/sitemap.xml") && w.listed != nil:
		return wstk.Response{Status: 200, Body: []byte(strings.Join(w.listed, "\n"))}, nil
	case !strings.HasSuffix(r.URL, "/robots.txt"):
		return wstk.Response{Status: 404}, nil
	case w.down:
		return wstk.Response{Status: 500}, nil
	}
	return wstk.Response{Status: 200, Body: []byte(w.robots)}, nil
}

// fetch plays the fetch, read and screen stages.
func (w *world) fetch(task wstk.FetchTask) Fetched {
	w.fetches[task.URL]++
	in := Fetched{Task: task,
		Snapshot: wstk.Snapshot{URL: task.URL, FinalURL: task.URL, Status: 200,
			ContentType: "text/html", FetchedAt: w.clock.now(), Verdict: wstk.VerdictOK}}
	snap := &in.Snapshot
	s := w.sites[task.URL]
	if s == nil {
		snap.Status, snap.Verdict, snap.Reason = 404, wstk.VerdictNotFound, "status 404"
		return in
	}
	switch s.kind {
	case "page":
		if w.fetches[task.URL] <= s.fails {
			snap.Status, snap.Verdict, snap.Reason = 503, wstk.VerdictHTTPError, "status 503"
			return in
		}
		if s.once && w.fetches[task.URL] > 1 {
			snap.Status, snap.Verdict, snap.Reason = 404, wstk.VerdictNotFound, "status 404"
			return in
		}
		in.Document = page(task.URL, s.words, s.canonical, s.links...)
		in.Document.Meta.NoIndex, in.Document.Meta.NoFollow = s.noindex, s.nofollow
		in.Screening.Verdict = wstk.VerdictOK
		if s.words == "" {
			in.Screening.Verdict, in.Screening.Reason = wstk.VerdictThin, "no text"
		}
	case "redirect":
		snap.Status, snap.Verdict, snap.Reason = 301, wstk.VerdictHTTPError, "redirects to "+s.target
		snap.Redirects, snap.FinalURL = []wstk.Redirect{{URL: task.URL, Status: 301}}, s.target
	case "image":
		snap.ContentType = "image/png"
	case "pdf":
		snap.ContentType = "application/pdf"
	case "consent", "needs_render":
		in.Document = page(task.URL, "Please wait", "", s.links...)
		in.Screening.Verdict, in.Screening.Reason = wstk.Verdict(s.kind), "a shell"
	case "error":
		snap.Status, snap.Verdict, snap.Reason = 500, wstk.VerdictHTTPError, "status 500"
	default:
		snap.Status, snap.Verdict, snap.Reason = 0, wstk.Verdict(s.kind), "made up"
	}
	return in
}

// page makes a Document of one main paragraph.
func page(url, words, canonical string, links ...string) *wstk.Document {
	d := &wstk.Document{URL: url, CanonicalURL: url, Text: words,
		TextSHA256: wstk.HashOf([]byte(words))}
	if canonical != "" {
		d.CanonicalURL = canonical
	}
	if words != "" {
		d.Blocks = []wstk.Block{{Kind: wstk.BlockParagraph, Section: -1, Main: true,
			Span: wstk.Span{CharEnd: len([]rune(words)), ByteEnd: len(words)}}}
	}
	for i, l := range links {
		d.Links = append(d.Links, wstk.Link{URL: l, Text: "link", Main: true, Element: i})
	}
	return d
}

// prose returns n words that no other seed shares.
func prose(seed, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%dx%d ", seed, i)
	}
	return strings.TrimSpace(b.String())
}

// died is what a fault throws: the worker is gone at this very place.
type died struct{}

// fuse disturbs the worker at chosen calls of a port: it counts once before a call,
// when nothing is done yet, and once after it, when no caller learns that it is. There
// the worker dies, or another worker runs in between.
type fuse struct {
	calls int
	death map[int]bool
	other map[int]func()
	busy  bool // another worker runs, undisturbed
}

func newFuse() *fuse { return &fuse{death: map[int]bool{}, other: map[int]func(){}} }

func (f *fuse) tick() {
	if f == nil || f.busy {
		return
	}
	f.calls++
	if act := f.other[f.calls]; act != nil {
		f.busy = true
		act()
		f.busy = false
	}
	if f.death[f.calls] {
		panic(died{})
	}
}

// survives runs a worker's step and reports whether the worker lived through it.
func survives(step func()) (alive bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(died); !ok {
				panic(r)
			}
			alive = false
		}
	}()
	step()
	return true
}

func mortal1[T any](f *fuse, call func() (T, error)) (T, error) {
	f.tick()
	v, err := call()
	f.tick()
	return v, err
}

// mortalFrontier is a Frontier whose every call may be a worker's last.
type mortalFrontier struct {
	wstk.Frontier
	*fuse
}

func (m mortalFrontier) Add(ctx context.Context, urls ...wstk.FrontierURL) (int, error) {
	// An Add of many is not atomic: it may stop anywhere.
	n := 0
	for _, u := range urls {
		k, err := mortal1(m.fuse, func() (int, error) { return m.Frontier.Add(ctx, u) })
		n += k
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
func (m mortalFrontier) Get(
	ctx context.Context, run wstk.RunID, url string,
) (wstk.FrontierURL, error) {
	m.tick()
	return m.Frontier.Get(ctx, run, url)
}
func (m mortalFrontier) Waiting(
	ctx context.Context, run wstk.RunID, limit, perHost int,
) ([]wstk.FrontierURL, error) {
	m.tick()
	return m.Frontier.Waiting(ctx, run, limit, perHost)
}
func (m mortalFrontier) Queue(
	ctx context.Context, run wstk.RunID, url string, slot wstk.Slot,
) (bool, error) {
	return mortal1(m.fuse, func() (bool, error) { return m.Frontier.Queue(ctx, run, url, slot) })
}
func (m mortalFrontier) Start(ctx context.Context, run wstk.RunID, url, slot string) (bool, error) {
	return mortal1(m.fuse, func() (bool, error) { return m.Frontier.Start(ctx, run, url, slot) })
}
func (m mortalFrontier) Requeue(
	ctx context.Context, run wstk.RunID, url, old string, slot wstk.Slot, counted bool,
) (bool, error) {
	return mortal1(m.fuse, func() (bool, error) {
		return m.Frontier.Requeue(ctx, run, url, old, slot, counted)
	})
}
func (m mortalFrontier) Postpone(
	ctx context.Context, run wstk.RunID, url, slot string, until time.Time,
) (bool, error) {
	return mortal1(m.fuse, func() (bool, error) {
		return m.Frontier.Postpone(ctx, run, url, slot, until)
	})
}
func (m mortalFrontier) Unqueue(
	ctx context.Context, run wstk.RunID, url string, before time.Time, counted bool,
) (bool, error) {
	return mortal1(m.fuse, func() (bool, error) {
		return m.Frontier.Unqueue(ctx, run, url, before, counted)
	})
}
func (m mortalFrontier) Store(
	ctx context.Context, run wstk.RunID, url, slot string, doc wstk.Hash,
) (bool, error) {
	return mortal1(m.fuse, func() (bool, error) {
		return m.Frontier.Store(ctx, run, url, slot, doc)
	})
}
func (m mortalFrontier) Close(
	ctx context.Context, run wstk.RunID, url string, c wstk.Closing,
) (bool, error) {
	return mortal1(m.fuse, func() (bool, error) { return m.Frontier.Close(ctx, run, url, c) })
}
func (m mortalFrontier) ClaimText(
	ctx context.Context, run wstk.RunID, text wstk.Hash, url string,
) (string, error) {
	return mortal1(m.fuse, func() (string, error) {
		return m.Frontier.ClaimText(ctx, run, text, url)
	})
}
func (m mortalFrontier) SetNote(
	ctx context.Context, run wstk.RunID, key, old, value string,
) (bool, error) {
	return mortal1(m.fuse, func() (bool, error) {
		return m.Frontier.SetNote(ctx, run, key, old, value)
	})
}
func (m mortalFrontier) States(ctx context.Context, run wstk.RunID) (map[wstk.URLState]int, error) {
	m.tick()
	return m.Frontier.States(ctx, run)
}

type mortalHosts struct {
	wstk.HostStore
	*fuse
}

func (m mortalHosts) Reserve(
	ctx context.Context, host string, now time.Time, gap time.Duration,
) (wstk.Slot, error) {
	return mortal1(m.fuse, func() (wstk.Slot, error) {
		return m.HostStore.Reserve(ctx, host, now, gap)
	})
}

type mortalPages struct {
	wstk.PageStore
	*fuse
}

func (m mortalPages) Put(ctx context.Context, p wstk.Page) error {
	_, err := mortal1(m.fuse, func() (struct{}, error) {
		return struct{}{}, m.PageStore.Put(ctx, p)
	})
	return err
}

type mortalRuns struct {
	wstk.RunStore
	*fuse
}

func (m mortalRuns) End(ctx context.Context, id wstk.RunID, end wstk.Run) (bool, error) {
	return mortal1(m.fuse, func() (bool, error) { return m.RunStore.End(ctx, id, end) })
}
