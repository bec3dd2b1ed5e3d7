// Package provider asks search engines and search services for pages: one file per
// vendor, each a wstk.SearchProvider.
//
// To add one, copy brave.go, the shortest with a key. An adapter says three things: how a
// query reads in the vendor's words (Compile), what the request looks like (Search), and
// which fields of the reply make a row. The rest is the same for all: ask (ask.go) sends
// the request and turns failures into codes, reply (result.go) makes rows into results.
// Then record replies in testdata/providers, run wstktest.SearchProvider over them, and
// name the adapter in shared/app/stages.
package provider

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// Options are what every adapter needs.
type Options struct {
	// Transport is the way out. It follows no redirects.
	Transport http.RoundTripper

	// BaseURL stands in front of the vendor's paths, without a slash at its end; ""
	// means the vendor's own address, where there is one.
	BaseURL string

	// Key reveals the vendor's key; nil, or a key that is "", means that there is none.
	// It is a function so that no way of printing Options shows the key.
	Key func() string

	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

func (o Options) key() string {
	if o.Key == nil {
		return ""
	}
	return o.Key()
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// base is the address in front of the vendor's paths.
func (o Options) base(vendor string) string {
	if o.BaseURL != "" {
		return strings.TrimRight(o.BaseURL, "/")
	}
	return vendor
}

// selfHosted tells whether an address names this machine or its network.
func selfHosted(base string) bool {
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

// keyed completes what is known of a provider that needs a key.
func (o Options) keyed(info wstk.ProviderInfo) wstk.ProviderInfo {
	info.Type, info.Remote, info.Metered = "search", true, true
	if o.key() != "" {
		info.Enabled, info.Auto = true, true
		return info
	}
	name, _, _ := strings.Cut(info.EnvVars[0], "|")
	info.Reason, info.Next = "no key is set", []string{"set " + name}
	return info
}

// ready is the error for asking a provider that is not enabled.
func (o Options) ready(info wstk.ProviderInfo) error {
	if info.Enabled {
		return nil
	}
	return o.fail(info.ID, wstk.Unauthorized, info.Reason).WithNext(info.Next...)
}
