package crawling

import (
	"context"
	"encoding/json"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// SiteRemoval is what the removal of a site has done so far, or did. Once Phase is done, Pages is
// the sum of PagesRemoved and PagesKept.
type SiteRemoval struct {
	Site         wstk.SiteID  `json:"site_id"`
	Root         string       `json:"root"`
	WithRuns     bool         `json:"with_runs"` // the answers that cite the site are removed, too
	Phase        RemovalPhase `json:"phase"`
	Pages        int          `json:"pages"`         // pages that the site had
	PagesRemoved int          `json:"pages_removed"` // pages of which nothing is left
	// pages of which the part stays that answers cite
	PagesKept int          `json:"pages_kept"`
	Kept      []KeptPage   `json:"kept"` // the first 1,000 of those, by URL
	Snapshots int          `json:"snapshots_removed"`
	Blobs     int          `json:"blobs_removed"`    // bodies, texts and what was read of them
	Evidence  int          `json:"evidence_removed"` // quotes of its pages
	Crawls    int          `json:"crawls_removed"`
	Answers   int          `json:"answers_removed"` // with WithRuns
	AnswerIDs []wstk.RunID `json:"answer_ids"`      // the first 1,000 of those

	// GoneAt is the time after which no search finds anything of the site; zero while unknown.
	GoneAt time.Time `json:"gone_from_search_at,omitzero"`
}

// KeptPage is a page of a removed site of which something stays.
type KeptPage struct {
	URL     string       `json:"url"`
	CitedBy []wstk.RunID `json:"cited_by"` // the answers that cite it; at most 20
}

// RemovalPhase is how far the removal of a site is. After each phase, nothing refers to what the
// next one removes.
type RemovalPhase string

const (
	// pages are emptied and leave the index, so that no new answer cites them
	RemovalHide RemovalPhase = "hide"
	// answers and fetches that began before are waited for
	RemovalWait RemovalPhase = "wait"
	RemovalCite RemovalPhase = "cite" // every kept answer is read, to see what it cites
	// the answers that cite the site are removed, if that was asked for
	RemovalRuns RemovalPhase = "runs"
	// what an earlier removal of the site left, and no kept answer cites any more
	RemovalLeft   RemovalPhase = "left"
	RemovalPages  RemovalPhase = "pages"  // bytes, then the rows that name them, page by page
	RemovalCrawls RemovalPhase = "crawls" // its crawls, with what they noted about each URL
	RemovalSite   RemovalPhase = "site"   // its robots.txt
	RemovalDone   RemovalPhase = "done"   // the site itself goes, and the run ends
)

const (
	removalBatch = 50              // pages or URLs between two notes of how far it is
	removalAtOn  = 8               // pages or URLs that are worked on at once
	removalRest  = 5 * time.Second // between two checks of what it waits for
	mostKept     = 1000            // pages that a result lists
	removalNote  = "removal"       // the note of the run that holds its progress
	// the note that is set when the answers were asked for after the removal had begun
	widerNote    = "removal-runs"
	maxSnapshots = 10000            // of one URL
	removalLock  = 15 * time.Minute // longer than a batch
)

// removalResult is the stored result of a removal.
type removalResult struct {
	SiteRemoval
	// the texts that stay, by the URL of their page
	Left map[string][]wstk.Hash `json:"left,omitempty"`
}

// removalRequest is the request of a run of kind removal.
type removalRequest struct {
	Site     wstk.Site `json:"site"`
	WithRuns bool      `json:"with_runs"`
	// the result of an earlier removal of the site that left something
	Before wstk.Hash `json:"before,omitempty"`
}

// RemoveSite removes a site, named by its id or any URL of it: its pages, fetches, texts,
// summaries, index entries, crawls and schedule. If its removal was begun before, RemoveSite
// continues it. What an earlier removal left because answers cited it is removed in the same way.
//
// What a kept answer cites stays and is named in the result. With withRuns those answers are
// removed, too; this may also be asked for while a removal goes on.
//
// Conflict means that the site is being crawled, or that its removal was begun with withRuns and
// is now asked for without. A crawl whose process died is ended.
//
// If messages drive the removal, or background is true, RemoveSite returns as soon as the run
// exists; else when it has ended.
func (c *Room) RemoveSite(
	ctx context.Context, name string, withRuns, background bool,
) (wstk.Run, wstk.Site, error) {
	site, err := c.siteToRemove(ctx, name)
	if err != nil {
		return wstk.Run{}, site, err
	}
	return c.Dispatch.remove(ctx, c, site, withRuns, background)
}

// siteToRemove finds a site, or one whose record is gone while its removal has not ended or
// has left something. It suggests no similar site: guessing is wrong for a command that removes.
func (c *Room) siteToRemove(ctx context.Context, name string) (wstk.Site, error) {
	id := wstk.SiteID(name)
	site, missing := c.Reading.FindSite(ctx, name)
	if wstk.CodeOf(missing) != wstk.NotFound &&
		!(id.Valid() && wstk.CodeOf(missing) == wstk.Invalid) {
		return site, missing
	}
	if root, err := reading.Address(name); !id.Valid() && err == nil {
		id = wstk.SiteIDOf(root)
	}
	run, open, err := c.openRunOf(ctx, id, wstk.RunRemoval)
	if err != nil {
		return site, err
	}
	if !open {
		var left map[string][]wstk.Hash
		if run, left, err = c.leftOf(ctx, id); err != nil {
			return site, err
		}
		open = len(left) > 0
	}
	if !open {
		return site, wstk.Errorf(wstk.NotFound, "",
			"there is no site %s, and nothing of it is left", text.HideUser(name)).
			Try(wstk.Step{Do: wstk.DoListSites})
	}
	q, err := wstk.GetJSON[removalRequest](ctx, c.Blobs, run.Request)
	return q.Site, err
}

// leftOf returns the newest removal of a site that has ended, and what it left.
func (c *Room) leftOf(
	ctx context.Context, site wstk.SiteID,
) (run wstk.Run, left map[string][]wstk.Hash, err error) {
	for cursor := ""; site != ""; {
		runs, next, err := c.Runs.List(ctx, wstk.RunFilter{Site: site, State: wstk.RunComplete},
			cursor, 100)
		if err != nil {
			return run, nil, err
		}
		for _, r := range runs {
			if r.Kind == wstk.RunRemoval {
				out, err := wstk.GetJSON[removalResult](ctx, c.Blobs, r.Result)
				return r, out.Left, err
			}
		}
		if next == "" {
			break
		}
		cursor = next
	}
	return run, nil, nil
}

// SiteToRemove returns the site that RemoveSite would remove, and how many pages it has. If the
// site was removed before, these are the pages that answers kept.
func (c *Room) SiteToRemove(
	ctx context.Context, name string,
) (site wstk.Site, pages int, err error) {
	if site, err = c.siteToRemove(ctx, name); err != nil {
		return site, 0, err
	}
	_, left, err := c.leftOf(ctx, site.ID)
	if err != nil {
		return site, 0, err
	}
	for cursor := ""; ; {
		some, next, err := c.Pages.List(ctx, site.ID, cursor, 1000)
		if err != nil {
			return site, 0, err
		}
		pages += len(some)
		for _, p := range some {
			delete(left, p.URL)
		}
		if next == "" {
			return site, pages + len(left), nil
		}
		cursor = next
	}
}

// RemoveStep returns the step that removes a site, or continues its removal, for a purpose.
func RemoveStep(site wstk.Site, withRuns bool, purpose string) wstk.Step {
	step := wstk.Step{Do: wstk.DoRemove, For: purpose, URL: site.Root}
	if withRuns {
		step.Options = []wstk.Option{wstk.OptWithRuns.On()}
	}
	return step
}

// beingRemoved returns the Conflict for a site whose removal has not ended.
func (c *Room) beingRemoved(ctx context.Context, site wstk.Site, run wstk.Run) error {
	_, r, err := c.Removal(ctx, run.ID)
	if err != nil {
		return err
	}
	return wstk.Errorf(wstk.Conflict, "", "%s is being removed by run %s", site.Root, run.ID).
		Try(RemoveStep(site, r.WithRuns, "wait until that run has ended, or continue it"))
}

// beingCrawled returns the Conflict for a site that cannot be removed while it is crawled.
func beingCrawled(site wstk.Site) error {
	return wstk.Errorf(wstk.Conflict, "",
		"%s is being crawled and cannot be removed until the crawl has ended",
		site.Root).
		Try(wstk.Step{Do: wstk.DoCancel, For: "cancel it first", URL: site.Root})
}

// removedElsewhere returns the removal that another process works on, or Conflict if that
// process crawls the site.
func (c *Room) removedElsewhere(
	ctx context.Context, site wstk.Site, withRuns bool,
) (wstk.Run, wstk.Site, error) {
	run, open, err := c.openRunOf(ctx, site.ID, wstk.RunRemoval)
	switch {
	case err != nil:
	case open:
		err = c.joinRemoval(ctx, run, site, withRuns)
	default:
		err = beingCrawled(site)
	}
	return run, site, err
}

// joinRemoval asks a removal that was begun without the answers to remove them, too. A removal
// that was begun with them cannot keep them any more: that is Conflict.
func (c *Room) joinRemoval(ctx context.Context, run wstk.Run, site wstk.Site, withRuns bool) error {
	_, r, err := c.Removal(ctx, run.ID)
	switch {
	case err != nil || r.WithRuns == withRuns:
		return err
	case withRuns:
		_, err = c.Frontier.SetNote(ctx, run.ID, widerNote, "", "asked")
		return err
	}
	return wstk.Errorf(wstk.Conflict, "",
		"%s is being removed with the answers that cite it; they can no longer be kept",
		site.Root).
		Try(RemoveStep(site, true, wstk.ToGoOn))
}

// openRemovalRun returns the removal that was begun, or begins a new one. held reports whether
// the caller holds the lock of the site, so that no process crawls it.
func (c *Room) openRemovalRun(
	ctx context.Context, site wstk.Site, withRuns, held bool,
) (run wstk.Run, err error) {
	unlock, err := c.Locks.Lock(ctx, "begin-"+string(site.ID), time.Minute)
	if err != nil {
		return run, err
	}
	defer unlock()
	if run, open, err := c.openRunOf(ctx, site.ID, wstk.RunRemoval); err != nil {
		return run, err
	} else if open {
		return run, c.joinRemoval(ctx, run, site, withRuns)
	}
	if err := c.endCrawlBefore(ctx, site, held); err != nil {
		return run, err
	}
	q := removalRequest{Site: site, WithRuns: withRuns}
	if before, left, err := c.leftOf(ctx, site.ID); err != nil {
		return run, err
	} else if len(left) > 0 {
		q.Before = before.Result
	}
	now := c.Now().UTC()
	run = wstk.Run{ID: wstk.NewRunID(now, nil), Kind: wstk.RunRemoval, State: wstk.RunRunning,
		Owner: wstk.CallerOf(ctx).Owner(), Site: site.ID,
		StartedAt: now, UpdatedAt: now}
	if run.Request, err = wstk.PutJSON(ctx, c.Blobs, q); err != nil {
		return run, err
	}
	return run, c.Runs.Create(ctx, run)
}

// endCrawlBefore ends the crawl of a site that its process left open. If the caller does not
// hold the lock of the site, the crawl may be alive: that is Conflict.
func (c *Room) endCrawlBefore(ctx context.Context, site wstk.Site, held bool) error {
	crawl, open, err := c.openCrawl(ctx, site.ID)
	switch {
	case err != nil || !open:
		return err
	case !held:
		return beingCrawled(site)
	}
	return c.Crawl.Abort(context.WithoutCancel(ctx), crawl.ID, wstk.RunCancelled,
		"its site is removed")
}

// removeHere does the steps of a removal in this process. The caller holds the lock
// of the site.
func (c *Room) removeHere(ctx context.Context, run wstk.Run) error {
	for {
		done, again, err := c.removalStep(ctx, run)
		if err != nil || done {
			return err
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return wstk.Wrap(wstk.Cancelled, "waiting for answers that are under way", ctx.Err())
		}
	}
}

// removalMessage does one step of a removal where messages drive it.
func (c *Room) removalMessage(ctx context.Context, run wstk.Run) ([]wstk.Message, error) {
	if run.State.Terminal() {
		return nil, nil
	}
	unlock, err := c.Locks.Lock(ctx, crawlLock(run.Site), lockTTL)
	if err != nil {
		return nil, err
	}
	defer unlock()
	done, again, err := c.removalStep(ctx, run)
	if err != nil || done {
		return nil, err
	}
	at := time.Time{}
	if again > 0 {
		at = c.Now().Add(again)
	}
	m, err := wstk.NewMessage("crawl", CrawlTask{Run: run.ID, Site: run.Site}, at)
	return []wstk.Message{m}, err
}

// ResumeRemovals continues, in this process, the removals that dead processes left open.
func (c *Room) ResumeRemovals(ctx context.Context) error {
	for cursor := ""; ; {
		runs, next, err := c.Runs.List(ctx,
			wstk.RunFilter{Kind: wstk.RunRemoval, State: wstk.RunRunning}, cursor, 100)
		if err != nil {
			return err
		}
		for _, r := range runs {
			if err := c.Dispatch.resumeRemoval(ctx, c, r); err != nil {
				return err
			}
		}
		if next == "" {
			return nil
		}
		cursor = next
	}
}

// Removal returns a removal of a site and its run, whether or not it has ended.
func (c *Room) Removal(ctx context.Context, id wstk.RunID) (wstk.Run, SiteRemoval, error) {
	run, err := c.Reading.Run(ctx, id)
	if err == nil && run.Kind != wstk.RunRemoval {
		err = wstk.Errorf(wstk.NotFound, "", "there is no removal %q", string(id))
	}
	if err != nil {
		return run, SiteRemoval{}, err
	}
	if run.Result != "" {
		out, err := wstk.GetJSON[SiteRemoval](ctx, c.Blobs, run.Result)
		return run, out, err
	}
	note, err := c.Frontier.Note(ctx, run.ID, removalNote)
	if err != nil {
		return run, SiteRemoval{}, err
	}
	r, err := c.readRemoving(ctx, run, note)
	if err != nil {
		return run, r.SiteRemoval, err
	}
	wider, err := c.Frontier.Note(ctx, run.ID, widerNote)
	r.WithRuns = r.WithRuns || wider != ""
	return run, r.SiteRemoval, err
}

func (c *Room) readRemoving(
	ctx context.Context, run wstk.Run, note string,
) (r removing, err error) {
	if note != "" {
		return r, wstk.Wrap(wstk.Internal, "reading the note of a removal",
			json.Unmarshal([]byte(note), &r))
	}
	q, err := wstk.GetJSON[removalRequest](ctx, c.Blobs, run.Request)
	r.SiteRemoval = SiteRemoval{Site: q.Site.ID, Root: q.Site.Root, WithRuns: q.WithRuns,
		Phase: RemovalHide, Kept: []KeptPage{}, AnswerIDs: []wstk.RunID{}}
	r.Before = q.Before
	return r, err
}
