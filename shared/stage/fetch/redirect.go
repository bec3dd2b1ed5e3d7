package fetch

import (
	"fmt"
	"strconv"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// maxRefresh is the longest delay of a Refresh header that counts as a redirect, in
// seconds; a longer one gives people time to read the page.
const maxRefresh = 5

// redirected reads where a reply points. It returns true if that is to be asked next. If the
// redirect ends the fetch, the verdict is set; otherwise the reply is no redirect.
func (f *fetch) redirected(resp wstk.Response) bool {
	here := f.snap.FinalURL
	ref, found := redirectOf(here, resp)
	if !found {
		return false
	}
	target, err := text.Resolve(here, ref)
	if v, reason := f.refuseRedirect(resp.Status, here, ref, target, err); v != "" {
		f.keep(resp)
		f.end(v, reason)
		return false
	}
	if strings.HasPrefix(here, "https:") && strings.HasPrefix(target, "http:") {
		f.warn("insecure_redirect", "the site redirects from https to http.")
	}
	f.snap.Redirects = append(f.snap.Redirects, wstk.Redirect{URL: here, Status: resp.Status})
	f.snap.FinalURL = target
	if len(f.snap.Redirects) > f.task.Follow {
		f.keepHeaders(resp)
		f.end(wstk.VerdictHTTPError, f.tooMany(target))
		return false
	}
	f.snap.Status = 0 // of the next hop, once there is one
	return true
}

// redirectOf returns where a reply redirects to, as the site writes it, and whether it does.
func redirectOf(here string, resp wstk.Response) (ref string, found bool) {
	switch resp.Status {
	case 301, 302, 303, 307, 308:
		return resp.Header.Get("Location"), true
	case 200:
		ref, found = refresh(resp.Header.Get("Refresh"))
		target, err := text.Resolve(here, ref)
		return ref, found && err == nil && target != here // a page that reloads itself is a page
	}
	return "", false
}

// refuseRedirect says why a redirect is not followed: a verdict and its reason, both empty
// if it is. err is why ref is no URL, nil if target is.
func (f *fetch) refuseRedirect(
	status int, here, ref, target string, err error,
) (wstk.Verdict, string) {
	switch {
	case strings.TrimSpace(ref) == "":
		return wstk.VerdictHTTPError, fmt.Sprintf("status %d without a Location", status)
	case err != nil && otherScheme(ref):
		return wstk.VerdictRefusedPolicy, "redirects to a URL that is not http or https"
	case err != nil:
		return wstk.VerdictHTTPError, "redirects to something that is not a URL"
	case text.WithoutUser(target) != target:
		return wstk.VerdictRefusedPolicy, "redirects to a URL with a user name or password"
	case target == here:
		return wstk.VerdictHTTPError,
			"redirects to itself; sites do that until they see their cookie again"
	case f.visited(target):
		return wstk.VerdictHTTPError, "redirects in a circle"
	}
	return "", ""
}

// tooMany is the reason of a redirect beyond those that the task follows.
func (f *fetch) tooMany(target string) string {
	if f.task.Follow > 0 {
		return fmt.Sprintf("redirects more than %d times", f.task.Follow)
	}
	return "redirects to " + text.Shorten(target, 300)
}

func (f *fetch) visited(url string) bool {
	for _, r := range f.snap.Redirects {
		if r.URL == url {
			return true
		}
	}
	return false
}

// refresh reads a Refresh header as the HTML standard reads the meta element, and
// reports whether it points somewhere within maxRefresh seconds.
func refresh(value string) (string, bool) {
	s := strings.TrimLeft(value, " \t")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits == 0 && !strings.HasPrefix(s, ".") {
		return "", false
	}
	if digits > 0 {
		if n, err := strconv.Atoi(s[:digits]); err != nil || n > maxRefresh {
			return "", false
		}
	}
	s = strings.TrimLeft(s[digits:], "0123456789.")
	rest := strings.TrimLeft(s, " \t")
	if rest == s && !strings.HasPrefix(s, ";") && !strings.HasPrefix(s, ",") {
		return "", false
	}
	rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(rest, ";"), ","), " \t")
	if len(rest) >= 3 && strings.EqualFold(rest[:3], "url") {
		if after := strings.TrimLeft(rest[3:], " \t"); strings.HasPrefix(after, "=") {
			rest = strings.TrimLeft(after[1:], " \t")
		}
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		rest, _, _ = strings.Cut(rest[1:], rest[:1])
	}
	rest = strings.TrimSpace(rest)
	return rest, rest != ""
}

// otherScheme reports whether s begins with a scheme that is not http or https.
func otherScheme(s string) bool {
	s = strings.TrimSpace(s)
	scheme, _, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || strings.EqualFold(scheme, "http") ||
		strings.EqualFold(scheme, "https") {
		return false
	}
	for i, c := range []byte(strings.ToLower(scheme)) {
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || ('0' > c || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return true
}
