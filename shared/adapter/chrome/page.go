package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"wstk/shared/wstk"
)

const (
	quietTime = 200 * time.Millisecond // of a page that was asked to wait for nothing
	quietMost = 2 * time.Second        // that such a page is waited for
	idleTime  = 500 * time.Millisecond // of wstk.NetworkIdle
	pollTime  = 100 * time.Millisecond // between looks for a selector
	closeTime = 5 * time.Second        // for the browser to close a page
	leastTime = 250 * time.Millisecond // kept back to read a page that has not settled
	mostTime  = 3 * time.Second        // the same, at most

	maxDocuments = 20     // that one window may go to
	maxOpen      = 10_000 // requests that are kept in mind
	maxDialogs   = 1000   // that are closed; a page with more has the rest stand
)

// page is one Render in progress.
type page struct {
	*browser
	gate    Gate
	request wstk.RenderRequest
	op      string
	product string
	own     bool // the browser is this page's alone

	context, target, session string

	mu        sync.Mutex
	changed   chan struct{} // closed and replaced when something below changes
	redirects []wstk.Redirect
	url       string // of the main document asked for last
	request0  string // its request's id
	status    int
	headers   map[string]string
	documents int  // that were asked for
	leaving   bool // a document was asked for and is not there yet
	committed bool // one is there
	loaded    bool // and its load event has come
	empty     bool // the reply had no body to show
	netError  string
	failure   error
	open      map[string]bool // requests in flight
	since     time.Time       // of the last change of open
	dialogs   int
	popups    int
	downloads int
	ctx       context.Context
}

// render opens the page, waits for it, and reads it.
func (p *page) render(ctx context.Context) (wstk.Rendering, error) {
	if err := p.prepare(ctx); err != nil {
		return wstk.Rendering{}, p.broken(ctx, err)
	}
	soft, stop := withGrace(ctx)
	defer stop()
	p.ctx = soft
	var warnings []wstk.Warning
	err := p.settle(soft)
	settled := err == nil
	if errors.Is(err, errMissing) {
		err = nil
		warnings = append(warnings, p.warning("selector_missing",
			"no element matched the selector within the time; the page was read without it."))
	}
	if soft.Err() != nil && ctx.Err() == nil && (err == nil || errors.Is(err, soft.Err())) {
		if !settled && len(warnings) == 0 {
			warnings = append(warnings, p.warning("not_settled",
				"the page was still loading at the end of the time limit; it was read as it was then."))
		}
		err = nil
	}
	out := p.known()
	if err != nil {
		return out, p.broken(ctx, err)
	}
	p.mu.Lock()
	empty, committed := p.empty, p.committed
	p.mu.Unlock()
	switch {
	case empty:
	case !committed:
		return out, p.unanswered()
	default:
		if err := p.read(ctx, &out, settled); err != nil {
			return out, p.broken(ctx, err)
		}
	}
	out.Warnings = append(warnings, p.more(out.Warnings)...)
	out.Refused = p.gate.Refused()
	return out, nil
}

// withGrace ends before ctx does, so that there is time to read what is there.
func withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	left := time.Until(end)
	return context.WithDeadline(ctx, end.Add(-min(max(left/4, leastTime), mostTime)))
}

// prepare opens a window that shows nothing yet, with everything in place that the page
// must find.
func (p *page) prepare(ctx context.Context) error {
	type object = map[string]any
	target := object{"url": "about:blank"}
	if !p.own {
		var made struct {
			ID string `json:"browserContextId"`
		}
		if err := p.call(ctx, "", "Target.createBrowserContext",
			object{"disposeOnDetach": true, "proxyServer": p.gate.Addr(),
				"proxyBypassList": "<-loopback>"}, &made); err != nil {
			return err
		}
		p.context, target["browserContextId"] = made.ID, made.ID
	}
	forContext := func(o object) object {
		if p.context != "" {
			o["browserContextId"] = p.context
		}
		return o
	}
	if err := p.call(ctx, "", "Browser.setDownloadBehavior",
		forContext(object{"behavior": "deny", "eventsEnabled": true}), nil); err != nil {
		return err
	}
	// Granting none rejects every other permission.
	if err := p.call(ctx, "", "Browser.grantPermissions",
		forContext(object{"permissions": []string{}}), nil); err != nil {
		return err
	}
	var opened struct {
		Target string `json:"targetId"`
	}
	if err := p.call(ctx, "", "Target.createTarget", target, &opened); err != nil {
		return err
	}
	p.target = opened.Target
	var attached struct {
		Session string `json:"sessionId"`
	}
	if err := p.call(ctx, "", "Target.attachToTarget",
		object{"targetId": p.target, "flatten": true}, &attached); err != nil {
		return err
	}
	p.session = attached.Session
	p.hear(p.session, p.heardPage)
	p.listen(p)
	agent := p.request.UserAgent
	if agent == "" {
		agent = strings.TrimSpace(p.agent + " " + p.product)
	}
	override := object{"userAgent": agent}
	if p.request.AcceptLanguage != "" {
		override["acceptLanguage"] = p.request.AcceptLanguage
	}
	for _, c := range []struct {
		method string
		params any
	}{
		{"Page.enable", nil},
		{"Inspector.enable", nil},
		{"Network.enable", object{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0,
			"maxPostDataSize": 0}},
		{"Network.setBypassServiceWorker", object{"bypass": true}},
		{"Emulation.setUserAgentOverride", override},
		{"Page.setInterceptFileChooserDialog", object{"enabled": true}},
		// The gate's password is asked for with the first document, and kept by the browser.
		{"Fetch.enable", object{"handleAuthRequests": true,
			"patterns": []object{{"urlPattern": "*", "resourceType": "Document"}}}},
	} {
		if err := p.call(ctx, p.session, c.method, c.params, nil); err != nil {
			return err
		}
	}
	return nil
}

// close closes the window and all that belongs to it, and reports whether the browser did
// so in time.
func (p *page) close() bool {
	p.browser.unlisten(p)
	if p.session != "" {
		p.hear(p.session, nil)
	}
	ctx, stop := context.WithTimeout(context.Background(), closeTime)
	defer stop()
	switch {
	case p.context != "":
		return p.call(ctx, "", "Target.disposeBrowserContext",
			map[string]any{"browserContextId": p.context}, nil) == nil
	case p.target != "":
		return p.call(ctx, "", "Target.closeTarget", map[string]any{"targetId": p.target},
			nil) == nil
	}
	return false
}

// settle goes to the page and waits until it is as the request wants it.
func (p *page) settle(ctx context.Context) error {
	var gone struct {
		ErrorText string `json:"errorText"`
	}
	if err := p.call(ctx, p.session, "Page.navigate", map[string]any{"url": p.request.URL},
		&gone); err != nil {
		return p.first(err)
	}
	if gone.ErrorText != "" {
		if err := p.notShown(gone.ErrorText); err != nil {
			return err
		}
	}
	waited := false
	for {
		if err := p.until(ctx, p.there); err != nil || p.isEmpty() {
			return err
		}
		if err := p.waitFor(ctx); err != nil {
			return err
		}
		if !waited {
			if waited = true; p.request.Wait > 0 {
				select {
				case <-time.After(p.request.Wait):
				case <-ctx.Done():
					return ctx.Err()
				case <-p.done:
					return errGone
				}
			}
		}
		p.mu.Lock()
		there := p.there()
		p.mu.Unlock()
		if there {
			return p.first(nil)
		}
	}
}

// there reports whether a document is there and loaded, or none will come. p.mu is held.
func (p *page) there() bool { return p.committed && p.loaded && !p.leaving || p.empty }

func (p *page) isEmpty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.empty
}

// first returns the page's failure where there is one, else err: what broke a call is
// rarely what went wrong.
func (p *page) first(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		return p.failure
	}
	return err
}

// until waits for ready, which is asked with p.mu held, or for the page to fail.
func (p *page) until(ctx context.Context, ready func() bool) error {
	for {
		p.mu.Lock()
		ok, failure, changed := ready(), p.failure, p.changed
		p.mu.Unlock()
		if failure != nil {
			return failure
		}
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-p.done:
			return errGone
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// errMissing: the selector that was waited for never came.
var errMissing = errors.New("no element matches the selector")

func (p *page) waitFor(ctx context.Context) error {
	switch p.request.WaitFor {
	case "":
		short, stop := context.WithTimeout(ctx, quietMost)
		defer stop()
		err := p.quiet(short, quietTime)
		if short.Err() != nil && ctx.Err() == nil && errors.Is(err, short.Err()) {
			return nil
		}
		return err
	case wstk.NetworkIdle:
		return p.quiet(ctx, idleTime)
	}
	for {
		var found bool
		err := p.eval(ctx, "!!document.querySelector("+quote(p.request.WaitFor)+")", &found)
		var thrown *exception
		switch {
		case errors.As(err, &thrown) && thrown.class == "SyntaxError",
			errors.As(err, &thrown) && strings.Contains(thrown.text, "not a valid selector"):
			return wstk.Errorf(wstk.Invalid, p.op,
				"the condition to wait for is neither a CSS selector nor %s", wstk.NetworkIdle)
		case errors.Is(err, errGone):
			return err
		case err == nil && found:
			return nil
		}
		select {
		case <-time.After(pollTime):
		case <-ctx.Done():
			return errMissing
		}
		if err := p.first(nil); err != nil {
			return err
		}
	}
}

// quiet waits until no request was open for d.
func (p *page) quiet(ctx context.Context, d time.Duration) error {
	for {
		p.mu.Lock()
		left := d
		if len(p.open) == 0 {
			left = d - time.Since(p.since)
		}
		failure, changed := p.failure, p.changed
		p.mu.Unlock()
		if failure != nil {
			return failure
		}
		if left <= 0 {
			return nil
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-changed:
		case <-p.done:
			timer.Stop()
			return errGone
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
		timer.Stop()
	}
}

// known is what the network told of the page.
func (p *page) known() wstk.Rendering {
	p.mu.Lock()
	defer p.mu.Unlock()
	return wstk.Rendering{FinalURL: p.url, Status: p.status, Headers: p.headers,
		Redirects: p.redirects}
}

// more adds to what reading warned of what happened on the way.
func (p *page) more(out []wstk.Warning) []wstk.Warning {
	p.mu.Lock()
	dialogs, popups, downloads := p.dialogs, p.popups, p.downloads
	p.mu.Unlock()
	for _, w := range []struct {
		so            bool
		code, message string
	}{
		{dialogs > 0, "dialog_closed",
			"the page opened a dialog (alert, confirm or prompt), which was closed."},
		{popups > 0, "popup_closed", "the page opened another window, which was closed."},
		{downloads > 0, "download_refused", "the page started a download, which was refused."},
		{p.gate.Full(), "page_cut_off",
			"the page asked for more than one page may, and was cut off from the network."},
		{unsandboxed, "no_sandbox", "the browser runs without its sandbox, because this is root; " +
			"run as another user for pages you do not trust."},
	} {
		if w.so {
			out = append(out, p.warning(w.code, w.message))
		}
	}
	return out
}

func (p *page) warning(code, message string) wstk.Warning {
	return wstk.Warning{Code: code, Message: message, URL: p.request.URL}
}

// change alters what is known of the page and wakes those that wait for it.
func (p *page) change(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *page) fail(err error) {
	p.change(func() {
		if p.failure == nil {
			p.failure = err
		}
	})
}

// paused lets a document through, or not. It is asked for each redirect again.
func (p *page) paused(id string, main bool, url string) {
	pass := func() { p.post(p.session, "Fetch.continueRequest", map[string]any{"requestId": id}) }
	if !main {
		pass()
		return
	}
	refuse := func(err error) {
		p.change(func() {
			// The network tells of no request that was stopped here.
			if p.failure == nil {
				p.failure = err
			}
			if p.url != url {
				if p.status != 0 {
					p.redirects = append(p.redirects, wstk.Redirect{URL: p.url, Status: p.status})
				}
				p.url, p.status, p.headers = url, 0, nil
			}
		})
		p.post(p.session, "Fetch.failRequest",
			map[string]any{"requestId": id, "errorReason": "BlockedByClient"})
	}
	p.mu.Lock()
	p.documents++
	n := p.documents
	p.mu.Unlock()
	url, _, _ = strings.Cut(url, "#")
	switch {
	case n > maxDocuments:
		refuse(wstk.Errorf(wstk.Network, p.op,
			"the page redirects through more than %d documents", maxDocuments))
	case !webURL(url):
		refuse(wstk.Errorf(wstk.RefusedPolicy, p.op,
			"the page leads to a URL that is not http or https"))
	case p.request.Admit == nil:
		pass()
	default:
		go func() { // it may ask the network, and events have to go on
			if err := p.request.Admit(p.ctx, url); err != nil {
				refuse(err)
				return
			}
			pass()
		}()
	}
}

// heardBrowser takes the events of the browser.
func (p *page) heardBrowser(method string, params json.RawMessage) {
	switch method {
	case "Target.targetCreated":
		var e struct {
			Info struct {
				ID      string `json:"targetId"`
				Type    string
				Context string `json:"browserContextId"`
				Opener  string `json:"openerId"`
			} `json:"targetInfo"`
		}
		if json.Unmarshal(params, &e) != nil || e.Info.Type != "page" || e.Info.ID == p.target {
			return
		}
		// In a window that a person sees, tabs that the person opens stay.
		if e.Info.Opener == p.target ||
			p.context != "" && e.Info.Context == p.context && p.target != "" {
			p.change(func() { p.popups++ })
			p.post("", "Target.closeTarget", map[string]any{"targetId": e.Info.ID})
		}
	case "Browser.downloadWillBegin":
		var e struct {
			FrameID string `json:"frameId"`
			URL     string
		}
		if json.Unmarshal(params, &e) != nil || e.FrameID != p.target {
			return
		}
		p.change(func() {
			if p.downloads++; !p.committed && p.failure == nil {
				p.failure = p.unsupported("")
			}
		})
	}
}
