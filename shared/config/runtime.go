package config

import (
	"net/netip"
	"net/url"
	"strings"
)

// runtimeEndpoints are the addresses at which the runtime of a function serves the process
// itself: its events, its traces, its credentials. The environment names them where they do
// not lie in ranges that are closed anyway; what is no address and port is left out.
func runtimeEndpoints(getenv func(string) string) (out []netip.AddrPort) {
	add := func(s string) {
		if a, err := netip.ParseAddrPort(s); err == nil {
			out = append(out, a)
		}
	}
	add(getenv("AWS_LAMBDA_RUNTIME_API"))
	// host:port, or tcp:host:port udp:host:port
	for _, s := range strings.Fields(getenv("AWS_XRAY_DAEMON_ADDRESS")) {
		add(strings.TrimPrefix(strings.TrimPrefix(s, "tcp:"), "udp:"))
	}
	if u, err := url.Parse(getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI")); err == nil {
		switch {
		case u.Port() != "":
			add(u.Host)
		case u.Scheme == "http":
			add(u.Host + ":80")
		case u.Scheme == "https":
			add(u.Host + ":443")
		}
	}
	return out
}
