// Package fetch asks a site for one URL, over HTTP, with a browser or through a service, and
// stores what came back. Each request, redirects included, passes the same gates in the same order: the
// caller's lists (Admit), robots.txt (Robots), the host's turn (Hosts), and the guarded
// client.
//
// Whatever the site did is stored as a Snapshot with a verdict: a page, a wall, a refusal or
// a timeout. A Go error means that we could not do our part; the task
// may be given again.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Stage fetches. Client, Blobs, Snapshots, Hosts and Robots are required. A Stage
// is safe for concurrent use; it must not be copied or changed once in use.
type Stage struct {
	Client    wstk.Client
	Blobs     wstk.BlobStore
	Snapshots wstk.SnapshotStore
	Hosts     wstk.HostStore

	// Renderer shows pages whose task has the method browser; nil means that there is no
	// browser, and such a task is Unavailable.
	Renderer wstk.Renderer

	// Scraper is the service that fetches pages whose task has the method remote; nil means
	// that there is none, and such a task is Unavailable.
	Scraper wstk.Scraper

	// MayReach refuses pages that a service must not be sent to, since their host has an
	// address that is closed to us; outside means that the service is not in this network. Its
	// errors count as those of the Client. nil refuses none.
	MayReach func(ctx context.Context, url string, outside bool) error

	// Robots decides about a URL by robots.txt. It is not called under the policy ignore,
	// unless rights are to be respected: then it is called under the policy warn, and only
	// its rights count. An error is a failure of ours and ends the fetch; a robots.txt that
	// cannot be reached is a decision.
	Robots func(ctx context.Context, url, userAgent string,
		policy wstk.RobotsPolicy) (RobotsDecision, error)

	// Known returns what is stored of a URL, or NotFound. If it is nil, nothing is known
	// and every request is unconditional.
	Known func(ctx context.Context, url string) (wstk.Page, error)

	// Admit refuses URLs by the caller's lists: an error with the code RefusedPolicy,
	// RefusedAddress or RefusedRobots becomes the verdict, any other ends the fetch.
	// nil admits everything.
	Admit func(url string) error

	// Begun is called once, when a task of a crawl has its host's turn and its attempt
	// begins. An error ends the fetch. It may be nil.
	Begun func(ctx context.Context, task wstk.FetchTask) error

	// UserAgent is the product's own, for robots.txt; it is what the Client sends
	// when a task names none.
	UserAgent string

	// how long a host stays taken when this process dies; more than the Client's time limit;
	// default 2 min
	Lease time.Duration
	// how long a crawl's task waits for its host before it is Busy; default 2 s
	Wait time.Duration
	// the same for a one-page task whose context has no deadline; default 30 s
	MaxWait time.Duration
	// how often a one-page task waits out a Retry-After; default 2, negative means never
	Retries int

	Now   func() time.Time                                 // default time.Now
	Sleep func(ctx context.Context, d time.Duration) error // default: a timer

	pauses pauses
}

// RobotsDecision is the decision of robots.txt about one URL.
type RobotsDecision struct {
	Allowed  bool
	Verdict  wstk.Verdict   // of a refusal; "" means refused_robots
	Reason   string         // of a refusal, one clause
	Delay    time.Duration  // least time between requests that the host asks for
	Warnings []wstk.Warning // for the Snapshot
	Rights   wstk.Rights    // what it says of the page's use
}

// Result is a stored fetch.
type Result struct {
	Snapshot wstk.Snapshot
	Body     []byte // the stored body; nil when there is none

	// Visibility is the stored record of what a browser showed of Body; nil without one.
	Visibility []byte

	// Redirect is where the last reply pointed when that was not followed, because
	// the task's Follow was used up (in a crawl it is 0): Snapshot.RedirectsTo. The
	// URL is then to be closed as redirected; there is nothing to read.
	Redirect string

	// Held is the page whose stored text still stands; set when the verdict is
	// not_modified.
	Held *wstk.Page

	// Steps are what the user may try after a refusal or a failure.
	Steps []wstk.Step
}

// NotModified reports whether the copy held before still stands.
func (r Result) NotModified() bool { return r.Held != nil }

// Busy is in the chain of the Conflict error that Do returns if the host cannot take the
// request now: another one is in flight, or its slot is in the future. Nothing was requested
// and nothing stored. A worker of a queue reserves a new slot, not before Until, and sends
// the task again with it.
type Busy struct {
	Host  string // as in text.HostKey
	Until time.Time
}

func (b *Busy) Error() string {
	return fmt.Sprintf("%s takes no request before %s", b.Host, b.Until.UTC().Format(time.RFC3339))
}

// Do fetches one URL and stores one Snapshot of it, body before row.
//
// Up to task.Follow redirects are followed: 301, 302, 303, 307, 308 with a
// Location, and a Refresh header of at most 5 s on a 200. Each hop passes all the
// gates. A redirect beyond that is reported: the Snapshot has the status of that
// reply, the hop as the last of Redirects, FinalURL is where it points, no body
// and the verdict http_error; see Result.Redirect. A redirect that leads nowhere
// (no usable Location, to itself, in a circle) is http_error and no redirect.
//
// A task with a Slot uses it for its first request and waits up to Wait for its
// time and for the host, else the error is Conflict with Busy. Without one, and
// for every further request, a slot is reserved here. The host is released when
// each request ends. 429 and 503 pause the host for its Retry-After (at most an
// hour), or else for a time that doubles from 5 s to 60 s. A task without Run is a
// one-page command: it waits out a Retry-After that fits the context's deadline
// and asks again.
//
// What robots.txt and the headers say of the page's use is in Snapshot.Rights. Under
// UsageRespect a page that is not to be input of a model is refused_policy: by
// robots.txt before it is asked for, by its headers without its body being kept. What
// the page itself says is for the reader of the page (wstk.PageRights).
//
// With the method browser the Snapshot's body is the DOM after the page's scripts ran,
// as UTF-8, with a screenshot where Render asks for one. The gates and the host's turn
// are those above, for each document that the window goes to, and where a script leads
// counts as a redirect; what a page loads besides passes the lists of the Renderer alone.
// Such a request is never conditional. A browser that is missing or breaks is
// Unavailable, a profile in use Conflict, and what a browser does not show as a page
// UnsupportedMediaType; nothing is stored for those.
//
// With the method remote the Scraper fetches the page, and the Snapshot names it in FetchedBy
// and FetchedVia. What the site answered it is judged as if it had answered us; the gates and
// the host's turn are those above, and MayReach is one more. It follows redirects itself: to
// another host is refused_policy, and where it led on the same host passes the gates, too. A
// service that is not set up is Unprocessable; what it fails with is returned, and nothing is
// stored for either.
//
// A task with a Way is asked for as the Way says, and the Snapshot has its Permit. The
// credential goes with the requests that it covers and with no other, also where a redirect
// leads, and never to robots.txt. A reply that repeats it is refused_policy, and its body is
// not kept. The page that the Way stands for passes Admit, too. Such a task is Invalid in a
// crawl, and with another method than http.
//
// A URL that cannot be read, and one that is not http or https, is Invalid;
// nothing is stored for those, since they have no canonical form.
// A cancelled context is Cancelled (Timeout when its deadline passed), and nothing
// is stored. What a store returns is returned. The same task at the same time is
// the same Snapshot.
func (s *Stage) Do(ctx context.Context, task wstk.FetchTask) (Result, error) {
	const op = "fetching"
	if s.Client == nil || s.Blobs == nil || s.Snapshots == nil ||
		s.Hosts == nil || s.Robots == nil {
		return Result{}, wstk.Errorf(wstk.Internal, op, "the fetch stage is not wired")
	}
	if err := ctx.Err(); err != nil {
		return Result{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	url, err := text.Canonical(task.URL)
	if err != nil {
		if otherScheme(task.URL) {
			return Result{}, wstk.Errorf(wstk.Invalid, op, "only http and https URLs are fetched")
		}
		return Result{}, wstk.Errorf(wstk.Invalid, op, "the address cannot be read: %w", err).
			Try(wstk.Advice("give a whole URL, such as https://example.com/page"))
	}
	f := &fetch{Stage: s, task: task,
		snap: wstk.Snapshot{URL: url, FinalURL: url, Method: wstk.MethodHTTP}}
	run := f.run
	switch task.Method {
	case "", wstk.MethodHTTP:
	case wstk.MethodBrowser:
		f.snap.Method, run = task.Method, f.show
	case wstk.MethodRemote:
		f.snap.Method, run = task.Method, f.remote
	default:
		return Result{}, wstk.Errorf(wstk.Invalid, op,
			"unknown fetch method %q; known are http, browser and remote", task.Method)
	}
	if err := f.takeWay(); err != nil {
		return Result{}, err
	}
	if bare := text.WithoutUser(url); bare != url {
		f.snap.URL, f.snap.FinalURL = bare, bare
		f.end(wstk.VerdictRefusedPolicy, "the URL carries a user name or password")
		return f.store(ctx)
	}
	if err := run(ctx); err != nil {
		return Result{}, err
	}
	return f.store(ctx)
}

// fetch is one Do in progress.
type fetch struct {
	*Stage
	task    wstk.FetchTask
	snap    wstk.Snapshot
	body    []byte
	held    *wstk.Page
	steps   []wstk.Step
	picture []byte // the page's screenshot
	shown   *wstk.Visibility
	asked   bool           // at least one request was made, so the task's slot is used up
	passed  string         // the URL that passed the gates last
	pending []wstk.Warning // of the gates, told once FinalURL has answered
	delay   time.Duration  // that its host asks for
	rights  wstk.Rights    // that its robots.txt states
	retries int
	took    time.Duration
	after   time.Time // of the page's snapshot before, which has an earlier time
}

// run asks, and follows, until there is a verdict.
func (f *fetch) run(ctx context.Context) error {
	for f.snap.Verdict == "" {
		if f.passed != f.snap.FinalURL {
			if err := f.gates(ctx); err != nil || f.snap.Verdict != "" {
				return err
			}
			f.passed = f.snap.FinalURL
		}
		resp, held, err := f.ask(ctx)
		if err != nil {
			return err
		}
		if f.snap.Verdict != "" { // the client refused, or there was no whole reply
			return nil
		}
		if f.repeats(&resp) {
			f.end(wstk.VerdictRefusedPolicy,
				"the reply repeats the credential that it was asked with, and was not kept")
			return nil
		}
		if f.redirected(resp) {
			continue
		}
		again, err := f.judge(ctx, resp, held)
		if err != nil {
			return err
		}
		if again {
			f.forget()
			continue
		}
		f.readAs()
	}
	return nil
}

// forget drops what the last reply said, so that it is not mixed with the next one.
func (f *fetch) forget() {
	f.body, f.shown, f.held, f.steps = nil, nil, nil, nil
	f.snap = wstk.Snapshot{URL: f.snap.URL, FinalURL: f.snap.FinalURL, Redirects: f.snap.Redirects,
		Method: f.snap.Method, Warnings: f.snap.Warnings, Rights: f.snap.Rights,
		Access: f.snap.Access}
}

// end gives the snapshot its verdict.
func (f *fetch) end(v wstk.Verdict, reason string) { f.snap.Verdict, f.snap.Reason = v, reason }

func (f *fetch) warn(code, message string) {
	f.snap.Warnings = append(f.snap.Warnings,
		wstk.Warning{Code: code, Message: message, URL: f.snap.FinalURL})
}

// gates checks what must be known before FinalURL is asked: the caller's lists and
// robots.txt, which also says how long to leave the host alone.
func (f *fetch) gates(ctx context.Context) error {
	url := f.snap.FinalURL
	f.tell() // the host that redirects has answered
	f.delay, f.rights = 0, wstk.Rights{}
	for _, u := range f.admitted(url) {
		if err := f.Admit(u); err != nil {
			return f.refusal(ctx, err)
		}
	}
	policy := f.task.Robots
	ignore := policy == wstk.RobotsIgnore
	switch {
	case ignore && f.task.Usage != wstk.UsageRespect:
		return nil
	case ignore:
		policy = wstk.RobotsWarn
	case policy == "":
		policy = wstk.RobotsRespect
	}
	d, err := f.Robots(ctx, url, f.userAgent(), policy)
	if err != nil {
		return wstk.Wrap(wstk.Internal, "checking robots.txt", err)
	}
	f.rights = d.Rights
	if ignore {
		f.mayUse(d.Rights)
		return nil
	}
	f.delay = d.Delay
	f.pending = append(f.pending, d.Warnings...)
	reason := orElse(d.Reason, "robots.txt disallows it")
	if !d.Allowed && policy == wstk.RobotsWarn {
		f.pending = append(f.pending, wstk.Warning{Code: "robots",
			Message: "fetched although refused: " + reason + ".", URL: url})
	}
	if d.Allowed || policy == wstk.RobotsWarn {
		f.mayUse(d.Rights)
		return nil
	}
	f.end(wstk.Verdict(orElse(string(d.Verdict), string(wstk.VerdictRefusedRobots))), reason)
	return nil
}

// tell adds the warnings of the gates, which are about a page that was fetched.
func (f *fetch) tell() {
	f.snap.Warnings = append(f.snap.Warnings, f.pending...)
	f.pending = nil
}

// refusal turns an error of the client or of Admit into a verdict, if it has one, and
// returns it if it is ours.
func (f *fetch) refusal(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, "fetching", ctx.Err())
	}
	switch code := wstk.CodeOf(err); code {
	case wstk.RefusedPolicy, wstk.RefusedAddress, wstk.RefusedRobots, wstk.TooLarge,
		wstk.Timeout, wstk.Network:
		f.end(wstk.Verdict(code), clause(err))
		f.steps = wstk.StepsOf(err)
		return nil
	}
	return wstk.Wrap(wstk.Internal, "fetching", err)
}

// clause returns the text of an error without the operation.
func clause(err error) string {
	var e *wstk.Error
	if errors.As(err, &e) && e.Err != nil {
		return e.Err.Error()
	}
	return err.Error()
}

func (f *fetch) userAgent() string { return orElse(f.task.UserAgent, f.Stage.UserAgent) }

func (s *Stage) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func (s *Stage) sleep(ctx context.Context, d time.Duration) error {
	switch {
	case d <= 0:
		return ctx.Err()
	case s.Sleep != nil:
		return s.Sleep(ctx, d)
	}
	return wstk.Sleep(ctx, d)
}

func orElse(s, standard string) string {
	if s == "" {
		return standard
	}
	return s
}
