package chrome

import (
	"encoding/json"
	"time"

	"wstk/shared/wstk"
)

// heardPage takes an event of the page's session. Events that are not in the table below, and
// those that cannot be read, mean nothing to us.
func (p *page) heardPage(method string, params json.RawMessage) {
	if do := pageEvents[method]; do != nil {
		do(p, params)
	}
}

// pageEvents are the events of a page's session, and what they do.
var pageEvents = map[string]func(*page, json.RawMessage){
	"Network.requestWillBeSent":    on((*page).requestSent),
	"Network.responseReceived":     on((*page).responseReceived),
	"Network.loadingFinished":      on((*page).loadingEnded),
	"Network.loadingFailed":        on((*page).loadingEnded),
	"Page.frameNavigated":          on((*page).frameNavigated),
	"Page.loadEventFired":          on((*page).loadFired),
	"Page.javascriptDialogOpening": on((*page).dialogOpened),
	"Fetch.requestPaused":          on((*page).requestPaused),
	"Fetch.authRequired":           on((*page).authRequired),
	"Inspector.targetCrashed":      on((*page).crashed),
}

func on[Event any](do func(*page, Event)) func(*page, json.RawMessage) {
	return func(p *page, params json.RawMessage) {
		var e Event
		if json.Unmarshal(params, &e) == nil {
			do(p, e)
		}
	}
}

type requestSent struct {
	ID       string `json:"requestId"`
	Type     string
	FrameID  string `json:"frameId"`
	Request  struct{ URL string }
	Redirect *struct {
		URL    string
		Status int
	} `json:"redirectResponse"`
}

func (p *page) requestSent(e requestSent) {
	p.change(func() {
		if e.Type != "EventSource" && len(p.open) < maxOpen { // one of those never ends
			p.open[e.ID] = true
		}
		p.since = time.Now()
		if e.Type != "Document" || e.FrameID != p.target {
			return
		}
		switch {
		case e.Redirect != nil:
			p.redirects = append(p.redirects,
				wstk.Redirect{URL: e.Redirect.URL, Status: e.Redirect.Status})
		case p.status != 0 && e.Request.URL != p.url:
			p.redirects = append(p.redirects, wstk.Redirect{URL: p.url, Status: p.status})
		}
		p.url, p.request0, p.status, p.headers, p.leaving, p.netError = e.Request.URL,
			e.ID, 0, nil, true, ""
	})
}

type responseReceived struct {
	ID       string `json:"requestId"`
	Response struct {
		Status   int
		Headers  map[string]string
		MimeType string `json:"mimeType"`
	}
}

func (p *page) responseReceived(e responseReceived) {
	p.change(func() {
		if e.ID != p.request0 {
			return
		}
		p.status, p.headers = e.Response.Status, shown(e.Response.Headers)
		if !readable(e.Response.MimeType) && p.failure == nil {
			p.failure = p.unsupported(e.Response.MimeType)
		}
	})
}

type loadingEnded struct {
	ID        string `json:"requestId"`
	ErrorText string `json:"errorText"`
}

func (p *page) loadingEnded(e loadingEnded) {
	p.change(func() {
		delete(p.open, e.ID)
		p.since = time.Now()
		if e.ID == p.request0 && e.ErrorText != "" {
			p.netError, p.leaving = e.ErrorText, false
		}
	})
}

type frameNavigated struct {
	Frame struct {
		Parent string `json:"parentId"`
		URL    string
	}
}

func (p *page) frameNavigated(e frameNavigated) {
	if e.Frame.Parent == "" {
		p.change(func() { p.committed, p.leaving, p.loaded = true, false, false })
	}
}

func (p *page) loadFired(struct{}) { p.change(func() { p.loaded = true }) }

func (p *page) dialogOpened(e struct{ Type string }) {
	p.change(func() { p.dialogs++ })
	if p.dialogs < maxDialogs {
		p.post(p.session, "Page.handleJavaScriptDialog",
			map[string]any{"accept": e.Type == "beforeunload"})
	}
}

type requestPaused struct {
	ID      string `json:"requestId"`
	FrameID string `json:"frameId"`
	Request struct{ URL string }
}

func (p *page) requestPaused(e requestPaused) {
	p.paused(e.ID, e.FrameID == p.target, e.Request.URL)
}

type authRequired struct {
	ID        string                  `json:"requestId"`
	Challenge struct{ Source string } `json:"authChallenge"`
}

// authRequired answers the password prompt of our own gate. That of a site is refused, so that
// its page for 401 is shown.
func (p *page) authRequired(e authRequired) {
	answer := map[string]any{"response": "CancelAuth"}
	if e.Challenge.Source == "Proxy" {
		user, password := p.gate.Credentials()
		answer = map[string]any{"response": "ProvideCredentials", "username": user,
			"password": password}
	}
	p.post(p.session, "Fetch.continueWithAuth",
		map[string]any{"requestId": e.ID, "authChallengeResponse": answer})
}

func (p *page) crashed(struct{}) {
	p.fail(wstk.Errorf(wstk.Unavailable, p.op, "the page crashed the browser's tab"))
}
