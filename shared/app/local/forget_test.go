package local_test

import (
	"context"
	"testing"
	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"

	"wstk/shared/wstk"
)

// A crawl that has ended tidies up the old runs of its site; a failure to do so is
// no failure of the crawl.
func TestIngestForgetsURLsOfOldRuns(t *testing.T) {
	a := open(t, testConfig(t))
	root := serve(t, pumps())
	work, asked := a.Dispatch.(crawling.InProcess), []wstk.SiteID(nil)
	forget := work.ForgetURLs
	work.ForgetURLs = func(ctx context.Context, site wstk.SiteID, keep int) error {
		asked = append(asked, site)
		if err := forget(ctx, site, keep); err != nil {
			t.Error(err)
		}
		return wstk.Errorf(wstk.Unavailable, "", "the disk is full")
	}
	apptest.Change(a, func(h *app.Home) { h.Dispatch = work })
	res := ingest(t, a, root+"/")
	if len(asked) != 1 || asked[0] != res.Site.ID {
		t.Errorf("asked for %v", asked)
	}
	if _, err := a.Crawling.Why(context.Background(), root, root+"/p9"); err != nil {
		t.Errorf("the newest run is kept: %v", err)
	}
}
