package local_test

import (
	"context"
	"testing"
	"wstk/shared/app"
	"wstk/shared/app/apptest"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// refusedRows refuses the first removals of rows: what they name was taken and counted before.
type refusedRows struct {
	wstk.PageStore
	*dying
}

func (s refusedRows) Remove(ctx context.Context, url string, site wstk.SiteID) error {
	if s.alive() == nil {
		return wstk.Errorf(wstk.Unavailable, "", "it died here")
	}
	return s.PageStore.Remove(ctx, url, site)
}

// A batch that died between its note and its rows is done again, and counts once.
func TestARemovedBatchCountsOnce(t *testing.T) {
	a := open(t, testConfig(t))
	root := serve(t, steadyPumps())
	site := ingest(t, a, root+"/").Site
	known, _, err := a.Pages.List(t.Context(), site.ID, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	d := &dying{}
	apptest.Change(a, func(h *app.Home) { h.Pages = refusedRows{h.Pages, d} })
	d.left.Store(1)
	if _, _, err := a.Crawling.RemoveSite(t.Context(), root, false,
		false); wstk.CodeOf(err) != wstk.Unavailable {
		t.Fatalf("it did not die: %v", err)
	}
	d.left.Store(0)
	if out := removeSite(t, a, root, false); out.Pages != len(known) ||
		out.PagesRemoved != len(known) || out.Phase != crawling.RemovalDone {
		t.Errorf("%d pages were known: %+v", len(known), out)
	}
}
