package fetch

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// judge gives a reply that is no redirect its verdict, and pauses the host if the site asks
// for it. again means that the pause is over and the URL must be asked once more.
func (f *fetch) judge(
	ctx context.Context, resp wstk.Response, held *wstk.Page,
) (again bool, err error) {
	if f.snap.Verdict != "" { // a redirect that ended the fetch
		return false, nil
	}
	v, reason := verdict(resp, held != nil)
	if v == wstk.VerdictNotModified {
		f.held = held
		f.keepHeaders(resp)
		f.snap.ETag = orElse(f.snap.ETag, held.ETag)
		f.snap.LastModified = orElse(f.snap.LastModified, held.LastModified)
	} else {
		f.keep(resp)
	}
	f.end(v, reason)
	f.mayKeep(resp.Header)

	host := text.HostKey(f.snap.FinalURL)
	if resp.Status != http.StatusTooManyRequests && resp.Status != http.StatusServiceUnavailable {
		f.pauses.none(host)
		return false, nil
	}
	pause, stated := retryAfter(resp.Header.Get("Retry-After"), f.now())
	if stated {
		f.snap.RetryAfterSec = int((pause + time.Second - 1) / time.Second)
		f.snap.Reason += fmt.Sprintf("; it asks to wait %d s", f.snap.RetryAfterSec)
	} else {
		pause = growing(f.pauses.more(host))
	}
	if err := f.Hosts.Defer(ctx, host, f.now().Add(min(pause, maxPause))); err != nil {
		return false, wstk.Wrap(wstk.Unavailable, "pausing the host", err)
	}
	retries := f.Retries
	if retries == 0 {
		retries = 2
	}
	if !stated || f.task.Run != "" || f.retries >= retries || pause > maxPause ||
		pause >= f.patience(ctx) {
		return false, nil
	}
	if err := f.sleep(ctx, pause); err != nil {
		return false, wstk.Wrap(wstk.Cancelled, "waiting out Retry-After", err)
	}
	f.retries++
	f.warn("waited", fmt.Sprintf("the site answered %d first and was asked again after %d s.",
		resp.Status, f.snap.RetryAfterSec))
	f.snap.RetryAfterSec = 0
	return true, nil
}

// statuses says what replies with a status mean; why follows the status in the reason, and
// a status that is missing here is http_error. Replies with a body are in verdict.
var statuses = map[int]struct {
	verdict wstk.Verdict
	why     string
}{
	204: {wstk.VerdictThin, ": there is no body"},
	205: {wstk.VerdictThin, ": there is no body"},
	206: {wstk.VerdictHTTPError, ": the site sent a part, but the whole was requested"},
	304: {wstk.VerdictHTTPError, ": the request was not conditional"},
	401: {wstk.VerdictBlocked, ": the page wants a log-in"},
	402: {wstk.VerdictBlocked, ": the page wants payment"},
	403: {wstk.VerdictBlocked, ": the site refuses access"},
	404: {wstk.VerdictNotFound, ""},
	407: {wstk.VerdictBlocked, ": the page wants a log-in"},
	410: {wstk.VerdictGone, ""},
	429: {wstk.VerdictBlocked, ": the site wants fewer requests"},
	451: {wstk.VerdictBlocked, ": withheld for legal reasons"},
}

// verdict says what a reply that is no redirect means; conditional reports whether
// we asked for a page only if it had changed.
func verdict(resp wstk.Response, conditional bool) (wstk.Verdict, string) {
	status := "status " + strconv.Itoa(resp.Status)
	if t := http.StatusText(resp.Status); t != "" {
		status += " " + t
	}
	if maker := wallMaker(resp); maker != "" {
		return wstk.VerdictBlocked, status + ": a wall of " + maker + " stands in front of the page"
	}
	switch {
	case resp.Status != 200 && resp.Status != 203:
	case len(resp.Body) == 0:
		return wstk.VerdictThin, "the body is empty"
	default:
		return wstk.VerdictOK, ""
	}
	if resp.Status == 304 && conditional {
		return wstk.VerdictNotModified, "the site says that the copy held is current"
	}
	if s, ok := statuses[resp.Status]; ok {
		return s.verdict, status + s.why
	}
	return wstk.VerdictHTTPError, status
}
