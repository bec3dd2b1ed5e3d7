package reading

import (
	"context"
	"strings"

	"wstk/shared/config"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Opening is the option without which a request that crawls this address would be refused
// it; none where it is open.
func (r *Room) Opening(root string) []wstk.Option {
	if r.OnlyOpened(root) ||
		r.Config.AllowPrivate && r.Config.Origin["fetch.allow_private"] == config.OriginFlag {
		return []wstk.Option{{Name: wstk.OptAllowPrivate, InForce: r.Config.AllowPrivate}}
	}
	return nil
}

// OnlyOpened reports whether only allow_private opens the host of a site.
func (r *Room) OnlyOpened(root string) bool {
	return r.Addresses.Openable(text.HostOf(root))
}

var otherSource = wstk.Step{Do: wstk.DoSearch, For: "look for another source of the same facts"}

// GiveLonger is a step with a longer time limit.
func GiveLonger(purpose string) wstk.Step {
	return wstk.Step{Do: wstk.DoOption, For: purpose,
		Options: []wstk.Option{wstk.OptTimeout.Set("120s")}}
}

// StepsAfter says what may be tried after a verdict.
func StepsAfter(v wstk.Verdict, url string, method wstk.FetchMethod) []wstk.Step {
	byHand := wstk.Step{Do: wstk.DoExtractFile,
		For: "open the page in your own browser and save it, then"}
	inBrowser := wstk.Step{Do: wstk.DoExtract, URL: url,
		Options: []wstk.Option{wstk.OptMethod.Set(wstk.MethodBrowser)}}
	render := func(purpose string, options ...wstk.Option) wstk.Step {
		return wstk.Step{Do: wstk.DoRender, For: purpose, URL: url, Options: options}
	}
	switch v {
	case wstk.VerdictBlocked:
		return []wstk.Step{otherSource, render("with a session of your own", wstk.OptProfile.On()),
			byHand}
	case wstk.VerdictConsent:
		return []wstk.Step{render("answer the consent question yourself",
			wstk.OptHeadful.On(), wstk.OptWait.Set(20000), wstk.OptProfile.On()),
			byHand, otherSource}
	case wstk.VerdictNeedsRender:
		if method == wstk.MethodBrowser {
			return []wstk.Step{render("give its scripts longer", wstk.OptWait.Set(5000)), byHand}
		}
		return []wstk.Step{inBrowser, render(""), byHand}
	case wstk.VerdictThin:
		if method == wstk.MethodHTTP {
			return []wstk.Step{inBrowser}
		}
	case wstk.VerdictNotFound, wstk.VerdictGone:
		return wstk.Advices("check the address")
	case wstk.VerdictRefusedRobots:
		return []wstk.Step{{Do: wstk.DoOption, For: "the site's robots.txt refuses this page",
			Options: []wstk.Option{wstk.OptRobots.Set(wstk.RobotsWarn)},
			Say:     "asks anyway, with a warning"}, otherSource}
	case wstk.VerdictRefusedPolicy:
		return []wstk.Step{{Do: wstk.DoCheck, Say: "the address and its port",
			Options: []wstk.Option{wstk.OptAllowDomains.On(), wstk.OptBlockDomains.On(),
				wstk.OptUsage.On()}}}
	case wstk.VerdictTooLarge:
		return []wstk.Step{{Do: wstk.DoOption, Options: []wstk.Option{wstk.OptMaxBytes.On()},
			Variable: "WSTK_MAX_BYTES"}}
	case wstk.VerdictTimeout:
		return []wstk.Step{GiveLonger("try again, or give it longer")}
	case wstk.VerdictNetwork:
		return wstk.Advices("check the address and the connection, and try again")
	case wstk.VerdictHTTPError:
		return []wstk.Step{wstk.Retry("later: the site answers with an error")}
	}
	return nil // of a refused address, what refused it knows whether it can be opened
}

// ToStore are the steps that may bring a page that is not stored: a refresh of the site it
// belongs to, else an ingest of the page itself.
func (r *Room) ToStore(ctx context.Context, u string) []wstk.Step {
	if !strings.HasPrefix(u, "http") {
		return nil
	}
	crawl := wstk.Step{Do: wstk.DoIngest, URL: u, Options: r.Opening(u)}
	if s, err := r.FindSite(ctx, u); err == nil && strings.HasPrefix(u, SiteFolder(s.Root)) {
		crawl.Do, crawl.URL = wstk.DoRefresh, s.Root
	}
	return []wstk.Step{crawl, {Do: wstk.DoExtract, URL: u, Options: r.Opening(u)}}
}
