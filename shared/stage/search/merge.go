package search

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Found are the results of one provider.
type Found struct {
	Provider string
	Results  []wstk.SearchResult
	Rows     []wstk.SearchResult // all it listed: further spellings of what stands in Results
}

// Merge joins what providers found: an address once, with all providers that found it. Two
// spellings are one address when their canonical forms are equal (text.Canonical). Of the
// spellings, that of the first provider in the order of list stays, of one provider the one
// with the better rank; the others are aliases. Addresses that cannot be read are left out,
// and so are those of hosts that are closed (nil: none is); refused counts the latter.
//
// The list is sorted by confidence, then by the best rank anybody gave, then by address.
// It depends on the order of list as said above alone, and on that of results not at all:
// their ranks count.
func Merge(list []Found, closed func(host string) bool) (found []wstk.FoundURL, refused int) {
	at := map[string]int{} // canonical address → place in found
	found = []wstk.FoundURL{}
	for _, f := range list {
		results := slices.Clone(f.Results)
		slices.SortStableFunc(results, func(a, b wstk.SearchResult) int {
			return cmp.Or(cmp.Compare(a.Rank, b.Rank), strings.Compare(a.URL, b.URL))
		})
		for _, r := range results {
			canonical, err := text.Canonical(r.URL)
			if err != nil {
				continue
			}
			if closed != nil && closed(text.HostOf(canonical)) {
				refused++
				continue
			}
			i, known := at[canonical]
			if !known {
				i = len(found)
				at[canonical] = i
				sum := sha256.Sum256([]byte(canonical))
				found = append(found, wstk.FoundURL{URL: r.URL, BestRank: r.Rank,
					DedupeHash: hex.EncodeToString(sum[:])})
			}
			merge(&found[i], r, f.Provider)
		}
	}
	for _, f := range list {
		for _, r := range f.Rows {
			if canonical, err := text.Canonical(r.URL); err == nil {
				if i, known := at[canonical]; known {
					found[i].Aliases = append(found[i].Aliases, r.URL)
				}
			}
		}
	}
	for i := range found {
		u := &found[i]
		u.Confidence = len(u.Providers)
		slices.Sort(u.Aliases)
		u.Aliases = slices.DeleteFunc(slices.Compact(u.Aliases),
			func(a string) bool { return a == u.URL })
		if len(u.Aliases) == 0 {
			u.Aliases = nil
		}
	}
	slices.SortFunc(found, func(a, b wstk.FoundURL) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.BestRank, b.BestRank),
			strings.Compare(a.URL, b.URL))
	})
	return found, refused
}

// merge adds a provider's result to what was found at its address.
func merge(u *wstk.FoundURL, r wstk.SearchResult, provider string) {
	u.Aliases = append(u.Aliases, r.URL)
	if !slices.Contains(u.Providers, provider) {
		u.Providers = append(u.Providers, provider)
	}
	u.BestRank = min(u.BestRank, r.Rank)
	if u.Title == nil && r.Title != "" {
		u.Title = &r.Title
	}
}
