package safehttp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"wstk/shared/wstk"
)

// Resolver answers for names. *net.Resolver is one.
type Resolver interface {
	// LookupNetIP returns the addresses of host; network is "ip".
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// maxAddresses bounds how many addresses of one name are tried.
const maxAddresses = 6

// dialHost connects to hostPort as the transport names it, after resolving and
// checking it. Every new connection asks the resolver again; a connection that is
// kept alive is to an address that was checked when it was made.
func (c *Client) dialHost(ctx context.Context, _, hostPort string) (net.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.dialTimeout, errConnectTime)
	defer cancel()
	addrs, err := c.resolve(ctx, hostPort)
	if err != nil {
		return nil, err
	}
	return each(ctx, addrs, func(ctx context.Context, a netip.AddrPort) (net.Conn, error) {
		if c.proxy != nil {
			return c.dialThrough(ctx, a.String())
		}
		return c.connect(ctx, c.dialer(c.private(hostPort)), a.String())
	})
}

// private reports whether private addresses are open for this endpoint.
func (c *Client) private(hostPort string) bool { return c.allowPrivate || c.exceptions[hostPort] }

// resolve returns the addresses of hostPort that may be dialled. When there are
// some and none may, the error says why, with the code RefusedAddress.
func (c *Client) resolve(ctx context.Context, hostPort string) ([]netip.AddrPort, error) {
	addrs, err := c.lookup(ctx, hostPort)
	if err != nil {
		return nil, err
	}
	var open []netip.AddrPort
	var refusal error
	for _, a := range addrs {
		if why := c.admitEndpoint(a, c.private(hostPort)); why != nil {
			if refusal == nil {
				refusal = why
			}
			continue
		}
		if len(open) < maxAddresses {
			open = append(open, netip.AddrPortFrom(a.Addr().Unmap(), a.Port()))
		}
	}
	if len(open) == 0 {
		return nil, refusal
	}
	return open, nil
}

// lookup returns the addresses of hostPort, at least one, whether they may be dialled or not.
func (c *Client) lookup(ctx context.Context, hostPort string) ([]netip.AddrPort, error) {
	host, portText, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, errors.New("the host is malformed")
	}
	port, err := net.LookupPort("tcp", portText)
	if err != nil {
		return nil, errors.New("the port is malformed")
	}
	addrs := []netip.Addr{}
	if a, err := netip.ParseAddr(host); err == nil {
		addrs = append(addrs, a)
	} else if addrs, err = c.resolver.LookupNetIP(ctx, "ip", host); err != nil {
		return nil, lookupFailure(ctx, host, err)
	}
	if len(addrs) == 0 {
		return nil, fmt.Errorf("%w: the name %s has no address", errNetwork, host)
	}
	out := make([]netip.AddrPort, len(addrs))
	for i, a := range addrs {
		out[i] = netip.AddrPortFrom(a, uint16(port))
	}
	return out, nil
}

// MayReach returns an error if a page may not be fetched on our behalf by another: if one of the
// addresses of its host is closed to Do, since we cannot know which of them the other asks.
// outside means that the other is not in this network: to it, private addresses are always
// closed. Nothing is sent to the host. The codes are RefusedAddress, RefusedPolicy, Network,
// Timeout and Cancelled.
func (c *Client) MayReach(parent context.Context, url string, outside bool) error {
	const op = "checking the address"
	t, err := parseTarget(url)
	if errors.Is(err, errOddAddress) {
		return wstk.Errorf(wstk.RefusedAddress, op, "%w", err)
	}
	if err == nil {
		err = c.checkPort(t)
	}
	if err != nil {
		return wstk.Errorf(wstk.RefusedPolicy, op, "%w", err)
	}
	ctx, cancel := context.WithTimeoutCause(parent, c.dialTimeout, errConnectTime)
	defer cancel()
	addrs, err := c.lookup(ctx, t.hostPort())
	if err != nil {
		return c.failure(parent, ctx, op, 0, err)
	}
	private := c.private(t.hostPort())
	for _, a := range addrs {
		if err := c.admitEndpoint(a, private); err != nil {
			return c.failure(parent, ctx, op, 0, err)
		}
		if err := admit(a.Addr(), false); outside && err != nil {
			return wstk.Errorf(wstk.RefusedAddress, op,
				"%w, and the service is not in this network", err)
		}
	}
	return nil
}

func lookupFailure(ctx context.Context, host string, err error) error {
	var dns *net.DNSError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("%w: there is no host named %s", errNetwork, host)
	}
	return fmt.Errorf("%w: looking up %s failed", errNetwork, host)
}

// each tries addresses in turn until one connects. The time left is shared out, so
// that a dead address does not take all of it.
func each(
	ctx context.Context, addrs []netip.AddrPort,
	dial func(context.Context, netip.AddrPort) (net.Conn, error),
) (net.Conn, error) {
	var first error
	for i, a := range addrs {
		attempt, cancel := ctx, context.CancelFunc(func() {})
		if end, ok := ctx.Deadline(); ok && i < len(addrs)-1 {
			attempt, cancel = context.WithTimeout(ctx,
				max(time.Until(end)/time.Duration(len(addrs)-i), 2*time.Second))
		}
		conn, err := dial(attempt, a)
		cancel()
		if err == nil {
			return conn, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// dialer returns a dialer that checks the address that is really dialled. The
// names were checked before; this is the check that counts, and no path to a
// connection goes around it.
func (c *Client) dialer(privateToo bool) *net.Dialer {
	return &net.Dialer{
		KeepAlive: 30 * time.Second,
		Control: func(network, address string, _ syscall.RawConn) error {
			if !strings.HasPrefix(network, "tcp") {
				return &closedAddress{name: "not reached over TCP"}
			}
			a, err := netip.ParseAddrPort(address)
			if err != nil {
				return &closedAddress{name: "no address"}
			}
			return c.admitEndpoint(a, privateToo)
		},
	}
}

// connect is where bytes leave the process. Tests replace Client.connect.
func connect(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) {
	return d.DialContext(ctx, "tcp", address)
}

var _ Resolver = (*net.Resolver)(nil)

// refusedAddress is the error for a closed address.
func refusedAddress(op string, why *closedAddress) error {
	e := wstk.Errorf(wstk.RefusedAddress, op, "%w", why)
	if why.openable {
		e = e.Try(openStep)
	}
	return e
}

var openStep = wstk.Step{Do: wstk.DoAllowPrivate}

// StepsToOpen says what may open a host that was refused, as the refusal itself does: an
// address by its kind, and a name always, which may lead to an address of any kind.
func StepsToOpen(host string) []wstk.Step {
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		if r, _ := classify(a); r != private {
			return nil
		}
	}
	return []wstk.Step{openStep}
}
