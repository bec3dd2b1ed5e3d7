package fetch

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// show renders the page until there is a verdict. After a 429 or 503 it waits as for HTTP
// and begins again.
func (f *fetch) show(ctx context.Context) error {
	if f.Renderer == nil {
		none := wstk.Errorf(wstk.Unavailable, "rendering", "there is no browser here")
		return wstk.Wrap(wstk.Unavailable, "fetching", &NotShown{none.Try(withoutBrowser)})
	}
	for f.snap.Verdict == "" {
		if err := f.gates(ctx); err != nil || f.snap.Verdict != "" {
			return err
		}
		f.passed = f.snap.FinalURL
		out, err := f.render(ctx)
		if err != nil || f.snap.Verdict != "" {
			return err
		}
		again, err := f.judge(ctx, reply(out), nil)
		if err != nil {
			return err
		}
		if again {
			f.forget()
			f.snap.FinalURL, f.snap.Redirects, f.picture, f.shown = f.snap.URL, nil, nil, nil
			continue
		}
		// The stored body is the DOM: validators of the reply say nothing about it.
		f.snap.ETag, f.snap.LastModified = "", ""
		if len(f.body) > 0 {
			f.snap.ContentType, f.snap.Charset = "text/html", "utf-8"
			f.picture, f.shown = out.Screenshot, out.Visibility
		}
	}
	return nil
}

var withoutBrowser = wstk.Step{Do: wstk.DoOption, For: "fetch the page without one",
	Options: []wstk.Option{wstk.OptMethod.Set(wstk.MethodHTTP)}}

// reply is a rendering as the reply of a site, to be judged as one.
func reply(out wstk.Rendering) wstk.Response {
	h := http.Header{}
	for name, value := range out.Headers {
		h.Set(name, value)
	}
	return wstk.Response{Status: out.Status, Header: h, Body: out.HTML, Duration: out.Duration}
}

// render opens FinalURL in a browser. The window passes the gates, and waits for the
// host's turn, for each document that it goes to.
func (f *fetch) render(ctx context.Context) (wstk.Rendering, error) {
	w := &way{fetch: f}
	if err := w.enter(ctx); err != nil {
		return wstk.Rendering{}, err
	}
	start := f.now()
	out, err := f.Renderer.Render(ctx, f.renderRequest(w))
	f.took += f.now().Sub(start)
	w.close(ctx)

	f.snap.Status = out.Status
	f.snap.Redirects = nil
	for _, r := range out.Redirects {
		f.snap.Redirects = append(f.snap.Redirects,
			wstk.Redirect{URL: bare(r.URL), Status: r.Status})
	}
	if ended, err := w.stopped(ctx); ended || err != nil {
		return out, err
	}
	if out.FinalURL != "" {
		f.snap.FinalURL = bare(out.FinalURL)
	}
	if err != nil {
		f.snap.Status = 0
		return out, f.refusal(ctx, &NotShown{err})
	}
	f.tell()
	f.snap.Warnings = append(f.snap.Warnings, out.Warnings...)
	if len(out.Refused) > 0 {
		f.warn("hosts_refused", "the page requested an address that is not allowed: "+
			text.Shorten(strings.Join(out.Refused, ", "), 300)+".")
	}
	return out, nil
}

// NotShown is in the chain of an error of Do with which a browser failed: there is none, it
// broke, or it does not show what came as a page.
type NotShown struct{ Err error }

func (e *NotShown) Error() string { return e.Err.Error() }

func (e *NotShown) Unwrap() error { return e.Err }

// renderRequest asks for FinalURL; what it leaves open is taken from the task.
func (f *fetch) renderRequest(w *way) wstk.RenderRequest {
	q := f.task.Render
	q.URL, q.Admit = f.snap.FinalURL, w.admit
	if q.UserAgent == "" {
		q.UserAgent = f.task.UserAgent
	}
	if q.AcceptLanguage == "" {
		q.AcceptLanguage = f.task.Header.Get("Accept-Language")
	}
	if q.MaxBytes == 0 {
		q.MaxBytes = f.task.MaxBytes
	}
	return q
}

// stopped reports whether the fetch ended on the way: by a failure of ours, which it
// returns, at a gate, or beyond the redirects that are followed.
func (w *way) stopped(ctx context.Context) (bool, error) {
	f := w.fetch
	switch {
	// the Renderer's time, not ours
	case w.broken != nil && wstk.CodeOf(w.broken) == wstk.Timeout && ctx.Err() == nil:
		f.end(wstk.VerdictTimeout,
			"the time limit passed on the way to "+text.Shorten(f.snap.FinalURL, 300))
		return true, nil
	case w.broken != nil:
		return true, w.broken
	case f.snap.Verdict != "": // a gate on the way was closed
		return true, nil
	case w.over != "":
		f.snap.FinalURL = w.over
		if n := len(f.snap.Redirects); n > 0 {
			f.snap.Status = f.snap.Redirects[n-1].Status
		}
		f.end(wstk.VerdictHTTPError, f.tooMany(w.over))
		return true, nil
	}
	return false, nil
}

// bare returns the canonical form of a URL without a user name. A URL that has no such form
// is kept as the browser gives it.
func bare(url string) string {
	canonical, err := text.Canonical(url)
	if err != nil {
		return text.WithoutUser(url)
	}
	return text.WithoutUser(canonical)
}

// way is where a window goes: from host to host, one at a time.
type way struct {
	*fetch
	mu     sync.Mutex // a script may go on before a document is there
	host   string     // that is taken
	token  string
	hops   int
	over   string // a document beyond the task's Follow
	broken error  // a failure of ours
	closed bool
}

// enter waits for the turn of FinalURL's host, unless this window has it already. The host
// before is released first: two windows that wait for each other's host would wait forever.
func (w *way) enter(ctx context.Context) error {
	host := text.HostKey(w.snap.FinalURL)
	if host == w.host {
		return nil
	}
	w.leave(ctx)
	token, err := w.turn(ctx, host)
	if err != nil {
		return err
	}
	w.host, w.token, w.asked = host, token, true
	return nil
}

func (w *way) leave(ctx context.Context) {
	if w.host != "" {
		w.release(ctx, w.host, w.token)
		w.host = ""
	}
}

// close ends the way: a document that is asked for afterwards is refused.
func (w *way) close(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.leave(ctx)
}

// admit is RenderRequest.Admit: nil lets the window go on to url.
func (w *way) admit(ctx context.Context, url string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.broken != nil || w.snap.Verdict != "" || w.over != "" {
		return wstk.Errorf(wstk.RefusedPolicy, "rendering", "no further navigation of the page is allowed")
	}
	to, err := text.Canonical(url)
	if err != nil || text.WithoutUser(to) != to {
		w.end(wstk.VerdictRefusedPolicy,
			"leads to something that is not a URL, or to one with a user name or password")
		return wstk.Errorf(wstk.RefusedPolicy, "rendering", "%s", w.snap.Reason)
	}
	if to == w.passed {
		return nil
	}
	if w.hops++; w.hops > w.task.Follow {
		w.over = to
		return wstk.Errorf(wstk.RefusedPolicy, "rendering",
			"the page redirects more than %d times", w.task.Follow)
	}
	w.snap.FinalURL = to
	if w.broken = w.gates(ctx); w.broken != nil {
		return w.broken
	}
	if w.snap.Verdict != "" {
		return wstk.Errorf(wstk.RefusedPolicy, "rendering", "%s", w.snap.Reason)
	}
	if w.broken = w.enter(ctx); w.broken != nil {
		return w.broken
	}
	w.passed = to
	return nil
}
