// Package stages wires the stages over whatever stores an App has: what both homes
// have in common.
package stages

import (
	"context"
	"net/url"
	"time"

	"wstk/shared/adapter/safehttp"
	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/stage/chunk"
	"wstk/shared/stage/crawl"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/index"
	"wstk/shared/stage/read"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/summarize"
	"wstk/shared/stage/verify"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Wire sets the stages of an App whose stores are set. client is the way out.
func Wire(a *app.App, client *safehttp.Client, evidence wstk.EvidenceStore) {
	c := a.Config
	agent := userAgent(c)
	robots := &crawl.Robots{Client: client, Blobs: a.Blobs,
		Snapshots: a.Snapshots, UserAgent: agent,
		NoStore: c.Cache.Off || c.Cache.Fresh}
	a.Crawl = &crawl.Stage{Frontier: a.Frontier, Hosts: a.Hosts, Pages: a.Pages, Blobs: a.Blobs,
		Runs: a.Runs, Client: client, Robots: robots}
	a.Fetch = &fetch.Stage{Client: client, Blobs: a.Blobs, Snapshots: a.Snapshots, Hosts: a.Hosts,
		Robots: checked(robots),
		Known:  a.Pages.Get, Admit: admit(c), UserAgent: agent, Begun: a.Crawl.Start,
		MayReach: client.MayReach}
	a.Read = &read.Stage{}
	a.Screen = &screen.Stage{}
	a.Summarize = &summarize.Stage{Summaries: a.Summaries}
	a.Indexing = &index.Stage{Index: a.Index, Split: chunk.Split, Pages: a.Pages}
	a.Recalling = recall.New(a.Index, a.Blobs)
	a.Verify = &verify.Stage{Blobs: a.Blobs, Evidence: evidence, Literal: read.FindData,
		Document: func(ctx context.Context, url string) (*wstk.Document, bool, error) {
			d, _, err := a.Looking.ReadPage(ctx, url)
			return d.Document, d.Partial, err
		}}
}

// userAgent names us to sites, with whom to ask. Its product token, wstk unless the
// operator chose another, is what robots.txt is matched against.
func userAgent(c config.Config) string {
	if c.UserAgent != "" {
		return c.UserAgent
	}
	return safehttp.UserAgent(wstk.Version, c.Contact)
}

// Client is the guarded way out, with the operator's settings.
func Client(c config.Config) (*safehttp.Client, error) {
	cfg, err := clientConfig(c)
	if err != nil {
		return nil, err
	}
	return safehttp.New(cfg)
}

// Downloads is a way out for files that a user named, with the operator's settings: bodies up
// to most bytes, within an hour.
func Downloads(c config.Config, most int64) (*safehttp.Client, error) {
	cfg, err := clientConfig(c)
	if err != nil {
		return nil, err
	}
	cfg.Timeout, cfg.MaxBytes = time.Hour, most
	return safehttp.New(cfg)
}

func clientConfig(c config.Config) (safehttp.Config, error) {
	cfg := safehttp.Config{AllowPrivate: c.AllowPrivate, Function: c.Function,
		Runtime: c.Runtime, UserAgent: userAgent(c), MaxBytes: c.MaxBytes}
	if c.Timeout > 0 {
		cfg.Timeout = min(c.Timeout, reading.LongestRequest)
	}
	if c.Proxy != "" {
		u, err := url.Parse(c.Proxy)
		if err != nil {
			// The error of url.Parse repeats the whole URL, credentials and all.
			return cfg, wstk.Errorf(wstk.Invalid, "", "the proxy is not a URL").
				Try(wstk.Advice("write it as http://host:port"))
		}
		cfg.Proxy = u
	}
	return cfg, nil
}

// checked gives fetch what crawl knows of robots.txt: stages do not know each other.
func checked(
	r *crawl.Robots,
) func(context.Context, string, string, wstk.RobotsPolicy) (fetch.RobotsDecision, error) {
	return func(
		ctx context.Context, url, agent string, policy wstk.RobotsPolicy,
	) (fetch.RobotsDecision, error) {
		d, err := r.Check(ctx, url, agent, policy)
		return fetch.RobotsDecision{Allowed: d.Allowed, Verdict: d.Verdict, Reason: d.Reason,
			Delay: d.Delay, Warnings: d.Warnings, Rights: d.Rights}, err
	}
}

// admit holds URLs against the operator's lists of domains.
func admit(c config.Config) func(string) error {
	if len(c.AllowDomains) == 0 && len(c.BlockDomains) == 0 && !c.NeedAllow {
		return nil
	}
	return func(raw string) error {
		host := text.HostOf(raw)
		switch d := text.Under(host, c.BlockDomains); {
		case c.NeedAllow && len(c.AllowDomains) == 0:
			return wstk.Errorf(wstk.RefusedPolicy, "",
				"the policy %s allows only sites that you name, and you named none", c.Policy).
				Try(wstk.Step{Do: wstk.DoOption,
					Options: []wstk.Option{wstk.OptAllowDomains.Set("example.com")}},
					wstk.Step{Do: wstk.DoOption,
						Options: []wstk.Option{wstk.OptPolicy.Set(config.PolicyStandard)}})
		case host == "":
			return wstk.Errorf(wstk.RefusedPolicy, "", "the address has no host to check")
		case d != "":
			return wstk.Errorf(wstk.RefusedPolicy, "", "%s is on the block list", d)
		case len(c.AllowDomains) > 0 && text.Under(host, c.AllowDomains) == "":
			return wstk.Errorf(wstk.RefusedPolicy, "", "%s is not on the allow list", host)
		}
		return nil
	}
}
