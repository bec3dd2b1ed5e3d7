// Package search asks search providers for pages.
//
// Do asks one after the other until one gives results, for a caller that wants an answer.
// FanOut asks all of them at once, for a caller that wants to compare. Both give the
// outcome of every provider, so that "nothing was found" and "no provider could be asked"
// never look alike.
//
// Rewriter makes a template of a user's words, with a model or, without one, with Rules.
// Begin reading at do.go for searches and at rules.go for the rewriting.
package search

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// Auto as Request.Provider lets the stage choose.
const Auto = "auto"

// Stage searches. Its fields are set once; it may be used concurrently.
type Stage struct {
	// Providers are all there are, enabled or not, in the built-in order of auto: what is
	// stored stands at the end, so that a search works without a network.
	Providers []wstk.SearchProvider

	// Reachable reports whether a provider's service is there, cheaply. It is asked by
	// auto only. nil means that all are.
	Reachable func(ctx context.Context, id string) error

	// Probe asks for a sign of life of an enabled provider's service, without its key and
	// at no cost. A search does not ask it. nil means that it is unknown.
	Probe func(ctx context.Context, id string) error

	// Closed tells of the host of a result that no page of it may be fetched from here. nil
	// means that all are open.
	Closed func(host string) bool

	Each    time.Duration    // time for one provider in Do, with its retries; 0 means 10 s
	EachRun time.Duration    // the same in FanOut; 0 means 4 s
	Longest int              // query that FanOut sends, in code points; 0 means MaxQuery
	Now     func() time.Time // nil means time.Now
}

// Request is what to search for, whom to ask, and what of it to keep. Domains, also those
// of the query, are written as text.Domain gives them.
type Request struct {
	Query    wstk.SearchQuery
	Provider string   // id of the one to ask; Auto or "" lets the order decide
	Order    []string // ids in the order in which they are asked; nil means that of Stage.Providers
	Allow    []string // domains: when there are any, results of other domains are left out
	Block    []string // domains whose results are left out
	Prefer   []string // domains whose results are marked
	Union    bool     // results of other sites than Query.Sites stay, too; a warning counts them
}

// Result is what was found, and how.
type Result struct {
	Query    string // as the provider that gave the results was sent it; "" when none did
	Provider string // that gave the results; "" when none did
	Results  []wstk.SearchResult
	// of every provider that was asked or passed over, in that order
	Outcomes []wstk.ProviderOutcome
	Warnings []wstk.Warning
}

// MaxQuery is Stage.Longest where it is not set.
const MaxQuery = 512

func (s *Stage) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

func positive[T int | time.Duration](n, otherwise T) T {
	if n <= 0 {
		return otherwise
	}
	return n
}
