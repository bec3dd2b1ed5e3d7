package reading

import (
	"context"
	"strings"

	"wstk/shared/config"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// opening is the flag without which a command that crawls this address would be refused it.
func (a *Room) Opening(root string) string {
	if a.OnlyOpened(root) || a.Config.AllowPrivate && a.Config.Origin["fetch.allow_private"] == config.OriginFlag {
		return " --allow-private"
	}
	return ""
}

// openable reports whether only allow_private opens the host of a site.
func (a *Room) OnlyOpened(root string) bool {
	return a.Openable != nil && a.Openable(text.HostOf(root))
}

// shellWord quotes a word where a shell would read more into it.
func ShellWord(s string) string {
	if !strings.ContainsAny(s, " \t'\"\\$`&;|<>()*?[]{}!~#") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

const otherSource = "look for another source of the same facts: wstk search QUERY"

// nextSteps says what may be tried after a verdict.
func NextSteps(v wstk.Verdict, url string, method wstk.FetchMethod) []string {
	const other = otherSource
	byHand := "open the page in your own browser and save it, then: wstk extract FILE"
	switch v {
	case wstk.VerdictBlocked:
		return []string{other, "with a session of your own: wstk render --profile DIR " + url, byHand}
	case wstk.VerdictConsent:
		return []string{"answer the consent question yourself: wstk render --headful --wait 20000 --profile DIR " + url, byHand, other}
	case wstk.VerdictNeedsRender:
		if method == wstk.MethodBrowser {
			return []string{"give its scripts longer: wstk render --wait 5000 " + url, byHand}
		}
		return []string{"wstk extract --method browser " + url, "wstk render " + url, byHand}
	case wstk.VerdictThin:
		if method == wstk.MethodHTTP {
			return []string{"wstk extract --method browser " + url}
		}
		return nil
	case wstk.VerdictNotFound, wstk.VerdictGone:
		return []string{"check the address"}
	case wstk.VerdictRefusedRobots:
		return []string{"the site's robots.txt refuses this page; --robots warn asks anyway, with a warning", other}
	case wstk.VerdictRefusedAddress: // the refusing code knows whether it can be opened
		return nil
	case wstk.VerdictRefusedPolicy:
		return []string{"check the address and its port, --allow-domain, --block-domain and --usage"}
	case wstk.VerdictTooLarge:
		return []string{"--max-bytes N, max_bytes under [fetch] in ~/.config/wstk/config.toml, or WSTK_MAX_BYTES"}
	case wstk.VerdictTimeout:
		return []string{"try again, or give it longer: --timeout 120s"}
	case wstk.VerdictNetwork:
		return []string{"check the address and the connection, and try again"}
	case wstk.VerdictHTTPError:
		return []string{"try again later: the site answers with an error"}
	}
	return nil
}

// toStore are the commands that may bring a page that is not stored: a refresh of the site
// it belongs to, else an ingest of the page itself.
func (a *Room) ToStore(ctx context.Context, u string) []string {
	if !strings.HasPrefix(u, "http") {
		return nil
	}
	crawl := "wstk site ingest " + ShellWord(u)
	if s, err := a.FindSite(ctx, u); err == nil && strings.HasPrefix(u, SiteFolder(s.Root)) {
		crawl = "wstk site refresh " + ShellWord(s.Root)
	}
	return []string{crawl + a.Opening(u), "wstk extract " + ShellWord(u) + a.Opening(u)}
}
