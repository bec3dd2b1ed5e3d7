package crawling

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"wstk/shared/app/reading"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// SiteRemoval is what the removal of a site has done so far, or did. Its pages add up:
// Pages is PagesRemoved and PagesKept once Phase is done.
type SiteRemoval struct {
	Site         wstk.SiteID  `json:"site_id"`
	Root         string       `json:"root"`
	WithRuns     bool         `json:"with_runs"` // the answers that cite the site go, too
	Phase        RemovalPhase `json:"phase"`
	Pages        int          `json:"pages"`         // that were known of the site
	PagesRemoved int          `json:"pages_removed"` // of which nothing is left
	PagesKept    int          `json:"pages_kept"`    // of which there is left what answers cite
	Kept         []KeptPage   `json:"kept"`          // why, by URL; the first 1,000 of them
	Snapshots    int          `json:"snapshots_removed"`
	Blobs        int          `json:"blobs_removed"`    // bodies, texts and what was read of them
	Evidence     int          `json:"evidence_removed"` // quotes of its pages
	Crawls       int          `json:"crawls_removed"`
	Answers      int          `json:"answers_removed"` // with WithRuns
	AnswerIDs    []wstk.RunID `json:"answer_ids"`      // of the first 1,000 of those

	// GoneAt is from when on no search finds anything of the site; zero while that is not known.
	GoneAt time.Time `json:"gone_from_search_at,omitzero"`
}

// KeptPage is a page of a removed site of which something stays.
type KeptPage struct {
	URL     string       `json:"url"`
	CitedBy []wstk.RunID `json:"cited_by"` // the answers that cite it; at most 20
}

// RemovalPhase is where the removal of a site stands. Each phase leaves nothing that
// refers to what the next one takes.
type RemovalPhase string

const (
	// pages leave the index and hold nothing any more, so that no new answer cites them
	RemovalHide RemovalPhase = "hide"
	// answers and fetches that were under way before come to their end
	RemovalWait RemovalPhase = "wait"
	RemovalCite RemovalPhase = "cite" // every kept answer is read: what does it cite
	// the answers that cite the site are removed, where that was asked for
	RemovalRuns RemovalPhase = "runs"
	// what an earlier removal of the site left, and no kept answer cites any more
	RemovalLeft   RemovalPhase = "left"
	RemovalPages  RemovalPhase = "pages"  // bytes, then the rows that name them, page by page
	RemovalCrawls RemovalPhase = "crawls" // what its crawls noted of each URL, and their runs
	RemovalSite   RemovalPhase = "site"   // its robots.txt
	RemovalDone   RemovalPhase = "done"   // the site itself goes, and the run ends
)

const (
	removalBatch = 50              // pages or URLs between two notes of how far it is
	removalAtOn  = 8               // of them at once
	removalRest  = 5 * time.Second // between two looks at what it waits for
	mostKept     = 1000            // pages that a result names
	removalNote  = "removal"       // of the run's frontier
	// beside it: the answers were asked for, too, since it was begun
	widerNote    = "removal-runs"
	maxSnapshots = 10000            // of one URL
	removalLock  = 15 * time.Minute // longer than a batch
)

// removing is SiteRemoval as it is noted between two steps.
type removing struct {
	SiteRemoval
	Cursor string `json:"cursor,omitempty"` // of the phase: what it went past
	// up to here Pages were counted, whether or not they are gone yet
	Counted  string     `json:"counted,omitempty"`
	Crawl    wstk.RunID `json:"crawl,omitempty"`    // the crawl whose URLs Cursor is of
	Clearing bool       `json:"clearing,omitempty"` // Crawl was counted, and goes
	Cited    wstk.Hash  `json:"cited,omitempty"`    // JSON blob: citations
	Result   wstk.Hash  `json:"result,omitempty"`   // JSON blob: SiteRemoval
	Settled  time.Time  `json:"settled,omitzero"`   // when everything was hidden
	// JSON blob: removalResult with what is left of an earlier removal, or of this one
	Before wstk.Hash     `json:"before,omitempty"`
	Worked time.Duration `json:"worked_ns,omitempty"`
	// Before is of this one: its pages were counted as kept
	Again bool `json:"again,omitempty"`
}

// removalResult is what a removal came to, as it is stored.
type removalResult struct {
	SiteRemoval
	// the texts that stay, by the URL of their page
	Left map[string][]wstk.Hash `json:"left,omitempty"`
}

// citations are what kept answers cite of a site, by URL.
type citations map[string]*citation

type citation struct {
	Runs     []wstk.RunID `json:"runs"`
	Evidence []string     `json:"evidence"`
	Texts    []wstk.Hash  `json:"texts"`
}

// removalRequest is the request of a run of kind removal.
type removalRequest struct {
	Site     wstk.Site `json:"site"`
	WithRuns bool      `json:"with_runs"`
	// the result of an earlier removal of the site that left something
	Before wstk.Hash `json:"before,omitempty"`
}

// RemoveSite begins to remove a site, named by its id or any URL of it, or goes on with a
// removal that was begun: its pages, fetches, texts, summaries, index entries, crawls and
// schedule. What a kept answer cites stays and is named in the result; with withRuns those
// answers go, too, also where the removal was begun without it; one that was begun with it
// is Conflict without it. So is a site that is being crawled; a crawl whose process died is
// ended. What an earlier removal left since answers cited it is removed in the same way.
// Where messages drive the removal or background is asked for it returns as soon as the run
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
// has left something. Of another site it says nothing: this is no command to guess at.
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
			"%s is no site that was ingested, and nothing of it is left", text.HideUser(name)).
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

// SiteToRemove is a site that RemoveSite would remove, and how many pages are known of it;
// of one that was removed, how many an answer kept.
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

// RemoveStep is the step that removes a site, or goes on with that, for a purpose.
func RemoveStep(site wstk.Site, withRuns bool, purpose string) wstk.Step {
	step := wstk.Step{Do: wstk.DoRemove, For: purpose, URL: site.Root}
	if withRuns {
		step.Options = []wstk.Option{wstk.OptWithRuns.On()}
	}
	return step
}

// beingRemoved is the Conflict of a site whose removal has not ended.
func (c *Room) beingRemoved(ctx context.Context, site wstk.Site, run wstk.Run) error {
	_, r, err := c.Removal(ctx, run.ID)
	if err != nil {
		return err
	}
	return wstk.Errorf(wstk.Conflict, "", "%s is being removed by run %s", site.Root, run.ID).
		Try(RemoveStep(site, r.WithRuns, "wait until that run has ended, or go on with it"))
}

// beingCrawled is the Conflict of a site that cannot be removed now.
func beingCrawled(site wstk.Site) error {
	return wstk.Errorf(wstk.Conflict, "", "%s is being crawled, and cannot be removed meanwhile",
		site.Root).
		Try(wstk.Step{Do: wstk.DoCancel, For: "cancel it first", URL: site.Root})
}

// removedElsewhere is the reply where another process holds the site: its removal, or that
// it is being crawled.
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

// joinRemoval asks a removal that was begun for the answers, too, if it was begun without
// them; one that takes them cannot be asked to leave them.
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
		"%s is being removed with the answers that cite it, and cannot leave them any more",
		site.Root).
		Try(RemoveStep(site, true, wstk.ToGoOn))
}

// openRemovalRun takes up the removal that was begun, or makes a new one. held says that the
// caller holds the lock of the site, so that no process crawls it.
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

// endCrawlBefore ends the crawl of a site that its process left open. Where the caller does not
// hold the lock of the site the crawl is alive, and Conflict.
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

// ResumeRemovals goes on, in this process, with the removals that dead processes left open.
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

// Removal returns a removal of a site and its run, whether it still goes on or has ended.
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

// removal is the work on one removal in one step.
type removal struct {
	room *Room
	run  wstk.Run
	note string // as it was read
	removing
}

// removalStep does a batch of the phase that a removal is in, and notes how far it is.
// done is true when the run has ended; again is how long to wait before the next step.
// Doing a step twice is the same as once.
func (c *Room) removalStep(
	ctx context.Context, run wstk.Run,
) (done bool, again time.Duration, err error) {
	if run, err = c.Runs.Get(ctx, run.ID); err != nil || run.State.Terminal() {
		return err == nil, 0, err
	}
	w := &removal{room: c, run: run}
	if w.note, err = c.Frontier.Note(ctx, run.ID, removalNote); err != nil {
		return false, 0, err
	}
	if w.removing, err = c.readRemoving(ctx, run, w.note); err != nil {
		return false, 0, err
	}
	if err := w.widen(ctx); err != nil {
		return false, 0, err
	}
	c.Reading.Touch(ctx, run)
	began := time.Now()
	over, err := w.work(ctx)
	w.Worked += time.Since(began)
	switch {
	case err != nil:
		return false, 0, err
	case w.Phase == RemovalDone:
		return true, 0, nil
	case w.Phase == RemovalWait && !over:
		return false, removalRest, nil
	case over:
		w.Phase, w.Cursor, w.Counted = w.after(), "", ""
	}
	return false, 0, w.save(ctx)
}

// work does a batch of the phase, and reports whether the phase is over.
func (w *removal) work(ctx context.Context) (over bool, err error) {
	switch w.Phase {
	case RemovalHide:
		return w.hide(ctx)
	case RemovalWait:
		return w.quiet(ctx)
	case RemovalCite:
		return w.cite(ctx)
	case RemovalRuns:
		return w.removeAnswers(ctx)
	case RemovalLeft:
		return w.removeLeft(ctx)
	case RemovalPages:
		return w.removePages(ctx)
	case RemovalCrawls:
		return w.removeCrawls(ctx)
	case RemovalSite:
		return true, w.removeRobots(ctx)
	case RemovalDone:
		return true, w.end(ctx)
	}
	return false, wstk.Errorf(wstk.Internal, "", "a removal has no phase %q", w.Phase)
}

// widen makes a removal one that takes the answers, too, where that was asked for since
// it was begun: before it decides what stays, or else at its end, for what stayed.
func (w *removal) widen(ctx context.Context) error {
	if w.WithRuns {
		return nil
	}
	asked, err := w.room.Frontier.Note(ctx, w.run.ID, widerNote)
	if err != nil || asked == "" {
		return err
	}
	switch w.Phase {
	case RemovalHide, RemovalWait, RemovalCite:
		w.WithRuns = true
	case RemovalDone:
		w.WithRuns, w.Phase, w.Before, w.Again = true, RemovalRuns, w.Result, true
	}
	return nil
}

// after is the phase that follows.
func (w *removal) after() RemovalPhase {
	order := []RemovalPhase{RemovalHide, RemovalWait, RemovalCite, RemovalRuns, RemovalLeft,
		RemovalPages, RemovalCrawls, RemovalSite, RemovalDone}
	next := order[slices.Index(order, w.Phase)+1]
	if next == RemovalRuns && !w.WithRuns {
		return RemovalLeft
	}
	return next
}

func (w *removal) save(ctx context.Context) error {
	data, err := json.Marshal(w.removing)
	if err != nil {
		return wstk.Wrap(wstk.Internal, "noting how far a removal is", err)
	}
	mine, err := w.room.Frontier.SetNote(ctx, w.run.ID, removalNote, w.note, string(data))
	if err == nil && !mine {
		err = wstk.Errorf(wstk.Conflict, "", "another process works on the removal %s", w.run.ID)
	}
	w.note = string(data)
	return err
}

// each works on some items, a few at once.
func each[T any](ctx context.Context, items []T, do func(context.Context, T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(removalAtOn)
	for _, v := range items {
		g.Go(func() error { return do(ctx, v) })
	}
	return g.Wait()
}

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

// quiet reports whether nothing is under way any more that began before everything was
// hidden: such an answer may cite a page of the site yet.
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
	for cursor := ""; ; {
		runs, next, err := w.room.Runs.List(ctx,
			wstk.RunFilter{Kind: wstk.RunExtraction, State: wstk.RunRunning}, cursor, 100)
		if err != nil {
			return false, err
		}
		for _, r := range runs {
			if r.StartedAt.After(w.Settled) {
				continue
			}
			if alive, err := w.room.Dispatch.works(ctx, w.room, reading.RunLock(r.ID)); err != nil ||
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

// cite reads a batch of the answers that are kept, and notes which evidence of the site
// they cite.
func (w *removal) cite(ctx context.Context) (over bool, err error) {
	all, err := w.citations(ctx)
	if err != nil {
		return false, err
	}
	runs, next, err := w.room.Runs.List(ctx, wstk.RunFilter{Kind: wstk.RunExtraction},
		w.Cursor, removalBatch)
	if err != nil {
		return false, err
	}
	left, err := w.left(ctx)
	if err != nil {
		return false, err
	}
	ofSite := map[string]bool{}
	found := false
	for _, r := range runs {
		theirs, _, err := w.room.Answers.CitedBy(ctx, r)
		if err != nil {
			return false, err
		}
		for _, id := range slices.Sorted(maps.Keys(theirs)) {
			url := theirs[id].URL
			if _, known := ofSite[url]; !known {
				p, err := w.room.Pages.Get(ctx, url)
				if err != nil && wstk.CodeOf(err) != wstk.NotFound {
					return false, err
				}
				_, was := left[url]
				ofSite[url] = was || err == nil && p.Site == w.Site
			}
			if ofSite[url] {
				all.add(theirs[id], r.ID)
				found = true
			}
		}
	}
	w.Cursor = next
	if found {
		if w.Cited, err = w.keepCitations(ctx, all); err != nil {
			return false, err
		}
	}
	return next == "", nil
}

func (c citations) add(e wstk.Evidence, run wstk.RunID) {
	at := c[e.URL]
	if at == nil {
		at = &citation{}
		c[e.URL] = at
	}
	if !slices.Contains(at.Evidence, e.ID) {
		at.Evidence = append(at.Evidence, e.ID)
	}
	if !slices.Contains(at.Texts, e.TextSHA256) {
		at.Texts = append(at.Texts, e.TextSHA256)
	}
	if !slices.Contains(at.Runs, run) {
		at.Runs = append(at.Runs, run)
	}
}

// left is what an earlier removal left: texts, by the URL of their page.
func (w *removal) left(ctx context.Context) (map[string][]wstk.Hash, error) {
	if w.Before == "" {
		return nil, nil
	}
	before, err := wstk.GetJSON[removalResult](ctx, w.room.Blobs, w.Before)
	return before.Left, err
}

func (w *removal) citations(ctx context.Context) (citations, error) {
	if w.Cited == "" {
		return citations{}, nil
	}
	return wstk.GetJSON[citations](ctx, w.room.Blobs, w.Cited)
}

// keepCitations stores them beside the run. What was stored before is a piece of the run as
// well, so that the end finds all of them.
func (w *removal) keepCitations(ctx context.Context, c citations) (wstk.Hash, error) {
	h, err := wstk.PutJSON(ctx, w.room.Blobs, c)
	if err != nil {
		return h, err
	}
	parts, err := w.room.Runs.Parts(ctx, w.run.ID)
	if err != nil {
		return h, err
	}
	return h, w.room.Runs.AddPart(ctx, w.run.ID, wstk.Part{N: len(parts), Data: h})
}

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

// runs are the answers that cite something, each once, in order.
func (c citations) runs() (out []wstk.RunID) {
	for _, at := range c {
		out = append(out, at.Runs...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// removePages removes a batch of pages: their bytes, then a note of what was counted, then
// the rows that name them. A process that dies in between does the same batch again, and counts it
// once.
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

// count adds what a batch that ends with last took, but for what was counted before, and
// notes it.
func (w *removal) count(ctx context.Context, b *taken, last string) error {
	counted := w.Counted
	if last <= counted {
		return nil
	}
	for url, t := range b.by {
		if url <= counted {
			continue
		}
		w.Snapshots += len(t.rows)
		w.Evidence += t.evidence
		if t.left {
			w.countLeft(t)
		}
		switch {
		case !t.page:
		case t.kept:
			w.PagesKept++
		default:
			w.PagesRemoved++
		}
	}
	for _, url := range b.blobs {
		if url > counted {
			w.Blobs++
		}
	}
	w.Counted = last
	return w.save(ctx)
}

// countLeft counts a page of which an earlier removal left something: as a page of this
// one, or, where that was this one, no more as kept.
func (w *removal) countLeft(t *takenPage) {
	switch {
	case !w.Again && t.kept:
		w.Pages++
		w.PagesKept++
	case !w.Again:
		w.Pages++
		w.PagesRemoved++
	case !t.kept:
		w.PagesKept--
		w.PagesRemoved++
	}
}

// removeCrawls removes what the crawls of the site noted of each URL, with the fetches of
// addresses that no page is stored of, such as redirects; then the crawls.
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

// addressesOf are the URLs of a crawl that a user asked for.
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

// removeFetches removes the fetches of addresses of which no page is stored.
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

// removeRobots removes the robots.txt of the site, where no other site has it, too, and
// stores what the removal came to.
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
		reasons = []string{fmt.Sprintf("pages of which something is left: %d. It is what answers "+
			"cite, or what another run fetched since", n)}
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
