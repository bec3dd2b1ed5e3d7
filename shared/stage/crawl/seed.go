package crawl

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

const (
	sitemapFiles   = 200             // fetched for one run at most
	sitemapLeast   = 5               // fetched for the smallest budget
	sitemapNesting = 3               // of sitemap indexes
	sitemapForeign = 10              // files of other sites that are named, for each index
	sitemapHops    = 5               // redirects of one sitemap
	sitemapWait    = 2 * time.Minute // longest wait for a host's slot
	sitemapSoon    = 2 * time.Second // a wait that is not reported, beside the gap
)

// Seeded says what Seed found.
type Seeded struct {
	Sitemaps int // files read
	Listed   int // addresses in them
	Known    int // pages of the site from earlier runs, on a refresh
	New      int // URLs the run did not know
}

// Seed puts the beginnings of a run into the frontier: what the site's sitemaps
// list (those robots.txt names, and /sitemap.xml), on a refresh the pages known from
// earlier runs, and last the root, which is depth 0 as the others are depth 1.
// Until the root is there, nothing is released and the run cannot finish, so a Seed
// that was cut off is simply done again; once it is there, Seed does nothing.
//
// A run that goes on with another takes the frontier of that one instead, see goOn.
//
// It asks for a tenth as many sitemaps as the budget has pages, at least 5 and at most
// 200. Of them it takes as many addresses as ten times the page budget, at least
// 1,000 and at most 100,000; what is left out, and a sitemap that cannot be read, is
// a warning of the run. Under the policy ignore robots.txt is not read.
func (s *Stage) Seed(ctx context.Context, run wstk.Run, site wstk.Site) (Seeded, error) {
	var out Seeded
	if _, on, err := s.running(ctx, run.ID); err != nil || !on {
		return out, err
	}
	if _, err := s.Frontier.Get(ctx, run.ID, site.Root); err == nil {
		return out, nil
	} else if wstk.CodeOf(err) != wstk.NotFound {
		return out, err
	}
	v, err := s.view(ctx, run, site)
	if err != nil {
		return out, err
	}
	if run.Continues != "" {
		if done, err := s.goOn(ctx, run, site, &out); err != nil || done {
			return out, err
		}
	}
	root, err := s.place(ctx, v, wstk.FrontierURL{URL: site.Root, Via: wstk.ViaSeed})
	if err != nil {
		return out, err
	}
	// A site that refuses its root by robots.txt may still list pages in a sitemap; a
	// host that does not answer has none. With depth 0 the root is all there is.
	if root.Outcome != wstk.OutcomeFailed && v.options.MaxDepth > 0 {
		if err := s.seedSitemaps(ctx, v, &out); err != nil {
			return out, err
		}
	}
	if run.Kind == wstk.RunRefresh {
		if err := s.seedKnown(ctx, v, site, &out); err != nil {
			return out, err
		}
	}
	n, err := s.add(ctx, run.ID, []wstk.FrontierURL{root})
	out.New += n
	return out, err
}

// seedKnown adds the site's pages that hold a Document of their own and were not
// gone when last asked for.
func (s *Stage) seedKnown(ctx context.Context, v view, site wstk.Site, out *Seeded) error {
	for cursor := ""; ; {
		pages, next, err := s.Pages.List(ctx, site.ID, cursor, 500)
		if err != nil {
			return err
		}
		var found []wstk.FrontierURL
		for _, p := range pages {
			if p.Document == "" || p.DuplicateOf != "" || p.URL == site.Root ||
				p.Verdict == wstk.VerdictNotFound || p.Verdict == wstk.VerdictGone {
				continue
			}
			u, err := s.place(ctx, v, wstk.FrontierURL{URL: p.URL,
				Depth: min(1, v.options.MaxDepth), Via: wstk.ViaRefresh})
			if err != nil {
				return err
			}
			found = append(found, u)
		}
		out.Known += len(found)
		n, err := s.add(ctx, v.run, found)
		out.New += n
		if err != nil || next == "" {
			return err
		}
		cursor = next
	}
}

// sitemap is a sitemap file still to be read.
type sitemap struct {
	url     string
	named   bool // by robots.txt or an index, so that its absence is worth a word
	nesting int
}

func (s *Stage) seedSitemaps(ctx context.Context, v view, out *Seeded) error {
	host := text.HostKey(v.root)
	var queue []sitemap
	if v.options.Robots != wstk.RobotsIgnore {
		file, err := s.Robots.File(ctx, v.root)
		if err != nil {
			return err
		}
		if file != nil {
			for _, loc := range file.Sitemaps {
				if url, err := text.Resolve(host+"/robots.txt", loc); err == nil {
					queue = append(queue, sitemap{url: url, named: true})
				}
			}
		}
	}
	if url, err := text.Canonical(host + "/sitemap.xml"); err == nil {
		queue = append(queue, sitemap{url: url})
	}

	warn := func(code, url, format string, args ...any) error {
		return s.Warn(ctx, v.run,
			wstk.Warning{Code: code, URL: url, Message: fmt.Sprintf(format, args...)})
	}
	room := min(max(10*v.options.MaxPages, 1_000), 100_000)
	seen := map[string]bool{}
	most := min(sitemapFiles, max(sitemapLeast, v.options.MaxPages/10))
	for len(queue) > 0 {
		file := queue[0]
		queue = queue[1:]
		if seen[file.url] {
			continue
		}
		seen[file.url] = true
		if len(seen) > most {
			return warn("sitemap_truncated", file.url,
				"the site has more sitemaps than the %d that a budget of %d pages reads.", most,
				v.options.MaxPages)
		}
		body, reason, err := s.getSitemap(ctx, v, file)
		if err != nil {
			return err
		}
		if reason != "" {
			if file.named {
				if err := warn("sitemap", file.url, "the sitemap was not read: %s.", reason); err !=
					nil {
					return err
				}
			}
			continue
		}

		var found []wstk.FrontierURL
		var addErr error
		flush := func() {
			if len(found) > 0 && addErr == nil {
				var n int
				n, addErr = s.add(ctx, v.run, found)
				out.New += n
				found = found[:0]
			}
		}
		left, foreign := 0, 0
		info, err := ParseSitemap(ctx, body, func(e SitemapEntry) bool {
			url, err := text.Resolve(file.url, e.Loc)
			if err != nil {
				return true
			}
			out.Listed++
			if url = text.WithoutUser(url); room == 0 {
				left++
				return true
			}
			room--
			var u wstk.FrontierURL
			u, addErr = s.place(ctx, v, wstk.FrontierURL{URL: url, Depth: 1, Via: wstk.ViaSitemap,
				FoundOn: file.url, LastMod: e.LastMod})
			if addErr != nil {
				return false
			}
			if url != v.root {
				found = append(found, u)
			}
			if len(found) == addBatch {
				flush()
			}
			return addErr == nil
		}, func(e SitemapEntry) bool {
			url, err := text.Resolve(file.url, e.Loc)
			if err != nil {
				return true
			}
			switch {
			case file.nesting+1 > sitemapNesting:
				left++
			case text.HostKey(url) != text.HostKey(file.url) &&
				!related(v.scope.root, mustSplit(url)):
				if foreign++; foreign <= sitemapForeign {
					addErr = warn("sitemap", url,
						"the sitemap index names a file of another site, which was not read.")
				}
			default:
				queue = append(queue, sitemap{url: url, named: true, nesting: file.nesting + 1})
			}
			return addErr == nil && len(queue) <= 2*sitemapFiles
		})
		flush()
		if addErr != nil {
			return addErr
		}
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			// A site may answer anything where it has no sitemap.
			if file.named {
				if err := warn("sitemap", file.url, "the sitemap was not read: %v.", err); err !=
					nil {
					return err
				}
			}
			continue
		}
		switch {
		case left > 0 && info.Index:
			err = warn("sitemap_truncated", file.url,
				"sitemap indexes are nested deeper than %d; %d files were not read.",
				sitemapNesting, left)
		case left > 0:
			err = warn("sitemap_truncated", file.url,
				"%d addresses of the sitemap are over what a budget of %d pages takes.", left,
				v.options.MaxPages)
		case info.Truncated:
			err = warn("sitemap_truncated", file.url,
				"the sitemap is over %d addresses or %d MiB; the rest was not read.",
				maxSitemapURLs, maxSitemapBytes>>20)
		case info.Broken:
			err = warn("sitemap", file.url,
				"the sitemap breaks off or is malformed; %d addresses were read.", info.Entries)
		}
		if err != nil {
			return err
		}
		if foreign > sitemapForeign {
			if err := warn("sitemap", file.url,
				"the sitemap index names %d files of other sites, which were not read.",
				foreign); err != nil {
				return err
			}
		}
		out.Sitemaps++
	}
	return nil
}

func mustSplit(url string) address {
	a, _ := splitURL(url)
	return a
}

// getSitemap fetches one sitemap file in a slot of its host. reason tells why there
// is no body; an error is ours.
func (s *Stage) getSitemap(
	ctx context.Context, v view, file sitemap,
) (body []byte, reason string, err error) {
	url := file.url
	for range sitemapHops + 1 {
		d, err := s.Robots.Check(ctx, url, v.options.UserAgent, v.options.Robots)
		if err != nil {
			return nil, "", err
		}
		if !d.Allowed && !file.named {
			return nil, d.Reason, nil
		}
		host := text.HostKey(url)
		if host == "" {
			return nil, "not an http or https URL", nil
		}
		gap, err := s.delay(ctx, v, host)
		if err != nil {
			return nil, "", err
		}
		resp, err := s.inSlot(ctx, v.run, host, gap,
			wstk.Request{URL: url, UserAgent: v.options.UserAgent, MaxBytes: maxSitemapBytes})
		if err != nil {
			switch code := wstk.CodeOf(err); code {
			case wstk.RefusedPolicy, wstk.RefusedAddress, wstk.TooLarge, wstk.Timeout,
				wstk.Network, wstk.Conflict:
				if ctx.Err() == nil {
					return nil, text.Shorten(err.Error(), 200), nil
				}
			}
			return nil, "", err
		}
		switch {
		case resp.Status >= 200 && resp.Status < 300:
			return resp.Body, "", nil
		case resp.Status >= 300 && resp.Status < 400 && resp.Header.Get("Location") != "":
			target, err := text.Resolve(url, resp.Header.Get("Location"))
			if err != nil {
				return nil, "it redirects to no URL", nil
			}
			url = target
		case resp.Status == http.StatusNotFound && !file.named:
			return nil, "there is none", nil
		default:
			return nil, fmt.Sprintf("status %d", resp.Status), nil
		}
	}
	return nil, fmt.Sprintf("it redirects more than %d times", sitemapHops), nil
}

// inSlot does a request in a slot of its host. A slot that is not near is noted with the run,
// so that it can say what it waits for.
func (s *Stage) inSlot(
	ctx context.Context, run wstk.RunID, host string, gap time.Duration, r wstk.Request,
) (wstk.Response, error) {
	slot, err := s.Hosts.Reserve(ctx, host, s.now(), gap)
	if err != nil {
		return wstk.Response{}, err
	}
	wait := slot.At.Sub(s.now())
	// between them it may be others' turns
	if wait > gap+sitemapSoon && (wait <= maxAhead || wait > maxQueue+2*gap) {
		if err := s.noteWait(ctx, run, host, slot.At); err != nil {
			return wstk.Response{}, err
		}
	}
	if wait > sitemapWait {
		return wstk.Response{}, wstk.Errorf(wstk.Conflict, "", "the host takes no request for %v",
			wait.Round(time.Second))
	}
	if err := s.sleep(ctx, wait); err != nil {
		return wstk.Response{}, wstk.Wrap(wstk.Cancelled, "waiting for a slot", err)
	}
	if err := s.Hosts.Begin(ctx, host, slot.Token, gap, time.Minute, time.Minute); err != nil {
		return wstk.Response{}, err
	}
	defer func() { _ = s.Hosts.End(context.WithoutCancel(ctx), host, slot.Token) }()
	return s.Client.Do(ctx, r)
}
