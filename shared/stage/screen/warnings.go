package screen

import (
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Codes of the warnings this stage gives.
const (
	// words that address a model; Start and End where they are visible
	WarnInjection = "prompt_injection"
	// text hidden in a way that deceives, or that addresses a model
	WarnHidden  = "hidden_text"
	WarnSecret  = "secret"  // a string that looks like a credential
	WarnThin    = "thin"    // next to no text
	WarnPartial = "partial" // the page breaks off for those who do not pay
)

// deceiving are ways of hiding text that ordinary menus and dialogs do not use:
// it is laid out and painted, only not so that anybody sees it. A label or two of a
// folded menu is hidden so as well, so it must be more than that.
var deceiving = map[string]bool{"hidden_same_color": true, "hidden_tiny": true}

const deceivingChars = 100

// Warnings returns the warnings for a reader of doc: one for each visible
// injection and secret, one for all hidden text that is no ordinary markup, one
// for a thin page. They are in the order of their severity: what is hidden and
// addresses a model first. Details of an injection hold rule, excerpt and hidden.
// The URL is doc's; doc may be nil.
func Warnings(s wstk.Screening, doc *wstk.Document) []wstk.Warning {
	url := ""
	if doc != nil {
		url = doc.URL
	}
	var grave, plain []wstk.Warning
	hidden, hiddenRules := 0, map[string]bool{}
	var rules []string
	for _, f := range s.Findings {
		switch {
		case f.Kind == wstk.FindingInjection && f.Hidden:
			grave = append(grave, wstk.Warning{Code: WarnInjection, URL: url,
				Message: "Hidden text on this page " + f.Reason + ".", Details: details(f, "high")})
		case f.Kind == wstk.FindingInjection:
			plain = append(plain, placed(wstk.Warning{Code: WarnInjection, URL: url,
				Message: "Text on this page " + f.Reason + ".", Details: details(f, "medium")}, f))
		case f.Kind == wstk.FindingSecret:
			plain = append(plain, placed(wstk.Warning{Code: WarnSecret, URL: url,
				Message: secretMessage(f.Reason),
				Details: map[string]any{"rule": f.Rule, "hidden": f.Hidden}}, f))
		case f.Kind == wstk.FindingHidden && deceiving[f.Rule] &&
			utf8.RuneCountInString(f.Excerpt) >= deceivingChars:
			hidden++
			if !hiddenRules[f.Rule] {
				hiddenRules[f.Rule] = true
				rules = append(rules, f.Rule)
			}
		}
	}
	if hidden > 0 {
		grave = append(grave, wstk.Warning{Code: WarnHidden, URL: url,
			Message: "The page hides text from its visitors in " + text.Count(hidden, "place") +
				"; it is not part of the document.",
			Details: map[string]any{"count": hidden, "rules": rules}})
	}
	out := append(grave, plain...)
	if s.Verdict == wstk.VerdictThin {
		out = append(out, wstk.Warning{Code: WarnThin, URL: url, Message: upper(s.Reason) + "."})
	}
	if s.Partial {
		out = append(out, Partial(url))
	}
	return out
}

// Partial warns of a page that breaks off.
func Partial(url string) wstk.Warning {
	return wstk.Warning{Code: WarnPartial, URL: url,
		Message: "Only the beginning of this page was shown, since it is behind a paywall: what " +
			"is missing here may stand in the rest."}
}

func details(f wstk.Finding, severity string) map[string]any {
	return map[string]any{"rule": f.Rule, "excerpt": f.Excerpt, "hidden": f.Hidden,
		"severity": severity}
}

func placed(w wstk.Warning, f wstk.Finding) wstk.Warning {
	if f.Span != nil {
		w.Start, w.End = f.Span.CharStart, f.Span.CharEnd
	}
	return w
}

func upper(s string) string {
	if s == "" {
		return "The page has next to no text"
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// secretMessage is a sentence of a rule's reason, "looks like …" or "an address with …".
func secretMessage(reason string) string {
	if rest, ok := strings.CutPrefix(reason, "looks like "); ok {
		return "A string on this page looks like " + rest + "."
	}
	return "This page holds what looks like " + reason + "."
}
