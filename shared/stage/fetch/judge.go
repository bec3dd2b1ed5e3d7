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

// judge gives a reply that is no redirect its verdict, and pauses the host where
// the site asks for it. again means that the pause was waited out and the URL is
// to be asked once more.
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
	switch resp.Status {
	case 200, 203:
		if len(resp.Body) == 0 {
			return wstk.VerdictThin, "the body is empty"
		}
		return wstk.VerdictOK, ""
	case 204, 205:
		return wstk.VerdictThin, status + ": there is no body"
	case 206:
		return wstk.VerdictHTTPError, status + ": the site sent a part, but the whole was requested"
	case 304:
		if conditional {
			return wstk.VerdictNotModified, "the site says that the copy held is current"
		}
		return wstk.VerdictHTTPError, status + ": the request was not conditional"
	case 401, 407:
		return wstk.VerdictBlocked, status + ": the page wants a log-in"
	case 402:
		return wstk.VerdictBlocked, status + ": the page wants payment"
	case 403:
		return wstk.VerdictBlocked, status + ": the site refuses access"
	case 429:
		return wstk.VerdictBlocked, status + ": the site wants fewer requests"
	case 451:
		return wstk.VerdictBlocked, status + ": withheld for legal reasons"
	case 404:
		return wstk.VerdictNotFound, status
	case 410:
		return wstk.VerdictGone, status
	}
	return wstk.VerdictHTTPError, status
}
