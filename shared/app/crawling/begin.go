package crawling

import (
	"context"

	"wstk/shared/wstk"
)

// Begin starts a crawl, or takes up one that a dead process left open, and returns as
// soon as its run exists. A site that is being crawled is Conflict.
func (c *Room) Begin(ctx context.Context, req IngestRequest) (wstk.Run, wstk.Site, error) {
	return c.Dispatch.begin(ctx, c, req)
}
