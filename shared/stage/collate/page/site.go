package page

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"

	"wstk/shared/text"
)

// SiteOf names the site that is responsible for an address: its registrable domain, where a
// host under a private suffix (user.github.io) is a domain of its own. For an IP address or a
// name without a domain it is the host without the port. There is one name for all addresses
// of this machine, one for all local files, and one for the uploads of a bucket. It is "" for
// an address that cannot be read, which belongs to no site.
func SiteOf(url string) string {
	scheme, rest, _ := strings.Cut(url, ":")
	switch scheme = strings.ToLower(scheme); scheme {
	case "file", "stdin":
		return "local files"
	case "s3":
		bucket, _, _ := strings.Cut(strings.TrimLeft(rest, "/"), "/")
		return "s3 " + bucket
	}
	host := strings.TrimSuffix(text.HostOf(url), ".")
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		if addr = addr.Unmap(); addr.IsLoopback() || addr.IsUnspecified() {
			return "localhost"
		}
		return addr.String()
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return "localhost"
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}
