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
	home, folder := false, false
	for _, h := range s.homes {
		if h.sameSite(a) {
			home = true
			folder = folder || strings.HasPrefix(a.path, h.dir())
		}
	}
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
	if len(s.include) > 0 {
		fits := false
		for _, g := range s.include {
			fits = fits || g.match(a) && (g.whole || folder)
		}
		if !fits {
			return false, "fits none of the includes"
		}
	}
	if ext := mediaExtension(a.path); ext != "" {
		return false, fmt.Sprintf("not a page (.%s)", ext)
	}
	return true, ""
}

// mediaExtensions are endings of files that hold no text to read. A link to one is
// out of scope; documents (.pdf, .docx), data (.json, .csv) and sources are not
// among them.
var mediaExtensions = func() map[string]bool {
	m := map[string]bool{}
	for _, ext := range strings.Fields(`
		png jpg jpeg jpe gif webp avif bmp ico cur svg svgz tif tiff heic heif jxl psd ai eps
		mp3 m4a aac ogg oga opus wav flac wma mid midi aiff
		mp4 m4v webm ogv mkv mov avi wmv flv mpg mpeg 3gp m3u8
		css js mjs wasm woff woff2 ttf otf eot swf
		zip gz tgz bz2 tbz tbz2 xz txz zst lz lzma 7z rar tar jar war cab iso img dmg pkg deb rpm apk ipa msi exe dll so
		bin pyc whl egg gem crx xpi sig sha256 md5 torrent`) {
		m[ext] = true
	}
	return m
}()

// mediaExtension returns the ending of a path that is no page, "" for any other. A
// segment with a colon is a name and not a file: /wiki/File:Tree.jpg is a page.
func mediaExtension(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || len(name)-i > 8 || strings.IndexByte(name, ':') >= 0 ||
		strings.Contains(name, "%3A") {
		return ""
	}
	if ext := strings.ToLower(name[i+1:]); mediaExtensions[ext] {
		return ext
	}
	return ""
}

// notPage reports whether bytes of this media type hold no page, by the same
// division as mediaExtensions.
func notPage(contentType string) bool {
	major, minor, _ := strings.Cut(contentType, "/")
	switch major {
	case "image", "audio", "video", "font":
		return true
	case "text":
		return minor == "css" || minor == "javascript"
	case "application":
		switch minor {
		case "javascript", "x-javascript", "ecmascript", "wasm", "octet-stream", "zip", "gzip",
			"x-gzip", "x-tar", "x-bzip2",
			"x-xz", "x-7z-compressed", "x-rar-compressed", "vnd.rar", "java-archive",
			"x-iso9660-image", "x-msdownload",
			"vnd.debian.binary-package", "x-debian-package", "x-rpm", "font-woff", "font-woff2",
			"x-font-ttf", "vnd.ms-fontobject",
			"x-shockwave-flash", "x-bittorrent", "pgp-signature":
			return true
		}
	}
	return false
}

// glob is a compiled include or exclude.
type glob struct {
	pattern string // as the user wrote it
	text    string
	query   bool // about path and query
	below   bool // also covers what lies below
	whole   bool // begins with a slash, so it is about the whole path
}

func newGlob(pattern, base string) glob {
	g := glob{pattern: pattern, text: pattern, query: strings.Contains(pattern, "?")}
	g.below = strings.HasSuffix(pattern, "/") || !strings.Contains(pattern, "*") && !g.query
	g.whole = strings.HasPrefix(pattern, "/")
	if !g.whole && !strings.HasPrefix(pattern, "**") {
		g.text = base + "**/" + pattern
	}
	g.text = strings.TrimSuffix(g.text, "/")
	return g
}

func (g *glob) match(a address) bool {
	path := a.path
	if g.query {
		if a.query == "" {
			return false
		}
		path += "?" + a.query
	}
	return globMatch(g.text, path, g.below)
}

// globMatch follows all places at once at which the pattern may stand, so its time
// is at most the product of both lengths. With below, a path also matches when the
// pattern covers it up to one of its slashes.
func globMatch(pattern, path string, below bool) bool {
	type step struct {
		c      byte
		star   bool // any run without a slash
		deep   bool // any run
		folder bool // "**/": nothing, or any run that ends in a slash
	}
	var steps []step
	for i := 0; i < len(pattern); i++ {
		switch {
		case strings.HasPrefix(pattern[i:], "**/") && (i == 0 || pattern[i-1] == '/'):
			steps = append(steps, step{folder: true})
			i += 2
		case strings.HasPrefix(pattern[i:], "**"):
			steps = append(steps, step{deep: true})
			i++
		case pattern[i] == '*':
			steps = append(steps, step{star: true})
		default:
			steps = append(steps, step{c: pattern[i]})
		}
	}
	at := make([]bool, len(steps)+1) // at[i]: the first i steps are done
	at[0] = true
	skip := func() {
		for i, s := range steps {
			if at[i] && (s.star || s.deep || s.folder) {
				at[i+1] = true
			}
		}
	}
	skip()
	next := make([]bool, len(steps)+1)
	// inFolder[i]: step i is a folder that has begun and waits for its slash.
	inFolder := make([]bool, len(steps))
	for k := 0; k < len(path); k++ {
		if below && at[len(steps)] && path[k] == '/' {
			return true
		}
		c := path[k]
		clear(next)
		for i, s := range steps {
			switch {
			case s.folder:
				if at[i] {
					inFolder[i] = true
				}
				if inFolder[i] && c == '/' {
					next[i+1] = true
				}
			case !at[i]:
			case s.deep, s.star && c != '/':
				next[i] = true
			case !s.star && s.c == c:
				next[i+1] = true
			}
		}
		copy(at, next)
		skip()
	}
	return at[len(steps)]
}
