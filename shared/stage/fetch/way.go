package fetch

import (
	"html"
	"net/http"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// takeWay notes the Way of the task in the snapshot. A Way that this task cannot go is Invalid.
func (f *fetch) takeWay() error {
	const op = "fetching"
	way := f.task.Way
	switch {
	case way == nil:
		return nil
	case f.task.Run != "":
		return wstk.Errorf(wstk.Invalid, op, "a crawl asks for pages as every reader may")
	case f.snap.Method != wstk.MethodHTTP:
		return wstk.Errorf(wstk.Invalid, op, "the rule %s is for requests over HTTP, and the method "+
			"is %s", way.Rule, f.snap.Method).
			Try(wstk.Step{Do: wstk.DoOption,
				Options: []wstk.Option{wstk.OptMethod.Set(wstk.MethodHTTP)}})
	case way.URL != f.snap.URL:
		return wstk.Errorf(wstk.Internal, op, "the way is to another address than the task")
	}
	f.snap.Access = way.Permit()
	return nil
}

// admitted are the addresses that must be on the caller's lists before url is asked for; none
// without a list. An API does not give what its page is refused.
func (f *fetch) admitted(url string) []string {
	switch way := f.task.Way; {
	case f.Admit == nil:
		return nil
	case way == nil || way.Page == url:
		return []string{url}
	default:
		return []string{way.Page, url}
	}
}

// credential is what is sent to FinalURL: nothing where a redirect led beyond the rule.
func (f *fetch) credential() *wstk.Credential {
	way := f.task.Way
	if way == nil || way.Credential == nil {
		return nil
	}
	if !way.Credential.Covers(f.snap.FinalURL) {
		f.warn("credential_not_sent", "the site redirects beyond the address of the rule "+
			way.Rule+"; the credential was not sent there.")
		return nil
	}
	return way.Credential
}

// accept adds the Accept header that the way needs, unless the caller named another, to the
// headers of a request. The caller's own stay as they are.
func (f *fetch) accept(h http.Header) http.Header {
	way := f.task.Way
	if way == nil || way.Accept == "" || h.Get("Accept") != "" {
		return h
	}
	if h = h.Clone(); h == nil {
		h = http.Header{}
	}
	h.Set("Accept", way.Accept)
	return h
}

// repeats reports whether a reply holds the credential in its body or where it redirects to.
// Other headers that hold it are removed.
func (f *fetch) repeats(resp *wstk.Response) bool {
	if f.task.Way == nil || f.task.Way.Credential == nil {
		return false
	}
	secret := f.task.Way.Credential
	// UTF-16 has a zero beside each letter of a secret
	plain := strings.ReplaceAll(string(resp.Body), "\x00", "")
	found := secret.In(plain) || secret.In(html.UnescapeString(plain))
	for name, values := range resp.Header {
		if !secret.In(strings.Join(values, "\n")) {
			continue
		}
		found = found || name == "Location" || name == "Refresh"
		delete(resp.Header, name)
	}
	return found
}

// readAs gives the body of a page the media type that the rule states. What another host
// gave keeps its own.
func (f *fetch) readAs() {
	if way := f.task.Way; way != nil && way.ReadAs != "" && f.snap.Verdict == wstk.VerdictOK &&
		text.HostKey(f.snap.FinalURL) == text.HostKey(way.URL) {
		f.snap.ContentType = way.ReadAs
	}
}
