package access_test

import (
	"fmt"
	"strings"
	"testing"

	"wstk/shared/adapter/access"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// value is what a variable holds.
type value string

func (v value) Reveal() string { return string(v) }

// secret is made up.
const secret = "made-up" + "-session-" + "0001"

func cookie(v string) []access.Header {
	return []access.Header{{Name: "cookie", Variable: "WIKI_COOKIE", Value: value(v)}}
}

var (
	team = access.Rule{Name: "team", Kind: wstk.AccessHeaders,
		Pages: "https://wiki.example.org/team/", Headers: cookie("sid=" + secret)}
	empty = access.Rule{Name: "empty", Kind: wstk.AccessHeaders,
		Pages: "https://wiki.example.org/team/empty", Headers: cookie("")}
	media = access.Rule{Name: "media", Kind: wstk.AccessAPI, API: "mediawiki",
		Pages: "https://media.example.org/wiki/"}
	docs = access.Rule{Name: "docs", Kind: wstk.AccessAPI, Pages: "http://docs.example.org/d",
		Address: "https://api.example.org/v1/{path}?raw=1", Accept: "text/markdown",
		ReadAs: "text/markdown", Headers: cookie("sid=" + secret)}
)

func open(t *testing.T, rules ...access.Rule) access.Order {
	t.Helper()
	o, err := access.Open(rules)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// D12: each permission router keeps the promises of the port.
func TestRouters(t *testing.T) {
	others := []string{"https://wiki.example.org/", "https://wiki.example.org/team",
		"https://wiki.example.org:8443/team/a", "http://wiki.example.org/team/a",
		"https://wiki.example.org.evil.example/team/a", "https://evil.example/team/a",
		"https://media.example.org/wiki/", "https://media.example.org/wiki/Earth?action=edit",
		"https://media.example.org/w/index.php", "http://docs.example.org/dx",
		"https://docs.example.org/d/a", "http://docs.example.org/d"}
	secrets := []string{secret}
	mine := []string{"https://wiki.example.org/team/a", "https://wiki.example.org/team/?q=1"}
	t.Run("public", func(t *testing.T) {
		wstktest.Access(t, access.Public{}, wstktest.AccessOptions{Mine: append(mine, others...)})
	})
	for _, c := range []struct {
		rule access.Rule
		o    wstktest.AccessOptions
	}{
		{team, wstktest.AccessOptions{Mine: mine, Others: others, Secrets: secrets}},
		{empty, wstktest.AccessOptions{Lacking: []string{empty.Pages, empty.Pages + "/a"},
			Others: append(mine, others...)}},
		{media, wstktest.AccessOptions{Mine: []string{"https://media.example.org/wiki/Earth",
			"https://media.example.org/wiki/Help:Contents/de"}, Others: others}},
		{docs, wstktest.AccessOptions{Mine: []string{"http://docs.example.org/d/a/b"},
			Others: others, Secrets: secrets}},
	} {
		t.Run(c.rule.Name, func(t *testing.T) { wstktest.Access(t, open(t, c.rule)[0], c.o) })
	}
	t.Run("order", func(t *testing.T) {
		wstktest.Access(t, open(t, team, empty, media, docs), wstktest.AccessOptions{
			Mine: append(mine, others...), Lacking: []string{empty.Pages}, Secrets: secrets})
		wstktest.Access(t, access.Order{}, wstktest.AccessOptions{Others: mine})
	})
}

// Where a page of a rule is asked for.
func TestWhereAnAPIGivesAPage(t *testing.T) {
	router := open(t, media, docs, access.Rule{Name: "wikimedia", Kind: wstk.AccessAPI,
		API: "wikimedia", Pages: "https://en.example.org/wiki/"})
	for page, want := range map[string]string{
		"https://media.example.org/wiki/Earth": "https://media.example.org/w/rest.php/v1/page/Earth/html",
		// a title with a slash is one segment
		"https://media.example.org/wiki/Help:Contents/de": "https://media.example.org/w/rest.php/v1/page/Help:Contents%2Fde/html",
		"https://media.example.org/wiki/..%2F..%2Fadmin":  "https://media.example.org/w/rest.php/v1/page/..%2F..%2Fadmin/html",
		"https://media.example.org/wiki/Z%C3%BCrich":      "https://media.example.org/w/rest.php/v1/page/Z%C3%BCrich/html",
		"https://en.example.org/wiki/Earth":               "https://en.example.org/api/rest_v1/page/html/Earth",
		"http://docs.example.org/d/a/b":                   "https://api.example.org/v1/a/b?raw=1",
	} {
		way, err := router.Way(page)
		if err != nil || way.URL != want || way.Page != page {
			t.Errorf("%s is asked for at %s (%v), want %s", page, way.URL, err, want)
		}
	}
	// a name that leads out of the place of the API is no page of it
	way, err := router.Way("http://docs.example.org/d/x/../../../../../private")
	if err == nil && way.Kind == wstk.AccessAPI {
		t.Errorf("the API is asked for %s", way.URL)
	}
}

// D12: a rule that cannot be used, or that could match other hosts, is refused in one sentence
// with a next step, before anything is fetched.
func TestRulesThatCannotBeUsed(t *testing.T) {
	change := func(r access.Rule, f func(*access.Rule)) access.Rule { f(&r); return r }
	bad := map[string]access.Rule{
		"kind": change(team, func(r *access.Rule) { r.Kind = "oauth" }),
		"none": change(team, func(r *access.Rule) { r.Headers = nil }),
		"plain http": change(team, func(r *access.Rule) {
			r.Pages = "http://wiki.example.org/"
		}),
		"forbidden header": change(team, func(r *access.Rule) {
			r.Headers = []access.Header{{Name: "Host", Variable: "X", Value: value("evil")}}
		}),
		"api of headers": change(team, func(r *access.Rule) { r.API = "mediawiki" }),
		"unknown api":    change(media, func(r *access.Rule) { r.API = "wikis" }),
		"no address":     change(media, func(r *access.Rule) { r.API = "" }),
		"both":           change(media, func(r *access.Rule) { r.Address = "https://a.example/{page}" }),
		"credential over http": change(docs, func(r *access.Rule) {
			r.Address = "http://api.example.org/{page}"
		}),
	}
	for _, pages := range []string{"", "*", "**", "https://*/", "https://*.example.org/",
		"wiki.example.org", "https://", "file:///etc/", "https://a.example/*",
		"https://u:" + secret + "@a.example/", "https://a.example/?q=1",
		"https://a.example/#x", "https://a.example/{any}"} {
		bad["pages "+pages] = change(team, func(r *access.Rule) { r.Pages = pages })
		bad["pages of an API "+pages] = change(media, func(r *access.Rule) { r.Pages = pages })
	}
	for _, address := range []string{"https://{page}.example.org/", "https://a.example/x",
		"https://a.example/{page}/{path}", "https://a.example/{page}/{page}", "ftp://a.example/{page}",
		"https://a.example/?page={page}", "https://{page}", "https://a.example/x{page}",
		"https://a.example/{title}/{page}"} {
		bad["address "+address] = change(docs, func(r *access.Rule) { r.Address = address })
	}
	for name, r := range bad {
		_, err := access.Open([]access.Rule{r})
		if wstk.CodeOf(err) != wstk.Invalid || !strings.Contains(fmt.Sprint(err), "rule "+r.Name) ||
			len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(fmt.Sprint(err), secret) {
			t.Errorf("%s shows a secret: %v", name, err)
		}
	}
}
