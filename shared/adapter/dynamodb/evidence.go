package dynamodb

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"wstk/shared/wstk"
)

var _ wstk.EvidenceStore = Evidence{}

// Evidence is a wstk.EvidenceStore. Beside an item stand pointers in the lists of its text
// and its snapshot. More than a transaction takes (100 writes, 4 MB) is stored in several:
// after an error some of them may be stored.
type Evidence struct{ *DB }

func evidenceKey(id string) key { return key{"evidence " + id, "evidence"} }

func ofHash(h wstk.Hash) string { return "evidence of " + string(h) }

func (s Evidence) Put(ctx context.Context, items ...wstk.Evidence) error {
	const op = "storing evidence"
	var all, lists []item // encoded before the first is stored
	seen, named := map[string]bool{}, map[key]bool{}
	for i, e := range items {
		if e.ID == "" {
			return wstk.Errorf(wstk.Invalid, op, "item %d has no id", i)
		}
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		it, err := record(op, evidenceKey(e.ID), e)
		if err != nil {
			return err
		}
		all = append(all, it)
		for _, h := range []wstk.Hash{e.TextSHA256, e.SnapshotSHA256} {
			if k := (key{ofHash(h), e.ID}); h != "" && !named[k] {
				named[k] = true
				lists = append(lists, k.item())
			}
		}
	}
	// First, so that no item is missing in a list. A pointer too many leads nowhere, and
	// a reader of the list sees it.
	for part := range slices.Chunk(lists, maxWrites) {
		writes := make([]types.TransactWriteItem, len(part))
		for i, it := range part {
			writes[i] = put(s.Tables.Records, it, "", nil)
		}
		if err := s.write(ctx, op, writes...); err != nil {
			return err
		}
	}
	for _, part := range parts(all, maxWrites, func(it item) int {
		return len(strOf(it, "data"))
	}) {
		if err := s.putNew(ctx, op, s.Tables.Records, part); err != nil {
			return err
		}
	}
	return nil
}

func (s Evidence) Get(ctx context.Context, id string) (wstk.Evidence, error) {
	return find[wstk.Evidence](ctx, s.DB, "reading evidence", s.Tables.Records,
		evidenceKey(id), "no evidence "+id)
}

func (s Evidence) Naming(ctx context.Context, h wstk.Hash, limit int) ([]wstk.Evidence, error) {
	const op = "listing evidence"
	var out []wstk.Evidence
	err := s.each(ctx, op, span{table: s.Tables.Records, pk: ofHash(h)}, 0,
		func(it item) (bool, error) {
			e, err := s.Get(ctx, strOf(it, "sk"))
			switch {
			case wstk.CodeOf(err) == wstk.NotFound:
				return true, nil
			case err != nil:
				return false, err
			case e.TextSHA256 == h || e.SnapshotSHA256 == h:
				out = append(out, e)
			}
			return len(out) < wstk.Limit(limit), nil
		})
	return out, err
}

// Remove deletes the pointers after the items: one that is left leads nowhere.
func (s Evidence) Remove(ctx context.Context, ids ...string) error {
	const op = "removing evidence"
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	for _, id := range ids {
		e, err := s.Get(ctx, id)
		if wstk.CodeOf(err) == wstk.NotFound {
			continue
		}
		if err != nil {
			return err
		}
		keys := []key{evidenceKey(id)}
		for _, h := range []wstk.Hash{e.TextSHA256, e.SnapshotSHA256} {
			if k := (key{ofHash(h), id}); h != "" && !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
		if err := s.removeKeys(ctx, op, s.Tables.Records, keys); err != nil {
			return err
		}
	}
	return nil
}
