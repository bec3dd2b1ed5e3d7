package wstk

import (
	"net"
	"net/url"
	"strings"
	"time"
)

// SiteRule is one entry of Filter.IncludeSites or ExcludeSites, read once so
// that every index reads it alike. Empty fields match everything.
type SiteRule struct {
	Site   SiteID // this site, and nothing else is looked at
	Scheme string // http or https, lower case
	Host   string // lower case, without port
	Exact  bool   // only Host itself; else its subdomains too
	Port   string // decimal; a URL without a port has its scheme's
	Path   string // a prefix that ends at a segment: "/docs" is not a prefix of "/docs2"
}

// ParseSiteRule reads a site id ("site_…"), a URL prefix
// ("https://example.com/docs") or a host ("example.com", "example.com:8080",
// "example.com/docs"). A host stands for its subdomains too, a URL prefix does
// not. What cannot be read gives a rule that matches no page.
func ParseSiteRule(s string) SiteRule {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "site_") {
		return SiteRule{Site: SiteID(s)}
	}
	raw, bare := s, !strings.Contains(s, "://")
	if bare {
		raw = "//" + s
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" {
		return SiteRule{Site: "none"}
	}
	r := SiteRule{Scheme: strings.ToLower(u.Scheme),
		Host:  strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")),
		Exact: !bare || isAddress(u.Hostname()), Port: u.Port(), Path: u.EscapedPath()}
	if r.Port == "" && !bare {
		r.Port = defaultPort(r.Scheme)
	}
	if u.RawQuery != "" {
		r.Path += "?" + u.RawQuery
	}
	if r.Path == "/" {
		r.Path = ""
	}
	return r
}

// Match reports whether a page with this site and canonical URL is meant.
func (r SiteRule) Match(site SiteID, pageURL string) bool {
	if r.Site != "" {
		return r.Site == site
	}
	u, err := url.Parse(pageURL)
	if err != nil {
		return false
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if port == "" {
		port = defaultPort(u.Scheme)
	}
	switch {
	case r.Scheme != "" && r.Scheme != u.Scheme, r.Port != "" && r.Port != port:
		return false
	case host != r.Host && (r.Exact || !strings.HasSuffix(host, "."+r.Host)):
		return false
	}
	path := u.EscapedPath()
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	rest, ok := strings.CutPrefix(path, r.Path)
	return ok && (rest == "" || r.Path == "" || strings.HasSuffix(r.Path, "/") ||
		strings.ContainsAny(rest[:1], "/?"))
}

// isAddress distinguishes IP addresses, and any part of one, from names: an address has
// no subdomains.
func isAddress(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return net.ParseIP(host) != nil || strings.Trim(last, "0123456789") == ""
}

func defaultPort(scheme string) string {
	switch scheme {
	case "http":
		return "80"
	case "https":
		return "443"
	}
	return ""
}

// Match reports whether a page passes the filter: fetched at or after MinDate, of
// an included site (any, when none is named) and of no excluded one.
func (f Filter) Match(site SiteID, pageURL string, fetchedAt time.Time) bool {
	if !f.MinDate.IsZero() && fetchedAt.Before(f.MinDate) {
		return false
	}
	for _, s := range f.ExcludeSites {
		if ParseSiteRule(s).Match(site, pageURL) {
			return false
		}
	}
	for _, s := range f.IncludeSites {
		if ParseSiteRule(s).Match(site, pageURL) {
			return true
		}
	}
	return len(f.IncludeSites) == 0
}
