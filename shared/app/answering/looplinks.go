package answering

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"wstk/shared/app/reading"
	"wstk/shared/stage/answer"
	"wstk/shared/stage/crawl"
	"wstk/shared/stage/screen"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

const (
	linkedPages = 30   // pages whose links are weighed in one turn
	listedLinks = 2000 // that are taken of sitemaps
	listedFiles = 4    // sitemaps that are asked for
	heldRounds  = 20   // of looking for links that are not stored
	hubsAbove   = 3    // folders above the page
)

// unread are the best links that were not read, for this question or ever, weighed.
func (a *Room) unread(
	ctx context.Context, q Request, s looped,
) ([]wstk.ScoredLink, error) {
	candidates, err := a.candidates(ctx, s)
	if err != nil {
		return nil, err
	}
	scope, err := crawl.NewScope(text.HostKey(s.Page)+"/", wstk.CrawlOptions{})
	if err != nil {
		return nil, err
	}
	tried := map[string]bool{}
	for _, u := range s.Tried {
		tried[u] = true
	}
	w := answer.Weighing{Question: q.Query, Open: s.open(q), Now: a.Now(), Top: q.Answer.PagesPerTurn,
		Read: func(u string) bool { return tried[u] },
		Excluded: func(u string) bool {
			in, _ := scope.Decide(u)
			return !in && !a.preferred(u)
		},
		Addresses: screen.Addresses}
	if len(a.Config.AllowDomains) > 0 {
		w.Preferred = a.preferred
	}
	for range heldRounds {
		links := answer.Score(candidates, w)
		held, err := a.held(ctx, links)
		if err != nil || len(held) == 0 {
			return links, err
		}
		for _, u := range held {
			tried[u] = true
		}
	}
	return nil, nil // the best thousand are stored: recall finds them
}

// preferred reports whether the operator names the site of a page.
func (a *Room) preferred(u string) bool {
	return slices.ContainsFunc(a.Config.AllowDomains, func(d string) bool {
		return wstk.ParseSiteRule(d).Match("", u)
	})
}

// held are those of some links that are stored, and that recall finds.
func (a *Room) held(ctx context.Context, links []wstk.ScoredLink) (out []string, err error) {
	is := make([]bool, len(links))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(readsAtOnce)
	for i, l := range links {
		group.Go(func() error {
			p, err := a.Pages.Get(ctx, l.URL)
			if wstk.CodeOf(err) == wstk.NotFound {
				return nil
			}
			is[i] = (p.Document != "" || p.DuplicateOf != "") && !a.Reading.IsLate(p)
			return err
		})
	}
	err = group.Wait()
	for i, l := range links {
		if is[i] {
			out = append(out, l.URL)
		}
	}
	return out, err
}

// candidates are the links of the pages that the loop has read or found, those that the site
// lists, and the folders above the page.
func (a *Room) candidates(ctx context.Context, s looped) ([]answer.Candidate, error) {
	pages := slices.Clone(s.Pages)
	for _, list := range s.Hits {
		for _, h := range list {
			if !slices.Contains(pages, h.URL) {
				pages = append(pages, h.URL)
			}
		}
	}
	var out []answer.Candidate
	docs := a.newDocs()
	for _, u := range pages[:min(linkedPages, len(pages))] {
		d, err := docs.get(ctx, u)
		if wstk.CodeOf(err) == wstk.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, answer.LinksOf(d)...)
	}
	for i, at := 0, s.Page; i < hubsAbove; i++ {
		up, err := text.Resolve(at, above(at))
		if err != nil || up == at {
			break
		}
		out = append(out, answer.Candidate{URL: up, From: s.Page})
		at = up
	}
	if s.Listed != nil {
		out = append(out, *s.Listed...)
	}
	return out, nil
}

// above names the folder of a page, or the one above a folder.
func above(url string) string {
	if strings.HasSuffix(url, "/") {
		return ".."
	}
	return "."
}

// list asks the site for what it lists itself: /llms.txt and its sitemap. A site that has neither
// lists nothing.
func (a *Room) list(ctx context.Context, s *looped) error {
	all := []answer.Candidate{}
	host := text.HostKey(s.Page)
	body, err := a.file(ctx, host+"/llms.txt")
	if err != nil {
		return err
	}
	all = append(all, answer.LLMsText(host+"/llms.txt", string(body))...)
	files := []string{host + "/sitemap.xml"}
	for n := 0; n < min(listedFiles, len(files)); n++ {
		at := files[n]
		if body, err = a.file(ctx, at); err != nil {
			return err
		}
		// what is no sitemap lists nothing
		_, _ = crawl.ParseSitemap(ctx, body, func(e crawl.SitemapEntry) bool {
			if u, err := text.Resolve(at, e.Loc); err == nil {
				all = append(all, answer.Candidate{URL: u, From: at, Modified: modified(e.LastMod)})
			}
			return len(all) < listedLinks
		}, func(e crawl.SitemapEntry) bool {
			if u, err := text.Resolve(at, e.Loc); err == nil && text.HostKey(u) == host {
				files = append(files, u)
			}
			return len(files) < listedFiles
		})
	}
	s.Listed = &all
	return ctx.Err()
}

// modified is a time that is known.
func modified(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// file asks a site for a file that is no page; nil where it has none.
func (a *Room) file(ctx context.Context, url string) ([]byte, error) {
	task, err := a.Reading.Task(reading.PageRequest{URL: url})
	if err != nil {
		return nil, err
	}
	ctx, cancel := a.Reading.InTime(ctx)
	defer cancel()
	got, err := a.Fetch.Do(ctx, task)
	if err != nil || got.Snapshot.Status != http.StatusOK {
		return nil, err
	}
	return got.Body, nil
}
