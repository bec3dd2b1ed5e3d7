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
}

// Settled says what became of a fetched URL.
type Settled struct {
	Next

	// Late: the message is older than what the run knows (another slot, a URL that is
	// closed, a run that has ended), so nothing was done.
	Late bool

	Outcome wstk.Outcome // open while it goes on: to index, held, or to another try
	Reason  string
	Target  string    // of redirected and duplicate_of
	Held    string    // the canonical URL it waits for
	Retry   time.Time // when it may be tried again
	Links   Discovered
}

// Settle takes what a fetch brought: it records the page's links, then closes the
// URL, puts it back for another try, or stores it for indexing (see Next). Links and
// redirect targets enter the frontier before the URL is closed.
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
//     by its ending; a type nobody reads (PDF) is fetched, kept as bytes.
//   - Any other verdict closes the URL with its outcome.
//
// Doing it again changes nothing; when the first call was cut off it completes it.
func (s *Stage) Settle(ctx context.Context, run wstk.Run, site wstk.Site, in Fetched) (Settled, error) {
	out := Settled{Outcome: wstk.OutcomeOpen}
	url := in.Task.URL
	u, err := s.Frontier.Get(ctx, run.ID, url)
	if err != nil {
		return out, err
	}
	out.Late = u.Slot != in.Task.Slot || u.State != wstk.URLQueued && u.State != wstk.URLStored
	if !out.Late {
		_, on, err := s.running(ctx, run.ID)
		if err != nil {
			return out, err
		}
		out.Late = !on
	}
	if out.Late {
		out.Outcome, out.Reason, out.Target = u.Outcome, u.Reason, u.Target
		return out, nil
	}
	if u.State == wstk.URLStored { // a redelivered message: the first one got this far
		return s.settleStored(ctx, run, site, u, in.Document, out)
	}

	end := func(o wstk.Outcome, reason, target string) (Settled, error) {
		if reason == "" {
			reason = strings.ReplaceAll(string(o), "_", " ")
		}
		closed, err := s.close(ctx, run, site, url, wstk.Closing{Outcome: o, Reason: reason, Target: target}, &out.Next)
		out.Late, out.Outcome, out.Reason, out.Target = !closed, o, reason, target
		return out, err
	}
	verdict, reason := in.verdict()

	kind, until := s.answerOf(in)
	pace, err := s.notePace(ctx, run.ID, u.Host, kind, until)
	if err != nil {
		return out, err
	}
	if target := in.redirect(); target != "" {
		return s.settleRedirect(ctx, run, site, u, target, out, end)
	}
	if transient(verdict, in.Snapshot.Status) {
		return s.settleFailure(ctx, run, site, u, verdict, reason, kind, until, pace, out, end)
	}

	switch verdict {
	case wstk.VerdictNotModified:
		return s.settleUnchanged(ctx, run, site, u, in, out, end)
	case wstk.VerdictOK, wstk.VerdictThin, wstk.VerdictNeedsRender:
	default:
		if verdict == wstk.VerdictNotFound || verdict == wstk.VerdictGone {
			out.Drop = append(out.Drop, url)
		}
		return end(verdict.Outcome(), reason, "")
	}

	noindex, nofollow := s.pageRules(run, site, in)
	if in.Document != nil {
		if out.Links, err = s.discover(ctx, run, site, u, in.Document, nofollow); err != nil {
			return out, err
		}
	}
	switch {
	case noindex:
		if err := s.forgetText(ctx, url); err != nil {
			return out, err
		}
		out.Drop = append(out.Drop, url)
		return end(wstk.OutcomeRefusedRobots, "noindex", "")
	case verdict == wstk.VerdictNeedsRender:
		return end(wstk.OutcomeNeedsRender, reason, "")
	case in.Document == nil && notPage(in.Snapshot.ContentType):
		return end(wstk.OutcomeOutOfScope, "not a page ("+in.Snapshot.ContentType+")", "")
	case in.Document == nil:
		return end(wstk.OutcomeFetched, "kept as bytes: no reader for "+orUnknown(in.Snapshot.ContentType), "")
	case strings.TrimSpace(in.Document.Text) == "":
		return end(wstk.OutcomeFetched, "thin: no readable text", "")
	}
	stored, err := s.Frontier.Store(ctx, run.ID, url, u.Slot, in.Stored)
	if err != nil {
		return out, err
	}
	if !stored {
		out.Late = true
		return out, nil
	}
	u.State, u.Document = wstk.URLStored, in.Stored
	return s.settleStored(ctx, run, site, u, in.Document, out)
}

type ending func(o wstk.Outcome, reason, target string) (Settled, error)

// settleStored decides what becomes of a stored page.
func (s *Stage) settleStored(ctx context.Context, run wstk.Run, site wstk.Site, u wstk.FrontierURL, doc *wstk.Document, out Settled) (Settled, error) {
	if doc == nil {
		var err error
		if doc, err = s.load(ctx, u.Document); err != nil {
			return out, err
		}
		if doc == nil {
			return out, wstk.Errorf(wstk.NotFound, "settling page", "the document of %s is not in the store", clip(u.URL, 200))
		}
	}
	f, err := s.carryOut(ctx, run, site, u, doc, false, &out.Next)
	if err != nil {
		return out, err
	}
	if out.Held = f.hold; f.owner != "" {
		out.Outcome, out.Reason, out.Target = wstk.OutcomeDuplicateOf, f.reason, f.owner
	}
	return out, nil
}

// settleRedirect adds the target, then closes the URL.
func (s *Stage) settleRedirect(ctx context.Context, run wstk.Run, site wstk.Site, u wstk.FrontierURL, target string, out Settled, end ending) (Settled, error) {
	if target == u.URL {
		return end(wstk.OutcomeFailed, "redirects to itself", "")
	}
	if u.Hops >= s.limits().Hops {
		return end(wstk.OutcomeFailed, fmt.Sprintf("more than %d redirects in a row", s.limits().Hops), "")
	}
	v, err := s.view(ctx, run, site)
	if err != nil {
		return out, err
	}
	// Where the root's redirects lead belongs to the site too.
	if v.pending == u.URL {
		v.scope = v.scope.withRedirect(target)
		v.pending = target
	}
	t, err := s.place(ctx, v, wstk.FrontierURL{URL: target, Depth: u.Depth, Hops: u.Hops + 1, Via: wstk.ViaRedirect, FoundOn: u.URL})
	if err != nil {
		return out, err
	}
	if _, err := s.add(ctx, run.ID, []wstk.FrontierURL{t}); err != nil {
		return out, err
	}
	// Whoever goes round in a circle never arrives.
	last, err := s.follow(ctx, run.ID, target, nil)
	if err != nil {
		return out, err
	}
	if last.URL == u.URL {
		return end(wstk.OutcomeFailed, "redirects in a circle, by way of "+clip(target, 200), "")
	}
	return end(wstk.OutcomeRedirected, "to "+clip(target, 300), target)
}

// settleFailure tries again later, or gives up.
func (s *Stage) settleFailure(ctx context.Context, run wstk.Run, site wstk.Site, u wstk.FrontierURL, v wstk.Verdict, reason string, kind answer, until time.Time, p pace, out Settled, end ending) (Settled, error) {
	outcome := wstk.OutcomeFailed
	if kind == slowDown {
		outcome = wstk.OutcomeBlocked
	}
	if reason == "" {
		reason = strings.ReplaceAll(string(v), "_", " ")
	}
	attempt := u.Attempts + 1
	now := s.now()
	switch {
	case attempt >= s.limits().Attempts:
		return end(outcome, fmt.Sprintf("%s, in %d attempts", reason, attempt), "")
	case until.After(now.Add(maxAhead)):
		return end(outcome, fmt.Sprintf("%s, and asks to come back in %v", reason, until.Sub(now).Round(time.Second)), "")
	}
	out.Retry, out.Reason = now.Add(max(backOff(attempt), p.gap(0))), reason
	if until.After(out.Retry) {
		out.Retry = until
	}
	if kind == slowDown {
		if err := s.Hosts.Defer(ctx, u.Host, out.Retry); err != nil {
			return out, err
		}
	}
	moved, err := s.Frontier.Postpone(ctx, run.ID, u.URL, u.Slot, out.Retry)
	out.Late = !moved
	return out, err
}

// settleUnchanged closes a page that is as it was, after following the links of
// the text held.
func (s *Stage) settleUnchanged(ctx context.Context, run wstk.Run, site wstk.Site, u wstk.FrontierURL, in Fetched, out Settled, end ending) (Settled, error) {
	p, err := s.Pages.Get(ctx, u.URL)
	if err != nil && wstk.CodeOf(err) != wstk.NotFound {
		return out, err
	}
	var doc *wstk.Document
	if err == nil && p.Document != "" {
		if doc, err = s.load(ctx, p.Document); err != nil {
			return out, err
		}
	}
	if doc == nil {
		return end(wstk.OutcomeNotModified, "not modified; no text of it is held", "")
	}
	in.Document = doc
	noindex, nofollow := s.pageRules(run, site, in)
	if out.Links, err = s.discover(ctx, run, site, u, doc, nofollow); err != nil {
		return out, err
	}
	if noindex {
		if err := s.forgetText(ctx, u.URL); err != nil {
			return out, err
		}
		out.Drop = append(out.Drop, u.URL)
		return end(wstk.OutcomeRefusedRobots, "noindex", "")
	}
	if strings.TrimSpace(doc.Text) == "" {
		return end(wstk.OutcomeNotModified, "not modified since "+day(p.FetchedAt), "")
	}
	if p.DuplicateOf != "" {
		same, err := s.stillCopy(ctx, run.ID, p)
		if err != nil {
			return out, err
		}
		if same {
			return end(wstk.OutcomeDuplicateOf, "not modified, and still a copy", p.DuplicateOf)
		}
	}
	if p.DuplicateOf == "" && !p.IndexedAt.IsZero() {
		owner, err := s.Frontier.ClaimText(ctx, run.ID, doc.TextSHA256, u.URL)
		if err != nil {
			return out, err
		}
		if owner == u.URL {
			return end(wstk.OutcomeNotModified, "not modified since "+day(p.FetchedAt), "")
		}
		if err := s.markDuplicate(ctx, u.URL, owner); err != nil {
			return out, err
		}
		out.Drop = append(out.Drop, u.URL)
		return end(wstk.OutcomeDuplicateOf, "same text", owner)
	}
	stored, err := s.Frontier.Store(ctx, run.ID, u.URL, u.Slot, p.Document)
	if err != nil {
		return out, err
	}
	if !stored {
		out.Late = true
		return out, nil
	}
	u.State, u.Document = wstk.URLStored, p.Document
	return s.settleStored(ctx, run, site, u, doc, out)
}

// stillCopy tells whether the page that p was a copy of still stands: it holds a
// text and was not found to be gone or moved in this run.
func (s *Stage) stillCopy(ctx context.Context, run wstk.RunID, p wstk.Page) (bool, error) {
	owner, err := s.Pages.Get(ctx, p.DuplicateOf)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil
	}
	if err != nil || owner.Document == "" || owner.DuplicateOf != "" {
		return false, err
	}
	u, err := s.Frontier.Get(ctx, run, p.DuplicateOf)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil // this run does not look at it, so nothing is known
	}
	if err != nil {
		return false, err
	}
	return u.State == wstk.URLClosed && (u.Outcome == wstk.OutcomeNotModified ||
		u.Outcome == wstk.OutcomeFetched && owner.TextSHA256 == p.TextSHA256), nil
}

// Acknowledge closes a stored URL as fetched, once everything of it is in the
// index, and decides about the pages that were held for it. On a URL in any other
// state it changes nothing.
func (s *Stage) Acknowledge(ctx context.Context, run wstk.Run, site wstk.Site, url string) (Next, error) {
	var next Next
	u, err := s.Frontier.Get(ctx, run.ID, url)
	if err != nil {
		return next, err
	}
	if u.State == wstk.URLStored {
		reason := "read and indexed"
		p, err := s.Pages.Get(ctx, url)
		if err != nil && wstk.CodeOf(err) != wstk.NotFound {
			return next, err
		}
		if p.Verdict == wstk.VerdictThin {
			reason = "thin: " + orUnknown(p.Reason)
		}
		_, err = s.close(ctx, run, site, url, wstk.Closing{Outcome: wstk.OutcomeFetched, Reason: reason}, &next)
		return next, err
	}
	if u.State == wstk.URLClosed { // the first call may have been cut off
		err = s.unhold(ctx, run, site, url, &next)
	}
	return next, err
}

// verdict is what the fetch met, or what screening found behind a plain 200.
func (in Fetched) verdict() (wstk.Verdict, string) {
	if v := in.Snapshot.Verdict; v != wstk.VerdictOK && v != "" {
		return v, in.Snapshot.Reason
	}
	if in.Screening.Verdict != "" {
		return in.Screening.Verdict, in.Screening.Reason
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
		return withoutCredentials(c)
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

// answerOf reads off how the host took the request, and until when it asks for none.
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

// transient tells whether another try may help.
func transient(v wstk.Verdict, status int) bool {
	switch v {
	case wstk.VerdictTimeout, wstk.VerdictNetwork:
		return true
	case wstk.VerdictHTTPError, wstk.VerdictBlocked:
		return status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status == http.StatusTooEarly
	}
	return false
}

// pageRules reads meta robots and X-Robots-Tag, under the policy respect.
func (s *Stage) pageRules(run wstk.Run, site wstk.Site, in Fetched) (noindex, nofollow bool) {
	o := options(run, site)
	agent := o.UserAgent
	if agent == "" {
		agent = s.Robots.UserAgent
	}
	if tag := header(in.Snapshot.Headers, "X-Robots-Tag"); tag != "" {
		noindex, nofollow = ParseRobotsTag([]string{tag}, ProductToken(agent), s.now())
	}
	if in.Document != nil {
		noindex = noindex || in.Document.Meta.NoIndex
		nofollow = nofollow || in.Document.Meta.NoFollow
	}
	return noindex && (o.Robots == wstk.RobotsRespect || o.Robots == ""), nofollow
}

// forgetText takes the text off the record of a page that must not be kept, and its
// validators, so that the next fetch asks for the whole page and sees its rules.
func (s *Stage) forgetText(ctx context.Context, url string) error {
	p, err := s.Pages.Get(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	p.Document, p.TextSHA256, p.ETag, p.LastModified, p.IndexedAt = "", "", "", "", time.Time{}
	p.Verdict, p.Reason = wstk.VerdictRefusedRobots, "noindex"
	return s.Pages.Put(ctx, p)
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func day(t time.Time) string {
	if t.IsZero() {
		return "the last fetch"
	}
	return t.UTC().Format(time.DateOnly)
}
