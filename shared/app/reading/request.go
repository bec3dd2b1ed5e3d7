package reading

import (
	"context"
	"net/http"
	"strings"
	"time"

	"wstk/shared/config"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// followRedirects is how many redirects a one-page command follows.
const followRedirects = 10

const (
	// LongestRequest bounds one request however much time a command was given.
	LongestRequest = 2 * time.Minute

	// GraceTime is what a command gets beyond its limit to store that it ran out. The
	// command as a whole is done within a second after its limit.
	GraceTime = 500 * time.Millisecond
)

// InTime gives the work on one page its time.
func (r *Room) InTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, PageTime(r.Config))
}

// PageTime is how long the work on one page may take.
func PageTime(c config.Config) time.Duration {
	limit := c.Timeout
	if limit == 0 {
		limit = config.OnePageTime
	}
	return limit + GraceTime
}

// PageRequest asks for one page, outside any crawl.
type PageRequest struct {
	URL            string
	Method         wstk.FetchMethod // http, browser, remote; "" means http
	Header         http.Header      // credentials are refused
	Accept         string           // "" means text/html,*/*;q=0.8
	AcceptLanguage string
	NoFollow       bool // show a redirect instead of following it
	NoDetect       bool // judge by the status alone, not by the words of the page
	Render         RenderOptions
	// the user of this machine named the page, so that the operator's rules of access count
	ByRule bool
}

// RenderOptions are what only a browser needs to know.
type RenderOptions struct {
	Wait       time.Duration
	WaitFor    string // a CSS selector, or wstk.NetworkIdle
	Screenshot bool
	Headful    bool
	// folder of a browser profile; what is seen with it is kept only where the command itself says
	Profile string
}

// pageTask is what the fetch stage is to do.
func (r *Room) Task(req PageRequest) (wstk.FetchTask, error) {
	c := r.Config
	var header http.Header // nil when there is none, for it is part of a key
	if len(req.Header) > 0 {
		header = req.Header.Clone()
	}
	for name, value := range map[string]string{"Accept": req.Accept,
		"Accept-Language": req.AcceptLanguage} {
		if value != "" {
			if header == nil {
				header = http.Header{}
			}
			header.Set(name, value)
		}
	}
	if !text.IsURL(req.URL) {
		return wstk.FetchTask{},
			wstk.Errorf(wstk.Invalid, "", "%q is not a web address", text.HideUser(req.URL)).
				Try(wstk.Advice("write it with its scheme: https://" +
					strings.TrimPrefix(text.HideUser(strings.TrimSpace(req.URL)), "//")))
	}
	task := wstk.FetchTask{URL: strings.TrimSpace(req.URL), Follow: followRedirects,
		Robots: c.Robots, Usage: c.Usage,
		MaxBytes: c.MaxBytes, UserAgent: c.UserAgent, Fresh: true, Header: header,
		NoDetect: req.NoDetect}
	if req.NoFollow {
		task.Follow = 0
	}
	if task.Robots == "" {
		task.Robots = wstk.RobotsWarn
	}
	switch req.Method {
	case wstk.MethodRemote:
		task.Method = wstk.MethodRemote
		return task, ownRequest(req)
	case wstk.MethodBrowser:
		if len(req.Header) > 0 || req.Accept != "" {
			return task, wstk.Errorf(wstk.Invalid, "", "a browser sends its own headers").
				Try(wstk.Step{Do: wstk.DoLeaveOut,
					Options: []wstk.Option{wstk.OptHeader.On(), wstk.OptAccept.On()}},
					wstk.Step{Do: wstk.DoOption,
						Options: []wstk.Option{wstk.OptMethod.Set(wstk.MethodHTTP)}})
		}
		o := req.Render
		task.Method = wstk.MethodBrowser
		task.Render = wstk.RenderRequest{Wait: o.Wait, WaitFor: o.WaitFor, Screenshot: o.Screenshot,
			Headful: o.Headful,
			Profile: o.Profile, UserAgent: c.UserAgent, AcceptLanguage: req.AcceptLanguage,
			MaxBytes: c.MaxBytes}
	}
	return task, nil
}

// ownRequest refuses what a service that fetches a page cannot be told: Invalid.
func ownRequest(req PageRequest) error {
	toHTTP := wstk.Step{Do: wstk.DoOption, Options: []wstk.Option{wstk.OptMethod.Set(wstk.MethodHTTP)}}
	switch {
	case len(req.Header) > 0 || req.Accept != "":
		return wstk.Errorf(wstk.Invalid, "", "a service sends its own headers").
			Try(wstk.Step{Do: wstk.DoLeaveOut,
				Options: []wstk.Option{wstk.OptHeader.On(), wstk.OptAccept.On()}}, toHTTP)
	case req.AcceptLanguage != "":
		return wstk.Errorf(wstk.Invalid, "", "a service asks for the language that it wants").
			Try(wstk.Advice("name no language"), toHTTP)
	case req.NoFollow:
		return wstk.Errorf(wstk.Invalid, "", "a service follows redirects by itself").
			Try(wstk.Advice("let it follow them"), toHTTP)
	}
	return nil
}
