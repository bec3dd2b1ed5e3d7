package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// DDGS reads DuckDuckGo's pages for browsers without JavaScript. It needs no key and
// promises nothing: many searches in a short time are answered with a challenge for
// people, which is Blocked. When the page has a layout it does not know, it reads the
// plainer one for small screens (lite).
type DDGS struct{ Options }

var _ wstk.SearchProvider = DDGS{}

const (
	ddgsID   = "ddgs"
	ddgsHome = "https://html.duckduckgo.com"
	ddgsMost = 30 // about what one page shows at most
)

// Info says that nothing is needed.
func (p DDGS) Info() wstk.ProviderInfo {
	info := described(ddgsID)
	info.Enabled, info.Auto, info.Remote = true, true, true
	return info
}

// Reachable asks the vendor's host for a sign of life.
func (p DDGS) Reachable(ctx context.Context) error { return p.knock(ctx, ddgsID, ddgsHome) }

// Compile puts sites into operators. A language is said as part of a region only.
func (p DDGS) Compile(q wstk.SearchQuery) wstk.Compiled {
	var language []string
	if q.Language != "" && !strings.HasSuffix(q.Region, "-"+q.Language) {
		language = noLanguage(q)
	}
	return compiled(siteOperators(q.Words, q.Sites, q.Exclude), language, atMost(q, ddgsMost))
}

// Search reads the first page of results.
func (p DDGS) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	c := p.Compile(q)
	form := url.Values{"q": {c.Query}, "b": {""}, "kl": {"wt-wt"}, "kp": {ddgsSafe[q.SafeSearch]},
		"df": {string(q.TimeRange)}}
	set(form, "kl", q.Region)
	if dated(q) {
		from, to := days(q, p.Clock())
		form.Set("df", from+".."+to)
	}
	tries := 0
	for _, address := range []string{p.Base(ddgsHome) + "/html/", p.Base("https://lite.duckduckgo.com") + "/lite/"} {
		tries++
		body, err := p.Ask(ctx, webapi.Call{Vendor: ddgsID, Method: http.MethodPost, URL: address,
			Form: form, Failure: ddgsFailure})
		if err != nil {
			return wstk.SearchReply{}, err
		}
		page := readDDG(body)
		if page.challenge && len(page.items) == 0 {
			return wstk.SearchReply{},
				p.Fail(ddgsID, wstk.Blocked, "it asks for proof that a person is searching").
					Try(wstk.Retry("later"),
						wstk.Step{Do: wstk.DoListProviders, For: "set a key of another provider"})
		}
		if page.known {
			out := reply(p.Options, ddgsID, q, c.Query, page.items, func(r ddgsItem) row {
				return row{title: r.Title, url: r.URL, snippet: r.Snippet, published: r.Date}
			})
			out.Tries = tries
			return out, nil
		}
	}
	return wstk.SearchReply{}, p.Garbled(ddgsID)
}

var ddgsSafe = map[wstk.SafeSearch]string{"": "-1", wstk.SafeSearchOn: "1",
	wstk.SafeSearchModerate: "-1", wstk.SafeSearchOff: "-2"}

// ddgsFailure: 202 comes with the challenge; a page for people has no keys to refuse.
func ddgsFailure(status int, _ string) wstk.Code {
	switch status {
	case http.StatusAccepted, http.StatusForbidden, http.StatusTeapot:
		return wstk.Blocked
	}
	return ""
}

// ddgsItem is a result as the page shows it. Title and Snippet are HTML.
type ddgsItem struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Snippet string `json:"snippet"`
	Date    string `json:"date,omitempty"`
}

type ddgsPage struct {
	items     []json.RawMessage
	known     bool // there are results, or the page says that there are none
	challenge bool
}

// readDDG reads a page in either layout. Both show a link, and behind it, before the next
// one, a snippet and perhaps a date.
func readDDG(body []byte) (page ddgsPage) {
	doc, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return page
	}
	var found []ddgsItem
	var walk func(n *html.Node, ad bool)
	walk = func(n *html.Node, ad bool) {
		classes := strings.Fields(attr(n, "class"))
		is := func(names ...string) bool {
			return slices.ContainsFunc(names, func(name string) bool {
				return slices.Contains(classes, name)
			})
		}
		last := len(found) - 1
		switch {
		case is("anomaly-modal", "anomaly-modal__mask", "anomaly-modal__title"),
			attr(n, "id") == "challenge-form":
			page.challenge = true
		case is("no-results"):
			page.known = true
		case is("result--ad", "result-sponsored"):
			ad = true
		case n.DataAtom == atom.A && is("result__a", "result-link"):
			page.known = true
			item := ddgsItem{Title: inner(n)}
			if item.URL = unwrap(attr(n, "href")); ad {
				item.URL = ""
			}
			found = append(found, item)
			return
		case is("result__snippet", "result-snippet") && last >= 0:
			found[last].Snippet = inner(n)
			return
		case (is("timestamp") || n.DataAtom == atom.Span && n.Parent != nil &&
			attr(n.Parent, "class") == "result__extras__url") && last >= 0:
			if s := webapi.Plain(inner(n)); s != "" {
				found[last].Date = s
			}
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child, ad)
		}
	}
	walk(doc, false)
	for _, item := range found {
		if item.URL != "" { // not an advertisement
			raw, _ := json.Marshal(item) // strings always encode
			page.items = append(page.items, raw)
		}
	}
	return page
}

// unwrap takes a link out of the redirect it is wrapped in; "" is an advertisement.
func unwrap(href string) string {
	if strings.HasPrefix(href, "//") {
		href = "https:" + href
	}
	u, err := url.Parse(href)
	if err != nil || u.Hostname() != "duckduckgo.com" &&
		!strings.HasSuffix(u.Hostname(), ".duckduckgo.com") {
		return href
	}
	switch u.Path {
	case "/l/":
		return u.Query().Get("uddg")
	case "/y.js":
		return ""
	}
	return href
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// inner is the HTML within an element.
func inner(n *html.Node) string {
	var b strings.Builder
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		html.Render(&b, child) // a Builder takes everything
	}
	return b.String()
}
