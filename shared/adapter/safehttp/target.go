package safehttp

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// target is a URL taken apart without changing a byte of what is asked for.
// net/url is not used for that: it refuses paths such as /100% that browsers and
// sites are fine with, and it would re-encode others.
type target struct {
	scheme string
	host   string     // lower case, without brackets
	addr   netip.Addr // when host is an address
	port   uint16
	path   string // request target: path and query, begins with "/"
}

// maxURL bounds a URL in bytes, far above what sites use.
const maxURL = 64 << 10

// parseTarget takes a canonical http or https URL apart. Its errors never repeat
// any part of the URL that may hold a secret.
func parseTarget(raw string) (target, error) {
	var t target
	if len(raw) > maxURL {
		return t, errors.New("the URL is longer than 64 KiB")
	}
	for i := range len(raw) {
		if raw[i] <= ' ' || raw[i] >= 0x7f {
			return t, errors.New("the URL is not in canonical form")
		}
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	t.scheme = strings.ToLower(scheme)
	if !ok || t.scheme != "http" && t.scheme != "https" {
		return t, errors.New("only http and https URLs are fetched")
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, t.path = rest[:i], rest[i:]
	}
	t.path, _, _ = strings.Cut(t.path, "#")
	if !strings.HasPrefix(t.path, "/") {
		t.path = "/" + t.path
	}
	// A user name is where parsers disagree about what the host is, and a secret.
	if strings.Contains(authority, "@") {
		return t, errors.New("the URL carries a user name or password")
	}
	return t, t.parseAuthority(authority)
}

func (t *target) parseAuthority(s string) error {
	host, port := s, ""
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return errors.New("the URL's host is malformed")
		}
		addr, err := netip.ParseAddr(s[1:end])
		if err != nil || !addr.Is6() || addr.Zone() != "" {
			return errors.New("the URL's host is malformed")
		}
		host, t.addr = s[1:end], addr
		if port = s[end+1:]; port != "" && port[0] != ':' {
			return errors.New("the URL's host is malformed")
		}
		port = strings.TrimPrefix(port, ":")
	} else {
		host, port, _ = strings.Cut(s, ":")
		host = strings.ToLower(host)
		if err := t.checkName(host); err != nil {
			return err
		}
	}
	t.host = strings.ToLower(host)
	t.port = map[string]uint16{"http": 80, "https": 443}[t.scheme]
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return errors.New("the URL's port is malformed")
		}
		t.port = uint16(n)
	}
	return nil
}

// checkName accepts a dotted-quad address and a host name. Other spellings of
// addresses (0x7f.1, 2130706433, 0177.0.0.1) are refused: the canonical form of a
// URL does not have them, and resolvers disagree about what they mean.
func (t *target) checkName(host string) error {
	if host == "" {
		return errors.New("the URL has no host")
	}
	if len(host) > 253 {
		return errors.New("the URL's host is too long")
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		t.addr = addr
		return nil
	}
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return errors.New("the URL's host is malformed")
		}
	}
	labels := strings.Split(host, ".")
	if slices.Contains(labels, "") {
		return errors.New("the URL's host is not in canonical form")
	}
	if last := labels[len(labels)-1]; isNumber(last) {
		return errOddAddress
	}
	return nil
}

var errOddAddress = errors.New("the URL's host is an IP address in an unusual notation")

// isNumber reports whether a last label makes a host an address by the WHATWG URL
// standard ("ends in a number").
func isNumber(label string) bool {
	digits := strings.Trim(label, "0123456789") == ""
	hex := strings.HasPrefix(label, "0x") && strings.Trim(label[2:], "0123456789abcdef") == ""
	return digits || hex
}

// hostPort is the host and the explicit port, as dialled and as named in
// Config.Exceptions.
func (t target) hostPort() string {
	return net.JoinHostPort(t.host, strconv.Itoa(int(t.port)))
}

// url is the target as net/http writes it without changing its path.
func (t target) url() *url.URL {
	u := &url.URL{Scheme: t.scheme, Host: t.hostPort(), Opaque: t.path}
	if strings.HasPrefix(t.path, "//") {
		// An opaque part that begins with // would be read as a host; the absolute
		// form says the same and every server must accept it.
		u.Opaque = "//" + t.hostHeader() + t.path
	}
	return u
}

// hostHeader is the host with brackets and without a default port.
func (t target) hostHeader() string {
	h := t.host
	if strings.Contains(h, ":") {
		h = "[" + h + "]"
	}
	if t.scheme == "http" && t.port == 80 || t.scheme == "https" && t.port == 443 {
		return h
	}
	return h + ":" + strconv.Itoa(int(t.port))
}

// origin is what errors name: it holds no path and no query, where secrets live.
func (t target) origin() string { return t.scheme + "://" + t.hostHeader() }

// badPorts are the ports of other protocols that a request could be made to
// speak to (WHATWG Fetch, "bad port").
var badPorts = []uint16{0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43,
	53, 69, 77, 79, 87,
	95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143,
	161, 179, 389, 427,
	465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
	989, 990, 993, 995,
	1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666,
	6667, 6668, 6669, 6679,
	6697, 10080}

func badPort(p uint16) bool {
	_, found := slices.BinarySearch(badPorts, p)
	return found
}
