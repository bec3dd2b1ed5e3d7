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
	sitemapWait    = 2 * time.Minute // longest wait for a slot of a host
	sitemapSoon    = 2 * time.Second // a wait that is not reported, beside the gap
)

// sitemap is a sitemap file still to be read.
type sitemap struct {
	url     string
	named   bool // by robots.txt or an index, so that its absence is worth a warning
	nesting int
}

// seedSitemaps adds what the sitemaps of the site list.
func (s *Stage) seedSitemaps(ctx context.Context, v view, out *Seeded) error {
	r := &seeding{Stage: s, view: v, out: out, seen: map[string]bool{},
		room: min(max(10*v.options.MaxPages, 1_000), 100_000),
		most: min(sitemapFiles, max(sitemapLeast, v.options.MaxPages/10))}
	if err := r.firstFiles(ctx); err != nil {
		return err
	}
	for len(r.queue) > 0 {
		file := r.queue[0]
		r.queue = r.queue[1:]
		if r.seen[file.url] {
			continue
		}
		r.seen[file.url] = true
		if len(r.seen) > r.most {
			return r.warn(ctx, "sitemap_truncated", file.url,
				"the site has more sitemaps than the %d that a budget of %d pages reads.", r.most,
				v.options.MaxPages)
		}
		if err := r.file(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

// seeding reads the sitemaps of one site.
type seeding struct {
	*Stage
	view  view
	out   *Seeded
	queue []sitemap       // still to be read
	seen  map[string]bool // files that were asked for
	most  int             // files that may be asked for
	room  int             // addresses that may still be taken
}

// firstFiles queues the sitemaps that robots.txt names, and /sitemap.xml.
func (r *seeding) firstFiles(ctx context.Context) error {
	host := text.HostKey(r.view.root)
	if r.view.options.Robots != wstk.RobotsIgnore {
		robots, err := r.Robots.File(ctx, r.view.root)
		if err != nil {
			return err
		}
		if robots != nil {
			for _, loc := range robots.Sitemaps {
				if url, err := text.Resolve(host+"/robots.txt", loc); err == nil {
					r.queue = append(r.queue, sitemap{url: url, named: true})
				}
			}
		}
	}
	if url, err := text.Canonical(host + "/sitemap.xml"); err == nil {
		r.queue = append(r.queue, sitemap{url: url})
	}
	return nil
}

func (r *seeding) warn(ctx context.Context, code, url, format string, args ...any) error {
	return r.Warn(ctx, r.view.run,
		wstk.Warning{Code: code, URL: url, Message: fmt.Sprintf(format, args...)})
}

// notRead warns of a file that was named and was not read. Where no file was named, the
// site may answer anything.
func (r *seeding) notRead(ctx context.Context, file sitemap, reason string) error {
	if !file.named {
		return nil
	}
	return r.warn(ctx, "sitemap", file.url, "the sitemap was not read: %s.", reason)
}

// file reads one sitemap file.
func (r *seeding) file(ctx context.Context, file sitemap) error {
	body, reason, err := r.getSitemap(ctx, r.view, file)
	if err != nil {
		return err
	}
	if reason != "" {
		return r.notRead(ctx, file, reason)
	}
	f := &seedingFile{seeding: r, file: file}
	info, err := ParseSitemap(ctx, body,
		func(e SitemapEntry) bool { return f.page(ctx, e) },
		func(e SitemapEntry) bool { return f.nested(ctx, e) })
	f.flush(ctx)
	switch {
	case f.err != nil:
		return f.err
	case ctx.Err() != nil:
		return err
	case err != nil:
		return r.notRead(ctx, file, err.Error())
	}
	if err := f.warnings(ctx, info); err != nil {
		return err
	}
	r.out.Sitemaps++
	return nil
}

// seedingFile takes what one sitemap file lists.
type seedingFile struct {
	*seeding
	file    sitemap
	found   []wstk.FrontierURL // not yet handed to the frontier
	left    int                // entries that were left out
	foreign int                // files of other sites
	err     error              // ours; it ends the reading
}

// page takes the address of a page, and reports whether to read on.
func (f *seedingFile) page(ctx context.Context, e SitemapEntry) bool {
	url, err := text.Resolve(f.file.url, e.Loc)
	if err != nil {
		return true
	}
	f.out.Listed++
	if url = text.WithoutUser(url); f.room == 0 {
		f.left++
		return true
	}
	f.room--
	u, err := f.place(ctx, f.view, wstk.FrontierURL{URL: url, Depth: 1, Via: wstk.ViaSitemap,
		FoundOn: f.file.url, LastMod: e.LastMod})
	if err != nil {
		f.err = err
		return false
	}
	if url != f.view.root {
		f.found = append(f.found, u)
	}
	if len(f.found) == addBatch {
		f.flush(ctx)
	}
	return f.err == nil
}

// flush hands what was found to the frontier.
func (f *seedingFile) flush(ctx context.Context) {
	if len(f.found) == 0 || f.err != nil {
		return
	}
	n, err := f.add(ctx, f.view.run, f.found)
	f.out.New += n
	f.found, f.err = f.found[:0], err
}

// nested takes the address of a file that an index lists, and reports whether to read on.
func (f *seedingFile) nested(ctx context.Context, e SitemapEntry) bool {
	url, err := text.Resolve(f.file.url, e.Loc)
	if err != nil {
		return true
	}
	switch {
	case f.file.nesting+1 > sitemapNesting:
		f.left++
	case text.HostKey(url) != text.HostKey(f.file.url) && !relatedURL(f.view.scope.root, url):
		if f.foreign++; f.foreign <= sitemapForeign {
			f.err = f.warn(ctx, "sitemap", url,
				"the sitemap index names a file of another site, which was not read.")
		}
	default:
		f.queue = append(f.queue, sitemap{url: url, named: true, nesting: f.file.nesting + 1})
	}
	return f.err == nil && len(f.queue) <= 2*sitemapFiles
}

// relatedURL reports whether a URL is one that the root may redirect to, see related.
func relatedURL(root address, url string) bool {
	a, _ := splitURL(url)
	return related(root, a)
}

// warnings says what of the file was left out.
func (f *seedingFile) warnings(ctx context.Context, info SitemapInfo) (err error) {
	switch {
	case f.left > 0 && info.Index:
		err = f.warn(ctx, "sitemap_truncated", f.file.url,
			"sitemap indexes are nested deeper than %d; %d files were not read.",
			sitemapNesting, f.left)
	case f.left > 0:
		err = f.warn(ctx, "sitemap_truncated", f.file.url,
			"%d addresses of the sitemap were left out: the limit of %d pages takes no more.",
			f.left, f.view.options.MaxPages)
	case info.Truncated:
		err = f.warn(ctx, "sitemap_truncated", f.file.url,
			"the sitemap is over %d addresses or %d MiB; the rest was not read.",
			maxSitemapURLs, maxSitemapBytes>>20)
	case info.Broken:
		err = f.warn(ctx, "sitemap", f.file.url,
			"the sitemap breaks off or is malformed; %d addresses were read.", info.Entries)
	}
	if err == nil && f.foreign > sitemapForeign {
		err = f.warn(ctx, "sitemap", f.file.url,
			"the sitemap index names %d files of other sites, which were not read.", f.foreign)
	}
	return err
}

// getSitemap fetches one sitemap file in a slot of its host. reason says why there is no
// body; an error is ours.
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
			if ofSite(err) && ctx.Err() == nil {
				return nil, text.Shorten(err.Error(), 200), nil
			}
			return nil, "", err
		}
		target, reason := sitemapAnswer(url, resp, file.named)
		if reason != "" {
			return nil, reason, nil
		}
		if target == "" {
			return resp.Body, "", nil
		}
		url = target
	}
	return nil, fmt.Sprintf("it redirects more than %d times", sitemapHops), nil
}

// ofSite reports whether an error says something about the site, and not about us.
func ofSite(err error) bool {
	switch wstk.CodeOf(err) {
	case wstk.RefusedPolicy, wstk.RefusedAddress, wstk.TooLarge, wstk.Timeout, wstk.Network,
		wstk.Conflict:
		return true
	}
	return false
}

// sitemapAnswer reads an answer: where it redirects to, or why it is no sitemap; neither if
// its body may be one.
func sitemapAnswer(url string, resp wstk.Response, named bool) (target, reason string) {
	location := resp.Header.Get("Location")
	switch {
	case resp.Status >= 200 && resp.Status < 300:
		return "", ""
	case resp.Status >= 300 && resp.Status < 400 && location != "":
		target, err := text.Resolve(url, location)
		if err != nil {
			return "", "it redirects to no URL"
		}
		return target, ""
	case resp.Status == http.StatusNotFound && !named:
		return "", "there is none"
	}
	return "", fmt.Sprintf("status %d", resp.Status)
}

// inSlot does a request in a slot of its host. A slot that is far ahead is noted with the
// run, so that the run can say what it waits for.
func (s *Stage) inSlot(
	ctx context.Context, run wstk.RunID, host string, gap time.Duration, r wstk.Request,
) (wstk.Response, error) {
	slot, err := s.Hosts.Reserve(ctx, host, s.now(), gap)
	if err != nil {
		return wstk.Response{}, err
	}
	wait := slot.At.Sub(s.now())
	// other runs may have slots in between
	if wait > gap+sitemapSoon && (wait <= maxAhead || wait > maxQueue+2*gap) {
		if err := s.noteWait(ctx, run, host, slot.At); err != nil {
			return wstk.Response{}, err
		}
	}
	if wait > sitemapWait {
		return wstk.Response{}, wstk.Errorf(wstk.Conflict, "",
			"the next request to the host may only be sent in %v", wait.Round(time.Second))
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
