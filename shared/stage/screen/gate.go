package screen

import (
	"cmp"
	"net/url"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Gates let people in who are known: logins and subscriptions.

var loginSaying = saying{"login sentences", "login stems", "login saying"}

const (
	loginOwn  = 1200
	loginForm = 500 // a form and its help texts
	bareForm  = 120 // a form and the page's name
)

// loginWall reports whether the page asks for a login instead of showing what was
// asked for. A login page that was itself asked for is no wall.
func (p *page) loginWall(snap wstk.Snapshot) string {
	if p.own > loginOwn || loginAsked(snap.URL) {
		return ""
	}
	sent := snap.FinalURL != "" && snap.FinalURL != snap.URL && loginPath(snap.FinalURL)
	name, phrase := p.titled("login titles", "", ""),
		loginSaying.in(p.text[:min(len(p.text), 1500)])
	says := name != "" || phrase != ""
	if !sent && !says {
		return ""
	}
	password, short := p.markup().password, p.own < loginForm
	if sent && (password || says || short) {
		return "the site sent us to a login page"
	}
	return p.loginAskedFor(name, phrase, short)
}

// loginAskedFor reports how a page asks for a login that has a name or says a phrase of such
// pages; "" if it does not. short is whether it has next to no text of its own.
func (p *page) loginAskedFor(name, phrase string, short bool) string {
	form := p.markup()
	switch {
	case form.password && short, name != "" && form.email && p.own < loginForm/2:
		return "a login form stands in place of the page"
	case phrase != "" && short && (name != "" || p.prose < 2*paragraph && p.leads(phrase)):
		return "the page asks for a login; it says \"" + phrase + "\""
	}
	return ""
}

// onlyLogin reports whether the page is hardly more than a form that asks for a
// password, whatever it says. One with pictures or frames may have a form beside
// them, and one that a script has yet to fill, in its header.
func (p *page) onlyLogin(snap wstk.Snapshot) string {
	const logos = 2
	if p.size >= bareForm || loginAsked(snap.URL) {
		return ""
	}
	if m := p.markup(); !m.password || m.images > logos || m.frames > 0 {
		return ""
	}
	return "a login form stands in front of the page"
}

// leads reports whether the phrase stands in a heading or the first blocks of own
// text: what the page is about, rather than an invitation to comment below it.
func (p *page) leads(phrase string) bool {
	before := 0
	for _, b := range p.blocks {
		if strings.Contains(b, phrase) {
			return before < 160
		}
		// shorter ones are menus and labels
		if n := weigh(b, text.Range{End: len(b)}, nil); n > 40 {
			before += n
		}
	}
	return false
}

// loginAsked reports whether a login page was asked for, and not another behind it.
func loginAsked(raw string) bool { return loginPath(raw) && !hasReturn(raw) }

func loginPath(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if strings.HasPrefix(host, "login.") || strings.HasPrefix(host, "signin.") ||
		strings.HasPrefix(host, "auth.") || strings.HasPrefix(host, "sso.") ||
		strings.HasPrefix(host, "idp.") {
		return true
	}
	for part := range strings.FieldsFuncSeq(strings.ToLower(u.Path),
		func(c rune) bool { return c == '/' || c == '.' }) {
		if among("login paths", part) {
			return true
		}
	}
	return false
}

// hasReturn reports whether the address says where to go on to afterwards: then it
// is not the login page that was wanted.
func hasReturn(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	for key := range u.Query() {
		if among("return parameters", strings.ToLower(key)) {
			return true
		}
	}
	return false
}

// Limits of a text that breaks off: what stands before is a teaser.
const (
	teaser     = 1400 // prose of a page that says it is not free
	shortTease = 700  // prose of a page that only asks for a subscription
)

// paywall reports whether the page breaks off and asks for a subscription.
func (p *page) paywall() string {
	if first(p.title, phrases("subscription titles")) != "" && !p.article() {
		return "" // a page about subscriptions
	}
	if !p.article() && !p.notFree() && p.own > shortTease {
		return ""
	}
	phrase, notices := p.payNotices()
	if phrase == "" {
		return ""
	}
	prose := p.prose
	if p.main > 0 {
		prose = min(prose, p.main)
	}
	// Other pages than articles ask for subscriptions without holding anything
	// back; one that says it twice and hardly anything else does hold back.
	if p.notFree() && prose <= teaser ||
		prose <= shortTease && (p.article() && p.own <= 2*teaser ||
			notices >= 2 && p.own <= shortTease) {
		return "the text breaks off for readers without a subscription: the page says \"" +
			phrase + "\""
	}
	return ""
}

// payNotices returns the first sentence that asks for a subscription in a block of its own,
// and how many blocks have one. In prose it is only mentioned.
func (p *page) payNotices() (phrase string, notices int) {
	for _, b := range p.blocks {
		if weigh(b, text.Range{End: len(b)}, nil) > 400 {
			continue
		}
		if says := first(b, phrases("paywall sentences")); says != "" &&
			!strings.Contains(b, "newsletter") {
			phrase = cmp.Or(phrase, says)
			notices++
		}
	}
	return phrase, notices
}

// notFree reports whether the page's structured data say that it is not for free.
func (p *page) notFree() bool {
	for _, item := range p.doc.Data {
		for _, leaf := range item.Leaves {
			if strings.HasSuffix(leaf.Name, "isAccessibleForFree") &&
				strings.EqualFold(strings.Trim(leaf.Literal, `" `), "false") {
				return true
			}
			if (leaf.Name == "article:content_tier" || leaf.Name == "og:article:content_tier") &&
				(leaf.Literal == "locked" || leaf.Literal == "metered") {
				return true
			}
		}
	}
	return false
}

// article reports whether the page calls itself an article.
func (p *page) article() bool {
	if t := strings.ToLower(p.doc.Meta.Type); strings.Contains(t, "article") ||
		strings.Contains(t, "posting") {
		return true
	}
	for _, item := range p.doc.Data {
		if t := strings.ToLower(item.Type); strings.Contains(t, "article") ||
			strings.Contains(t, "posting") {
			return true
		}
	}
	return p.doc.Meta.PublishedAt != nil
}
