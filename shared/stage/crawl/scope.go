package crawl

import (
	"fmt"
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Scope decides which URLs belong to a site. A Scope is not changed once made.
//
// A site is the folder of its root's path (/docs/ for /docs/index.html) on the
// root's scheme, host and port; http and https of one host on their default ports
// are one site. Where the root redirects, the folder it leads to belongs to the
// site as well, provided that the host is the same up to "www." or lies in the same
// registrable domain; a root that leads to another domain is another site, which
// the user has to name. When a redirect only adds the slash to the root (/docs to
// /docs/), the folder of the root is /docs/.
//
// Include and exclude are globs over the path: * is any run of characters but
// the slash, ** any run at all. A glob that begins with a slash is about the whole
// path, any other fits at any depth ("*.html"); one with ? is about path and query;
// one that ends in a slash, or has no star, also covers all below it. With includes
// a path must fit one of them, and those that begin with a slash may lie outside
// the root's folder. Exclude wins. The root is always in scope, since without it
// nothing is found.
type Scope struct {
	root    address
	homes   []address // root and the places its redirects lead to
	chain   map[string]bool
	include []glob
	exclude []glob
}

// address is a canonical URL in parts.
type address struct {
	scheme, host, port string // port "" when it is the scheme's default
	path, query        string // path begins with a slash, query without its ?
}

// splitURL takes a canonical URL apart.
func splitURL(url string) (address, bool) {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || scheme != "http" && scheme != "https" {
		return address{}, false
	}
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	a := address{scheme: scheme, path: "/"}
	authority := rest
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, rest = rest[:i], rest[i:]
		path, query, _ := strings.Cut(rest, "?")
		if path != "" {
			a.path = path
		}
		a.query = query
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	a.host = authority
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.HasSuffix(authority, "]") {
		a.host, a.port = authority[:i], authority[i+1:]
	}
	if a.port == "80" && scheme == "http" || a.port == "443" && scheme == "https" {
		a.port = ""
	}
	return a, a.host != ""
}

// dir is the folder of the path, with its slash.
func (a address) dir() string { return a.path[:strings.LastIndexByte(a.path, '/')+1] }

// sameSite reports whether two addresses are on one server by the site rule: the same
// scheme, host and port, or both http and https on their default ports.
func (a address) sameSite(b address) bool {
	return a.host == b.host && a.port == b.port && (a.scheme == b.scheme || a.port == "")
}

// NewScope returns the scope of the site with this root.
func NewScope(root string, opts wstk.CrawlOptions) (*Scope, error) {
	a, ok := splitURL(root)
	if !ok {
		return nil, wstk.Errorf(wstk.Invalid, "reading scope",
			"root %q is not an http or https URL", text.Shorten(root, 200))
	}
	s := &Scope{root: a, homes: []address{a}, chain: map[string]bool{root: true}}
	for _, list := range []struct {
		patterns []string
		into     *[]glob
		base     string
	}{{opts.Include, &s.include, a.dir()}, {opts.Exclude, &s.exclude, "/"}} {
		for _, p := range list.patterns {
			if p = strings.TrimSpace(p); p != "" {
				*list.into = append(*list.into, newGlob(p, list.base))
			}
		}
	}
	return s, nil
}

// withRedirect returns a scope in which target, where the root's redirects lead,
// is at home too; the same scope when it is another site's.
func (s *Scope) withRedirect(target string) *Scope {
	a, ok := splitURL(target)
	if !ok || !related(s.root, a) {
		return s
	}
	n := *s
	n.chain = map[string]bool{target: true}
	for u := range s.chain {
		n.chain[u] = true
	}
	n.homes = append([]address{a}, s.homes...)
	if bareHost(s.root.host) == bareHost(a.host) && a.path == s.root.path+"/" {
		n.homes = nil
		for _, h := range append([]address{a}, s.homes...) {
			if h.path != s.root.path {
				n.homes = append(n.homes, h)
			}
		}
	}
	return &n
}

// related reports whether a site may move from one address to the other by a redirect
// of its root.
func related(from, to address) bool {
	if from.sameSite(to) {
		return true
	}
	if from.port != to.port {
		return false
	}
	if bareHost(from.host) == bareHost(to.host) {
		return true
	}
	f, t := registrable(from.host), registrable(to.host)
	return f != "" && f == t
}

// bareHost is a host name without its "www.".
func bareHost(host string) string { return strings.TrimPrefix(host, "www.") }

// registrable returns the registrable domain of a host name, "" for addresses and
// names without one.
func registrable(host string) string {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return ""
	}
	d, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return d
}

// Decide reports whether url belongs to the site. If not, reason is one clause that
// says why.
func (s *Scope) Decide(url string) (in bool, reason string) {
	if s.chain[url] {
		return true, ""
	}
	a, ok := splitURL(url)
	if !ok {
		return false, "not an http or https URL"
	}
	home, folder := s.home(a)
	if !home {
		return false, "other host " +
			text.Shorten(strings.TrimPrefix(text.HostKey(url), a.scheme+"://"), 100)
	}
	for _, g := range s.exclude {
		if g.match(a) {
			return false, "excluded by " + text.Shorten(g.pattern, 100)
		}
	}
	if len(s.include) == 0 && !folder {
		return false, "outside " + text.Shorten(s.homes[0].dir(), 100)
	}
	if len(s.include) > 0 && !s.included(a, folder) {
		return false, "fits none of the includes"
	}
	if ext := mediaExtension(a.path); ext != "" {
		return false, fmt.Sprintf("not a page (.%s)", ext)
	}
	return true, ""
}

// home reports whether an address is on a server of the site, and whether it is in a folder
// of the site there.
func (s *Scope) home(a address) (home, folder bool) {
	for _, h := range s.homes {
		if h.sameSite(a) {
			home = true
			folder = folder || strings.HasPrefix(a.path, h.dir())
		}
	}
	return home, folder
}

// included reports whether an address fits an include. One that does not begin with a slash
// is about the folders of the site.
func (s *Scope) included(a address, folder bool) bool {
	for _, g := range s.include {
		if g.match(a) && (g.whole || folder) {
			return true
		}
	}
	return false
}
