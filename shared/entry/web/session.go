package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"wstk/shared/entry/token"
	"wstk/shared/wstk"
)

// cookie holds the session of a browser.
const cookie = "wstk_session"

// session tells whether a request comes with a session.
func (h *handler) session(r *http.Request) (bool, error) {
	c, err := r.Cookie(cookie)
	if err != nil {
		return false, nil
	}
	return h.tokens.CheckSession(r.Context(), c.Value, h.app.Now())
}

// loginFor is where one logs in to see what r asks for.
func loginFor(r *http.Request) string {
	if r.Method != http.MethodGet || r.URL.Path == "/" {
		return "/login"
	}
	return "/login?" + url.Values{"next": {r.URL.RequestURI()}}.Encode()
}

// within is the address of a page of ours that one wanted to see; the first page for
// anything else, which might lead elsewhere.
func within(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(next, "/web/") || strings.ContainsAny(next, "\\\r\n") {
		return "/"
	}
	return next
}

// entrance is what the login page shows.
type entrance struct {
	Next    string
	Problem string
	Kept    kept
}

// kept are the words of a form that was sent without a session, most often since theirs
// ended while somebody typed. They go from form to form, never into an address, and
// nothing is begun with them until they are sent again.
type kept struct {
	Question string // to be asked
	Words    string // to be searched for
}

// keep is what is kept of the form that r sent.
func keep(r *http.Request) (k kept) {
	q, err := asked(r)
	switch {
	case err != nil: // there are none, or too many
	case r.Pattern == "POST /web/extractions":
		k.Question = q
	case r.Pattern == "POST /web/runs":
		k.Words = q
	}
	return k
}

// keptOf are the words that the form of a login brings along.
func keptOf(r *http.Request) (k kept) {
	k.Question, _ = bounded(r.PostForm.Get("question"))
	k.Words, _ = bounded(r.PostForm.Get("words"))
	return k
}

// strange answers a request without a session: with the login, before the page that was
// wanted or the words that were sent.
func strange(r *http.Request) view {
	if k := keep(r); r.Method == http.MethodPost && k != (kept{}) {
		return view{page: "login", title: "Log in", status: http.StatusUnauthorized,
			data: entrance{Kept: k, Problem: "You are not logged in any more. What you typed is kept, and stands in its form again after the login."}}
	}
	return view{to: loginFor(r)}
}

func (h *handler) loginForm(r *http.Request) (view, error) {
	ok, err := h.session(r)
	if ok {
		return view{to: within(r.URL.Query().Get("next"))}, nil
	}
	return view{page: "login", title: "Log in", data: entrance{Next: r.URL.Query().Get("next")}}, err
}

// login begins a session for whoever knows a token.
func (h *handler) login(r *http.Request) (view, error) {
	if err := form(r); err != nil {
		return view{}, err
	}
	now, next, k := h.app.Now(), r.PostForm.Get("next"), keptOf(r)
	value, ok, err := h.tokens.Session(r.Context(), strings.TrimSpace(r.PostForm.Get("token")), now)
	switch {
	case err != nil:
		return view{}, err
	case ok: // however often others guessed, who may share its address behind a proxy
		in := withCookie(within(next), value, int(token.SessionAge/time.Second))
		if k == (kept{}) {
			return in, nil
		}
		v, err := h.homeWith(r, k)
		v.cookie = in.cookie
		return v, err
	case !h.tries.may(r.RemoteAddr, now):
		return view{page: "login", title: "Log in", status: http.StatusTooManyRequests,
			data: entrance{Next: next, Kept: k, Problem: "That is not a valid token, and many before it were wrong. Wait a minute."}}, nil
	}
	h.tries.failed(r.RemoteAddr)
	return view{page: "login", title: "Log in", status: http.StatusUnauthorized,
		data: entrance{Next: next, Kept: k, Problem: "That is not a valid token."}}, nil
}

func (h *handler) logout(*http.Request) (view, error) { return withCookie("/login", "", -1), nil }

// withCookie sets the cookie and leads on. Strict: no page of another site can make the
// browser send it.
func withCookie(to, value string, age int) view {
	return view{to: to, cookie: &http.Cookie{Name: cookie, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode}}
}

// form reads the form of a request.
func form(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return wstk.Errorf(wstk.Invalid, "", "the form could not be read")
	}
	return nil
}

// tries counts the wrong tokens of the last minute, so that whoever guesses is told to
// stop, and monitoring sees it. What makes guessing hopeless is the length of a token. The
// zero value is ready.
type tries struct {
	mu    sync.Mutex
	since time.Time
	wrong map[netip.Prefix]int
	all   int
}

const (
	maxWrong    = 10   // of one address
	maxWrongAll = 1000 // of everybody; it also bounds the map
)

// may tells whether another wrong token of an address is one of few.
func (t *tries) may(remote string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Sub(t.since) >= time.Minute || now.Before(t.since) {
		t.since, t.wrong, t.all = now, map[netip.Prefix]int{}, 0
	}
	return t.wrong[network(remote)] < maxWrong && t.all < maxWrongAll
}

func (t *tries) failed(remote string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong[network(remote)]++
	t.all++
}

// network is whom an address belongs to: whoever has one IPv6 address has its whole /64.
func network(remote string) netip.Prefix {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{}
	}
	a = a.WithZone("").Unmap()
	bits := 32
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits) // the number of bits fits
	return p
}
