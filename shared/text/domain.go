package text

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
)

// Domain reads an entry of a list of domains: a name such as example.com, also with a dot
// or *. in front, or an address, of which the host counts. It is returned as canonical
// addresses have it: lower case, international names in their ASCII form, a dot in front
// kept. What names no host is an error.
func Domain(entry string) (string, error) {
	s := strings.ToLower(strings.TrimSpace(entry))
	s = strings.TrimPrefix(s, "*")
	name := strings.TrimPrefix(s, ".")
	dot := s[:len(s)-len(name)]
	if strings.ContainsAny(s, " \t@,*") {
		return "", errors.New("this is not the name of a site")
	}
	if !strings.Contains(name, "://") {
		name = "https://" + name
	}
	host := HostOf(name)
	if host == "" {
		return "", errors.New("this is not the name of a site")
	}
	return dot + host, nil
}

// HostOf is the host of an address, as canonical addresses have it, without its port; ""
// when the address cannot be read.
func HostOf(raw string) string {
	canonical, err := Canonical(raw)
	if err != nil {
		return ""
	}
	_, rest, ok := strings.Cut(HostKey(canonical), "://")
	if !ok {
		return ""
	}
	return rest[:strings.LastIndexByte(rest, ':')]
}

// Under returns the entry of domains, each as Domain gives it, that is host or a domain
// above it; "" when none is.
func Under(host string, domains []string) string {
	for _, entry := range domains {
		domain := strings.TrimPrefix(entry, ".")
		if domain != "" && (host == domain || strings.HasSuffix(host, "."+domain)) {
			return entry
		}
	}
	return ""
}

// WithScheme puts the likely scheme before an address that was written without one: http for a
// server of this machine or of the local network, else https.
func WithScheme(address string) string {
	address = strings.TrimPrefix(address, "//")
	if plain := "http://" + address; SelfHosted(plain) {
		return plain
	}
	return "https://" + address
}

// SelfHosted reports whether a URL names this machine or one of the local network, as far
// as the name says.
func SelfHosted(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate()
	}
	if host != "" && !strings.Contains(host, ".") { // localhost, or a name of the local network
		return true
	}
	for _, local := range []string{".localhost", ".local", ".lan", ".internal", ".home.arpa"} {
		if strings.HasSuffix(host, local) {
			return true
		}
	}
	return false
}
