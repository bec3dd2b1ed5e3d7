package dynamodb

import (
	"context"

	"wstk/shared/wstk"
)

var _ wstk.SiteStore = Sites{}

// Sites is a wstk.SiteStore. Sites are few and seldom written: they share a partition.
type Sites struct{ *DB }

const sites = "site"

func (s Sites) Put(ctx context.Context, v wstk.Site) error {
	const op = "storing site"
	if v.ID == "" {
		return wstk.Errorf(wstk.Invalid, op, "a site needs an id")
	}
	it, err := record(op, key{sites, string(v.ID)}, v)
	if err != nil {
		return err
	}
	return s.store(ctx, op, s.Tables.Records, it)
}

func (s Sites) Get(ctx context.Context, id wstk.SiteID) (wstk.Site, error) {
	return find[wstk.Site](ctx, s.DB, "reading site", s.Tables.Records, key{sites, string(id)},
		"no site "+string(id))
}

func (s Sites) List(ctx context.Context, cursor string, limit int) ([]wstk.Site, string, error) {
	const op = "listing sites"
	n := wstk.Limit(limit)
	items, err := s.first(ctx, op, span{table: s.Tables.Records, pk: sites, from: cursor}, n+1)
	if err != nil {
		return nil, "", err
	}
	items, next := cut(items, n)
	var out []wstk.Site
	for _, it := range items {
		v, err := decode[wstk.Site](op, it)
		if err != nil {
			return nil, "", err
		}
		out = append(out, v)
	}
	return out, next, nil
}

// cut returns the first n of a list that was read with one more, and the sort key to
// go on after, "" at the end.
func cut(items []item, n int) ([]item, string) {
	if len(items) > n {
		return items[:n], strOf(items[n-1], "sk")
	}
	return items, ""
}

func (s Sites) Remove(ctx context.Context, id wstk.SiteID) error {
	return s.removeKeys(ctx, "removing site", s.Tables.Records, []key{{sites, string(id)}})
}
