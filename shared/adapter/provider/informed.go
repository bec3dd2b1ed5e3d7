package provider

import (
	"context"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Informed finds pages by a search of the web for the question, on the site's host alone.
type Informed struct {
	// Search asks the search providers, as every search does, one after the other until one
	// gives results.
	Search func(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error)
}

var _ wstk.Discoverer = Informed{}

const (
	informedID   = "search"
	informedMost = 20 // hits of one search
)

// Info says that nothing of its own is needed.
func (p Informed) Info() wstk.ProviderInfo {
	return wstk.ProviderInfo{ID: informedID, Type: "crawl", Enabled: true, Auto: true,
		EnvVars: []string{}, Remote: true,
		Privacy: "The question and the site's host are sent to the search providers."}
}

// Discover searches once. That the web knows no page is a success.
func (p Informed) Discover(
	ctx context.Context, q wstk.DiscoverQuery, cursor string,
) (wstk.Discovery, error) {
	switch {
	case cursor != "":
		return wstk.Discovery{}, noCursor(informedID)
	case strings.TrimSpace(q.Question) == "":
		return wstk.Discovery{}, wstk.Errorf(wstk.Invalid, "asking "+informedID,
			"there is no question to search for")
	}
	most := min(q.Max, informedMost)
	reply, err := p.Search(ctx, wstk.SearchQuery{Words: q.Question, Max: most,
		Sites: []string{text.HostOf(q.Root)}})
	if wstk.CodeOf(err) == wstk.Empty {
		err = nil
	}
	return wstk.Discovery{URLs: found(reply.Results, most), Warnings: reply.Warnings}, err
}
