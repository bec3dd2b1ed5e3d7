package reading

import (
	"context"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// HandedOver has the service fetch a page, run its scripts and hand it over, and reads what it
// gives. before is what we fetched of the page ourselves; it may be zero but for the Task.
// Errors are those of wstk.Scraper; RefusedPolicy means that the service was led to another
// host.
func (r *Room) HandedOver(ctx context.Context, before Read) (out Read, err error) {
	out.Task = before.Task
	if r.Scraper == nil {
		return out, wstk.Errorf(wstk.Unavailable, "", "no service is set up that hands over pages")
	}
	started := time.Now()
	page, err := r.Scraper.Scrape(ctx, before.Task.URL)
	r.Metrics.Time("scrape", started, err)
	if err != nil {
		return out, err
	}
	by := r.Scraper.Info().ID
	if text.HostOf(page.URL) != text.HostOf(before.Task.URL) {
		return out, wstk.Errorf(wstk.RefusedPolicy, "asking "+by,
			"it was led to another host, %s", text.HostOf(page.URL))
	}
	res, err := r.Fetch.HandedOver(ctx, before.Task.URL, page, by, before.Snapshot)
	if err != nil {
		return out, err
	}
	return out, r.Take(ctx, before.Task.Site, res, &out)
}
