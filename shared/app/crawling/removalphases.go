package crawling

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"wstk/shared/app/reading"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// hide takes a batch of pages out of the index, and from each what it holds: first the
// page, so that a worker that is just indexing it sees that it holds nothing any more.
func (w *removal) hide(ctx context.Context) (over bool, err error) {
	if w.Cursor == "" { // so that the site shows what happens to it
		site, err := w.room.SiteStore.Get(ctx, w.Site)
		if err != nil && wstk.CodeOf(err) != wstk.NotFound {
			return false, err
		}
		if err == nil && site.LastRun != w.run.ID {
			site.LastRun, site.UpdatedAt = w.run.ID, w.room.Now().UTC()
			if err := w.room.SiteStore.Put(ctx, site); err != nil {
				return false, err
			}
		}
	}
	pages, next, err := w.room.Pages.List(ctx, w.Site, w.Cursor, removalBatch)
	if err != nil {
		return false, err
	}
	err = each(ctx, pages, func(ctx context.Context, p wstk.Page) error {
		if err := w.room.Pages.Empty(ctx, p.URL, w.Site); err != nil {
			return err
		}
		return w.room.Index.Remove(ctx, p.URL)
	})
	if err != nil {
		return false, err
	}
	w.Pages += len(pages)
	if w.Cursor = next; next == "" {
		w.Settled = w.room.Now().UTC()
		w.GoneAt = w.Settled.Add(w.room.Crawl.IndexLag)
	}
	return next == "", nil
}

// quiet reports whether all work has ended that began before everything was hidden: such an
// answer may still cite a page of the site.
func (w *removal) quiet(ctx context.Context) (bool, error) {
	if rest := w.room.Dispatch.settles(); rest > 0 {
		crawls, _, err := w.room.Runs.List(ctx, wstk.RunFilter{Site: w.Site}, "", 10)
		if err != nil {
			return false, err
		}
		for _, r := range crawls {
			if isCrawl(r) && w.room.Now().Sub(r.EndedAt) < rest {
				return false, nil
			}
		}
	}
	for _, kind := range wstk.CitingKinds() {
		if quiet, err := w.quietOf(ctx, kind); err != nil || !quiet {
			return false, err
		}
	}
	return true, nil
}

// quietOf is quiet for the answers of one kind.
func (w *removal) quietOf(ctx context.Context, kind wstk.RunKind) (bool, error) {
	for cursor := ""; ; {
		runs, next, err := w.room.Runs.List(ctx,
			wstk.RunFilter{Kind: kind, State: wstk.RunRunning}, cursor, 100)
		if err != nil {
			return false, err
		}
		for _, r := range runs {
			if r.StartedAt.After(w.Settled) {
				continue
			}
			if alive, err := w.room.Dispatch.works(ctx, w.room,
				reading.RunLock(r.ID)); err != nil ||
				alive {
				return false, err
			}
		}
		if next == "" {
			return true, nil
		}
		cursor = next
	}
}

func isCrawl(r wstk.Run) bool { return r.Kind == wstk.RunIngest || r.Kind == wstk.RunRefresh }

// removeAnswers removes one of the answers that cite the site.
func (w *removal) removeAnswers(ctx context.Context) (over bool, err error) {
	cited, err := w.citations(ctx)
	if err != nil {
		return false, err
	}
	for _, run := range cited.runs() {
		if string(run) <= w.Cursor {
			continue
		}
		if err := w.room.Answers.Forget(ctx, run); err != nil && wstk.CodeOf(err) != wstk.NotFound {
			return false, err
		}
		if w.Answers++; len(w.AnswerIDs) < mostKept {
			w.AnswerIDs = append(w.AnswerIDs, run)
		}
		w.Cursor = string(run)
		return false, nil
	}
	for _, at := range cited {
		w.Evidence += len(at.Evidence)
	}
	w.Cited = "" // no answer cites it any more
	return true, nil
}

// removePages removes a batch of pages: their bytes, then a note of what was counted, then
// the rows that name them. If the process dies in between, the same batch is done again and
// counted once.
func (w *removal) removePages(ctx context.Context) (over bool, err error) {
	pages, _, err := w.room.Pages.List(ctx, w.Site, "", removalBatch)
	if err != nil || len(pages) == 0 {
		return err == nil, err
	}
	cited, err := w.citations(ctx)
	if err != nil {
		return false, err
	}
	b := newTaken(w, cited)
	for _, p := range pages {
		b.urls[p.URL] = true
	}
	err = each(ctx, pages, func(ctx context.Context, p wstk.Page) error {
		if p.Document != "" { // it was fetched again, for a request of this page alone
			return b.letGo(ctx, p)
		}
		return b.takePage(ctx, p)
	})
	if err != nil {
		return false, err
	}
	if err := w.count(ctx, b, pages[len(pages)-1].URL); err != nil {
		return false, err
	}
	return false, each(ctx, pages, func(ctx context.Context, p wstk.Page) error {
		if err := b.takeRows(ctx, p.URL); err != nil {
			return err
		}
		if err := w.room.Summaries.Remove(ctx, p.URL); err != nil {
			return err
		}
		return w.room.Pages.Remove(ctx, p.URL, w.Site)
	})
}

// removeLeft removes a batch of what an earlier removal left, in the order of removePages.
// An address that holds a page again keeps the fetches of that page.
func (w *removal) removeLeft(ctx context.Context) (over bool, err error) {
	left, err := w.left(ctx)
	if err != nil {
		return false, err
	}
	cited, err := w.citations(ctx)
	if err != nil {
		return false, err
	}
	urls := slices.Sorted(maps.Keys(left))
	from, _ := slices.BinarySearch(urls, w.Cursor+"\x00") // the first after the cursor
	if urls = urls[from:min(from+removalBatch, len(urls))]; len(urls) == 0 {
		return true, nil
	}
	b := newTaken(w, cited)
	for _, url := range urls {
		if _, err := w.room.Pages.Get(ctx, url); wstk.CodeOf(err) == wstk.NotFound {
			b.urls[url] = true
		} else if err != nil {
			return false, err
		}
	}
	if err := each(ctx, urls, func(ctx context.Context, url string) error {
		return b.takeLeft(ctx, url, left[url])
	}); err != nil {
		return false, err
	}
	if err := w.count(ctx, b, urls[len(urls)-1]); err != nil {
		return false, err
	}
	w.Cursor = urls[len(urls)-1]
	return false, each(ctx, slices.Collect(maps.Keys(b.urls)), b.takeRows)
}

// removeCrawls removes what the crawls of the site noted about each URL, and the fetches of
// addresses without a stored page, such as redirects; then the crawls.
func (w *removal) removeCrawls(ctx context.Context) (over bool, err error) {
	if w.Crawl == "" {
		runs, next, err := w.room.Runs.List(ctx, wstk.RunFilter{Site: w.Site}, "", 100)
		if err != nil {
			return false, err
		}
		for _, r := range runs {
			if isCrawl(r) {
				w.Crawl = r.ID
			}
		}
		if w.Crawl == "" && next == "" {
			return true, nil
		}
	}
	if !w.Clearing {
		urls, next, err := w.room.Frontier.List(ctx, w.Crawl, "", w.Cursor, removalBatch)
		if err != nil {
			return false, err
		}
		if err := w.removeFetches(ctx, addressesOf(urls)); err != nil {
			return false, err
		}
		if w.Cursor = next; next == "" {
			w.Clearing, w.Counted = true, ""
			w.Crawls++
		}
		return false, nil
	}
	more, err := w.room.Frontier.Remove(ctx, w.Crawl, 1000)
	if err != nil || more {
		return false, err
	}
	if err := w.room.Runs.Remove(ctx, w.Crawl); err != nil {
		return false, err
	}
	w.Crawl, w.Clearing = "", false
	return false, nil
}

// addressesOf returns the URLs of a crawl that were asked for.
func addressesOf(urls []wstk.FrontierURL) (out []string) {
	for _, u := range urls {
		switch u.Outcome {
		case wstk.OutcomeOutOfScope, wstk.OutcomeOverDepth, wstk.OutcomeOverBudget,
			wstk.OutcomeTrap, wstk.OutcomeRefusedRobots:
		default:
			out = append(out, u.URL)
		}
	}
	return out
}

// removeFetches removes the fetches of addresses without a stored page.
func (w *removal) removeFetches(ctx context.Context, urls []string) error {
	b := newTaken(w, nil)
	var mine []string
	for _, url := range urls {
		_, err := w.room.Pages.Get(ctx, url)
		if err == nil {
			continue
		}
		if wstk.CodeOf(err) != wstk.NotFound {
			return err
		}
		mine = append(mine, url)
		b.urls[url] = true
	}
	if err := each(ctx, mine, func(ctx context.Context, url string) error {
		return b.takeFetches(ctx, url, nil)
	}); err != nil {
		return err
	}
	if len(mine) == 0 {
		return nil
	}
	if err := w.count(ctx, b, mine[len(mine)-1]); err != nil {
		return err
	}
	return each(ctx, mine, b.takeRows)
}

// removeRobots removes the robots.txt of the site, unless another site shares it, and stores
// the result of the removal.
func (w *removal) removeRobots(ctx context.Context) error {
	shared := false
	err := w.room.Reading.EachSite(ctx, func(s wstk.Site) (bool, error) {
		shared = s.ID != w.Site && text.HostKey(s.Root) == text.HostKey(w.Root)
		return !shared, nil
	})
	if err != nil {
		return err
	}
	if robots, err := text.Canonical(text.HostKey(w.Root) + "/robots.txt"); err == nil && !shared {
		if err := w.removeFetches(ctx, []string{robots}); err != nil {
			return err
		}
	}
	cited, err := w.citations(ctx)
	if err != nil {
		return err
	}
	for _, url := range slices.Sorted(maps.Keys(cited))[:min(mostKept, len(cited))] {
		by := cited[url].Runs
		w.Kept = append(w.Kept, KeptPage{URL: url, CitedBy: by[:min(reading.MostCiting, len(by))]})
	}
	out := removalResult{SiteRemoval: w.SiteRemoval}
	out.Phase = RemovalDone
	for url, at := range cited {
		if out.Left == nil {
			out.Left = map[string][]wstk.Hash{}
		}
		out.Left[url] = at.Texts
	}
	w.Result, err = wstk.PutJSON(ctx, w.room.Blobs, out)
	w.Kept = []KeptPage{} // they stand in the result
	return err
}

// end removes the site, and ends the run.
func (w *removal) end(ctx context.Context) error {
	parts, err := w.room.Runs.Parts(ctx, w.run.ID)
	if err != nil {
		return err
	}
	for _, p := range parts { // what was cited: it stands in the result
		if err := w.room.Blobs.Delete(ctx, p.Data); err != nil {
			return err
		}
	}
	if w.Again && w.Before != w.Result {
		if err := w.room.Blobs.Delete(ctx, w.Before); err != nil {
			return err
		}
	}
	if err := w.room.SiteStore.Remove(ctx, w.Site); err != nil {
		return err
	}
	var reasons []string
	if n := w.PagesKept; n > 0 {
		reasons = []string{fmt.Sprintf("something is left of %d pages: what answers "+
			"cite, or what another run has fetched since", n)}
	}
	end := wstk.Run{State: wstk.RunComplete, Reasons: reasons, Result: w.Result,
		EndedAt: w.room.Now().UTC()}
	end.Usage.DurationMS = max(1, w.Worked.Milliseconds())
	if _, err := w.room.Runs.End(ctx, w.run.ID, end); err != nil {
		return err
	}
	for more := true; more; {
		if more, err = w.room.Frontier.Remove(ctx, w.run.ID, 1000); err != nil {
			return err
		}
	}
	return nil
}
