package web

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"wstk/shared/entry/token"
	"wstk/shared/wstk"
)

// cookie holds the session of a browser.
const cookie = "wstk_session"

// session returns the owner of a request's session, and reports whether it is one: it has not
// passed, its token was not withdrawn, and it was not logged out, here or in another
// process over the same stores.
func (h *handler) session(r *http.Request) (who wstk.Caller, ok bool, err error) {
	c, err := r.Cookie(cookie)
	if err != nil {
		return who, false, nil
	}
	who, ok, err = h.tokens.CheckSession(r.Context(), c.Value, h.app.Now())
	if !ok || err != nil {
		return who, false, err
	}
	id, _ := token.SessionID(c.Value)
	switch _, err = h.app.Runs.Get(r.Context(), id); wstk.CodeOf(err) {
	case wstk.NotFound:
		return who, true, nil
	case "":
		return wstk.Caller{}, false, nil
	}
	return wstk.Caller{}, false, err
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
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(next, "/web/") ||
		strings.ContainsAny(next, "\\\r\n") {
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
// ended while a visitor typed. They go from form to form, never into an address, and
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
			data: entrance{Kept: k, Problem: "You are no longer logged in. What you typed is " +
				"kept and is in its form again after you log in."}}
	}
	return view{to: loginFor(r)}
}

func (h *handler) loginForm(r *http.Request) (view, error) {
	_, ok, err := h.session(r)
	if ok {
		return view{to: within(r.URL.Query().Get("next"))}, nil
	}
	return view{page: "login", title: "Log in", data: entrance{Next: r.URL.Query().Get("next")}},
		err
}

// login begins a session for a visitor who knows a token.
func (h *handler) login(r *http.Request) (view, error) {
	if err := form(r); err != nil {
		return view{}, err
	}
	from := token.Client(r, h.app.Config.TrustedProxies)
	now, next, k := h.app.Now(), r.PostForm.Get("next"), keptOf(r)
	value, ok, err := h.tokens.Session(r.Context(), strings.TrimSpace(r.PostForm.Get("token")), now)
	switch {
	case err != nil:
		return view{}, err
	case ok: // however often others guessed, who may share its address behind a proxy
		h.guard.Right(from)
		if who, _, err := h.tokens.CheckSession(r.Context(), value, now); err == nil {
			r = r.WithContext(wstk.WithCaller(r.Context(), who))
		}
		in := withCookie(within(next), value, int(token.SessionAge/time.Second))
		if k == (kept{}) {
			return in, nil
		}
		v, err := h.homeWith(r, k)
		v.cookie = in.cookie
		return v, err
	}
	if wait := h.guard.Wrong(from, r.PostForm.Get("token"), now); wait > 0 {
		return view{page: "login", title: "Log in",
			status: http.StatusTooManyRequests, retryAfter: wait,
			data: entrance{Next: next, Kept: k,
				Problem: "This token is not valid, and too many wrong tokens were sent. Wait " +
					waiting(wait) + "."}}, nil
	}
	return view{page: "login", title: "Log in", status: http.StatusUnauthorized,
		data: entrance{Next: next, Kept: k, Problem: "That is not a valid token."}}, nil
}

// waiting words a wait in whole minutes.
func waiting(d time.Duration) string {
	if n := int(math.Ceil(d.Minutes())); n > 1 {
		return strconv.Itoa(n) + " minutes"
	}
	return "a minute"
}

// logout ends the session, for every copy of its cookie and in every process: that is
// stored before anybody is told so.
func (h *handler) logout(r *http.Request) (view, error) {
	if c, err := r.Cookie(cookie); err == nil {
		id, began := token.SessionID(c.Value)
		now := h.app.Now().UTC()
		err := h.app.Runs.Create(r.Context(),
			wstk.Run{ID: id, Kind: wstk.RunSession, State: wstk.RunComplete,
				Owner: wstk.CallerOf(r.Context()).Owner(), StartedAt: began,
				UpdatedAt: now, EndedAt: now})
		if err != nil && wstk.CodeOf(err) != wstk.Conflict {
			return view{}, err
		}
	}
	return withCookie("/login", "", -1), nil
}

// withCookie sets the cookie and leads on. Strict: no page of another site can make the
// browser send it.
func withCookie(to, value string, age int) view {
	return view{to: to, cookie: &http.Cookie{Name: cookie, Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteStrictMode}}
}

// form reads the form of a request.
func form(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return wstk.Errorf(wstk.Invalid, "", "the form could not be read")
	}
	return nil
}
