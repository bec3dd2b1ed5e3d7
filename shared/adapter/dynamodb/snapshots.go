package dynamodb

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"wstk/shared/wstk"
)

var _ wstk.SnapshotStore = Snapshots{}

// Snapshots is a wstk.SnapshotStore.
type Snapshots struct{ *DB }

func snapshotsOf(url string) string { return "snapshot " + string(wstk.HashOf([]byte(url))) }
func bodiesOf(h wstk.Hash) string   { return "body " + string(h) }

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
		// Two pages may be fetched in one nanosecond: the URL tells their pointers apart.
		p := key{bodiesOf(v.BodySHA256), timeKey(v.FetchedAt) + " " + snapshotsOf(v.URL)}.item()
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
	newest, err := s.first(ctx, op, span{table: s.Tables.Records, pk: bodiesOf(h), back: true}, 1)
	if err != nil {
		return wstk.Snapshot{}, err
	}
	if len(newest) == 0 {
		return wstk.Snapshot{}, wstk.Errorf(wstk.NotFound, op, "no snapshot with body %s", h)
	}
	it, err := s.get(ctx, op, s.Tables.Records, key{strOf(newest[0], "to"), strOf(newest[0], "at")})
	if err != nil {
		return wstk.Snapshot{}, err
	}
	return decode[wstk.Snapshot](op, it)
}

func (s Snapshots) List(ctx context.Context, url string, limit int) ([]wstk.Snapshot, error) {
	const op = "listing snapshots"
	items, err := s.first(ctx, op, span{table: s.Tables.Records, pk: snapshotsOf(url), back: true}, wstk.Limit(limit))
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
