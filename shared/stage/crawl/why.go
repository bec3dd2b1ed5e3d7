package crawl

import (
	"context"
	"fmt"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Why returns a URL of a run, and a sentence that says how it was found and where it is
// now. working says whether a worker works on the run. A URL that the run does not know is
// NotFound.
func (s *Stage) Why(
	ctx context.Context, run wstk.RunID, url string, working bool,
) (wstk.FrontierURL, string, error) {
	u, err := s.Frontier.Get(ctx, run, url)
	if err != nil {
		return u, "", err
	}
	held := ""
	if u.State == wstk.URLStored && working {
		if held, err = s.Frontier.Note(ctx, run, holdKey(url)); err != nil {
			return u, "", err
		}
	}
	return u, url + " " + origin(u) + whereabouts(u, working, held) + attempts(u) + ".", nil
}

// whereabouts says where a URL stands; held is the URL that it waits for, if it does.
func whereabouts(u wstk.FrontierURL, working bool, held string) string {
	const clock = "15:04:05 MST"
	at := u.NotBefore.UTC().Format(clock)
	switch {
	case u.State != wstk.URLClosed && !working:
		return ", and the process that worked on its run stopped before it was done with it"
	case u.State == wstk.URLWaiting && u.NotBefore.IsZero():
		return " and waits for its turn"
	case u.State == wstk.URLWaiting:
		return " and waits for its turn, not before " + at
	case u.State == wstk.URLQueued:
		return " and is being fetched (slot at " + at + ")"
	case u.State == wstk.URLStored && held != "":
		return " and was read; it waits for " + held + ", of which it may be a copy"
	case u.State == wstk.URLStored:
		return " and was read; it is being indexed"
	}
	target := ""
	if u.Target != "" && !strings.Contains(u.Reason, u.Target) {
		target = " (" + u.Target + ")"
	}
	return fmt.Sprintf("; it ended as %s: %s%s", u.Outcome, u.Reason, target)
}

// attempts says how often a URL was asked for without success.
func attempts(u wstk.FrontierURL) string {
	failed := u.Attempts
	if u.State == wstk.URLStored || u.State == wstk.URLClosed ||
		u.State == wstk.URLQueued && !u.ChangedAt.Before(u.NotBefore) {
		failed-- // the last attempt ended it, or is being made
	}
	if failed <= 0 {
		return ""
	}
	return ", after " + text.Count(failed, "failed attempt")
}

// origin says how a URL was discovered.
func origin(u wstk.FrontierURL) string {
	from := ""
	if u.FoundOn != "" {
		from = " " + u.FoundOn
	}
	switch u.Via {
	case wstk.ViaSeed:
		return "is the root of the site"
	case wstk.ViaSitemap:
		return "is listed in the sitemap" + from
	case wstk.ViaRedirect:
		return "is where" + from + " redirects"
	case wstk.ViaCanonical:
		return "is named as the canonical URL of" + from
	case wstk.ViaEarlier:
		return "was visited by the crawl that this one continues"
	case wstk.ViaRefresh:
		return "is known from an earlier run"
	case wstk.ViaSearch:
		return "was found by a search for the question"
	case wstk.ViaTavily:
		return "was named by Tavily"
	case wstk.ViaFirecrawl:
		return "was named by the Firecrawl endpoint"
	case wstk.ViaGap:
		return "is linked from a page of the site, and fits what was missing in an answer"
	}
	return fmt.Sprintf("was linked from%s (%s from the root)", from, text.Count(u.Depth, "link"))
}
