package local_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"wstk/shared/app/apptest"

	"wstk/shared/app"
	"wstk/shared/app/crawling"
	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// removeSite removes a site to the end and returns what that came to.
func removeSite(t *testing.T, a *app.App, site string, withRuns bool) crawling.SiteRemoval {
	t.Helper()
	run, _, err := a.Crawling.RemoveSite(t.Context(), site, withRuns, false)
	if err != nil {
		t.Fatalf("removing: %v", err)
	}
	run, out, err := a.Crawling.Removal(t.Context(), run.ID)
	if err != nil || run.State != wstk.RunComplete || out.Phase != crawling.RemovalDone {
		t.Fatalf("%s, %+v, %v", run.State, out, err)
	}
	if out.Pages != out.PagesRemoved+out.PagesKept {
		t.Errorf("it does not add up: %+v", out)
	}
	return out
}

// blobsLeft are the hashes of all blobs of a data directory.
func blobsLeft(t *testing.T, c config.Config) (out []wstk.Hash) {
	t.Helper()
	for path := range files(t, filepath.Join(c.DataDir, "blobs")) {
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if h := wstk.Hash(name); h.Valid() {
			out = append(out, h)
		} else {
			t.Errorf("%s is no blob", path)
		}
	}
	slices.Sort(out)
	return out
}

func wantBlobs(t *testing.T, c config.Config, want ...wstk.Hash) {
	t.Helper()
	slices.Sort(want)
	want = slices.Compact(want)
	if got := blobsLeft(t, c); !slices.Equal(got, want) {
		t.Errorf("blobs are left: %v, want %v", got, want)
	}
}

// wantGone checks that nothing but the run of its removal speaks of a site.
func wantGone(t *testing.T, a *app.App, site wstk.Site) {
	t.Helper()
	ctx := t.Context()
	if _, err := a.SiteStore.Get(ctx, site.ID); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("the site is there: %v", err)
	}
	if pages, _, err := a.Pages.List(ctx, site.ID, "", 0); err != nil || len(pages) > 0 {
		t.Errorf("pages are there: %v, %v", pages, err)
	}
	runs, _, err := a.Runs.List(ctx, wstk.RunFilter{Site: site.ID}, "", 0)
	if err != nil || slices.ContainsFunc(runs, func(r wstk.Run) bool {
		return r.Kind != wstk.RunRemoval || !r.State.Terminal()
	}) {
		t.Errorf("runs are there: %v, %v", runs, err)
	}
	if wrong, err := a.CheckStore(ctx); err != nil || len(wrong) > 0 {
		t.Errorf("the store: %v, %v", wrong, err)
	}
	if n, err := a.Index.Stats(ctx); err != nil || n != (wstk.IndexStats{}) {
		t.Errorf("the index holds %+v: %v", n, err)
	}
}

// With a site goes all that was ever stored of it: older versions of its pages, redirects,
// robots.txt, refusals.
func TestARemovedSiteLeavesNothingBehind(t *testing.T) {
	c := testConfig(t)
	a := open(t, c)
	w := steadyPumps()
	root := serve(t, w)
	site := ingest(t, a, root+"/").Site
	urls := []string{root + "/robots.txt"}
	w.pages["/p9"] = page("The P-9 pump", `<p>The P-9 was our smallest pump, and is not made any more since last spring.</p>`)
	res, err := a.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: string(site.ID), Refresh: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range crawled(t, a, res.Run.ID) {
		urls = append(urls, u.URL)
	}
	known, _, err := a.Pages.List(t.Context(), site.ID, "", 0)
	if err != nil || len(known) < 5 {
		t.Fatalf("%d pages: %v", len(known), err)
	}

	out := removeSite(t, a, root, false)
	if out.Pages != len(known) || out.PagesKept != 0 || out.Snapshots < len(known) ||
		out.Blobs < 9 || out.Crawls != 2 || out.GoneAt.IsZero() {
		t.Errorf("%+v", out)
	}
	wantGone(t, a, site)
	for _, u := range urls {
		if snaps, err := a.Snapshots.List(t.Context(), u, 0); err != nil || len(snaps) > 0 {
			t.Errorf("fetches of %s are there: %v, %v", u, snaps, err)
		}
	}
	runs, _, err := a.Runs.List(t.Context(), wstk.RunFilter{Kind: wstk.RunRemoval}, "", 0)
	if err != nil || len(runs) != 1 {
		t.Fatalf("%v, %v", runs, err)
	}
	wantBlobs(t, c, runs[0].Request, runs[0].Result)
	if _, _, err := a.Crawling.RemoveSite(t.Context(), root, false,
		false); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("once more: %v", err)
	}
	if res := ingest(t, a, root+"/"); res.Pages < 3 { // it may come again
		t.Errorf("%+v", res)
	}
}

func crawled(t *testing.T, a *app.App, run wstk.RunID) []wstk.FrontierURL {
	t.Helper()
	urls, _, err := a.Frontier.List(t.Context(), run, "", "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(urls, func(u wstk.FrontierURL) bool {
		return u.Outcome == wstk.OutcomeOutOfScope
	})
}

// What a kept answer cites stays, is named, and verifies; nothing else stays. With the
// answers it goes, too.
func TestARemovedSiteKeepsWhatAnswersCite(t *testing.T) {
	c := testConfig(t)
	a := open(t, c)
	w := steadyPumps()
	root := serve(t, w)
	site := ingest(t, a, root+"/").Site
	x := ask(t, a, "What is the maximum pressure of the P-12?")
	if len(x.Extractions) == 0 || len(x.Extractions[0].Evidence) == 0 {
		t.Fatalf("no answer: %+v", x)
	}
	// the version cited is an older one
	w.pages["/p12"] = page("The P-12 pump", `<p>The P-12 is not made any more, and nobody knows its pressure.</p>`)
	if _, err := a.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: string(site.ID), Refresh: true}); err != nil {
		t.Fatal(err)
	}
	saved, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	runs, _, err := a.Runs.List(t.Context(), wstk.RunFilter{Kind: wstk.RunExtraction}, "", 0)
	if err != nil || len(runs) != 1 {
		t.Fatalf("%v, %v", runs, err)
	}
	answer, stays := runs[0].ID, []wstk.Hash{runs[0].Request, runs[0].Result}
	urls := map[string]bool{}
	for _, e := range x.Extractions[0].Evidence {
		stays = append(stays, e.TextSHA256, e.SnapshotSHA256)
		urls[e.URL] = true
	}
	parts, err := a.Runs.Parts(t.Context(), answer)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		stays = append(stays, p.Data)
	}

	out := removeSite(t, a, string(site.ID), false)
	if out.PagesKept != len(urls) || len(out.Kept) != len(urls) ||
		!slices.Equal(out.Kept[0].CitedBy, []wstk.RunID{answer}) || !urls[out.Kept[0].URL] {
		t.Errorf("%+v, cited are %v", out, urls)
	}
	wantGone(t, a, site)
	removal, _, err := a.Runs.List(t.Context(), wstk.RunFilter{Kind: wstk.RunRemoval}, "", 0)
	if err != nil || len(removal) != 1 {
		t.Fatalf("%v, %v", removal, err)
	}
	wantBlobs(t, c, append(stays, removal[0].Request, removal[0].Result)...)
	if rep, err := inStore(t, a, saved); fails(rep, err) || rep.Verified == 0 {
		t.Errorf("the kept answer: %+v, %v", rep.Problems(), err)
	}
	for _, e := range x.Extractions[0].Evidence {
		if _, err := a.Looking.Text(t.Context(), e.TextSHA256); err != nil {
			t.Errorf("the text of kept evidence: %v", err)
		}
		if since, err := a.Answering.Since(t.Context(), e); err != nil ||
			since.State != wstk.RelocationUnchecked || since.Reason != wstk.ReasonNoCopy {
			t.Errorf("since: %+v, %v", since, err)
		}
	}

	if _, err := a.Answering.RemoveRun(t.Context(), answer); err != nil {
		t.Fatal(err)
	}
	again := ingest(t, a, root+"/").Site
	ask(t, a, "What is the maximum pressure of the P-9?")
	out = removeSite(t, a, root, true)
	if out.Answers != 1 || len(out.AnswerIDs) != 1 || out.PagesKept != 0 || len(out.Kept) != 0 {
		t.Errorf("with its answers: %+v", out)
	}
	wantGone(t, a, again)
	if runs, _, err := a.Runs.List(t.Context(), wstk.RunFilter{Kind: wstk.RunExtraction}, "",
		0); err != nil || len(runs) != 0 {
		t.Errorf("answers are left: %v, %v", runs, err)
	}
}

// What two sites share stays with the one that is kept.
func TestARemovedSiteTakesNothingOfOthers(t *testing.T) {
	a := open(t, testConfig(t))
	first, second := serve(t, steadyPumps()), serve(t, steadyPumps())
	gone, kept := ingest(t, a, first+"/").Site, ingest(t, a, second+"/").Site
	before := ask(t, a, "What is the maximum pressure of the P-12?")
	out := removeSite(t, a, first, true)
	if out.Pages == 0 || out.PagesKept != 0 {
		t.Errorf("%+v", out)
	}
	if _, err := a.SiteStore.Get(t.Context(), gone.ID); wstk.CodeOf(err) != wstk.NotFound {
		t.Error(err)
	}
	pages, _, err := a.Pages.List(t.Context(), kept.ID, "", 0)
	if err != nil || len(pages) != out.Pages {
		t.Errorf("%d pages of the kept site, want %d: %v", len(pages), out.Pages, err)
	}
	wantWhole(t, a)
	if x := ask(t, a, "What is the maximum pressure of the P-12?"); len(x.Extractions) == 0 || len(before.Extractions) == 0 {
		t.Errorf("the kept site answers nothing: %+v", x)
	}
}

// wantWhole checks that nothing refers to bytes that are gone.
func wantWhole(t *testing.T, a *app.App) {
	t.Helper()
	ctx := context.Background()
	there := func(what string, h wstk.Hash) {
		if h == "" {
			return
		}
		if has, err := a.Blobs.Has(ctx, h); err != nil || !has {
			t.Errorf("%s names %s, which is gone: %v", what, h, err)
		}
	}
	pages, _, err := a.Pages.List(ctx, "", "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		for _, h := range []wstk.Hash{p.TextSHA256, p.Document, p.Screening, p.SnapshotSHA256} {
			there("the page "+p.URL, h)
		}
	}
	runs, _, err := a.Runs.List(ctx, wstk.RunFilter{Kind: wstk.RunExtraction}, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		there("the run "+string(r.ID), r.Request)
		x, err := a.Answering.Extraction(ctx, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range x.Extractions {
			for _, e := range e.Evidence {
				there("evidence "+e.ID, e.TextSHA256)
				there("evidence "+e.ID, e.SnapshotSHA256)
			}
		}
	}
}

// dying lets so many changes through, and refuses all after them, as if the process had
// died there.
type dying struct{ left atomic.Int64 }

func (d *dying) alive() error {
	if d.left.Add(-1) < 0 {
		return wstk.Errorf(wstk.Unavailable, "", "it died here")
	}
	return nil
}

type dyingBlobs struct {
	wstk.BlobStore
	*dying
}

func (s dyingBlobs) Put(ctx context.Context, data []byte) (wstk.Hash, error) {
	if err := s.alive(); err != nil {
		return "", err
	}
	return s.BlobStore.Put(ctx, data)
}

func (s dyingBlobs) Delete(ctx context.Context, h wstk.Hash) error {
	if err := s.alive(); err != nil {
		return err
	}
	return s.BlobStore.Delete(ctx, h)
}

type dyingPages struct {
	wstk.PageStore
	*dying
}

func (s dyingPages) Empty(ctx context.Context, url string, site wstk.SiteID) error {
	if err := s.alive(); err != nil {
		return err
	}
	return s.PageStore.Empty(ctx, url, site)
}

func (s dyingPages) Remove(ctx context.Context, url string, site wstk.SiteID) error {
	if err := s.alive(); err != nil {
		return err
	}
	return s.PageStore.Remove(ctx, url, site)
}

type dyingSnapshots struct {
	wstk.SnapshotStore
	*dying
}

func (s dyingSnapshots) Remove(ctx context.Context, url string, at ...time.Time) error {
	if err := s.alive(); err != nil {
		return err
	}
	return s.SnapshotStore.Remove(ctx, url, at...)
}

type dyingFrontier struct {
	wstk.Frontier
	*dying
}

func (s dyingFrontier) SetNote(
	ctx context.Context, run wstk.RunID, key, old, value string,
) (bool, error) {
	if err := s.alive(); err != nil {
		return false, err
	}
	return s.Frontier.SetNote(ctx, run, key, old, value)
}

func (s dyingFrontier) Remove(ctx context.Context, run wstk.RunID, limit int) (bool, error) {
	if err := s.alive(); err != nil {
		return false, err
	}
	return s.Frontier.Remove(ctx, run, limit)
}

type dyingSites struct {
	wstk.SiteStore
	*dying
}

func (s dyingSites) Remove(ctx context.Context, id wstk.SiteID) error {
	if err := s.alive(); err != nil {
		return err
	}
	return s.SiteStore.Remove(ctx, id)
}

type dyingRuns struct {
	wstk.RunStore
	*dying
}

func (s dyingRuns) Remove(ctx context.Context, id wstk.RunID) error {
	if err := s.alive(); err != nil {
		return err
	}
	return s.RunStore.Remove(ctx, id)
}

func (s dyingRuns) End(ctx context.Context, id wstk.RunID, end wstk.Run) (bool, error) {
	if err := s.alive(); err != nil {
		return false, err
	}
	return s.RunStore.End(ctx, id, end)
}

type dyingIndex struct {
	wstk.Index
	*dying
}

func (s dyingIndex) Remove(ctx context.Context, url string) error {
	if err := s.alive(); err != nil {
		return err
	}
	return s.Index.Remove(ctx, url)
}

// A removal that dies again and again, each time one change later, ends as one that is
// left alone: everything is gone, nothing that is kept refers to what is gone, at no
// moment, and it counts the same.
func TestARemovalDiesAnywhere(t *testing.T) {
	removed := func(die bool) (crawling.SiteRemoval, []wstk.Hash) {
		c := testConfig(t)
		a := open(t, c)
		w := steadyPumps()
		root := serve(t, w)
		site := ingest(t, a, root+"/").Site
		ask(t, a, "What is the maximum pressure of the P-12?")
		w.pages["/p12"] = page("The P-12 pump", `<p>The P-12 is not made any more, and nobody knows its pressure.</p>`)
		if _, err := a.Crawling.Ingest(t.Context(),
			crawling.IngestRequest{URL: string(site.ID), Refresh: true}); err != nil {
			t.Fatal(err)
		}
		if !die {
			return removeSite(t, a, root, false), blobsLeft(t, c)
		}
		d := &dying{}
		apptest.Change(a, func(h *app.Home) {
			h.Blobs, h.Pages, h.Snapshots, h.Frontier = dyingBlobs{h.Blobs, d},
				dyingPages{h.Pages, d},
				dyingSnapshots{h.Snapshots, d}, dyingFrontier{h.Frontier, d}
			h.SiteStore, h.Runs, h.Index = dyingSites{h.SiteStore, d}, dyingRuns{h.Runs, d},
				dyingIndex{h.Index, d}
		})
		d.left.Store(1 << 30)
		run, _, err := a.Crawling.RemoveSite(t.Context(), root, false, true)
		if err != nil {
			t.Fatal(err)
		}
		d.left.Store(0)
		for n := int64(1); ; n++ {
			wantWhole(t, a)
			if now, err := a.Runs.Get(t.Context(), run.ID); err != nil || now.State.Terminal() {
				break
			} else if n > 2000 {
				t.Fatalf("it never ends: %+v", now)
			}
			d.left.Store(n)
			a.Crawling.RemoveSite(t.Context(), root, false, false)
		}
		d.left.Store(1 << 30)
		_, out, err := a.Crawling.Removal(t.Context(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		wantGone(t, a, site)
		return out, blobsLeft(t, c)
	}
	want, left := removed(false)
	got, leftToo := removed(true)
	for _, p := range []*crawling.SiteRemoval{&want, &got} { // of two servers
		p.Site, p.Root, p.GoneAt, p.Kept = "", "", time.Time{}, nil
	}
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if string(a) != string(b) || len(left) != len(leftToo) {
		t.Errorf("left alone %s, dying %s; %d and %d blobs are left", a, b, len(left), len(leftToo))
	}
}

// A site is crawled or removed, and an answer that is under way is waited for.
func TestNothingElseHappensToASiteThatIsRemoved(t *testing.T) {
	a := open(t, testConfig(t))
	root := serve(t, steadyPumps())
	site := ingest(t, a, root+"/").Site

	now := time.Now()
	crawl := wstk.Run{ID: wstk.NewRunID(now, nil), Kind: wstk.RunIngest, State: wstk.RunRunning,
		Site: site.ID, StartedAt: now, UpdatedAt: now}
	if err := a.Runs.Create(t.Context(), crawl); err != nil {
		t.Fatal(err)
	}
	free, err := a.Locks.Lock(t.Context(), "crawl-"+string(site.ID), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = a.Crawling.RemoveSite(t.Context(), root, false, false)
	if wstk.CodeOf(err) != wstk.Conflict || !strings.Contains(err.Error(), "crawled") {
		t.Errorf("while it is crawled: %v", err)
	}
	free()
	if _, err := a.Runs.End(t.Context(), crawl.ID,
		wstk.Run{State: wstk.RunCancelled, EndedAt: now}); err != nil {
		t.Fatal(err)
	}

	answer := wstk.Run{ID: wstk.NewRunID(now, nil), Kind: wstk.RunExtraction,
		State: wstk.RunRunning, Query: "q", StartedAt: now, UpdatedAt: now}
	if err := a.Runs.Create(t.Context(), answer); err != nil {
		t.Fatal(err)
	}
	unlock, err := a.Locks.Lock(t.Context(), reading.RunLock(answer.ID), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := a.Crawling.RemoveSite(t.Context(), root, false, true)
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		_, out, err := a.Crawling.Removal(t.Context(), run.ID)
		if err != nil || time.Now().After(end) {
			t.Fatalf("%+v, %v", out, err)
		}
		if out.Phase == crawling.RemovalWait {
			break
		}
	}
	if again, _, err := a.Crawling.RemoveSite(t.Context(), root, true, true); err != nil ||
		again.ID != run.ID {
		t.Errorf("asked once more: %v, %v", again.ID, err)
	}
	if _, out, err := a.Crawling.Removal(t.Context(), run.ID); err != nil || !out.WithRuns {
		t.Errorf("asked for the answers, too: %+v, %v", out, err)
	}
	if _, _, err := a.Crawling.RemoveSite(t.Context(), root, false, true); wstk.CodeOf(
		err) != wstk.Conflict || !strings.Contains(err.Error(), "can no longer be kept") {
		t.Errorf("asked to leave the answers: %v", err)
	}
	if _, _, err := a.Crawling.CancelCrawl(t.Context(), root); wstk.CodeOf(err) != wstk.Conflict ||
		!strings.Contains(err.Error(), "being removed") {
		t.Errorf("cancelled: %v", err)
	}
	if st, err := a.Crawling.Status(t.Context(), root); err != nil || st.Run == nil ||
		st.Run.Kind != wstk.RunRemoval || st.Pages != 0 ||
		!strings.Contains(fmt.Sprint(st.Steps), "with_runs") {
		t.Errorf("its status: %+v, %v", st, err)
	}
	if _, err := a.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: root + "/"}); wstk.CodeOf(err) != wstk.Conflict {
		t.Errorf("a crawl of it: %v", err)
	}
	if x := ask(t, a, "What is the maximum pressure of the P-12?"); len(x.Extractions) != 0 {
		t.Errorf("an answer from it: %+v", x)
	}
	if versions, err := a.Pages.Versions(t.Context(), root+"/p12"); err != nil || len(versions) == 0 {
		t.Errorf("nothing is removed before the answer has ended: %v, %v", versions, err)
	} else if _, err := wstk.LoadDocument(t.Context(), a.Blobs, versions[0].Document); err != nil {
		t.Error(err)
	}
	unlock() // its process died
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if run, err = a.Runs.Get(t.Context(), run.ID); err != nil || time.Now().After(end) {
			t.Fatalf("%+v, %v", run, err)
		}
		if run.State.Terminal() {
			break
		}
	}
	wantGone(t, a, site)
	if _, out, err := a.Crawling.Removal(t.Context(), run.ID); err != nil || !out.WithRuns ||
		run.Usage.DurationMS < 1 {
		t.Errorf("what it came to: %+v, %+v, %v", out, run.Usage, err)
	}
}

// What a removal left since an answer cited it goes with the same command and withRuns, or
// when the answer is gone; in the end nothing is left but what removals were asked and did.
func TestWhatARemovalLeftCanBeRemoved(t *testing.T) {
	for name, withRuns := range map[string]bool{"with the answer": true, "after the answer": false} {
		t.Run(name, func(t *testing.T) {
			c := testConfig(t)
			a := open(t, c)
			w := steadyPumps()
			root := serve(t, w)
			site := ingest(t, a, root+"/").Site
			x := ask(t, a, "What is the maximum pressure of the P-12?")
			w.pages["/p12"] = page("The P-12 pump", `<p>The P-12 is not made any more, and nobody knows its pressure.</p>`)
			if _, err := a.Crawling.Ingest(t.Context(),
				crawling.IngestRequest{URL: string(site.ID), Refresh: true}); err != nil {
				t.Fatal(err)
			}
			first := removeSite(t, a, root, false)
			if first.PagesKept == 0 {
				t.Fatalf("%+v", first)
			}
			if s, n, err := a.Crawling.SiteToRemove(t.Context(), root); err != nil ||
				s.Root != site.Root || n != first.PagesKept {
				t.Errorf("what is left: %v, %d, %v", s, n, err)
			}
			if !withRuns {
				if out := removeSite(t, a, string(site.ID),
					false); out.PagesKept != first.PagesKept || out.PagesRemoved != 0 {
					t.Errorf("while the answer is there: %+v", out)
				}
				answers, _, err := a.Runs.List(t.Context(),
					wstk.RunFilter{Kind: wstk.RunExtraction}, "", 0)
				if err != nil || len(answers) != 1 {
					t.Fatalf("%v, %v", answers, err)
				}
				if _, err := a.Answering.RemoveRun(t.Context(), answers[0].ID); err != nil {
					t.Fatal(err)
				}
			}
			out := removeSite(t, a, root, withRuns)
			if out.PagesRemoved != first.PagesKept || out.PagesKept != 0 || out.Blobs == 0 ||
				out.Snapshots == 0 || (out.Answers == 1) != withRuns {
				t.Errorf("%+v", out)
			}
			if want := len(x.Extractions[0].Evidence); withRuns && out.Evidence < want {
				t.Errorf("%d quotes are counted, want %d", out.Evidence, want)
			}
			wantOnlyRemovals(t, a, c)
			_, _, err := a.Crawling.RemoveSite(t.Context(), root, true, false)
			if wstk.CodeOf(err) != wstk.NotFound ||
				strings.Contains(fmt.Sprint(wstk.StepsOf(err)), "did you mean") {
				t.Errorf("once more: %v, %v", err, wstk.StepsOf(err))
			}
		})
	}
}

// wantOnlyRemovals checks that no blob is left but what removals were asked and did.
func wantOnlyRemovals(t *testing.T, a *app.App, c config.Config) {
	t.Helper()
	runs, _, err := a.Runs.List(t.Context(), wstk.RunFilter{}, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	var want []wstk.Hash
	for _, r := range runs {
		if r.Kind != wstk.RunRemoval {
			t.Errorf("a run is left: %+v", r)
		}
		want = append(want, r.Request, r.Result)
	}
	wantBlobs(t, c, want...)
}

// A removal that is asked for the answers, too, when it stopped anywhere takes them.
func TestARemovalIsWidenedWhereverItStopped(t *testing.T) {
	late := 0
	for dies := int64(0); dies < 200; dies += 2 {
		c := testConfig(t)
		a := open(t, c)
		root := serve(t, steadyPumps())
		ingest(t, a, root+"/")
		ask(t, a, "What is the maximum pressure of the P-12?")
		d := &dying{}
		whole := a.Frontier
		apptest.Change(a, func(h *app.Home) { h.Frontier = dyingFrontier{h.Frontier, d} })
		d.left.Store(dies)
		run, _, err := a.Crawling.RemoveSite(t.Context(), root, false, false)
		if err == nil {
			break // it does not die any more
		}
		if _, before, err := a.Crawling.Removal(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		} else if before.PagesRemoved > 0 {
			late++
		}
		apptest.Change(a, func(h *app.Home) { h.Frontier = whole })
		out := removeSite(t, a, root, true)
		if !out.WithRuns || out.PagesKept != 0 || out.Answers != 1 || len(out.Kept) != 0 {
			t.Errorf("stopped after %d notes: %+v", dies, out)
		}
		wantOnlyRemovals(t, a, c)
	}
	if late == 0 {
		t.Error("none stopped after it had decided what stays")
	}
}

// A crawl whose process died does not keep its site from being removed.
func TestASiteOfADeadCrawlIsRemoved(t *testing.T) {
	a := open(t, testConfig(t))
	site := ingest(t, a, serve(t, steadyPumps())+"/").Site
	now := time.Now()
	crawl := wstk.Run{ID: wstk.NewRunID(now, nil), Kind: wstk.RunIngest, State: wstk.RunRunning,
		Site: site.ID, StartedAt: now, UpdatedAt: now}
	if err := a.Runs.Create(t.Context(), crawl); err != nil {
		t.Fatal(err)
	}
	removeSite(t, a, site.Root, false)
	wantGone(t, a, site)
}

// A removal that a dead process left open is continued by the next server.
func TestAServerGoesOnWithRemovals(t *testing.T) {
	c := testConfig(t)
	a := open(t, c)
	root := serve(t, steadyPumps())
	site := ingest(t, a, root+"/").Site
	d := &dying{}
	d.left.Store(5)
	whole := a.Pages
	apptest.Change(a, func(h *app.Home) { h.Pages = dyingPages{h.Pages, d} })
	if _, _, err := a.Crawling.RemoveSite(t.Context(), root, false, false); err == nil ||
		!strings.Contains(fmt.Sprint(wstk.StepsOf(err)), string(wstk.DoRemove)) {
		t.Fatalf("%v", err)
	}
	apptest.Change(a, func(h *app.Home) { h.Pages = whole })
	if err := a.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		runs, _, err := a.Runs.List(t.Context(), wstk.RunFilter{Kind: wstk.RunRemoval}, "", 0)
		if err != nil || len(runs) != 1 || time.Now().After(end) {
			t.Fatalf("%+v, %v", runs, err)
		}
		if runs[0].State.Terminal() {
			break
		}
	}
	wantGone(t, a, site)
}

// steadyPumps is pumps without the page for which a crawl waits and asks again, and without
// the two of which the one that is read first is kept.
func steadyPumps() *web {
	w := pumps()
	delete(w.statuses, "/broken")
	delete(w.pages, "/copy")
	return w
}

// In the cloud messages drive a removal, each of which may come twice; it waits until no
// worker of a crawl can be left, and what comes late of that is nothing.
func TestARemovalIsAChainOfMessagesInTheCloud(t *testing.T) {
	a := open(t, testConfig(t))
	root := serve(t, steadyPumps())
	res := ingest(t, a, root+"/")
	p, err := a.Pages.Get(t.Context(), root+"/p12")
	if err != nil {
		t.Fatal(err)
	}
	here := a.Dispatch
	apptest.Change(a, func(h *app.Home) { h.Dispatch = crawling.ByMessages{} })
	defer func() { a.Dispatch = here }()
	run, _, err := a.Crawling.RemoveSite(t.Context(), root, false, true)
	if err != nil || run.State != wstk.RunRunning {
		t.Fatalf("%+v, %v", run, err)
	}
	if _, _, err := a.Crawling.Begin(t.Context(),
		crawling.IngestRequest{URL: root}); wstk.CodeOf(err) != wstk.Conflict {
		t.Errorf("a crawl of it: %v", err)
	}
	m, done, err := inbox(a).Receive(t.Context(), "crawl")
	if err != nil {
		t.Fatal(err)
	}
	done(nil)
	waited := false
	for steps := 0; ; steps++ {
		if steps > 200 {
			t.Fatal("it never ends")
		}
		if steps%3 == 0 { // twice
			if _, err := a.Crawling.Route("crawl")(t.Context(), m.Body); err != nil {
				t.Fatal(err)
			}
		}
		next, err := a.Crawling.Route("crawl")(t.Context(), m.Body)
		if err != nil {
			t.Fatal(err)
		}
		if len(next) == 0 {
			break
		}
		if m = next[0]; !m.At.IsZero() && !waited {
			if _, out, err := a.Crawling.Removal(t.Context(), run.ID); err != nil ||
				out.Phase != crawling.RemovalWait {
				t.Fatalf("it waits in %+v, %v", out, err)
			}
			waited = true
			later := time.Now().Add(3 * time.Minute)
			apptest.Change(a, func(h *app.Home) { h.Now = func() time.Time { return later } })
		}
	}
	if !waited {
		t.Error("it did not wait for the workers of the crawl")
	}
	wantGone(t, a, res.Site)
	late := reading.PageTask{Run: res.Run.ID, Site: res.Site.ID, URL: p.URL, Document: p.Document}
	for queue, body := range map[string]any{
		"crawl": crawling.CrawlTask{Run: res.Run.ID, Site: res.Site.ID}, "summarize": late, "index": late,
		"fetch": wstk.FetchTask{Run: res.Run.ID, Site: res.Site.ID, URL: p.URL},
	} {
		data, _ := json.Marshal(body)
		if next, err := a.Crawling.Route(queue)(t.Context(), data); err != nil || len(next) != 0 {
			t.Errorf("a late message of %s: %v, %v", queue, next, err)
		}
	}
	wantGone(t, a, res.Site)
}

// lateEntries are an index that is told of a page just before the page's site is hidden.
type lateEntries struct {
	wstk.Index
	before func()
}

func (s lateEntries) Replace(ctx context.Context, p wstk.PageIndex) error {
	s.before()
	return s.Index.Replace(ctx, p)
}

// lateSummaries are the same for summaries.
type lateSummaries struct {
	wstk.SummaryStore
	before func()
}

func (s lateSummaries) Put(ctx context.Context, v wstk.Summary) error {
	s.before()
	return s.SummaryStore.Put(ctx, v)
}

// What is stored of a page at the moment in which its site is hidden is taken back by
// whichever process stored it.
func TestWhatComesLateIsTakenBack(t *testing.T) {
	a := open(t, testConfig(t))
	root := serve(t, steadyPumps())
	res := ingest(t, a, root+"/")
	url := root + "/p12"
	p, err := a.Pages.Get(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	hide := func() {
		if err := a.Pages.Empty(t.Context(), url, res.Site.ID); err != nil {
			t.Error(err)
		}
		if err := a.Index.Remove(t.Context(), url); err != nil {
			t.Error(err)
		}
		if err := a.Summaries.Remove(t.Context(), url); err != nil {
			t.Error(err)
		}
	}
	task := reading.PageTask{Run: res.Run.ID, Site: res.Site.ID, URL: url, Document: p.Document}
	before, err := a.Index.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	index, summaries := a.Index, a.Summaries
	a.Indexing.Index = lateEntries{index, hide}
	data, _ := json.Marshal(task)
	if _, err := a.Crawling.Route("index")(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	if after, err := a.Index.Stats(t.Context()); err != nil || after.Pages != before.Pages-1 {
		t.Errorf("the index holds %+v, before %+v: %v", after, before, err)
	}
	if err := a.Pages.Put(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	a.Summarize.Summaries = lateSummaries{summaries, hide}
	doc, err := wstk.LoadDocument(t.Context(), a.Blobs, p.Document)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Summaries.Remove(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Crawling.Route("summarize")(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	a.Summarize.Summaries = nil
	sums, err := a.Summarize.Do(t.Context(), doc)
	if err != nil || len(sums) == 0 {
		t.Fatal(err)
	}
	if _, err := a.Summaries.Get(t.Context(), sums[0].Key()); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("its summary is there: %v", err)
	}
}
