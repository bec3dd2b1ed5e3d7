package app

import (
	"strings"

	"wstk/shared/stage/screen"
	"wstk/shared/wstk"
)

// bewareOfResults tells which results have words in their title or snippet that address a
// model, and which have an address that is itself a secret: whoever reads a list of
// results reads web text.
func (a *App) bewareOfResults(results []wstk.SearchResult) (warnings []wstk.Warning) {
	for _, r := range results {
		for _, f := range a.Screen.Words(r.Title + "\n" + r.Snippet) {
			if f.Kind == wstk.FindingInjection {
				warnings = append(warnings, wstk.Warning{Code: screen.WarnInjection, URL: r.URL, Details: map[string]any{"rule": f.Rule, "excerpt": f.Excerpt, "hidden": false},
					Message: "The title or snippet of a result " + f.Reason + "."})
			}
		}
		if names := screen.SecretURL(r.URL); len(names) > 0 {
			warnings = append(warnings, wstk.Warning{Code: screen.WarnSecretURL, Details: map[string]any{"result_id": r.ResultID, "parameters": names},
				Message: "The address of a result carries what looks like a secret: " + strings.Join(names, ", ") + "."})
		}
	}
	return warnings
}
