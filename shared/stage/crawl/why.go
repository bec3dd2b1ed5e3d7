package crawl

import (
	"context"
	"fmt"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Why returns a URL of a run and a sentence on how it came there and where it
// stands; working reports whether anybody works on the run. A URL the run never met is NotFound.
func (s *Stage) Why(
	ctx context.Context, run wstk.RunID, url string, working bool,
) (wstk.FrontierURL, string, error) {
	u, err := s.Frontier.Get(ctx, run, url)
	if err != nil {
		return u, "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", url, origin(u))
	switch {
	case u.State != wstk.URLClosed && !working:
		b.WriteString(", and the process that worked on its run stopped before it was done with it")
	case u.State == wstk.URLWaiting:
		b.WriteString(" and waits for its turn")
		if !u.NotBefore.IsZero() {
			fmt.Fprintf(&b, ", not before %s", u.NotBefore.UTC().Format("15:04:05 MST"))
		}
	case u.State == wstk.URLQueued:
		fmt.Fprintf(&b, " and is being fetched (slot at %s)", u.NotBefore.UTC().
			Format("15:04:05 MST"))
	case u.State == wstk.URLStored:
		held, err := s.Frontier.Note(ctx, run, holdKey(url))
		if err != nil {
			return u, "", err
		}
		if b.WriteString(" and was read; "); held != "" {
			fmt.Fprintf(&b, "it waits for its canonical URL %s", held)
		} else {
			b.WriteString("it is being indexed")
		}
	default:
		fmt.Fprintf(&b, "; it ended as %s: %s", u.Outcome, u.Reason)
		if u.Target != "" && !strings.Contains(u.Reason, u.Target) {
			fmt.Fprintf(&b, " (%s)", u.Target)
		}
	}
	failed := u.Attempts
	if u.State == wstk.URLStored || u.State == wstk.URLClosed ||
		u.State == wstk.URLQueued && !u.ChangedAt.Before(u.NotBefore) {
		failed-- // the last attempt ended it, or is being made
	}
	if failed > 0 {
		b.WriteString(", after " + text.Count(failed, "failed attempt"))
	}
	return u, b.String() + ".", nil
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
	}
	return fmt.Sprintf("was linked from%s (%s from the root)", from, text.Count(u.Depth, "link"))
}
