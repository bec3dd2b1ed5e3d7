package reading

import (
	"context"
	"time"
)

// HandedOver has the service fetch a page, run its scripts and hand it over, and reads what it
// gives. before is what we fetched of the page ourselves. Errors are those of
// fetch.Stage.HandedOver.
func (r *Room) HandedOver(ctx context.Context, before Read) (out Read, err error) {
	out.Task = before.Task
	started := time.Now()
	res, err := r.Fetch.HandedOver(ctx, before.Task, before.Snapshot)
	r.Metrics.Time("scrape", started, err)
	if err != nil {
		return out, err
	}
	return out, r.Take(ctx, before.Task.Site, res, &out)
}
