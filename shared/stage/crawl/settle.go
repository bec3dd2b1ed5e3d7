package crawl

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Fetched is a task that was carried out: what came back, and what was read from it.
// Before Settle is called, Snapshot, Document and Page are stored.
type Fetched struct {
	Task      wstk.FetchTask
	Snapshot  wstk.Snapshot
	Document  *wstk.Document // nil where nothing could be read
	Stored    wstk.Hash      // of Document, see wstk.SaveDocument
	Screening wstk.Screening // zero where nothing was read
	ByDate    string         // why the site was not asked for it, see Stage.ByDate; "" if it was
}

// Settled says what became of a fetched URL.
type Settled struct {
	Next

	// Outdated: the message is older than what the run knows (another slot, a URL that
	// is closed, a run that has ended), so nothing was done.
	Outdated bool

	Outcome wstk.Outcome // open while it goes on: to index, held, or to another try
	Reason  string
	Target  string    // of redirected and duplicate_of
	Held    string    // the canonical URL it waits for
	Retry   time.Time // when it may be tried again
	Links   Discovered
}

// Settle takes the result of a fetch. It records the page's links, then closes the URL, puts
// it back for another try, or stores it for indexing (see Next). Links and redirect targets
// enter the frontier before the URL is closed.
//
//   - A redirect: the target is a discovered URL of its own, at the same depth; after
//     10 in a row, or in a circle, failed.
//   - Timeouts, network errors, 408, 425, 429 and 5xx are tried 3 times in all, then
//     failed or blocked; a Retry-After over 900 s is not waited for.
//   - noindex in meta robots or X-Robots-Tag: refused_robots, under the policy
//     respect; its links are followed unless nofollow stands beside it.
//   - A page with text is stored; then equal text and rel=canonical decide whether
//     it is kept (see canonical.go). A page without text is fetched, "thin".
//   - not_modified: the links of the text held are followed. Text that was never
//     indexed, or that was another page's duplicate and is not any more, is indexed.
//   - What holds no page (an image, an archive) is out_of_scope, as it would have been
//     by its ending; a type without a reader is fetched, kept as bytes.
//   - Any other verdict closes the URL with its outcome.
//
// Doing it again changes nothing; if the first call was cut off, the second completes it.
func (s *Stage) Settle(
	ctx context.Context, run wstk.Run, site wstk.Site, in Fetched,
) (Settled, error) {
	st := &settling{Stage: s, run: run, site: site, in: in, out: Settled{Outcome: wstk.OutcomeOpen}}
	err := st.settle(ctx)
	return st.out, err
}

// settling is one Settle in progress.
type settling struct {
	*Stage
	run  wstk.Run
	site wstk.Site
	in   Fetched
	url  wstk.FrontierURL
	out  Settled
}

func (s *settling) settle(ctx context.Context) (err error) {
	if s.url, err = s.Frontier.Get(ctx, s.run.ID, s.in.Task.URL); err != nil {
		return err
	}
	if outdated, err := s.outdated(ctx); err != nil {
		return err
	} else if outdated {
		s.out.Outdated = true
		s.out.Outcome, s.out.Reason, s.out.Target = s.url.Outcome, s.url.Reason, s.url.Target
		return nil
	}
	if s.url.State == wstk.URLStored { // a redelivered message: the first one got this far
		return s.stored(ctx, s.in.Document)
	}

	verdict, reason := s.in.verdict()
	kind, until := s.answerOf(s.in)
	pace, err := s.notePace(ctx, s.run.ID, s.url.Host, kind, until)
	if err != nil {
		return err
	}
	if kind == slowDown {
		if err := s.slow(ctx, pace, until); err != nil {
			return err
		}
	}
	if target := s.in.redirect(); target != "" {
		return s.redirect(ctx, target)
	}
	if transient(verdict, s.in.Snapshot.Status) {
		return s.failure(ctx, orElse(reason, verdict), kind, until, pace)
	}
	return s.byVerdict(ctx, verdict, reason)
}

// outdated reports whether the run is past what the message says.
func (s *settling) outdated(ctx context.Context) (bool, error) {
	if s.url.Slot != s.in.Task.Slot ||
		s.url.State != wstk.URLQueued && s.url.State != wstk.URLStored {
		return true, nil
	}
	_, on, err := s.running(ctx, s.run.ID)
	return !on, err
}

// byVerdict takes what the site answered.
func (s *settling) byVerdict(ctx context.Context, verdict wstk.Verdict, reason string) error {
	switch verdict {
	case wstk.VerdictNotModified:
		return s.unchanged(ctx)
	case wstk.VerdictOK, wstk.VerdictThin, wstk.VerdictNeedsRender:
		return s.page(ctx, verdict, reason)
	case wstk.VerdictBlocked:
		if s.in.Screening.Partial && s.in.Document != nil { // a teaser is the page's own text
			return s.page(ctx, verdict, reason)
		}
	case wstk.VerdictNotFound, wstk.VerdictGone:
		s.out.Drop = append(s.out.Drop, s.url.URL)
	}
	return s.end(ctx, verdict.Outcome(), orElse(reason, verdict), "")
}

// end closes the URL.
func (s *settling) end(ctx context.Context, o wstk.Outcome, reason, target string) error {
	closed, err := s.close(ctx, s.run, s.site, s.url.URL,
		wstk.Closing{Outcome: o, Reason: reason, Target: target}, &s.out.Next)
	s.out.Outdated, s.out.Outcome, s.out.Reason, s.out.Target = !closed, o, reason, target
	return err
}

// page takes a page that was fetched.
func (s *settling) page(ctx context.Context, verdict wstk.Verdict, reason string) (err error) {
	doc, contentType := s.in.Document, s.in.Snapshot.ContentType
	noindex, nofollow := s.pageRules(s.run, s.site, s.in)
	if doc != nil {
		if s.out.Links, err = s.discover(ctx, s.run, s.site, s.url, doc, nofollow); err != nil {
			return err
		}
	}
	switch {
	case noindex:
		return s.noindex(ctx)
	case verdict == wstk.VerdictNeedsRender:
		return s.end(ctx, wstk.OutcomeNeedsRender, orElse(reason, verdict), "")
	case doc == nil && verdict == wstk.VerdictThin:
		return s.end(ctx, wstk.OutcomeFetched, "thin: "+orElse(reason, "no readable text"), "")
	case doc == nil && notPage(contentType):
		return s.end(ctx, wstk.OutcomeOutOfScope, "not a page ("+contentType+")", "")
	case doc == nil:
		return s.end(ctx, wstk.OutcomeFetched,
			"kept as bytes: no reader for "+orElse(contentType, "its unknown type"), "")
	case strings.TrimSpace(doc.Text) == "":
		return s.end(ctx, wstk.OutcomeFetched, "thin: no readable text", "")
	}
	return s.store(ctx, doc, s.in.Stored)
}

// noindex closes a page that must not be kept, and forgets its text.
func (s *settling) noindex(ctx context.Context) error {
	if err := s.forgetText(ctx, s.url.URL); err != nil {
		return err
	}
	s.out.Drop = append(s.out.Drop, s.url.URL)
	return s.end(ctx, wstk.OutcomeRefusedRobots, "noindex", "")
}

// store makes the URL stored and decides what becomes of the page.
func (s *settling) store(ctx context.Context, doc *wstk.Document, h wstk.Hash) error {
	did, err := s.Frontier.Store(ctx, s.run.ID, s.url.URL, s.url.Slot, h)
	if err != nil {
		return err
	}
	if s.out.Outdated = !did; !did {
		return nil
	}
	s.url.State, s.url.Document = wstk.URLStored, h
	return s.stored(ctx, doc)
}

// stored decides what becomes of a stored page.
func (s *settling) stored(ctx context.Context, doc *wstk.Document) (err error) {
	if doc == nil {
		if doc, err = s.load(ctx, s.url.Document); err != nil {
			return err
		}
		if doc == nil {
			return wstk.Errorf(wstk.NotFound, "settling page",
				"the document of %s is not in the store", text.Shorten(s.url.URL, 200))
		}
	}
	f, err := s.carryOut(ctx, s.run, s.site, s.url, doc, false, &s.out.Next)
	if err != nil {
		return err
	}
	if s.out.Held = f.hold; f.owner != "" {
		s.out.Outcome, s.out.Reason, s.out.Target = wstk.OutcomeDuplicateOf, f.reason, f.owner
	}
	return nil
}

// redirect adds the target, then closes the URL.
func (s *settling) redirect(ctx context.Context, target string) error {
	u := s.url
	if u.Hops >= s.limits().Hops {
		return s.end(ctx, wstk.OutcomeFailed,
			fmt.Sprintf("more than %d redirects in a row", s.limits().Hops), "")
	}
	v, err := s.view(ctx, s.run, s.site)
	if err != nil {
		return err
	}
	// Where the root's redirects lead belongs to the site too.
	if v.pending == u.URL {
		v.scope, v.pending = v.scope.withRedirect(target), target
	}
	t, err := s.place(ctx, v, wstk.FrontierURL{URL: target, Depth: u.Depth, Hops: u.Hops + 1,
		Via: wstk.ViaRedirect, FoundOn: u.URL})
	if err != nil {
		return err
	}
	if _, err := s.add(ctx, s.run.ID, []wstk.FrontierURL{t}); err != nil {
		return err
	}
	// A circle of redirects never arrives.
	last, err := s.follow(ctx, s.run.ID, target, nil)
	if err != nil {
		return err
	}
	if last.URL == u.URL {
		return s.end(ctx, wstk.OutcomeFailed,
			"redirects in a circle, by way of "+text.Shorten(target, 200), "")
	}
	return s.end(ctx, wstk.OutcomeRedirected, "to "+text.Shorten(target, 300), target)
}

// atWork is how many workers may be busy with one host: one fetches, others read what they
// fetched or wait for their turn.
const atWork = 8

// slow obeys a host that wants fewer requests. The host gets none for a while, and the URLs
// that were next wait again, for the pause and for the wider gap. Of their slots, those that
// respect both are kept. Messages on their way find another slot and do nothing. URLs whose
// slot has begun may be fetched already, in any order; so the few whose turn was next are
// left alone.
func (s *settling) slow(ctx context.Context, p pace, until time.Time) error {
	v, err := s.view(ctx, s.run, s.site)
	if err != nil {
		return err
	}
	delay, err := s.delay(ctx, v, s.url.Host)
	if err != nil {
		return err
	}
	now, gap := s.now(), p.gap(delay)
	free := now.Add(gap)
	if until.After(free) {
		free = until
	}
	if err := s.Hosts.Defer(ctx, s.url.Host, free); err != nil {
		return err
	}
	queued, err := s.listAll(ctx, s.run.ID, wstk.URLQueued)
	if err != nil {
		return err
	}
	behind := 0 // URLs of the host whose slot has begun, after this one's
	for _, u := range byHost(queued)[s.url.Host] {
		if u.URL == s.url.URL {
			continue
		}
		if !u.NotBefore.After(now) {
			if u.NotBefore.After(s.url.NotBefore) {
				behind++
			}
			if behind <= atWork {
				continue
			}
		}
		back, err := s.Frontier.Unqueue(ctx, s.run.ID, u.URL, now.AddDate(1, 0, 0), false)
		if err != nil {
			return err
		}
		if back && !u.NotBefore.Before(free) {
			if err := s.keep(ctx, u); err != nil {
				return err
			}
			free = u.NotBefore.Add(gap)
		}
	}
	return nil
}

// failure tries again later, or gives up.
func (s *settling) failure(
	ctx context.Context, reason string, kind answer, until time.Time, p pace,
) error {
	u, now, outcome := s.url, s.now(), wstk.OutcomeFailed
	if kind == slowDown {
		outcome = wstk.OutcomeBlocked
	}
	attempt := max(u.Attempts, 1) // this one was counted when it began
	switch {
	case attempt >= s.limits().Attempts:
		return s.end(ctx, outcome, fmt.Sprintf("%s, in %d attempts", reason, attempt), "")
	case until.After(now.Add(maxAhead)):
		return s.end(ctx, outcome, reason+"; it is not asked again before "+until.UTC().
			Format(time.RFC3339), "")
	}
	s.out.Retry, s.out.Reason = now.Add(max(backOff(attempt), p.gap(0))), reason
	if until.After(s.out.Retry) {
		s.out.Retry = until
	}
	moved, err := s.Frontier.Postpone(ctx, s.run.ID, u.URL, u.Slot, s.out.Retry)
	s.out.Outdated = !moved
	return err
}

// Acknowledge closes a stored URL as fetched, a teaser as blocked, once everything of it
// is in the index, and decides about the pages that were held for it. On a URL in any other
// state it changes nothing.
func (s *Stage) Acknowledge(
	ctx context.Context, run wstk.Run, site wstk.Site, url string,
) (Next, error) {
	var next Next
	u, err := s.Frontier.Get(ctx, run.ID, url)
	if err != nil {
		return next, err
	}
	if u.State == wstk.URLStored {
		outcome, reason := wstk.OutcomeFetched, "read and indexed"
		p, err := s.Pages.Get(ctx, url)
		if err != nil && wstk.CodeOf(err) != wstk.NotFound {
			return next, err
		}
		switch {
		case p.Verdict == wstk.VerdictThin:
			reason = "thin: " + orElse(p.Reason, "little text")
		case p.Partial && p.Verdict == wstk.VerdictBlocked:
			outcome, reason = wstk.OutcomeBlocked,
				"partial: "+orElse(p.Reason, "the page breaks off")+"; what it shows is indexed"
		}
		_, err = s.close(ctx, run, site, url, wstk.Closing{Outcome: outcome, Reason: reason}, &next)
		return next, err
	}
	if u.State == wstk.URLClosed { // the first call may have been cut off
		err = s.unhold(ctx, run, site, url, &next)
	}
	return next, err
}

// verdict returns the verdict of the screening, which knows that of the fetch, or that of the
// fetch if there was no screening.
func (in Fetched) verdict() (wstk.Verdict, string) {
	if in.Screening.Verdict != "" {
		return in.Screening.Verdict, in.Screening.Reason
	}
	if v := in.Snapshot.Verdict; v != "" {
		return v, in.Snapshot.Reason
	}
	return wstk.VerdictOK, ""
}

// redirect returns where the answer led, "" when it was no redirect. A fetch that
// followed redirects by itself is taken the same way: what it read belongs to the
// target, which is a URL of its own.
func (in Fetched) redirect() string {
	target := in.Snapshot.RedirectsTo()
	if target == "" && len(in.Snapshot.Redirects) > 0 && in.Snapshot.FinalURL != in.Task.URL {
		target = in.Snapshot.FinalURL
	}
	if c, err := text.Canonical(target); err == nil {
		return text.WithoutUser(c)
	}
	return ""
}

// header finds a header whatever the case of its name.
func header(h map[string]string, name string) string {
	if v, ok := h[name]; ok {
		return v
	}
	for k, v := range h {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// answerOf returns how the host took the request, and until when it asks for none.
func (s *Stage) answerOf(in Fetched) (answer, time.Time) {
	snap := in.Snapshot
	var until time.Time
	if snap.RetryAfterSec > 0 {
		until = s.now().Add(time.Duration(snap.RetryAfterSec) * time.Second)
	}
	switch {
	case snap.Status == http.StatusTooManyRequests || snap.Status == http.StatusServiceUnavailable:
		return slowDown, until
	case snap.Verdict == wstk.VerdictTimeout || snap.Verdict == wstk.VerdictNetwork:
		return noAnswer, time.Time{}
	}
	return answered, time.Time{}
}

// transient reports whether another try may help.
func transient(v wstk.Verdict, status int) bool {
	switch v {
	case wstk.VerdictTimeout, wstk.VerdictNetwork:
		return true
	case wstk.VerdictHTTPError, wstk.VerdictBlocked:
		return status >= 500 || status == http.StatusTooManyRequests ||
			status == http.StatusRequestTimeout || status == http.StatusTooEarly
	}
	return false
}

// MayKeep reports whether the site lets the page be kept: neither its headers nor the page say
// noindex, or the run does not respect that.
func (s *Stage) MayKeep(run wstk.Run, site wstk.Site, in Fetched) bool {
	noindex, _ := s.pageRules(run, site, in)
	return !noindex
}

// pageRules reads meta robots and X-Robots-Tag, under the policy respect.
func (s *Stage) pageRules(run wstk.Run, site wstk.Site, in Fetched) (noindex, nofollow bool) {
	o := options(run, site)
	agent := o.UserAgent
	if agent == "" {
		agent = s.Robots.UserAgent
	}
	if tag := header(in.Snapshot.Headers, "X-Robots-Tag"); tag != "" {
		noindex, nofollow = ParseRobotsTag([]string{tag}, wstk.ProductToken(agent), s.now())
	}
	if in.Document != nil {
		noindex = noindex || in.Document.Meta.NoIndex
		nofollow = nofollow || in.Document.Meta.NoFollow
	}
	return noindex && (o.Robots == wstk.RobotsRespect || o.Robots == ""), nofollow
}

// orElse returns s, or the standard one in words if s is empty.
func orElse[S ~string](s string, standard S) string {
	if s == "" {
		return strings.ReplaceAll(string(standard), "_", " ")
	}
	return s
}
