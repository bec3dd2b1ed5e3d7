package app

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"

	"wstk/shared/stage/crawl"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/index"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// crawlStep begins a run, takes one up again, or looks whether more can be released.
func (a *App) crawlStep(ctx context.Context, t CrawlTask) (next []wstk.Message, err error) {
	defer func(started time.Time) { a.Metrics.Time("crawl", started, err) }(time.Now())
	run, err := a.Runs.Get(ctx, t.Run)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil // it was removed
	}
	if err == nil && run.Kind == wstk.RunRemoval {
		return a.removalMessage(ctx, run)
	}
	run, site, err := a.runAndSite(ctx, t.Run, t.Site)
	if err != nil {
		return nil, err
	}
	if run.Cancel && !run.State.Terminal() { // before anything is asked for once more
		return nil, a.Crawl.Abort(ctx, run.ID, wstk.RunCancelled, cancelled)
	}
	var more crawl.Next
	switch {
	case t.Resume:
		swept, err := a.Crawl.Resume(ctx, run, site)
		if err != nil {
			return nil, err
		}
		if err := a.forgetWake(ctx, run.ID); err != nil {
			return nil, err
		}
		more = swept.Next
	case t.Sweep:
		queued, stored, err := a.sweepBefore(ctx, run.ID, t.Waiting)
		if err != nil {
			return nil, err
		}
		swept, err := a.Crawl.SweepAges(ctx, run, site, queued, stored)
		if err != nil {
			return nil, err
		}
		more = swept.Next
	}
	if site.LastRun < run.ID { // whoever began the run did not get that far
		site.LastRun, site.UpdatedAt = run.ID, a.Now().UTC()
		if err := a.SiteStore.Put(ctx, site); err != nil {
			return nil, err
		}
	}
	if _, err := a.Crawl.Seed(ctx, run, site); err != nil {
		return nil, err
	}
	if next, err = a.follow(ctx, run, site, more); err != nil {
		return nil, err
	}
	released, err := a.release(ctx, run, site)
	return append(next, released...), err
}

// fetchStep fetches one URL of a crawl, reads and screens what came, and settles it:
// its links enter the frontier and it is closed, put back, or goes on to be indexed.
func (a *App) fetchStep(ctx context.Context, task wstk.FetchTask) ([]wstk.Message, error) {
	run, site, err := a.runAndSite(ctx, task.Run, task.Site)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil // its site was removed
	}
	if err != nil {
		return nil, err
	}
	u, err := a.Frontier.Get(ctx, task.Run, task.URL)
	if err != nil {
		return nil, err
	}
	if run.State.Terminal() || u.Slot != task.Slot || u.State != wstk.URLQueued && u.State != wstk.URLStored {
		return a.late(ctx, run, site, task, u)
	}
	if run.Cancel { // the crawl message that came with it closes what is open
		return nil, nil
	}
	fetched := pageRead{Fetched: crawl.Fetched{Task: task}}
	if u.State == wstk.URLQueued { // else a first delivery was cut off after storing: settle what it stored
		fetched, err = a.fetchAndRead(ctx, task)
	}
	if busy := (*fetch.Busy)(nil); errors.As(err, &busy) {
		return a.anotherSlot(ctx, run, site, task, busy.Until)
	}
	if err != nil {
		return nil, err
	}
	started := time.Now()
	settled, err := a.Crawl.Settle(ctx, run, site, fetched.Fetched)
	a.Metrics.Time("settle", started, err)
	if err != nil {
		return nil, err
	}
	next, err := a.follow(ctx, run, site, settled.Next)
	if err != nil {
		return nil, err
	}
	released, err := a.release(ctx, run, site)
	return append(next, released...), err
}

// late is for a message whose work is done, by another delivery or by one of its own
// that was cut off afterwards. What follows on the URL's own change is done once more.
func (a *App) late(ctx context.Context, run wstk.Run, site wstk.Site, task wstk.FetchTask, u wstk.FrontierURL) ([]wstk.Message, error) {
	if u.State == wstk.URLClosed && u.Slot == task.Slot && site.LastRun == run.ID {
		drop := u.Outcome == wstk.OutcomeNotFound || u.Outcome == wstk.OutcomeDuplicateOf
		if u.Outcome == wstk.OutcomeRefusedRobots { // a page whose text was forgotten, not one that could not be asked for
			p, err := a.Pages.Get(ctx, u.URL)
			if err != nil && wstk.CodeOf(err) != wstk.NotFound {
				return nil, err
			}
			drop = p.Document == ""
		}
		if drop {
			if err := a.Index.Remove(ctx, u.URL); err != nil {
				return nil, err
			}
		}
	}
	if run.State.Terminal() {
		return nil, nil
	}
	return a.release(ctx, run, site)
}

// busyPause is the least time before a busy host is tried again: whoever holds it may
// be dead, and holds it until the end of the lease.
const busyPause = time.Second

// anotherSlot sends a task whose host is busy again, with a slot of its own. Where the host
// asks for so long a pause that nobody waits for it, the run goes on without the URL.
func (a *App) anotherSlot(ctx context.Context, run wstk.Run, site wstk.Site, task wstk.FetchTask, until time.Time) ([]wstk.Message, error) {
	if at := a.Now().Add(busyPause); at.After(until) {
		until = at
	}
	task, moved, err := a.Crawl.Requeue(ctx, task, until)
	if err != nil {
		return nil, err
	}
	if !moved {
		return a.release(ctx, run, site)
	}
	m, err := wstk.NewMessage("fetch", task, task.NotBefore)
	return []wstk.Message{m}, err
}

// pageRead is a fetched page and what was made of it.
type pageRead struct {
	crawl.Fetched
	Body       []byte
	Visibility []byte   // the record of what a browser showed of Body; nil without one
	Next       []string // what the user may try after a refusal
	Held       *wstk.Page

	base    string // what links of a body that was handed in are relative to; "" for its name
	Refused string // by the page itself: why it may not be used
	agent   string // that asked, whose product token a page may address

	// Unreadable is why a body that came has no Document: nobody reads its type.
	Unreadable error
}

// fetchAndRead fetches, reads, screens and stores one page: body and text first,
// then the page that names them.
func (a *App) fetchAndRead(ctx context.Context, task wstk.FetchTask) (out pageRead, err error) {
	out.Task = task
	started := time.Now()
	res, err := a.Fetch.Do(ctx, task)
	a.Metrics.Time("fetch", started, err)
	if err != nil {
		return out, err
	}
	err = a.take(ctx, task.Site, res, &out)
	return out, err
}

// take reads and screens a stored fetch, and stores what it learns.
func (a *App) take(ctx context.Context, site wstk.SiteID, res fetch.Result, out *pageRead) error {
	out.Snapshot, out.Body, out.Visibility, out.Next, out.Held = res.Snapshot, res.Body, res.Visibility, res.Next, res.Held
	if out.agent = out.Task.UserAgent; out.agent == "" {
		out.agent = a.Fetch.UserAgent
	}
	snap := res.Snapshot
	if res.Redirect != "" {
		return nil // in a crawl the target is a discovered URL of its own
	}
	p := wstk.Page{URL: snap.FinalURL, Site: site, CanonicalURL: snap.FinalURL, Verdict: snap.Verdict, Reason: snap.Reason, CheckedAt: snap.FetchedAt}
	if len(res.Body) > 0 && (snap.Verdict.Readable() || snap.Verdict == wstk.VerdictBlocked || snap.Verdict == wstk.VerdictNotFound || snap.Verdict == wstk.VerdictHTTPError) {
		if err := a.readBody(ctx, res, out, &p); err != nil {
			return err
		}
	}
	if err := a.putPage(ctx, p); err != nil {
		return err
	}
	if p.Document != "" {
		if err := a.keepRead(ctx, p, out); err != nil {
			return err
		}
	}
	if snap.FinalURL == snap.URL {
		return nil
	}
	// A followed redirect: the page is the one it led to, the URL asked for leads there.
	return a.Pages.Put(ctx, wstk.Page{URL: snap.URL, Site: site, CanonicalURL: p.CanonicalURL, DuplicateOf: snap.FinalURL,
		Verdict: p.Verdict, Reason: "redirects to " + snap.FinalURL, CheckedAt: snap.FetchedAt})
}

// keepRead makes sure that what a stored page names is there: other pages may have the same
// text or the same findings, and their site may have been removed just before.
func (a *App) keepRead(ctx context.Context, p wstk.Page, read *pageRead) error {
	if err := wstk.KeepBlob(ctx, a.Blobs, p.TextSHA256, []byte(read.Document.Text)); err != nil || p.Screening == "" {
		return err
	}
	data, err := json.Marshal(read.Screening)
	if err != nil {
		return wstk.Wrap(wstk.Internal, "storing screening", err)
	}
	return wstk.KeepBlob(ctx, a.Blobs, p.Screening, data)
}

// reading bounds the bytes of bodies that this process reads at once: reading takes
// many times the memory of the body, and waits for nothing but the processor. So it
// is as many small bodies as there are processors, or one that is large.
var (
	reading     = semaphore.NewWeighted(readAtOnce)
	readAtLeast = readAtOnce / int64(max(2, runtime.GOMAXPROCS(0)))
)

const readAtOnce = 2 << 20

// readingSlot waits until a body of so many bytes may be read; done gives the slot back.
func readingSlot(ctx context.Context, size int) (done func(), err error) {
	weight := min(max(int64(size), readAtLeast), readAtOnce)
	if err := reading.Acquire(ctx, weight); err != nil {
		return nil, wstk.Wrap(wstk.Cancelled, "reading page", err)
	}
	return func() { reading.Release(weight) }, nil
}

// readBody makes the Document and the Screening of a body. A type nobody reads is no
// failure: the body is kept as bytes.
func (a *App) readBody(ctx context.Context, res fetch.Result, out *pageRead, p *wstk.Page) error {
	done, err := readingSlot(ctx, len(res.Body))
	if err != nil {
		return err
	}
	defer done()
	snap := res.Snapshot
	started := time.Now()
	doc, err := a.Read.Do(ctx, out.input())
	a.Metrics.Time("read", started, err)
	if wstk.CodeOf(err) == wstk.UnsupportedMediaType {
		out.Unreadable = err
		return nil
	}
	if err != nil {
		return err
	}
	started = time.Now()
	out.Screening, err = a.Screen.Do(ctx, screen.Input{Snapshot: snap, Document: doc, Body: res.Body})
	a.Metrics.Time("screen", started, err)
	if err != nil {
		return err
	}
	if p.Verdict, p.Reason = out.Screening.Verdict, out.Screening.Reason; out.Task.NoDetect {
		p.Verdict, p.Reason = snap.Verdict, snap.Reason
	}
	if reason, refused := out.Rights(doc).Refuses(wstk.PurposeAIInput); refused && out.Task.Usage == wstk.UsageRespect {
		p.Verdict, p.Reason = wstk.VerdictRefusedPolicy, reason
		out.Refused = reason
	}
	if p.Partial, err = a.teaser(ctx, *p, out.Screening); err != nil {
		return err
	}
	if !p.Verdict.Readable() && !p.Partial {
		return nil // a wall is kept as bytes; its words are not the page's
	}
	started = time.Now()
	out.Document = doc
	if out.Stored, err = wstk.SaveDocument(ctx, a.Blobs, doc); err != nil {
		return err
	}
	if len(out.Screening.Findings) > 0 || p.Partial {
		data, err := json.Marshal(out.Screening)
		if err != nil {
			return wstk.Errorf(wstk.Internal, "storing screening", "%w", err)
		}
		if p.Screening, err = a.Blobs.Put(ctx, data); err != nil {
			return err
		}
	}
	a.Metrics.Time("store", started, nil)
	p.CanonicalURL, p.Title, p.Language = doc.CanonicalURL, text.Prefix(doc.Meta.Title, maxField), text.Prefix(doc.Meta.Language, maxField)
	p.SnapshotSHA256, p.TextSHA256, p.Document = snap.BodySHA256, doc.TextSHA256, out.Stored
	p.ETag, p.LastModified, p.FetchedAt = snap.ETag, snap.LastModified, snap.FetchedAt
	p.PublishedAt, p.ModifiedAt = doc.Meta.PublishedAt, doc.Meta.ModifiedAt
	return nil
}

// teaser tells whether a page that is blocked is to be kept as a teaser: not where its
// whole text is held, which a paywall of today does not take away.
func (a *App) teaser(ctx context.Context, p wstk.Page, found wstk.Screening) (bool, error) {
	if !found.Partial || p.Verdict != wstk.VerdictBlocked {
		return false, nil
	}
	old, err := a.Pages.Get(ctx, p.URL)
	if wstk.CodeOf(err) == wstk.NotFound {
		return true, nil
	}
	return old.Document == "" || old.Partial, err
}

// partial tells whether the Document is a teaser.
func (p pageRead) partial() bool { return p.Document != nil && p.Screening.Partial && !p.Task.NoDetect }

// Rights is what the site says the page may be used for; doc may be nil.
func (p pageRead) Rights(doc *wstk.Document) wstk.Rights {
	return wstk.PageRights(p.Snapshot, doc, wstk.ProductToken(p.agent))
}

func (p pageRead) input() read.Input {
	in := readInput(p.Snapshot, p.Body, p.Visibility)
	in.Base = p.base
	return in
}

// readInput is what the reader is given of a stored fetch. visibility is the record that
// the snapshot names; nil where it names none.
func readInput(snap wstk.Snapshot, body, visibility []byte) read.Input {
	return read.Input{URL: snap.FinalURL, Body: body, Visibility: visibility, ContentType: snap.ContentType, Charset: snap.Charset,
		Headers: snap.Headers, SnapshotSHA256: snap.BodySHA256, FetchedAt: snap.FetchedAt}
}

// maxField bounds what a page says of itself, in its record: the whole stands in its
// Document. A record is at most 400 KB in DynamoDB.
const maxField = 4 << 10

// putPage stores the page's newest state. What is held of it survives a fetch that
// brought no text: a wall today does not take away what was read yesterday.
func (a *App) putPage(ctx context.Context, p wstk.Page) error {
	old, err := a.Pages.Get(ctx, p.URL)
	switch {
	case wstk.CodeOf(err) == wstk.NotFound:
		return a.Pages.Put(ctx, p)
	case err != nil:
		return err
	}
	if p.Site == "" {
		p.Site = old.Site
	}
	if p.Document == "" {
		kept := old
		kept.Verdict, kept.Reason, kept.CheckedAt, kept.Site = p.Verdict, p.Reason, p.CheckedAt, p.Site
		if p.Verdict == wstk.VerdictNotModified { // the text held is that of the page
			if kept.Verdict, kept.Reason = old.Verdict, old.Reason; !old.Verdict.Readable() {
				kept.Verdict, kept.Reason = wstk.VerdictOK, ""
			}
		}
		return a.Pages.Put(ctx, kept)
	}
	if old.TextSHA256 == p.TextSHA256 {
		p.IndexedAt, p.DuplicateOf = old.IndexedAt, old.DuplicateOf
	}
	return a.Pages.Put(ctx, p)
}

// follow turns what crawl asks for into messages and removals.
func (a *App) follow(ctx context.Context, run wstk.Run, site wstk.Site, n crawl.Next) ([]wstk.Message, error) {
	for _, url := range n.Drop {
		if err := a.Index.Remove(ctx, url); err != nil {
			return nil, err
		}
	}
	var out []wstk.Message
	for _, u := range n.Index {
		m, err := wstk.NewMessage("summarize", PageTask{Run: run.ID, Site: site.ID, URL: u.URL, Document: u.Document}, time.Time{})
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// release gives out what may be fetched next, and ends the run when nothing is open.
func (a *App) release(ctx context.Context, run wstk.Run, site wstk.Site) (next []wstk.Message, err error) {
	defer func(started time.Time) { a.Metrics.Time("release", started, err) }(time.Now())
	defer func() {
		if err != nil && len(next) > 0 { // what is queued needs its message, whatever failed after
			after, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer stop()
			if e := a.Queue.Send(after, next...); e != nil {
				a.Log.Warn("released URLs wait for the sweep", "run", string(run.ID), "error", e.Error())
			}
			next = nil
		}
	}()
	a.touch(ctx, run)
	r, err := a.Crawl.Release(ctx, run, site)
	for _, t := range r.Tasks {
		m, e := wstk.NewMessage("fetch", t, t.NotBefore)
		if e != nil {
			return next, e
		}
		next = append(next, m)
	}
	if err != nil {
		return next, err
	}
	more, err := a.follow(ctx, run, site, r.Next)
	next = append(next, more...)
	switch {
	case err != nil || r.Finished:
		return next, err
	case r.Cancel:
		return next, a.Crawl.Abort(ctx, run.ID, wstk.RunCancelled, cancelled)
	case r.Open == 0:
		_, err := a.Crawl.Finish(ctx, run, site)
		return next, err
	case len(r.Tasks) == 0 && !r.Again.IsZero():
		wake, err := a.wake(ctx, run, site, r.Again)
		return append(next, wake...), err
	}
	return next, nil
}

// wakeKey is the note of a run that says when somebody will look at it again, so that
// of many workers with nothing to do one sets the alarm.
const wakeKey = "wake"

func (a *App) wake(ctx context.Context, run wstk.Run, site wstk.Site, at time.Time) ([]wstk.Message, error) {
	old, err := a.Frontier.Note(ctx, run.ID, wakeKey)
	if err != nil {
		return nil, err
	}
	if set, err := time.Parse(time.RFC3339Nano, old); err == nil && set.After(a.Now()) && !set.After(at.Add(time.Second)) {
		return nil, nil
	}
	mine, err := a.Frontier.SetNote(ctx, run.ID, wakeKey, old, at.UTC().Format(time.RFC3339Nano))
	if err != nil || !mine {
		return nil, err
	}
	m, err := wstk.NewMessage("crawl", CrawlTask{Run: run.ID, Site: site.ID}, at)
	return []wstk.Message{m}, err
}

func (a *App) forgetWake(ctx context.Context, run wstk.RunID) error {
	old, err := a.Frontier.Note(ctx, run, wakeKey)
	if err != nil || old == "" {
		return err
	}
	_, err = a.Frontier.SetNote(ctx, run, wakeKey, old, "")
	return err
}

// summarizeStep summarises one page and hands it to index.
func (a *App) summarizeStep(ctx context.Context, t PageTask) (next []wstk.Message, err error) {
	defer func(started time.Time) { a.Metrics.Time("summarize", started, err) }(time.Now())
	doc, err := wstk.LoadDocument(ctx, a.Blobs, t.Document)
	if wstk.CodeOf(err) == wstk.NotFound {
		if held, e := a.held(ctx, t.URL); e != nil || !held {
			return nil, e // its site was removed
		}
	}
	if err != nil {
		return nil, err
	}
	sums, err := a.Summarize.Do(ctx, doc)
	if err != nil {
		return nil, err
	}
	if held, err := a.held(ctx, t.URL); err != nil {
		return nil, err
	} else if !held { // the removal of its site came between
		return nil, a.Summaries.Remove(ctx, t.URL)
	}
	key := sums[0].Key()
	t.Summary = &key
	m, err := wstk.NewMessage("index", t, time.Time{})
	return []wstk.Message{m}, err
}

// indexStep cuts and indexes one page, then closes its URL.
func (a *App) indexStep(ctx context.Context, t PageTask) ([]wstk.Message, error) {
	run, site, err := a.runAndSite(ctx, t.Run, t.Site)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil // its site was removed
	}
	if err != nil {
		return nil, err
	}
	started := time.Now()
	err = a.indexPage(ctx, t)
	a.Metrics.Time("index", started, err)
	if err != nil {
		return nil, err
	}
	started = time.Now()
	more, err := a.Crawl.Acknowledge(ctx, run, site, t.URL)
	a.Metrics.Time("acknowledge", started, err)
	if err != nil {
		return nil, err
	}
	next, err := a.follow(ctx, run, site, more)
	if err != nil {
		return nil, err
	}
	released, err := a.release(ctx, run, site)
	return append(next, released...), err
}

// indexPage makes a page findable, as it stands now: a second delivery of its fetch may
// have stored it anew since the message was sent.
func (a *App) indexPage(ctx context.Context, t PageTask) error {
	p, err := a.Pages.Get(ctx, t.URL)
	if wstk.CodeOf(err) == wstk.NotFound || err == nil && p.Document == "" {
		return nil
	}
	if err != nil {
		return err
	}
	doc, err := wstk.LoadDocument(ctx, a.Blobs, p.Document)
	if err != nil {
		return err
	}
	in := index.Input{Page: p, Document: doc}
	if t.Summary != nil && t.Summary.TextSHA256 == doc.TextSHA256 {
		s, err := a.Summaries.Get(ctx, *t.Summary)
		if err != nil {
			return err
		}
		in.Summary = &s
	}
	if _, err = a.Indexing.Do(ctx, in); err != nil {
		return err
	}
	if held, err := a.held(ctx, t.URL); err != nil || held {
		return err
	}
	return a.Index.Remove(ctx, t.URL) // the removal of its site came between
}

// held reports whether a text of a page is held. Whoever stored something of a page asks
// after that, and the removal of a site takes the page's text before all else, so that of
// two at once one sees the other.
func (a *App) held(ctx context.Context, url string) (bool, error) {
	p, err := a.Pages.Get(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil
	}
	return p.Document != "", err
}

// runAndSite reads what most steps need. A message without a run is of one page.
func (a *App) runAndSite(ctx context.Context, id wstk.RunID, site wstk.SiteID) (wstk.Run, wstk.Site, error) {
	run, err := a.Runs.Get(ctx, id)
	if err != nil {
		return run, wstk.Site{}, err
	}
	s, err := a.SiteStore.Get(ctx, site)
	return run, s, err
}
