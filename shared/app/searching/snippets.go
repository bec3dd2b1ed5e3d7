package searching

import (
	"context"
	"fmt"
	"strings"

	"wstk/shared/stage/screen"
	"wstk/shared/wstk"
)

// maxWarnings is how many warnings of one kind a list of results gets: a page that fills it
// with orders to models must not fill the reply, and the record, with warnings.
const maxWarnings = 50

// warningsOfResults names the results that have words in their title or snippet that address a
// model, and which have an address that is itself a secret: a reader of a list of
// results reads web text. It stops when the time is over.
func (s *Room) warningsOfResults(ctx context.Context, results []wstk.SearchResult) []wstk.Warning {
	var secret []wstk.Warning
	for _, r := range results {
		if w, ok := secretAddress(r.URL, "result_id", r.ResultID); ok {
			secret = append(secret, w)
		}
	}
	return append(s.warningsOfWords(ctx, results), atMost(maxWarnings, secret)...)
}

// warningsOfWords names the results that have words in their title or snippet that address a
// model, each distinct text once.
func (s *Room) warningsOfWords(
	ctx context.Context, results []wstk.SearchResult,
) (warnings []wstk.Warning) {
	seen := map[string]bool{}
	for _, r := range results {
		words := r.Title + "\n" + r.Snippet
		if seen[words] || ctx.Err() != nil {
			continue
		}
		seen[words] = true
		n := 0
		var first wstk.Finding
		for _, f := range s.Screen.Words(words) {
			if f.Kind != wstk.FindingInjection {
				continue
			}
			if n++; n == 1 {
				first = f
			}
		}
		if n > 0 {
			warnings = append(warnings, wstk.Warning{Code: screen.WarnInjection, URL: r.URL,
				Details: map[string]any{"rule": first.Rule, "excerpt": first.Excerpt,
					"hidden": false, "findings": n},
				Message: "The title or snippet of a result " + first.Reason + "."})
		}
	}
	return atMost(maxWarnings, warnings)
}

// secretAddress tells of an address that is itself a secret, and does not repeat it: the
// result is named by its id.
func secretAddress(url, name, id string) (w wstk.Warning, ok bool) {
	names := screen.SecretURL(url)
	return wstk.Warning{Code: screen.WarnSecretURL,
		Details: map[string]any{name: id, "parameters": names},
		Message: "The address of a result carries what looks like a secret: " +
			strings.Join(names, ", ") + "."}, len(names) > 0
}

// atMost is the first n warnings of one kind, and how many more there are.
func atMost(n int, warnings []wstk.Warning) []wstk.Warning {
	if len(warnings) <= n {
		return warnings
	}
	more := len(warnings) - n
	return append(warnings[:n:n],
		wstk.Warning{Code: warnings[0].Code, Details: map[string]any{"more": more},
			Message: fmt.Sprintf("%d more results are affected.", more)})
}
