package crawl

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

const (
	robotsAge        = 24 * time.Hour  // RFC 9309 §2.4: no older copy is used
	robotsFailureAge = 5 * time.Minute // how long an unreachable robots.txt is left alone
	robotsRedirects  = 5               // RFC 9309 §2.3.1.2
	robotsTries      = 3               // on network errors and 5xx, 1 s and 3 s apart
	robotsHosts      = 4096            // held in memory at most
)

// Decision is the answer of robots.txt about one URL.
type Decision struct {
	Allowed bool
	Line    int           // of the rule that decided, from 1; 0 when none did
	Rule    string        // that line: "Disallow: /private"
	Delay   time.Duration // Crawl-delay of the group, as written; 0 without one

	// Verdict of a refusal: refused_robots, or timeout or network when the host did
	// not answer at all and a fetch of the page would meet the same.
	Verdict  wstk.Verdict
	Reason   string         // of a refusal, one clause
	Warnings []wstk.Warning // under the policy warn: that robots.txt would have refused
	Rights   wstk.Rights    // what its lines on usage say; nothing if it is unreachable
}

// Robots answers for the robots.txt of any host (scheme, host and port). An answer is kept
// in memory and as an ordinary Snapshot of robots.txt, so that a refusal can be proved
// later. It is used for at most 24 hours. Callers that ask for one host at the same time
// share one request. The request takes no slot of the host, since it is one a day. All
// methods are safe for concurrent use.
type Robots struct {
	Client    wstk.Client
	Blobs     wstk.BlobStore     // where answers are kept, with Snapshots; both may be nil
	Snapshots wstk.SnapshotStore // nil if Blobs is
	Now       func() time.Time
	Sleep     func(ctx context.Context, d time.Duration) error
	NoStore   bool   // do not use stored answers; new ones are still stored
	UserAgent string // sent with requests; "" means the client's own

	mu    sync.Mutex
	hosts map[string]*robotsHost
}

// robotsHost is the answer of one host. It is there once ready is closed.
type robotsHost struct {
	ready  chan struct{}
	answer robotsAnswer
	err    error // ours; the entry is dropped then
}

// robotsAnswer is the result of asking for a robots.txt: a file (an empty one allows
// everything), or a refusal of everything.
type robotsAnswer struct {
	file    *RobotsFile
	verdict wstk.Verdict // "" unless everything is refused
	reason  string
	until   time.Time
}

// Check decides whether a client that sends userAgent ("" means r.UserAgent) may fetch
// url under a policy ("" means respect).
//
// By RFC 9309, up to 5 redirects are followed. More redirects and 4xx, also 401 and 403,
// mean that there is no robots.txt, so all is allowed. 5xx, a network error, a timeout and
// a body over 16 MiB mean that it is unreachable, so nothing is. 429 counts as unreachable,
// as it does for Google: a host that asks for fewer requests has not allowed more of them.
// If our own policy refuses the host's address, robots.txt allows: the fetch itself is
// refused then, for the true reason.
//
// Under warn nothing is refused, but Warnings say what would have been; under
// ignore nothing is fetched. An error means that we could not do our part.
func (r *Robots) Check(
	ctx context.Context, url, userAgent string, policy wstk.RobotsPolicy,
) (Decision, error) {
	if policy == wstk.RobotsIgnore {
		return Decision{Allowed: true}, nil
	}
	if userAgent == "" {
		userAgent = r.UserAgent
	}
	tries := robotsTries
	if policy == wstk.RobotsWarn {
		tries = 1 // nothing depends on it
	}
	answer, err := r.ask(ctx, url, tries)
	if err != nil {
		return Decision{}, err
	}
	var d Decision
	switch {
	case answer.verdict == "":
		d = answer.file.Check(userAgent, url)
		if !d.Allowed {
			d.Verdict = wstk.VerdictRefusedRobots
		}
	case robotsPath(url) == "/robots.txt":
		d.Allowed = true
	default:
		d.Verdict, d.Reason = answer.verdict, answer.reason
	}
	if !d.Allowed && policy == wstk.RobotsWarn {
		d.Allowed, d.Verdict = true, ""
		d.Warnings = []wstk.Warning{{Code: "robots", URL: url,
			Message: "fetched although refused: " + d.Reason + "."}}
	}
	return d, nil
}

// File returns the robots.txt for url: an empty one if there is none, nil if it is
// unreachable.
func (r *Robots) File(ctx context.Context, url string) (*RobotsFile, error) {
	answer, err := r.ask(ctx, url, robotsTries)
	return answer.file, err
}

// ask returns the answer of url's host, fetching it at most once at a time.
func (r *Robots) ask(ctx context.Context, url string, tries int) (robotsAnswer, error) {
	host := text.HostKey(url)
	if host == "" {
		return robotsAnswer{}, wstk.Errorf(wstk.Invalid, "reading robots.txt",
			"%q is not an http or https URL", text.Shorten(url, 200))
	}
	for {
		r.mu.Lock()
		h := r.hosts[host]
		if h != nil {
			select {
			case <-h.ready:
				if !r.now().Before(h.answer.until) {
					h = nil
				}
			default: // on its way
			}
		}
		mine := h == nil
		if mine {
			h = &robotsHost{ready: make(chan struct{})}
			r.put(host, h)
		}
		r.mu.Unlock()

		if mine {
			h.answer, h.err = r.load(ctx, host, tries)
			if h.err != nil {
				r.mu.Lock()
				if r.hosts[host] == h {
					delete(r.hosts, host)
				}
				r.mu.Unlock()
			}
			close(h.ready)
			return h.answer, h.err
		}
		select {
		case <-h.ready:
		case <-ctx.Done():
			return robotsAnswer{}, wstk.Wrap(wstk.Cancelled, "reading robots.txt", ctx.Err())
		}
		// The caller that asked may have been cancelled, which is no answer for others.
		if h.err == nil {
			return h.answer, nil
		}
		if c := wstk.CodeOf(h.err); c != wstk.Cancelled && c != wstk.Timeout {
			return robotsAnswer{}, h.err
		}
	}
}

// put remembers h, forgetting some other host when there are too many.
func (r *Robots) put(host string, h *robotsHost) {
	if r.hosts == nil {
		r.hosts = map[string]*robotsHost{}
	}
	for old, e := range r.hosts {
		if len(r.hosts) < robotsHosts {
			break
		}
		select {
		case <-e.ready:
			delete(r.hosts, old)
		default:
		}
	}
	r.hosts[host] = h
}

func (r *Robots) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}

func (r *Robots) sleep(ctx context.Context, d time.Duration) error {
	if r.Sleep != nil {
		return r.Sleep(ctx, d)
	}
	return wstk.Sleep(ctx, d)
}

// load takes a stored answer that is young enough, or asks the host and stores
// what it said.
func (r *Robots) load(ctx context.Context, host string, tries int) (robotsAnswer, error) {
	url, err := text.Canonical(host + "/robots.txt")
	if err != nil {
		return robotsAnswer{}, wstk.Errorf(wstk.Invalid, "reading robots.txt", "%w", err)
	}
	if !r.NoStore && r.Snapshots != nil && r.Blobs != nil {
		if a, ok := r.stored(ctx, url); ok {
			return a, nil
		}
	}
	snap, body, err := r.fetchTries(ctx, url, tries)
	if err != nil {
		return robotsAnswer{}, err
	}
	// What our own policy refused says nothing about the site: the next one to ask may be
	// let through.
	if r.Snapshots != nil && r.Blobs != nil && !ours(snap) {
		if err := r.store(ctx, snap, body); err != nil {
			return robotsAnswer{}, wstk.Wrap(wstk.Unavailable, "storing robots.txt", err)
		}
	}
	return answerOf(snap, body), nil
}

// fetchTries asks for url, and again while that may help: after 1 s, then after 3 s.
func (r *Robots) fetchTries(
	ctx context.Context, url string, tries int,
) (wstk.Snapshot, []byte, error) {
	for try := 1; ; try++ {
		snap, body, again, err := r.fetch(ctx, url)
		if err != nil || !again || try == tries {
			return snap, body, err
		}
		if err := r.sleep(ctx, time.Duration(2*try-1)*time.Second); err != nil {
			return snap, nil, wstk.Wrap(wstk.Cancelled, "reading robots.txt", err)
		}
	}
}

// store keeps an answer: its bytes first, and once more after it names them.
func (r *Robots) store(ctx context.Context, snap wstk.Snapshot, body []byte) (err error) {
	if body != nil {
		if snap.BodySHA256, err = r.Blobs.Put(ctx, body); err != nil {
			return err
		}
	}
	if err := r.Snapshots.Put(ctx, snap); err != nil || snap.BodySHA256 == "" {
		return err
	}
	return wstk.KeepBlob(ctx, r.Blobs, snap.BodySHA256, body)
}

// stored returns the newest stored answer, unless it is too old or was a refusal. If the
// store fails, the host is asked.
func (r *Robots) stored(ctx context.Context, url string) (robotsAnswer, bool) {
	snaps, err := r.Snapshots.List(ctx, url, 1)
	if err != nil || len(snaps) == 0 {
		return robotsAnswer{}, false
	}
	snap := snaps[0]
	if ours(snap) {
		return robotsAnswer{}, false
	}
	if age := r.now().Sub(snap.FetchedAt); age >= robotsAge || age < -time.Minute {
		return robotsAnswer{}, false
	}
	var body []byte
	if snap.BodySHA256 != "" {
		if body, err = r.Blobs.Get(ctx, snap.BodySHA256); err != nil {
			return robotsAnswer{}, false
		}
	}
	a := answerOf(snap, body)
	return a, a.verdict == ""
}

// ours reports whether our own policy, and not the site, kept robots.txt from being read.
func ours(snap wstk.Snapshot) bool {
	return snap.Verdict == wstk.VerdictRefusedAddress || snap.Verdict == wstk.VerdictRefusedPolicy
}

// answerOf reads an answer from a snapshot of a robots.txt.
func answerOf(snap wstk.Snapshot, body []byte) robotsAnswer {
	a := robotsAnswer{file: &RobotsFile{selected: map[string]*ruleSet{}},
		until: snap.FetchedAt.Add(robotsAge)}
	refuse := func(v wstk.Verdict) {
		a.file, a.verdict, a.reason = nil, v,
			"robots.txt is unreachable, so nothing may be fetched ("+snap.Reason+")"
		a.until = snap.FetchedAt.Add(robotsFailureAge)
	}
	switch {
	// the host itself is open, and redirects us to a closed address
	case ours(snap) && len(snap.Redirects) > 0:
		refuse(wstk.VerdictRefusedRobots)
	case ours(snap):
		a.until = snap.FetchedAt.Add(robotsFailureAge)
	case snap.Verdict == wstk.VerdictTimeout || snap.Verdict == wstk.VerdictNetwork:
		refuse(snap.Verdict)
	case snap.Verdict == wstk.VerdictTooLarge || snap.Status == http.StatusTooManyRequests ||
		snap.Status >= 500 || snap.Status < 200:
		refuse(wstk.VerdictRefusedRobots)
	case snap.Status < 300:
		a.file = ParseRobots(body)
	}
	return a
}

// fetch asks for url, following redirects, and reports whether asking again soon
// may help. body is nil unless the site gave the file.
func (r *Robots) fetch(
	ctx context.Context, url string,
) (snap wstk.Snapshot, body []byte, again bool, err error) {
	snap = wstk.Snapshot{URL: url, FinalURL: url, Method: wstk.MethodHTTP,
		FetchedAt: r.now().UTC().Truncate(time.Millisecond)}
	for {
		resp, err := r.Client.Do(ctx, wstk.Request{URL: snap.FinalURL, UserAgent: r.UserAgent,
			MaxBytes: maxRobots + 1, Cut: true})
		if ctx.Err() != nil {
			return snap, nil, false, wstk.Wrap(wstk.Cancelled, "reading robots.txt", ctx.Err())
		}
		if err != nil {
			again, err := noRobotsAnswer(&snap, err)
			return snap, nil, again, err
		}
		snap.Status, snap.DurationMS = resp.Status, snap.DurationMS+resp.Duration.Milliseconds()
		if resp.Status < 300 || resp.Status >= 400 || resp.Status == http.StatusNotModified {
			body, again = robotsReply(&snap, resp)
			return snap, body, again, nil
		}
		if !followRobots(&snap, resp.Header.Get("Location")) {
			return snap, nil, false, nil
		}
	}
}

// noRobotsAnswer notes why there was no answer. It returns the errors that are ours.
func noRobotsAnswer(snap *wstk.Snapshot, err error) (again bool, ours error) {
	switch code := wstk.CodeOf(err); code {
	case wstk.RefusedPolicy, wstk.RefusedAddress, wstk.TooLarge, wstk.Timeout:
		snap.Verdict = wstk.Verdict(code)
	case wstk.Network:
		snap.Verdict = wstk.VerdictNetwork
		var dns *net.DNSError
		again = !errors.As(err, &dns) || !dns.IsNotFound
	default:
		return false, wstk.Wrap(wstk.Internal, "reading robots.txt", err)
	}
	snap.Status, snap.Reason = 0, text.Shorten(err.Error(), 300)
	return again, nil
}

// followRobots follows a redirect, and reports false if that leads to no file.
func followRobots(snap *wstk.Snapshot, location string) bool {
	target, err := text.Resolve(snap.FinalURL, location)
	if location == "" || err != nil || len(snap.Redirects) == robotsRedirects {
		snap.Verdict, snap.Reason = wstk.VerdictNotFound,
			fmt.Sprintf("redirects nowhere or more than %d times, which means there is none",
				robotsRedirects)
		return false
	}
	snap.Redirects = append(snap.Redirects, wstk.Redirect{URL: snap.FinalURL, Status: snap.Status})
	snap.FinalURL = target
	return true
}

// robotsVerdicts are the verdicts of statuses for a robots.txt; any other status is
// http_error.
var robotsVerdicts = map[int]wstk.Verdict{
	http.StatusNotFound:        wstk.VerdictNotFound,
	http.StatusGone:            wstk.VerdictGone,
	http.StatusUnauthorized:    wstk.VerdictBlocked,
	http.StatusForbidden:       wstk.VerdictBlocked,
	http.StatusTooManyRequests: wstk.VerdictBlocked,
}

// robotsReply notes an answer that is no redirect. It returns the file, nil if there is
// none, and whether asking again soon may help.
func robotsReply(snap *wstk.Snapshot, resp wstk.Response) (body []byte, again bool) {
	snap.Headers = keepHeaders(resp.Header)
	snap.ContentType, snap.Charset = mediaType(resp.Header.Get("Content-Type"))
	snap.ETag, snap.LastModified = resp.Header.Get("ETag"), resp.Header.Get("Last-Modified")
	if resp.Status >= 200 && resp.Status < 300 {
		snap.Verdict, snap.BodyBytes = wstk.VerdictOK, int64(len(resp.Body))
		return append([]byte{}, resp.Body...), false
	}
	snap.Verdict, snap.Reason = wstk.VerdictHTTPError, "status "+strconv.Itoa(resp.Status)
	if v := robotsVerdicts[resp.Status]; v != "" {
		snap.Verdict = v
	}
	return nil, resp.Status >= 500
}

// keepHeaders keeps the headers that describe the answer; several values of a name are
// joined by a comma.
func keepHeaders(h http.Header) map[string]string {
	keep := map[string]string{}
	for name, values := range h {
		if slices.Contains([]string{"Content-Type", "Last-Modified", "Etag", "Cache-Control",
			"Date", "Server", "Retry-After", "Content-Language"}, name) {
			keep[name] = text.Shorten(strings.Join(values, ", "), 1024)
		}
	}
	return keep
}

// mediaType splits a Content-Type into its type and charset, lower case.
func mediaType(header string) (contentType, charset string) {
	contentType, params, _ := strings.Cut(header, ";")
	for p := range strings.SplitSeq(params, ";") {
		if k, v, _ := strings.Cut(p, "="); strings.EqualFold(strings.TrimSpace(k), "charset") {
			charset = strings.ToLower(strings.Trim(strings.TrimSpace(v), `"'`))
		}
	}
	return strings.ToLower(strings.TrimSpace(contentType)), charset
}
