// Package rest is the HTTP interface: one http.Handler for the server on one machine and for
// API Gateway. It checks the token, then the request, calls the app, and writes JSON.
// openapi.json describes it; the handler serves that file, too.
package rest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/entry/serve"
	"wstk/shared/entry/token"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Options are what the homes do differently. The zero value serves.
type Options struct {
	// Open lets every client in that reaches the handler. Without it, and without a token,
	// a client gets nothing but health.
	Open bool

	// Large returns an address from which the client gets a stored blob of more than
	// MaxBody bytes by itself, or false to have it sent through the handler. The server that
	// answers there must send it as an attachment, and a web page as text/plain. nil
	// sends everything through the handler.
	Large func(ctx context.Context, h wstk.Hash) (address string, ok bool)

	// Tokens are further tokens, asked for with each request: for those that change
	// while the process lives. An error answers the request. nil are none.
	Tokens func(ctx context.Context) ([]string, error)

	// Buffered says that a reply reaches the client when it has ended, as behind API
	// Gateway: a stream of events is then told in pieces, one for each request.
	Buffered bool

	// Timeout bounds the work on one request; 0 means 25 s. A stream of events lasts
	// longer, unless it is Buffered.
	Timeout time.Duration

	// Phase is that of the server; nil means one that always works.
	Phase *serve.Phase

	// MCP answers agents at /mcp, behind the same tokens and limits. A tool that stores
	// something checks the scope of the caller itself. nil answers none.
	MCP http.Handler
}

const (
	// MaxRequest is the largest body of a request, in bytes.
	MaxRequest = wstk.MaxPayload

	// MaxBody is the largest body of a reply, in bytes, that goes through the handler
	// where Options.Large is set.
	MaxBody = 4 << 20

	// requestTimeout stays under the 29 s of API Gateway.
	requestTimeout = 25 * time.Second
)

// handler is the http.Handler of New.
type handler struct {
	app    *app.App
	opts   Options
	tokens *token.Set
	guard  *token.Guard
	mux    *http.ServeMux

	reads, writes glance // of health and readiness

	streams atomic.Int32 // that are open
}

// route is one thing the interface does.
type route struct {
	method, path string
	work         work
	starts       bool // something new: the same Idempotency-Key starts it once
}

// work answers a request. An error becomes the status of its code.
type work func(r *http.Request) (reply, error)

func (h *handler) routes() []route {
	return []route{
		{"POST", "/search-runs", h.createRun, true},
		{"GET", "/search-runs", h.listRuns, false},
		{"GET", "/search-runs/{id}", h.searchRun, false},
		{"GET", "/runs/affected", h.affected, false},
		{"POST", "/sites", h.beginSite, true},
		{"GET", "/sites", h.listSites, false},
		{"GET", "/sites/{id}", h.site, false},
		{"POST", "/sites/{id}/refresh", h.refreshSite, true},
		{"DELETE", "/sites/{id}/crawl", h.cancelCrawl, false},
		{"DELETE", "/sites/{id}", h.removeSite, false},
		{"GET", "/removals/{id}", h.removal, false},
		{"GET", "/recall", h.recall, false},
		{"POST", "/gaps", h.gaps, true},
		{"POST", "/read", h.read, false},
		{"POST", "/extractions", h.beginExtraction, true},
		{"GET", "/extractions/{id}", h.extraction, false},
		{"GET", "/extractions/{id}/events", h.events(extractions), false},
		{"DELETE", "/extractions/{id}", h.cancel(extractions), false},
		{"POST", "/answers", h.beginAnswer, true},
		{"GET", "/answers/{id}", h.answer, false},
		{"GET", "/answers/{id}/events", h.events(answers), false},
		{"DELETE", "/answers/{id}", h.cancel(answers), false},
		{"POST", "/v1/chat/completions", h.chat, true},
		{"GET", "/v1/models", h.models, false},
		{"GET", "/evidence/{id}", h.evidence, false},
		{"GET", "/snapshots/{sha256}", h.snapshot, false},
		{"GET", "/texts/{sha256}", h.text, false},
		{"GET", "/metrics", h.metrics, false},
		{"GET", healthPath, h.health, false},
		{"GET", readyPath, h.ready, false},
		{"GET", "/openapi.json", h.openapi, false},
	}
}

// New makes the handler. A request needs one of the tokens; package token says how they
// may be written.
func New(a *app.App, tokens []string, o Options) http.Handler {
	if o.Phase == nil {
		o.Phase = &serve.Phase{}
	}
	h := &handler{app: a, opts: o, tokens: token.New(tokens, o.Tokens),
		guard: &token.Guard{Each: maxWrong}, mux: http.NewServeMux()}
	if !slices.ContainsFunc(tokens, func(t string) bool { return t != "" }) &&
		o.Tokens == nil && !o.Open {
		a.Log.Warn("no token is set: every request is refused, except /healthz and /readyz")
	}
	methodsOf, ids := map[string][]string{}, operations()
	for _, rt := range h.routes() {
		h.mux.Handle(rt.method+" "+rt.path, h.serve(rt, scopeOf(ids[rt.method+" "+rt.path])))
		methodsOf[rt.path] = append(methodsOf[rt.path], rt.method)
		if rt.method == http.MethodGet {
			methodsOf[rt.path] = append(methodsOf[rt.path], http.MethodHead)
		}
	}
	if o.MCP != nil {
		h.mux.Handle("POST "+mcpPath, h.agents(o.MCP))
		methodsOf[mcpPath] = []string{http.MethodPost}
	}
	for p, methods := range methodsOf {
		slices.Sort(methods)
		h.mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", strings.Join(methods, ", "))
			h.fail(w, r, wstk.Errorf(wstk.MethodNotAllowed, "",
				"%s is not a method of this address", shortly(r.Method)))
		})
	}
	h.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		h.fail(w, r, nothingHere)
	})
	return h
}

var nothingHere = wstk.Errorf(wstk.NotFound, "", "there is nothing at this address").
	Try(wstk.Advice("GET /openapi.json lists all addresses"))

// serve runs the work of a route and writes what it says, for tokens that may.
func (h *handler) serve(rt route, need wstk.Scope) http.Handler {
	do := rt.work
	if rt.starts {
		do = h.once(do)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOpen(r.URL.Path) {
			if err := allowed(w, r, need); err != nil {
				h.fail(w, r, err)
				return
			}
		}
		out, err := do(r)
		if err == nil {
			err = h.send(w, r, out)
		}
		if err != nil {
			h.fail(w, r, err)
		}
	})
}

func (h *handler) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	started := time.Now()
	bodyless := r.Method == http.MethodHead
	zip := &compressor{ResponseWriter: rw, accepted: takesGzip(r), bodyless: bodyless}
	w := &serve.Writer{ResponseWriter: zip, Bodyless: bodyless}
	id := requestID(r)
	w.Header().Set("X-Request-Id", id)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if !isOpen(r.URL.Path) { // words of web pages are data, whatever they say
		w.Header().Set("X-Content-Trust", "untrusted")
	}
	limit := h.opts.Timeout
	if limit == 0 {
		limit = requestTimeout
	}
	base := reading.WithAttrs(context.WithValue(r.Context(), idKey{}, id),
		slog.String("request_id", id))
	ctx, cancel := context.WithTimeout(context.WithValue(base, baseKey{}, base), limit)
	defer cancel()
	r = r.WithContext(ctx)

	defer serve.End(w, func(panicked, stack string) {
		h.app.Log.ErrorContext(base, "panic", "panic",
			h.app.Config.Logged(panicked), "stack", stack)
	}, func() {
		h.fail(w, r, wstk.Errorf(wstk.Internal, "", "panic"))
	}, func(whole bool) {
		if whole {
			zip.close()
		} else {
			zip.drop()
		}
		took := time.Since(started)
		h.measure(r, w.Status, took)
		h.app.Log.InfoContext(base, "request", "method", shortly(r.Method), "path", shown(r),
			"status", w.Status, "ms", took.Milliseconds())
	})

	if !isOpen(r.URL.Path) {
		who, wait, err := h.authorized(r)
		if err != nil && wstk.CodeOf(err) != wstk.Unauthorized {
			if wait > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
			}
			h.fail(w, r, err)
			return
		} else if err != nil {
			challenge := `Bearer realm="wstk"`
			if r.Header.Get("Authorization") != "" {
				challenge += `, error="invalid_token"`
			}
			w.Header().Set("WWW-Authenticate", challenge)
			h.fail(w, r, err)
			return
		}
		base = wstk.WithCaller(base, who)
		r = r.WithContext(wstk.WithCaller(context.WithValue(ctx, baseKey{}, base), who))
	}
	if err := h.opts.Phase.Beginning(); err != nil && !isOpen(r.URL.Path) {
		h.fail(w, r, err)
		return
	}
	r.URL = named(r.URL, r.Method)
	if p := r.URL.EscapedPath(); path.Clean(p) != p || p == "" { // the mux would redirect
		h.fail(w, r, nothingHere)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// aSite is the address of a site in the path of a request. Proxies collapse slashes,
// and API Gateway decodes the path.
var aSite = text.Pattern(`^/sites/(https?):/{1,2}([^/].*)$`)

// named puts the address of a site in a path into one segment, however it came.
func named(u *url.URL, method string) *url.URL {
	m := aSite().FindStringSubmatch(u.Path)
	if m == nil {
		return u
	}
	name, tail := m[1]+"://"+m[2], ""
	for suffix, with := range map[string]string{"/refresh": http.MethodPost,
		"/crawl": http.MethodDelete} {
		if base, ok := strings.CutSuffix(name, suffix); ok && method == with {
			name, tail = base, suffix
		}
	}
	c := *u
	c.Path, c.RawPath = "/sites/"+name+tail, "/sites/"+url.PathEscape(name)+tail
	return &c
}

type idKey struct{}

var saneID = text.Pattern(`^[A-Za-z0-9._-]{1,64}$`)

// requestID is the client's own name for its request, or a new one.
func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); saneID().MatchString(id) {
		return id
	}
	var b [12]byte
	rand.Read(b[:]) // never fails
	return "req_" + hex.EncodeToString(b[:])
}

var plainPath = text.Pattern(`^/[A-Za-z0-9._/-]{0,200}$`)

// shown is what the log says of a path: what may hold the address of a page, and with
// it a secret, is only named by its route.
func shown(r *http.Request) slog.Value {
	if p := r.URL.Path; plainPath().MatchString(p) {
		return slog.StringValue(p)
	}
	if _, route, ok := strings.Cut(r.Pattern, " "); ok {
		return slog.StringValue(route)
	}
	return slog.StringValue("(not shown)")
}

// shortly is a word of a stranger, cut to a length that harms no log.
func shortly(s string) string { return s[:min(len(s), 20)] }
