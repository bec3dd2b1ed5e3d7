// Package web serves the pages that a person sees at the address of the server: searches,
// crawls and answers, and each quote on the page where it was found. The pages need no script
// and load nothing from elsewhere. Words of the web are data on them: escaped, set apart, and
// never markup of ours.
package web

import (
	"context"
	"embed"
	"html/template"
	"io/fs"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"wstk/shared/app"
	"wstk/shared/entry/codes"
	"wstk/shared/entry/serve"
	"wstk/shared/entry/step"
	"wstk/shared/entry/token"
	"wstk/shared/wstk"
)

//go:embed templates static
var files embed.FS

// handler is the http.Handler of New.
type handler struct {
	app    *app.App
	phase  *serve.Phase
	tokens *token.Set
	api    http.Handler
	mux    *http.ServeMux
	writes *http.CrossOriginProtection
	guard  token.Guard
	pages  map[string]*template.Template
}

// New makes the handler of the pages. It answers what Ours names, and hands everything
// else to api, untouched: a session opens pages and nothing of the API. phase is that of the
// server.
func New(a *app.App, tokens *token.Set, api http.Handler, phase *serve.Phase) http.Handler {
	h := &handler{app: a, phase: phase, tokens: tokens, api: api, mux: http.NewServeMux(),
		writes: http.NewCrossOriginProtection(), pages: parse()}
	for pattern, do := range map[string]work{
		"GET /{$}":                  h.home,
		"GET /web/runs":             h.listRuns,
		"POST /web/runs":            h.beginRun,
		"GET /web/runs/{id}":        h.searchRun,
		"GET /web/runs/{id}/rows":   h.rawRows,
		"GET /web/extractions":      h.listExtractions,
		"POST /web/extractions":     h.beginExtraction,
		"GET /web/extractions/{id}": h.extraction,
		"GET /web/sites":            h.listSites,
		"GET /web/sites/{id}":       h.site,
		"GET /web/evidence/{id}":    h.evidence,
		"GET /web/pages":            h.storedPage,
		"GET /web/pages/{sha256}":   h.inert,
		"POST /logout":              h.logout,
		"/":                         h.nothing,
	} {
		h.mux.Handle(pattern, h.known(do))
	}
	h.mux.Handle("GET /login", h.serve(h.loginForm))
	h.mux.Handle("POST /login", h.serve(h.login))
	static, err := fs.Sub(files, "static")
	if err != nil { // it is built in
		panic(err)
	}
	h.mux.Handle("GET /static/{name}",
		http.StripPrefix("/static/", cached(http.FileServerFS(static))))
	return h
}

// Ours reports whether a path belongs to the pages.
func Ours(path string) bool {
	switch path {
	case "/", "/login", "/logout", "/web", "/static":
		return true
	}
	return strings.HasPrefix(path, "/web/") || strings.HasPrefix(path, "/static/")
}

// view is what a page has to say: a template and what goes into it, an address to go to,
// or serve for anything else.
type view struct {
	page    string
	section string // of the menu; "" for none
	title   string
	data    any
	status  int // 0 means 200
	refresh int // seconds after which the page is to be asked for again; 0 for not
	// retryAfter is how long to wait before asking again.
	retryAfter time.Duration

	to     string // where the browser goes instead
	cookie *http.Cookie
	serve  http.HandlerFunc
}

// work answers a request. An error becomes a page with the status of its code.
type work func(r *http.Request) (view, error)

const (
	// requestTimeout bounds the work on one page, as it bounds a request of the API.
	requestTimeout = 25 * time.Second

	// maxForm is the largest form, in bytes.
	maxForm = 64 << 10
)

// policy is the Content-Security-Policy of our own pages.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; " +
	"frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"

func (h *handler) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if !Ours(r.URL.Path) {
		h.api.ServeHTTP(rw, r)
		return
	}
	started := time.Now()
	w := &serve.Writer{ResponseWriter: rw}
	for name, value := range map[string]string{
		"Content-Security-Policy":      policy,
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "same-origin", // without any, a form's Origin would be null
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cache-Control":                "no-store",
	} {
		w.Header().Set(name, value)
	}
	ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
	defer cancel()
	r = r.WithContext(ctx)
	defer serve.End(w, func(panicked, stack string) {
		h.app.Log.Error("panic", "page", r.Pattern, "panic",
			h.app.Config.Logged(panicked), "stack", stack)
	}, func() {
		h.fail(w, r, wstk.Errorf(wstk.Internal, "", "panic"))
	}, func(bool) {
		took := time.Since(started)
		h.app.Metrics.HTTP(r.Method, r.Pattern, w.Status, took)
		// The route and not the path: that may hold the address of a page.
		h.app.Log.Info("page", "route", r.Pattern, "status", w.Status, "ms", took.Milliseconds())
	})
	if err := h.writes.Check(r); err != nil {
		h.fail(w, r, wstk.Errorf(wstk.RefusedPolicy, "",
			"the request was sent from a page of another site"))
		return
	}
	if h.phase.Beginning() != nil && !strings.HasPrefix(r.URL.Path, "/static/") {
		h.starting(w)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	h.mux.ServeHTTP(w, r)
}

// known lets those in who have a session, and sends others to the login.
func (h *handler) known(do work) http.Handler {
	return h.serve(func(r *http.Request) (view, error) {
		who, ok, err := h.session(r)
		if err != nil {
			return view{}, err
		}
		if !ok {
			return strange(r), nil
		}
		if begins[r.Pattern] && !who.Scope.Allows(wstk.ScopeWrite) {
			return view{}, wstk.Errorf(wstk.RefusedPolicy, "",
				"the token you logged in with has the scope %s, and this request needs write", who.Scope).
				Try(wstk.Advice("log out, and in again with a token that may write"))
		}
		return do(r.WithContext(wstk.WithCaller(r.Context(), who)))
	})
}

// begins are the pages that begin a run, for which a token that may read does not do.
var begins = map[string]bool{"POST /web/runs": true, "POST /web/extractions": true}

func (h *handler) serve(do work) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := do(r)
		if err == nil && v.cookie != nil {
			v.cookie.Secure = r.TLS != nil ||
				strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
			http.SetCookie(w, v.cookie)
		}
		if v.retryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(v.retryAfter.Seconds()))))
		}
		switch {
		case err != nil:
			h.fail(w, r, err)
		case v.serve != nil:
			v.serve(w, r)
		case v.to != "":
			http.Redirect(w, r, v.to, http.StatusSeeOther)
		default:
			h.show(w, v)
		}
	})
}

func (h *handler) nothing(r *http.Request) (view, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return view{}, wstk.Errorf(wstk.MethodNotAllowed, "", "nothing can be sent to this address")
	}
	return view{}, wstk.Errorf(wstk.NotFound, "", "there is no page at this address")
}

// problem is what the page of an error tells.
type problem struct {
	Headline string
	Code     wstk.Code
	Message  string
	Next     []step.Shown
}

// fail shows an error. What broke inside is for the log.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	code := wstk.CodeOf(err)
	p := problem{Headline: headline(code), Code: code, Message: err.Error()}
	for _, s := range wstk.StepsOf(err) {
		p.Next = append(p.Next, step.Page(s))
	}
	switch p.Code {
	case wstk.Internal, wstk.Unavailable:
		h.app.Log.Error("page failed", "route", r.Pattern, "code", string(p.Code), "error",
			h.app.Config.Logged(err.Error()))
		p.Message, p.Next = "An internal error occurred; the log has details.", nil
	case wstk.Timeout:
		p.Message = "It took too long."
	}
	h.show(w, view{page: "problem", title: p.Headline, data: p, status: codes.Status(p.Code)})
}

// starting asks for patience while the server begins: it takes no work yet.
func (h *handler) starting(w http.ResponseWriter) {
	w.Header().Set("Retry-After", strconv.Itoa(waitForRun))
	h.show(w, view{page: "problem", title: "Starting", status: codes.Status(wstk.Unavailable),
		refresh: waitForRun,
		data: problem{Headline: "Starting", Code: wstk.Unavailable,
			Message: "The server is starting and resumes earlier work. This page reloads by " +
				"itself."}})
}

// headline says in a few words what an error is.
func headline(c wstk.Code) string {
	switch c {
	case wstk.NotFound, wstk.Gone, wstk.Empty:
		return "Not here"
	case wstk.Invalid, wstk.Unprocessable, wstk.TooLarge, wstk.MethodNotAllowed:
		return "That cannot be done"
	case wstk.RefusedPolicy, wstk.RefusedAddress, wstk.RefusedRobots:
		return "Refused"
	}
	return "It did not work"
}

// cached lets a browser keep what the program itself holds.
func cached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=300")
		next.ServeHTTP(w, r)
	})
}
