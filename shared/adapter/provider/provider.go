// Package provider asks search engines and search services for pages: one file per
// vendor, each a wstk.SearchProvider.
//
// To add one, copy brave.go, the shortest with a key. An adapter says three things: how a
// query reads in the vendor's words (Compile), what the request looks like (Search), and
// which fields of the reply make a row. The rest is the same for all: webapi.Client
// sends the request and turns failures into codes, reply (result.go) makes rows into results.
// Then record replies in testdata/providers, run wstktest.SearchProvider over them, and
// name the adapter in shared/app/stages.
package provider

import (
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// Options are what every adapter needs.
type Options struct{ webapi.Client }

// keyed completes what is known of a provider that needs a key.
func (o Options) keyed(info wstk.ProviderInfo) wstk.ProviderInfo {
	info.Type, info.Remote, info.Metered = "search", true, true
	if o.Secret() != "" {
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
	return o.Fail(info.ID, wstk.Unauthorized, info.Reason).WithNext(info.Next...)
}
