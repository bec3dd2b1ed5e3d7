package provider

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// key is put together so that no scanner takes it for a real one.
const key = "made" + "-up-" + "key-" + "8f3a"

var now = time.Date(2026, 3, 7, 15, 4, 5, 0, time.UTC)

func options(transport http.RoundTripper) Options {
	return Options{webapi.Client{Transport: transport, BaseURL: "https://vendor.example", Key: func() string { return key }, Now: func() time.Time { return now }}}
}

func replies(id string) string { return filepath.Join("../../../testdata/providers", id) }

func TestSearchProviders(t *testing.T) {
	for id, v := range map[string]struct {
		wstktest.Vendor
		open func(Options) wstk.SearchProvider
	}{
		braveID:     {wstktest.Vendor{Key: key}, func(o Options) wstk.SearchProvider { return Brave{o} }},
		tavilyID:    {wstktest.Vendor{Key: key}, func(o Options) wstk.SearchProvider { return Tavily{o} }},
		serperID:    {wstktest.Vendor{Key: key}, func(o Options) wstk.SearchProvider { return Serper{o} }},
		firecrawlID: {wstktest.Vendor{Key: key}, func(o Options) wstk.SearchProvider { return Firecrawl{Options: o} }},
		googleID: {wstktest.Vendor{Key: key, KeyInURL: true}, func(o Options) wstk.SearchProvider {
			return Google{Options: o, Engine: "engine-1"}
		}},
		searxngID: {wstktest.Vendor{Forbidden: wstk.HTTPError}, func(o Options) wstk.SearchProvider { return SearXNG{o} }},
		ddgsID:    {wstktest.Vendor{Forbidden: wstk.Blocked, Asks: 2}, func(o Options) wstk.SearchProvider { return DDGS{o} }},
	} {
		v.Replies = replies(id)
		v.Open = func(_ *testing.T, transport http.RoundTripper) wstk.SearchProvider { return v.open(options(transport)) }
		t.Run(id, func(t *testing.T) { wstktest.SearchProvider(t, v.Vendor) })
	}
}
