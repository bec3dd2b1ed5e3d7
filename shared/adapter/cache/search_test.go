package cache_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"wstk/shared/adapter/cache"
	"wstk/shared/adapter/files"
	"wstk/shared/adapter/provider"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestSearch(t *testing.T) {
	wstktest.SearchProvider(t, wstktest.Vendor{Replies: "../../../testdata/providers/ddgs", Forbidden: wstk.Blocked, Asks: 2,
		Open: func(t *testing.T, transport http.RoundTripper) wstk.SearchProvider {
			var p provider.DDGS
			p.Transport = transport
			return cache.Search{Cache: files.Cache{Dir: t.TempDir()},
				TTL: time.Hour, SearchProvider: p}
		}})
}

// vendor counts what it is asked.
type vendor struct {
	asked int
	reply wstk.SearchReply
	err   error
}

func (v *vendor) Info() wstk.ProviderInfo                  { return wstk.ProviderInfo{ID: "x"} }
func (v *vendor) Compile(q wstk.SearchQuery) wstk.Compiled { return wstk.Compiled{Query: q.Words} }
func (v *vendor) Search(context.Context, wstk.SearchQuery) (wstk.SearchReply, error) {
	v.asked++
	return v.reply, v.err
}

func TestRepliesAreKept(t *testing.T) {
	one := []wstk.SearchResult{{Title: "Tide", URL: "https://a.example/", MatchedRules: []string{}}}
	warned := []wstk.Warning{{Code: "engine_unresponsive"}}
	q := wstk.SearchQuery{Words: "tide"}
	for _, c := range []struct {
		name   string
		vendor vendor
		first  wstk.SearchQuery
		second wstk.SearchQuery
		later  time.Duration
		cached bool
	}{
		{"the same again", vendor{reply: wstk.SearchReply{Results: one}}, q, q, 23 * time.Hour, true},
		{"the default is no difference", vendor{reply: wstk.SearchReply{Results: one}}, q,
			wstk.SearchQuery{Words: "tide", Max: 10}, 0, true},
		{"over its time", vendor{reply: wstk.SearchReply{Results: one}}, q, q, 24 * time.Hour, false},
		{"asked to be fresh", vendor{reply: wstk.SearchReply{Results: one}}, q,
			wstk.SearchQuery{Words: "tide", Fresh: true}, 0, false},
		{"kept although fresh", vendor{reply: wstk.SearchReply{Results: one}},
			wstk.SearchQuery{Words: "tide", Fresh: true}, q, 0, true},
		{"kept elsewhere", vendor{reply: wstk.SearchReply{Results: one}},
			wstk.SearchQuery{Words: "tide", Unkept: true}, q, 0, false},
		{"another region", vendor{reply: wstk.SearchReply{Results: one}}, q,
			wstk.SearchQuery{Words: "tide", Region: "us-en"}, 0, false},
		{"another day", vendor{reply: wstk.SearchReply{Results: one}}, q,
			wstk.SearchQuery{Words: "tide", After: time.Unix(1e9, 0)}, 0, false},
		{"the last week moves on", vendor{reply: wstk.SearchReply{Results: one}}, wstk.SearchQuery{Words: "tide", TimeRange: "w"},
			wstk.SearchQuery{Words: "tide", TimeRange: "w"}, time.Hour, false},
		{"nothing, a moment later", vendor{reply: wstk.SearchReply{Results: []wstk.SearchResult{}}},
			q, q, time.Minute, true},
		{"nothing is not kept long",
			vendor{reply: wstk.SearchReply{Results: []wstk.SearchResult{}}}, q, q,
			10 * time.Minute, false},
		{"less than there may be", vendor{reply: wstk.SearchReply{Results: one, Warnings: warned}},
			q, q, 10 * time.Minute, false},
		{"a failure", vendor{err: wstk.Errorf(wstk.Network, "", "cut off")}, q, q, 0, false},
	} {
		clock := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
		now := func() time.Time { return clock }
		s := cache.Search{SearchProvider: &c.vendor, TTL: 24 * time.Hour, Now: now,
			Cache: files.Cache{Dir: t.TempDir(), Now: now}}
		s.Search(t.Context(), c.first)
		clock = clock.Add(c.later)
		reply, _ := s.Search(t.Context(), c.second)
		if reply.Cached != c.cached || c.vendor.asked != map[bool]int{true: 1, false: 2}[c.cached] {
			t.Errorf("%s: cached: %v, asked %d times", c.name, reply.Cached, c.vendor.asked)
		}
		if c.vendor.err == nil && len(reply.Results) != len(c.vendor.reply.Results) {
			t.Errorf("%s: got %v", c.name, reply.Results)
		}
	}
}

// Each call says how old a reply may be, whatever the one that kept it said.
func TestAnOldReplyIsNoReplyToAShorterTTL(t *testing.T) {
	for _, c := range []struct {
		first, second, later time.Duration
		cached               bool
	}{
		{time.Hour, time.Second, 2 * time.Second, false},
		{time.Hour, time.Second, 999 * time.Millisecond, true},
		{time.Hour, 0, 0, false},
		{time.Second, time.Hour, 2 * time.Second, false},
	} {
		clock := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
		now := func() time.Time { return clock }
		v := &vendor{reply: wstk.SearchReply{Results: []wstk.SearchResult{{URL: "https://a.example/"}}}}
		s := cache.Search{SearchProvider: v, TTL: c.first, Now: now,
			Cache: files.Cache{Dir: t.TempDir(), Now: now}}
		s.Search(t.Context(), wstk.SearchQuery{Words: "tide"})
		s.TTL = c.second
		clock = clock.Add(c.later)
		if reply, err := s.Search(t.Context(), wstk.SearchQuery{Words: "tide"}); err != nil ||
			reply.Cached != c.cached {
			t.Errorf("kept for %s, asked after %s with %s: cached: %v, %v", c.first, c.later, c.second, reply.Cached, err)
		}
	}
}

func TestAnotherScopeIsAnotherProvider(t *testing.T) {
	v := &vendor{reply: wstk.SearchReply{Results: []wstk.SearchResult{}}}
	dir := files.Cache{Dir: t.TempDir()}
	for _, scope := range []string{"a", "b"} {
		cache.Search{SearchProvider: v, Scope: scope, TTL: time.Hour,
			Cache: dir}.Search(t.Context(), wstk.SearchQuery{Words: "tide"})
	}
	if v.asked != 2 {
		t.Error("one address gives what another one said")
	}
}
