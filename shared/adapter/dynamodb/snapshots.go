package dynamodb

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"wstk/shared/wstk"
)

var _ wstk.SnapshotStore = Snapshots{}

// Snapshots is a wstk.SnapshotStore.
type Snapshots struct{ *DB }

func snapshotsOf(url string) string { return "snapshot " + string(wstk.HashOf([]byte(url))) }
func bodiesOf(h wstk.Hash) string   { return "body " + string(h) }

// ofBody is the pointer to v in the list of its body. Two pages may be fetched in one
// nanosecond: the URL tells their pointers apart.
func ofBody(v wstk.Snapshot) key {
	return key{bodiesOf(v.BodySHA256), timeKey(v.FetchedAt) + " " + snapshotsOf(v.URL)}
}

func (s Snapshots) Put(ctx context.Context, v wstk.Snapshot) error {
	const op = "storing snapshot"
	if v.URL == "" || v.FetchedAt.IsZero() {
		return wstk.Errorf(wstk.Invalid, op, "a snapshot needs a URL and a time")
	}
	it, err := record(op, key{snapshotsOf(v.URL), timeKey(v.FetchedAt)}, v)
	if err != nil {
		return err
	}
	writes := []types.TransactWriteItem{put(s.Tables.Records, it, isNew, nil)}
	if v.BodySHA256 != "" {
		p := ofBody(v).item()
		p["to"] = it["pk"]
		p["at"] = it["sk"]
		writes = append(writes, put(s.Tables.Records, p, "", nil))
	}
	err = s.write(ctx, op, writes...)
	if errors.As(err, new(refused)) {
		return nil // it never changes
	}
	return err
}

func (s Snapshots) Get(ctx context.Context, h wstk.Hash) (wstk.Snapshot, error) {
	const op = "reading snapshot"
	newest, err := s.withBody(ctx, op, h, 1)
	if err == nil && len(newest) == 0 {
		err = wstk.Errorf(wstk.NotFound, op, "no snapshot with body %s", h)
	}
	if err != nil {
		return wstk.Snapshot{}, err
	}
	return newest[0], nil
}

func (s Snapshots) WithBody(ctx context.Context, h wstk.Hash, limit int) ([]wstk.Snapshot, error) {
	return s.withBody(ctx, "listing snapshots of body", h, wstk.Limit(limit))
}

func (s Snapshots) withBody(
	ctx context.Context, op string, h wstk.Hash, n int,
) (out []wstk.Snapshot, err error) {
	err = s.each(ctx, op, span{table: s.Tables.Records, pk: bodiesOf(h), back: true}, n,
		func(p item) (bool, error) {
			it, err := s.get(ctx, op, s.Tables.Records, key{strOf(p, "to"), strOf(p, "at")})
			if err != nil || it == nil { // it was removed just now
				return true, err
			}
			v, err := decode[wstk.Snapshot](op, it)
			out = append(out, v)
			return len(out) < n, err
		})
	return out, err
}

// Remove deletes a snapshot and its pointer in one transaction.
func (s Snapshots) Remove(ctx context.Context, url string, at ...time.Time) error {
	const op = "removing snapshots"
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	for _, t := range at {
		k := key{snapshotsOf(url), timeKey(t)}
		it, err := s.get(ctx, op, s.Tables.Records, k)
		if err != nil {
			return err
		}
		if it == nil {
			continue
		}
		v, err := decode[wstk.Snapshot](op, it)
		if err != nil {
			return err
		}
		keys := []key{k}
		if v.BodySHA256 != "" {
			keys = append(keys, ofBody(v))
		}
		if err := s.removeKeys(ctx, op, s.Tables.Records, keys); err != nil {
			return err
		}
	}
	return nil
}

func (s Snapshots) List(ctx context.Context, url string, limit int) ([]wstk.Snapshot, error) {
	const op = "listing snapshots"
	items, err := s.first(ctx, op, span{table: s.Tables.Records, pk: snapshotsOf(url), back: true},
		wstk.Limit(limit))
	if err != nil {
		return nil, err
	}
	var out []wstk.Snapshot
	for _, it := range items {
		v, err := decode[wstk.Snapshot](op, it)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}
