package reading

import (
	"context"

	"wstk/shared/stage/read"
	"wstk/shared/wstk"
)

// ShowPage reads a stored body once more, hands it to use as the page that a visitor
// sees, and says of which fetch it is. The tree of a page is many times its body: until
// use has returned it counts among the bodies that are read at once, and use must not
// keep it. A body that is no page of HTML is UnsupportedMediaType, one that is not stored
// NotFound; use is not called then.
func (r *Room) ShowPage(
	ctx context.Context, h wstk.Hash, use func(*read.Shown),
) (wstk.Snapshot, error) {
	snap, err := r.Snapshots.Get(ctx, h)
	if err != nil {
		return snap, err
	}
	body, err := r.Blobs.Get(ctx, h)
	if err != nil {
		return snap, err
	}
	visibility, err := r.visibility(ctx, snap)
	if err != nil {
		return snap, err
	}
	done, err := Slot(ctx, len(body))
	if err != nil {
		return snap, err
	}
	defer done()
	shown, err := r.Read.Show(ctx, ReadInput(snap, body, visibility))
	if err == nil {
		use(shown)
	}
	return snap, err
}

// visibility loads the record of what a browser showed that a snapshot names; nil where it
// names none.
func (r *Room) visibility(ctx context.Context, snap wstk.Snapshot) ([]byte, error) {
	if snap.VisibilitySHA256 == "" {
		return nil, nil
	}
	return r.Blobs.Get(ctx, snap.VisibilitySHA256)
}
