package crawl

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"wstk/shared/wstk"
)

const (
	// a date of a sitemap is often a day, in an unknown zone: what happened on it is over for sure
	// this long after its beginning
	lastModSlack = 48 * time.Hour

	// how long the date of a sitemap is believed without asking the site
	lastModTrust = 30 * 24 * time.Hour
)

// ByDate returns a page of a refresh as not modified, without a request, if the site's sitemap
// says that it has not changed since it was last asked for; ok is false for all other pages. It is
// for pages without ETag and Last-Modified: of the others the site itself is asked, which costs
// little. The sitemap is not believed for longer than 30 days, nor if the text of the page changed
// after a date like this one.
func (s *Stage) ByDate(
	ctx context.Context, run wstk.Run, task wstk.FetchTask, u wstk.FrontierURL, now time.Time,
) (out Fetched, ok bool, err error) {
	if run.Kind != wstk.RunRefresh || task.Fresh || u.LastMod.IsZero() ||
		task.Method == wstk.MethodBrowser {
		return out, false, nil
	}
	p, err := s.Pages.Get(ctx, u.URL)
	if wstk.CodeOf(err) == wstk.NotFound {
		return out, false, nil
	}
	settled := u.LastMod.Add(lastModSlack)
	if err != nil || p.Document == "" || p.DuplicateOf != "" || p.Partial || !p.Verdict.Readable() ||
		p.IndexedAt.IsZero() || p.ETag != "" || p.LastModified != "" ||
		!settled.Before(p.CheckedAt) || now.Sub(p.CheckedAt) > lastModTrust {
		return out, false, err
	}
	versions, err := s.Pages.Versions(ctx, u.URL)
	if err != nil {
		return out, false, err
	}
	for _, v := range versions {
		if v.TextSHA256 != p.TextSHA256 && v.CheckedAt.After(settled) {
			return out, false, nil
		}
	}
	return Fetched{Task: task, Snapshot: wstk.Snapshot{URL: u.URL, FinalURL: u.URL, FetchedAt: now,
		Status: http.StatusNotModified, Verdict: wstk.VerdictNotModified},
		ByDate: fmt.Sprintf("not asked for: the sitemap says that it last changed on %s, and it "+
			"was read on %s", day(u.LastMod), day(p.CheckedAt))}, true, nil
}
