package safehttp

import (
	"fmt"
	"net/netip"
	"strings"
)

// reach says who may dial an address.
type reach int

const (
	public  reach = iota // open to all
	private              // opened by Config.AllowPrivate, or for one endpoint by Config.Exceptions
	// never open: cloud metadata, link-local, reserved and documentation ranges
	closed
)

type special struct {
	prefix netip.Prefix
	reach  reach
	name   string // completes "10.0.0.1 is …"
}

// specials are the ranges that are not plain public addresses, most specific
// first: the cloud metadata services and the IANA special-purpose registries for
// IPv4 and IPv6 (RFC 6890, with RFC 8190, 9637 and 9665). What the registries call
// globally reachable but holds no web site (AS112, AMT, anycast) is closed too.
var specials = []special{
	// Metadata services. They hand out credentials to any client, so they stay
	// closed when private ranges are open. 169.254.169.254 (most clouds),
	// 169.254.170.2 and .23 (containers), 169.254.0.23 and fe80::a9fe:a9fe are
	// covered by link-local.
	{netip.MustParsePrefix("168.63.129.16/32"), closed, "a cloud metadata address"},
	{netip.MustParsePrefix("100.100.100.200/32"), closed, "a cloud metadata address"},
	{netip.MustParsePrefix("192.0.0.192/32"), closed, "a cloud metadata address"},
	{netip.MustParsePrefix("169.254.169.254/32"), closed, "a cloud metadata address"},
	{netip.MustParsePrefix("fd00:ec2::/32"), closed, "a cloud metadata address"},
	{netip.MustParsePrefix("fd20:ce::/32"), closed, "a cloud metadata address"},
	{netip.MustParsePrefix("fd00:42::42/128"), closed, "a cloud metadata address"},
	{netip.MustParsePrefix("fd00:c1::a9fe:a9fe/128"), closed, "a cloud metadata address"},

	{netip.MustParsePrefix("127.0.0.0/8"), private, "a loopback address"},
	{netip.MustParsePrefix("10.0.0.0/8"), private, "a private address"},
	{netip.MustParsePrefix("172.16.0.0/12"), private, "a private address"},
	{netip.MustParsePrefix("192.168.0.0/16"), private, "a private address"},
	{netip.MustParsePrefix("100.64.0.0/10"), private, "a shared (carrier) address"},
	{netip.MustParsePrefix("::1/128"), private, "a loopback address"},
	{netip.MustParsePrefix("fc00::/7"), private, "a private address"},

	{netip.MustParsePrefix("0.0.0.0/8"), closed, "an address of this network"},
	{netip.MustParsePrefix("169.254.0.0/16"), closed, "a link-local address"},
	{netip.MustParsePrefix("192.0.0.0/24"), closed, "a protocol assignment"},
	{netip.MustParsePrefix("192.0.2.0/24"), closed, "a documentation address"},
	{netip.MustParsePrefix("192.31.196.0/24"), closed, "an AS112 address"},
	{netip.MustParsePrefix("192.52.193.0/24"), closed, "a multicast tunnelling address"},
	{netip.MustParsePrefix("192.88.99.0/24"), closed, "a 6to4 relay address"},
	{netip.MustParsePrefix("192.175.48.0/24"), closed, "an AS112 address"},
	{netip.MustParsePrefix("198.18.0.0/15"), closed, "a benchmarking address"},
	{netip.MustParsePrefix("198.51.100.0/24"), closed, "a documentation address"},
	{netip.MustParsePrefix("203.0.113.0/24"), closed, "a documentation address"},
	{netip.MustParsePrefix("224.0.0.0/4"), closed, "a multicast address"},
	{netip.MustParsePrefix("240.0.0.0/4"), closed, "a reserved address"},

	{netip.MustParsePrefix("fe80::/10"), closed, "a link-local address"},
	{netip.MustParsePrefix("ff00::/8"), closed, "a multicast address"},
	{netip.MustParsePrefix("2001::/32"), closed, "a Teredo address"},
	{netip.MustParsePrefix("2001::/23"), closed, "a protocol assignment"},
	{netip.MustParsePrefix("2001:db8::/32"), closed, "a documentation address"},
	{netip.MustParsePrefix("2002::/16"), closed, "a 6to4 address"},
	{netip.MustParsePrefix("2620:4f:8000::/48"), closed, "an AS112 address"},
	{netip.MustParsePrefix("3fff::/20"), closed, "a documentation address"},
}

var (
	globalUnicast = netip.MustParsePrefix("2000::/3")
	nat64         = netip.MustParsePrefix("64:ff9b::/96")
)

// classify says who may dial a, and what kind of address it is. IPv6 is public
// only inside 2000::/3 minus the specials. An address that carries an IPv4 address
// which is really reached through it (v4-mapped, NAT64) is judged by that one.
func classify(a netip.Addr) (reach, string) {
	if !a.IsValid() {
		return closed, "no address"
	}
	if a.Zone() != "" {
		return closed, "an address of one network interface"
	}
	a = a.Unmap()
	if nat64.Contains(a) {
		b := a.As16()
		r, name := classify(netip.AddrFrom4([4]byte(b[12:])))
		if r != public {
			name += " behind NAT64"
		}
		return r, name
	}
	for _, s := range specials {
		if s.prefix.Contains(a) {
			return s.reach, s.name
		}
	}
	if a.Is6() && !globalUnicast.Contains(a) {
		return closed, "not a public address"
	}
	return public, ""
}

// admit returns nil when a may be dialled, and otherwise why not, as the end of a
// sentence.
func admit(a netip.Addr, privateToo bool) error {
	r, name := classify(a)
	switch {
	case r == public, r == private && privateToo:
		return nil
	}
	return &closedAddress{addr: a, name: name, openable: r == private}
}

// runtimePort is where Lambda's runtime API listens on loopback, beside the function. It
// hands out events with what is in them, and takes answers in the function's name, from
// anybody who asks. It is closed if Config.Function is set. Its other places, and those of
// the X-Ray daemon and of credentials, are link-local and closed as such, or named in
// Config.Runtime.
const runtimePort = 9001

// admitEndpoint is admit for an address and a port: what belongs to the function's own
// runtime is always closed, even if private addresses are open or it is an exception.
func (c *Client) admitEndpoint(a netip.AddrPort, privateToo bool) error {
	a = netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
	if c.runtime[a] || c.function && a.Addr().IsLoopback() && a.Port() == runtimePort {
		return &closedAddress{addr: a.Addr(), port: a.Port(),
			name: "an endpoint of the function's own runtime"}
	}
	return admit(a.Addr(), privateToo)
}

// closedAddress is why an address may not be dialled.
type closedAddress struct {
	addr     netip.Addr
	port     uint16 // 0 when all of them are closed
	name     string
	openable bool // by AllowPrivate
}

func (e *closedAddress) Error() string {
	if e.port != 0 {
		return fmt.Sprintf("%s is %s", netip.AddrPortFrom(e.addr, e.port), e.name)
	}
	return fmt.Sprintf("%s is %s", e.addr, e.name)
}

// Closed reports whether a host, as canonical addresses have it, is by its name alone one
// that Client would not ask: an address that is not public, or a name that only networks
// of one's own know. private opens what Config.AllowPrivate opens. A name that resolves to
// such an address is found out when it is dialled.
func Closed(host string, private bool) bool {
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return admit(a, private) != nil
	}
	if private {
		return false
	}
	for _, name := range ownNames {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}

// Openable reports whether AllowPrivate, and nothing less, opens a host, as far as its name
// says: a loopback or private address, or a name that only networks of one's own know.
func Openable(host string) bool { return Closed(host, false) && !Closed(host, true) }

// ownNames are the names of a machine or a network of one's own (RFC 6761, 6762, 8375, and
// what clouds use).
var ownNames = []string{"localhost", "local", "internal", "home.arpa"}
