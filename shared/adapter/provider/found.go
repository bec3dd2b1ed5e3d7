package provider

import (
	"encoding/json"
	"fmt"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// addresses makes a batch of what a service lists: strings, or objects with a field url. What
// is no address of a web page is left out with a warning; what stands twice, and what is
// beyond most, is left out.
func addresses(o Options, id string, most int, items []json.RawMessage) wstk.Discovery {
	out := wstk.Discovery{URLs: []string{}}
	seen := map[string]bool{}
	odd := 0
	for _, raw := range items {
		raw = o.WithoutKeyJSON(raw)
		var url string
		var item struct{ URL string }
		if json.Unmarshal(raw, &url) != nil && json.Unmarshal(raw, &item) == nil {
			url = item.URL
		}
		canonical, err := text.Canonical(url)
		if err != nil {
			odd++
			continue
		}
		if canonical = text.WithoutUser(canonical); !seen[canonical] && len(out.URLs) < most {
			seen[canonical] = true
			out.URLs = append(out.URLs, canonical)
		}
	}
	if odd > 0 {
		out.Warnings = append(out.Warnings, wstk.Warning{Code: "results_malformed",
			Details: map[string]any{"provider": id, "results": odd},
			Message: fmt.Sprintf("%s in the reply of %s without the address of a web page: left out.",
				entries(odd), id)})
	}
	return out
}

// found is the batch of a search.
func found(reply []wstk.SearchResult, most int) (urls []string) {
	seen := map[string]bool{}
	for _, r := range reply {
		canonical, err := text.Canonical(r.URL)
		if err != nil {
			continue
		}
		if canonical = text.WithoutUser(canonical); !seen[canonical] && len(urls) < most {
			seen[canonical] = true
			urls = append(urls, canonical)
		}
	}
	return urls
}

// noCursor is the error for a cursor that no batch of this service ends with.
func noCursor(id string) error {
	return wstk.Errorf(wstk.Invalid, "asking "+id, "there is no such batch")
}
