// Package provider asks search engines and search services for pages: one file per
// vendor, each a wstk.SearchProvider.
//
// To add one, copy brave.go, the shortest with a key. An adapter says three things: how a
// query reads in the vendor's words (Compile), what the request looks like (Search), and
// which fields of the reply make a row. The rest is the same for all: webapi.Client
// sends the request and turns failures into codes, reply (result.go) makes rows into results.
// Then record replies in testdata/providers, and give the adapter a row in table.go: the
// tests, the settings and the documents find it there.
package provider

import (
	"context"
	"net/http"
	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// Options are what adapters need; each takes its part.
type Options struct {
	webapi.Client
	Engine    string // id of the search engine, where the vendor has several
	AllowAuto bool   // auto may choose the provider although it is not self-hosted
}

// keyed describes a provider that needs a key.
func (o Options) keyed(id string) wstk.ProviderInfo {
	info := described(id)
	info.Remote, info.Metered = true, true
	if o.Secret() != "" {
		info.Enabled, info.Auto = true, true
		return info
	}
	info.Reason, info.Steps = "no key is set", configure(setups[id].Key[0], "")
	return info
}

// ready is the error for asking a provider that is not enabled.
func (o Options) ready(info wstk.ProviderInfo) error {
	if info.Enabled {
		return nil
	}
	return o.Fail(info.ID, wstk.Unauthorized, info.Reason).Try(info.Steps...)
}

// configure is the step that gives a variable its value, and what that is.
func configure(variable, to string) []wstk.Step {
	return []wstk.Step{{Do: wstk.DoConfigure, Variable: variable, Say: to}}
}

// knock asks a vendor's host for a sign of life, without a key and without a search: any
// answer will do. Errors carry the codes Timeout, Network, Cancelled and RefusedAddress.
func (o Options) knock(ctx context.Context, id, home string) error {
	return o.Answers(ctx, webapi.Call{Vendor: id, Method: http.MethodHead, URL: o.Base(home) + "/"})
}
