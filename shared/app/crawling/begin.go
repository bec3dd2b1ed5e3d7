package crawling

import (
	"context"

	"wstk/shared/wstk"
)

// Begin starts a crawl, or continues one that a dead process left open, and returns as soon as its
// run exists. It returns Conflict if the site is being crawled.
func (c *Room) Begin(ctx context.Context, req IngestRequest) (wstk.Run, wstk.Site, error) {
	return c.Dispatch.begin(ctx, c, req)
}
