package app

import (
	"context"

	"wstk/shared/stage/read"
	"wstk/shared/wstk"
)

// ShowPage reads a stored body once more, as the page that a visitor sees, and says of
// which fetch it is. A body that is no page of HTML is UnsupportedMediaType, one that is
// not stored NotFound.
func (a *App) ShowPage(ctx context.Context, h wstk.Hash) (*read.Shown, wstk.Snapshot, error) {
	snap, err := a.Snapshots.Get(ctx, h)
	if err != nil {
		return nil, snap, err
	}
	body, err := a.Blobs.Get(ctx, h)
	if err != nil {
		return nil, snap, err
	}
	done, err := readingSlot(ctx, len(body))
	if err != nil {
		return nil, snap, err
	}
	defer done()
	shown, err := a.Read.Show(ctx, readInput(snap, body))
	return shown, snap, err
}
